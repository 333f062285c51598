//! The last steps of the proof of Theorem 1, which need no training: with which accuracy Lemma 6 is applied, and which
//! bounds of the norms the conclusion is compatible with.

use contrastive::Triplet;
use evidence::prelude::*;

use crate::shared::output_triplets::{Outputs, converged, named};
use crate::shared::training_record::gradient;
use crate::shared::window::{Window, windows};

/// nζ(−2C²).
pub fn least_loss(triplets: usize, cap: f64) -> Enclosure {
    Enclosure::from(triplets) * (-2.0 * exact(cap).square()).softplus()
}

/// 2n‖∇L̂_un‖/η, the ε for which εη/(2n) is the accuracy of the gradient.
fn accuracy(o: &Outputs) -> Enclosure {
    2.0 * Enclosure::from(o.triplets.len()) * gradient(&o.triplets) / o.floor
}

/// εη/(2n).
fn requested(w: &Window) -> Enclosure {
    exact(w.accuracy) * w.floor / (2.0 * w.triplets as f64)
}

/// Steps s1: Lemma 4 at the accuracy εη/(2n) gives L̂_un ≤ ε.
pub fn accuracy_in_the_proof() -> Setting<Outputs, ()> {
    Setting::of()
        .given("n ≥ 1 triplets of outputs in ℝ^d, d ≥ 1, η > 0; ε = 2n‖∇L̂_un‖/η, so that ‖∇L̂_un‖ = εη/(2n)")
        .assume(Hypothesis::new("‖z_{i,j}‖ > η for all i, j", Outputs::is_above_floor))
        .assume(Hypothesis::new("‖∇L̂_un‖ < η/2", |o| o.has_gradient_below(0.5)))
        .family(edge("named", named))
        .family(random("nearly converged outputs", converged))
        .without_search()
        .step("s1", "ℓ(z_i) ≤ ε/n for every i (Lemma 4), and L̂_un ≤ ε", holds(), |o, ()| {
            let (eps, n) = (accuracy(o), Enclosure::from(o.triplets.len()));
            let each = o.triplets.iter().map(Triplet::loss).fold(Enclosure::ZERO, Enclosure::max);
            let total: Enclosure = o.triplets.iter().map(Triplet::loss).sum();
            all_of([("one triplet", at_most(each, eps / n)), ("sum", at_most(total, eps))])
        })
        .checked("merad2020.TheoremOne.theorem_1_s1")
        .control("s1-without", "every ℓ(z_i) ≤ ε/(4n)", |o, ()| {
            let (eps, n) = (accuracy(o), Enclosure::from(o.triplets.len()));
            let each = o.triplets.iter().map(Triplet::loss).fold(Enclosure::ZERO, Enclosure::max);
            at_most(each, 0.25 * eps / n)
        })
}

/// Steps s2 and s3: the accuracy is admissible for ε < n, and a bound C serves only accuracies ε > nζ(−2C²).
pub fn compatible_bounds() -> Setting<Window, ()> {
    Setting::of()
        .given("n ≥ 1, ε, η, C > 0")
        .assume(Hypothesis::new("η < C", |w: &Window| w.floor < w.cap))
        .family(windows())
        .family(outside("C below η", || {
            [(1, 0.1), (1, 2.0), (3, 4.0)]
                .map(|(triplets, accuracy)| {
                    let window = Window { triplets, accuracy, floor: 1.0, cap: 0.5 };
                    (format!("n = {triplets}, ε = {accuracy}"), window)
                })
                .to_vec()
        }))
        .family(edge("large accuracies", || {
            [(1, 0.5), (1, 0.999), (1, 1.0), (1, 2.0), (3, 2.5), (3, 4.0), (8, 8.0)]
                .map(|(triplets, accuracy)| {
                    let window = Window { triplets, accuracy, floor: 0.5, cap: 2.0 };
                    (format!("n = {triplets}, ε = {accuracy}"), window)
                })
                .to_vec()
        }))
        .step(
            "s2-every",
            "the accuracy εη/(2n) asked of Lemma 6 is below η/2",
            fails("it is below η/2 only for ε < n; a larger ε has to be replaced by, say, n/2"),
            |w, ()| less_than(requested(w), 0.5 * exact(w.floor)),
        )
        .checked("merad2020.TheoremOne.theorem_1_s2_every_refuted")
        .sides("εη/(2n)", "η/2")
        .step("s2", "εη/(2n) < η/2 if and only if ε < n", holds(), |w, ()| {
            let half = 0.5 * exact(w.floor);
            if w.accuracy < w.triplets as f64 { less_than(requested(w), half) } else { at_least(requested(w), half) }
        })
        .checked("merad2020.TheoremOne.theorem_1_s2")
        .step(
            "s3-every",
            "η, C fixed before ε: some outputs with norms below C have L̂_un ≤ ε; equivalently nζ(−2C²) < ε",
            fails("outputs shorter than C have L̂_un > nζ(−2C²)"),
            |w, ()| less_than(least_loss(w.triplets as usize, w.cap), exact(w.accuracy)),
        )
        .checked("merad2020.TheoremOne.theorem_1_s3_every_refuted")
        .sides("nζ(−2C²)", "ε")
        .amendment(
            "cap",
            "some outputs with norms below C have L̂_un ≤ ε, nζ(−2C²) < ε, if and only if C² > ½ log(1/(e^{ε/n} − 1))",
            holds(),
            |w, ()| {
                let needed = 0.5 * (1.0 / (exact(w.accuracy) / w.triplets as f64).exp_m1()).ln();
                let square = exact(w.cap).square();
                let least = least_loss(w.triplets as usize, w.cap);
                match least.hi() < w.accuracy {
                    true => at_least(square, needed),
                    false if least.lo() >= w.accuracy => at_most(square, needed),
                    // Which of the two cases it is lies in doubt, and so does the statement.
                    false => at_most(least, exact(w.accuracy)),
                }
            },
        )
        .sides("C², or nζ(−2C²) where rounding hides whether it is below ε", "½ log(1/(e^{ε/n} − 1)), or there ε")
        .checked("merad2020.TheoremOne.theorem_1_cap")
}
