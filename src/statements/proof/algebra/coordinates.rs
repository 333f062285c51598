//! Goals in variables that are positive and free: the linear forms that conditions say are positive (for the sides of a triangle: Ravi), ratios in
//! place of factors whose product is one, and the ratio or difference of two numbers.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::expression::{Formula, Head};
use super::goal::{Goal, Says};
use super::inequality::numerator;
use super::normal::{Indeterminate, Indeterminates};
use super::polynomial::{Monomial, Polynomial};
use super::roots::{Bounds, Endpoint, Sign};
use crate::numbers::number::Number;
use crate::text::words::Function;

/// The most variables.
const MOST: usize = 5;
/// The largest power that comes of a multiple of a logarithm.
const LARGEST: i64 = 12;

impl Goal {
    /// The same in linear forms, as many as there are variables, that conditions say are not negative, where the variables are sums of them.
    pub(super) fn in_linear_forms(&self) -> Option<Goal> {
        let n = self.names.len();
        let is_orthant = |b: &Bounds| b.high.is_none() && b.low.as_ref().is_none_or(|low| low.0.is_zero());
        if !(2..=MOST).contains(&n) || !self.ranges.iter().all(is_orthant) {
            return None;
        }
        let mut atoms = Indeterminates::of(&self.ranges);
        let mut forms: Vec<(usize, Polynomial)> = Vec::new();
        for (index, (formula, says)) in self.given.iter().enumerate() {
            let of = atoms.fraction(formula).filter(|of| *says != Says::Zero && of.below.is_empty());
            let is_form = |p: &Polynomial| p.0.keys().all(|m| m.degree() == 1 && m.len() <= n) && !p.is_zero();
            forms.extend(of.map(|of| of.above).filter(is_form).map(|p| (index, p)));
        }
        if forms.len() != n {
            return None;
        }
        let row =
            |p: &Polynomial| (0..n).map(|v| p.derivative(v).as_number().unwrap_or_else(BigRational::zero)).collect();
        let inverse = inverse(forms.iter().map(|(_, p)| row(p)).collect())?;
        if inverse.iter().flatten().any(Signed::is_negative) {
            return None;
        }
        let used: Vec<usize> = forms.iter().map(|(index, _)| *index).collect();
        let mut goal = self.clone();
        let strict: Vec<bool> = used.iter().map(|&index| self.given[index].1 == Says::Positive).collect();
        // That the variables are not negative follows; that they are positive is left out.
        goal.given = self.given.iter().enumerate().filter(|(i, _)| !used.contains(i)).map(|(_, g)| g.clone()).collect();
        let by: Vec<Formula> = inverse
            .iter()
            .map(|row| {
                let terms = row.iter().enumerate().filter(|(_, c)| !c.is_zero());
                terms.fold(Formula::whole(0), |sum, (v, c)| {
                    sum.plus(Formula::number(c.clone()).times(Formula::variable(v)))
                })
            })
            .collect();
        goal.replace_all(&by);
        for (v, strict) in strict.into_iter().enumerate() {
            goal.ranges[v] = Bounds::from(0, strict);
        }
        let told = self
            .names
            .iter()
            .zip(&by)
            .filter_map(|(name, by)| Some(format!("{name} = {}", atoms.fraction(by)?.above.written(&self.names))));
        goal.steps.push(format!("in other variables: {}", told.collect::<Vec<_>>().join(", ")));
        Some(goal)
    }

    /// The same with `x/y, y/z, …, w/x` in place of all variables, which are positive and whose product is one.
    pub(super) fn in_ratios(&self) -> Option<Goal> {
        let n = self.names.len();
        let is_positive = |b: &Bounds| b.high.is_none() && b.low.as_ref().is_some_and(|low| low.0.is_zero());
        if !(2..=MOST).contains(&n) || !self.ranges.iter().all(is_positive) {
            return None;
        }
        let mut atoms = Indeterminates::of(&self.ranges);
        let index = self.given.iter().position(|(formula, says)| {
            let of = atoms.fraction(formula).filter(|of| *says == Says::Zero && of.below.is_empty());
            of.is_some_and(|of| {
                let product = Monomial::of(vec![1; n]);
                let factor = of.above.coefficient(&product);
                of.above.len() == 2
                    && !factor.is_zero()
                    && (factor + of.above.coefficient(&Monomial::default())).is_zero()
            })
        })?;
        let mut goal = self.clone();
        goal.given.remove(index);
        let by: Option<Vec<Formula>> =
            (0..n).map(|v| Formula::variable(v).over(Formula::variable((v + 1) % n)).ok()).collect();
        goal.replace_all(&by?);
        goal.ranges.fill(Bounds::from(0, true));
        let told: Vec<String> =
            (0..n).map(|v| format!("{0} = {0}/{1}", self.names[v], self.names[(v + 1) % n])).collect();
        goal.steps.push(format!("in ratios of other variables: {}", told.join(", ")));
        Some(goal)
    }

    /// The same in one variable, the ratio or the difference of two on which alone the sign of what is wanted depends.
    pub(super) fn in_one_variable(&self) -> Option<Goal> {
        let goal = self.clone().compacted();
        let [x, y] = &goal.names[..] else { return None };
        let is_positive =
            |b: &Bounds| b.low.as_ref().is_some_and(|low| !low.0.is_negative() && (low.1 || !low.0.is_zero()));
        let ratio = || {
            let range = goal.ranges.iter().all(is_positive).then(|| Bounds::from(0, true))?;
            goal.in_first(&Formula::variable(0).times(Formula::variable(1)), range, format!("{x}*{y} in place of {x}"))
        };
        let apart = Formula::variable(0).plus(Formula::variable(1));
        ratio().or_else(|| goal.in_first(&apart, Bounds::default(), format!("{x} + {y} in place of {x}")))
    }

    /// The same with a formula in place of the first of two variables, if the second is in nothing but positive factors, then. A condition in which it is
    /// in more is left out, and what ranges say of the two.
    fn in_first(&self, by: &Formula, range: Bounds, told: String) -> Option<Goal> {
        let mut goal = self.with(0, by, range);
        let free = |e: &Formula| without_factors(&goal.ranges, &goal.tidied(e)).filter(|e| !e.uses(1));
        let wanted = free(&goal.wanted)?;
        let given = goal.given.iter().filter_map(|(e, says)| Some((free(e)?, *says))).collect();
        goal = Goal { wanted, given, ..goal };
        goal.steps.push(told);
        Some(goal.narrowed().compacted())
    }

    /// The same without positive factors, where that leaves fewer variables.
    pub(super) fn without_factors(&self) -> Option<Goal> {
        let wanted = without_factors(&self.ranges, &self.wanted)?;
        let is_shorter = (0..self.names.len()).any(|v| self.wanted.uses(v) && !wanted.uses(v));
        let mut goal = Goal { wanted, ..self.clone() };
        goal.steps.push("without factors that are positive".into());
        is_shorter.then(|| goal.compacted())
    }

    /// The same with logarithms of what is added and of what is taken off, where both are positive and one has a real power as a factor.
    pub(super) fn in_logarithms(&self) -> Option<Goal> {
        let mut atoms = Indeterminates::of(&self.ranges);
        let of = atoms.fraction(&self.wanted)?;
        let above = numerator(&atoms, &of);
        let (added, taken): (Vec<_>, Vec<_>) = above.0.into_iter().partition(|(_, c)| c.is_positive());
        let sides = [added, taken].map(|terms| Polynomial(terms.into_iter().map(|(m, c)| (m, c.abs())).collect()));
        let is_real_power = |place: usize| match &atoms.all[place] {
            Indeterminate::Applied(Function::Exp, of) => {
                of.above.variables().into_iter().any(|inner| atoms.is_log(inner))
            }
            _ => false,
        };
        let has_power = |side: &Polynomial| {
            let (content, _) = side.content();
            (0..content.len()).any(|place| content.exponent(place) > 0 && is_real_power(place))
        };
        sides.iter().any(has_power).then_some(())?;
        if sides.iter().any(|side| atoms.sign(side) != Some(Sign::Positive)) {
            return None;
        }
        let logarithm = |side: &Polynomial| {
            let (content, rest) = side.content();
            let content = atoms.polynomial_as_formula(&Polynomial::single(content, BigRational::one()))?;
            content.times(atoms.polynomial_as_formula(&rest)?).apply(Function::Log).ok()
        };
        let wanted = logarithm(&sides[0])?.minus(logarithm(&sides[1])?);
        let mut goal = Goal { wanted, ..self.clone() };
        goal.wanted = goal.tidied(&goal.wanted);
        goal.steps.push("logarithms in place of both sides".into());
        Some(goal.compacted())
    }

    /// The same with twice the variables in place of them.
    pub(crate) fn doubled(&self) -> Goal {
        let two = BigRational::from_integer(2.into());
        let half = |end: &Option<Endpoint>| end.clone().map(|(x, excluded)| (x / &two, excluded));
        let mut found = self.clone();
        for (place, range) in self.ranges.iter().enumerate() {
            let by = Formula::variable(place).times(Formula::whole(2));
            found = found.with(place, &by, Bounds { low: half(&range.low), high: half(&range.high) });
        }
        found.steps.push("twice the variables in place of them".into());
        found
    }

    /// The same if angles and halves of angles occur, so that all are whole multiples of the variables.
    pub(super) fn in_half_angles(&self) -> Option<Goal> {
        let mut atoms = Indeterminates::of(&self.ranges);
        let (mut halves, mut wholes) = (false, false);
        self.wanted.visit(&mut |e| {
            if let Head::Apply(Function::Sin | Function::Cos, a) = &*e.0 {
                let of = atoms.fraction(a).map(|of| of.above).unwrap_or_default();
                halves |= of.0.values().any(|c| *c.denom() == BigInt::from(2));
                wholes |= of.0.values().any(BigRational::is_integer);
            }
        });
        (halves && wholes).then(|| self.doubled())
    }

    /// The same with multiples of some variables by a square root in place of them, if that leaves no root of a number.
    pub(super) fn in_surds(&self) -> Option<Goal> {
        let mut surds: Vec<Formula> = Vec::new();
        let formulas = || std::iter::once(&self.wanted).chain(self.given.iter().map(|(e, _)| e));
        let is_surd = |e: &Formula| match &*e.0 {
            Head::Apply(Function::Sqrt, a) => a.as_number().is_some_and(Signed::is_positive),
            _ => false,
        };
        formulas().for_each(|e| e.visit(&mut |e| surds.extend(Some(e.clone()).filter(is_surd))));
        surds.dedup();
        let ([surd], true) = (&surds[..], self.names.len() <= MOST) else { return None };
        let is_free = |b: &Bounds| [&b.low, &b.high].into_iter().flatten().all(|end| end.0.is_zero());
        (1..1usize << self.names.len()).find_map(|chosen| {
            let is_chosen = |v: usize| chosen >> v & 1 == 1;
            let mut goal = self.clone();
            for v in (0..self.names.len()).filter(|&v| is_chosen(v)) {
                let range = Some(self.ranges[v].clone()).filter(is_free)?;
                goal = goal.with(v, &Formula::variable(v).times(surd.clone()), range);
                goal.steps.push(format!("{0} times a square root in place of {0}", self.names[v]));
            }
            let rational = |e: &Formula| {
                let found = without_factors(&goal.ranges, e)?;
                let mut has_surd = false;
                found.visit(&mut |e| has_surd |= is_surd(e));
                (!has_surd).then_some(found)
            };
            goal.given = goal.given.iter().map(|(e, says)| Some((rational(e)?, *says))).collect::<Option<_>>()?;
            goal.wanted = rational(&goal.wanted)?;
            Some(goal)
        })
    }

    /// The same with logarithms of ratios, where the factors of all logarithms add up to nothing.
    pub(super) fn in_logarithms_of_ratios(&self) -> Option<Goal> {
        let mut atoms = Indeterminates::of(&self.ranges);
        let of = atoms.fraction(&self.wanted)?;
        let above = numerator(&atoms, &of);
        let places: Vec<usize> =
            above.variables().into_iter().filter(|&p| atoms.is_log(p) && !atoms.is_constant(p)).collect();
        let (&base, others) = places.split_last().filter(|(_, others)| !others.is_empty())?;
        let Indeterminate::Applied(_, of) = &atoms.all[base] else { return None };
        let base = atoms.formula(of)?;
        let (mut factors, mut rest, mut wanted) = (Polynomial::default(), above, Formula::whole(0));
        for &place in &places {
            let [without, factor] = &rest.along(place)[..] else { return None };
            let Indeterminate::Applied(_, of) = &atoms.all[place] else { return None };
            factors = factors.plus(factor);
            if others.contains(&place) {
                let ratio = atoms.formula(of)?.over(base.clone()).ok()?.apply(Function::Log).ok()?;
                wanted = wanted.plus(atoms.polynomial_as_formula(factor)?.times(ratio));
            }
            rest = without.clone();
        }
        let wanted = wanted.plus(atoms.polynomial_as_formula(&rest)?);
        let mut goal = Goal { wanted, ..self.clone() };
        goal.steps.push("logarithms of ratios in place of their differences".into());
        factors.is_zero().then_some(goal)
    }

    /// The same with exponentials of both sides, where what is wanted is a sum of multiples of logarithms.
    pub(super) fn in_exponentials(&self) -> Option<Goal> {
        let mut atoms = Indeterminates::of(&self.ranges);
        let of = atoms.fraction(&without_factors(&self.ranges, &self.wanted)?)?;
        let (_, above) = numerator(&atoms, &of).primitive();
        let mut goal = self.clone();
        let (mut added, mut taken) = (Formula::whole(1), Formula::whole(1));
        for (m, c) in &above.0 {
            let place = m.len().checked_sub(1).filter(|_| m.degree() == 1)?;
            let Indeterminate::Applied(Function::Log, of) = &atoms.all[place] else { return None };
            let of = atoms.formula(of)?;
            let times = c.to_integer().to_i64().filter(|times| times.abs() <= LARGEST)?;
            let power = of.clone().whole_power(times.abs()).ok()?;
            goal.given.push((of, Says::Positive));
            (added, taken) = if times > 0 { (added.times(power), taken) } else { (added, taken.times(power)) };
        }
        goal.wanted = added.minus(taken);
        goal.steps.push("exponentials in place of both sides".into());
        Some(goal)
    }

    /// Puts a formula in place of every variable, all at once.
    fn replace_all(&mut self, by: &[Formula]) {
        let replace = |e: &Formula| {
            e.replaced(&mut |e| match &*e.0 {
                Head::Variable(v) => by.get(*v).cloned(),
                _ => None,
            })
        };
        self.wanted = replace(&self.wanted);
        self.given = self.given.iter().map(|(e, says)| (replace(e), *says)).collect();
    }
}

/// What has the sign of a formula of variables in these ranges, without factors that are positive.
fn without_factors(ranges: &[Bounds], of: &Formula) -> Option<Formula> {
    let mut atoms = Indeterminates::of(ranges);
    let of = atoms.fraction(of)?;
    let (content, rest) = numerator(&atoms, &of).content();
    let kept = (0..content.len()).map(|place| {
        let is_positive = atoms.sign(&Polynomial::variable(place)) == Some(Sign::Positive);
        if is_positive { 0 } else { content.exponent(place) }
    });
    let kept = Polynomial::single(Monomial::of(kept.collect()), BigRational::one());
    atoms.polynomial_as_formula(&rest.times(&kept))
}

/// The inverse of a square matrix; none if there is none.
fn inverse(mut rows: Vec<Vec<BigRational>>) -> Option<Vec<Vec<BigRational>>> {
    let n = rows.len();
    for (i, row) in rows.iter_mut().enumerate() {
        row.extend((0..n).map(|j| if i == j { BigRational::one() } else { BigRational::zero() }));
    }
    for i in 0..n {
        let pivot = (i..n).find(|&k| !rows[k][i].is_zero())?;
        rows.swap(i, pivot);
        let factor = rows[i][i].recip();
        rows[i].iter_mut().for_each(|x| *x *= &factor);
        let row = rows[i].clone();
        for (_, other) in rows.iter_mut().enumerate().filter(|(k, _)| *k != i) {
            let factor = other[i].clone();
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= &factor * y);
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}
