//! The site: the same bytes however a run came about, every figure drawn, and nothing that leads nowhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn contrapositive(state: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(ROOT)
        .env("XDG_STATE_HOME", state)
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn succeeds(output: &Output) {
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "status {}\n{log}", output.status);
}

/// Every file below a folder, by its path.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let (mut found, mut open) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a readable folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below the folder").display().to_string();
                found.insert(name, fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    found
}

/// The addresses in a page.
fn addresses(text: &str) -> Vec<&str> {
    let marks = ["href=\"", "src=\""];
    let after = marks.iter().flat_map(|mark| text.split(mark).skip(1));
    after.filter_map(|rest| rest.split('"').next()).collect()
}

const CLAIMS: [&str; 3] = ["merad2020.lemma-1", "merad2020.prop-2-1", "merad2020.lemma-4"];

#[test]
fn the_same_run_makes_the_same_site() {
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| place.path().join(name).to_string_lossy().into_owned();
    let site = |more: &[&str], output: &str| {
        let words = [&["site", "--budget", "quick", "--output", output][..], more, &CLAIMS].concat();
        succeeds(&contrapositive(place.path(), &words));
        files(Path::new(output))
    };
    fs::create_dir(at("one")).expect("made");
    fs::write(Path::new(&at("one")).join("mine.txt"), "mine").expect("written");
    let mut one = site(&["--threads", "1"], &at("one"));
    assert_eq!(one.remove("mine.txt").as_deref(), Some("mine"), "what else was there is left alone");
    assert!(one == site(&["--threads", "2"], &at("two")), "on two threads");

    for shard in ["1/2", "2/2"] {
        let output = at(&format!("{}.bin", &shard[..1]));
        let words = ["verify", "--budget", "quick", "--shard", shard, "--output", &output];
        succeeds(&contrapositive(place.path(), &[&words[..], &CLAIMS].concat()));
    }
    let words = ["site", "--output", &at("three"), "--run", &at("2.bin"), &at("1.bin")].map(str::to_owned);
    succeeds(&contrapositive(place.path(), &words.each_ref().map(String::as_str)));
    assert!(one == files(Path::new(&at("three"))), "from shards");

    for page in ["index.html", "REPORT.html", "verify/merad2020/lemma-1.html", "verify/merad2020/lemma_1.rs.html"] {
        assert!(one.contains_key(page), "no {page}");
    }
    for (name, text) in one.iter().filter(|(name, _)| name.ends_with(".html")) {
        for address in addresses(text) {
            assert!(!address.contains(':') || address == "data:,", "{name} leads to {address}");
        }
        let scripts = text.matches("<script").count();
        assert_eq!(scripts, usize::from(name == "index.html"), "{name} has {scripts} scripts");
    }
}

#[test]
fn every_figure_is_drawn() {
    let place = tempfile::tempdir().expect("a folder");
    let output = place.path().join("site");
    let claims = [
        "merad2020.obs-fig-*", "esser2024.example-1", "esser2024.fig-2", "esser2024.eq-11-12", "esser2024.runtime",
        "ren2023.thm-4.3b",
    ];
    let folder = output.to_string_lossy();
    let words = ["site", "--budget", "quick", "--output", &folder];
    succeeds(&contrapositive(place.path(), &[&words[..], &claims].concat()));
    let text = fs::read_to_string(output.join("figures.html")).expect("the figures");
    assert!(!text.contains("Not drawn"), "{text}");
    let panels: Vec<usize> =
        text.split("<section class=\"figure\">").skip(1).map(|part| part.matches("<svg").count()).collect();
    assert_eq!(panels, [4, 9, 10, 4, 2, 6, 1, 4, 0], "systems of axes, figure by figure");
    assert_eq!(text.matches("<img ").count(), 8, "seven pictures of trainings on MNIST and one study of ours");
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_the_run() {
    let place = tempfile::tempdir().expect("a folder");
    let file = place.path().join("file");
    fs::write(&file, "kept").expect("written");
    let refused = contrapositive(place.path(), &["site", "--output", &file.to_string_lossy()]);
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("nothing has been computed yet"));
    assert_eq!(fs::read_to_string(&file).expect("still there"), "kept");
}

#[test]
fn a_file_of_statements_has_a_site() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("site");
    let output = folder.display().to_string();
    succeeds(&contrapositive(
        place.path(),
        &["site", "examples/statements/bennett.toml", "--budget", "quick", "--output", &output],
    ));
    let written = files(&folder);
    let front = &written["index.html"];
    assert!(front.contains("bernstein") && !front.contains("merad2020"), "{front}");
    assert!(written.values().any(|page| page.contains("without-the-linear-term")));
}
