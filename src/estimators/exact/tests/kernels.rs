//! The inner loops give the same bits on every instruction set, lengths that fill no register and cells out of range included.

use crate::exact::gradient_kernels;
use crate::exact::inner_products::{self, SplitLogits};
use crate::exact::kernels::{self, ANCHORS, Instructions, PANEL, STRIP};
use crate::exact::table::Cell;
use crate::exact::tile_products::{self, TILE};
use enclosures::probability::fill_standard_normal;
use enclosures::stream::stream;

fn normal(count: usize, name: &str) -> Vec<f64> {
    let mut numbers = vec![0.0; count];
    fill_standard_normal(&mut stream(11, &["kernels", name]), &mut numbers);
    numbers
}

/// What a kernel writes is the same for all sets.
fn same<T: PartialEq + std::fmt::Debug>(kernel: impl Fn(Instructions) -> T) {
    let expected = kernel(Instructions::Portable);
    for set in Instructions::available() {
        assert!(kernel(set) == expected, "{set:?}");
    }
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn inner_products_are_chains_of_sixteen_and_split_into_cells_and_rests() {
    for (dimension, panels) in [(1, 1), (5, 3), (16, 2), (37, 64)] {
        let anchors = normal(ANCHORS * dimension, "anchors");
        let points = normal(PANEL * dimension * panels, "points");
        // The last panel is not full, and there is no room for the last anchor.
        let (count, stride, rows) = (PANEL * panels - 3, PANEL * panels + 5, ANCHORS - 1);
        let products = |set| {
            let (mut cells, mut rests) = (vec![77; rows * stride - 8], vec![7.7; rows * stride - 8]);
            let mut out = SplitLogits { cells: &mut cells, rests: &mut rests, stride, count };
            inner_products::split_products(set, &anchors, &points, dimension, (3.7, -40), &mut out);
            (cells, rests)
        };
        same(|set| {
            let (cells, rests) = products(set);
            (cells, bits(&rests))
        });
        let (cells, rests) = products(Instructions::Portable);
        for a in 0..rows {
            for y in 0..count {
                let point = |k: usize| points[(y / PANEL * dimension + k) * PANEL + y % PANEL];
                let chains = (0..dimension).step_by(kernels::CHAIN);
                let sum = chains.fold(0.0, |total, from| {
                    let chain = from..dimension.min(from + kernels::CHAIN);
                    total + chain.fold(0.0, |sum, k| anchors[k * ANCHORS + a].mul_add(point(k), sum))
                });
                let (t, at) = (sum * 3.7, a * stride + y);
                let near = t.round_ties_even();
                assert_eq!(
                    (cells[at], rests[at].to_bits()),
                    (near as i32 + 40, (t - near).to_bits()),
                    "{dimension} {a} {y}"
                );
            }
            // Nothing beyond.
            for at in (a * stride + count..(a + 1) * stride).take_while(|&at| at < cells.len()) {
                assert_eq!((cells[at], rests[at]), (77, 7.7));
            }
        }
    }
}

#[test]
fn moments_and_polynomials_are_the_same_bits() {
    let rests: Vec<f64> = normal(STRIP, "rests").iter().map(|x| (x / 8.0).clamp(-0.5, 0.5)).collect();
    let weights: Vec<f64> = normal(STRIP, "weights").iter().map(|x| x.abs()).collect();
    // Some of them before the first cell and beyond the last.
    let cells: Vec<i32> = normal(STRIP, "cells").iter().map(|x| (9.0 * x) as i32 + 15).collect();
    let rows: Vec<Cell> = (normal(8 * 30, "rows").as_chunks().0).to_vec();
    for count in [0, 1, 7, 8, 9, 30, STRIP] {
        let (cells, rests, weights) = (&cells[..count], &rests[..count], &weights[..count]);
        same(|set| {
            let (mut even, mut odd) = (vec![[0.0; 8]; 30], vec![[0.0; 8]; 30]);
            kernels::add_moments(set, cells, rests, weights, &mut even, &mut odd);
            (bits(even.as_flattened()), bits(odd.as_flattened()))
        });
        same(|set| {
            let mut out = vec![9.0; count];
            gradient_kernels::polynomials(set, cells, rests, 3, &rows, &mut out);
            bits(&out)
        });
    }
}

#[test]
fn moments_are_sums_of_powers_cell_by_cell() {
    let count = 45;
    let rests: Vec<f64> = normal(count, "rests").iter().map(|x| (x / 8.0).clamp(-0.5, 0.5)).collect();
    let weights: Vec<f64> = normal(count, "weights").iter().map(|x| x.abs()).collect();
    let cells: Vec<i32> = (0..count as i32).map(|i| i * i % 5).collect();
    let sums = |set| {
        let (mut even, mut odd, mut total) = (vec![[0.0; 8]; 5], vec![[0.0; 8]; 5], vec![[1.0; 8]; 5]);
        kernels::add_moments(set, &cells, &rests, &weights, &mut even, &mut odd);
        kernels::absorb(set, &mut total, &mut even, &mut odd);
        assert_eq!((even, odd), (vec![[0.0; 8]; 5], vec![[0.0; 8]; 5]));
        total
    };
    same(|set| bits(sums(set).as_flattened()));
    for (cell, moments) in sums(Instructions::Portable).iter().enumerate() {
        for (power, moment) in (0_i32..).zip(moments) {
            let of_cell = (0..count).filter(|&i| cells[i] == cell as i32);
            let sum: f64 = of_cell.map(|i| weights[i] * core_math::pow(rests[i], f64::from(power))).sum();
            assert!((moment - 1.0 - sum).abs() < 1e-14, "{cell} {power}: {moment}");
        }
    }
}

#[test]
fn products_with_slopes_are_the_same_bits() {
    for (height, count, dimension) in [(8, 1, 8), (16, 300, 24), (64, STRIP, 16)] {
        let mut tile = normal(height * TILE, "tile");
        tile.chunks_exact_mut(TILE).for_each(|row| row[count..].fill(0.0));
        let of_strip = normal(count * dimension, "strip");
        let of_block = normal((height - 3) * dimension, "block");
        let before = normal(count * dimension, "before");
        let of = |set| {
            let mut rows = normal(height * dimension, "overwritten");
            tile_products::row_products(set, &tile, &of_strip, count, &mut rows);
            let mut columns = before.clone();
            tile_products::add_column_products(set, &tile, &of_block, (height - 3, count), &mut columns);
            (rows, columns)
        };
        same(|set| {
            let (rows, columns) = of(set);
            (bits(&rows), bits(&columns))
        });
        // The definitions, on coordinate `k % 8` of eight `k / 8`.
        let (rows, columns) = of(Instructions::Portable);
        let at = |points: usize, point: usize, k: usize| (k / 8 * points + point) * 8 + k % 8;
        for k in 0..dimension {
            for r in 0..height {
                let term = |c: usize| tile[r * TILE + c] * of_strip[at(count, c, k)];
                let sum: f64 = (0..count).map(term).sum();
                assert!((rows[at(height, r, k)] - sum).abs() < 1e-12, "{r} {k}");
            }
            for c in 0..count {
                let term = |r: usize| tile[r * TILE + c] * of_block[at(height - 3, r, k)];
                let sum: f64 = (0..height - 3).map(term).sum();
                assert!((columns[at(count, c, k)] - before[at(count, c, k)] - sum).abs() < 1e-12, "{c} {k}");
            }
        }
    }
}

/// What a kernel makes of slopes and of the errors of columns, on every set alike: both, what they were before, and the sum that it answers.
fn on_slopes(count: usize, kernel: impl Fn(Instructions, &mut [f64], &mut [f64]) -> f64) -> ([Vec<f64>; 4], f64) {
    let before = || (normal(count, "slopes"), normal(count, "columns"));
    let run = |set| {
        let (mut slopes, mut columns) = before();
        let sum = kernel(set, &mut slopes, &mut columns);
        (slopes, columns, sum)
    };
    same(|set| {
        let (slopes, columns, sum) = run(set);
        (bits(&slopes), bits(&columns), sum.to_bits())
    });
    let ((slopes, columns, sum), (old_slopes, old_columns)) = (run(Instructions::Portable), before());
    ([slopes, columns, old_slopes, old_columns], sum)
}

/// In lengths that fill no register, too.
#[test]
fn weighted_slopes_and_their_errors_are_what_the_words_say() {
    let (factor, relative, absolute) = (0.7, 3e-3, 5e-2);
    for count in [1, 7, 8, 21, 64] {
        let values = normal(count, "values");
        let weights: Vec<f64> = normal(count, "weights").iter().map(|x| x.abs()).collect();
        let ([slopes, columns, before, below], sum) = on_slopes(count, |set, slopes, columns| {
            let factors = (factor, relative, absolute);
            gradient_kernels::add_weighted(set, &values, &weights, factors, slopes, columns)
        });
        let error = |y: usize| factor * weights[y] * (values[y].abs() * relative + absolute);
        for y in 0..count {
            let slope = before[y] + factor * weights[y] * values[y];
            assert!((slopes[y] - slope).abs() < 1e-14, "{count} {y}");
            assert!((columns[y] - below[y] - error(y)).abs() < 1e-15, "{count} {y}");
        }
        let total: f64 = (0..count).map(error).sum();
        assert!((sum - total).abs() <= 1e-14 * total, "{count} {sum} {total}");
    }
}

#[test]
fn slopes_taken_away_are_scaled_and_their_errors_added() {
    let (factor, rate) = (0.7, 3e-3);
    for count in [1, 8, 21] {
        let values = normal(count, "values");
        let ([slopes, columns, before, below], sum) = on_slopes(count, |set, slopes, columns| {
            gradient_kernels::subtract_scaled(set, &values, (factor, rate), slopes, columns)
        });
        for y in 0..count {
            assert_eq!(slopes[y], values[y].mul_add(-factor, before[y]));
            assert_eq!(columns[y], values[y].abs().mul_add(rate, below[y]));
        }
        let total: f64 = values.iter().map(|value| value.abs() * rate).sum();
        assert!((sum - total).abs() <= 1e-14 * total, "{count} {sum} {total}");
    }
}
