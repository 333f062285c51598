//! The command line as a user meets it: answers, errors, exit statuses.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::npy::{npy, six_pairs};

fn contrapositive(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("the program ended by itself")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn help_shows_examples_and_exit_statuses() {
    let help = contrapositive(&["--help"]);
    assert_eq!(status(&help), 0);
    let shown = text(&help.stdout);
    for part in ["Examples:", "replay fixtures/witnesses", "Exit status:", "a control was not refuted"] {
        assert!(shown.contains(part), "no \"{part}\" in:\n{shown}");
    }
}

#[test]
fn a_selection_that_matches_nothing_has_its_own_status() {
    let nothing = contrapositive(&["verify", "merad2020.lemma-99"]);
    assert_eq!(status(&nothing), 5);
    let message = text(&nothing.stderr);
    assert!(message.contains("merad2020.lemma-99") && message.contains("`list`"), "{message}");
}

#[test]
fn bad_words_are_named() {
    for (words, named) in [
        (vec!["verify", "--budget", "endless"], "endless"),
        (vec!["verify", "--kind", "poem"], "poem"),
        (vec!["list", "--verdict", "maybe"], "maybe"),
        (vec!["verify", "["], "["),
        (vec!["replay", "no/such/file.json"], "no/such/file.json"),
        (vec!["verify", "--fixtures", "no/such/folder"], "no/such/folder"),
    ] {
        let refused = contrapositive(&words);
        assert_eq!(status(&refused), 2, "{words:?}: {}", text(&refused.stderr));
        assert!(text(&refused.stderr).contains(named), "{words:?}: {}", text(&refused.stderr));
    }
}

#[test]
fn explain_shows_the_whole_claim() {
    let shown = text(&contrapositive(&["explain", "merad2020.prop-2-1"]).stdout);
    for part in [
        "Proposition 2, part (1): average task loss",
        "MIXED: some senses fail and others do not.",
        "nats, L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ) with every logarithm natural: FAIL,",
        "L_sup,k(f) ≤ L_sup,k^μ(f) ≤ (k/(1−τ))·(L_un(f) − τ)",
        "smallest found: 0.386294",
        "$ contrapositive replay merad2020.prop-2-1.nats",
        "given 1 ≤ k ≤ N_C − 1",
        "What holds instead",
        "- corrected: ",
        "Steps of the proof",
        "6 of 6 false variants refuted",
        "Families",
    ] {
        assert!(shown.contains(part), "no \"{part}\" in:\n{shown}");
    }
}

#[test]
fn list_names_what_is_expected_to_fail() {
    let shown = text(&contrapositive(&["list", "--verdict", "FAIL"]).stdout);
    assert!(shown.contains("esser2024.prop-1d") && !shown.contains("merad2020.lemma-1 "), "{shown}");
    assert_eq!(shown, text(&contrapositive(&["list", "--verdict", "fails"]).stdout));
    assert!(text(&contrapositive(&["list", "--verdict", "MISPRINT"]).stdout).contains("merad2020.cc-variance"));
    assert!(text(&contrapositive(&["list", "--verdict", "PASS"]).stdout).contains("merad2020.lemma-1 "));
}

#[test]
fn json_goes_where_it_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("run.json");
    let name = file.to_str().expect("a plain path");
    let words = ["verify", "ren2023.lemma-b2", "--budget", "quick", "--format", "json", "--output", name];
    assert_eq!(status(&contrapositive(&words)), 0);
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&file).expect("written")).expect("it is JSON");
    let claims = report["claims"].as_array().expect("a list of claims");
    assert_eq!(claims.len(), 211);
    let claim = claims.iter().find(|c| c["id"] == "ren2023.lemma-b2").expect("the claim that ran");
    assert_eq!(claim["verdict"], "holds");
    assert_eq!(claim["controls"]["total"], claim["controls"]["refuted"]);
    assert!(claim["instances"]["met"].as_u64().is_some_and(|met| met > 0));
}

fn replayed(witness: &Path) -> Output {
    contrapositive(&["replay", witness.to_str().expect("a plain path")])
}

#[test]
fn a_stored_witness_is_replayed_with_both_sides() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let output = replayed(&root.join("fixtures/witnesses/merad2020.prop-2-1.nats.json"));
    let shown = text(&output.stdout);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(shown.contains("0.693147") && shown.contains("0.386294") && shown.contains("violated"), "{shown}");
}

#[test]
fn the_witnesses_of_a_claim_are_found_by_its_name() {
    let all = contrapositive(&["replay", "merad2020.prop-2-1"]);
    let one = contrapositive(&["replay", "merad2020.prop-2-1.nats"]);
    assert_eq!((status(&all), status(&one)), (0, 0), "{}", text(&all.stderr));
    assert!(text(&all.stdout).starts_with(&text(&one.stdout)), "the headline's first");
    for (name, hint) in [
        ("merad2020.prop-2-1.nat", "merad2020.prop-2-1.nats"),
        ("merad2020.eq-6", "explain merad2020.eq-6"),
        ("merad2020.lema-2", "did you mean merad2020.lemma-2"),
    ] {
        let refused = contrapositive(&["replay", name]);
        assert_eq!(status(&refused), 2, "{name}");
        assert!(text(&refused.stderr).contains(hint), "{}", text(&refused.stderr));
    }
}

#[test]
fn a_report_on_one_claim_is_its_page() {
    let page = contrapositive(&["verify", "merad2020.prop-2-1", "--budget", "quick", "--output", "-"]);
    let page = text(&page.stdout);
    assert!(page.starts_with("# Proposition 2, part (1): average task loss"), "{page}");
    assert!(!page.contains("not yet") && !page.contains("lemma-2"), "{page}");
}

#[test]
fn a_witness_that_refutes_nothing_is_reported() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let stored = root.join("fixtures/witnesses/merad2020.prop-2-1.nats.json");
    let mut witness: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(stored).expect("stored")).expect("it is JSON");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("changed.json");
    let store = |witness: &serde_json::Value| std::fs::write(&file, witness.to_string()).expect("written");

    witness["check"] = "bits".into();
    store(&witness);
    assert_eq!(status(&replayed(&file)), 1);

    witness["check"] = "no-such".into();
    store(&witness);
    let output = replayed(&file);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("no-such"));

    witness["schema"] = 99.into();
    store(&witness);
    let output = replayed(&file);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("schema 99"));
}

#[test]
fn bounds_are_shown_for_a_users_own_embeddings() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path.to_str().expect("a plain path").to_owned()
    };
    let (embeddings, labels) = six_pairs();
    let (embeddings, labels) = (write("embeddings.npy", embeddings), write("labels.npy", labels));

    let refused = contrapositive(&["bounds", &embeddings, "no/such/labels.npy"]);
    assert_eq!(status(&refused), 2);
    assert!(text(&refused.stderr).contains("no/such/labels.npy"));
    let refused = contrapositive(&["bounds", &labels, &labels]);
    assert_eq!(status(&refused), 2, "labels are no table: {}", text(&refused.stderr));

    let shown = contrapositive(&["bounds", &embeddings, &labels, "--negatives", "5,15"]);
    assert_eq!(status(&shown), 0, "{}", text(&shown.stderr));
    let shown = text(&shown.stdout);
    for part in [
        "mean classifier", "Lemma 1, as printed", "Lemma 2, sharp factor", "merad2020.lemma-2.rarest-class: holds",
        "fewer negatives than classes",
    ] {
        assert!(shown.contains(part), "no \"{part}\" in:\n{shown}");
    }
}

/// A file of the corpus of embeddings.
fn reader(name: &str) -> String {
    format!("fixtures/readers/embeddings/{name}")
}

#[cfg(feature = "formats")]
#[test]
fn bounds_answer_in_every_form_and_from_every_format() {
    let (points, labels) = (reader("points.npz:points"), reader("data.csv:kind"));
    let json = contrapositive(&["bounds", &points, &labels, "--negatives", "3", "--format", "json"]);
    assert_eq!(status(&json), 0, "{}", text(&json.stderr));
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("it is JSON");
    assert_eq!(json["report"]["classes"][1]["name"], "dog");
    assert_eq!(json["claims"]["merad2020.lemma-2"]["checks"]["rarest-class"], "holds");
    assert!(json["conclusion"].as_str().is_some_and(|words| words.contains("sharp form of Lemma 2")));
    let rows = json["report"]["unsupervised"].as_array().expect("losses");
    assert!(rows.iter().any(|row| row["negatives"] == 3 && row["asked"] == true));

    assert!(json["conventions"].as_str().is_some_and(|words| words.contains("3 embeddings")));
    assert_eq!(json["claims"]["merad2020.lemma-2"]["grade"], "exact");

    let html = contrapositive(&["bounds", &points, &labels, "--format", "html"]);
    assert_eq!(status(&html), 0, "{}", text(&html.stderr));
    assert!(text(&html.stdout).starts_with("<!doctype html>"));

    for (arguments, part) in [
        (&["--temperature", "0"][..], "temperature 0"),
        (&["--temperature", "-1"], "temperature -1"),
        (&["--tasks", "5"], "tasks of 5 classes"),
        (&["--work", "1", "--exact"], "--work"),
        (&["--alpha", "2"], "alpha = 2"),
        (&["--work", "nan"], "work = NaN"),
        (&["--half-width", "0"], "half-width = 0"),
        (&["--negatives", "0"], "0 negatives"),
    ] {
        let refused = contrapositive(&[&["bounds", &points, &labels][..], arguments].concat());
        let message = text(&refused.stderr);
        assert!(status(&refused) == 2 && message.contains(part), "{arguments:?}: {message}");
    }
    let refused = contrapositive(&["bounds", &reader("points.npz"), &labels]);
    let message = text(&refused.stderr);
    assert!(status(&refused) == 2 && message.contains("labels, points"), "{message}");
}

#[test]
fn views_need_no_labels() {
    // The same three points in either format.
    let one = reader(if cfg!(feature = "formats") { "points.csv" } else { "points-f2.npy" });
    let other = reader("points-f2.npy");
    let shown = contrapositive(&["bounds", "--views", &one, &other, "--temperature", "0.5", "--negatives", "2"]);
    assert_eq!(status(&shown), 0, "{}", text(&shown.stderr));
    let shown = text(&shown.stdout);
    for part in ["NT-Xent (SimCLR)", "CLIP, the mean of both", "N = 2 drawn", "not cosines", "3 pairs"] {
        assert!(shown.contains(part), "no \"{part}\" in:\n{shown}");
    }
    let refused = contrapositive(&["bounds", &one, &other, "--views", &one, &other]);
    assert_eq!(status(&refused), 2);
    for (option, value, part) in [("--alpha", "2", "alpha = 2"), ("--work", "nan", "work = NaN")] {
        let refused = contrapositive(&["bounds", "--views", &one, &other, option, value]);
        let message = text(&refused.stderr);
        assert!(status(&refused) == 2 && message.contains(part), "{message}");
    }
}

#[cfg(feature = "formats")]
#[test]
fn numbers_without_candidates_zero_rows_and_columns_of_labels_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path.to_str().expect("a plain path").to_owned()
    };
    let mut rows = String::from("a,b,label\n");
    (0..20).for_each(|i| rows.push_str(&format!("{}.5,{},{}\n", i % 7, i % 5, i % 2)));
    let data = write("data.csv", rows.as_bytes());
    let labels = format!("{data}:label");
    let shown = contrapositive(&["bounds", &data, &labels, "--without-replacement"]);
    assert_eq!(status(&shown), 0, "{}", text(&shown.stderr));
    let words = text(&shown.stdout);
    assert!(words.contains("as trained, N = 15") && words.contains("18 candidates"), "{words}");
    assert!(!text(&shown.stderr).contains("warning"), "{}", text(&shown.stderr));

    let numbers: String = (0..20).map(|i| format!("{}\n", i % 2)).collect();
    let other = write("labels.csv", format!("label\n{numbers}").as_bytes());
    let shown = contrapositive(&["bounds", &data, &other]);
    assert!(status(&shown) == 0 && text(&shown.stderr).contains("the column label"), "{}", text(&shown.stderr));

    let zero = write("zero.csv", b"1,2\n0,0\n");
    let two = write("two.csv", b"label\n0\n1\n");
    let refused = contrapositive(&["bounds", &zero, &two, "--normalize"]);
    let message = text(&refused.stderr);
    assert!(status(&refused) == 2 && message.contains("zero.csv: row 1"), "{message}");

    let pickle = write("points.pkl", b"\x80\x04\x95\x10\0\0\0");
    let refused = contrapositive(&["bounds", &pickle, &two]);
    let message = text(&refused.stderr);
    assert!(status(&refused) == 2 && message.contains("pickle"), "{message}");
    let one = write("one.csv", b"label\n7\n7\n");
    let shown = contrapositive(&["bounds", &zero, &one]);
    assert!(text(&shown.stdout).starts_with("Nothing to bound"), "{}", text(&shown.stdout));
}

#[test]
fn lengths_that_do_not_fit_name_both_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (embeddings, _) = six_pairs();
    let (points, labels) = (folder.path().join("points.npy"), folder.path().join("few.npy"));
    std::fs::write(&points, embeddings).expect("written");
    std::fs::write(&labels, npy("|u1", "3,", &[0, 1, 2])).expect("written");
    let (points, labels) = (points.to_str().expect("plain"), labels.to_str().expect("plain"));
    let refused = contrapositive(&["bounds", points, labels]);
    assert_eq!(status(&refused), 2);
    let message = text(&refused.stderr);
    assert!(message.contains(points) && message.contains(labels), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_are_read_once_and_what_has_no_end_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, bytes: Vec<u8>| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path.to_str().expect("a plain path").to_owned()
    };
    let (embeddings, labels) = six_pairs();
    let (points, labels) = (write("points.npy", embeddings), write("labels.npy", labels));
    for endless in ["/dev/zero", "/dev/urandom"] {
        assert_eq!(status(&contrapositive(&["bounds", endless, &labels])), 2);
        assert_eq!(status(&contrapositive(&["bounds", &points, endless])), 2);
    }
    let pipe = folder.path().join("a pipe \u{1b}[31m");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.is_ok_and(|status| status.success()), "a pipe");
    let name = pipe.to_str().expect("a plain path");
    let bytes = std::fs::read(&points).expect("there");
    let feed = |bytes: Vec<u8>| {
        let pipe = pipe.clone();
        // A reader that refuses the beginning does not read on.
        std::thread::spawn(move || drop(std::fs::write(pipe, bytes)))
    };
    let writer = feed(bytes);
    let shown = contrapositive(&["bounds", name, &labels]);
    writer.join().expect("it has written");
    assert_eq!(status(&shown), 0, "{}", text(&shown.stderr));
    let writer = feed(b"no array".to_vec());
    let refused = contrapositive(&["bounds", name, &labels]);
    writer.join().expect("it has written");
    let message = text(&refused.stderr);
    assert_eq!(status(&refused), 2, "{message}");
    assert!(message.contains("a pipe") && !message.contains('\u{1b}'), "{message:?}");
}

#[test]
fn explain_runs_the_proofs_of_a_claim() {
    let shown = text(&contrapositive(&["explain", "merad2020.lemma-3"]).stdout);
    assert!(shown.contains("Proved for all d ≥ 1 and all z ∈ ℝ^{3d}: covered by"), "{shown}");
}

#[test]
fn mutants_are_counted_and_told_apart() {
    let words = ["mutate", "merad2020.lemma-4", "merad2020.prop-2-1", "--format", "json"];
    let output = contrapositive(&words);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let checks = report["checks"].as_array().expect("a list of checks");
    let fates = |check: &str| -> Vec<&str> {
        let found = checks.iter().find(|c| c["check"] == check).expect("a check that is expected to hold");
        let mutants = found["mutants"].as_array().expect("a list of mutants");
        mutants.iter().map(|m| m["fate"].as_str().expect("a fate")).collect()
    };
    // v/(1 − v) ≤ 2v is attained at v = ½, so no smaller factor will do; 2ε/η has more than a factor two to spare.
    assert_eq!(fates("s4-half"), ["killed"; 4]);
    assert_eq!(fates("printed"), ["survived", "survived", "survived", "killed"]);
    // What fails as printed has no mutants.
    assert!(checks.iter().all(|c| c["check"] != "nats"));
    let tried: u64 = report["summary"].as_array().expect("kinds").iter().filter_map(|k| k["tried"].as_u64()).sum();
    assert!(tried > 20, "{tried}");

    let shown = text(&contrapositive(&["mutate", "merad2020.lemma-4", "--survivors"]).stdout);
    assert!(shown.contains("merad2020.lemma-4 printed") && !shown.contains("s4-half"), "{shown}");
}

#[test]
fn a_counterexample_is_kept_where_it_is_told_and_never_in_the_working_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let (cache, work) = (folder.path().join("cache"), folder.path().join("work"));
    std::fs::create_dir(&work).expect("made");
    let tried = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_contrapositive"))
            .args(["try", "x^2 >= x"].iter().chain(words))
            .current_dir(&work)
            .env("XDG_CACHE_HOME", &cache)
            .output()
            .expect("runs");
        assert_eq!(status(&output), 1, "{output:?}");
        let left = std::fs::read_dir(&work).expect("read").count();
        (text(&output.stdout), left)
    };
    let (said, left) = tried(&[]);
    let place = said.lines().find_map(|line| line.split_once("--replay ").map(|(_, place)| place.to_owned()));
    let place = place.unwrap_or_else(|| panic!("{said}"));
    assert!(left == 0 && Path::new(&place).starts_with(&cache), "{said}");
    assert_eq!(status(&replayed_statement(&place)), 0);
    let (said, left) = tried(&["--output", "-"]);
    assert!(left == 0 && !said.contains("--replay"), "{said}");
    let (said, left) = tried(&["--output", "own.json"]);
    assert!(left == 1 && said.contains("--replay own.json"), "{said}");
    // Where nothing can be kept the verdict stands.
    std::fs::remove_dir_all(&cache).expect("removed");
    std::fs::write(&cache, "").expect("written");
    let (said, _) = tried(&[]);
    assert!(said.contains("not stored in") && said.contains("--output FILE"), "{said}");
}

fn replayed_statement(place: &str) -> Output {
    contrapositive(&["try", "--replay", place])
}

#[test]
fn the_file_that_the_readme_shows_is_verified_as_it_stands() {
    let readme = include_str!("../../../README.md");
    let shown = readme.split_once("```toml\n").and_then(|(_, rest)| rest.split_once("```"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("lemma.toml");
    std::fs::write(&file, shown.expect("a TOML file").0).expect("written");
    let file = file.to_str().expect("a plain path");
    let verified = contrapositive(&["verify", file, "--budget", "quick"]);
    assert_eq!(status(&verified), 0, "{verified:?}");
}

#[test]
fn a_file_of_statements_is_explained_and_reported() {
    let file = "examples/statements/bennett.toml";
    let explained = contrapositive(&["explain", file]);
    assert_eq!(status(&explained), 0, "{explained:?}");
    for part in ["bennett.bernstein", "bennett.without-the-linear-term", "PASS", "FAIL"] {
        assert!(text(&explained.stdout).contains(part), "no {part}");
    }
    let reported = contrapositive(&["verify", file, "--budget", "quick", "--format", "markdown"]);
    assert_eq!(status(&reported), 0, "{reported:?}");
    assert!(text(&reported.stdout).starts_with("# Report") && text(&reported.stdout).contains("bennett.bernstein"));
}

#[test]
fn claims_are_explained_and_replayed_where_there_is_no_folder_of_fixtures() {
    let folder = tempfile::tempdir().expect("a folder");
    let elsewhere = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_contrapositive"));
        command.args(words).current_dir(folder.path()).env("XDG_CACHE_HOME", folder.path().join("cache"));
        command.output().expect("runs")
    };
    for words in [["explain", "merad2020.norm-rank-term"], ["replay", "merad2020.norm-rank-term"]] {
        let (away, here) = (elsewhere(&words), contrapositive(&words));
        assert_eq!((status(&away), text(&away.stdout)), (0, text(&here.stdout)), "{}", text(&away.stderr));
    }
    // A run that writes pages beside the fixtures needs a folder of its own.
    let refused = elsewhere(&["verify", "merad2020.norm-rank-term"]);
    assert_eq!(status(&refused), 2);
    assert!(text(&refused.stderr).contains("no fixtures folder"), "{}", text(&refused.stderr));
}
