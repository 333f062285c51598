//! Nelder and Mead's simplex, with coefficients that depend on the dimension (Gao and Han, *Implementing the Nelder-Mead simplex
//! algorithm with adaptive parameters*, 2012), begun anew about its best vertex when it has shrunk to a point.

use super::encoding::Encoding;
use super::problem::{SearchProblem, Stop, Valued};

/// A simplex has one vertex more than there are numbers: beyond this it spends itself on its first round.
pub(super) const LARGEST: usize = 16;

/// Minimises from `start`.
pub(super) fn descend(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    size: f64,
) -> Result<(), Stop> {
    let mut centre = encoding.encode(start);
    let mut size = size;
    loop {
        let (value, best) = collapse(problem, encoding, &centre, size)?;
        if size.abs() < 1e-12 || !value.is_finite() {
            return Ok(());
        }
        centre = best;
        size *= -0.1;
    }
}

/// One simplex until its vertices agree.
fn collapse(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    centre: &[f64],
    size: f64,
) -> Result<Valued, Stop> {
    let n = centre.len();
    let dimension = n as f64;
    let (expansion, contraction, shrinkage) =
        (1.0 + 2.0 / dimension, 0.75 - 0.5 / dimension, 1.0 - 1.0 / dimension.max(2.0));
    let mut vertices: Vec<Valued> = Vec::with_capacity(n + 1);
    vertices.push((encoding.value(problem, centre)?, centre.to_vec()));
    for index in 0..n {
        let mut vertex = centre.to_vec();
        vertex[index] += size;
        vertices.push((encoding.value(problem, &vertex)?, vertex));
    }
    for _ in 0..60 * (n + 2) {
        vertices.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (lowest, highest) = (vertices[0].0, vertices[n].0);
        let extent = (0..n).map(|i| (vertices[n].1[i] - vertices[0].1[i]).abs()).fold(0.0, f64::max);
        if extent < 1e-14 || (highest.is_finite() && highest == lowest) {
            break;
        }
        let mean: Vec<f64> = (0..n).map(|i| vertices[..n].iter().map(|(_, v)| v[i]).sum::<f64>() / dimension).collect();
        let towards =
            |t: f64, worst: &[f64]| -> Vec<f64> { mean.iter().zip(worst).map(|(m, w)| m + t * (m - w)).collect() };
        let reflected = towards(1.0, &vertices[n].1);
        let value = encoding.value(problem, &reflected)?;
        if value < lowest {
            let expanded = towards(expansion, &vertices[n].1);
            let further = encoding.value(problem, &expanded)?;
            vertices[n] = if further < value { (further, expanded) } else { (value, reflected) };
            continue;
        }
        if value < vertices[n - 1].0 {
            vertices[n] = (value, reflected);
            continue;
        }
        let inside = if value < highest { contraction } else { -contraction };
        let contracted = towards(inside, &vertices[n].1);
        let nearer = encoding.value(problem, &contracted)?;
        if nearer < value.min(highest) {
            vertices[n] = (nearer, contracted);
            continue;
        }
        let (first, rest) = vertices.split_at_mut(1);
        for (value, vertex) in rest {
            for (x, best) in vertex.iter_mut().zip(&first[0].1) {
                *x = best + shrinkage * (*x - best);
            }
            *value = encoding.value(problem, vertex)?;
        }
    }
    vertices.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(vertices.swap_remove(0))
}
