//! Gradient flow of two-layer linear networks in their Gram matrices: how far the tangent kernel moves, at a cost that does not depend
//! on the width.

use enclosures::stream::Stream;
use enclosures::vectors::largest_magnitude;
use evidence::prelude::*;
use evidence::sweep::Sweep;
use linear_ssl::flow::{FlowError, GramMatrices, QuadraticGradient};
use serde::{Deserialize, Serialize};

pub type Square = [[f64; 2]; 2];

/// Three to two decades.
const WIDTHS: [usize; 7] = [100, 464, 2154, 10_000, 46_416, 215_443, 1_000_000];
pub const SEEDS: usize = 31;
/// Before the narrowest network is gone, at log h/(8|λ|) = 0.58 for h = 100 and λ = −1.
pub const TIMES: [f64; 3] = [0.1, 0.3, 0.5];
/// Where a state counts as blown up.
pub const BLOWN_UP: f64 = 1e7;

/// A problem in the plane with two outputs: the diagonal of 2C or of XᵀX, and XᵀY (rows), which only the squared loss has.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::is_positive_where_squared, stored)]
pub struct Problem {
    pub squared: bool,
    #[instance(range = "-4..=4")]
    pub diagonal: [f64; 2],
    #[instance(range = "-4..=4")]
    pub labels: Square,
}

impl Problem {
    fn in_words(&self) -> String {
        if self.squared {
            return format!("squared loss, XᵀX = diag {:?}, XᵀY = {:?}", self.diagonal, self.labels);
        }
        format!("loss (1) or (2), C = diag {:?}, d = z = 2", self.diagonal.map(|x| 0.5 * x))
    }

    fn is_positive_where_squared(&self) -> Result<(), String> {
        if !self.squared || self.diagonal.iter().all(|x| *x >= 0.0) {
            Ok(())
        } else {
            Err("XᵀX has a negative eigenvalue".into())
        }
    }

    /// 2Cm, or XᵀXm − h^{−½}XᵀY.
    fn gradient(&self, h: u32) -> QuadraticGradient {
        let pull = if self.squared { 1.0 / f64::from(h).sqrt() } else { 0.0 };
        QuadraticGradient { diagonal: self.diagonal, offset: self.labels.map(|row| row.map(|label| pull * label)) }
    }
}

/// The largest absolute value of an entry.
fn largest(x: &Square) -> f64 {
    x.iter().flatten().fold(0.0, |m: f64, e| if e.is_nan() { f64::INFINITY } else { m.max(e.abs()) })
}

/// The largest change of an entry.
fn largest_change(x: &Square, y: &Square) -> f64 {
    largest(&std::array::from_fn(|i| std::array::from_fn(|j| x[i][j] - y[i][j])))
}

/// The largest change of an entry of the kernel between two states; entries are of order one.
fn change(start: &GramMatrices, now: &GramMatrices) -> f64 {
    largest_change(now.a(), start.a()).max(largest_change(now.b(), start.b())).min(BLOWN_UP)
}

/// What became of one network.
#[derive(Clone, Copy, Default)]
pub struct Path {
    /// The change of the kernel at each of the times.
    pub at: [f64; 3],
    /// The largest change up to the time 3 + log h.
    pub most: f64,
    /// The first time at which it exceeds a tenth; infinite if it never does.
    pub tenth: f64,
    /// The largest Tr(b₀ − b) over its bound 2ℓ₀/(λ⁺β₀); zero where the bound does not apply.
    pub over_bound: f64,
}

/// 2ℓ₀/(λ⁺β₀), for C ⪰ 0 with a positive eigenvalue and 4ℓ₀ < λ⁺β₀².
fn bound(problem: &Problem, start: &GramMatrices) -> Option<f64> {
    let c = problem.diagonal.map(|x| 0.5 * x);
    let positive = c.into_iter().filter(|x| *x > 0.0).reduce(f64::min)?;
    if problem.squared || c.iter().any(|x| *x < 0.0) {
        return None;
    }
    let (b, m) = (start.b(), start.m());
    let loss: f64 = (0..2).map(|i| c[i] * (m[i][0] * m[i][0] + m[i][1] * m[i][1])).sum();
    let (half, apart) = (0.5 * (b[0][0] + b[1][1]), 0.5 * (b[0][0] - b[1][1]));
    let least = half - (apart * apart + b[0][1] * b[1][0]).sqrt();
    (4.0 * loss < positive * least * least).then(|| 2.0 * loss / (positive * least))
}

fn follow(problem: &Problem, h: u32, rng: &mut Stream) -> Result<Path, FlowError> {
    let start = GramMatrices::gaussian(h, rng)?;
    let gradient = problem.gradient(h);
    let bound = bound(problem, &start);
    let horizon = 3.0 + core_math::log(f64::from(h));
    let rate = largest_magnitude(&problem.diagonal).max(1.0);
    let mut path = Path { tenth: f64::INFINITY, ..Path::default() };
    let (mut now, mut t, mut next) = (start, 0.0, 0);
    while t < horizon {
        let size = largest(now.a()) + largest(now.b()) + largest(now.m());
        let goal = if next < TIMES.len() { TIMES[next] } else { horizon };
        let step = (0.03 / (rate * size)).min(goal - t);
        now = now.stepped(&gradient, step);
        t = if step == goal - t { goal } else { t + step };
        let change = change(&start, &now);
        path.most = path.most.max(change);
        if change > 0.1 && path.tenth.is_infinite() {
            path.tenth = t;
        }
        if let Some(bound) = bound {
            let (before, after) = (start.b(), now.b());
            let lost = before[0][0] + before[1][1] - after[0][0] - after[1][1];
            path.over_bound = path.over_bound.max(lost / bound);
        }
        while next < TIMES.len() && t >= TIMES[next] {
            path.at[next] = change;
            next += 1;
        }
        if change >= BLOWN_UP {
            path.at[next.min(TIMES.len())..].fill(BLOWN_UP);
            break;
        }
    }
    Ok(path)
}

/// One path per width and seed.
pub fn measure(problem: &Problem, trial: &mut Trial) -> Result<Sweep<Path>, MeasureError> {
    let seeds = trial.samples_at_least(SEEDS);
    let paths = Sweep::drawn("h", WIDTHS.map(|h| (h, seeds)), |h, _| follow(problem, h as u32, trial.rng()));
    Ok(paths?)
}
