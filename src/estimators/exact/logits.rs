//! Logits in twice the working precision, for anchors whose inner products are too large for plain ones.

use super::kernels::{Instructions, PANEL, STRIP, dispatched};
use super::sample::Sample;
use super::table::CELLS;

const U: f64 = f64::EPSILON / 2.0;

/// The factor from inner products to cells, `16/temperature`, as an unevaluated sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct AccurateLogits {
    scale: f64,
    scale_rest: f64,
}

impl AccurateLogits {
    /// For a temperature.
    pub(super) fn new(temperature: f64) -> Self {
        let scale = CELLS as f64 / temperature;
        AccurateLogits { scale, scale_rest: -scale.mul_add(temperature, -(CELLS as f64)) / temperature }
    }

    /// The rounded factor.
    pub(super) fn scale(self) -> f64 {
        self.scale
    }

    /// Cells (relative to `base`) and rests of the logits of an anchor with the points from `begin` on, the first one of a strip. A rest
    /// may exceed one half by a few `1e-16 |logit|`.
    #[expect(clippy::too_many_arguments, reason = "an inner loop spelt out")]
    pub(super) fn split(
        self,
        set: Instructions,
        sample: &Sample<'_>,
        anchor: usize,
        begin: usize,
        base: i32,
        cells: &mut [i32],
        rests: &mut [f64],
    ) {
        self.each(set, sample, anchor, begin..begin + cells.len(), |y, near, rest| {
            if let (Some(to_cell), Some(to_rest)) = (cells.get_mut(y), rests.get_mut(y)) {
                (*to_cell, *to_rest) = ((near as i32).wrapping_sub(base), rest);
            }
        });
    }

    /// Cells and rests of the logits of an anchor with all points, of any size up to `2^63` cells.
    pub(super) fn places(
        self,
        set: Instructions,
        sample: &Sample<'_>,
        anchor: usize,
        places: &mut [i64],
        rests: &mut [f64],
    ) {
        self.each(set, sample, anchor, 0..places.len(), |y, near, rest| {
            if let (Some(to_place), Some(to_rest)) = (places.get_mut(y), rests.get_mut(y)) {
                (*to_place, *to_rest) = (near as i64, rest);
            }
        });
    }

    /// The nearest cells, as doubles, and the rests, for points counted from the first one of the range on, which is the first of a strip.
    fn each(
        self,
        set: Instructions,
        sample: &Sample<'_>,
        anchor: usize,
        points: std::ops::Range<usize>,
        mut write: impl FnMut(usize, f64, f64),
    ) {
        let (mut nears, mut rests) = ([0.0; STRIP], [0.0; STRIP]);
        for begin in points.clone().step_by(STRIP) {
            let panels = sample.strip(begin / STRIP);
            accurate_products(set, sample.point(anchor), panels, self, &mut nears, &mut rests);
            for y in 0..STRIP.min(points.end - begin) {
                write(begin - points.start + y, nears[y], rests[y]);
            }
        }
    }

    /// An upper bound of the error of the logits of an anchor: Dot2 of Ogita, Rump and Oishi (2005) is off by
    /// `(d u)^2 sum |a_k b_k|` before its last rounding, which is kept here; the rest of the way is as accurate, and the rounding of
    /// the rest itself is `u` of a cell.
    pub(super) fn error(sample: &Sample<'_>, anchor: usize) -> f64 {
        let roundings = 2.0 * sample.dimension() as f64 + 16.0;
        roundings * roundings * U * U * sample.logit_bound(anchor) + 2.0 * U / CELLS as f64
    }
}

dispatched! {
    /// Scaled logits of an anchor with the points of consecutive panels, as the nearest integers and what is left. Every operation of
    /// Dot2 is done for all points of a panel at once.
    accurate_products = accurate_portable(
        anchor: &[f64], panels: &[f64], factor: AccurateLogits, nears: &mut [f64; STRIP], rests: &mut [f64; STRIP]
    ), accurate_avx512
}

#[inline(always)]
fn accurate_portable(
    anchor: &[f64],
    panels: &[f64],
    factor: AccurateLogits,
    nears: &mut [f64; STRIP],
    rests: &mut [f64; STRIP],
) {
    let outputs = nears.as_chunks_mut::<PANEL>().0.iter_mut().zip(rests.as_chunks_mut::<PANEL>().0);
    for (panel, (nears, rests)) in panels.chunks_exact(PANEL * anchor.len()).zip(outputs) {
        let (mut value, mut correction) = ([0.0f64; PANEL], [0.0f64; PANEL]);
        for (y, &x) in panel.as_chunks::<PANEL>().0.iter().zip(anchor) {
            for l in 0..PANEL {
                let product = x * y[l];
                let product_error = x.mul_add(y[l], -product);
                let sum = value[l] + product;
                let part = sum - value[l];
                correction[l] += ((value[l] - (sum - part)) + (product - part)) + product_error;
                value[l] = sum;
            }
        }
        for l in 0..PANEL {
            let dot = value[l] + correction[l];
            let dot_rest = correction[l] - (dot - value[l]);
            let t = dot * factor.scale;
            let low = dot.mul_add(factor.scale, -t) + (dot * factor.scale_rest + dot_rest * factor.scale);
            let near = t.round_ties_even();
            (nears[l], rests[l]) = (near, (t - near) + low);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn accurate_avx512(
    anchor: &[f64],
    panels: &[f64],
    factor: AccurateLogits,
    nears: &mut [f64; STRIP],
    rests: &mut [f64; STRIP],
) {
    accurate_portable(anchor, panels, factor, nears, rests);
}
