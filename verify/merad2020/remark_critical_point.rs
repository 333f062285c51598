//! Section 4, after Lemma 4: "the reached critical point is in fact a global minimum".
//!
//! Said of the outputs it is empty of exact critical points and false of approximate ones: as ‖∇L̂_un‖ ≥ √2 s_i ‖z_{i,1}‖
//! with s_i > 0, no outputs with ‖z_{i,1}‖ > η > 0 are critical; and L̂_un has no minimum, its infimum 0 is not attained.
//! What Lemma 4 gives is L̂_un ≤ 2nε/η where ‖∇L̂_un‖ ≤ ε < η/2 (0.873 √n ε/η is true, see there).
//!
//! Said of the parameters, which are what gradient descent moves, it is false at every width: a network can be at a
//! critical point of all its matrices with unit separated inputs, norms above η and L̂_un = n log 2. In the witness one
//! unit sees x only, the other x⁺ and x⁻, with one value; B sends the units to e_1 and e_2. Then z_1 = e_1, z_2 = z_3,
//! and the gradient vanishes: in B because z_3 = z_2 and h(x⁻) = h(x⁺), below because Bᵀz_1 has no part in the unit
//! that x⁺ and x⁻ excite. Units that are dead on all inputs may be added at will. That descent from a random start
//! avoids such points is what Theorem 1 has to prove.

use contrastive::Triplet;
use contrastive::network::{Pairs, Separation};
use evidence::claim::vacuous_expected;
use evidence::prelude::*;

use crate::shared::network_point::{NetworkPoint, Stationarity, badly_placed, inputs, points};
use crate::shared::notation::{EMPIRICAL_LOSS, NORM, OUTPUT_GRADIENT, OUTPUT_TRIPLE, SIGMOID, SOFTPLUS, TRIPLET_LOSS};
use crate::shared::output_triplets::{Outputs, converged, loose, named};
use crate::shared::triples::triple;
use crate::theorem_1_proof::least_loss;

const NEARLY_CRITICAL: Hypothesis<Outputs> = Hypothesis::new("‖∇L̂_un‖ < η/2", |o| o.has_gradient_below(0.5));

struct StalledDescent {
    /// L̂_un.
    total: Enclosure,
    /// ‖∇L̂_un‖ with respect to the 3n outputs.
    accuracy: Enclosure,
    /// n/η.
    scale: Enclosure,
    /// √2 η max s_i, below which the gradient cannot fall.
    least: Enclosure,
    /// Whether some block of the gradient is a product of two positive factors; its square may be too small for a double.
    slopes: bool,
}

fn descent(o: &Outputs) -> StalledDescent {
    let slopes = o.triplets.iter().map(Triplet::slope).fold(Enclosure::ZERO, Enclosure::max);
    StalledDescent {
        total: o.triplets.iter().map(Triplet::loss).sum(),
        accuracy: o.gradient(),
        scale: Enclosure::from(o.triplets.len()) / o.floor,
        least: exact(2.0).sqrt() * o.floor * slopes,
        slopes: o.triplets.iter().any(|z| z.slope().lo() > 0.0 && z.squared_argument_gradient().lo() > 0.0),
    }
}

const GRADIENT: &str = "n ≥ 1 triplets of outputs in ℝ^d, d ≥ 1, η > 0; ε = ‖∇L̂_un‖, in the 3n outputs";

/// Where the output gradient vanishes; nowhere in the families.
const NOT_CRITICAL: &str = "the output gradient does not vanish";

pub fn claim() -> Claim {
    Claim::new("merad2020.remark-critical-point", "the reached critical point is a global minimum", Kind::Observation)
        .statement("in the setting of Theorem 1 the point with a small output gradient is a global minimum of L̂_un")
        .symbols([OUTPUT_TRIPLE, TRIPLET_LOSS, EMPIRICAL_LOSS, OUTPUT_GRADIENT, SOFTPLUS, SIGMOID, NORM])
        .symbol(
            "θ",
            "all entries of A, W_1, …, W_L, B as one vector, for f(x) = B h_L, h_0 = relu(A x), h_l = relu(W_l \
             h_{l−1}), relu(t) = max(t, 0) entry by entry",
        )
        .source("section 4, sentence after Lemma 4", &[])
        .sense("accuracy", "a global minimum up to the accuracy of the critical point, as Theorem 1 finds it")
        .sense("literal", "a global minimum, word for word")
        .remark("`approximate` is Lemma 4 added up over the triplets, at the smallest admissible accuracy ε = ‖∇L̂_un‖.")
        .setting(outputs_at_rest())
        .setting(
            Setting::measuring(|o: &Outputs, _| Ok(descent(o)))
                .given(GRADIENT)
                .assume(Hypothesis::new("‖∇L̂_un‖ < η/2", |o| o.has_gradient_below(0.5)))
                .family(edge("named", named))
                .control("a", "L̂_un ≤ 2nε/η without the lower bound on the norms", |_, d| {
                    at_most(d.total, 2.0 * d.accuracy * d.scale)
                }),
        )
        .setting(parameters())
}

fn outputs_at_rest() -> Setting<Outputs, StalledDescent> {
    Setting::measuring(|o: &Outputs, _| Ok(descent(o)))
        .given(GRADIENT)
        .assume(Hypothesis::new("‖z_{i,1}‖ > η for all i", Outputs::has_anchors_above_floor))
        .family(edge("named", named))
        .family(edge("squares below the smallest double", || {
            let far = triple(&[14.0, -20.0], &[-15.0, -26.0], &[20.0, 20.0]);
            vec![("a slope of about e^{−430}", Outputs { floor: 1.0, triplets: vec![far] })]
        }))
        .family(random("nearly converged outputs", converged))
        .family(random("any outputs", loose))
        .part(
            "exact",
            "where the output gradient vanishes, L̂_un has its least value, the infimum 0",
            vacuous_expected("with norms above η > 0 the output gradient vanishes nowhere"),
            |_, d| {
                if d.slopes { vacuous(NOT_CRITICAL) } else { at_most(d.total, 0) }
            },
        )
        .except(NOT_CRITICAL)
        .in_sense("literal")
        .part(
            "attained",
            "L̂_un has its least value, the infimum 0",
            fails("L̂_un > 0 everywhere: the infimum 0 is not attained, there is no global minimum to reach"),
            |_, d| at_most(d.total, 0),
        )
        .sides("L̂_un", "0")
        .assume(NEARLY_CRITICAL)
        .assume(Hypothesis::new("‖z_{i,j}‖ > η for all i, j", Outputs::is_above_floor))
        .in_sense("literal")
        .part("approximate", "L̂_un ≤ 2nε/η", holds(), |_, d| at_most(d.total, 2.0 * d.accuracy * d.scale))
        .checked("merad2020.Descent.remark_critical_point_corrected")
        .assume(NEARLY_CRITICAL)
        .in_sense("accuracy")
        .sharpening(
            "no-critical-outputs",
            "‖∇L̂_un‖ ≥ √2 η max_i s_i > 0, s_i = σ(z_{i,1}·(z_{i,3} − z_{i,2}))",
            holds(),
            |_, d| all_of([("gradient", at_least(d.accuracy, d.least)), ("positive", greater_than(d.least, 0))]),
        )
        .checked("merad2020.Descent.remark_critical_point_no_critical_outputs")
        .step(
            "inf",
            "inf L̂_un = 0 and is not attained: L̂_un > 0, and 0 < nζ(−2r²) ≤ n e^{−2r²}, the L̂_un of n triplets z_1 = \
             z_2 = −z_3 of norm r = min(η, 15)",
            holds(),
            |o, d| {
                let r = o.floor.min(15.0);
                let n = o.triplets.len();
                let decay = Enclosure::from(n) * (-2.0 * exact(r).square()).exp();
                all_of([
                    ("positive", less_than(0, d.total)),
                    ("aligned outputs, positive", less_than(0, least_loss(n, r))),
                    ("aligned outputs, small", at_most(least_loss(n, r), decay)),
                ])
            },
        )
        .control("b", "L̂_un ≤ ε/(2η)", |_, d| at_most(d.total, 0.5 * d.accuracy * d.scale))
        .assume(NEARLY_CRITICAL)
        .control("c", "L̂_un ≤ 2nε/η for every ε", |_, d| at_most(d.total, 2.0 * d.accuracy * d.scale))
}

fn parameters() -> Setting<NetworkPoint, Stationarity> {
    Setting::measuring(|p: &NetworkPoint, _| p.measure())
        .given(
            "a ReLU network and n ≥ 1 triplets of inputs, at none of which an entry of A x or W_l h_{l−1} is zero; η = \
             0.999 min ‖f(x)‖ over the inputs, ε = ‖∂L̂_un/∂θ‖ over all matrices",
        )
        .assume(Hypothesis::new(
            "‖x‖ = 1 to 10^{−12} and ‖x − x'‖ ≥ 1/1000 for inputs in different places",
            |p| {
                let (points, d) = inputs(p);
                Separation::of(&points, d).is_ok_and(|s| s.satisfies(Pairs::Indexed, 1e-3, 1e-12) == Some(true))
            },
        ))
        .assume(Hypothesis::new("‖∂L̂_un/∂θ‖ < η/2", |p| {
            p.measure().is_ok_and(|s| s.gradient.hi() < 0.4995 * s.smallest_norm.lo())
        }))
        .family(edge("critical networks", points))
        .family(outside("inputs that are not apart, or not of norm one", badly_placed))
        .without_search()
        .ours(
            "parameters",
            "L̂_un ≤ 2nε/η",
            fails("networks that cannot tell x⁺ from x⁻ have critical parameters with L̂_un = n log 2"),
            |_, s| {
                let floor = 0.999 * s.smallest_norm;
                at_most(s.total, 2.0 * s.gradient * s.triplets as f64 / floor)
            },
        )
        .sides("L̂_un", "2nε/η")
        .because(
            "the sentence follows one on the outputs; whether a critical point in the matrices, which descent moves, \
             obeys the bound of Lemma 4 is our question",
        )
}
