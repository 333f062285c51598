//! Sums of squares: a polynomial as a combination of products of what is known not to be negative, with multipliers that are sums of squares,
//! and of what is known to be zero. Found in floating point, rounded, and checked in exact arithmetic.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::allowance;
use super::polynomial::{Monomial, Polynomial, nearest};
use super::semidefinite::{Pencil, eigenvectors};

/// A multiplier that is not negative, and the monomials of the squares that go with it, the last of which is told apart.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) multiplier: Polynomial,
    pub(crate) basis: Vec<Monomial>,
}

/// `target = Σ multiplier · Σ d q² + Σ cofactor · zero`, exactly.
#[derive(Clone, Debug)]
pub(crate) struct Certificate {
    /// For every block, the squares with their positive factors.
    pub(crate) squares: Vec<Vec<(BigRational, Polynomial)>>,
    /// For every polynomial that is zero.
    pub(crate) cofactors: Vec<Polynomial>,
}

/// The most numbers that are to be found, and of those the most that are free.
const MOST: usize = 2600;
const MOST_FREE: usize = 260;
/// Steps of the elimination, and the most bits of a coefficient in it.
const STEPS: usize = 400_000;
const BITS: u64 = 400;
const MOST_ROWS: usize = 700;
/// How often the matrix is restricted to a face.
const FACES: usize = 3;

type Row = BTreeMap<usize, BigRational>;

/// What a number that is to be found stands for.
#[derive(Clone, Copy, Debug)]
enum Unknown {
    Entry { row: usize, column: usize },
    Cofactor { of: usize, monomial: usize },
}

/// Linear equations for the entries of the matrices and the coefficients of the cofactors.
struct LinearEquations<'a> {
    target: &'a Polynomial,
    blocks: &'a [Block],
    zeros: &'a [(Polynomial, Vec<Monomial>)],
    places: Vec<Unknown>,
    /// The place of the entries of every block.
    entries: Vec<Vec<usize>>,
    rows: Vec<(Row, BigRational)>,
}

impl<'a> LinearEquations<'a> {
    fn new(target: &'a Polynomial, blocks: &'a [Block], zeros: &'a [(Polynomial, Vec<Monomial>)]) -> Option<Self> {
        let mut places = Vec::new();
        let mut entries = Vec::new();
        let mut by_monomial: BTreeMap<Monomial, Row> = BTreeMap::new();
        for block in blocks {
            let n = block.basis.len();
            let mut of_block = vec![0; n * n];
            for i in 0..n {
                for j in i..n {
                    let place = places.len();
                    places.push(Unknown::Entry { row: i, column: j });
                    of_block[i * n + j] = place;
                    of_block[j * n + i] = place;
                    let product = block.basis[i].times(&block.basis[j]);
                    let twice = BigRational::from_integer(if i == j { 1 } else { 2 }.into());
                    for (m, c) in &block.multiplier.0 {
                        let row = by_monomial.entry(m.times(&product)).or_default();
                        *row.entry(place).or_insert_with(BigRational::zero) += c * &twice;
                    }
                }
            }
            entries.push(of_block);
        }
        for (z, (zero, monomials)) in zeros.iter().enumerate() {
            for (k, monomial) in monomials.iter().enumerate() {
                let place = places.len();
                places.push(Unknown::Cofactor { of: z, monomial: k });
                for (m, c) in &zero.0 {
                    let row = by_monomial.entry(m.times(monomial)).or_default();
                    *row.entry(place).or_insert_with(BigRational::zero) += c;
                }
            }
        }
        allowance::spend(places.len() as u64 * 4);
        if target.0.keys().any(|m| !by_monomial.contains_key(m)) || places.len() > MOST || by_monomial.len() > MOST_ROWS
        {
            return None;
        }
        let rows = by_monomial.into_iter().map(|(m, mut row)| {
            row.retain(|_, c| !c.is_zero());
            (row, target.coefficient(&m))
        });
        let rows = rows.collect();
        Some(LinearEquations { target, blocks, zeros, places, entries, rows })
    }

    /// Every number as an affine function of those that are free: which ones those are, and the rest.
    fn eliminated(&self, further: &[Row]) -> Option<(Vec<usize>, Vec<Affine>)> {
        let mut rows: Vec<(Row, BigRational)> = self.rows.clone();
        rows.extend(further.iter().map(|row| (row.clone(), BigRational::zero())));
        let mut steps = 0;
        let mut pivots: BTreeMap<usize, usize> = BTreeMap::new();
        let mut uses = vec![0usize; self.places.len()];
        rows.iter().flat_map(|(row, _)| row.keys()).for_each(|&p| uses[p] += 1);
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&r| rows[r].0.len());
        for r in order {
            let (row, value) = std::mem::take(&mut rows[r]);
            let (row, value) = self.reduced(row, value, &pivots, &rows, &mut steps)?;
            let rank = |p: &usize| match self.places[*p] {
                Unknown::Cofactor { .. } => (0, uses[*p]),
                Unknown::Entry { row, column } if row != column => (1, uses[*p]),
                Unknown::Entry { .. } => (2, uses[*p]),
            };
            let Some(pivot) = row.keys().copied().min_by_key(rank) else {
                if value.is_zero() {
                    continue;
                }
                return None;
            };
            let scale = row[&pivot].recip();
            let row: Row = row.into_iter().map(|(p, c)| (p, c * &scale)).collect();
            pivots.insert(pivot, r);
            rows[r] = (row, value * scale);
            allowance::spend(rows[r].0.len() as u64);
        }
        let free: Vec<usize> = (0..self.places.len()).filter(|p| !pivots.contains_key(p)).collect();
        let index: BTreeMap<usize, usize> = free.iter().enumerate().map(|(k, &p)| (p, k)).collect();
        let mut found = Vec::with_capacity(self.places.len());
        for place in 0..self.places.len() {
            let Some(&r) = pivots.get(&place) else {
                found.push(Affine { constant: BigRational::zero(), along: vec![(index[&place], BigRational::one())] });
                continue;
            };
            let mut row = rows[r].0.clone();
            row.remove(&place);
            let (row, value) = self.reduced(row, rows[r].1.clone(), &pivots, &rows, &mut steps)?;
            let along = row.iter().map(|(p, c)| (index[p], -c.clone())).collect();
            found.push(Affine { constant: value, along });
        }
        (free.len() <= MOST_FREE).then_some((free, found))
    }

    /// A row without the numbers that other rows give.
    fn reduced(
        &self,
        mut row: Row,
        mut value: BigRational,
        pivots: &BTreeMap<usize, usize>,
        rows: &[(Row, BigRational)],
        steps: &mut usize,
    ) -> Option<(Row, BigRational)> {
        while let Some((&p, r)) = row.keys().find_map(|p| pivots.get(p).map(|r| (p, *r))) {
            let factor = row[&p].clone();
            let (other, its_value) = &rows[r];
            // Long fractions cost the square of their length.
            let words = (factor.numer().bits() + factor.denom().bits()) / 64;
            let cost = other.len() as u64 * (1 + words * words / 8);
            for (q, c) in other {
                let entry = row.entry(*q).or_insert_with(BigRational::zero);
                *entry -= c * &factor;
                if entry.is_zero() {
                    row.remove(q);
                }
            }
            value -= its_value * &factor;
            *steps += other.len();
            if *steps > STEPS || !allowance::spend(cost) || value.numer().bits() + value.denom().bits() > BITS {
                return None;
            }
        }
        Some((row, value))
    }
}

/// A number that depends on others.
struct Affine {
    constant: BigRational,
    along: Vec<(usize, BigRational)>,
}

impl Affine {
    fn at(&self, y: &[BigRational]) -> BigRational {
        self.along.iter().fold(self.constant.clone(), |sum, (k, c)| sum + c * &y[*k])
    }
}

/// A combination that equals the target, if one is found.
pub(crate) fn certificate(
    target: &Polynomial,
    blocks: &[Block],
    zeros: &[(Polynomial, Vec<Monomial>)],
) -> Option<Certificate> {
    let system = LinearEquations::new(target, blocks, zeros)?;
    let mut further: Vec<Row> = Vec::new();
    // Of every block, the rows and columns that are left.
    let mut kept: Vec<Vec<usize>> = blocks.iter().map(|b| (0..b.basis.len()).collect()).collect();
    for _ in 0..=FACES {
        let (free, numbers) = system.eliminated(&further)?;
        let pencil = pencil(&system, free.len(), &numbers, &kept);
        let interior = pencil.interior()?;
        if interior.least > 1e-9
            && let Some(found) = rounded(&system, &numbers, &interior.y)
        {
            return Some(found);
        }
        let before = further.len();
        for (b, block) in pencil.blocks(&interior.y).into_iter().enumerate() {
            let n = kept[b].len();
            let (vectors, places) = kernel(block, n)?;
            let size = blocks[b].basis.len();
            for vector in &vectors {
                for i in 0..size {
                    let mut row = Row::new();
                    for (k, x) in vector.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
                        *row.entry(system.entries[b][i * size + kept[b][k]]).or_insert_with(BigRational::zero) += x;
                    }
                    further.push(row);
                }
            }
            kept[b] = (0..n).filter(|i| !places.contains(i)).map(|i| kept[b][i]).collect();
        }
        if further.len() == before {
            return None;
        }
    }
    None
}

fn pencil(system: &LinearEquations<'_>, free: usize, numbers: &[Affine], kept: &[Vec<usize>]) -> Pencil {
    let mut pencil =
        Pencil { sizes: kept.iter().map(Vec::len).collect(), constant: Vec::new(), along: vec![Vec::new(); free] };
    for (b, kept) in kept.iter().enumerate() {
        let n = system.blocks[b].basis.len();
        for (i, &row) in kept.iter().enumerate() {
            for (j, &column) in kept.iter().enumerate().skip(i) {
                let number = &numbers[system.entries[b][row * n + column]];
                if !number.constant.is_zero() {
                    pencil.constant.push((b, i, j, nearest(&number.constant)));
                }
                for (k, c) in &number.along {
                    pencil.along[*k].push((b, i, j, nearest(c)));
                }
            }
        }
    }
    pencil
}

/// The solution with short fractions in place of doubles.
fn rounded(system: &LinearEquations<'_>, numbers: &[Affine], y: &[f64]) -> Option<Certificate> {
    for bits in [0u32, 2, 5, 9, 14, 20, 28, 36] {
        let scale = BigInt::one() << bits;
        let short = |y: &f64| {
            let scaled = BigRational::from_float(*y)? * BigRational::from_integer(scale.clone());
            Some(BigRational::new(scaled.round().to_integer(), scale.clone()))
        };
        let y: Vec<BigRational> = y.iter().map(short).collect::<Option<_>>()?;
        let values: Vec<BigRational> = numbers.iter().map(|number| number.at(&y)).collect();
        let squares =
            system.blocks.iter().enumerate().map(|(b, block)| squares(&values, &system.entries[b], &block.basis));
        let Some(squares) = squares.collect::<Option<Vec<_>>>() else { continue };
        let mut cofactors = vec![Polynomial::default(); system.zeros.len()];
        for (place, value) in system.places.iter().zip(&values) {
            if let Unknown::Cofactor { of, monomial } = place {
                cofactors[*of].add(system.zeros[*of].1[*monomial].clone(), value.clone());
            }
        }
        let found = Certificate { squares, cofactors };
        return found.is_right(system.target, system.blocks, system.zeros).then_some(found);
    }
    None
}

/// A symmetric matrix as `Σ d q qᵀ` with positive d; none if it is not positive semidefinite. The last place is taken last.
fn squares(values: &[BigRational], entries: &[usize], basis: &[Monomial]) -> Option<Vec<(BigRational, Polynomial)>> {
    let n = basis.len();
    let mut a: Vec<BigRational> = entries.iter().map(|&p| values[p].clone()).collect();
    let mut found = Vec::new();
    for i in 0..n {
        let d = a[i * n + i].clone();
        if d.is_negative() {
            return None;
        }
        if d.is_zero() {
            if (i + 1..n).any(|j| !a[i * n + j].is_zero()) {
                return None;
            }
            continue;
        }
        let mut q = Polynomial::default();
        let row: Vec<BigRational> =
            (0..n).map(|j| if j < i { BigRational::zero() } else { &a[i * n + j] / &d }).collect();
        for j in i..n {
            q.add(basis[j].clone(), row[j].clone());
        }
        for j in i + 1..n {
            if row[j].is_zero() {
                continue;
            }
            for k in j..n {
                let product = &row[j] * &row[k] * &d;
                a[j * n + k] -= &product;
                if j != k {
                    a[k * n + j] -= product;
                }
            }
        }
        if !allowance::spend((n * n) as u64 / 2) {
            return None;
        }
        found.push((d, q));
    }
    Some(found)
}

impl Certificate {
    /// Multiplied out, in exact arithmetic.
    fn is_right(&self, target: &Polynomial, blocks: &[Block], zeros: &[(Polynomial, Vec<Monomial>)]) -> bool {
        let mut rest = target.clone();
        for (squares, block) in self.squares.iter().zip(blocks) {
            for (d, q) in squares {
                if !d.is_positive() {
                    return false;
                }
                rest = rest.minus(&q.times(q).times(&block.multiplier).scaled(d));
            }
        }
        for (cofactor, (zero, _)) in self.cofactors.iter().zip(zeros) {
            rest = rest.minus(&cofactor.times(zero));
        }
        rest.is_zero()
    }
}

/// Vectors that the matrix seems to send to zero, in short fractions, and as many places whose rows they make superfluous.
fn kernel(block: Vec<f64>, n: usize) -> Option<(Vec<Vec<BigRational>>, BTreeSet<usize>)> {
    let pairs = eigenvectors(block, n);
    let most = pairs.last().map_or(0.0, |p| p.0.abs()).max(1e-3);
    let count = pairs.iter().filter(|p| p.0 < 3e-5 * most.min(1.0)).count();
    let mut rows: Vec<Vec<f64>> = pairs.into_iter().take(count).map(|p| p.1).collect();
    let mut places = BTreeSet::new();
    for r in 0..rows.len() {
        let free = |j: &usize| !places.contains(j);
        let best = (r..rows.len()).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(_, j)| free(j));
        let (i, j) = best.max_by(|a, b| rows[a.0][a.1].abs().total_cmp(&rows[b.0][b.1].abs()))?;
        rows.swap(r, i);
        places.insert(j);
        let pivot = rows[r][j];
        rows[r].iter_mut().for_each(|x| *x /= pivot);
        let row = rows[r].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|(k, _)| *k != r) {
            let factor = other[j];
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
    let short = rows.iter().map(|row| row.iter().map(|&x| simplest(x, 2e-4)).collect::<Option<Vec<_>>>());
    Some((short.collect::<Option<_>>()?, places))
}

/// The simplest fraction next to a double, up to a share of it; none if there is no simple one.
pub(super) fn simplest(x: f64, within: f64) -> Option<BigRational> {
    let (mut a, mut b, mut c, mut d) = (0i64, 1i64, 1i64, 0i64);
    let mut rest = x;
    for _ in 0..12 {
        let whole = rest.floor();
        if whole.abs() > 1e6 {
            break;
        }
        (a, c) = (c, whole as i64 * c + a);
        (b, d) = (d, whole as i64 * d + b);
        let fraction = c as f64 / d as f64;
        if (fraction - x).abs() < within * x.abs().max(0.3) {
            return Some(BigRational::new(c.into(), d.into()));
        }
        if d > 400 {
            return None;
        }
        rest = 1.0 / (rest - whole);
    }
    None
}
