//! Which products of conditions a sum of squares is tried with: none, then constant multiples of few, then squares times more of them, to
//! rising degrees (Putinar, Schmüdgen); last that the contrary is contradictory (Stengle), and denominators (Reznick).

use num_traits::One;

use super::allowance;
use super::inequality::{Inequality, Shown};
use super::polynomial::{Monomial, Polynomial};
use super::roots::Sign;
use super::signs::Signs;
use super::squares::{Block, Certificate, certificate};

/// What is known not to be negative, and whether it is positive.
type Factor = (Polynomial, bool);

/// The most squares of one block.
const WIDEST: usize = 36;

/// The conditions and the ends of ranges, as polynomials.
fn factors(of: &Inequality) -> Vec<Factor> {
    let mut found = of.given.clone();
    let mut used = of.wanted.variables();
    used.extend(of.given.iter().flat_map(|(p, _)| p.variables()));
    used.extend(of.zeros.iter().flat_map(Polynomial::variables));
    used.sort_unstable();
    used.dedup();
    for v in used {
        let bounds = &of.atoms.bounds[v];
        if let Some((low, excluded)) = &bounds.low {
            found.push((Polynomial::variable(v).minus(&Polynomial::number(low.clone())), *excluded));
        }
        if let Some((high, excluded)) = &bounds.high {
            found.push((Polynomial::number(high.clone()).minus(&Polynomial::variable(v)), *excluded));
        }
    }
    found
}

/// Products of up to `most` different factors up to a degree, one among them.
fn products(factors: &[Factor], most: usize, degree: u32) -> Vec<(Factor, Vec<usize>)> {
    let mut found: Vec<(Factor, Vec<usize>)> = vec![((Polynomial::whole(1), true), Vec::new())];
    let mut from = 0;
    for _ in 0..most {
        let until = found.len();
        for k in from..until {
            let ((product, strict), members) = found[k].clone();
            // A factor may be taken twice in a row: its square is of use to no sum of squares, so it is not.
            let next = members.last().map_or(0, |last| last + 1);
            for (i, (factor, its)) in factors.iter().enumerate().skip(next) {
                if product.degree() + factor.degree() <= degree {
                    let members = members.iter().copied().chain([i]).collect();
                    found.push(((product.times(factor), strict & its), members));
                }
            }
        }
        from = until;
        if found.len() > 400 {
            break;
        }
    }
    found
}

/// All monomials in these variables up to a degree, with no larger exponents than these, the largest first.
fn monomials(variables: &[usize], degree: u32, most: &[u32]) -> Vec<Monomial> {
    let length = variables.iter().max().map_or(0, |v| v + 1);
    let mut found = vec![vec![0u32; length]];
    for (k, &v) in variables.iter().enumerate() {
        let mut next = Vec::new();
        for exponents in &found {
            let left = degree - exponents.iter().sum::<u32>();
            for e in 0..=left.min(most[k]) {
                let mut longer = exponents.clone();
                longer[v] = e;
                next.push(longer);
            }
        }
        found = next;
        if found.len() > 3000 {
            return Vec::new();
        }
    }
    let mut found: Vec<Monomial> = found.into_iter().map(Monomial::of).collect();
    found.sort_by_key(|m| std::cmp::Reverse((m.degree(), m.clone())));
    found
}

/// The monomials whose squares may occur in a sum of squares that is this polynomial: those whose double is a term of it, or a product of two others.
fn halved(target: &Polynomial) -> Vec<Monomial> {
    let variables = target.variables();
    let most: Vec<u32> = variables.iter().map(|&v| target.degree_in(v) / 2).collect();
    let least = target.0.keys().map(Monomial::degree).min().unwrap_or(0).div_ceil(2);
    let mut basis = monomials(&variables, target.degree() / 2, &most);
    // What it costs to hold one monomial against all weights.
    let cost = (variables.len() * variables.len() * target.len()) as u64 / 4;
    basis.retain(|m| m.degree() >= least && allowance::spend(cost) && fits(m, target, &variables));
    loop {
        let before = basis.len();
        let products: std::collections::BTreeSet<Monomial> =
            basis.iter().enumerate().flat_map(|(i, a)| basis.iter().skip(i + 1).map(move |b| a.times(b))).collect();
        basis.retain(|m| {
            let double = m.times(m);
            target.0.contains_key(&double) || products.contains(&double)
        });
        if basis.len() == before {
            return basis;
        }
    }
}

/// Whether the double of a monomial lies within what some linear weights allow (a cheap part of Newton's polytope).
fn fits(m: &Monomial, target: &Polynomial, variables: &[usize]) -> bool {
    for (i, &a) in variables.iter().enumerate() {
        for &b in variables.iter().skip(i + 1) {
            for (wa, wb) in [(1i64, 1i64), (1, -1), (1, 2), (2, 1), (1, -2), (2, -1), (1, 3), (3, 1)] {
                let weight = |m: &Monomial| wa * i64::from(m.exponent(a)) + wb * i64::from(m.exponent(b));
                let all = target.0.keys().map(weight);
                let (least, most) = (all.clone().min().unwrap_or(0), all.max().unwrap_or(0));
                let double = 2 * weight(m);
                if !(least..=most).contains(&double) {
                    return false;
                }
            }
        }
    }
    true
}

struct Ansatz {
    target: Polynomial,
    /// What the polynomial was multiplied by, or none if the contrary was assumed.
    denominator: Option<Polynomial>,
    /// Of every block.
    factors: Vec<(Factor, Vec<usize>)>,
    blocks: Vec<Block>,
    zeros: Vec<(Polynomial, Vec<Monomial>)>,
}

impl Ansatz {
    /// Squares of all that reaches a degree, times these products, and cofactors.
    fn of(
        of: &Inequality,
        target: Polynomial,
        denominator: Option<Polynomial>,
        factors: Vec<(Factor, Vec<usize>)>,
        degree: u32,
        constant: bool,
    ) -> Self {
        let mut variables = target.variables();
        variables.extend(factors.iter().flat_map(|((p, _), _)| p.variables()));
        variables.extend(of.zeros.iter().flat_map(Polynomial::variables));
        variables.sort_unstable();
        variables.dedup();
        let largest = |v: usize| {
            let all = factors.iter().map(|((p, _), _)| p.degree_in(v)).chain([target.degree_in(v)]);
            all.chain(of.zeros.iter().map(|z| z.degree_in(v))).max().unwrap_or(0).div_ceil(2)
        };
        let most: Vec<u32> = variables.iter().map(|&v| largest(v)).collect();
        let polynomials = factors.iter().map(|((p, _), _)| p).chain(&of.zeros).chain([&target]);
        let signs = Signs::kept(polynomials);
        let alone = factors.len() == 1 && of.zeros.is_empty();
        let (mut blocks, mut split) = (Vec::new(), Vec::new());
        for factor in factors {
            let ((p, _), members) = &factor;
            let left = degree.saturating_sub(p.degree()) / 2;
            let left = if constant && !members.is_empty() { 0 } else { left };
            let basis = if alone { halved(&target) } else { monomials(&variables, left, &most) };
            for basis in signs.classes(basis) {
                blocks.push(Block { multiplier: p.clone(), basis });
                split.push(factor.clone());
            }
        }
        let zeros = of.zeros.iter().map(|z| {
            let left = degree.saturating_sub(z.degree());
            let all: Vec<u32> = variables.iter().map(|_| left).collect();
            let monomials = if z.degree() > degree { Vec::new() } else { monomials(&variables, left, &all) };
            (z.clone(), signs.unchanged(monomials))
        });
        let zeros = zeros.collect();
        Ansatz { target, denominator, factors: split, blocks, zeros }
    }

    fn is_small(&self) -> bool {
        self.blocks.iter().all(|b| b.basis.len() <= WIDEST)
    }

    /// Whether a term of the certificate is positive everywhere, which a strict inequality needs.
    fn is_positive(&self, of: &Inequality, found: &Certificate) -> bool {
        let positive = |p: &Polynomial| of.atoms.sign(p) == Some(Sign::Positive);
        found.squares.iter().zip(&self.factors).any(|(squares, ((multiplier, strict), _))| {
            (*strict || positive(multiplier))
                && squares.iter().any(|(_, q)| q.len() == 1 && (positive(q) || q.as_number().is_some()))
        })
    }

    fn run(&self, of: &Inequality) -> Option<Shown> {
        if !self.is_small() {
            return None;
        }
        let found = certificate(&self.target, &self.blocks, &self.zeros)?;
        // The contrary makes a strict and a weak inequality alike contradictory.
        if of.strict && self.denominator.is_some() && !self.is_positive(of, &found) {
            return None;
        }
        Some(Shown { by: "by a sum of squares in exact arithmetic", lines: vec![self.written(of, &found)] })
    }

    /// The identity, as it can be typed.
    fn written(&self, of: &Inequality, found: &Certificate) -> String {
        let mut terms: Vec<String> = Vec::new();
        for (squares, ((multiplier, _), members)) in found.squares.iter().zip(&self.factors) {
            for (d, q) in squares {
                let times =
                    if members.is_empty() { String::new() } else { format!("*({})", multiplier.written(&of.names)) };
                let square = if q.as_number().is_some_and(|x| x.is_one()) {
                    String::new()
                } else {
                    format!("*({})^2", q.written(&of.names))
                };
                terms.push(format!("{d}{times}{square}"));
            }
        }
        for (cofactor, (zero, _)) in found.cofactors.iter().zip(&self.zeros) {
            if !cofactor.is_zero() {
                terms.push(format!("({})*({})", cofactor.written(&of.names), zero.written(&of.names)));
            }
        }
        let left = match &self.denominator {
            Some(p) if p.as_number().is_some_and(|x| x.is_one()) => of.wanted.written(&of.names),
            Some(p) => format!("({})*({})", p.written(&of.names), of.wanted.written(&of.names)),
            None => format!("-({})^2", of.wanted.written(&of.names)),
        };
        format!("{left} = {}", terms.join(" + "))
    }
}

/// By the first combination that is found.
pub(crate) fn shown(of: &Inequality) -> Option<Shown> {
    let factors = factors(of);
    let degree = of.wanted.degree();
    let even = degree + degree % 2;
    let one = || Some(Polynomial::whole(1));
    let nothing = || vec![((Polynomial::whole(1), true), Vec::new())];
    let squares_alone = !of.strict || factors.is_empty() && of.zeros.is_empty();
    if degree.is_multiple_of(2) && squares_alone {
        let plain = Inequality { zeros: Vec::new(), ..of.clone() };
        if let Some(shown) = Ansatz::of(&plain, of.wanted.clone(), one(), nothing(), even, false).run(of) {
            return Some(shown);
        }
    }
    if factors.is_empty() && of.zeros.is_empty() {
        let variables = of.wanted.variables();
        let squares = variables.iter().map(|&v| Polynomial::variable(v).power(2));
        let is_form = of.wanted.0.keys().all(|m| m.degree() == degree);
        let start = if is_form { Polynomial::default() } else { Polynomial::whole(1) };
        let sum = squares.fold(start, |sum, x| sum.plus(&x));
        // Not negative, and zero at the origin at most, where a form is not positive either.
        let plain = Inequality { zeros: Vec::new(), ..of.clone() };
        // A number is a form of no variable: times the empty sum of squares it would be nothing, which is no argument.
        if is_form && of.strict || sum.is_zero() {
            return None;
        }
        return Ansatz::of(&plain, of.wanted.times(&sum), Some(sum), nothing(), even + 2, false).run(of);
    }
    for (most, more, constant) in [
        (1, 0, true),
        (2, 0, true),
        (1, 0, false),
        (3, 0, true),
        (2, 0, false),
        (2, 2, true),
        (1, 2, false),
        (3, 0, false),
        (2, 2, false),
    ] {
        let degree = even.max(2) + more;
        let products = products(&factors, most, degree);
        if products.len() > 120 {
            continue;
        }
        let attempt = Ansatz::of(of, of.wanted.clone(), one(), products, degree, constant);
        if let Some(shown) = attempt.run(of) {
            return Some(shown);
        }
        if !allowance::spend(1) {
            return None;
        }
    }
    // Were it negative, s = −wanted would be positive; −s² = a combination that is not negative contradicts that.
    let mut contrary = factors;
    contrary.push((of.wanted.clone().negated(), true));
    let target = of.wanted.times(&of.wanted).negated();
    let degree = 2 * degree;
    let products = products(&contrary, 2, degree);
    if of.strict || products.len() > 120 {
        return None;
    }
    let contradictory = Ansatz::of(of, target, None, products, degree, true).run(of);
    contradictory.or_else(|| times_a_condition(of))
}

/// What is not negative times a condition that is positive.
fn times_a_condition(of: &Inequality) -> Option<Shown> {
    let factors = factors(of);
    let positive = factors.iter().filter(|(p, strict)| *strict && p.as_number().is_none());
    positive.take(4).find_map(|(p, _)| {
        let target = of.wanted.times(p);
        let degree = target.degree() + target.degree() % 2;
        let products = products(&factors, 2, degree);
        let is_short = products.len() <= 120 && allowance::spend(1);
        let ansatz = is_short.then(|| Ansatz::of(of, target, Some(p.clone()), products, degree, true));
        ansatz.and_then(|ansatz| ansatz.run(of))
    })
}
