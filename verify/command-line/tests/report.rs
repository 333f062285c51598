//! The committed REPORT.md is what the program writes now, byte for byte.

#[path = "support/committed.rs"]
mod committed;

use std::process::Command;

use committed::assert_is_current;

#[test]
fn the_committed_report_is_what_the_program_writes_now() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let committed = std::fs::read_to_string(format!("{root}/REPORT.md")).expect("REPORT.md is committed");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fresh = folder.path().join("REPORT.md");
    let run = Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(root)
        .args(["verify", "--output"])
        .arg(&fresh)
        .output()
        .expect("the program starts");
    let log = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "status {}\n{log}", run.status);
    let fresh = std::fs::read_to_string(&fresh).expect("the program wrote a report");
    assert_is_current("REPORT.md", &committed, &fresh, "cargo run --release");
    // A hypothesis that no instance of the standard run misses is not checked: it is a given, or wants an instance.
    let faults = ["**Missed by no instance**", "**undeclared exception**"];
    let found: Vec<&str> = fresh
        .lines()
        .filter(|line| faults.iter().any(|f| line.contains(f)))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
    // What a machine found to be without power is mended, or marked as no evidence.
    let unmarked: Vec<&str> = fresh.lines().filter(|line| line.ends_with("**unmarked** |")).collect();
    assert!(unmarked.is_empty(), "checks without power: {unmarked:#?}");
}
