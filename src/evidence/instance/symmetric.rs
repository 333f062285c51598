//! A symmetric matrix that is stored in full: its upper triangle moves, and the mirror follows.

use super::check::{Lengths, Problem};
use super::declaration::Field;
use super::draw::Draws;
use super::layout::Shape;
use super::part::Part;
use super::survey::{Found, Survey};

/// Notes the upper triangle; see [`Part::survey`].
pub fn survey(matrix: &[Vec<f64>], field: &Field, survey: &mut Survey) -> Found {
    for length in field.lengths.iter().take(1) {
        survey.list(length, matrix.len());
    }
    let (start, place) = (survey.seen(), survey.grouped());
    for (index, row) in matrix.iter().enumerate() {
        for x in row.iter().skip(index) {
            x.survey(field, 2, survey);
        }
    }
    survey.group(place, start, Shape::Symmetric { size: matrix.len() });
    Found::Other
}

/// Takes the upper triangle, and writes the mirror; see [`Part::place`].
#[must_use]
pub fn place(matrix: &mut [Vec<f64>], from: &mut std::slice::Iter<'_, f64>) -> bool {
    let size = matrix.len();
    if matrix.iter().any(|row| row.len() != size) {
        return false;
    }
    for (i, j) in (0..size).flat_map(|i| (i..size).map(move |j| (i, j))) {
        let Some(x) = from.next() else {
            return false;
        };
        matrix[i][j] = *x;
        matrix[j][i] = *x;
    }
    true
}

/// Refuses a matrix that is not square, or not symmetric; see [`Part::check`].
///
/// # Errors
/// What is wrong with which entry.
pub fn check(matrix: &Vec<Vec<f64>>, field: &Field, lengths: &mut Lengths) -> Result<(), Problem> {
    matrix.check(field, 0, lengths)?;
    for (i, row) in matrix.iter().enumerate() {
        for (j, x) in row.iter().enumerate().skip(i + 1) {
            let mirrored = matrix[j][i];
            if *x != mirrored {
                let text = format!("= {x} differs from its mirror, {mirrored}");
                return Err(Problem::new(text).item(j).item(i));
            }
        }
    }
    Ok(())
}

/// A symmetric matrix; see [`Part::draw`].
pub fn draw(field: &Field, draws: &mut Draws<'_>) -> Option<Vec<Vec<f64>>> {
    let mut matrix: Vec<Vec<f64>> = Part::draw(field, 0, draws)?;
    for (i, j) in (0..matrix.len()).flat_map(|i| (0..i).map(move |j| (i, j))) {
        matrix[i][j] = matrix[j][i];
    }
    Some(matrix)
}
