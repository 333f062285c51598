//! The machine with one input and one output, whose path has a closed form.

use enclosures::interval::Dual;
use enclosures::vectors::{points, sum_of_products};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::flows::without;
use crate::shared::gradient_models::gradient;

/// One input and one output: the weights of both layers and C = −c.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, simpler = Self::with_fewer_units, stored)]
pub struct Scalar {
    #[instance(length = "h in 1..", range = "-1e6..=1e6")]
    pub first: Vec<f64>,
    #[instance(length = "h", range = "-1e6..=1e6")]
    pub second: Vec<f64>,
    #[instance(range = "0.01..=100", scale = "logarithmic")]
    pub pull: f64,
}

impl Scalar {
    fn in_words(&self) -> String {
        let (h, pull) = (self.first.len(), self.pull);
        if h > 6 {
            return format!("d = z = 1, C = −{pull}, h = {h}");
        }
        format!("d = z = 1, C = −{pull}, h = {h}, W₁ = {:?}, W₂ = {:?}", self.first, self.second)
    }

    fn with_fewer_units(&self) -> Vec<Self> {
        let h = self.first.len();
        let fewer =
            |k: usize| Scalar { first: without(&self.first, k), second: without(&self.second, k), pull: self.pull };
        (0..h).filter(|_| h > 1).map(fewer).collect()
    }
}

impl Scalar {
    pub fn width(&self) -> f64 {
        self.first.len() as f64
    }

    /// a, b and m.
    pub fn gram(&self) -> [Interval; 3] {
        let (first, second) = (points(&self.first), points(&self.second));
        [sum_of_products(&first, &first), sum_of_products(&second, &second), sum_of_products(&first, &second)]
            .map(|x| x / self.width())
    }

    /// p₀ = (a + b)/2 and γ = p₀² − m₀² = (a − b)²/4 + (ab − m₀²), never negative.
    fn invariants(&self) -> (Interval, Interval) {
        let [a, b, m] = self.gram();
        let gap = (a * b - m.square()).max(Interval::ZERO);
        ((a + b) * 0.5, ((a - b) * 0.5).square() + gap)
    }

    /// p and m at the time T − s, by the closed form, s as a dual number.
    fn solution(&self, before: Dual<1>) -> Option<(Dual<1>, Dual<1>)> {
        let (p, gamma) = self.invariants();
        let m = self.gram()[2];
        let sign = if m.lo() > 0.0 { 1.0 } else { -1.0 };
        if gamma == Interval::ZERO {
            // W₁ = ±W₂: p = |m| = 1/(4cs).
            let value = 1.0 / (before * (4.0 * self.pull));
            return (p.lo() > 0.0).then_some((value, value * sign));
        }
        if gamma.lo() < 1e-6 * p.hi() * p.hi() {
            return None;
        }
        let root = gamma.sqrt();
        let decay = (before * (-4.0 * self.pull) * root).exp();
        let fallen = 1.0 - decay * decay;
        Some(((1.0 + decay * decay) * root / fallen, decay * (2.0 * sign) * root / fallen))
    }

    /// T, at which the solution is infinite.
    fn blow_up(&self) -> Option<Interval> {
        let ((p, gamma), m) = (self.invariants(), self.gram()[2]);
        if m.contains(0.0) {
            return None;
        }
        if gamma == Interval::ZERO {
            return Some(Interval::ONE / (p * (4.0 * self.pull)));
        }
        let root = gamma.sqrt();
        (gamma.lo() > 1e-6 * p.hi() * p.hi()).then(|| ((p + root) / m.abs()).ln() / (root * (4.0 * self.pull)))
    }
}

/// Where the closed form is not evaluated.
pub const UNTOLD: &str = "m₀ = 0, where nothing moves, or 0 < γ < 1e-6 p₀², where the closed form loses its digits";

/// The kernel a + b at the time T − 1/(12cp₀) against its start.
pub fn far_from_start(s: &Scalar) -> Evaluation {
    let (p, _) = s.invariants();
    let before = Interval::ONE / (p * (12.0 * s.pull));
    match (s.blow_up(), s.solution(Dual::constant(before))) {
        (Some(_), Some((later, _))) => at_most((later.value - p) / p, 1),
        _ => vacuous(UNTOLD),
    }
}

/// The closed form starts at (p₀, m₀) and has the slopes p′ = 4cm², m′ = 4cpm.
pub fn closed_form(s: &Scalar) -> Evaluation {
    let (Some(total), (p, _), m) = (s.blow_up(), s.invariants(), s.gram()[2]) else {
        return vacuous(UNTOLD);
    };
    let Some(start) = s.solution(Dual::constant(total)) else {
        return vacuous(UNTOLD);
    };
    let mut parts =
        vec![("p(0)", equal(start.0.value, p)), ("m(0)", equal(start.1.value, m).on_scale_of("p₀", p.hi()))];
    for part in [0.75, 0.25] {
        // Time runs against s.
        let before = Dual { slopes: [-Interval::ONE], ..Dual::<1>::constant(total * part) };
        if let Some((p, m)) = s.solution(before) {
            let scale = (p.value.square() * s.pull).hi();
            parts.push((
                "p′",
                equal(p.slopes[0], m.value.square() * (4.0 * s.pull)).on_scale_of("4c(a + b)² or cp²", scale),
            ));
            parts.push((
                "m′",
                equal(m.slopes[0], p.value * m.value * (4.0 * s.pull)).on_scale_of("4c(a + b)² or cp²", scale),
            ));
        }
    }
    all_of(parts)
}

/// a′ = b′ = 4cm², m′ = 2cm(a + b) from the gradient of L = −c(W₁ᵀW₂)²/h in all weights.
pub fn closes(s: &Scalar) -> Evaluation {
    let (h, [a, b, m]) = (s.first.len(), s.gram());
    let weights = [&s.first[..], &s.second].concat();
    let slopes = gradient(&weights, |w| {
        let sum: Dual<8> = sum_of_products(&w[..h], &w[h..]);
        sum.square() * -s.pull / s.width()
    });
    let downhill: Vec<Interval> = slopes.into_iter().map(|g| -g).collect();
    let (first, second) = (points(&s.first), points(&s.second));
    let along = |w: &[Interval], v: &[Interval]| sum_of_products(w, v) / s.width();
    let (down1, down2) = downhill.split_at(h);
    let scale = ((a + b).square() * (4.0 * s.pull)).hi();
    let mixed = along(down1, &second) + along(&first, down2);
    all_of([
        ("a′", equal(along(&first, down1) * 2.0, m.square() * (4.0 * s.pull)).on_scale_of("4c(a + b)² or cp²", scale)),
        ("b′", equal(along(&second, down2) * 2.0, m.square() * (4.0 * s.pull)).on_scale_of("4c(a + b)² or cp²", scale)),
        ("m′", equal(mixed, m * (a + b) * (2.0 * s.pull)).on_scale_of("4c(a + b)² or cp²", scale)),
    ])
}
