//! Points of a layout at which statements break first: zeros, ones, equal and opposite entries, unit vectors, ends of ranges.

use super::layout::{Coordinate, CoordinateKind, Group, Layout, Range, Shape};

/// The ends of every coordinate are tried one by one where there are no more than this.
const FEW: usize = 8;

impl Layout {
    /// Points that every statement should be tried at, each with what is special about it; `start` fills in where a point says
    /// nothing. Every number lies in its range, and no point comes twice.
    pub(crate) fn edge_points(&self, start: &[f64]) -> Vec<(String, Vec<f64>)> {
        let mut points = Points { layout: self, found: Vec::new() };
        points.add("plainest", start.to_vec());
        for (name, x) in [
            ("all zero", 0.0),
            ("all one", 1.0),
            ("all minus one", -1.0),
            ("all a half", 0.5),
            ("all a thousand", 1e3),
            ("all a thousandth", 1e-3),
        ] {
            points.add(name, vec![x; start.len()]);
        }
        self.ends(&mut points);
        self.vectors(&mut points);
        self.matrices(&mut points);
        points.found
    }

    /// The ends of the declared ranges: all at once, and one by one with the others at one.
    fn ends(&self, points: &mut Points<'_>) {
        let ones = || vec![1.0; self.coordinates.len()];
        let least = |c: &Coordinate| end(c, |r| r.low.is_finite(), Range::least).unwrap_or(0.0);
        let greatest = |c: &Coordinate| end(c, |r| r.high.is_finite(), Range::greatest).unwrap_or(1.0);
        let all = |end: &dyn Fn(&Coordinate) -> f64| self.coordinates.iter().map(end).collect();
        points.add("every number at its least", all(&least));
        points.add("every number at its greatest", all(&greatest));
        if self.coordinates.len() > FEW {
            return;
        }
        for (number, coordinate) in self.coordinates.iter().enumerate() {
            let mut at = |name: &str, x: f64| {
                let mut point = ones();
                point[number] = x;
                points.add(&format!("number {} {name}, others one", number + 1), point);
            };
            if coordinate.kind == CoordinateKind::Choice {
                (0..=coordinate.range.high as u64).for_each(|c| at(&format!("choice {}", c + 1), c as f64));
                continue;
            }
            if let Some(x) = end(coordinate, |r| r.low.is_finite(), Range::least) {
                at("at its least", x);
            }
            if let Some(x) = end(coordinate, |r| r.high.is_finite(), Range::greatest) {
                at("at its greatest", x);
            }
            at("zero", 0.0);
        }
    }

    /// Unit vectors: the same in every vector, opposite ones, different ones; and signs in turn.
    fn vectors(&self, points: &mut Points<'_>) {
        let runs: Vec<&Group> =
            self.groups.iter().filter(|g| matches!(g.shape, Shape::Vector | Shape::Weights)).collect();
        if !runs.iter().any(|g| g.length > 1) {
            return;
        }
        let mut with = |name: &str, entry: &dyn Fn(usize, usize, usize) -> f64| {
            let mut point = vec![1.0; self.coordinates.len()];
            for (number, run) in runs.iter().enumerate() {
                for (place, at) in run.range().enumerate() {
                    point[at] = entry(number, place, run.length);
                }
            }
            points.add(name, point);
        };
        let unit = |hit: bool| f64::from(u8::from(hit));
        with("first unit vectors", &|_, place, _| unit(place == 0));
        with("last unit vectors", &|_, place, length| unit(place + 1 == length));
        with("unit vectors in turn", &|number, place, length| unit(place == number % length));
        with("unit vectors of opposite signs", &|number, place, _| {
            unit(place == 0) * if number % 2 == 0 { 1.0 } else { -1.0 }
        });
        with("signs in turn", &|_, place, _| if place % 2 == 0 { 1.0 } else { -1.0 });
        with("one, two, three", &|_, place, _| (place + 1) as f64);
        with("one large entry", &|_, place, _| if place == 0 { 1e3 } else { 1.0 });
        with("all but one tiny", &|_, place, _| if place == 0 { 1.0 } else { 1e-6 });
    }

    /// Identity, a nilpotent matrix, and signs in a chequerboard (rank one).
    fn matrices(&self, points: &mut Points<'_>) {
        let mut with = |name: &str, entry: &dyn Fn(usize, usize) -> f64| {
            let mut point = vec![1.0; self.coordinates.len()];
            let mut any = false;
            for group in &self.groups {
                let places: Vec<(usize, usize)> = match group.shape {
                    Shape::Matrix { rows, columns } => {
                        (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).collect()
                    }
                    Shape::Symmetric { size } => (0..size).flat_map(|i| (i..size).map(move |j| (i, j))).collect(),
                    _ => continue,
                };
                any = true;
                for (at, (i, j)) in group.range().zip(places) {
                    point[at] = entry(i, j);
                }
            }
            if any {
                points.add(name, point);
            }
        };
        let unit = |hit: bool| f64::from(u8::from(hit));
        with("identity", &|i, j| unit(i == j));
        with("one entry off the diagonal", &|i, j| unit(i == 0 && j == 1));
        with("chequerboard", &|i, j| if (i + j) % 2 == 0 { 1.0 } else { -1.0 });
    }
}

/// The range whose ends are tried: the author of a width from 1 to 100000 draws it from where it can be computed.
fn tried(coordinate: &Coordinate) -> Range {
    match coordinate.kind {
        CoordinateKind::Real => coordinate.range,
        CoordinateKind::Integer | CoordinateKind::Choice => coordinate.typical,
    }
}

/// An end of a declared range, if it has one.
fn end(coordinate: &Coordinate, has: fn(&Range) -> bool, of: fn(&Range) -> f64) -> Option<f64> {
    let range = tried(coordinate);
    (range.declared && has(&range)).then(|| of(&range))
}

/// A whole number of which nothing is declared may be a cost, and goes no further than this.
const CHEAP: f64 = 3.0;

struct Points<'a> {
    layout: &'a Layout,
    found: Vec<(String, Vec<f64>)>,
}

impl Points<'_> {
    /// A point, each number moved into its range.
    fn add(&mut self, name: &str, mut at: Vec<f64>) {
        for (x, coordinate) in at.iter_mut().zip(&self.layout.coordinates) {
            if coordinate.kind == CoordinateKind::Integer && !coordinate.range.declared {
                *x = x.clamp(-CHEAP, CHEAP);
            }
            if coordinate.kind != CoordinateKind::Real {
                *x = x.round();
            }
            *x = tried(coordinate).clamp(*x);
        }
        if !self.found.iter().any(|(_, known)| *known == at) {
            self.found.push((name.to_owned(), at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_range_and_undeclared_whole_numbers_stay_cheap() {
        let integer = |range: Range, typical: Range| Coordinate {
            kind: CoordinateKind::Integer,
            range,
            typical,
            ..Coordinate::REAL
        };
        let any = Range::closed(0.0, 4e9).undeclared();
        let real =
            Coordinate { range: Range::closed(-2.0, 2.0), typical: Range::closed(-2.0, 2.0), ..Coordinate::REAL };
        let layout = Layout {
            coordinates: vec![integer(any, any), integer(Range::closed(1.0, 1e5), Range::closed(1.0, 50.0)), real],
            ..Layout::default()
        };
        let points = layout.edge_points(&[7.0, 9.0, 0.25]);
        assert_eq!(points[0].1, [3.0, 9.0, 0.25]);
        for (name, at) in &points {
            assert!(at[0] <= CHEAP && (1.0..=50.0).contains(&at[1]) && at[2].abs() <= 2.0, "{name}: {at:?}");
        }
        let at = |point: &[f64]| points.iter().any(|(_, at)| at == point);
        assert!(at(&[1.0, 50.0, 2.0]) && at(&[0.0, 1.0, -2.0]) && at(&[1.0, 50.0, 1.0]));
    }
}
