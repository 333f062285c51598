//! The inequalities between powers of the sizes that the proof of the theorem rests on, (k1) to (k13), as printed and as amended.

use std::fmt;

use evidence::instance::Instance;
use serde::de::IntoDeserializer;
use serde::de::value::Error as ValueError;
use serde::{Deserialize, Serialize};

use crate::shared::monomials::{Bound, D, DELTA, EPS, Inequality, K, L, LOG_M, M, Monomial, N, ONE, RADIUS};

/// ω of the trajectory, n^{7/2} √d/(δε√m).
pub fn trajectory_radius() -> Monomial {
    N.to(7, 2) * D.sqrt() / (DELTA * EPS * M.sqrt())
}

/// The largest ω of the gradient bounds, δ^{3/2}/(n³L⁶ (log m)^{3/2}).
pub fn gradient_radius() -> Monomial {
    DELTA.to(3, 2) / (N.to(3, 1) * L.to(6, 1) * LOG_M.to(3, 2))
}

/// η = γ = dε²δ²/(n⁷L²km).
fn step_size() -> Monomial {
    D * EPS.to(2, 1) * DELTA.to(2, 1) / (N.to(7, 1) * L.to(2, 1) * K * M)
}

/// Tη = n³d/(mδε²), as printed.
fn time() -> Monomial {
    N.to(3, 1) * D / (M * DELTA * EPS.to(2, 1))
}

/// n^p L^q (log m)^5 δ^{−r} ε^{−2}.
fn least_width(p: i64, q: i64, r: i64) -> Monomial {
    N.to(p, 1) * L.to(q, 1) * LOG_M.to(5, 1) / (DELTA.to(r, 1) * EPS.to(2, 1))
}

/// ω^{1/3}L²√(m log m)/√(nd), the error of the first-order terms.
fn first_order(radius: Monomial) -> Monomial {
    radius.to(1, 3) * L.to(2, 1) * (M * LOG_M / (N * D)).sqrt()
}

/// √(Lm/d)·√(n⁴d/(mδ)): the root over the whole product.
fn reading_a() -> Monomial {
    (L * M / D * N.to(4, 1) * D / (M * DELTA)).sqrt()
}

/// √(Lm/d)·n⁴d/(mδ).
fn reading_b() -> Monomial {
    (L * M / D).sqrt() * N.to(4, 1) * D / (M * DELTA)
}

/// An inequality of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
pub enum ProofStep {
    K1,
    K2Appendix,
    K2Section4,
    K2Least,
    K2AnyOutput,
    K2AnyOutputAmended,
    K3,
    K3Repaired,
    K4,
    K4Amended,
    K5,
    K5Amended,
    K6A,
    K6AWithLemma,
    K6BMiddle,
    K6BLast,
    K6FromDescent,
    K7,
    K7Other,
    K8,
    K8Amended,
    K9,
    K10,
    K10Amended,
    K11,
    K12,
    K13,
    Repaired,
}

use ProofStep::*;

/// The number that the bookkeeping gives it, and which of its forms it is.
impl fmt::Display for ProofStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            K1 => "(k1)",
            K2Appendix => "(k2) with the width of Theorem A.2",
            K2Section4 => "(k2) with the width of Theorem 4.2",
            K2Least => "(k2) with n¹³ in the width",
            K2AnyOutput => "(k2) for any d",
            K2AnyOutputAmended => "(k2) for any d, with n¹³d in the width",
            K3 => "(k3)",
            K3Repaired => "(k3) with L³ and the path from the descent",
            K4 => "(k4)",
            K4Amended => "(k4) with n⁴ in Tη",
            K5 => "(k5)",
            K5Amended => "(k5) with n⁴ in Tη",
            K6A => "(k6), root over the whole product",
            K6AWithLemma => "(k6), root over the whole product, with Lemma A.3",
            K6BMiddle => "(k6), root over Lm/d alone, the step before",
            K6BLast => "(k6), root over Lm/d alone",
            K6FromDescent => "(k6), path from the descent",
            K7 => "(k7)",
            K7Other => "(k7), the other term",
            K8 => "(k8)",
            K8Amended => "(k8) with ω ≤ L⁻⁶(log m)^{−3/2}",
            K9 => "(k9)",
            K10 => "(k10)",
            K10Amended => "(k10) with L⁴",
            K11 => "(k11)",
            K12 => "(k12)",
            K13 => "(k13)",
            Repaired => "(k2), repaired",
        })
    }
}

impl ProofStep {
    /// Every step in the order of declaration: the derived reader takes a variant's number as well as its name, and refuses
    /// the first number beyond the last.
    pub fn all() -> impl Iterator<Item = ProofStep> {
        let numbered =
            |number: u32| -> Result<ProofStep, ValueError> { ProofStep::deserialize(number.into_deserializer()) };
        (0..).map_while(move |number| numbered(number).ok())
    }

    /// Whether the paper has an equality here.
    pub fn is_equality(self) -> bool {
        matches!(self, K5 | K5Amended | K7 | K12)
    }

    pub fn inequality(self) -> Inequality {
        let of = Inequality::of;
        let wide = |p, q, r| Bound::AtLeast(M, least_width(p, q, r));
        let output = Bound::Equal(D, LOG_M.to(2, 1));
        let fits = || of(trajectory_radius(), gradient_radius());
        // s = mω^{2/3}L.
        let signs = M * RADIUS.to(2, 3) * L;
        let range = |exponent| Bound::AtMost(RADIUS, L.to(exponent, 2) / LOG_M.to(3, 2));
        let left_end = Bound::AtLeast(RADIUS, (D / M).sqrt());
        let back = RADIUS.to(1, 3) * L.to(2, 1) * (M * LOG_M / D).sqrt();
        let descent = |time: Monomial| (time * N).sqrt();
        match self {
            K1 => of(first_order(gradient_radius()), (M * DELTA / (N.to(3, 1) * D)).sqrt()),
            K2Appendix => fits().given(wide(12, 12, 5)).given(output),
            K2Section4 => fits().given(wide(15, 12, 5)).given(output),
            K2Least => fits().given(wide(13, 12, 5)).given(output),
            K2AnyOutput => fits().given(wide(15, 12, 5)).given(Bound::AtLeast(D, LOG_M.to(2, 1))),
            K2AnyOutputAmended => {
                let width = N.to(13, 1) * L.to(12, 1) * LOG_M.to(3, 1) * D / (DELTA.to(5, 1) * EPS.to(2, 1));
                fits().given(Bound::AtLeast(M, width))
            }
            K3 => of(K * (L * M / D).to(2, 1) * trajectory_radius().to(2, 1), ONE / step_size()),
            // The path from the descent, L³ in the last bracket, and δ ≤ 1/L as in the theorem.
            K3Repaired => of(K * L.to(3, 1) * (M / D).to(2, 1) * descent(time() * N).to(2, 1), ONE / step_size())
                .given(Bound::AtMost(DELTA, ONE / L)),
            K4 => of((N.to(4, 1) * D / (time() * DELTA * M)).sqrt(), EPS),
            K4Amended => of((N.to(4, 1) * D / (time() * N * DELTA * M)).sqrt(), EPS),
            K5 => of(time() / step_size(), N.to(10, 1) * L.to(2, 1) * K / (DELTA.to(3, 1) * EPS.to(4, 1))),
            K5Amended => of(time() * N / step_size(), N.to(11, 1) * L.to(2, 1) * K / (DELTA.to(3, 1) * EPS.to(4, 1))),
            K6A => of(time().sqrt() * reading_a(), trajectory_radius()),
            K6AWithLemma => of(time().sqrt() * reading_a() / N.sqrt(), trajectory_radius()),
            K6BMiddle => of(reading_a(), reading_b()).given(wide(12, 12, 5)).given(output),
            K6BLast => of(time().sqrt() * reading_b(), trajectory_radius()).given(wide(12, 12, 5)).given(output),
            K6FromDescent => of(descent(time() * N), trajectory_radius()),
            K7 => of((L.to(3, 1) * signs * LOG_M / D).sqrt(), back),
            K7Other => of(RADIUS * (L.to(3, 1) * M / D).sqrt(), back),
            K8 => of(signs, M / (L.to(3, 1) * LOG_M)).given(range(-9)),
            K8Amended => of(signs, M / (L.to(3, 1) * LOG_M)).given(range(-12)),
            K9 => of(gradient_radius().to(2, 3) * L.to(4, 1) * M * LOG_M / (N * D), M * DELTA / (N.to(3, 1) * D)),
            // ‖z‖² ≤ O(1 + τL√(m/d))² is O(τ²L²m/d) in the range of τ.
            K10 | K10Amended => {
                let change = L.to(2, 1) * M / D;
                let keys = RADIUS.to(2, 1) * L.to(2, 1) * M / D;
                let power = if self == K10 { 2 } else { 4 };
                of(K * change * keys, K * L.to(power, 1) * (M / D).to(2, 1) * RADIUS.to(2, 1)).given(left_end)
            }
            // L + 1 layers of one norm: Σ ‖W′_l‖ = √(L+1) ‖W′‖.
            K11 => of(L / L.sqrt(), ONE),
            K12 => of(
                (N.to(3, 1) * D / (step_size() * DELTA * M)).sqrt(),
                N.to(5, 1) * L * K.sqrt() / (DELTA.to(3, 2) * EPS),
            ),
            K13 => of(L.to(2, 1) * M / D, K * (L * M / D).to(2, 1) * RADIUS.to(2, 1)).given(left_end),
            // The path from the descent, Tη with n⁴, and √L more in the first-order error, so that ω ≤ δ^{3/2}/(n³L^{15/2}(log m)^{3/2}).
            Repaired => of(descent(time() * N), gradient_radius() / L.to(3, 2)).given(wide(11, 15, 4)).given(output),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of right/left, worked by hand from the page for every step.
    #[test]
    fn leftovers_are_those_worked_by_hand() {
        let by_hand = |step: ProofStep| match step {
            K1 | K2Least | K2AnyOutputAmended | K3 | K4Amended | K5 | K5Amended => ONE,
            K7 | K8Amended | K9 | K10Amended | K12 | Repaired => ONE,
            K2Appendix | K4 => N.to(-1, 2),
            K2Section4 => N,
            K2AnyOutput => N * LOG_M / D.sqrt(),
            K3Repaired => N.to(2, 1),
            K6A | K11 => L.to(-1, 2),
            K6AWithLemma => (N / L).sqrt(),
            // √L n⁴√d/(√m δ) over √L n²/√δ.
            K6BMiddle => N.to(2, 1) * LOG_M / (M * DELTA).sqrt(),
            K6BLast => N.to(4, 1) * L.to(11, 2) * LOG_M.to(3, 2) / (DELTA.to(2, 1) * EPS),
            K6FromDescent => N / DELTA.sqrt(),
            K7Other => (L * LOG_M).sqrt() / RADIUS.to(2, 3),
            K8 => ONE / L,
            K10 => L.to(-2, 1),
            K13 => K,
        };
        for step in ProofStep::all() {
            let found = step.inequality().leftover();
            assert_eq!(found, by_hand(step), "{step}: {found}");
        }
    }

    #[test]
    fn all_steps_are_listed_once_with_names_of_their_own() {
        let all: Vec<ProofStep> = ProofStep::all().collect();
        let mut names: Vec<String> = all.iter().map(ToString::to_string).collect();
        names.sort();
        names.dedup();
        assert_eq!((all.len(), names.len()), (28, 28));
        assert_eq!((all.first(), all.last()), (Some(&K1), Some(&Repaired)));
        // An equality leaves nothing.
        let equalities = all.iter().filter(|step| step.is_equality());
        assert!(equalities.into_iter().all(|step| step.inequality().leftover() == ONE));
    }
}
