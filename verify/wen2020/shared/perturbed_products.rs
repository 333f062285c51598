//! Perturbations of an encoder that raise the norm of a product of masked layers: rank-one W′_l along the top singular
//! vectors, and sparse D″_l where they are largest; and rank-one W′_l that move hidden vectors or outputs as far as
//! they can.

use contrastive::network::{Activations, Encoder, EncoderShape, Weights};
use enclosures::linear_algebra::{LargestSingularValue, largest_singular_value};
use enclosures::vectors::{minus, norm, sum_of_products, unit_vector};
use evidence::prelude::*;

/// Steps of the power method; with 2^{−40} for a miss the upper end exceeds the truth by at most about 14 percent at m
/// = 500.
const STEPS: u32 = 120;

fn missing() -> MeasureError {
    "a product of layers that do not exist".into()
}

fn unit(mut v: Vec<f64>) -> Vec<f64> {
    let norm = norm(&v);
    if norm > 0.0 {
        v.iter_mut().for_each(|x| *x /= norm);
    }
    v
}

pub fn masked(diagonal: &[f64], v: &[f64]) -> Vec<f64> {
    diagonal.iter().zip(v).map(|(d, x)| d * x).collect()
}

/// W_c D_{c−1} ⋯ D_a W_a with its largest singular value.
pub fn top(
    seen: &Activations,
    a: usize,
    c: usize,
    columns: usize,
    trial: &mut Trial,
) -> Result<LargestSingularValue, MeasureError> {
    let alpha = trial.alpha(64);
    let forward = |v: &[f64]| seen.product(a, c, v).unwrap_or_default();
    let backward = |u: &[f64]| seen.transposed_product(a, c, u).unwrap_or_default();
    largest_singular_value(columns, STEPS, alpha, trial.rng(), forward, backward).ok_or_else(missing)
}

/// The spectral norm of a matrix with few rows.
pub fn few_rows(rows: &[Vec<f64>], trial: &mut Trial) -> Result<Enclosure, MeasureError> {
    let columns = rows.first().map_or(0, Vec::len);
    let forward = |v: &[f64]| rows.iter().map(|row| sum_of_products(row, v)).collect::<Vec<f64>>();
    let backward = |u: &[f64]| {
        let entry = |c: usize| rows.iter().zip(u).map(|(row, x)| row[c] * x).sum();
        (0..columns).map(entry).collect()
    };
    let alpha = trial.alpha(64);
    let found = largest_singular_value(columns, STEPS, alpha, trial.rng(), forward, backward);
    Ok(found.ok_or_else(missing)?.value)
}

pub fn no_change(shape: EncoderShape) -> Weights {
    Weights {
        a: vec![0.0; shape.width * shape.input],
        w: vec![vec![0.0; shape.width * shape.width]; shape.depth],
        b: vec![0.0; shape.output * shape.width],
    }
}

/// Sets W′_l = size · left rightᵀ, whose spectral and Frobenius norms are `size` for unit vectors.
pub fn set_rank_one(change: &mut Weights, l: usize, left: &[f64], right: &[f64], size: f64) {
    let depth = change.w.len();
    let matrix = match l {
        0 => &mut change.a,
        l if l <= depth => &mut change.w[l - 1],
        _ => &mut change.b,
    };
    for (row, x) in matrix.chunks_exact_mut(right.len()).zip(left) {
        for (entry, y) in row.iter_mut().zip(right) {
            *entry = size * x * y;
        }
    }
}

/// Diagonals D + D″ and matrices W′ that raise W_c D_{c−1} ⋯ W_a along its top singular vectors.
pub struct Adversary {
    pub diagonals: Vec<Vec<f64>>,
    pub change: Weights,
}

/// At most `sparsity` entries ±3 in every D″_l, `a ≤ l < c`, and W′_l of spectral norm `radius`, `a ≤ l ≤ c`.
pub fn adversary(
    encoder: &Encoder,
    seen: &Activations,
    (a, c): (usize, usize),
    top: &LargestSingularValue,
    sparsity: usize,
    radius: f64,
) -> Result<Adversary, MeasureError> {
    let layers = encoder.hidden_layers();
    let diagonal = |l: usize| seen.diagonal(l).map(<[f64]>::to_vec).ok_or_else(missing);
    let mut diagonals = (0..layers).map(diagonal).collect::<Result<Vec<_>, _>>()?;
    let mut change = no_change(encoder.shape());
    #[allow(
        clippy::needless_range_loop,
        reason = "l numbers layers; every second line asks for another quantity of layer l"
    )]
    for l in a..=c {
        // What reaches W_l from the right, and what W_l is seen through from the left.
        let right = if l == a {
            top.right.clone()
        } else {
            let below = seen.product(a, l - 1, &top.right).ok_or_else(missing)?;
            masked(seen.diagonal(l - 1).ok_or_else(missing)?, &below)
        };
        let left = if l == c {
            top.left.clone()
        } else {
            let above = seen.transposed_product(l + 1, c, &top.left).ok_or_else(missing)?;
            let before = seen.product(a, l, &top.right).ok_or_else(missing)?;
            let gain: Vec<f64> = above.iter().zip(&before).map(|(u, r)| u * r).collect();
            let mut order: Vec<usize> = (0..gain.len()).collect();
            order.sort_by(|&i, &j| gain[j].abs().total_cmp(&gain[i].abs()).then(i.cmp(&j)));
            for &k in order.iter().take(sparsity) {
                diagonals[l][k] += 3.0f64.copysign(gain[k]);
            }
            masked(seen.diagonal(l).ok_or_else(missing)?, &above)
        };
        set_rank_one(&mut change, l, &unit(left), &unit(right), radius);
    }
    Ok(Adversary { diagonals, change })
}

/// Two lists of rank-one W′_l, `l ≤ c`, each W′_l of norm `radius`: along the hidden vectors, and along what the top
/// left singular vector of W_c ⋯ W_1 is sent back to. The first `spared` of the layers counted from `c` downwards stay
/// as they are.
pub fn displacements(
    encoder: &Encoder,
    seen: &Activations,
    c: usize,
    spared: usize,
    radius: f64,
    trial: &mut Trial,
) -> Result<[Weights; 2], MeasureError> {
    let (shape, layers) = (encoder.shape(), encoder.hidden_layers());
    let from = c.min(1);
    let columns = if from == 0 { shape.input } else { shape.width };
    let found = top(seen, from, c, columns, trial)?;
    let (mut aligned, mut coherent) = (no_change(shape), no_change(shape));
    let hidden = |l: usize| seen.hidden(l).ok_or_else(missing);
    for l in 0..(c + 1).saturating_sub(spared) {
        let right = if l == 0 { unit_vector(shape.input, 0) } else { unit(hidden(l - 1)?.to_vec()) };
        let sent_back = if l == c {
            found.left.clone()
        } else {
            seen.transposed_product(l + 1, c, &found.left).ok_or_else(missing)?
        };
        let sent_back = if l < layers { masked(seen.diagonal(l).ok_or_else(missing)?, &sent_back) } else { sent_back };
        let along = if l < layers {
            unit(hidden(l)?.to_vec())
        } else {
            let output = seen.product(0, layers, &unit_vector(shape.input, 0));
            unit(output.ok_or_else(missing)?)
        };
        set_rank_one(&mut aligned, l, &along, &right, radius);
        set_rank_one(&mut coherent, l, &unit(sent_back), &right, radius);
    }
    Ok([aligned, coherent])
}

/// Distance of two vectors.
pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    norm(&minus(a, b))
}

/// Number of entries that differ.
pub fn differing(a: &[f64], b: &[f64]) -> usize {
    a.iter().zip(b).filter(|(x, y)| x != y).count()
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use evidence::budget::Budget;
    use evidence::claim::Fixtures;

    #[test]
    fn vectors_are_measured() {
        let (a, b) = ([3.0, 4.0, 0.0], [0.0, 4.0, 4.0]);
        assert_eq!((sum_of_products(&a, &b), norm(&a), distance(&a, &b)), (16.0, 5.0, 5.0));
        assert_eq!(differing(&a, &b), 2);
        assert_eq!(masked(&[1.0, 0.0, 1.0], &a), [3.0, 0.0, 0.0]);
    }

    const POINT: [f64; 3] = [1.0, 0.0, 0.0];

    fn encoder() -> Encoder {
        let shape = crate::shared::encoder_pair::shape(3, 8, 3, 2);
        Encoder::initialise(shape, &mut stream(7, &["perturbed products"])).unwrap()
    }

    fn trial() -> Trial {
        Trial::new(stream(1, &["power method"]), Budget::Standard, Fixtures::at("none"))
    }

    fn square(entries: &[f64]) -> DMatrix<f64> {
        DMatrix::from_row_slice(entries.len() / 8, 8, entries)
    }

    fn spectral_norm(matrix: &DMatrix<f64>) -> f64 {
        matrix.singular_values().iter().copied().fold(0.0, f64::max)
    }

    /// W_2 D_1 W_1, multiplied out, and the two rows of W_3.
    #[test]
    fn norms_are_those_of_the_matrices_multiplied_out() {
        let encoder = encoder();
        let seen = encoder.activations(&POINT).unwrap();
        let weights = encoder.weights();
        let diagonal = DMatrix::from_diagonal(&DVector::from_column_slice(seen.diagonal(1).unwrap()));
        let product = square(&weights.w[1]) * diagonal * square(&weights.w[0]);
        let found = top(&seen, 1, 2, 8, &mut trial()).unwrap();
        assert!((found.value.lo() / spectral_norm(&product) - 1.0).abs() < 1e-6);
        assert!(found.value.hi() >= spectral_norm(&product));
        let rows: Vec<Vec<f64>> = weights.b.chunks_exact(8).map(<[f64]>::to_vec).collect();
        let found = few_rows(&rows, &mut trial()).unwrap();
        assert!((found.lo() / spectral_norm(&square(&weights.b)) - 1.0).abs() < 1e-6);
    }

    /// Along its top singular vectors a matrix of norm σ becomes one of norm σ + r; and ±3 stands where asked.
    #[test]
    fn an_adversary_adds_its_radius_to_the_norm() {
        let encoder = encoder();
        let seen = encoder.activations(&POINT).unwrap();
        let found = top(&seen, 1, 1, 8, &mut trial()).unwrap();
        let alone = adversary(&encoder, &seen, (1, 1), &found, 2, 0.5).unwrap();
        let (before, change) = (square(&encoder.weights().w[0]), square(&alone.change.w[0]));
        let (low, high) = (spectral_norm(&before), spectral_norm(&(&before + &change)));
        assert!((high - low - 0.5).abs() < 1e-6, "{low}, {high}");
        assert!((spectral_norm(&change) - 0.5).abs() < 1e-12);
        // Of two layers the one in between is changed in two places, and the gain there is positive.
        let found = top(&seen, 1, 2, 8, &mut trial()).unwrap();
        let both = adversary(&encoder, &seen, (1, 2), &found, 2, 0.0).unwrap();
        for l in 0..3 {
            let count = differing(&both.diagonals[l], seen.diagonal(l).unwrap());
            assert_eq!(count, if l == 1 { 2 } else { 0 });
        }
        let after = encoder.activations(&POINT).unwrap().with_diagonals(both.diagonals).unwrap();
        let raised = sum_of_products(&after.product(1, 2, &found.right).unwrap(), &found.left);
        assert!(raised > found.value.lo() + 0.1, "{raised}");
    }

    /// Along the hidden vectors all layers grow in proportion: ‖h′_0‖ = ‖h_0‖ + r, and ‖h′_l‖ = ‖h′_{l−1}‖ (‖h_l‖/‖h_{l−1}‖ + r).
    #[test]
    fn aligned_displacements_lengthen_the_hidden_vectors() {
        let encoder = encoder();
        let seen = encoder.activations(&POINT).unwrap();
        let radius = 0.25;
        for spared in [0, 1] {
            let found = displacements(&encoder, &seen, 2, spared, radius, &mut trial()).unwrap();
            for change in &found {
                for (l, matrix) in change.matrices().enumerate() {
                    let expected = if l < 3 - spared { radius } else { 0.0 };
                    assert!((norm(matrix) - expected).abs() < 1e-12, "layer {l}");
                }
            }
            let moved = encoder.displaced(&found[0], 1.0).unwrap();
            let after = moved.activations(&POINT).unwrap();
            let (mut before, mut expected) = (1.0, 1.0);
            for l in 0..3 {
                let length = norm(seen.hidden(l).unwrap());
                let moved_by = if l < 3 - spared { radius } else { 0.0 };
                (before, expected) = (length, expected * (length / before + moved_by));
                assert!((norm(after.hidden(l).unwrap()) - expected).abs() < 1e-12, "layer {l}");
            }
        }
    }
}
