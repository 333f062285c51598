//! The two losses (1) and (2), as sums over the samples.
//!
//! Definitions; what can be checked is that they are what the other claims compute. Both depend on the outputs through inner products
//! alone, so polarisation writes them in distances, and a reflection of ℝ^z (reflections generate O(z)) leaves them unchanged.

use enclosures::linear_algebra::{IntervalMatrix, Matrix};
use enclosures::vectors::{minus, scaled, sum_of_products};
use evidence::prelude::*;
use linear_ssl::self_supervised::{SelfSupervisedError, TripletData};

use crate::shared::gradient_models::{Features, Model};
use crate::shared::linear_data::Loss;
use crate::shared::model_families::{models_on_triplets, named_models_on_triplets};
use crate::shared::model_instances::ModelOn;
use crate::shared::notation::{ANCHORS, CONTRASTIVE_LOSS, MODEL, NON_CONTRASTIVE_LOSS};

type Outputs = Vec<Vec<Interval>>;

/// Outputs at anchors, positives and negatives, and at the further point.
struct OutputsSeen {
    own: Outputs,
    plus: Outputs,
    minus: Outputs,
    at_point: Vec<Interval>,
}

fn look(i: &ModelOn<TripletData>) -> Result<OutputsSeen, MeasureError> {
    let of = |points: &[Vec<f64>]| points.iter().map(|p| i.model.at(p)).collect();
    Ok(OutputsSeen {
        own: of(&i.data.anchors),
        plus: of(&i.data.positives),
        minus: of(&i.data.negatives),
        at_point: i.model.at(&i.point),
    })
}

impl OutputsSeen {
    /// (1): Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)).
    fn contrastive(&self) -> Interval {
        let triples = self.own.iter().zip(&self.plus).zip(&self.minus);
        triples.map(|((own, near), far)| sum_of_products(own, &minus(far, near))).sum()
    }

    /// (2): −Σ_i u(x_i)ᵀu(x_i⁺).
    fn non_contrastive(&self) -> Interval {
        -self.own.iter().zip(&self.plus).map(|(own, plus)| sum_of_products(own, plus)).sum::<Interval>()
    }

    fn value(&self, loss: Loss) -> Interval {
        match loss {
            Loss::Contrastive => self.contrastive(),
            Loss::NonContrastive => self.non_contrastive(),
        }
    }

    /// What the products in both losses add up to in absolute value.
    fn size(&self) -> f64 {
        let norm = |u: &[Interval]| u.iter().map(|x| x.magnitude()).sum::<f64>();
        let triples = self.own.iter().zip(&self.plus).zip(&self.minus);
        triples
            .map(|((own, plus), minus)| (norm(own) + norm(plus) + norm(minus)) * (norm(own) + norm(plus) + norm(minus)))
            .sum()
    }

    fn mapped(&self, f: impl Fn(&[Interval]) -> Vec<Interval>) -> OutputsSeen {
        let all = |outputs: &Outputs| outputs.iter().map(|u| f(u)).collect();
        OutputsSeen { own: all(&self.own), plus: all(&self.plus), minus: all(&self.minus), at_point: f(&self.at_point) }
    }
}

const BOTH: [(&str, Loss); 2] = crate::shared::linear_data::LOSSES;

/// Both losses of some change of the outputs against some function of the losses as they were.
fn compare(s: &OutputsSeen, changed: &OutputsSeen, factor: Interval) -> Evaluation {
    let scale = s.size().max(changed.size());
    all_of(BOTH.map(|(name, loss)| {
        (
            name,
            equal(changed.value(loss), s.value(loss) * factor)
                .on_scale_of("Σ_i(|u(x_i)| + |u(x_i⁺)| + |u(x_i⁻)|)², |·| summing absolute entries", scale),
        )
    }))
}

const NO_DIRECTION: &str = "‖u(x)‖² < 1e-6: no direction to reflect along";

/// u → u − 2v(vᵀu)/(vᵀv), the reflection along v = u(x).
fn reflected(s: &OutputsSeen) -> Evaluation {
    let along = &s.at_point;
    let square = sum_of_products(along, along);
    if square.lo() < 1e-6 {
        return vacuous(NO_DIRECTION);
    }
    let turned = s.mapped(|u| {
        let factor = sum_of_products(along, u) * 2.0 / square;
        u.iter().zip(along).map(|(&a, &v)| a - v * factor).collect()
    });
    compare(s, &turned, Interval::ONE)
}

/// −u·v = ½(‖u − v‖² − ‖u‖² − ‖v‖²).
fn by_distances(s: &OutputsSeen) -> Evaluation {
    let minus_product = |u: &[Interval], v: &[Interval]| -> Interval {
        let apart = minus(u, v);
        (sum_of_products(&apart, &apart) - sum_of_products(u, u) - sum_of_products(v, v)) * 0.5
    };
    let sum = |a: &Outputs, b: &Outputs| a.iter().zip(b).map(|(u, v)| minus_product(u, v)).sum::<Interval>();
    let (pull, push) = (sum(&s.own, &s.plus), sum(&s.own, &s.minus));
    all_of([
        (
            "contrastive",
            equal(s.contrastive(), pull - push)
                .on_scale_of("Σ_i(|u(x_i)| + |u(x_i⁺)| + |u(x_i⁻)|)², |·| summing absolute entries", s.size()),
        ),
        (
            "non-contrastive",
            equal(s.non_contrastive(), pull)
                .on_scale_of("Σ_i(|u(x_i)| + |u(x_i⁺)| + |u(x_i⁻)|)², |·| summing absolute entries", s.size()),
        ),
    ])
}

const NOT_LINEAR: &str = "not a linear model";

/// The losses that other claims use for u(x) = Θx.
fn in_the_library(i: &ModelOn<TripletData>, s: &OutputsSeen) -> Result<Evaluation, SelfSupervisedError> {
    let Model::OneLayer { features: Features::Inputs, map } = &i.model else {
        return Ok(vacuous(NOT_LINEAR));
    };
    let map: IntervalMatrix = Matrix::from_rows(map.clone())?.into();
    let mut parts = Vec::new();
    for (name, loss) in BOTH {
        parts.push((
            name,
            equal(s.value(loss), loss.value(&i.data, &map)?)
                .on_scale_of("Σ_i(|u(x_i)| + |u(x_i⁺)| + |u(x_i⁻)|)², |·| summing absolute entries", s.size()),
        ));
    }
    Ok(all_of(parts))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.loss-defs", "the two losses (1) and (2)", Kind::Definition)
        .statement("L_c = Σ_i u(x_i)ᵀ(u(x_i⁻) − u(x_i⁺)); L_nc = −Σ_i u(x_i)ᵀu(x_i⁺)")
        .source("Equations (1), (2)", &["Introduction"])
        .symbols([MODEL, ANCHORS, CONTRASTIVE_LOSS, NON_CONTRASTIVE_LOSS])
        .symbol("R", "the reflection I − 2vvᵀ/vᵀv along v = u(x), x a further point of the instance")
        .remark("One positive and one negative per anchor; sums, not means.")
        .setting(distances())
}

fn distances() -> Setting<ModelOn<TripletData>, OutputsSeen> {
    Setting::measuring(|i: &ModelOn<TripletData>, _| look(i))
        .given("u of one layer on features, or a two-layer network; any triples")
        .family(edge("named", named_models_on_triplets))
        .family(random("models, data and points", models_on_triplets).taking(0.5))
        .part(
            "distances",
            "both losses keep their values when each −uᵀv, u = u(x_i), v = u(x_i⁺) or u(x_i⁻), is written as ½(‖u − \
             v‖² − ‖u‖² − ‖v‖²)",
            holds(),
            |_, s| by_distances(s),
        )
        .checked("esser2024.Losses.loss_defs_distances")
        .because(
            "a definition: the text says of it that partners are pulled together and negatives pushed away; this is \
             that in numbers",
        )
        .part("library", "both losses of u(x) = Θx as the other claims compute them", holds(), |i, s| {
            in_the_library(i, s).into()
        })
        .except(NOT_LINEAR)
        .not_evidence("two implementations of ours, of the same two sums")
        .ours("rotated", "both losses are unchanged by u → Ru", holds(), |_, s| reflected(s))
        .checked("esser2024.Losses.loss_defs_rotated")
        .except(NO_DIRECTION)
        .ours("scaled", "both losses L have L(su) = s²L(u) for s = −3/2, 0, 1/3", holds(), |_, s| {
            let third = Interval::ONE / Interval::point(3.0);
            all_of([Interval::point(-1.5), Interval::ZERO, third].map(|factor| {
                let scaled = s.mapped(|u| scaled(u, factor));
                (format!("s = {:.2}", factor.midpoint()), compare(s, &scaled, factor.square()))
            }))
        })
        .checked("esser2024.Losses.loss_defs_scaled")
        .ours("no-negatives", "L_c with every u(x_i⁻) replaced by 0 is L_nc", holds(), |_, s| {
            let minus = s.minus.iter().map(|u| vec![Interval::ZERO; u.len()]).collect();
            let (own, plus, at_point) = (s.own.clone(), s.plus.clone(), s.at_point.clone());
            let without = OutputsSeen { own, plus, minus, at_point };
            equal(without.contrastive(), s.non_contrastive())
                .on_scale_of("Σ_i(|u(x_i)| + |u(x_i⁺)| + |u(x_i⁻)|)², |·| summing absolute entries", s.size())
        })
        .checked("esser2024.Losses.loss_defs_no_negatives")
        .ours("equal-partners", "L_c with every u(x_i⁻) replaced by u(x_i⁺) is 0", holds(), |_, s| {
            let at_point = s.at_point.clone();
            let same = OutputsSeen { own: s.own.clone(), plus: s.plus.clone(), minus: s.plus.clone(), at_point };
            equal(same.contrastive(), 0)
                .on_scale_of("Σ_i(|u(x_i)| + |u(x_i⁺)| + |u(x_i⁻)|)², |·| summing absolute entries", s.size())
        })
        .checked("esser2024.Losses.loss_defs_equal_partners")
        .tested_by("zero")
        .control("zero", "L_c = 0", |_, s| {
            equal(s.contrastive(), 0)
                .on_scale_of("Σ_i(|u(x_i)| + |u(x_i⁺)| + |u(x_i⁻)|)², |·| summing absolute entries", s.size())
        })
        .control("a", "L_nc = +Σ_i u(x_i)ᵀu(x_i⁺)", |_, s| equal(s.non_contrastive(), -s.non_contrastive()))
        .control("b", "L_c is unchanged when x_i and x_i⁺ are exchanged", |_, s| {
            let (minus, at_point) = (s.minus.clone(), s.at_point.clone());
            let swapped = OutputsSeen { own: s.plus.clone(), plus: s.own.clone(), minus, at_point };
            equal(swapped.contrastive(), s.contrastive())
                .on_scale_of("Σ_i(|u(x_i)| + |u(x_i⁺)| + |u(x_i⁻)|)², |·| summing absolute entries", s.size())
        })
}
