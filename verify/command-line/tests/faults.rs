//! What befalls a run from outside: full disks, closed pipes, signals, damaged files. Nothing is lost, and nothing is guessed.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::support::npy::six_pairs;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The program, with a folder of its own for state. Whoever runs the tests may ignore signals (`nohup`, a job in the background), which
/// children inherit and the program respects; `env` of Linux gives them back their meaning.
fn program(state: &Path, arguments: &[&str]) -> Command {
    let itself = env!("CARGO_BIN_EXE_contrapositive");
    let mut command = Command::new(if cfg!(target_os = "linux") { "env" } else { itself });
    if cfg!(target_os = "linux") {
        command.args(["--default-signal=HUP,INT,TERM", itself]);
    }
    command.current_dir(ROOT).env("XDG_STATE_HOME", state).args(arguments);
    command
}

fn output(state: &Path, arguments: &[&str]) -> Output {
    program(state, arguments).output().expect("the program starts")
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("the program ended by itself")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// A copy of the fixtures that a test may damage.
fn fixtures(into: &Path) -> PathBuf {
    let (from, to) = (Path::new(ROOT).join("fixtures"), into.join("fixtures"));
    for part in ["digits", "mnist5k", "witnesses"] {
        fs::create_dir_all(to.join(part)).expect("made");
        for entry in fs::read_dir(from.join(part)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name");
            if part != "witnesses" || name.to_string_lossy().starts_with("merad2020.") {
                fs::copy(&path, to.join(part).join(name)).expect("copied");
            }
        }
    }
    to
}

/// Files with an ending in a folder and below, but none that were never finished.
fn found(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(self::found(&path));
        } else if !entry.file_name().to_string_lossy().starts_with('.') {
            found.push(path);
        }
    }
    found
}

#[test]
fn standard_output_that_cannot_be_written_has_its_own_status_and_no_panic() {
    let state = folder();
    for words in [
        vec!["list"],
        vec!["explain", "merad2020.lemma-4"],
        vec!["verify", "merad2020.lemma-4", "--output", "-"],
        vec!["--help"],
        vec!["verify", "--help"],
        vec!["--version"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        let Ok(full) = full else { return };
        let output = program(state.path(), &words).stdout(full).output().expect("it starts");
        assert_eq!(status(&output), 74, "{words:?}: {}", said(&output));
        assert!(said(&output).contains("cannot write standard output"), "{}", said(&output));

        let mut child =
            program(state.path(), &words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        // The reader goes before a word is said.
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(status(&output), 141, "{words:?}: {}", said(&output));
        assert!(!said(&output).contains("panicked"), "{}", said(&output));
    }
}

#[test]
fn more_threads_than_are_reasonable_are_refused_wherever_they_are_asked_for() {
    let state = folder();
    let verify = ["verify", "merad2020.lemma-4", "--budget", "quick"];
    for words in [&verify[..], &["list"]] {
        let mut asked = program(state.path(), words);
        let refused = asked.env("RAYON_NUM_THREADS", "100000").output().expect("it starts");
        assert_eq!(status(&refused), 2, "{words:?}: {}", said(&refused));
        assert!(said(&refused).contains("RAYON_NUM_THREADS asks for 100000"), "{}", said(&refused));
    }
    let mut asked = program(state.path(), &verify);
    let obeyed = asked.env("RAYON_NUM_THREADS", "3").output().expect("it starts");
    assert_eq!(status(&obeyed), 0, "{}", said(&obeyed));
    let refused = output(state.path(), &[&verify[..], &["--threads", "1025"]].concat());
    assert_eq!(status(&refused), 2, "{}", said(&refused));
}

#[test]
fn what_an_argument_holds_steers_no_terminal() {
    let state = folder();
    let mut asked = program(state.path(), &["verify", "--budget", "qu\u{1b}[31mick\u{202e}"]);
    // Colours as on a terminal.
    let refused = asked.env("CLICOLOR_FORCE", "1").output().expect("it starts");
    assert_eq!(status(&refused), 2);
    let said = said(&refused);
    assert!(
        said.contains("invalid value") && said.contains(r"ick\u202e") && !said.contains(['\u{1b}', '\u{202e}']),
        "{said:?}"
    );
}

#[test]
fn nobody_needs_to_hear_what_is_said_about_the_work() {
    let state = folder();
    let words = ["verify", "merad2020.lemma-4", "--budget", "quick"];
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else {
        return;
    };
    let ended = program(state.path(), &words).stderr(full).status().expect("it starts");
    assert_eq!(ended.code(), Some(0));
    let mut child = program(state.path(), &words).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn a_place_that_cannot_be_written_is_found_before_the_run() {
    let (state, place) = (folder(), folder());
    let missing = place.path().join("no/such/folder/run.json");
    // A folder holds the pages of a report, and no other form of it.
    let deep = ["verify", "merad2020.*", "--budget", "deep", "--format", "json", "--output"];
    for path in [text(place.path()), text(&missing)] {
        let refused = output(state.path(), &[&deep[..], &[path]].concat());
        assert_eq!(status(&refused), 2, "{path}: {}", said(&refused));
    }
    let words = ["convergence", "--budget", "deep", "--output", "/dev/null/convergence"];
    let refused = output(state.path(), &words);
    assert_eq!(status(&refused), 2, "{words:?}: {}", said(&refused));
}

#[test]
fn a_full_disk_leaves_the_old_report_and_the_work() {
    let (state, place) = (folder(), folder());
    let report = place.path().join("run.json");
    fs::write(&report, "the old report").expect("written");
    // A disk so small that the report does not fit on it: the limit on the size of files has the same effect.
    let command = format!(
        "ulimit -f 64; exec '{}' verify merad2020.lemma-4 --budget quick --format json --output '{}'",
        env!("CARGO_BIN_EXE_contrapositive"),
        report.display()
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("trap '' XFSZ; {command}")]).current_dir(ROOT);
    let failed = shell.env("XDG_STATE_HOME", state.path()).output().expect("a shell");
    assert_eq!(status(&failed), 74, "{}", said(&failed));
    assert_eq!(fs::read_to_string(&report).expect("there"), "the old report");
    assert_eq!(fs::read_dir(place.path()).expect("there").count(), 1, "nothing else is left");

    let words = ["verify", "merad2020.lemma-4", "--budget", "quick", "--format", "json", "--output", text(&report)];
    let again = output(state.path(), &words);
    assert_eq!(status(&again), 0, "{}", said(&again));
    assert!(said(&again).contains("1 of 1 claims were finished by an earlier run"), "{}", said(&again));
}

/// Starts a run of the claims and waits until its journal holds some of them.
fn started(state: &Path, words: &[&str], claims: usize) -> Child {
    let mut command = program(state, words);
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    while found(state).len() < claims {
        if child.try_wait().expect("a child").is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child
}

#[test]
fn a_run_that_is_stopped_goes_on_and_ends_with_the_same_bytes() {
    let (state, place) = (folder(), folder());
    let (whole, resumed) = (place.path().join("whole.json"), place.path().join("resumed.json"));
    let claims = ["verify", "ren2023.lemma-a*", "ren2023.lemma-b*"];
    let words = |output: &Path| -> Vec<String> {
        let options = ["--budget", "quick", "--threads", "1", "--format", "json", "--output", text(output)];
        claims.iter().chain(&options).map(|w| (*w).to_owned()).collect()
    };
    let (whole_words, resumed_words) = (words(&whole), words(&resumed));
    let whole_words: Vec<&str> = whole_words.iter().map(String::as_str).chain(["--no-journal"]).collect();
    let resumed_words: Vec<&str> = resumed_words.iter().map(String::as_str).collect();
    assert_eq!(status(&output(state.path(), &whole_words)), 0);
    assert!(found(state.path()).is_empty());

    for (claims, signal, expected) in
        [(1, "HUP", Some(129)), (2, "INT", Some(130)), (3, "TERM", Some(143)), (4, "KILL", None)]
    {
        let child = started(state.path(), &resumed_words, claims);
        let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(kill.expect("kill").success());
        let stopped = child.wait_with_output().expect("it ends");
        assert_eq!(stopped.status.code(), expected, "SIG{signal}: {}", said(&stopped));
        if signal != "KILL" {
            let words = said(&stopped);
            assert!(words.contains(&format!("stopped by SIG{signal}")), "{words}");
            assert!(words.contains("the same command resumes") && !words.contains("panicked"), "{words}");
        }
        assert!(!resumed.exists());
        assert!(found(state.path()).len() >= claims);
    }
    let ended = output(state.path(), &resumed_words);
    assert_eq!(status(&ended), 0, "{}", said(&ended));
    assert!(said(&ended).contains("were finished by an earlier run"), "{}", said(&ended));
    assert_eq!(fs::read(&whole).expect("written"), fs::read(&resumed).expect("written"));

    // What has ended is not computed again, but where that is asked for.
    let claims = found(state.path()).len();
    let all = format!("{claims} of {claims} claims were finished by an earlier run");
    let again = output(state.path(), &resumed_words);
    assert!(status(&again) == 0 && said(&again).contains(&all), "{}", said(&again));
    assert_eq!(fs::read(&whole).expect("written"), fs::read(&resumed).expect("written"));
    let afresh = output(state.path(), &[&resumed_words[..], &["--fresh"]].concat());
    assert!(status(&afresh) == 0 && !said(&afresh).contains("by an earlier run"), "{}", said(&afresh));
    assert_eq!(found(state.path()).len(), claims);
}

#[test]
fn what_keeps_nothing_says_so_when_it_is_stopped() {
    let place = folder();
    let laws = place.path().join("laws.toml");
    let claim = "title = \"t\"\nclaim = [{ id = \"a\", statement = \"tv(p, q)^2 <= 1 - exp(-kl(p, q))\", for = \"n in 1..8, \
                 p, q in simplex(n)\", \
        control = [{ id = \"b\", statement = \"tv(p, q)^2 <= 1 - exp(-kl(p, q)/4)\" }] }]";
    fs::write(&laws, claim).expect("written");
    let typed = ["try", "tv(p, q)^2 <= 1 - exp(-kl(p, q))", "--for", "n in 1..8, p, q in simplex(n)"];
    let deep = ["--budget", "deep"];
    for (words, part) in [
        ([&typed[..], &deep].concat(), "partial results on a statement are not stored"),
        ([&["verify", text(&laws)], &deep[..]].concat(), "results of files of statements are not stored"),
    ] {
        let mut command = program(place.path(), &words);
        let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn();
        let child = child.expect("it starts");
        std::thread::sleep(Duration::from_millis(1500));
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(kill.expect("kill").success());
        let stopped = child.wait_with_output().expect("it ends");
        assert_eq!(status(&stopped), 130, "{words:?}: {}", said(&stopped));
        let told = said(&stopped);
        assert!(told.contains("stopped by SIGINT") && told.contains(part), "{words:?}: {told}");
    }
}

#[test]
fn a_study_of_convergence_that_was_stopped_goes_on_and_ends_with_the_same_bytes() {
    let place = folder();
    let (points, labels) = (place.path().join("points.npy"), place.path().join("labels.npy"));
    let (pairs, theirs) = six_pairs();
    fs::write(&points, pairs).and_then(|()| fs::write(&labels, theirs)).expect("written");
    let study = ["convergence", "--negatives", "1", "--points", text(&points), "--labels", text(&labels), "--output"];
    let results = place.path().join("results");
    let words = [&study[..], &[text(&results)]].concat();
    let kept = results.join(".unfinished-convergence-1-of-1.bin");
    let mut command = program(place.path(), &words);
    let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn();
    let child = child.expect("it starts");
    // Until one curve is on the disk.
    for _ in 0..6000 {
        if kept.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    let stopped = child.wait_with_output().expect("it ends");
    assert_eq!(status(&stopped), 143, "{}", said(&stopped));
    assert!(said(&stopped).contains("finished curves are stored"), "{}", said(&stopped));
    assert!(found(&results).is_empty() && kept.exists());

    let ended = output(place.path(), &words);
    assert_eq!(status(&ended), 0, "{}", said(&ended));
    assert!(said(&ended).contains("resuming: "), "{}", said(&ended));
    assert!(!kept.exists());
    let other = place.path().join("other");
    let words = [&study[..], &[text(&other)]].concat();
    assert_eq!(status(&output(place.path(), &words)), 0);
    for name in ["convergence.csv", "convergence.md", "convergence.svg"] {
        let read = |folder: &Path| fs::read(folder.join(name)).expect("written");
        assert!(read(&results) == read(&other), "{name}");
    }
}

#[test]
fn changed_data_end_the_run_and_name_the_file() {
    let place = folder();
    for (name, damage) in [
        ("digits_images.npy", "change"),
        ("digits_labels.npy", "change"),
        ("digits_images.npy", "cut"),
        ("digits_labels.npy", "remove"),
    ] {
        let fixtures = fixtures(place.path());
        let path = fixtures.join("digits").join(name);
        let mut bytes = fs::read(&path).expect("there");
        match damage {
            "change" => *bytes.last_mut().expect("a byte") ^= 1,
            "cut" => bytes.truncate(1000),
            _ => fs::remove_file(&path).expect("removed"),
        }
        if damage != "remove" {
            fs::write(&path, bytes).expect("written");
        }
        for command in ["verify", "mutate"] {
            let words = [command, "merad2020.lemma-1", "--budget", "quick", "--fixtures", text(&fixtures)];
            let refused = output(place.path(), &words);
            assert_eq!(status(&refused), 2, "{command} {damage}: {}", said(&refused));
            assert!(said(&refused).contains(text(&path)), "{command} {damage}: {}", said(&refused));
        }
    }
}

#[test]
fn a_damaged_witness_stops_its_own_claim_only() {
    let place = folder();
    let fixtures = fixtures(place.path());
    let witness = |name: &str| fixtures.join("witnesses").join(name);
    let stored = witness("merad2020.lemma-6.S.json");
    let whole = fs::read_to_string(&stored).expect("stored");
    let report = place.path().join("run.json");
    let run = || {
        let words =
            ["verify", "merad2020.lemma-4", "merad2020.lemma-6", "--budget", "quick", "--fixtures", text(&fixtures)];
        let options = ["--format", "json", "--output", text(&report)];
        let output = output(place.path(), &[&words[..], &options].concat());
        let report: serde_json::Value =
            serde_json::from_slice(&fs::read(&report).expect("a report")).expect("it is JSON");
        let verdict = |id: &str| {
            let claims = report["claims"].as_array().expect("claims");
            let claim = claims.iter().find(|c| c["id"] == id).expect("listed");
            claim["verdict"].as_str().expect("a verdict").to_owned()
        };
        (output, verdict("merad2020.lemma-4"), verdict("merad2020.lemma-6"))
    };
    for damaged in ["", &whole[..100], &whole.replacen("\"instance\": {", "\"instance\": {\"wrong\": 1, ", 1)] {
        fs::write(&stored, damaged).expect("written");
        let (output, other, own) = run();
        assert_eq!(status(&output), 2, "{}", said(&output));
        assert!(said(&output).contains("merad2020.lemma-6 is not judged"), "{}", said(&output));
        assert!(said(&output).contains("merad2020.lemma-6.S.json"), "{}", said(&output));
        assert_eq!((other.as_str(), own.as_str()), ("mixed", "not-yet"));
    }
    fs::write(&stored, &whole).expect("written");
    // A second file for the same check, and one for a claim that there is not.
    fs::write(witness("merad2020.lemma-6.copy.json"), &whole).expect("written");
    let (output, ..) = run();
    assert_eq!(status(&output), 2);
    assert!(said(&output).contains("whose file is merad2020.lemma-6.S.json"), "{}", said(&output));
    fs::remove_file(witness("merad2020.lemma-6.copy.json")).expect("removed");
    let foreign = whole.replace("\"merad2020.lemma-6\"", "\"nobody.lemma\"");
    fs::write(witness("nobody.lemma.S.json"), foreign).expect("written");
    let (output, ..) = run();
    assert_eq!(status(&output), 2);
    assert!(said(&output).contains("nobody.lemma"), "{}", said(&output));
    fs::remove_file(witness("nobody.lemma.S.json")).expect("removed");
    let (output, other, own) = run();
    assert_eq!(status(&output), 0, "{}", said(&output));
    assert_eq!((other.as_str(), own.as_str()), ("mixed", "mixed"));
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_an_end_are_read_to_a_limit() {
    let state = folder();
    let endless = state.path().join("endless.toml");
    std::os::unix::fs::symlink("/dev/zero", &endless).expect("a link");
    let quick = ["verify", "merad2020.lemma-4", "--budget", "quick"];
    for (words, named) in [
        (vec!["verify", text(&endless)], "more than"),
        ([&quick[..], &["--baseline", "/dev/zero"]].concat(), "more than"),
        ([&quick[..], &["--costs", "/dev/zero"]].concat(), "more than"),
        (vec!["try", "--replay", "/dev/zero"], "more than"),
        (vec!["merge", "/dev/zero"], "not a shard"),
    ] {
        let refused = output(state.path(), &words);
        assert_eq!(status(&refused), 2, "{words:?}: {}", said(&refused));
        assert!(said(&refused).contains(named), "{words:?}: {}", said(&refused));
    }
}

/// A file of statements with one claim that holds.
const MINE: &str = "title = \"t\"\n[[claim]]\nid = \"a\"\nstatement = \"x <= x + 1\"\nexpect = \"holds\"\n\
                    [[claim.control]]\nid = \"b\"\nstatement = \"x <= x - 1\"\n";

#[test]
fn statements_in_a_file_go_where_claims_of_the_catalogue_go() {
    let place = folder();
    let (mine, pages) = (place.path().join("mine.toml"), place.path().join("pages"));
    let refuted = MINE.replace("x <= x + 1", "x <= 2").replace("holds\"", "fails\"\nbecause = \"three\"");
    fs::write(&mine, refuted).expect("written");
    let run = |options: &[&str]| {
        let words = [&["verify", text(&mine), "--budget", "quick"], options].concat();
        program(place.path(), &words).current_dir(place.path()).output().expect("it starts")
    };
    let ended = run(&["--output", "pages/"]);
    assert_eq!(status(&ended), 0, "{}", said(&ended));
    let first = fs::read_to_string(pages.join("REPORT.md")).expect("a first page");
    // What refutes a statement of a file has no id by which the program knows it: the file is verified again.
    let again = format!("contrapositive verify {}", text(&mine));
    assert!(first.contains("mine/a.md") && first.contains(&again) && !first.contains("replay mine.a"), "{first}");
    assert!(pages.join("mine/a.md").exists(), "{:?}", found(&pages));
    // Found before anything is computed, which the line on each claim tells of.
    for output in ["no/such/folder/report.md", "/proc/report.json"] {
        let refused = run(&["--output", output]);
        assert_eq!(status(&refused), 2, "{}", said(&refused));
        assert!(said(&refused).contains("nothing has been computed yet"), "{}", said(&refused));
        assert!(!said(&refused).contains("as expected"), "{}", said(&refused));
    }
    let saved = run(&["--save-witnesses"]);
    assert_eq!(status(&saved), 0, "{}", said(&saved));
    assert!(place.path().join("witnesses/mine.a.stated.json").exists(), "{:?}", found(place.path()));
    let report = run(&["--output", "before.json"]);
    assert_eq!(status(&report), 0, "{}", said(&report));
    let compared = run(&["--baseline", "before.json"]);
    assert!(said(&compared).contains("nothing moved since before.json"), "{}", said(&compared));
    for option in [&["--shard", "1/2"][..], &["--costs", "costs.json"], &["--journal", "kept"], &["--fresh"]] {
        let refused = run(option);
        assert_eq!(status(&refused), 2, "{option:?}: {}", said(&refused));
        assert!(said(&refused).contains(option[0]), "{option:?}: {}", said(&refused));
    }
    assert_eq!(status(&run(&["--kind", "identity"])), 5);
}

#[test]
fn hostile_words_of_a_file_are_words_in_every_form() {
    let place = folder();
    let mine = place.path().join("mine.toml");
    let wild = r"a\u001b[31mred\u0000\u009b\u202e<b>&|*x*";
    let hostile = MINE
        .replace("title = \"t\"", &format!("title = \"{wild}\""))
        .replace("expect = \"holds\"", &format!("title = \"{wild}\"\nremark = [\"{wild}\"]\nsource = \"{wild}\""));
    fs::write(&mine, hostile).expect("written");
    let second = place.path().join("second.toml");
    fs::write(&second, MINE).expect("written");
    let is_wild = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{202e}';
    let junit = cfg!(feature = "junit").then_some("junit");
    for form in ["markdown", "summary", "json"].into_iter().chain(junit) {
        let words = ["verify", text(&mine), text(&second), "--budget", "quick", "--format", form];
        for place_of_report in ["-", "report.out"] {
            let words = [&words[..], &["--output", place_of_report]].concat();
            let ended = program(place.path(), &words).current_dir(place.path()).output().expect("it starts");
            assert_eq!(status(&ended), 0, "{}", said(&ended));
            let written = match place_of_report {
                "-" => String::from_utf8(ended.stdout).expect("text"),
                file => fs::read_to_string(place.path().join(file)).expect("written"),
            };
            assert!(!written.contains(is_wild), "{form} {place_of_report}");
            // The writer of JUnit leaves out what steers with all of its letters.
            let shown = if form == "junit" { "ared" } else { "31mred" };
            assert!(form == "summary" || written.contains(shown), "{form}: {written}");
        }
    }
    let words = ["verify", text(&mine), text(&second), "--budget", "quick", "--output", "pages/"];
    let ended = program(place.path(), &words).current_dir(place.path()).output().expect("it starts");
    assert_eq!(status(&ended), 0, "{}", said(&ended));
    let pages = found(&place.path().join("pages"));
    assert!(pages.len() >= 3, "{pages:?}");
    for page in pages {
        assert!(!fs::read_to_string(&page).expect("text").contains(is_wild), "{page:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_standard_output_and_a_limit_of_file_sizes_are_results_that_were_not_written() {
    let place = folder();
    let shell = |words: &str| {
        let script = words.replace("PROGRAM", env!("CARGO_BIN_EXE_contrapositive"));
        let mut command = Command::new("bash");
        command.current_dir(ROOT).env("XDG_STATE_HOME", place.path()).args(["-c", &script]);
        command.output().expect("bash")
    };
    let verify = "PROGRAM verify merad2020.lemma-4 merad2020.cc-mean --budget quick --no-journal";
    for words in [
        format!("{verify} --format json >&-"),
        format!("{verify} --format json >&- 2>&-"),
        "PROGRAM list >&-".to_owned(),
        "PROGRAM --version >&-".to_owned(),
        "PROGRAM try 'x <= x + 1' --budget quick >&-".to_owned(),
        // The other names of what is closed, found before anything is computed.
        format!("{verify} --format json --output /dev/stdout >&-"),
        format!("{verify} --format json --output /dev/fd/1 >&-"),
        format!("{verify} --format json --output /proc/self/fd/1 >&- 2>&-"),
        format!("{verify} --format json --output /dev/stderr 2>&-"),
        format!("{verify} --costs /dev/stdout >&-"),
        format!("ln -s /dev/stdout $XDG_STATE_HOME/link.md; {verify} --output $XDG_STATE_HOME/link.md >&-"),
    ] {
        assert_eq!(status(&shell(&words)), 74, "{words}");
    }
    for words in [
        format!("{verify} --format json --output /dev/stdout 2>&-"),
        format!("{verify} --format json --output /dev/fd/1 < /dev/null"),
        format!("{verify} --format json --output /dev/stderr >&- <&-"),
    ] {
        let shown = shell(&words);
        let all = [shown.stdout, shown.stderr].concat();
        assert!(shown.status.code() == Some(0) && String::from_utf8_lossy(&all).contains("schema"), "{words}");
    }
    let (report, devnull) = (place.path().join("report.json"), format!("{verify} --format json > /dev/null"));
    for words in [format!("{verify} --output {} >&-", text(&report)), devnull] {
        assert_eq!(status(&shell(&words)), 0, "{words}");
    }
    let before = fs::read(&report).expect("written");
    let limited = shell(&format!("ulimit -f 4; {verify} --output {}", text(&report)));
    assert_eq!(status(&limited), 74, "{}", said(&limited));
    assert!(said(&limited).contains("cannot write"), "{}", said(&limited));
    assert_eq!(fs::read(&report).expect("as it was"), before);
    let names = fs::read_dir(place.path()).expect("a folder").flatten();
    assert!(names.into_iter().all(|entry| !entry.file_name().to_string_lossy().ends_with(".part")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_named_pipe_is_named_while_it_is_waited_for() {
    let place = folder();
    let pipe = place.path().join("statements.toml");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let mut command = program(place.path(), &["verify", text(&pipe), "--budget", "quick"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(300));
    fs::write(&pipe, MINE).expect("read");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(status(&ended), 0, "{}", said(&ended));
    assert!(said(&ended).starts_with(&format!("{} is a pipe", text(&pipe))), "{}", said(&ended));
}

#[test]
fn twenty_kills_at_any_moment_lose_nothing() {
    let (state, place) = (folder(), folder());
    let (whole, resumed) = (place.path().join("whole.json"), place.path().join("resumed.json"));
    let claims = ["verify", "ren2023.lemma-a*", "ren2023.lemma-b*", "--budget", "quick", "--threads", "1", "--output"];
    let words = [&claims[..], &[text(&whole), "--no-journal"]].concat();
    assert_eq!(status(&output(state.path(), &words)), 0);
    let words = [&claims[..], &[text(&resumed)]].concat();
    for number in 0u64..20 {
        let mut command = program(state.path(), &words);
        let mut child = command.stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(30 + 61 * number * number % 300));
        // One that has ended by itself cannot be killed, and has written its report.
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    let ended = output(state.path(), &words);
    assert_eq!(status(&ended), 0, "{}", said(&ended));
    assert_eq!(fs::read(&whole).expect("written"), fs::read(&resumed).expect("written"));
}

#[test]
fn a_damaged_journal_costs_what_it_held_and_nothing_else() {
    let (state, place) = (folder(), folder());
    let (whole, resumed) = (place.path().join("whole.json"), place.path().join("resumed.json"));
    let claims = ["verify", "ren2023.lemma-a*", "ren2023.lemma-b*", "--budget", "quick", "--threads", "1", "--output"];
    let words = [&claims[..], &[text(&whole), "--no-journal"]].concat();
    assert_eq!(status(&output(state.path(), &words)), 0);
    let words = [&claims[..], &[text(&resumed)]].concat();
    let mut child = started(state.path(), &words, 5);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let kept = found(state.path());
    assert!(kept.len() >= 5 && !resumed.exists(), "{kept:?}");
    let records: Vec<Vec<u8>> = kept.iter().map(|record| fs::read(record).expect("a record")).collect();
    for (number, (path, record)) in kept.iter().zip(&records).enumerate() {
        let mut flipped = record.clone();
        let at = record.len() / 2;
        flipped[at] ^= 0x10;
        let damaged = match number {
            0 => &record[..record.len() / 2],
            1 => &[],
            2 => flipped.as_slice(),
            // That of another claim, whole and in the wrong place.
            3 => records[4].as_slice(),
            _ => continue,
        };
        fs::write(path, damaged).expect("written");
    }
    let ended = output(state.path(), &words);
    assert_eq!(status(&ended), 0, "{}", said(&ended));
    assert_eq!(fs::read(&whole).expect("written"), fs::read(&resumed).expect("written"));
}

#[test]
fn two_runs_at_once_in_one_folder_end_as_one() {
    let (state, place) = (folder(), folder());
    let pages = place.path().join("pages/");
    let folder = format!("{}/", text(&pages));
    let words = ["verify", "merad2020.lemma-4", "merad2020.cc-mean", "--budget", "quick", "--output", &folder];
    let started = || program(state.path(), &words).stderr(Stdio::piped()).spawn().expect("it starts");
    for ended in [started(), started()].map(|child| child.wait_with_output().expect("it ends")) {
        assert_eq!(status(&ended), 0, "{}", said(&ended));
    }
    let read = || -> Vec<(PathBuf, Vec<u8>)> {
        let mut files: Vec<PathBuf> = found(&pages);
        files.sort();
        files.into_iter().map(|file| (file.clone(), fs::read(file).expect("a page"))).collect()
    };
    let both = read();
    fs::remove_dir_all(&pages).expect("removed");
    assert_eq!(status(&output(state.path(), &words)), 0);
    assert!(both == read() && both.len() >= 3);
}

#[test]
fn a_damaged_table_of_costs_stops_what_is_cut_by_it_and_nothing_else() {
    let place = folder();
    let fixtures = fixtures(place.path());
    let whole = fs::read_to_string(Path::new(ROOT).join("fixtures/costs.json")).expect("committed");
    let costs = fixtures.join("costs.json");
    let verify = ["verify", "merad2020.lemma-4", "--budget", "quick", "--fixtures", text(&fixtures)];
    for damaged in ["", "[]", &whole[..whole.len() / 2], &whole.replacen(':', ": \"\u{1b}\" ", 1)] {
        fs::write(&costs, damaged).expect("written");
        let refused = output(place.path(), &[&verify[..], &["--shard", "1/2", "--output", "/dev/null"]].concat());
        assert_eq!(status(&refused), 2, "{damaged:.40}: {}", said(&refused));
        assert!(said(&refused).contains(text(&costs)) && !said(&refused).contains('\u{1b}'), "{}", said(&refused));
        let judged = output(place.path(), &verify);
        assert_eq!(status(&judged), 0, "{damaged:.40}: {}", said(&judged));
    }
}

#[cfg(all(target_os = "linux", feature = "formats"))]
#[test]
fn numbers_for_which_there_is_no_memory_are_refused() {
    use std::io::Write;
    let place = folder();
    let points = place.path().join("points.safetensors");
    // As many as are read at all, in a file that takes no room on the disk.
    let header =
        format!("{{\"x\":{{\"dtype\":\"U8\",\"shape\":[{},4],\"data_offsets\":[0,{}]}}}}", 1u64 << 27, 1u64 << 29);
    let mut file = fs::File::create(&points).expect("made");
    file.write_all(&(header.len() as u64).to_le_bytes()).expect("written");
    file.write_all(header.as_bytes()).expect("written");
    file.set_len(8 + header.len() as u64 + (1 << 29)).expect("a sparse file");
    let labels = place.path().join("labels.csv");
    fs::write(&labels, "label\n1\n2\n").expect("written");
    let script = format!(
        "ulimit -v 3000000; {} bounds {} {}",
        env!("CARGO_BIN_EXE_contrapositive"),
        text(&points),
        text(&labels)
    );
    let refused = Command::new("bash").args(["-c", &script]).env("RAYON_NUM_THREADS", "2").output().expect("bash");
    assert_eq!(status(&refused), 2, "{}", said(&refused));
    assert!(said(&refused).contains("there is no memory for 536870912 numbers"), "{}", said(&refused));
}

#[test]
fn a_statement_that_takes_long_is_said_to_be_at_work() {
    let place = folder();
    let words =
        ["try", "tv(p, q)^2 <= 1 - exp(-kl(p, q))", "--for", "n in 1..8, p, q in simplex(n)", "--budget", "deep"];
    let mut command = program(place.path(), &words);
    let child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(2500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    let stopped = child.wait_with_output().expect("it ends");
    assert!(said(&stopped).starts_with("the statement is tried: running for 2 s\n"), "{}", said(&stopped));
}
