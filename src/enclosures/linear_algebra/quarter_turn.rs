//! An orthogonal map that doubles hold exactly.

/// The vector with each pair of successive coordinates `(x, y)` turned to `(−y, x)`, and the last of an odd number of them negated: an
/// orthogonal map without rounding.
///
/// ```
/// use contrapositive_enclosures::linear_algebra::quarter_turn;
/// assert_eq!(quarter_turn(&[1.0, 2.0, 3.0]), [-2.0, 1.0, -3.0]);
/// ```
#[must_use]
pub fn quarter_turn(vector: &[f64]) -> Vec<f64> {
    let turned = |pair: &[f64]| match *pair {
        [x, y] => vec![-y, x],
        _ => pair.iter().map(|x| -x).collect(),
    };
    vector.chunks(2).flat_map(turned).collect()
}
