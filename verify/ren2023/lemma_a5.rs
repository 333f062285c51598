//! Lemma A.5: the radial and tangential parts of the velocity of every column.
//!
//! True where the column is not zero: the product rule on Corollary A.4. The normalisation part of a velocity is a
//! multiple of the column itself, so that it acts on the norm only.

use enclosures::vectors::{sum_of_products, sum_of_squares};
use evidence::prelude::*;
use two_view::View;

use crate::shared::differentiated_loss::DifferentiatedLoss;
use crate::shared::hypotheses::{ORTHOGONAL, Q_MATRICES, over_warm_models};
use crate::shared::notation::{AGREEMENT, DIRECTION, LOSS_WITHOUT_NEGATIVES, MOTION, SIZES};
use crate::shared::two_views::TwoViews;

/// One column with its velocity by automatic differentiation and its pull v_p (or y_k).
struct MovingColumn {
    name: String,
    value: Vec<Interval>,
    velocity: Vec<Interval>,
    pull: Vec<Interval>,
    /// σ_p², or σ_ξ².
    strength: f64,
    /// 1, or r/q.
    share: Interval,
    squares: [Interval; 2],
    both: Interval,
    scalar: Interval,
    scale: f64,
}

impl MovingColumn {
    fn square(&self) -> Interval {
        sum_of_squares(&self.value)
    }

    fn is_zero(&self) -> bool {
        self.square().lo() <= 1e-8
    }

    /// (2σ²/(N_AN_B))⟨c, v⟩ − (2σ²·share·Q_0/n)‖c‖².
    fn radial(&self, square: Interval) -> Interval {
        let pull = sum_of_products(&self.value, &self.pull) / self.both;
        (pull - self.share * self.scalar * self.square() / square) * 2.0 * self.strength
    }

    /// The velocity of c/‖c‖ by the quotient rule, and (σ²/(N_AN_B‖c‖))(I − c̄c̄ᵀ)v with or without the projection.
    fn tangential(&self, projected: bool) -> Evaluation {
        let (square, norm) = (self.square(), self.square().sqrt());
        let (radial, along) = (sum_of_products(&self.value, &self.velocity), sum_of_products(&self.value, &self.pull));
        let part = |i: usize| {
            let left = (self.velocity[i] - self.value[i] * radial / square) / norm;
            let pull = if projected { self.pull[i] - self.value[i] * along / square } else { self.pull[i] };
            let right = pull * self.strength / (self.both * norm);
            (
                format!("coordinate {}", i + 1),
                equal(left, right).on_scale_of("the terms before they cancel", self.scale / norm.lo()),
            )
        };
        all_of((0..self.value.len()).map(part))
    }

    fn radial_agrees(&self, square: Interval) -> Evaluation {
        let found = sum_of_products(&self.value, &self.velocity) * 2.0;
        equal(found, self.radial(square)).on_scale_of(
            "the terms before they cancel",
            2.0 * self.scale * self.square().sqrt().hi() * self.value.len() as f64,
        )
    }
}

fn columns(v: &TwoViews) -> Result<Vec<MovingColumn>, MeasureError> {
    let s = DifferentiatedLoss::of(v, v.contrastive())?;
    let (velocity, pulls) = (s.velocity(View::A)?, s.features[1].product(&s.selection.matrix)?);
    let r = v.signal;
    Ok((0..r + v.noise)
        .map(|k| MovingColumn {
            name: if k < r { format!("signal column {}", k + 1) } else { format!("noise column {}", k - r + 1) },
            value: s.features[0].column(k),
            velocity: velocity.column(k),
            pull: pulls.column(k),
            strength: v.strength(k),
            share: s.data.sizes().variance::<Interval>(k) * r as f64,
            squares: s.squares,
            both: s.both,
            scalar: s.selection.scalar,
            scale: s.speed_scale(View::A),
        })
        .collect())
}

const SHORT: &str = "all of these columns are at most 10⁻⁴ long";

fn every(columns: &[MovingColumn], noise: Option<bool>, test: impl Fn(&MovingColumn) -> Evaluation) -> Evaluation {
    let kept = columns.iter().filter(|c| !c.is_zero() && noise.is_none_or(|n| c.name.starts_with("noise") == n));
    let parts: Vec<_> = kept.map(|c| (c.name.clone(), test(c))).collect();
    if parts.is_empty() { vacuous(SHORT) } else { all_of(parts) }
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-a5", "radial and tangential parts", Kind::Dynamics)
        .statement(
            "with v_p = [K_BQ_1 + K_{B,ξ}Q_{1,ξB}]_p and y_k = [K_BQ_{1,ξA} + K_{B,ξ}Q_2]_k: d/dt‖[K_A]_p‖² = \
             (2σ_p²/(N_AN_B))⟨[K_A]_p,v_p⟩ − (2σ_p²Q_0/N_A²)‖[K_A]_p‖², d/dt K̄_{A,p} = (σ_p²/(N_AN_B‖[K_A]_p‖))(I − \
             K̄K̄ᵀ)v_p; for the noise σ_ξ², y_k and Q_0r/q",
        )
        .source("Lemma A.5", &["Section A.1"])
        .symbols([SIZES, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("d/dt", MOTION)
        .symbols([DIRECTION])
        .symbol(
            "v_p",
            "the p-th column [K_BQ_1 + K_{B,ξ}Q_{1,ξB}]_p, and y_k = [K_BQ_{1,ξA} + K_{B,ξ}Q_2]_k; for view B [K_AQ_1ᵀ \
             + K_{A,ξ}Q_{1,ξA}ᵀ]_p and [K_AQ_{1,ξB}ᵀ + K_{A,ξ}Q_2ᵀ]_k",
        )
        .reconstructed("the formulas; they are derived from the definitions")
        .remark("Columns that vanish have no direction and are left out.")
        .setting(printed())
}

fn printed() -> Setting<TwoViews, [Vec<MovingColumn>; 2]> {
    over_warm_models(Setting::measuring(|v: &TwoViews, _| Ok([columns(v)?, columns(&v.swapped())?])))
        .given(Q_MATRICES)
        .assume(ORTHOGONAL)
        .without_search()
        .part(
            "printed",
            "for every signal column longer than 10⁻⁴, in both views: both equations of the statement, with \
             −(r/τ²)(∇_{W_A}L)A (in view B −(r/τ²)(∇_{W_B}L)B) as velocity of the columns",
            holds(),
            |_, c| {
                let both = |c: &Vec<MovingColumn>| {
                    every(c, Some(false), |c| {
                        all_of([("norm", c.radial_agrees(c.squares[0])), ("direction", c.tangential(true))])
                    })
                };
                all_of([("A", both(&c[0])), ("B", both(&c[1]))])
            },
        )
        .checked("ren2023.Columns.lemma_a5_printed")
        .except(SHORT)
        .part(
            "noise",
            "for every noise column longer than 10⁻⁴, in both views: both equations of the statement with σ_ξ², y_k \
             and Q_0r/q in place of σ_p², v_p and Q_0, and −(r/τ²)(∇_{W_A}L)A_ξ (in view B −(r/τ²)(∇_{W_B}L)B_ξ) as \
             velocity",
            holds(),
            |_, c| {
                let both = |c: &Vec<MovingColumn>| {
                    every(c, Some(true), |c| {
                        all_of([("norm", c.radial_agrees(c.squares[0])), ("direction", c.tangential(true))])
                    })
                };
                all_of([("A", both(&c[0])), ("B", both(&c[1]))])
            },
        )
        .checked("ren2023.Columns.lemma_a5_noise")
        .except(SHORT)
        .assume(Hypothesis::new("q ≥ 1", |v| v.noise > 0))
        .step(
            "s1",
            "d[K_A]_p/dt − σ_p²v_p/(N_AN_B) is a multiple of [K_A]_p, and d[K_{A,ξ}]_k/dt − σ_ξ²y_k/(N_AN_B) of \
             [K_{A,ξ}]_k, where these are longer than 10⁻⁴: the normalisation part is radial",
            holds(),
            |_, c| {
                every(&c[0], None, |c| {
                    let rest: Vec<Interval> =
                        (0..c.value.len()).map(|i| c.velocity[i] - c.pull[i] * c.strength / c.both).collect();
                    let along = sum_of_products(&rest, &c.value) / c.square();
                    let one = |i: usize| {
                        (
                            format!("coordinate {}", i + 1),
                            equal(rest[i], along * c.value[i]).on_scale_of("the terms before they cancel", c.scale),
                        )
                    };
                    all_of((0..rest.len()).map(one))
                })
            },
        )
        .except(SHORT)
        .control("n1", "N_AN_B in place of N_A² in the last radial term", |_, c| {
            every(&c[0], None, |c| c.radial_agrees(c.both))
        })
        .except(SHORT)
        .control("n2", "no projection in the tangential part", |_, c| every(&c[0], None, |c| c.tangential(false)))
        .except(SHORT)
        .control("n3", "Q_0 in place of Q_0r/q for the noise", |_, c| {
            every(&c[0], Some(true), |c| c.radial_agrees(c.squares[0] * c.share))
        })
        .except(SHORT)
        .assume(Hypothesis::new("q ≥ 1", |v| v.noise > 0))
}
