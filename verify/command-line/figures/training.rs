//! One training of an encoder, looked at along the way.

use contrastive::data::LabelledPoints;
use contrastive::network::{
    ContrastiveDescent, ContrastiveSettings, ConvolutionalEncoder, ConvolutionalShape, NetworkError, NormRange,
    Optimiser, embeddings,
};
use contrastive::{ContrastiveError, LatentClassModel, best_head_loss_all, sup_mean_all};
use enclosures::enclosure::{Enclosure, plain};
use enclosures::stream;
use estimators::EstimatorError;
use estimators::exact::{LossOptions, exact_unsupervised_losses};
use serde::{Deserialize, Serialize};

use super::super::status::Trouble;
use super::piece::Piece;

/// Dimension of the embeddings.
pub const OUTPUT: usize = 16;
/// Feature maps of the two convolutions, height of their windows, and the stride.
pub const MAPS: [usize; 2] = [8, 16];
pub const KERNEL: usize = 5;
pub const STRIDE: usize = 2;
/// Step size of Adam.
pub const RATE: f64 = 0.001;
/// Significant digits in which what is seen is kept; the enclosures are narrower than that.
const DIGITS: usize = 9;
/// Those of the best head's loss, whose iteration leaves the last digits of an enclosure's ends to rounding.
const HEAD_DIGITS: usize = 6;
/// Images of each class for which the best head is sought, the first ones.
pub const HEAD_IMAGES: usize = 500;
/// Looking at all images once takes about as long as this many encodings of each: most of it goes into the best head.
const ENCODINGS_OF_A_LOOK: u64 = 4;

/// What is trained for how long, beside the images.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingPlan {
    pub shape: ConvolutionalShape,
    pub negatives: Vec<u32>,
    pub runs: u32,
    pub steps: u32,
    pub batch: u32,
    pub seed: u64,
}

/// One of the trainings of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    pub negatives: u32,
    /// From one.
    pub run: u32,
}

/// What is seen at one moment of a training, in decimals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Updates made before.
    pub step: u32,
    /// L_un^N with the N of the training, in nats.
    pub trained_loss: String,
    /// L_un^1.
    pub one_negative: String,
    /// L_sup^μ of all classes.
    pub mean_classifier: String,
    /// The ends between which L_sup lies, the loss of the best linear head of all classes on the first images of each, and L_sup^μ on the
    /// same.
    pub best_head: [String; 3],
    /// The smallest norm of an embedding.
    pub smallest: String,
    /// The largest one.
    pub largest: String,
}

/// Why a training could not be done or looked at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainingError {
    #[error("with N = {}, run {}: {}", .0.negatives, .0.run, .1)]
    Network(Task, NetworkError),
    #[error("with N = {}, run {}: {}", .0.negatives, .0.run, .1)]
    Model(Task, ContrastiveError),
    #[error("with N = {}, run {}: {}", .0.negatives, .0.run, .1)]
    Loss(Task, EstimatorError),
}

/// 0, 1, 2, 5, 10, … and the last update.
pub fn moments(last: u32) -> Vec<u32> {
    let decades = std::iter::successors(Some(1u32), |decade| decade.checked_mul(10));
    let marks = decades.flat_map(|decade| [1, 2, 5].map(|mark| decade.saturating_mul(mark)));
    let before = marks.take_while(|&step| step < last);
    std::iter::once(0).chain(before).chain([last]).collect()
}

impl TrainingPlan {
    /// All trainings, those of one number of negatives one after the other.
    pub fn tasks(&self) -> Vec<Task> {
        let of = |&negatives| (1..=self.runs).map(move |run| Task { negatives, run });
        self.negatives.iter().flat_map(of).collect()
    }

    /// Images that a mini-batch encodes: what one update costs.
    pub fn images_per_update(&self, task: Task) -> u64 {
        2 * u64::from(self.batch) + u64::from(task.negatives)
    }

    /// The encoder that a training starts from: the same for every number of negatives.
    pub fn start(&self, task: Task) -> Result<ConvolutionalEncoder, NetworkError> {
        let mut rng = stream::stream(self.seed, &["figures", "encoder", &task.run.to_string()]);
        ConvolutionalEncoder::initialise(self.shape, &mut rng)
    }

    /// How a training goes.
    pub fn settings(&self, task: Task) -> ContrastiveSettings {
        ContrastiveSettings {
            negatives: task.negatives as usize,
            batch: self.batch as usize,
            shared_negatives: true,
            optimiser: Optimiser { rate: RATE, first_decay: 0.9, second_decay: 0.999, epsilon: 1e-8 },
            seed: self.seed.wrapping_add(u64::from(task.run)),
            ..Default::default()
        }
    }

    /// Everything that a training depends on, but for the program: which other trainings there are does not matter.
    pub fn circumstances(&self, images: &LabelledPoints) -> String {
        let numbers = images.points().iter().flat_map(|x| x.to_le_bytes());
        let labels = images.labels().iter().flat_map(|&label| (label as u64).to_le_bytes());
        let data: Vec<u8> = numbers.chain(labels).collect();
        format!("{:?} {} {} {} {}", self.shape, self.steps, self.batch, self.seed, stream::hash(&data))
    }

    /// What a training and the looks at it take, in images encoded.
    pub fn cost(&self, task: Task, images: &LabelledPoints) -> u64 {
        let looks = moments(self.steps).len() as u64;
        self.images_per_update(task) * u64::from(self.steps) + looks * ENCODINGS_OF_A_LOOK * images.len() as u64
    }

    /// Does one of the trainings; `encoded` is told after every update and every look how many images' worth of work it was.
    pub fn train(
        &self,
        task: Task,
        images: &LabelledPoints,
        encoded: &dyn Fn(u64),
    ) -> Result<Vec<Look>, TrainingError> {
        let network = |error| TrainingError::Network(task, error);
        let encoder = self.start(task).map_err(network)?;
        let mut descent = ContrastiveDescent::new(encoder, images, &self.settings(task)).map_err(network)?;
        let mut looks = Vec::new();
        for moment in moments(self.steps) {
            while descent.steps() < moment as usize {
                descent.step().map_err(network)?;
                encoded(self.images_per_update(task));
            }
            let embedded = embeddings(descent.encoder(), images).map_err(network)?;
            looks.push(look(moment, task, &embedded)?);
            encoded(ENCODINGS_OF_A_LOOK * images.len() as u64);
        }
        Ok(looks)
    }
}

/// One of the trainings of a plan, to be done.
pub struct Training<'a> {
    pub plan: &'a TrainingPlan,
    pub images: &'a LabelledPoints,
    pub task: Task,
}

impl Piece for Training<'_> {
    type Seen = Vec<Look>;

    fn name(&self) -> String {
        format!("N = {}, run {}", self.task.negatives, self.task.run)
    }

    fn cost(&self) -> u64 {
        self.plan.cost(self.task, self.images)
    }

    fn carry_out(&self, advance: &dyn Fn(u64)) -> Result<Vec<Look>, Trouble> {
        let looks = self.plan.train(self.task, self.images, advance);
        looks.map_err(|e| Trouble::Unusable(e.to_string()))
    }

    fn told(&self, looks: &Vec<Look>) -> String {
        looks.last().map_or(String::new(), |last| {
            format!(
                "after {} updates L_un^N = {}, L_sup^μ = {}, norms from {} to {}",
                last.step, last.trained_loss, last.mean_classifier, last.smallest, last.largest
            )
        })
    }
}

/// The losses of the law of all embeddings, and their norms.
fn look(step: u32, task: Task, embedded: &LabelledPoints) -> Result<Look, TrainingError> {
    let model = model(task, embedded)?;
    let negatives = [u64::from(task.negatives), 1];
    let losses = exact_unsupervised_losses(embedded, &negatives, &LossOptions::default())
        .map_err(|e| TrainingError::Loss(task, e))?;
    let mut norms = NormRange::default();
    norms.record(embedded.points(), embedded.dimension()).map_err(|e| TrainingError::Network(task, e))?;
    let decimals = |x: Enclosure| plain(x.midpoint(), DIGITS);
    let end = |end: Option<enclosures::interval::Interval>| decimals(end.map_or(Enclosure::ZERO, Enclosure::from));
    Ok(Look {
        step,
        trained_loss: decimals(losses[0]),
        one_negative: decimals(losses[1]),
        mean_classifier: decimals(sup_mean_all(&model).into()),
        best_head: best_head(task, embedded)?,
        smallest: end(norms.smallest()),
        largest: end(norms.largest()),
    })
}

/// The ends of an enclosure of L_sup on the first images of each class, and L_sup^μ.
fn best_head(task: Task, embedded: &LabelledPoints) -> Result<[String; 3], TrainingError> {
    let fewest = (0..embedded.classes()).map(|class| embedded.class_members(class).len()).min();
    let few = embedded
        .subset_per_class(fewest.unwrap_or(0).min(HEAD_IMAGES))
        .map_err(|e| TrainingError::Network(task, e.into()))?;
    let model = model(task, &few)?;
    let head = best_head_loss_all(&model).map_err(|e| TrainingError::Model(task, e))?;
    Ok([head.lo(), head.hi(), sup_mean_all(&model).midpoint()].map(|end| plain(end, HEAD_DIGITS)))
}

/// The law of all embeddings.
fn model(task: Task, embedded: &LabelledPoints) -> Result<LatentClassModel, TrainingError> {
    let labels: Vec<u32> = embedded.labels().iter().map(|&class| class as u32).collect();
    LatentClassModel::from_labelled(embedded.points(), embedded.dimension(), &labels)
        .map_err(|e| TrainingError::Model(task, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(steps: u32) -> TrainingPlan {
        let shape =
            ConvolutionalShape { side: 13, channels: 1, maps: [3, 3], kernel: KERNEL, stride: STRIDE, output: 2 };
        TrainingPlan { shape, negatives: vec![1, 15], runs: 2, steps, batch: 3, seed: 1 }
    }

    #[test]
    fn moments_are_round_and_end_with_the_last_update() {
        assert_eq!(moments(1), [0, 1]);
        assert_eq!(moments(10), [0, 1, 2, 5, 10]);
        assert_eq!(moments(250), [0, 1, 2, 5, 10, 20, 50, 100, 200, 250]);
        assert_eq!(moments(u32::MAX).last(), Some(&u32::MAX));
    }

    #[test]
    fn a_shorter_training_is_the_beginning_of_a_longer_one() {
        let points: Vec<f64> = (0..20 * 169).map(|i| f64::from(i * i % 97) / 97.0).collect();
        let labels = (0..20).map(|i| i % 4).collect();
        let images = LabelledPoints::new(points, 169, labels).unwrap();
        for task in plan(5).tasks() {
            let counted = std::cell::Cell::new(0);
            let count = |images| counted.set(counted.get() + images);
            let short = plan(5).train(task, &images, &count).unwrap();
            assert_eq!(counted.get(), plan(5).cost(task, &images));
            let long = plan(10).train(task, &images, &|_| ()).unwrap();
            assert_eq!(short, long[..4]);
            assert_ne!(long[3].trained_loss, long[4].trained_loss);
        }
    }
}
