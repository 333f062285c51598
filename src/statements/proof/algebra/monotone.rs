//! Inequalities in one variable by monotonicity: divided by one of its terms, a sum has a derivative with one term less; where that has one
//! sign, what was divided is largest or smallest at an end, and its limit there decides. After few divisions only polynomials are left.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::One;

use super::allowance;
use super::goal::Goal;
use super::growth::{Towards, has_limit_not_negative};
use super::inequality::{Inequality, Shown, numerator};
use super::normal::{Fraction, Indeterminate, Indeterminates, names, written};
use super::numbers::{enclosed, number_of};
use super::polynomial::{Monomial, Polynomial};
use super::roots::{Bounds, Endpoint, Sign};
use crate::numbers::exact::Exact;
use crate::numbers::number::{Enclosed, Number, Real, Undefined};
use crate::text::words::Function;

/// How often it is divided.
const DEPTH: usize = 6;
/// The most divisors of a slope that changes its sign.
const DIVISORS: usize = 3;
/// The most sums that are looked at on one piece of the range, and the most terms of one.
const SUMS: usize = 60;
const TERMS: usize = 120;

/// Shows a goal in one variable.
pub(crate) fn shown(goal: &Goal) -> Option<Shown> {
    let mut lines = Vec::new();
    let prepared = goal.clone().narrowed().without_roots().without_equations();
    for part in prepared.split() {
        let part = part.narrowed();
        let mut used = Vec::new();
        part.wanted.visit(&mut |e| {
            if let super::expression::Head::Variable(v) = &*e.0
                && !used.contains(v)
            {
                used.push(*v);
            }
        });
        let [v] = used[..] else { return None };
        lines.extend(part.steps.iter().cloned());
        // The one variable comes first.
        let first = part.wanted.replaced(&mut |e| match &*e.0 {
            super::expression::Head::Variable(_) => Some(super::expression::Formula::variable(0)),
            _ => None,
        });
        let single = Goal {
            names: vec![part.names[v].clone()],
            ranges: vec![part.ranges[v].clone()],
            given: Vec::new(),
            wanted: first,
            ..part
        };
        in_pieces(&single, &mut lines)?;
    }
    if lines.is_empty() {
        lines.push("every factor has one sign on the range".into());
    }
    let by = if lines.iter().any(|line| line.contains(" limit")) {
        "by monotonicity"
    } else {
        "by roots counted in exact arithmetic"
    };
    Some(Shown { by, lines })
}

/// The range in pieces between points at which a side is not defined, or the sides touch.
fn in_pieces(goal: &Goal, lines: &mut Vec<String>) -> Option<()> {
    let range = &goal.ranges[0];
    let mut atoms = Indeterminates::of(&goal.ranges);
    let of = atoms.fraction(&goal.wanted)?;
    let inside = |x: &BigRational| {
        range.low.as_ref().is_none_or(|low| low.0 < *x) && range.high.as_ref().is_none_or(|high| *x < high.0)
    };
    let at = |x: &BigRational| goal.wanted_at(x);
    let plain = [(0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (-1, 2), (3, 1), (4, 1), (1, 3), (1, 4)];
    let mut cuts: Vec<BigRational> = Vec::new();
    for (above, below) in plain {
        let x = BigRational::new(above.into(), below.into());
        if !inside(&x) {
            continue;
        }
        match at(&x).map(|value| value.sign()) {
            None => cuts.push(x),
            Some(Some(0)) if !goal.strict => cuts.push(x),
            Some(sign @ (Some(1) | None)) => {
                // Where a factor below vanishes that cancels in the end.
                let vanishes = |p: &Polynomial| {
                    atoms.value::<Exact>(&Fraction::of(p.clone()), &[number_of(&x)]).and_then(|v| v.sign()) == Some(0)
                };
                if of.below.keys().any(vanishes) {
                    sign?;
                    cuts.push(x);
                }
            }
            Some(_) => return None,
        }
    }
    for end in [&range.low, &range.high].into_iter().flatten() {
        // What is not defined at an end says nothing there.
        if !end.1 && at(&end.0).is_some_and(|value| value.sign().is_none_or(|s| s < i32::from(goal.strict))) {
            return None;
        }
    }
    cuts.sort();
    let open = |x: &BigRational| Some((x.clone(), true));
    let excluded = |end: &Option<Endpoint>| end.as_ref().map(|e| (e.0.clone(), true));
    let mut from = excluded(&range.low);
    let mut pieces = Vec::new();
    for cut in &cuts {
        pieces.push(Bounds { low: from, high: open(cut) });
        from = open(cut);
    }
    pieces.push(Bounds { low: from, high: excluded(&range.high) });
    for piece in pieces {
        let mut search = Search::on(goal, piece)?;
        let p = search.wanted(goal)?;
        let sign = search.sign(&p, 0, lines)?;
        if !sign.is_enough(goal.strict) {
            return None;
        }
    }
    Some(())
}

impl Goal {
    /// What is wanted at a rational number, in closed form; none if it is not defined there.
    fn wanted_at(&self, x: &BigRational) -> Option<Exact> {
        match self.wanted.on(&[number_of::<Exact>(x)]) {
            Ok(value) if value.sign().is_some() => Some(value),
            // Too long for closed forms, but perhaps clearly positive.
            Ok(value) => Some(match self.wanted.on(&[Enclosed::within(enclosed(x))]) {
                Ok(around) if around.defined && around.value.lo() > 0.0 => Exact::whole(1),
                _ => value,
            }),
            Err(Undefined::Nowhere(_)) => None,
            // Defined or not, nothing is known of it.
            Err(Undefined::Unsupported(_)) => Some(Exact::UNKNOWN),
        }
    }
}

struct Search {
    atoms: Indeterminates,
    sums: usize,
    names: Vec<String>,
}

impl Search {
    fn on(goal: &Goal, piece: Bounds) -> Option<Self> {
        Some(Search { atoms: Indeterminates::of(&[piece]), sums: 0, names: goal.names.clone() })
    }

    /// A polynomial of the sign that is asked for.
    fn wanted(&mut self, goal: &Goal) -> Option<Polynomial> {
        let of = self.atoms.fraction(&goal.wanted)?;
        of.below.keys().all(|p| self.is_apart(p)).then(|| numerator(&self.atoms, &of))
    }

    /// Whether a polynomial vanishes nowhere.
    fn is_apart(&self, p: &Polynomial) -> bool {
        matches!(self.atoms.sign(p), Some(Sign::Positive | Sign::Negative))
    }

    /// Whether everything is defined and continuous on the whole piece.
    fn is_continuous(&self) -> bool {
        self.atoms.all.iter().all(|atom| match atom {
            Indeterminate::Variable(_) | Indeterminate::Pi => true,
            Indeterminate::Root(of, _) => matches!(self.atoms.sign(of), Some(Sign::Positive | Sign::NotNegative)),
            Indeterminate::Applied(function, of) => {
                let apart = of.below.keys().all(|p| self.is_apart(p));
                let fits = match function {
                    Function::Log => self.atoms.sign_of(of) == Some(Sign::Positive),
                    Function::Asin | Function::Acos => {
                        let square = self.atoms.product(of, of);
                        let rest =
                            self.atoms.sum(&Fraction::whole(1), &self.atoms.product(&square, &Fraction::whole(-1)));
                        matches!(self.atoms.sign_of(&rest), Some(Sign::Positive | Sign::NotNegative))
                    }
                    _ => true,
                };
                apart && fits
            }
        })
    }

    /// The sign of a sum on the piece, if it is shown that it has one.
    fn sign(&mut self, p: &Polynomial, depth: usize, lines: &mut Vec<String>) -> Option<Sign> {
        self.sums += 1;
        if self.sums > SUMS || !allowance::spend(200) || p.len() > TERMS || p.bits() > 600 {
            return None;
        }
        // Factors of known sign.
        let (content, rest) = p.content();
        let mut turned = false;
        let mut kept = vec![0; content.len()];
        for (place, kept) in kept.iter_mut().enumerate() {
            match self.atoms.sign(&Polynomial::variable(place)) {
                Some(Sign::Positive) => {}
                Some(Sign::Negative) => turned ^= content.exponent(place) % 2 == 1,
                _ => *kept = content.exponent(place),
            }
        }
        let p = rest.times(&Polynomial::single(Monomial::of(kept), BigRational::one())).primitive().1;
        let told = |sign: Sign| if turned { sign.turned() } else { sign };
        if let Some(sign) = self.atoms.sign(&p) {
            return Some(told(sign));
        }
        let guess = self.guess(&p)?;
        let p = if guess > 0 { p } else { p.negated() };
        let told = |sign: Sign| if guess > 0 { told(sign) } else { told(sign).turned() };
        if p.variables().iter().all(|&v| !matches!(self.atoms.all[v], Indeterminate::Applied(..))) {
            let zeros = self.atoms.all.iter().enumerate().filter_map(|(place, atom)| match atom {
                Indeterminate::Root(of, order) => Some(Polynomial::variable(place).power(*order).minus(of)),
                _ => None,
            });
            let inequality = |strict| Inequality {
                atoms: self.atoms.clone(),
                names: names(&self.atoms, &self.names),
                given: Vec::new(),
                zeros: zeros.clone().collect(),
                wanted: p.clone(),
                strict,
            };
            for (strict, sign) in [(true, Sign::Positive), (false, Sign::NotNegative)] {
                if let Some(shown) = inequality(strict).shown(0) {
                    lines.extend(shown.lines);
                    return Some(told(sign));
                }
            }
            return None;
        }
        if depth == DEPTH || !self.is_continuous() {
            return None;
        }
        for divisor in self.parts(&p) {
            let count = lines.len();
            if let Some(sign) = self.divided(&p, &divisor, depth, lines) {
                return Some(told(sign));
            }
            lines.truncate(count);
        }
        None
    }

    /// The parts of a sum, each with what is no function of the variable alone in common: those whose removal leaves least first.
    fn parts(&self, p: &Polynomial) -> Vec<Polynomial> {
        let mut parts: BTreeMap<Monomial, Polynomial> = BTreeMap::new();
        for (m, c) in &p.0 {
            let functions = (0..m.len()).map(|place| match self.atoms.all[place] {
                Indeterminate::Applied(..) => m.exponent(place),
                _ => 0,
            });
            parts.entry(Monomial::of(functions.collect())).or_default().add(m.clone(), c.clone());
        }
        // Of what multiplies a logarithm or an arc first: without it, the derivative has it no more.
        let mut parts: Vec<Polynomial> = parts.into_values().collect();
        parts.sort_by_key(|part| {
            let exponential =
                part.variables().iter().any(|&v| matches!(self.atoms.all[v], Indeterminate::Applied(Function::Exp, _)));
            (exponential, std::cmp::Reverse(part.degree()))
        });
        // The coefficient of a function is a divisor of its own: log x · c leaves log x.
        let mut divisors = Vec::new();
        for part in &parts {
            let functions: Vec<usize> = part
                .variables()
                .into_iter()
                .filter(|&v| matches!(self.atoms.all[v], Indeterminate::Applied(f, _) if f != Function::Exp))
                .collect();
            if let [only] = functions[..]
                && part.degree_in(only) == 1
            {
                divisors.push(part.along(only)[1].clone());
            }
        }
        divisors.extend(parts);
        divisors
    }

    /// The sign of `p`, guessed to be positive, by that of the derivative of `p/divisor`, and its limit at an end.
    fn divided(&mut self, p: &Polynomial, divisor: &Polynomial, depth: usize, lines: &mut Vec<String>) -> Option<Sign> {
        let positive = match self.atoms.sign(divisor)? {
            Sign::Positive => true,
            Sign::Negative => false,
            _ => return None,
        };
        let divisor = if positive { divisor.clone() } else { divisor.clone().negated() };
        let inverse = self.atoms.inverse(&Fraction::of(divisor.clone()))?;
        let quotient = self.atoms.product(&Fraction::of(p.clone()), &inverse);
        let slope = self.atoms.derivative(&quotient, 0)?;
        if !slope.below.keys().all(|q| self.is_apart(q)) || !self.is_continuous() {
            return None;
        }
        let q = numerator(&self.atoms, &slope);
        if q.is_zero() && self.is_positive_inside(&quotient) {
            lines.push(format!("{} is a positive number", written(&quotient, &names(&self.atoms, &self.names))));
            return Some(Sign::Positive);
        }
        let place = lines.len();
        let sign = if q.is_zero() { Some(Sign::Zero) } else { self.sign(&q, depth + 1, lines) };
        let Some(sign) = sign else {
            lines.truncate(place);
            return self.rising_first(&q, &quotient, depth, lines);
        };
        let rising = matches!(sign, Sign::Positive | Sign::NotNegative);
        let range = &self.atoms.ranges[0];
        let (end, lower) = if rising { (&range.low, true) } else { (&range.high, false) };
        let towards = Towards::end(end, lower);
        if !has_limit_not_negative(&self.atoms, &quotient, &towards) {
            return None;
        }
        let names = names(&self.atoms, &self.names);
        let text = format!(
            "{} {} where {} {} from a limit that is not negative",
            written(&quotient, &names),
            if rising { "rises" } else { "falls towards the upper end" },
            self.names[0],
            match end {
                Some(end) => format!("moves away from {}", end.0),
                None => "moves away from infinity".into(),
            }
        );
        lines.insert(place, text);
        let polynomial = q.variables() == [0];
        let strictly = matches!(sign, Sign::Positive | Sign::Negative) || polynomial && sign != Sign::Zero;
        Some(if strictly { Sign::Positive } else { Sign::NotNegative })
    }

    /// That a quotient is not negative which first rises and then falls, since its slope, divided by something positive, falls: it is least at an end.
    fn rising_first(
        &mut self,
        slope: &Polynomial,
        quotient: &Fraction,
        depth: usize,
        lines: &mut Vec<String>,
    ) -> Option<Sign> {
        let Bounds { low, high } = self.atoms.ranges[0].clone();
        let ends = [Towards::end(&low, true), Towards::end(&high, false)];
        if depth > 0 || ends.iter().any(|end| !has_limit_not_negative(&self.atoms, quotient, end)) {
            return None;
        }
        let place = lines.len();
        let divisors = std::iter::once(Polynomial::whole(1)).chain(self.parts(slope));
        divisors.take(DIVISORS).find_map(|divisor| {
            lines.truncate(place);
            (self.atoms.sign(&divisor) == Some(Sign::Positive)).then_some(())?;
            let inverse = self.atoms.inverse(&Fraction::of(divisor))?;
            let of = self.atoms.product(&Fraction::of(slope.clone()), &inverse);
            let bend = self.atoms.derivative(&of, 0)?;
            let is_whole = bend.below.keys().all(|p| self.is_apart(p)) && self.is_continuous();
            let bend = is_whole.then(|| numerator(&self.atoms, &bend))?;
            let sign = self.sign(&bend, DEPTH - 1, lines)?;
            matches!(sign, Sign::Negative | Sign::NotPositive | Sign::Zero).then_some(())?;
            let names = names(&self.atoms, &self.names);
            let (first, then) = (written(quotient, &names), written(&of, &names));
            let told =
                format!("{first} first rises and then falls, between limits that are not negative: {then} falls");
            lines.insert(place, told);
            Some(Sign::NotNegative)
        })
    }

    /// Whether it is positive at a point inside.
    fn is_positive_inside(&self, of: &Fraction) -> bool {
        let at = number_of(&self.atoms.ranges[0].inner());
        self.atoms.value::<Enclosed>(of, &[at]).is_some_and(|value| value.defined && value.value.lo() > 0.0)
    }

    /// The sign that it has at most of some points, in floating point.
    fn guess(&self, p: &Polynomial) -> Option<i32> {
        let of = Fraction::of(p.clone());
        let range = &self.atoms.ranges[0];
        let mut total = 0;
        for share in [0.02, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.98] {
            match self.atoms.value::<f64>(&of, &[range.at(share)]) {
                Some(value) if value > 0.0 => total += 1,
                Some(value) if value < 0.0 => total -= 1,
                _ => {}
            }
        }
        (total != 0).then_some(if total > 0 { 1 } else { -1 })
    }
}
