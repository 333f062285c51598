//! Appendix C.1, first display: the gradient of the loss with respect to the key parameters as a sum over sets of
//! negatives.
//!
//! True: ∇_θ L_S = (1/n) Σ_i C(n−1,k)^{−1} Σ_A Σ_{j∈A} p_j^A ∇_θ (q_i·(f_θ(x_j) − f_θ(x_i))) is the chain rule. The
//! left side is found by forward differentiation of the whole loss, the right side by listing all sets and sending
//! every q_i back through the network at x_j and at x_i; so the two share no step. The printed variants of what follows
//! in C.1 are the claims backprop-5.2, fact-1 and fact-2.

use contrastive::network::EnclosedActivations;
use contrastive::subsets;
use enclosures::vectors::{minus, sum_of_products};
use evidence::prelude::*;

use crate::shared::displaced_encoder::{LossVectors, Vector};
use crate::shared::encoder_pair::{EncoderPair, families};
use crate::shared::query_key_outputs::same_numbers;
use crate::shared::signs::{DIFFERENCE, KEY, LOSS, NETWORKS, PRE_ACTIVATION, QUERY, SHARE};

struct Display {
    /// ∇_{W_l} L_S and ∇_{θ_l} L_S by forward differentiation.
    exact: [Vec<Vector>; 2],
    seen: [Vec<EnclosedActivations>; 2],
    negatives: usize,
    /// P_ij, the weights averaged over all sets.
    weights: Vec<Vector>,
}

fn display(p: &EncoderPair) -> Result<Display, MeasureError> {
    let seen = p.activations()?;
    let rows = |side: usize| seen[side].iter().map(|s| s.output().to_vec()).collect::<Vec<_>>();
    let vectors = LossVectors::of(&rows(0), &rows(1), p.negatives);
    Ok(Display {
        exact: p.encoders.enclosed_gradient(&p.points, p.negatives)?,
        seen,
        negatives: p.negatives,
        weights: vectors.weights,
    })
}

/// Adds `factor` times ∇ (u·f(x)) with respect to every matrix.
fn add_gradient(total: &mut [Vector], seen: &EnclosedActivations, u: &[Interval], factor: Interval) {
    for (l, total) in total.iter_mut().enumerate() {
        let back = seen.back(l + 1, u);
        let left = if l < seen.layers() { seen.masked(l, &back) } else { back };
        let entries = left.iter().flat_map(|&a| seen.below(l).iter().map(move |&b| a * b));
        for (total, entry) in total.iter_mut().zip(entries) {
            *total += entry * factor;
        }
    }
}

impl Display {
    fn count(&self) -> usize {
        self.seen[0].len()
    }

    fn zeros(&self, side: usize) -> Vec<Vector> {
        self.exact[side].iter().map(|m| vec![Interval::ZERO; m.len()]).collect()
    }

    /// (1/n) Σ_i (1/C) Σ_A Σ_{j∈A} p_j of what `term` adds for (i, j, p_j); `one` stands for the positive in the
    /// denominator.
    fn over_sets(&self, one: Interval, mut term: impl FnMut(usize, usize, Interval)) {
        let n = self.count();
        let output = |side: usize, i: usize| self.seen[side][i].output();
        for i in 0..n {
            let others: Vec<usize> = (0..n).filter(|&j| j != i).collect();
            let sets: Vec<Vec<usize>> = subsets(others.len(), self.negatives).collect();
            let share = Interval::ONE / (n * sets.len()) as f64;
            for places in sets {
                let exponential = |j: usize| sum_of_products(output(0, i), &minus(output(1, j), output(1, i))).exp();
                let chosen: Vec<(usize, Interval)> =
                    places.iter().map(|&place| (others[place], exponential(others[place]))).collect();
                let total = chosen.iter().map(|(_, e)| *e).sum::<Interval>() + one;
                for (j, e) in chosen {
                    term(i, j, e / total * share);
                }
            }
        }
    }

    /// The display for θ.
    fn keys(&self, one: Interval) -> Vec<Vector> {
        let mut total = self.zeros(1);
        self.over_sets(one, |i, j, p| {
            let q = self.seen[0][i].output();
            add_gradient(&mut total, &self.seen[1][j], q, p);
            add_gradient(&mut total, &self.seen[1][i], q, -p);
        });
        total
    }

    /// The same for W: Σ p_j ∇_W (f_W(x_i)·z_ij).
    fn queries(&self) -> Vec<Vector> {
        let mut total = self.zeros(0);
        self.over_sets(Interval::ONE, |i, j, p| {
            let z = minus(self.seen[1][j].output(), self.seen[1][i].output());
            add_gradient(&mut total, &self.seen[0][i], &z, p);
        });
        total
    }

    /// Second display: pair by pair with l̂oss(x_i, x_j) = P_ij q_i, times `factor`.
    fn pairs(&self, factor: f64) -> Vec<Vector> {
        let (n, mut total) = (self.count(), self.zeros(1));
        for i in 0..n {
            let q = self.seen[0][i].output();
            for j in (0..n).filter(|&j| j != i) {
                let weight = self.weights[i][j] * factor / n as f64;
                add_gradient(&mut total, &self.seen[1][j], q, weight);
                add_gradient(&mut total, &self.seen[1][i], q, -weight);
            }
        }
        total
    }

    fn agrees(&self, side: usize, found: &[Vector]) -> Evaluation {
        let parts = found.iter().zip(&self.exact[side]).enumerate();
        all_of(parts.map(|(l, (found, exact))| (format!("layer {l}"), same_numbers(found, exact))))
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.sec-c1", "key calculations", Kind::Identity)
        .statement(
            "∇_θ L_S = (1/n) Σ_i C(n−1,k)^{−1} Σ_A Σ_{j∈A} p_j^A ∇_θ(q_iᵀ(f_θ(x_j) − f_θ(x_i))), p_j^A = \
             e^{q_i·z_ij}/(1 + Σ_{s∈A} e^{q_i·z_is})",
        )
        .source("Appendix C.1, first display for θ", &["repeated in (D.8)"])
        .symbols(NETWORKS)
        .symbols([QUERY, KEY, DIFFERENCE, SHARE, LOSS, PRE_ACTIVATION])
        .symbol("p_j", "p_j^A = e^{q_i·z_ij}/(1 + Σ_{s∈A} e^{q_i·z_is}) for i and a set A of k other indices")
        .symbol("l̂oss(x_i, x_j)", "P_ij q_i")
        .symbol("∇_θ", "the derivative by all entries of θ_0, …, θ_L; q_i is held fixed under it")
        .remark("The variants printed in the rest of C.1 are judged in backprop-5.2, fact-1 and fact-2.")
        .setting(printed())
}

fn printed() -> Setting<EncoderPair, Display> {
    Setting::measuring(|p: &EncoderPair, _| display(p))
        .assume(Hypothesis::new("every pre-activation is at least 10⁻³ in size", |p| p.off_the_kinks(1e-3)))
        .family(families(3))
        .without_search()
        .part(
            "printed",
            "∇_θ L_S = (1/n) Σ_i C(n−1,k)^{−1} Σ_A Σ_{j∈A} p_j^A ∇_θ(q_i·(f_θ(x_j) − f_θ(x_i))), A over the sets of k \
             indices other than i, for all matrices θ_0, …, θ_L",
            holds(),
            |_, d| d.agrees(1, &d.keys(Interval::ONE)),
        )
        .step(
            "s1",
            "∇_θ L_S = (1/n) Σ_i Σ_{j≠i} ∇_θ (l̂oss(x_i, x_j)·(f_θ(x_j) − f_θ(x_i))), pair by pair, l̂oss(x_i, x_j) held \
             fixed",
            holds(),
            |_, d| d.agrees(1, &d.pairs(1.0)),
        )
        .step(
            "s2",
            "∇_θ L_S = (1/n) Σ_i Σ_{j≠i} ∇_θ ((1/n) l̂oss(x_i, x_j)·(f_θ(x_j) − f_θ(x_i))), with the factor 1/n of \
             Definition 4.1 inside l̂oss",
            fails("the factor 1/n stands there twice"),
            |_, d| d.agrees(1, &d.pairs(1.0 / d.count() as f64)),
        )
        .sides("an entry of the right side", "that entry of the gradient")
        .amendment(
            "queries",
            "∇_W L_S = (1/n) Σ_i C(n−1,k)^{−1} Σ_A Σ_{j∈A} p_j^A ∇_W(f_W(x_i)·z_ij), the like display for W, z_ij held \
             fixed",
            holds(),
            |_, d| d.agrees(0, &d.queries()),
        )
        .control(
            "a",
            "the display with p_j = e^{q_i·z_ij}/Σ_{s∈A} e^{q_i·z_is}, without the one in the denominator",
            |_, d| d.agrees(1, &d.keys(Interval::ZERO)),
        )
        .control("b", "the display with f_θ(x_i) − f_θ(x_j), the difference reversed", |_, d| {
            let reversed: Vec<Vector> = d.keys(Interval::ONE).iter().map(|m| m.iter().map(|&x| -x).collect()).collect();
            d.agrees(1, &reversed)
        })
}
