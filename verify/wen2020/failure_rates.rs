//! Probabilities of failure e^{−Ω(X)} with an unknown constant: how they fall as the width grows.

use contrapositive::claim::{Evaluation, MeasureError, Trial, at_least};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::probability::{chi_square, clopper_pearson, fill_standard_normal};
use contrapositive::stream::Stream;
use rand::RngExt;
use serde::{Deserialize, Serialize};

/// Three widths, and the constant C of the bound that may fail.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FailureSweep {
    pub widths: [u32; 3],
    /// C.
    pub factor: f64,
    pub runs: u32,
}

impl Instance for FailureSweep {
    fn describe(&self) -> String {
        format!("m in {:?}, C = {}", self.widths, self.factor)
    }

    fn validate(&self) -> Result<(), String> {
        let [a, b, c] = self.widths;
        let sound = a >= 2 && a < b && b < c && c <= 10_000 && (1..=100_000).contains(&self.runs);
        if sound && (0.1..=100.0).contains(&self.factor) {
            Ok(())
        } else {
            Err("the widths do not increase, or a number is out of range".into())
        }
    }
}

/// Widths, the shares of the runs that fail, and their Clopper-Pearson intervals.
pub struct FailureRates {
    points: Vec<(f64, f64, Enclosure)>,
}

impl FailureSweep {
    /// `fails` is drawn anew for every run, with the width and the constant.
    pub fn rates(
        &self,
        trial: &mut Trial,
        fails: impl Fn(u32, f64, &mut Stream) -> bool,
    ) -> Result<FailureRates, MeasureError> {
        let runs = trial.samples(self.runs as usize).max(1500);
        let alpha = trial.alpha(self.widths.len());
        let mut points = Vec::new();
        for width in self.widths {
            let failed = (0..runs).filter(|_| fails(width, self.factor, trial.rng())).count();
            // Half a failure where none was seen.
            let share = (failed as f64).max(0.5) / runs as f64;
            let interval = clopper_pearson(failed as u64, runs as u64, alpha)?;
            points.push((f64::from(width), share, interval));
        }
        Ok(FailureRates { points })
    }
}

impl FailureRates {
    /// The secants of −log P against X do not fall to half from the first pair of widths to the last: P ≈ Ae^{−cX}
    /// gives equal secants, whatever A and c, and a power of X gives secants that fall like 1/X, here at least by the
    /// factor three.
    pub fn fall_exponentially(&self, exponent: impl Fn(f64) -> f64) -> Evaluation {
        let secant = |at: usize| {
            let [(m, p, _), (n, q, _)] = [self.points[at], self.points[at + 1]];
            (core_math::log(p) - core_math::log(q)) / (exponent(n) - exponent(m))
        };
        let (first, last) = (secant(0), secant(self.points.len() - 2));
        let shown: Vec<String> = self
            .points
            .iter()
            .map(|(m, _, p)| format!("{m}: [{:.4}, {:.4}]", p.lo(), p.hi()))
            .collect();
        at_least(last, first / 2.0).as_trend().noting(format!(
            "P {}; secants of −log P {first:.1e}, {last:.1e}",
            shown.join(", ")
        ))
    }
}

/// N_1 = w D_1 W_1 for d = 1 and L = 2, exactly in law: with h the hidden vector below, the part along h is √(2/m) Σ
/// w_r D_r |g_r| and the rest √(2/m) (Σ w_r² D_r)^{1/2} times a Gaussian vector orthogonal to h (signs and moduli of
/// the g_r = W_r·h/(‖h‖√(2/m)) are independent). Gives the part along h, and Σ w_r² D_r.
fn along_and_spread(width: u32, rng: &mut Stream) -> (f64, f64) {
    let mut numbers = vec![0.0; 2 * width as usize];
    fill_standard_normal(rng, &mut numbers);
    let (weights, moduli) = numbers.split_at(width as usize);
    let (mut along, mut spread) = (0.0, 0.0);
    for (w, g) in weights.iter().zip(moduli) {
        if rng.random::<bool>() {
            along += w * g.abs();
            spread += w * w;
        }
    }
    (along, spread)
}

/// ‖N_1‖ > C√m for d = 1 and L = 2.
pub fn long_backward_product(width: u32, factor: f64, rng: &mut Stream) -> bool {
    let (along, spread) = along_and_spread(width, rng);
    let rest = if width > 1 { chi_square(rng, width - 1) } else { 0.0 };
    let m = f64::from(width);
    2.0 / m * (along * along + spread * rest) > factor * factor * m
}

/// max_c |(N_1)_c| > C√log m for d = 1 and L = 2.
pub fn large_entry(width: u32, factor: f64, rng: &mut Stream) -> bool {
    let (along, spread) = along_and_spread(width, rng);
    let m = f64::from(width);
    let mut below = vec![0.0; width as usize];
    let mut rest = vec![0.0; width as usize];
    fill_standard_normal(rng, &mut below);
    fill_standard_normal(rng, &mut rest);
    below.iter_mut().for_each(|x| *x = x.max(0.0));
    let norm = below.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm == 0.0 {
        return false;
    }
    below.iter_mut().for_each(|x| *x /= norm);
    let parallel: f64 = below.iter().zip(&rest).map(|(h, g)| h * g).sum();
    let root = (2.0 / m).sqrt();
    let entry = |(h, g): (&f64, &f64)| (root * (along * h + spread.sqrt() * (g - parallel * h))).abs();
    let largest = below.iter().zip(&rest).map(entry).fold(0.0, f64::max);
    largest > factor * core_math::log(m).sqrt()
}

/// ω of the flips that are counted.
pub const RADIUS: f64 = 0.1;

/// More than Cmω^{2/3} units of the first layer can be flipped by ‖W′_0‖ ≤ ω: that many of the smallest squares add up
/// to at most ω².
pub fn many_flips(width: u32, factor: f64, rng: &mut Stream) -> bool {
    let m = f64::from(width);
    let mut squares = vec![0.0; width as usize];
    fill_standard_normal(rng, &mut squares);
    squares.iter_mut().for_each(|x| *x *= *x * 2.0 / m);
    squares.sort_by(f64::total_cmp);
    let least = (factor * m * core_math::pow(RADIUS, 2.0 / 3.0)).floor() as usize + 1;
    least <= squares.len() && squares[..least].iter().sum::<f64>() <= RADIUS * RADIUS
}
