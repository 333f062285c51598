//! Assumption 2: the norms of all outputs stay strictly between η > 0 and C < ∞ at every training step.
//!
//! A definition, met with some η and C by every finite run none of whose outputs vanishes (η = half the smallest norm, C
//! = twice the largest). Whether η and C are fixed before training it does not say. Fixed beforehand they limit what
//! training can reach: outputs in the ball have ℓ(z_i) ≥ ζ(−2C²), so L̂_un ≥ nζ(−2C²) at every step, and an
//! accuracy ε needs C² ≥ ½ log(1/(e^{ε/n} − 1)), which grows like ½ log(n/ε). No C fixed before ε serves all ε.

use contrastive::Triplet;
use contrastive::network::NormRange;
use enclosures::interval;
use evidence::claim::none_of;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use crate::shared::families::log_uniform;
use crate::shared::notation::{EMPIRICAL_LOSS, LOGARITHM, NORM, OUTPUT_TRIPLE, SOFTPLUS, TRIPLET_LOSS};
use crate::shared::window::{Window, windows};

/// Where doubles cannot tell.
const CLOSE: &str = "an output's norm agrees with a bound to all digits";

/// The outputs on all inputs at every step, with η and C.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, simpler = Self::smaller, stored)]
struct Trajectory {
    /// η.
    #[instance(range = "(0, ∞)")]
    floor: f64,
    /// C.
    #[instance(range = "(0, 1e9]")]
    cap: f64,
    /// For every step the outputs, triplet by triplet: anchor, positive, negative, anchor, ….
    #[instance(range = "-1e6..=1e6")]
    steps: Vec<Vec<Vec<f64>>>,
}

impl Trajectory {
    fn in_words(&self) -> String {
        let (steps, outputs) = (self.steps.len(), self.steps.first().map_or(0, Vec::len));
        let size = format!("η = {}, C = {}, {steps} steps of {outputs} outputs", self.floor, self.cap);
        let shown = steps * outputs * self.dimension() <= 12;
        if shown { format!("{size}: {:?}", self.steps) } else { format!("{size} in dimension {}", self.dimension()) }
    }

    fn fits(&self) -> Result<(), String> {
        let (d, count) = (self.dimension(), self.steps.first().map_or(0, Vec::len));
        let whole = |step: &Vec<Vec<f64>>| step.len() == count && step.iter().all(|z| z.len() == d);
        if d == 0 || count == 0 || !count.is_multiple_of(3) || !self.steps.iter().all(whole) {
            return Err("every step has the same triplets of outputs of one dimension".into());
        }
        let ordered = self.floor < self.cap;
        ordered.then_some(()).ok_or_else(|| "η < C".into())
    }

    fn smaller(&self) -> Vec<Self> {
        let with = |steps| Trajectory { steps, ..*self };
        let alone = self.steps.iter().filter(|_| self.steps.len() > 1).map(|step| with(vec![step.clone()]));
        let first = self.steps.iter().map(|step| step[..3.min(step.len())].to_vec()).collect::<Vec<_>>();
        let fewer = (self.steps.first().map_or(0, Vec::len) > 3).then(|| with(first));
        alone.chain(fewer).collect()
    }
}

impl Trajectory {
    fn dimension(&self) -> usize {
        self.steps.iter().flatten().next().map_or(0, Vec::len)
    }

    /// ‖f(x)‖ for every input, at the steps chosen.
    fn norms<'a>(&'a self, steps: &'a [Vec<Vec<f64>>]) -> impl Iterator<Item = Enclosure> + 'a {
        steps.iter().flatten().map(|z| Enclosure::from(interval::dot(z, z)).max(0).sqrt())
    }

    /// min over the steps chosen of min(‖f(x)‖ − η, C − ‖f(x)‖): positive if and only if the definition is met there.
    fn room(&self, steps: &[Vec<Vec<f64>>]) -> Enclosure {
        let each = self.norms(steps).map(|norm| (norm - self.floor).min(self.cap - norm));
        each.reduce(Enclosure::min).unwrap_or_else(|| exact(f64::INFINITY))
    }

    /// L̂_un of one step.
    fn loss(step: &[Vec<f64>]) -> Result<Enclosure, MeasureError> {
        let triplet = |z: &[Vec<f64>]| Triplet::new(z[0].clone(), z[1].clone(), z[2].clone());
        let losses: Result<Vec<_>, _> = step.chunks_exact(3).map(|z| triplet(z).map(|z| z.loss())).collect();
        Ok(losses?.into_iter().sum())
    }
}

struct MeasuredNorms {
    range: NormRange,
    room: Enclosure,
    /// The smallest and the largest ‖f(x)‖.
    smallest: Enclosure,
    largest: Enclosure,
    /// The smallest L̂_un over the steps, and nζ(−2C*²) with C* the largest norm.
    least_loss: Enclosure,
    floor_of_loss: Enclosure,
}

fn measure(t: &Trajectory) -> Result<MeasuredNorms, MeasureError> {
    let mut range = NormRange::default();
    for step in &t.steps {
        range.record(&step.concat(), t.dimension())?;
    }
    let losses: Vec<Enclosure> = t.steps.iter().map(|step| Trajectory::loss(step)).collect::<Result<_, _>>()?;
    let largest = t.norms(&t.steps).fold(Enclosure::ZERO, Enclosure::max);
    let triplets = Enclosure::from(t.steps.first().map_or(0, Vec::len) / 3);
    Ok(MeasuredNorms {
        range,
        room: t.room(&t.steps),
        smallest: t.norms(&t.steps).reduce(Enclosure::min).unwrap_or(Enclosure::ZERO),
        largest,
        least_loss: losses.into_iter().reduce(Enclosure::min).ok_or("there is no step")?,
        floor_of_loss: triplets * (-2.0 * largest.square()).softplus(),
    })
}

/// The predicate's answer against the sign of what has to be positive.
fn agrees(answer: Option<bool>, room: Enclosure) -> Evaluation {
    match answer {
        Some(true) => greater_than(room, 0),
        Some(false) => at_most(room, 0),
        None => vacuous(CLOSE),
    }
}

fn named() -> Vec<(String, Trajectory)> {
    let mut list = Vec::new();
    let mut add = |name: &str, floor: f64, cap: f64, steps: Vec<Vec<Vec<f64>>>| {
        list.push((name.to_owned(), Trajectory { floor, cap, steps }));
    };
    let plane = |a: [f64; 2], p: [f64; 2], n: [f64; 2]| vec![a.to_vec(), p.to_vec(), n.to_vec()];
    let line = |z: [f64; 3]| z.map(|x| vec![x]).to_vec();
    let start = plane([0.6, 0.8], [0.8, 0.6], [-0.6, 0.8]);
    add("norms 1 throughout", 0.9, 1.1, vec![start.clone(), start.clone()]);
    add("a dead network", 0.1, 10.0, vec![line([0.0; 3]); 3]);
    add("an output dies at the last step", 0.1, 10.0, vec![start.clone(), plane([1.0, 0.0], [0.0, 0.0], [0.0, 1.0])]);
    add("an output of norm exactly η", 0.5, 2.0, vec![plane([0.5, 0.0], [1.0, 0.0], [0.0, 1.0])]);
    add("an output of norm exactly C", 0.5, 2.0, vec![plane([2.0, 0.0], [1.0, 0.0], [0.0, 1.0])]);
    add("outside at the first step only", 0.5, 2.0, vec![plane([3.0, 0.0], [1.0, 0.0], [0.0, 1.0]), start.clone()]);
    add(
        "d = 1: an output changes its sign between two steps",
        0.05,
        2.0,
        vec![line([1.0, -0.1, -1.0]), line([1.0, 0.1, -1.0])],
    );
    for (radius, cap) in [(0.5, 0.6), (1.0, 1.1), (3.0, 3.1)] {
        add(
            &format!("the smallest loss on the sphere of radius {radius}"),
            0.1,
            cap,
            vec![line([radius, radius, -radius]); 2],
        );
    }
    // Gradient flow on one triplet on a line makes all three outputs grow together, L̂_un falling towards zero.
    let growing = (0..8).map(|i| line([f64::from(i) * 0.5 + 0.5, f64::from(i) * 0.5 + 0.5, -0.5 - f64::from(i) * 0.5]));
    add("growing outputs", 0.1, 5.0, growing.collect());
    list
}

fn drawn() -> impl Strategy<Value = Trajectory> {
    let shape = (1usize..=3, 1usize..=3, 1usize..=4, log_uniform(1e-3, 1.0), log_uniform(1.5, 30.0));
    shape.prop_flat_map(|(d, n, steps, floor, cap)| {
        let coordinate = prop_oneof![8 => -2.0..2.0f64, 1 => Just(0.0)];
        vec(vec(vec(coordinate, d), 3 * n), steps).prop_map(move |steps| Trajectory { floor, cap, steps })
    })
}

pub fn claim() -> Claim {
    Claim::new("merad2020.assumption-2", "output norms along training", Kind::Definition)
        .statement("there are 0 < η < C < ∞ with η < ‖f(x)‖ < C for all x ∈ X_data, during and at the end of training")
        .symbols([NORM, SOFTPLUS, TRIPLET_LOSS, EMPIRICAL_LOSS, OUTPUT_TRIPLE, LOGARITHM])
        .source("Assumption 2", &["section 4"])
        .remark(
            "η is nowhere said to be fixed before ε, n, δ, m: the record of a run keeps the running extremes, and the \
             claims about training read both ways. In dimension one an output can change its sign between two steps \
             and meet the assumption.",
        )
        .setting(fixed())
        .setting(every_accuracy())
}

fn fixed() -> Setting<Trajectory, MeasuredNorms> {
    Setting::measuring(|t: &Trajectory, _| measure(t))
        .given("finitely many steps, n triplets of outputs in ℝ^d, 0 < η < C < ∞")
        .family(edge("named", named))
        .family(random("drawn trajectories", drawn))
        .part(
            "met",
            "the run meets the assumption with η = m/2 and C = 2M: every output at every step has m/2 < ‖f(x)‖ < 2M, m \
             the smallest and M the largest norm of an output of the run",
            holds(),
            |t, m| {
                let each = t.norms(&t.steps).flat_map(|norm| {
                    [("above η", greater_than(norm, 0.5 * m.smallest)), ("below C", less_than(norm, 2.0 * m.largest))]
                });
                all_of(each)
            },
        )
        .assume(Hypothesis::new("every output has a coordinate of size 10^{−150} or more", |t| {
            let outputs = t.steps.iter().flatten();
            outputs.into_iter().all(|z| z.iter().any(|x| x.abs() >= 1e-150))
        }))
        .ours(
            "fixed",
            "η, C given: the library's predicate, computed from the outputs with error bounds, holds if and only if η \
             < ‖f(x)‖ < C for every output at every step",
            holds(),
            |t, m| agrees(m.range.lies_within(t.floor, t.cap), m.room),
        )
        .sides("the smallest of ‖f(x)‖ − η and C − ‖f(x)‖", "0")
        .except(CLOSE)
        .not_evidence("it tries the library's predicate against the definition")
        .ours(
            "per-run",
            "from the smallest norm m and the largest norm M of an output of the run, computed with error bounds, the \
             library answers that some 0 < η < C exist, namely η = m/2 and C = 2M, exactly if no output vanishes: m > \
             0 and M < ∞",
            holds(),
            |_, m| agrees(m.range.is_bounded_away(), m.smallest),
        )
        .sides("m", "0")
        .except(CLOSE)
        .not_evidence("it tries the library's predicate against the definition")
        .sharpening(
            "loss-floor",
            "L̂_un ≥ nζ(−2M²) at every step, M the largest norm of an output of the run",
            holds(),
            |_, m| at_least(m.least_loss, m.floor_of_loss),
        )
        .control("a", "every finite run, a dead network too, has some 0 < η < C", |_, m| greater_than(m.smallest, 0))
        .control("b", "the library accepts norms equal to η or C", |t, m| {
            none_of(usize::from(m.room.lo() >= 0.0 && m.range.lies_within(t.floor, t.cap) == Some(false)))
        })
        .sides("1 if it refuses outputs with norms from η to C, the ends included", "0")
        .control("c", "η < ‖f(x)‖ < C at the last step alone decides what the library says", |t, m| {
            let last = t.room(&t.steps[t.steps.len().saturating_sub(1)..]);
            agrees(m.range.lies_within(t.floor, t.cap), last)
        })
        .sides("the smallest of ‖f(x)‖ − η and C − ‖f(x)‖ at the last step", "0")
        .except(CLOSE)
        .control("d", "L̂_un > nζ(−2M²) + 1/100, M the largest norm of an output of the run", |_, m| {
            greater_than(m.least_loss, m.floor_of_loss + 0.01)
        })
}

fn every_accuracy() -> Setting<Window, ()> {
    Setting::of()
        .given("n ≥ 1, ε > 0, C > 0")
        .family(windows())
        .ours(
            "every-accuracy",
            "with C fixed beforehand, for every ε > 0 some outputs with all norms below C have L̂_un ≤ ε; equivalently \
             nζ(−2C²) < ε, since nζ(−2C²) is the infimum of L̂_un over such outputs and is not attained",
            fails("outputs of norm at most C have L̂_un ≥ nζ(−2C²): for small ε the bound C must grow"),
            |w: &Window, ()| less_than(least_loss(w), exact(w.accuracy)),
        )
        .sides("nζ(−2C²)", "ε")
        .because("the assumption says nothing of the loss; Theorem 1 asks for both")
        .ours(
            "cap",
            "nζ(−2C²) < ε, the least L̂_un of outputs of norm at most C, if and only if C² > ½ log(1/(e^{ε/n} − 1))",
            holds(),
            |w, ()| {
                let needed = 0.5 * (1.0 / (exact(w.accuracy) / w.triplets as f64).exp_m1()).ln();
                let square = exact(w.cap).square();
                let least = least_loss(w);
                match least.hi() < w.accuracy {
                    true => at_least(square, needed),
                    false if least.lo() >= w.accuracy => at_most(square, needed),
                    // Which of the two cases it is lies in doubt, and so does the statement.
                    false => at_most(least, exact(w.accuracy)),
                }
            },
        )
        .sides("C², or nζ(−2C²) where rounding hides whether it is below ε", "½ log(1/(e^{ε/n} − 1)), or there ε")
}

/// nζ(−2C²).
fn least_loss(w: &Window) -> Enclosure {
    Enclosure::from(w.triplets as usize) * (-2.0 * exact(w.cap).square()).softplus()
}
