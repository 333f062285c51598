//! Lemma 1 for the linear model and kernel machines: gradients of different outputs are orthogonal.
//!
//! True at every size; the "infinite width limit" of the lemma is not needed, these models have no width. u_l(x) = ⟨θ_l, ψ(x)⟩ has the
//! gradient e_l ψ(x)ᵀ, whatever Θ is. So the inner products are also the same at every Θ: they stay what they were under any training.

use std::fmt;

use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use linear_ssl::self_supervised::TripletData;
use proptest::collection::vec;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};

use crate::shared::flows::without;
use crate::shared::gradient_models::{Features, Model, gradient};
use crate::shared::hypotheses::{SMOOTH, is_smooth};
use crate::shared::kernel_machine::Kernel;
use crate::shared::linear_data::inner;
use crate::shared::model_families::{models_on_triplets, named_models_on_triplets};
use crate::shared::model_instances::ModelOn;
use crate::shared::notation::MODEL;

/// How ψ is had.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[serde(rename_all = "snake_case")]
#[instance(describe = Self::to_string, stored)]
enum Space {
    /// Written down.
    Explicit(Features),
    /// Factor of the Gram matrix of x and x′: ψ(x) = (√k(x,x), 0), ψ(x′) = (k(x,x′)/√k(x,x), √(k(x′,x′) − k(x,x′)²/k(x,x))).
    GramFactor(Kernel),
}

/// Two points, a feature space, and Θ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "{space}, x = {first:?}, x′ = {second:?}, Θ = {map:?}",
    valid = Self::fits,
    simpler = Self::with_fewer_outputs,
    stored
)]
struct Pair {
    space: Space,
    #[instance(length = "z in 1.., k in 1..", range = "-1e6..=1e6")]
    map: Vec<Vec<f64>>,
    #[instance(length = "d in 1..", range = "-1e6..=1e6")]
    first: Vec<f64>,
    #[instance(length = "d", range = "-1e6..=1e6")]
    second: Vec<f64>,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Space::Explicit(features) => features.fmt(f),
            Space::GramFactor(kernel) => kernel.fmt(f),
        }
    }
}

impl Pair {
    fn dimension(&self) -> usize {
        match &self.space {
            Space::Explicit(features) => features.count(self.first.len()),
            Space::GramFactor(_) => 2,
        }
    }

    /// ψ(x) and ψ(x′).
    fn features(&self) -> [Vec<Interval>; 2] {
        match &self.space {
            Space::Explicit(features) => [features.at(&self.first), features.at(&self.second)],
            Space::GramFactor(kernel) => {
                let at = |x: &[f64], y: &[f64]| kernel.at(x, y);
                let root = at(&self.first, &self.first).sqrt();
                let along = at(&self.first, &self.second) / root;
                // What is left of a positive semi-definite Gram matrix is not negative.
                let rest = (at(&self.second, &self.second) - along.square()).max(Interval::ZERO);
                [vec![root, Interval::ZERO], vec![along, rest.sqrt()]]
            }
        }
    }

    /// k(x, x′) without the features.
    fn kernel(&self) -> Interval {
        match &self.space {
            Space::Explicit(features) => features.kernel(&self.first, &self.second),
            Space::GramFactor(kernel) => kernel.at(&self.first, &self.second),
        }
    }

    fn is_linear(&self) -> bool {
        matches!(self.space, Space::Explicit(Features::Inputs) | Space::GramFactor(Kernel::Linear))
    }
}

impl Pair {
    fn fits(&self) -> Result<(), String> {
        let d = self.first.len();
        if let Space::Explicit(Features::Fourier { frequencies }) = &self.space
            && frequencies.iter().any(|f| f.len() != d)
        {
            return Err("a frequency of another dimension".into());
        }
        if let Space::GramFactor(kernel) = &self.space
            && kernel.at(&self.first, &self.first).lo() < 1e-6
        {
            return Err("k(x, x) is zero or nearly so".into());
        }
        let count = self.dimension();
        if count == 0 || self.map.iter().any(|row| row.len() != count) {
            return Err("ψ and Θ do not fit together".into());
        }
        Ok(())
    }

    fn with_fewer_outputs(&self) -> Vec<Self> {
        let z = self.map.len();
        let fewer = |l: usize| Pair { map: without(&self.map, l), ..self.clone() };
        (0..z).filter(|_| z > 1).map(fewer).collect()
    }
}

/// The gradients of all outputs at one point, by forward differentiation of Θ ↦ Θψ.
fn gradients(map: &[Vec<f64>], psi: &[Interval]) -> Vec<Vec<Interval>> {
    let of = |l: usize| {
        gradient(&map.concat(), |theta| {
            let row = &theta[l * psi.len()..(l + 1) * psi.len()];
            sum_of_products(row, psi)
        })
    };
    (0..map.len()).map(of).collect()
}

struct FeaturesSeen {
    psi: [Vec<Interval>; 2],
    first: Vec<Vec<Interval>>,
    second: Vec<Vec<Interval>>,
    /// ‖ψ(x)‖‖ψ(x′)‖, the scale of k(x, x′).
    size: f64,
}

fn look(p: &Pair) -> FeaturesSeen {
    let psi = p.features();
    let norm = |v: &[Interval]| sum_of_products(v, v).sqrt().hi();
    FeaturesSeen {
        first: gradients(&p.map, &psi[0]),
        second: gradients(&p.map, &psi[1]),
        size: norm(&psi[0]) * norm(&psi[1]),
        psi,
    }
}

/// Every inner product of gradients against δ_{lj} times `diagonal`.
fn table(s: &FeaturesSeen, diagonal: Interval) -> Evaluation {
    let z = s.first.len();
    all_of(pairs(0..z, 0..z).map(|(l, j)| {
        let right = if l == j { diagonal } else { Interval::ZERO };
        let found = sum_of_products(&s.first[l], &s.second[j]);
        (format!("l = {}, j = {}", l + 1, j + 1), equal(found, right).on_scale_of("‖ψ(x)‖‖ψ(x′)‖", s.size))
    }))
}

fn linear(map: &[&[f64]], first: &[f64], second: &[f64]) -> Pair {
    Pair {
        space: Space::Explicit(Features::Inputs),
        map: map.iter().map(|r| r.to_vec()).collect(),
        first: first.to_vec(),
        second: second.to_vec(),
    }
}

fn named_pairs() -> Vec<(&'static str, Pair)> {
    let identity: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0]];
    let with =
        |space: Space, map: &[&[f64]], first: &[f64], second: &[f64]| Pair { space, ..linear(map, first, second) };
    let gram = Space::GramFactor;
    let gaussian = |bandwidth| gram(Kernel::Gaussian { bandwidth });
    let waves = Space::Explicit(Features::Fourier { frequencies: vec![vec![1.0, 0.5], vec![-2.0, 3.0]] });
    let six: &[&[f64]] = &[&[1.0, 0.0, 2.0, -1.0, 0.5, 0.0], &[0.0, 1.0, 1.0, 1.0, 1.0, 1.0]];
    let four: &[&[f64]] = &[&[1.0, 0.0, 2.0, -1.0], &[0.0, 1.0, 1.0, 1.0]];
    vec![
        ("x = x′ = 1", linear(&[&[1.0]], &[1.0], &[1.0])),
        ("x = x′", linear(identity, &[1.0, 2.0], &[1.0, 2.0])),
        ("x ⟂ x′", linear(identity, &[1.0, 0.0], &[0.0, 1.0])),
        ("x = 0", linear(identity, &[0.0, 0.0], &[1.0, 1.0])),
        ("Θ = 0", linear(&[&[0.0, 0.0], &[0.0, 0.0]], &[1.0, 0.0], &[1.0, 1.0])),
        ("quadratic", with(Space::Explicit(Features::Quadratic), six, &[1.0, 2.0], &[-1.0, 0.5])),
        ("random features", with(waves, four, &[1.0, 2.0], &[-1.0, 0.5])),
        ("Gaussian", with(gaussian(1.0), identity, &[1.0, 2.0], &[0.5, 2.0])),
        ("Gaussian, x = x′", with(gaussian(1.0), identity, &[1.0, 2.0], &[1.0, 2.0])),
        ("narrow Gaussian", with(gaussian(0.1), identity, &[1.0, 0.0], &[0.0, 1.0])),
        ("wide Gaussian", with(gaussian(10.0), identity, &[1.0, 0.0], &[0.0, 1.0])),
        (
            "cubic without offset",
            with(gram(Kernel::Polynomial { degree: 3, offset: 0.0 }), identity, &[1.0, 1.0], &[1.0, -1.0]),
        ),
    ]
}

fn drawn_pairs() -> impl Strategy<Value = Pair> {
    let space = |d: usize| {
        prop_oneof![
            Just(Space::Explicit(Features::Inputs)),
            Just(Space::Explicit(Features::Quadratic)),
            vec(vec(-2.0..2.0f64, d), 1..=3usize)
                .prop_map(|frequencies| Space::Explicit(Features::Fourier { frequencies })),
            (0.1..10.0f64).prop_map(|bandwidth| Space::GramFactor(Kernel::Gaussian { bandwidth })),
            (1..=4u32, 0.1..2.0f64)
                .prop_map(|(degree, offset)| Space::GramFactor(Kernel::Polynomial { degree, offset })),
        ]
    };
    (1..=3usize).prop_flat_map(move |d| {
        let points = (vec(-2.0..2.0f64, d), vec(-2.0..2.0f64, d));
        (space(d), points, 1..=3usize).prop_flat_map(move |(space, (first, second), z)| {
            let blank = Pair { space, map: Vec::new(), first, second };
            vec(vec(-2.0..2.0f64, blank.dimension()), z).prop_map(move |map| Pair { map, ..blank.clone() })
        })
    })
}

/// ∇u_1(x) and ∇u_2(x′) of a two-layer network, x and x′ the first anchor and the point.
fn off_diagonal(i: &ModelOn<TripletData>) -> Evaluation {
    let (first, second) = (i.model.jacobian(&i.data.anchors[0]), i.model.jacobian(&i.point));
    match (&first[..], &second[..]) {
        ([u, ..], [_, v, ..]) => equal(sum_of_products(u, v), 0).on_unit_scale(),
        _ => vacuous("one output"),
    }
}

pub fn claim() -> Claim {
    Claim::new("esser2024.lemma-1a", "no interaction: linear model and kernel machine", Kind::Identity)
        .statement("⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ = δ_lj xᵀx′ for u(x) = Θx, and δ_lj k(x, x′) for u(x) = Θψ(x)")
        .speaks_also_of("kernels with infinitely many features")
        .source("Lemma 1", &["its first sentence; the infinite width limit is not needed"])
        .symbols([MODEL])
        .symbol("Θ", "a z×m matrix with rows θ_1, …, θ_z, m the number of features; ∇_Θ is the gradient in its entries")
        .symbol("ψ", "a feature map ℝ^d → ℝ^m, with the kernel k(x, x′) = ψ(x)ᵀψ(x′)")
        .symbol("x′", "another point of ℝ^d, or x itself")
        .symbol("δ_lj", "1 if l = j, 0 if not")
        .symbol("e_l", "the l-th unit vector of ℝ^z")
        .remark(
            "The lemma asks for infinite width, which these models do not have; checked as an identity at every size.",
        )
        .setting(printed())
        .setting(two_layers())
}

fn printed() -> Setting<Pair, FeaturesSeen> {
    Setting::measuring(|p: &Pair, _| Ok(look(p)))
        .given("u(x) = Θψ(x), Θ the only parameter, unconstrained")
        .given(
            "ψ written down (x itself, the features of (1 + xᵀx′)², random Fourier features), or a factor of the Gram \
             matrix of x and x′ with k(x, x) ≥ 1e-6, k linear, polynomial or Gaussian",
        )
        .family(edge("named", named_pairs))
        .family(random("feature maps, kernels and points", drawn_pairs))
        .part(
            "printed",
            "⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ = δ_lj k(x, x′) for all l and j, k the linear kernel included",
            holds(),
            |p, s| table(s, p.kernel()),
        )
        .checked("esser2024.KernelMachines.lemma_1a_printed")
        .part("linear", "⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ = δ_lj xᵀx′ for all l and j", holds(), |p, s| {
            table(s, inner(&p.first, &p.second))
        })
        .checked("esser2024.KernelMachines.lemma_1a_linear")
        .assume(Hypothesis::new("k(x, x′) = xᵀx′, u(x) = Θx", Pair::is_linear))
        .step("s1", "∇_Θu_l(x) = e_l ψ(x)ᵀ", holds(), |_, s| {
            let size = s.psi[0].iter().map(|x| x.magnitude()).sum::<f64>();
            all_of(s.first.iter().enumerate().flat_map(|(l, found)| {
                found.iter().enumerate().map(move |(p, &slope)| {
                    let (row, column) = (p / s.psi[0].len(), p % s.psi[0].len());
                    let right = if row == l { s.psi[0][column] } else { Interval::ZERO };
                    (format!("u_{}, parameter {}", l + 1, p + 1), equal(slope, right).on_scale_of("Σ|ψ(x)_a|", size))
                })
            }))
        })
        .checked("esser2024.KernelMachines.lemma_1a_s1")
        .sharpening(
            "any-parameters",
            "the inner products ⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ are the same at Θ and at the parameters Θ_ab² + 1: no training \
             changes them, at any size",
            holds(),
            |p, s| {
                let moved: Vec<Vec<f64>> = p.map.iter().map(|r| r.iter().map(|x| x * x + 1.0).collect()).collect();
                let there = FeaturesSeen {
                    first: gradients(&moved, &s.psi[0]),
                    second: gradients(&moved, &s.psi[1]),
                    psi: s.psi.clone(),
                    size: s.size,
                };
                let z = p.map.len();
                all_of((0..z * z).map(|k| {
                    let (l, j) = (k / z, k % z);
                    let (here, moved) = (
                        sum_of_products(&s.first[l], &s.second[j]),
                        sum_of_products(&there.first[l], &there.second[j]),
                    );
                    (format!("l = {}, j = {}", l + 1, j + 1), equal(here, moved).on_scale_of("‖ψ(x)‖‖ψ(x′)‖", s.size))
                }))
            },
        )
        .checked("esser2024.KernelMachines.lemma_1a_any_parameters")
        .control("b", "⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ = 2δ_lj k(x, x′)", |p, s| table(s, p.kernel() * 2.0))
}

fn two_layers() -> Setting<ModelOn<TripletData>, ()> {
    Setting::of()
        .assume(Hypothesis::new("a two-layer network", |i: &ModelOn<TripletData>| {
            matches!(i.model, Model::TwoLayer { .. })
        }))
        .assume(Hypothesis::new("z ≥ 2", |i| i.model.output_count() >= 2))
        .assume(Hypothesis::new(SMOOTH, is_smooth))
        .family(edge("named", named_models_on_triplets))
        .family(random("models, data and points", models_on_triplets).taking(0.25))
        .without_search()
        .control(
            "a",
            "two layers u = W₂ᵀφ(W₁x) of finite width: ⟨∇_Θu_1(x), ∇_Θu_2(x′)⟩ = 0, ∇_Θ in W₁ and W₂",
            |i, ()| off_diagonal(i),
        )
}
