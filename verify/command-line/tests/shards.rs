//! A run cut into shards is the same run: whatever the cut and the order, merged it gives the same bytes, and what does not belong
//! together is named.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cli::storage::costs::{Costs, Seconds, TABLE};
use cli::storage::shard::Shard;
use evidence::budget::Budget;

use crate::support::committed::assert_is_current;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Claims that fail and hold, with witnesses, constants, steps and proofs between them; quick ones.
const CLAIMS: [&str; 5] =
    ["merad2020.lemma-4", "merad2020.prop-2-1", "merad2020.lemma-6", "ren2023.lemma-b2", "ren2023.lemma-b11"];

fn contrapositive(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(ROOT)
        .args(words)
        .output()
        .expect("the program starts")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("the program ended by itself")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// Computes one shard of the claims and answers with its file.
fn shard(folder: &Path, name: &str, cut: &str, more: &[&str]) -> PathBuf {
    let path = folder.join(name);
    let words = ["verify", "--no-journal", "--shard", cut, "--output", text(&path)];
    let budget: &[&str] = if more.contains(&"--budget") { &[] } else { &["--budget", "quick"] };
    let output = contrapositive(&[&words[..], budget, &CLAIMS[..], more].concat());
    assert_eq!(status(&output), 0, "{cut}: {}", said(&output));
    path
}

fn merged(shards: &[&Path], more: &[&str]) -> Output {
    let shards: Vec<&str> = shards.iter().map(|p| text(p)).collect();
    contrapositive(&[&["merge"], &shards[..], more].concat())
}

#[test]
fn shards_in_any_order_give_what_one_run_gives() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let of = |cut: &str| shard(folder.path(), &cut.replace('/', "-"), cut, &[]);
    let (first, second, third) = (of("1/3"), of("2/3"), of("3/3"));
    // More shards than claims: the last ones are empty.
    let eight: Vec<PathBuf> = (1..=8).rev().map(|n| of(&format!("{n}/8"))).collect();
    let eight: Vec<&Path> = eight.iter().map(PathBuf::as_path).collect();
    let junit = cfg!(feature = "junit").then_some("junit");
    // One run, of which every form is written.
    let journal = folder.path().join("journal");
    for format in ["markdown", "json", "summary"].into_iter().chain(junit) {
        let words = ["verify", "--budget", "quick", "--journal", text(&journal), "--format", format, "--output", "-"];
        let whole = contrapositive(&[&words[..], &CLAIMS[..]].concat());
        assert_eq!(status(&whole), 0, "{}", said(&whole));
        for shards in [&[&*third, &*first, &*second][..], &eight[..]] {
            let output = merged(shards, &["--format", format]);
            assert_eq!(status(&output), 0, "{}", said(&output));
            assert!(output.stdout == whole.stdout, "{format} of {} shards", shards.len());
            assert!(said(&output).contains("5 claims: "), "{}", said(&output));
        }
    }
}

#[test]
fn what_does_not_belong_together_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let of = |name: &str, cut: &str, more: &[&str]| shard(folder.path(), name, cut, more);
    let (first, second) = (of("first", "1/3", &[]), of("second", "2/3", &[]));
    let refused = |shards: &[&Path], parts: &[&str]| {
        let output = merged(shards, &["--format", "json"]);
        assert_eq!(status(&output), 2, "{}", said(&output));
        assert!(output.stdout.is_empty());
        for part in parts {
            assert!(said(&output).contains(part), "no {part:?} in {}", said(&output));
        }
    };
    refused(&[&*first, &*second], &["missing: shard 3/3", "merad2020."]);
    refused(&[&*second], &["missing: shards 1/3, 3/3", "which hold"]);
    refused(&[&*first, &*second, &*first], &["duplicate", "first both contain"]);
    let whole = of("whole", "1/1", &[]);
    refused(&[&*first, &*whole], &["duplicate", "first", "whole"]);

    let other = of("seed", "3/3", &["--seed", "7"]);
    refused(&[&*first, &*second, &*other], &["foreign", "seed", "its seed is 7", "20201126"]);
    // The last of eight shards of five claims holds none of them, and is of another run all the same.
    let other = of("budget", "8/8", &["--budget", "standard"]);
    refused(&[&*first, &*other], &["foreign", "its budget is standard"]);
    let other = of("selection", "8/8", &["wen2020.eq-a3"]);
    refused(&[&*first, &*second, &*other], &["foreign", "selection"]);

    let mut bytes = fs::read(&whole).expect("written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = folder.path().join("damaged");
    fs::write(&damaged, &bytes).expect("written");
    refused(&[&*damaged], &["damaged", "checksum"]);
    refused(&[Path::new("no/such/shard")], &["no/such/shard"]);
}

#[test]
fn shards_of_other_data_or_witnesses_are_foreign() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixtures = folder.path().join("fixtures");
    for part in ["digits", "mnist5k", "witnesses"] {
        fs::create_dir_all(fixtures.join(part)).expect("made");
        for entry in fs::read_dir(Path::new(ROOT).join("fixtures").join(part)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name");
            if part != "witnesses" || name.to_string_lossy().starts_with("ren2023.lemma-b") {
                fs::copy(&path, fixtures.join(part).join(name)).expect("copied");
            }
        }
    }
    let first = shard(folder.path(), "first", "1/2", &[]);
    let second = shard(folder.path(), "second", "2/2", &["--fixtures", text(&fixtures)]);
    let output = merged(&[&first, &second], &["--format", "json"]);
    assert_eq!(status(&output), 2);
    assert!(said(&output).contains("foreign shard") && said(&output).contains("witnesses"), "{}", said(&output));
    // On their own the second one's witnesses are not those beside this merge.
    let output = merged(&[&second], &["--format", "json"]);
    assert!(said(&output).contains("this program here"), "{}", said(&output));
}

#[cfg(unix)]
#[test]
fn the_array_script_of_the_page_makes_shards_that_merge() {
    let page = fs::read_to_string(Path::new(ROOT).join("docs/many-machines.md")).expect("the page");
    let section = page.split("## Slurm").nth(1).expect("a section");
    let script = section.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("catalogue.sh");
    fs::write(&file, script.expect("a script")).expect("written");
    fs::create_dir_all(folder.path().join("bin")).expect("made");
    let program = folder.path().join("bin/contrapositive");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_contrapositive"), &program).expect("a link");
    let path = std::env::join_paths(
        std::iter::once(folder.path().join("bin"))
            .chain(std::env::split_paths(&std::env::var_os("PATH").expect("a path"))),
    );
    let fixtures = Path::new(ROOT).join("fixtures");
    for task in 1..=3 {
        let ended = Command::new("sh")
            .arg(&file)
            .args(["--budget", "quick", "--no-journal", "--fixtures", text(&fixtures)])
            .args(CLAIMS)
            .current_dir(folder.path())
            .env("PATH", path.as_ref().expect("a path"))
            .env("SLURM_CPUS_PER_TASK", "2")
            .env("SLURM_ARRAY_TASK_ID", task.to_string())
            .env("SLURM_ARRAY_TASK_COUNT", "3")
            .output()
            .expect("a shell");
        assert_eq!(status(&ended), 0, "{}", said(&ended));
    }
    let shards = [1, 2, 3].map(|task| folder.path().join(format!("shards/{task}.bin")));
    let merged = merged(&[&shards[2], &shards[0], &shards[1]], &["--format", "summary"]);
    assert_eq!(status(&merged), 0, "{}", said(&merged));
    assert!(said(&merged).contains("5 claims: "), "{}", said(&merged));
}

#[test]
fn shards_are_cut_by_what_the_claims_cost() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fixtures = folder.path().join("fixtures");
    fs::create_dir_all(fixtures.join("witnesses")).expect("made");
    for part in ["digits", "mnist5k"] {
        fs::create_dir_all(fixtures.join(part)).expect("made");
        for entry in fs::read_dir(Path::new(ROOT).join("fixtures").join(part)).expect("a folder") {
            let path = entry.expect("an entry").path();
            fs::copy(&path, fixtures.join(part).join(path.file_name().expect("a name"))).expect("copied");
        }
    }
    let held = |cut: &str| {
        let words = ["verify", "--no-journal", "--budget", "quick", "--shard", cut, "--fixtures", text(&fixtures)];
        let file = folder.path().join("shard");
        let output = contrapositive(&[&words[..], &CLAIMS[..], &["--output", text(&file)]].concat());
        assert_eq!(status(&output), 0, "{cut}: {}", said(&output));
        said(&output)
    };
    assert!(held("1/2").contains("shard 1/2: 3 of 5 claims"), "without a table all count alike");
    let seconds = CLAIMS.iter().map(|claim| format!("\"{claim}\": {}", if *claim == CLAIMS[2] { 100 } else { 1 }));
    let table =
        format!("{{\"schema\": 1, \"seconds\": {{\"quick\": {{{}}}}}}}", seconds.collect::<Vec<_>>().join(", "));
    fs::write(fixtures.join("costs.json"), table).expect("written");
    assert!(held("1/2").contains("shard 1/2: 1 of 5 claims"), "the dear one has a machine of its own");
    assert!(held("2/2").contains("shard 2/2: 4 of 5 claims"));
    fs::write(fixtures.join("costs.json"), "{}").expect("written");
    let words = ["verify", "--no-journal", "--shard", "1/2", "--fixtures", text(&fixtures)];
    let refused = contrapositive(&[&words[..], &CLAIMS[..]].concat());
    assert_eq!(status(&refused), 2, "{}", said(&refused));
    assert!(said(&refused).contains("costs.json"), "{}", said(&refused));
}

#[test]
fn a_shard_is_one_of_those_that_there_are_and_has_no_report() {
    for words in [
        vec!["verify", "--shard", "0/3"],
        vec!["verify", "--shard", "4/3"],
        vec!["verify", "--shard", "three"],
        vec!["verify", "--shard", "1/3", "--format", "json"],
        vec!["verify", "--costs", "costs.json", "--threads", "2"],
        vec!["merge"],
    ] {
        assert_eq!(status(&contrapositive(&words)), 2, "{words:?}");
    }
}

#[test]
fn what_moved_since_a_baseline_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (before, costs) = (folder.path().join("run.json"), folder.path().join("costs.json"));
    let run = |more: &[&str]| {
        let words = ["verify", "--budget", "quick", "--no-journal"];
        let output = contrapositive(&[&words[..], &CLAIMS[..2], more].concat());
        assert_eq!(status(&output), 0, "{}", said(&output));
        output
    };
    run(&["--output", text(&before), "--costs", text(&costs)]);
    let table: serde_json::Value = serde_json::from_slice(&fs::read(&costs).expect("written")).expect("JSON");
    let measured = table["seconds"]["quick"].as_object().expect("a table");
    assert_eq!(measured.keys().collect::<Vec<_>>(), [CLAIMS[0], CLAIMS[1]]);
    let same = run(&["--baseline", text(&before)]);
    assert!(said(&same).contains("nothing moved since"), "{}", said(&same));

    let mut changed: serde_json::Value = serde_json::from_slice(&fs::read(&before).expect("written")).expect("JSON");
    let claims = changed["claims"].as_array_mut().expect("a list");
    let claim = claims.iter_mut().find(|c| c["id"] == CLAIMS[1]).expect("it ran");
    claim["verdict"] = "holds".into();
    fs::write(&before, changed.to_string()).expect("written");
    let moved = run(&["--baseline", text(&before), "--format", "summary"]);
    let told = said(&moved);
    assert!(told.contains("moved: verdict of merad2020.prop-2-1: mixed, was holds"), "{told}");
    let page = String::from_utf8_lossy(&moved.stdout).into_owned();
    assert!(page.contains("| verdict | merad2020.prop-2-1 | holds | mixed |"), "{page}");
}

/// Numbers of machines, and the marks between which the page has what they would do.
const MACHINES: [u32; 9] = [1, 2, 4, 8, 12, 16, 64, 256, 1000];
const BEGIN: &str = "<!-- from fixtures/costs.json -->\n";
const END: &str = "<!-- end -->\n";

/// What each of so many machines would have to do, by the rule that deals out the claims.
fn loads(seconds: &Seconds, machines: u32) -> Vec<f64> {
    let claims: Vec<&str> = seconds.keys().map(String::as_str).collect();
    let first = Shard::new(1, machines).expect("a shard");
    let load = |shard: Shard| shard.share(&claims, Some(seconds)).iter().map(|&at| seconds[claims[at]]).sum();
    first.siblings().map(load).collect()
}

/// The table of the page.
fn what_machines_would_do(seconds: &Seconds) -> String {
    let total: f64 = seconds.values().sum();
    let mut dearest: Vec<(&String, &f64)> = seconds.iter().collect();
    dearest.sort_by(|a, b| b.1.total_cmp(a.1));
    let listed: Vec<String> = dearest.iter().take(5).map(|(claim, s)| format!("{claim} {s:.1} s")).collect();
    let mut text = format!(
        "The {} claims of the table take {total:.0} s of processor time at the standard budget on one thread.\nThe \
         most \
         expensive are {}.\n\n\
         | machines | most loaded, s | least loaded, s | speedup |\n|---|---|---|---|\n",
        seconds.len(),
        listed.join(", ")
    );
    for machines in MACHINES {
        let loads = loads(seconds, machines);
        let most = loads.iter().copied().fold(0.0, f64::max);
        let least = loads.iter().copied().fold(f64::INFINITY, f64::min);
        text += &format!("| {machines} | {most:.1} | {least:.1} | {:.1} |\n", total / most);
    }
    text
}

#[test]
fn what_a_thousand_machines_would_do_is_computed_from_the_table_of_costs() {
    let costs = Costs::load(&Path::new(ROOT).join("fixtures").join(TABLE)).expect("the table");
    let fresh = what_machines_would_do(costs.measured_at(Budget::Standard).expect("measured"));
    let path = Path::new(ROOT).join("docs/many-machines.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEGIN).expect("a beginning");
    let (committed, after) = rest.split_once(END).expect("an end");
    if std::env::var_os("RENEW_COSTS").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{fresh}{END}{after}")).expect("written");
        return;
    }
    let command = "RENEW_COSTS=1 cargo test --test program a_thousand_machines";
    assert_is_current("docs/many-machines.md", committed, &fresh, command);
}
