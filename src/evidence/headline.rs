//! The headline of a claim: computed from its readings by one rule, never chosen.
//!
//! A statement has one or several *senses*, full senses that its printed words allow, and a sense is a conjunction of
//! *parts*. Within a sense the worst part wins: fails, then undecided or inconclusive, then consistent, then holds. A part
//! that is no evidence, that is vacuous, or that another part implies is left out. Over the senses: if all come out
//! alike, that is the headline; if some fail and others do not, it is mixed; otherwise the weaker sense decides. If all fail
//! and what was evidently meant holds or is consistent, the headline is a misprint. Questions of our own stand beside the
//! headline and never make it.
//!
//! The *grade* follows the same logic. A sense that passes rests on every part that decides it: its grade is the weakest of
//! theirs. A sense that fails does so because of any one of its failing parts: its grade is the strongest of theirs. A
//! headline rests on every sense that decides it: its grade is the weakest of theirs. What makes a headline mixed or a misprint is a
//! refutation, and the grade is that of the refutation alone: what passes in another sense, or as meant, has its own beside it.

use crate::role::Role;
use crate::verdict::Verdict;
use enclosures::enclosure::Grade;

/// The headlines in the order in which a run counts them, each with the words that follow its count.
pub const COUNTED: [(Verdict, &str); 8] = [
    (Verdict::Holds, "hold"),
    (Verdict::Consistent, "consistent"),
    (Verdict::Misprint, "misprints"),
    (Verdict::Mixed, "mixed"),
    (Verdict::Fails, "fail as printed"),
    (Verdict::Undecided, "undecided"),
    (Verdict::Inconclusive, "inconclusive"),
    (Verdict::Vacuous, "vacuous"),
];

/// One full sense that the printed words of a statement allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sense {
    /// A name of a word or two ("M", "bits").
    pub name: &'static str,
    /// What this sense grants or supplies.
    pub words: &'static str,
}

/// One reading, as far as the rule looks at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The check's id.
    pub id: &'static str,
    /// Its role: one of those that read the statement.
    pub role: Role,
    /// The senses that a part belongs to; all of them if none is named.
    pub senses: Vec<&'static str>,
    /// Whether it is left out: no evidence, or implied by another part.
    pub left_out: bool,
    /// What the evidence says of it.
    pub verdict: Verdict,
}

/// What the evidence says of one sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SenseVerdict {
    /// Name of the sense; empty if the statement has only one.
    pub name: &'static str,
    /// What this sense grants or supplies.
    pub words: &'static str,
    /// The worst of its parts; vacuous if every part is left out.
    pub verdict: Verdict,
    /// How many parts count.
    pub counted: usize,
    /// The parts that decide: those with the worst verdict.
    pub decisive: Vec<&'static str>,
}

/// The headline of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headline {
    /// What the rule makes of the senses.
    pub verdict: Verdict,
    /// Every sense, in the order of declaration.
    pub senses: Vec<SenseVerdict>,
    /// What the evidence says of the statement as meant, where the printed words are a misprint.
    pub as_meant: Option<Verdict>,
}

impl Default for Headline {
    /// That of a statement of which nothing is read.
    fn default() -> Self {
        headline(&[], &[])
    }
}

/// How much worse than holding a verdict is; those that are no verdict on a part have no rank.
fn rank(verdict: Verdict) -> Option<u8> {
    match verdict {
        Verdict::Fails => Some(4),
        Verdict::Undecided => Some(3),
        Verdict::Inconclusive => Some(2),
        Verdict::Consistent => Some(1),
        Verdict::Holds => Some(0),
        Verdict::Misprint | Verdict::Mixed | Verdict::Vacuous | Verdict::NotYet => None,
    }
}

/// The worst of some verdicts; vacuous if none has a rank.
fn worst(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    verdicts.filter(|&v| rank(v).is_some()).max_by_key(|&v| rank(v)).unwrap_or(Verdict::Vacuous)
}

fn judge_sense(sense: Sense, readings: &[Reading]) -> SenseVerdict {
    let belongs = |r: &&Reading| {
        r.role == Role::Part
            && !r.left_out
            && (r.senses.is_empty() || r.senses.contains(&sense.name))
            && rank(r.verdict).is_some()
    };
    let parts: Vec<&Reading> = readings.iter().filter(belongs).collect();
    let verdict = worst(parts.iter().map(|r| r.verdict));
    SenseVerdict {
        name: sense.name,
        words: sense.words,
        verdict,
        counted: parts.len(),
        decisive: parts.iter().filter(|r| r.verdict == verdict).map(|r| r.id).collect(),
    }
}

/// The headline that the rule makes of a claim's readings. A claim that declares no sense has one, to which every part belongs.
#[must_use]
pub fn headline(senses: &[Sense], readings: &[Reading]) -> Headline {
    const ONLY: Sense = Sense { name: "", words: "" };
    let declared = if senses.is_empty() { &[ONLY][..] } else { senses };
    let judged: Vec<SenseVerdict> = declared.iter().map(|&sense| judge_sense(sense, readings)).collect();
    let telling = || judged.iter().map(|s| s.verdict).filter(|&v| rank(v).is_some());
    let (some_fail, some_do_not) = (telling().any(|v| v == Verdict::Fails), telling().any(|v| v != Verdict::Fails));
    let meant = || readings.iter().filter(|r| r.role == Role::Meant && !r.left_out);
    let as_meant = meant().next().map(|_| worst(meant().map(|r| r.verdict)));
    let verdict = match (some_fail, some_do_not, as_meant) {
        (true, true, _) => Verdict::Mixed,
        (true, false, Some(Verdict::Holds | Verdict::Consistent)) => Verdict::Misprint,
        _ => worst(telling()),
    };
    Headline { verdict, as_meant, senses: judged }
}

impl SenseVerdict {
    /// The grade of what the evidence says of the sense, from the grades of its parts: of a conjunction that fails the strongest
    /// among the failing parts, since one false conjunct is enough; of any other the weakest among the parts that decide it.
    #[must_use]
    pub fn grade(&self, of_part: impl Fn(&str) -> Option<Grade>) -> Option<Grade> {
        let grades = self.decisive.iter().filter_map(|id| of_part(id));
        grades.reduce(match self.verdict {
            Verdict::Fails => Grade::or,
            _ => Grade::and,
        })
    }
}

impl Headline {
    /// The senses that decide the headline: the failing ones if one fails, otherwise those that come out like the headline.
    fn deciding(&self) -> impl Iterator<Item = &SenseVerdict> {
        let wanted = match self.verdict {
            Verdict::Misprint | Verdict::Mixed => Verdict::Fails,
            other => other,
        };
        self.senses.iter().filter(move |s| s.verdict == wanted)
    }

    /// The grade of the headline, from the grades of the parts: the weakest among the senses that decide it.
    #[must_use]
    pub fn grade(&self, of_part: impl Fn(&str) -> Option<Grade>) -> Option<Grade> {
        self.deciding().filter_map(|s| s.grade(&of_part)).reduce(Grade::and)
    }

    /// Why the headline is what it is, in a line: which sense is which, and which parts decide where a sense does not simply hold.
    #[must_use]
    pub fn why(&self) -> String {
        let several = self.senses.len() > 1;
        let of = |sense: &SenseVerdict| {
            let mut text =
                if several { format!("sense {}: {}", sense.name, sense.verdict) } else { sense.verdict.to_string() };
            let named = sense.verdict != Verdict::Holds && sense.counted > 1 && sense.decisive.len() < sense.counted;
            if named {
                text.push_str(&format!(" in {}", sense.decisive.join(", ")));
            }
            text
        };
        let senses: Vec<String> = self.senses.iter().map(of).collect();
        let mut text = senses.join("; ");
        if let Some(verdict) = self.as_meant {
            text.push_str(&format!("; as meant: {verdict}"));
        }
        text
    }

    /// The parts that decide the headline: of the failing senses if one fails, otherwise of the senses that come out like the headline.
    pub fn decisive(&self) -> impl Iterator<Item = &'static str> {
        self.deciding().flat_map(|s| s.decisive.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Consistent, Fails, Holds, Inconclusive, Misprint, Mixed, Undecided, Vacuous};

    fn part(id: &'static str, senses: &[&'static str], verdict: Verdict) -> Reading {
        Reading { id, role: Role::Part, senses: senses.to_vec(), left_out: false, verdict }
    }

    fn beside(role: Role, verdict: Verdict) -> Reading {
        Reading { role, ..part("beside", &[], verdict) }
    }

    fn left_out(verdict: Verdict) -> Reading {
        Reading { left_out: true, ..part("left out", &[], verdict) }
    }

    const TWO: [Sense; 2] = [
        Sense { name: "with", words: "the silent hypothesis supplied" },
        Sense { name: "without", words: "word for word" },
    ];

    #[test]
    fn within_a_sense_the_worst_part_wins_and_is_named() {
        for (verdicts, expected) in [
            ([Holds, Holds, Holds], Holds),
            ([Holds, Consistent, Holds], Consistent),
            ([Consistent, Inconclusive, Holds], Inconclusive),
            ([Inconclusive, Undecided, Holds], Undecided),
            ([Undecided, Fails, Holds], Fails),
            ([Vacuous, Holds, Vacuous], Holds),
            ([Vacuous, Vacuous, Vacuous], Vacuous),
        ] {
            let parts: Vec<Reading> =
                ["a", "b", "c"].into_iter().zip(verdicts).map(|(id, v)| part(id, &[], v)).collect();
            assert_eq!(headline(&[], &parts).verdict, expected, "{verdicts:?}");
        }
        let found = headline(&[], &[part("a", &[], Holds), part("b", &[], Fails)]);
        assert_eq!(found.why(), "fails in b");
        assert_eq!(found.decisive().collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn senses_that_differ_in_failing_make_a_mixed_headline() {
        let shared = part("shared", &[], Holds);
        let found = headline(&TWO, &[shared.clone(), part("x", &["without"], Fails)]);
        assert_eq!(found.verdict, Mixed);
        assert_eq!(found.why(), "sense with: holds; sense without: fails in x");
        assert_eq!(found.decisive().collect::<Vec<_>>(), ["x"]);
        let alike = headline(&TWO, &[shared.clone(), part("x", &["without"], Consistent)]);
        assert_eq!(alike.verdict, Consistent, "no sense fails: the weaker one decides");
        let both = headline(&TWO, &[shared, part("x", &["with", "without"], Fails)]);
        assert_eq!(both.verdict, Fails);
        let silent = headline(&TWO, &[part("x", &["with"], Fails), part("y", &["without"], Vacuous)]);
        assert_eq!(silent.verdict, Fails, "a sense that says nothing does not make the other a mixed one");
    }

    #[test]
    fn one_exact_violation_makes_a_failing_conjunction_exact() {
        let of_part = |id: &str| match id {
            "exact" => Some(Grade::Exact),
            "measured" => Some(Grade::Measured),
            _ => None,
        };
        let two = |verdict| [part("measured", &[], verdict), part("exact", &[], verdict)];
        let grade = |readings: &[Reading], senses: &[Sense]| headline(senses, readings).grade(of_part);
        assert_eq!(grade(&two(Fails), &[]), Some(Grade::Exact), "one false part is enough");
        assert_eq!(grade(&two(Holds), &[]), Some(Grade::Measured), "a pass rests on every part");
        let held = [part("exact", &[], Holds), part("measured", &[], Fails)];
        assert_eq!(grade(&held, &[]), Some(Grade::Measured), "what holds does not make a failure exact");
        let apart = [part("exact", &["with"], Fails), part("measured", &["without"], Fails)];
        assert_eq!(grade(&apart, &TWO), Some(Grade::Measured), "every sense has to fail");
        let mixed = [part("exact", &["with"], Fails), part("measured", &["without"], Holds)];
        assert_eq!(grade(&mixed, &TWO), Some(Grade::Exact), "the failing senses are shown");
        assert_eq!(grade(&[part("unknown", &[], Fails)], &[]), None);
    }

    #[test]
    fn what_is_left_out_or_ours_never_makes_a_headline() {
        let parts = [part("a", &[], Holds), left_out(Fails), left_out(Consistent), beside(Role::Ours, Fails)];
        assert_eq!(headline(&[], &parts).verdict, Holds);
        assert_eq!(headline(&[], &[beside(Role::Ours, Holds)]).verdict, Vacuous);
        assert_eq!(headline(&[], &[part("a", &[], Holds), beside(Role::Meant, Fails)]).verdict, Holds);
    }

    #[test]
    fn a_statement_that_fails_as_printed_and_passes_as_meant_is_a_misprint() {
        let printed = part("a", &[], Fails);
        for (meant, expected) in [(Holds, Misprint), (Consistent, Misprint), (Fails, Fails), (Undecided, Fails)] {
            assert_eq!(headline(&[], &[printed.clone(), beside(Role::Meant, meant)]).verdict, expected);
        }
        let found = headline(&[], &[printed.clone(), beside(Role::Meant, Holds)]);
        assert_eq!(found.why(), "fails; as meant: holds");
        assert_eq!(found.decisive().collect::<Vec<_>>(), ["a"]);
        let one_sense = [part("x", &["with"], Holds), part("y", &["without"], Fails), beside(Role::Meant, Holds)];
        assert_eq!(headline(&TWO, &one_sense).verdict, Mixed, "a sense that holds needs no slip of the pen");
        let both_meant = [printed, beside(Role::Meant, Holds), beside(Role::Meant, Fails)];
        assert_eq!(headline(&[], &both_meant).verdict, Fails, "the worst of what was meant counts");
    }
}
