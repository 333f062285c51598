//! `certify`: the counterexample of a claim or of a statement, as a theorem that Coq's kernel checks.
//!
//! What is certified is a comparison of two closed formulas. That these are the sides of the statement at the instance, and that the instance
//! meets the hypotheses of a claim, is the program's word; the conditions of a typed statement are theorems of the same file.

mod coq;
mod headlines;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use cli::Catalogue;
use cli::terminal::patience::Patience;
use cli::words::arguments::Selection;
use enclosures::formula::Formula;
use enclosures::work::counted;
use evidence::budget::Budget;
use evidence::claim::{Claim, Comparison, Fixtures};
use evidence::judge::{Judgement, judge};
use evidence::run::{Context, Silent, Witness, WitnessStore};
use evidence::verdict::{Outcome, Verdict};
use evidence::writing;
use statements::{Options, Texts, attempt, recording};

use super::console::{say, tell};
use super::seed::DEFAULT_SEED;
use super::select::select;
use super::status::{Status, Trouble};
use super::r#try::digest;
use coq::{HEAD, Theorem, Unwritten, is_computed, theorem};
use headlines::Headlines;

const EXAMPLES: &str = "\
Examples:
  contrapositive certify merad2020.norm-rank-term
  contrapositive certify merad2020.norm-rank-term.equality --output certificates
  contrapositive certify 'esser2024.*'
  contrapositive certify 'log(1 + exp(a)) <= log 2 + a/2'

Coq checks the files if `coqc`, with the library Interval, is on the path (Debian: coq, libcoq-interval).
Exit status: 0 if every counterexample is written, and accepted by Coq if it is installed; 1 if not, or if there is \
none; 2 if the statement cannot be read.";

/// Write a counterexample as a theorem of Coq, and have it checked.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Certify {
    /// A claim of the catalogue, one of its checks, a pattern of claims, or a statement as for `try`.
    #[arg(value_name = "CLAIM|STATEMENT", allow_hyphen_values = true)]
    pub asked: String,
    /// What the variables of a statement range over.
    #[arg(long = "for", default_value = "", value_name = "DECLARATIONS", allow_hyphen_values = true)]
    pub ranges: String,
    /// Conditions of a statement.
    #[arg(long = "where", default_value = "", value_name = "CONDITIONS", allow_hyphen_values = true)]
    pub conditions: String,
    /// The folder for the files.
    #[arg(long, default_value = ".")]
    pub output: PathBuf,
    /// How long Coq may take for one file, in seconds.
    #[arg(long, default_value_t = 120)]
    pub patience: u64,
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// The folder with data sets and witnesses.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}

/// Bits with which Coq computes: the first suffice but where the sides are close to each other.
const BITS: [u32; 2] = [100, 400];

/// The most counted work of a comparison whose operations on intervals are recorded: flows that are followed step by step make millions.
const MOST_WORK: u64 = 1 << 20;

/// What every file says of its numbers.
const ABOUT: &str = "Every number is the double that the program computes with, as a fraction.";
/// The same of a theorem about numbers that are given within bounds: [`Theorem::given`].
const ABOUT_BOUNDS: &str = "A theorem holds for all numbers n1, n2, ... within the bounds that it states. That the \
                            numbers of the counterexample lie within them is what the program computes; Coq proves \
                            the rest.";

/// A counterexample that is to be certified.
struct Counterexample {
    name: String,
    /// What the head of the file says of it.
    told: Vec<String>,
    /// What Coq is asked, one after the other until it accepts one: the theorems of a file. Or why there is nothing to ask.
    attempts: Result<Vec<Vec<Theorem>>, String>,
}

/// A counterexample that is judged when it is asked for: the operations that are recorded take room.
type Prepared<'a> = Box<dyn FnOnce() -> Counterexample + 'a>;

/// What the claims are judged on.
struct Stored {
    fixtures: Fixtures,
    witnesses: WitnessStore,
}

impl Stored {
    fn of(catalogue: &Catalogue, options: &Certify) -> Result<Self, Trouble> {
        let fixtures = catalogue.fixtures_to_read(options.fixtures.as_ref())?;
        let witnesses = WitnessStore::load(&fixtures.path("witnesses"))?;
        Ok(Stored { fixtures, witnesses })
    }
}

/// What came of one.
enum Fate {
    /// Coq accepts it.
    Checked(Duration),
    /// There is no Coq.
    Written,
    /// It cannot be written.
    Impossible(String),
    /// Coq does not accept it.
    Refused(String),
}

/// Certifies what is asked for.
pub fn certify(catalogue: &Catalogue, options: &Certify) -> Result<Status, Trouble> {
    let mut headlines = Headlines::default();
    let stored;
    let counterexamples = if is_id(&options.asked) {
        stored = Stored::of(catalogue, options)?;
        of_claims(catalogue, options, &stored, &mut headlines)?
    } else {
        let counterexample = of_statement(options)?;
        vec![Box::new(|| counterexample) as Prepared<'_>]
    };
    let count = counterexamples.len();
    let has_coq = Command::new("coqc").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let has_coq = has_coq.is_ok_and(|status| status.success());
    let (mut checked, mut written) = (0, 0);
    let _patience = Patience::with("counterexamples are certified");
    for prepared in counterexamples {
        let one = &prepared();
        let (file, fate, given_numbers) = certified(one, options, has_coq)?;
        let given = match given_numbers {
            0 => String::new(),
            1 => "; 1 number is any number of the interval that the program found".to_owned(),
            n => format!("; {n} numbers are any numbers of the intervals that the program found"),
        };
        match fate {
            Fate::Checked(time) => {
                checked += 1;
                headlines.accept(&one.name, given_numbers);
                say!("checked      {}  {} ({:.1} s{given})", one.name, file.display(), time.as_secs_f64())?;
            }
            Fate::Written => {
                written += 1;
                say!("written      {}  {}, not checked: no coqc on the path{given}", one.name, file.display())?;
            }
            Fate::Impossible(why) => say!("no theorem   {}: {why}", one.name)?,
            Fate::Refused(why) => say!("not checked  {}  {}: {why}", one.name, file.display())?,
        }
    }
    if count > 1 {
        say!("{count} counterexamples: {checked} checked, {written} written and not checked")?;
    }
    headlines.say()?;
    let all = checked + written == count && count > 0;
    Ok(if all { Status::AsExpected } else { Status::Changed })
}

/// An id or a pattern of ids holds no comparison.
fn is_id(text: &str) -> bool {
    !text.contains(['<', '>', '=', '≤', '≥'])
}

/// The stored witnesses that make the headlines of claims fail, or the one of a check.
fn of_claims<'a>(
    catalogue: &'a Catalogue,
    options: &Certify,
    stored: &'a Stored,
    headlines: &mut Headlines,
) -> Result<Vec<Prepared<'a>>, Trouble> {
    let (store, seed) = (&stored.witnesses, options.seed);
    let prepared = |claim: &'a Claim, witness: &'a Witness| -> Prepared<'a> {
        Box::new(move || of_witness(claim, witness, &stored.fixtures, seed))
    };
    let of_check = |claim: &Claim| options.asked.strip_prefix(claim.id)?.strip_prefix('.').map(str::to_owned);
    let mut found = Vec::new();
    let claims = catalogue.claims();
    let exactly = claims.iter().any(|claim| claim.id == options.asked);
    let of_one = claims.iter().filter_map(|c| Some((c, of_check(c)?))).max_by_key(|(c, _)| c.id.len());
    if let Some((claim, check)) = of_one.filter(|_| !exactly) {
        let witness = store
            .get(claim.id, &check)
            .ok_or_else(|| Trouble::Unusable(format!("{} has no stored counterexample", options.asked)))?;
        found.push(prepared(claim, witness));
        return Ok(found);
    }
    let selection = Selection { ids: vec![options.asked.clone()], ..Selection::default() };
    for claim in select(claims, &selection)? {
        let expected = claim.expected();
        let fails = |id: &str| claim.checks().iter().any(|c| c.id == id && c.expectation.verdict == Verdict::Fails);
        // A part may belong to several senses.
        let mut decisive: Vec<&str> = expected.decisive().filter(|id| fails(id)).collect();
        decisive.sort_unstable();
        decisive.dedup();
        headlines.add(claim, &expected);
        for check in decisive {
            if let Some(witness) = store.get(claim.id, check) {
                found.push(prepared(claim, witness));
            }
        }
    }
    if found.is_empty() {
        tell!("no headline of {} fails on a stored witness", options.asked);
    }
    Ok(found)
}

/// A stored witness, judged again while its operations are recorded.
fn of_witness(claim: &Claim, witness: &Witness, fixtures: &Fixtures, seed: u64) -> Counterexample {
    let context = Context {
        seed,
        budget: Budget::Standard,
        fixtures,
        witnesses: &WitnessStore::default(),
        observer: &Silent,
        claim: claim.id,
    };
    let name = format!("{}.{}", claim.id, witness.check);
    let mut told = vec![format!("{}, {}: {}", claim.id, witness.check, witness.statement)];
    told.push(format!("The instance: {}", witness.description));
    let info = claim.checks().into_iter().find(|c| c.id == witness.check);
    let assumed = info.map_or(Vec::new(), |c| c.assumes.givens.iter().chain(&c.assumes.hypotheses).copied().collect());
    if !assumed.is_empty() {
        told.push(format!("That it meets these is the program's word: {}", assumed.join("; ")));
    }
    let of = |recorded: Result<(Outcome, Formula), String>| {
        let compared = recorded.and_then(|(outcome, formula)| match outcome {
            Outcome::Judged { comparison, .. } => Ok((*comparison, formula)),
            other => Err(format!("it does not compare: {other:?}")),
        });
        let (comparison, formula) = &compared?;
        if !is_computed(comparison, formula) {
            return Err("both sides are numbers without recorded operations".to_owned());
        }
        let attempt = |bits| Ok(vec![theorem("violated", comparison, formula, bits, false)?]);
        BITS.into_iter().map(attempt).collect::<Result<Vec<_>, Unwritten>>().map_err(|why| why.to_string())
    };
    let (plain, work) = counted(|| of(claim.recorded(&witness.check, &witness.instance, &context)));
    // Where the operations on enclosures do not tell all, those on intervals may.
    let given = |attempts: &[Vec<Theorem>]| attempts.iter().flatten().map(|theorem| theorem.given).max();
    let is_whole = plain.as_ref().is_ok_and(|attempts| given(attempts) == Some(0));
    let throughout = if is_whole {
        Err(String::new())
    } else if work > MOST_WORK {
        Err(format!("{work} operations on intervals lead to its sides, more than are recorded"))
    } else {
        of(claim.recorded_throughout(&witness.check, &witness.instance, &context))
    };
    let attempts = match (plain, throughout) {
        (Ok(plain), Ok(throughout)) if given(&throughout) < given(&plain) => Ok([throughout, plain].concat()),
        (Ok(plain), Ok(throughout)) => Ok([plain, throughout].concat()),
        (Ok(found), Err(_)) | (Err(_), Ok(found)) => Ok(found),
        (Err(_), Err(why)) if work > MOST_WORK => Err(why),
        (Err(why), Err(_)) => Err(why),
    };
    Counterexample { name, told, attempts }
}

/// The counterexample that is found to a statement.
fn of_statement(options: &Certify) -> Result<Counterexample, Trouble> {
    let texts = Texts::of(&options.asked).ranging(&options.ranges).given(&options.conditions);
    let trouble = |error: statements::TryError| Trouble::Unusable(error.to_string());
    let found = attempt(&texts, Options { seed: options.seed, ..Options::default() }).map_err(trouble)?;
    let statements::AttemptOutcome::Refuted { refutation, .. } = found.outcome else {
        return Err(Trouble::Unusable(format!("there is no counterexample to certify\n{found}")));
    };
    let recorded = recording(&refutation).map_err(trouble)?;
    let mut told = vec![texts.statement.clone()];
    told.extend((!texts.ranges.is_empty()).then(|| format!("for {}", texts.ranges)));
    told.extend((!texts.conditions.is_empty()).then(|| format!("where {}", texts.conditions)));
    told.push(format!("The instance: {}", refutation.description));
    if !recorded.solved.is_empty() {
        let equations = recorded.solved.join(", ");
        told.push(format!("That a solution of these lies within the bounds is the program's word: {equations}"));
    }
    let theorems = |bits| {
        let closest = |c: &&Comparison| judge(c) == Judgement::Violated;
        let stated = recorded.stated.iter().find(closest).or_else(|| recorded.stated.first());
        let stated = stated.ok_or("it has nothing to compare")?;
        let conditions = recorded.conditions.iter().enumerate().map(|(at, (_, relation))| {
            theorem(&format!("condition{}", at + 1), relation, &recorded.formula, bits, true)
        });
        let all = conditions.chain([theorem("violated", stated, &recorded.formula, bits, false)]);
        all.collect::<Result<Vec<Theorem>, _>>().map_err(|why| why.to_string())
    };
    let attempts = BITS.into_iter().map(theorems).collect();
    // Another statement has another name, so that nothing is overwritten.
    let name = format!("statement-{}", digest(&told.join("\n")));
    Ok(Counterexample { name, told, attempts })
}

/// Writes one and asks Coq, if there is one, until it accepts an attempt.
fn certified(one: &Counterexample, options: &Certify, has_coq: bool) -> Result<(PathBuf, Fate, usize), Trouble> {
    let file = options.output.join(format!("{}.v", identifier(&one.name)));
    let mut refused = String::new();
    let attempts = match &one.attempts {
        Ok(attempts) => attempts,
        Err(why) => return Ok((file, Fate::Impossible(why.clone()), 0)),
    };
    for theorems in attempts {
        let given = theorems.iter().map(|theorem| theorem.given).sum();
        std::fs::create_dir_all(&options.output).map_err(|source| cli::Trouble::Io {
            action: "cannot make the folder",
            path: options.output.clone(),
            source,
        })?;
        if is_of_others(&file) {
            return Ok((file, Fate::Impossible("a file of this name exists that certify did not write".to_owned()), 0));
        }
        writing::write(&file, text(&one.told, theorems).as_bytes())?;
        if !has_coq {
            return Ok((file, Fate::Written, given));
        }
        match asked(&file, Duration::from_secs(options.patience)) {
            Ok(time) => return Ok((file, Fate::Checked(time), given)),
            Err(why) => refused = why,
        }
    }
    Ok((file, Fate::Refused(refused), 0))
}

/// Whether another program has written a file.
fn is_of_others(file: &Path) -> bool {
    file.exists() && std::fs::read_to_string(file).map_or(true, |text| !text.contains(ABOUT))
}

/// A name that Coq takes for a file.
fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The file: what it is about, and its theorems.
fn text(told: &[String], theorems: &[Theorem]) -> String {
    // A comment of Coq may hold neither the signs that end one nor half a text in quotes.
    let plain = |line: &String| line.replace('"', "'").replace("(*", "( *").replace("*)", "* )");
    let told: Vec<String> = told.iter().map(plain).collect();
    let texts: Vec<&str> = theorems.iter().map(|theorem| theorem.text.as_str()).collect();
    let told = told.join("\n    ");
    let bounds =
        if theorems.iter().any(|theorem| theorem.given > 0) { [" ", ABOUT_BOUNDS].concat() } else { String::new() };
    format!("(** {told}\n\n    {ABOUT}{bounds} *)\n{HEAD}\n{}", texts.join("\n"))
}

/// Whether Coq accepts a file, and in what time; or what it says. What Coq writes beside a file goes into a folder that is removed.
fn asked(file: &Path, patience: Duration) -> Result<Duration, String> {
    let failed = |error: std::io::Error| error.to_string();
    let begun = Instant::now();
    let folder = tempfile::tempdir().map_err(failed)?;
    let name = file.file_name().unwrap_or_default();
    std::fs::copy(file, folder.path().join(name)).map_err(failed)?;
    let said = folder.path().join("said");
    let mut command = Command::new("coqc");
    command.arg("-q").arg(name).current_dir(folder.path()).stdout(Stdio::null());
    command.stderr(std::fs::File::create(&said).map_err(failed)?);
    let mut coq = command.spawn().map_err(failed)?;
    loop {
        match coq.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(begun.elapsed()),
            Ok(Some(_)) => break,
            Ok(None) if begun.elapsed() > patience => {
                let _ = coq.kill();
                let _ = coq.wait();
                return Err(format!("Coq did not finish in {} s", patience.as_secs()));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
            Err(error) => return Err(error.to_string()),
        }
    }
    let said = std::fs::read(&said).map_err(failed)?;
    let said = String::from_utf8_lossy(&said);
    let telling = said.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("File "));
    Err(format!("Coq says: {}", telling.take(2).collect::<Vec<_>>().join(" ")))
}
