//! An axis: where a number lies on it, and which numbers are written beside it.
//!
//! Logarithms are correctly rounded, so that a place is the same everywhere.

use enclosures::enclosure::plain;

/// Numbers of a wider range than this are shown by logarithms.
const WIDE: f64 = 50.0;
/// The most numbers beside an axis.
const MOST_TICKS: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq)]
enum AxisScale {
    Plain,
    /// log x.
    Logarithmic,
    /// log(1 + x), for steps from 0 on.
    Shifted,
}

/// From the least number to the greatest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    scale: AxisScale,
    least: f64,
    most: f64,
}

impl Axis {
    /// An axis for these numbers; none if there are none or one is not finite.
    pub(crate) fn of(values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
        if !least.is_finite() || !most.is_finite() {
            return None;
        }
        let positive = values.filter(|&x| x > 0.0).fold(f64::INFINITY, f64::min);
        let scale = if least > 0.0 && most / least > WIDE {
            AxisScale::Logarithmic
        } else if least == 0.0 && positive >= 1.0 && most > WIDE {
            AxisScale::Shifted
        } else {
            AxisScale::Plain
        };
        // What is not negative is measured from nothing, unless it hardly changes.
        let from_zero = scale == AxisScale::Plain && least > 0.0 && least < 0.5 * most;
        let (least, most) = match scale {
            AxisScale::Plain if least == most => (least - 0.5, most + 0.5),
            _ => (if from_zero { 0.0 } else { least }, most),
        };
        Some(Axis { scale, least, most })
    }

    fn scaled(&self, x: f64) -> f64 {
        match self.scale {
            AxisScale::Plain => x,
            AxisScale::Logarithmic => core_math::log(x),
            AxisScale::Shifted => core_math::log1p(x),
        }
    }

    /// From 0 at the least to 1 at the greatest.
    pub(crate) fn share(&self, x: f64) -> f64 {
        let (least, most) = (self.scaled(self.least), self.scaled(self.most));
        ((self.scaled(x) - least) / (most - least)).clamp(0.0, 1.0)
    }

    /// How the scale is called, where it is not a plain one.
    pub(crate) fn remark(&self) -> &'static str {
        match self.scale {
            AxisScale::Plain => "",
            AxisScale::Logarithmic => " (logarithmic)",
            AxisScale::Shifted => " (on the scale of log(1 + x))",
        }
    }

    /// Numbers on the axis that are easy to read, and how each is written.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        let numbers = match self.scale {
            AxisScale::Plain => self.plain_ticks(),
            AxisScale::Logarithmic | AxisScale::Shifted => self.powers(),
        };
        numbers.into_iter().map(|x| (x, plain(x, 4))).collect()
    }

    fn plain_ticks(&self) -> Vec<f64> {
        let width = self.most - self.least;
        let rough = power_of_ten(core_math::log10(width / (MOST_TICKS - 1) as f64).floor() as i32);
        let fits = |step: &f64| width / step <= (MOST_TICKS - 1) as f64;
        let Some(step) = [1.0, 2.0, 5.0, 10.0].map(|m| m * rough).into_iter().find(fits) else {
            return vec![self.least, self.most];
        };
        let (first, last) = ((self.least / step).ceil() as i64, (self.most / step).floor() as i64);
        (first..=last).map(|k| k as f64 * step).collect()
    }

    fn powers(&self) -> Vec<f64> {
        let least = if self.scale == AxisScale::Shifted { 1.0 } else { self.least };
        let (first, last) = (core_math::log10(least).ceil() as i32, core_math::log10(self.most).floor() as i32);
        let every = ((last - first) as usize / MOST_TICKS + 1).max(1);
        let zero = (self.scale == AxisScale::Shifted).then_some(0.0);
        let mut ticks: Vec<f64> = zero.into_iter().chain((first..=last).step_by(every).map(power_of_ten)).collect();
        if ticks.len() < 2 {
            ticks = vec![self.least, self.most];
        }
        ticks
    }
}

/// 10 to a power, correctly rounded: read as a decimal.
fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(values: &[f64]) -> Vec<String> {
        let axis = Axis::of(values.iter().copied()).expect("an axis");
        axis.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn numbers_beside_an_axis_are_round() {
        assert_eq!(ticks(&[0.3, 2.1]), ["0", "0.5", "1", "1.5", "2"]);
        assert_eq!(ticks(&[0.0, 1.0, 250.0]), ["0", "1", "10", "100"]);
        assert_eq!(ticks(&[2.0, 2000.0]), ["10", "100", "1000"]);
        assert_eq!(ticks(&[-0.8, 0.0]), ["-0.8", "-0.6", "-0.4", "-0.2", "0"]);
        assert_eq!(ticks(&[3.0, 3.0]), ["2.6", "2.8", "3", "3.2", "3.4"]);
        assert!(Axis::of([1.0, f64::INFINITY].into_iter()).is_none());
        assert!(Axis::of(std::iter::empty()).is_none());
    }

    #[test]
    fn places_lie_between_the_ends() {
        let axis = Axis::of([1.0, 100.0].into_iter()).expect("an axis");
        assert_eq!((axis.share(1.0), axis.share(10.0), axis.share(100.0)), (0.0, 0.5, 1.0));
        assert_eq!(axis.share(0.1), 0.0);
    }
}
