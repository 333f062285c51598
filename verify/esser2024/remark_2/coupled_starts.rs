//! Data with starts Θ: by hand, at rest, and drawn.

use enclosures::vectors::{sum_of_products, sum_of_squares};
use linear_ssl::self_supervised::AnchoredSamples;
use proptest::collection::vec;
use proptest::strategy::{Just, Strategy};

use crate::shared::coupled_losses::Coupled;

fn triples(anchors: &[&[f64]], positives: &[&[f64]], negatives: &[&[&[f64]]], map: &[&[f64]]) -> Coupled {
    let rows = |m: &[&[f64]]| m.iter().map(|r| r.to_vec()).collect::<Vec<_>>();
    Coupled {
        data: AnchoredSamples {
            anchors: rows(anchors),
            positives: positives.iter().map(|p| vec![p.to_vec()]).collect(),
            negatives: negatives.iter().map(|m| rows(m)).collect(),
        },
        map: rows(map),
    }
}

pub fn named() -> Vec<(&'static str, Coupled)> {
    let one: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0]];
    let line = |x: f64, plus: f64, minus: f64, theta: &[&[f64]]| triples(&[&[x]], &[&[plus]], &[&[&[minus]]], theta);
    let plane = |plus: &[f64], minus: &[f64], theta: &[&[f64]]| triples(&[&[1.0, 0.0]], &[plus], &[&[minus]], theta);
    let batch: &[&[&[f64]]] = &[&[&[0.0, 1.0], &[1.0, 1.0]], &[&[1.0, 0.0], &[1.0, 1.0]], &[&[1.0, 0.0], &[0.0, 1.0]]];
    let in_batch = |theta: &[&[f64]]| {
        let anchors: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0], &[1.0, 1.0]];
        triples(anchors, &[&[1.0, 0.5], &[-0.5, 1.0], &[1.0, 0.75]], batch, theta)
    };
    vec![
        ("x = x⁺ = x⁻ = 1, θ = (1, 1)", line(1.0, 1.0, 1.0, &[&[1.0], &[1.0]])),
        ("x = x⁺ = 1, x⁻ = −1", line(1.0, 1.0, -1.0, &[&[1.0], &[0.5]])),
        ("x = x⁺ = 1, x⁻ = 0, Θ = 0", line(1.0, 1.0, 0.0, &[&[0.0], &[0.0]])),
        ("x⁻ = x⁺", plane(&[1.0, 1.0], &[1.0, 1.0], one)),
        ("x⁺ = x", plane(&[1.0, 0.0], &[0.0, 1.0], one)),
        ("x⁺ at an angle", plane(&[1.0, 1.0], &[0.0, 1.0], &[&[1.0, 0.5], &[0.5, -1.0]])),
        // Two negatives of equal softmax weight, nearly one half each, with opposite pulls: equality in a-order but for e^{−10}.
        ("opposite pulls", triples(&[&[1.0, 0.0]], &[&[-10.0, 0.0]], &[&[&[0.0, 1.0], &[0.0, -1.0]]], one)),
        (
            "opposite pulls, further away",
            triples(&[&[1.0, 0.0]], &[&[-12.0, 0.0]], &[&[&[0.0, 1.5], &[0.0, -1.5]]], one),
        ),
        (
            "opposite pulls, larger Θ",
            triples(&[&[1.0, 0.0]], &[&[-3.0, 0.0]], &[&[&[0.0, 1.0], &[0.0, -1.0]]], &[&[2.0, 0.0], &[0.0, 2.0]]),
        ),
        ("in-batch negatives", in_batch(&[&[1.0, 0.5], &[-0.5, 1.0]])),
        ("in-batch negatives, small Θ", in_batch(&[&[0.01, 0.005], &[-0.005, 0.01]])),
        ("in-batch negatives, large Θ", in_batch(&[&[3.0, 1.0], &[-1.0, 2.0]])),
        ("one output", line(1.0, 1.0, -1.0, &[&[1.0]])),
    ]
}

/// Starts of rank two at rest under a loss that is not constant, in numbers that doubles hold exactly.
pub fn at_rest() -> Vec<(&'static str, Coupled)> {
    // For Θ = I the pulls of the negatives, (0, 1), (0, 2) and (0, −3), have equal weights and cancel; L is least there.
    let opposite = triples(
        &[&[1.0, 0.0]],
        &[&[1.0, 1.0]],
        &[&[&[1.0, 2.0], &[1.0, 3.0], &[1.0, -2.0]]],
        &[&[1.0, 0.0], &[0.0, 1.0]],
    );
    // Outputs at 0, 60, 120 and 180 degrees. The three angles between partners are those of a triangle for every Θ, so that their cosines
    // add up to 3/2 at most, which is here; rank one reaches 1.
    let origin: &[&[f64]] = &[&[0.0, 0.0]];
    let turning = triples(
        &[&[1.0, 0.0], &[0.0, 1.0], &[-1.0, 1.0]],
        &[&[0.0, 1.0], &[-1.0, 1.0], &[-1.0, 0.0]],
        &[origin; 3],
        &[&[2.0, 1.0], &[0.0, 1.0], &[0.0, 1.0], &[0.0, 1.0]],
    );
    vec![("opposite pulls of equal weight", opposite), ("partners at equal angles", turning)]
}

/// For d ≥ 2: in every triple x = 0, x⁺ is a multiple of x or orthogonal to it, or every x⁻ is x⁺, so that a loss may be constant.
pub fn is_degenerate(i: &Coupled) -> bool {
    let triples = i.data.anchors.iter().zip(&i.data.positives).zip(&i.data.negatives);
    i.d() >= 2
        && triples.into_iter().all(|((x, plus), minus)| {
            let (plus, along) = (&plus[0], sum_of_products(x, &plus[0]));
            along == 0.0 || along * along == sum_of_squares(x) * sum_of_squares(plus) || minus.iter().all(|m| m == plus)
        })
}

/// Two anchors with one negative and with two.
pub fn unequal_counts() -> Vec<(&'static str, Coupled)> {
    let anchors: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0]];
    let negatives: &[&[&[f64]]] = &[&[&[0.0, 1.0]], &[&[1.0, 0.0], &[-1.0, 0.5]]];
    let map: &[&[f64]] = &[&[1.0, 0.5], &[0.5, -1.0]];
    vec![("M = 1 and M = 2", triples(anchors, &[&[1.0, 0.5], &[-0.5, 1.0]], negatives, map))]
}

pub fn starts() -> impl Strategy<Value = Coupled> {
    (1..=3usize, 1..=3usize, 1..=3usize, 1..=3usize, 0..5u8).prop_flat_map(|(n, m, d, z, kind)| {
        let rows = |count: usize, size: f64| vec(vec(-size..size, d), count);
        let size = if kind == 0 { 0.01 } else { 1.0 };
        (rows(n, 2.0), rows(n, 2.0), vec(rows(m, 2.0), n), rows(z, size), Just(kind)).prop_map(
            |(anchors, plus, mut negatives, map, kind)| {
                let plus = if kind == 1 { anchors.clone() } else { plus };
                if kind == 2 {
                    for (list, p) in negatives.iter_mut().zip(&plus) {
                        list.fill(p.clone());
                    }
                }
                let positives = plus.into_iter().map(|p| vec![p]).collect();
                Coupled { data: AnchoredSamples { anchors, positives, negatives }, map }
            },
        )
    })
}
