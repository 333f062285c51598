//! From a text to its words and formulas.

use super::part::{Part, Piece};
use super::scripts::{is_accent, is_name, length_above, length_below, lowered, raised};

/// Names that are set upright, and that a text may hold without any script beside them.
const NAMES: [&str; 28] = [
    "log", "exp", "ln", "sin", "cos", "tan", "sinh", "cosh", "tanh", "arctan", "artanh", "max", "min", "sup", "inf",
    "lim", "Tr", "tr", "diag", "rank", "cond", "det", "Var", "Cov", "LSE", "relu", "ker", "sign",
];

/// The words and formulas of a text, in order. Joined again, the words and what the formulas stand for are the text.
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece> {
    let chunks: Vec<&str> = text.split_inclusive(' ').collect();
    let mut found: Vec<Piece> = Vec::new();
    let mut at = 0;
    while at < chunks.len() {
        let end = run(&chunks, at);
        let stretch = chunks[at..end.max(at + 1)].concat();
        let read = if end > at { formula(&stretch) } else { None };
        match read {
            Some((before, parts, after)) => {
                words(&mut found, before);
                found.push(Piece::Formula(parts));
                words(&mut found, after);
            }
            None => words(&mut found, &stretch),
        }
        at = end.max(at + 1);
    }
    found
}

/// Adds words to the end of a list.
fn words(found: &mut Vec<Piece>, text: &str) {
    if text.is_empty() {
        return;
    }
    match found.last_mut() {
        Some(Piece::Words(before)) => before.push_str(text),
        _ => found.push(Piece::Words(text.to_owned())),
    }
}

/// What a stretch between two spaces can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chunk {
    Words,
    /// Part of a formula beside others that are.
    Part,
    /// An operator between two spaces.
    Operator,
    /// Certainly of a formula: it has a script, a root, a norm.
    Formula,
}

const OPERATORS: &str = "=≤≥<>+−·×/≠∈→∝≈±∼⇔⇒↦∘∖⊥∪∩⊂⊆⪰≫∗-";

/// Whether the letters of a chunk are names and single letters, as in a formula, and no words.
fn has_words(chunk: &str) -> bool {
    let mut letters = chunk.split(|c: char| !c.is_ascii_alphabetic());
    letters.any(|run| run.len() > 1 && !NAMES.contains(&run))
}

fn kind(chunk: &str) -> Chunk {
    let bare = chunk.trim_end();
    let inside = bare.trim_end_matches([',', ';', ':', '.']);
    if inside.is_empty() {
        return Chunk::Words;
    }
    if inside.chars().all(|c| OPERATORS.contains(c)) {
        return Chunk::Operator;
    }
    let is_strong = |c: char| {
        matches!(c, '^' | '√' | '‖' | '⟨' | 'Σ' | '∏' | '∇' | '∂') || raised(c).is_some() || lowered(c).is_some()
    };
    let is_code = inside.contains("::") || inside.contains(".rs") || inside.contains("__") || inside.contains('`');
    // half_tangent is a name in code, L_sup is not.
    let is_snake = inside.split_once('_').is_some_and(|(before, after)| {
        let name = |text: &str| text.len() > 3 && text.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c == '.');
        name(before) && name(after)
    });
    if is_code || is_snake {
        Chunk::Words
    } else if inside.contains('_') || inside.chars().any(|c| is_strong(c) || is_accent(c)) {
        Chunk::Formula
    } else if has_words(inside) {
        Chunk::Words
    } else {
        Chunk::Part
    }
}

/// The end of the formula that begins at a chunk; its own place if none does.
fn run(chunks: &[&str], at: usize) -> usize {
    let ends = |chunk: &str| chunk.trim_end().ends_with([';', ':', '.']);
    let mut end = at;
    let mut is_formula = false;
    while end < chunks.len() {
        let kind = kind(chunks[end]);
        // "a" is an article unless an operator stands beside it.
        let beside =
            |place: Option<usize>| place.and_then(|p| chunks.get(p)).is_some_and(|c| self::kind(c) == Chunk::Operator);
        let is_article = matches!(chunks[end].trim_end(), "a" | "A" | "I")
            && !beside(end.checked_sub(1).filter(|p| *p >= at))
            && !beside(Some(end + 1));
        if kind == Chunk::Words || is_article || (end == at && kind == Chunk::Operator) {
            break;
        }
        is_formula |= kind == Chunk::Formula;
        end += 1;
        if ends(chunks[end - 1]) {
            break;
        }
    }
    while end > at && kind(chunks[end - 1]) == Chunk::Operator {
        end -= 1;
    }
    if is_formula { end } else { at }
}

/// The bracket that closes another.
fn closing(open: char) -> Option<char> {
    Some(match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '⟨' => '⟩',
        '⌊' => '⌋',
        '⌈' => '⌉',
        _ => return None,
    })
}

/// The place of the bracket that closes the one at a place.
fn partner(signs: &[char], at: usize) -> Option<usize> {
    let mut open = vec![closing(signs[at])?];
    for (place, &c) in signs.iter().enumerate().skip(at + 1) {
        if closing(c).is_some() {
            open.extend(closing(c));
        } else if open.last() == Some(&c) {
            open.pop();
            if open.is_empty() {
                return Some(place);
            }
        }
    }
    None
}

/// A stretch as what stands before a formula, the formula, and what stands behind it.
fn formula(stretch: &str) -> Option<(&str, Vec<Part>, &str)> {
    let mut inside = stretch.trim_end().trim_end_matches([',', ';', ':', '.']);
    let mut start = 0;
    // A bracket of the sentence around it is no part of it.
    loop {
        let signs: Vec<char> = inside.chars().collect();
        let closed: Vec<usize> = (0..signs.len()).filter_map(|at| partner(&signs, at)).collect();
        let last = signs.len().checked_sub(1)?;
        if matches!(signs[last], ')' | ']' | '}') && !closed.contains(&last) {
            inside = inside[..inside.len() - 1].trim_end_matches([',', ';', ':', '.']);
        } else if matches!(signs[0], '(' | '[') && partner(&signs, 0).is_none() {
            inside = &inside[1..];
            start += 1;
        } else {
            break;
        }
    }
    let signs: Vec<char> = inside.chars().collect();
    let parts = row(&signs, true)?;
    Some((&stretch[..start], parts, &stretch[start + inside.len()..]))
}

/// A row of signs as parts; none if a script has nothing to sit on, or a brace of a script no partner.
fn row(signs: &[char], fractions: bool) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    let mut at = 0;
    while at < signs.len() {
        let (part, next) = atom(signs, at, fractions)?;
        at = next;
        let (sub, sup, next) = scripts(signs, at)?;
        at = next;
        if sub.is_empty() && sup.is_empty() {
            parts.push(part);
        } else if matches!(part, Part::Space) {
            return None;
        } else {
            parts.push(Part::Scripted { base: Box::new(part), sub, sup });
        }
    }
    Some(if fractions { with_fractions(parts) } else { parts })
}

/// One part of a row, without its scripts, and where the next begins.
fn atom(signs: &[char], at: usize, fractions: bool) -> Option<(Part, usize)> {
    let c = signs[at];
    let run = |is: &dyn Fn(char) -> bool| signs[at..].iter().take_while(|&&c| is(c)).count();
    if c.is_ascii_digit() {
        let mut length = run(&|c| c.is_ascii_digit());
        if signs.get(at + length) == Some(&'.') && signs.get(at + length + 1).is_some_and(char::is_ascii_digit) {
            length += 1 + signs[at + length + 1..].iter().take_while(|c| c.is_ascii_digit()).count();
        }
        return Some((Part::Number(signs[at..at + length].iter().collect()), at + length));
    }
    if c.is_alphabetic() {
        let letters = run(&|c| c.is_ascii_alphabetic());
        let name: String = signs[at..at + letters].iter().collect();
        let is_name = NAMES.contains(&name.as_str()) || letters > 2 && name.chars().all(|c| c.is_ascii_lowercase());
        let mut end = at + if is_name { letters } else { 1 };
        while signs.get(end).is_some_and(|&c| is_accent(c) || matches!(c, '′' | '″' | '‴' | '\'')) {
            end += 1;
        }
        return Some((Part::Symbol(signs[at..end].iter().collect()), end));
    }
    if c == '√' && at + 1 < signs.len() && signs[at + 1] != ' ' {
        if signs[at + 1] == '('
            && let Some(end) = partner(signs, at + 1)
        {
            return Some((Part::Root(row(&signs[at + 2..end], fractions)?), end + 1));
        }
        let (inside, next) = atom(signs, at + 1, fractions)?;
        let (sub, sup, end) = scripts(signs, next)?;
        // √x² is read by nobody in one way only: the exponent is left to what comes of it.
        return Some(match (sub.is_empty(), sup.is_empty()) {
            (false, true) => (Part::Root(vec![Part::Scripted { base: Box::new(inside), sub, sup }]), end),
            (true, _) => (Part::Root(vec![inside]), next),
            (false, false) => return None,
        });
    }
    if let (Some(close), Some(end)) = (closing(c), partner(signs, at)) {
        return Some((Part::Fenced(c, row(&signs[at + 1..end], fractions)?, close), end + 1));
    }
    Some((if c == ' ' { Part::Space } else { Part::Sign(c) }, at + 1))
}

/// The scripts at a place, below and above, and where what follows begins.
fn scripts(signs: &[char], mut at: usize) -> Option<(Vec<Part>, Vec<Part>, usize)> {
    let (mut sub, mut sup) = (Vec::new(), Vec::new());
    while at < signs.len() {
        let c = signs[at];
        let (place, content, next) = match c {
            '_' | '^' => {
                let rest = signs.get(at + 1..).filter(|rest| !rest.is_empty() && rest[0] != ' ')?;
                if matches!(rest[0], '{') || c == '^' && rest[0] == '(' {
                    let end = partner(signs, at + 1)?;
                    (c, row(&signs[at + 2..end], false)?, end + 1)
                } else {
                    let length = if c == '_' { length_below(rest) } else { length_above(rest) };
                    let accents = rest[length..].iter().take_while(|&&c| is_accent(c)).count();
                    let length = length + accents;
                    let letters = rest[..length].iter().filter(|c| c.is_ascii_alphabetic()).count();
                    let content = match rest[..length].iter().position(|&c| c == ',') {
                        // sup,k
                        Some(comma) => {
                            let name = Part::Symbol(rest[..comma].iter().collect());
                            let mut both = vec![name, Part::Sign(',')];
                            both.extend(row(&rest[comma + 1..length], false)?);
                            both
                        }
                        None if letters == length && is_name(&rest[..length]) => {
                            vec![Part::Symbol(rest[..length].iter().collect())]
                        }
                        None => row(&rest[..length], false)?,
                    };
                    (c, content, at + 1 + length)
                }
            }
            _ => {
                let (translate, place): (fn(char) -> Option<char>, char) =
                    if raised(c).is_some() { (raised, '^') } else { (lowered, '_') };
                let plain: Vec<char> = signs[at..].iter().map_while(|&c| translate(c)).collect();
                if plain.is_empty() {
                    break;
                }
                (place, row(&plain, false)?, at + plain.len())
            }
        };
        let script = if place == '_' { &mut sub } else { &mut sup };
        if !script.is_empty() || content.is_empty() {
            return None;
        }
        *script = content;
        at = next;
    }
    Some((sub, sup, at))
}

/// Whether a part can stand alone above or below the line of a fraction.
fn is_one(part: &Part) -> bool {
    match part {
        Part::Fenced(open, ..) => *open == '(',
        Part::Symbol(_) | Part::Number(_) | Part::Scripted { .. } | Part::Root(_) => true,
        _ => false,
    }
}

/// Writes a/b as a fraction where a and b are one part each and nothing else could belong to either.
fn with_fractions(parts: Vec<Part>) -> Vec<Part> {
    let is_operator = |part: &Part| matches!(part, Part::Sign(c) if *c == ',' || *c != '/' && OPERATORS.contains(*c));
    let ends_before = |at: usize| match &parts[..at] {
        [] => true,
        [.., Part::Space] => true,
        [.., last] => is_operator(last),
    };
    let ends_after = |at: usize| match &parts[at..] {
        [] | [Part::Space] => true,
        [Part::Space, next, ..] | [next, ..] => is_operator(next),
    };
    let bare = |part: &Part| match part {
        Part::Fenced('(', inside, _) => inside.clone(),
        other => vec![other.clone()],
    };
    let mut out = Vec::with_capacity(parts.len());
    let mut at = 0;
    while at < parts.len() {
        match &parts[at..] {
            [above, Part::Sign('/'), below, ..]
                if is_one(above) && is_one(below) && ends_before(at) && ends_after(at + 3) =>
            {
                out.push(Part::Fraction(bare(above), bare(below)));
                at += 3;
            }
            [part, ..] => {
                out.push(part.clone());
                at += 1;
            }
            [] => break,
        }
    }
    out
}
