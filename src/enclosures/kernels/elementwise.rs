//! Applying a formula to every element of a slice, in blocks.
//!
//! A block whose elements are all ordinary takes the fast formula; one with a large, infinite or undefined element takes
//! the full formula for all of its elements. The two agree bit for bit wherever an element is ordinary, so that the result
//! for an element depends on that element alone: neither on its neighbours, nor on where the slice begins or ends.

use super::dispatch::Kernel;
use std::marker::PhantomData;

/// Elements per block: a few vectors of any width, small enough for the first cache.
pub(super) const BLOCK: usize = 64;

/// A function of one variable, without branches.
pub(super) trait Elementwise {
    /// Whether the fast formula holds.
    fn ordinary(x: f64) -> bool;
    /// The function at an ordinary number.
    fn fast(x: f64) -> f64;
    /// The function at any double; the same bits as [`Elementwise::fast`] at an ordinary one.
    fn full(x: f64) -> f64;

    /// [`Elementwise::fast`] for a block of ordinary numbers. A long formula may go through the block in two passes, which lets
    /// the processor work on more elements at a time.
    #[inline(always)]
    fn fast_block(input: &[f64; BLOCK], output: &mut [f64; BLOCK]) {
        for (y, &x) in output.iter_mut().zip(input) {
            *y = Self::fast(x);
        }
    }
}

/// `output[i] = F(input[i])` for as many elements as both have.
pub(super) struct Map<'a, F> {
    pub(super) input: &'a [f64],
    pub(super) output: &'a mut [f64],
    pub(super) formula: PhantomData<F>,
}

/// `values[i] = F(values[i])`.
pub(super) struct InPlace<'a, F> {
    pub(super) values: &'a mut [f64],
    pub(super) formula: PhantomData<F>,
}

impl<F: Elementwise> Kernel for Map<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        let Map { input, output, .. } = self;
        let (blocks, rest) = input.as_chunks::<BLOCK>();
        let (places, rest_places) = output.as_chunks_mut::<BLOCK>();
        for (block, place) in blocks.iter().zip(places) {
            apply::<F>(block, place);
        }
        let mut block = [0.0; BLOCK];
        let mut place = [0.0; BLOCK];
        for (to, from) in block.iter_mut().zip(rest) {
            *to = *from;
        }
        if !rest.is_empty() {
            apply::<F>(&block, &mut place);
        }
        for (to, from) in rest_places.iter_mut().zip(&place) {
            *to = *from;
        }
    }
}

impl<F: Elementwise> Kernel for InPlace<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        let (blocks, rest) = self.values.as_chunks_mut::<BLOCK>();
        for block in blocks {
            let copy = *block;
            apply::<F>(&copy, block);
        }
        let mut block = [0.0; BLOCK];
        let mut place = [0.0; BLOCK];
        for (to, from) in block.iter_mut().zip(&*rest) {
            *to = *from;
        }
        if !rest.is_empty() {
            apply::<F>(&block, &mut place);
        }
        for (to, from) in rest.iter_mut().zip(&place) {
            *to = *from;
        }
    }
}

#[inline(always)]
fn apply<F: Elementwise>(input: &[f64; BLOCK], output: &mut [f64; BLOCK]) {
    let mut ordinary = true;
    for &x in input {
        ordinary &= F::ordinary(x);
    }
    if ordinary {
        F::fast_block(input, output);
    } else {
        for (y, &x) in output.iter_mut().zip(input) {
            *y = F::full(x);
        }
    }
}
