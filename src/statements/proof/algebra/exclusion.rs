//! Proofs by exclusion: boxes from which propagation, monotonicity and the mean value theorem take away all points at which the conditions are met
//! and the statement is not, until nothing is left.

use enclosures::interval::Interval;
use enclosures::proof::{cut, extent};

use super::allowance;
use super::goal::{Goal, Says};
use super::graph::{Empty, Graph, Slopes};
use super::inequality::Shown;
use super::roots::Bounds;

/// The most variables.
const MOST: usize = 24;
/// Rounds of narrowing on one box, as long as something is gained.
const ROUNDS: usize = 4;
/// A range as narrow as this, by its [`extent`], is halved no further.
const FINEST: f64 = 1.0 / (1u64 << 44) as f64;
/// Every so many generations the widest range is halved.
const FAIR: usize = 4;

/// What is to be met, as what a node says.
#[derive(Clone, Copy)]
struct Met {
    node: usize,
    says: Says,
}

/// Conditions and the contrary of what is wanted.
struct Exclusion {
    graph: Graph,
    given: Vec<Met>,
    wanted: usize,
    strict: bool,
    /// Of every variable, whether an end is left out.
    excluded: Vec<(bool, bool)>,
    whole: Vec<Interval>,
    /// Whether a variable occurs in a condition.
    conditioned: Vec<bool>,
    slopes: Slopes,
    values: Vec<Interval>,
}

/// A box with what is to be excluded on it.
#[derive(Clone)]
struct Remaining {
    ranges: Vec<Interval>,
    /// Whether `wanted` may not be zero on it.
    strict: bool,
    generation: usize,
}

/// Shows a goal by boxes.
pub(super) fn shown(goal: &Goal) -> Option<Shown> {
    let goal = goal.clone().narrowed();
    let boxes = boxes(&goal)?;
    let line = format!(
        "{} without a point at which the difference of the sides is {}{}",
        if boxes == 1 { "1 box".into() } else { format!("{boxes} boxes") },
        if goal.strict { "not positive" } else { "negative" },
        if goal.given.is_empty() { "" } else { " and the conditions are met" },
    );
    Some(Shown { by: "by excluding boxes on which the statement fails", lines: vec![line] })
}

/// How many boxes it takes.
pub(super) fn boxes(goal: &Goal) -> Option<usize> {
    Exclusion::of(goal)?.run()
}

impl Exclusion {
    fn of(goal: &Goal) -> Option<Self> {
        let mut graph = Graph::default();
        let wanted = graph.node(&goal.wanted)?;
        let mut given = Vec::new();
        for (formula, says) in &goal.given {
            // A condition that is not followed is not used.
            if let Some(node) = graph.node(formula) {
                given.push(Met { node, says: *says });
            }
        }
        let count = goal.names.len();
        let mut conditioned = vec![false; count];
        for met in &given {
            for (all, one) in conditioned.iter_mut().zip(graph.variables(met.node, count)) {
                *all |= one;
            }
        }
        if given.len() < goal.given.len() {
            conditioned = vec![true; count];
        }
        let empty = |b: &Bounds| matches!((&b.low, &b.high), (Some(low), Some(high)) if low.0 > high.0);
        if count > MOST || goal.ranges.iter().any(empty) {
            return None;
        }
        let whole: Vec<Interval> = goal.ranges.iter().map(Bounds::interval).collect();
        let excluded = |b: &Bounds| (b.low.as_ref().is_some_and(|e| e.1), b.high.as_ref().is_some_and(|e| e.1));
        let excluded = goal.ranges.iter().map(excluded).collect();
        let (slopes, values) = (Slopes::default(), Vec::new());
        Some(Exclusion { graph, given, wanted, strict: goal.strict, excluded, whole, conditioned, slopes, values })
    }

    /// The number of boxes, if all of them are excluded.
    fn run(&mut self) -> Option<usize> {
        let mut waiting = vec![Remaining { ranges: self.whole.clone(), strict: self.strict, generation: 0 }];
        let mut boxes = 0;
        while let Some(mut part) = waiting.pop() {
            boxes += 1;
            if !allowance::spend(4 * self.graph.nodes.len() as u64) {
                return None;
            }
            if self.excluded(&mut part).is_err() {
                continue;
            }
            if self.fails_at(&part) {
                return None;
            }
            let [first, second] = self.halves(&part)?;
            waiting.extend([first, second]);
        }
        Some(boxes)
    }

    /// Narrows a box as far as it goes.
    fn excluded(&mut self, part: &mut Remaining) -> Result<(), Empty> {
        for _ in 0..ROUNDS {
            let before = part.ranges.clone();
            self.propagated(part)?;
            self.linearised(part)?;
            let gained = part.ranges.iter().zip(&before).any(|(now, then)| extent(*now) < 0.9 * extent(*then));
            if !gained {
                break;
            }
        }
        Ok(())
    }

    /// By forward and backward propagation.
    fn propagated(&mut self, part: &mut Remaining) -> Result<(), Empty> {
        let mut values = std::mem::take(&mut self.values);
        let found = self.propagated_with(part, &mut values);
        self.values = values;
        found
    }

    fn propagated_with(&self, part: &mut Remaining, values: &mut Vec<Interval>) -> Result<(), Empty> {
        self.graph.values(&part.ranges, values)?;
        for met in &self.given {
            narrow(values, met.node, met.says)?;
        }
        let wanted = values[self.wanted];
        if wanted.lo() > 0.0 || !part.strict && wanted.lo() >= 0.0 {
            return Err(Empty);
        }
        let failing = Interval::new(f64::NEG_INFINITY, 0.0);
        values[self.wanted] = wanted.intersection(failing).ok_or(Empty)?;
        self.graph.backward(values, &mut part.ranges)
    }

    /// By slopes: faces on which the wanted number is smallest, and the mean value theorem.
    fn linearised(&mut self, part: &mut Remaining) -> Result<(), Empty> {
        let count = part.ranges.len();
        let mut slopes = std::mem::take(&mut self.slopes);
        let made = self.graph.slopes(&part.ranges, &mut slopes);
        let gradients = made.map(|()| {
            let of = |node: usize| self.graph.gradient(node, &slopes, count);
            let given: Vec<_> = self.given.iter().map(|met| (*met, of(met.node))).collect();
            (of(self.wanted), given)
        });
        self.slopes = slopes;
        let (wanted, given) = gradients?;
        if let Some(gradient) = &wanted {
            self.smallest(part, gradient)?;
        }
        let ranges = part.ranges.clone();
        let centre: Vec<f64> = ranges.iter().map(|r| r.midpoint()).collect();
        if let Some(gradient) = wanted
            && let Some(there) = self.graph.at(self.wanted, &centre)
        {
            let least = mean(there, &gradient, &ranges, &centre).lo();
            if least > 0.0 || !part.strict && least >= 0.0 {
                return Err(Empty);
            }
            contract(part, &centre, there, &gradient, Interval::new(f64::NEG_INFINITY, 0.0))?;
        }
        for (met, gradient) in given {
            if let Some(gradient) = gradient
                && let Some(there) = self.graph.at(met.node, &centre)
            {
                let to = match met.says {
                    Says::Zero => Interval::ZERO,
                    Says::NotNegative | Says::Positive => Interval::new(0.0, f64::INFINITY),
                };
                contract(part, &centre, there, &gradient, to)?;
            }
        }
        Ok(())
    }

    /// Replaces ranges by the ends at which the wanted number is smallest, along variables that no condition speaks of.
    fn smallest(&self, part: &mut Remaining, gradient: &[Interval]) -> Result<(), Empty> {
        for (v, slope) in gradient.iter().enumerate() {
            let range = part.ranges[v];
            if self.conditioned[v] || range.lo() == range.hi() {
                continue;
            }
            let end = if slope.lo() >= 0.0 {
                range.lo()
            } else if slope.hi() <= 0.0 {
                range.hi()
            } else {
                continue;
            };
            if !end.is_finite() {
                continue;
            }
            let (low, high) = self.excluded[v];
            let left_out = low && end == self.whole[v].lo() || high && end == self.whole[v].hi();
            if part.strict && left_out {
                // Everywhere else it is larger, so that it may vanish at the end.
                if slope.lo() > 0.0 || slope.hi() < 0.0 {
                    part.strict = false;
                } else {
                    continue;
                }
            }
            part.ranges[v] = Interval::point(end);
        }
        Ok(())
    }

    /// Whether the conditions are met and the statement is not at the middle of a box, so that nothing can be shown.
    fn fails_at(&self, part: &Remaining) -> bool {
        let centre: Vec<f64> = part.ranges.iter().map(|r| r.midpoint()).collect();
        let met = |met: &Met| {
            let Some(value) = self.graph.at(met.node, &centre) else { return false };
            match met.says {
                Says::Zero => value == Interval::ZERO,
                Says::NotNegative => value.lo() >= 0.0,
                Says::Positive => value.lo() > 0.0,
            }
        };
        self.given.iter().all(met) && self.graph.at(self.wanted, &centre).is_some_and(|value| value.hi() < 0.0)
    }

    fn halves(&self, part: &Remaining) -> Option<[Remaining; 2]> {
        let mut best: Option<((f64, f64), usize, f64)> = None;
        let weights = self.graph.gradient(self.wanted, &self.slopes, part.ranges.len());
        for (v, &range) in part.ranges.iter().enumerate() {
            let (extent, cut) = (extent(range), cut(range));
            if extent <= FINEST || cut <= range.lo() || cut >= range.hi() {
                continue;
            }
            let slope = weights.as_ref().map_or(1.0, |w| w[v].magnitude());
            if slope == 0.0 && !self.conditioned[v] {
                continue;
            }
            let smear = slope * range.width();
            let score = if part.generation % FAIR == FAIR - 1 || !smear.is_finite() {
                (extent, smear)
            } else {
                (smear, extent)
            };
            if best.is_none_or(|(s, _, _)| score > s) {
                best = Some((score, v, cut));
            }
        }
        let (_, v, cut) = best?;
        let with = |range: Interval| {
            let mut half = part.clone();
            half.ranges[v] = range;
            half.generation += 1;
            half
        };
        Some([with(Interval::new(part.ranges[v].lo(), cut)), with(Interval::new(cut, part.ranges[v].hi()))])
    }
}

/// A value of a condition, where it is met.
fn narrow(values: &mut [Interval], node: usize, says: Says) -> Result<(), Empty> {
    let value = values[node];
    let to = match says {
        Says::Zero => Interval::ZERO,
        Says::Positive if value.hi() <= 0.0 => return Err(Empty),
        Says::NotNegative | Says::Positive => Interval::new(0.0, f64::INFINITY),
    };
    values[node] = value.intersection(to).ok_or(Empty)?;
    Ok(())
}

/// The values on a box by the mean value theorem.
fn mean(there: Interval, gradient: &[Interval], ranges: &[Interval], centre: &[f64]) -> Interval {
    let terms = gradient.iter().zip(ranges).zip(centre).map(|((g, r), c)| *g * (*r - *c));
    terms.fold(there, |sum, term| sum + term)
}

/// Narrows every range to where the mean value theorem allows a value in `to`.
fn contract(
    part: &mut Remaining,
    centre: &[f64],
    there: Interval,
    gradient: &[Interval],
    to: Interval,
) -> Result<(), Empty> {
    let terms: Vec<Interval> =
        gradient.iter().zip(&part.ranges).zip(centre).map(|((g, r), c)| *g * (*r - *c)).collect();
    let whole = terms.iter().fold(there, |sum, term| sum + *term);
    whole.intersection(to).ok_or(Empty)?;
    for v in 0..terms.len() {
        if gradient[v].contains(0.0) || part.ranges[v].lo() == part.ranges[v].hi() {
            continue;
        }
        let rest = terms.iter().enumerate().filter(|(w, _)| *w != v).fold(there, |sum, (_, term)| sum + *term);
        let step = (to - rest) / gradient[v];
        part.ranges[v] = part.ranges[v].intersection(step + centre[v]).ok_or(Empty)?;
    }
    Ok(())
}
