//! How results, sides and margins are written.

use std::borrow::Cow;

use enclosures::enclosure::{Enclosure, plain, safe_digits};
use enclosures::interval::Interval;
use evidence::claim::{Comparison, RESOLUTION, Relation};
use evidence::run::{CheckResult, Sides, Sighting};
use evidence::verdict::Verdict;

/// PASS, FAIL, or why neither.
#[must_use]
pub fn result(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "PASS",
        Verdict::Consistent => "PASS (consistent)",
        Verdict::Misprint => "MISPRINT",
        Verdict::Mixed => "MIXED",
        Verdict::Fails => "FAIL",
        Verdict::Undecided => "undecided",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Vacuous => "vacuous",
        Verdict::NotYet => "not yet",
    }
}

fn side(ends: &[Option<f64>; 2]) -> Enclosure {
    let [lo, hi] = [ends[0].unwrap_or(f64::NEG_INFINITY), ends[1].unwrap_or(f64::INFINITY)];
    Enclosure::between(lo, hi)
}

/// Both sides to four digits.
pub(crate) fn in_numbers(sides: &Sides) -> String {
    let [left, right] = told_apart(sides, 4);
    format!("{left} {} {right}", sides.relation)
}

/// Left side and right side with all the digits that a reader may want to recompute.
pub(crate) fn each_side(sides: &Sides) -> [String; 2] {
    told_apart(sides, 6)
}

/// Both sides to so many digits, or where these do not tell different sides apart by their ends, to as many as do.
fn told_apart(sides: &Sides, digits: usize) -> [String; 2] {
    let both = [side(&sides.left), side(&sides.right)];
    let rounded = both.map(|x| format!("{x:.digits$}"));
    let [left, right] = both;
    let is_apart = left.hi() < right.lo() || right.hi() < left.lo();
    let tells = |written: &[String; 2]| written[0] != written[1] && !(is_apart && touch(written));
    if sides.left == sides.right || tells(&rounded) {
        return rounded;
    }
    let ends = |x: Enclosure, digits: usize| match (plain(x.lo(), digits), plain(x.hi(), digits)) {
        (lo, hi) if lo == hi => lo,
        (lo, hi) => format!("[{lo}, {hi}]"),
    };
    (4..=17).map(|digits| both.map(|x| ends(x, digits))).find(tells).unwrap_or(rounded)
}

/// Whether an end of one side is written as the other end of the other side is: 0.2 and [0.2, 0.32].
fn touch(written: &[String; 2]) -> bool {
    let ends = |text: &str| -> [String; 2] {
        let inside = text.trim_matches(['[', ']']);
        let (lo, hi) = inside.split_once(", ").unwrap_or((inside, inside));
        [lo.to_owned(), hi.to_owned()]
    };
    let [left, right] = [ends(&written[0]), ends(&written[1])];
    left[1] == right[0] || right[1] == left[0]
}

/// With a capital letter.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// With a full stop, unless it ends in one.
pub(crate) fn stopped(text: &str) -> String {
    if text.ends_with(['.', '!', '?', ':']) { text.to_owned() } else { format!("{text}.") }
}

/// At most so many characters, cut where a thought ends if there is such a place in its second half, otherwise between words.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most - 2).collect();
    let thought = ["; ", ": ", ". ", ", "].iter().filter_map(|end| head.rfind(end)).max();
    let cut = thought.filter(|&at| at * 2 > head.len()).or_else(|| head.rfind(' ')).unwrap_or(head.len());
    format!("{} …", head[..cut].trim_end_matches([',', ';', ':', '.', ' ']))
}

/// Ids in a row, the middle ones left out where they are many.
pub(crate) fn listed(ids: &[Cow<'static, str>]) -> String {
    match ids {
        [first, _, _, _, .., last] => format!("{first} to {last}"),
        few => few.join(", "),
    }
}

/// How many instances met the assumptions, and what became of the others.
pub(crate) fn met(check: &CheckResult) -> String {
    let counts = &check.counts;
    let mut text = match counts.met {
        1 => "on 1 instance".to_owned(),
        n => format!("on {n} instances"),
    };
    let mut told = Vec::new();
    for (n, what) in [
        (check.scaled.as_ref().map_or(0, |scaled| scaled.instances), "equal by tolerance"),
        (counts.undecided, "undecided"),
        (counts.redrawn, "redrawn"),
        (counts.vanishing, "with sides below 2.3e-308"),
    ] {
        match n {
            0 => {}
            n if n == counts.met && n > 1 => told.push(format!("all {what}")),
            n => told.push(format!("{n} {what}")),
        }
    }
    for (n, one, several) in [
        (counts.discarded_total() - counts.invalid(), "misses an assumption", "miss an assumption"),
        (counts.invalid(), "is not a valid instance", "are not valid instances"),
        (counts.vacuous, "leaves nothing to compare", "leave nothing to compare"),
        (counts.unrepeated, "did not repeat", "did not repeat"),
    ] {
        match n {
            0 => {}
            1 => told.push(format!("1 more {one}")),
            n => told.push(format!("{n} more {several}")),
        }
    }
    if !told.is_empty() {
        text.push_str(&format!(" ({})", told.join("; ")));
    }
    text
}

/// How close to a violation the instances came; nothing where none was judged to hold.
pub(crate) fn tightest(check: &CheckResult) -> Option<String> {
    let sighting = check.tightest.as_ref()?;
    let c = &sighting.comparison;
    let place = place(sighting);
    if c.relation == Relation::Equal {
        return Some(match check.counts.touching {
            0 => agreement(c),
            1 => format!("{}, on one of them to the last digit ({place})", agreement(c)),
            n => format!("{}, on {n} of them to the last digit (one: {place})", agreement(c)),
        });
    }
    let also = match check.counts.touching {
        0 | 1 => String::new(),
        2 => ", and on one more".to_owned(),
        n => format!(", and on {} more", n - 1),
    };
    Some(match (relative_margin(c), ratio(c)) {
        (None, _) => format!("{} at {place}{also}", nearness(c)),
        // The instance is the one with the least margin as a fraction of the scale. Only where that is the larger side
        // is its ratio the largest.
        (Some(_), Some(ratio)) if ratio != NEARLY_ONE => {
            if c.scale == c.natural_scale() {
                format!("largest ratio {ratio}, at {place}")
            } else {
                format!("ratio {ratio} where the margin is smallest, at {place}")
            }
        }
        (Some(margin), _) => format!("smallest margin {margin}{}, at {place}", measure(c)),
    })
}

/// The longest description of an instance that stands in a line; of a longer one only its name does.
const LONGEST_PLACE: usize = 160;

/// What tells an instance from the others: its description, or if that is long its name, or the beginning where the name is a number.
fn place(sighting: &Sighting) -> String {
    let name = sighting.instance.as_str();
    // A number in a row tells a reader nothing: the beginning of the description does.
    let is_numbered = name.starts_with("search ") || name.contains(" #");
    match sighting.description.as_str() {
        "" if is_numbered => "an instance that was not stored".to_owned(),
        "" => name.to_owned(),
        long if is_numbered => shortened(long, LONGEST_PLACE),
        long if long.chars().count() > LONGEST_PLACE => name.to_owned(),
        words => words.to_owned(),
    }
}

/// The description of the instance at which a check came closest to a violation, where [`tightest`] names that instance and leaves its
/// description out.
pub(crate) fn closest_in_full(check: &CheckResult) -> Option<&str> {
    let sighting = check.tightest.as_ref()?;
    let is_named = sighting.comparison.relation != Relation::Equal || check.counts.touching > 0;
    let description = sighting.description.as_str();
    (is_named && !description.is_empty() && place(sighting) != description).then_some(description)
}

/// What a margin is a fraction of.
fn measure(c: &Comparison) -> String {
    match c.scale_name.as_deref() {
        // A unit: the margin is the difference itself.
        Some("1") => String::new(),
        Some(name) => format!(" of {name}"),
        None if c.scale == c.natural_scale() => " of the larger side".to_owned(),
        None => " of the terms before they cancel".to_owned(),
    }
}

/// To within what the sides of an identity agree.
fn agreement(c: &Comparison) -> String {
    if c.tolerance == RESOLUTION {
        "both sides agree to nine digits".to_owned()
    } else {
        format!("both sides agree to within {}", plain(c.tolerance, 2))
    }
}

/// The same of the sides of an inequality that it does not tell apart.
fn nearness(c: &Comparison) -> String {
    if c.scale == c.natural_scale() {
        agreement(c)
    } else {
        format!("both sides agree to within {}{}", plain(RESOLUTION, 2), measure(c))
    }
}

/// The margin over the scale to two digits; none where equality is attained.
pub(crate) fn relative_margin(c: &Comparison) -> Option<String> {
    if c.margin.lo() <= 0.0 {
        None
    } else if c.scale == 0.0 {
        Some("0".to_owned())
    } else {
        Some(safe_digits(c.margin.interval() / Interval::point(c.scale), 2))
    }
}

/// A ratio that four digits do not tell from one.
const NEARLY_ONE: &str = "above 0.9999";

/// The smaller side over the larger one; none for identities and for sides that are not both positive.
fn ratio(c: &Comparison) -> Option<String> {
    let (small, large) = match c.relation {
        Relation::AtMost | Relation::LessThan => (c.lhs, c.rhs),
        Relation::AtLeast | Relation::GreaterThan => (c.rhs, c.lhs),
        Relation::Equal => return None,
    };
    if small.lo() < 0.0 || large.lo() <= 0.0 {
        return None;
    }
    let ratio = small.interval() / large.interval();
    Some(if c.margin.lo() <= 0.0 {
        "1".to_owned()
    } else if ratio.hi() > 0.9999 {
        NEARLY_ONE.to_owned()
    } else {
        safe_digits(ratio, 4)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_sides_do_not_print_the_same() {
        let sides = |left: [f64; 2], right: [f64; 2]| Sides {
            left: left.map(Some),
            relation: "≤".to_owned(),
            right: right.map(Some),
            margin: [None, None],
        };
        let wide = sides([4.217, 4.261], [4.0, 4.0]);
        assert_eq!(in_numbers(&wide), "[4.2, 4.3] ≤ 4");
        let close = sides([1.0 + 1e-9; 2], [1.0; 2]);
        assert_eq!(each_side(&close), ["1.000000001", "1"]);
        assert_eq!(in_numbers(&sides([2.0; 2], [1.0; 2])), "2 ≤ 1");
        assert_eq!(in_numbers(&sides([1.0; 2], [1.0; 2])), "1 ≤ 1");
        let near = sides([0.2003, 0.3196], [0.196, 0.199]);
        assert_eq!(in_numbers(&near), "[0.2003, 0.3196] ≤ [0.196, 0.199]");
    }

    #[test]
    fn a_long_text_is_cut_where_a_thought_ends() {
        assert_eq!(shortened("short", 10), "short");
        assert_eq!(shortened("the first thought; and then another one", 30), "the first thought …");
        assert_eq!(
            shortened("one, and a very long second thought without a stop", 30),
            "one, and a very long second …"
        );
        assert!(shortened(&"ε".repeat(50), 20).chars().count() <= 20);
        assert_eq!(sentence("ähnlich"), "Ähnlich");
        assert_eq!(stopped("so"), "so.");
    }
}
