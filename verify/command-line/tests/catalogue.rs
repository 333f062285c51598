//! Rules that every claim must keep, and what the same claim must give however it is run.

use contrapositive_command_line::catalogue;
use enclosures::enclosure::exact;

use evidence::budget::{Budget, MAX_SAMPLED_TRIALS};
use evidence::claim::{Claim, Fixtures, Kind, Setting, at_most, holds};
use evidence::instance::Instance;
use evidence::report::{Facts, json};
use evidence::rules::theorem_faults;
use evidence::run::{Context, Plan, Silent, Witness, WitnessStore, run};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::support::whole_run::WHOLE_RUN;

fn fixtures() -> Fixtures {
    Fixtures::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"))
}

fn stored() -> WitnessStore {
    let store = WitnessStore::load(&fixtures().path("witnesses")).expect("the stored witnesses are readable");
    assert!(store.damaged().is_empty(), "{:?}", store.damaged());
    store
}

#[test]
fn the_catalogue_keeps_its_rules() {
    assert_eq!(catalogue::faults(&catalogue::claims(), &catalogue::register()), Vec::<String>::new());
}

/// An instance of the staged claims below.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
struct Count {
    #[instance(range = "1..=9")]
    n: u32,
}

#[test]
fn checks_cite_the_theorems_that_the_record_has_about_them() {
    let (claims, record) = (catalogue::claims(), catalogue::theorems());
    assert_eq!(theorem_faults(&claims, &record), Vec::<String>::new());
    let of = |claim: &str, check: &str| {
        let mut theirs = claims.iter().filter(|c| c.id == claim).flat_map(Claim::checks);
        theirs.find(|c| c.id == check).expect("a check").theorems
    };
    let without_log = of("merad2020.lemma-1", "without-log");
    assert_eq!(without_log[0].theorem.as_ref().expect("in the record").scope, "finite laws, real entries");
    // A claim that cites a theorem about another check, or none that there is, is found out.
    let citing = |theorem| {
        let setting =
            Setting::of().part("printed", "x ≤ x", holds(), |_: &Count, ()| at_most(exact(1.0), exact(1.0)));
        Claim::new("merad2020.lemma-1", "staged", Kind::Inequality).setting(setting.checked(theorem))
    };
    let wrong = [citing("merad2020.Lemma1.lemma_1_collision"), citing("merad2020.Lemma1.lemma_1_none")];
    let faults = theorem_faults(&wrong, &record);
    assert!(faults[0].contains("which is about merad2020.lemma-1: collision"), "{}", faults[0]);
    assert!(faults[1].contains("which is not in the record"), "{}", faults[1]);
    assert_eq!(faults.len(), 2 + record.iter().count() - 1, "the others are cited by no check");
}

#[test]
fn a_bare_claim_breaks_every_rule() {
    let bare = || Claim::new("merad2020.no-such", "nothing", Kind::Identity);
    let faults = catalogue::faults(&[bare(), bare()], &catalogue::register());
    for rule in [
        "twice", "register", "statement", "source", "hypothesis", "edge family", "neither a part nor a sense",
        "control", "signs",
    ] {
        assert!(faults.iter().any(|fault| fault.contains(rule)), "no complaint about: {rule}");
    }
}

#[test]
fn the_register_holds_every_statement() {
    let register = catalogue::register();
    assert_eq!(register.papers.iter().map(|p| p.entries.len()).collect::<Vec<_>>(), [48, 50, 46, 67]);
    assert_eq!(register.ids().len(), 211);
}

/// Every check of a claim of the report that was judged, controls among them.
fn checks(claim: &Value) -> impl Iterator<Item = &Value> {
    let lists = [&claim["checks"], &claim["amendments"], &claim["sharpenings"], &claim["controls"]["checks"]];
    let judged = lists.into_iter().filter(|_| claim["verdict"] != "not-yet");
    judged.flat_map(|list| list.as_array().expect("a list of checks"))
}

#[test]
fn threads_and_selection_leave_the_evidence_on_a_claim_alone() {
    let report = WHOLE_RUN.json();
    let whole = report["claims"].as_array().expect("a list of claims");
    let plan = Plan { seed: report["seed"].as_u64().expect("a number"), budget: Budget::Standard };
    let ids = ["merad2020.lemma-1", "ren2023.lemma-b2", "wen2020.lemma-d1"];
    let claims = catalogue::claims();
    let chosen: Vec<&Claim> = claims.iter().filter(|c| ids.contains(&c.id)).collect();
    assert_eq!(chosen.len(), ids.len());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread pool");
    let run = pool.install(|| run(&chosen, plan, &fixtures(), &stored(), &Silent));
    let alone = json(&run, &catalogue::register(), &Facts::new());
    for id in ids {
        let of = |list: &[Value]| list.iter().find(|c| c["id"] == id).cloned();
        let alone = of(alone["claims"].as_array().expect("a list of claims")).expect("a chosen claim");
        assert_eq!(of(whole), Some(alone), "{id} differs");
    }
}

#[test]
fn every_exception_is_declared() {
    let mut faults = Vec::new();
    for claim in WHOLE_RUN.json()["claims"].as_array().expect("a list of claims") {
        let id = claim["id"].as_str().expect("an id");
        for check in checks(claim) {
            for reason in check["undeclared"].as_array().expect("a list") {
                faults.push(format!("{id} {}: says nothing where {reason}, undeclared", check["id"]));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn sampled_comparisons_stay_within_the_error_budget() {
    // Every sampled comparison counted as a trial of its own.
    let (mut sampled, mut alpha) = (0u64, 0.0);
    for claim in WHOLE_RUN.json()["claims"].as_array().expect("a list of claims") {
        for check in checks(claim).filter(|c| c["grade"]["name"] == "sampled") {
            sampled += check["instances"]["met"].as_u64().expect("a count");
            alpha += check["grade"]["alpha"].as_f64().expect("a chance");
        }
    }
    assert!(sampled > 0, "some claims are sampled");
    assert!(sampled <= MAX_SAMPLED_TRIALS as u64, "{sampled} sampled comparisons at the standard budget");
    assert!(alpha <= 1e-6, "the chances of a miss add up to {alpha} at the standard budget");
}

#[test]
fn every_stored_witness_belongs_to_a_check_that_is_expected_to_fail() {
    let claims = catalogue::claims();
    for witness in stored().iter() {
        let claim = claims.iter().find(|c| c.id == witness.claim).expect("a claim of the catalogue");
        let check = claim.checks().into_iter().find(|c| c.id == witness.check).expect("a check of the claim");
        assert_eq!(check.expectation.verdict.to_string(), "fails", "{}", witness.file_name());
        assert_eq!(witness.statement, check.statement, "{}: renew it", witness.file_name());
    }
}

#[test]
fn every_check_that_is_expected_to_fail_has_a_stored_witness() {
    use evidence::claim::Role;
    let stored = stored();
    let mut missing = Vec::new();
    for claim in catalogue::claims() {
        for check in claim.checks() {
            let fails = check.expectation.verdict.to_string() == "fails" && check.role != Role::Control;
            if fails && stored.get(claim.id, check.id).is_none() {
                missing.push(format!("{}.{}", claim.id, check.id));
            }
        }
    }
    assert!(missing.is_empty(), "store them with `contrapositive verify --save-witnesses`: {missing:?}");
}

#[test]
fn a_witness_survives_being_stored() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for witness in stored().iter() {
        let path = witness.store(folder.path()).expect("stored");
        assert_eq!(&Witness::load(&path).expect("read back"), witness);
    }
}

#[test]
fn every_stored_witness_can_be_judged_again() {
    let (claims, stored, fixtures) = (catalogue::claims(), stored(), fixtures());
    for witness in stored.iter() {
        let Some(claim) = claims.iter().find(|c| c.id == witness.claim) else {
            continue;
        };
        let context = Context {
            seed: 1,
            budget: Budget::Quick,
            fixtures: &fixtures,
            witnesses: &stored,
            observer: &Silent,
            claim: claim.id,
        };
        let admitted = claim.admit(witness, &context);
        assert_eq!(admitted, Ok(()), "{}", witness.file_name());
    }
}
