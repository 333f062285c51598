//! Models that can only be sampled.

use super::{ChunkStream, IndexLaw, MonteCarloError};
use contrastive::LatentClassModel;
use contrastive::data::LabelledPoints;
use enclosures::interval::Interval;
use enclosures::kernels::inner_product;

/// A latent-class model of which nothing is known but how to draw from it: a class from `rho`, and the embedding `f(x)` of an
/// input of a class.
pub trait Sampler: Sync {
    /// Positive numbers proportional to `rho`.
    fn class_weights(&self) -> &[f64];

    /// Dimension `d` of the embeddings.
    fn dimension(&self) -> usize;

    /// A bound on the norms of all embeddings; none when there is none.
    fn radius(&self) -> Option<f64>;

    /// The sum of the absolute errors of the probabilities drawn from, per draw of a class and an embedding.
    fn distance(&self) -> f64;

    /// A class drawn from `rho`.
    fn draw_class(&self, stream: &mut ChunkStream) -> usize;

    /// The embedding of an input of the class, written to the `d` numbers of `out`.
    fn draw_embedding(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]);

    /// Independent embeddings of a class, one after the other in `out`. Models that encode many inputs at once do so here.
    fn draw_embeddings(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]) {
        for out in out.chunks_exact_mut(self.dimension()) {
            self.draw_embedding(class, stream, out);
        }
    }

    /// The mean `mu_c` of the embeddings of a class where it is known in closed form.
    fn class_mean(&self, class: usize) -> Option<Vec<f64>>;

    /// A bound on the distances of embeddings from the mean of their class; none where nothing better is known than what the norms say.
    fn class_radius(&self) -> Option<f64> {
        None
    }

    /// A bound on the norm of the error of every [`Sampler::class_mean`].
    fn mean_error(&self) -> f64 {
        0.0
    }

    /// The logits `f(x).f(y)` of an anchor with independent draws `y` of a class, or of a class drawn afresh for each from
    /// `rho`. `scratch` has `d` places. Models that know the law of a logit draw it directly.
    fn draw_logits(
        &self,
        anchor: &[f64],
        class: Option<usize>,
        stream: &mut ChunkStream,
        scratch: &mut [f64],
        out: &mut [f64],
    ) {
        for logit in out {
            let class = class.unwrap_or_else(|| self.draw_class(stream));
            self.draw_embedding(class, stream, scratch);
            *logit = inner_product(anchor, scratch);
        }
    }
}

/// A finitely supported model prepared for sampling. Uniform laws are drawn from exactly.
#[derive(Clone, Debug)]
pub struct AtomSampler {
    class_weights: Vec<f64>,
    dimension: usize,
    /// All atoms in a row, class by class, and where each class begins; one more entry at the end.
    points: Vec<f64>,
    begin: Vec<usize>,
    class_of: Vec<u32>,
    classes: IndexLaw,
    within: Vec<IndexLaw>,
    overall: IndexLaw,
    means: Vec<Vec<f64>>,
    mean_error: f64,
}

impl AtomSampler {
    /// Prepares a model.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] for `2^32` atoms; [`MonteCarloError::Weight`] when a probability is subnormal.
    pub fn new(model: &LatentClassModel) -> Result<Self, MonteCarloError> {
        let weights = |atoms: &[contrastive::Atom]| atoms.iter().map(|a| a.weight).collect::<Vec<_>>();
        let within: Result<Vec<IndexLaw>, _> = model.classes().iter().map(|a| IndexLaw::new(&weights(a))).collect();
        let within = within?;
        let mut begin = vec![0];
        for atoms in model.classes() {
            begin.push(begin.last().copied().unwrap_or(0) + atoms.len());
        }
        let size = |c: usize| within.get(c).map_or(0.0, |law| law.len() as f64);
        // Equal weights inside the classes and class weights in the ratio of their sizes: exactly, hence the products.
        let ratio = |c: usize| {
            let (a, b) = (model.class_weights()[c] * size(0), model.class_weights()[0] * size(c));
            let exact = f64::mul_add(model.class_weights()[c], size(0), -a)
                == f64::mul_add(model.class_weights()[0], size(c), -b);
            a == b && exact
        };
        let uniform = within.iter().all(|law| matches!(law, IndexLaw::Uniform(_))) && (0..within.len()).all(ratio);
        let overall = if uniform {
            IndexLaw::new(&vec![1.0; model.n_atoms()])?
        } else {
            let atoms = model.weighted_atoms();
            IndexLaw::new(&atoms.iter().map(|a| a.overall.midpoint()).collect::<Vec<_>>())?
        };
        let means: Vec<Vec<Interval>> = (0..model.n_classes()).map(|c| model.class_mean(c)).collect();
        // The midpoint of an interval is within its width, its own rounding included.
        let square = |mean: &Vec<Interval>| mean.iter().map(|m| Interval::point(m.width()).square()).sum::<Interval>();
        let mean_error = means.iter().map(|mean| square(mean).sqrt().hi()).fold(0.0, f64::max);
        Ok(AtomSampler {
            class_weights: model.class_weights().to_vec(),
            dimension: model.dimension(),
            points: model.classes().iter().flatten().flat_map(|a| a.at.iter().copied()).collect(),
            begin,
            class_of: (0u32..).zip(model.classes()).flat_map(|(c, atoms)| vec![c; atoms.len()]).collect(),
            classes: IndexLaw::new(model.class_weights())?,
            within,
            overall,
            means: means.iter().map(|mean| mean.iter().map(|m| m.midpoint()).collect()).collect(),
            mean_error,
        })
    }

    /// Labelled points, each multiplied by `scale`, in one copy of them: classes are drawn by their shares or, with `equal_classes`, equally
    /// often, points of a class equally often. The means of the classes are not known.
    ///
    /// # Errors
    /// As [`AtomSampler::new`].
    pub fn of_points(points: &LabelledPoints, scale: f64, equal_classes: bool) -> Result<Self, MonteCarloError> {
        let sizes: Vec<usize> = (0..points.classes()).map(|c| points.class_members(c).len()).collect();
        let class_weights: Vec<f64> = sizes.iter().map(|&n| if equal_classes { 1.0 } else { n as f64 }).collect();
        let uniform = !equal_classes || sizes.iter().all(|n| *n == sizes[0]);
        let overall = if uniform {
            IndexLaw::Uniform(points.len())
        } else {
            // One rounding each, which the distance of the law has room for.
            let weights = sizes.iter().flat_map(|&n| std::iter::repeat_n(1.0 / n as f64, n));
            IndexLaw::new(&weights.collect::<Vec<_>>())?
        };
        if points.len() >= u32::MAX as usize {
            return Err(MonteCarloError::Count {
                what: "number of points",
                value: points.len() as u64,
                least: 1,
                most: u64::from(u32::MAX) - 1,
            });
        }
        let (mut begin, mut scaled) = (vec![0], Vec::with_capacity(points.points().len()));
        let mut class_of = Vec::with_capacity(points.len());
        for (class, &size) in (0u32..).zip(&sizes) {
            for &i in points.class_members(class as usize) {
                scaled.extend(points.point(i).iter().map(|x| x * scale));
            }
            class_of.resize(class_of.len() + size, class);
            begin.push(class_of.len());
        }
        Ok(AtomSampler {
            classes: IndexLaw::new(&class_weights)?,
            class_weights,
            dimension: points.dimension(),
            points: scaled,
            begin,
            class_of,
            within: sizes.iter().map(|&n| IndexLaw::Uniform(n)).collect(),
            overall,
            means: Vec::new(),
            mean_error: 0.0,
        })
    }

    /// Number of atoms `n`.
    #[must_use]
    pub fn n_atoms(&self) -> usize {
        self.begin.last().copied().unwrap_or(0)
    }

    /// All embeddings, row by row, class by class.
    #[must_use]
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// The embedding of an atom; empty beyond the last.
    #[must_use]
    pub fn point(&self, atom: usize) -> &[f64] {
        let begin = atom.saturating_mul(self.dimension);
        self.points.get(begin..begin.saturating_add(self.dimension)).unwrap_or(&[])
    }

    /// The atoms of a class.
    #[must_use]
    pub fn members(&self, class: usize) -> std::ops::Range<usize> {
        match (self.begin.get(class), self.begin.get(class + 1)) {
            (Some(&begin), Some(&end)) => begin..end,
            _ => 0..0,
        }
    }

    /// The class of an atom; 0 beyond the last.
    #[must_use]
    pub fn class_of(&self, atom: usize) -> usize {
        self.class_of.get(atom).map_or(0, |&class| class as usize)
    }

    /// The law of an atom under `sum_c rho(c) D_c`.
    #[must_use]
    pub fn overall(&self) -> &IndexLaw {
        &self.overall
    }

    /// The law of an atom inside a class, counted from the first of the class.
    #[must_use]
    pub fn within(&self, class: usize) -> Option<&IndexLaw> {
        self.within.get(class)
    }
}

impl Sampler for AtomSampler {
    fn class_weights(&self) -> &[f64] {
        &self.class_weights
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn radius(&self) -> Option<f64> {
        let square = (0..self.n_atoms()).map(|i| inner_product(self.point(i), self.point(i))).fold(0.0, f64::max);
        let radius = (square * (1.0 + 4.0 * (self.dimension + 2) as f64 * f64::EPSILON)).sqrt().next_up();
        radius.is_finite().then_some(radius)
    }

    fn class_radius(&self) -> Option<f64> {
        let from_mean = |(c, mean): (usize, &Vec<f64>)| {
            let square = |i| self.point(i).iter().zip(mean).map(|(x, m)| (x - m) * (x - m)).sum::<f64>();
            self.members(c).map(square).fold(0.0, f64::max)
        };
        let square = self.means.iter().enumerate().map(from_mean).fold(0.0, f64::max);
        // A squared difference errs by 3 units of 2^-53, a sum of d of them by d - 1 more: the slack is 8 (d + 4) such units.
        let radius = (square * (1.0 + 4.0 * (self.dimension + 4) as f64 * f64::EPSILON)).sqrt().next_up();
        (!self.means.is_empty() && radius.is_finite()).then(|| (radius + self.mean_error).next_up())
    }

    fn distance(&self) -> f64 {
        let within = self.within.iter().map(IndexLaw::distance).fold(0.0, f64::max);
        (self.classes.distance() + within).max(self.overall.distance())
    }

    fn draw_class(&self, stream: &mut ChunkStream) -> usize {
        self.classes.draw(stream)
    }

    fn draw_embedding(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]) {
        if let Some(law) = self.within.get(class) {
            let atom = self.members(class).start + law.draw(stream);
            out.iter_mut().zip(self.point(atom)).for_each(|(out, x)| *out = *x);
        }
    }

    fn class_mean(&self, class: usize) -> Option<Vec<f64>> {
        self.means.get(class).cloned()
    }

    fn mean_error(&self) -> f64 {
        self.mean_error
    }

    fn draw_logits(
        &self,
        anchor: &[f64],
        class: Option<usize>,
        stream: &mut ChunkStream,
        _: &mut [f64],
        out: &mut [f64],
    ) {
        let (law, begin) = match class {
            Some(class) => (self.within.get(class), self.members(class).start),
            None => (Some(&self.overall), 0),
        };
        if let Some(law) = law {
            for logit in out {
                *logit = inner_product(anchor, self.point(begin + law.draw(stream)));
            }
        }
    }
}
