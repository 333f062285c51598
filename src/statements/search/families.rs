//! The random families of declared variables, and where a check about them says nothing.

use std::sync::Arc;

use evidence::claim::{Family, Hypothesis, Setting, random};
use proptest::prelude::{Just, Strategy};
use rand_core::Rng;

use super::interned::interned;
use crate::formulas::domain::Declarations;
use crate::formulas::term::Chain;
use crate::instances::assignment::Assignment;
use crate::instances::compare::{BEYOND, DOUBTFUL, is_met};
use crate::instances::draw::{Dice, Style, draw};
use crate::numbers::number::REASONS;

/// The random families of a check of its own conditions, as far as those ask for equations that the values of all checks do not meet.
pub(crate) fn drawn_for(declarations: &Declarations, conditions: &[Chain]) -> Vec<Family<Assignment>> {
    let own = declarations.under(conditions);
    if own.equations.len() == declarations.equations.len() {
        return Vec::new();
    }
    named(&Arc::new(own), 1.0, &|style| interned(&format!("{style}, moved to a check's own equations")))
}

/// The random families of declared variables, of which so large a share is drawn; none where nothing varies.
pub(crate) fn drawn(declarations: &Arc<Declarations>, share: f64) -> Vec<Family<Assignment>> {
    named(declarations, share, &|style| style)
}

fn named(
    declarations: &Arc<Declarations>,
    of_all: f64,
    name: &dyn Fn(&'static str) -> &'static str,
) -> Vec<Family<Assignment>> {
    let mut families = Vec::new();
    if declarations.variables.is_empty() {
        return families;
    }
    for (told, style, share) in [
        ("ordinary sizes", Style::Plain, 0.6),
        ("equal, whole and extreme entries", Style::Structured, 0.2),
        ("all magnitudes", Style::Wide, 0.2),
    ] {
        let declared = Arc::clone(declarations);
        let strategy = move || {
            let declared = Arc::clone(&declared);
            let drawn = Just(()).prop_perturb(move |(), mut rng| {
                let mut bits = || rng.next_u64();
                draw(&declared, style, &mut Dice::new(&mut bits))
            });
            drawn.prop_filter_map("the ranges leave nothing", |a| a)
        };
        families.push(random(name(told), strategy).taking(of_all * share));
    }
    families
}

/// A condition as a hypothesis.
pub(crate) fn met(condition: Chain) -> Hypothesis<Assignment> {
    Hypothesis::capturing(interned(&condition.text), move |a: &Assignment| is_met(&condition, a))
}

/// A setting with what declared variables and conditions on them assume.
pub(crate) fn assuming<Q: Send + Sync + 'static>(
    setting: Setting<Assignment, Q>,
    declarations: &Declarations,
    conditions: &[Chain],
) -> Setting<Assignment, Q> {
    let givens = declarations.variables.iter().map(|v| interned(&format!("{} in {}", v.name, v.domain)));
    conditions.iter().cloned().map(met).fold(givens.fold(setting, Setting::given), Setting::assume)
}

/// Says where the check declared last says nothing.
pub(crate) fn excepted<Q: 'static>(setting: Setting<Assignment, Q>) -> Setting<Assignment, Q> {
    let reasons = REASONS.iter().copied().chain([BEYOND, DOUBTFUL]);
    reasons.fold(setting, Setting::except)
}
