//! Theorems whose proofs the kernel of a proof assistant has accepted, and what they settle of a check.
//!
//! The proofs lie elsewhere, and so does the assistant: what is known here is the record of what it accepted. A check cites a theorem by
//! name; what the record does not have, or has about another check, settles nothing.

use std::sync::Arc;

use serde::Deserialize;

use crate::role::Role;
use crate::verdict::Verdict;

/// What a record says of one theorem.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Theorem {
    /// The name: folder, file and theorem ("merad2020.Lemma1.lemma_1_printed").
    #[serde(rename = "theorem")]
    pub name: String,
    /// The id of the claim that it is about.
    pub claim: String,
    /// The check that it is about, and where it is about one side of it, which.
    pub sense: String,
    /// What it is proved for.
    pub scope: String,
    /// The statement, as the assistant prints it.
    pub statement: String,
    /// All that the proof takes for granted.
    pub axioms: Vec<String>,
    /// The name of its false sibling, which is refuted on the same definitions.
    pub control: Option<String>,
    /// The file, below the folder of the record.
    pub file: String,
}

/// How the name of a theorem ends that refutes the check.
const REFUTED: &str = "_refuted";

impl Theorem {
    /// Whether it says that the check is false.
    #[must_use]
    pub fn refutes(&self) -> bool {
        self.name.ends_with(REFUTED)
    }

    /// Whether the record means this check: the words on the sense have its id among them, or "headline" for a part of the statement, or
    /// "corrected" for an amendment or for what was meant.
    pub(crate) fn is_about(&self, claim: &str, check: &str, role: Role) -> bool {
        let means = |word: &str| {
            let by_role = match word {
                "headline" => role == Role::Part,
                "corrected" => matches!(role, Role::Amendment | Role::Meant),
                _ => false,
            };
            by_role || word == check
        };
        let mut words = self.sense.split(|c: char| !c.is_alphanumeric() && c != '-');
        self.claim == claim && words.any(means)
    }
}

/// What an assistant has accepted: the record of a run of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Theorems(Vec<Arc<Theorem>>);

impl Theorems {
    /// Reads a record.
    ///
    /// # Errors
    /// The text is not a list of theorems.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        let theorems: Vec<Theorem> = serde_json::from_str(text)?;
        Ok(Theorems(theorems.into_iter().map(Arc::new).collect()))
    }

    /// Every theorem, in the order of the record.
    pub fn iter(&self) -> impl Iterator<Item = &Theorem> {
        self.0.iter().map(Arc::as_ref)
    }

    /// The theorem of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Arc<Theorem>> {
        self.0.iter().find(|theorem| theorem.name == name)
    }
}

/// A theorem that a check cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited {
    /// Its name.
    pub name: &'static str,
    /// Whether it says of the check all that there is to say, for all that the check assumes: alone, or together with the others that are
    /// cited so.
    pub whole: bool,
    /// What the record says of it; none without a record that has it about this check.
    pub theorem: Option<Arc<Theorem>>,
}

impl Cited {
    /// What the record says of it, if that is about this check.
    pub(super) fn looked_up(&self, record: &Theorems, claim: &str, check: &str, role: Role) -> Self {
        let found = record.named(self.name).filter(|theorem| theorem.is_about(claim, check, role));
        Cited { theorem: found.cloned(), ..self.clone() }
    }

    /// Whether it contradicts a verdict: a theorem about the whole check says that it holds, and an instance violates it, or the reverse.
    #[must_use]
    pub fn contradicts(&self, verdict: Verdict) -> bool {
        let decides = |theorem: &&Arc<Theorem>| match verdict {
            Verdict::Fails => !theorem.refutes(),
            Verdict::Holds | Verdict::Consistent => theorem.refutes(),
            _ => false,
        };
        self.whole && self.theorem.as_ref().filter(decides).is_some()
    }
}

/// Whether theorems settle a check as its instances do: a refutation where it fails, and where it holds theorems that together say all of it.
pub(crate) fn settle(cited: &[Cited], verdict: Verdict) -> bool {
    let mut whole = cited.iter().filter(|c| c.whole).peekable();
    let has = |c: &Cited, refutes: bool| c.theorem.as_ref().is_some_and(|theorem| theorem.refutes() == refutes);
    match verdict {
        Verdict::Fails => whole.any(|c| has(c, true)) && !cited.iter().any(|c| c.contradicts(verdict)),
        Verdict::Holds => whole.peek().is_some() && whole.all(|c| has(c, false)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Theorems {
        let theorem = |name: &str, sense: &str| {
            serde_json::json!({
                "theorem": name, "claim": "staged.lemma-1", "sense": sense, "scope": "finite laws", "statement": "True",
                "axioms": [], "control": null, "file": "staged/Lemma1.v", "sha256": "", "imports": {},
            })
        };
        let list = [
            theorem("staged.Lemma1.printed", "printed"),
            theorem("staged.Lemma1.left", "chain, left side"),
            theorem("staged.Lemma1.wrong_refuted", "corrected (erratum of wrong-one)"),
        ];
        Theorems::from_json(&serde_json::Value::from(list.to_vec()).to_string()).expect("a list of theorems")
    }

    fn cited(name: &'static str, check: &str, whole: bool) -> Cited {
        Cited { name, whole, theorem: None }.looked_up(&record(), "staged.lemma-1", check, Role::Part)
    }

    #[test]
    fn a_theorem_is_about_the_check_that_its_record_names() {
        let about_as = |role: Role, name: &str, check: &str| {
            let record = record();
            record.named(name).is_some_and(|theorem| theorem.is_about("staged.lemma-1", check, role))
        };
        let about = |name: &str, check: &str| about_as(Role::Part, name, check);
        assert!(about("staged.Lemma1.printed", "printed") && about("staged.Lemma1.left", "chain"));
        assert!(about("staged.Lemma1.wrong_refuted", "wrong-one"));
        assert!(!about("staged.Lemma1.printed", "print") && !about("staged.Lemma1.wrong_refuted", "wrong"));
        assert!(!about("staged.Lemma1.none", "printed"));
        assert!(!record().named("staged.Lemma1.printed").expect("one").is_about(
            "staged.lemma-2",
            "printed",
            Role::Part
        ));
        let corrected = "staged.Lemma1.wrong_refuted";
        assert!(about_as(Role::Amendment, corrected, "better") && about_as(Role::Meant, corrected, "better"));
        for other in [Role::Part, Role::Ours, Role::Step, Role::Sharpening, Role::Control] {
            assert!(!about_as(other, corrected, "better"), "a {other} of another name is no correction");
            assert!(about_as(other, corrected, "corrected"), "the id itself means a check of any role");
        }
        assert_eq!(cited("staged.Lemma1.printed", "chain", true).theorem, None);
    }

    #[test]
    fn a_verdict_is_settled_by_theorems_about_the_whole_check_that_agree_with_it() {
        let holds = cited("staged.Lemma1.printed", "printed", true);
        let in_part = cited("staged.Lemma1.printed", "printed", false);
        let refutes = cited("staged.Lemma1.wrong_refuted", "wrong-one", true);
        let unknown = cited("staged.Lemma1.none", "printed", true);
        assert!(settle(std::slice::from_ref(&holds), Verdict::Holds));
        assert!(settle(&[holds.clone(), in_part.clone()], Verdict::Holds));
        assert!(settle(std::slice::from_ref(&refutes), Verdict::Fails));
        for (list, verdict) in [
            (vec![], Verdict::Holds),
            (vec![in_part.clone()], Verdict::Holds),
            (vec![unknown.clone()], Verdict::Holds),
            (vec![holds.clone(), unknown], Verdict::Holds),
            (vec![holds.clone()], Verdict::Consistent),
            (vec![holds.clone()], Verdict::Undecided),
            (vec![holds.clone()], Verdict::Fails),
            (vec![refutes.clone()], Verdict::Holds),
            (vec![refutes.clone(), holds.clone()], Verdict::Fails),
        ] {
            assert!(!settle(&list, verdict), "{list:?} {verdict}");
        }
        assert!(holds.contradicts(Verdict::Fails) && refutes.contradicts(Verdict::Holds));
        assert!(!in_part.contradicts(Verdict::Fails), "what violates the check may lie outside of its scope");
        assert!(!holds.contradicts(Verdict::Holds) && !refutes.contradicts(Verdict::Fails));
    }
}
