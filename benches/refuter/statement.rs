//! One statement of the benchmark: false by a hair with one constant, true with another, and nothing to start from but numbers drawn
//! uniformly from a box.

use enclosures::enclosure::{Enclosure, exact};
use enclosures::stream::stream;
use evidence::budget::Budget;
use evidence::claim::{Claim, Evaluation, Fixtures, Hypothesis, Kind, Setting, Trial, fails, holds, random};
use evidence::instance::Instance;
use evidence::judge::{Judgement, judge};
use proptest::strategy::Strategy;

/// What makes a statement hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Smooth,
    IllConditioned,
    Deceptive,
    Tied,
    Boundary,
    FarOut,
    Tiny,
    Integer,
    Mixed,
    Matrix,
    Probability,
    Sampled,
    Order,
    Choices,
    Orthogonal,
    Atoms,
}

impl Class {
    pub const ALL: [Class; 16] = [
        Class::Smooth,
        Class::IllConditioned,
        Class::Deceptive,
        Class::Tied,
        Class::Boundary,
        Class::FarOut,
        Class::Tiny,
        Class::Integer,
        Class::Mixed,
        Class::Matrix,
        Class::Probability,
        Class::Sampled,
        Class::Order,
        Class::Choices,
        Class::Orthogonal,
        Class::Atoms,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Class::Smooth => "smooth",
            Class::IllConditioned => "ill-conditioned",
            Class::Deceptive => "deceptive",
            Class::Tied => "tied",
            Class::Boundary => "boundary",
            Class::FarOut => "far out",
            Class::Tiny => "tiny",
            Class::Integer => "integer",
            Class::Mixed => "mixed",
            Class::Matrix => "matrix",
            Class::Probability => "probability",
            Class::Sampled => "sampled",
            Class::Order => "order",
            Class::Choices => "choices",
            Class::Orthogonal => "orthogonal",
            Class::Atoms => "atoms",
        }
    }
}

/// The false statement or its true twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    False,
    True,
}

type Margin = Box<dyn Fn(&[f64], Twin, u64) -> Option<f64> + Send + Sync>;

/// A statement and its twin.
pub struct Statement {
    pub name: &'static str,
    pub class: Class,
    pub words: &'static str,
    /// The box from which the family draws, one range for each number.
    pub ranges: Vec<(f64, f64)>,
    claim: Box<dyn Fn(Twin) -> Claim + Send + Sync>,
    margin: Margin,
}

impl Statement {
    /// The claim that a stranger would hand in.
    pub fn claim(&self, twin: Twin) -> Claim {
        (self.claim)(twin)
    }

    /// The middle of the relative margin at a point of the box, negative only where the statement is violated beyond doubt; none outside the
    /// hypotheses: what other programs minimise.
    pub fn margin(&self, at: &[f64], twin: Twin, draw: u64) -> Option<f64> {
        (self.margin)(at, twin, draw)
    }
}

/// The same range for so many numbers.
pub fn cube(dimension: usize, low: f64, high: f64) -> Vec<(f64, f64)> {
    vec![(low, high); dimension]
}

type Test<I> = fn(&I, Enclosure, &mut Trial) -> Evaluation;
type Met<I> = fn(&I) -> bool;

/// The name of a hypothesis and its test, if there is one.
pub type Condition<I> = Option<(&'static str, Met<I>)>;

/// A statement under construction.
pub struct Draft<I: 'static> {
    pub class: Class,
    pub name: &'static str,
    pub words: &'static str,
    pub ranges: Vec<(f64, f64)>,
    pub from: fn(&[f64]) -> I,
    pub hypothesis: Condition<I>,
    /// The constant with which it is false, and one with which it is true.
    pub constants: (f64, f64),
}

impl<I: Instance> Draft<I> {
    /// A statement whose sides are computed from the instance alone.
    pub fn judged(self, test: fn(&I, Enclosure) -> Evaluation) -> Statement {
        let setting = move |setting: Setting<I, ()>, words, expectation, constant: Enclosure| {
            setting.part("printed", words, expectation, move |i, ()| test(i, constant))
        };
        let make = move |draft: &Parts<I>, twin| draft.claim(twin, Setting::of(), setting);
        self.finish(make, move |i, c, _| test(i, c))
    }

    /// A statement one side of which is sampled.
    pub fn sampled(self, test: Test<I>) -> Statement {
        let make = move |draft: &Parts<I>, twin| {
            let constant = draft.constant(twin);
            let measured = Setting::measuring(move |i: &I, trial: &mut Trial| Ok(test(i, constant, trial)));
            draft.claim(twin, measured, |setting, words, expectation, _| {
                setting.part("printed", words, expectation, |_, evaluation: &Evaluation| evaluation.clone())
            })
        };
        self.finish(make, test)
    }

    fn finish(
        self,
        make: impl Fn(&Parts<I>, Twin) -> Claim + Send + Sync + 'static,
        test: impl Fn(&I, Enclosure, &mut Trial) -> Evaluation + Send + Sync + 'static,
    ) -> Statement {
        let parts = Parts {
            name: self.name,
            words: self.words,
            ranges: self.ranges.clone(),
            from: self.from,
            hypothesis: self.hypothesis,
            constants: self.constants,
        };
        let again = parts.clone();
        Statement {
            name: self.name,
            class: self.class,
            words: self.words,
            ranges: self.ranges,
            claim: Box::new(move |twin| make(&parts, twin)),
            margin: Box::new(move |at, twin, draw| {
                let instance = (again.from)(at);
                if instance.validate().is_err() || again.hypothesis.is_some_and(|(_, met)| !met(&instance)) {
                    return None;
                }
                let draws = stream(draw, &["refuter", again.name]);
                let mut trial = Trial::new(draws, Budget::Standard, Fixtures::at("fixtures"));
                match test(&instance, again.constant(twin), &mut trial) {
                    Evaluation::Compared(c) => {
                        let margin = c.margin.midpoint() / c.scale.max(f64::MIN_POSITIVE);
                        // Only a violation beyond doubt is negative.
                        Some(if judge(&c) == Judgement::Violated { margin } else { margin.max(0.0) })
                    }
                    _ => None,
                }
            }),
        }
    }
}

struct Parts<I> {
    name: &'static str,
    words: &'static str,
    ranges: Vec<(f64, f64)>,
    from: fn(&[f64]) -> I,
    hypothesis: Condition<I>,
    constants: (f64, f64),
}

impl<I> Clone for Parts<I> {
    fn clone(&self) -> Self {
        Parts { ranges: self.ranges.clone(), ..*self }
    }
}

impl<I: Instance> Parts<I> {
    fn constant(&self, twin: Twin) -> Enclosure {
        exact(match twin {
            Twin::False => self.constants.0,
            Twin::True => self.constants.1,
        })
    }

    fn claim<Q: 'static>(
        &self,
        twin: Twin,
        setting: Setting<I, Q>,
        part: impl Fn(Setting<I, Q>, &'static str, evidence::claim::Expectation, Enclosure) -> Setting<I, Q>,
    ) -> Claim {
        let (ranges, from) = (self.ranges.clone(), self.from);
        let drawn = move || {
            let numbers: Vec<_> = ranges.iter().map(|&(low, high)| low..high).collect();
            numbers.prop_map(move |numbers| from(&numbers))
        };
        let mut setting = setting.family(random("uniform", drawn));
        if let Some((name, met)) = self.hypothesis {
            setting = setting.assume(Hypothesis::new(name, met));
        }
        let expectation = match twin {
            Twin::False => fails("by a hair"),
            Twin::True => holds(),
        };
        let setting = part(setting, self.words, expectation, self.constant(twin));
        Claim::new(self.name, self.words, Kind::Inequality)
            .statement(self.words)
            .source("the refuter's benchmark", &[])
            .setting(setting)
    }
}
