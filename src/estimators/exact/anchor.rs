//! Which points an anchor's negatives and positives are, and how their moments are gathered strip by strip.

use std::ops::Range;

use super::Problem;
use super::inner_products::SplitLogits;
use super::kernels::{self, Instructions, STRIP};
use super::quadrature::Law;
use super::sample::Sample;
use super::table::{Cell, TERMS};
use crate::exact::LossOptions;

const EMPTY: Cell = [0.0; TERMS];

/// A histogram of moments over a fixed range of cells, and which cells have been touched.
pub(super) struct Histogram {
    cells: Vec<Cell>,
    least: usize,
    most: usize,
}

impl Histogram {
    fn new(cells: usize) -> Self {
        Histogram { cells: vec![EMPTY; cells], least: usize::MAX, most: 0 }
    }

    /// Empties the cells that have been touched.
    fn clear(&mut self) {
        if self.least <= self.most {
            self.cells[self.least..=self.most].fill(EMPTY);
        }
        (self.least, self.most) = (usize::MAX, 0);
    }

    /// Adds cells `least..=most` of the two copies and empties those.
    fn absorb(&mut self, set: Instructions, even: &mut [Cell], odd: &mut [Cell], least: usize, most: usize) {
        let range = least..=most;
        kernels::absorb(set, &mut self.cells[range.clone()], &mut even[range.clone()], &mut odd[range]);
        self.least = self.least.min(least);
        self.most = self.most.max(most);
    }

    /// Adds another histogram.
    fn merge(&mut self, other: &Histogram) {
        if other.least > other.most {
            return;
        }
        for i in other.least..=other.most {
            for j in 0..TERMS {
                self.cells[i][j] += other.cells[i][j];
            }
        }
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }

    /// As a law of logits.
    fn law(&self, base: i32, scale: f64, points: usize) -> Law<'_> {
        let touched = self.least <= self.most;
        let (least, end) = if touched { (self.least, self.most + 1) } else { (0, 0) };
        Law {
            cells: &self.cells[least..end],
            first: i64::from(base) + least as i64,
            scale,
            // Powers, one copy, the two copies, the strips with up to four more segments, the merger, the weights.
            roundings: 8.0 + STRIP as f64 / 2.0 + points.div_ceil(STRIP) as f64 + 12.0,
        }
    }
}

/// The moments of one anchor.
pub(super) struct AnchorMoments {
    own: Histogram,
    rest: Histogram,
}

impl AnchorMoments {
    /// None yet, on so many cells.
    pub(super) fn new(cells: usize) -> Self {
        AnchorMoments { own: Histogram::new(cells), rest: Histogram::new(cells) }
    }

    /// Forgets the anchor.
    pub(super) fn clear(&mut self) {
        self.own.clear();
        self.rest.clear();
    }

    /// The laws of positives and negatives of the anchor whose moments these are, once all strips have been gathered.
    pub(super) fn laws(
        &mut self,
        sample: &Sample<'_>,
        options: &LossOptions,
        anchor: usize,
        base: i32,
    ) -> Option<(Law<'_>, Law<'_>)> {
        let class = sample.class(anchor);
        let (start, end) = sample.members(class);
        let positives = (end - start - usize::from(!options.self_positive)) as f64;
        let n = sample.len();
        let others = if options.same_class_negatives { 1.0 } else { sample.without_class(class, options.shares) };
        let weight = sample.weights.get(anchor)?;
        if options.same_class_negatives {
            self.rest.merge(&self.own);
        }
        let own = self.own.law(base, 1.0 / (weight * positives), n);
        let rest = self.rest.law(base, others, n);
        (!own.cells.is_empty() && !rest.cells.is_empty()).then_some((own, rest))
    }
}

/// One thread's memory.
pub(super) struct Workspace {
    /// Of the logits of up to [`kernels::ANCHORS`] anchors with a strip, `[anchor][point]`.
    cells: Vec<i32>,
    rests: Vec<f64>,
    even: Vec<Cell>,
    odd: Vec<Cell>,
}

impl Workspace {
    /// For histograms of so many cells.
    pub(super) fn new(cells: usize) -> Self {
        Workspace {
            cells: vec![0; STRIP * kernels::ANCHORS],
            rests: vec![0.0; STRIP * kernels::ANCHORS],
            even: vec![EMPTY; cells],
            odd: vec![EMPTY; cells],
        }
    }

    /// Adds one strip to the moments of a group of anchors, whose packed coordinates come with them.
    pub(super) fn gather(
        &mut self,
        problem: &Problem<'_>,
        strip: usize,
        group: &(Range<usize>, Vec<f64>),
        moments: &mut [AnchorMoments],
    ) {
        let (mut cells, mut rests) = (std::mem::take(&mut self.cells), std::mem::take(&mut self.rests));
        let logits =
            SplitLogits { cells: &mut cells, rests: &mut rests, stride: STRIP, count: problem.points_of(strip) };
        self.gather_and_split(problem, strip, group, moments, logits);
        (self.cells, self.rests) = (cells, rests);
    }

    /// Likewise, and leaves cells (relative to the base) and rests of the logits with the strip.
    pub(super) fn gather_and_split(
        &mut self,
        problem: &Problem<'_>,
        strip: usize,
        (group, packed): &(Range<usize>, Vec<f64>),
        moments: &mut [AnchorMoments],
        mut logits: SplitLogits<'_>,
    ) {
        problem.split_logits(packed, strip, group.clone(), &mut logits);
        for (row, (anchor, moments)) in group.clone().zip(moments).enumerate() {
            let at = logits.of(row);
            if problem.within(anchor) {
                self.add(problem, strip * STRIP, anchor, moments, (&logits.cells[at.clone()], &logits.rests[at]));
            }
        }
    }

    /// Adds the points from `begin` on to the moments of an anchor, given cells and rests of its logits with them.
    fn add(
        &mut self,
        problem: &Problem<'_>,
        begin: usize,
        anchor: usize,
        moments: &mut AnchorMoments,
        (cells, rests): (&[i32], &[f64]),
    ) {
        let (set, sample, end) = (problem.plan.set, problem.sample, begin + cells.len());
        for (from, to, part) in segments(sample, problem.options, anchor) {
            let (from, to) = (from.max(begin), to.min(end));
            let target = match part {
                Part::Own => &mut moments.own,
                Part::Rest => &mut moments.rest,
                Part::Nobody => continue,
            };
            if from >= to {
                continue;
            }
            let (cells, rests) = (&cells[from - begin..to - begin], &rests[from - begin..to - begin]);
            let (least, most) = kernels::extremes(set, cells);
            if least < 0 || most as usize >= self.even.len() {
                continue;
            }
            kernels::add_moments(set, cells, rests, &sample.weights[from..to], &mut self.even, &mut self.odd);
            target.absorb(set, &mut self.even, &mut self.odd, least as usize, most as usize);
        }
    }
}

/// What a run of sorted points is to an anchor.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Positives.
    Own,
    /// Negatives.
    Rest,
    /// Neither.
    Nobody,
}

/// The runs of sorted points. The anchor itself counts as one of the rest when it may be a negative but not a positive.
pub(super) fn segments(sample: &Sample<'_>, options: &LossOptions, anchor: usize) -> [(usize, usize, Part); 5] {
    let (start, end) = sample.members(sample.class(anchor));
    let itself = match (options.self_positive, options.same_class_negatives) {
        (true, _) => Part::Own,
        (false, true) => Part::Rest,
        (false, false) => Part::Nobody,
    };
    let before = (0, start, Part::Rest);
    let after = (end, sample.len(), Part::Rest);
    if options.self_positive {
        let none = (0, 0, Part::Nobody);
        return [before, (start, end, Part::Own), after, none, none];
    }
    [before, (start, anchor, Part::Own), (anchor, anchor + 1, itself), (anchor + 1, end, Part::Own), after]
}
