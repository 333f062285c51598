//! `convergence`: error against work for every estimator, as a page, a table and a picture.

mod page;
mod picture;
mod progress;
mod shards;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use contrastive::data::{LabelledPoints, digits};
use enclosures::enclosure::plain;
use enclosures::stream;
use estimators::convergence::{self, StudyError, StudyPanel, StudySettings, Subject};
use evidence::budget::Budget;
use evidence::writing;

use self::progress::Progress;
use self::shards::{Circumstances, Measured, Portion, Unfinished, is_of};
use super::arguments::Convergence;
use super::console::tell;
use super::foreign::tame;
use super::interruption::Advice;
use super::select::fixtures;
use super::shard::Shard;
use super::status::{Status, Trouble};
use super::threads::on_threads;

/// Independent repetitions of every size.
const REPETITIONS: u64 = 32;

/// Runs the study, or puts it together, and writes `convergence.md`, `convergence.csv` and two pictures; or runs one shard of it.
pub fn convergence(options: &Convergence) -> Result<Status, Trouble> {
    let (subjects, folder) = subjects(options)?;
    let settings = StudySettings {
        seed: options.seed,
        negatives: options.negatives.clone(),
        repetitions: REPETITIONS,
        work: work(options.budget),
    };
    if let Some(shard) = options.shard {
        return one_shard(shard, options, &subjects, &settings);
    }
    let mut measured = match options.merge.as_slice() {
        [] => None,
        shards => Some(Measured::load(shards, &circumstances(options, &subjects, &settings)?)?),
    };
    fs::create_dir_all(&folder).map_err(|source| cli::Trouble::Io {
        action: "cannot make",
        path: folder.clone(),
        source,
    })?;
    let place = |ending: &str| folder.join(format!("convergence.{ending}"));
    let supervised = folder.join("convergence-supervised.svg");
    for path in [&place("svg"), &supervised, &place("csv"), &place("md")] {
        writing::check(path).map_err(cli::Trouble::NoPlace)?;
    }
    let mut unfinished = match measured {
        Some(_) => None,
        None => {
            let whole = Shard::new(1, 1).map_err(Trouble::Unusable)?;
            Some(Unfinished::below(&folder, whole, circumstances(options, &subjects, &settings)?))
        }
    };
    let _advice = going_on(unfinished.as_ref());
    let mut progress = Progress::of(convergence::steps(&subjects, &settings), options.time);
    let panels = on_threads(options.threads, || {
        let supply: &mut convergence::Supply<'_> = &mut |place, measure| match (&mut measured, &mut unfinished) {
            (Some(measured), _) => Ok(measured.take(place)),
            (None, Some(unfinished)) => unfinished.curve(place, measure).map(Some),
            (None, None) => measure().map(Some),
        };
        convergence::supplied(&subjects, &settings, supply, &mut |step| progress.step(step))
    })?;
    let unsaid = progress.finish();
    let panels = panels.map_err(Trouble::Study)?;
    let of =
        |unsupervised: bool| panels.iter().filter(|p| p.loss.negatives().is_some() == unsupervised).collect::<Vec<_>>();
    let picture = |title, panels: &[&StudyPanel]| picture::svg(title, panels).map_err(Trouble::Picture);
    let files = [
        (place("svg"), picture("Error of the unsupervised loss against work", &of(true))?),
        (supervised, picture("Error of the supervised losses and of the coverage against work", &of(false))?),
        (place("csv"), table::csv(&panels)),
        (place("md"), page::markdown(&subjects, &panels, options)),
    ];
    writing::write_together(&files)?;
    unfinished.into_iter().for_each(Unfinished::forget);
    for (path, _) in &files {
        tell!("wrote {}", path.display());
    }
    // The files are what was asked for; that the terminal has gone is said last.
    unsaid.map_or(Ok(Status::AsExpected), Err)
}

/// Says how many curves an earlier call has left, and on an interruption how to go on.
fn going_on(unfinished: Option<&Unfinished>) -> Advice {
    match unfinished.map(Unfinished::count) {
        Some(count) if count > 0 => tell!("resuming: {count} curves were measured before"),
        _ => {}
    }
    Advice::give(|| "finished curves are stored beside the results; the same command resumes from there".to_owned())
}

/// What the study depends on, its data among it.
fn circumstances(
    options: &Convergence,
    subjects: &[Subject],
    settings: &StudySettings,
) -> Result<Circumstances, Trouble> {
    let files = match (&options.points, &options.labels) {
        (Some(points), Some(labels)) => vec![points.clone(), labels.clone()],
        _ => {
            let fixtures = fixtures(options.fixtures.as_ref())?;
            [digits::IMAGES, digits::LABELS].map(|file| fixtures.path(file)).to_vec()
        }
    };
    let hashed = |path: &PathBuf| {
        stream::file_hash(path).map_err(|source| cli::Trouble::Io { action: "cannot read", path: path.clone(), source })
    };
    let data = files.iter().map(hashed).collect::<Result<_, _>>()?;
    Circumstances::of(subjects, settings, data)
}

/// Measures the curves of one shard and writes them down.
fn one_shard(
    shard: Shard,
    options: &Convergence,
    subjects: &[Subject],
    settings: &StudySettings,
) -> Result<Status, Trouble> {
    let folder = options.output.clone().unwrap_or_default();
    let path = Portion::place(shard, &folder);
    writing::check(&path).map_err(cli::Trouble::NoPlace)?;
    let mut unfinished = Unfinished::below(&folder, shard, circumstances(options, subjects, settings)?);
    let _advice = going_on(Some(&unfinished));
    let mut progress = Progress::of(convergence::steps(subjects, settings), options.time);
    let studied = on_threads(options.threads, || {
        let supply: &mut convergence::Supply<'_> = &mut |place, measure| {
            if !is_of(shard, place) {
                return Ok(None);
            }
            unfinished.curve(place, measure).map(Some)
        };
        convergence::supplied(subjects, settings, supply, &mut |step| progress.step(step))
    })?;
    let unsaid = progress.finish();
    studied.map_err(Trouble::Study)?;
    unfinished.portion().save(&path)?;
    unfinished.forget();
    tell!("wrote {}", path.display());
    unsaid.map_or(Ok(Status::AsExpected), Err)
}

/// The models, and the folder for the files.
fn subjects(options: &Convergence) -> Result<(Vec<Subject>, PathBuf), Trouble> {
    let unusable = |e: StudyError| Trouble::Study(e);
    if let (Some(points), Some(labels)) = (&options.points, &options.labels) {
        let data = LabelledPoints::load(points, labels)?;
        let about = format!("{} embeddings of dimension {}", data.len(), data.dimension());
        let name = points.file_stem().map_or_else(|| "embeddings".into(), |stem| stem.to_string_lossy());
        let subject = Subject::labelled(&tame(&name), &about, data).map_err(unusable)?;
        let folder = options.output.clone().unwrap_or_else(|| PathBuf::from("convergence"));
        return Ok((vec![subject], folder));
    }
    let fixtures = fixtures(options.fixtures.as_ref())?;
    let images = digits::load(fixtures.root())?;
    let subjects = [
        Subject::reference(),
        Subject::random_encoder("digits", &images),
        Subject::gaussian_mixture(),
        Subject::on_a_sphere("thousand classes", 1000, 2, 16),
        Subject::on_a_sphere("512 coordinates", 10, 20, 512),
    ];
    let subjects: Result<Vec<Subject>, StudyError> = subjects.into_iter().collect();
    let docs = || fixtures.root().parent().unwrap_or(Path::new(".")).join("docs");
    Ok((subjects.map_err(unusable)?, options.output.clone().unwrap_or_else(docs)))
}

/// What one repetition of the largest size may cost.
fn work(budget: Budget) -> u64 {
    match budget {
        Budget::Quick => 1 << 17,
        Budget::Standard => 1 << 21,
        Budget::Deep => 1 << 25,
    }
}

/// A number in two digits, short: 6.5e6, 1800, 0.021.
fn short(x: f64) -> String {
    if x >= 1e5 { format!("{x:.1e}") } else { plain(x, 2) }
}

/// An upper bound in one digit, at most twice as large.
fn at_most(x: f64) -> String {
    plain(1.5 * x, 1)
}

#[cfg(test)]
mod tests {
    use super::{at_most, short};

    #[test]
    fn numbers_are_short() {
        let shown = [6_457_872.0, 130_000.0, 9812.0, 0.0213, 2.3e-13].map(short);
        assert_eq!(shown, ["6.5e6", "1.3e5", "9800", "0.021", "2.3e-13"]);
        for k in 10..100 {
            let x = f64::from(k) * 1e-14;
            let bound: f64 = at_most(x).parse().expect("a number");
            assert!(x <= bound && bound <= 2.0 * x, "{x} {bound}");
        }
    }
}
