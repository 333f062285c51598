//! The committed page on convergence is what the program writes now; the command as a user meets it.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::committed::assert_is_current;
use crate::support::npy::six_pairs;
use crate::support::whole_tests;

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

/// A part: the rows of the table for one negative.
#[test]
fn the_committed_page_is_what_the_program_writes_now() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = whole_tests();
    let run = convergence(folder.path(), if whole { &[] } else { &["--negatives", "1"] });
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    if !whole {
        let committed = read(&Path::new(ROOT).join("docs"), "convergence.csv");
        let committed: HashSet<&str> = committed.lines().collect();
        let fresh = read(folder.path(), "convergence.csv");
        let moved: Vec<&str> = fresh.lines().filter(|row| !committed.contains(row)).collect();
        assert!(
            moved.is_empty(),
            "docs/convergence.csv is stale: renew it with `contrapositive convergence`: {moved:#?}"
        );
        assert!(fresh.lines().count() > 100, "rows of every estimator");
        return;
    }
    for name in ["convergence.csv", "convergence.md", "convergence.svg", "convergence-supervised.svg"] {
        let (committed, fresh) = (read(&Path::new(ROOT).join("docs"), name), read(folder.path(), name));
        assert_is_current(&format!("docs/{name}"), &committed, &fresh, "contrapositive convergence");
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

    let words = ["--points", &points, "--labels", &labels, "--negatives", "1,7", "--seed", "5", "--time"];
    let run = convergence(&out, &words);
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(String::from_utf8_lossy(&run.stdout).contains(" s\n"), "seconds on the terminal");
    let (page, table, picture) =
        (read(&out, "convergence.md"), read(&out, "convergence.csv"), read(&out, "convergence.svg"));
    for part in ["--negatives 1,7 --seed 5", "| 7 | conditional |", "| 1 | U-statistic |", "(convergence.svg)"] {
        assert!(page.contains(part), "no \"{part}\" in:\n{page}");
    }
    assert!(!page.contains("README"), "the page of one's own embeddings stands by itself");
    assert!(table.lines().skip(1).all(|line| line.starts_with("\"my points, normalised\",")), "{table}");
    assert!(picture.starts_with("<svg") && picture.contains("N = 7") && picture.ends_with("</svg>\n"));

    // Every estimator is within four of its own standard errors, and the exact loss far closer.
    for line in table.lines().skip(1) {
        let rest = line.strip_prefix("\"my points, normalised\",").expect("a quoted name");
        // The name of a loss may have a comma: L_sup,1^μ.
        let behind = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\",").expect("a quoted loss").1,
            None => rest.split_once(',').expect("a loss").1,
        };
        let fields: Vec<&str> = behind.split(',').collect();
        let number = |i: usize| fields[i].parse::<f64>();
        match fields[0] {
            "exact" => assert!(number(8).expect("a half-width") < 1e-10, "{line}"),
            _ => assert!(number(7).expect("an error") < 4.5 * number(11).expect("a standard error"), "{line}"),
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

#[test]
fn shards_in_any_order_give_what_one_study_gives() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        path.to_str().expect("a plain path").to_owned()
    };
    let (points, labels) = six_pairs();
    let (points, labels) = (put("points.npy", points), put("labels.npy", labels));
    let study = ["--points", &points, "--labels", &labels, "--negatives", "1"];
    let ended = |place: &Path, words: &[&str], status: i32| -> String {
        let run = convergence(place, &[&study[..], words].concat());
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(status), "{words:?}: {said}");
        said
    };
    let (whole, merged) = (folder.path().join("whole"), folder.path().join("merged"));
    ended(&whole, &[], 0);
    for number in 1..=3 {
        ended(folder.path(), &["--shard", &format!("{number}/3")], 0);
    }
    let shard = |number: u32, of: u32| {
        let path = folder.path().join(format!("convergence-{number}-of-{of}.bin"));
        path.to_str().expect("a plain path").to_owned()
    };
    let (first, second, third) = (shard(1, 3), shard(2, 3), shard(3, 3));
    ended(&merged, &["--merge", &third, &first, &second], 0);
    for name in ["convergence.csv", "convergence.md", "convergence.svg"] {
        assert_eq!(read(&whole, name), read(&merged, name), "{name}");
    }

    let refused = |words: &[&str], named: &[&str]| {
        let said = ended(&folder.path().join("refused"), words, 2);
        for part in named {
            assert!(said.contains(part), "no {part:?} in {said}");
        }
    };
    refused(&["--merge", &third, &first], &["missing: shard 2/3"]);
    refused(&["--merge", &third, &first, &third], &["duplicate", "shard 3/3"]);
    refused(&["--merge", &first, &second, &third, "--seed", "7"], &["foreign", "seed"]);
    ended(folder.path(), &["--shard", "8/8"], 0);
    refused(&["--merge", &first, &shard(8, 8)], &["foreign", "number of shards"]);
    refused(&["--merge", &points], &["points.npy", "not a shard"]);
    refused(&["--shard", "1/3", "--merge", &first], &["cannot be used with"]);
}
