//! The toys: inequalities of a first course, each beside the error that was planted into it.

use enclosures::enclosure::{Enclosure, exact};
use evidence::claim::{
    Claim, Evaluation, Family, Kind, Setting, at_least, at_most, equal, fails, holds, less_than, random,
};
use evidence::instance::Instance;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Toy;

/// A list of real numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Numbers {
    x: Vec<f64>,
}

impl Numbers {
    fn at(&self, i: usize) -> Enclosure {
        exact(self.x.get(i).copied().unwrap_or(0.0))
    }

    fn sum_of(&self, f: impl Fn(Enclosure) -> Enclosure) -> Enclosure {
        self.x.iter().map(|&x| f(exact(x))).sum()
    }

    fn largest_of(&self, f: impl Fn(Enclosure) -> Enclosure) -> Enclosure {
        self.x.iter().map(|&x| f(exact(x))).fold(Enclosure::ZERO, Enclosure::max)
    }
}

impl Instance for Numbers {
    fn describe(&self) -> String {
        format!("x = {:?}", self.x)
    }

    fn simpler(&self) -> Vec<Self> {
        let without = |drop: usize| Numbers {
            x: self.x.iter().enumerate().filter(|(i, _)| *i != drop).map(|(_, &x)| x).collect(),
        };
        (0..self.x.len()).filter(|_| self.x.len() > 1).map(without).collect()
    }
}

/// A positive size.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Size {
    n: u32,
}

impl Instance for Size {
    fn describe(&self) -> String {
        format!("n = {}", self.n)
    }

    fn validate(&self) -> Result<(), String> {
        (1..=1000).contains(&self.n).then_some(()).ok_or_else(|| format!("n = {} is not in 1 to 1000", self.n))
    }

    fn simpler(&self) -> Vec<Self> {
        let sizes = [1, self.n / 2, self.n.saturating_sub(1)];
        sizes.into_iter().filter(|n| (1..self.n).contains(n)).map(|n| Size { n }).collect()
    }
}

/// One toy: its name and error, the setting without checks, and the two statements with what each compares.
fn toy<I: Instance>(
    (id, title, error): (&'static str, &'static str, &'static str),
    setting: Setting<I, ()>,
    (sound, test): (&'static str, impl Fn(&I) -> Evaluation + Send + Sync + 'static),
    (planted, planted_test): (&'static str, impl Fn(&I) -> Evaluation + Send + Sync + 'static),
    smallest: serde_json::Value,
) -> Toy {
    let setting = setting.part("true", sound, holds(), move |i, ()| test(i)).ours(
        "planted",
        planted,
        fails("planted"),
        move |i, ()| planted_test(i),
    );
    let claim = Claim::new(id, title, Kind::Inequality).statement(sound).source(title, &[]).setting(setting);
    Toy { claim, error, smallest }
}

fn numbers(family: Family<Numbers>) -> Setting<Numbers, ()> {
    Setting::of().family(family)
}

fn uniform(lo: f64, hi: f64, count: std::ops::RangeInclusive<usize>) -> Family<Numbers> {
    random("uniform", move || vec(lo..hi, count.clone()).prop_map(|x| Numbers { x }))
}

/// Whole numbers, so that equality is met and is exact.
fn lattice(count: usize) -> Family<Numbers> {
    random("whole numbers", move || {
        vec(-1i32..=1, count).prop_map(|x| Numbers { x: x.into_iter().map(f64::from).collect() })
    })
}

fn sizes() -> Setting<Size, ()> {
    Setting::of().family(random("sizes", || (1u32..=60).prop_map(|n| Size { n })))
}

fn size(s: &Size) -> Enclosure {
    s.n.into()
}

fn harmonic(s: &Size) -> Enclosure {
    (1..=s.n).map(|i| 1.0 / Enclosure::from(i)).sum()
}

/// All toys.
#[must_use]
pub fn toys() -> Vec<Toy> {
    let parabola = |n: &Numbers| n.at(0) * (1.0 - n.at(0));
    let hinge = |n: &Numbers| n.at(0).max(0);
    let one_norm = |n: &Numbers| n.sum_of(Enclosure::abs);
    let root_of_n = |n: &Numbers| Enclosure::from(n.x.len()).sqrt();
    let both = |n: &Numbers| (n.sum_of(|x| x).square(), Enclosure::from(n.x.len()) * n.sum_of(Enclosure::square));
    let outweighed = |n: &Numbers| at_least((n.at(0) + n.at(1)).abs(), n.at(0).abs());
    vec![
        toy(
            ("quality.constant", "the parabola x(1 − x)", "a constant wrong by 1 %"),
            numbers(uniform(0.0, 1.0, 1..=1)),
            ("x(1 − x) ≤ 0.25", move |n| at_most(parabola(n), exact(0.25))),
            ("x(1 − x) ≤ 0.2475", move |n| at_most(parabola(n), exact(0.2475))),
            json!({"x": [0.5]}),
        ),
        toy(
            ("quality.sides", "softplus and hinge", "the two sides swapped"),
            numbers(uniform(-6.0, 6.0, 1..=1)),
            ("log(1 + e^x) ≥ max(x, 0)", move |n| at_least(n.at(0).softplus(), hinge(n))),
            ("log(1 + e^x) ≤ max(x, 0)", move |n| at_most(n.at(0).softplus(), hinge(n))),
            json!({"x": [0.0]}),
        ),
        toy(
            ("quality.hypothesis", "a sum of two numbers of one sign", "a hypothesis dropped: xy ≥ 0"),
            numbers(random("a positive number and any", || {
                (0.1..4.0f64, -4.0..4.0f64).prop_map(|(x, y)| Numbers { x: vec![x, y] })
            })),
            ("|x + y| ≥ |x| if xy ≥ 0", move |n| {
                if (n.at(0) * n.at(1)).lo() >= 0.0 { outweighed(n) } else { evidence::claim::vacuous("xy < 0") }
            }),
            ("|x + y| ≥ |x|", outweighed),
            json!({"x": [1.0, -1.0]}),
        ),
        toy(
            ("quality.sum", "the sum of the first n numbers", "a sum that ends one too early"),
            sizes(),
            ("1 + … + n = n(n + 1)/2", |s| equal(size(s) * (size(s) + 1.0) / 2.0, (1..=s.n).sum::<u32>())),
            ("1 + … + (n − 1) = n(n + 1)/2", |s| equal(size(s) * (size(s) + 1.0) / 2.0, (1..s.n).sum::<u32>())),
            json!({"n": 1}),
        ),
        toy(
            ("quality.strict", "the square of a sum", "strict, where equality is attained"),
            numbers(lattice(2)),
            ("(Σ x)² ≤ n Σ x²", move |n| at_most(both(n).0, both(n).1)),
            ("(Σ x)² < n Σ x²", move |n| less_than(both(n).0, both(n).1)),
            json!({"x": [0.0]}),
        ),
        toy(
            ("quality.sign", "the exponential and its tangent", "a wrong sign"),
            numbers(uniform(-3.0, 3.0, 1..=1)),
            ("e^x ≥ 1 + x", |n| at_least(n.at(0).exp(), 1.0 + n.at(0))),
            ("e^x ≥ 1 − x", |n| at_least(n.at(0).exp(), 1.0 - n.at(0))),
            json!({"x": [-1.0]}),
        ),
        toy(
            ("quality.norm", "norms on ℝⁿ", "the maximum norm for the Euclidean one"),
            numbers(uniform(0.0, 1.0, 1..=4)),
            ("‖x‖₁ ≤ √n ‖x‖₂", move |n| {
                at_most(one_norm(n), root_of_n(n) * n.sum_of(Enclosure::square).sqrt())
            }),
            ("‖x‖₁ ≤ √n ‖x‖_∞", move |n| {
                at_most(one_norm(n), root_of_n(n) * n.largest_of(Enclosure::abs))
            }),
            json!({"x": [1.0, 1.0]}),
        ),
        toy(
            ("quality.term", "the harmonic numbers", "a term left out"),
            sizes(),
            ("H_n ≤ 1 + log n", |s| at_most(harmonic(s), 1.0 + size(s).ln())),
            ("H_n ≤ log n", |s| at_most(harmonic(s), size(s).ln())),
            json!({"n": 1}),
        ),
    ]
}
