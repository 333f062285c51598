//! Two logarithmic axes and the labels of their powers of ten.

use estimators::convergence::StudyPanel;

/// Where a panel shows which work and which error. All panels of a row share their ranges.
pub struct Axes {
    left: i32,
    top: i32,
    width: i32,
    height: i32,
    /// Whole powers of ten at the ends.
    work: (i32, i32),
    error: (i32, i32),
}

/// The whole powers of ten around a set of positive numbers.
fn decades(values: impl Iterator<Item = f64>) -> (i32, i32) {
    let logs = values.filter(|v| *v > 0.0 && v.is_finite()).map(log10);
    let (lo, hi) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), x| (lo.min(x), hi.max(x)));
    if lo > hi {
        return (-1, 0);
    }
    let (lo, hi) = (lo.floor() as i32, hi.ceil() as i32);
    (lo, hi.max(lo + 1))
}

fn log10(x: f64) -> f64 {
    enclosures::interval::Interval::point(x).ln().midpoint() / core::f64::consts::LN_10
}

impl Axes {
    /// Axes for a panel of a row, with the upper left corner and the size of the place it has.
    pub fn of(row: &[&StudyPanel], corner: (i32, i32), size: (i32, i32)) -> Self {
        let levels = || row.iter().flat_map(|p| &p.curves).flat_map(|c| &c.levels);
        let exact = row.iter().map(|p| p.exact_work.total() as f64);
        let errors = levels().flat_map(|l| [l.rms_interval.0, l.rms_interval.1]);
        Axes {
            left: corner.0,
            top: corner.1 + 24,
            width: size.0,
            height: size.1,
            work: decades(levels().map(|l| l.work.total() as f64).chain(exact)),
            error: decades(errors),
        }
    }

    /// Left, right, top, bottom.
    pub fn edges(&self) -> (i32, i32, i32, i32) {
        (self.left, self.left + self.width, self.top, self.top + self.height)
    }

    fn column(&self, log: f64) -> i32 {
        let (lo, hi) = self.work;
        let share = (log - f64::from(lo)) / f64::from(hi - lo);
        self.left + (share.clamp(0.0, 1.0) * f64::from(self.width)).round() as i32
    }

    fn row(&self, log: f64) -> i32 {
        let (lo, hi) = self.error;
        let share = (log - f64::from(lo)) / f64::from(hi - lo);
        self.top + self.height - (share.clamp(0.0, 1.0) * f64::from(self.height)).round() as i32
    }

    /// The place of a work and an error; what lies outside, zero included, is shown at the edge.
    pub fn at(&self, work: f64, error: f64) -> (i32, i32) {
        let log = |x: f64| if x > 0.0 { log10(x) } else { -400.0 };
        (self.column(log(work)), self.row(log(error)))
    }

    /// The powers of ten of work, at most six of them, and their places.
    pub fn columns(&self) -> Vec<(i32, i32)> {
        let (lo, hi) = self.work;
        let step = (hi - lo + 5) / 6;
        (lo..=hi).step_by(step.max(1) as usize).map(|p| (p, self.column(f64::from(p)))).collect()
    }

    /// The powers of ten of the error, at most six of them, and their places.
    pub fn rows(&self) -> Vec<(i32, i32)> {
        let (lo, hi) = self.error;
        let step = (hi - lo + 5) / 6;
        (lo..=hi).step_by(step.max(1) as usize).map(|p| (p, self.row(f64::from(p)))).collect()
    }

    /// A line of slope -1/2 above the first curve, from one edge to another.
    pub fn guide(&self, panel: &StudyPanel) -> Option<((i32, i32), (i32, i32))> {
        let first = panel.curves.first()?.levels.last()?;
        if first.rms <= 0.0 {
            return None;
        }
        // Twice the error of the first curve, so that the line hides no point.
        let (x, y) = (log10(first.work.total() as f64), log10(2.5 * first.rms));
        let level = |log: f64| y - 0.5 * (log - x);
        let start = f64::from(self.work.0).max(x + 2.0 * (y - f64::from(self.error.1)));
        let end = f64::from(self.work.1).min(x + 2.0 * (y - f64::from(self.error.0)));
        (start < end).then(|| {
            let place = |log: f64| (self.column(log), self.row(level(log)));
            (place(start), place(end))
        })
    }
}

/// `10` with a raised exponent.
pub fn powers(exponent: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        _ => '⁹',
    };
    std::iter::once('1').chain(std::iter::once('0')).chain(exponent.to_string().chars().map(raised)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_hold_the_values() {
        assert_eq!(decades([3.0, 0.02, 450.0].into_iter()), (-2, 3));
        assert_eq!(decades([0.5, 0.6].into_iter()), (-1, 0));
        assert_eq!(decades([0.0, f64::NAN].into_iter()), (-1, 0));
        assert_eq!(decades([1.0, 1.0].into_iter()), (0, 1));
    }

    #[test]
    fn places_run_from_edge_to_edge() {
        let axes = Axes { left: 100, top: 50, width: 300, height: 200, work: (2, 5), error: (-4, 0) };
        assert_eq!(axes.at(1e2, 1.0), (100, 50));
        assert_eq!(axes.at(1e5, 1e-4), (400, 250));
        assert_eq!(axes.at(1e3, 1e-2), (200, 150));
        assert_eq!(axes.at(1e9, 0.0), (400, 250), "outside is at the edge");
        assert_eq!(axes.columns(), [(2, 100), (3, 200), (4, 300), (5, 400)]);
        assert_eq!(powers(-12), "10⁻¹²");
    }
}
