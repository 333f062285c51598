//! The committed figures begin as the program computes them now; the command as a user meets it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::npy::npy;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_contrapositive"));
    command.current_dir(ROOT).arg("figures").args(words).args(["--threads", "2"]);
    command
}

fn figures(words: &[&str]) -> Output {
    command(words).output().expect("the program starts")
}

/// The trainings that an earlier call has finished.
fn kept(folder: &Path) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let unfinished = entries.flatten().filter(|e| e.file_name().to_string_lossy().starts_with(".unfinished-"));
    let finished = |path: &Path| path.extension().is_some_and(|e| e == "json");
    unfinished
        .filter_map(|e| fs::read_dir(e.path()).ok())
        .flat_map(|files| files.flatten().filter(|file| finished(&file.path())))
        .count()
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

/// Every line of a fresh table stands in the committed one.
fn is_a_part_of_what_is_committed(folder: &Path, name: &str, command: &str) -> usize {
    let (committed, fresh) = (read(&Path::new(ROOT).join("docs/figures"), name), read(folder, name));
    let committed: BTreeSet<&str> = committed.lines().collect();
    for line in fresh.lines() {
        assert!(
            committed.contains(line),
            "docs/figures/{name} is stale, renew it with `contrapositive {command}`: now {line}"
        );
    }
    fresh.lines().count()
}

#[test]
fn the_committed_table_begins_with_what_is_computed_now() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().to_str().expect("a plain path");
    let words = ["--steps", "5", "--runs", "1", "--negatives", "35", "--output", place];
    let run = figures(&words);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    // The heading, and a training at 0, 1, 2 and 5 updates.
    assert_eq!(is_a_part_of_what_is_committed(folder.path(), "contrastive.csv", "figures"), 5);
    assert!(
        !fs::read_dir(folder.path())
            .expect("a folder")
            .flatten()
            .any(|e| { e.file_name().to_string_lossy().starts_with('.') }),
        "what was kept for going on is gone at the end"
    );
}

#[test]
fn the_committed_courses_and_accuracies_are_those_computed_now() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().to_str().expect("a plain path");
    let words = ["--widths", "64", "--timed", "64", "--outputs", "1", "--starts", "2"];
    let run = figures(&[&["dynamics"], &words[..], &["--output", place]].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let told = String::from_utf8_lossy(&run.stdout);
    assert_eq!(told.lines().filter(|line| line.starts_with("digits ")).count(), 4, "{told}");
    let part = |name| is_a_part_of_what_is_committed(folder.path(), name, "figures dynamics");
    // The heading, and two starts for each pair of digits at 0, 1, 2, 5, ..., 1000 steps.
    assert_eq!((part("dynamics.csv"), part("accuracy.csv")), (45, 5));
    for (digits, reason) in [("4,4", "two different digits"), ("4", "two digits are wanted, not 1")] {
        let run = figures(&["dynamics", "--digits", digits, "--output", place]);
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.code() == Some(2) && said.contains(reason), "{said}");
    }
}

#[test]
fn the_committed_table_of_two_views_begins_with_what_is_computed_now() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().to_str().expect("a plain path");
    let run = figures(&["two-views", "--starts", "1", "--steps", "20", "--output", place]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    // The heading, and three losses at 0, 1, 2, 5, 10 and 20 steps.
    assert_eq!(is_a_part_of_what_is_committed(folder.path(), "two-views.csv", "figures two-views"), 19);
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
    let pixels = |n: u32| (0..n).map(|i| (i * i % 251) as u8).collect::<Vec<u8>>();
    let images = put("squares [1]", idx(&[count, side, side], pixels(count * side * side)));
    let labels = put("labels", idx(&[count], (0..count).map(|i| (i % 3) as u8).collect()));
    let out = folder.path().join("out");
    let place = out.to_str().expect("a plain path");
    let words = ["--data", &images, &labels, "--steps", "2", "--runs", "2", "--batch", "3"];
    let run = figures(&[&words[..], &["--negatives", "2,1,2", "--output", place]].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let table = read(&out, "contrastive.csv");
    // Three moments of two runs for one negative and for two, each number of negatives once.
    assert_eq!(table.lines().count(), 1 + 3 * 2 * 2, "{table}");
    let page = read(&out, "contrastive.md");
    assert!(page.contains("on 12 images of squares \\[1\\], 3 classes of 4"), "{page}");
    for name in ["figure-1.svg", "figure-2.svg", "figure-3.svg", "bounds.svg"] {
        assert!(read(&out, name).starts_with("<svg"), "{name}");
    }

    // The same from NumPy, as shares of the largest byte.
    let share = |byte: u8| (f64::from(byte) / 255.0).to_le_bytes();
    let shares: Vec<u8> = pixels(count * side * side).into_iter().flat_map(share).collect();
    let rows = npy("<f8", "12, 169", &shares);
    let classes: Vec<u8> = (0..count).map(|i| (i % 3) as u8).collect();
    let (rows, classes) = (put("squares.npy", rows), put("labels.npy", npy("|u1", "12,", &classes)));
    let other = folder.path().join("of-numpy");
    let place_of_other = other.to_str().expect("a plain path");
    let words = ["--data", &rows, &classes, "--steps", "2", "--runs", "2", "--batch", "3"];
    let run = figures(&[&words[..], &["--negatives", "1,2", "--output", place_of_other]].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(read(&other, "contrastive.csv"), table);

    let oblong = put("oblong", idx(&[count, 3, 5], pixels(count * 15)));
    let small = put("small", idx(&[count, 8, 8], pixels(count * 64)));
    let fewer = put("fewer", idx(&[count - 1], vec![0; count as usize - 1]));
    let alone = put("alone", idx(&[count], vec![7; count as usize]));
    for (images, labels, reason) in [
        (&oblong, &labels, "15 numbers make no square image"),
        (&small, &labels, "images of 8 times 8 pixels"),
        (&images, &fewer, "11 labels for the 12 points"),
        (&images, &alone, "one class only"),
        (&labels, &labels, "an array with 1 axes, expected 3"),
    ] {
        let run = figures(&["--data", images, labels, "--output", place]);
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
    }
    assert_eq!(read(&out, "contrastive.csv"), table, "what was refused has changed nothing");
}

/// CIFAR-10 as it is distributed: files of records of a label and 3072 bytes.
#[test]
fn files_of_cifar_hold_images_and_labels() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, labels: &[u8]| {
        let record = |&label: &u8| {
            let pixel = move |i: u32| (u32::from(label) * 37 + i * i % 101) as u8;
            std::iter::once(label).chain((0..3072).map(pixel))
        };
        let path = folder.path().join(name);
        fs::write(&path, labels.iter().flat_map(record).collect::<Vec<u8>>()).expect("written");
        path.to_str().expect("a plain path").to_owned()
    };
    let first = put("data_batch_1.bin", &[3, 5, 3, 5, 5]);
    let second = put("data_batch_2.bin", &[5, 3, 3]);
    let out = folder.path().join("out");
    let words = ["--steps", "1", "--runs", "1", "--batch", "2", "--negatives", "2", "--output"];
    let place = [out.to_str().expect("a plain path")];
    let run = figures(&[&["--data", &first, &second, "--per-class", "3"], &words[..], &place].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let page = read(&out, "contrastive.md");
    assert!(page.contains("on 6 images of data\\_batch\\_1.bin and 1 more, 2 classes of 3"), "{page}");

    let short = folder.path().join("short.bin");
    fs::write(&short, [3; 3000]).expect("written");
    let short = short.to_str().expect("a plain path");
    for (files, reason) in [
        (vec![short], "3000 values do not fill 1 rows of 3073"),
        (vec![&first, "labels.npy", "more.npy"], "not 3 files"),
    ] {
        let run = figures(&[&["--data"], &files[..], &["--output"], &place].concat());
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn a_killed_run_goes_on_where_it_was_and_ends_with_the_same_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("written");
        path.to_str().expect("a plain path").to_owned()
    };
    let (count, side) = (40u32, 13u32);
    let pixels = (0..count * side * side).map(|i| (i * i % 251) as u8).collect();
    let images = put("images", idx(&[count, side, side], pixels));
    let labels = put("labels", idx(&[count], (0..count).map(|i| (i % 4) as u8).collect()));
    let words = |place: &Path| {
        let place = place.to_str().expect("a plain path");
        let words = ["--data", &images, &labels, "--steps", "30", "--batch", "8", "--runs", "6", "--negatives", "1,9"];
        [&words[..], &["--output", place]].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let (whole, broken) = (folder.path().join("whole"), folder.path().join("broken"));
    let all = words(&whole);
    let run = figures(&all.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let trained = |run: &Output| {
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        said.lines().filter(|line| line.starts_with("N = ")).count()
    };
    assert_eq!(trained(&run), 12);

    let same = words(&broken);
    let same: Vec<&str> = same.iter().map(String::as_str).collect();
    let mut child = command(&same).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    // Stopped without warning as soon as something is kept.
    while kept(&broken) < 3 && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let finished = kept(&broken);
    assert!((3..12).contains(&finished), "killed with {finished} of 12 trainings finished");
    assert!(!broken.join("contrastive.csv").exists());

    let run = figures(&same);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(trained(&run), 12 - finished, "what was kept is not trained again");
    for name in ["contrastive.csv", "contrastive.md", "figure-1.svg", "figure-2.svg", "figure-3.svg", "bounds.svg"] {
        assert_eq!(read(&broken, name), read(&whole, name), "{name}");
    }
    assert_eq!(kept(&broken), 0);
}
