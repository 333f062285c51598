//! What stands beside other programs: the same batch as `benches/peers/losses.py`, with our answers, which are enclosures.

use contrastive::data::NumberTable;
use embeddings::{Embeddings, Settings, Unwatched, ViewSettings, labelled_report, unsupervised_losses, views_report};

use crate::Answer;
use crate::data::mixture;
use crate::rows::{Aim, Row};

/// Points and coordinates of the batch, and its temperature.
const POINTS: usize = 4000;
const DIMENSION: usize = 64;
const TEMPERATURE: f64 = 0.2;

pub const ROWS: [Row; 3] = [
    Row {
        name: "peers: InfoNCE both ways, CLIP, NT-Xent, 4000 x 64",
        then: "",
        aim: Aim::Seconds(1.0, None),
        points: || mixture(POINTS, DIMENSION, 10),
        run: info_nce,
    },
    Row {
        name: "peers: loss with 4000 negatives in expectation, 4000 x 64",
        then: "",
        aim: Aim::Seconds(0.5, None),
        points: || mixture(POINTS, DIMENSION, 10),
        run: full,
    },
    Row {
        name: "peers: best linear head with the report, 4000 x 64",
        then: "",
        aim: Aim::Seconds(1.0, None),
        points: || mixture(POINTS, DIMENSION, 10),
        run: head,
    },
];

/// Every point with the next one of its class, moved half of the way and put back on the sphere.
fn info_nce(own: &Embeddings) -> Answer<String> {
    let points = own.points();
    let mut other = points.points().to_vec();
    for (i, row) in other.chunks_exact_mut(DIMENSION).enumerate() {
        let next = points.point((i + 10) % POINTS);
        row.iter_mut().zip(next).for_each(|(x, y)| *x += 0.3 * y);
    }
    let table = |name: &str, values: Vec<f64>| NumberTable::new(name, values, POINTS, DIMENSION);
    let (a, b) = (table("a", points.points().to_vec())?, table("b", other)?);
    let settings = ViewSettings { temperature: TEMPERATURE, normalize: true, ..ViewSettings::default() };
    let report = views_report(&a, &b, &settings, &Unwatched)?;
    Ok(format!(
        "four sums over all pairs; relative half-width {:.1e}",
        0.5 * report.clip.width() / report.clip.magnitude()
    ))
}

fn settings() -> Settings {
    Settings { negatives: vec![POINTS as u64], temperature: TEMPERATURE, ..Settings::default() }
}

fn full(own: &Embeddings) -> Answer<String> {
    let (_, loss) = unsupervised_losses(own, &settings(), &Unwatched)?[0];
    Ok(format!("relative half-width {:.1e}", 0.5 * loss.width() / loss.magnitude()))
}

fn head(own: &Embeddings) -> Answer<String> {
    let report = labelled_report(own, &settings(), &Unwatched)?;
    Ok(format!("loss at most {:.6}", report.best_head.hi() + 5e-7))
}
