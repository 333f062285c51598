//! Witness files that somebody else wrote: refused or reported, never obeyed.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn replay(file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(ROOT)
        .arg("replay")
        .arg(file)
        .output()
        .expect("the program starts")
}

fn stored(name: &str) -> Value {
    let path = Path::new(ROOT).join("fixtures/witnesses").join(name);
    serde_json::from_str(&fs::read_to_string(path).expect("stored")).expect("it is JSON")
}

/// Status, answer and remarks on a file with this text.
fn judged(text: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("witness.json");
    fs::write(&file, text).expect("written");
    let output = replay(&file);
    let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().expect("the program ended by itself");
    let (answer, remarks) = (read(&output.stdout), read(&output.stderr));
    assert!(!remarks.contains("panicked"), "{remarks}");
    (status, answer, remarks)
}

#[test]
fn what_a_witness_says_is_compared_with_what_is_so() {
    let witness = stored("merad2020.prop-2-1.nats.json");
    assert_eq!(judged(&witness.to_string()).0, 0);

    let mut changed = witness.clone();
    changed["statement"] = "\u{1b}[2J\u{1b}]0;owned\u{7}P = NP".into();
    let (status, answer, _) = judged(&changed.to_string());
    assert_eq!(status, 1);
    assert!(answer.contains("another statement") && answer.contains("P = NP"), "{answer}");
    assert!(!answer.contains('\u{1b}') && !answer.contains('\u{7}'), "{answer:?}");

    let mut changed = witness.clone();
    changed["sides"]["left"] = json!([17.0, 18.0]);
    let (status, answer, _) = judged(&changed.to_string());
    assert_eq!(status, 1);
    assert!(answer.contains("other sides: [1.7e1, 1.8e1]"), "{answer}");

    let mut changed = witness.clone();
    changed["claim"] = "nobody.lemma\u{1b}[31m".into();
    let (status, _, remarks) = judged(&changed.to_string());
    assert_eq!(status, 2);
    assert!(remarks.contains("no claim \"nobody.lemma"), "{remarks}");
    assert!(!remarks.contains('\u{1b}'), "{remarks:?}");
}

#[test]
fn forms_that_nobody_stored_are_refused() {
    let whole = stored("merad2020.prop-2-1.nats.json").to_string();
    for (found, put, named) in [
        ("\"k\":1", "\"k\":1,\"k\":1", "\"k\" stands twice"),
        ("\"k\":1", "\"k\":1,\"kk\":1", "\"kk\" means nothing"),
        ("\"k\":1", "\"k\":99999999", "\"k\" is 99999999"),
        ("\"k\":1", "\"k\":18446744073709551615", "\"k\" is 18446744073709551615"),
        ("\"k\":1", "\"k\":-1", "not an instance"),
        ("\"k\":1", "\"k\":1e999", "number out of range"),
        ("\"schema\":1", "\"schema\":1,\"more\":2", "unknown field `more`"),
        ("\"schema\":1", "\"schema\":4294967297", "schema 4294967297"),
        ("\"schema\":1", "\"schema\":-1", "expected u32"),
    ] {
        let changed = whole.replacen(found, put, 1);
        assert_ne!(changed, whole, "{found} is in it");
        let (status, _, remarks) = judged(&changed);
        assert_eq!(status, 2, "{put}: {remarks}");
        assert!(remarks.contains(named), "{put}: {remarks}");
    }
    let deep = "[".repeat(100_000);
    let long = format!("{{\"schema\": \"{}\"}}", "x".repeat(2 << 20));
    for (text, named) in [(deep.as_str(), "recursion limit"), (&long, "more than 1048576 bytes"), ("", "EOF")] {
        let (status, _, remarks) = judged(text);
        assert_eq!(status, 2, "{remarks}");
        assert!(remarks.contains(named), "{remarks}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_without_an_end_is_refused_and_a_pipe_is_read_once() {
    assert_eq!(replay(Path::new("/dev/zero")).status.code(), Some(2));
    assert_eq!(replay(Path::new("/dev/null")).status.code(), Some(2));
    let shell = "exec \"$0\" replay <(cat fixtures/witnesses/merad2020.prop-2-1.nats.json)";
    let piped =
        Command::new("bash").current_dir(ROOT).args(["-c", shell, env!("CARGO_BIN_EXE_contrapositive")]).output();
    // Without that shell there is nothing to try.
    if let Ok(piped) = piped {
        let remarks = String::from_utf8_lossy(&piped.stderr);
        assert_eq!(piped.status.code(), Some(0), "{remarks}");
    }
}
