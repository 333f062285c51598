//! Positive pairs made by augmentation: an input of a class is one of its images of digits, cropped, shifted and with noise, seen through an
//! encoder at random weights or trained on such pairs.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use contrastive::data::{digits, mnist};
use estimators::bounds::Bound;
use estimators::monte_carlo::{Augmentation, AugmentedLaw, ImageEncoding};
use evidence::claim::Fixtures;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::drawn_models::{SampledLosses, all_told, sampled_losses};
use super::kept::Kept;

/// What every such model is by its construction.
pub const AUGMENTED: &str = "ρ uniform; class c = 0, …, N_C − 1 holds the images number mb, …, mb + m − 1 of the digit c mod 10, b = ⌊c/10⌋, \
                             of the 8 × 8 digits or of MNIST's 28 × 28; an input is one of them, all equally likely: a window of w × w \
                             pixels at a random place stretched over the image, then shifted by up to s pixels in both directions, blank \
                             pixels filled in, then noise of the uniform law on [−σ, σ] in every pixel, less the mean of all images of all \
                             classes; f(x) = R h/‖h‖ (R e_1 if h = 0), h ∈ ℝ^8 the output of the encoder: a Gaussian matrix (linear), a \
                             layer of 32 rectified units and a matrix (ReLU), or two convolutions and a matrix (windows of 3 × 3 pixels of \
                             the digits, 5 × 5 of MNIST, stride 2), at random weights or after some updates of Adam on the contrastive \
                             loss of pairs of 8 inputs of every class";

/// Where the images come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
#[instance(describe = Self::to_string, stored)]
pub enum ImageSet {
    Digits,
    Mnist,
}

impl fmt::Display for ImageSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ImageSet::Digits => "digits",
            ImageSet::Mnist => "MNIST",
        })
    }
}

impl ImageSet {
    /// Images of a digit that there are at least.
    fn of_a_digit(self) -> u32 {
        match self {
            ImageSet::Digits => 170,
            ImageSet::Mnist => 500,
        }
    }

    /// Pixels of an image, up and across.
    fn side(self) -> usize {
        match self {
            ImageSet::Digits => digits::SIDE,
            ImageSet::Mnist => mnist::SIDE,
        }
    }
}

/// What makes embeddings of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
#[instance(describe = Self::to_string, stored)]
pub enum ImageEncoder {
    Linear,
    Relu,
    Convolutional,
}

impl fmt::Display for ImageEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ImageEncoder::Linear => "linear",
            ImageEncoder::Relu => "ReLU",
            ImageEncoder::Convolutional => "convolutional",
        })
    }
}

/// Augmented images; see [`AUGMENTED`]. With one image a class, the classes are images.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{encoder} on {data} after {updates} updates, N_C = {classes}, m = {images}, N = {negatives}, R = {radius}, \
                       w = {window}, s = {shift}, σ = {noise}", valid = Self::is_a_law, stored)]
pub struct AugmentedImages {
    pub encoder: ImageEncoder,
    pub data: ImageSet,
    #[instance(range = "0..=2000")]
    pub updates: u32,
    #[instance(range = "2..=1000")]
    pub classes: u32,
    #[instance(range = "1..=500")]
    pub images: u32,
    #[instance(range = "1..=4096")]
    pub negatives: u64,
    #[instance(range = "0.01..=4.0")]
    pub radius: f64,
    #[instance(range = "1..=28")]
    pub window: u32,
    #[instance(range = "0..=27")]
    pub shift: u32,
    #[instance(range = "0.0..=4.0")]
    pub noise: f64,
}

impl AugmentedImages {
    fn is_a_law(&self) -> Result<(), String> {
        let (most, side) = (self.data.of_a_digit(), self.data.side() as u32);
        match self.encoder {
            _ if self.classes.div_ceil(10) * self.images > most => {
                Err(format!("there are {most} images of every digit"))
            }
            _ if self.window > side || self.shift >= side => Err(format!("an image has {side} × {side} pixels")),
            ImageEncoder::Linear if self.updates > 0 => Err("the linear encoder is not trained".into()),
            _ => Ok(()),
        }
    }

    /// The law, whose encoder is trained once however many claims ask.
    fn law(&self, fixtures: &Fixtures) -> Result<Arc<AugmentedLaw>, MeasureError> {
        static LAWS: Kept<(PathBuf, String), Arc<AugmentedLaw>> = Kept::new();
        let what = format!("{:?}", AugmentedImages { negatives: 1, ..self.clone() });
        LAWS.get((fixtures.root().to_owned(), what), || self.trained(fixtures).map(Arc::new))
    }

    fn trained(&self, fixtures: &Fixtures) -> Result<AugmentedLaw, MeasureError> {
        let all = match self.data {
            ImageSet::Digits => digits::load(fixtures.root())?,
            ImageSet::Mnist => mnist::load(fixtures.root())?,
        };
        let of_a_class = self.images as usize;
        let mut images = Vec::new();
        for class in 0..self.classes as usize {
            let members = all.class_members(class % 10).iter().skip(class / 10 * of_a_class).take(of_a_class);
            members.for_each(|&i| images.extend_from_slice(all.point(i)));
        }
        let how = Augmentation {
            encoding: match self.encoder {
                ImageEncoder::Linear => ImageEncoding::Linear,
                ImageEncoder::Relu => ImageEncoding::Relu,
                ImageEncoder::Convolutional => ImageEncoding::Convolutional,
            },
            updates: self.updates as usize,
            radius: self.radius,
            window: self.window as usize,
            shift: self.shift as usize,
            noise: self.noise,
            kernel: match self.data {
                ImageSet::Digits => 3,
                ImageSet::Mnist => 5,
            },
        };
        Ok(AugmentedLaw::new(images, self.data.side(), of_a_class, how, &self.encoder.to_string())?)
    }

    /// Both losses, sampled until each of the bounds is decided; for tasks of k + 1 classes, or the task of all classes.
    pub fn losses(&self, k: Option<usize>, bounds: &[Bound], trial: &mut Trial) -> Result<SampledLosses, MeasureError> {
        self.losses_until(k, &|losses| all_told(losses, bounds), trial)
    }

    /// Both losses, sampled until they decide.
    pub fn losses_until(
        &self,
        k: Option<usize>,
        decided: &dyn Fn(&SampledLosses) -> bool,
        trial: &mut Trial,
    ) -> Result<SampledLosses, MeasureError> {
        sampled_losses(&*self.law(trial.fixtures())?, self.negatives, k, decided, trial)
    }
}

/// Augmented images and the number k + 1 of classes of a task.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "k = {k}, {model}", valid = Self::fits, stored)]
pub struct AugmentedTask {
    #[instance(range = "1..=999")]
    pub k: u32,
    #[instance(nested)]
    pub model: AugmentedImages,
}

impl AugmentedTask {
    fn fits(&self) -> Result<(), String> {
        if self.k < self.model.classes { Ok(()) } else { Err("k ≤ N_C − 1 is needed".into()) }
    }

    /// As [`AugmentedImages::losses`].
    pub fn losses(&self, bounds: &[Bound], trial: &mut Trial) -> Result<SampledLosses, MeasureError> {
        self.model.losses(Some(self.k as usize), bounds, trial)
    }
}

/// Fifty images a class of the digits, in windows that lose little, with some noise.
fn ten_digits(encoder: ImageEncoder, updates: u32, negatives: u64) -> AugmentedImages {
    AugmentedImages {
        encoder,
        data: ImageSet::Digits,
        updates,
        classes: 10,
        images: 50,
        negatives,
        radius: 1.0,
        window: 7,
        shift: 1,
        noise: 0.125,
    }
}

/// The same of MNIST.
fn ten_of_mnist(encoder: ImageEncoder, updates: u32, negatives: u64) -> AugmentedImages {
    AugmentedImages { data: ImageSet::Mnist, window: 24, shift: 2, ..ten_digits(encoder, updates, negatives) }
}

fn described(list: impl IntoIterator<Item = AugmentedImages>) -> Vec<(String, AugmentedImages)> {
    list.into_iter().map(|model| (model.describe(), model)).collect()
}

/// Digits and images as classes, through every encoder, random and trained.
pub fn augmented(negatives: u64) -> Vec<(String, AugmentedImages)> {
    use ImageEncoder::{Convolutional, Linear, Relu};
    let digits = |encoder, updates| ten_digits(encoder, updates, negatives);
    let images = |encoder, updates| AugmentedImages {
        classes: 20,
        images: 1,
        window: 6,
        noise: 0.25,
        ..digits(encoder, updates)
    };
    described([
        AugmentedImages { window: 8, ..digits(Linear, 0) },
        digits(Relu, 0),
        digits(Relu, 300),
        AugmentedImages { window: 8, noise: 0.0, ..digits(Convolutional, 0) },
        AugmentedImages { window: 8, noise: 0.25, ..digits(Convolutional, 200) },
        images(Relu, 300),
        images(Convolutional, 200),
        ten_of_mnist(Relu, 300, negatives),
    ])
}

/// Tasks of some classes and of all: what the bounds lose there is more than the length of an interval from as many draws as an embedding
/// that has to be computed allows.
pub fn augmented_tasks(negatives: u64) -> Vec<(String, AugmentedTask)> {
    let of = |k, of: usize| AugmentedTask { k, model: augmented(negatives).swap_remove(of).1 };
    [of(3, 1), of(5, 2), of(9, 4), of(4, 7)].into_iter().map(|task| (task.describe(), task)).collect()
}

/// ReLU encoders before, early in and after training.
pub fn along_training(negatives: u64) -> Vec<(String, AugmentedImages)> {
    let on_digits = [0, 20, 300].map(|updates| ten_digits(ImageEncoder::Relu, updates, negatives));
    let on_mnist = [0, 300].map(|updates| ten_of_mnist(ImageEncoder::Relu, updates, negatives));
    described(on_digits.into_iter().chain(on_mnist))
}

/// Convolutional encoders of MNIST before and after training.
pub fn convolutional_along_training(negatives: u64) -> Vec<(String, AugmentedImages)> {
    described([0, 200].map(|updates| ten_of_mnist(ImageEncoder::Convolutional, updates, negatives)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimators::monte_carlo::Sampler;

    #[test]
    fn named_laws_and_tasks_are_some_and_what_is_none_is_refused() {
        let laws = augmented(1).into_iter().chain(along_training(15)).chain(convolutional_along_training(1));
        assert!(laws.map(|(_, model)| model).all(|model| model.is_a_law().is_ok()));
        assert!(augmented_tasks(1).iter().all(|(_, task)| task.fits().is_ok() && task.model.is_a_law().is_ok()));
        let relu = ten_digits(ImageEncoder::Relu, 300, 1);
        assert!(AugmentedImages { classes: 20, images: 100, ..relu.clone() }.is_a_law().is_err());
        assert!(AugmentedImages { window: 9, ..relu.clone() }.is_a_law().is_err());
        assert!(AugmentedImages { encoder: ImageEncoder::Linear, ..relu.clone() }.is_a_law().is_err());
        assert!(AugmentedTask { k: 10, model: relu }.fits().is_err());
    }

    #[test]
    fn classes_beyond_the_tenth_hold_further_images_and_a_law_is_kept() {
        let fixtures = Fixtures::at("../../fixtures");
        let (_, images) = augmented(1).swap_remove(5);
        assert_eq!((images.classes, images.images), (20, 1));
        let untrained = AugmentedImages { updates: 0, ..images };
        let law = untrained.law(&fixtures).unwrap();
        assert_eq!(law.class_weights().len(), 20);
        let with_more_negatives = AugmentedImages { negatives: 5, ..untrained.clone() };
        assert!(Arc::ptr_eq(&law, &with_more_negatives.law(&fixtures).unwrap()));
        let another = AugmentedImages { noise: 0.5, ..untrained };
        assert!(!Arc::ptr_eq(&law, &another.law(&fixtures).unwrap()));
    }
}
