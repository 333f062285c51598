//! Matrices of enclosures.

use enclosures::enclosure::Enclosure;

use crate::instances::numbers;

pub fn entries(rows: &[Vec<f64>]) -> Vec<Vec<Enclosure>> {
    rows.iter().map(|row| numbers(row).collect()).collect()
}

pub fn product(a: &[Vec<Enclosure>], b: &[Vec<Enclosure>]) -> Vec<Vec<Enclosure>> {
    let entry = |row: &Vec<Enclosure>, j: usize| row.iter().zip(b).map(|(x, other)| *x * other[j]).sum();
    a.iter().map(|row| (0..b[0].len()).map(|j| entry(row, j)).collect()).collect()
}

pub fn squares(a: &[Vec<Enclosure>]) -> Enclosure {
    a.iter().flatten().map(|x| x.square()).sum()
}

pub fn trace(a: &[Vec<Enclosure>]) -> Enclosure {
    (0..a.len()).map(|i| a[i][i]).sum()
}
