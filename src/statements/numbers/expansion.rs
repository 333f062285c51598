//! Expansions for many terms: harmonic numbers, and logarithms of factorials. Both series alternate, and what is left out lies between zero and
//! the first term that is (Graham, Knuth, Patashnik, *Concrete Mathematics*, 9.6).

use enclosures::interval::Interval;

/// From here on the expansions are as sharp as doubles.
pub(crate) const FROM: i64 = 64;

/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

/// Half of log 2π.
fn half_log_of_two_pi() -> Interval {
    (Interval::pi() * Interval::point(2.0)).ln() * Interval::point(0.5)
}

/// `Σ c / n^p`, and what the next term leaves open.
fn series(n: Interval, terms: &[(f64, i64)], next: (f64, i64)) -> Interval {
    let term = |&(divisor, power): &(f64, i64)| Interval::ONE / (Interval::point(divisor) * n.powi(power));
    let sum = terms.iter().map(term).fold(Interval::ZERO, |total, x| total + x);
    let left = term(&next);
    sum + Interval::new(left.lo().min(0.0), left.hi().max(0.0))
}

/// `1 + 1/2 + … + 1/n` for an enclosure of `n ≥ FROM`.
pub(crate) fn harmonic(n: Interval) -> Interval {
    let euler = Interval::new(EULER.next_down(), EULER.next_up());
    let rest = series(n, &[(2.0, 1), (-12.0, 2), (120.0, 4), (-252.0, 6)], (240.0, 8));
    n.ln() + (euler + rest)
}

/// `log n!` for `n ≥ 0` and its enclosure.
pub(crate) fn log_factorial(n: i64, enclosed: Interval) -> Interval {
    if n < FROM {
        return (2..=n).map(|i| Interval::point(i as f64)).fold(Interval::ONE, |product, i| product * i).ln();
    }
    let n = enclosed;
    let rest = series(n, &[(12.0, 1), (-360.0, 3), (1260.0, 5)], (-1680.0, 7));
    // Together with −n, so that less is lost: n (log n − 1).
    n * (n.ln() - Interval::ONE) + (n.ln() * Interval::point(0.5) + half_log_of_two_pi() + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansions_contain_the_sums_and_are_sharp() {
        let (mut sum, mut logarithm) = (Interval::ZERO, Interval::ZERO);
        for n in 1..=5_000i64 {
            sum += Interval::ONE / Interval::point(n as f64);
            logarithm += Interval::point(n as f64).ln();
            let known = log_factorial(n, Interval::point(n as f64));
            assert!(known.intersection(logarithm).is_some(), "{n}: {known:?} {logarithm:?}");
            if n >= FROM {
                let (h, l) = (harmonic(Interval::point(n as f64)), known);
                assert!(h.intersection(sum).is_some() && h.width() < 8e-15, "{n}: {h:?} {sum:?}");
                assert!(l.width() < 4e-15 * l.hi(), "{n}: {l:?} {logarithm:?}");
            }
        }
        // Σ (1/i − log(1 + 1/i)) rises to Euler's constant: what is left at n is about 1/(2n).
        let far = harmonic(Interval::point(1e6)) - Interval::point(1e6).ln();
        assert!((far.midpoint() - (EULER + 0.5e-6)).abs() < 1e-12 && far.width() < 1e-14, "{far:?}");
    }
}
