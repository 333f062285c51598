//! Goals in variables that are positive and free: the linear forms that conditions say are positive (for the sides of a triangle: Ravi), ratios in
//! place of factors whose product is one, and the ratio or difference of two numbers.

use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::expression::{Formula, Head};
use super::goal::{Goal, Says};
use super::inequality::numerator;
use super::normal::Indeterminates;
use super::polynomial::{Monomial, Polynomial};
use super::roots::{Bounds, Sign};
use crate::numbers::number::Number;

/// The most variables.
const MOST: usize = 5;

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
        let free = |e: &Formula| {
            let mut atoms = Indeterminates::of(&goal.ranges);
            let of = atoms.fraction(&goal.tidied(e))?;
            let above = numerator(&atoms, &of);
            let (content, rest) = above.content();
            let kept = (0..content.len()).map(|place| {
                let is_positive = atoms.sign(&Polynomial::variable(place)) == Some(Sign::Positive);
                if is_positive { 0 } else { content.exponent(place) }
            });
            let kept = Polynomial::single(Monomial::of(kept.collect()), BigRational::one());
            atoms.polynomial_as_formula(&rest.times(&kept)).filter(|e| !e.uses(1))
        };
        let wanted = free(&goal.wanted)?;
        let given = goal.given.iter().filter_map(|(e, says)| Some((free(e)?, *says))).collect();
        goal = Goal { wanted, given, ..goal };
        goal.steps.push(told);
        Some(goal.narrowed().compacted())
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
