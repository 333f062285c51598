//! What an encoder must be able to do in order to be trained and looked at, whatever its layers are.

use super::NetworkError;
use crate::data::{LabelledPoints, NumberTable};

pub(super) use sealed::{Parameters, Updatable};

/// An encoder of this crate that can be trained: batches of points forwards, gradients backwards, all sums in a fixed order.
pub trait Trainable: Clone + Updatable {
    /// Dimension of a point.
    fn point_dimension(&self) -> usize;

    /// Dimension of an embedding.
    fn embedding_dimension(&self) -> usize;

    /// The embeddings of n >= 1 points given as rows: n rows again.
    ///
    /// # Errors
    /// [`NetworkError::Ragged`] if the last row is incomplete or there is none, [`NetworkError::NotFinite`].
    fn embed(&self, points: &[f64]) -> Result<Vec<f64>, NetworkError>;
}

/// Encodes all points of a data set and keeps their labels.
///
/// # Errors
/// [`NetworkError::WrongDimension`], and whatever [`Trainable::embed`] refuses.
pub fn embeddings<E: Trainable>(encoder: &E, data: &LabelledPoints) -> Result<LabelledPoints, NetworkError> {
    takes(encoder, data)?;
    let outputs = encoder.embed(data.points())?;
    let table = NumberTable::new("embeddings", outputs, data.len(), encoder.embedding_dimension())?;
    Ok(data.with_points(table)?)
}

/// Refuses points of another dimension than the encoder's.
pub(super) fn takes<E: Trainable>(encoder: &E, data: &LabelledPoints) -> Result<(), NetworkError> {
    let (found, expected) = (data.dimension(), encoder.point_dimension());
    if found == expected {
        return Ok(());
    }
    Err(NetworkError::WrongDimension { found, expected })
}

mod sealed {
    use super::super::NetworkError;

    /// Numbers that an optimiser moves, in lists.
    pub trait Parameters: Clone {
        /// The lists, in an order of their own.
        fn lists(&self) -> Vec<&[f64]>;

        /// The same lists, to be changed.
        fn lists_mut(&mut self) -> Vec<&mut [f64]>;
    }

    /// The side of an encoder that only this crate may see: whoever changes parameters could make them infinite.
    pub trait Updatable {
        type Parameters: Parameters;
        type Forward;

        /// The most numbers that anything computed for a single point may hold.
        fn numbers_per_point(&self) -> usize;
        fn parameters(&self) -> &Self::Parameters;
        fn parameters_mut(&mut self) -> &mut Self::Parameters;
        /// Refuses parameters that an encoder may not have.
        fn check_parameters(&self) -> Result<(), NetworkError>;
        fn forwards(&self, points: &[f64]) -> Result<Self::Forward, NetworkError>;
        fn embedded(forward: &Self::Forward) -> &[f64];
        fn backwards(&self, forward: &Self::Forward, slopes: &[f64]) -> Result<Self::Parameters, NetworkError>;
    }
}
