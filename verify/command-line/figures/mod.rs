//! `figures`: the Figures 1 to 3 of Merad et al. redrawn from trainings on images, as a page, a table and pictures; in folders of their own
//! those of other papers.

mod arguments;
mod chart;
mod dynamics;
mod export;
mod findings;
mod images;
mod kept;
mod page;
mod pictures;
mod piece;
mod rows;
mod table;
mod training;
mod two_views;
mod work;

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

pub use self::arguments::Figures;
use self::arguments::Other;
use self::findings::Trainings;
use self::images::Images;
use self::kept::Kept;
use self::training::{Look, Training, TrainingPlan};
use super::console::tell;
use super::select::fixtures;
use super::status::{Status, Trouble};
use super::threads::on_threads;
use evidence::writing;

/// Draws the figures that were asked for.
pub fn figures(options: &Figures) -> Result<Status, Trouble> {
    match &options.other {
        Some(Other::Dynamics(other)) => dynamics::dynamics(other),
        Some(Other::TwoViews(other)) => two_views::two_views(other),
        None => contrastive(options),
    }
}

/// Trains what is not kept yet, and writes the page, the table and the pictures.
fn contrastive(options: &Figures) -> Result<Status, Trouble> {
    let images = Images::of(options)?;
    let plan = plan(options, &images);
    if let (Some(path), Some(&task)) = (&options.export, plan.tasks().first()) {
        writing::write(path, export::beginning(&plan, task, &images)?.as_bytes())?;
        tell!("wrote {}", path.display());
        return Ok(Status::AsExpected);
    }
    let folder = folder(options.output.as_ref(), options.data.is_some(), options.fixtures.as_ref())?;
    writing::check(&folder.join("contrastive.csv")).map_err(cli::Trouble::NoPlace)?;
    let training = |task| Training { plan: &plan, images: &images.points, task };
    let pieces: Vec<Training<'_>> = plan.tasks().into_iter().map(training).collect();
    let kept = Kept::below(&folder, &plan.circumstances(&images.points))?;
    if options.fresh {
        kept.discard(&pieces);
    }
    let _advice = kept.advice();
    let seen = on_threads(options.threads, || work::carry_out(&pieces, &kept))??;
    let table = table::csv(&plan.tasks().into_iter().zip(seen).collect::<Vec<_>>());
    let mut files = drawn(&table, &plan, &images, options)?;
    files.insert(0, ("contrastive.csv", table));
    finish(&folder, files)?;
    kept.forget(&pieces);
    Ok(Status::AsExpected)
}

/// What is trained.
fn plan(options: &Figures, images: &Images) -> TrainingPlan {
    let mut negatives = options.negatives.clone();
    negatives.sort_unstable();
    negatives.dedup();
    TrainingPlan {
        shape: images.shape,
        negatives,
        runs: options.runs,
        steps: options.steps,
        batch: options.batch,
        seed: options.seed,
    }
}

/// The page and the pictures, from the table beside them.
fn drawn(
    table: &str,
    plan: &TrainingPlan,
    images: &Images,
    options: &Figures,
) -> Result<Vec<(&'static str, String)>, Trouble> {
    let seen = table::parse(table)?;
    let of = |&negatives: &u32| {
        let own = seen.iter().filter(|(task, _)| task.negatives == negatives);
        let looks: Vec<Vec<Look>> = own.map(|(_, looks)| looks.clone()).collect();
        Trainings::of(negatives, images.points.classes(), &looks)
    };
    let trainings = plan.negatives.iter().map(of).collect::<Result<Vec<_>, _>>()?;
    let mut files = vec![("contrastive.md", page::markdown(&trainings, plan, images, options))];
    files.extend(pictures::all(&trainings).map_err(Trouble::Picture)?);
    Ok(files)
}

/// Writes all files into the folder, and says so.
fn finish(folder: &Path, files: Vec<(&'static str, String)>) -> Result<(), Trouble> {
    let files: Vec<(PathBuf, String)> = files.into_iter().map(|(name, text)| (folder.join(name), text)).collect();
    writing::write_together(&files)?;
    for (path, _) in &files {
        tell!("wrote {}", path.display());
    }
    Ok(())
}

/// The folder for the files, made if there is none: the one that was named, or docs/figures, or ./figures for data of the user's own.
fn folder(named: Option<&PathBuf>, own_data: bool, data: Option<&PathBuf>) -> Result<PathBuf, Trouble> {
    let folder = match named {
        Some(folder) => folder.clone(),
        None if own_data => PathBuf::from("figures"),
        None => fixtures(data)?.root().parent().unwrap_or(Path::new(".")).join("docs/figures"),
    };
    match fs::create_dir_all(&folder) {
        Ok(()) => Ok(folder),
        Err(source) => Err(cli::Trouble::Io { action: "cannot make", path: folder, source }.into()),
    }
}
