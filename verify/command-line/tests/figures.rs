//! The committed figures begin as the program computes them now; the command as a user meets it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn figures(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(ROOT)
        .arg("figures")
        .args(["--threads", "2"])
        .args(words)
        .output()
        .expect("the program starts")
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn idx(lengths: &[u32], data: Vec<u8>) -> Vec<u8> {
    let mut bytes = vec![0, 0, 8, lengths.len() as u8];
    bytes.extend(lengths.iter().flat_map(|length| length.to_be_bytes()));
    bytes.extend(data);
    bytes
}

#[test]
fn the_committed_table_begins_with_what_is_computed_now() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().to_str().expect("a plain path");
    let words = ["--steps", "10", "--runs", "1", "--negatives", "1,35", "--output", place];
    let run = figures(&words);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let (committed, fresh) = (
        read(&Path::new(ROOT).join("docs/figures"), "contrastive.csv"),
        read(folder.path(), "contrastive.csv"),
    );
    let committed: BTreeSet<&str> = committed.lines().collect();
    // The heading, and two trainings at 0, 1, 2, 5 and 10 updates.
    assert_eq!(fresh.lines().count(), 11);
    for line in fresh.lines() {
        assert!(
            committed.contains(line),
            "docs/figures is stale, renew it with `contrapositive figures`: now {line}"
        );
    }
    let kept = fs::read_dir(folder.path()).expect("a folder");
    let hidden = kept
        .flatten()
        .filter(|e| e.file_name().to_string_lossy().starts_with('.'));
    assert_eq!(hidden.count(), 0, "what was kept for going on is gone at the end");
}

#[test]
fn images_of_ones_own_are_trained_on_and_bad_ones_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        path.to_str().expect("a plain path").to_owned()
    };
    let (count, side) = (12u32, 13u32);
    let pixels = |n: u32| (0..n).map(|i| (i * i % 251) as u8).collect();
    let images = put("squares [1]", idx(&[count, side, side], pixels(count * side * side)));
    let labels = put("labels", idx(&[count], (0..count).map(|i| (i % 3) as u8).collect()));
    let out = folder.path().join("out");
    let place = out.to_str().expect("a plain path");
    let words = [
        "--data", &images, &labels, "--steps", "2", "--runs", "2", "--batch", "3",
    ];
    let run = figures(&[&words[..], &["--negatives", "2,1,2", "--output", place]].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let table = read(&out, "contrastive.csv");
    // Three moments of two runs for one negative and for two, each number of negatives once.
    assert_eq!(table.lines().count(), 1 + 3 * 2 * 2, "{table}");
    let page = read(&out, "contrastive.md");
    assert!(
        page.contains("on 12 images of squares \\[1\\], 3 classes of 4"),
        "{page}"
    );
    for name in ["figure-1.svg", "figure-2.svg", "figure-3.svg", "bounds.svg"] {
        assert!(read(&out, name).starts_with("<svg"), "{name}");
    }

    let oblong = put("oblong", idx(&[count, 3, 5], pixels(count * 15)));
    let small = put("small", idx(&[count, 8, 8], pixels(count * 64)));
    let fewer = put("fewer", idx(&[count - 1], vec![0; count as usize - 1]));
    let alone = put("alone", idx(&[count], vec![7; count as usize]));
    for (images, labels, reason) in [
        (&oblong, &labels, "15 numbers make no square image"),
        (&small, &labels, "images of 8 times 8 pixels"),
        (&images, &fewer, "11 labels for the 12 points"),
        (&images, &alone, "one class only"),
        (&labels, &labels, "expected [00, 00, 08, 03]"),
    ] {
        let run = figures(&["--data", images, labels, "--output", place]);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
    }
    assert_eq!(
        read(&out, "contrastive.csv"),
        table,
        "what was refused has changed nothing"
    );
}
