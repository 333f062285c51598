//! Lemma C.4: bounds of the gradients at initialisation by the loss vectors.
//!
//! The printed probability 1 − 2e^{−Ω(mδ²/n²)} has no depth in it, and no condition on the depth is printed: with L = 2^m layers a whole layer of the
//! query network is dead with a probability that does not fall with m, and then ∇_W L_S = 0 while l̃oss_i ≠ 0. (Lemma B.3 asks m ≥ Ω(nL log(nL)).) For
//! networks that are wide enough the measured ratios agree with all four bounds, for the loss vectors of Facts 1 and 2. With those of Definition 4.1, which
//! are n times shorter, the upper bounds fail: for orthogonal inputs the ratio grows like n.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, Trial, all_of, at_least, at_most, consistent, edge, fails, holds,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::network::{EnclosedActivations, TwoEncoders, Weights};
use contrapositive::probability::{clopper_pearson, fill_standard_normal};
use serde::{Deserialize, Serialize};

use super::displaced_encoder::{LossVectors, Vector};
use super::encoder_pair::{EncoderPair, families, shape};
use super::growth_of_ratios::{bounded_above, bounded_below};
use super::unit_points::{axes, two};

/// Widths m of networks with L = 2^m hidden layers, for two orthogonal inputs (δ = √2, n = 2).
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Narrow {
    widths: Vec<u32>,
}

impl Instance for Narrow {
    fn describe(&self) -> String {
        format!("two orthogonal inputs, m in {:?}, L = 2^m", self.widths)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.widths.len() >= 2 && self.widths.iter().all(|m| (1..=9).contains(m));
        sound
            .then_some(())
            .ok_or_else(|| "fewer than two widths, or one outside 1 to 9".into())
    }
}

/// Whether the two inputs e_1, e_2 of a drawn network still have a hidden vector that is not zero at the last layer.
fn alive(width: usize, layers: usize, trial: &mut Trial) -> [bool; 2] {
    let mut hidden = [vec![1.0, 0.0], vec![0.0, 1.0]];
    for _ in 0..layers {
        let columns = hidden[0].len();
        let mut matrix = vec![0.0; width * columns];
        fill_standard_normal(trial.rng(), &mut matrix);
        for h in &mut hidden {
            let row = |row: &[f64]| row.iter().zip(h.iter()).map(|(a, b)| a * b).sum::<f64>().max(0.0);
            *h = matrix.chunks_exact(columns).map(row).collect();
        }
        if hidden.iter().flatten().all(|&x| x == 0.0) {
            break;
        }
        // The scale does not matter for what is dead; without this it would run out of range.
        let largest = hidden.iter().flatten().fold(0.0_f64, |m, &x| m.max(x));
        hidden.iter_mut().flatten().for_each(|x| *x /= largest);
    }
    let some = |h: &Vec<f64>| h.iter().any(|&x| x > 0.0);
    [some(&hidden[0]), some(&hidden[1])]
}

/// For every width, the probability that the query network is dead for both inputs and the key network alive for one: then ∇_W L_S = 0 and l̃oss ≠ 0.
fn failures(n: &Narrow, trial: &mut Trial) -> Result<Vec<Enclosure>, MeasureError> {
    let runs = trial.samples(1600);
    let alpha = trial.alpha(n.widths.len());
    let mut list = Vec::new();
    for &width in &n.widths {
        let layers = 1usize << width;
        let mut failed = 0;
        for _ in 0..runs {
            let query = alive(width as usize, layers, trial);
            if query == [false, false] {
                let key = alive(width as usize, layers, trial);
                failed += u64::from(key != [false, false]);
            }
        }
        list.push(clopper_pearson(failed, runs as u64, alpha)?);
    }
    Ok(list)
}

/// What the failure probabilities leave of the constant in 2e^{−c mδ²/n²} falls no faster than m^{−1/4}.
fn room_remains(n: &Narrow, failures: &[Enclosure]) -> Evaluation {
    let room = |at: usize| (2.0 / failures[at]).ln() / (f64::from(n.widths[at]) / 2.0);
    let last = failures.len() - 1;
    let growth = Enclosure::from(n.widths[last]) / f64::from(n.widths[0]);
    let shown: Vec<String> = failures
        .iter()
        .map(|p| format!("[{:.2}, {:.2}]", p.lo(), p.hi()))
        .collect();
    at_least(room(last), room(0) / growth.sqrt().sqrt())
        .as_trend()
        .noting(format!("failure probabilities {}", shown.join(", ")))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Size {
    Points,
    Layers,
    Output,
    Width,
    Angle,
}

/// Networks of which one size is doubled (the angle of two inputs halved) again and again; inputs orthogonal unless the angle varies, which then begins at ⅛.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Sweep {
    vary: Size,
    points: usize,
    width: usize,
    layers: usize,
    output: usize,
    steps: u32,
}

impl Instance for Sweep {
    fn describe(&self) -> String {
        format!(
            "n = {}, m = {}, L = {}, d = {}, {:?} changed by the factor two {} times",
            self.points, self.width, self.layers, self.output, self.vary, self.steps
        )
    }

    fn validate(&self) -> Result<(), String> {
        let sound =
            self.points >= 2 && self.width > 0 && self.layers > 0 && self.output > 0 && (2..=4).contains(&self.steps);
        sound
            .then_some(())
            .ok_or_else(|| "a size of zero, or not 2 to 4 steps".into())
    }
}

/// One size of a sweep with the extreme ratios for conv-F: ‖∇‖²/((Lm/(nd)) Σ‖·‖²) and ‖∇‖²/((mδ/(n³d)) Σ‖·‖²), query and key side.
struct Ratios {
    factor: f64,
    points: f64,
    layers: f64,
    separation: f64,
    upper: [f64; 2],
    lower: [f64; 2],
}

fn squares(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum()
}

fn ratios(s: &Sweep, trial: &mut Trial) -> Result<Vec<Ratios>, MeasureError> {
    let seeds = trial.samples(4);
    let mut list = Vec::new();
    for k in 0..=s.steps {
        let factor = 1usize << k;
        let times = |size: Size, value: usize| if s.vary == size { value * factor } else { value };
        let (n, m) = (times(Size::Points, s.points), times(Size::Width, s.width));
        let (layers, d) = (times(Size::Layers, s.layers), times(Size::Output, s.output));
        let points: Vec<Vec<f64>> = if s.vary == Size::Angle {
            two(0.125 / factor as f64)
        } else {
            axes(n).into_iter().step_by(2).collect()
        };
        let separation = squares(&points[0].iter().zip(&points[1]).map(|(a, b)| a - b).collect::<Vec<_>>()).sqrt();
        let mut found = Ratios {
            factor: factor as f64,
            points: n as f64,
            layers: layers as f64,
            separation,
            upper: [0.0; 2],
            lower: [f64::INFINITY; 2],
        };
        let share = m as f64 / d as f64;
        for _ in 0..seeds {
            let encoders = TwoEncoders::initialise(shape(points[0].len(), m, layers, d), trial.rng())?;
            let gradient = encoders.gradient(&points.concat(), (n / 4).max(1))?;
            let whole = |w: &Weights| w.matrices().map(squares).sum::<f64>();
            let contrast = &gradient.contrast;
            let sides = [
                whole(&gradient.query) / squares(&contrast.query_loss_vectors),
                whole(&gradient.key) / squares(&contrast.key_loss_vectors),
            ];
            let n = n as f64;
            for (side, ratio) in sides.into_iter().enumerate() {
                found.upper[side] = found.upper[side].max(ratio * n / (layers as f64 * share));
                found.lower[side] = found.lower[side].min(ratio * n * n * n / (separation * share));
            }
        }
        list.push(found);
    }
    Ok(list)
}

fn both_sides(
    list: &[Ratios],
    judge: impl Fn(&[(f64, f64)]) -> Evaluation,
    of: impl Fn(&Ratios, usize) -> f64,
) -> Evaluation {
    all_of([(0, "query side"), (1, "key side")].map(|(side, name)| {
        let points: Vec<(f64, f64)> = list.iter().map(|r| (r.factor, of(r, side))).collect();
        (name, judge(&points))
    }))
}

/// A small network in enclosures.
struct Small {
    seen: [Vec<EnclosedActivations>; 2],
    vectors: LossVectors,
    /// ∇_{W_l} L_S and ∇_{θ_l} L_S.
    exact: [Vec<Vector>; 2],
}

fn small(p: &EncoderPair) -> Result<Small, MeasureError> {
    let seen = p.activations()?;
    let rows = |side: usize| seen[side].iter().map(|s| s.output().to_vec()).collect::<Vec<_>>();
    Ok(Small {
        vectors: LossVectors::of(&rows(0), &rows(1), p.negatives),
        exact: p.encoders.enclosed_gradient(&p.points, p.negatives)?,
        seen,
    })
}

fn norm(v: &[Interval]) -> Enclosure {
    v.iter().map(|&x| Enclosure::from(x).square()).sum::<Enclosure>().sqrt()
}

impl Small {
    fn vectors(&self, side: usize) -> &[Vector] {
        if side == 0 {
            &self.vectors.query
        } else {
            &self.vectors.key
        }
    }

    /// ‖∇_{W_l}‖_F ≤ (1/n) Σ_i ‖(Back_{i,l+shift})ᵀ v_i‖‖h_{i,l−1}‖ for all hidden layers, both sides.
    fn layer_bound(&self, shift: usize, factor: f64) -> Evaluation {
        let mut parts = Vec::new();
        for side in [0, 1] {
            let seen = &self.seen[side];
            let n = seen.len() as f64;
            for l in 0..seen[0].layers() {
                let term = |(s, v): (&EnclosedActivations, &Vector)| norm(&s.back(l + shift, v)) * norm(s.below(l));
                let bound: Enclosure = seen.iter().zip(self.vectors(side)).map(term).sum();
                let name = format!("{} {l}", ["W", "θ"][side]);
                parts.push((
                    name,
                    at_most(norm(&self.exact[side][l]), factor * bound / n).on_scale(1e-3),
                ));
            }
        }
        all_of(parts)
    }

    /// (1/n) Σ‖v_i‖ ≤ n^{−1/2} (Σ‖v_i‖²)^{1/2}.
    fn mean_of_norms(&self) -> Evaluation {
        all_of([0, 1].map(|side| {
            let norms: Vec<Enclosure> = self.vectors(side).iter().map(|v| norm(v)).collect();
            let n = norms.len() as f64;
            let length = norms.iter().map(|x| x.square()).sum::<Enclosure>().sqrt();
            let sum: Enclosure = norms.into_iter().sum();
            (
                ["query side", "key side"][side],
                at_most(sum / n, length / Enclosure::from(n).sqrt()).on_scale(1e-3),
            )
        }))
    }

    /// ‖∇_{W_{L−1}}‖_F² ≤ factor ‖∇_W‖_F².
    fn last_hidden(&self, factor: f64) -> Evaluation {
        all_of([0, 1].map(|side| {
            let square = |m: &Vector| m.iter().map(|&x| Enclosure::from(x).square()).sum::<Enclosure>();
            let whole: Enclosure = self.exact[side].iter().map(square).sum();
            let last = square(&self.exact[side][self.seen[side][0].layers() - 1]);
            (
                ["query side", "key side"][side],
                at_most(last, factor * whole).on_scale(1e-3),
            )
        }))
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-c4", "gradient bounds at initialisation", Kind::ProbabilityBound)
        .statement(
            "with probability ≥ 1 − 2e^{−Ω(mδ²/n²)}: Ω(mδ/(n³d)) Σ‖l̃oss_i‖² ≤ ‖∇_W L_S(W^(0), θ^(0))‖_F² ≤ O(Lm/(nd)) Σ‖l̃oss_i‖², and the same for θ with l̂oss_i",
        )
        .source("Lemma C.4", &["Appendix C.3"])
        .remark("No condition is printed; Lemma B.3 asks m ≥ Ω(nL log(nL)), Lemma C.1 m ≥ Ω(n³d/δ²). The sweeps are measurements: they can refute the bounds and cannot prove them.")
        .remark("Upper bounds for the derivatives of Definition 4.1: ‖∇‖² is about (Lm/(n²d)) Σ‖n ∂L_S/∂q_i‖² for orthogonal inputs, which is n times the printed bound with ∂L_S/∂q_i.")
        .setting(
            Setting::measuring(failures)
                .assume("n = 2, δ = √2, k = 1", |n: &Narrow| n.widths.len() >= 2)
                .family(edge("deep and narrow", || vec![("m = 2 to 7, L = 2^m", Narrow { widths: vec![2, 3, 4, 5, 6, 7] })]))
                .without_search()
                .reading(
                    "printed",
                    "lower bound for W, any depth: what the failures leave of the constant in 2e^{−c mδ²/n²} does not vanish",
                    fails("a dead layer makes ∇_W zero, with a probability that does not fall with m at L = 2^m"),
                    |n, failures| room_remains(n, failures),
                ),
        )
        .setting(
            Setting::measuring(ratios)
                .assume("m ≥ nL at the first size", |s: &Sweep| s.width >= s.points * s.layers)
                .family(edge("sweeps", || {
                    let of = |vary, points, width, layers, output, steps| Sweep { vary, points, width, layers, output, steps };
                    vec![
                        ("points", of(Size::Points, 2, 120, 2, 4, 4)),
                        ("layers", of(Size::Layers, 3, 100, 1, 4, 3)),
                        ("output", of(Size::Output, 3, 200, 2, 1, 4)),
                        ("width", of(Size::Width, 3, 50, 2, 4, 3)),
                        ("angle", of(Size::Angle, 2, 40_000, 1, 1, 2)),
                    ]
                }))
                .without_search()
                .amendment("upper", "wide networks, loss vectors of Facts 1 and 2: ‖∇‖² ≤ O(Lm/(nd)) Σ‖·‖²", consistent(), |_, list| {
                    both_sides(list, bounded_above, |r, side| r.upper[side])
                })
                .amendment("lower", "wide networks, loss vectors of Facts 1 and 2: ‖∇‖² ≥ Ω(mδ/(n³d)) Σ‖·‖²", consistent(), |_, list| {
                    both_sides(list, bounded_below, |r, side| r.lower[side])
                })
                .reading(
                    "upper-definition",
                    "upper bound for the derivatives of Definition 4.1, as n grows",
                    fails("they are n times shorter, so that the ratio grows like n for orthogonal inputs"),
                    |_, list| both_sides(list, bounded_above, |r, side| r.upper[side] * r.points * r.points),
                )
                .when("n varies", |s| s.vary == Size::Points)
                .reading("lower-definition", "lower bound for the derivatives of Definition 4.1, wide networks", consistent(), |_, list| {
                    both_sides(list, bounded_below, |r, side| r.lower[side] * r.points * r.points)
                })
                .control("a", "the upper bound without L", |_, list| both_sides(list, bounded_above, |r, side| r.upper[side] * r.layers))
                .control("b", "the lower bound without δ", |_, list| both_sides(list, bounded_below, |r, side| r.lower[side] * r.separation))
                .control("c", "‖∇‖² ≥ Ω(m/d) Σ‖·‖², no power of n, Facts 1 and 2", |_, list| {
                    both_sides(list, bounded_below, |r, side| r.lower[side] * r.separation / (r.points * r.points * r.points))
                }),
        )
        .setting(
            Setting::measuring(|p: &EncoderPair, _| small(p))
                .assume("every pre-activation is at least 10⁻³ in size", |p| p.off_the_kinks(1e-3))
                .families(families(3))
                .without_search()
                .step(
                    "s1",
                    "‖∇_{W_l}‖_F ≤ (1/n) Σ_i ‖D_{i,l}‖₂‖(Back_{i,l})ᵀ l̃oss_i‖‖h_{i,l−1}‖, with the index l as printed",
                    fails("the factor W_l is not part of the gradient: Back_{i,l+1} is meant"),
                    |_, s| s.layer_bound(0, 1.0),
                )
                .amendment("s1-above", "the same with Back_{i,l+1}", holds(), |_, s| s.layer_bound(1, 1.0))
                .step("s2", "(1/n) Σ‖l̃oss_i‖ ≤ n^{−1/2} (Σ‖l̃oss_i‖²)^{1/2}, and for l̂oss_i", holds(), |_, s| s.mean_of_norms())
                .step("s5", "‖∇_{W_{L−1}}‖_F² ≤ ‖∇_W‖_F², all layers 0, …, L counted", holds(), |_, s| s.last_hidden(1.0))
                .control("d", "the bound of s1-above with half the constant", |_, s| s.layer_bound(1, 0.5))
                .control("e", "‖∇_{W_{L−1}}‖_F² ≤ ½‖∇_W‖_F²", |_, s| s.last_hidden(0.5)),
        )
}
