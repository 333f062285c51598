//! Exact methods: what is to be shown as a formula, in polynomials of its variables, roots and functions, and how those are shown to have
//! one sign. Everything here is exact but `semidefinite`, which proposes and decides nothing.
//!
//! Lowest first: `allowance` (counted work), `numbers`, `expression`, `polynomial`, `roots` (Sturm's chains), `normal` (quotients in indeterminates), `expanded` (quotients multiplied out), `angles` (sums of angles), `goal` (what is
//! to be shown), `inequality`, `coordinates` (other variables), `graph` (values and slopes on a box), `contraction` (forward and backward propagation),
//! `exclusion` (boxes without a counterexample), `series`, `local` (formulas next to a point), `semidefinite`, `squares` (sums of squares), `units` (of the variable of
//! a goal), `approaches` (where the sides touch), `growth`, `monotone`, `orthant` (difference substitution), `signs` (what they may hold), `positivstellensatz`
//! and `methods` (which is tried with what).

mod allowance;
mod angles;
mod approaches;
mod contraction;
mod coordinates;
mod exclusion;
pub(crate) mod expanded;
pub(crate) mod expression;
pub(crate) mod goal;
mod graph;
mod growth;
pub(crate) mod inequality;
mod local;
mod methods;
mod monotone;
pub(crate) mod normal;
pub(crate) mod numbers;
mod orthant;
pub(crate) mod polynomial;
mod positivstellensatz;
pub(crate) mod roots;
mod semidefinite;
mod series;
mod signs;
mod squares;
mod units;

pub(crate) use allowance::{spending, within};
use goal::Goal;
use inequality::{Inequality, Shown};

/// Counted work that may be spent on units, and on numbers at which a goal may fail.
const UNITS: u64 = 150_000;

/// A goal as it is, first, without factors, by logarithms, and with other units of its variable.
pub(crate) fn in_units(goal: Goal) -> Vec<Goal> {
    let others = allowance::within(UNITS, || {
        let plain = goal.without_factors();
        let logarithms = plain.as_ref().unwrap_or(&goal).in_logarithms();
        let ratios = logarithms.as_ref().unwrap_or(&goal).in_logarithms_of_ratios();
        let ways: Vec<Goal> = plain.into_iter().chain(logarithms).chain(ratios).collect();
        let units: Vec<Goal> = std::iter::once(&goal).chain(&ways).flat_map(units::of).collect();
        Some([ways, units].concat())
    });
    std::iter::once(goal).chain(others.unwrap_or_default()).collect()
}

/// Numbers that are no doubles, in the language of statements, at which a goal in one variable may fail.
pub(crate) fn numbers_next_to_failure(goal: &Goal) -> Vec<String> {
    allowance::within(UNITS, || Some(units::next_to_failure(goal))).unwrap_or_default()
}

/// Shows a goal in one variable by monotonicity, in one of these units.
pub(crate) fn by_monotonicity(goals: &[Goal], work: u64) -> Option<Shown> {
    allowance::shared(work, goals, monotone::shown)
}

/// Shows a goal in one variable by expansions where the sides touch, in one of these units.
pub(crate) fn by_expansions(goals: &[Goal], work: u64) -> Option<Shown> {
    allowance::shared(work, goals, |goal| approaches::shown(&goal.with_entropies()))
}

/// Shows a goal, the first, by boxes, without those on which the conditions are met and it fails.
pub(crate) fn by_exclusion(goals: &[Goal], work: u64) -> Option<Shown> {
    // Its work is counted in full, that of long fractions is not.
    allowance::within(2 * work, || exclusion::shown(&goals.first()?.with_entropies()))
}

/// Shows a goal, the first, between polynomials in exact arithmetic, if some method does.
pub(crate) fn by_polynomials(goals: &[Goal], work: u64) -> Option<Shown> {
    let goal = goals.first()?.clone().compacted();
    let in_others = [goal.in_linear_forms(), goal.in_ratios(), goal.in_surds(), goal.in_half_angles()];
    let in_others = in_others.into_iter().flatten().chain(goals.iter().filter_map(Goal::in_exponentials));
    let goals: Vec<Goal> = in_others.chain([goal.clone()]).collect();
    allowance::within(work, || {
        let as_form = allowance::within(work / 2, || as_forms(&goal));
        as_form.or_else(|| allowance::shared(work, &goals, as_polynomials))
    })
}

/// Shows a goal by its parts, each as a polynomial that is not negative.
fn as_polynomials(goal: &Goal) -> Option<Shown> {
    let prepared = goal.clone().narrowed().without_roots().without_equations();
    let mut found = Shown { by: "by signs of all terms in exact arithmetic", lines: Vec::new() };
    for part in prepared.split() {
        let part = part.narrowed();
        let shown = Inequality::of(&part)?.shown(0)?;
        found.by = shown.by;
        found.lines.extend(part.steps.into_iter().chain(shown.lines));
    }
    Some(found)
}

/// Shows a goal under an equation between a form and a number, by which everything else becomes a form as well.
fn as_forms(goal: &Goal) -> Option<Shown> {
    if !goal.given.iter().any(|(_, says)| *says == goal::Says::Zero) {
        return None;
    }
    let mut found = Shown { by: "by difference substitution in exact arithmetic", lines: Vec::new() };
    for part in goal.clone().narrowed().without_roots().split() {
        let part = part.narrowed();
        let form = |part: &Goal| Inequality::of(part)?.homogenised();
        let (part, (form, replaced)) = match form(&part) {
            Some(found) => (part, found),
            None => {
                let part = part.with_powers_of_factors()?;
                let found = form(&part)?;
                (part, found)
            }
        };
        let shown = form.shown_as_form()?;
        found.lines.extend(part.steps.into_iter().chain([replaced]).chain(shown.lines));
    }
    Some(found)
}
