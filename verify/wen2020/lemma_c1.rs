//! Lemma C.1: the lower bound on the gradient of the last hidden layer, for all vectors v_1, …, v_n at once.
//!
//! As printed, with norms, it is false: the left side is homogeneous of degree one in v and the right side of degree two. With squared norms, as its proof and
//! Lemma C.4 have it, the left side is vᵀMv with M = (1/n²) Σ_r (s_r s_rᵀ ∘ H) ⊗ c_r c_rᵀ, and E M = (m/(n²d)) (H ∘ K) ⊗ I, K_ij = (π − φ_ij)/(2π).
//!
//! * For L = 1 the h_i are the inputs, and more antipodal pairs than dimensions make M singular: σ′(wx)x − σ′(−wx)(−x) = x does not depend on w, so that
//!   v_{±p} = ±c_p u with Σ c_p x_p = 0 gives zero (six points on a circle).
//! * At fixed δ the hidden vectors of deep layers come closer like 1/l (Lemma B.10 is false for them), and λ_min falls below any multiple of δ/n.
//! * For directions with ‖h̄_i ± h̄_j‖ ≥ δ/2, ReLU outputs say, λ_min(H ∘ K) ≥ δ/(16n√(128e)): by Lemmas C.2 and C.3, E‖Σ a_i σ′h_i‖² ≥ Σ_i P(W_i) a_i²‖h_i‖²/4,
//!   because the mean of ‖A‖² and ‖A + a_i h_i‖² is at least a_i²‖h_i‖²/4.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, Trial, at_least, at_most, consistent, edge, equal, fails, holds,
    random,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::linear_algebra::{IntervalMatrix, symmetric_eigenvalues};
use contrapositive::probability::{
    Binomial, angle_chain, angle_of_chord, both_active, chord_of_angle, fill_standard_normal, normal_two_sided_tail,
};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use super::growth_of_ratios::bounded_below;
use super::unit_points::{UnitPoints, axes, data_sets, on_the_sphere, two};

/// λ_min(H ∘ K) for unit vectors: entries cos φ_ij (π − φ_ij)/(2π).
fn smallest(p: &UnitPoints) -> Result<Enclosure, MeasureError> {
    let n = p.points.len();
    let entry = |i: usize, j: usize| {
        let angle = p.angle(i.min(j), i.max(j));
        angle.cos() * both_active(angle)
    };
    let eigenvalues = symmetric_eigenvalues(&IntervalMatrix::from_fn(n, n, entry)?)?;
    // A matrix of second moments is positive semidefinite.
    Ok(Enclosure::from(eigenvalues[0].max(Interval::ZERO)))
}

/// The largest δ that the statement allows: twice the separation, and at most √(2n/(n−1)).
fn delta(p: &UnitPoints) -> Interval {
    let n = p.points.len() as f64;
    (p.separation() * 2.0).min((Interval::point(2.0 * n) / (n - 1.0)).sqrt())
}

fn in_the_orthant(p: &UnitPoints) -> bool {
    p.points.iter().flatten().all(|&x| x >= 0.0)
}

/// λ_min(H ∘ K) ≥ constant δ/n.
fn at_least_share(p: &UnitPoints, found: Enclosure, constant: Enclosure) -> Evaluation {
    let bound = constant * Enclosure::from(delta(p)) / p.points.len() as f64;
    at_least(found, bound)
}

/// 1/(4√(128e)): for unit vectors.
fn proved_constant() -> Enclosure {
    1.0 / (4.0 * (128.0 * Enclosure::ONE.exp()).sqrt())
}

fn sets() -> Vec<(String, UnitPoints)> {
    let mut list: Vec<(String, Vec<Vec<f64>>)> = data_sets();
    for n in [3, 5, 10, 20, 40] {
        let at = |i: usize| {
            let angle = Interval::pi() * i as f64 / (2 * (n - 1)) as f64;
            vec![angle.cos().midpoint().max(0.0), angle.sin().midpoint()]
        };
        list.push((format!("quarter circle, n = {n}"), (0..n).map(at).collect()));
    }
    for (n, t) in [(3, 0.5), (8, 1.0), (20, 3.0)] {
        let row = |i: usize| (0..n).map(|c| if c == i { 1.0 + t } else { t }).collect();
        list.push((
            format!("equal angles in the orthant, n = {n}"),
            (0..n).map(row).collect(),
        ));
    }
    list.into_iter()
        .map(|(name, points)| (name, UnitPoints { layers: 1, points }))
        .collect()
}

fn orthant() -> impl Strategy<Value = UnitPoints> {
    (2usize..=10, 2usize..=5).prop_flat_map(|(n, b)| {
        vec(vec(0.0..1.0f64, b), n).prop_map(|rows| UnitPoints {
            layers: 1,
            points: on_the_sphere(rows),
        })
    })
}

/// Vectors h_i (unit), width and output dimension of a drawn layer, and the factors t by which v is stretched.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Layer {
    points: Vec<Vec<f64>>,
    width: usize,
    output: usize,
}

impl Instance for Layer {
    fn describe(&self) -> String {
        format!("m = {}, d = {}, h = {:?}", self.width, self.output, self.points)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.width > 0 && self.output > 0 && self.points.len() >= 2 && self.width <= 1 << 20;
        let dimension = self.points.first().map_or(0, Vec::len);
        let rows = dimension > 0 && self.points.iter().all(|h| h.len() == dimension);
        (sound && rows)
            .then_some(())
            .ok_or_else(|| "a size of zero or beyond 2^20, or ragged vectors".into())
    }
}

impl Layer {
    /// The directions, if no vector is zero.
    fn directions(&self) -> Option<UnitPoints> {
        let points = UnitPoints {
            layers: 1,
            points: self.points.clone(),
        };
        points.validate().is_ok().then_some(points)
    }

    /// ½ ≤ ‖h_i‖ ≤ 2, and no direction twice.
    fn fits(&self) -> bool {
        let norm = |h: &Vec<f64>| h.iter().map(|x| x * x).sum::<f64>().sqrt();
        let norms = self.points.iter().all(|h| (0.5..=2.0).contains(&norm(h)));
        norms && self.directions().is_some_and(|p| !p.repeats())
    }

    /// m ≥ n³d/δ² with δ as large as the vectors allow.
    fn wide(&self) -> bool {
        let n = self.points.len() as f64;
        self.directions().is_some_and(|p| {
            let delta = delta(&p).lo();
            self.width as f64 >= n * n * n * self.output as f64 / (delta * delta)
        })
    }
}

/// The active units of every row r, and its column c_r of W_L.
fn rows(l: &Layer, width: usize, trial: &mut Trial, mut of: impl FnMut(&[bool], &[f64])) {
    let mut w = vec![0.0; l.points[0].len()];
    let mut column = vec![0.0; l.output];
    let share = 1.0 / (l.output as f64).sqrt();
    for _ in 0..width {
        fill_standard_normal(trial.rng(), &mut w);
        fill_standard_normal(trial.rng(), &mut column);
        column.iter_mut().for_each(|c| *c *= share);
        let active: Vec<bool> = l
            .points
            .iter()
            .map(|h| h.iter().zip(&w).map(|(a, b)| a * b).sum::<f64>() >= 0.0)
            .collect();
        of(&active, &column);
    }
}

/// Σ_r ‖(1/n) Σ_i ⟨c_r, t e_1⟩ s_ri h_i‖ / (t² n) with the constant m/(n³d) for t = 1, 10, …, 10⁶.
fn stretched(l: &Layer, trial: &mut Trial) -> Result<Vec<(f64, f64)>, MeasureError> {
    let n = l.points.len() as f64;
    let mut sum = 0.0;
    rows(l, l.width, trial, |active, column| {
        let coordinate = |c: usize| {
            let terms = l.points.iter().zip(active).map(|(h, &s)| if s { h[c] } else { 0.0 });
            terms.sum::<f64>() * column[0] / n
        };
        sum += (0..l.points[0].len())
            .map(|c| coordinate(c) * coordinate(c))
            .sum::<f64>()
            .sqrt();
    });
    let bound = l.width as f64 / (n * n * n * l.output as f64) * n;
    Ok((0..=6)
        .map(|k| core_math::exp10(f64::from(k)))
        .map(|t| (t, t * sum / (t * t * bound)))
        .collect())
}

/// λ_min(M) n³d/m at the widths m = `width`, 2 `width`, …: the smallest of several draws.
fn drawn_layers(l: &Layer, trial: &mut Trial) -> Result<Vec<(f64, f64)>, MeasureError> {
    let (n, d) = (l.points.len(), l.output);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let seeds = trial.samples(5);
    let mut points = Vec::new();
    for k in 0..4 {
        let width = l.width << k;
        let mut least = f64::INFINITY;
        for _ in 0..seeds {
            let mut m = vec![0.0; n * d * n * d];
            rows(l, width, trial, |active, column| {
                for (i, p) in (0..n).filter(|&i| active[i]).flat_map(|i| (0..d).map(move |p| (i, p))) {
                    for (j, q) in (0..n).filter(|&j| active[j]).flat_map(|j| (0..d).map(move |q| (j, q))) {
                        m[(i * d + p) * n * d + j * d + q] += column[p] * column[q];
                    }
                }
            });
            // s_r s_rᵀ ∘ H: the Gram matrix comes last.
            let entry = |a: usize, b: usize| {
                let both = 0.5 * (m[a * n * d + b] + m[b * n * d + a]);
                Interval::point(both * dot(&l.points[a.min(b) / d], &l.points[a.max(b) / d]))
            };
            let eigenvalues = symmetric_eigenvalues(&IntervalMatrix::from_fn(n * d, n * d, entry)?)?;
            least = least.min(eigenvalues[0].lo() * n as f64 * d as f64 / width as f64);
        }
        points.push((width as f64, least.max(1e-300)));
    }
    Ok(points)
}

fn layers() -> Vec<(String, Layer)> {
    let of = |points: Vec<Vec<f64>>, width, output| Layer { points, width, output };
    vec![
        (
            "two orthogonal, d = 1".into(),
            of(vec![vec![1.0, 0.0], vec![0.0, 1.0]], 64, 1),
        ),
        ("two at angle 0.3, d = 2".into(), of(two(0.3), 256, 2)),
        (
            "three axes, d = 2".into(),
            of(axes(3).into_iter().step_by(2).collect(), 128, 2),
        ),
    ]
}

/// A separation of two inputs, and depths at which the hidden vectors are looked at, in the limit of infinite width.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Depths {
    separation: f64,
    doublings: u32,
}

impl Instance for Depths {
    fn describe(&self) -> String {
        format!("n = 2, δ = {}, l up to 2^{}", self.separation, self.doublings)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.separation > 0.0 && self.separation <= 2.0 && (3..=12).contains(&self.doublings);
        sound
            .then_some(())
            .ok_or_else(|| "δ outside (0, 2], or not 3 to 12 doublings".into())
    }
}

impl Depths {
    /// n λ_min(H ∘ K)/δ = (1 − cos φ (1 − φ/π))/δ for the hidden vectors of two inputs.
    fn ratios(&self) -> Vec<(f64, f64)> {
        let delta = Interval::point(self.separation);
        let angles: Vec<Interval> = angle_chain(angle_of_chord(delta)).take(1 << self.doublings).collect();
        let at = |k: u32| {
            let layer = 1usize << k;
            let angle = angles[layer - 1];
            // 1 − cos φ (1 − φ/π) = 2 sin²(φ/2) + cos φ φ/π.
            let lambda = chord_of_angle(angle).square() / 2.0 + angle.cos() * angle / Interval::pi();
            (layer as f64, (lambda / delta).midpoint())
        };
        (0..=self.doublings).map(at).collect()
    }
}

/// m independent variables that are 1 with probability p.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Coins {
    count: u32,
    probability: f64,
}

impl Instance for Coins {
    fn describe(&self) -> String {
        format!("m = {}, p = {}", self.count, self.probability)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = (1..=100_000).contains(&self.count) && self.probability > 0.0 && self.probability <= 1.0;
        sound
            .then_some(())
            .ok_or_else(|| "m outside 1 to 10⁵, or p outside (0, 1]".into())
    }
}

impl Coins {
    /// P(ΣZ ≤ factor · ΣEZ).
    fn below(&self, factor: f64) -> Result<Enclosure, MeasureError> {
        let limit = Enclosure::from(self.count) * self.probability * factor;
        let at =
            |k: f64| Binomial::new(u64::from(self.count), self.probability).map(|b| b.lower_tail(k.floor() as u64));
        Ok(Enclosure::between(at(limit.lo())?.lo(), at(limit.hi())?.hi()))
    }

    /// e^{−m (EZ)²/(constant · EZ²)} with EZ = EZ² = p.
    fn allowed(&self, constant: f64) -> Enclosure {
        (-(Enclosure::from(self.count) * self.probability / constant)).exp()
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-c1", "gradient lower bound at the last hidden layer", Kind::ProbabilityBound)
        .statement(
            "m ≥ Ω(n³d/δ²), W_L and W_{L−1} as drawn: with probability ≥ 1 − e^{−Ω(mδ²/n²)}, for all v_1, …, v_n ∈ ℝ^d: \
             Σ_r ‖(1/n) Σ_i ⟨[W_L]^r, v_i⟩ σ′(⟨[W_{L−1}]_r, h_{i,L−2}⟩) h_{i,L−2}‖ ≥ Ω(mδ/(n³d)) Σ_i ‖v_i‖²",
        )
        .source("Lemma C.1", &["used in Lemma C.4 with squared norms"])
        .remark("With squared norms the best constant over all v is λ_min(M) n³d/(mδ); its mean matrix gives n λ_min(H ∘ K)/δ.")
        .remark(
            "Proof of the amendment: Lemma C.2 (true for ‖h̄_i ± h̄_j‖ ≥ δ/2) with P(W_i) ≥ δ/(n√(128e)); on W_i the mean of ‖A‖² and ‖A + a_i h_i‖² is at least a_i²‖h_i‖²/4, and the \
             W_i are disjoint.",
        )
        .setting(
            Setting::measuring(stretched)
                .assume("½ ≤ ‖h_i‖ ≤ 2, distinct directions", Layer::fits)
                .assume("in the non-negative orthant", |l| l.points.iter().flatten().all(|&x| x >= 0.0))
                .family(edge("layers", layers))
                .without_search()
                .reading("printed", "norms, not squared, for v stretched by 1, 10, …, 10⁶", fails("degree one in v against degree two"), |_, points| bounded_below(points)),
        )
        .setting(
            Setting::measuring(drawn_layers)
                .assume("½ ≤ ‖h_i‖ ≤ 2, distinct directions", Layer::fits)
                .assume("m ≥ n³d/δ²", Layer::wide)
                .family(edge("layers", layers))
                .without_search()
                .amendment("squares-drawn", "squared norms, drawn layers of growing width, δ fixed: λ_min(M) n³d/(mδ) is bounded below", consistent(), |_, points| bounded_below(points)),
        )
        .setting(
            Setting::measuring(|p: &UnitPoints, _| smallest(p))
                .assume("distinct directions", |p| !p.repeats())
                .family(edge("named", sets))
                .family(random("in the orthant", orthant).taking(0.5))
                .without_search()
                .reading(
                    "squares-inputs",
                    "squared norms, mean over the weights, L = 1 (any inputs): λ_min(H ∘ K) ≥ 10⁻⁶ δ/n",
                    fails("zero for more antipodal pairs than dimensions, whatever the constant"),
                    |p, &found| at_least_share(p, found, Enclosure::from(1e-6)),
                )
                .amendment("squares", "squared norms, mean over the weights, unit vectors in the non-negative orthant: λ_min(H ∘ K) ≥ δ/(4n√(128e))", holds(), |p, &found| {
                    at_least_share(p, found, proved_constant())
                })
                .when("in the non-negative orthant", in_the_orthant)
                .step("s1", "P(W_i) ½ P(|N(0,1)| ≥ 1) ≥ δ/(256√2 e n), given Lemmas C.2 and C.3", holds(), |p, _| {
                    let n = p.points.len() as f64;
                    let (e, two) = (Enclosure::ONE.exp(), Enclosure::from(2.0));
                    let event = Enclosure::from(delta(p)) / (n * (128.0 * e).sqrt());
                    let tail = Enclosure::from(normal_two_sided_tail(Interval::ONE));
                    at_least(event * 0.5 * tail, Enclosure::from(delta(p)) / (256.0 * n * two.sqrt() * e))
                })
                .step("s2", "P(|⟨[W_L]^r, v⟩| ≥ ‖v‖/√d) = 1 − erf(1/√2) > 0.3173", holds(), |_, _| {
                    at_least(Enclosure::from(normal_two_sided_tail(Interval::ONE)), 0.3173)
                })
                .step("s3", "on A_i: ‖h_r‖² ≥ (‖v_i‖/√d)²/16 ≥ ‖v_i‖²/(32d)", holds(), |_, _| at_least(Enclosure::ONE / 16.0, Enclosure::ONE / 32.0))
                .control("a", "λ_min(H ∘ K) ≥ n/100: the bound Ω(m/(nd)) without δ/n²", |p, &found| at_least(found, p.points.len() as f64 / 100.0))
                .control("b", "λ_min(H ∘ K) ≥ δ/n", |p, &found| at_least_share(p, found, Enclosure::ONE)),
        )
        .setting(
            Setting::of()
                .assume("two unit inputs at distance δ ≤ 2", |d: &Depths| d.separation <= 2.0)
                .family(edge("depths", || {
                    [2.0, 1.0, 0.1]
                        .map(|separation| (format!("δ = {separation}"), Depths { separation, doublings: 12 }))
                        .to_vec()
                }))
                .without_search()
                .reading(
                    "squares-deep",
                    "squared norms, infinite width, δ fixed, L growing: n λ_min(H ∘ K)/δ is bounded below",
                    fails("the hidden vectors come together like 1/L; Lemma B.10 is needed and is false"),
                    |d, ()| bounded_below(&d.ratios()),
                ),
        )
        .setting(
            Setting::of()
                .assume("independent variables that are 1 with probability p, else 0", |c: &Coins| c.count > 0)
                .family(edge("named", || {
                    let of = |count, probability| Coins { count, probability };
                    vec![
                        ("one", of(1, 0.5)),
                        ("constant", of(50, 1.0)),
                        ("fair", of(100, 0.5)),
                        ("rare", of(1000, 0.05)),
                        ("very rare", of(10_000, 0.01)),
                    ]
                }))
                .family(random("drawn", || (1u32..2000, 0.01..1.0f64).prop_map(|(count, probability)| Coins { count, probability })))
                .without_search()
                .step(
                    "s5",
                    "P(Σ(Z_r − EZ_r) ≤ +½ΣEZ_r) ≤ e^{−m(EZ)²/(8EZ²)}",
                    fails("the event is nearly certain: a minus sign is missing"),
                    |c, ()| Evaluation::from(c.below(1.5).map(|p| at_most(p, c.allowed(8.0)))),
                )
                .amendment("s5-lower-tail", "P(Σ(Z_r − EZ_r) ≤ −½ΣEZ_r) ≤ e^{−m(EZ)²/(8EZ²)}", holds(), |c, ()| {
                    Evaluation::from(c.below(0.5).map(|p| at_most(p, c.allowed(8.0))))
                })
                .step("s6", "(Σ‖v_i‖²)² ≥ Σ‖v_i‖⁴, for m equal vectors and one of them longer by 1/p", holds(), |c, ()| {
                    let (m, long) = (Enclosure::from(c.count), 1.0 / Enclosure::from(c.probability));
                    at_least((m + long.square()).square(), m + long.powi(4))
                })
                .step("s4", "E[Z_r]² ≤ E[Z_r²] for one event: p² ≤ p", holds(), |c, ()| {
                    let p = Enclosure::from(c.probability);
                    at_most(p.square(), p)
                })
                .control("c", "P(Σ(Z_r − EZ_r) ≥ −m) ≤ e^{−m}", |c, ()| at_most(Enclosure::ONE, (-Enclosure::from(c.count)).exp()))
                .control("d", "P(Σ(Z_r − EZ_r) ≤ −½ΣEZ_r) ≤ e^{−m(EZ)²/(2EZ²)}", |c, ()| {
                    Evaluation::from(c.below(0.5).map(|p| at_most(p, c.allowed(2.0))))
                })
                .control("e", "EZ² = (EZ)²", |c, ()| {
                    let p = Enclosure::from(c.probability);
                    equal(p.square(), p)
                }),
        )
}
