//! Rows of registers become columns.

const LANES: usize = 8;
type Lanes = [f64; LANES];

/// The rows of a matrix of eight rows and columns become its columns, in three rounds of exchanges between two rows, each of which is one
/// instruction for registers of eight doubles. To be called within a [`Kernel`](super::Kernel).
///
/// ```
/// use contrapositive_enclosures::kernels::transposed;
/// let rows = std::array::from_fn(|i| std::array::from_fn(|j| (10 * i + j) as f64));
/// assert_eq!(transposed(rows)[3][5], 53.0);
/// ```
#[must_use]
#[inline(always)]
pub fn transposed([a, b, c, d, e, f, g, h]: [Lanes; LANES]) -> [Lanes; LANES] {
    let ((a, b), (c, d), (e, f), (g, h)) = (singles(a, b), singles(c, d), singles(e, f), singles(g, h));
    let ((a, c), (b, d), (e, g), (f, h)) = (pairs(a, c), pairs(b, d), pairs(e, g), pairs(f, h));
    let ((a, e), (b, f), (c, g), (d, h)) = (halves(a, e), halves(b, f), halves(c, g), halves(d, h));
    [a, b, c, d, e, f, g, h]
}

#[inline(always)]
fn singles(a: Lanes, b: Lanes) -> (Lanes, Lanes) {
    ([a[0], b[0], a[2], b[2], a[4], b[4], a[6], b[6]], [a[1], b[1], a[3], b[3], a[5], b[5], a[7], b[7]])
}

#[inline(always)]
fn pairs(a: Lanes, b: Lanes) -> (Lanes, Lanes) {
    ([a[0], a[1], b[0], b[1], a[4], a[5], b[4], b[5]], [a[2], a[3], b[2], b[3], a[6], a[7], b[6], b[7]])
}

#[inline(always)]
fn halves(a: Lanes, b: Lanes) -> (Lanes, Lanes) {
    ([a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]], [a[4], a[5], a[6], a[7], b[4], b[5], b[6], b[7]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        let rows = std::array::from_fn(|i| std::array::from_fn(|j| (10 * i + j) as f64));
        let columns = transposed(rows);
        for (i, row) in rows.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                assert_eq!(columns[j][i], *x, "row {i}, column {j}");
            }
        }
    }
}
