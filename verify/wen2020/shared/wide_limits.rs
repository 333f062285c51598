//! Output dimensions far beyond the width, in the limit: the gradient of W_L in Lemma 4.3, and one step of
//! Algorithm 1 in Theorem 4.2. Both have n = 2, k = 1, x_1 ⊥ x_2 and L = 1.
//!
//! The gradient. l̃oss_1 = P_12 z and l̃oss_2 = −P_21 z with z = k_2 − k_1, so that ‖∇_{W_1}‖² = ¼‖z‖²‖P_12h_1 −
//! P_21h_2‖² ≥ ¼ λ Σ‖l̃oss_i‖², λ the smallest eigenvalue of the Gram matrix of h_1, h_2. As m → ∞ it tends to 1
//! − 1/π, whatever d is.
//!
//! The step. Let a_i, b_i be the hidden vectors of queries and keys, z = θ_1(b_2 − b_1), y = W_1(a_2 − a_1), η =
//! γ = c d/m. As d → ∞ at fixed m, W_1ᵀW_1 and θ_1ᵀθ_1 tend to the identity and G = √d W_1ᵀθ_1 to a matrix of
//! independent N(0, 1): the logits of the start vanish, and all P_ij tend to ½. After the step the hidden vectors
//! are √d c/(4m) times a′_1 = 1{g_1 ≥ 0}(−G(b_2 − b_1))₊, a′_2 = 1{g_2 ≥ 0}(G(b_2 − b_1))₊ (g_i the
//! pre-activations), and b′_1, b′_2 likewise with Gᵀ(a_2 − a_1); the output matrices lose (η/4) z(a_1 − a_2)ᵀ and
//! (γ/4) y(b_1 − b_2)ᵀ. So q_1·z_12 grows like (ηγ/16) uvw times squares of √d, u = (a_1 − a_2)·a′_1, v = (b_1 −
//! b_2)·(b′_2 − b′_1), w = z·y, and ‖k_2 − k_1‖ like d^{3/2}. Where u > 0, v < 0, w < 0 the logit tends to
//! infinity, P_12 to one, and ‖l̃oss_1‖ to infinity. Given b_1 ≠ b_2, u is a sum of m independent terms (max(g,
//! 0) − max(h, 0))1{g ≥ 0} max(ξ, 0) with the mean √(2/m)/(4π) and the second moment (2/m)(3/8 − 1/(2π)) in units
//! of ‖b_2 − b_1‖: P(u ≤ 0) ≤ (6π² − 8π)/m by Chebyshev's inequality; −v has twice the mean and twice the second
//! moment, P(v ≥ 0) ≤ (3π² − 4π)/m; w changes its sign with G, so that P(w < 0) is ½ but for a_1 = a_2 or b_1 =
//! b_2, of probability 4^{−m} each.

use evidence::claim::edge_over;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// The constant C of an O(·).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = 2, k = 1, x_1 ⊥ x_2, L = 1, C = {constant}", stored)]
pub struct OpenConstant {
    #[instance(range = "1..=1e9", scale = "logarithmic")]
    constant: f64,
}

impl OpenConstant {
    fn c(&self) -> Enclosure {
        exact(self.constant)
    }

    /// ‖∇_{W_1}‖² at d = 4Cm in units of (Lm/(nd)) Σ ‖l̃oss_i‖², from below: (d/(2m))(1 − 1/π).
    fn gradient(&self) -> Enclosure {
        2.0 * self.c() * (1.0 - 1.0 / Enclosure::pi())
    }

    /// m = ⌈4(C + 52)⌉.
    fn width(&self) -> f64 {
        (4.0 * (self.c() + 52.0)).hi().ceil()
    }

    /// ½ + (9π² − 12π)/m + 2·4^{−m}.
    fn success(&self) -> Enclosure {
        let pi = Enclosure::pi();
        let dead = (-(Enclosure::ln_2() * 2.0 * self.width())).exp();
        0.5 + (9.0 * pi.square() - 12.0 * pi) / self.width() + 2.0 * dead
    }

    /// 1 − C/m.
    fn promise(&self) -> Enclosure {
        1.0 - self.c() / self.width()
    }
}

fn constants() -> Vec<Family<OpenConstant>> {
    let named = edge_over("named", "C", [1.0, 1000.0, 1e9], |constant| OpenConstant { constant });
    let drawn = || (0.0..20.0f64).prop_map(|log| OpenConstant { constant: core_math::exp(log) });
    vec![named, random("log-uniform constant", drawn)]
}

/// Q-up of Lemma 4.3 without an upper limit of d.
pub fn gradients() -> Setting<OpenConstant, ()> {
    Setting::of()
        .given("n = 2, k = 1, x_1 ⊥ x_2, one hidden layer; a random start, m → ∞ with d = 4Cm")
        .family(constants())
        .part(
            "any-d",
            "Q-up with a constant C at d = 4Cm: ‖∇_W‖² ≥ ‖∇_{W_1}‖², which is at least 2C(1 − 1/π)(Lm/(nd)) Σ \
             ‖l̃oss_i‖² in the limit m → ∞, is at most C(Lm/(nd)) Σ ‖l̃oss_i‖²",
            fails("the gradient of W_L alone is about (1/n) Σ ‖l̃oss_i‖² for any d"),
            |o, ()| at_most(o.gradient(), o.c()),
        )
        .sides("2C(1 − 1/π)", "C")
        .in_sense("any-d")
        .because("each instance is one constant; any-d-no-constant shows that none works")
        .ours("any-d-no-constant", "for every C ≥ 1 at d = 4Cm: 2C(1 − 1/π) > C", holds(), |o, ()| {
            greater_than(o.gradient(), o.c())
        })
}

/// The first step of Algorithm 1 at fixed T and ε as d → ∞.
pub fn one_step() -> Setting<OpenConstant, ()> {
    Setting::of()
        .given(
            "two orthogonal unit inputs, k = 1, one hidden layer; a random start, η = γ = c d/m, and c, T, ε and m \
             fixed as d → ∞",
        )
        .family(constants())
        .part(
            "any-output",
            "d ≥ Ω((log m)²) without an upper limit, with a constant C, at m = ⌈4(C + 52)⌉: ½ + (9π² − 12π)/m + \
             2·4^{−m}, which the limit superior of P(‖loss^{(1)}‖ ≤ Tε) as d → ∞ is at most, is at least 1 − C/m, \
             which the words promise",
            fails(
                "after the first step the logits outgrow everything with d, with the wrong sign at every other start",
            ),
            |o, ()| at_least(o.success(), o.promise()),
        )
        .sides("½ + (9π² − 12π)/m + 2·4^{−m}", "1 − C/m")
        .in_sense("any-d")
        .because("each instance is one constant; any-output-no-constant shows that none works")
        .ours(
            "any-output-no-constant",
            "for every C ≥ 1 at m = ⌈4(C + 52)⌉: ½ + (9π² − 12π)/m + 2·4^{−m} < 1 − C/m",
            holds(),
            |o, ()| less_than(o.success(), o.promise()),
        )
}

#[cfg(test)]
mod tests {
    use enclosures::probability::arc_cosine_kernel;

    use super::*;

    fn of(constant: f64) -> OpenConstant {
        OpenConstant { constant }
    }

    /// The Gram matrix of h_1, h_2 tends to (1, κ; κ, 1), where κ is twice the arc-cosine kernel at a right angle, as weights have the
    /// variance 2/m; and d/(2m) = 2C.
    #[test]
    fn the_gradient_is_twice_the_constant_times_the_least_eigenvalue() {
        let overlap = Enclosure::from(arc_cosine_kernel(Interval::pi() / 2.0)) * 2.0;
        for constant in [1.0, 7.5, 1e6] {
            let expected = 2.0 * constant * (1.0 - overlap);
            assert!((of(constant).gradient() / expected - 1.0).abs().hi() < 1e-13);
        }
    }

    /// Chebyshev's inequality from the moments of one term, with E g₊ = 1/√(2π) and E g₊² = 1/2 for a standard normal g.
    #[test]
    fn the_chances_of_the_wrong_sign_follow_from_two_moments() {
        let mean_of_part = 1.0 / (2.0 * Enclosure::pi()).sqrt();
        // (g₊ − h₊)1{g ≥ 0}ξ₊: the part of h is seen at every other g.
        let mean = (mean_of_part - mean_of_part / 2.0) * mean_of_part;
        let square = 0.5 * (0.5 - 2.0 * mean_of_part.square() + 0.25);
        for constant in [1.0, 1000.0] {
            let (c, m) = (of(constant), of(constant).width());
            let first = square / mean.square() / m;
            let second = 2.0 * square / (2.0 * mean).square() / m;
            let dead = 2.0 * exact(0.25).powi(m as i64);
            let expected = 0.5 + first + second + dead;
            assert!((c.success() - expected).abs().hi() < 1e-13, "C = {constant}");
            assert!((c.promise() - (1.0 - exact(constant) / m)).abs().hi() < 1e-15);
            // The least width that leaves room: 9π² − 12π < 52.
            assert!(m >= 4.0 * (constant + 52.0) && m < 4.0 * (constant + 52.0) + 1.0);
            assert!(c.success().hi() < c.promise().lo());
        }
    }
}
