//! Section 5.2 and Appendix C.1: the gradient with respect to every matrix, by back-propagation.
//!
//! With the loss vectors of Facts 1 and 2 (n times the derivatives) the formulas of Section 5.2 are right; with those of Definition 4.1 the
//! factor 1/n stands there twice. Of the variants in Appendix C.1: the hidden vector h_{l+1} instead of h_{l−1}, and Back_l instead of
//! Back_{l+1}, are wrong. The first line of (C.2) puts the back-propagation matrix of point i in front of a term of
//! point j; that is right for l = L − 1 only, where it is W_L for both (or where the patterns above agree). In the proof of Lemma C.4 the columns of
//! W_L are meant: its rows have the wrong length unless d = m, and are wrong then.
//!
//! Every formula is compared, entry by entry, with forward differentiation of the whole map from the weights to L_S.

use contrastive::network::EnclosedActivations;
use contrastive::subset_weights;
use enclosures::vectors::{largest_magnitude, minus, scaled, sum_of_products};
use evidence::prelude::*;

use crate::shared::displaced_encoder::indicator;
use crate::shared::encoder_pair::{EncoderPair, families};
use crate::shared::query_key_outputs::{same_sums, same_sums_of};
use crate::shared::signs::{
    BACK, DIFFERENCE, HIDDEN, KEY, KEY_NETWORK, LAYERS, LOSS, NEGATIVES, OUTPUT, PATTERN, POINTS, PRE_ACTIVATION,
    QUERY, QUERY_NETWORK, RELU, SHARE, WIDTH,
};

struct ExactGradients {
    /// ∇_{W_l} L_S and ∇_{θ_l} L_S, row by row, by differentiation of the whole map.
    exact: [Vec<Vec<Interval>>; 2],
    seen: [Vec<EnclosedActivations>; 2],
    /// l̃oss_i and l̂oss_i of Facts 1 and 2.
    loss_vectors: [Vec<Vec<Interval>>; 2],
    /// P_ij.
    weights: Vec<Vec<Interval>>,
}

fn gradients(p: &EncoderPair) -> Result<ExactGradients, Box<dyn std::error::Error + Send + Sync>> {
    let seen = p.activations()?;
    let rows = |side: &[EnclosedActivations]| side.iter().map(|s| s.output().to_vec()).collect::<Vec<_>>();
    let (queries, keys) = (rows(&seen[0]), rows(&seen[1]));
    let logit = |i: usize, j: usize| {
        let z = minus(&keys[j], &keys[i]);
        sum_of_products(&queries[i], &z)
    };
    let n = p.points.len();
    let logits: Vec<Vec<Interval>> = (0..n).map(|i| (0..n).map(|j| logit(i, j)).collect()).collect();
    let weights = subset_weights(&logits, p.negatives);
    let sum = |i: usize, term: &dyn Fn(usize, usize) -> Interval| -> Vec<Interval> {
        let entry = |c: usize| (0..n).filter(|&j| j != i).map(|j| term(j, c)).sum();
        (0..p.shape().output).map(entry).collect()
    };
    let query = |i: usize| sum(i, &|j, c| weights[i][j] * (keys[j][c] - keys[i][c]));
    let key = |i: usize| sum(i, &|j, c| weights[j][i] * queries[j][c] - weights[i][j] * queries[i][c]);
    Ok(ExactGradients {
        exact: p.encoders.enclosed_gradient(&p.points, p.negatives)?,
        loss_vectors: [(0..n).map(query).collect(), (0..n).map(key).collect()],
        seen,
        weights,
    })
}

fn outer(left: &[Interval], right: &[Interval]) -> Vec<Interval> {
    left.iter().flat_map(|&a| right.iter().map(move |&b| a * b)).collect()
}

fn add(total: &mut Vec<Interval>, part: &[Interval], factor: f64) {
    if total.is_empty() {
        total.resize(part.len(), Interval::ZERO);
    }
    for (total, &part) in total.iter_mut().zip(part) {
        *total += part * factor;
    }
}

/// D_{i,l} (Back_{i,from})ᵀ v: what stands left of the hidden vector. D_{i,L} is the identity.
fn left(seen: &EnclosedActivations, l: usize, from: usize, v: &[Interval]) -> Vec<Interval> {
    let back = seen.back(from, v);
    if l < seen.layers() { seen.masked(l, &back) } else { back }
}

impl ExactGradients {
    fn count(&self) -> usize {
        self.seen[0].len()
    }

    fn layers(&self) -> usize {
        self.seen[0][0].layers()
    }

    /// The same loss vectors as derivatives: without the factor n.
    fn derivatives(&self, side: usize) -> Vec<Vec<Interval>> {
        let share = 1.0 / self.count() as f64;
        crate::shared::query_key_outputs::scaled(&self.loss_vectors[side], share)
    }

    /// The largest entry of Dᵀ Backᵀ v hᵀ over the points, v the other encoder's output: what a gradient adds up before it cancels, or 1.
    fn size_of_terms(&self, side: usize, l: usize) -> f64 {
        let points = self.seen[side].iter().zip(&self.seen[1 - side]);
        let terms = points.flat_map(|(seen, other)| outer(&left(seen, l, l + 1, other.output()), seen.below(l)));
        terms.map(|x| x.magnitude()).fold(1.0, f64::max)
    }

    /// (1/n) Σ_i of what a formula gives for a point, against the exact gradient, for the layers for which the formula has a meaning.
    fn compared(
        &self,
        sides: &[usize],
        layers: impl Iterator<Item = usize> + Clone,
        of_point: impl Fn(usize, usize, usize) -> Option<Vec<Interval>>,
    ) -> Evaluation {
        let mut parts = Vec::new();
        for &side in sides {
            for l in layers.clone() {
                let mut total = Vec::new();
                let mut meaningful = true;
                for i in 0..self.count() {
                    match of_point(side, l, i) {
                        Some(part) => add(&mut total, &part, 1.0 / self.count() as f64),
                        None => meaningful = false,
                    }
                }
                let name = format!("{} {l}", ["W", "θ"][side]);
                let evaluation = if meaningful && total.len() == self.exact[side][l].len() {
                    same_sums_of(&total, &self.exact[side][l], self.size_of_terms(side, l))
                } else {
                    vacuous("the right side does not exist, or has not the shape of the gradient")
                };
                parts.push((name, evaluation));
            }
        }
        all_of(parts)
    }

    /// The formula of Section 5.2 with given loss vectors.
    fn printed(&self, vectors: [&[Vec<Interval>]; 2]) -> Evaluation {
        self.compared(&[0, 1], 0..=self.layers(), |side, l, i| {
            let seen = &self.seen[side][i];
            Some(outer(&left(seen, l, l + 1, &vectors[side][i]), seen.below(l)))
        })
    }

    fn explicit(&self) -> [&[Vec<Interval>]; 2] {
        [&self.loss_vectors[0], &self.loss_vectors[1]]
    }

    /// (b1): the hidden vector h_{l+1}, and its sign for the derivative of the ReLU.
    fn hidden_above(&self) -> Evaluation {
        self.compared(&[0], 0..self.layers().saturating_sub(1), |side, l, i| {
            let seen = &self.seen[side][i];
            let above = seen.below(l + 2);
            if above.len() != seen.below(l).len() {
                return None;
            }
            let active: Vec<Interval> = seen.apply(l, above).iter().map(|x| indicator(*x)).collect();
            let back = seen.back(l + 1, &self.loss_vectors[side][i]);
            let left: Vec<Interval> = back.iter().zip(&active).map(|(&b, &a)| a * b).collect();
            Some(outer(&left, above))
        })
    }

    /// (b2): Back_l in place of Back_{l+1}; its transpose has as many entries as W_l has columns.
    fn back_below(&self) -> Evaluation {
        self.compared(&[1], 0..self.layers(), |side, l, i| {
            let seen = &self.seen[side][i];
            let back = seen.back(l, &self.loss_vectors[side][i]);
            (back.len() == seen.pre_activations(l).len()).then(|| outer(&seen.masked(l, &back), seen.below(l)))
        })
    }

    /// (b3), (b4): the first line of (C.2) for the layers given, with Back_{i,from} or Back_{j,from} in front of the term of point j.
    fn by_pairs(
        &self,
        layers: impl Iterator<Item = usize> + Clone,
        from: impl Fn(usize) -> usize,
        own: bool,
    ) -> Evaluation {
        self.compared(&[1], layers, |side, l, i| {
            let (seen, queries) = (&self.seen[side], &self.seen[0]);
            let mut total = Vec::new();
            for j in (0..self.count()).filter(|&j| j != i) {
                let vector: Vec<Interval> = queries[i].output().iter().map(|&q| q * self.weights[i][j]).collect();
                let back = |point: usize| seen[point].back(from(l), &vector);
                if back(i).len() != seen[i].pre_activations(l).len() {
                    return None;
                }
                let of_j = seen[j].masked(l, &back(if own { j } else { i }));
                add(&mut total, &outer(&of_j, seen[j].below(l)), 1.0);
                add(&mut total, &outer(&seen[i].masked(l, &back(i)), seen[i].below(l)), -1.0);
            }
            Some(total)
        })
    }

    /// (b5): ∇_{W_{L−1}} by the columns of W_L, or by its rows where d = m.
    fn last_hidden(&self, columns: bool) -> Evaluation {
        let l = self.layers() - 1;
        self.compared(&[0, 1], l..=l, |side, l, i| {
            let (seen, vector) = (&self.seen[side][i], &self.loss_vectors[side][i]);
            let (width, output) = (seen.pre_activations(l).len(), vector.len());
            if !columns && width != output {
                return None;
            }
            let entry = |r: usize, c: usize| seen.matrix(l + 1)[if columns { c * width + r } else { r * width + c }];
            let product = |r: usize| (0..output).map(|c| entry(r, c) * vector[c]).sum();
            let products: Vec<Interval> = (0..width).map(product).collect();
            Some(outer(&seen.masked(l, &products), seen.below(l)))
        })
    }

    /// .s6: Σ_i Backᵀ_i (Σ_j …) σ′ h summed pair by pair, against the same with l̂oss_i put together first.
    fn regrouped(&self) -> Evaluation {
        let (n, mut parts) = (self.count(), Vec::new());
        for l in 0..self.layers() {
            let (mut by_pair, mut together, mut size) = (Vec::new(), Vec::new(), 0.0);
            for i in 0..n {
                let seen = &self.seen[1][i];
                let term = |v: &[Interval]| outer(&left(seen, l, l + 1, v), seen.below(l));
                add(&mut together, &term(&self.loss_vectors[1][i]), 1.0);
                for j in (0..n).filter(|&j| j != i) {
                    for (from, to, sign) in [(j, i, 1.0), (i, j, -1.0)] {
                        let q = self.seen[0][from].output();
                        let vector = scaled(q, self.weights[from][to]);
                        let part = term(&vector);
                        size += largest_magnitude(&part);
                        add(&mut by_pair, &part, sign);
                    }
                }
            }
            parts.push((format!("layer {l}"), same_sums(&by_pair, &together, size)));
        }
        all_of(parts)
    }
}

/// Whether all points have the same activation pattern at all layers of the key network.
fn same_patterns(p: &EncoderPair) -> bool {
    let Ok([_, keys]) = p.activations() else { return false };
    let pattern = |seen: &EnclosedActivations| -> Vec<bool> {
        (0..seen.layers()).flat_map(|l| seen.pre_activations(l).iter().map(|x| x.lo() >= 0.0)).collect()
    };
    keys.windows(2).all(|pair| pattern(&pair[0]) == pattern(&pair[1]))
}

pub fn claim() -> Claim {
    Claim::new("wen2020.backprop-5.2", "gradient formulas", Kind::Identity)
        .statement(
            "∇_{W_l} L_S = (1/n) Σ_i D_{i,l} (Back_{i,l+1})ᵀ l̃oss_i h_{i,l−1}ᵀ and ∇_{θ_l} L_S likewise with l̂oss_i, \
             for 0 ≤ l ≤ L − 1; for l = L, (1/n) Σ_i l̃oss_i h_{i,L−1}ᵀ",
        )
        .source("Section 5.2, \"Gradient bounds\"", &["Appendix C.1", "(C.2)", "proof of Lemma C.4"])
        .symbols([
            POINTS, NEGATIVES, WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, KEY_NETWORK, RELU, HIDDEN, PATTERN,
            PRE_ACTIVATION, BACK, QUERY, KEY, DIFFERENCE, SHARE, LOSS,
        ])
        .symbol(
            "∇_{W_l}",
            "the matrix of the derivatives of L_S by the entries of W_l; in ∇_{θ_l} Back, D and h are those of the key \
             network; 0 ≤ l ≤ L − 1 where a check does not say which l",
        )
        .symbol("[W_L]^r", "column r of W_L; [W_L]_r is its row r")
        .symbol("l̃oss_i", "Σ_j P_ij z_ij, unless a check says otherwise")
        .symbol("l̂oss_i", "Σ_j (P_ji q_j − P_ij q_i), unless a check says otherwise")
        .remark("Back_l = W_L D_{L−1} W_{L−1} ⋯ D_l W_l, Back_L = W_L, Back_{L+1} = I.")
        .setting(printed())
}

fn printed() -> Setting<EncoderPair, ExactGradients> {
    let setting = Setting::measuring(|p: &EncoderPair, _| gradients(p))
        .given("both encoders have one shape, 1 ≤ k ≤ n − 1")
        .assume(Hypothesis::new("every pre-activation is at least 10⁻³ in size", |p| p.off_the_kinks(1e-3)))
        .family(families(4))
        .without_search();
    controls(steps(senses(setting)))
}

fn senses(setting: Setting<EncoderPair, ExactGradients>) -> Setting<EncoderPair, ExactGradients> {
    setting
        .sense(
            "printed",
            "∇_{W_l} = (1/n) Σ_i D_{i,l} Back_{i,l+1}ᵀ l̃oss_i h_{i,l−1}ᵀ for l < L, (1/n) Σ_i l̃oss_i h_{i,L−1}ᵀ for l \
             = L, and the same for θ with l̂oss_i; l̃oss_i = ∂L_S/∂q_i, l̂oss_i = ∂L_S/∂k_i",
            fails("the factor 1/n stands there twice"),
            |_, g| {
                let (query, key) = (g.derivatives(0), g.derivatives(1));
                g.printed([&query, &key])
            },
        )
        .sides("an entry of the printed right side", "that entry of the gradient")
        .because("l̃oss_i and l̂oss_i are defined as derivatives in Definition 4.1")
        .sense(
            "explicit",
            "∇_{W_l} = (1/n) Σ_i D_{i,l} Back_{i,l+1}ᵀ l̃oss_i h_{i,l−1}ᵀ for l < L, (1/n) Σ_i l̃oss_i h_{i,L−1}ᵀ for l \
             = L, and the same for θ with l̂oss_i; l̃oss_i = Σ_j P_ij z_ij, l̂oss_i = Σ_j (P_ji q_j − P_ij q_i)",
            holds(),
            |_, g| g.printed(g.explicit()),
        )
        .because(
            "Section 5.2 derives the formulas from Facts 1 and 2, and C.1 defines the same symbols by these \
             expressions",
        )
}

fn steps(setting: Setting<EncoderPair, ExactGradients>) -> Setting<EncoderPair, ExactGradients> {
    setting
        .step(
            "s1",
            "(b1), C.1: ∇_{W_l} = (1/n) Σ_i D Back_{i,l+1}ᵀ l̃oss_i h_{i,l+1}ᵀ, D = diag 1{W_l h_{i,l+1} ≥ 0}, l < L − \
             1",
            fails("two layers too high"),
            |_, g| g.hidden_above(),
        )
        .sides("an entry of the right side", "that entry of the gradient")
        .assume(Hypothesis::new("L ≥ 2", |p| p.layers() >= 2))
        .except("the right side does not exist, or has not the shape of the gradient")
        .step(
            "s2",
            "(b2), last line of (C.2): ∇_{θ_l} = (1/n) Σ_i D_{i,l} Back_{i,l}ᵀ l̂oss_i h_{i,l−1}ᵀ",
            fails("one factor W_l and D_l too many"),
            |_, g| g.back_below(),
        )
        .sides("an entry of the right side", "that entry of the gradient")
        .except("the right side does not exist, or has not the shape of the gradient")
        .step(
            "s3",
            "(b3), first line of (C.2): ∇_{θ_l} = (1/n) Σ_i Σ_{j≠i} (D_{j,l} Back_{i,l}ᵀ P_ij q_i h_{j,l−1}ᵀ − D_{i,l} \
             Back_{i,l}ᵀ P_ij q_i h_{i,l−1}ᵀ)",
            fails("one layer too low, and the matrix of the other point"),
            |_, g| g.by_pairs(0..g.layers(), |l| l, false),
        )
        .sides("an entry of the right side", "that entry of the gradient")
        .except("the right side does not exist, or has not the shape of the gradient")
        .step(
            "pairs-above",
            "(b3) one layer higher: ∇_{θ_l} = (1/n) Σ_i Σ_{j≠i} (D_{j,l} Back_{i,l+1}ᵀ P_ij q_i h_{j,l−1}ᵀ − D_{i,l} \
             Back_{i,l+1}ᵀ P_ij q_i h_{i,l−1}ᵀ), l < L − 1",
            fails("the term of point j needs its own back-propagation matrix"),
            |_, g| g.by_pairs(0..g.layers() - 1, |l| l + 1, false),
        )
        .sides("an entry of the right side", "that entry of the gradient")
        .assume(Hypothesis::new("L ≥ 2", |p| p.layers() >= 2))
        .except("the right side does not exist, or has not the shape of the gradient")
        .amendment(
            "pairs-last",
            "∇_{θ_l} = (1/n) Σ_i Σ_{j≠i} (D_{j,l} Back_{i,l+1}ᵀ P_ij q_i h_{j,l−1}ᵀ − D_{i,l} Back_{i,l+1}ᵀ P_ij q_i \
             h_{i,l−1}ᵀ) for l = L − 1",
            holds(),
            |_, g| g.by_pairs(g.layers() - 1..g.layers(), |l| l + 1, false),
        )
        .amendment(
            "pairs-same-pattern",
            "∇_{θ_l} = (1/n) Σ_i Σ_{j≠i} (D_{j,l} Back_{i,l+1}ᵀ P_ij q_i h_{j,l−1}ᵀ − D_{i,l} Back_{i,l+1}ᵀ P_ij q_i \
             h_{i,l−1}ᵀ) for all l < L",
            holds(),
            |_, g| g.by_pairs(0..g.layers(), |l| l + 1, false),
        )
        .assume(Hypothesis::new("all points have the same D_l at every layer of the key network", same_patterns))
        .step(
            "s4",
            "(b4): ∇_{θ_l} = (1/n) Σ_i Σ_{j≠i} (D_{j,l} Back_{j,l+1}ᵀ P_ij q_i h_{j,l−1}ᵀ − D_{i,l} Back_{i,l+1}ᵀ P_ij \
             q_i h_{i,l−1}ᵀ)",
            holds(),
            |_, g| g.by_pairs(0..g.layers(), |l| l + 1, true),
        )
        .step(
            "s5",
            "(b5), proof of Lemma C.4: row r of ∇_{W_{L−1}} is (1/n) Σ_i ⟨[W_L]_r, l̃oss_i⟩ σ′(⟨[W_{L−1}]_r, \
             h_{i,L−2}⟩) h_{i,L−2} with rows [W_L]_r, d = m; the same for θ with l̂oss_i",
            fails("the columns are meant"),
            |_, g| g.last_hidden(false),
        )
        .sides("an entry of the right side", "that entry of the gradient")
        .except("the right side does not exist, or has not the shape of the gradient")
        .amendment(
            "columns",
            "row r of ∇_{W_{L−1}} is (1/n) Σ_i ⟨[W_L]^r, l̃oss_i⟩ σ′(⟨[W_{L−1}]_r, h_{i,L−2}⟩) h_{i,L−2} with columns \
             [W_L]^r; the same for θ with l̂oss_i",
            holds(),
            |_, g| g.last_hidden(true),
        )
        .step(
            "s6",
            "second and third line of (C.2), with Back_{i,l+1}, D, Back and h of the key network and l̂oss_i of Fact 2: \
             Σ_i D_{i,l} Back_{i,l+1}ᵀ Σ_{j≠i} (P_ji q_j − P_ij q_i) h_{i,l−1}ᵀ = Σ_i D_{i,l} Back_{i,l+1}ᵀ l̂oss_i \
             h_{i,l−1}ᵀ",
            holds(),
            |_, g| g.regrouped(),
        )
        .not_evidence("both sides are one sum; the right one puts the terms of a point together first")
}

fn controls(setting: Setting<EncoderPair, ExactGradients>) -> Setting<EncoderPair, ExactGradients> {
    setting
        .control(
            "a",
            "∇_{W_l} = (1/n) Σ_i Back_{i,l+1}ᵀ l̃oss_i h_{i,l−1}ᵀ for l < L, D_{i,l} left out, and the same for θ with \
             l̂oss_i of Facts 1 and 2",
            |_, g| {
                g.compared(&[0, 1], 0..g.layers(), |side, l, i| {
                    let seen = &g.seen[side][i];
                    Some(outer(&seen.back(l + 1, &g.loss_vectors[side][i]), seen.below(l)))
                })
            },
        )
        .control(
            "b",
            "∇_{W_l} = (1/n) Σ_i D_{i,l} Back_{i,l+1}ᵀ l̃oss_i h_{i,l}ᵀ for l < L, h_l in place of h_{l−1}, and the \
             same for θ with l̂oss_i",
            |_, g| {
                g.compared(&[0, 1], 0..g.layers(), |side, l, i| {
                    let seen = &g.seen[side][i];
                    Some(outer(&left(seen, l, l + 1, &g.loss_vectors[side][i]), seen.below(l + 1)))
                })
            },
        )
        .except("the right side does not exist, or has not the shape of the gradient")
        .control(
            "c",
            "∇_{θ_l} = (1/n) Σ_i D_{i,l} Back_{i,l+1}ᵀ l̃oss_i h_{i,l−1}ᵀ for l < L, l̃oss_i of Fact 1 on the key side",
            |_, g| {
                g.compared(&[1], 0..g.layers(), |side, l, i| {
                    let seen = &g.seen[side][i];
                    Some(outer(&left(seen, l, l + 1, &g.loss_vectors[0][i]), seen.below(l)))
                })
            },
        )
}
