//! Images as real input: a small ReLU encoder trained contrastively on the digits, a convolutional one on MNIST, and their embeddings at
//! several stages.

use std::sync::Arc;

use contrastive::LatentClassModel;
use contrastive::data::{LabelledPoints, digits, mnist};
use contrastive::network::{
    ContrastiveSettings, ConvolutionalEncoder, ConvolutionalShape, Encoder, EncoderShape, Snapshot, Trainable,
    embeddings, train,
};
use enclosures::stream::stream;
use evidence::claim::Fixtures;
use evidence::prelude::*;

use super::kept::Kept;

/// Updates after which the encoder is looked at.
const STAGES: [usize; 5] = [0, 20, 100, 400, 1200];
/// The same for the convolutional encoder.
const CONVOLUTIONAL_STAGES: [usize; 2] = [0, 80];
/// Images per class whose embeddings make up an instance.
const PER_CLASS: usize = 12;

/// The encoder at every stage, trained once however many claims ask.
fn snapshots(images: &LabelledPoints) -> Result<Arc<[Snapshot]>, MeasureError> {
    static TRAINED: Kept<(), Arc<[Snapshot]>> = Kept::new();
    TRAINED.get((), || {
        let shape = EncoderShape { input: images.dimension(), width: 32, depth: 1, output: 8 };
        let encoder = Encoder::initialise(shape, &mut stream(0, &["digits encoder"]))?;
        let settings = ContrastiveSettings { steps: STAGES[4], snapshots: STAGES.to_vec(), ..Default::default() };
        Ok(train(encoder, images, &settings)?.snapshots.into())
    })
}

/// The shape of a small convolutional encoder of MNIST, by the dimension of the embeddings.
pub(super) fn on_mnist(output: usize) -> ConvolutionalShape {
    ConvolutionalShape { side: mnist::SIDE, channels: 1, maps: [4, 8], kernel: 5, stride: 2, output }
}

/// The same of the convolutional encoder on MNIST.
fn convolutional_snapshots(images: &LabelledPoints) -> Result<Arc<[Snapshot<ConvolutionalEncoder>]>, MeasureError> {
    static TRAINED: Kept<(), Arc<[Snapshot<ConvolutionalEncoder>]>> = Kept::new();
    TRAINED.get((), || {
        let encoder = ConvolutionalEncoder::initialise(on_mnist(8), &mut stream(0, &["MNIST encoder"]))?;
        let settings = ContrastiveSettings {
            steps: CONVOLUTIONAL_STAGES[1],
            snapshots: CONVOLUTIONAL_STAGES.to_vec(),
            shared_negatives: true,
            ..Default::default()
        };
        Ok(train(encoder, images, &settings)?.snapshots.into())
    })
}

/// The embeddings of the first images of each class at every stage of training, as a model with equally likely classes: a
/// statement about all models must hold for it exactly, without sampling error.
///
/// # Errors
/// The fixtures are missing or changed.
pub fn stages(fixtures: &Fixtures) -> Result<Vec<(String, LatentClassModel)>, MeasureError> {
    let images = digits::load(fixtures.root())?;
    let shown = images.subset_per_class(PER_CLASS)?;
    let stage = |snapshot: &Snapshot| -> Result<(String, LatentClassModel), MeasureError> {
        Ok((format!("digits after {} updates", snapshot.step), embedded(snapshot, &shown)?))
    };
    let larger = mnist::load(fixtures.root())?;
    let shown_of_larger = larger.subset_per_class(PER_CLASS)?;
    let convolutional =
        |snapshot: &Snapshot<ConvolutionalEncoder>| -> Result<(String, LatentClassModel), MeasureError> {
            Ok((
                format!("MNIST by convolutions after {} updates", snapshot.step),
                embedded(snapshot, &shown_of_larger)?,
            ))
        };
    let (on_digits, on_mnist) = (snapshots(&images)?, convolutional_snapshots(&larger)?);
    on_digits.iter().map(stage).chain(on_mnist.iter().map(convolutional)).collect()
}

/// The embeddings of all images, before training and at its end.
///
/// # Errors
/// The fixtures are missing or not the digits.
pub fn whole(fixtures: &Fixtures) -> Result<Vec<(String, LatentClassModel)>, MeasureError> {
    let images = digits::load(fixtures.root())?;
    let stage = |snapshot: &Snapshot| {
        let name = format!("all {} digits after {} updates", images.len(), snapshot.step);
        Ok((name, embedded(snapshot, &images)?))
    };
    let ends = |s: &&Snapshot| s.step == STAGES[0] || s.step == STAGES[4];
    snapshots(&images)?.iter().filter(ends).map(stage).collect()
}

fn embedded<E: Trainable>(snapshot: &Snapshot<E>, images: &LabelledPoints) -> Result<LatentClassModel, MeasureError> {
    empirical(&embeddings(&snapshot.encoder, images)?)
}

/// The empirical distribution of labelled points as a model.
///
/// # Errors
/// None for points that were checked before.
pub fn empirical(points: &LabelledPoints) -> Result<LatentClassModel, MeasureError> {
    let labels: Vec<u32> = points.labels().iter().map(|&class| class as u32).collect();
    Ok(LatentClassModel::from_labelled(points.points(), points.dimension(), &labels)?)
}

/// A family of embeddings of images, each model turned into whatever instances a claim needs.
pub fn family<I: Instance>(from: impl Fn(LatentClassModel) -> Vec<(String, I)> + Send + Sync + 'static) -> Family<I> {
    data("trained encoder", move |fixtures| Ok(turned(stages(fixtures)?, &from)))
}

/// The same of all images, for claims whose losses take that many points.
pub fn whole_family<I: Instance>(
    from: impl Fn(LatentClassModel) -> Vec<(String, I)> + Send + Sync + 'static,
) -> Family<I> {
    data("trained encoder, whole data set", move |fixtures| Ok(turned(whole(fixtures)?, &from)))
}

fn turned<I>(
    models: Vec<(String, LatentClassModel)>,
    from: &impl Fn(LatentClassModel) -> Vec<(String, I)>,
) -> Vec<(String, I)> {
    let named = |(name, model): (String, LatentClassModel)| {
        let each = from(model).into_iter();
        each.map(move |(what, instance)| (format!("{name}{what}"), instance))
    };
    models.into_iter().flat_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empirical_class_is_as_likely_as_it_is_large_and_has_its_points() {
        let points = LabelledPoints::new(vec![1.0, 2.0, -4.0, 0.5, 3.0, 6.0, 2.0, 1.0], 2, vec![7, 3, 7, 7]).unwrap();
        let model = empirical(&points).unwrap();
        // The label 3 comes before the label 7.
        assert_eq!((model.n_classes(), model.n_atoms()), (2, 4));
        let means = [vec![-4.0, 0.5], vec![2.0, 3.0]];
        for (class, share) in [0.25, 0.75].into_iter().enumerate() {
            assert!(model.rho(class).contains(share), "{class}");
            for (found, expected) in model.class_mean(class).iter().zip(&means[class]) {
                assert!(found.contains(*expected) && found.width() < 1e-14);
            }
        }
    }
}
