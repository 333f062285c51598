//! The points in the order and layout in which the inner loops want them.

use super::kernels::{ANCHORS, CHAIN, PANEL, STRIP};
use super::options::{ClassShares, LossOptions};
use crate::EstimatorError;
use contrastive::data::LabelledPoints;

const U: f64 = f64::EPSILON / 2.0;

/// Points sorted by class (in the order of their labels, and within a class in their own), packed into panels.
pub(super) struct Sample<'a> {
    data: &'a LabelledPoints,
    /// Index of the sorted points in the data.
    pub(super) order: Vec<usize>,
    /// `[panel][coordinate][point of the panel]`, the last panel filled up with zeros.
    panels: Vec<f64>,
    /// Upper bounds of the Euclidean norms, and the largest one.
    norms: Vec<f64>,
    /// The largest norm.
    largest: f64,
    /// Probability of each sorted point, rounded (relative error below `u`).
    pub(super) weights: Vec<f64>,
    /// First and one past the last sorted index of each class.
    bounds: Vec<(usize, usize)>,
    temperature: f64,
}

impl<'a> Sample<'a> {
    /// Refuses what the options rule out.
    pub(super) fn new(data: &'a LabelledPoints, options: &LossOptions) -> Result<Self, EstimatorError> {
        let (n, d, classes) = (data.len(), data.dimension(), data.classes());
        if let (false, &[label]) = (options.same_class_negatives, data.original_labels()) {
            return Err(EstimatorError::NoNegative { label });
        }
        let (mut order, mut weights) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut bounds = Vec::new();
        for (c, &label) in data.original_labels().iter().enumerate() {
            let members = data.class_members(c);
            if members.len() < 2 && !options.self_positive {
                return Err(EstimatorError::NoPositive { label });
            }
            bounds.push((order.len(), order.len() + members.len()));
            order.extend_from_slice(members);
            let weight = match options.shares {
                ClassShares::Empirical => 1.0 / n as f64,
                ClassShares::Uniform => 1.0 / (classes as f64 * members.len() as f64),
            };
            weights.extend(std::iter::repeat_n(weight, members.len()));
        }
        let mut panels = vec![0.0; n.div_ceil(PANEL) * PANEL * d];
        for (at, &i) in order.iter().enumerate() {
            for (k, x) in data.point(i).iter().enumerate() {
                panels[(at / PANEL * d + k) * PANEL + at % PANEL] = *x;
            }
        }
        let norm = |&i: &usize| {
            let squares: f64 = data.point(i).iter().map(|x| x * x).sum();
            // Squares below the normal range are lost; at most d 1e-308 in all.
            (squares * (1.0 + (d as f64 + 2.0) * 2.0 * U) + d as f64 * 1e-300).sqrt() * (1.0 + 4.0 * U)
        };
        let norms: Vec<f64> = order.iter().map(norm).collect();
        let largest = norms.iter().copied().fold(0.0, f64::max);
        Ok(Sample { data, order, panels, norms, largest, weights, bounds, temperature: options.temperature })
    }

    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Number of coordinates.
    pub(super) fn dimension(&self) -> usize {
        self.data.dimension()
    }

    /// The data behind it.
    pub(super) fn data(&self) -> &LabelledPoints {
        self.data
    }

    /// Coordinates of a sorted point.
    pub(super) fn point(&self, sorted: usize) -> &[f64] {
        self.data.point(self.order[sorted])
    }

    /// Class of a sorted point.
    pub(super) fn class(&self, sorted: usize) -> usize {
        self.data.label(self.order[sorted])
    }

    /// Sorted indices of a class.
    pub(super) fn members(&self, class: usize) -> (usize, usize) {
        self.bounds[class]
    }

    /// The reciprocal of the probability of all other classes, with relative error below `2u`.
    pub(super) fn without_class(&self, class: usize, shares: ClassShares) -> f64 {
        let (n, classes) = (self.len() as f64, self.bounds.len() as f64);
        let (start, end) = self.bounds[class];
        match shares {
            ClassShares::Empirical => n / (n - (end - start) as f64),
            ClassShares::Uniform => classes / (classes - 1.0),
        }
    }

    /// The panels of one strip.
    pub(super) fn strip(&self, strip: usize) -> &[f64] {
        let size = STRIP * self.dimension();
        let end = ((strip + 1) * size).min(self.panels.len());
        &self.panels[strip * size..end]
    }

    /// Coordinates of up to [`ANCHORS`] sorted points from `first` on, coordinate by coordinate.
    pub(super) fn packed(&self, first: usize, into: &mut Vec<f64>) {
        into.clear();
        into.resize(ANCHORS * self.dimension(), 0.0);
        for a in 0..ANCHORS.min(self.len() - first) {
            for (k, x) in self.point(first + a).iter().enumerate() {
                into[k * ANCHORS + a] = *x;
            }
        }
    }

    /// An upper bound of every logit of a point, in size.
    pub(super) fn logit_bound(&self, sorted: usize) -> f64 {
        self.norms[sorted] * self.largest / self.temperature * (1.0 + 4.0 * U)
    }

    /// An upper bound of the error of every logit of a point, from the inner product on.
    pub(super) fn logit_error(&self, sorted: usize) -> f64 {
        let d = self.dimension();
        let roundings = d.min(CHAIN) + d.div_ceil(CHAIN) + 5;
        1.01 * roundings as f64 * U * self.logit_bound(sorted) + 1e-290 / self.temperature
    }
}
