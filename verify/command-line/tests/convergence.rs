//! The committed page on convergence is what the program writes now; the command as a user meets it.

#[path = "support/committed.rs"]
mod committed;
#[path = "support/npy.rs"]
mod npy;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use committed::assert_is_current;
use npy::six_pairs;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn convergence(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(ROOT)
        .args(["convergence", "--output"])
        .arg(folder)
        .args(words)
        .output()
        .expect("the program starts")
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn the_committed_page_is_what_the_program_writes_now() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = convergence(folder.path(), &["--threads", "2"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    for name in ["convergence.csv", "convergence.md", "convergence.svg"] {
        let (committed, fresh) = (read(&Path::new(ROOT).join("docs"), name), read(folder.path(), name));
        assert_is_current(
            &format!("docs/{name}"),
            &committed,
            &fresh,
            "contrapositive convergence",
        );
    }
}

#[test]
fn embeddings_of_ones_own_are_studied_and_bad_ones_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        path.to_str().expect("a plain path").to_owned()
    };
    let (points, labels) = six_pairs();
    let (points, labels) = (put("my points, normalised.npy", points), put("labels.npy", labels));
    let out = folder.path().join("out");

    let words = [
        "--points",
        &points,
        "--labels",
        &labels,
        "--negatives",
        "1,7",
        "--seed",
        "5",
        "--time",
    ];
    let run = convergence(&out, &words);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(
        String::from_utf8_lossy(&run.stdout).contains(" s\n"),
        "seconds on the terminal"
    );
    let (page, table, picture) = (
        read(&out, "convergence.md"),
        read(&out, "convergence.csv"),
        read(&out, "convergence.svg"),
    );
    for part in [
        "--negatives 1,7 --seed 5",
        "| 7 | conditional |",
        "| 1 | U-statistic |",
        "(convergence.svg)",
    ] {
        assert!(page.contains(part), "no \"{part}\" in:\n{page}");
    }
    assert!(
        !page.contains("README"),
        "the page of one's own embeddings stands by itself"
    );
    assert!(
        table
            .lines()
            .skip(1)
            .all(|line| line.starts_with("\"my points, normalised\",")),
        "{table}"
    );
    assert!(picture.starts_with("<svg") && picture.contains("N = 7") && picture.ends_with("</svg>\n"));

    // Every estimator is within four of its own standard errors, and the exact loss far closer.
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split("\",").nth(1).expect("a quoted name").split(',').collect();
        let number = |i: usize| fields[i].parse::<f64>();
        match fields[1] {
            "exact" => assert!(number(9).expect("a half-width") < 1e-10, "{line}"),
            _ => assert!(
                number(8).expect("an error") < 4.5 * number(12).expect("a standard error"),
                "{line}"
            ),
        }
    }

    for (words, named) in [
        (vec!["--points", "no/such.npy", "--labels", &labels], "no/such.npy"),
        (vec!["--points", &labels, "--labels", &labels], "labels.npy"),
        (vec!["--points", &points], "--labels"),
        (vec!["--negatives", "0"], "0 negatives"),
        (vec!["--budget", "endless"], "endless"),
        (vec!["--fixtures", "no/such/folder"], "no/such/folder"),
    ] {
        let refused = convergence(&out, &words);
        let message = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {message}");
        assert!(message.contains(named), "{words:?}: {message}");
    }
}
