//! Sines and cosines near tabulated angles.
//!
//! Those of `a = pi i/256` are tabulated as sums of two doubles. For `d`, a sum of two doubles below `2^-7.3`, `sin(a + d) = sin a + d cos a + (cos d - 1) sin a + (sin d
//! - d) cos a`: the first two terms with their rounding errors, the third, below `2^-15.6 sin a`, with an error of at most `6 u`, `u = 2^-53`, the last,
//! below `2^-17 d`, likewise. The result is at least half of `sin a` and of `d cos a`, so that it is off by `2^-63` of it and less. The cosine is the sine
//! of `(-cos, sin)` turned by a quarter.

use std::sync::LazyLock;

use super::two_doubles::{Bracket, LANES, fast_two_sum, product, two_sum};
use crate::interval::DoubleDouble;

/// Tabulated angles of a full turn.
pub(super) const ANGLES: usize = 512;

/// Cosine and sine of each tabulated angle.
pub(super) type Circle = [[(f64, f64); 2]; ANGLES];

/// As long as the program runs.
pub(super) static CIRCLE: LazyLock<Circle> = LazyLock::new(tabulated);

/// A number as the sum of two doubles.
pub(super) fn parts(x: DoubleDouble) -> (f64, f64) {
    (x.hi(), (x + -x.hi()).hi())
}

fn tabulated() -> Circle {
    // In the first quarter; the others follow by symmetry.
    let quarter = ANGLES / 4;
    let sine = |step: usize| {
        if step == 0 {
            return DoubleDouble::ZERO;
        }
        let at = |step: usize| (DoubleDouble::PI * (step as f64 / (2 * quarter) as f64)).sin_cos();
        // Of the two, the angle up to an eighth.
        if 2 * step <= quarter {
            at(step).0
        } else if step == quarter {
            DoubleDouble::ONE
        } else {
            at(quarter - step).1
        }
    };
    std::array::from_fn(|step| {
        let (turn, rest) = (step / quarter, step % quarter);
        let (c, s) = (sine(quarter - rest), sine(rest));
        let (c, s) = match turn {
            0 => (c, s),
            1 => (-s, c),
            2 => (-c, -s),
            _ => (s, -c),
        };
        [parts(c), parts(s)]
    })
}

/// Angles as the sums of tabulated ones and of two doubles each.
pub(super) struct Angles {
    /// The tabulated cosine and sine, each as two lists.
    near: [[f64; LANES]; 4],
    /// What the tabulated angles leave over, and what these leave over as doubles.
    pub(super) rests: [[f64; LANES]; 2],
}

impl Angles {
    pub(super) const ZERO: Angles = Angles { near: [[0.0; LANES]; 4], rests: [[0.0; LANES]; 2] };

    /// The tabulated angle of a lane, of which full turns are left out.
    #[inline(always)]
    pub(super) fn look_up(&mut self, circle: &Circle, lane: usize, angle: usize) {
        let [cosine, sine] = circle[angle % ANGLES];
        (self.near[0][lane], self.near[1][lane]) = cosine;
        (self.near[2][lane], self.near[3][lane]) = sine;
    }

    /// Cosines and sines, each as the sum of two doubles.
    #[inline(always)]
    pub(super) fn write(&self, cosines: &mut Bracket, sines: &mut Bracket) {
        for i in 0..LANES {
            let (d, d_low) = (self.rests[0][i], self.rests[1][i]);
            let square = d * d;
            // cos d - 1, and sin d with what the first double of d leaves out.
            let of_cosine =
                -square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square * (1.0 / 40_320.0))));
            let cubic = d
                * square
                * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0 - square * (1.0 / 362_880.0))));
            let turned = (d, d_low - cubic, of_cosine);
            let (cosine, sine) = ((self.near[0][i], self.near[1][i]), (self.near[2][i], self.near[3][i]));
            sines.set(i, turn(sine, cosine, turned));
            cosines.set(i, turn(cosine, (-sine.0, -sine.1), turned));
        }
    }
}

/// `s + c sin d + s (cos d - 1)`, where `sin d` is the sum of the first two of the triple, and the last is `cos d - 1`.
#[inline(always)]
fn turn(s: (f64, f64), c: (f64, f64), (d, d_low, of_cosine): (f64, f64, f64)) -> (f64, f64) {
    let (moved, moved_error) = product(c.0, d);
    let (high, high_error) = two_sum(s.0, moved);
    let small = (c.0 * d_low + c.1 * d) + (s.1 + s.0 * of_cosine);
    fast_two_sum(high, (high_error + moved_error) + small)
}
