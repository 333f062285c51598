//! The inner loops, on whatever vector instructions there are: how they are compiled, and the moments. The products are in
//! [`super::inner_products`], those of the gradient in [`super::gradient_kernels`] and [`super::tile_products`].
//!
//! Each is written once, in a fixed order of operations with one correctly rounded answer each, and compiled for several instruction sets, so
//! that every machine computes the same bits. A fused multiply-add is such an operation where the code says `mul_add` (the
//! compiler fuses nothing by itself): one instruction on 64-bit ARM and on x86-64 since 2013, imitated in software before.

use super::table::{Cell, TERMS};

/// Points of a panel: its coordinates are stored coordinate by coordinate, `PANEL` points side by side.
/// As many as the widest register holds, so that every coordinate of an anchor is met once and may stay in memory
/// while it is multiplied.
pub(super) const PANEL: usize = 8;
/// Anchors whose coordinates are stored side by side.
pub(super) const ANCHORS: usize = 8;
/// Coordinates that are added up in one chain.
pub(super) const CHAIN: usize = 16;
/// Points of a strip, the unit of work after which moments are moved to their totals.
pub(super) const STRIP: usize = 512;
/// Nodes that are treated together.
pub(super) const NODES: usize = 8;
/// Cells from one node to the next.
pub(super) const STRIDE: usize = 4;
/// Cells that are added up in one chain.
pub(super) const RUN: usize = 64;

/// The instruction sets this processor offers, found out once per call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    /// What every processor of the family has.
    Portable,
    /// 256-bit vectors and fused multiply-adds.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512-bit vectors.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Instructions {
    /// The widest set.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Instructions::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Instructions::Avx2;
            }
        }
        Instructions::Portable
    }

    /// All sets this processor offers.
    #[cfg(test)]
    pub(super) fn available() -> Vec<Self> {
        let mut all = vec![Instructions::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Instructions::Avx2);
            }
            if is_x86_feature_detected!("avx512f") {
                all.push(Instructions::Avx512);
            }
        }
        all
    }
}

/// Compiles a function for every instruction set and picks one at run time.
macro_rules! dispatched {
    ($(#[$doc:meta])* $name:ident = $portable:ident ($($arg:ident : $type:ty),* $(,)?) $(-> $out:ty)?, $avx512:ident) => {
        $(#[$doc])*
        #[allow(unsafe_code, reason = "functions compiled for instructions that were detected may only be called \
                                       unsafely")]
        pub(super) fn $name(set: Instructions, $($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn avx2($($arg: $type),*) $(-> $out)? {
                    $portable($($arg),*)
                }
                match set {
                    // SAFETY: `Instructions::detect` has found the instructions on this processor.
                    Instructions::Avx512 => return unsafe { $avx512($($arg),*) },
                    // SAFETY: as above.
                    Instructions::Avx2 => return unsafe { avx2($($arg),*) },
                    Instructions::Portable => {}
                }
            }
            let _ = set;
            $portable($($arg),*)
        }
    };
}
pub(super) use dispatched;

dispatched! {
    /// Adds `w r^j`, `j < 8`, to the cell of every logit, alternating between two copies of the histogram so that no addition waits
    /// for the one before. Logits whose cell is out of range are ignored.
    add_moments = moments_portable(cells: &[i32], rests: &[f64], weights: &[f64], even: &mut [Cell], odd: &mut [Cell]), moments_avx512
}

dispatched! {
    /// The smallest and the largest of some numbers.
    extremes = extremes_portable(numbers: &[i32]) -> (i32, i32), extremes_avx512
}

dispatched! {
    /// Adds the sum of two copies to the total, cell by cell, and empties the copies.
    absorb = absorb_portable(total: &mut [Cell], even: &mut [Cell], odd: &mut [Cell]), absorb_avx512
}

#[inline(always)]
fn extremes_portable(numbers: &[i32]) -> (i32, i32) {
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for &x in numbers {
        least = least.min(x);
        most = most.max(x);
    }
    (least, most)
}

#[inline(always)]
fn absorb_portable(total: &mut [Cell], even: &mut [Cell], odd: &mut [Cell]) {
    for ((total, a), b) in total.iter_mut().zip(even).zip(odd) {
        for j in 0..TERMS {
            total[j] += a[j] + b[j];
        }
        (*a, *b) = ([0.0; TERMS], [0.0; TERMS]);
    }
}

/// `w r^j` for `j < 8`, each with at most seven roundings.
#[inline(always)]
pub(super) fn powers(r: f64, w: f64) -> Cell {
    let r2 = r * r;
    let r4 = r2 * r2;
    let mut p = [w; TERMS];
    for (j, p) in p.iter_mut().enumerate() {
        if j & 1 != 0 {
            *p *= r;
        }
        if j & 2 != 0 {
            *p *= r2;
        }
        if j & 4 != 0 {
            *p *= r4;
        }
    }
    p
}

#[inline(always)]
fn moments_portable(cells: &[i32], rests: &[f64], weights: &[f64], even: &mut [Cell], odd: &mut [Cell]) {
    let mut add = |cell: i32, r: f64, w: f64, is_odd: bool| {
        let histogram = if is_odd { &mut *odd } else { &mut *even };
        if let Some(cell) = histogram.get_mut(cell as u32 as usize) {
            let p = powers(r, w);
            for j in 0..TERMS {
                cell[j] += p[j];
            }
        }
    };
    for (i, ((&cell, &r), &w)) in cells.iter().zip(rests).zip(weights).enumerate() {
        add(cell, r, w, i & 1 != 0);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn extremes_avx512(numbers: &[i32]) -> (i32, i32) {
    extremes_portable(numbers)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn absorb_avx512(total: &mut [Cell], even: &mut [Cell], odd: &mut [Cell]) {
    absorb_portable(total, even, odd);
}

/// Eight logits at a time: register `j` holds `w r^j` of all of them, and what comes of it by exchanging rows and columns is the powers
/// of one logit. The roundings are those of [`powers`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn moments_avx512(cells: &[i32], rests: &[f64], weights: &[f64], even: &mut [Cell], odd: &mut [Cell]) {
    use super::vectors::{LANES, load, store, transposed};
    use std::arch::x86_64::{_mm512_add_pd, _mm512_mul_pd};
    let (eights, last) = cells.as_chunks::<LANES>();
    let (rest_eights, last_rests) = rests.as_chunks::<LANES>();
    let (weight_eights, last_weights) = weights.as_chunks::<LANES>();
    for ((cells, rests), weights) in eights.iter().zip(rest_eights).zip(weight_eights) {
        let (r, zeroth) = (load(rests), load(weights));
        let r2 = _mm512_mul_pd(r, r);
        let r4 = _mm512_mul_pd(r2, r2);
        let first = _mm512_mul_pd(zeroth, r);
        let second = _mm512_mul_pd(zeroth, r2);
        let third = _mm512_mul_pd(first, r2);
        let powers = transposed([
            zeroth,
            first,
            second,
            third,
            _mm512_mul_pd(zeroth, r4),
            _mm512_mul_pd(first, r4),
            _mm512_mul_pd(second, r4),
            _mm512_mul_pd(third, r4),
        ]);
        for (l, (&cell, powers)) in cells.iter().zip(powers).enumerate() {
            let histogram = if l & 1 != 0 { &mut *odd } else { &mut *even };
            if let Some(cell) = histogram.get_mut(cell as u32 as usize) {
                let sum = _mm512_add_pd(load(cell), powers);
                store(cell, sum);
            }
        }
    }
    // Their number is even, so that what is left begins with the same copy.
    moments_portable(last, last_rests, last_weights, even, odd);
}
