//! Whether the loss of several outputs is the sum of losses of single ones.

use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError, rank_by_elimination};
use enclosures::vectors::{norm, points, sum_of_products};
use evidence::claim::pairs_below;
use evidence::prelude::*;

use crate::shared::coupled_losses::{Coupled, Objective, Triple, magnitude, minus_count};
use crate::shared::linear_data::inner;

/// Where no two outputs can be coupled.
pub const ONE_OUTPUT: &str = "one output";

/// Where a start tells nothing about collapse, as it moves on.
pub const NOT_AT_REST: &str = "the gradient at the start is not exactly zero";

pub fn has_two(i: &Coupled) -> bool {
    i.z() >= 2
}

/// The mixed blocks vanish, on the scale of the blocks of single rows.
pub fn decouples(i: &Coupled, objective: Objective, multiple: f64) -> Evaluation {
    let z = i.z();
    let own = magnitude(&i.block(objective, (0, 0), multiple));
    let pairs = pairs_below(z);
    let parts = pairs.flat_map(|(l, j)| {
        let block = i.block(objective, (l, j), multiple);
        block.into_iter().map(move |e| {
            (
                format!("rows {} and {}", l + 1, j + 1),
                equal(e, 0).on_scale_of("the largest entry of the block of row 1", own),
            )
        })
    });
    if z < 2 { vacuous(ONE_OUTPUT) } else { all_of(parts) }
}

/// A start at which the gradient is exactly zero stays there, and has rank at most one.
pub fn rest_is_collapsed(i: &Coupled, objective: Objective) -> Result<Evaluation, MatrixError> {
    if i.slopes(objective).iter().any(|s| *s != Interval::ZERO) {
        return Ok(vacuous(NOT_AT_REST));
    }
    let bounds = rank_by_elimination(&IntervalMatrix::from(Matrix::from_rows(i.map.clone())?));
    Ok(at_most(bounds.enclosed(), 1))
}

/// At Θ = 0 the second derivatives of InfoNCE are those of loss (1), averaged over the M negatives, times M/(1 + M); mixed ones vanish.
pub fn simplified(i: &Coupled) -> Evaluation {
    let m = minus_count(&i.data.negatives[0]);
    let mut parts = Vec::new();
    for (l, j) in pairs(0..i.z(), 0..i.z()) {
        let (found, plain) = (i.block(Objective::InfoNce, (l, j), 0.0), i.block(Objective::Plain, (l, j), 0.0));
        // Data of order one; where x⁻ = x⁺ everything cancels.
        let scale = magnitude(&i.block(Objective::Plain, (0, 0), 0.0)).max(magnitude(&found)).max(1.0);
        let name = if l == j { "own block" } else { "mixed block" };
        parts.extend(
            found
                .into_iter()
                .zip(plain)
                .map(|(f, p)| (name, equal(f, p * m / (1.0 + m)).on_scale_of("the terms in absolute value", scale))),
        );
    }
    all_of(parts)
}

/// g_l,m = x u_l(x_m⁻) + x_m⁻u_l(x) − x u_l(x⁺) − x⁺u_l(x), entry by entry, largest over m for each anchor.
fn largest_pulls(i: &Coupled, l: usize) -> Vec<Vec<Interval>> {
    let u = |x: &[f64]| inner(&i.map[l], x);
    let triples = i.data.anchors.iter().zip(&i.data.positives).zip(&i.data.negatives);
    let of = |((x, plus), minus): Triple<'_>| -> Vec<Interval> {
        let towards = |y: &[f64], a: usize| u(y) * x[a] + u(x) * y[a];
        let entry = |a: usize| {
            let all = minus.iter().map(|m| (towards(m, a) - towards(&plus[0], a)).abs());
            all.fold(Interval::ZERO, Interval::max)
        };
        (0..x.len()).map(entry).collect()
    };
    triples.map(of).collect()
}

/// |∂²L/∂θ_la∂θ_jb| ≤ Σ_i max_m|g_l,m,a|·max_m|g_j,m,b| for l ≠ j, times `factor`: a covariance under the softmax weights.
pub fn coupling_is_quadratic(i: &Coupled, factor: f64) -> Evaluation {
    if i.z() < 2 {
        return vacuous(ONE_OUTPUT);
    }
    let (first, second, d) = (largest_pulls(i, 0), largest_pulls(i, 1), i.d());
    let block = i.block(Objective::InfoNce, (0, 1), 1.0);
    // Where x⁻ is close to x⁺ the pulls are differences of numbers of this size.
    let scale = i.size();
    for_each("entry", block, |k, found| {
        let bound: Interval = first.iter().zip(&second).map(|(g, h)| g[k / d] * h[k % d]).sum();
        at_most(found.abs(), bound * factor).on_scale_of("the terms in absolute value", scale)
    })
}

/// ‖x‖/‖u(x)‖ + ‖x⁺‖/‖u(x⁺)‖ for each anchor: what the first derivatives of its cosine are made of.
fn leverages(i: &Coupled) -> Vec<f64> {
    let own = |x: &[f64]| {
        let image = i.map.iter().map(|row| sum_of_products(row, x));
        norm(x) / norm(&image.collect::<Vec<_>>())
    };
    let pairs = i.data.anchors.iter().zip(&i.data.positives);
    pairs.map(|(x, plus)| own(x) + own(&plus[0])).collect()
}

/// L(sΘ) = L(Θ) for the cosine loss: by Euler's relation ⟨Θ, ∇L⟩ = 0, and second derivatives are of degree −2.
pub fn scale_free(i: &Coupled) -> Evaluation {
    let (map, slopes) = (i.map.concat(), i.slopes(Objective::Cosine));
    let along = sum_of_products(&points(&map), &slopes);
    let length: f64 = map.iter().map(|t| t.abs()).sum();
    let (first, second) = leverages(i).iter().fold((0.0, 0.0), |(a, b), l| (a + l, b + l * l));
    let mut parts =
        vec![("⟨Θ, ∇L⟩", equal(along, 0).on_scale_of("Σ|Θ_la|Σ_i(‖x_i‖/‖u(x_i)‖ + ‖x_i⁺‖/‖u(x_i⁺)‖)", length * first))];
    if has_two(i) {
        let block = |multiple: f64| i.block(Objective::Cosine, (0, 1), multiple);
        let pairs = block(0.25).into_iter().zip(block(1.0));
        parts.extend(pairs.map(|(closer, here)| {
            (
                "mixed block",
                equal(closer, here * 16.0).on_scale_of("16Σ_i(‖x_i‖/‖u(x_i)‖ + ‖x_i⁺‖/‖u(x_i⁺)‖)²", 16.0 * second),
            )
        }));
    }
    all_of(parts)
}

#[cfg(test)]
mod tests {
    use evidence::judge::{Judgement, judge};
    use linear_ssl::self_supervised::AnchoredSamples;

    use super::*;

    fn judged(evaluation: Evaluation) -> Option<Judgement> {
        match evaluation {
            Evaluation::Compared(c) => Some(judge(&c)),
            _ => None,
        }
    }

    fn holds(evaluation: Evaluation) -> bool {
        matches!(judged(evaluation), Some(Judgement::Holds | Judgement::Touches))
    }

    fn one_anchor(x: &[f64], plus: &[f64], minus: &[&[f64]], map: &[&[f64]]) -> Coupled {
        Coupled {
            data: AnchoredSamples {
                anchors: vec![x.to_vec()],
                positives: vec![vec![plus.to_vec()]],
                negatives: vec![minus.iter().map(|m| m.to_vec()).collect()],
            },
            map: map.iter().map(|r| r.to_vec()).collect(),
        }
    }

    /// L = log(1 + e^f) with f = Σ_l θ_l1 θ_l2, so that the mixed block is σ′(f) g_1 g_2ᵀ, and σ′(0) = ¼ is largest.
    #[test]
    fn one_negative_couples_by_a_quarter_of_the_product_of_pulls() {
        let at_zero = one_anchor(&[1.0, 0.0], &[0.0, 0.0], &[&[0.0, 1.0]], &[&[1.0, 2.0], &[-2.0, 1.0]]);
        let pulls: Vec<f64> = largest_pulls(&at_zero, 1)[0].iter().map(|g| g.midpoint()).collect();
        assert_eq!(pulls, [1.0, 2.0], "|θ_22| and |θ_21|");
        // u(x) = 3 and u(x⁻) = 2: x u(x⁻) + x⁻u(x) = (2 + 9, 4 − 3), and (1, 2)·1 + (0, 1)·3 = (1, 5) for the second.
        let larger = one_anchor(&[1.0, 2.0], &[0.0, 0.0], &[&[3.0, -1.0], &[0.0, 1.0]], &[&[1.0, 1.0]]);
        let pulls: Vec<f64> = largest_pulls(&larger, 0)[0].iter().map(|g| g.midpoint()).collect();
        assert_eq!(pulls, [11.0, 5.0]);
        let block = at_zero.block(Objective::InfoNce, (0, 1), 1.0);
        for (found, expected) in block.iter().zip([0.5, -1.0, 0.25, -0.5]) {
            assert!((*found - expected).magnitude() < 1e-14, "{found:?}");
        }
        assert!(holds(coupling_is_quadratic(&at_zero, 0.25)));
        assert_eq!(judged(coupling_is_quadratic(&at_zero, 0.2499)), Some(Judgement::Violated));
    }

    #[test]
    fn losses_linear_in_products_decouple_and_others_do_not() {
        let generic =
            one_anchor(&[1.0, 0.5], &[0.75, 1.0], &[&[-1.0, 0.5], &[0.5, -0.25]], &[&[0.5, -0.25], &[1.0, 0.75]]);
        assert!(holds(decouples(&generic, Objective::Plain, 1.0)));
        for objective in [Objective::InfoNce, Objective::Cosine, Objective::Spectral] {
            assert_eq!(judged(decouples(&generic, objective, 1.0)), Some(Judgement::Violated));
        }
        assert!(holds(simplified(&generic)) && holds(scale_free(&generic)));
        // At Θ = 0 two negatives weigh a third each, where loss (1) has halves.
        let (found, plain) =
            (generic.block(Objective::InfoNce, (0, 0), 0.0)[0], generic.block(Objective::Plain, (0, 0), 0.0)[0]);
        assert!((found / plain - 2.0 / 3.0).magnitude() < 1e-13);
        let single = Coupled { map: vec![vec![1.0, 2.0]], ..generic };
        assert!(!has_two(&single) && judged(decouples(&single, Objective::Spectral, 1.0)).is_none());
    }

    #[test]
    fn what_rests_at_rank_two_has_not_collapsed() {
        let still = |map: &[&[f64]]| one_anchor(&[0.0, 0.0], &[0.0, 0.0], &[&[0.0, 0.0]], map);
        let rest = |i: &Coupled| judged(rest_is_collapsed(i, Objective::InfoNce).expect("a matrix"));
        assert_eq!(rest(&still(&[&[1.0, 0.0], &[0.0, 1.0]])), Some(Judgement::Violated));
        assert!(matches!(rest(&still(&[&[1.0, 2.0], &[2.0, 4.0]])), Some(Judgement::Holds)));
        let moving = one_anchor(&[1.0, 0.0], &[0.0, 1.0], &[&[1.0, 1.0]], &[&[1.0, 0.0], &[0.0, 1.0]]);
        assert_eq!(rest(&moving), None);
    }

    #[test]
    fn leverages_are_lengths_before_over_lengths_after() {
        // u drops the second coordinate and triples the first.
        let flat = one_anchor(&[3.0, 4.0], &[-1.0, 0.0], &[&[1.0, 1.0]], &[&[3.0, 0.0]]);
        assert!((leverages(&flat)[0] - (5.0 / 9.0 + 1.0 / 3.0)).abs() < 1e-15);
    }
}
