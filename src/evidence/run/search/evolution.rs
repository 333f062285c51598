//! Covariance matrix adaptation (Hansen, *The CMA Evolution Strategy: A Tutorial*, 2016) with restarts of growing population, and
//! differential evolution (Storn and Price 1997).
//!
//! The factor of the covariance matrix is Cholesky's, which needs no eigenvalues; beyond [`FULL`] numbers only its diagonal is adapted
//! (Ros and Hansen 2008).

use rand::RngExt;

use super::encoding::Encoding;
use super::problem::{SearchProblem, Stop, Valued};
use enclosures::probability::standard_normals;
use enclosures::stream::Stream;

/// The largest number of coordinates for which a whole matrix is adapted.
const FULL: usize = 40;

/// One of a generation: its value, its step from the mean in units of the step size, and the normal numbers that it was made from.
struct Individual {
    value: f64,
    step: Vec<f64>,
    z: Vec<f64>,
}

/// One run from `start` with a population `growth` times the usual one.
pub(super) fn adapt(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    (mut sigma, growth): (f64, usize),
    rng: &mut Stream,
) -> Result<(), Stop> {
    let n = encoding.dimension();
    let dimension = n as f64;
    let usual = 4 + (3.0 * core_math::log(dimension)) as usize;
    let lambda = usual * growth;
    let mu = lambda / 2;
    let raw: Vec<f64> = (0..mu).map(|i| core_math::log(mu as f64 + 0.5) - core_math::log(i as f64 + 1.0)).collect();
    let total: f64 = raw.iter().sum();
    let weights: Vec<f64> = raw.iter().map(|w| w / total).collect();
    let effective = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
    let path_rate = (effective + 2.0) / (dimension + effective + 5.0);
    let damping = 1.0 + path_rate + 2.0 * (((effective - 1.0) / (dimension + 1.0)).sqrt() - 1.0).max(0.0);
    let cumulation = (4.0 + effective / dimension) / (dimension + 4.0 + 2.0 * effective / dimension);
    let separable = n > FULL;
    let speed = if separable { (dimension + 2.0) / 3.0 } else { 1.0 };
    let one = (speed * 2.0 / ((dimension + 1.3) * (dimension + 1.3) + effective)).min(0.5);
    let many = (speed * 2.0 * (effective - 2.0 + 1.0 / effective)
        / ((dimension + 2.0) * (dimension + 2.0) + effective))
        .clamp(0.0, 1.0 - one);
    let expected = dimension.sqrt() * (1.0 - 1.0 / (4.0 * dimension) + 1.0 / (21.0 * dimension * dimension));

    let mut mean = encoding.encode(start);
    let mut shape = Covariance::identity(n, separable);
    let (mut sigma_path, mut path) = (vec![0.0; n], vec![0.0; n]);
    let mut stalled = 0;
    let mut lowest = f64::INFINITY;
    for generation in 0..10_000u32 {
        let mut population: Vec<Individual> = Vec::with_capacity(lambda);
        for _ in 0..lambda {
            let z = standard_normals(rng, n);
            let y = shape.times(&z);
            let u: Vec<f64> = mean.iter().zip(&y).map(|(m, y)| m + sigma * y).collect();
            let (value, within) = encoding.value_within(problem, &mean, &u)?;
            let step: Vec<f64> = within.iter().zip(&mean).map(|(w, m)| (w - m) / sigma).collect();
            population.push(Individual { value, step, z });
        }
        population.sort_by(|a, b| a.value.total_cmp(&b.value));
        let (first, last) = (population[0].value, population[mu.min(lambda - 1)].value);
        if !first.is_finite() {
            sigma *= 0.3;
        }
        stalled = if first < lowest { 0 } else { stalled + 1 };
        lowest = lowest.min(first);
        let weighted = |part: fn(&Individual) -> &[f64]| -> Vec<f64> {
            (0..n).map(|i| weights.iter().zip(&population).map(|(w, p)| w * part(p)[i]).sum()).collect()
        };
        let (step, z) = (weighted(|p| &p.step), weighted(|p| &p.z));
        mean.iter_mut().zip(&step).for_each(|(m, s)| *m += sigma * s);
        let keep = (path_rate * (2.0 - path_rate) * effective).sqrt();
        sigma_path.iter_mut().zip(&z).for_each(|(p, z)| *p = (1.0 - path_rate) * *p + keep * z);
        let length = sigma_path.iter().map(|p| p * p).sum::<f64>().sqrt();
        let turned = length / expected < 1.4 + 2.0 / (dimension + 1.0);
        let keep = if turned { (cumulation * (2.0 - cumulation) * effective).sqrt() } else { 0.0 };
        path.iter_mut().zip(&step).for_each(|(p, s)| *p = (1.0 - cumulation) * *p + keep * s);
        let steps = weights.iter().zip(&population).map(|(w, p)| (*w, p.step.as_slice()));
        shape.update(one, many, &path, steps, generation);
        sigma *= core_math::exp(((path_rate / damping) * (length / expected - 1.0)).clamp(-1.0, 1.0));
        let flat = first == last && first.is_finite();
        if flat || !(1e-14..1e14).contains(&sigma) || stalled > 20 + 30 * n / lambda {
            return Ok(());
        }
    }
    Ok(())
}

/// A covariance matrix and its factor.
struct Covariance {
    n: usize,
    /// The lower triangle row by row, or the diagonal.
    matrix: Vec<f64>,
    factor: Vec<f64>,
    diagonal: bool,
}

impl Covariance {
    fn identity(n: usize, diagonal: bool) -> Self {
        let matrix = if diagonal {
            vec![1.0; n]
        } else {
            (0..n).flat_map(|i| (0..=i).map(move |j| f64::from(u8::from(i == j)))).collect()
        };
        Covariance { n, factor: matrix.clone(), matrix, diagonal }
    }

    fn times(&self, z: &[f64]) -> Vec<f64> {
        if self.diagonal {
            return self.factor.iter().zip(z).map(|(f, z)| f * z).collect();
        }
        let row = |i: usize| &self.factor[i * (i + 1) / 2..(i + 1) * (i + 2) / 2];
        (0..self.n).map(|i| row(i).iter().zip(z).map(|(f, z)| f * z).sum()).collect()
    }

    fn update<'a>(
        &mut self,
        one: f64,
        many: f64,
        path: &[f64],
        steps: impl Iterator<Item = (f64, &'a [f64])>,
        generation: u32,
    ) {
        let keep = 1.0 - one - many;
        self.matrix.iter_mut().for_each(|c| *c *= keep);
        self.add(one, path);
        for (weight, step) in steps {
            self.add(many * weight, step);
        }
        // The factor is cubic in the dimension, and changes slowly.
        if generation.is_multiple_of(1 + self.n as u32 / 10) {
            self.refactor();
        }
    }

    fn add(&mut self, weight: f64, step: &[f64]) {
        if self.diagonal {
            self.matrix.iter_mut().zip(step).for_each(|(c, s)| *c += weight * s * s);
            return;
        }
        let mut entries = self.matrix.iter_mut();
        for i in 0..self.n {
            for j in 0..=i {
                if let Some(entry) = entries.next() {
                    *entry += weight * step[i] * step[j];
                }
            }
        }
    }

    /// Cholesky's factor; where rounding has made the matrix indefinite, everything begins anew.
    fn refactor(&mut self) {
        if self.diagonal {
            self.factor = self.matrix.iter().map(|c| c.max(1e-300).sqrt()).collect();
            return;
        }
        let at = |i: usize, j: usize| i * (i + 1) / 2 + j;
        let mut factor = vec![0.0; self.matrix.len()];
        for i in 0..self.n {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| factor[at(i, k)] * factor[at(j, k)]).sum();
                let rest = self.matrix[at(i, j)] - known;
                if i > j {
                    factor[at(i, j)] = rest / factor[at(j, j)];
                } else if rest > 1e-300 && rest.is_finite() {
                    factor[at(i, i)] = rest.sqrt();
                } else {
                    *self = Covariance::identity(self.n, false);
                    return;
                }
            }
        }
        self.factor = factor;
    }
}

/// How many individuals evolve, for so many numbers.
fn individuals(dimension: usize) -> usize {
    (5 * dimension).clamp(16, 60)
}

/// Differential evolution of points drawn by `draw`, `start` among them. It goes on with the individuals that it left the last time;
/// once they agree, with new ones.
pub(super) fn evolve(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    draw: &mut dyn FnMut(&mut SearchProblem<'_, '_>, &mut Stream) -> Vec<f64>,
    rng: &mut Stream,
) -> Result<(), Stop> {
    let mut all = std::mem::take(&mut problem.population[problem.measure]);
    let ended = generations(problem, encoding, start, draw, &mut all, rng);
    if ended.is_err() {
        problem.population[problem.measure] = all;
    }
    ended
}

fn generations(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    draw: &mut dyn FnMut(&mut SearchProblem<'_, '_>, &mut Stream) -> Vec<f64>,
    all: &mut Vec<Valued>,
    rng: &mut Stream,
) -> Result<(), Stop> {
    let n = encoding.dimension();
    let size = individuals(n);
    if all.is_empty() {
        let first = encoding.encode(start);
        all.push((encoding.value(problem, &first)?, first));
    }
    while all.len() < size {
        let drawn = draw(problem, rng);
        let u = encoding.encode(&drawn);
        all.push((encoding.value(problem, &u)?, u));
    }
    loop {
        let best = (0..size).min_by(|&a, &b| all[a].0.total_cmp(&all[b].0)).unwrap_or(0);
        let before = all.iter().map(|(v, _)| *v).fold(f64::NEG_INFINITY, f64::max);
        for target in 0..size {
            let mut other = || rng.random_range(0..size);
            let (a, b, c) = (other(), other(), other());
            // Half of the trials differ from the best, half from a random one; few numbers cross over, or nearly all.
            let (from, weight) = if target % 2 == 0 { (best, 0.5) } else { (a, 0.8) };
            let weight = weight * (0.75 + 0.5 * rng.random::<f64>());
            let share = if target % 4 < 2 { 0.9 } else { 0.15 };
            let sure = rng.random_range(0..n);
            let trial: Vec<f64> = (0..n)
                .map(|i| {
                    let crosses = rng.random::<f64>() < share || i == sure;
                    let mutant = all[from].1[i] + weight * (all[b].1[i] - all[c].1[i]);
                    if crosses { mutant } else { all[target].1[i] }
                })
                .collect();
            let (value, within) = encoding.value_within(problem, &all[target].1.clone(), &trial)?;
            if value <= all[target].0 {
                all[target] = (value, within);
            }
        }
        let (lowest, highest) =
            all.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), (v, _)| (l.min(*v), h.max(*v)));
        if highest == lowest || (highest == before && before - lowest < 1e-14 * before.abs()) {
            return Ok(());
        }
    }
}
