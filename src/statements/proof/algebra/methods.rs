//! The exact methods for an inequality, tried in order: its sign read off or counted by Sturm's chains, roots squared away, difference
//! substitution, sums of squares.

use num_rational::BigRational;
use num_traits::{One, Signed};

use super::inequality::{Inequality, Shown};
use super::normal::Indeterminate;
use super::orthant;
use super::polynomial::{Monomial, Polynomial};
use super::positivstellensatz;
use super::roots::{Bounds, Sign};

/// How many roots are squared away, one inside another.
const ROOTS: usize = 4;
/// Steps of all difference substitutions of one inequality.
const STEPS: u64 = 300_000;

impl Inequality {
    /// By the first of the methods that applies.
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
            return told("by difference substitution in exact arithmetic", in_cones(cones, &substituted));
        }
        positivstellensatz::shown(&self)
    }

    /// By difference substitution alone.
    pub(crate) fn shown_as_form(mut self) -> Option<Shown> {
        self.strip();
        let relation = if self.strict { ">" } else { ">=" };
        let written = format!("{} {relation} 0", self.wanted.written(&self.names));
        let (cones, substituted) = self.in_the_orthant()?;
        let line = format!("{written}: {}", in_cones(cones, &substituted));
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

    /// `a r + b >= 0` with a root r of the order k: by `a^k r^k + b^k` where k is odd; else by `a^k r^k − b^k`, or by that turned round and b.
    fn without_a_root(&self, depth: usize) -> Option<Shown> {
        let (place, order, of) = self.atoms.all.iter().enumerate().rev().find_map(|(place, atom)| match atom {
            Indeterminate::Root(of, order @ 2..=4) if self.wanted.degree_in(place) == 1 => Some((place, *order, of)),
            _ => None,
        })?;
        let parts = self.wanted.along(place);
        let (rest, factor) = (&parts[0], &parts[1]);
        let (power, other) = (factor.power(order).times(of), rest.power(order));
        let next = |wanted: Polynomial| Inequality { wanted: self.atoms.reduced(wanted), ..self.clone() };
        let (mut shown, second) = match self.atoms.sign(factor) {
            _ if order % 2 == 1 => (next(power.plus(&other)).shown(depth + 1)?, None),
            Some(Sign::Positive | Sign::NotNegative) => (next(power.minus(&other)).shown(depth + 1)?, None),
            Some(Sign::Negative | Sign::NotPositive) => {
                let first = Inequality { strict: false, ..next(rest.clone()) }.shown(depth + 1)?;
                (first, Some(next(other.minus(&power)).shown(depth + 1)?))
            }
            Some(Sign::Zero) | None => return None,
        };
        let done = if order == 2 { "squared away".to_owned() } else { format!("raised to the power {order}") };
        shown.lines.insert(0, format!("{} {done}", self.names[place]));
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
            let variables = rest.variables();
            let (count, units) = orthant::cones(&rest, &variables, &positive, self.strict, STEPS)?;
            cones += count;
            let named = variables.iter().map(|&v| &self.names[v]).zip(&units).filter(|(_, unit)| !unit.is_one());
            text = named.fold(told, |text, (name, unit)| format!("{text}{unit}*{name} in place of {name}, "));
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

fn in_cones(cones: usize, substituted: &str) -> String {
    let s = if cones == 1 { "" } else { "s" };
    format!("{substituted}no coefficient is negative after difference substitution in {cones} cone{s}")
}
