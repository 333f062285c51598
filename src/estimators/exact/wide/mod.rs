//! The loss of an anchor from the moments of its logits in sorted cells, however far apart these lie.
//!
//! The sum over the nodes is that of [`super::quadrature`], with the same tables and bounds, but costs no more than the logits are
//! many. Only cells are kept that are not empty (`law`), be they from a histogram or sorted; eight nodes at a time meet the few cells around them, of the far ones
//! the sums of their exponentials, and of those whose kernel has reached its limit the weight (`ladder`). Where all cells are far or at
//! their limit, nothing happens until the next one comes near, and such a stretch counts as one node:
//!
//! A point that is alone far around counts as two such stretches and two numbers from a table (`transitions`).
//!
//! # Idle stretches
//! With the entered probabilities `S_0` and `psi_0` and the far sums `F_1`, the nodes up to `D` rungs before the next cell enters the window have
//! `S <= S_0 + e^(-2D) F_1 x e^(-k/4)`, `x < 0.054` and `k` counted backwards, so that replacing `S` by `S_0` changes the sum of `psi G` (`G` concave, `G(0) = 0`)
//! by at most `e^(-2D) F_1/S_0` times `0.054/(1 - e^(-1/4)) < 0.25` terms; likewise for `psi`. `D` is chosen so that this is less than [`IDLE`] times
//! the number of nodes.
//!
//! Before the first cell of the negatives is entered, `S` is exponential. Where it is below `e^-700`, next to a loss that is not
//! ([`LEAST`]), it is left out.

mod ladder;
mod law;
mod transitions;

use self::ladder::{DEEPEST, Ladder, Ladders, RUNG, START, Window};
use self::law::CompensatedSum;
pub(super) use self::law::SparseLaw;
use self::transitions::Transitions;
use super::gain_chain::{self, GainChain};
use super::kernels::{Instructions, NODES, STRIDE};
use super::quadrature::{ENTRY, EXIT, QuadraturePlan, ShiftedDraws, Sum, TRAPEZOID};
use super::table::{Bounds, CELLS, Table};
use enclosures::interval::Interval;

/// Below this row of the largest logit at the last node, the loss is left to another path.
const LEAST: i64 = -640 * CELLS;
/// Relative error allowed to an idle stretch.
const IDLE: f64 = 1e-15;
/// Blocks of nodes below which a stretch is not worth a look.
const SHORTEST: i64 = 16;
/// Nodes whose gains are computed together.
const BATCH: usize = 128;
const U: f64 = f64::EPSILON / 2.0;

/// Tables for all anchors.
pub(super) struct WidePlan {
    ladders: Ladders,
    gain: (Window, Bounds),
    decays: Vec<(Window, Bounds)>,
    chain: GainChain,
    /// For points of one weight.
    transitions: Option<Transitions>,
}

/// A point that has the nodes from here to a block to itself.
struct Jump {
    to: i64,
    /// `S`, `psi` and how many nodes have them, before and after.
    before: (f64, f64, f64),
    after: (f64, f64, f64),
    /// By how much `psi` falls.
    fall: f64,
}

/// What a number of draws has gathered.
#[derive(Clone, Copy, Default)]
struct Gathered {
    value: CompensatedSum,
    ends: Sum,
    started: bool,
}

/// Nodes that are waiting for their gains.
struct Batch {
    /// `S`, and how many nodes have it.
    s: Vec<f64>,
    counts: Vec<f64>,
    /// `psi`, for every shift of the positives.
    psi: Vec<Vec<f64>>,
    gains: Vec<f64>,
}

impl WidePlan {
    /// For the draws of a plan and the least probability of a point; and, where logits may lie far apart, the number of points if all weigh the
    /// same. Works on all threads, so that it is not to be called by one of several that wait for each other.
    pub(super) fn new(plan: &QuadraturePlan, least: f64, alike: Option<usize>) -> Self {
        let first = Window::first_row();
        let both = |offset: f64| Table::both(first, offset);
        let gain = both(0.0).0;
        let decay = |offset: f64| {
            let table = both(offset).1;
            (Window::new(&table, -1.0), table.bounds)
        };
        let chain = GainChain::new(&plan.draws.iter().map(|d| d.number).collect::<Vec<_>>());
        let alike = alike.filter(|n| *n <= transitions::MOST);
        WidePlan {
            ladders: Ladders::new(least),
            gain: (Window::new(&gain, 1.0), gain.bounds),
            decays: plan.offsets.iter().map(|&offset| decay(offset)).collect(),
            transitions: alike.map(|n| Transitions::new(plan.set, &chain, plan.draws.len(), n)),
            chain,
        }
    }

    /// `S` at the nodes `first ..= last`, and a bound of its relative error.
    pub(super) fn gains_at(&self, set: Instructions, law: &SparseLaw, (first, last): (i64, i64)) -> (Vec<f64>, f64) {
        let mut ladder = Ladder::new(set, &self.ladders, law, 0);
        let (window, bounds) = &self.gain;
        let mut values = Vec::with_capacity((last - first) as usize + 2 * NODES);
        for at in block(first)..=block(last) {
            ladder.advance(at);
            values.extend(ladder.gain(set, &self.ladders, window, at));
        }
        values.drain(..(first - NODES as i64 * block(first) - START) as usize);
        let rounding = bounds.size * ladder.rounding();
        (values, bounds.error + rounding + self.ladders.far_error + 32.0 * U)
    }

    /// `psi` there, its positives shifted for some draws, and what its error does to a loss and to slopes.
    pub(super) fn decays_at(
        &self,
        set: Instructions,
        law: &SparseLaw,
        draws: &ShiftedDraws,
        (first, last): (i64, i64),
    ) -> Option<(Vec<f64>, f64)> {
        let mut ladder = Ladder::new(set, &self.ladders, law, draws.shift);
        let (window, bounds) = self.decays.get(draws.table)?;
        let mut values = Vec::with_capacity((last - first) as usize + 2 * NODES);
        for at in block(first)..=block(last) {
            ladder.advance(at);
            values.extend(ladder.decay(set, &self.ladders, window, at));
        }
        values.drain(..(first - NODES as i64 * block(first) - START) as usize);
        let rounding = bounds.size * ladder.rounding();
        Some((values, 2.02 * (bounds.error + rounding + self.ladders.far_error) + 32.0 * U))
    }

    /// `E log(1 + sum_{i<=N} e^{a_{Y_i} - a_P})` for every `N`, the logits taken as they are; none where the loss may be too small for
    /// doubles.
    pub(super) fn expected_log_ratio(
        &self,
        plan: &QuadraturePlan,
        positives: &SparseLaw,
        negatives: &SparseLaw,
    ) -> Option<Vec<Interval>> {
        let most = |law: &SparseLaw| law.places.last().copied();
        let (top, top_positive, low) = (most(negatives)?, most(positives)?, *positives.places.first()?);
        let log = |d: &ShiftedDraws| (CELLS as f64 * core_math::log(d.number as f64)).ceil() as i64 + 1;
        let highest = |d: &ShiftedDraws| (top_positive + d.shift + 3).max(top + 1 + log(d));
        let first = (-ENTRY - plan.draws.iter().map(highest).max()?).div_euclid(STRIDE as i64);
        let end = EXIT + 1 - low - plan.draws.iter().map(|d| d.shift).min()?;
        let last = -(-end).div_euclid(STRIDE as i64);
        if STRIDE as i64 * last + top < LEAST {
            return None;
        }
        let (first, last) = (block(first), block(last));
        // The shifts differ only with the mean over negatives; then so do the decays.
        let mut keys: Vec<(usize, i64)> = plan.draws.iter().map(|d| (d.table, d.shift)).collect();
        keys.sort_unstable();
        keys.dedup();
        let of = |d: &ShiftedDraws| keys.binary_search(&(d.table, d.shift)).ok();
        let slots: Vec<usize> = plan.draws.iter().map(of).collect::<Option<_>>()?;
        let mut gain = Ladder::new(plan.set, &self.ladders, negatives, 0);
        let mut decays: Vec<Ladder<'_>> =
            (keys.iter()).map(|&(_, shift)| Ladder::new(plan.set, &self.ladders, positives, shift)).collect();
        let mut gathered = vec![Gathered::default(); plan.draws.len()];
        let mut alone = vec![0.0; plan.draws.len()];
        let mut batch = Batch {
            s: Vec::with_capacity(BATCH),
            counts: Vec::with_capacity(BATCH),
            psi: vec![Vec::with_capacity(BATCH); keys.len()],
            gains: Vec::new(),
        };
        // What is left out before S is of a size that a double has.
        let begin = first.max(-(top.div_euclid(RUNG)) - 4 - DEEPEST as i64);
        let mut at = begin;
        while at <= last {
            gain.advance(at);
            decays.iter_mut().for_each(|decay| decay.advance(at));
            let jump = match &decays[..] {
                [decay] => self.jump(&gain, decay, at),
                _ => None,
            };
            let idle = if jump.is_some() { 0 } else { idle(&gain, &decays, at, last) };
            if let (Some(jump), Some(psi), Some(transitions)) = (jump, batch.psi.first_mut(), &self.transitions) {
                for (s, of_psi, count) in [jump.before, jump.after] {
                    psi.push(of_psi);
                    batch.s.push(s);
                    batch.counts.push(count);
                }
                transitions.add(jump.before.0, (jump.before.1, jump.fall), &mut alone);
                at = jump.to;
            } else if idle > 0 {
                batch.push(&[gain.entered()], (NODES as i64 * idle) as f64);
                for (psi, decay) in batch.psi.iter_mut().zip(&decays) {
                    psi.push(decay.far());
                }
                at += idle;
            } else {
                batch.push(&gain.gain(plan.set, &self.ladders, &self.gain.0, at), 1.0);
                for ((psi, decay), &(table, _)) in batch.psi.iter_mut().zip(&decays).zip(&keys) {
                    let window = &self.decays.get(table)?.0;
                    psi.extend(decay.decay(plan.set, &self.ladders, window, at));
                }
                at += 1;
            }
            if batch.s.len() + NODES > BATCH || at > last {
                batch.gather(plan.set, &self.chain, (&plan.draws, &slots), &mut gathered);
            }
        }
        let of_decays = decays.iter().map(Ladder::rounding).fold(0.0, f64::max);
        let of_alone = self.transitions.as_ref().map_or(0.0, |_| transitions::error(&self.chain));
        let enclose = |((draws, gathered), alone): ((&ShiftedDraws, &mut Gathered), &f64)| {
            gathered.value.add(*alone);
            gathered.ends.value = gathered.value.value();
            let q = self.decays.get(draws.table).map_or(self.gain.1, |decay| decay.1);
            let k = self.gain.1;
            let far = self.ladders.far_error;
            let of_s = k.error + k.size * gain.rounding() + far + 24.0 * U + self.chain.error();
            let of_psi = 2.02 * (q.error + q.size * of_decays + far) + 32.0 * U;
            let value = gathered.ends.enclose(1.01 * (of_s + of_psi + 56.0 * U + TRAPEZOID + IDLE + of_alone));
            let left_out = if begin > first { 1e-300 * draws.number as f64 } else { 0.0 };
            let value = value + Interval::new(-left_out, left_out);
            Interval::new(value.lo().max(0.0), value.hi())
        };
        Some(plan.draws.iter().zip(&mut gathered).zip(&alone).map(enclose).collect())
    }
}

impl WidePlan {
    /// The next point from block `at` on, if it is far from all others.
    fn jump(&self, gain: &Ladder<'_>, decay: &Ladder<'_>, at: i64) -> Option<Jump> {
        let transitions = self.transitions.as_ref()?;
        if !(gain.is_idle() && decay.is_idle() && gain.entered() > 0.0) {
            return None;
        }
        let point = gain.next_alone(transitions::AFTER)?;
        if point.weight != transitions.weight()
            || point.probability != point.weight
            || -point.rung - at < transitions::BEFORE
        {
            return None;
        }
        let psi = decay.far();
        // The positives go on at the same logit, or much later.
        let (fall, left) = match decay.next_rung() {
            Some(rung) if rung == point.rung => {
                let own = decay.next_alone(transitions::AFTER)?;
                if own.place != point.place {
                    return None;
                }
                (own.probability, own.left)
            }
            Some(rung) if point.rung - rung < transitions::AFTER => return None,
            _ => (0.0, psi),
        };
        let to = 2 - point.rung;
        // A block begins half a step before its first node.
        let edge = |block: i64| (NODES as i64 * block + START) as f64 - 0.5;
        let node = -point.place / STRIDE as f64;
        Some(Jump {
            to,
            before: (gain.entered(), psi, node - edge(at)),
            after: (point.come, left, edge(to) - node),
            fall,
        })
    }
}

/// The block of a node.
fn block(node: i64) -> i64 {
    (node - START).div_euclid(NODES as i64)
}

/// For how many blocks of nodes from `at` on nothing happens, to within [`IDLE`].
fn idle(gain: &Ladder<'_>, decays: &[Ladder<'_>], at: i64, last: i64) -> i64 {
    let all = || std::iter::once(gain).chain(decays);
    if !all().all(Ladder::is_idle) || gain.entered() <= 0.0 {
        return 0;
    }
    let next = all().filter_map(Ladder::next_entry).min();
    let stretch = next.unwrap_or(i64::MAX).min(last + 1) - at;
    let half = stretch / 2;
    let Some(next) = next.filter(|_| stretch >= SHORTEST) else {
        // Nothing is far, and nothing comes.
        return if next.is_none() { stretch } else { 0 };
    };
    let of_decays = decays.iter().map(|decay| decay.far_sum() / decay.far().max(f64::MIN_POSITIVE));
    let ratio = gain.far_sum() / gain.entered() + of_decays.fold(0.0, f64::max);
    let allowed = IDLE * (NODES as i64 * half) as f64;
    let depth = (0.5 * core_math::log((0.25 * ratio / allowed).max(1.0))).ceil() as i64 + 1;
    let idle = stretch.min(next - depth - at);
    if idle >= half { idle } else { 0 }
}

impl Batch {
    /// Nodes with the same count.
    fn push(&mut self, s: &[f64], count: f64) {
        self.s.extend_from_slice(s);
        self.counts.resize(self.s.len(), count);
    }

    /// Adds all nodes to what the draws, each with its slot of `psi`, have gathered, and forgets them. A sum over them has eight
    /// additions in a row, and a few more.
    fn gather(
        &mut self,
        set: Instructions,
        chain: &GainChain,
        (draws, slots): (&[ShiftedDraws], &[usize]),
        gathered: &mut [Gathered],
    ) {
        chain.gains(set, &self.s, &mut self.gains);
        let first = self.s.first().copied().unwrap_or(0.0);
        let last: Vec<f64> = (self.psi.iter()).map(|psi| psi.last().copied().unwrap_or(0.0).max(0.0)).collect();
        for psi in &mut self.psi {
            psi.iter_mut().zip(&self.counts).for_each(|(psi, count)| *psi *= count);
        }
        for (k, ((draws, &slot), gathered)) in draws.iter().zip(slots).zip(gathered).enumerate() {
            let (Some(psi), Some(&last_decay)) = (self.psi.get(slot), last.get(slot)) else {
                continue;
            };
            let gains = chain.row(k, &self.gains, self.s.len());
            gathered.value.add(gain_chain::weighted_sum(set, psi, gains));
            if !gathered.started {
                gathered.ends.first_gain = draws.number as f64 * first;
                gathered.started = true;
            }
            gathered.ends.last_gain = gains.last().copied().unwrap_or(0.0);
            gathered.ends.last_decay = last_decay;
        }
        self.s.clear();
        self.counts.clear();
        self.psi.iter_mut().for_each(Vec::clear);
    }
}
