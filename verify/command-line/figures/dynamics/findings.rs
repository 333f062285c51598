//! What the courses show: tables of everything, averages with intervals.

use std::fmt::Write;

use enclosures::enclosure::plain;
use enclosures::probability::two_sided_quantile;
use serde::{Deserialize, Serialize};

use super::super::super::status::Trouble;
use super::super::rows::{number, rows, together};
use super::schemes::{SideBySide, StepTime};

/// Significant digits in which losses are written down, in which distances and times of (11) are, and in which times of (12) are.
const DIGITS: [usize; 3] = [9, 3, 2];
/// The share of averages that their intervals may miss.
const MISS: f64 = 0.05;

/// The names of the columns.
const COURSES: &str = "digits,h,z,start,steps,loss of (11),loss of (12),largest distance\n";
const ACCURACIES: &str = "digits,h,z,start,right by (11),right by (12),right at the limit,right on pixels,of\n";
const TIMES: &str = "h,microseconds of a step of (11),microseconds of a step of (12)\n";

/// Test images that a machine gets right on embeddings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Right {
    /// By (11).
    pub descent: usize,
    /// By (12).
    pub dynamics: usize,
    /// By what both go to.
    pub limit: usize,
    /// On the pixels themselves.
    pub pixels: usize,
    /// Of so many.
    pub asked: usize,
}

/// One start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Followed {
    pub looks: Vec<SideBySide>,
    pub right: Right,
}

/// What all starts of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkSize {
    pub digits: [u8; 2],
    pub width: u32,
    pub outputs: u32,
}

/// All starts of one size.
#[derive(Debug, PartialEq)]
pub struct Group {
    pub size: NetworkSize,
    pub starts: Vec<Followed>,
}

impl NetworkSize {
    /// The first fields of its rows.
    fn fields(self) -> String {
        let [a, b] = self.digits;
        format!("{a}-{b},{},{}", self.width, self.outputs)
    }

    fn parse([digits, width, outputs]: [&str; 3]) -> Result<Self, Trouble> {
        let (a, b) = digits.split_once('-').unwrap_or((digits, ""));
        Ok(NetworkSize { digits: [number(a)?, number(b)?], width: number(width)?, outputs: number(outputs)? })
    }
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
        let half = if spread > 0.0 { quantile * (spread / n).sqrt() } else { 0.0 };
        Average { mean, half }
    }

    /// Whether it may be zero.
    pub fn may_be_zero(self) -> bool {
        self.mean.abs() <= self.half
    }
}

impl Group {
    /// The average of a share of the test images, in per cent, over the starts.
    pub fn accuracy(&self, right: impl Fn(&Right) -> f64) -> Average {
        let share = |f: &Followed| 100.0 * right(&f.right) / f.right.asked as f64;
        Average::of(&self.starts.iter().map(share).collect::<Vec<f64>>())
    }
}

/// One row for each moment of each start.
pub fn courses(groups: &[Group]) -> String {
    let mut text = COURSES.to_owned();
    for group in groups {
        for (start, followed) in group.starts.iter().enumerate() {
            for look in &followed.looks {
                let _ = writeln!(
                    text,
                    "{},{},{},{},{},{}",
                    group.size.fields(),
                    start + 1,
                    look.step,
                    plain(look.descent, DIGITS[0]),
                    plain(look.dynamics, DIGITS[0]),
                    plain(look.apart, DIGITS[1])
                );
            }
        }
    }
    text
}

/// One row for each start.
pub fn accuracies(groups: &[Group]) -> String {
    let mut text = ACCURACIES.to_owned();
    for group in groups {
        for (start, followed) in group.starts.iter().enumerate() {
            let Right { descent, dynamics, limit, pixels, asked } = followed.right;
            let _ =
                writeln!(text, "{},{},{descent},{dynamics},{limit},{pixels},{asked}", group.size.fields(), start + 1);
        }
    }
    text
}

/// What [`courses`] and [`accuracies`] have written.
///
/// # Errors
/// They have not.
pub fn groups(courses: &str, accuracies: &str) -> Result<Vec<Group>, Trouble> {
    let look = |[digits, width, outputs, start, step, numbers @ ..]: [&str; 8]| -> Result<_, Trouble> {
        let [descent, dynamics, apart] = numbers.map(number::<f64>);
        let look = SideBySide { step: number(step)?, descent: descent?, dynamics: dynamics?, apart: apart? };
        Ok(((NetworkSize::parse([digits, width, outputs])?, number::<u32>(start)?), look))
    };
    let looks = rows(courses, COURSES)?.into_iter().map(look).collect::<Result<Vec<_>, _>>()?;
    let right = |[digits, width, outputs, start, numbers @ ..]: [&str; 9]| -> Result<_, Trouble> {
        let [descent, dynamics, limit, pixels, asked] = numbers.map(number::<usize>);
        let right = Right { descent: descent?, dynamics: dynamics?, limit: limit?, pixels: pixels?, asked: asked? };
        Ok(((NetworkSize::parse([digits, width, outputs])?, number::<u32>(start)?), right))
    };
    let right = rows(accuracies, ACCURACIES)?.into_iter().map(right).collect::<Result<Vec<_>, _>>()?;
    let followed = together(looks, |(start, _)| *start);
    if !followed.iter().map(|(start, _)| start).eq(right.iter().map(|(start, _)| start)) {
        return Err(Trouble::Unusable("the two tables are not of the same starts".into()));
    }
    let starts = followed.into_iter().zip(right).map(|(((size, _), looks), (_, right))| {
        let looks = looks.into_iter().map(|(_, look)| look).collect();
        (size, Followed { looks, right })
    });
    let groups = together(starts.collect(), |(size, _)| *size).into_iter();
    Ok(groups
        .map(|(size, starts)| Group { size, starts: starts.into_iter().map(|(_, followed)| followed).collect() })
        .collect())
}

/// One row for each width.
pub fn times(times: &[StepTime]) -> String {
    let mut text = TIMES.to_owned();
    for t in times {
        let [descent, dynamics] = [plain(1e6 * t.descent, DIGITS[1]), plain(1e6 * t.dynamics, DIGITS[2])];
        let _ = writeln!(text, "{},{descent},{dynamics}", t.width);
    }
    text
}

/// What [`times`] has written.
///
/// # Errors
/// It has not.
pub fn parsed_times(table: &str) -> Result<Vec<StepTime>, Trouble> {
    let time = |[width, descent, dynamics]: [&str; 3]| {
        Ok(StepTime {
            width: number(width)?,
            descent: 1e-6 * number::<f64>(descent)?,
            dynamics: 1e-6 * number::<f64>(dynamics)?,
        })
    };
    rows(table, TIMES)?.into_iter().map(time).collect()
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
    fn tables_have_a_row_for_each_moment_and_each_start_and_are_read_back() {
        let look = |step| SideBySide { step, descent: -0.5, dynamics: -0.25, apart: 0.125 };
        let right = Right { descent: 3, dynamics: 4, limit: 5, pixels: 2, asked: 5 };
        let start = || Followed { looks: vec![look(0), look(1)], right };
        let size = |digits| NetworkSize { digits, width: 64, outputs: 2 };
        let found = [[4, 9], [0, 1]].map(|digits| Group { size: size(digits), starts: vec![start(), start()] });
        let (table, counts) = (courses(&found), accuracies(&found));
        assert_eq!(table.lines().nth(4), Some("4-9,64,2,2,1,-0.5,-0.25,0.125"));
        assert_eq!(counts.lines().nth(3), Some("0-1,64,2,1,3,4,5,2,5"));
        assert_eq!(found[0].accuracy(|right| right.dynamics as f64).mean, 80.0);
        assert_eq!(groups(&table, &counts).unwrap(), found);
        let fewer: Vec<&str> = counts.lines().take(4).collect();
        assert!(groups(&table, &fewer.join("\n")).is_err());

        let measured = [StepTime { width: 64, descent: 0.003_173, dynamics: 1.04e-5 }];
        let table = times(&measured);
        assert_eq!(table.lines().nth(1), Some("64,3170,10"));
        assert_eq!(times(&parsed_times(&table).unwrap()), table);
    }
}
