//! A file of statements: a catalogue without Rust.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use enclosures::stream;
use evidence::claim::{
    Claim, Evaluation, Expectation, Role, Setting, fails, holds, undecided, vacuous, vacuous_expected,
};
use evidence::judge::{Judgement, judge};
use evidence::reading;
use evidence::report::{Paper, Register, RegisteredStatement};
use evidence::verdict::Verdict;
use rand_core::Rng;
use serde::Deserialize;
use thiserror::Error;

use crate::formulas::scope;
use crate::instances::assignment::Assignment;
use crate::instances::compare::{BEYOND, glanced, is_met, judged, judged_thoroughly};
use crate::instances::draw::{Dice, STYLES, draw, edges};
use crate::instances::statement::{Statement, Texts};
use crate::search::families::{drawn_for, excepted, met};
use crate::search::interned::interned;
use crate::search::translate::{kind, setting};
use crate::text::fault::{Fault, boundary};

/// The largest file that is read, in bytes.
const LARGEST: u64 = 4 << 20;

/// A file as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// What the statements are about.
    title: String,
    /// The statements.
    #[serde(rename = "claim")]
    claims: Vec<Stated>,
}

/// One claim.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stated {
    id: String,
    #[serde(default)]
    title: Option<String>,
    statement: String,
    #[serde(default, rename = "for")]
    ranges: String,
    #[serde(default, rename = "where")]
    conditions: String,
    #[serde(default)]
    given: Vec<String>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    remark: Vec<String>,
    #[serde(default)]
    expect: Option<String>,
    #[serde(default)]
    because: Option<String>,
    #[serde(default, rename = "step")]
    steps: Vec<Variant>,
    #[serde(default, rename = "control")]
    controls: Vec<Variant>,
    #[serde(default, rename = "amendment")]
    amendments: Vec<Variant>,
    #[serde(default, rename = "sharpening")]
    sharpenings: Vec<Variant>,
}

/// Another statement about the same variables.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variant {
    id: String,
    statement: String,
    #[serde(default, rename = "where")]
    conditions: String,
    #[serde(default)]
    expect: Option<String>,
    #[serde(default)]
    because: Option<String>,
}

/// Why a file of statements cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// It could not be read, or is longer than any such file.
    #[error("cannot read {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// It is not TOML, or not a file of statements.
    #[error("{path}: {}", brief(source))]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Box<toml::de::Error>,
    },
    /// A statement in it cannot be read.
    #[error("{path}, {place}:\n{}", fault.rendered())]
    Statement {
        /// The file.
        path: PathBuf,
        /// The claim and the check.
        place: String,
        /// What is wrong.
        fault: Fault,
    },
    /// Something else in it is wrong.
    #[error("{path}, {place}: {message}")]
    Content {
        /// The file.
        path: PathBuf,
        /// The claim and the check.
        place: String,
        /// What is wrong.
        message: String,
    },
}

/// Longer lines of a file than this are not quoted, in bytes.
const QUOTED: usize = 200;

/// What is wrong with a file, with the line at fault unless it is a long one.
fn brief(error: &toml::de::Error) -> String {
    let hint = match error.message() {
        "missing field `title`" => "; a file of statements begins with a title: title = \"Pinsker's inequality\"",
        "missing field `claim`" => "; a statement goes under [[claim]], with id and statement",
        "missing field `id`" => "; every claim, control and step has one: id = \"pinsker\"",
        "missing field `statement`" => "; it is written as for `try`: statement = \"x^2 >= 0\"",
        _ => "",
    };
    let whole = error.to_string().trim_end().to_owned() + hint;
    if whole.lines().all(|line| line.len() <= QUOTED) {
        return whole;
    }
    let place = whole.lines().next().unwrap_or_default();
    let cut = |text: &str| match boundary(text, QUOTED) {
        end if end < text.len() => format!("{}…", &text[..end]),
        _ => text.to_owned(),
    };
    format!("{}\n{}", cut(place), cut(error.message()))
}

/// The claims of a file, and the register by which a report lists them.
pub struct FileCatalogue {
    /// The claims, in the order of the file.
    pub claims: Vec<Claim>,
    /// Their ids and titles.
    pub register: Register,
}

/// Reads a file of statements.
///
/// # Errors
/// The file cannot be read, is not of this form, or holds a statement that cannot be read.
pub fn load(path: &Path, seed: u64) -> Result<FileCatalogue, CatalogueError> {
    let io = |source| CatalogueError::Io { path: path.into(), source };
    read(&reading::text(path, LARGEST).map_err(io)?, path, seed)
}

/// A statement of a file as it is typed, apart from its variants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The id of its claim.
    pub id: String,
    /// Its texts.
    pub texts: Texts,
    /// Whether the file expects that it fails.
    pub fails: bool,
}

/// The statements of a file, in its order.
///
/// # Errors
/// As for [`load`].
pub fn typed(path: &Path, seed: u64) -> Result<Vec<Typed>, CatalogueError> {
    let io = |source| CatalogueError::Io { path: path.into(), source };
    let text = reading::text(path, LARGEST).map_err(io)?;
    let ids = read(&text, path, seed)?.claims.into_iter().map(|claim| claim.id.to_owned());
    let stated = parsed(&text, path)?.claims.into_iter();
    let one = |(id, stated): (String, Stated)| Typed {
        id,
        fails: stated.expect.as_deref() == Some("fails"),
        texts: stated.texts(),
    };
    Ok(ids.zip(stated).map(one).collect())
}

fn parsed(text: &str, path: &Path) -> Result<File, CatalogueError> {
    toml::from_str(text).map_err(|source| CatalogueError::Format { path: path.into(), source: Box::new(source) })
}

impl Stated {
    fn texts(&self) -> Texts {
        Texts { statement: self.statement.clone(), ranges: self.ranges.clone(), conditions: self.conditions.clone() }
    }
}

/// Reads the text of a file of statements; `path` is where it came from, and its stem begins the ids of the claims.
///
/// # Errors
/// As for [`load`].
pub fn read(text: &str, path: &Path, seed: u64) -> Result<FileCatalogue, CatalogueError> {
    let file = parsed(text, path)?;
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("statements");
    let paper = name(stem);
    let mut catalogue = FileCatalogue {
        claims: Vec::new(),
        register: Register {
            papers: vec![Paper { id: paper.clone(), citation: file.title.clone(), entries: Vec::new() }],
        },
    };
    let mut seen: Vec<String> = Vec::new();
    for stated in &file.claims {
        let wrong = |place: &str, message: String| CatalogueError::Content {
            path: path.into(),
            place: place.to_owned(),
            message,
        };
        if !is_id(&stated.id) {
            return Err(wrong(&shown(&stated.id), ID_RULE.to_owned()));
        }
        if seen.contains(&stated.id) {
            return Err(wrong(&stated.id, "this id occurs twice".into()));
        }
        seen.push(stated.id.clone());
        let reading = Reading { path, seed, stated };
        let id = format!("{paper}.{}", stated.id);
        catalogue.claims.push(reading.claim(&id)?);
        let title = stated.title.clone().unwrap_or_else(|| stated.statement.clone());
        catalogue.register.papers[0].entries.push(RegisteredStatement { id, title });
    }
    Ok(catalogue)
}

/// A text as part of an id.
fn name(text: &str) -> String {
    let plain = text.to_lowercase();
    let part = |c: char| {
        if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' }
    };
    plain.chars().map(part).collect()
}

/// What ids of claims and of checks consist of: they become parts of names of files.
const ID_RULE: &str = "an id consists of lower-case letters, digits and hyphens";

fn is_id(text: &str) -> bool {
    !text.is_empty() && name(text) == text
}

/// An id that is none, in an error: as much of it as fits a line.
fn shown(id: &str) -> String {
    format!("{:?}", &id[..boundary(id, QUOTED)])
}

struct Reading<'f> {
    path: &'f Path,
    seed: u64,
    stated: &'f Stated,
}

/// Of numbers smaller than this, or larger than one over it, the thirteenth power is beyond the 4096 bits that are spent.
const REMOTE: f64 = 1e-100;

/// What differs by less than doubles have a number for, the right way round, is beyond them, and not in doubt; neither is what is not told apart at any
/// number of bits next to zero or far from it.
fn told(evaluation: Evaluation, at: &Assignment) -> Evaluation {
    let is_remote = |x: f64| x != 0.0 && !(REMOTE..=1.0 / REMOTE).contains(&x.abs());
    match &evaluation {
        Evaluation::Compared(c) if judge(c) == Judgement::Undecided => {
            let margin = c.margin.interval();
            let is_least = margin.lo() >= 0.0 && 0.0 < margin.hi() && margin.hi() < f64::MIN_POSITIVE;
            // No doubles differ so little unless they are equal.
            let is_close = c.margin.width() <= f64::EPSILON * f64::EPSILON * c.scale;
            let is_beyond = is_least || is_close && at.doubles().into_iter().any(is_remote);
            if is_beyond { vacuous(BEYOND) } else { evaluation }
        }
        _ => evaluation,
    }
}

/// A statement of alternatives in the first of the ways it is understood in which some plain or ordinary instance meets what it assumes.
fn speaking(statement: Statement) -> Statement {
    const DRAWN: usize = 64;
    let says_something = |statement: &Statement| {
        let mut stream = stream::stream(0, &["alternatives", &statement.texts.statement]);
        let mut bits = || stream.next_u64();
        let mut dice = Dice::new(&mut bits);
        let drawn = (0..DRAWN).filter_map(|n| draw(&statement.declarations, STYLES[n % STYLES.len()], &mut dice));
        let mut all = edges(&statement.declarations).into_iter().map(|(_, a)| a).chain(drawn);
        all.any(|a| statement.implied.iter().all(|c| is_met(c, &a)))
    };
    if statement.implied.is_empty() || says_something(&statement) {
        return statement;
    }
    let others = std::iter::successors(statement.otherwise(), Statement::otherwise);
    others.into_iter().find(says_something).unwrap_or(statement)
}

impl Reading<'_> {
    fn wrong(&self, check: &str, message: impl Into<String>) -> CatalogueError {
        CatalogueError::Content {
            path: self.path.into(),
            place: format!("{} {check}", self.stated.id),
            message: message.into(),
        }
    }

    fn statement(&self, check: &str, texts: &Texts) -> Result<Statement, CatalogueError> {
        Statement::one_of_several(texts).map(speaking).map_err(|fault| self.unread(check, fault))
    }

    fn unread(&self, check: &str, fault: Fault) -> CatalogueError {
        CatalogueError::Statement { path: self.path.into(), place: format!("{} {check}", self.stated.id), fault }
    }

    fn claim(&self, id: &str) -> Result<Claim, CatalogueError> {
        let stated = self.stated;
        let statement = Statement::first_of_several(&stated.texts()).map_err(|fault| self.unread("stated", fault))?;
        let statement = Arc::new(speaking(statement));
        if stated.controls.is_empty() {
            return Err(self.wrong("", "a claim needs a control: a false variant that its instances must refute"));
        }
        let mut checks = setting(&statement, self.seed);
        for given in &stated.given {
            checks = checks.given(interned(given));
        }
        let whole = Variant {
            id: "stated".into(),
            statement: stated.statement.clone(),
            conditions: String::new(),
            expect: stated.expect.clone(),
            because: stated.because.clone(),
        };
        checks = self.check(checks, Role::Part, &whole, &statement)?;
        let variants = [
            (Role::Step, &stated.steps),
            (Role::Amendment, &stated.amendments),
            (Role::Sharpening, &stated.sharpenings),
            (Role::Control, &stated.controls),
        ];
        let mut ids = vec!["stated"];
        for (role, list) in variants {
            for variant in list {
                if !is_id(&variant.id) {
                    return Err(self.wrong(&shown(&variant.id), ID_RULE));
                }
                if ids.contains(&variant.id.as_str()) {
                    return Err(self.wrong(&variant.id, "this id occurs twice"));
                }
                ids.push(&variant.id);
                checks = self.check(checks, role, variant, &statement)?;
            }
        }
        let title = stated.title.as_deref().unwrap_or(&stated.statement);
        // Its file is the one of the statements, not this one, and lies wherever its reader put it.
        let mut claim = Claim::new(interned(id), interned(title), kind(&statement))
            .in_file("")
            .statement(interned(&stated.statement))
            .setting(checks);
        if let Some(source) = &stated.source {
            claim = claim.source(interned(source), &[]);
        }
        for remark in &stated.remark {
            claim = claim.remark(interned(remark));
        }
        Ok(claim)
    }

    fn check(
        &self,
        checks: Setting<Assignment, ()>,
        role: Role,
        variant: &Variant,
        statement: &Statement,
    ) -> Result<Setting<Assignment, ()>, CatalogueError> {
        // The same variables over the same ranges; conditions stay conditions, so that they restrict this check alone.
        let texts = Texts {
            statement: variant.statement.clone(),
            ranges: statement.declarations.to_string(),
            conditions: String::new(),
        };
        let own = self.statement(&variant.id, &texts)?;
        if own.declarations.variables.len() != statement.declarations.variables.len() {
            let new = own.declarations.variables.last().map_or("", |v| v.name.as_str());
            return Err(self.wrong(&variant.id, format!("`{new}` is no variable of the claim")));
        }
        let mut conditions =
            scope::conditions(&texts.ranges, &variant.conditions).map_err(|fault| self.unread(&variant.id, fault))?;
        conditions.extend(own.implied.clone());
        let checks = checks.family(drawn_for(&statement.declarations, &conditions));
        let chain = own.chain.clone();
        let seen = chain.clone();
        let test = move |a: &Assignment, (): &()| -> Evaluation {
            match judged(&chain, a) {
                // Where 256 bits leave it open, more may tell.
                Evaluation::Compared(c) if judge(&c) == Judgement::Undecided => told(judged_thoroughly(&chain, a), a),
                evaluation => evaluation,
            }
        };
        let expectation = match role {
            Role::Control if variant.expect.is_some() || variant.because.is_some() => {
                let reason = "a control is always expected to fail; remove `expect` and `because`";
                return Err(self.wrong(&variant.id, reason));
            }
            Role::Control => fails("a deliberately false variant"),
            _ => self.expectation(variant)?,
        };
        let (id, text) = (interned(&variant.id), interned(&variant.statement));
        let checks = excepted(checks.check(role, id, text, expectation, test));
        let checks = checks.guided_by(move |a: &Assignment| glanced(&seen, a));
        Ok(conditions.into_iter().map(met).fold(checks, Setting::assume))
    }

    fn expectation(&self, variant: &Variant) -> Result<Expectation, CatalogueError> {
        let text = variant.expect.as_deref().unwrap_or("holds");
        let verdict: Verdict = text.parse().map_err(|e: String| self.wrong(&variant.id, e))?;
        let because = || {
            let because = variant.because.as_deref().map(interned);
            because.ok_or_else(|| self.wrong(&variant.id, format!("`expect = \"{text}\"` needs a line `because = …`")))
        };
        Ok(match verdict {
            Verdict::Holds => holds(),
            Verdict::Fails => fails(because()?),
            Verdict::Undecided => undecided(because()?),
            Verdict::Vacuous => vacuous_expected(because()?),
            other => {
                let message =
                    format!("a statement cannot be expected to be \"{other}\": use holds, fails, undecided or vacuous");
                return Err(self.wrong(&variant.id, message));
            }
        })
    }
}
