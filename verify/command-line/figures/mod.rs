//! `figures`: the Figures 1 to 3 of Merad et al. redrawn from trainings on images, as a page, a table and pictures; in folders of their own
//! those of other papers.

pub mod arguments;
mod chart;
mod dynamics;
mod export;
mod findings;
mod images;
mod kept;
mod page;
mod pictures;
mod progress;
mod table;
mod training;
mod two_views;

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use self::arguments::{Figures, Other};
use self::findings::Trainings;
use self::images::Images;
use self::kept::Kept;
use self::progress::TrainingBar;
use self::training::{Look, Plan, Task};
use super::console::{say, tell};
use super::interruption::Advice;
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
    let mut negatives = options.negatives.clone();
    negatives.sort_unstable();
    negatives.dedup();
    let plan = Plan {
        shape: images.shape,
        negatives,
        runs: options.runs,
        steps: options.steps,
        batch: options.batch,
        seed: options.seed,
    };
    if let (Some(path), Some(&task)) = (&options.export, plan.tasks().first()) {
        writing::write(path, export::beginning(&plan, task, &images)?.as_bytes())?;
        tell!("wrote {}", path.display());
        return Ok(Status::AsExpected);
    }
    let folder = folder(
        options.output.as_ref(),
        options.data.is_some(),
        options.fixtures.as_ref(),
    )?;
    let place = |name: &str| folder.join(name);
    writing::check(&place("contrastive.csv")).map_err(Trouble::NoPlace)?;
    let kept = Kept::below(&folder, &plan, &images.points)?;
    if options.fresh {
        kept.forget(&plan);
    }
    let kept = Kept::below(&folder, &plan, &images.points)?;
    let _advice = Advice::give(|| "finished trainings are kept; the same command goes on".to_owned());
    let seen = on_threads(options.threads, || train(&plan, &images, &kept))??;

    let of = |&negatives: &u32| {
        let own = seen.iter().filter(|(task, _)| task.negatives == negatives);
        let looks: Vec<Vec<Look>> = own.map(|(_, looks)| looks.clone()).collect();
        Trainings::of(negatives, images.points.classes(), &looks)
    };
    let trainings = plan.negatives.iter().map(of).collect::<Result<Vec<_>, _>>()?;
    let mut files = vec![
        (place("contrastive.csv"), table::csv(&seen)),
        (
            place("contrastive.md"),
            page::markdown(&trainings, &plan, &images, options),
        ),
    ];
    for (name, picture) in pictures::all(&trainings).map_err(Trouble::Picture)? {
        files.push((place(name), picture));
    }
    writing::write_together(&files)?;
    kept.forget(&plan);
    for (path, _) in &files {
        tell!("wrote {}", path.display());
    }
    Ok(Status::AsExpected)
}

/// The folder for the files, made if there is none: the one that was named, or docs/figures, or ./figures for data of the user's own.
fn folder(named: Option<&PathBuf>, own_data: bool, data: Option<&PathBuf>) -> Result<PathBuf, Trouble> {
    let folder = match named {
        Some(folder) => folder.clone(),
        None if own_data => PathBuf::from("figures"),
        None => fixtures(data)?
            .root()
            .parent()
            .unwrap_or(Path::new("."))
            .join("docs/figures"),
    };
    match fs::create_dir_all(&folder) {
        Ok(()) => Ok(folder),
        Err(source) => Err(Trouble::Io {
            action: "cannot make",
            path: folder,
            source,
        }),
    }
}

/// What was seen in every training, whether now or by an earlier call.
fn train(plan: &Plan, images: &Images, kept: &Kept) -> Result<Vec<(Task, Vec<Look>)>, Trouble> {
    let cost = |task: Task| plan.cost(task, &images.points);
    let progress = TrainingBar::towards(plan.tasks().into_iter().map(cost).sum());
    let one = |task: Task| -> Result<(Task, Vec<Look>), Trouble> {
        if let Some(looks) = kept.recall(task) {
            progress.skip(cost(task));
            return Ok((task, looks));
        }
        progress.note(format!("N = {}, run {}", task.negatives, task.run));
        let looks = plan
            .train(task, &images.points, &|encoded| progress.advance(encoded))
            .map_err(|e| Trouble::Unusable(e.to_string()))?;
        kept.keep(task, &looks)?;
        if let Some(last) = looks.last() {
            progress.around(|| {
                say!(
                    "N = {:3}, run {}: after {} updates L_un^N = {}, L_sup^μ = {}, norms from {} to {}",
                    task.negatives,
                    task.run,
                    last.step,
                    last.trained_loss,
                    last.mean_classifier,
                    last.smallest,
                    last.largest
                )
            })?;
        }
        Ok((task, looks))
    };
    let seen = plan.tasks().into_par_iter().with_max_len(1).map(one).collect();
    progress.finish();
    seen
}
