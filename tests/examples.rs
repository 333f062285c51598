//! The examples run, exit with success and print what their first lines promise.

use std::path::PathBuf;
use std::process::Command;

/// An example's program: cargo builds the examples of a package before its tests, into the folder beside theirs.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let profile = test.parent().and_then(|deps| deps.parent()).expect("target/<profile>/deps");
    profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

fn prints(name: &str, expected: &[&str]) {
    let output = Command::new(program(name))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", program(name).display()));
    let text = String::from_utf8_lossy(&output.stdout);
    let trouble = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name} exits with {}\n{trouble}", output.status);
    for words in expected {
        assert!(text.contains(words), "{name} does not print \"{words}\"\n{text}");
    }
}

#[test]
fn first_lemma() {
    prints(
        "first_lemma",
        &["for all real x: fails", "part printed: fails (exact)", "refuted by x = -", "control a: fails"],
    );
}

#[test]
fn probability() {
    prints(
        "probability",
        &["part printed: fails (sampled)", "refuted by d = ", "amendment two: holds (sampled)", "control a: fails"],
    );
}

#[test]
fn growth() {
    prints(
        "growth",
        &[
            "part printed: fails (measured)", "amendment root: consistent (measured)", "exponent -0.",
            "control a: fails",
        ],
    );
}

#[test]
fn proved() {
    prints("proved", &["part printed: fails (exact)", "amendment corrected: holds (proved)", "control a: fails"]);
}
