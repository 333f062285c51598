//! Answers for programs: `list`, `explain` and `replay` as JSON.

use std::process::{Command, Output};

use serde_json::Value;

use crate::support::schema::Schema;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn contrapositive(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(ROOT)
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn answer(arguments: &[&str]) -> Value {
    let output = contrapositive(arguments);
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: status {}\n{log}", output.status);
    serde_json::from_slice(&output.stdout).expect("the answer is JSON")
}

#[test]
fn a_list_names_claims_and_checks() {
    let listed = answer(&["list", "merad2020.prop-2-*", "--format", "json"]);
    let claims = listed["claims"].as_array().expect("claims");
    let ids: Vec<&str> = claims.iter().filter_map(|c| c["id"].as_str()).collect();
    assert_eq!(ids, ["merad2020.prop-2-1", "merad2020.prop-2-2"]);
    assert_eq!(claims[0]["expected"], "mixed");
    assert_eq!(claims[0]["number"], "Proposition 2, part (1)");
    let checks = claims[0]["checks"].as_array().expect("checks");
    assert!(checks.iter().any(|c| c["id"] == "nats" && c["role"] == "part" && c["expected"] == "fails"));
    assert!(listed["registered"].as_u64().is_some_and(|n| n >= 200), "{}", listed["registered"]);
}

#[test]
fn a_claim_is_explained_under_the_schema_of_reports() {
    let explained = answer(&["explain", "merad2020.prop-2-1", "--format", "json"]);
    assert_eq!(Schema::of_reports().fault(&explained), None);
    let claims = explained["claims"].as_array().expect("claims");
    assert_eq!(claims.len(), 1, "no others that did not run");
    assert_eq!((&claims[0]["id"], &claims[0]["verdict"]), (&"merad2020.prop-2-1".into(), &"mixed".into()));
}

#[test]
fn a_replay_tells_what_was_stored_and_what_is_so() {
    let replayed = answer(&["replay", "merad2020.prop-2-1", "--format", "json"]);
    let witnesses = replayed["witnesses"].as_array().expect("witnesses");
    assert_eq!(witnesses[0]["check"], "nats", "the headline's first");
    for witness in witnesses {
        assert_eq!(witness["still_refutes"], true, "{witness:#}");
        assert_eq!(witness["stored_statement"], Value::Null);
        for instance in witness["instances"].as_array().expect("instances") {
            assert_eq!((&instance["judged"], &instance["agrees"]), (&"violated".into(), &true.into()), "{instance:#}");
            assert_eq!(instance["sides"]["relation"], instance["stored_sides"]["relation"]);
            assert!(instance["sides"]["margin"][1].as_f64().is_some_and(|margin| margin < 0.0), "{instance:#}");
        }
    }
    let smallest = &witnesses[0]["instances"][0]["sides"];
    assert!(
        smallest["left"][0].as_f64().is_some_and(|left| (left - std::f64::consts::LN_2).abs() < 1e-6),
        "{smallest}"
    );
}

#[test]
fn a_kind_that_is_nearly_one_is_understood() {
    let refused = contrapositive(&["list", "--kind", "identiy"]);
    let told = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{told}");
    assert!(told.contains("did you mean identity?"), "{told}");
}
