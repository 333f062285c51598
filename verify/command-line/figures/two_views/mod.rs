//! `figures two-views`: the linear two-view model of Ren and Li on halves of MNIST images, as a page, a table and a picture.

pub mod arguments;
mod halves;
mod looks;
mod model;
mod page;

use contrastive::data::mnist;
use enclosures::stream::stream;
use evidence::writing;
use rayon::prelude::*;
use two_view::Objective;

use self::arguments::TwoViews;
use self::halves::Halves;
use self::looks::{TwoViewLook, look};
use self::model::Encoders;
use super::super::console::tell;
use super::super::select::fixtures;
use super::super::status::{Status, Trouble};
use super::super::threads::on_threads;
use super::training::moments;

/// Step size of gradient descent on the contrastive loss, whose time scale is 1/τ², and on the other.
const RATE: f64 = 0.5;
/// The losses and, if they are contrastive, their τ²: a small one as in the paper's first stage, and a large one.
const LOSSES: [(&str, Option<f64>); 3] = [
    ("without negatives", None),
    ("contrastive, τ² = 0.1", Some(0.1)),
    ("contrastive, τ² = 10", Some(10.0)),
];

/// A loss and what was seen while it was descended, start by start.
struct Trained {
    name: &'static str,
    starts: Vec<Vec<TwoViewLook>>,
}

/// Trains, and writes the page, the table and the picture.
pub fn two_views(options: &TwoViews) -> Result<Status, Trouble> {
    let fixtures = fixtures(options.fixtures.as_ref())?;
    let images = mnist::load(fixtures.root())?.subset_per_class(options.per_class as usize)?;
    let halves = Halves::of(&images, options.directions as usize).map_err(unusable)?;
    let folder = super::folder(options.output.as_ref(), false, options.fixtures.as_ref())?;
    writing::check(&folder.join("two-views.csv")).map_err(Trouble::NoPlace)?;
    let trained = on_threads(options.threads, || train(&halves, options))??;
    let files = [
        ("two-views.csv", page::table(&trained)),
        ("two-views.md", page::markdown(&halves, &trained, options)),
        ("two-views.svg", page::picture(&trained).map_err(Trouble::Picture)?),
    ]
    .map(|(name, text)| (folder.join(name), text));
    writing::write_together(&files)?;
    for (path, _) in &files {
        tell!("wrote {}", path.display());
    }
    Ok(Status::AsExpected)
}

/// Both losses, from the same starts.
fn train(halves: &Halves, options: &TwoViews) -> Result<Vec<Trained>, Trouble> {
    let negatives = halves.left.rows() as f64;
    let tasks: Vec<(Option<f64>, u32)> = LOSSES
        .into_iter()
        .flat_map(|(_, temperature)| (1..=options.starts).map(move |start| (temperature, start)))
        .collect();
    let moments = moments(options.steps);
    let one = |(temperature, start): (Option<f64>, u32)| -> Result<Vec<TwoViewLook>, Trouble> {
        let mut rng = stream(options.seed, &["two views", &start.to_string()]);
        let mut encoders = Encoders::random(options.width as usize, &mut rng).map_err(unusable)?;
        let (objective, rate) = match temperature {
            Some(tau_squared) => (Objective::Contrastive { tau_squared, negatives }, RATE / tau_squared),
            None => (Objective::NonContrastive, RATE),
        };
        let (mut done, mut looks) = (0, Vec::new());
        for &moment in &moments {
            while done < moment {
                encoders.descend(halves, objective, rate).map_err(unusable)?;
                done += 1;
            }
            // The loss at this moment, from a step that leads nowhere.
            let loss = encoders.descend(halves, objective, 0.0).map_err(unusable)?;
            looks.push(look(moment, loss, &encoders, halves).map_err(unusable)?);
        }
        Ok(looks)
    };
    let seen: Vec<Vec<TwoViewLook>> = tasks
        .into_par_iter()
        .with_max_len(1)
        .map(one)
        .collect::<Result<_, _>>()?;
    let mut seen = seen.into_iter();
    let trained = LOSSES.into_iter().map(|(name, _)| Trained {
        name,
        starts: seen.by_ref().take(options.starts as usize).collect(),
    });
    Ok(trained.collect())
}

fn unusable(error: impl std::fmt::Display) -> Trouble {
    Trouble::Unusable(error.to_string())
}
