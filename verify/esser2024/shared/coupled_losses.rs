//! Losses of a linear model that couple its outputs: values, gradients by hand, and blocks of second derivatives.

use enclosures::interval::Dual;
use enclosures::vectors::{largest_magnitude, sum_of_products, sum_of_squares};
use evidence::prelude::*;
use linear_ssl::self_supervised::AnchoredSamples;
use serde::{Deserialize, Serialize};

use crate::shared::flows::without;
use crate::shared::gradient_models::gradient;

/// Anchors with one positive and at least one negative each, and Θ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, simpler = Self::with_fewer, stored)]
pub struct Coupled {
    #[instance(nested)]
    pub data: AnchoredSamples,
    #[instance(length = "z in 1..", range = "-30..=30")]
    pub map: Vec<Vec<f64>>,
}

impl Coupled {
    fn in_words(&self) -> String {
        let AnchoredSamples { anchors, positives, negatives } = &self.data;
        if anchors.len() * anchors[0].len() > 6 {
            return format!("{}, z = {}", self.data.describe(), self.map.len());
        }
        format!("x = {anchors:?}, x⁺ = {positives:?}, x⁻ = {negatives:?}, Θ = {:?}", self.map)
    }

    fn fits(&self) -> Result<(), String> {
        let d = self.data.anchors[0].len();
        let partners = self.data.positives.iter().chain(&self.data.negatives).flatten();
        if self.data.anchors.iter().chain(partners).flatten().any(|x| x.abs() > 30.0) {
            return Err("a coordinate beyond 30".into());
        }
        let one_each =
            self.data.positives.iter().all(|p| p.len() == 1) && self.data.negatives.iter().all(|m| !m.is_empty());
        if !one_each || self.map.iter().any(|r| r.len() != d) {
            return Err("not one positive and some negative for each anchor, or Θ not z×d".into());
        }
        Ok(())
    }

    fn with_fewer(&self) -> Vec<Self> {
        let (d, z) = (self.data.anchors[0].len(), self.map.len());
        let mut coordinate = 0;
        let mut all = Vec::new();
        for data in self.data.simpler() {
            let mut smaller = self.clone();
            if data.anchors[0].len() < d {
                smaller.map = self.map.iter().map(|r| without(r, coordinate)).collect();
                coordinate += 1;
            }
            smaller.data = data;
            all.push(smaller);
        }
        all.extend((0..z).filter(|_| z > 1).map(|l| Coupled { map: without(&self.map, l), ..self.clone() }));
        all
    }
}

/// The losses of the remark, and loss (1) averaged over the negatives for comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    InfoNce,
    Cosine,
    Spectral,
    Plain,
}

/// An anchor, the list of its one positive, and its negatives, as nested by two zips.
pub type Triple<'a> = ((&'a Vec<f64>, &'a Vec<Vec<f64>>), &'a Vec<Vec<f64>>);

pub type Parameters<'a> = &'a [Dual<8>];

/// No output vanishes, as the cosine loss needs.
pub const DIRECTIONS: &str = "‖u(x_i)‖² and ‖u(x_i⁺)‖² beyond 1e-3";

impl Coupled {
    pub fn d(&self) -> usize {
        self.data.anchors[0].len()
    }

    pub fn z(&self) -> usize {
        self.map.len()
    }

    pub fn image(&self, theta: Parameters<'_>, x: &[f64]) -> Vec<Dual<8>> {
        theta.chunks_exact(self.d()).map(|row| sum_of_products(row, x)).collect()
    }

    /// ∂L/∂θ_la by hand: every loss is a function of inner products u(x)ᵀu(y), and those have the gradient x u_l(y) + y u_l(x).
    pub fn slope(&self, objective: Objective, theta: Parameters<'_>, l: usize, a: usize) -> Dual<8> {
        let mut total = Dual::constant(0.0);
        let triples = self.data.anchors.iter().zip(&self.data.positives).zip(&self.data.negatives);
        for ((x, plus), minus) in triples {
            let (plus, own) = (&plus[0], self.image(theta, x));
            let towards = self.image(theta, plus);
            let along = |y: &[f64], image: &[Dual<8>]| image[l] * x[a] + own[l] * y[a];
            let pull = along(plus, &towards);
            let close = sum_of_products(&own, &towards);
            match objective {
                Objective::InfoNce => {
                    let far: Vec<Vec<Dual<8>>> = minus.iter().map(|m| self.image(theta, m)).collect();
                    let grown: Vec<Dual<8>> = far.iter().map(|m| (sum_of_products(&own, m) - close).exp()).collect();
                    let sum = grown.iter().copied().sum::<Dual<8>>() + 1.0;
                    for ((m, image), &weight) in minus.iter().zip(&far).zip(&grown) {
                        total = total + weight / sum * (along(m, image) - pull);
                    }
                }
                Objective::Cosine => {
                    let (u, v) = (sum_of_products(&own, &own), sum_of_products(&towards, &towards));
                    let norm = (u * v).sqrt();
                    let (own_slope, other_slope) = (own[l] * x[a], towards[l] * plus[a]);
                    total = total - (pull - close * (own_slope / u + other_slope / v)) / norm;
                }
                Objective::Spectral => {
                    total = total - pull * 2.0;
                    for m in minus {
                        let image = self.image(theta, m);
                        total = total + sum_of_products(&own, &image) * along(m, &image) * 2.0;
                    }
                }
                Objective::Plain => {
                    for m in minus {
                        total = total + (along(m, &self.image(theta, m)) - pull) / minus_count(minus);
                    }
                }
            }
        }
        total
    }

    /// L from its definition.
    pub fn value(&self, objective: Objective, theta: Parameters<'_>) -> Dual<8> {
        let triples = self.data.anchors.iter().zip(&self.data.positives).zip(&self.data.negatives);
        let term = |((x, plus), minus): Triple<'_>| {
            let (own, towards) = (self.image(theta, x), self.image(theta, &plus[0]));
            let close = sum_of_products(&own, &towards);
            let far: Vec<Dual<8>> = minus.iter().map(|m| sum_of_products(&own, &self.image(theta, m))).collect();
            match objective {
                Objective::InfoNce => far.iter().map(|&f| (f - close).exp()).sum::<Dual<8>>().ln_1p(),
                Objective::Cosine => {
                    -close / (sum_of_products(&own, &own) * sum_of_products(&towards, &towards)).sqrt()
                }
                Objective::Spectral => sum_of_squares(&far) - close * 2.0,
                Objective::Plain => (far.iter().copied().sum::<Dual<8>>() / minus_count(minus)) - close,
            }
        };
        triples.map(term).sum()
    }

    /// ∇L by hand.
    pub fn slopes(&self, objective: Objective) -> Vec<Interval> {
        let theta: Vec<Dual<8>> = self.map.concat().into_iter().map(Dual::from).collect();
        pairs(0..self.z(), 0..self.d()).map(|(l, a)| self.slope(objective, &theta, l, a).value).collect()
    }

    /// ∂²L/∂θ_la∂θ_jb for all a, b at a multiple of Θ, by forward differentiation of the gradient.
    pub fn block(&self, objective: Objective, (l, j): (usize, usize), multiple: f64) -> Vec<Interval> {
        let d = self.d();
        let theta: Vec<f64> = self.map.concat().into_iter().map(|t| multiple * t).collect();
        let row = |a: usize| gradient(&theta, |t| self.slope(objective, t, l, a))[j * d..(j + 1) * d].to_vec();
        (0..d).flat_map(row).collect()
    }

    /// What the products of pulls add up to in absolute value when no two of them cancel.
    pub fn size(&self) -> f64 {
        let norm = |x: &[f64]| x.iter().map(|t| t.abs()).sum::<f64>();
        let triples = self.data.anchors.iter().zip(&self.data.positives).zip(&self.data.negatives);
        let pulls = triples.map(|((x, plus), minus)| {
            norm(x) * (norm(&plus[0]) + minus.iter().map(|m| norm(m)).sum::<f64>()) * norm(&self.map.concat())
        });
        pulls.map(|p| p * p).sum()
    }

    /// See [`DIRECTIONS`].
    pub fn has_directions(&self) -> bool {
        let theta: Vec<Dual<8>> = self.map.concat().into_iter().map(Dual::from).collect();
        let points = self.data.anchors.iter().chain(self.data.positives.iter().flatten());
        let norm = |x: &Vec<f64>| self.image(&theta, x).iter().map(|u| u.value.square()).sum::<Interval>();
        points.into_iter().all(|x| norm(x).lo() > 1e-3)
    }
}

pub fn minus_count(minus: &[Vec<f64>]) -> f64 {
    minus.len() as f64
}

pub fn magnitude(block: &[Interval]) -> f64 {
    largest_magnitude(block)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECTIVES: [Objective; 4] = [Objective::InfoNce, Objective::Cosine, Objective::Spectral, Objective::Plain];

    fn in_the_plane() -> Coupled {
        Coupled {
            data: AnchoredSamples {
                anchors: vec![vec![1.0, 0.5], vec![-0.5, 2.0]],
                positives: vec![vec![vec![0.75, 1.0]], vec![vec![0.25, 1.5]]],
                negatives: vec![vec![vec![-1.0, 0.5], vec![0.5, -0.25]], vec![vec![1.0, -1.0]]],
            },
            map: vec![vec![0.5, -0.25], vec![1.0, 0.75]],
        }
    }

    #[test]
    fn one_triple_on_the_line_has_the_losses_by_hand() {
        // u = θ(x, x⁺, x⁻) = (½, 1, 3/2), uᵀu⁺ = ½, uᵀu⁻ = ¾.
        let triple = Coupled {
            data: AnchoredSamples {
                anchors: vec![vec![1.0]],
                positives: vec![vec![vec![2.0]]],
                negatives: vec![vec![vec![3.0]]],
            },
            map: vec![vec![0.5]],
        };
        let theta = [Dual::from(0.5)];
        let expected = [core_math::log1p(core_math::exp(0.25)), -1.0, 0.5625 - 1.0, 0.25];
        for (objective, value) in OBJECTIVES.into_iter().zip(expected) {
            let off = triple.value(objective, &theta).value - value;
            assert!(off.magnitude() < 1e-14, "{value}: {off:?}");
        }
    }

    #[test]
    fn sizes_and_directions_are_those_by_hand() {
        // |Θ| = 2.5 in all: (1.5(1.75 + 1.5 + 0.75)·2.5)² + (2.5(1.75 + 2)·2.5)².
        let (first, second) = (1.5 * 4.0 * 2.5, 2.5 * 3.75 * 2.5);
        assert!((in_the_plane().size() - (first * first + second * second)).abs() < 1e-12);
        assert!(in_the_plane().has_directions());
        // Θ turns (−½, 2) into 0, and x⁺ = (0.25, 1.5) into 0.375 or, at a hundredth, below the threshold of 0.0316.
        let blind = |factor: f64, anchor: f64| {
            let mut flat = in_the_plane();
            flat.map = vec![vec![factor * 4.0, factor]];
            flat.data.anchors[1] = vec![anchor, 2.0];
            flat.has_directions()
        };
        assert!(blind(1.0, -0.25) && !blind(1.0, -0.5) && !blind(0.01, -0.25));
    }

    /// The values know nothing of the gradients by hand.
    #[test]
    fn gradients_by_hand_are_the_derivatives_of_the_values() {
        let coupled = in_the_plane();
        for objective in OBJECTIVES {
            let found = coupled.slopes(objective);
            let expected = gradient(&coupled.map.concat(), |theta| coupled.value(objective, theta));
            assert_eq!((found.len(), expected.len()), (4, 4));
            for (f, e) in found.into_iter().zip(expected) {
                assert!((f - e).magnitude() < 1e-12, "{f:?} {e:?}");
                assert!(e.mignitude() > 1e-3, "a component that vanishes would show nothing");
            }
        }
    }

    #[test]
    fn second_derivatives_are_symmetric_and_differences_of_gradients() {
        let (coupled, d, step) = (in_the_plane(), 2, 1e-5);
        let moved = |by: f64| {
            let mut map: Vec<Vec<f64>> = coupled.map.iter().map(|r| r.iter().map(|t| 0.5 * t).collect()).collect();
            map[1][0] += by;
            Coupled { map, ..coupled.clone() }
        };
        for objective in OBJECTIVES {
            let block = coupled.block(objective, (0, 1), 0.5);
            let across = coupled.block(objective, (1, 0), 0.5);
            let (up, down) = (moved(step).slopes(objective), moved(-step).slopes(objective));
            for a in 0..d {
                for b in 0..d {
                    let off = block[a * d + b] - across[b * d + a];
                    assert!(off.magnitude() < 1e-10, "entry ({a}, {b})");
                }
                // ∂/∂θ_10 of the slope in θ_0a.
                let difference = (up[a].midpoint() - down[a].midpoint()) / (2.0 * step);
                assert!((block[a * d].midpoint() - difference).abs() < 1e-7, "{difference}");
            }
        }
    }
}
