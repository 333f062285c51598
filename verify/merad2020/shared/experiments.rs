//! The experiments of section 5 on a small scale: encoders trained contrastively with N negatives, several runs each, looked
//! at along the way.
//!
//! The embeddings of a sample are a finite model of their own, whose losses are finite sums and a quadrature. But which
//! embeddings they are is the outcome of training in plain floating-point arithmetic, so that all that is said of an
//! experiment is measured.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use contrastive::data::{LabelledPoints, NumberTable, digits, draw_tuple, mnist};
use contrastive::network::{
    ContrastiveSettings, ConvolutionalEncoder, Encoder, EncoderShape, NormRange, Snapshot, Trainable, Weights,
    add_multiple, contrastive_loss, embeddings, train,
};
use contrastive::sup_mean_all;
use enclosures::kernels::{KernelError, PackedRows};
use enclosures::probability::{fill_standard_normal, list_of_standard_normals};
use enclosures::stream::{Stream, stream};
use enclosures::work::shared;
use estimators::exact::{LossOptions, exact_unsupervised_losses};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::digits::{empirical, on_mnist};
use super::kept::Kept;

/// What is trained here: the first of the paper's image sets, in part, and smaller ones in place of the others.
pub const OURS: &str = "two convolutions with ReLU (4 and 8 maps, windows of 5 × 5 pixels, stride 2) and a dense layer \
                        on the first 100 images of each class of MNIST, 28 × 28 pixels in [0, 1], every parameter \
                        uniform in ±1/√k with k the inputs of its unit, mini-batches of 16 pairs (x, x⁺) with the same \
                        N negatives, Adam with rate 0.003; f(x) = Bx on the 8 × 8 digits, pixels in [0, 1], B from \
                        N(0, 1/64) (mean 0, variance 1/64), stochastic gradient descent with rate 0.05; f(x) = B \
                        relu(A x) with 32 hidden units, A from N(0, 2/32), B from N(0, 1/8), on the digits and on a \
                        mixture of 40, 30, 20 and 10 points of ℝ¹⁶, (centre + offset)/6 with standard Gaussian centres \
                        of the four classes and offsets of the points, Adam with rate 0.003; d = 8, mini-batches of 8 \
                        tuples (x, x⁺, x_1⁻, …, x_N⁻) but for MNIST, the loss the mean over the mini-batch of log(1 + \
                        Σ_{i≤N} e^{f(x)·(f(x_i⁻) − f(x⁺))}), at the standard budget 250 updates and four runs, logged \
                        before training and after 1, 2, 5, 10, … and all updates; the losses are those of the \
                        empirical law of the 1000 images of MNIST, of the first 20 digits of each class, or of the \
                        mixture's 100 points";
/// Dimension d of the embeddings.
const OUTPUT: usize = 8;
/// Hidden units of the ReLU encoder.
const WIDTH: usize = 32;
/// Tuples of a mini-batch.
const BATCH: usize = 8;
/// Pairs of a mini-batch of images, which share their negatives.
const PAIRS: usize = 16;
/// Images of each class of MNIST, from which tuples are drawn and whose embeddings make up the model.
const IMAGES: usize = 100;
/// Step size of the linear encoder's gradient descent.
const RATE: f64 = 0.05;
/// Digits of each class whose embeddings make up the model; the output norms are taken over all digits.
const SHOWN: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Instance)]
#[instance(stored)]
#[serde(rename_all = "lowercase")]
pub enum Architecture {
    /// f(x) = Bx.
    #[instance(describe = "a linear encoder")]
    Linear,
    /// f(x) = B relu(Ax), all of it trained.
    #[instance(describe = "a ReLU encoder")]
    Relu,
    /// The same with A = 0: every hidden unit is dead and stays so.
    #[instance(describe = "a dead ReLU encoder")]
    Dead,
    /// Two convolutions with ReLU and a dense layer.
    #[instance(describe = "a convolutional encoder")]
    Convolutional,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Instance)]
#[instance(stored)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The 8 × 8 digits, ten classes.
    #[instance(describe = "the digits")]
    Digits,
    /// Four Gaussian classes of shares 4 : 3 : 2 : 1.
    #[instance(describe = "a Gaussian mixture")]
    Mixture,
    /// Images of MNIST, ten classes.
    #[instance(describe = "MNIST")]
    Mnist,
}

/// What is trained on what, with how many negatives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Instance)]
#[instance(describe = "{encoder} trained on {data} with N = {negatives}", valid = Self::fits, stored)]
pub struct Experiment {
    pub encoder: Architecture,
    pub data: Source,
    #[instance(range = "1..=64")]
    pub negatives: u64,
}

impl Experiment {
    fn fits(&self) -> Result<(), String> {
        let is_convolutional = self.encoder == Architecture::Convolutional;
        if is_convolutional == (self.data == Source::Mnist) {
            Ok(())
        } else {
            Err("the convolutional encoder is for MNIST, and MNIST for it".into())
        }
    }
}

impl Experiment {
    pub fn new(encoder: Architecture, data: Source, negatives: u64) -> Self {
        Experiment { encoder, data, negatives }
    }

    pub fn named(self) -> (String, Self) {
        (self.describe(), self)
    }
}

/// One encoder at one moment.
pub struct Stage {
    /// Updates made before.
    pub step: usize,
    /// ‖f(x)‖ over the whole data set.
    pub norms: NormRange,
    /// The embeddings of the sample.
    embedded: LabelledPoints,
}

/// The losses of the sample's model at one moment, measured.
pub struct TrainedLosses {
    pub step: usize,
    /// L_un^N(f), N the number of negatives trained with.
    pub unsupervised: Enclosure,
    /// L_sup^μ(f, 𝒞).
    pub mean_classifier: Enclosure,
    pub p_min: Enclosure,
}

/// The runs of an experiment, each a list of stages.
pub type Runs = Arc<Vec<Vec<Stage>>>;
type Key = (Experiment, usize, usize, PathBuf);

/// The experiment, its number of updates and of runs at the budget of the trial, and where the digits are.
fn key(experiment: &Experiment, trial: &Trial) -> Key {
    let root = trial.fixtures().root().to_owned();
    (*experiment, trial.samples(250), trial.samples(4).min(5), root)
}

/// The stages of every run, trained once however many checks and tables ask.
///
/// # Errors
/// The digits are missing, or training leaves the range of doubles.
pub fn runs(experiment: &Experiment, trial: &Trial) -> Result<Runs, MeasureError> {
    static TRAINED: Kept<Key, Runs> = Kept::new();
    let key = key(experiment, trial);
    let (steps, count) = (key.1, key.2);
    TRAINED.get(key, || {
        let (all, shown) = load(experiment.data, trial)?;
        let one = |run| stages(experiment, &all, &shown, steps, run);
        Ok(Arc::new((0..count).map(one).collect::<Result<_, MeasureError>>()?))
    })
}

/// The losses along every run, computed once or, if two threads ask at the same time, twice with the same result.
///
/// # Errors
/// As [`runs`].
pub fn losses(experiment: &Experiment, trial: &Trial) -> Result<Arc<Vec<Vec<TrainedLosses>>>, MeasureError> {
    static KNOWN: Mutex<BTreeMap<Key, Arc<Vec<Vec<TrainedLosses>>>>> = Mutex::new(BTreeMap::new());
    let key = key(experiment, trial);
    if let Some(known) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(known.clone());
    }
    // The losses are computed on the thread pool, so no lock may be held meanwhile.
    let along = |run: &Vec<Stage>| run.iter().map(|stage| losses_at(stage, experiment.negatives)).collect();
    let stages = runs(experiment, trial)?;
    let computed: Vec<Vec<TrainedLosses>> = shared(0, || stages.iter().map(along).collect::<Result<_, _>>())?;
    let computed = Arc::new(computed);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert(key, computed.clone());
    Ok(computed)
}

fn losses_at(stage: &Stage, negatives: u64) -> Result<TrainedLosses, MeasureError> {
    let points = &stage.embedded;
    let model = empirical(points)?;
    let unsupervised = exact_unsupervised_losses(points, &[negatives], &LossOptions::default())?;
    Ok(TrainedLosses {
        step: stage.step,
        unsupervised: unsupervised[0].as_measured(),
        mean_classifier: Enclosure::from(sup_mean_all(&model)).as_measured(),
        p_min: model.p_min().into(),
    })
}

/// What a table shows of so many runs, with what it says besides of more than one.
pub fn averages(runs: usize, besides: &str) -> String {
    match runs {
        1 => "One run".to_owned(),
        several => format!("Averages of {several} runs{besides}"),
    }
}

/// The mean over the runs of what `of` measures at each logged step.
pub fn mean<S>(runs: &[Vec<S>], of: impl Fn(&S) -> Enclosure) -> Vec<Enclosure> {
    let stages = runs.first().map_or(0, Vec::len);
    let at = |stage: usize| runs.iter().map(|run| of(&run[stage])).sum::<Enclosure>() / runs.len() as f64;
    (0..stages).map(at).collect()
}

/// 0, 1, 2, 5, 10, …, and the last step.
pub fn logged(steps: usize) -> Vec<usize> {
    let decades = std::iter::successors(Some(1usize), |&decade| decade.checked_mul(10));
    let marks = decades.flat_map(|decade| [1, 2, 5].map(|mark| decade.saturating_mul(mark)));
    let before = marks.take_while(|&step| step < steps);
    std::iter::once(0).chain(before).chain((steps > 0).then_some(steps)).collect()
}

/// The whole data set, and the sample whose embeddings are judged.
fn load(data: Source, trial: &Trial) -> Result<(LabelledPoints, LabelledPoints), MeasureError> {
    match data {
        Source::Digits => {
            let images = digits::load(trial.fixtures().root())?;
            let shown = images.subset_per_class(SHOWN)?;
            Ok((images, shown))
        }
        Source::Mnist => {
            let images = mnist::load(trial.fixtures().root())?.subset_per_class(IMAGES)?;
            Ok((images.clone(), images))
        }
        Source::Mixture => {
            let points = mixture(&mut stream(0, &["mixture of the figures"]))?;
            Ok((points.clone(), points))
        }
    }
}

/// Four classes of 40, 30, 20 and 10 points, unit Gaussians around Gaussian centres in sixteen dimensions, scaled to length
/// about one.
fn mixture(rng: &mut Stream) -> Result<LabelledPoints, MeasureError> {
    const DIMENSION: usize = 16;
    let (mut points, mut labels) = (Vec::new(), Vec::new());
    for (class, size) in [40, 30, 20, 10].into_iter().enumerate() {
        let mut centre = [0.0; DIMENSION];
        fill_standard_normal(rng, &mut centre);
        for _ in 0..size {
            let mut offset = [0.0; DIMENSION];
            fill_standard_normal(rng, &mut offset);
            points.extend(centre.iter().zip(offset).map(|(c, o)| (c + o) / 6.0));
            labels.push(class as u32);
        }
    }
    Ok(LabelledPoints::new(points, DIMENSION, labels)?)
}

/// One run.
fn stages(
    experiment: &Experiment,
    all: &LabelledPoints,
    shown: &LabelledPoints,
    steps: usize,
    run: usize,
) -> Result<Vec<Stage>, MeasureError> {
    let negatives = experiment.negatives as usize;
    let marks = logged(steps);
    let mut rng = stream(run as u64, &["encoder of the figures"]);
    if experiment.encoder == Architecture::Linear {
        return linear_stages(all, shown, negatives, &marks, &mut rng);
    }
    let settings = ContrastiveSettings {
        negatives,
        batch: BATCH,
        steps,
        seed: run as u64,
        snapshots: marks,
        ..Default::default()
    };
    if experiment.encoder == Architecture::Convolutional {
        let settings = ContrastiveSettings { batch: PAIRS, shared_negatives: true, ..settings };
        let encoder = ConvolutionalEncoder::initialise(on_mnist(OUTPUT), &mut rng)?;
        return trained_stages(encoder, all, shown, &settings);
    }
    let shape = EncoderShape { input: all.dimension(), width: WIDTH, depth: 0, output: OUTPUT };
    let mut weights = Weights::initialise(shape, &mut rng)?;
    if experiment.encoder == Architecture::Dead {
        weights.a.fill(0.0);
    }
    trained_stages(Encoder::new(shape, weights)?, all, shown, &settings)
}

/// One run of an encoder that the network package trains.
fn trained_stages<E: Trainable>(
    encoder: E,
    all: &LabelledPoints,
    shown: &LabelledPoints,
    settings: &ContrastiveSettings,
) -> Result<Vec<Stage>, MeasureError> {
    let trained = train(encoder, all, settings)?;
    let look = |snapshot: &Snapshot<E>| {
        let mut norms = NormRange::default();
        norms.record(embeddings(&snapshot.encoder, all)?.points(), OUTPUT)?;
        Ok(Stage { step: snapshot.step, norms, embedded: embeddings(&snapshot.encoder, shown)? })
    };
    trained.snapshots.iter().map(look).collect()
}

/// f(x) = Bx by stochastic gradient descent, B drawn from N(0, 1/d_x).
fn linear_stages(
    all: &LabelledPoints,
    shown: &LabelledPoints,
    negatives: usize,
    marks: &[usize],
    rng: &mut Stream,
) -> Result<Vec<Stage>, MeasureError> {
    let dimension = all.dimension();
    let mut matrix = list_of_standard_normals(rng, OUTPUT * dimension);
    let scale = 1.0 / (dimension as f64).sqrt();
    matrix.iter_mut().for_each(|entry| *entry *= scale);
    let mut stages = Vec::new();
    for step in 0..=marks.last().copied().unwrap_or(0) {
        if marks.binary_search(&step).is_ok() {
            let mut norms = NormRange::default();
            norms.record(&linear(&matrix, dimension, all.points())?, OUTPUT)?;
            let outputs = linear(&matrix, dimension, shown.points())?;
            let embedded = shown.with_points(NumberTable::new("embeddings", outputs, shown.len(), OUTPUT)?)?;
            stages.push(Stage { step, norms, embedded });
        }
        let tuples = (0..BATCH).flat_map(|_| draw_tuple(all, negatives, rng));
        let points: Vec<f64> = tuples.flat_map(|index| all.point(index).to_vec()).collect();
        let loss = contrastive_loss(&linear(&matrix, dimension, &points)?, OUTPUT, negatives)?;
        for (x, gradient) in points.chunks_exact(dimension).zip(loss.gradient.chunks_exact(OUTPUT)) {
            for (row, &slope) in matrix.chunks_exact_mut(dimension).zip(gradient) {
                add_multiple(row, -(RATE * slope), x);
            }
        }
    }
    Ok(stages)
}

/// Bx for every row x of `points`.
fn linear(matrix: &[f64], dimension: usize, points: &[f64]) -> Result<Vec<f64>, KernelError> {
    let mut outputs = vec![0.0; points.len() / dimension * OUTPUT];
    PackedRows::new(matrix, dimension)?.products(points, &mut outputs)?;
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use enclosures::vectors::sum_of_squares;

    use super::*;

    #[test]
    fn the_logged_steps_are_the_marks_of_a_logarithmic_axis() {
        assert_eq!(logged(250), [0, 1, 2, 5, 10, 20, 50, 100, 200, 250]);
        assert_eq!(logged(10), [0, 1, 2, 5, 10]);
        assert_eq!((logged(0), logged(1)), (vec![0], vec![0, 1]));
    }

    /// Points at ±1, three of the one class and one of the other: the classes are as likely as they are large.
    #[test]
    fn the_losses_of_a_stage_are_those_of_its_points() {
        let embedded = LabelledPoints::new(vec![1.0, 1.0, -1.0, 1.0], 1, vec![0, 0, 1, 0]).unwrap();
        let stage = Stage { step: 7, norms: NormRange::default(), embedded };
        let found = losses_at(&stage, 1).unwrap();
        let other = exact(-2.0).exp().ln_1p();
        let unsupervised = 0.625 * Enclosure::ln_2() + 0.375 * other;
        assert!((found.unsupervised - unsupervised).abs().hi() < 1e-12);
        assert!((found.mean_classifier - other).abs().hi() < 1e-12);
        assert!((found.p_min - 0.25).abs().hi() < 1e-15 && found.step == 7);
    }

    /// Every step goes along the difference quotients of the mini-batch's loss, which is drawn anew with the same stream.
    #[test]
    fn a_linear_encoder_follows_the_slopes_of_its_mini_batches() {
        let points = vec![1.0, 0.5, -0.75, 1.0, 0.25, -1.0, 0.5, 0.5];
        let all = LabelledPoints::new(points, 2, vec![0, 1, 0, 1]).unwrap();
        let found = linear_stages(&all, &all, 2, &[0, 1, 2], &mut stream(3, &["a linear encoder"])).unwrap();
        let mut rng = stream(3, &["a linear encoder"]);
        let mut matrix = list_of_standard_normals(&mut rng, OUTPUT * 2);
        matrix.iter_mut().for_each(|entry| *entry *= std::f64::consts::FRAC_1_SQRT_2);
        for stage in &found {
            for (x, z) in all.points().chunks_exact(2).zip(stage.embedded.points().chunks_exact(OUTPUT)) {
                for (row, entry) in matrix.chunks_exact(2).zip(z) {
                    assert!((row[0] * x[0] + row[1] * x[1] - entry).abs() < 1e-8, "step {}", stage.step);
                }
            }
            let indices: Vec<usize> = (0..BATCH).flat_map(|_| draw_tuple(&all, 2, &mut rng)).collect();
            let loss = |matrix: &[f64]| {
                let outputs = indices.iter().flat_map(|&i| {
                    let x = all.point(i);
                    matrix.chunks_exact(2).map(|row| row[0] * x[0] + row[1] * x[1])
                });
                contrastive_loss(&outputs.collect::<Vec<f64>>(), OUTPUT, 2).unwrap().value
            };
            let slope = |k: usize| {
                let at = |by: f64| {
                    let mut moved = matrix.clone();
                    moved[k] += by;
                    loss(&moved)
                };
                (at(1e-5) - at(-1e-5)) / 2e-5
            };
            let slopes: Vec<f64> = (0..matrix.len()).map(slope).collect();
            matrix.iter_mut().zip(slopes).for_each(|(entry, slope)| *entry -= 0.05 * slope);
        }
        assert_eq!(found.iter().map(|stage| stage.step).collect::<Vec<_>>(), [0, 1, 2]);
    }

    /// In sixteen dimensions offsets have the mean square 16/36, centres and offsets together 32/36.
    #[test]
    fn the_mixture_has_its_shares_and_its_spread() {
        let points = mixture(&mut stream(0, &["mixture of the figures"])).unwrap();
        let sizes: Vec<usize> = (0..4).map(|class| points.class_members(class).len()).collect();
        assert_eq!((sizes, points.dimension()), (vec![40, 30, 20, 10], 16));
        let model = empirical(&points).unwrap();
        let mut within = 0.0;
        for class in 0..4 {
            let centre = model.class_mean(class);
            for &i in points.class_members(class) {
                let apart = points.point(i).iter().zip(&centre).map(|(x, c)| x - c.midpoint());
                within += apart.map(|t| t * t).sum::<f64>();
            }
        }
        // 96 degrees of freedom in each coordinate; the relative error is about √(2/1536).
        assert!((within / 96.0 / (16.0 / 36.0) - 1.0).abs() < 0.15, "{within}");
        let total: f64 = sum_of_squares(points.points());
        assert!((total / 100.0 / (32.0 / 36.0) - 1.0).abs() < 0.5, "{total}");
    }
}
