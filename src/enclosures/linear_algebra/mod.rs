//! Matrices of doubles and of intervals, verified eigenvalues, singular values and ranks, random orthogonal matrices.

mod accurate_dot;
mod elimination;
mod error;
mod haar;
mod interval_matrix;
mod jacobi;
mod matrix;
mod matrix_exponential;
mod operator_norm;
mod quarter_turn;
mod retraction;
mod singular_values;
mod symmetric_eigenvalues;
mod symmetric_matrix;

pub use elimination::rank_by_elimination;
pub use error::MatrixError;
pub use haar::{gaussian_matrix, haar_orthonormal};
pub use interval_matrix::IntervalMatrix;
pub use jacobi::diagonalised;
pub use matrix::Matrix;
pub use matrix_exponential::matrix_exponential;
pub use operator_norm::{LargestSingularValue, largest_singular_value, sparse_operator_norm};
pub use quarter_turn::quarter_turn;
pub use retraction::Retraction;
pub use singular_values::{RankBounds, SingularValues};
pub use symmetric_eigenvalues::{in_order, symmetric_eigenvalues};
pub use symmetric_matrix::{PlaneRotation, SymmetricMatrix};
