//! Augmented square images, seen through an encoder at random weights or trained on pairs of such images.
//!
//! An input of a class is one of its images: a window at a random place stretched over the image, shifted, and with noise, less the mean of all
//! images. Its embedding is the output of the encoder scaled to the radius. Class means are not known.

use contrastive::data::LabelledPoints;
use contrastive::network::{
    ContrastiveSettings, ConvolutionalEncoder, ConvolutionalShape, Encoder, EncoderShape, NetworkError, Trainable,
    train,
};
use enclosures::kernels::inner_product;
use enclosures::probability::{standard_normal, uniform};
use enclosures::stream::{self, stream};

use super::{ChunkStream, Sampler};

/// Coordinates of an embedding.
const OUTPUT: usize = 8;
/// Inputs of a class on which an encoder is trained.
const SHOWN: usize = 8;
/// Inputs that are encoded together.
const TOGETHER: usize = 64;

/// What makes embeddings of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageEncoding {
    /// A Gaussian matrix, never trained.
    Linear,
    /// A layer of 32 rectified units and a matrix.
    Relu,
    /// Two convolutions and a matrix.
    Convolutional,
}

/// How images become embeddings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Augmentation {
    /// What makes embeddings.
    pub encoding: ImageEncoding,
    /// Updates of the encoder by contrastive training on pairs of augmented images; none of a linear one.
    pub updates: usize,
    /// The norm of every embedding.
    pub radius: f64,
    /// Side of the window in pixels, from 1 to that of an image.
    pub window: usize,
    /// Pixels by which an image is shifted at most.
    pub shift: usize,
    /// Noise in a pixel is uniform between minus this and this.
    pub noise: f64,
    /// Side of what a unit of a convolution sees, in pixels; odd. Other encoders have no use for it.
    pub kernel: usize,
}

#[derive(Clone, Debug)]
enum Layers {
    /// Rows of a matrix.
    Linear(Vec<f64>),
    Relu(Encoder),
    Convolutional(Box<ConvolutionalEncoder>),
}

/// The law of augmented images: see the module.
#[derive(Clone, Debug)]
pub struct AugmentedLaw {
    /// The images, class by class.
    images: Vec<f64>,
    /// Pixels of an image, up and across.
    side: usize,
    of_a_class: usize,
    class_weights: Vec<f64>,
    /// The mean of the images.
    mean: Vec<f64>,
    layers: Layers,
    how: Augmentation,
}

impl AugmentedLaw {
    /// The law of classes that hold so many of the images each, one class after the other, each of `side` times `side` pixels; its encoder is
    /// trained here. `seed` draws the weights that it starts from.
    ///
    /// # Errors
    /// No image, a kernel that does not fit, or a training that leaves the range of doubles.
    pub fn new(
        images: Vec<f64>,
        side: usize,
        of_a_class: usize,
        how: Augmentation,
        seed: &str,
    ) -> Result<Self, NetworkError> {
        let pixels = side * side;
        let count = images.len() / pixels.max(1);
        let mean = |i: usize| images.iter().skip(i).step_by(pixels).sum::<f64>() / count.max(1) as f64;
        let mut rng = stream(0, &["augmented images", seed]);
        let layers = match how.encoding {
            ImageEncoding::Linear => Layers::Linear((0..OUTPUT * pixels).map(|_| standard_normal(&mut rng)).collect()),
            ImageEncoding::Relu => {
                let shape = EncoderShape { input: pixels, width: 32, depth: 0, output: OUTPUT };
                Layers::Relu(Encoder::initialise(shape, &mut rng)?)
            }
            ImageEncoding::Convolutional => {
                let (maps, kernel) = ([4, 8], how.kernel);
                let shape = ConvolutionalShape { side, channels: 1, maps, kernel, stride: 2, output: OUTPUT };
                Layers::Convolutional(Box::new(ConvolutionalEncoder::initialise(shape, &mut rng)?))
            }
        };
        let mut law = AugmentedLaw {
            mean: (0..pixels).map(mean).collect(),
            class_weights: vec![1.0; count / of_a_class.max(1)],
            images,
            side,
            of_a_class,
            layers,
            how,
        };
        if how.updates > 0 {
            let shown = law.training_set()?;
            let settings = ContrastiveSettings { steps: how.updates, ..Default::default() };
            law.layers = match law.layers {
                Layers::Relu(encoder) => Layers::Relu(train(encoder, &shown, &settings)?.encoder),
                Layers::Convolutional(encoder) => {
                    Layers::Convolutional(Box::new(train(*encoder, &shown, &settings)?.encoder))
                }
                linear @ Layers::Linear(_) => linear,
            };
        }
        Ok(law)
    }

    /// Inputs of every class to train on.
    fn training_set(&self) -> Result<LabelledPoints, NetworkError> {
        let mut draws = ChunkStream::new(&stream::seed(0, &["augmented images, shown"]), 0);
        let (mut inputs, mut labels) = (Vec::new(), Vec::new());
        for class in 0..self.class_weights.len() {
            for _ in 0..SHOWN {
                self.input(class, &mut draws, &mut inputs);
                labels.push(class as u32);
            }
        }
        Ok(LabelledPoints::new(inputs, self.pixels(), labels)?)
    }

    fn pixels(&self) -> usize {
        self.side * self.side
    }

    /// One more input of a class.
    fn input(&self, class: usize, stream: &mut ChunkStream, inputs: &mut Vec<f64>) {
        let number = class * self.of_a_class + stream.below(self.of_a_class);
        let image = &self.images[number * self.pixels()..(number + 1) * self.pixels()];
        let free = self.side - self.how.window + 1;
        let [down, right] = [stream.below(free), stream.below(free)];
        let mut moved = || stream.below(2 * self.how.shift + 1) as i32 - self.how.shift as i32;
        let [below, beside] = [moved(), moved()];
        let columns = self.shown(right, beside);
        for (row, means) in self.shown(down, below).into_iter().zip(self.mean.chunks_exact(self.side)) {
            for (column, mean) in columns.iter().zip(means) {
                let shade = row.zip(*column).map_or(0.0, |(row, column)| image[row * self.side + column]);
                let noise = if self.how.noise > 0.0 { self.how.noise * (2.0 * uniform(stream) - 1.0) } else { 0.0 };
                inputs.push(shade + noise - mean);
            }
        }
    }

    /// Which row, or column, of the image every row of an input shows, if any: of a window from `start` on, and so many pixels on.
    fn shown(&self, start: usize, moved: i32) -> Vec<Option<usize>> {
        let side = self.side as i32;
        let inside = (0..side).map(|k| Some(k + moved).filter(|k| (0..side).contains(k)));
        inside.map(|k| k.map(|k| start + k as usize * self.how.window / self.side)).collect()
    }

    /// The embeddings of inputs, on the sphere; what cannot be computed is no number, and refused where it is observed.
    fn encode(&self, inputs: &[f64]) -> Vec<f64> {
        let count = inputs.len() / self.pixels();
        let outputs = match &self.layers {
            Layers::Linear(rows) => {
                let rows = || rows.chunks_exact(self.pixels());
                let images = inputs.chunks_exact(self.pixels());
                Ok(images.flat_map(|x| rows().map(move |row| inner_product(row, x))).collect())
            }
            Layers::Relu(encoder) => encoder.embed(inputs),
            Layers::Convolutional(encoder) => encoder.embed(inputs),
        };
        let mut outputs: Vec<f64> = outputs.unwrap_or_else(|_| vec![f64::NAN; count * OUTPUT]);
        for h in outputs.chunks_exact_mut(OUTPUT) {
            let norm = inner_product(h, h).sqrt();
            if norm == 0.0 {
                h[0] = self.how.radius;
            } else {
                h.iter_mut().for_each(|h| *h *= self.how.radius / norm);
            }
        }
        outputs
    }
}

impl Sampler for AugmentedLaw {
    fn class_weights(&self) -> &[f64] {
        &self.class_weights
    }

    fn dimension(&self) -> usize {
        OUTPUT
    }

    fn radius(&self) -> Option<f64> {
        Some(self.how.radius * (1.0 + 32.0 * f64::EPSILON))
    }

    fn distance(&self) -> f64 {
        0.0
    }

    fn draw_class(&self, stream: &mut ChunkStream) -> usize {
        stream.below(self.class_weights.len())
    }

    fn draw_embedding(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]) {
        let mut input = Vec::with_capacity(self.pixels());
        self.input(class, stream, &mut input);
        out.copy_from_slice(&self.encode(&input));
    }

    fn class_mean(&self, _: usize) -> Option<Vec<f64>> {
        None
    }

    fn draw_embeddings(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]) {
        for out in out.chunks_mut(TOGETHER * OUTPUT) {
            let mut inputs = Vec::new();
            (0..out.len() / OUTPUT).for_each(|_| self.input(class, stream, &mut inputs));
            out.copy_from_slice(&self.encode(&inputs));
        }
    }

    fn draw_logits(
        &self,
        anchor: &[f64],
        class: Option<usize>,
        stream: &mut ChunkStream,
        _: &mut [f64],
        out: &mut [f64],
    ) {
        for logits in out.chunks_mut(TOGETHER) {
            let mut inputs = Vec::new();
            for _ in 0..logits.len() {
                let class = class.unwrap_or_else(|| self.draw_class(stream));
                self.input(class, stream, &mut inputs);
            }
            let embeddings = self.encode(&inputs);
            logits.iter_mut().zip(embeddings.chunks_exact(OUTPUT)).for_each(|(l, y)| *l = inner_product(anchor, y));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contrastive::data::{digits, mnist};
    use std::path::Path;

    fn law(encoding: ImageEncoding, updates: usize, [window, shift]: [usize; 2], noise: f64) -> AugmentedLaw {
        let all = digits::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")).unwrap();
        let images = (0..4).flat_map(|class| all.point(all.class_members(class)[1]).to_vec()).collect();
        let how = Augmentation { encoding, updates, radius: 1.0, window, shift, noise, kernel: 3 };
        AugmentedLaw::new(images, digits::SIDE, 2, how, "test").unwrap()
    }

    #[test]
    fn embeddings_lie_on_the_sphere_alone_and_together() {
        for (encoding, updates) in
            [(ImageEncoding::Linear, 0), (ImageEncoding::Relu, 5), (ImageEncoding::Convolutional, 5)]
        {
            let law = law(encoding, updates, [6, 1], 0.1);
            assert_eq!(law.class_weights().len(), 2);
            let draws = || ChunkStream::new(&[3; 32], 0);
            let (mut one, mut many) = (vec![0.0; OUTPUT], vec![0.0; 70 * OUTPUT]);
            let (mut first, mut second) = (draws(), draws());
            law.draw_embeddings(1, &mut first, &mut many);
            for y in many.chunks_exact(OUTPUT) {
                law.draw_embedding(1, &mut second, &mut one);
                assert!(y.iter().zip(&one).all(|(a, b)| (a - b).abs() < 1e-12), "{encoding:?}");
                let norm = inner_product(y, y).sqrt();
                assert!((norm - 1.0).abs() < 1e-14 && norm <= law.radius().unwrap(), "{encoding:?}: {norm}");
            }
            assert_ne!(many[..OUTPUT], many[OUTPUT..2 * OUTPUT], "{encoding:?}");
        }
    }

    #[test]
    fn an_input_without_augmentation_is_an_image_of_its_class() {
        let law = law(ImageEncoding::Linear, 0, [8, 0], 0.0);
        let mut inputs = Vec::new();
        let mut stream = ChunkStream::new(&[1; 32], 0);
        (0..20).for_each(|_| law.input(1, &mut stream, &mut inputs));
        let own = &law.images[2 * digits::DIMENSION..];
        for input in inputs.chunks_exact(digits::DIMENSION) {
            let whole: Vec<f64> = input.iter().zip(&law.mean).map(|(x, m)| x + m).collect();
            let near = |image: &[f64]| image.iter().zip(&whole).all(|(x, y)| (x - y).abs() < 1e-15);
            assert!(own.chunks_exact(digits::DIMENSION).any(near));
        }
    }
    /// A window of half the side shows every pixel four times.
    #[test]
    fn a_window_is_stretched_over_an_image_of_any_size() {
        let all = mnist::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")).unwrap();
        let (encoding, window) = (ImageEncoding::Convolutional, 14);
        let how = Augmentation { encoding, updates: 0, radius: 1.0, window, shift: 0, noise: 0.0, kernel: 5 };
        let law = AugmentedLaw::new(all.point(0).to_vec(), mnist::SIDE, 1, how, "test").unwrap();
        let mut input = Vec::new();
        law.input(0, &mut ChunkStream::new(&[1; 32], 0), &mut input);
        let whole: Vec<f64> = input.iter().zip(&law.mean).map(|(x, m)| x + m).collect();
        let corner = |place: usize| place / mnist::SIDE / 2 * 2 * mnist::SIDE + place % mnist::SIDE / 2 * 2;
        assert!((0..mnist::DIMENSION).all(|place| (whole[place] - whole[corner(place)]).abs() < 1e-15));
        assert!(law.encode(&input).iter().all(|y| y.abs() <= 1.0));
    }
}
