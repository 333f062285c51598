//! The forms in which a run is written: each goes where it is told, says what it should, and is what its readers expect.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::schema::Schema;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Claims with proofs, constants, witnesses, series, senses, and measured and exact grades between them.
const CLAIMS: [&str; 4] = ["merad2020.lemma-3", "merad2020.prop-2-1", "esser2024.example-1", "ren2023.lemma-b11"];

fn verify(more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(ROOT)
        .arg("verify")
        .args(["--budget", "quick", "--no-journal"])
        .args(more)
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn answered(more: &[&str]) -> String {
    let output = verify(more);
    assert_eq!(output.status.code(), Some(0), "{more:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn what_the_program_writes_is_what_the_schema_says() {
    let written = answered(&[&CLAIMS[..], &["--format", "json"]].concat());
    let run: Value = serde_json::from_str(&written).expect("standard output is JSON and nothing else");
    let schema = Schema::of_reports();
    assert_eq!(schema.fault(&run), None);
    let claims = run["claims"].as_array().expect("a list");
    let judged: Vec<usize> = (0..claims.len()).filter(|&i| claims[i]["verdict"] != "not-yet").collect();
    assert_eq!(judged.len(), CLAIMS.len());
    // A schema that takes anything would be no check: each of these faults is found.
    let at = judged[0];
    for (name, fault) in [
        ("verdict", json!("perhaps")),
        ("checks", json!({})),
        ("grade", json!({"name": 3})),
        ("senses", json!([{"name": "M"}])),
        ("kind", Value::Null),
    ] {
        let mut wrong = run.clone();
        wrong["claims"][at][name] = fault;
        assert!(schema.fault(&wrong).is_some(), "a wrong {name} passes");
    }
    let mut short = run;
    short["claims"][at].as_object_mut().expect("a claim").remove("controls");
    assert!(schema.fault(&short).is_some(), "a claim without controls passes");
}

fn prints(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_contrapositive")).args(words).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(0), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn the_program_prints_its_schema() {
    let committed = fs::read_to_string(Path::new(ROOT).join("src/evidence/report/schema.json")).expect("committed");
    assert_eq!(prints(&["schema"]), committed);
}

/// A program with all features has nothing to refuse.
#[cfg(not(feature = "full"))]
#[test]
fn what_the_program_was_built_without_is_named_with_the_command_that_installs_it() {
    let asked: [(&str, bool, &[&str]); 5] = [
        ("figures", cfg!(feature = "figures"), &["figures", "--steps", "3"]),
        ("junit", cfg!(feature = "junit"), &["verify", "merad2020.lemma-4", "--output", "run.xml"]),
        ("manual", cfg!(feature = "manual"), &["manual"]),
        ("manual", cfg!(feature = "manual"), &["completions", "bash"]),
        ("site", cfg!(feature = "site"), &["site", "--help"]),
    ];
    for (feature, _, words) in asked.into_iter().filter(|(_, is_built, _)| !is_built) {
        let output = Command::new(env!("CARGO_BIN_EXE_contrapositive")).args(words).output();
        let output = output.expect("the program starts");
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {told}");
        for part in [&format!("feature `{feature}`"), "cargo install --path verify/command-line --features full"] {
            assert!(told.contains(part), "no {part} in {told}");
        }
    }
}

#[cfg(feature = "manual")]
#[test]
fn the_program_prints_its_manual_and_its_completions() {
    let manual = prints(&["manual"]);
    for part in [".TH contrapositive", "\\-\\-baseline", "VERIFY", "a control was not refuted"] {
        assert!(manual.contains(part), "no {part} in the manual");
    }
    for (shell, part) in [
        ("bash", "complete -F _contrapositive"),
        ("zsh", "#compdef contrapositive"),
        ("fish", "complete -c contrapositive"),
    ] {
        let script = prints(&["completions", shell]);
        assert!(script.contains(part) && script.contains("shard"), "{shell}");
        for word in ["merad2020.lemma-1", "standard", "identity", "MISPRINT", "esser2024"] {
            assert!(script.contains(word), "{shell} does not complete {word}");
        }
        assert!(!script.contains("\\u00"), "what steers terminals was taken out of {shell}");
    }
}

#[cfg(feature = "junit")]
#[test]
fn junit_has_a_case_for_every_check_and_the_same_bytes_on_any_number_of_threads() {
    let words = ["merad2020.lemma-4", "merad2020.prop-2-1", "--format", "junit"];
    let written = answered(&words);
    assert_eq!(written, answered(&[&words[..], &["--threads", "3"]].concat()));
    let run: Value = serde_json::from_str(&answered(&[&words[..2], &["--format", "json"]].concat())).expect("JSON");
    let count = |claim: &Value| {
        let lists = ["checks", "amendments", "sharpenings"].map(|name| claim[name].as_array().map_or(0, Vec::len));
        lists.iter().sum::<usize>() + claim["controls"]["checks"].as_array().map_or(0, Vec::len)
    };
    let claims = run["claims"].as_array().expect("a list");
    let checks: usize = claims.iter().filter(|c| c["verdict"] != "not-yet").map(count).sum();
    assert!(checks > 10, "{checks}");
    assert_eq!(written.matches("<testcase ").count(), checks);
    assert!(written.contains(&format!(r#"tests="{checks}" skipped="0" failures="0" errors="0""#)), "{written}");
    // What stands in formulas is escaped.
    assert!(written.starts_with("<?xml") && !written.contains("<="), "{written}");
}

#[test]
fn the_summary_of_a_step_counts_the_claims() {
    let shown = answered(&["merad2020.lemma-4", "merad2020.prop-2-1", "--format", "summary"]);
    assert!(shown.starts_with("## contrapositive: 2 claims, all as expected\n"), "{shown}");
    assert!(shown.contains("| merad2020 | 2 | 0 | 0 | 0 | 2 | 0 | 0 | 0 | 0 |"), "{shown}");
    assert!(!shown.contains("Not as expected"), "{shown}");
}

#[test]
fn a_form_that_is_not_that_of_the_file_is_refused_before_the_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, format, named) in [
        ("run.md", Some("json"), "--format json"),
        ("run.json", Some("junit"), "--format junit"),
        ("run.xml", Some("summary"), "--format summary"),
        ("run.txt", None, "run.txt"),
    ] {
        let path = folder.path().join(file);
        let mut words = vec!["merad2020.*", "--output", path.to_str().expect("plain")];
        words.extend(format.iter().flat_map(|f| ["--format", f]));
        let refused = verify(&words);
        assert_eq!(refused.status.code(), Some(2), "{file}");
        let told = text(&refused.stderr);
        assert!(told.contains(named) && told.contains("hint"), "{told}");
        assert!(!path.exists(), "{file}");
    }
}

#[test]
fn the_form_follows_the_ending_of_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (file, begins) in [("run.json", "{"), ("run.xml", "<?xml"), ("run.md", "#")] {
        if file == "run.xml" && !cfg!(feature = "junit") {
            continue;
        }
        let path = folder.path().join(file);
        answered(&["merad2020.lemma-4", "--output", path.to_str().expect("plain")]);
        let written = fs::read_to_string(&path).expect("written");
        assert!(written.starts_with(begins), "{file}: {}", &written[..40]);
    }
}
