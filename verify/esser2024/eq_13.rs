//! Equation (13): an activation with φ(0) = 0, φ′(0) = 1 and |φ″| ≤ c is within cs²/2 of the identity.
//!
//! *True* by Taylor's theorem, also if φ′ is only Lipschitz with constant c (ELU). Equality for the parabola s + cs²/2, so 1/2 is the
//! best factor. For odd φ a third derivative gives more: |tanh s − s| ≤ |s|³/3, |sin s − s| ≤ |s|³/6, |arctan s − s| ≤ |s|³/3. The footnote's version
//! (φ″ continuous at 0) is local: s + s³ obeys it near 0 only, with c a bound on |φ″| there.
//!
//! *Scaling.* φ/φ′(0) turns the slope into one if φ′(0) ≠ 0, and the linear network it is compared with is then φ′(0)u^I. If φ′(0) = 0 no
//! multiple of φ has slope one: with φ = s², |as² − s| ≥ s/2 for 0 < s ≤ 1/(2|a|), more than any cs²/2 near zero.

use contrastive::network::Activation;
use evidence::prelude::*;
use proptest::prelude::{Just, Strategy, prop_oneof};
use proptest::sample::select;
use serde::{Deserialize, Serialize};

const LIPSCHITZ: Hypothesis<Argument> =
    Hypothesis::new("φ′ has the Lipschitz constant c on ℝ", |p| p.curvature().is_some());
const LIPSCHITZ_IN_UNIT_INTERVAL: Hypothesis<Argument> =
    Hypothesis::new("φ′ has the Lipschitz constant c on [−1, 1]", |p| p.local_curvature().is_some());
const IN_UNIT_INTERVAL: Hypothesis<Argument> = Hypothesis::new("|s| ≤ 1", |p| p.s.abs() <= 1.0);
const TOUCHING: Hypothesis<Argument> = Hypothesis::new("φ(0) = 0, φ′(0) = 1", Argument::touches);

/// An activation and an argument.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "φ = {activation}, s = {s}", stored)]
struct Argument {
    activation: Activation,
    #[instance(range = "-1e3..=1e3")]
    s: f64,
}

impl Argument {
    fn touches(&self) -> bool {
        self.activation.touches_identity()
    }

    fn excess(&self) -> Enclosure {
        self.activation.excess_over(Interval::point(self.s)).abs().into()
    }

    fn square(&self) -> Enclosure {
        exact(self.s).square()
    }

    /// c, where φ′ is Lipschitz.
    fn curvature(&self) -> Option<Enclosure> {
        self.activation.curvature().map(Enclosure::from)
    }

    fn within(&self, factor: f64) -> Evaluation {
        match self.curvature() {
            Some(c) => at_most(self.excess(), c * self.square() * factor),
            None => Evaluation::Failed("φ″ is unbounded".into()),
        }
    }

    /// The supremum of |φ″| over |s| ≤ 1: that over ℝ where it is attained there.
    fn local_curvature(&self) -> Option<Enclosure> {
        let one = Enclosure::ONE;
        match self.activation {
            Activation::Sine => Some(Interval::ONE.sin().into()),
            Activation::Cubic => Some(6.0 * one),
            Activation::ExponentialMinusOne => Some(one.exp()),
            Activation::HyperbolicSine => Some((one.exp() - (-one).exp()) / 2.0),
            _ => self.curvature(),
        }
    }

    fn locally(&self) -> Evaluation {
        match self.local_curvature() {
            Some(c) => at_most(self.excess(), c * self.square() / 2.0),
            None => Evaluation::Failed("φ″ is unbounded near zero".into()),
        }
    }

    /// The supremum of |φ‴| for the odd activations.
    fn third(&self) -> Option<f64> {
        match self.activation {
            Activation::Tanh | Activation::Arctangent => Some(2.0),
            Activation::Sine => Some(1.0),
            _ => None,
        }
    }
}

const ACTIVATIONS: [Activation; 12] = [
    Activation::Identity,
    Activation::Tanh,
    Activation::Sine,
    Activation::Arctangent,
    Activation::Parabola(1.0),
    Activation::Parabola(-0.25),
    Activation::CentredSoftplus,
    Activation::Elu,
    Activation::Cubic,
    Activation::ExponentialMinusOne,
    Activation::HyperbolicSine,
    Activation::Relu,
];

/// A multiple a of φ = s² and a would-be constant c.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{a}·s² against s, c = {c}", stored)]
struct SquareMultiple {
    #[instance(range = "-1e6..=1e6")]
    a: f64,
    #[instance(range = "0..=1e6")]
    c: f64,
}

/// A slope p and the argument of ψ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "p = {slope}, {argument}", stored)]
struct Sloped {
    slope: f64,
    argument: Argument,
}

fn sloped() -> Vec<(String, Sloped)> {
    let of = |(slope, activation, s)| Sloped { slope, argument: Argument { activation, s } };
    let all = [
        (2.0, Activation::Tanh, 1.0),
        (-0.5, Activation::Parabola(1.0), -2.0),
        (0.0, Activation::Sine, 1.0),
        (100.0, Activation::CentredSoftplus, 0.125),
    ];
    described(all.map(of))
}

/// |φ(s) − s| and cs²/2 for φ = a·s² at s = 1/(2(|a| + c) + 1).
fn scaled_square(p: &SquareMultiple) -> [Enclosure; 2] {
    let s = 1.0 / (2.0 * (exact(p.a.abs()) + p.c) + 1.0);
    [(s.square() * p.a - s).abs(), s.square() * p.c / 2.0]
}

const TOUCHES: Hypothesis<Argument> = Hypothesis::new("φ(0) = 0, φ′(0) = 1", Argument::touches);

pub fn claim() -> Claim {
    Claim::new(
        "esser2024.eq-13",
        "second-order remainder of the activation",
        Kind::Inequality,
    )
    .statement("φ(0) = 0, φ′(0) = 1, |φ″| ≤ c ⇒ |φ(s) − s| ≤ cs²/2 for all s; with φ″ continuous at 0, the same near 0")
    .source("Equation (13)", &["the scaling remark and footnote 4 before it"])
    .symbol(
        "φ",
        "one of id (c = 0), tanh, sin, arctan, s + as²/2 (c = |a|), 2log((1+eˢ)/2), ELU (s for s ≥ 0, eˢ − 1 below), s \
         + s³, eˢ − 1, sinh, ReLU; besides, to miss what is assumed, s + 1, 1/(1+e^{−s}), 2s, s + s²sin(1/s)",
    )
    .symbol(
        "c",
        "the Lipschitz constant of φ′, which is sup|φ″|; over [−1, 1] it is 6 for s + s³, e for eˢ − 1, sinh 1 for \
         sinh",
    )
    .symbol("s", "any real number")
    .remark(
        "Sharp constants c: tanh 4/(3√3), sin 1, arctan 3√3/8, 2log((1+eˢ)/2) 1/2, ELU 1 (Lipschitz constant of φ′; φ″ \
         jumps at 0).",
    )
    .remark(
        "Scaling by 1/φ′(0) changes the network that Theorem 1 compares with: u^φ is then near φ′(0)u^I, not near u^I.",
    )
    .setting(printed())
    .setting(scaling())
    .setting(scaling_slope())
}

fn printed() -> Setting<Argument, ()> {
    Setting::of()
        .given("φ one of those that are named under φ")
        .family(edge("activations and arguments", || {
            let mut all = Vec::new();
            for activation in ACTIVATIONS {
                for s in [-50.0, -5.0, -1.0, -0.25, -1e-3, -1e-9, 0.0, 1e-9, 0.125, 0.5, 1.0, 2.0, 10.0, 50.0] {
                    all.push(Argument { activation, s });
                }
            }
            described(all)
        }))
        .family(random("any argument", || {
            let activation = prop_oneof![
                3 => select(ACTIVATIONS.to_vec()),
                1 => (-4.0..4.0f64).prop_map(Activation::Parabola),
            ];
            let s = prop_oneof![-1.0..1.0f64, -50.0..50.0f64, Just(0.0)];
            (activation, s).prop_map(|(activation, s)| Argument { activation, s })
        }))
        .family(outside("another value, slope or curvature at 0", || {
            let all = [Activation::Shifted, Activation::Sigmoid, Activation::Doubled, Activation::Oscillating];
            described(all.map(|activation| Argument { activation, s: 0.5 }))
        }))
        .part("printed", "|φ(s) − s| ≤ cs²/2", holds(), |p, ()| p.within(0.5))
        .checked("esser2024.Equation13.eq_13_printed")
        .assume(TOUCHES)
        .assume(LIPSCHITZ)
        .part(
            "footnote",
            "|φ(s) − s| ≤ cs²/2 for c = sup|φ″| over [−1, 1], the Lipschitz constant of φ′ there",
            holds(),
            |p, ()| p.locally(),
        )
        .checked("esser2024.Equation13.eq_13_footnote")
        .assume(TOUCHES)
        .assume(LIPSCHITZ_IN_UNIT_INTERVAL)
        .assume(IN_UNIT_INTERVAL)
        .ours(
            "footnote-everywhere",
            "|φ(s) − s| ≤ cs²/2 for c = sup|φ″| over [−1, 1], at every s",
            fails("s + s³ with c = 6, the bound on |φ″| over |s| ≤ 1"),
            |p, ()| p.locally(),
        )
        .assume(TOUCHES)
        .sides("|φ(s) − s|", "cs²/2")
        .assume(LIPSCHITZ_IN_UNIT_INTERVAL)
        .because("the footnote claims a neighbourhood only")
        .sharpening(
            "odd",
            "|φ(s) − s| ≤ sup|φ‴| |s|³/6, the supremum being 2 for tanh and arctan, 1 for sin",
            holds(),
            |p, ()| match p.third() {
                Some(third) => at_most(p.excess(), p.square() * p.s.abs() * third / 6.0),
                None => Evaluation::Failed("no bound of φ‴ is known".into()),
            },
        )
        .assume(Hypothesis::new("φ = tanh, sin or arctan", |p| p.third().is_some()))
        .control("a", "|φ(s) − s| ≤ cs²/4", |p, ()| p.within(0.25))
        .assume(TOUCHING)
        .assume(LIPSCHITZ)
        .control("b", "|φ(s) − s| ≤ cs²/2 with c = 1", |p, ()| at_most(p.excess(), p.square() / 2.0))
        .assume(Hypothesis::new("φ = ReLU", |p| p.activation == Activation::Relu))
}

fn scaling() -> Setting<SquareMultiple, ()> {
    Setting::<SquareMultiple, ()>::of()
        .degenerate("a = 0 or c = 0", |p| p.a == 0.0 || p.c == 0.0)
        .given("φ = s², so φ(0) = 0, φ′(0) = 0, φ″ = 2; a any number, c ≥ 0, each pair tried by itself")
        .family(edge("named", || {
            vec![("a = 0", SquareMultiple { a: 0.0, c: 1.0 }), ("a = 1, c = 100", SquareMultiple { a: 1.0, c: 100.0 })]
        }))
        .family(random("any", || (-100.0..100.0f64, 0.0..1000.0f64).prop_map(|(a, c)| SquareMultiple { a, c })))
        .ours(
            "scaling",
            "φ′(0) = 1 without loss of generality: some multiple aφ has |aφ(s) − s| ≤ cs²/2 for all s with some c, \
             also for φ = s²: at s = 1/(2(|a| + c) + 1)",
            fails("φ′(0) = 0 cannot be scaled to one"),
            |p, ()| {
                let [left, right] = scaled_square(p);
                at_most(left, right)
            },
        )
        .sides("|aφ(s) − s|", "cs²/2")
        .amendment(
            "no-multiple",
            "φ = s²: for every number a and every c ≥ 0, |aφ(s) − s| > cs²/2 at s = 1/(2(|a| + c) + 1)",
            holds(),
            |p, ()| {
                let [left, right] = scaled_square(p);
                greater_than(left, right)
            },
        )
}

fn scaling_slope() -> Setting<Sloped, ()> {
    Setting::of()
        .given("φ = p·ψ with ψ(0) = 0, ψ′(0) = 1, |ψ″| ≤ c")
        .assume(Hypothesis::new("p ≠ 0", |p: &Sloped| p.slope != 0.0))
        .family(edge("named", sloped))
        .without_search()
        .amendment(
            "scaling-slope",
            "|φ(s)/p − s| ≤ (c_φ/|p|)s²/2, c_φ = |p|c the constant of φ",
            holds(),
            |p, ()| {
                let scaled = exact(p.slope) * p.argument.excess() / exact(p.slope).abs();
                let constant = p.argument.curvature().unwrap_or(Enclosure::ZERO) * exact(p.slope).abs();
                at_most(scaled.abs(), constant / exact(p.slope).abs() * p.argument.square() / 2.0)
            },
        )
        .not_evidence("dividing by p undoes the multiplication by p")
}
