//! The models of a study, each with its exact loss.

use super::circle::CircleMixture;
use super::{Loss, StudyError, Work};
use crate::exact::{LossOptions, exact_unsupervised_losses};
use crate::monte_carlo::{AtomSampler, GaussianMixture, Sampler};
use contrastive::data::LabelledPoints;
use contrastive::{Atom, LatentClassModel, sup_mean_all, sup_mean_average, unsupervised_losses};
use enclosures::enclosure::Enclosure;
use enclosures::kernels::{KernelError, gram};
use enclosures::probability::{Coverage, standard_normal};
use enclosures::stream::stream;

/// The exact average over pairs of classes lists them, up to this number of classes.
const MOST_CLASSES_OF_PAIRS: usize = 100;

/// A model with a name.
#[derive(Debug)]
pub struct Subject {
    name: String,
    about: String,
    law: SampledLaw,
    /// How many of the numbers of negatives it is studied with, the first of them.
    numbers: usize,
}

#[derive(Debug)]
enum SampledLaw {
    /// Any finitely supported model.
    Finite { model: LatentClassModel, sampler: AtomSampler },
    /// Equally likely points, which the fast exact path takes.
    Points { points: LabelledPoints, model: LatentClassModel, sampler: AtomSampler },
    /// What can only be sampled.
    Circle { mixture: CircleMixture, sampler: GaussianMixture },
}

impl Subject {
    /// Three classes in the plane with six atoms and unequal weights everywhere.
    ///
    /// # Errors
    /// None in practice: the constructors' own.
    pub fn reference() -> Result<Self, StudyError> {
        let atom = |weight, x, y| Atom { weight, at: vec![x, y] };
        let classes = vec![
            vec![atom(0.25, 1.0, 0.0), atom(0.75, 0.5, 0.5)],
            vec![atom(1.0, -1.0, 0.0)],
            vec![atom(0.2, 0.0, 2.0), atom(0.3, 0.0, -1.0), atom(0.5, 1.0, 1.0)],
        ];
        let model = LatentClassModel::new(vec![0.5, 0.3, 0.2], classes)?;
        let sampler = AtomSampler::new(&model)?;
        Ok(Subject {
            name: "six atoms".into(),
            about: "three classes in the plane with six atoms and unequal weights".into(),
            law: SampledLaw::Finite { model, sampler },
            numbers: usize::MAX,
        })
    }

    /// The empirical distribution of labelled embeddings.
    ///
    /// # Errors
    /// As [`LatentClassModel::from_labelled`] and [`AtomSampler::new`].
    pub fn labelled(name: &str, about: &str, points: LabelledPoints) -> Result<Self, StudyError> {
        let labels: Vec<u32> = points.labels().iter().map(|&class| class as u32).collect();
        let model = LatentClassModel::from_labelled(points.points(), points.dimension(), &labels)?;
        let sampler = AtomSampler::new(&model)?;
        Ok(Subject {
            name: name.into(),
            about: about.into(),
            law: SampledLaw::Points { points, model, sampler },
            numbers: usize::MAX,
        })
    }

    /// Images through one hidden layer of 64 rectified units onto 32 coordinates, with random weights of variance 1/64: a
    /// random encoder's embeddings, as the benches have them.
    ///
    /// # Errors
    /// Images that are not finite or of dimension zero.
    pub fn random_encoder(name: &str, images: &LabelledPoints) -> Result<Self, StudyError> {
        const HIDDEN: usize = 64;
        const OUTPUT: usize = 32;
        let weights = |count: usize, name: &str| {
            let mut rng = stream(0, &["bench exact", name]);
            (0..count).map(|_| standard_normal(&mut rng) / 8.0).collect::<Vec<f64>>()
        };
        let rows = images.len();
        let layer = |inputs: &[f64], weights: &[f64], outputs: usize| -> Result<Vec<f64>, KernelError> {
            let mut values = vec![0.0; rows * outputs];
            gram(inputs, weights, weights.len() / outputs, &mut values)?;
            Ok(values)
        };
        let hidden = layer(images.points(), &weights(HIDDEN * images.dimension(), "hidden"), HIDDEN)?;
        let hidden: Vec<f64> = hidden.into_iter().map(|x| x.max(0.0)).collect();
        let outputs = layer(&hidden, &weights(OUTPUT * HIDDEN, "output"), OUTPUT)?;
        let names = images.original_labels();
        let labels = images.labels().iter().filter_map(|&class| names.get(class).copied());
        let about = format!("{rows} images through a random network onto {OUTPUT} coordinates");
        Subject::labelled(name, &about, LabelledPoints::new(outputs, OUTPUT, labels.collect())?)
    }

    /// Three Gaussian classes projected to a circle, known to the estimators by its draws alone. Its exact losses are
    /// integrals over angles, enclosed with the error of the quadrature.
    ///
    /// # Errors
    /// None in practice: the constructors' own.
    pub fn gaussian_mixture() -> Result<Self, StudyError> {
        let classes = [(0.5, 0.0, 2.0), (0.3, 0.6, 1.0), (0.2, 1.3, 1.5)];
        let mixture = CircleMixture::new(&classes, core::f64::consts::SQRT_2)?;
        let sampler = mixture.sampler()?;
        Ok(Subject {
            name: "Gaussian mixture".into(),
            about: "three Gaussian classes in the plane, scaled to norm √2; estimators see only draws from it".into(),
            law: SampledLaw::Circle { mixture, sampler },
            numbers: usize::MAX,
        })
    }

    /// Classes around normal centres, on a sphere: `of_a_class` points of each, at the centre plus half as long a normal vector, scaled to the
    /// norm `sqrt 3`. Studied with the first two numbers of negatives.
    ///
    /// # Errors
    /// None in practice: the constructors' own.
    pub fn on_a_sphere(name: &str, classes: usize, of_a_class: usize, dimension: usize) -> Result<Self, StudyError> {
        let mut rng = stream(0, &["on a sphere", name]);
        let (mut points, mut labels) = (Vec::new(), Vec::new());
        for class in 0..classes {
            let centre: Vec<f64> = (0..dimension).map(|_| standard_normal(&mut rng)).collect();
            for _ in 0..of_a_class {
                let point: Vec<f64> = centre.iter().map(|m| m + 0.5 * standard_normal(&mut rng)).collect();
                let scale = (3.0 / point.iter().map(|x| x * x).sum::<f64>()).sqrt();
                points.extend(point.iter().map(|x| scale * x));
                labels.push(class as u32);
            }
        }
        let about =
            format!("{classes} classes of {of_a_class} points on the sphere of radius √3 in {dimension} dimensions");
        let subject = Subject::labelled(name, &about, LabelledPoints::new(points, dimension, labels)?)?;
        Ok(Subject { numbers: 2, ..subject })
    }

    /// A short name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is, in a line.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// What draws from it.
    #[must_use]
    pub fn sampler(&self) -> &dyn Sampler {
        match &self.law {
            SampledLaw::Finite { sampler, .. } | SampledLaw::Points { sampler, .. } => sampler,
            SampledLaw::Circle { sampler, .. } => sampler,
        }
    }

    /// The model and its atoms, where it is finite.
    #[must_use]
    pub fn finite(&self) -> Option<(&LatentClassModel, &AtomSampler)> {
        match &self.law {
            SampledLaw::Finite { model, sampler } | SampledLaw::Points { model, sampler, .. } => Some((model, sampler)),
            SampledLaw::Circle { .. } => None,
        }
    }

    /// What is estimated of it: the unsupervised loss with each number of negatives, and where it is finite `L_sup^mu` of all classes, and of pairs
    /// where these are listed, and the chance that as many negatives show every class as it takes for it to be likely.
    #[must_use]
    pub fn estimated(&self, negatives: &[usize]) -> Vec<Loss> {
        let mut losses: Vec<Loss> = negatives.iter().take(self.numbers).map(|&n| Loss::Unsupervised(n)).collect();
        let classes = self.sampler().class_weights().len();
        if self.finite().is_some() && classes > 1 {
            let often = (core_math::log(classes as f64) + 1.0).ceil() as usize;
            losses.push(Loss::AllClasses);
            if classes <= MOST_CLASSES_OF_PAIRS {
                losses.push(Loss::Tasks(1));
            }
            losses.push(Loss::Coverage(classes * often));
        }
        losses
    }

    /// Their exact values.
    ///
    /// # Errors
    /// As [`Subject::losses`]; what the model refuses.
    pub fn exact(&self, losses: &[Loss]) -> Result<Vec<Enclosure>, StudyError> {
        let numbers: Vec<u64> = losses.iter().filter_map(|loss| Some(loss.negatives()? as u64)).collect();
        let mut unsupervised = self.losses(&numbers)?.into_iter();
        let model = self.finite().map(|(model, _)| model);
        let value = |loss: &Loss| -> Result<Option<Enclosure>, StudyError> {
            Ok(match (loss, model) {
                (Loss::Unsupervised(_), _) => unsupervised.next(),
                (Loss::AllClasses, Some(model)) => Some(sup_mean_all(model).into()),
                (Loss::Tasks(k), Some(model)) => Some(sup_mean_average(model, *k)?.into()),
                (Loss::Coverage(n), Some(model)) => {
                    Some(Coverage::of_weights(model.class_weights(), *n as u64)?.covered.into())
                }
                (_, None) => None,
            })
        };
        let values: Result<Vec<Option<Enclosure>>, StudyError> = losses.iter().map(value).collect();
        Ok(values?.into_iter().flatten().collect())
    }

    /// The exact unsupervised losses.
    ///
    /// # Errors
    /// A number of negatives outside `1 ..= 2^53`.
    pub fn losses(&self, negatives: &[u64]) -> Result<Vec<Enclosure>, StudyError> {
        Ok(match &self.law {
            SampledLaw::Finite { model, .. } => {
                (unsupervised_losses(model, negatives)?.into_iter()).map(Enclosure::from).collect()
            }
            SampledLaw::Points { points, .. } => exact_unsupervised_losses(points, negatives, &LossOptions::default())?,
            SampledLaw::Circle { mixture, .. } => mixture.losses(negatives)?,
        })
    }

    /// About what [`Subject::exact`] takes for one loss. Of the unsupervised one all inner products, and exponentials at the nodes of
    /// the quadrature, of which there are as many as [`crate::exact`] (points) and [`contrastive::by_quadrature`]
    /// (models) say.
    #[must_use]
    pub fn exact_work(&self, loss: Loss) -> Work {
        let classes = self.sampler().class_weights().len() as u64;
        let atoms = self.finite().map_or(0, |(model, _)| model.n_atoms() as u64);
        let negatives = match loss {
            Loss::Unsupervised(negatives) => negatives as u64,
            // Every atom against every mean; for pairs, a softplus for each.
            Loss::AllClasses | Loss::Tasks(_) => {
                return Work { products: atoms * classes, draws: 0, functions: atoms * (classes + 1) };
            }
            // A term for every class and every draw, at most.
            Loss::Coverage(negatives) => {
                return Work { functions: classes * negatives as u64, ..Work::default() };
            }
        };
        let (atoms, largest) = match &self.law {
            SampledLaw::Finite { sampler, .. } | SampledLaw::Points { sampler, .. } => {
                let radius = sampler.radius().unwrap_or(f64::INFINITY);
                (sampler.n_atoms(), radius * radius)
            }
            SampledLaw::Circle { mixture, .. } => (mixture.atoms(), mixture.largest_logit()),
        };
        let (n, size) = (atoms as u64, core_math::log(negatives.max(1) as f64) + 2.0 * largest);
        let functions = match &self.law {
            SampledLaw::Points { .. } => n.saturating_mul((110.0 + 4.0 * size) as u64),
            _ => n.saturating_mul(n).saturating_mul((200.0 + 4.3 * size) as u64),
        };
        Work { products: n.saturating_mul(n), draws: 0, functions }
    }
}
