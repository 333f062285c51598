//! The catalogue's own program: one line of it gives every command that a catalogue has.

use std::path::Path;
use std::process::Command;

/// What the program prints in a folder of its own, on standard output and on standard error.
fn answered(folder: &Path, words: &[&str], status: i32) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_classics"))
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder)
        .args(words)
        .output()
        .expect("the program starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{words:?}: {err}");
    (out, err)
}

#[test]
fn the_words_of_a_catalogue_are_answered() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let (listed, _) = answered(folder, &["list"], 0);
    assert!(listed.contains("classics.pinsker") && listed.contains("6 of 6 statements"), "{listed}");
    let (explained, _) = answered(folder, &["explain", "classics.pinsker"], 0);
    assert!(explained.contains("KL") && explained.contains("$ classics verify classics.pinsker"), "{explained}");
    let (help, _) = answered(folder, &["--help"], 0);
    assert!(help.contains("Usage: classics") && help.contains("Exit status"), "{help}");
    let (version, _) = answered(folder, &["--version"], 0);
    assert!(version.starts_with("classics "), "{version}");
    if cfg!(feature = "full") {
        let (completions, _) = answered(folder, &["completions", "bash"], 0);
        assert!(completions.contains("_classics"), "{completions}");
    }
    let (_, told) = answered(folder, &["verify", "classics.nothing"], 5);
    assert!(told.contains("classics.nothing"), "{told}");
}

#[test]
fn what_is_refuted_is_stored_and_judged_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let words = ["verify", "classics.pinsker*", "--budget", "quick"];
    let (_, told) = answered(folder, &[&words[..], &["--save-witnesses"]].concat(), 0);
    assert!(told.contains("2 claims: 1 hold"), "{told}");
    let stored = std::fs::read_dir(folder.join("fixtures/witnesses")).expect("witnesses were saved");
    let witness = stored.flatten().next().expect("what fails has a witness").path();
    for name in [witness.to_str().expect("a plain path"), "classics.pinsker-l1"] {
        let (judged, _) = answered(folder, &["replay", name], 0);
        assert!(judged.contains("judged    violated"), "{judged}");
    }
    let (json, _) = answered(folder, &[&words[..], &["--format", "json"]].concat(), 0);
    let run: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let run = run["claims"].as_array().expect("a list of claims");
    assert_eq!(run.len(), 6);
    assert_eq!(run.iter().filter(|c| c["verdict"] != "not-yet").count(), 2);
    answered(folder, &[&words[..], &["--output", "run.md"]].concat(), 0);
    let page = std::fs::read_to_string(folder.join("run.md")).expect("written");
    assert!(page.contains("pinsker"), "{page}");
    assert!(!folder.join("REPORT.md").exists(), "nobody asked for a report");
}

#[test]
fn its_shards_merge_to_one_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let words = ["verify", "classics.infonce*", "classics.pinsker*", "--budget", "quick"];
    let form = if cfg!(feature = "full") { "junit" } else { "json" };
    let (whole, _) = answered(folder, &[&words[..], &["--format", form]].concat(), 0);
    for cut in ["1/2", "2/2"] {
        answered(folder, &[&words[..], &["--shard", cut]].concat(), 0);
    }
    let merged = ["merge", "shard-2-of-2.bin", "shard-1-of-2.bin", "--format", form];
    let (merged, _) = answered(folder, &merged, 0);
    assert!(merged == whole && merged.contains("classics.pinsker"));
}
