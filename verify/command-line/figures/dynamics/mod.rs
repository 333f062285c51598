//! `figures dynamics`: the Figures 3 and 4 of Esser et al. redrawn on pairs of classes of MNIST, as a page, three tables and two pictures.

pub mod arguments;
mod classifier;
mod findings;
mod page;
mod pictures;
mod schemes;
mod two_digits;

use std::collections::BTreeMap;

use contrastive::data::mnist;
use enclosures::linear_algebra::Matrix;
use enclosures::stream::stream;
use evidence::writing;

use self::arguments::Dynamics;
use self::findings::{Followed, Group, NetworkSize, Right};
use self::schemes::{StepTime, follow, time};
use self::two_digits::{INPUTS, TwoDigits};
use super::super::console::tell;
use super::super::select::fixtures;
use super::super::status::{Status, Trouble};
use super::super::threads::on_threads;
use super::kept::Kept;
use super::piece::Piece;
use super::training::moments;
use super::work;

/// Two digits and what both schemes and the machine are given of them.
pub struct Pair {
    pub digits: [u8; 2],
    pub two: TwoDigits,
}

/// Follows both schemes from every start that is not kept yet, and writes the page, the tables and the pictures.
pub fn dynamics(options: &Dynamics) -> Result<Status, Trouble> {
    let pairs = pairs(options)?;
    let folder = super::folder(options.output.as_ref(), false, options.fixtures.as_ref())?;
    writing::check(&folder.join("dynamics.csv")).map_err(cli::Trouble::NoPlace)?;
    let mut sizes = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        let (mut widths, mut outputs) = (options.widths.clone(), options.outputs.clone());
        for list in [&mut widths, &mut outputs] {
            list.sort_unstable();
            list.dedup();
        }
        if index > 0 {
            widths.truncate(1);
        }
        for &width in &widths {
            for &outputs in &outputs {
                let digits = pair.digits;
                sizes.push((pair, NetworkSize { digits, width, outputs }));
            }
        }
    }
    let pieces = starts(&sizes, options)?;
    let kept = Kept::below(&folder, &circumstances(options))?;
    if options.fresh {
        kept.discard(&pieces);
    }
    let _advice = kept.advice();
    let mut seen = on_threads(options.threads, || work::carry_out(&pieces, &kept))??.into_iter();
    let groups: Vec<Group> = sizes
        .iter()
        .map(|&(_, size)| Group { size, starts: seen.by_ref().take(options.starts as usize).collect() })
        .collect();
    let times = on_threads(options.threads, || times(&pairs, options))??;
    let tables = [findings::courses(&groups), findings::accuracies(&groups), findings::times(&times)];
    let mut files = drawn(tables.each_ref().map(String::as_str), &pairs, options)?;
    files.extend(["dynamics.csv", "accuracy.csv", "times.csv"].into_iter().zip(tables));
    super::finish(&folder, files)?;
    kept.forget(&pieces);
    Ok(Status::AsExpected)
}

/// The pairs that the arguments ask for, each once.
pub fn pairs(options: &Dynamics) -> Result<Vec<Pair>, Trouble> {
    let fixtures = fixtures(options.fixtures.as_ref())?;
    let images = mnist::load(fixtures.root())?;
    let mut pairs: Vec<Pair> = Vec::new();
    for &digits in &options.digits {
        if pairs.iter().all(|pair| pair.digits != digits) {
            let [first, second] = digits.map(|digit| digit.to_string());
            let mut rng = stream(options.seed, &["two digits", &first, &second]);
            let two = TwoDigits::of(&images, digits, &mut rng).map_err(unusable)?;
            pairs.push(Pair { digits, two });
        }
    }
    Ok(pairs)
}

/// The page and the pictures, from the tables beside them: courses, accuracies, times.
pub fn drawn(
    [courses, accuracies, times]: [&str; 3],
    pairs: &[Pair],
    options: &Dynamics,
) -> Result<Vec<(&'static str, String)>, Trouble> {
    let groups = findings::groups(courses, accuracies)?;
    let times = findings::parsed_times(times)?;
    let seen: Vec<(&Pair, Vec<&Group>)> =
        pairs.iter().map(|pair| (pair, groups.iter().filter(|g| g.size.digits == pair.digits).collect())).collect();
    Ok(vec![
        ("dynamics.md", page::markdown(&seen, &times, options)),
        ("dynamics.svg", pictures::figure_3(&seen).map_err(Trouble::Picture)?),
        ("figure-4.svg", pictures::figure_4(&seen, &times).map_err(Trouble::Picture)?),
    ])
}

impl Pair {
    /// "4 and 9".
    fn name(&self) -> String {
        let [a, b] = self.digits;
        format!("{a} and {b}")
    }
}

/// Everything that a course depends on, but for the program, its size and its start; the images are always the same.
fn circumstances(options: &Dynamics) -> String {
    format!("dynamics {} {}", options.steps, options.seed)
}

/// Both schemes from one start.
struct Start<'a> {
    pair: &'a Pair,
    size: NetworkSize,
    /// From one.
    start: u32,
    options: &'a Dynamics,
    /// Test images that the machine gets right on what both schemes go to, and on the pixels.
    limit: usize,
    pixels: usize,
}

/// All starts of all sizes, those of one size one after the other.
fn starts<'a>(sizes: &[(&'a Pair, NetworkSize)], options: &'a Dynamics) -> Result<Vec<Start<'a>>, Trouble> {
    let mut starts = Vec::new();
    // Of every pair and number of outputs; the pixels have none.
    let mut known: BTreeMap<([u8; 2], Option<u32>), usize> = BTreeMap::new();
    let mut once = |pair: &Pair, outputs: Option<u32>| -> Result<usize, Trouble> {
        if let Some(&known) = known.get(&(pair.digits, outputs)) {
            return Ok(known);
        }
        let map = match outputs {
            Some(z) => pair.two.limit(z as usize),
            None => Matrix::diagonal(&[1.0; INPUTS]),
        };
        let found = right(pair, &map.map_err(unusable)?)?;
        known.insert((pair.digits, outputs), found);
        Ok(found)
    };
    for &(pair, size) in sizes {
        let (limit, pixels) = (once(pair, Some(size.outputs))?, once(pair, None)?);
        starts.extend((1..=options.starts).map(|start| Start { pair, size, start, options, limit, pixels }));
    }
    Ok(starts)
}

/// Test images that a machine gets right which has learned from the training images, all seen through x ↦ Mᵀx.
fn right(pair: &Pair, map: &Matrix) -> Result<usize, Trouble> {
    classifier::correct(&pair.two.training, &pair.two.test, map)
}

impl Start<'_> {
    /// What a step takes: about as much as if only the width counted, and there were sixty units more.
    fn cost_of_a_step(&self) -> u64 {
        u64::from(self.size.width) + 60
    }
}

impl Piece for Start<'_> {
    type Seen = Followed;

    fn name(&self) -> String {
        let NetworkSize { width, outputs, .. } = self.size;
        format!("digits {}, h = {width}, z = {outputs}, start {}", self.pair.name(), self.start)
    }

    fn cost(&self) -> u64 {
        u64::from(self.options.steps) * self.cost_of_a_step()
    }

    fn carry_out(&self, advance: &dyn Fn(u64)) -> Result<Followed, Trouble> {
        let NetworkSize { width, outputs, .. } = self.size;
        let words = [width, outputs, self.start].map(|n| n.to_string());
        let mut rng = stream(self.options.seed, &["dynamics", &words[0], &words[1], &words[2]]);
        let stepped = |steps| advance(u64::from(steps) * self.cost_of_a_step());
        let moments = moments(self.options.steps);
        let course = follow(&self.pair.two, (width, outputs), &moments, &mut rng, &stepped).map_err(unusable)?;
        Ok(Followed {
            right: Right {
                descent: right(self.pair, &course.descended)?,
                dynamics: right(self.pair, &course.solved)?,
                limit: self.limit,
                pixels: self.pixels,
                asked: self.pair.two.test.labels.len(),
            },
            looks: course.looks,
        })
    }

    fn told(&self, followed: &Followed) -> String {
        let Right { descent, dynamics, asked, .. } = followed.right;
        format!("{descent} of {asked} test images right by (11), {dynamics} by (12)")
    }
}

/// How long a step takes, one width after the other; not kept, for times are of the machine and the moment.
fn times(pairs: &[Pair], options: &Dynamics) -> Result<Vec<StepTime>, Trouble> {
    let Some(Pair { two, .. }) = pairs.first() else {
        return Ok(Vec::new());
    };
    let z = options.outputs.iter().min().copied().unwrap_or(1);
    let mut times = Vec::new();
    for &h in &options.timed {
        tell!("timing a step at h = {h}");
        let mut rng = stream(options.seed, &["times", &h.to_string()]);
        times.push(time(two, (h, z), &mut rng).map_err(unusable)?);
    }
    Ok(times)
}

fn unusable(error: impl std::fmt::Display) -> Trouble {
    Trouble::Unusable(error.to_string())
}
