//! (D.1): how the change of an inner product splits into three parts.
//!
//! True. Both sides are affine in each of the four numbers of one coordinate, q, q̃, z and z̃, so that the sixteen
//! points of {0, 1}⁴ (all among the instances, with d = 1) prove the identity in every dimension.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Strategy, prop_oneof};
use proptest::strategy::Just;
use serde::{Deserialize, Serialize};

/// q, q̃, z, z̃ coordinate by coordinate.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "(q, q̃, z, z̃) = {coordinates:?}", simpler = Self::without_a_coordinate, stored)]
struct FourVectors {
    #[instance(range = "-1e6..=1e6")]
    coordinates: Vec<[f64; 4]>,
}

impl FourVectors {
    fn without_a_coordinate(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut coordinates = self.coordinates.clone();
            coordinates.remove(drop);
            FourVectors { coordinates }
        };
        (0..self.coordinates.len()).map(without).collect()
    }
}

/// The change, its three parts, and the size of all that is added up.
struct Parts {
    change: Enclosure,
    parts: [Enclosure; 3],
    size: f64,
}

fn parts(v: &FourVectors) -> Parts {
    let sum = |term: &dyn Fn([Interval; 4]) -> Interval| -> Enclosure {
        let terms = v.coordinates.iter().map(|c| term(c.map(Interval::point)));
        Enclosure::from(terms.sum::<Interval>())
    };
    let size = |c: &[f64; 4]| (c[0].abs() + c[1].abs()) * (c[2].abs() + c[3].abs());
    Parts {
        change: sum(&|[q, q_new, z, z_new]| q_new * z_new - q * z),
        parts: [
            sum(&|[q, q_new, z, _]| (q_new - q) * z),
            sum(&|[q, _, z, z_new]| q * (z_new - z)),
            sum(&|[q, q_new, z, z_new]| (q_new - q) * (z_new - z)),
        ],
        size: v.coordinates.iter().map(size).sum(),
    }
}

/// The change is the sum of the parts, the last of which counts `last` times.
fn split(p: &Parts, last: f64) -> Evaluation {
    equal(p.change, p.parts[0] + p.parts[1] + last * p.parts[2])
        .on_scale_of("Σ(|q| + |q̃|)(|z| + |z̃|) over the coordinates", p.size)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.eq-d1", "bilinear decomposition", Kind::Identity)
        .statement("q̃ᵀz̃ − qᵀz = (q̃ − q)ᵀz + qᵀ(z̃ − z) + (q̃ − q)ᵀ(z̃ − z)")
        .source("(D.1)", &["Section 5.2"])
        .symbol("q", "the old vector q and the new one q̃, of ℝ^d")
        .symbol("z", "the old vector z and the new one z̃, of ℝ^d")
        .remark(
            "Proof: both sides are affine in each of q, q̃, z and z̃, coordinate by coordinate, and agree on {0, 1}⁴.",
        )
        .setting(
            Setting::measuring(|v: &FourVectors, _| Ok(parts(v)))
                .given("four vectors of one dimension")
                .family(edge("corners", corners))
                .family(random("all scales", || {
                    let scale = prop_oneof![Just(1.0), Just(1e-3), Just(1e3)];
                    (1usize..=8, scale).prop_flat_map(|(d, scale)| {
                        let coordinate = [-1.0..1.0f64, -1.0..1.0, -1.0..1.0, -1.0..1.0];
                        vec(coordinate, d).prop_map(move |rows| FourVectors {
                            coordinates: rows.into_iter().map(|r| r.map(|x| scale * x)).collect(),
                        })
                    })
                }))
                .part("printed", "q̃ᵀz̃ − qᵀz = (q̃ − q)ᵀz + qᵀ(z̃ − z) + (q̃ − q)ᵀ(z̃ − z)", holds(), |_, p| split(p, 1.0))
                .checked("wen2020.Contrastive.eq_d1_printed")
                .control("a", "q̃ᵀz̃ − qᵀz = (q̃ − q)ᵀz + qᵀ(z̃ − z)", |_, p| split(p, 0.0))
                .control("b", "q̃ᵀz̃ − qᵀz = (q̃ − q)ᵀz + qᵀ(z̃ − z) − (q̃ − q)ᵀ(z̃ − z)", |_, p| split(p, -1.0)),
        )
}

/// {0, 1}⁴, and a change far smaller than the vectors.
fn corners() -> Vec<(String, FourVectors)> {
    let corner = |bits: u32| {
        let c = [0, 1, 2, 3].map(|i| f64::from(bits >> i & 1));
        (format!("corner {c:?}"), FourVectors { coordinates: vec![c] })
    };
    let mut list: Vec<_> = (0..16).map(corner).collect();
    let small = [[1e3, 1e3 + 1e-6, -1e3, 1e-6 - 1e3], [-5.0, -5.0, 7.0, 7.0 + 1e-9]];
    list.push(("a small change of large vectors".into(), FourVectors { coordinates: small.to_vec() }));
    list
}
