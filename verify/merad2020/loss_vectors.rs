//! Section 8, before Lemma 6: the loss vectors of a triplet and their norms.
//!
//! True: they are the blocks of the gradient s·(z_3 − z_2, −z_1, z_1), because v_1 − 1 = −v_2 = −s. So the first norm
//! is simply v_2‖z_3 − z_2‖, and the other two are equal. The gradient on the left comes from exact differentiation of
//! the definition.

use contrastive::Triplet;
use enclosures::interval;
use enclosures::vectors::{largest_magnitude, minus, points, sum_of_products};
use evidence::prelude::*;

use crate::shared::blocks::derivatives;
use crate::shared::notation::{BLOCK_COLUMN, NORM, OUTPUT_TRIPLE, TRIPLET_LOSS};
use crate::shared::triples::{families, norms};

/// What cancels in loss_1 where z_2 and z_3 are close.
const SCALE: &str = "v_2(‖z_2‖ + ‖z_3‖)";

struct LossVectors {
    /// loss_1, loss_2, loss_3 by differentiation.
    differentiated: Vec<Vec<Interval>>,
    /// The same as printed.
    printed: [Vec<Interval>; 3],
    v_2: Enclosure,
    lengths: [Enclosure; 3],
    /// ‖z_3 − z_2‖.
    difference: Enclosure,
}

/// The Euclidean norm, scaled so that no square underflows.
fn norm(v: &[Interval]) -> Enclosure {
    let largest = largest_magnitude(v);
    if largest == 0.0 {
        return Enclosure::ZERO;
    }
    let squares: Vec<Interval> = v.iter().map(|&x| (x / largest).square()).collect();
    Enclosure::from(interval::sum(&squares)).max(0).sqrt() * largest
}

fn measured(z: &Triplet) -> Result<LossVectors, MeasureError> {
    let [anchor, positive, negative] = z.vectors();
    // −log( e^{z_1·z_2} / (e^{z_1·z_2} + e^{z_1·z_3}) ), from the two products.
    let found = derivatives(z, |[z_1, z_2, z_3]| (sum_of_products(z_1, z_3) - sum_of_products(z_1, z_2)).softplus())?;
    let difference = interval::dot(anchor, negative) - interval::dot(anchor, positive);
    // v_1 − 1 = −v_2: 1 − v_1 is never formed.
    let v_2 = difference.sigmoid();
    let scaled = |v: &[f64], by: Interval| v.iter().map(|&x| by * x).collect::<Vec<_>>();
    let first = positive.iter().zip(negative).map(|(&p, &n)| -v_2 * p + v_2 * n);
    let gap = minus(&points(negative), positive);
    Ok(LossVectors {
        differentiated: found.gradient.entries().chunks(z.dimension()).map(<[Interval]>::to_vec).collect(),
        printed: [first.collect(), scaled(anchor, -v_2), scaled(anchor, v_2)],
        v_2: v_2.into(),
        lengths: norms(z),
        difference: norm(&gap),
    })
}

impl LossVectors {
    fn norms(&self) -> [Enclosure; 3] {
        [0, 1, 2].map(|j| norm(&self.differentiated[j]))
    }

    /// v_2(‖z_2‖ + ‖z_3‖).
    fn scale(&self) -> f64 {
        (self.v_2 * (self.lengths[1] + self.lengths[2])).hi()
    }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.loss-vectors", "the three loss vectors of a triplet", Kind::Identity)
        .statement(
            "‖loss_1‖ = ‖(v_1−1)z_2 + v_2z_3‖, ‖loss_2‖ = |v_1−1|·‖z_1‖, ‖loss_3‖ = v_2·‖z_1‖ with v = \
             softmax(z_1·z_2, z_1·z_3)",
        )
        .symbols([OUTPUT_TRIPLE, TRIPLET_LOSS, BLOCK_COLUMN, NORM])
        .symbol("∂ℓ/∂z", "the gradient of ℓ in ℝ^{3d}")
        .source(
            "section 8, before Lemma 6 and in the proof of Lemma 7",
            &["section B of the earlier version, before Lemma B.1 and in the proof of Lemma 4.2"],
        )
        .setting(printed())
}

fn printed() -> Setting<Triplet, LossVectors> {
    Setting::measuring(|z: &Triplet, _| measured(z))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1; v = softmax(z_1·z_2, z_1·z_3), loss_j = A_jᵀ ∂ℓ/∂z")
        .assume(Hypothesis::new("v_2 > 10^{−280}", |z| z.slope().lo() > 1e-280))
        .family(families())
        .part(
            "printed",
            "‖loss_1‖ = ‖(v_1−1)z_2 + v_2z_3‖, ‖loss_2‖ = |v_1−1|·‖z_1‖, ‖loss_3‖ = v_2·‖z_1‖",
            holds(),
            |_, l| {
                let [one, two, three] = l.norms();
                all_of([
                    ("loss_1", equal(one, norm(&l.printed[0])).on_scale_of(SCALE, l.scale())),
                    ("loss_2", equal(two, l.v_2 * l.lengths[0])),
                    ("loss_3", equal(three, l.v_2 * l.lengths[0])),
                ])
            },
        )
        .checked("merad2020.Norms.loss_vectors_printed")
        .step(
            "s1",
            "loss_1 = (v_1−1)z_2 + v_2z_3, loss_2 = (v_1−1)z_1, loss_3 = v_2z_1, with their signs",
            holds(),
            |_, l| {
                let sizes = [SCALE, "v_2‖z_1‖", "v_2‖z_1‖"];
                let scales = [l.scale(), (l.v_2 * l.lengths[0]).hi(), (l.v_2 * l.lengths[0]).hi()];
                all_of(["loss_1", "loss_2", "loss_3"].into_iter().enumerate().flat_map(|(j, name)| {
                    let entries = l.differentiated[j].iter().zip(&l.printed[j]);
                    entries
                        .map(move |(left, right)| (name, equal(*left, *right).on_scale_of(sizes[j], scales[j])))
                        .collect::<Vec<_>>()
                }))
            },
        )
        .checked("merad2020.Norms.loss_vectors_s1")
        .sharpening(
            "difference",
            "‖loss_1‖ = v_2·‖z_3 − z_2‖ and ‖loss_2‖ = ‖loss_3‖",
            holds(),
            |_, l| {
                let [one, two, three] = l.norms();
                all_of([
                    ("loss_1", equal(one, l.v_2 * l.difference).on_scale_of(SCALE, l.scale())),
                    ("loss_2", equal(two, three)),
                ])
            },
        )
        .checked("merad2020.Norms.loss_vectors_difference")
        .control("a", "‖loss_1‖ = v_2(‖z_2‖ + ‖z_3‖)", |_, l| {
            equal(l.norms()[0], l.v_2 * (l.lengths[1] + l.lengths[2]))
        })
        .control("b", "‖loss_2‖ = v_1·‖z_1‖", |_, l| equal(l.norms()[1], (1.0 - l.v_2) * l.lengths[0]))
        .control("c", "loss_2 = loss_3: the signs are the same", |_, l| {
            let pairs = l.differentiated[1].iter().zip(&l.differentiated[2]);
            all_of(pairs.map(|(left, right)| ("an entry", equal(*left, *right))))
        })
}
