//! Events whose failures are counted, drawn exactly in law with a few vectors in place of matrices. Each answers the
//! least constant C for which its statement holds in the draw.
//!
//! Given the hidden vector h below it, W_l = g ĥᵀ + Z P with √(m/2) g and √(m/2) Z standard normal and independent, P
//! the projection orthogonal to ĥ. So the g_l give all h_l and D_l, and after them vᵀW_l = (v·g) ĥᵀ + √(2/m) ‖v‖ zᵀP
//! with one more standard normal vector z, for any v that depends on the layers above and on g.

use enclosures::probability::{chi_square, chi_squares, gaussian_norm, hidden_norms, list_of_standard_normals};
use enclosures::stream::Stream;
use enclosures::vectors::{norm, sum_of_products, sum_of_squares};

use crate::shared::drawn_encoders::DrawnSizes;

/// N_1 = W_L D_{L−1} W_{L−1} ⋯ D_1 W_1 for d = 1.
fn backward(s: &DrawnSizes, rng: &mut Stream) -> Vec<f64> {
    let m = s.width as usize;
    let signals: Vec<Vec<f64>> = (0..s.layers).map(|_| list_of_standard_normals(rng, m)).collect();
    let root = (2.0 / s.m()).sqrt();
    let mut seen = list_of_standard_normals(rng, m);
    for l in (1..s.depth()).rev() {
        for (x, g) in seen.iter_mut().zip(&signals[l]) {
            if *g < 0.0 {
                *x = 0.0;
            }
        }
        let (along, rest) = (sum_of_products(&seen, &signals[l]), norm(&seen));
        let mut below: Vec<f64> = signals[l - 1].iter().map(|g| g.max(0.0)).collect();
        let norm = norm(&below);
        // A dead layer has no direction, and all of W_l is fresh.
        below.iter_mut().for_each(|h| *h = if norm > 0.0 { *h / norm } else { 0.0 });
        let fresh = list_of_standard_normals(rng, m);
        let parallel = sum_of_products(&fresh, &below);
        let entry = |(z, h): (&f64, &f64)| root * (along * h + rest * (z - parallel * h));
        seen = fresh.iter().zip(&below).map(entry).collect();
    }
    seen
}

/// ‖N_1‖/√m for d = 1.
pub fn backward_norm(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    norm(&backward(s, rng)) / s.m().sqrt()
}

/// The sum of the s largest numbers, added in falling order.
fn sum_of_largest(mut numbers: Vec<f64>, sparsity: u32) -> f64 {
    let count = (sparsity as usize).min(numbers.len());
    if count < numbers.len() {
        numbers.select_nth_unstable_by(count, |a, b| b.total_cmp(a));
        numbers.truncate(count);
    }
    numbers.sort_by(|a, b| b.total_cmp(a));
    numbers.iter().sum()
}

/// The largest norm of s entries: the supremum of |v·x| over s-sparse unit x.
fn largest_part(v: &[f64], sparsity: u32) -> f64 {
    sum_of_largest(v.iter().map(|x| x * x).collect(), sparsity).sqrt()
}

/// sup |N_1 v|/√(s log m) over s-sparse unit v, d = 1.
pub fn backward_sparse(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    largest_part(&backward(s, rng), s.sparsity) / (s.s() * s.log_m()).sqrt()
}

/// How many of the smallest squares add up to at most the budget.
fn within(values: &[f64], budget: f64) -> f64 {
    let mut squares: Vec<f64> = values.iter().map(|x| x * x).collect();
    squares.sort_by(f64::total_cmp);
    let mut spent = 0.0;
    let count = squares.iter().take_while(|&&x| {
        spent += x;
        spent <= budget
    });
    count.count() as f64
}

/// mω^{2/3}.
pub fn flip_scale(width: f64, omega: f64) -> f64 {
    width * core_math::pow(omega, 2.0 / 3.0)
}

/// The most units of the first layer that ‖W′_0‖ ≤ ω can flip, over mω^{2/3}.
pub fn first_layer_flips(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    let signals = list_of_standard_normals(rng, s.width as usize);
    within(&signals, s.radius * s.radius * s.m() / 2.0) / flip_scale(s.m(), s.radius)
}

/// ‖W_1‖/√L, a product with a = c.
pub fn single_matrix(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    gaussian_norm(s.width, s.width, rng) * (2.0 / s.m()).sqrt() / s.l().sqrt()
}

/// The longest row of W_1: the supremum of ‖uᵀW_1‖ over unit u with one entry.
pub fn longest_row(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    let square = chi_squares(rng, &vec![s.width; s.width as usize]).into_iter().fold(0.0, f64::max);
    (2.0 / s.m() * square).sqrt()
}

/// ‖f(x)‖ for one input.
pub fn output_norm(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    let hidden = hidden_norms(rng, s.width).take(s.layers as usize).last().unwrap_or(0.0);
    hidden * (chi_square(rng, s.output) / s.d()).sqrt()
}

/// For L = 2 and b = 1 an upper bound of the largest norm of a product with c ≤ 1 over all D″ with s entries in [−3, 3]
/// and all W′, over √L. W_0 is one column g, and the supremum of ‖(D + D″)g‖ is attained by the s largest gains:
/// 4² − 1 for an active unit, 3² for an inactive one. The rest is ‖W_1 + W′_1‖ ≤ ‖W_1‖ + ω, ‖W′_0‖ ≤ ω, ‖D + D″‖ ≤ 4.
pub fn changed_products(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    let omega = s.radius / (s.l() * s.l().sqrt());
    let column = list_of_standard_normals(rng, s.width as usize);
    let kept: f64 = column.iter().map(|g| g.max(0.0)).map(|h| h * h).sum();
    let gain = |g: &f64| g * g * if *g > 0.0 { 15.0 } else { 9.0 };
    let gains = sum_of_largest(column.iter().map(gain).collect(), s.sparsity);
    let scale = 2.0 / s.m();
    let below = (scale * (kept + gains)).sqrt() + 4.0 * omega;
    let above = gaussian_norm(s.width, s.width, rng) * scale.sqrt() + omega;
    let first = norm(&column) * scale.sqrt() + omega;
    (above * below).max(above).max(first) / s.l().sqrt()
}

/// For L = 2, a = 1 and d = 1 the whole change is W_2D″_1 + W′_2(D_1 + D″_1): at most three times the largest s entries
/// of W_2, and 4ω, which is below Cω√(L³m/d) once C√(8m) ≥ 4. Over √(L³ s log m).
pub fn changed_output_row(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    let row = list_of_standard_normals(rng, s.width as usize);
    3.0 * largest_part(&row, s.sparsity) / (s.l() * s.l() * s.l() * s.s() * s.log_m()).sqrt()
}

/// κL^{−6}(log m)^{−3/2}, the end of the range of ω for one input; κ is called radius.
pub fn end_of_range(s: &DrawnSizes) -> f64 {
    let cube = s.l() * s.l() * s.l();
    s.radius / (cube * cube * s.log_m() * s.log_m().sqrt())
}

/// L = 2 and d = 1: upper bounds of what any W′ with ‖W′_l‖ ≤ ω does. With h = ‖h_0‖ and W = ‖W_1‖:
/// ‖W′_1h′_0 + W_1(h′_0 − h_0)‖ ≤ ω(h + ω + W) =: Δ, which bounds the change of the pre-activations of layer 1, and so
/// ‖h′_1 − h_1‖; a unit flips only if its pre-activation is within its share of Δ.
struct MovedUnits {
    omega: f64,
    first: f64,
    /// Δ.
    reach: f64,
    /// W_1h_0 over its scale.
    signals: Vec<f64>,
}

impl MovedUnits {
    fn draw(s: &DrawnSizes, rng: &mut Stream) -> Self {
        let (omega, root) = (end_of_range(s), (2.0 / s.m()).sqrt());
        let below = list_of_standard_normals(rng, s.width as usize);
        let first = root * below.iter().map(|g| g.max(0.0)).map(|h| h * h).sum::<f64>().sqrt();
        let signals = list_of_standard_normals(rng, s.width as usize);
        // W_1 in a basis that begins with ĥ_0: the column of the signals, and m − 1 others.
        let others = gaussian_norm(s.width, s.width - 1, rng);
        let norm = root * (sum_of_squares(&signals) + others * others).sqrt();
        MovedUnits { omega, first, reach: omega * (first + omega + norm), signals }
    }
}

/// ‖h′_1 − h_1‖/(L^{3/2}ω), from above.
pub fn hidden_moves(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    let moved = MovedUnits::draw(s, rng);
    moved.reach / (s.l() * s.l().sqrt() * moved.omega)
}

/// ‖f′ − f‖/(L√(m/d)ω), from above: ω‖h′_1‖ + ‖W_2‖‖h′_1 − h_1‖.
pub fn output_moves(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    let moved = MovedUnits::draw(s, rng);
    let active: f64 = moved.signals.iter().map(|g| g.max(0.0)).map(|h| h * h).sum();
    let last = moved.first * (2.0 / s.m() * active).sqrt();
    let row = chi_square(rng, s.width).sqrt();
    (moved.omega * (last + moved.reach) + row * moved.reach) / (s.l() * s.m().sqrt() * moved.omega)
}

/// The most flips in layer 0 or 1 over mω^{2/3}L, from above: those of layer 1 whose squares add up to at most Δ².
pub fn flips_of_two_layers(s: &DrawnSizes, rng: &mut Stream) -> f64 {
    let moved = MovedUnits::draw(s, rng);
    let scale = flip_scale(s.m(), moved.omega) * s.l();
    if moved.first == 0.0 {
        return s.m() / scale;
    }
    let relative = moved.reach / moved.first;
    let above = within(&moved.signals, relative * relative * s.m() / 2.0);
    let below = within(&list_of_standard_normals(rng, s.width as usize), moved.omega * moved.omega * s.m() / 2.0);
    above.max(below) / scale
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;

    use super::*;

    fn mean_square(of: impl Fn(&DrawnSizes, &mut Stream) -> f64, s: &DrawnSizes) -> f64 {
        let mut rng = stream(9, &["mean squares"]);
        let squares = (0..6000).map(|_| of(s, &mut rng)).map(|x| x * x);
        squares.sum::<f64>() / 6000.0
    }

    /// A masked square layer with entries N(0, 2/m) keeps the mean square, whatever stands above and below it. The mean
    /// of 6000 draws is known to about 0.01.
    #[test]
    fn backward_vectors_and_outputs_keep_their_mean_square() {
        for (m, layers) in [(4, 1), (4, 2), (6, 3)] {
            let s = DrawnSizes::of(m, layers, 1);
            let found = mean_square(backward_norm, &s);
            assert!((found - 1.0).abs() < 0.06, "m = {m}, L = {layers}: {found}");
        }
        for (layers, d) in [(1, 1), (3, 2)] {
            let s = DrawnSizes::of(8, layers, d);
            let found = mean_square(output_norm, &s);
            assert!((found - 1.0).abs() < 0.08, "L = {layers}, d = {d}: {found}");
        }
        // A row of W_1 has m entries of variance 2/m.
        let alone = mean_square(longest_row, &DrawnSizes::of(1, 1, 1));
        assert!((alone - 2.0).abs() < 0.2, "{alone}");
    }

    /// A square matrix with entries N(0, 2/m) has a norm near √(2/m) · 2√m.
    #[test]
    fn a_single_matrix_has_the_norm_of_the_limit() {
        let mut rng = stream(2, &["a single matrix"]);
        for layers in [1, 4] {
            let found = single_matrix(&DrawnSizes::of(400, layers, 1), &mut rng);
            let limit = (8.0 / f64::from(layers)).sqrt();
            assert!((found / limit - 1.0).abs() < 0.05, "L = {layers}: {found}");
        }
    }

    /// Against all subsets, one by one.
    #[test]
    fn the_largest_and_the_smallest_parts_are_those_of_all_subsets() {
        let v = [3.0, -4.0, 0.5, 1.5, -1.0, 2.0];
        let sets = || (0u32..64).map(|set| (0..6).filter(move |i| set >> i & 1 == 1).map(|i| v[i] * v[i]).collect());
        let sum = |squares: &Vec<f64>| squares.iter().sum::<f64>();
        for sparsity in [1usize, 2, 3, 6, 9] {
            let sums = sets().filter(|s: &Vec<f64>| s.len() <= sparsity).map(|s| sum(&s).sqrt());
            let most = sums.fold(0.0, f64::max);
            assert!((largest_part(&v, sparsity as u32) - most).abs() < 1e-15, "{sparsity}");
        }
        for budget in [0.2, 0.25, 1.25, 3.4, 3.5, 100.0] {
            let counts = sets().filter(|s| sum(s) <= budget).map(|s: Vec<f64>| s.len());
            assert_eq!(within(&v, budget), counts.max().unwrap() as f64, "{budget}");
        }
    }
}
