//! Where the numbers of an assignment are, so that a search moves them in place.

use evidence::instance::Chart;
use evidence::instance::layout::{Coordinate, CoordinateKind, Group, Items, Layout, Range, Scale, Shape, Size};

use super::assignment::{Assignment, Raw, ValueShape};
use super::projected::{project, projected};
use crate::formulas::domain::{Domain, Variable};

/// The chart of an assignment: the whole numbers that sizes depend on are sizes of it, every other number is a coordinate, in the order of the
/// variables.
pub(crate) fn chart(assignment: &Assignment) -> Chart<Assignment> {
    let declarations = &assignment.declarations;
    let Ok(shapes) = declarations.shapes(&assignment.values) else {
        return Chart::stored(assignment);
    };
    let mut layout = Layout { sizes: sizes(assignment), ..Layout::default() };
    let mut start = Vec::new();
    for (place, raw) in assignment.values.iter().enumerate() {
        let domain = &declarations.variables[place].domain;
        let coordinate = Coordinate { range: range(domain), typical: range(domain), ..Coordinate::REAL };
        match raw {
            Raw::Whole(_) if declarations.shaping[place] => {}
            Raw::Whole(n) => {
                layout.coordinates.push(Coordinate {
                    kind: CoordinateKind::Integer,
                    range: WHOLE,
                    typical: WHOLE,
                    scale: Scale::Linear,
                });
                start.push(*n as f64);
            }
            Raw::Real(x) => {
                layout.coordinates.push(coordinate);
                start.push(*x);
            }
            Raw::List(list) => {
                groups(domain, shapes[place], start.len(), list.len(), &mut layout.groups);
                layout.coordinates.extend(list.iter().map(|_| coordinate));
                start.extend(list);
            }
        }
    }
    Chart::native(layout, start, placed)
}

/// The assignment with another value of one of its sizes.
pub(crate) fn with_size(assignment: &Assignment, size: usize, value: u64) -> Option<Assignment> {
    let declarations = &assignment.declarations;
    let place = (0..assignment.values.len()).filter(|&p| declarations.shaping[p]).nth(size)?;
    let resized = assignment.resized(place, i64::try_from(value).ok()?, false)?;
    Some(projected(resized))
}

/// Whole numbers that doubles tell apart. Nothing is declared of them: what a larger one costs, no range says.
const WHOLE: Range = Range::closed(-9_007_199_254_740_992.0, 9_007_199_254_740_992.0).undeclared();

fn range(domain: &Domain) -> Range {
    let (Domain::Real(own) | Domain::Vector { range: own, .. } | Domain::Matrix { range: own, .. }) = domain else {
        return match domain {
            Domain::Simplex(_) | Domain::Stochastic { .. } => Range::closed(0.0, f64::MAX),
            _ => Range::FINITE,
        };
    };
    if own.is_everything() { Range::FINITE } else { Range::closed(own.least(), own.greatest()) }
}

/// The runs of numbers that form one value, from `start` on.
fn groups(domain: &Domain, shape: ValueShape, start: usize, length: usize, into: &mut Vec<Group>) {
    let ValueShape { rows, columns } = shape;
    let form = match domain {
        Domain::Symmetric(_) => Shape::Symmetric { size: rows },
        Domain::Matrix { .. } | Domain::Semidefinite(_) | Domain::Orthogonal(_) => Shape::Matrix { rows, columns },
        Domain::Stochastic { .. } => {
            let row = |row: usize| Group { start: start + row * columns, length: columns, shape: Shape::Weights };
            into.extend((0..rows).map(row));
            return;
        }
        Domain::Simplex(_) => Shape::Weights,
        _ => Shape::Vector,
    };
    into.push(Group { start, length, shape: form });
    if matches!(form, Shape::Matrix { .. }) {
        into.extend((0..rows).map(|row| Group { start: start + row * columns, length: columns, shape: Shape::Vector }));
    }
}

fn sizes(assignment: &Assignment) -> Vec<Size> {
    let declarations = &assignment.declarations;
    let numbered = declarations.variables.iter().zip(&assignment.values).enumerate();
    let size = |(place, (variable, raw)): (usize, (&Variable, &Raw))| match raw {
        Raw::Whole(n) if declarations.shaping[place] => Some(Size {
            name: variable.name.clone(),
            value: u64::try_from(*n).ok()?,
            least: 0,
            greatest: u64::MAX,
            items: Items::Ordered,
            blocks: Vec::new(),
        }),
        _ => None,
    };
    numbered.filter_map(size).collect()
}

/// Writes the numbers where they belong, and moves them on to where the equations are met; `false` for a whole number that is none.
fn placed(assignment: &mut Assignment, at: &[f64]) -> bool {
    let declarations = std::sync::Arc::clone(&assignment.declarations);
    let mut at = at.iter().copied();
    for (place, raw) in assignment.values.iter_mut().enumerate() {
        match raw {
            Raw::Whole(_) if declarations.shaping[place] => {}
            Raw::Whole(n) => match at.next() {
                Some(x) if x.fract() == 0.0 && WHOLE.contains(x) => *n = x as i64,
                _ => return false,
            },
            Raw::Real(x) => *x = at.next().unwrap_or(f64::NAN),
            Raw::List(list) => list.iter_mut().for_each(|x| *x = at.next().unwrap_or(f64::NAN)),
        }
    }
    project(assignment);
    true
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use evidence::instance::Instance;

    use super::*;
    use crate::instances::statement::{Statement, Texts};

    fn assignment(ranges: &str, values: Vec<Raw>) -> Assignment {
        let statement = Statement::read(&Texts::of("0 <= 1").ranging(ranges)).unwrap();
        Assignment { declarations: Arc::clone(&statement.declarations), values }
    }

    #[test]
    fn numbers_are_moved_in_place_and_sizes_stay() {
        let values = vec![
            Raw::Whole(2),
            Raw::Whole(7),
            Raw::Real(0.5),
            Raw::List(vec![1.0, 2.0]),
            Raw::List(vec![1.0, 2.0, 3.0, 4.0]),
        ];
        let mut own = assignment("n in 1..5, k in Z, t in (0, 1], x in R^n, A in R^(n, n)", values);
        let chart = own.chart();
        assert_eq!(chart.start(), [7.0, 0.5, 1.0, 2.0, 1.0, 2.0, 3.0, 4.0]);
        let layout = chart.layout().clone();
        assert_eq!((layout.sizes.len(), layout.sizes[0].value), (1, 2));
        assert_eq!(layout.groups.len(), 4, "the vector, the matrix and its two rows");
        assert!(layout.coordinates[1].range.least() > 0.0 && layout.coordinates[1].range.declared);
        assert!(chart.place(&mut own, &[-3.0, 1.0, 0.0, 9.0, 1.0, 0.0, 0.0, 1.0]));
        assert_eq!(own.describe(), "n = 2, k = -3, t = 1, x = (0, 9), A = [[1, 0], [0, 1]]");
        assert!(!chart.place(&mut own, &[0.5, 1.0, 0.0, 9.0, 1.0, 0.0, 0.0, 1.0]), "not whole");
        let larger = own.with_size(0, 3).unwrap();
        assert!(larger.describe().starts_with("n = 3, k = -3, t = 1, x = (0, 9, 0)"), "{}", larger.describe());
        assert!(own.with_size(0, 6).is_none() && own.with_size(1, 1).is_none());
    }

    #[test]
    fn what_a_chart_moves_is_what_is_stored() {
        let own =
            assignment("p in simplex(3), S in sym(2)", vec![Raw::List(vec![1.0, 2.0, 1.0]), Raw::List(vec![1.0; 3])]);
        let mut moved = own.clone();
        let chart = own.chart();
        assert!(chart.place(&mut moved, &[0.25, 0.5, 0.25, 3.0, 0.0, -1.0]));
        let stored: Assignment = serde_json::from_value(serde_json::to_value(&moved).unwrap()).unwrap();
        assert_eq!(stored, moved);
        assert_eq!(moved.describe(), "p ∝ (0.25, 0.5, 0.25), S = symmetric, upper triangle [[3, 0], [-1]]");
    }
}
