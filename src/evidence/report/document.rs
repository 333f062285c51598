//! What the JSON report holds, as types. The JSON Schema in `schema.json` beside this file is made from them and from their comments, so that
//! what is written here is what a reader of the report in another language finds there.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::claim::{Kind, Role};
use crate::family_kind::FamilyKind;
use crate::run::{Sides, Witness};
use crate::verdict::Verdict;

#[cfg(test)]
use schemars::JsonSchema;

/// Lowest and highest value of a number; null is an end at infinity.
pub(super) type Ends = [Option<f64>; 2];

/// A run of a catalogue of claims, as `contrapositive verify --format json` writes it.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(title = "A run of contrapositive", extend("$id" = "urn:contrapositive:run:2")))]
pub(super) struct RunDocument<'a> {
    /// Version of this form. Within a version fields are only ever added.
    pub schema: u32,
    /// Master seed of every random stream.
    pub seed: u64,
    /// Size of the run: quick, standard or deep.
    pub budget: String,
    /// Version of the program, SHA-256 of every data file, and for each claim that a damaged witness stopped `not judged: ID` with
    /// the reason.
    pub facts: BTreeMap<&'a str, &'a str>,
    /// One entry for every statement of the register, in the papers' order, then any others.
    pub claims: Vec<ClaimEntry<'a>>,
}

/// A statement of the register.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub(super) enum ClaimEntry<'a> {
    /// A claim that ran.
    Judged(Box<ClaimDocument<'a>>),
    /// A statement whose claim did not run.
    Waiting(WaitingDocument<'a>),
}

/// A statement whose claim did not run.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct WaitingDocument<'a> {
    /// The claim's id.
    pub id: &'a str,
    /// The paper's id.
    pub paper: &'a str,
    /// A title of a few words.
    pub title: &'a str,
    /// It says that there is none.
    pub verdict: NotYet,
}

/// In place of a verdict.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(super) enum NotYet {
    /// Listed in a register, not yet tried.
    NotYet,
}

/// A claim that ran, in words and with its evidence.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ClaimDocument<'a> {
    /// The claim's id.
    pub id: &'a str,
    /// The paper's id.
    pub paper: &'a str,
    /// A title of a few words.
    pub title: &'a str,
    /// What kind of statement it is.
    pub kind: Kind,
    /// The statement as printed.
    pub statement: &'a str,
    /// Where it is printed.
    pub source: Option<SourceDocument<'a>>,
    /// Hypotheses that no instance of the families misses: a fault of the catalogue.
    pub unmissed: &'a [Cow<'static, str>],
    /// What the instances of each setting reach.
    pub tried_on: Vec<ReachDocument<'a>>,
    /// What the signs of its statement and checks stand for.
    pub symbols: Vec<SymbolDocument<'a>>,
    /// What a reader should know beside the verdict.
    pub remarks: &'a [&'static str],
    /// What the source lost, if the statement was reconstructed by us.
    pub reconstructed: Option<&'a str>,
    /// What the printed words speak of and the checks do not.
    pub speaks_also_of: Option<&'a str>,
    /// The headline, computed from the parts of the senses.
    pub verdict: Verdict,
    /// The headline that the catalogue expects.
    pub expected: Verdict,
    /// The headline in the rule's words: which sense is which, and which parts decide.
    pub why: String,
    /// The senses of the printed words.
    pub senses: Vec<SenseDocument<'a>>,
    /// The verdict on what was meant, where the printed words are a misprint.
    pub as_meant: Option<Verdict>,
    /// The weakest grade among the senses that decide; of a failing sense the strongest among its failing parts.
    pub grade: Option<GradeDocument>,
    /// Why it fails or is undecided, in one line.
    pub reason: Option<&'a str>,
    /// Readings (roles `part`, `meant`, `ours`) and steps of the proof.
    pub checks: Vec<CheckDocument<'a>>,
    /// Corrected statements.
    pub amendments: Vec<CheckDocument<'a>>,
    /// Stronger statements that hold.
    pub sharpenings: Vec<CheckDocument<'a>>,
    /// False variants, which must be refuted.
    pub controls: ControlsDocument<'a>,
    /// The part that stands for the headline in `reason`, `instances`, `tightest` and `witness`.
    pub leading: Option<&'a str>,
    /// How the trials of the leading part ended.
    pub instances: Option<InstancesDocument<'a>>,
    /// The instance that leaves the leading part the least room.
    pub tightest: Option<SightingDocument<'a>>,
    /// The instance that refutes the leading part, as stored.
    pub witness: Option<&'a Witness>,
    /// What came of leaving out each hypothesis of each check that holds.
    pub without_hypothesis: Vec<DroppedDocument<'a>>,
    /// What the instances ask of the statement's constants.
    pub constants: Vec<ConstantDocument<'a>>,
    /// Tables of measurements.
    pub series: Vec<SeriesDocument<'a>>,
}

/// Where a statement is printed.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct SourceDocument<'a> {
    /// The paper's own number.
    pub number: &'a str,
    /// Other places.
    pub also: &'a [&'static str],
}

/// What the instances of one setting reach.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ReachDocument<'a> {
    /// The ids of the setting's checks.
    pub checks: &'a [Cow<'static, str>],
    /// The measured range of every field of its instances, in words.
    pub fields: Vec<String>,
}

/// A sign and what it stands for.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct SymbolDocument<'a> {
    /// The sign.
    pub sign: &'a str,
    /// What it stands for.
    pub meaning: &'a str,
}

/// One full sense that the printed words allow.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct SenseDocument<'a> {
    /// Its name; empty if the statement has only one.
    pub name: &'a str,
    /// What it grants or supplies.
    pub words: &'a str,
    /// The worst of its parts.
    pub verdict: Verdict,
    /// How many parts count.
    pub counted: usize,
    /// The parts that decide.
    pub decisive: Vec<&'a str>,
}

/// How well a verdict is known.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct GradeDocument {
    /// `measured`, `sampled`, `exact`, `proved` or `checked`.
    pub name: &'static str,
    /// The chance of a miss, of what is sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
}

/// Controls: false variants, which must be refuted.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ControlsDocument<'a> {
    /// How many there are.
    pub total: usize,
    /// How many were refuted.
    pub refuted: usize,
    /// Each of them.
    pub checks: Vec<CheckDocument<'a>>,
}

/// How the trials of a check ended.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct InstancesDocument<'a> {
    /// Judged: the hypotheses were met and both sides enclosed.
    pub met: usize,
    /// Discarded for a hypothesis that was not met.
    pub discarded: usize,
    /// The same by the name of the hypothesis.
    pub discarded_by: &'a BTreeMap<String, usize>,
    /// Of those judged, with equality to within 2^-30.
    pub touching: usize,
    /// Of those judged, with sides that agree only because both are below the smallest normal double.
    pub vanishing: usize,
    /// Of those judged, violated.
    pub violated: usize,
    /// The same by kind of family.
    pub violated_by: &'a BTreeMap<FamilyKind, usize>,
    /// Of those judged, in doubt.
    pub undecided: usize,
    /// On which the statement says nothing.
    pub vacuous: usize,
    /// Violated when first judged, and not when judged again from the stored digits.
    pub unrepeated: usize,
    /// Of those judged, trends violated by the first of four draws only.
    pub redrawn: usize,
    /// Whose sides could not be computed.
    pub failed: usize,
    /// On which the check itself broke down.
    pub panicked: usize,
    /// All trials by the kind of family that they come from.
    pub families: &'a BTreeMap<FamilyKind, usize>,
}

/// One instance worth showing, with both sides.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct SightingDocument<'a> {
    /// Its name.
    pub instance: &'a str,
    /// The instance in words; empty if a search has not kept it.
    pub description: &'a str,
    /// Both sides and the margin between them.
    pub sides: Sides,
    /// The size that the margin is measured against.
    pub scale: Option<f64>,
    /// What the check says of it.
    pub note: Option<&'a str>,
}

/// Everything that a check assumes.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct AssumptionsDocument<'a> {
    /// What the construction of the instances guarantees.
    pub given: &'a [&'static str],
    /// The hypotheses, tested on every instance.
    pub assumed: &'a [&'static str],
    /// Where it says nothing.
    pub except: &'a [&'static str],
    /// What the families restrict beyond the hypotheses.
    pub families: &'a [String],
    /// Whether nothing else is tried than what `families` names.
    pub only_families: bool,
    /// Where a scale of its own decided.
    pub scale: Option<ScaleDocument<'a>>,
}

/// Where a scale or a tolerance of a check's own decided.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ScaleDocument<'a> {
    /// On how many instances.
    pub instances: usize,
    /// What the scale is the size of.
    pub of: Option<&'a str>,
    /// The fraction of it by which sides may differ and still count as equal.
    pub within: Option<f64>,
    /// The largest difference of the sides that was let pass, as a multiple of the larger one.
    pub most: Option<f64>,
}

/// One comparison and the evidence on it.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct CheckDocument<'a> {
    /// The id within the claim.
    pub id: &'a str,
    /// Its part in the claim.
    pub role: Role,
    /// What it compares.
    pub statement: &'a str,
    /// All that it assumes.
    pub hypotheses: AssumptionsDocument<'a>,
    /// Reasons to say nothing that it gave without declaring them: a fault of the catalogue.
    pub undeclared: &'a [String],
    /// The senses that a part belongs to; all of them if none is named.
    pub senses: &'a [&'static str],
    /// The check that this one follows from.
    pub implied_by: Option<&'a str>,
    /// Why it is no evidence.
    pub not_evidence: Option<&'a str>,
    /// What of it is a choice of ours because the printed words leave it open.
    pub our_constant: Option<&'a str>,
    /// What its left and its right side are, in the signs of the claim.
    pub sides: Option<&'a [&'static str; 2]>,
    /// Why it is classified as it is.
    pub because: Option<&'a str>,
    /// The control that is its false variant.
    pub tested_by: Option<&'a str>,
    /// Why it shows little, found by machine.
    pub weaknesses: Vec<String>,
    /// What the trials say.
    pub verdict: Verdict,
    /// What the catalogue expects.
    pub expected: Verdict,
    /// Why it is expected to fail or to be undecided.
    pub reason: Option<&'a str>,
    /// The weakest grade that the verdict rests on.
    pub grade: Option<GradeDocument>,
    /// What it would be if no theorem were cited.
    pub grade_without_theorems: Option<GradeDocument>,
    /// How the trials ended.
    pub instances: InstancesDocument<'a>,
    /// The instance with the least room to spare among those that hold.
    pub tightest: Option<SightingDocument<'a>>,
    /// Where the search found that one, the one with the least room before it.
    pub before_search: Option<SightingDocument<'a>>,
    /// An instance left in doubt.
    pub doubtful: Option<SightingDocument<'a>>,
    /// The message of a trial that could not be computed.
    pub trouble: Option<&'a str>,
    /// The instance that refutes it, as stored.
    pub witness: Option<&'a Witness>,
    /// The shortest instance of the families that refutes it, where the witness is shorter to write down.
    pub shortest_offered: Option<&'a str>,
    /// Its proofs by subdivision.
    pub proofs: Vec<ProofDocument<'a>>,
    /// The theorems that it cites.
    pub theorems: Vec<TheoremDocument<'a>>,
}

/// A theorem that a check cites. Where no record has it about this check, only its name is known.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct TheoremDocument<'a> {
    /// The name: folder, file and theorem.
    pub name: &'a str,
    /// Whether it says all that the check says, alone or together with the others.
    pub whole: bool,
    /// Whether it says that the check is false.
    pub refutes: Option<bool>,
    /// What it is proved for.
    pub scope: Option<&'a str>,
    /// Its statement, as the proof assistant prints it.
    pub statement: Option<&'a str>,
    /// All that its proof takes for granted.
    pub axioms: Option<&'a [String]>,
    /// The name of its false sibling.
    pub control: Option<&'a str>,
    /// The file, below the folder of the record.
    pub file: Option<&'a str>,
    /// Whether the verdict says the reverse.
    pub contradicted: bool,
}

/// A proof by subdivision.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ProofDocument<'a> {
    /// The domain in words.
    pub domain: &'a str,
    /// Why its margin has the sign of right − left, where it is not that difference.
    pub form: Option<&'a str>,
    /// How it ended.
    pub outcome: ProofOutcome,
    /// Boxes looked at.
    pub boxes: usize,
    /// Where it is refuted.
    pub point: Option<&'a [f64]>,
    /// What is left open.
    pub residual: Option<ResidualDocument>,
    /// Covered, every control refuted, and no contradiction.
    pub succeeded: bool,
    /// Judged instances in its domain.
    pub inside: usize,
    /// An instance on which check and proof disagree.
    pub contradiction: Option<&'a str>,
    /// False margins on the same domain.
    pub controls: ProofControls,
}

/// How a proof by subdivision ended.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum ProofOutcome {
    /// The margin has its sign on the whole domain.
    Covered,
    /// It has the other sign at a point.
    Refuted,
    /// Boxes are left on which nothing is known.
    Residual,
}

/// What a proof by subdivision left open.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ResidualDocument {
    /// How many boxes.
    pub open: usize,
    /// The hull of their parameters.
    pub hull: Vec<Ends>,
}

/// False margins on the domain of a proof.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ProofControls {
    /// How many there are.
    pub total: usize,
    /// How many were refuted.
    pub refuted: usize,
}

/// What came of leaving one hypothesis out of one check.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct DroppedDocument<'a> {
    /// The hypothesis.
    pub hypothesis: &'a str,
    /// The check.
    pub check: &'a str,
    /// What came of it.
    pub without: FateDocument<'a>,
}

/// What was found without a hypothesis.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "fate", rename_all = "kebab-case")]
pub(super) enum FateDocument<'a> {
    /// An instance that misses only this hypothesis violates the statement.
    Necessary {
        /// The instance in words.
        instance: &'a str,
        /// Both sides on it.
        sides: &'a Sides,
        /// Whether a search found it, because none of the families' own instances does.
        searched: bool,
    },
    /// No instance that misses only this hypothesis violates the statement.
    NoCounterexampleFound {
        /// How many were judged.
        judged: usize,
        /// How many of them a search made.
        searched: usize,
    },
    /// Nothing could be judged without it.
    Meaningless {
        /// How many instances there were.
        tried: usize,
    },
    /// No instance misses only this hypothesis.
    Untried,
}

/// A constant of the statement and what the instances ask of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ConstantDocument<'a> {
    /// Its id within the claim.
    pub id: &'a str,
    /// What is measured.
    pub statement: &'a str,
    /// What the statement grants, in its own words.
    pub printed: &'a str,
    /// One entry for each group of instances.
    pub entries: Vec<NeededDocument<'a>>,
}

/// The largest value asked for within one group of instances.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct NeededDocument<'a> {
    /// The group.
    pub group: &'a str,
    /// The value.
    pub needed: Ends,
    /// The instance that asks for it, in words.
    pub instance: &'a str,
    /// How many instances were measured.
    pub measured: usize,
}

/// A table of measurements.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct SeriesDocument<'a> {
    /// Its id within the claim.
    pub id: &'a str,
    /// What it shows.
    pub caption: &'a str,
    /// What else a reader should know.
    pub note: Option<&'a str>,
    /// The columns; null if there is no table.
    pub columns: Option<Vec<ColumnDocument<'a>>>,
    /// The rows, each with one cell for each column.
    pub rows: Option<Vec<Vec<CellDocument<'a>>>>,
    /// Why there is no table.
    pub trouble: Option<&'a str>,
}

/// A column of a table.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub(super) struct ColumnDocument<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its unit; empty for plain numbers.
    pub unit: &'a str,
}

/// A cell of a table.
#[derive(Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
pub(super) enum CellDocument<'a> {
    /// A number.
    Number(Ends),
    /// A count.
    Count(u64),
    /// A word.
    Text(&'a str),
}

/// The report of a run as a value, whose names stand in alphabetical order.
pub(super) fn value(document: &RunDocument<'_>) -> Value {
    // A document is maps with names for keys, lists, numbers and words: all of them are JSON.
    serde_json::to_value(document).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    /// The committed schema; `docs/json.md` says how it is renewed.
    const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/report/schema.json");

    #[test]
    fn the_committed_schema_is_the_one_of_these_types() {
        let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
        let schema = settings.into_generator().into_root_schema_for::<super::RunDocument<'static>>();
        let fresh = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
        if std::env::var_os("RENEW_SCHEMA").is_some() {
            std::fs::write(COMMITTED, &fresh).expect("it can be written");
        }
        let committed = std::fs::read_to_string(Path::new(COMMITTED)).expect("schema.json is committed");
        assert!(
            committed == fresh,
            "report/schema.json is stale: renew it with `RENEW_SCHEMA=1 cargo test -p contrapositive-evidence schema`"
        );
    }
}
