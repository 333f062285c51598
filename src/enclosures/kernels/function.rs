//! The elementwise kernels by name.

use super::KernelError;
use super::dispatch::InstructionSet;
use super::elementwise::{Elementwise, InPlace, Map};
use super::exponential::Exponential;
use super::exponential_minus_one::ExponentialMinusOne;
use super::logarithm::LogOnePlus;
use super::sigmoid::Sigmoid;
use super::softplus::Softplus;
use std::marker::PhantomData;

/// A function of one variable that can be applied to whole slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementwiseFunction {
    /// `e^x`, to one unit in the last place. Overflows to infinity above `709.78`, underflows gradually below `-708.4`.
    Exp,
    /// `e^x - 1`, to 1.5 units in the last place; keeps the sign of zero.
    ExpM1,
    /// `log(1 + x)`, to two units in the last place; minus infinity at `-1`, NaN below, keeps the sign of zero.
    Ln1p,
    /// `log(1 + e^x)`, to two units in the last place.
    Softplus,
    /// `1 / (1 + e^-x)`, to two units in the last place.
    Sigmoid,
}

impl ElementwiseFunction {
    /// All of them.
    pub const ALL: [ElementwiseFunction; 5] = [
        ElementwiseFunction::Exp,
        ElementwiseFunction::ExpM1,
        ElementwiseFunction::Ln1p,
        ElementwiseFunction::Softplus,
        ElementwiseFunction::Sigmoid,
    ];

    /// The largest error, in units in the last place of the result.
    #[must_use]
    pub fn error_bound(self) -> f64 {
        match self {
            ElementwiseFunction::Exp => 1.0,
            ElementwiseFunction::ExpM1 => 1.5,
            ElementwiseFunction::Ln1p | ElementwiseFunction::Softplus | ElementwiseFunction::Sigmoid => 2.0,
        }
    }

    /// Replaces every element by the function's value.
    #[inline]
    pub fn apply(self, values: &mut [f64]) {
        self.apply_on(InstructionSet::best(), values);
    }

    /// [`ElementwiseFunction::apply`] with given instructions.
    pub fn apply_on(self, set: InstructionSet, values: &mut [f64]) {
        match self {
            ElementwiseFunction::Exp => in_place::<Exponential>(set, values),
            ElementwiseFunction::ExpM1 => in_place::<ExponentialMinusOne>(set, values),
            ElementwiseFunction::Ln1p => in_place::<LogOnePlus>(set, values),
            ElementwiseFunction::Softplus => in_place::<Softplus>(set, values),
            ElementwiseFunction::Sigmoid => in_place::<Sigmoid>(set, values),
        }
    }

    /// Writes the function's value at every element of `input` to `output`.
    ///
    /// # Errors
    /// [`KernelError::Length`] when the two differ in length.
    #[inline]
    pub fn map(self, input: &[f64], output: &mut [f64]) -> Result<(), KernelError> {
        self.map_on(InstructionSet::best(), input, output)
    }

    /// [`ElementwiseFunction::map`] with given instructions.
    ///
    /// # Errors
    /// As there.
    pub fn map_on(self, set: InstructionSet, input: &[f64], output: &mut [f64]) -> Result<(), KernelError> {
        if input.len() != output.len() {
            return Err(KernelError::Length { input: input.len(), output: output.len() });
        }
        match self {
            ElementwiseFunction::Exp => mapped::<Exponential>(set, input, output),
            ElementwiseFunction::ExpM1 => mapped::<ExponentialMinusOne>(set, input, output),
            ElementwiseFunction::Ln1p => mapped::<LogOnePlus>(set, input, output),
            ElementwiseFunction::Softplus => mapped::<Softplus>(set, input, output),
            ElementwiseFunction::Sigmoid => mapped::<Sigmoid>(set, input, output),
        }
        Ok(())
    }

    /// The value at one point: the same bits as in a slice.
    #[must_use]
    pub fn at(self, x: f64) -> f64 {
        match self {
            ElementwiseFunction::Exp => Exponential::full(x),
            ElementwiseFunction::ExpM1 => ExponentialMinusOne::full(x),
            ElementwiseFunction::Ln1p => LogOnePlus::full(x),
            ElementwiseFunction::Softplus => Softplus::full(x),
            ElementwiseFunction::Sigmoid => Sigmoid::full(x),
        }
    }
}

fn in_place<F: Elementwise>(set: InstructionSet, values: &mut [f64]) {
    set.run(InPlace::<F> { values, formula: PhantomData });
}

fn mapped<F: Elementwise>(set: InstructionSet, input: &[f64], output: &mut [f64]) {
    set.run(Map::<F> { input, output, formula: PhantomData });
}
