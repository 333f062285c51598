//! Formulas and words as LaTeX, for authors.

use std::fmt::Write;

use super::part::{Part, Piece};
use super::reader::pieces;
use super::scripts::{lowered, raised};

/// A text with its formulas between dollars, and the signs of LaTeX in its words escaped. Needs `amsmath`, `amssymb` and, for words, UTF-8.
#[must_use]
pub fn latex(text: &str) -> String {
    let mut out = String::new();
    for piece in pieces(text) {
        match piece {
            Piece::Words(words) => out.push_str(&escaped(&words)),
            Piece::Formula(parts) => {
                out.push('$');
                row(&mut out, &parts);
                out.push('$');
            }
        }
    }
    out
}

/// Words of a text: what LaTeX would obey is escaped, and a sign of mathematics among them is set as one.
#[must_use]
pub fn escaped(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '_' | '&' | '#' | '%' | '$' => {
                let _ = write!(out, "\\{c}");
            }
            '^' => out.push_str("\\^{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            // Letters of European words, which T1 has.
            _ if c.is_ascii() || ('\u{c0}'..'\u{180}').contains(&c) => out.push(c),
            '–' => out.push_str("--"),
            _ => {
                let accent = ACCENTS.iter().find(|(accent, _)| *accent == c);
                let letter = accent.and_then(|_| out.pop());
                let _ = match (accent, letter) {
                    (Some((_, accent)), Some(letter)) => write!(out, "${accent}{{{letter}}}$"),
                    _ => write!(out, "${}$", written(c)),
                };
            }
        }
    }
    out
}

/// The commands for signs and letters outside ASCII.
const COMMANDS: [(char, &str); 97] = [
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('δ', "\\delta"),
    ('ε', "\\varepsilon"),
    ('ζ', "\\zeta"),
    ('η', "\\eta"),
    ('θ', "\\theta"),
    ('κ', "\\kappa"),
    ('λ', "\\lambda"),
    ('μ', "\\mu"),
    ('ν', "\\nu"),
    ('ξ', "\\xi"),
    ('π', "\\pi"),
    ('ρ', "\\rho"),
    ('σ', "\\sigma"),
    ('τ', "\\tau"),
    ('φ', "\\varphi"),
    ('χ', "\\chi"),
    ('ψ', "\\psi"),
    ('ω', "\\omega"),
    ('Γ', "\\Gamma"),
    ('Δ', "\\Delta"),
    ('Θ', "\\Theta"),
    ('Λ', "\\Lambda"),
    ('Ξ', "\\Xi"),
    ('Π', "\\Pi"),
    ('Σ', "\\sum"),
    ('Φ', "\\Phi"),
    ('Ψ', "\\Psi"),
    ('Ω', "\\Omega"),
    ('ℓ', "\\ell"),
    ('𝔼', "\\mathbb{E}"),
    ('ℝ', "\\mathbb{R}"),
    ('ℕ', "\\mathbb{N}"),
    ('ℤ', "\\mathbb{Z}"),
    ('𝒞', "\\mathcal{C}"),
    ('𝐊', "\\mathbf{K}"),
    ('−', "-"),
    ('·', "\\cdot "),
    ('×', "\\times "),
    ('≤', "\\le "),
    ('≥', "\\ge "),
    ('≠', "\\ne "),
    ('≈', "\\approx "),
    ('≪', "\\ll "),
    ('≫', "\\gg "),
    ('±', "\\pm "),
    ('∓', "\\mp "),
    ('∝', "\\propto "),
    ('∼', "\\sim "),
    ('→', "\\to "),
    ('←', "\\leftarrow "),
    ('↦', "\\mapsto "),
    ('⇒', "\\Rightarrow "),
    ('⇔', "\\Leftrightarrow "),
    ('∈', "\\in "),
    ('∋', "\\ni "),
    ('⊂', "\\subset "),
    ('⊆', "\\subseteq "),
    ('∪', "\\cup "),
    ('∩', "\\cap "),
    ('∖', "\\setminus "),
    ('∅', "\\emptyset "),
    ('∞', "\\infty "),
    ('∇', "\\nabla "),
    ('∂', "\\partial "),
    ('∏', "\\prod "),
    ('∫', "\\int "),
    ('√', "\\surd "),
    ('‖', "\\|"),
    ('⟨', "\\langle "),
    ('⟩', "\\rangle "),
    ('⌊', "\\lfloor "),
    ('⌋', "\\rfloor "),
    ('⌈', "\\lceil "),
    ('⌉', "\\rceil "),
    ('∘', "\\circ "),
    ('⊗', "\\otimes "),
    ('⊥', "\\perp "),
    ('⟂', "\\perp "),
    ('⪰', "\\succeq "),
    ('∠', "\\angle "),
    ('⋯', "\\cdots "),
    ('…', "\\dots "),
    ('½', "\\tfrac12 "),
    ('¼', "\\tfrac14 "),
    ('¾', "\\tfrac34 "),
    ('⅛', "\\tfrac18 "),
    ('′', "'"),
    ('″', "''"),
    ('‴', "'''"),
    ('≼', "\\preccurlyeq "),
    ('⊕', "\\oplus "),
    ('⊖', "\\ominus "),
    ('•', "\\bullet "),
    ('①', "\\text{\\textcircled{1}}"),
];

fn command(c: char) -> Option<&'static str> {
    COMMANDS.iter().find(|(sign, _)| *sign == c).map(|(_, command)| *command)
}

/// A sign outside ASCII in a formula. One that is not known is named by its number, so that the document compiles.
fn written(c: char) -> String {
    let script = |c: char| command(c).map_or_else(|| c.to_string(), str::to_owned);
    if let Some(command) = command(c) {
        command.to_owned()
    } else if let Some(c) = raised(c) {
        format!("{{}}^{{{}}}", script(c))
    } else if let Some(c) = lowered(c) {
        format!("{{}}_{{{}}}", script(c))
    } else if let Some((base, accent)) = composed(c) {
        let accent = ACCENTS.iter().find(|(sign, _)| *sign == accent).map_or("", |(_, command)| command);
        format!("{accent}{{{base}}}")
    } else {
        format!("\\text{{U+{:04X}}}", u32::from(c))
    }
}

/// The letter and the accent of a letter that has one.
fn composed(c: char) -> Option<(char, char)> {
    const LETTERS: [(char, &str, &str); 5] = [
        ('\u{302}', "ŴŷĥĝâêîôûĈ", "WyhgaeiouC"),
        ('\u{303}', "ỹṽÃṼãñõ", "yvAVano"),
        ('\u{304}', "āēīōūĀ", "aeiouA"),
        ('\u{307}', "ẆẇȧḃĠġẋẏḋṡṙ", "WwabGgxydsr"),
        ('\u{308}', "ẍÿäöü", "xyaou"),
    ];
    LETTERS.iter().find_map(|(accent, composed, bases)| {
        let place = composed.chars().position(|other| other == c)?;
        Some((bases.chars().nth(place)?, *accent))
    })
}

/// The commands of accents, as they stand behind their letter.
const ACCENTS: [(char, &str); 5] =
    [('\u{302}', "\\hat"), ('\u{303}', "\\tilde"), ('\u{304}', "\\bar"), ('\u{307}', "\\dot"), ('\u{308}', "\\ddot")];

fn row(out: &mut String, parts: &[Part]) {
    for part in parts {
        write_part(out, part);
    }
}

fn write_part(out: &mut String, part: &Part) {
    match part {
        Part::Symbol(name) => symbol(out, name),
        Part::Number(digits) => out.push_str(digits),
        Part::Sign(c) => sign(out, *c),
        Part::Space => out.push_str("\\,"),
        Part::Scripted { base, sub, sup } => {
            out.push('{');
            write_part(out, base);
            out.push('}');
            for (mark, script) in [('_', sub), ('^', sup)] {
                if !script.is_empty() {
                    let _ = write!(out, "{mark}{{");
                    row(out, script);
                    out.push('}');
                }
            }
        }
        Part::Root(inside) => {
            out.push_str("\\sqrt{");
            row(out, inside);
            out.push('}');
        }
        Part::Fraction(above, below) => {
            out.push_str("\\frac{");
            row(out, above);
            out.push_str("}{");
            row(out, below);
            out.push('}');
        }
        Part::Fenced(open, inside, close) => {
            sign(out, *open);
            row(out, inside);
            sign(out, *close);
        }
    }
}

fn sign(out: &mut String, c: char) {
    match c {
        '{' | '}' | '#' | '%' | '&' | '$' | '_' => {
            let _ = write!(out, "\\{c}");
        }
        '\\' => out.push_str("\\backslash "),
        '^' => out.push_str("\\hat{}"),
        '~' => out.push_str("\\sim "),
        _ if c.is_ascii() => out.push(c),
        _ => out.push_str(&written(c)),
    }
}

/// A letter, its accents and primes; a name of several letters is set upright.
fn symbol(out: &mut String, name: &str) {
    let primes = name.trim_end_matches(['\'', '′', '″', '‴']).len();
    let (letters, primes) = name.split_at(primes);
    let accents: Vec<char> = letters.chars().filter(|c| ACCENTS.iter().any(|(accent, _)| accent == c)).collect();
    let base: String = letters.chars().filter(|c| !accents.contains(c)).collect();
    for accent in accents.iter().rev() {
        let name = ACCENTS.iter().find(|(sign, _)| sign == accent).map_or("", |(_, command)| command);
        let _ = write!(out, "{name}{{");
    }
    let mut one = base.chars();
    match (one.next(), one.next()) {
        (Some(c), None) => match command(c) {
            // A sum is a sign with places for its range; as a letter it has none.
            Some(command) if command.ends_with(|c: char| c.is_ascii_alphabetic()) => {
                let _ = write!(out, "{command} ");
            }
            _ if c.is_ascii() => out.push(c),
            _ => out.push_str(&written(c)),
        },
        _ => {
            let base: String = base.chars().map(|c| if c.is_ascii() { c.to_string() } else { written(c) }).collect();
            let _ = write!(out, "\\operatorname{{{base}}}");
        }
    }
    out.push_str(&"}".repeat(accents.len()));
    for c in primes.chars() {
        out.push_str(if c == '\'' { "'" } else { command(c).unwrap_or("'") });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_set_and_words_are_not() {
        assert_eq!(latex("for every encoder: the loss"), "for every encoder: the loss");
        assert_eq!(
            latex("L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ log 2) in nats"),
            r"${L}_{\operatorname{sup},k}^{\mu }\,\le \,(\frac{k}{1-\tau })\cdot ({L}_{\operatorname{un}}\,-\,\tau \,\operatorname{log}\,2)$ in nats"
        );
        assert_eq!(latex("the rows μ_c are one head"), r"the rows ${\mu }_{c}$ are one head");
        assert_eq!(
            latex("‖∇L̂_un‖ ≤ ε, where ε > 0"),
            r"$\|\nabla {\hat{L}}_{\operatorname{un}}\|\,\le \,\varepsilon $, where $\varepsilon$ > 0"
        );
        assert_eq!(latex("half_tangent and a/b"), r"half\_tangent and a/b");
        assert_eq!(latex("(the norm ‖x‖_2)"), r"(the norm $\|x{\|}_{2}$)");
        assert_eq!(
            escaped("Ẇ and x² of Schrödinger, B\u{303}"),
            r"$\dot{W}$ and x${}^{2}$ of Schrödinger, $\tilde{B}$"
        );
        assert_eq!(latex("√(κ² + 1) and √d"), r"$\sqrt{{\kappa }^{2}\,+\,1}$ and $\sqrt{d}$");
    }
}
