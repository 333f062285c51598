//! Directions: data points of norm one, exactly, as positive multiples of the vectors that are stored.

use enclosures::linear_algebra::quarter_turn;
use enclosures::probability::{angle_of_chord, chord_of_angle, list_of_standard_normals};
use enclosures::vectors::{largest_magnitude, norm, points, scaled, unit_vector};
use evidence::claim::pairs_below;
use evidence::prelude::*;
use rand::Rng;
use serde::{Deserialize, Serialize};

/// The points x_i/‖x_i‖ and a number L of hidden layers for statements that ask for one.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "n = {n}, b = {b}, L = {layers}, directions {points:?}",
    valid = Self::has_directions,
    simpler = Self::with_fewer, equivalents = Self::relabelled, stored)]
pub struct UnitPoints {
    #[instance(range = "1..=10")]
    pub layers: usize,
    #[instance(length = "n in 2..=64, b in 1..", range = "-1e3..=1e3")]
    pub points: Vec<Vec<f64>>,
}

impl UnitPoints {
    /// The same directions in another order, turned, and of vectors of another length.
    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let of = |points| UnitPoints { layers: self.layers, points };
        let each = |change: &dyn Fn(&Vec<f64>) -> Vec<f64>| of(self.points.iter().map(change).collect());
        vec![
            ("points in another order", of(self.points.iter().rev().cloned().collect())),
            ("points turned", each(&|x| quarter_turn(x))),
            ("lengths halved", each(&|x| scaled(x, 0.5))),
        ]
    }

    /// ‖x_i‖ of the stored vector.
    pub fn norm(&self, i: usize) -> Interval {
        norm(&points(&self.points[i]))
    }

    /// x_i/‖x_i‖.
    pub fn direction(&self, i: usize) -> Vec<Interval> {
        let norm = self.norm(i);
        self.points[i].iter().map(|&x| Interval::point(x) / norm).collect()
    }

    /// The angle between two points, accurate near 0 and near π.
    pub fn angle(&self, i: usize, j: usize) -> Interval {
        if i == j {
            return Interval::ZERO;
        }
        if self.opposite(i, j) {
            return Interval::pi();
        }
        let (x, y) = (self.direction(i), self.direction(j));
        let chord = |sign: f64| {
            let squares = x.iter().zip(&y).map(|(&a, &b)| (a + b * sign).square());
            squares.sum::<Interval>().max(Interval::ZERO).sqrt()
        };
        let apart = chord(-1.0);
        if apart.hi() < 1.5 { angle_of_chord(apart) } else { Interval::pi() - angle_of_chord(chord(1.0)) }
    }

    fn opposite(&self, i: usize, j: usize) -> bool {
        self.points[i].iter().zip(&self.points[j]).all(|(&x, &y)| x == -y)
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        pairs_below(self.points.len()).map(|(j, i)| (i, j))
    }

    /// Pairs of exactly opposite vectors.
    pub fn antipodal_pairs(&self) -> Vec<(usize, usize)> {
        self.pairs().filter(|&(i, j)| self.opposite(i, j)).collect()
    }

    /// Whether two points are, or may be, the same.
    pub fn repeats(&self) -> bool {
        self.pairs().any(|(i, j)| self.angle(i, j).lo() <= 0.0)
    }

    /// Whether every point lies on a coordinate axis.
    pub fn on_the_axes(&self) -> bool {
        self.points.iter().all(|x| x.iter().filter(|&&c| c != 0.0).count() == 1)
    }

    /// The smallest distance of two points.
    pub fn separation(&self) -> Interval {
        let distances = self.pairs().map(|(i, j)| chord_of_angle(self.angle(i, j)));
        distances.reduce(Interval::min).unwrap_or(Interval::point(2.0))
    }
}

impl UnitPoints {
    fn has_directions(&self) -> Result<(), String> {
        match self.points.iter().map(|x| largest_magnitude(x)).find(|&x| x < 1e-3) {
            Some(x) => Err(format!("a vector with largest entry {x}, below 0.001")),
            None => Ok(()),
        }
    }

    fn with_fewer(&self) -> Vec<Self> {
        let without = |drop: usize| UnitPoints {
            layers: self.layers,
            points: self.points.iter().enumerate().filter(|(i, _)| *i != drop).map(|(_, x)| x.clone()).collect(),
        };
        let mut found: Vec<Self> = (0..self.points.len()).map(without).collect();
        if self.layers > 1 {
            found.push(UnitPoints { layers: self.layers - 1, points: self.points.clone() });
        }
        found
    }
}

/// n equally spaced points; for even n exactly opposite in pairs.
pub fn circle(n: usize) -> Vec<Vec<f64>> {
    let at = |i: usize| {
        let angle = Interval::pi() * (2 * i) as f64 / n as f64;
        vec![angle.cos().midpoint(), angle.sin().midpoint()]
    };
    let opposite = |x: Vec<f64>| x.into_iter().map(|c| -c).collect();
    if n.is_multiple_of(2) {
        (0..n).map(|i| if i < n / 2 { at(i) } else { opposite(at(i - n / 2)) }).collect()
    } else {
        (0..n).map(at).collect()
    }
}

/// The vertices of a regular simplex: n e_i − (1, …, 1).
pub fn simplex(n: usize) -> Vec<Vec<f64>> {
    let vertex = |i: usize| (0..n).map(|c| if c == i { n as f64 - 1.0 } else { -1.0 }).collect();
    (0..n).map(vertex).collect()
}

/// Both ends of b coordinate axes.
pub fn axes(b: usize) -> Vec<Vec<f64>> {
    let end = |axis: usize, sign: f64| (0..b).map(|c| if c == axis { sign } else { 0.0 }).collect();
    (0..b).flat_map(|axis| [end(axis, 1.0), end(axis, -1.0)]).collect()
}

/// Two points of the plane at an angle.
pub fn two(angle: f64) -> Vec<Vec<f64>> {
    let (sine, cosine) = (Interval::point(angle).sin(), Interval::point(angle).cos());
    vec![vec![1.0, 0.0], vec![cosine.midpoint(), sine.midpoint()]]
}

/// Rows divided by their norms, up to rounding; a row that is nearly zero becomes the first axis.
pub fn on_the_sphere(rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let unit = |row: Vec<f64>| {
        let norm = norm(&row);
        if norm > 0.01 { row.iter().map(|x| x / norm).collect() } else { unit_vector(row.len(), 0) }
    };
    rows.into_iter().map(unit).collect()
}

/// So many directions drawn uniformly.
pub fn drawn_on_the_sphere(rng: &mut (impl Rng + ?Sized), count: usize, dimension: usize) -> Vec<Vec<f64>> {
    let coordinates = list_of_standard_normals(rng, count * dimension);
    on_the_sphere(coordinates.chunks_exact(dimension).map(<[f64]>::to_vec).collect())
}

/// The data sets of the register by name.
pub fn data_sets() -> Vec<(String, Vec<Vec<f64>>)> {
    let mut list: Vec<(String, Vec<Vec<f64>>)> = Vec::new();
    for angle in [1e-3, 1e-2, 0.1, 1.0, 3.0] {
        list.push((format!("two points at angle {angle}"), two(angle)));
    }
    list.push(("two antipodal points".into(), vec![vec![1.0], vec![-1.0]]));
    for n in [3, 4, 5, 6, 7, 8, 15, 16] {
        list.push((format!("{n} points on a circle"), circle(n)));
    }
    for n in [2, 3, 5, 10] {
        list.push((format!("regular simplex of {n} points"), simplex(n)));
    }
    for b in [2, 3, 4, 8] {
        list.push((format!("both ends of {b} axes"), axes(b)));
        list.push((format!("{b} orthogonal points"), axes(b).into_iter().step_by(2).collect()));
    }
    let mut cluster: Vec<Vec<f64>> = (0..4).map(|i| vec![1.0, 1e-3 * f64::from(i), 1e-3 * f64::from(i * i)]).collect();
    cluster.push(vec![-0.5, 0.5, 1.0]);
    list.push(("a tight cluster and a far point".into(), on_the_sphere(cluster)));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(points: Vec<Vec<f64>>) -> UnitPoints {
        UnitPoints { layers: 1, points }
    }

    #[test]
    fn angles_are_those_of_the_figure() {
        let square = of(circle(4));
        assert_eq!(square.antipodal_pairs(), [(0, 2), (1, 3)]);
        assert!((square.angle(0, 1) - Interval::pi() / 2.0).abs().hi() < 1e-14);
        // The side of a square in the unit circle.
        assert!((square.separation() - Interval::point(2.0).sqrt()).abs().hi() < 1e-14);
        let tetrahedron = of(simplex(4));
        // The edge of a regular tetrahedron in the unit ball is √(8/3).
        assert!((tetrahedron.separation().square() - 8.0 / 3.0).abs().hi() < 1e-13);
        assert!(!tetrahedron.repeats() && tetrahedron.antipodal_pairs().is_empty());
        let cross = of(axes(3));
        assert!(cross.on_the_axes() && cross.antipodal_pairs().len() == 3);
        assert!((of(two(1e-6)).separation() - 1e-6).abs().hi() < 1e-15, "accurate near zero");
        assert!(of(vec![vec![1.0, 2.0], vec![2.0, 4.0]]).repeats());
    }

    #[test]
    fn what_is_nearly_zero_has_no_direction() {
        assert!(of(vec![vec![1.0, 0.0], vec![1e-4, 0.0]]).validate().is_err());
        assert_eq!(on_the_sphere(vec![vec![0.0, 0.001], vec![3.0, 4.0]]), [[1.0, 0.0], [0.6, 0.8]]);
    }
}
