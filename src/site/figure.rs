//! The figures of a paper: what it says of each, and where a run has the curves to draw it from.

use evidence::claim::{Cell, Series};
use evidence::run::ClaimResult;

use crate::plot::Plot;

/// A figure of a paper.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The paper's id.
    pub paper: &'static str,
    /// The number that the paper gives it.
    pub number: &'static str,
    /// The claim that says what the paper says of it.
    pub claim: &'static str,
    /// What is drawn.
    pub panels: Vec<Panel>,
    /// Pictures and pages of the repository that show more of it.
    pub more: Vec<More>,
}

/// One system of axes, or several of one form.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The series of the claim that holds the numbers.
    pub series: &'static str,
    /// What is shown.
    pub title: String,
    /// The column to the right.
    pub across: usize,
    /// The columns upwards, each with the name of its curve.
    pub up: Vec<(usize, &'static str)>,
    /// Columns by whose entries the rows are told apart: a system of axes for each combination.
    pub apart: Vec<usize>,
    /// A column by whose entries a curve is told from the others.
    pub curve: Option<usize>,
}

/// A picture that is not drawn from the run.
#[derive(Clone, Copy, Debug)]
pub struct More {
    /// The picture: a path from the root of the repository.
    pub picture: &'static str,
    /// What it shows.
    pub words: &'static str,
    /// The page that speaks of it: a path from the root of the repository.
    pub page: &'static str,
}

impl Panel {
    /// Curves over a column, each in a column of its own.
    #[must_use]
    pub fn of(series: &'static str, title: impl Into<String>, across: usize, up: &[(usize, &'static str)]) -> Self {
        Panel { series, title: title.into(), across, up: up.to_vec(), apart: Vec::new(), curve: None }
    }

    /// A system of axes for each combination of entries in these columns.
    #[must_use]
    pub fn apart_by(mut self, columns: &[usize]) -> Self {
        self.apart = columns.to_vec();
        self
    }

    /// A curve for each entry of this column.
    #[must_use]
    pub fn curve_by(mut self, column: usize) -> Self {
        self.curve = Some(column);
        self
    }

    /// The pictures, from the series of a claim.
    ///
    /// # Errors
    /// The claim has no such series, its computation failed, or a column is missing or holds no numbers.
    pub(crate) fn plots(&self, claim: &ClaimResult) -> Result<Vec<Plot>, String> {
        let found = claim.series.iter().find(|s| s.id == self.series);
        let found = found.ok_or_else(|| format!("{} has no series {}", claim.id, self.series))?;
        self.drawn(found.outcome.as_ref().map_err(ToString::to_string)?)
    }

    fn drawn(&self, series: &Series) -> Result<Vec<Plot>, String> {
        let column = |at: usize| {
            let column = series.columns().get(at);
            column.ok_or_else(|| format!("{} has no column {at}", self.series))
        };
        let below =
            heading(series, self.across).ok_or_else(|| format!("{} has no column {}", self.series, self.across))?;
        let mut plots: Vec<Plot> = Vec::new();
        for row in series.rows() {
            let mut named = Vec::new();
            for &at in &self.apart {
                named.push(format!("{} = {}", column(at)?.name, text(row, at)));
            }
            let title = match named.as_slice() {
                [] => self.title.clone(),
                named => format!("{}, {}", self.title, named.join(", ")),
            };
            let place = plots.iter().position(|plot| plot.title == title);
            let place = place.unwrap_or_else(|| {
                plots.push(Plot { title, below: below.clone(), curves: Vec::new() });
                plots.len() - 1
            });
            let no_number = || format!("{} holds something other than numbers", self.series);
            let x = number(row, self.across).ok_or_else(no_number)?;
            for &(at, name) in &self.up {
                column(at)?;
                let name = match self.curve {
                    Some(by) => [text(row, by).as_str(), name].join(" ").trim().to_owned(),
                    None => name.to_owned(),
                };
                let point = (x, number(row, at).ok_or_else(no_number)?);
                match plots[place].curves.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, points)) => points.push(point),
                    None => plots[place].curves.push((name, vec![point])),
                }
            }
        }
        Ok(plots)
    }
}

/// Every column of numbers of a series over its first one, for a table of which nothing more is known; none where the first column does
/// not increase.
pub(crate) fn plots_of(series: &Series) -> Vec<Plot> {
    let values = |at: usize| -> Option<Vec<f64>> { series.rows().iter().map(|row| number(row, at)).collect() };
    let increases = |x: &Vec<f64>| x.windows(2).all(|pair| pair[0] < pair[1]);
    let (Some(x), Some(below)) = (values(0).filter(increases), heading(series, 0)) else {
        return Vec::new();
    };
    let over = |at: usize| {
        let points = x.iter().copied().zip(values(at)?).collect();
        let title = heading(series, at)?;
        Some(Plot { title: title.clone(), below: below.clone(), curves: vec![(title, points)] })
    };
    (1..series.columns().len()).filter_map(over).collect()
}

/// The name of a column with its unit.
fn heading(series: &Series, at: usize) -> Option<String> {
    let column = series.columns().get(at)?;
    Some(match column.unit.as_str() {
        "" => column.name.clone(),
        unit => format!("{} ({unit})", column.name),
    })
}

fn text(row: &[Cell], at: usize) -> String {
    row.get(at).map_or(String::new(), ToString::to_string)
}

/// The middle of a finite number.
fn number(row: &[Cell], at: usize) -> Option<f64> {
    match row.get(at)? {
        Cell::Number(x) => {
            let middle = 0.5 * x.lo() + 0.5 * x.hi();
            middle.is_finite().then_some(middle)
        }
        Cell::Count(n) => Some(*n as f64),
        Cell::Text(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_told_apart_by_words_and_sizes() {
        let mut series = Series::of([("φ", ""), ("h", ""), ("error", "nats")]);
        for (word, h, error) in [("tanh", 10u64, 1.0), ("tanh", 100, 0.5), ("relu", 10, 2.0), ("relu", 100, 1.5)] {
            series.push([word.into(), h.into(), error.into()]);
        }
        assert!(plots_of(&series).is_empty(), "words do not increase");
        let panel = Panel::of("s", "the error", 1, &[(2, "")]);
        let curves = panel.clone().curve_by(0).drawn(&series).expect("plots");
        assert_eq!((curves.len(), curves[0].curves[1].0.as_str()), (1, "relu"));
        let apart = panel.apart_by(&[0]).drawn(&series).expect("plots");
        assert_eq!((apart.len(), apart[0].title.as_str()), (2, "the error, φ = tanh"));
        assert!(Panel::of("s", "words", 1, &[(0, "")]).drawn(&series).is_err(), "words are no numbers");
        assert!(Panel::of("s", "too far", 1, &[(3, "")]).drawn(&series).is_err(), "no such column");
        let mut numbers = Series::of([("h", ""), ("error", "nats")]);
        numbers.push([1u64.into(), 2.0.into()]);
        numbers.push([2u64.into(), 1.0.into()]);
        let plots = plots_of(&numbers);
        assert_eq!((plots.len(), plots[0].title.as_str()), (1, "error (nats)"));
        assert_eq!(plots[0].curves[0].1, [(1.0, 2.0), (2.0, 1.0)]);
    }
}
