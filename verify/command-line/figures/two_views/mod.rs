//! `figures two-views`: the linear two-view model of Ren and Li on halves of MNIST images, as a page, a table and a picture.

pub mod arguments;
mod halves;
mod looks;
mod model;
mod page;

use contrastive::data::mnist;
use enclosures::stream::{hash, stream};
use evidence::writing;
use two_view::Objective;

use self::arguments::TwoViews;
use self::halves::Halves;
use self::looks::{TwoViewLook, look};
use self::model::Encoders;
use super::super::select::fixtures;
use super::super::status::{Status, Trouble};
use super::super::threads::on_threads;
use super::kept::Kept;
use super::piece::Piece;
use super::training::moments;
use super::work;

/// Step size of gradient descent on the contrastive loss, whose time scale is 1/τ², and on the other.
const RATE: f64 = 0.5;
/// The losses and, if they are contrastive, their τ²: a small one as in the paper's first stage, and a large one.
const LOSSES: [(&str, Option<f64>); 3] =
    [("without negatives", None), ("contrastive, τ² = 0.1", Some(0.1)), ("contrastive, τ² = 10", Some(10.0))];

/// A loss and what was seen while it was descended, start by start.
struct Trained {
    name: &'static str,
    starts: Vec<Vec<TwoViewLook>>,
}

/// Trains what is not kept yet, and writes the page, the table and the picture.
pub fn two_views(options: &TwoViews) -> Result<Status, Trouble> {
    let halves = halves(options)?;
    let folder = super::folder(options.output.as_ref(), false, options.fixtures.as_ref())?;
    writing::check(&folder.join("two-views.csv")).map_err(cli::Trouble::NoPlace)?;
    let starts = || 1..=options.starts;
    let training = |(loss, start)| LinearTraining { halves: &halves, options, loss, start };
    let pieces: Vec<LinearTraining<'_>> =
        (0..LOSSES.len()).flat_map(|loss| starts().map(move |start| (loss, start))).map(training).collect();
    let kept = Kept::below(&folder, &circumstances(&halves, options))?;
    if options.fresh {
        kept.discard(&pieces);
    }
    let _advice = kept.advice();
    let mut seen = on_threads(options.threads, || work::carry_out(&pieces, &kept))??.into_iter();
    let trained: Vec<Trained> = LOSSES
        .into_iter()
        .map(|(name, _)| Trained { name, starts: seen.by_ref().take(options.starts as usize).collect() })
        .collect();
    let table = page::table(&trained);
    let mut files = drawn(&table, &halves, options)?;
    files.insert(0, ("two-views.csv", table));
    super::finish(&folder, files)?;
    kept.forget(&pieces);
    Ok(Status::AsExpected)
}

pub fn halves(options: &TwoViews) -> Result<Halves, Trouble> {
    let fixtures = fixtures(options.fixtures.as_ref())?;
    let images = mnist::load(fixtures.root())?.subset_per_class(options.per_class as usize)?;
    Halves::of(&images, options.directions as usize).map_err(unusable)
}

/// The page and the picture, from the table beside them.
pub fn drawn(table: &str, halves: &Halves, options: &TwoViews) -> Result<Vec<(&'static str, String)>, Trouble> {
    let trained = page::parse(table)?;
    Ok(vec![
        ("two-views.md", page::markdown(halves, &trained, options)),
        ("two-views.svg", page::picture(&trained).map_err(Trouble::Picture)?),
    ])
}

/// Everything that a training depends on, but for the program, its loss and its start.
fn circumstances(halves: &Halves, options: &TwoViews) -> String {
    let [u, v] = &halves.directions;
    let data = [&halves.left, &halves.right, u, v].map(|matrix| {
        let bytes: Vec<u8> = matrix.entries().iter().flat_map(|x| x.to_le_bytes()).collect();
        hash(&bytes)
    });
    format!("two views {} {} {} {}", options.width, options.steps, options.seed, data.join(" "))
}

/// One of the losses from one of the starts, which are the same for all of them.
struct LinearTraining<'a> {
    halves: &'a Halves,
    options: &'a TwoViews,
    /// Which of [`LOSSES`].
    loss: usize,
    start: u32,
}

impl Piece for LinearTraining<'_> {
    type Seen = Vec<TwoViewLook>;

    fn name(&self) -> String {
        format!("{}, start {}", LOSSES[self.loss].0, self.start)
    }

    fn cost(&self) -> u64 {
        u64::from(self.options.steps)
    }

    fn carry_out(&self, advance: &dyn Fn(u64)) -> Result<Vec<TwoViewLook>, Trouble> {
        let mut rng = stream(self.options.seed, &["two views", &self.start.to_string()]);
        let mut encoders = Encoders::random(self.options.width as usize, &mut rng).map_err(unusable)?;
        let negatives = self.halves.left.rows() as f64;
        let (objective, rate) = match LOSSES[self.loss].1 {
            Some(tau_squared) => (Objective::Contrastive { tau_squared, negatives }, RATE / tau_squared),
            None => (Objective::NonContrastive, RATE),
        };
        let (mut done, mut looks) = (0, Vec::new());
        for moment in moments(self.options.steps) {
            while done < moment {
                encoders.descend(self.halves, objective, rate).map_err(unusable)?;
                done += 1;
                advance(1);
            }
            // The loss at this moment, from a step that leads nowhere.
            let loss = encoders.descend(self.halves, objective, 0.0).map_err(unusable)?;
            looks.push(look(moment, loss, &encoders, self.halves).map_err(unusable)?);
        }
        Ok(looks)
    }

    fn told(&self, looks: &Vec<TwoViewLook>) -> String {
        looks.last().map_or(String::new(), |last| {
            format!("after {} steps alignment {:.3}, condition number {:.3}", last.step, last.alignment, last.condition)
        })
    }
}

fn unusable(error: impl std::fmt::Display) -> Trouble {
    Trouble::Unusable(error.to_string())
}
