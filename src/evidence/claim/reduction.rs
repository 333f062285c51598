//! A proof by subdivision beside a check: how the instances of a statement and the parameters of its proof correspond.

use std::marker::PhantomData;

use super::subject::Subject;
use crate::comparison::{Comparison, RESOLUTION};
use crate::instance::Instance;
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;
use enclosures::proof::{Conclusion, Proof};

/// What a reader can know of a proof without running it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofInfo {
    /// The cases it covers, in words.
    pub domain: &'static str,
    /// Why its margin has the sign of the difference of the two sides, where it is not that difference.
    pub form: Option<&'static str>,
}

/// Where an instance stands with respect to a proof.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Place {
    /// Outside the domain.
    Outside,
    /// Inside, and the margins of check and proof agree.
    Inside,
    /// Inside, but the margins contradict each other: check and proof do not speak of the same statement.
    Contradicts(String),
}

/// A proof whose number of parameters is forgotten.
pub(crate) trait Reduction: Send + Sync {
    fn info(&self) -> ProofInfo;
    fn run(&self) -> Conclusion;
    fn run_controls(&self) -> Vec<(&'static str, Conclusion)>;
    fn place(&self, instance: &Subject, comparison: &Comparison) -> Place;
    /// The instance that belongs to a point of the domain.
    fn instance(&self, point: &[f64]) -> Option<Subject>;
}

/// A proof, the parameters of an instance, and an instance with given parameters.
pub(crate) struct Reduced<I, const K: usize, P, T> {
    pub(crate) proof: Proof<K>,
    pub(crate) parameters: P,
    pub(crate) instance: T,
    pub(crate) of: PhantomData<fn(&I)>,
}

impl<I, const K: usize, P, T> Reduction for Reduced<I, K, P, T>
where
    I: Instance,
    P: Fn(&I) -> Option<[Enclosure; K]> + Send + Sync,
    T: Fn([f64; K]) -> I + Send + Sync,
{
    fn info(&self) -> ProofInfo {
        ProofInfo { domain: self.proof.domain(), form: self.proof.form() }
    }

    fn run(&self) -> Conclusion {
        self.proof.run()
    }

    fn run_controls(&self) -> Vec<(&'static str, Conclusion)> {
        self.proof.run_controls()
    }

    fn place(&self, instance: &Subject, comparison: &Comparison) -> Place {
        let Some(parameters) = (self.parameters)(instance.get()) else {
            return Place::Outside;
        };
        let parameters = parameters.map(Enclosure::interval);
        let met = |(x, range): (&Interval, &Interval)| x.intersection(*range).is_some();
        if !parameters.iter().zip(self.proof.ranges()).all(met) {
            return Place::Outside;
        }
        let (proof, check) = (self.proof.margin_at(parameters), comparison.margin.interval());
        let agree = if self.proof.form().is_none() {
            // Both enclose one number, but for the rounding of the parameters.
            let slack = RESOLUTION * comparison.scale.min(f64::MAX);
            proof.widened_by(slack).intersection(check).is_some()
        } else {
            !(proof.lo() > 0.0 && check.hi() < 0.0 || proof.hi() < 0.0 && check.lo() > 0.0)
        };
        if agree {
            Place::Inside
        } else {
            let shown = |x: Interval| Enclosure::from(x).to_string();
            Place::Contradicts(format!("the check has the margin {}, its proof {}", shown(check), shown(proof)))
        }
    }

    fn instance(&self, point: &[f64]) -> Option<Subject> {
        Some(Subject::of((self.instance)(point.try_into().ok()?)))
    }
}
