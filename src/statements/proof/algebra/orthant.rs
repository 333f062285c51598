//! Polynomials that are not negative where no variable is: by successive difference substitution (Lu Yang). The orthant is divided into the
//! cones in which the variables are ordered one way, each again an orthant in their differences, until all coefficients have one sign.

use num_rational::BigRational;
use num_traits::{One, Signed};

use super::allowance;
use super::polynomial::{Monomial, Polynomial, nearest, product};
use super::squares::simplest;

/// The most variables, the homogenising one included.
const MOST: usize = 5;
/// The most cones inside one another.
const DEPTH: usize = 8;

/// A form, and where its unit vectors lie.
struct Cone {
    form: Polynomial,
    /// For every variable the original variables that are positive along it.
    rays: Vec<u32>,
    /// How many cones it lies in.
    depth: usize,
}

/// How many cones show that a polynomial in these variables, none of them negative, is not negative; or positive, wherever those that
/// `positive` names are positive. With the numbers that are the units of the variables; none if each is one.
pub(crate) fn cones(
    p: &Polynomial,
    variables: &[usize],
    positive: &[usize],
    strict: bool,
    most: u64,
) -> Option<(usize, Vec<BigRational>)> {
    let degree = p.degree();
    // In variables 0..n, the last of which makes it homogeneous where it is not.
    let is_homogeneous = p.0.keys().all(|m| m.degree() == degree);
    let n = variables.len() + usize::from(!is_homogeneous);
    let (_, p) = p.primitive();
    let form = p.0.iter().map(|(m, c)| {
        let mut exponents: Vec<u32> = variables.iter().map(|&v| m.exponent(v)).collect();
        if !is_homogeneous {
            exponents.push(degree - m.degree());
        }
        (Monomial::of(exponents), c.clone())
    });
    let form = Polynomial(form.collect());
    let mut required: u32 =
        variables.iter().enumerate().filter(|(_, v)| positive.contains(v)).map(|(i, _)| 1 << i).sum();
    if !is_homogeneous {
        required |= 1 << (n - 1);
    }
    let first = Cone { form, rays: (0..n).map(|i| 1 << i).collect(), depth: 0 };
    if is_enough(&first, n, required, strict) {
        return Some((1, Vec::new()));
    }
    if !(2..=MOST).contains(&n) {
        return None;
    }
    // Where it vanishes at positive numbers that are not all equal, cones that meet there are reached with these as units.
    let units = zero_of(&first.form, n).unwrap_or_default();
    let form = if units.is_empty() { first.form } else { stretched(&first.form, &units).primitive().1 };
    Some((divided(Cone { form, ..first }, n, required, strict, most)?, units))
}

/// How many cones show it of the form of one.
fn divided(first: Cone, n: usize, required: u32, strict: bool, most: u64) -> Option<usize> {
    let degree = first.form.degree();
    let orders = orders(n);
    let mut waiting = vec![first];
    let (mut count, mut spent) = (0, 0u64);
    while let Some(cone) = waiting.pop() {
        // Where one vertex is negative the polynomial is.
        let vertex = |i: usize| Monomial::of((0..=i).map(|k| if k == i { degree } else { 0 }).collect());
        if (0..n).any(|i| cone.form.coefficient(&vertex(i)).is_negative()) {
            return None;
        }
        if is_enough(&cone, n, required, strict) {
            count += 1;
            continue;
        }
        if cone.depth == DEPTH {
            return None;
        }
        let mut made: Vec<Cone> = Vec::new();
        for order in &orders {
            // The least first: x_a = t_a, x_b = t_a + t_b, x_c = t_a + t_b + t_c, …
            let mut form = cone.form.clone();
            for w in order.windows(2).rev() {
                form = shifted(&form, w[0], w[1], &mut spent);
            }
            let mut rays = vec![0; n];
            let mut so_far = 0;
            for &i in order.iter().rev() {
                so_far |= cone.rays[i];
                rays[i] = so_far;
            }
            if spent > most || !allowance::spend(1) {
                return None;
            }
            // A symmetric form is the same in many orders.
            let twin = |other: &Cone| relabelled(&other.form, &orders[0], order) == form && cone.depth == 0 && !strict;
            if made.first().is_some_and(twin) {
                count += 1;
                continue;
            }
            made.push(Cone { form, rays, depth: cone.depth + 1 });
        }
        waiting.extend(made);
    }
    Some(count)
}

/// Steps of the search for a zero, and how small the form is there beside the sum of the sizes of its terms.
const SEARCH: usize = 400;
const SMALL: f64 = 1e-9;

/// Positive fractions, not all equal, next to which a form is least and seems to vanish, by a search in floating point.
fn zero_of(form: &Polynomial, n: usize) -> Option<Vec<BigRational>> {
    let terms: Vec<(Vec<f64>, f64)> =
        form.0.iter().map(|(m, c)| ((0..n).map(|i| f64::from(m.exponent(i))).collect(), nearest(c))).collect();
    // By logarithms of the variables, of which the last is zero.
    let value = |y: &[f64]| {
        let each =
            terms.iter().map(|(powers, c)| c * core_math::exp(powers.iter().zip(y).map(|(k, y)| k * y).sum::<f64>()));
        let (sum, sizes) = each.fold((0.0, 0.0), |(sum, sizes), x| (sum + x, sizes + x.abs()));
        sum / sizes
    };
    let mut at = vec![0.0; n];
    let mut least = value(&at);
    let mut step = 1.0;
    for _ in 0..SEARCH {
        if least < SMALL && at.iter().all(|y| *y == 0.0)
            || !allowance::spend((3usize.pow(n as u32 - 1) * terms.len()) as u64 / 50)
        {
            return None;
        }
        let mut best = None;
        for code in 1..3usize.pow(n as u32 - 1) {
            let moved: Vec<f64> = (0..n)
                .map(|i| at[i] + if i + 1 < n { step * [0.0, 1.0, -1.0][code / 3usize.pow(i as u32) % 3] } else { 0.0 })
                .collect();
            let there = value(&moved);
            if there < least {
                (least, best) = (there, Some(moved));
            }
        }
        match best {
            Some(moved) => at = moved,
            None => step /= 2.0,
        }
        if step < 1e-8 {
            break;
        }
    }
    if least > SMALL {
        return None;
    }
    let found: Vec<BigRational> = at.iter().map(|y| simplest(core_math::exp(*y), 1e-5)).collect::<Option<_>>()?;
    let is_positive = found.iter().all(Signed::is_positive);
    (is_positive && found.windows(2).any(|w| w[0] != w[1])).then_some(found)
}

/// The form with multiples of the variables in place of them.
fn stretched(form: &Polynomial, by: &[BigRational]) -> Polynomial {
    let one = |(m, c): (&Monomial, &BigRational)| {
        let powers = by.iter().enumerate().map(|(i, x)| num_traits::pow(x.clone(), m.exponent(i) as usize));
        (m.clone(), powers.fold(c.clone(), |product, x| product * x))
    };
    Polynomial(form.0.iter().map(one).collect())
}

/// The form with the variables of one order in the places of another's.
fn relabelled(form: &Polynomial, from: &[usize], to: &[usize]) -> Polynomial {
    let one = |(m, c): (&Monomial, &BigRational)| {
        let mut exponents = vec![0; from.len()];
        for (a, b) in from.iter().zip(to) {
            exponents[*b] = m.exponent(*a);
        }
        (Monomial::of(exponents), c.clone())
    };
    Polynomial(form.0.iter().map(one).collect())
}

/// Whether no coefficient is negative and, for a strict inequality, every face that has points of the domain has a term of its own.
fn is_enough(cone: &Cone, n: usize, required: u32, strict: bool) -> bool {
    if cone.form.0.values().any(Signed::is_negative) {
        return false;
    }
    if !strict {
        return true;
    }
    let support = |m: &Monomial| (0..n).filter(|&i| m.exponent(i) > 0).map(|i| 1u32 << i).sum::<u32>();
    let supports: Vec<u32> = cone.form.0.keys().map(support).collect();
    (0..1u32 << n).all(|face| {
        let reached = (0..n).filter(|i| face >> i & 1 == 1).fold(0, |so_far, i| so_far | cone.rays[i]);
        reached & required != required || supports.iter().any(|s| s & !face == 0)
    })
}

/// The form with `x_b + x_a` in place of `x_b`.
fn shifted(form: &Polynomial, a: usize, b: usize, spent: &mut u64) -> Polynomial {
    let mut found = Polynomial::default();
    for (m, c) in &form.0 {
        let k = m.exponent(b);
        let mut binomial = BigRational::one();
        let length = m.len().max(a + 1).max(b + 1);
        for j in 0..=k {
            // binom(k, j) x_b^(k − j) x_a^j
            let mut exponents: Vec<u32> = (0..length).map(|i| m.exponent(i)).collect();
            exponents[b] -= j;
            exponents[a] += j;
            found.add(Monomial::of(exponents), product(c, &binomial));
            binomial *= BigRational::new((k - j).into(), (j + 1).into());
            *spent += 1;
        }
    }
    allowance::spend(found.len() as u64 * (1 + form.bits() / 512));
    found
}

fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for shorter in orders(n - 1) {
        for place in 0..n {
            let mut longer = shorter.clone();
            longer.insert(place, n - 1);
            found.push(longer);
        }
    }
    found
}
