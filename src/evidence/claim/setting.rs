//! A setting: the instances a statement quantifies over, what is measured on each, and the checks that compare it.

use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::Arc;

use super::any_setting::{AnySetting, Check, Constant};
use super::check::Classification;
use super::expectation::{Expectation, fails};
use super::family::{Family, edge};
use super::hypothesis::Hypothesis;
use super::question::{Measured, Typed};
use super::reduction::Reduced;
use super::subject::Subject;
use super::theorem::Cited;
use super::trial::{MeasureError, Trial};
use crate::comparison::Evaluation;
use crate::headline::Sense;
use crate::instance::Instance;
use crate::role::Role;
use enclosures::enclosure::Enclosure;
use enclosures::proof::Proof;

/// Instances of type `I`, the quantities `Q` measured once on each, and the checks that compare them.
///
/// What explains a single check ([`because`](Setting::because), [`sides`](Setting::sides) and their kin) is about the check declared last,
/// and panics where none is declared yet.
pub struct Setting<I, Q> {
    pub(crate) any: Box<AnySetting>,
    of: PhantomData<fn(&I) -> Q>,
}

/// The ways to declare a check with an expectation; they differ in the part that the check plays.
macro_rules! declared_as {
    ($($(#[$doc:meta])* $name:ident => $role:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(
            self,
            id: &'static str,
            statement: &'static str,
            expectation: Expectation,
            test: impl Fn(&I, &Q) -> Evaluation + Send + Sync + 'static,
        ) -> Self {
            self.check(Role::$role, id, statement, expectation, test)
        }
    )*};
}

impl<I: Instance> Setting<I, ()> {
    /// A setting in which every check computes what it needs from the instance itself.
    #[must_use]
    pub fn of() -> Self {
        Self::measuring(|_, _| Ok(()))
    }
}

impl<I: Instance, Q: Send + Sync + 'static> Setting<I, Q> {
    /// A setting in which `measure` computes the quantities that its checks compare, once for each instance.
    #[must_use]
    pub fn measuring(measure: impl Fn(&I, &mut Trial) -> Result<Q, MeasureError> + Send + Sync + 'static) -> Self {
        let measure = move |subject: &Subject, trial: &mut Trial| -> Result<Measured, MeasureError> {
            Ok(Arc::new(measure(subject.get(), trial)?))
        };
        let setting = Setting {
            any: AnySetting::of(
                TypeId::of::<I>(),
                TypeId::of::<Q>() == TypeId::of::<()>(),
                Box::new(measure),
                Subject::read::<I>,
            ),
            of: PhantomData,
        };
        // A type that declares its parts has edge instances of its own; they are tried without being asked for.
        if I::edges().is_empty() {
            return setting;
        }
        setting.family(edge("edges of the type", I::edges))
    }
}

impl<I: Instance, Q: 'static> Setting<I, Q> {
    /// What the type or the construction of the instances guarantees: printed with every check, never counted as checked.
    #[must_use]
    pub fn given(mut self, text: &'static str) -> Self {
        self.any.givens.push(text);
        self
    }

    /// A hypothesis. Before the first check it is one of the statement, and all checks assume it; behind a check it is one of that check
    /// alone. Instances that miss it are discarded and counted; some instance of the families must miss one of the statement, or it is a
    /// [`given`](Setting::given). Several are printed in their order.
    #[must_use]
    pub fn assume(mut self, hypothesis: Hypothesis<I>) -> Self {
        self.any.assume(hypothesis.forgetting_its_type());
        self
    }

    /// A source of instances, or several that claims share.
    #[must_use]
    pub fn family(mut self, families: impl IntoIterator<Item = Family<I>>) -> Self {
        for family in families {
            self.any.draw_from(family.name, family.source, family.restriction);
        }
        self
    }

    /// Which instances refute without convincing ("C = 0"): beside such a witness the smallest one that is not degenerate is kept.
    #[must_use]
    pub fn degenerate(mut self, name: &'static str, is: impl Fn(&I) -> bool + Send + Sync + 'static) -> Self {
        self.any.degenerate = Some(Hypothesis::capturing(name, is).forgetting_its_type());
        self
    }

    /// Leaves out the adversarial search: the instances are finite in number, or a trial is a simulation.
    #[must_use]
    pub fn without_search(mut self) -> Self {
        self.any.searched = false;
        self
    }

    /// Leaves out the ledger of hypotheses: nothing is tried without each of them.
    #[must_use]
    pub fn without_ledger(mut self) -> Self {
        self.any.asks_for_need = false;
        self
    }

    /// Lets the search end where its counted work is spent, however few looks that were: a look of these instances may cost very much. As
    /// long as it comes closer to a violation it goes on beyond its budget by `further` of counted work, in slices.
    #[must_use]
    pub fn sparing(mut self, further: u64) -> Self {
        self.any.is_sparing = true;
        self.any.further = further;
        self
    }

    /// The check declared last.
    #[track_caller]
    fn last_check(&mut self) -> &mut Check {
        self.any.last_check()
    }

    /// A check of a role that a program decides on; a control is always expected to fail, as [`control`](Self::control) has it.
    #[must_use]
    pub fn check(
        mut self,
        role: Role,
        id: &'static str,
        statement: &'static str,
        expectation: Expectation,
        test: impl Fn(&I, &Q) -> Evaluation + Send + Sync + 'static,
    ) -> Self {
        self.any.declare(role, id, statement, expectation, Box::new(Typed(test, PhantomData::<fn(&I, &Q)>)));
        self
    }

    declared_as! {
        /// A conjunct of the printed statement: of every sense of its words, unless [`in_sense`](Setting::in_sense) names some.
        part => Part,
        /// What was evidently intended where the printed words are a misprint.
        meant => Meant,
        /// A question of ours, not the paper's.
        ours => Ours,
        /// A step of the printed proof.
        step => Step,
        /// The corrected form of a statement that fails as printed.
        amendment => Amendment,
        /// A stronger form that holds.
        sharpening => Sharpening,
    }

    /// A full sense of the printed words that this check is the whole of.
    #[must_use]
    pub fn sense(
        mut self,
        id: &'static str,
        statement: &'static str,
        expectation: Expectation,
        test: impl Fn(&I, &Q) -> Evaluation + Send + Sync + 'static,
    ) -> Self {
        self.any.senses.push(Sense { name: id, words: statement });
        self.part(id, statement, expectation, test).in_sense(id)
    }

    #[track_caller]
    fn classified(mut self, change: impl FnOnce(&mut Classification)) -> Self {
        change(&mut self.last_check().classification);
        self
    }

    /// A sense that the part declared last belongs to: call it once for each of several.
    #[must_use]
    #[track_caller]
    pub fn in_sense(self, sense: &'static str) -> Self {
        self.classified(|c| c.senses.push(sense))
    }

    /// The check declared last follows from another one of the claim, so that it does not weaken a sense: a trend beside an
    /// explicit bound.
    #[must_use]
    #[track_caller]
    pub fn implied_by(self, check: &'static str) -> Self {
        self.classified(|c| c.implied_by = Some(check))
    }

    /// Marks the check declared last as no evidence, because it restates a definition, a construction or a proof of ours.
    #[must_use]
    #[track_caller]
    pub fn not_evidence(self, why: &'static str) -> Self {
        self.classified(|c| c.not_evidence = Some(why))
    }

    /// Says why the check declared last is classified as it is, where that is a judgement call.
    #[must_use]
    #[track_caller]
    pub fn because(self, why: &'static str) -> Self {
        self.classified(|c| c.because = Some(why))
    }

    /// The printed words leave a constant open ("O(n)", "mostly", "similar"), and the check declared last is judged with one of ours,
    /// named here. Drawn or measured instances cannot establish such a statement: what they do not violate is
    /// [`Consistent`](crate::verdict::Verdict::Consistent) and not held to be true, unless every side is enclosed.
    #[must_use]
    #[track_caller]
    pub fn our_constant(self, what: &'static str) -> Self {
        self.classified(|c| c.our_constant = Some(what))
    }

    /// Says what the left and the right side of the check declared last are, in the signs of the claim, exactly as they are compared
    /// ("log cond(κ²)" where logarithms are): a reader finds the two numbers of a witness under these names. Wherever they are not the sides
    /// that the line has, they have to be said.
    #[must_use]
    #[track_caller]
    pub fn sides(self, left: &'static str, right: &'static str) -> Self {
        self.classified(|c| c.sides = Some([left, right]))
    }

    /// Names the control of the same claim that is the false variant of the check declared last, which compares no numbers.
    #[must_use]
    #[track_caller]
    pub fn tested_by(self, control: &'static str) -> Self {
        self.classified(|c| c.tested_by = Some(control))
    }

    /// A deliberately false variant: the families must refute it.
    #[must_use]
    pub fn control(
        self,
        id: &'static str,
        statement: &'static str,
        test: impl Fn(&I, &Q) -> Evaluation + Send + Sync + 'static,
    ) -> Self {
        self.check(Role::Control, id, statement, fails("a deliberately false variant"), test)
    }

    /// A constant of the statement for the tightness ledger: `needed` is the smallest value with which the statement holds on an
    /// instance (none if any value will do), `group` the size that the constant may depend on ("N_C = 3"; none leaves the instance out), `printed`
    /// what the statement grants. The families and a search of their own raise the largest value found in each group.
    #[must_use]
    pub fn constant(
        mut self,
        id: &'static str,
        statement: &'static str,
        printed: &'static str,
        group: impl Fn(&I) -> Option<String> + Send + Sync + 'static,
        needed: impl Fn(&I, &Q) -> Option<Enclosure> + Send + Sync + 'static,
    ) -> Self {
        self.any.constants.push(Constant {
            id,
            statement,
            printed,
            group: Box::new(Typed(group, PhantomData::<fn(&I)>)),
            needed: Box::new(Typed(needed, PhantomData::<fn(&I, &Q)>)),
        });
        self
    }

    /// Guides the search for the check declared last by the same comparison in plain floating point, which costs a fraction of the enclosures.
    /// It decides nothing: whatever seems to come closest, or to violate the check, is looked at on enclosures. Anything but a comparison
    /// asks for that, too.
    #[must_use]
    #[track_caller]
    pub fn guided_by(mut self, guide: impl Fn(&I) -> Evaluation + Send + Sync + 'static) -> Self {
        self.last_check().guide = Some(Box::new(Typed(guide, PhantomData::<fn(&I)>)));
        self
    }

    /// Says where the check declared last says nothing: in the words of the reason that it then gives to
    /// [`vacuous`](super::vacuous). A reason that is not declared is a fault of the catalogue.
    #[must_use]
    #[track_caller]
    pub fn except(mut self, reason: &'static str) -> Self {
        self.last_check().exceptions.push(reason);
        self
    }

    /// Adds a proof by subdivision to the check declared last.
    ///
    /// `parameters` gives the parameters of an instance (none if the proof does not speak of it), `instance` an instance with
    /// given parameters. On every judged instance the margin of the proof is compared with that of the check; a point
    /// at which the proof is refuted is tried as an instance. If all proofs succeed, and every judged instance of the families lies in
    /// the domain of one of them, a check that holds has the grade `proved`.
    #[must_use]
    #[track_caller]
    pub fn proved_by<const K: usize>(
        mut self,
        proof: Proof<K>,
        parameters: impl Fn(&I) -> Option<[Enclosure; K]> + Send + Sync + 'static,
        instance: impl Fn([f64; K]) -> I + Send + Sync + 'static,
    ) -> Self {
        self.last_check().proofs.push(Box::new(Reduced { proof, parameters, instance, of: PhantomData }));
        self
    }

    #[track_caller]
    fn cites(mut self, name: &'static str, whole: bool) -> Self {
        self.last_check().theorems.push(Cited { name, whole, theorem: None });
        self
    }

    /// Cites a theorem that a proof assistant has accepted, and that says all that the check declared last says, for all that it assumes: its
    /// truth, or where the name ends in `_refuted` that it is false. Several theorems cited so say it together.
    ///
    /// A check that comes out as they say has the grade `checked`, if the [record](super::Theorems) of its catalogue has them about this
    /// check. One that comes out otherwise is not as expected: a theorem makes no verdict.
    #[must_use]
    #[track_caller]
    pub fn checked(self, theorem: &'static str) -> Self {
        self.cites(theorem, true)
    }

    /// Cites a theorem that a proof assistant has accepted, and that says less than the check declared last, or says it for less than that
    /// assumes. It is shown, and raises no grade.
    #[must_use]
    #[track_caller]
    pub fn checked_in_part(self, theorem: &'static str) -> Self {
        self.cites(theorem, false)
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::claim::{at_most, holds};
    use enclosures::enclosure::exact;

    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Number(f64);

    impl Instance for Number {
        fn describe(&self) -> String {
            format!("x = {}", self.0)
        }
    }

    const POSITIVE: Hypothesis<Number> = Hypothesis::new("x > 0", |x| x.0 > 0.0);
    const SMALL: Hypothesis<Number> = Hypothesis::new("x ≤ 1", |x| x.0 <= 1.0);

    fn with_a_part(setting: Setting<Number, ()>, id: &'static str) -> Setting<Number, ()> {
        setting.part(id, "x² ≤ x", holds(), |x, ()| at_most(exact(x.0).square(), exact(x.0)))
    }

    /// What each check assumes, in order.
    fn assumed(setting: &Setting<Number, ()>) -> Vec<Vec<&'static str>> {
        setting.any.checks().into_iter().map(|check| check.when).collect()
    }

    #[test]
    fn hypotheses_are_those_of_all_checks_or_of_the_check_before_them() {
        let setting = with_a_part(Setting::of().assume(POSITIVE), "both").assume(SMALL).assume(POSITIVE);
        let least = 2.0;
        let setting =
            with_a_part(setting, "one").assume(Hypothesis::capturing("x ≠ 2", move |x: &Number| x.0 != least));
        let setting = with_a_part(setting, "own").assume(Hypothesis::own(|x| x.0 > 3.0)).assume(SMALL.selecting());
        assert_eq!(setting.any.hypotheses.iter().map(|h| h.name).collect::<Vec<_>>(), ["x > 0"]);
        let expected: [&[&str]; 3] = [&["x ≤ 1", "x > 0"], &["x ≠ 2"], &["x ≤ 1"]];
        assert_eq!(assumed(&setting), expected);
        let kinds = setting.any.checks[2].when.iter().map(|h| (h.selects, h.is_said));
        assert!(kinds.eq([(true, true), (true, false)]));
        assert!(POSITIVE.is_met(&Number(1.0)) && !POSITIVE.is_met(&Number(0.0)));
        let met = |check: usize, x: f64| {
            let when = &setting.any.checks[check].when;
            when.iter().map(|h| h.is_met(&Subject::of(Number(x)))).collect::<Vec<_>>()
        };
        assert_eq!(met(0, 3.0), [false, true]);
        assert_eq!(met(1, 2.0), [false]);
    }

    #[test]
    #[should_panic(expected = "none is declared yet")]
    fn a_reason_before_any_check_is_not_lost() {
        let _ = Setting::<Number, ()>::of().because("it is so");
    }
}
