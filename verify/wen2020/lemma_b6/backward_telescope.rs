//! The matrices of Lemma B.6 as small integers, and the monomials of its note.

use enclosures::linear_algebra::{IntervalMatrix, MatrixError};
use enclosures::stream::stream;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// V_L (d × m) with W′_L, then for l = L − 1 down to a the diagonals A_l and D″_l, and for l > a the square V_l with W′_l. Entries are integers, so that
/// products of a few matrices are exact. Index 0 belongs to l = a.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, stored)]
pub struct BackwardChain {
    #[instance(range = "1..=8")]
    output: usize,
    #[instance(range = "1..=8")]
    width: usize,
    #[instance(length = "layers in 1..=6, m in 1..=8", range = "-9..=9")]
    masks: Vec<Vec<i32>>,
    #[instance(length = "layers, m", range = "-9..=9")]
    mask_changes: Vec<Vec<i32>>,
    #[instance(length = "between in 0..=5, square in 1..=64", range = "-9..=9")]
    squares: Vec<Vec<i32>>,
    #[instance(length = "between, square", range = "-9..=9")]
    square_changes: Vec<Vec<i32>>,
    #[instance(length = "rows in 1..=64", range = "-9..=9")]
    last: Vec<i32>,
    #[instance(length = "rows", range = "-9..=9")]
    last_change: Vec<i32>,
}

impl BackwardChain {
    fn in_words(&self) -> String {
        let layers = self.layers();
        // a and the layers above it, counted from a.
        let of = |sign: &str, l: usize, entries: &[i32]| match l {
            0 => format!("{sign}_a = {entries:?}"),
            _ if l == layers => format!("{sign}_L = {entries:?}"),
            _ => format!("{sign}_{{a+{l}}} = {entries:?}"),
        };
        let mut words = vec![of("V", layers, &self.last), of("W′", layers, &self.last_change)];
        for l in (0..layers).rev() {
            words.push(of("A", l, &self.masks[l]));
            words.push(of("D″", l, &self.mask_changes[l]));
            if l > 0 {
                words.push(of("V", l, &self.squares[l - 1]));
                words.push(of("W′", l, &self.square_changes[l - 1]));
            }
        }
        format!("d = {}, m = {}, L − a = {layers}: {}", self.output, self.width, words.join(", "))
    }

    fn fits(&self) -> Result<(), String> {
        let (d, m) = (self.output, self.width);
        let widths = self.masks.iter().all(|mask| mask.len() == m) && self.squares.iter().all(|v| v.len() == m * m);
        if widths && self.squares.len() + 1 == self.layers() && self.last.len() == d * m {
            Ok(())
        } else {
            Err("lists of other lengths".into())
        }
    }

    /// Entries −3 to 3 (masks 0 and 1) drawn from a seed, with L − a = `layers`.
    pub fn filled(output: usize, width: usize, layers: usize, seed: u64) -> Self {
        let mut rng = stream(seed, &["backward telescope"]);
        let mut list = |count: usize, from: i32, values: i32| -> Vec<i32> {
            let one = |_| from + ((1.0 - uniform(&mut rng)) * f64::from(values)) as i32;
            (0..count).map(one).collect()
        };
        BackwardChain {
            output,
            width,
            masks: (0..layers).map(|_| list(width, 0, 2)).collect(),
            mask_changes: (0..layers).map(|_| list(width, -3, 7)).collect(),
            squares: (1..layers).map(|_| list(width * width, -3, 7)).collect(),
            square_changes: (1..layers).map(|_| list(width * width, -3, 7)).collect(),
            last: list(output * width, -3, 7),
            last_change: list(output * width, -3, 7),
        }
    }

    fn layers(&self) -> usize {
        self.masks.len()
    }

    fn diagonal(&self, entries: &[i32]) -> Result<IntervalMatrix, MatrixError> {
        IntervalMatrix::from_fn(self.width, self.width, |i, j| {
            Interval::point(if i == j { f64::from(entries[i]) } else { 0.0 })
        })
    }

    fn matrix(&self, rows: usize, entries: &[i32]) -> Result<IntervalMatrix, MatrixError> {
        let numbers = entries.iter().map(|&x| Interval::point(f64::from(x))).collect();
        IntervalMatrix::new(rows, self.width, numbers)
    }

    /// A_l, changed or not.
    fn mask(&self, l: usize, changed: bool) -> Result<IntervalMatrix, MatrixError> {
        let base = self.diagonal(&self.masks[l])?;
        if changed { base.plus(&self.diagonal(&self.mask_changes[l])?) } else { Ok(base) }
    }

    /// V_l for a < l ≤ L, changed or not.
    fn weight(&self, l: usize, changed: bool) -> Result<IntervalMatrix, MatrixError> {
        let (base, change) = if l == self.layers() {
            (self.matrix(self.output, &self.last)?, self.matrix(self.output, &self.last_change)?)
        } else {
            (self.matrix(self.width, &self.squares[l - 1])?, self.matrix(self.width, &self.square_changes[l - 1])?)
        };
        if changed { base.plus(&change) } else { Ok(base) }
    }

    /// V_L A_{L−1} V_{L−1} ⋯ A_a.
    fn whole(&self, changed: bool) -> Result<IntervalMatrix, MatrixError> {
        let mut product = self.mask(0, changed)?;
        for l in 1..=self.layers() {
            product = self.weight(l, changed)?.product(&product)?;
            if l < self.layers() {
                product = self.mask(l, changed)?.product(&product)?;
            }
        }
        Ok(product)
    }

    /// The left side.
    pub fn difference(&self) -> Result<IntervalMatrix, MatrixError> {
        self.whole(true)?.minus(&self.whole(false)?)
    }

    /// V_L ∏_{c=l+1}^{L−1} A_c V_c, with the masks changed or not.
    fn above(&self, l: usize, changed: bool) -> Result<IntervalMatrix, MatrixError> {
        let mut product = self.weight(self.layers(), false)?;
        for c in (l + 1..self.layers()).rev() {
            product = product.product(&self.mask(c, changed)?)?.product(&self.weight(c, false)?)?;
        }
        Ok(product)
    }

    /// ∏_{c=a+1}^{l} Ṽ_c Ã_{c−1}.
    fn below(&self, l: usize) -> Result<IntervalMatrix, MatrixError> {
        let mut product = IntervalMatrix::identity(self.width)?;
        for c in 1..=l {
            product = self.weight(c, true)?.product(&self.mask(c - 1, true)?)?.product(&product)?;
        }
        Ok(product)
    }

    /// The right side; `tilde` puts the changed masks into the left factors as well.
    pub fn telescoped(&self, tilde: bool) -> Result<IntervalMatrix, MatrixError> {
        let layers = self.layers();
        let change = |l: usize| self.weight(l, true)?.minus(&self.weight(l, false)?);
        let before = |l: usize| self.mask(l - 1, true)?.product(&self.below(l - 1)?);
        let mut sum = change(layers)?.product(&before(layers)?)?;
        for l in 0..layers {
            let masks = self.diagonal(&self.mask_changes[l])?;
            sum = sum.plus(&self.above(l, tilde)?.product(&masks)?.product(&self.below(l)?)?)?;
            if l > 0 {
                let left = self.above(l, tilde)?.product(&self.mask(l, tilde)?)?;
                sum = sum.plus(&left.product(&change(l)?)?.product(&before(l)?)?)?;
            }
        }
        Ok(sum)
    }
}

/// Sizes as real numbers, for the note of the lemma.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct Monomials {
    #[instance(symbol = "m", range = "3..=1e15", scale = "logarithmic")]
    pub width: f64,
    #[instance(symbol = "L", range = "1..=100")]
    pub layers: f64,
    #[instance(symbol = "d", range = "1..=1000")]
    pub output: f64,
    #[instance(range = "1e-12..=1", scale = "logarithmic")]
    pub omega: f64,
}

impl Monomials {
    fn log_m(&self) -> Enclosure {
        exact(self.width).ln()
    }

    fn power_of_omega(&self, exponent: f64) -> Enclosure {
        (exact(self.omega).ln() * exponent).exp()
    }

    /// mω^{2/3}L.
    pub fn sparsity(&self) -> Enclosure {
        (exact(self.omega).ln() * 2.0 / 3.0).exp() * self.width * self.layers
    }

    /// m/(L³ log m).
    pub fn largest_sparsity(&self) -> Enclosure {
        exact(self.width) / (exact(self.layers).powi(3) * self.log_m())
    }

    /// √(L³ s log m/d).
    pub fn sparse_term(&self) -> Enclosure {
        (exact(self.layers).powi(3) * self.sparsity() * self.log_m() / self.output).sqrt()
    }

    /// ω√(L³m/d).
    pub fn weight_term(&self) -> Enclosure {
        self.power_of_omega(1.0) * (exact(self.layers).powi(3) * self.width / self.output).sqrt()
    }

    /// ω^{1/3}L²√(m log m/d).
    pub fn note(&self) -> Enclosure {
        let third = (exact(self.omega).ln() / 3.0).exp();
        third * exact(self.layers).square() * (self.log_m() * self.width / self.output).sqrt()
    }
}
