//! What the courses show: tables of everything, averages with intervals.

use std::fmt::Write;

use enclosures::enclosure::plain;
use enclosures::probability::two_sided_quantile;

use super::schemes::SideBySide;

/// Significant digits in which losses and distances are written down.
const DIGITS: usize = 9;
/// The share of averages that their intervals may miss.
const MISS: f64 = 0.05;

/// One start.
pub struct Followed {
    pub looks: Vec<SideBySide>,
    /// Test images that a machine gets right on the embeddings by (11), and by (12).
    pub right: [usize; 2],
}

/// All starts of one size.
pub struct Group {
    pub width: u32,
    pub outputs: u32,
    pub starts: Vec<Followed>,
}

/// An average over starts, and half of its 95 % interval by Student's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Average {
    pub mean: f64,
    pub half: f64,
}

impl Average {
    /// That of two or more numbers.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let spread = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
        let quantile = two_sided_quantile(values.len().saturating_sub(1) as u64, MISS).unwrap_or(f64::INFINITY);
        // All alike: no spread to multiply an infinite quantile with.
        let half = if spread > 0.0 {
            quantile * (spread / n).sqrt()
        } else {
            0.0
        };
        Average { mean, half }
    }

    /// Whether it may be zero.
    pub fn may_be_zero(self) -> bool {
        self.mean.abs() <= self.half
    }
}

impl Group {
    /// The average of a share of the test images, in per cent, over the starts.
    pub fn accuracy(&self, asked: usize, right: impl Fn(&Followed) -> f64) -> Average {
        let shares: Vec<f64> = self.starts.iter().map(|f| 100.0 * right(f) / asked as f64).collect();
        Average::of(&shares)
    }
}

/// One row for each moment of each start.
pub fn courses(groups: &[Group]) -> String {
    let mut text = String::from("h,z,start,steps,loss of (11),loss of (12),largest distance\n");
    for group in groups {
        for (start, followed) in group.starts.iter().enumerate() {
            for look in &followed.looks {
                let _ = writeln!(
                    text,
                    "{},{},{},{},{},{},{}",
                    group.width,
                    group.outputs,
                    start + 1,
                    look.step,
                    plain(look.descent, DIGITS),
                    plain(look.dynamics, DIGITS),
                    plain(look.apart, 3)
                );
            }
        }
    }
    text
}

/// One row for each start.
pub fn accuracies(groups: &[Group], asked: usize) -> String {
    let mut text = String::from("h,z,start,right by (11),right by (12),of\n");
    for group in groups {
        for (start, followed) in group.starts.iter().enumerate() {
            let [descent, dynamics] = followed.right;
            let _ = writeln!(
                text,
                "{},{},{},{descent},{dynamics},{asked}",
                group.width,
                group.outputs,
                start + 1
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_have_the_intervals_of_student() {
        let found = Average::of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        // t with four degrees of freedom: 2.7764, and √(2.5/5).
        assert!((found.mean - 3.0).abs() < 1e-15 && (found.half - 2.776_445_1 * 0.5f64.sqrt()).abs() < 1e-6);
        assert!(!found.may_be_zero() && Average::of(&[-1.0, 1.5]).may_be_zero());
        assert_eq!(Average::of(&[2.0, 2.0]), Average { mean: 2.0, half: 0.0 });
    }

    #[test]
    fn tables_have_a_row_for_each_moment_and_each_start() {
        let look = |step| SideBySide {
            step,
            descent: -0.5,
            dynamics: -0.25,
            apart: 0.125,
        };
        let start = || Followed {
            looks: vec![look(0), look(1)],
            right: [3, 4],
        };
        let groups = [Group {
            width: 64,
            outputs: 2,
            starts: vec![start(), start()],
        }];
        assert_eq!(courses(&groups).lines().nth(4), Some("64,2,2,1,-0.5,-0.25,0.125"));
        assert_eq!(accuracies(&groups, 5).lines().nth(2), Some("64,2,2,3,4,5"));
        assert_eq!(groups[0].accuracy(5, |f| f.right[1] as f64).mean, 80.0);
    }
}
