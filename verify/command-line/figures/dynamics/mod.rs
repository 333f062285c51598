//! `figures dynamics`: the Figures 3 and 4 of Esser et al. redrawn on two classes of MNIST, as a page, two tables and a picture.

pub mod arguments;
mod classifier;
mod findings;
mod page;
mod schemes;
mod two_digits;

use contrastive::data::mnist;
use enclosures::linear_algebra::Matrix;
use enclosures::stream::stream;
use evidence::writing;
use rayon::prelude::*;

use self::arguments::Dynamics;
use self::findings::{Followed, Group};
use self::schemes::{StepTime, follow, time};
use self::two_digits::{INPUTS, TwoDigits};
use super::super::console::tell;
use super::super::select::fixtures;
use super::super::status::{Status, Trouble};
use super::super::threads::on_threads;
use super::training::moments;

/// Everything that was seen.
struct Seen {
    groups: Vec<Group>,
    times: Vec<StepTime>,
    /// Test images that a machine on the pixels themselves gets right.
    on_pixels: usize,
    /// Test images.
    asked: usize,
}

/// Follows both schemes from every start, and writes the page, the tables and the picture.
pub fn dynamics(options: &Dynamics) -> Result<Status, Trouble> {
    let [first, second] = options.digits[..] else {
        let given = options.digits.len();
        return Err(Trouble::Unusable(format!("--digits wants two digits, not {given}")));
    };
    if first == second {
        return Err(Trouble::Unusable(format!(
            "--digits wants two different digits, not {first} twice"
        )));
    }
    let fixtures = fixtures(options.fixtures.as_ref())?;
    let images = mnist::load(fixtures.root())?;
    let mut rng = stream(options.seed, &["two digits", &first.to_string(), &second.to_string()]);
    let two = TwoDigits::of(&images, [first, second], &mut rng).map_err(unusable)?;
    let folder = super::folder(options.output.as_ref(), false, options.fixtures.as_ref())?;
    writing::check(&folder.join("dynamics.csv")).map_err(Trouble::NoPlace)?;
    let seen = on_threads(options.threads, || see(&two, options))??;
    let files = [
        ("dynamics.csv", findings::courses(&seen.groups)),
        ("accuracy.csv", findings::accuracies(&seen.groups, seen.asked)),
        ("dynamics.md", page::markdown(&two, &seen, options)),
        (
            "dynamics.svg",
            page::picture(&two, &seen.groups).map_err(Trouble::Picture)?,
        ),
    ]
    .map(|(name, text)| (folder.join(name), text));
    writing::write_together(&files)?;
    for (path, _) in &files {
        tell!("wrote {}", path.display());
    }
    Ok(Status::AsExpected)
}

fn see(two: &TwoDigits, options: &Dynamics) -> Result<Seen, Trouble> {
    let (mut widths, mut outputs) = (options.widths.clone(), options.outputs.clone());
    for list in [&mut widths, &mut outputs] {
        list.sort_unstable();
        list.dedup();
    }
    let pixels = Matrix::diagonal(&[1.0; INPUTS]).map_err(unusable)?;
    let on_pixels = classifier::correct(&two.training, &two.test, &pixels)?;
    let moments = moments(options.steps);
    let one = |(h, z, start): (u32, u32, u32)| -> Result<Followed, Trouble> {
        let words = [h, z, start].map(|n| n.to_string());
        let mut rng = stream(options.seed, &["dynamics", &words[0], &words[1], &words[2]]);
        let course = follow(two, (h, z), &moments, &mut rng).map_err(unusable)?;
        let right = |map: &Matrix| classifier::correct(&two.training, &two.test, map);
        Ok(Followed {
            right: [right(&course.descended)?, right(&course.solved)?],
            looks: course.looks,
        })
    };
    let sizes: Vec<(u32, u32)> = widths
        .iter()
        .flat_map(|&h| outputs.iter().map(move |&z| (h, z)))
        .collect();
    let tasks: Vec<(u32, u32, u32)> = sizes
        .iter()
        .flat_map(|&(h, z)| (1..=options.starts).map(move |start| (h, z, start)))
        .collect();
    let followed: Vec<Followed> = tasks
        .into_par_iter()
        .with_max_len(1)
        .map(one)
        .collect::<Result<_, _>>()?;
    let mut followed = followed.into_iter();
    let groups = sizes
        .iter()
        .map(|&(width, outputs)| Group {
            width,
            outputs,
            starts: followed.by_ref().take(options.starts as usize).collect(),
        })
        .collect();
    let z = outputs.first().copied().unwrap_or(1);
    let times = options
        .timed
        .iter()
        .map(|&h| time(two, (h, z), &mut stream(options.seed, &["times", &h.to_string()])).map_err(unusable))
        .collect::<Result<_, _>>()?;
    Ok(Seen {
        groups,
        times,
        on_pixels,
        asked: two.test.labels.len(),
    })
}

fn unusable(error: impl std::fmt::Display) -> Trouble {
    Trouble::Unusable(error.to_string())
}
