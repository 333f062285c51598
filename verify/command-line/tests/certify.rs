//! `certify`: what is written, and what is said of it with Coq at hand, without, and where Coq refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The program, with no more on its path than a folder.
fn certify(arguments: &[&str], output: &Path, path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(ROOT)
        .env("PATH", path)
        .arg("certify")
        .args(arguments)
        .arg("--output")
        .arg(output)
        .output()
        .expect("the program starts")
}

/// The one file of a folder.
fn only_file(folder: &Path) -> PathBuf {
    let mut found = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let file = found.next().expect("a file");
    assert_eq!(found.next(), None);
    file
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A `coqc` that ends with this status.
#[cfg(unix)]
fn staged_coq(folder: &Path, status: u8) {
    use std::os::unix::fs::PermissionsExt;
    let coqc = folder.join("coqc");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && exit 0\necho 'File \"x\"' >&2\necho 'no such luck' >&2\nexit {status}\n"
    );
    fs::write(&coqc, script).expect("a script");
    fs::set_permissions(&coqc, fs::Permissions::from_mode(0o755)).expect("permissions");
}

#[test]
fn a_statement_is_written_and_not_said_to_be_checked_without_coq() {
    let (output, none) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let statement = "log(1 + exp(a)) <= log 2 + a/2";
    let found = certify(&[statement, "--where", "a^2 >= 1/4"], output.path(), none.path());
    let said = told(&found);
    assert!(found.status.success() && said.contains("written") && said.contains("not checked: no coqc"), "{said}");
    let text = fs::read_to_string(only_file(output.path())).expect("the file");
    assert!(text.contains(statement) && text.contains("Theorem violated :"), "{text}");
    assert!(text.contains("Theorem condition1 :") && text.contains("with (i_prec 100)"), "{text}");
    assert!(!text.contains("Admitted") && !text.contains("admit"));
    // A file of the same name that is somebody else's stays.
    fs::write(only_file(output.path()), "mine").expect("a file");
    let found = certify(&[statement, "--where", "a^2 >= 1/4"], output.path(), none.path());
    assert!(told(&found).contains("certify did not write"), "{}", told(&found));
    assert_eq!(fs::read_to_string(only_file(output.path())).expect("the file"), "mine");
}

#[test]
fn an_equation_that_is_solved_and_not_computed_is_no_theorem() {
    let (output, none) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let asked = ["x*y <= 3/2", "--where", "x^2 = 2, y^2 = 2, x >= 1", "--for", "x, y in [0, 3]"];
    let found = certify(&asked, output.path(), none.path());
    assert!(found.status.success(), "{}", told(&found));
    let text = fs::read_to_string(only_file(output.path())).expect("the file");
    assert!(text.contains("is the program's word: x^2 = 2, y^2 = 2") && !text.contains("condition2"), "{text}");
}

#[test]
#[cfg(unix)]
fn what_coq_says_is_what_is_said() {
    let output = tempfile::tempdir().expect("a folder");
    for (status, wanted) in [(0, "checked      statement"), (1, "not checked  statement")] {
        let coq = tempfile::tempdir().expect("a folder");
        staged_coq(coq.path(), status);
        let found = certify(&["x <= x - 1"], output.path(), coq.path());
        let said = told(&found);
        assert!(said.contains(wanted), "{said}");
        assert_eq!(found.status.code(), Some(i32::from(status)), "{said}");
        assert_eq!(said.contains("no such luck"), status == 1, "{said}");
    }
}

#[test]
fn a_true_statement_and_a_claim_that_holds_have_no_counterexample() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = certify(&["x^2 >= 0"], folder.path(), folder.path());
    assert_eq!(found.status.code(), Some(2), "{}", told(&found));
    assert!(told(&found).contains("no counterexample"), "{}", told(&found));
    let found = certify(&["merad2020.lemma-1"], folder.path(), folder.path());
    assert_eq!(found.status.code(), Some(1), "{}", told(&found));
    assert!(told(&found).contains("no headline"), "{}", told(&found));
}

#[test]
fn the_witness_of_a_claim_is_written_with_what_is_the_programs_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = certify(&["merad2020.norm-rank-term"], folder.path(), folder.path());
    let said = told(&found);
    assert!(found.status.success() && said.contains("written      merad2020.norm-rank-term.equality"), "{said}");
    let text = fs::read_to_string(folder.path().join("merad2020_norm_rank_term_equality.v")).expect("the file");
    assert!(text.contains("That it meets these is the program's word: z_1"), "{text}");
    assert!(said.contains("certified    merad2020.norm-rank-term misprint: the statement: by theorem"), "{said}");
    // What no operation was recorded of has no theorem.
    let found = certify(&["esser2024.prop-1d.R1"], folder.path(), folder.path());
    assert_eq!(found.status.code(), Some(1), "{}", told(&found));
    assert!(told(&found).contains("no theorem   esser2024.prop-1d.R1"), "{}", told(&found));
}

#[test]
fn operations_on_intervals_are_written_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = certify(&["wen2020.def-4.1.printed"], folder.path(), folder.path());
    assert!(
        found.status.success() && told(&found).contains("written      wen2020.def-4.1.printed"),
        "{}",
        told(&found)
    );
    let text = fs::read_to_string(folder.path().join("wen2020_def_4_1_printed.v")).expect("the file");
    let statement = text.split("Theorem violated").nth(1).expect("a theorem");
    assert!(statement.contains("exp") && !statement.contains("forall n1"), "{text}");
}

#[test]
#[cfg(unix)]
fn a_headline_is_certified_by_an_instance_or_by_a_theorem_for_each_failing_sense() {
    let folder = tempfile::tempdir().expect("a folder");
    let coq = tempfile::tempdir().expect("a folder");
    staged_coq(coq.path(), 0);
    let said = told(&certify(&["wen2020.fact-1"], folder.path(), coq.path()));
    assert!(said.contains("certified    wen2020.fact-1 misprint: the statement: printed by instance"), "{said}");
    staged_coq(coq.path(), 1);
    let said = told(&certify(&["wen2020.fact-1"], folder.path(), coq.path()));
    assert!(said.contains("uncertified  wen2020.fact-1 misprint: the statement: not"), "{said}");
    let said = told(&certify(&["esser2024.eq-7"], folder.path(), coq.path()));
    let by_theorem =
        "certified    esser2024.eq-7 misprint: the statement: by theorem esser2024.Trace.eq_7_range_refuted";
    assert!(said.contains(by_theorem), "{said}");
}
