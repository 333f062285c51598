//! Section 8, proof of Lemma 6: on bounded outputs the loss is bounded.
//!
//! True. |z_1·(z_3 − z_2)| ≤ ‖z_1‖‖z_3 − z_2‖ ≤ 2C² by Cauchy–Schwarz, and ℓ = ζ of that is increasing: ζ(−2C²) ≤ ℓ(z)
//! ≤ ζ(2C²) with C = max_j ‖z_j‖. The right side is attained for z_3 = z_1 = −z_2, the left one for z_2 = z_1 = −z_3,
//! in every dimension.

use contrastive::Triplet;
use enclosures::interval;
use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::families::log_uniform;
use crate::shared::notation::{NORM, OUTPUT_TRIPLE, SOFTPLUS, TRIPLET_LOSS};
use crate::shared::reals::{Number, number};
use crate::shared::triples::{families, largest_squared_norm, triple};

struct Bounds {
    loss: Enclosure,
    /// C² for the smallest C that bounds the norms.
    square: Enclosure,
    /// ‖z_1‖‖z_3 − z_2‖.
    product: Enclosure,
}

fn bounds(z: &Triplet) -> Bounds {
    let [anchor, positive, negative] = z.vectors();
    let difference = negative.iter().zip(positive).map(|(&n, &p)| Interval::point(n) - p);
    let squares: Vec<Interval> = difference.map(Interval::square).collect();
    Bounds {
        loss: z.loss(),
        square: largest_squared_norm(z),
        product: Enclosure::from(interval::dot(anchor, anchor) * interval::sum(&squares)).max(0).sqrt(),
    }
}

/// The triples that attain the bounds: (largest loss, smallest loss), all vectors of norm C along one axis.
fn extremal(radius: f64) -> (Triplet, Triplet) {
    let (plus, minus) = ([0.0, radius], [0.0, -radius]);
    (triple(&plus, &minus, &plus), triple(&plus, &plus, &minus))
}

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-bounded", "boundedness of the loss on bounded outputs", Kind::Inequality)
        .statement("ℓ is bounded on outputs of bounded norm: ζ(−2C²) ≤ ℓ(z) ≤ ζ(2C²) for all z with max_j ‖z_j‖ ≤ C")
        .symbols([OUTPUT_TRIPLE, TRIPLET_LOSS, SOFTPLUS, NORM])
        .source("section 8, proof of Lemma 6", &["section B of the earlier version, proof of Lemma B.1"])
        .remark(
            "Printed is only that the loss is bounded on bounded outputs; the statement gives that a number. It is \
             checked at the smallest C of each instance; the bounds grow with C.",
        )
        .setting(printed())
        .setting(attained())
}

fn printed() -> Setting<Triplet, Bounds> {
    Setting::measuring(|z: &Triplet, _| Ok(bounds(z)))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1")
        .family(families())
        .part("printed", "ζ(−2C²) ≤ ℓ(z) ≤ ζ(2C²) at C = max_j ‖z_j‖", holds(), |_, b| {
            ascending([(-2.0 * b.square).softplus(), b.loss, (2.0 * b.square).softplus()])
        })
        .checked("merad2020.Norms.fact_bounded_printed")
        .our_constant("printed is that there is a bound; the two numbers")
        .sharpening(
            "product",
            "ζ(−pq) ≤ ℓ(z) ≤ ζ(pq) and pq ≤ 2C², p = ‖z_1‖, q = ‖z_3 − z_2‖",
            holds(),
            |_, b| {
                all_of([
                    ("lower", at_least(b.loss, (-b.product).softplus())),
                    ("upper", at_most(b.loss, b.product.softplus())),
                    ("better", at_most(b.product, 2.0 * b.square)),
                ])
            },
        )
        .checked("merad2020.Norms.fact_bounded_product")
        .control("a", "ℓ(z) ≤ ζ(C²)", |_, b| at_most(b.loss, b.square.softplus()))
        .control("b", "ℓ(z) ≥ ζ(−C²)", |_, b| at_least(b.loss, (-b.square).softplus()))
        .control("c", "ℓ(z) ≤ ζ(1.99·C²)", |_, b| at_most(b.loss, (1.99 * b.square).softplus()))
}

fn attained() -> Setting<Number, (Enclosure, Enclosure, Enclosure)> {
    Setting::measuring(|n: &Number, _| {
        let (largest, smallest) = extremal(n.x);
        Ok((largest.loss(), smallest.loss(), exact(n.x).square()))
    })
    .assume(Hypothesis::new("C > 0", |n| n.x > 0.0))
    .family(outside("C ≤ 0", || [0.0, -1.0].map(number).to_vec()))
    .family(edge("radii", || [1e-4, 0.1, 1.0, 3.0, 10.0, 30.0, 100.0].map(number).to_vec()))
    .family(random("log-uniform radius", || log_uniform(1e-3, 100.0).prop_map(|x| Number { x })).taking(0.5))
    .without_search()
    .ours(
        "attained",
        "for ‖z_1‖ = C, ℓ = ζ(2C²) at z_3 = z_1 = −z_2 and ℓ = ζ(−2C²) at z_2 = z_1 = −z_3",
        holds(),
        |_, (most, least, square)| {
            all_of([
                ("upper", equal(*most, (2.0 * *square).softplus())),
                ("lower", equal(*least, (-2.0 * *square).softplus())),
            ])
        },
    )
    .checked("merad2020.Norms.fact_bounded_attained")
    .because("that the numbers cannot be improved is ours, as they are")
}
