//! How results, sides and margins are written.

use enclosures::enclosure::{Enclosure, plain, safe_digits};
use enclosures::interval::Interval;
use evidence::claim::{Comparison, RESOLUTION, Relation};
use evidence::run::{CheckResult, Sides};
use evidence::verdict::Verdict;

/// PASS, FAIL, or why neither.
pub(crate) fn result(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "PASS",
        Verdict::Consistent => "PASS (consistent)",
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
    let (left, right) = (side(&sides.left), side(&sides.right));
    format!("{left:.4} {} {right:.4}", sides.relation)
}

/// Left side and right side with all the digits that a reader may want to recompute.
pub(crate) fn each_side(sides: &Sides) -> [String; 2] {
    [side(&sides.left).to_string(), side(&sides.right).to_string()]
}

/// With a capital letter.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// With a full stop, unless it ends in one.
pub(crate) fn stopped(text: &str) -> String {
    if text.ends_with(['.', '!', '?', ':']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// At most so many characters, cut where a thought ends if there is such a place in its second half, otherwise between words.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most - 2).collect();
    let thought = ["; ", ": ", ". ", ", "].iter().filter_map(|end| head.rfind(end)).max();
    let cut = thought
        .filter(|&at| at * 2 > head.len())
        .or_else(|| head.rfind(' '))
        .unwrap_or(head.len());
    format!("{} …", head[..cut].trim_end_matches([',', ';', ':', '.', ' ']))
}

/// Ids in a row, the middle ones left out where they are many.
pub(crate) fn listed(ids: &[&str]) -> String {
    match ids {
        [first, _, _, _, .., last] => format!("{first} to {last}"),
        few => few.join(", "),
    }
}

/// How many instances met the hypotheses, and what became of the others.
pub(crate) fn met(check: &CheckResult) -> String {
    let counts = &check.counts;
    let mut text = match counts.met {
        1 => "1 instance".to_owned(),
        n => format!("{n} instances"),
    };
    for (n, what) in [
        (counts.discarded_total(), "discarded"),
        (counts.vacuous, "where it says nothing"),
        (counts.undecided, "in doubt"),
        (counts.redrawn, "redrawn"),
        (counts.unrepeated, "not repeated"),
    ] {
        if n > 0 {
            text.push_str(&format!(", {n} {what}"));
        }
    }
    text
}

/// How close to a violation the instances came; nothing where none was judged to hold.
pub(crate) fn tightest(check: &CheckResult) -> Option<String> {
    let sighting = check.tightest.as_ref()?;
    let c = &sighting.comparison;
    let instance = &sighting.instance;
    if c.relation == Relation::Equal {
        return Some(match check.counts.touching {
            0 => agreement(c),
            n => format!("{}; on {n} of them to the last digit ({instance})", agreement(c)),
        });
    }
    let on = match check.counts.touching {
        0 | 1 => String::new(),
        n => format!("on {n} of them, "),
    };
    let margin = relative_margin(c);
    Some(match margin.as_deref() {
        None => format!("equality ({on}{instance})"),
        Some(margin) => match ratio(c) {
            Some(ratio) => format!("least margin {margin}, largest ratio {ratio} ({instance})"),
            None => format!("least margin {margin} ({instance})"),
        },
    })
}

/// To within what the sides of an identity agree.
fn agreement(c: &Comparison) -> String {
    if c.tolerance == RESOLUTION {
        "both sides agree".to_owned()
    } else {
        format!("both sides agree to within {}", plain(c.tolerance, 2))
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

/// The smaller side over the larger one; none for identities and for sides that are not both positive.
pub(crate) fn ratio(c: &Comparison) -> Option<String> {
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
        "above 0.9999".to_owned()
    } else {
        safe_digits(ratio, 4)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_where_a_thought_ends() {
        assert_eq!(shortened("short", 10), "short");
        assert_eq!(
            shortened("the first thought; and then another one", 30),
            "the first thought …"
        );
        assert_eq!(
            shortened("one, and a very long second thought without a stop", 30),
            "one, and a very long second …"
        );
        assert!(shortened(&"ε".repeat(50), 20).chars().count() <= 20);
        assert_eq!(sentence("ähnlich"), "Ähnlich");
        assert_eq!(stopped("so"), "so.");
    }
}
