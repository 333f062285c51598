//! The example files: every verdict as expected, every control refuted.

use std::path::{Path, PathBuf};

use contrapositive_statements::catalogue::{self, CatalogueError, FileCatalogue};
use evidence::budget::Budget;
use evidence::claim::{Claim, Fixtures};
use evidence::report;
use evidence::run::{Plan, Run, Silent, WitnessStore, run};
use evidence::verdict::Verdict;

const SEED: u64 = 20_201_126;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/statements")
}

fn ran(catalogue: &FileCatalogue) -> Run {
    let claims: Vec<&Claim> = catalogue.claims.iter().collect();
    let plan = Plan { seed: SEED, budget: Budget::Standard };
    run(&claims, plan, &Fixtures::at("."), &WitnessStore::default(), &Silent)
}

#[test]
fn every_example_ends_as_it_says() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(examples())
        .expect("the examples")
        .map(|entry| entry.expect("an example").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    assert!(files.len() >= 10, "{files:?}");
    let mut wrong = Vec::new();
    for path in files {
        let catalogue = catalogue::load(&path, SEED).unwrap_or_else(|e| panic!("{e}"));
        let run = ran(&catalogue);
        for claim in &run.claims {
            for check in &claim.checks {
                if !check.as_expected() {
                    let shown = check.witness.as_ref().or(None).map(|w| w.description.clone());
                    let doubt = check.doubtful.as_ref().map(|d| d.description.clone());
                    wrong.push(format!(
                        "{} {} is {}, not {}; {shown:?} {doubt:?} {:?}",
                        claim.id, check.id, check.verdict, check.expectation.verdict, check.trouble
                    ));
                }
            }
        }
        let text = pages::markdown(&run, &catalogue.register, &Vec::new());
        assert!(text.contains(&catalogue.register.papers[0].citation));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn refused(text: &str) -> String {
    let read: Result<FileCatalogue, CatalogueError> = catalogue::read(text, Path::new("mine.toml"), SEED);
    match read {
        Ok(_) => panic!("{text} was read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_wrong_with_a_file_is_said_with_its_place() {
    let claim = |rest: &str| format!("title = 't'\n[[claim]]\nid = 'a'\nstatement = 'x <= x + 1'\n{rest}");
    let control = "[[claim.control]]\nid = 'c'\nstatement = 'x <= x - 1'\n";
    assert!(catalogue::read(&claim(control), Path::new("mine.toml"), SEED).is_ok());
    assert!(refused(&claim("")).contains("needs a control"));
    assert!(refused("title = 't'").contains("claim"));
    assert!(refused(&claim("oops = 1")).contains("unknown field `oops`"));
    assert!(refused(&claim(&format!("expect = 'fails'\n{control}"))).contains("because"));
    assert!(refused(&claim(&format!("expect = 'maybe'\n{control}"))).contains("unknown verdict"));
    assert!(refused(&claim("[[claim.control]]\nid = 'c'\nstatement = 'z <= x'\n")).contains("`z` is no variable"));
    assert!(
        refused(&claim("[[claim.control]]\nid = 'c'\nstatement = 'x <='\n")).contains("an expression was expected")
    );
    let unknown = "[[claim.control]]\nid = 'c'\nstatement = 'x <= 1'\nwhere = 'z > 0'\n";
    assert!(refused(&claim(unknown)).contains("`z` is not declared"));
}

#[test]
fn an_id_of_a_check_is_one_of_a_claim_and_never_a_path() {
    let file = |role: &str, id: &str| {
        format!(
            "title = 't'\n[[claim]]\nid = 'a'\nstatement = 'x <= x + 1'\n\
             [[claim.control]]\nid = 'c'\nstatement = 'x <= x - 1'\n\
             [[claim.{role}]]\nid = \"{id}\"\nstatement = 'x <= x - 2'\n"
        )
    };
    for role in ["control", "amendment", "step", "sharpening"] {
        assert!(catalogue::read(&file(role, "b-2"), Path::new("mine.toml"), SEED).is_ok(), "{role}");
        for id in ["../../x", "<script>", "", "A", "b c", "b.c", "\\u001b[31m", "é"] {
            let error = refused(&file(role, id));
            assert!(error.contains("lower-case letters, digits and hyphens"), "{role} {id}: {error}");
            assert!(!error.contains('\u{1b}'), "{error:?}");
        }
    }
}

#[test]
fn a_run_is_the_same_on_one_thread_and_on_four() {
    let path = examples().join("pinsker.toml");
    let catalogue = catalogue::load(&path, SEED).unwrap_or_else(|e| panic!("{e}"));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let run = pool.install(|| ran(&catalogue));
        report::json(&run, &catalogue.register, &Vec::new()).to_string()
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn instances_move_to_the_equations_of_a_single_check() {
    let text = "
        title = 't'
        [[claim]]
        id = 'product'
        statement = 'x*y <= (x^2 + y^2)/2'
        [[claim.step]]
        id = 'on-the-line'
        statement = 'x*y <= 1/4'
        where = 'x + y = 1'
        [[claim.control]]
        id = 'beside-the-line'
        statement = 'x*y <= 0.2499'
        where = '0 < x + y = 1'
    ";
    let catalogue = catalogue::read(text, Path::new("mine.toml"), SEED).unwrap_or_else(|e| panic!("{e}"));
    let run = ran(&catalogue);
    let [stated, step, control] = &run.claims[0].checks[..] else {
        panic!("three checks: {:?}", run.claims[0].checks);
    };
    assert_eq!([stated.verdict, step.verdict], [Verdict::Holds; 2]);
    assert!(step.counts.tried() > 500, "{:?}", step.counts);
    assert_eq!(control.verdict, Verdict::Fails);
}

#[test]
fn a_long_line_is_not_quoted_whole() {
    let deep = format!("title = {}", "[".repeat(100_000));
    let wrong = format!("title = \"{}\" x", "a".repeat(100_000));
    let statement = format!("title = \"t\"\n[[claim]]\nid = \"a\"\nstatement = \"{}1 <= 2\"", "(".repeat(100_000));
    for text in [deep, wrong, statement] {
        let error = refused(&text);
        assert!(error.starts_with("mine.toml") && error.len() < 1500, "{} bytes: {}", error.len(), &error[..300]);
    }
    let short = refused("title = [");
    assert!(short.contains("title = ["), "{short}");
}

#[test]
fn the_statements_of_a_file_are_those_of_its_claims() {
    let path = examples().join("pinsker.toml");
    let typed = catalogue::typed(&path, SEED).expect("readable");
    let claims = catalogue::load(&path, SEED).expect("readable").claims;
    assert_eq!(typed.len(), claims.len());
    for (stated, claim) in typed.iter().zip(&claims) {
        assert_eq!(stated.id, claim.id);
        assert!(!stated.texts.statement.is_empty());
    }
    assert!(catalogue::typed(Path::new("nowhere.toml"), SEED).is_err());
}

#[test]
fn strict_statements_are_decided_as_they_are_by_themselves() {
    for (statement, ranges, control) in [
        ("sin x < x", "x > 0", "sin x < x/2"),
        ("tanh x < x", "x > 0", "tanh x < x/2"),
        ("x < 1", "x in (0, 1)", "x < 1/2"),
        ("log(1 + x) < x", "x > 0", "log(1 + x) < x/2"),
        ("x/2 < x", "x in (0, 1)", "x < x/2"),
        ("atan x < x", "x > 0", "atan x < x/2"),
        // Next to zero the sides differ by less than 4096 bits tell.
        ("1 - x^2/2 < cos x", "x > 0", "1 - x^2/3 < cos x"),
        // Of alternatives one that says something is claimed.
        ("x > 1 => x > 0 or x < -5", "", "x > 1 => x > 2 or x < -5"),
        ("x^2 >= 0 or x > 7", "", "x^2 >= 1 or x > 7"),
        ("x^2 + y^2 >= 2*x*y or x > 7", "", "x^2 + y^2 >= 3*x*y or x > 7"),
    ] {
        let text = format!(
            "title = \"strict\"\n[[claim]]\nid = \"a\"\nstatement = \"{statement}\"\nfor = \"{ranges}\"\n[[claim.control]]\nid = \
             \"half\"\nstatement = \"{control}\"\n"
        );
        let read = catalogue::read(&text, Path::new("strict.toml"), SEED).unwrap_or_else(|e| panic!("{e}"));
        let run = ran(&read);
        assert_eq!(run.claims[0].checks[0].verdict, Verdict::Holds, "{statement}");
        assert_eq!(run.claims[0].checks[1].verdict, Verdict::Fails, "{control}");
    }
}
