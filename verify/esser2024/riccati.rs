//! After Theorem 2: qqᵀ obeys a closed quadratic equation.
//!
//! True at every q: with P = qqᵀ, qᵀq and qᵀΛq meet q from both sides only, so q′qᵀ + qq′ᵀ = −4(ΛP + PΛ) + 2(ΛP² + P²Λ) + 4PΛP. The
//! terms with P² are not those of a Riccati equation proper; where P is a projector (all singular values of q zero or one) they join
//! the linear ones and P′ = −2(ΛP + PΛ) + 4PΛP, the Riccati equation of the subspace spanned by e^{−2Λt}q₀.

use enclosures::linear_algebra::{IntervalMatrix, Matrix};
use enclosures::vectors::{largest_magnitude, points, scaled};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, OutputFlow, riccati_velocity};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::flows::{check_numbers, spectra, without};
use crate::shared::linear_model::{without_column, without_row};
use crate::shared::notation::EQUATION_NINE;
use crate::shared::orthonormal_network::entries_agree;

/// Any q (d×z) and the eigenvalues.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct OutputMatrix {
    spectrum: Vec<f64>,
    q: Matrix,
}

impl Instance for OutputMatrix {
    fn describe(&self) -> String {
        let (d, z) = (self.q.rows(), self.q.columns());
        format!("d = {d}, z = {z}, Λ = diag {:?}, q = {:?}", self.spectrum, self.q.to_rows())
    }

    fn validate(&self) -> Result<(), String> {
        if self.q.rows() != self.spectrum.len() {
            return Err(format!("{} eigenvalues, {} rows", self.spectrum.len(), self.q.rows()));
        }
        check_numbers("eigenvalue", &self.spectrum)?;
        check_numbers("entry", self.q.entries())
    }

    fn simpler(&self) -> Vec<Self> {
        let rows = (0..self.q.rows())
            .filter_map(|k| Some(OutputMatrix { spectrum: without(&self.spectrum, k), q: without_row(&self.q, k)? }));
        let columns = (0..self.q.columns())
            .filter_map(|k| Some(OutputMatrix { spectrum: self.spectrum.clone(), q: without_column(&self.q, k)? }));
        rows.chain(columns).collect()
    }
}

struct ProductChange {
    spectrum: Vec<Interval>,
    p: IntervalMatrix,
    /// q′qᵀ + qq′ᵀ with q′ from (9).
    change: IntervalMatrix,
    scale: f64,
}

/// q′qᵀ + qq′ᵀ.
fn product_rule(velocity: &IntervalMatrix, q: &IntervalMatrix) -> Result<IntervalMatrix, FlowError> {
    let half = velocity.product(&q.transpose())?;
    Ok(half.plus(&half.transpose())?)
}

impl ProductChange {
    fn of(o: &OutputMatrix) -> Result<Self, FlowError> {
        let q = IntervalMatrix::from(&o.q);
        let velocity = OutputFlow::printed(o.spectrum.clone())?.velocity(&q)?;
        let steepest = largest_magnitude(&o.spectrum);
        let size = q.frobenius_norm_squared().hi();
        Ok(ProductChange {
            spectrum: points(&o.spectrum),
            p: q.product(&q.transpose())?,
            change: product_rule(&velocity, &q)?,
            scale: 8.0 * steepest * size * (1.0 + size),
        })
    }

    /// ΛX + XΛ.
    fn both(&self, x: &IntervalMatrix) -> Result<IntervalMatrix, FlowError> {
        Ok(IntervalMatrix::from_fn(x.rows(), x.rows(), |i, j| {
            x.at(i, j) * self.spectrum[i] + x.at(i, j) * self.spectrum[j]
        })?)
    }

    /// PΛP.
    fn inner(&self) -> Result<IntervalMatrix, FlowError> {
        let n = self.p.rows();
        let scaled = IntervalMatrix::from_fn(n, n, |i, j| self.p.at(i, j) * self.spectrum[i])?;
        Ok(self.p.product(&scaled)?)
    }

    fn is(&self, right: Result<IntervalMatrix, FlowError>) -> Evaluation {
        right.map(|r| entries_agree(&self.change, &r, self.scale)).into()
    }
}

pub fn claim() -> Claim {
    Claim::new("esser2024.riccati", "a closed equation for qqᵀ", Kind::Identity)
        .statement("(9) becomes a matrix-Riccati-type equation on P = qqᵀ: P′ = −4(ΛP+PΛ) + 2(ΛP²+P²Λ) + 4PΛP")
        .source("the text after Theorem 2", &[])
        .symbols([EQUATION_NINE])
        .symbol("q", "any d×z matrix; q′ by (9)")
        .symbol("Λ", "a real diagonal d×d matrix")
        .symbol("P′", "P = qqᵀ, P′ = q′qᵀ + qq′ᵀ")
        .remark(
            "An identity of polynomials; it needs no norm constraint. The printed text gives no formula; this is the \
             one that follows from (9).",
        )
        .remark(
            "The gradient flow of thm-2b has P′ = −4(ΛP+PΛ) + (ΛP²+P²Λ) + 6PΛP; with the canonical metric it is P′ = \
             −4(ΛP+PΛ) + 8PΛP, a Riccati equation proper.",
        )
        .setting(printed())
}

fn printed() -> Setting<OutputMatrix, ProductChange> {
    Setting::measuring(|o: &OutputMatrix, _| Ok(ProductChange::of(o)?))
        .given("q ∈ ℝ^{d×z}, Λ diagonal")
        .family(edge("named", named))
        .family(random("any norm", drawn))
        .part("printed", "q′qᵀ + qq′ᵀ = −4(ΛP+PΛ) + 2(ΛP²+P²Λ) + 4PΛP", holds(), |_, s| {
            s.is(riccati_velocity(&s.spectrum, &s.p))
        })
        .checked("esser2024.Riccati.riccati_printed")
        .because("the text says that (9) gives such an equation and does not print it; this one is ours")
        .sharpening("projector", "P² = P, and P′ = −2(ΛP+PΛ) + 4PΛP", holds(), |_, s| {
            s.is((|| Ok(s.both(&s.p)?.scaled(-2.0).plus(&s.inner()?.scaled(4.0))?))())
        })
        .checked_in_part("esser2024.Riccati.riccati_projector")
        .assume(Hypothesis::new("qᵀq diagonal with entries 0 and 1", |o| {
            let q = IntervalMatrix::from(&o.q);
            let gram = q.transpose().product(&q);
            gram.is_ok_and(|g| {
                let unit = |i: usize, x: &Interval| {
                    *x == Interval::ZERO || (*x == Interval::ONE && i.is_multiple_of(g.columns() + 1))
                };
                g.entries().iter().enumerate().all(|(i, x)| unit(i, x))
            })
        }))
        .sharpening(
            "canonical",
            "with the canonical metric (thm-2b), q′ = −4(I − qqᵀ)Λq in place of (9): P′ = −4(ΛP+PΛ) + 8PΛP",
            holds(),
            |o, s| {
                let both = || -> Result<Evaluation, FlowError> {
                    let q = IntervalMatrix::from(&o.q);
                    let velocity = OutputFlow::canonical(o.spectrum.clone())?.velocity(&q)?;
                    let right = s.both(&s.p)?.scaled(-4.0).plus(&s.inner()?.scaled(8.0))?;
                    Ok(entries_agree(&product_rule(&velocity, &q)?, &right, s.scale))
                };
                both().into()
            },
        )
        .checked("esser2024.Riccati.riccati_canonical")
        .control("a", "P′ = −4(ΛP+PΛ) + 4PΛP, without the terms ΛP² + P²Λ", |_, s| {
            s.is((|| Ok(s.both(&s.p)?.scaled(-4.0).plus(&s.inner()?.scaled(4.0))?))())
        })
        .control("b", "P′ = −4(ΛP+PΛ) + 2(ΛP²+P²Λ) + 2PΛP", |_, s| {
            s.is((|| Ok(riccati_velocity(&s.spectrum, &s.p)?.minus(&s.inner()?.scaled(2.0))?))())
        })
        .control("c", "the trace alone: Tr P′ = −8 Tr(ΛP)", |_, s| {
            let traces = || -> Result<Evaluation, FlowError> {
                let right = s.both(&s.p)?.trace()? * -4.0;
                Ok(equal(s.change.trace()?, right).on_scale_of("the terms in absolute value", s.scale))
            };
            traces().into()
        })
}

fn named() -> Vec<(&'static str, OutputMatrix)> {
    let of = |spectrum: &[f64], rows: &[&[f64]]| OutputMatrix {
        spectrum: spectrum.to_vec(),
        q: Matrix::from_rows(rows.iter().map(|r| r.to_vec()).collect()).expect("rows of one length"),
    };
    vec![
        ("one by one", of(&[-1.0], &[&[0.5]])),
        ("q = 0", of(&[-1.0, 1.0], &[&[0.0, 0.0], &[0.0, 0.0]])),
        ("q = I", of(&[-1.0, 2.0], &[&[1.0, 0.0], &[0.0, 1.0]])),
        ("a projector of rank one", of(&[-1.0, 2.0, 3.0], &[&[1.0, 0.0], &[0.0, 0.0], &[0.0, 0.0]])),
        ("two unit columns", of(&[-1.0, 2.0, 3.0], &[&[0.0, 1.0], &[-1.0, 0.0], &[0.0, 0.0]])),
        ("a unit column off the axes", of(&[-1.0, 1.0, 2.0, 3.0], &[&[0.5], &[0.5], &[-0.5], &[0.5]])),
        ("inside", of(&[-1.0, 0.5], &[&[0.5, 0.25], &[-0.25, 0.5]])),
        ("more outputs than inputs", of(&[-1.0, 2.0], &[&[0.5, 0.25, 0.0], &[0.0, 0.5, 0.25]])),
        ("norm above one", of(&[-1.0, 2.0], &[&[2.0, 1.0], &[-1.0, 3.0]])),
        ("Λ = 0", of(&[0.0, 0.0], &[&[0.5, 0.25], &[-0.25, 0.5]])),
        ("Λ = −I", of(&[-1.0, -1.0], &[&[0.5, 0.25], &[-0.25, 0.5]])),
        ("widely spread", of(&[-1e4, 1e-4], &[&[0.5, 0.25], &[-0.25, 0.5]])),
    ]
}

fn drawn() -> impl Strategy<Value = OutputMatrix> {
    (spectra(-2.0, 2.0), 1..=4usize, 0.01..3.0f64).prop_flat_map(|(spectrum, z, size)| {
        let d = spectrum.len();
        vec(-1.0..1.0f64, d * z).prop_map(move |entries| OutputMatrix {
            spectrum: spectrum.clone(),
            q: Matrix::new(d, z, scaled(&entries, size)).expect("d z entries"),
        })
    })
}
