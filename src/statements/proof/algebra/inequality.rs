//! An inequality between polynomials under conditions that are such, and the exact methods for it, tried in order: its sign read off or counted
//! by Sturm's chains, roots squared away, difference substitution, sums of squares.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::goal::{Goal, Says};
use super::normal::{Atom, Atoms, Fraction};
use super::orthant;
use super::polynomial::{Monomial, Polynomial};
use super::positivstellensatz;
use super::roots::{Bounds, Sign};

/// What was shown, in words that can be checked again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    pub(crate) by: &'static str,
    pub(crate) lines: Vec<String>,
}

/// A polynomial that is to be not negative, or positive.
#[derive(Clone, Debug)]
pub(crate) struct Inequality {
    pub(crate) atoms: Atoms,
    pub(crate) names: Vec<String>,
    /// Not negative, or positive.
    pub(crate) given: Vec<(Polynomial, bool)>,
    pub(crate) zeros: Vec<Polynomial>,
    pub(crate) wanted: Polynomial,
    pub(crate) strict: bool,
}

/// How many roots are squared away, one inside another.
const ROOTS: usize = 4;
/// Steps of all difference substitutions of one inequality.
const STEPS: u64 = 300_000;

impl Inequality {
    /// The goal in polynomials; conditions that are none are left out.
    pub(crate) fn of(goal: &Goal) -> Option<Self> {
        let mut atoms = Atoms::of(&goal.ranges);
        let wanted = atoms.fraction(&goal.wanted)?;
        let wanted = numerator(&atoms, &wanted);
        let (mut given, mut zeros) = (Vec::new(), Vec::new());
        for (formula, says) in &goal.given {
            let Some(of) = atoms.fraction(formula) else { continue };
            match says {
                Says::Zero => zeros.push(of.above),
                _ => given.push((numerator(&atoms, &of), *says == Says::Positive)),
            }
        }
        for place in 0..atoms.all.len() {
            match atoms.all[place].clone() {
                Atom::Root(of, order) => zeros.push(Polynomial::variable(place).power(order).minus(&of)),
                Atom::Applied(crate::text::words::Function::Log, of) => given.push((numerator(&atoms, &of), true)),
                _ => {}
            }
        }
        given.retain(|(p, strict)| !p.is_zero() && !atoms.sign(p).is_some_and(|s| s.is_enough(*strict)));
        let names = names(&atoms, &goal.names);
        Some(Inequality { atoms, names, given, zeros, wanted, strict: goal.strict })
    }

    /// By whatever works.
    pub(crate) fn shown(mut self, depth: usize) -> Option<Shown> {
        self.strip();
        let written = format!("{} {} 0", self.wanted.written(&self.names), if self.strict { ">" } else { ">=" });
        let told = |by, line: String| Some(Shown { by, lines: vec![format!("{written}: {line}")] });
        if self.atoms.sign(&self.wanted).is_some_and(|s| s.is_enough(self.strict)) {
            if self.wanted.variables().len() == 1 {
                return told("by counting roots in exact arithmetic (Sturm)", "no change of sign on the range".into());
            }
            return told("by signs of all terms in exact arithmetic", "every term has one sign".into());
        }
        if let Some(shown) = self.by_condition() {
            return told("by a condition in exact arithmetic", shown);
        }
        if depth < ROOTS
            && let Some(shown) = self.without_a_root(depth)
        {
            return Some(shown);
        }
        if let Some((cones, substituted)) = self.in_the_orthant() {
            let line = format!(
                "{substituted}no coefficient is negative after difference substitution in {cones} cone{}",
                if cones == 1 { "" } else { "s" }
            );
            return told("by difference substitution in exact arithmetic", line);
        }
        positivstellensatz::shown(&self)
    }

    /// The same as a form, by an equation that says that a form is one.
    pub(crate) fn homogenised(&self) -> Option<Inequality> {
        let degree = self.wanted.degree();
        self.zeros.iter().find_map(|zero| {
            let constant = zero.coefficient(&Monomial::default());
            if constant.is_zero() {
                return None;
            }
            let one = zero.clone().minus(&Polynomial::number(constant.clone())).scaled(&-constant.recip());
            let each = one.degree();
            if each == 0 || one.0.keys().any(|m| m.degree() != each) {
                return None;
            }
            let mut wanted = Polynomial::default();
            for (m, c) in &self.wanted.0 {
                let missing = degree - m.degree();
                if !missing.is_multiple_of(each) {
                    return None;
                }
                wanted = wanted.plus(&one.power(missing / each).times(&Polynomial::single(m.clone(), c.clone())));
            }
            Some(Inequality { wanted, ..self.clone() })
        })
    }

    /// By difference substitution alone.
    pub(crate) fn shown_as_form(mut self) -> Option<Shown> {
        self.strip();
        let relation = if self.strict { ">" } else { ">=" };
        let written = format!("{} {relation} 0", self.wanted.written(&self.names));
        let (cones, substituted) = self.in_the_orthant()?;
        let line = format!(
            "{written}: {substituted}no coefficient is negative after difference substitution in {cones} cones"
        );
        Some(Shown { by: "by difference substitution in exact arithmetic", lines: vec![line] })
    }

    /// Without factors whose sign is known.
    fn strip(&mut self) {
        let (content, rest) = self.wanted.content();
        let mut kept = vec![0u32; content.len()];
        let mut turned = false;
        for (place, kept) in kept.iter_mut().enumerate() {
            let k = content.exponent(place);
            let sign = self.atoms.sign(&Polynomial::variable(place));
            let is_positive = matches!(sign, Some(Sign::Positive));
            let is_negative = matches!(sign, Some(Sign::Negative));
            let fits = match sign {
                Some(Sign::NotNegative) => !self.strict,
                Some(Sign::NotPositive) => !self.strict,
                _ => is_positive || is_negative,
            };
            if fits {
                turned ^= k % 2 == 1 && matches!(sign, Some(Sign::Negative | Sign::NotPositive));
            } else if !self.strict {
                *kept = k % 2;
            } else {
                *kept = k;
            }
        }
        let rest = if turned { rest.negated() } else { rest };
        let (_, rest) = rest.primitive();
        self.wanted = rest.times(&Polynomial::single(Monomial::of(kept), BigRational::one()));
    }

    /// Where it is a multiple of a condition.
    fn by_condition(&self) -> Option<String> {
        for (given, strict) in &self.given {
            if self.strict && !strict {
                continue;
            }
            if let Some(factor) = self.wanted.divided(given)
                && self.atoms.sign(&factor).is_some_and(|s| s.is_enough(self.strict))
            {
                return Some(format!("({}) times a condition", factor.written(&self.names)));
            }
        }
        None
    }

    /// `a r + b >= 0` with a root r: by `a² r² − b² >= 0`, or by that turned round and b.
    fn without_a_root(&self, depth: usize) -> Option<Shown> {
        let (place, of) = self.atoms.all.iter().enumerate().rev().find_map(|(place, atom)| match atom {
            Atom::Root(of, 2) if self.wanted.degree_in(place) == 1 => Some((place, of)),
            _ => None,
        })?;
        let parts = self.wanted.along(place);
        let (rest, factor) = (&parts[0], &parts[1]);
        let difference = factor.times(factor).times(of).minus(&rest.times(rest));
        let next = |wanted: Polynomial| Inequality { wanted, ..self.clone() };
        let (mut shown, second) = match self.atoms.sign(factor)? {
            Sign::Positive | Sign::NotNegative => (next(difference).shown(depth + 1)?, None),
            Sign::Negative | Sign::NotPositive => {
                let first = Inequality { strict: false, ..next(rest.clone()) }.shown(depth + 1)?;
                (first, Some(next(difference.negated()).shown(depth + 1)?))
            }
            Sign::Zero => return None,
        };
        shown.lines.insert(0, format!("{} squared away", self.names[place]));
        if let Some(second) = second {
            shown.lines.extend(second.lines);
            shown.by = second.by;
        }
        Some(shown)
    }

    /// By difference substitution, after every variable is made to range over all positive numbers.
    fn in_the_orthant(&self) -> Option<(usize, String)> {
        let variables = self.wanted.variables();
        if variables.len() > 5 {
            return None;
        }
        let mut orders = vec![variables.clone()];
        let uses_conditions = self.given.iter().any(|(p, _)| p.variables().len() > 1);
        if uses_conditions {
            orders.push(variables.iter().rev().copied().collect());
            if let [a, b, c] = variables[..] {
                orders.extend([vec![b, a, c], vec![b, c, a], vec![a, c, b], vec![c, a, b]]);
            }
        }
        orders.iter().find_map(|order| self.in_order(order))
    }

    /// The variables in this order, each between bounds that depend on those before it.
    fn in_order(&self, order: &[usize]) -> Option<(usize, String)> {
        let mut wanted = vec![(self.wanted.clone(), String::new())];
        let mut positive: Vec<usize> = Vec::new();
        for (k, &v) in order.iter().enumerate().rev() {
            let before = &order[..k];
            let (low, high) = (self.end(v, before, true), self.end(v, before, false));
            let t = Polynomial::variable(v);
            let name = &self.names[v];
            let (ends, told) = match (low, high) {
                (Some((low, excluded)), Some((high, beyond))) => {
                    if self.strict && !beyond {
                        return None;
                    }
                    if excluded {
                        positive.push(v);
                    }
                    let text = format!(
                        "{name} = ({} + ({})*{name})/(1 + {name}), ",
                        low.written(&self.names),
                        high.written(&self.names)
                    );
                    (vec![(low.plus(&high.times(&t)), Polynomial::whole(1).plus(&t))], text)
                }
                (Some((low, excluded)), None) => {
                    if excluded {
                        positive.push(v);
                    }
                    let text = if low.is_zero() {
                        String::new()
                    } else {
                        format!("{name} = {} + {name}, ", low.written(&self.names))
                    };
                    (vec![(low.plus(&t), Polynomial::whole(1))], text)
                }
                (None, Some((high, excluded))) => {
                    if excluded {
                        positive.push(v);
                    }
                    (
                        vec![(high.clone().minus(&t), Polynomial::whole(1))],
                        format!("{name} = {} - {name}, ", high.written(&self.names)),
                    )
                }
                (None, None) => {
                    let both = vec![(t.clone(), Polynomial::whole(1)), (t.negated(), Polynomial::whole(1))];
                    (both, format!("{name} and -{name}, "))
                }
            };
            let mut next = Vec::new();
            for (p, text) in &wanted {
                for (above, below) in &ends {
                    let p = p.substituted_quotient(v, above, below);
                    if p.len() > 1200 || next.len() > 8 {
                        return None;
                    }
                    next.push((p, format!("{told}{text}")));
                }
            }
            wanted = next;
        }
        let mut cones = 0;
        let mut text = String::new();
        for (p, told) in wanted {
            let (content, rest) = p.content();
            // A factor that may vanish is not positive.
            if self.strict && (0..content.len()).any(|i| content.exponent(i) > 0 && !positive.contains(&i)) {
                return None;
            }
            cones += orthant::cones(&rest, &rest.variables(), &positive, self.strict, STEPS)?;
            text = told;
        }
        Some((cones, text))
    }

    /// A bound of a variable by those before it; whether it is left out.
    fn end(&self, v: usize, before: &[usize], lower: bool) -> Option<(Polynomial, bool)> {
        for (given, strict) in &self.given {
            if given.degree_in(v) != 1 {
                continue;
            }
            let parts = given.along(v);
            let Some(factor) = parts[1].as_number() else { continue };
            if factor.is_positive() == lower && parts[0].variables().iter().all(|u| before.contains(u)) {
                return Some((parts[0].clone().scaled(&-factor.recip()), *strict));
            }
        }
        let Bounds { low, high } = &self.atoms.bounds[v];
        let end = if lower { low } else { high };
        end.as_ref().map(|(x, excluded)| (Polynomial::number(x.clone()), *excluded))
    }
}

/// A polynomial of the sign of a quotient.
pub(crate) fn numerator(atoms: &Atoms, of: &Fraction) -> Polynomial {
    let mut found = of.above.clone();
    for (p, k) in &of.below {
        if k.is_multiple_of(2) {
            continue;
        }
        match atoms.sign(p) {
            Some(Sign::Positive | Sign::NotNegative) => {}
            Some(Sign::Negative | Sign::NotPositive) => found = found.negated(),
            _ => found = found.times(p),
        }
    }
    found
}

/// The atoms in words.
pub(crate) fn names(atoms: &Atoms, variables: &[String]) -> Vec<String> {
    let mut names = variables.to_vec();
    for atom in atoms.all.iter().skip(variables.len()) {
        let name = match atom {
            Atom::Variable(v) => variables[*v].clone(),
            Atom::Pi => "pi".into(),
            Atom::Root(of, 2) => format!("sqrt({})", of.written(&names)),
            Atom::Root(of, order) => format!("({})^(1/{order})", of.written(&names)),
            Atom::Applied(function, of) => {
                format!("{}({})", format!("{function:?}").to_lowercase(), written(of, &names))
            }
        };
        names.push(name);
    }
    names
}

pub(crate) fn written(of: &Fraction, names: &[String]) -> String {
    if of.below.is_empty() {
        return of.above.written(names);
    }
    format!("({})/({})", of.above.written(names), of.denominator().written(names))
}
