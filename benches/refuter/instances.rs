//! The types that the statements quantify over: written as somebody writes them who wants to see a lemma refuted, with no more than a
//! description and what makes a value one of the type.

use enclosures::enclosure::{Enclosure, exact};
use evidence::instance::Instance;
use serde::{Deserialize, Serialize};

macro_rules! instances {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty),* } valid $valid:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub struct $name { $(pub $field: $type),* }

        impl Instance for $name {
            fn describe(&self) -> String {
                format!("{self:?}")
            }

            fn validate(&self) -> Result<(), String> {
                let valid: fn(&Self) -> Result<(), String> = $valid;
                valid(self)
            }
        }
    )*};
}

fn any<T>(_: &T) -> Result<(), String> {
    Ok(())
}

fn demand(met: bool, otherwise: &str) -> Result<(), String> {
    if met { Ok(()) } else { Err(otherwise.to_owned()) }
}

fn are_weights(w: &[f64]) -> Result<(), String> {
    demand(w.iter().all(|&w| w >= 0.0) && w.iter().any(|&w| w > 0.0), "weights that are not all zero, none negative")
}

fn is_square(rows: &[Vec<f64>]) -> bool {
    rows.iter().all(|row| row.len() == rows.len())
}

/// How far what should be one or zero may be away from it.
const ROUNDED: f64 = 1e-9;

fn is_orthonormal(rows: &[Vec<f64>]) -> bool {
    let inner = |i: usize, j: usize| rows[i].iter().zip(&rows[j]).map(|(x, y)| x * y).sum::<f64>();
    (0..rows.len()).all(|i| (0..=i).all(|j| (inner(i, j) - f64::from(u8::from(i == j))).abs() <= ROUNDED))
}

fn is_doubly_stochastic(rows: &[Vec<f64>]) -> bool {
    let is_one = |sum: f64| (sum - 1.0).abs() <= ROUNDED;
    rows.iter().flatten().all(|&x| x >= 0.0)
        && rows.iter().all(|row| is_one(row.iter().sum()))
        && (0..rows.len()).all(|j| is_one(rows.iter().map(|row| row[j]).sum()))
}

instances! {
    /// One number.
    Number { x: f64 } valid any;
    /// Two numbers.
    Pair { x: f64, y: f64 } valid any;
    /// A vector.
    Point { x: Vec<f64> } valid |p| demand(!p.x.is_empty(), "at least one coordinate");
    /// Two vectors of equal length.
    TwoVectors { x: Vec<f64>, y: Vec<f64> } valid |v| demand(v.x.len() == v.y.len(), "vectors of equal length");
    /// A whole number.
    Whole { n: u64 } valid any;
    /// Two whole numbers.
    TwoWhole { n: u64, k: u64 } valid any;
    /// A whole number and a real one.
    Mixed { n: u64, x: f64 } valid any;
    /// A vector and the number of one of its entries.
    Chosen { k: usize, x: Vec<f64> } valid |c| demand(c.k < c.x.len(), "the number of an entry");
    /// A number and one of two formulas.
    Switched { flag: bool, x: f64 } valid any;
    /// A square matrix.
    Matrix { rows: Vec<Vec<f64>> } valid |m| demand(is_square(&m.rows), "a square matrix");
    /// Two square matrices of the same size.
    TwoMatrices { a: Vec<Vec<f64>>, b: Vec<Vec<f64>> } valid
        |m| demand(is_square(&m.a) && is_square(&m.b) && m.a.len() == m.b.len(), "square matrices of one size");
    /// A matrix that equals its transpose.
    Symmetric { rows: Vec<Vec<f64>> } valid |m| demand(
        is_square(&m.rows) && (0..m.rows.len()).all(|i| (0..i).all(|j| m.rows[i][j] == m.rows[j][i])),
        "a symmetric matrix",
    );
    /// A law on finitely many points, by weights.
    Weights { w: Vec<f64> } valid |w| are_weights(&w.w);
    /// Two laws on the same points, by weights.
    TwoLaws { p: Vec<f64>, q: Vec<f64> } valid |l| {
        are_weights(&l.p).and(are_weights(&l.q)).and(demand(l.p.len() == l.q.len(), "laws on the same points"))
    };
    /// The numbers from zero, each once, in some order.
    Permutation { order: Vec<u64> } valid |p| demand(
        (0..p.order.len() as u64).all(|number| p.order.contains(&number)),
        "every number below the length once",
    );
    /// A sign for every place.
    Signs { plus: Vec<bool> } valid any;
    /// A square matrix with rows of length one at right angles.
    Orthogonal { rows: Vec<Vec<f64>> } valid |q| demand(is_square(&q.rows) && is_orthonormal(&q.rows), "orthonormal \
                                                                                                        rows");
    /// A square matrix without negative entries, rows and columns of which add up to one.
    DoublyStochastic { rows: Vec<Vec<f64>> } valid |m| demand(
        is_square(&m.rows) && is_doubly_stochastic(&m.rows),
        "no negative entry, and a sum of one in every row and column",
    );
    /// A law on finitely many numbers: weights, and where they lie.
    Atoms { w: Vec<f64>, x: Vec<f64> } valid
        |a| are_weights(&a.w).and(demand(a.w.len() == a.x.len(), "as many places as weights"));
    /// A law on finitely many points, by probabilities that add up to one.
    Law { p: Vec<f64> } valid |l| {
        are_weights(&l.p).and(demand((l.p.iter().sum::<f64>() - 1.0).abs() <= 1e-12, "probabilities that add up to \
                                                                                      one"))
    };
}

/// The probabilities that belong to weights.
pub fn probabilities(w: &[f64]) -> Vec<Enclosure> {
    let total: Enclosure = w.iter().map(|&w| exact(w)).sum();
    w.iter().map(|&w| exact(w) / total).collect()
}

/// `x log x`, zero at zero.
pub fn x_log_x(x: Enclosure) -> Enclosure {
    if x.hi() == 0.0 { Enclosure::ZERO } else { x * x.ln() }
}

/// The numbers of a vector, each exactly.
pub fn numbers(x: &[f64]) -> impl Iterator<Item = Enclosure> + Clone + '_ {
    x.iter().map(|&x| exact(x))
}

/// Where a statement has its extreme point: numbers in [-1, 1] without a pattern.
pub fn hidden(index: usize) -> f64 {
    let turned = (index as f64 + 1.0) * 0.618_033_988_749_894_9;
    2.0 * (turned - turned.floor()) - 1.0
}

/// The square of the distance from a multiple of the hidden point.
pub fn squared_distance(x: &[f64], scale: f64) -> Enclosure {
    let terms = x.iter().enumerate();
    terms.map(|(i, &x)| (exact(x) - scale * hidden(i)).square()).sum()
}

/// The rows of a square matrix from its entries.
pub fn square(entries: &[f64]) -> Vec<Vec<f64>> {
    let size = (1..).find(|n| n * n >= entries.len()).unwrap_or(1);
    entries.chunks(size).map(<[f64]>::to_vec).collect()
}
