//! After Theorem 3: the expectation of C.
//!
//! With x⁻ independent of x and x⁺ = x + ε, E[C̃] = n(E[x]E[x]ᵀ − E[xxᵀ]) = −n Cov(x): the first printed equality is right, the second
//! drops E[x]E[x⁻]ᵀ and needs E[x] = 0. Hence E[C] = −(n/2)E[(x−x′)(x−x′)ᵀ] is negative semidefinite, and definite exactly if x lies in no
//! affine hyperplane: for a constant x it is zero. The noise drops out. The variant in the proof of Proposition 3, −E[xxᵀ], also lacks n.
//! For the non-contrastive loss (sign of eq-7nc corrected) −nE[xxᵀ] is right, without any centring.

mod augmented_law;
mod drawn_matrices;

use enclosures::linear_algebra::{IntervalMatrix, symmetric_eigenvalues};
use evidence::prelude::*;
use linear_ssl::self_supervised::{SelfSupervisedError, TripletData};
use proptest::collection::vec;
use proptest::strategy::Strategy;

use crate::shared::orthonormal_network::entries_agree;
use augmented_law::{Law, zero};
use drawn_matrices::{Averages, NormalData, averages, definite, half_moons, named as normal_data};

struct Moments {
    /// E[C̃] of the contrastive and of the non-contrastive loss, by enumeration.
    contrastive: IntervalMatrix,
    attracting: IntervalMatrix,
    /// E[xxᵀ], E[x]E[x]ᵀ and ½E[(x−x′)(x−x′)ᵀ].
    second: IntervalMatrix,
    mean: IntervalMatrix,
    spread: IntervalMatrix,
    n: f64,
    scale: f64,
}

impl Moments {
    fn of(law: &Law) -> Result<Self, SelfSupervisedError> {
        let n = law.anchors as f64;
        let m = law.points.len();
        let pair = |a: usize, b: usize| -> Interval {
            let one = |i: usize, k: usize| {
                let off = |c: usize| Interval::point(law.points[i][c]) - law.points[k][c];
                law.probability(i) * law.probability(k) * off(a) * off(b) * 0.5
            };
            pairs(0..m, 0..m).map(|(i, k)| one(i, k)).sum()
        };
        let second = law.moment(|x, a, b| Interval::point(x[a]) * x[b])?;
        Ok(Moments {
            contrastive: law.expectation(TripletData::contrastive_matrix)?.scaled(n),
            attracting: law.expectation(TripletData::non_contrastive_matrix)?.scaled(n),
            mean: law.mean_square()?,
            spread: IntervalMatrix::from_fn(law.d(), law.d(), pair)?,
            scale: n * (2.0 * second.trace()?.hi() + law.noise),
            second,
            n,
        })
    }

    /// E[C̃] is this.
    fn is(&self, right: &IntervalMatrix) -> Evaluation {
        entries_agree(&self.contrastive, right, self.scale)
    }

    fn highest(&self) -> Result<Interval, SelfSupervisedError> {
        let spectrum = symmetric_eigenvalues(&self.contrastive.symmetric_part()?)?;
        Ok(spectrum.last().copied().unwrap_or(Interval::ENTIRE))
    }
}

/// Why definiteness cannot be told.
const HIDDEN: &str = "rounding hides whether the points span the space";

fn tried(f: impl FnOnce() -> Result<Evaluation, SelfSupervisedError>) -> Evaluation {
    f().into()
}

/// E[C̃] given the data, x⁻ a uniform row of it with or without the anchor itself, against −factor · n · (empirical covariance).
fn given_data(law: &Law, with_itself: bool) -> Result<Evaluation, SelfSupervisedError> {
    let (m, d) = (law.points.len(), law.d());
    let count = m as f64;
    let mut total = zero(d)?;
    for i in 0..m {
        for k in (0..m).filter(|&k| with_itself || k != i) {
            let triple = TripletData {
                anchors: vec![law.points[i].clone()],
                positives: vec![law.points[i].clone()],
                negatives: vec![law.points[k].clone()],
            };
            let chance = Interval::ONE / if with_itself { count } else { count - 1.0 };
            total = total.plus(&triple.contrastive_matrix()?.scaled(chance))?;
        }
    }
    let uniform = Law { weights: vec![1.0; m], anchors: 1, noise: 0.0, ..law.clone() };
    let moments = Moments::of(&uniform)?;
    let factor = if with_itself { Interval::point(count) } else { Interval::point(count).square() / (count - 1.0) };
    Ok(entries_agree(&total, &moments.spread.scaled(-factor), moments.scale * count * 2.0))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.exp-c", "the expectation of C", Kind::Identity)
        .statement(
            "x_i i.i.d., x_i⁻ an independent draw, x_i⁺ = x_i + ε, ε ~ N(0,σI): E[C̃] = Σ_i E[x_i]E[x_i⁻]ᵀ − \
             E[x_ix_i⁺ᵀ] = −nE[xxᵀ], so E[C] is negative definite",
        )
        .source("the display after Theorem 3", &["the end of the proof of Proposition 3, without the factor n"])
        .symbol("C̃", "Σ_i x_i(x_i⁻ − x_i⁺)ᵀ, i = 1, …, n; C = (C̃ + C̃ᵀ)/2")
        .symbol("Cov", "E[xxᵀ] − E[x]E[x]ᵀ")
        .symbol("x′", "an independent copy of x")
        .symbol("empirical covariance", "n^{−1}Σ_k(x_k − x̄)(x_k − x̄)ᵀ, k = 1, …, n, x̄ the mean of the n data points")
        .symbol("standard errors", "of each entry, from the deviation of the draws")
        .remark(
            "Distributions of finite support, enumerated; only E[ε] = 0 matters, so ε takes 2d values with covariance \
             σI. E[C̃] involves first and second moments only, hence the same formula for every law that has them.",
        )
        .remark(
            "The sample itself is another matter: C has at most n negative eigenvalues (eq-7), so for n < d it is \
             never negative definite.",
        )
        .setting(first_equality())
        .setting(other_row())
        .setting(drawn_entries())
        .series("definite", "how often C itself is negative definite: x ~ N(0, I), ε of variance 0.1", definite)
}

fn first_equality() -> Setting<Law, Moments> {
    Setting::measuring(|law: &Law, _| Ok(Moments::of(law)?))
        .given(
            "x_i distributed like x, of finite support, x_i⁻ an independent copy of x_i, x_i⁺ = x_i + ε, ε independent \
             with mean 0 and covariance σI, σ ≥ 0; i = 1, …, n",
        )
        .degenerate("x constant", |law| law.points.iter().all(|p| *p == law.points[0]))
        .family(edge("named", named))
        .family(random("finite supports", drawn))
        .without_search()
        .part("first-equality", "E[C̃] = n(E[x]E[x]ᵀ − E[xxᵀ]): the noise drops out", holds(), |_, m| {
            tried(|| Ok(m.is(&m.mean.minus(&m.second)?.scaled(m.n))))
        })
        .checked("esser2024.ExpectedC.exp_c_first_equality")
        .part(
            "second-equality",
            "E[C̃] = −nE[xxᵀ]",
            fails("the term E[x]E[x⁻]ᵀ is dropped: E[C̃] = −n Cov(x)"),
            |_, m| m.is(&m.second.scaled(-m.n)),
        )
        .checked("esser2024.ExpectedC.exp_c_second_equality_refuted")
        .sides("an entry of E[C̃]", "that entry of −nE[xxᵀ]")
        .part(
            "definite",
            "E[C] is negative definite",
            fails("it is −n Cov(x): zero on directions in which x does not vary"),
            |_, m| tried(|| Ok(less_than(m.highest()?, 0).on_scale_of("n(2E‖x‖² + σ)", m.scale))),
        )
        .checked("esser2024.ExpectedC.exp_c_definite_refuted")
        .sides("the largest eigenvalue of E[C]", "0")
        .part("proposition-3", "E[C] = −E[xxᵀ]", fails("neither the factor n nor the mean is there"), |_, m| {
            m.is(&m.second.scaled(-1.0))
        })
        .checked("esser2024.ExpectedC.exp_c_proposition_3_refuted")
        .sides("an entry of E[C]", "that entry of −E[xxᵀ]")
        .because("so printed at the end of the proof of Proposition 3")
        .amendment("covariance", "E[C̃] = −(n/2)E[(x−x′)(x−x′)ᵀ] = −n Cov(x)", holds(), |_, m| {
            m.is(&m.spread.scaled(-m.n))
        })
        .checked("esser2024.ExpectedC.exp_c_covariance")
        .amendment(
            "excess",
            "E[C̃] + nE[xxᵀ] = nE[x]E[x]ᵀ: the second equality needs E[x] = 0",
            holds(),
            |_, m| {
                tried(|| Ok(entries_agree(&m.contrastive.plus(&m.second.scaled(m.n))?, &m.mean.scaled(m.n), m.scale)))
            },
        )
        .checked("esser2024.ExpectedC.exp_c_excess")
        .amendment("semidefinite", "E[C] is negative semidefinite", holds(), |_, m| {
            tried(|| Ok(at_most(m.highest()?, 0).on_scale_of("n(2E‖x‖² + σ)", m.scale)))
        })
        .checked("esser2024.ExpectedC.exp_c_semidefinite")
        .amendment(
            "definite-iff",
            "E[C] is negative definite exactly if x lies in no affine hyperplane",
            holds(),
            |law, m| {
                tried(|| {
                    Ok(match law.spans() {
                        Some(true) => less_than(m.highest()?, 0).on_scale_of("n(2E‖x‖² + σ)", m.scale),
                        Some(false) => equal(m.highest()?, 0).on_scale_of("n(2E‖x‖² + σ)", m.scale),
                        None => vacuous(HIDDEN),
                    })
                })
            },
        )
        .checked("esser2024.ExpectedC.exp_c_definite_iff")
        .except(HIDDEN)
        .sharpening(
            "non-contrastive",
            "for the non-contrastive loss −Σ_i u(x_i)ᵀu(x_i⁺), C̃ = −Σ_i x_i x_i⁺ᵀ: E[C̃] = −nE[xxᵀ]",
            holds(),
            |_, m| entries_agree(&m.attracting, &m.second.scaled(-m.n), m.scale),
        )
        .checked("esser2024.ExpectedC.exp_c_non_contrastive")
        .control("a", "E[C̃] = nE[xxᵀ]", |_, m| m.is(&m.second.scaled(m.n)))
        .control("b", "E[C̃] = −n(E[xxᵀ] + σI)", |law, m| {
            tried(|| {
                let noise = IntervalMatrix::identity(law.d())?.scaled(law.noise);
                Ok(m.is(&m.second.plus(&noise)?.scaled(-m.n)))
            })
        })
}

fn other_row() -> Setting<Law, ()> {
    Setting::of()
        .given("the data X are the n points x_i, each once; x_i⁺ = x_i")
        .assume(Hypothesis::new("at least two points", |law: &Law| law.points.len() > 1))
        .family(edge("named", named))
        .family(random("finite supports", drawn).taking(0.5))
        .without_search()
        .sharpening(
            "row",
            "each x_i⁻ a uniform row of the data: E[C̃ | X] = −n times the empirical covariance",
            holds(),
            |law, ()| given_data(law, true).into(),
        )
        .sharpening(
            "other-row",
            "each x_i⁻ a uniform one of the n − 1 other rows: E[C̃ | X] = −n²/(n−1) times the empirical covariance",
            holds(),
            |law, ()| given_data(law, false).into(),
        )
}

fn drawn_entries() -> Setting<NormalData, Averages> {
    Setting::measuring(averages)
        .given(
            "x_i and x_i⁻ independent, distributed like x, normal with independent coordinates, x_i⁺ = x_i + ε, ε ~ \
             N(0, σI), i = 1, …, n; 4000 draws (at least 400 at a smaller budget)",
        )
        .family(edge("normal data", normal_data))
        .without_search()
        .amendment(
            "drawn",
            "every entry of the average of draws of C̃ is that of −n Cov(x), within 6 standard errors and 1e-9",
            holds(),
            |data, a| a.agree(data, 0.0),
        )
        .sides("the distance of an entry from that of −n Cov(x)", "6 standard errors + 1e-9")
        .control(
            "drawn-printed",
            "every entry of the average of draws of C̃ is that of −nE[xxᵀ], within 6 standard errors and 1e-9",
            |data, a| a.agree(data, 1.0),
        )
        .sides("the distance of an entry from that of −nE[xxᵀ]", "6 standard errors + 1e-9")
}

fn named() -> Vec<(&'static str, Law)> {
    let of = |anchors, noise, points: &[&[f64]], weights: &[f64]| Law {
        anchors,
        noise,
        points: points.iter().map(|p| p.to_vec()).collect(),
        weights: weights.to_vec(),
    };
    let moons = Law { anchors: 10, noise: 0.25, points: half_moons(8), weights: vec![1.0; 16] };
    vec![
        ("x = ±1", of(1, 0.0, &[&[1.0], &[-1.0]], &[1.0, 1.0])),
        ("x = ±1, σ = 1", of(1, 1.0, &[&[1.0], &[-1.0]], &[1.0, 1.0])),
        ("x = ±1, n = 10", of(10, 1.0, &[&[1.0], &[-1.0]], &[1.0, 1.0])),
        ("x = 1", of(1, 0.0, &[&[1.0]], &[1.0])),
        ("x = 0", of(2, 1.0, &[&[0.0, 0.0]], &[1.0])),
        ("x = 0 or 1", of(2, 1.0, &[&[0.0], &[1.0]], &[1.0, 1.0])),
        ("uneven weights", of(2, 0.0, &[&[0.0, 1.0], &[1.0, 0.0], &[1.0, 1.0]], &[1.0, 2.0, 5.0])),
        ("x = (±1, 0)", of(1, 0.0, &[&[1.0, 0.0], &[-1.0, 0.0]], &[1.0, 1.0])),
        ("centred, on a line", of(1, 1.0, &[&[1.0, 2.0], &[-1.0, -2.0]], &[1.0, 1.0])),
        ("on a line off the origin", of(1, 0.0, &[&[1.0, 0.0], &[1.0, 1.0], &[1.0, 3.0]], &[1.0, 1.0, 1.0])),
        ("corners of a square", of(10, 1.0, &[&[1.0, 1.0], &[1.0, -1.0], &[-1.0, 1.0], &[-1.0, -1.0]], &[1.0; 4])),
        ("in a plane of ℝ³", of(2, 0.5, &[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0], &[0.0, 0.0, 1.0]], &[1.0; 3])),
        ("half moons", moons),
    ]
}

fn drawn() -> impl Strategy<Value = Law> {
    (1usize..=3, 1usize..=5, 0usize..4, 0.0..2.0f64).prop_flat_map(|(d, m, n, noise)| {
        (vec(vec(-2.0..2.0f64, d), m), vec(0.1..2.0f64, m)).prop_map(move |(points, weights)| Law {
            anchors: [1, 2, 10, 100][n],
            noise,
            points,
            weights,
        })
    })
}
