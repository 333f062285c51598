//! The digits as real input: a small ReLU encoder trained contrastively on them, and its embeddings at several stages.

use std::sync::OnceLock;

use contrapositive::claim::{Family, Fixtures, MeasureError, data};
use contrapositive::contrastive::LatentClassModel;
use contrapositive::data::{LabelledPoints, digits};
use contrapositive::instance::Instance;
use contrapositive::network::{ContrastiveSettings, Encoder, EncoderShape, Snapshot, embeddings, train};
use contrapositive::stream::stream;

/// Updates after which the encoder is looked at.
const STAGES: [usize; 5] = [0, 20, 100, 400, 1200];
/// Images per class whose embeddings make up an instance.
const PER_CLASS: usize = 12;

/// The encoder at every stage, trained once however many claims ask.
fn snapshots(images: &LabelledPoints) -> Result<&'static [Snapshot], MeasureError> {
    static TRAINED: OnceLock<Result<Vec<Snapshot>, String>> = OnceLock::new();
    let train_once = || {
        let shape = EncoderShape {
            input: images.dimension(),
            width: 32,
            depth: 1,
            output: 8,
        };
        let encoder = Encoder::initialise(shape, &mut stream(0, &["digits encoder"]))?;
        let settings = ContrastiveSettings {
            steps: STAGES[4],
            snapshots: STAGES.to_vec(),
            ..Default::default()
        };
        Ok(train(encoder, images, &settings)?.snapshots)
    };
    let trained = TRAINED.get_or_init(|| train_once().map_err(|e: MeasureError| e.to_string()));
    trained.as_deref().map_err(|e| e.clone().into())
}

/// The embeddings of the first images of each class at every stage of training, as a model with equally likely classes: a
/// statement about all models must hold for it exactly, without sampling error.
///
/// # Errors
/// The fixtures are missing or not the digits.
pub fn stages(fixtures: &Fixtures) -> Result<Vec<(String, LatentClassModel)>, MeasureError> {
    let images = digits::load(fixtures.root())?;
    let shown = images.subset_per_class(PER_CLASS)?;
    let stage = |snapshot: &Snapshot| {
        let embedded = embeddings(&snapshot.encoder, &shown)?;
        let labels: Vec<u32> = embedded.labels().iter().map(|&class| class as u32).collect();
        let model = LatentClassModel::from_labelled(embedded.points(), embedded.dimension(), &labels)?;
        Ok((format!("digits after {} updates", snapshot.step), model))
    };
    snapshots(&images)?.iter().map(stage).collect()
}

/// A family of the digits' embeddings, each model turned into whatever instances a claim needs.
pub fn family<I: Instance>(from: impl Fn(LatentClassModel) -> Vec<(String, I)> + Send + Sync + 'static) -> Family<I> {
    data("trained encoder", move |fixtures| {
        let named = |(name, model): (String, LatentClassModel)| {
            from(model)
                .into_iter()
                .map(move |(what, instance)| (format!("{name}{what}"), instance))
        };
        Ok(stages(fixtures)?.into_iter().flat_map(named).collect::<Vec<_>>())
    })
}
