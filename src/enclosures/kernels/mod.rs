//! Elementary functions over slices, log-sum-exp and inner products: vectorised, and the same bits everywhere.
//!
//! | Kernel | promised error | largest found |
//! |---|---|---|
//! | [`ElementwiseFunction::Exp`] | 1 unit in the last place | 0.80 (0.70 if normal) |
//! | [`ElementwiseFunction::ExpM1`] | 1.5 | 1.28 |
//! | [`ElementwiseFunction::Ln1p`] | 2 | 0.85 |
//! | [`ElementwiseFunction::Softplus`] | 2 | 1.21 |
//! | [`ElementwiseFunction::Sigmoid`] | 2 | 1.19 |
//! | [`log_sum_exp`] | `u abs(result) + (14 + n u) u log n` | |
//! | [`inner_product`], [`inner_products`] | `d u / (1 - d u)` times the sum of the moduli | |
//! | [`gram`] | `d u / (1 - d u)` times the sum of the moduli | |
//!
//! `u = 2^-53`. Errors are distances from the exact value, not from its rounding, in units in the last place of the exact
//! value. The proofs are in the modules; tests hunt for the worst with a reference of a hundred bits, which in turn is compared with the
//! correctly rounded functions of `core-math`. NaN gives NaN, and a NaN that comes out has always the same bits.
//!
//! What an element is mapped to depends on nothing but the element: not on its neighbours, the length or the place of the slice,
//! the [`InstructionSet`] or the number of threads. Nothing here allocates except [`PackedRows`] and what
//! lays the left-hand rows of their products out.
//!
//! For single numbers use the correctly rounded functions of `core-math`, which are as fast there and off by half a unit; for the same bits
//! many at once there is [`correctly_rounded`].

mod circle;
pub mod correctly_rounded;
mod dispatch;
mod elementwise;
mod error;
mod exponential;
mod exponential_minus_one;
mod finite;
mod function;
mod inner_product;
mod log_sum_exp;
mod logarithm;
mod polar;
mod products;
mod sigmoid;
mod softplus;
#[cfg(test)]
mod tests;
mod transposition;
mod two_doubles;

pub use dispatch::{InstructionSet, Kernel};
pub use error::KernelError;
pub use finite::first_not_finite;
pub use function::ElementwiseFunction;
pub use inner_product::{inner_product, inner_products};
pub use log_sum_exp::{log_sum_exp, log_sum_exp_on, log_sum_exp_rows};
pub(crate) use polar::{PAIRS, Polar, radius};
pub use products::{PackedRows, check_rows, gram, row_count};
pub use transposition::transposed;
