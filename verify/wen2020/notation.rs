//! Section 3.1: the trace inner product and the Frobenius norm.
//!
//! tr(AᵀB) = Σ a_ij b_ij, and a root was printed over the sum: the last member of the chain equals the others only where the sum is 0 or 1,
//! and does not exist where it is negative. Read with the root, ‖A‖_F = ⟨A,A⟩^{1/2} would be the fourth root of Σ a_ij², of degree ½; without it all is as
//! usual. A tuple of matrices is one long vector for both.

use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError, SingularValues};
use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

/// Two matrices of one shape, row by row.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "A = {a:?}, B = {b:?}", simpler = Self::one_row_or_entry, stored)]
struct Matrices {
    #[instance(length = "m in 1.., n in 1..", range = "-1e6..=1e6")]
    a: Vec<Vec<f64>>,
    #[instance(length = "m, n", range = "-1e6..=1e6")]
    b: Vec<Vec<f64>>,
}

impl Matrices {
    fn one_row_or_entry(&self) -> Vec<Self> {
        let row = |i: usize| Matrices { a: vec![self.a[i].clone()], b: vec![self.b[i].clone()] };
        let entry = |j: usize| Matrices { a: vec![vec![self.a[0][j]]], b: vec![vec![self.b[0][j]]] };
        if self.a.len() > 1 {
            (0..self.a.len()).map(row).collect()
        } else if self.a[0].len() > 1 {
            (0..self.a[0].len()).map(entry).collect()
        } else {
            Vec::new()
        }
    }
}

struct Members {
    /// tr(AᵀB), from the matrix product.
    trace: Enclosure,
    /// Σ a_ij b_ij.
    sum: Enclosure,
    /// Σ |a_ij b_ij|.
    absolute: Enclosure,
    /// Σ a_ij² and Σ b_ij².
    squares: [Enclosure; 2],
    /// tr((A + 2B)ᵀB).
    shifted: Enclosure,
    /// tr(AᵀA) and tr((−3A)ᵀ(−3A)), from the matrix product.
    own_trace: Enclosure,
    tripled: Enclosure,
    spectral: Enclosure,
}

fn members(m: &Matrices) -> Result<Members, MatrixError> {
    let matrix = |rows: &Vec<Vec<f64>>| Matrix::from_rows(rows.clone()).map(IntervalMatrix::from);
    let (a, b) = (matrix(&m.a)?, matrix(&m.b)?);
    let products: Vec<Interval> = a.entries().iter().zip(b.entries()).map(|(&x, &y)| x * y).collect();
    let squares = |m: &IntervalMatrix| sum_of_squares(m.entries());
    let trace = |left: &IntervalMatrix| left.transpose().product(&b)?.trace();
    let own = |m: &IntervalMatrix| m.transpose().product(m)?.trace();
    Ok(Members {
        trace: trace(&a)?.into(),
        sum: products.iter().copied().sum::<Interval>().into(),
        absolute: products.iter().map(|x| x.abs()).sum::<Interval>().into(),
        squares: [squares(&a).into(), squares(&b).into()],
        shifted: trace(&a.plus(&b.scaled(2.0))?)?.into(),
        own_trace: own(&a)?.into(),
        tripled: own(&a.scaled(-3.0))?.into(),
        spectral: SingularValues::of(&a)?.spectral_norm().into(),
    })
}

const NEGATIVE: &str = "the root of a negative number";

const CLOSE: &str = "Σ a_ij b_ij is below 10⁻¹² or within 10⁻⁶ of 1";

/// The printed last member (Σ a_ij b_ij)^{1/2}; none where the sum may be negative.
fn root(m: &Members) -> Option<Enclosure> {
    (m.sum.lo() >= 0.0).then(|| m.sum.sqrt())
}

fn with_root(m: &Members, test: impl FnOnce(Enclosure) -> Evaluation) -> Evaluation {
    root(m).map_or_else(|| vacuous(NEGATIVE), test)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.notation", "trace inner product and norms", Kind::Definition)
        .statement(
            "⟨A,B⟩ = tr(AᵀB) = (Σ a_ij b_ij)^{1/2} and ‖A‖_F = ⟨A,A⟩^{1/2}; for tuples ⟨W,W′⟩ = Σ_l ⟨W_l,W′_l⟩ and \
             ‖W‖_F = ⟨W,W⟩^{1/2}",
        )
        .source("Section 3.1", &[])
        .symbol(
            "A",
            "A and B are p × r matrices with the entries a_ij and b_ij; a tuple has the rows of A for W_l and those of \
             B for W′_l",
        )
        .symbol("⟨A,B⟩", "the inner product: the sum Σ a_ij b_ij, or its root where the check says with the root")
        .symbol("tr", "the sum of the diagonal entries")
        .symbol("‖A‖₂", "the largest singular value of A")
        .setting(printed())
}

fn printed() -> Setting<Matrices, Members> {
    Setting::measuring(|m: &Matrices, _| Ok(members(m)?))
        .given("A and B have one shape")
        .degenerate("one of A and B is zero", |m| {
            [&m.a, &m.b].iter().any(|rows| rows.iter().flatten().all(|x| *x == 0.0))
        })
        .family(edge("named", named))
        .family(random("drawn", drawn))
        .part("printed", "tr(AᵀB) = (Σ a_ij b_ij)^{1/2}", fails("there is a root too many"), |_, m| {
            with_root(m, |root| equal(m.trace, root).on_scale_of("Σ|a_ij b_ij|", m.absolute.hi()))
        })
        .checked("wen2020.Notation.notation_printed_refuted")
        .sides("tr(AᵀB)", "(Σ a_ij b_ij)^{1/2}")
        .except(NEGATIVE)
        .part(
            "defined",
            "the last member is a real number: Σ a_ij b_ij ≥ 0",
            fails("the sum may be negative"),
            |_, m| at_least(m.sum, 0),
        )
        .checked("wen2020.Notation.notation_defined_refuted")
        .sides("Σ a_ij b_ij", "0")
        .because("an inner product is a number: the chain is to be defined for all A and B")
        .part(
            "norm",
            "with the root, ‖A‖_F = (Σ a_ij²)^{1/2}",
            fails("it would be the fourth root of the sum"),
            |_, m| equal(m.squares[0].sqrt().sqrt(), m.squares[0].sqrt()),
        )
        .checked("wen2020.Notation.notation_norm_refuted")
        .sides("(Σ a_ij²)^{1/4}", "(Σ a_ij²)^{1/2}")
        .because("‖A‖_F is called the Frobenius norm, which is (Σ a_ij²)^{1/2}")
        .meant("trace", "tr(AᵀB) = Σ a_ij b_ij", holds(), |_, m| {
            equal(m.trace, m.sum).on_scale_of("Σ|a_ij b_ij|", m.absolute.hi())
        })
        .checked("wen2020.Notation.notation_trace")
        .because("the root over the sum is a slip: the trace next to it has none")
        .sharpening(
            "where",
            "the printed members differ wherever Σ a_ij b_ij is neither 0 nor 1: the root is larger below 1, smaller \
             above",
            holds(),
            |_, m| {
                with_root(m, |root| {
                    if m.sum.lo() > 1.0 + 1e-6 {
                        less_than(root, m.trace)
                    } else if m.sum.lo() > 1e-12 && m.sum.hi() < 1.0 - 1e-6 {
                        greater_than(root, m.trace)
                    } else {
                        vacuous(CLOSE)
                    }
                })
            },
        )
        .checked("wen2020.Notation.notation_where")
        .except(NEGATIVE)
        .except(CLOSE)
        .meant(
            "norm-of-trace",
            "without the root: ‖A‖_F = ⟨A,A⟩^{1/2} is (Σ a_ij²)^{1/2}, and ‖−3A‖_F = 3‖A‖_F",
            holds(),
            |_, m| {
                let root = m.squares[0].sqrt();
                all_of([
                    ("norm", equal(m.own_trace.sqrt(), root).on_scale_of("‖A‖_F", root.hi())),
                    ("degree one", equal(m.tripled.sqrt(), 3.0 * root).on_scale_of("‖A‖_F", root.hi())),
                ])
            },
        )
        .checked("wen2020.Notation.notation_norm_of_trace")
        .amendment(
            "bilinear",
            "without the root: ⟨A + 2B, B⟩ = ⟨A,B⟩ + 2⟨B,B⟩ and |⟨A,B⟩| ≤ ‖A‖_F ‖B‖_F",
            holds(),
            |_, m| {
                let scale = (m.absolute + 2.0 * m.squares[1]).hi();
                let bound = (m.squares[0] * m.squares[1]).sqrt();
                all_of([
                    (
                        "linear",
                        equal(m.shifted, m.trace + 2.0 * m.squares[1]).on_scale_of("Σ|a_ij b_ij| + 2‖B‖_F²", scale),
                    ),
                    ("Cauchy and Schwarz", at_most(m.trace.abs(), bound)),
                ])
            },
        )
        .checked("wen2020.Notation.notation_bilinear")
        .meant(
            "tuples",
            "without the root, the rows as a tuple: Σ_l ⟨W_l,W′_l⟩ = ⟨W,W′⟩",
            holds(),
            |i, m| {
                let product =
                    |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(&x, &y)| exact(x) * y).sum::<Enclosure>();
                let sum: Enclosure = i.a.iter().zip(&i.b).map(product).sum();
                equal(sum, m.trace).on_scale_of("Σ|a_ij b_ij|", m.absolute.hi())
            },
        )
        .control("a", "⟨A,B⟩ = Σ |a_ij b_ij|", |_, m| equal(m.trace, m.absolute))
        .control("b", "‖A‖_F = ‖A‖₂", |_, m| equal(m.squares[0].sqrt(), m.spectral))
        .control("c", "with the root, ⟨A + 2B, B⟩ = ⟨A,B⟩ + 2⟨B,B⟩", |_, m| {
            with_root(m, |root| {
                if m.shifted.lo() < 0.0 {
                    return vacuous(NEGATIVE);
                }
                equal(m.shifted.sqrt(), root + 2.0 * m.squares[1].sqrt())
            })
        })
        .except(NEGATIVE)
}

fn named() -> Vec<(&'static str, Matrices)> {
    let of = |a: &[&[f64]], b: &[&[f64]]| {
        let rows = |m: &[&[f64]]| m.iter().map(|r| r.to_vec()).collect();
        Matrices { a: rows(a), b: rows(b) }
    };
    vec![
        ("two and two", of(&[&[2.0]], &[&[2.0]])),
        ("one and one", of(&[&[1.0]], &[&[1.0]])),
        ("one and minus one", of(&[&[1.0]], &[&[-1.0]])),
        ("zero", of(&[&[0.0, 0.0]], &[&[0.0, 0.0]])),
        ("a sum of one", of(&[&[1.0, 2.0], &[0.5, -1.0]], &[&[1.0, 0.5], &[0.0, 1.0]])),
        ("identity", of(&[&[1.0, 0.0], &[0.0, 1.0]], &[&[1.0, 0.0], &[0.0, 1.0]])),
        ("a quarter", of(&[&[0.5]], &[&[0.5]])),
        ("orthogonal", of(&[&[1.0, 1.0]], &[&[1.0, -1.0]])),
        ("rank one", of(&[&[1.0, 2.0], &[2.0, 4.0]], &[&[1.0, 0.0], &[0.0, -1.0]])),
    ]
}

fn drawn() -> impl Strategy<Value = Matrices> {
    let scale = prop_oneof![Just(1.0), Just(0.01), Just(100.0)];
    (1usize..=6, 1usize..=6, scale).prop_flat_map(|(p, r, scale)| {
        let rows = vec(vec((-1.0..1.0f64).prop_map(move |x| scale * x), r), p);
        (rows.clone(), rows).prop_map(|(a, b)| Matrices { a, b })
    })
}
