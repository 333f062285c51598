//! Error against work for every estimator on the same models.
//!
//! A [`study`] takes each of its [`Subject`]s, a model whose losses are known exactly, and each [`Loss`] of it, and runs
//! every [`Method`] at growing sizes, many times over with fresh draws. What comes out are actual errors: their root mean square
//! with its interval, how it falls with the size, and beside it what an estimator that did not know the truth would have said, its
//! standard error and the half-widths of both confidence sequences.
//!
//! Work is counted in inner products, draws, and exponentials or logarithms ([`Work`]), never in seconds, and every repetition has
//! a random stream of its own: the result is the same on every machine and any number of threads. All sizes use
//! independent draws, so that the errors of a curve are independent and the interval of its slope is what it says.

mod batch_statistic;
mod circle;
mod coverage;
mod curve;
mod dispersion;
mod error;
mod loss;
mod methods;
mod resized;
mod subject;
mod work;

pub use curve::{Curve, Level};
pub use dispersion::{LEVEL, NORMAL_QUANTILE, Slope};
pub use error::StudyError;
pub use loss::Loss;
pub use methods::{METHODS, Method};
pub use subject::Subject;
pub use work::Work;

use self::methods::Setting;
use crate::monte_carlo::{MonteCarloError, PairTable};
use enclosures::enclosure::Enclosure;

/// What to measure.
#[derive(Clone, Debug, PartialEq)]
pub struct StudySettings {
    /// Key of all random streams.
    pub seed: u64,
    /// The numbers of negatives.
    pub negatives: Vec<usize>,
    /// Independent repetitions of every size; even, at most 1024.
    pub repetitions: u64,
    /// About how much one repetition of the largest size of a curve may cost, in units of [`Work::total`].
    pub work: u64,
}

/// All curves of one model and one loss.
#[derive(Clone, Debug)]
pub struct StudyPanel {
    /// Name of the model.
    pub subject: String,
    /// What is estimated.
    pub loss: Loss,
    /// The exact loss.
    pub truth: Enclosure,
    /// About what the exact loss costs.
    pub exact_work: Work,
    /// One curve per estimator that applies.
    pub curves: Vec<Curve>,
    /// Estimators that refused the model, and why.
    pub refused: Vec<(&'static Method, MonteCarloError)>,
}

/// What a study is about to do or has done.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// The exact losses of a model are computed next.
    Exact(&'a Subject),
    /// An estimator is measured next.
    Method(&'a Subject, Loss, &'static Method),
    /// It has been measured, or has refused or does not apply (none).
    Done(Option<&'a Curve>),
}

/// Which curve of a study: of which model, of which loss, by which estimator.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// Name of the model.
    pub subject: &'a str,
    /// What is estimated.
    pub loss: Loss,
    /// The estimator.
    pub method: &'static Method,
    /// Which of the study's pairs of a model and a loss this is, from zero.
    pub panel: usize,
    /// Which of the estimators, from zero.
    pub line: usize,
}

/// Gives the curve of a place: by measuring it, as its second argument does, from what was measured before, or none.
pub type Supply<'a> =
    dyn FnMut(&Place<'_>, &mut dyn FnMut() -> Result<Curve, StudyError>) -> Result<Option<Curve>, StudyError> + 'a;

/// Measures every estimator on every model. `observe` is told of each step; there are [`steps`] times a [`Progress::Done`].
///
/// ```
/// use contrapositive_estimators::convergence::{StudySettings, Subject, study};
/// let settings = StudySettings { seed: 1, negatives: vec![1], repetitions: 16, work: 4096 };
/// let panels = study(&[Subject::reference()?], &settings, &mut |_| {})?;
/// let plain = &panels[0].curves[0];
/// // Thirty-two times the work: about a sixth of the error.
/// assert!(plain.levels[5].rms < plain.levels[0].rms / 3.0);
/// # Ok::<(), contrapositive_estimators::convergence::StudyError>(())
/// ```
///
/// # Errors
/// [`StudyError::Repetitions`], [`StudyError::Negatives`], and what a model or an estimator at work refuses. An estimator that cannot
/// be set up for a model is listed in [`StudyPanel::refused`] instead.
pub fn study(
    subjects: &[Subject],
    settings: &StudySettings,
    observe: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<StudyPanel>, StudyError> {
    supplied(subjects, settings, &mut |_, measure| measure().map(Some), observe)
}

/// The same, of curves that are measured, taken from elsewhere or left out as `supply` has it: a study that is cut over many machines.
///
/// # Errors
/// As [`study`].
pub fn supplied(
    subjects: &[Subject],
    settings: &StudySettings,
    supply: &mut Supply<'_>,
    observe: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<StudyPanel>, StudyError> {
    let repetitions = settings.repetitions;
    if !repetitions.is_multiple_of(2) || !(2..=1024).contains(&repetitions) {
        return Err(StudyError::Repetitions { repetitions });
    }
    if let Some(&negatives) = settings.negatives.iter().find(|n| !(1..=1 << 20).contains(*n)) {
        return Err(StudyError::Negatives { negatives });
    }
    let mut panels = Vec::new();
    for subject in subjects {
        observe(Progress::Exact(subject));
        let losses = subject.estimated(&settings.negatives);
        let truths = subject.exact(&losses)?;
        let table = subject.finite().map(|(_, sampler)| PairTable::new(sampler));
        let setting = Setting { subject, table: table.as_ref().map(|table| table.as_ref().map_err(Clone::clone)) };
        for (loss, truth) in losses.into_iter().zip(truths) {
            let number = panels.len();
            panels.push(panel(&setting, (number, loss), truth, settings, supply, observe)?);
        }
    }
    Ok(panels)
}

/// How many estimators a study measures, those that do not apply included.
#[must_use]
pub fn steps(subjects: &[Subject], settings: &StudySettings) -> usize {
    let panels: usize = subjects.iter().map(|subject| subject.estimated(&settings.negatives).len()).sum();
    panels * METHODS.len()
}

fn panel(
    setting: &Setting<'_>,
    (number, loss): (usize, Loss),
    truth: Enclosure,
    settings: &StudySettings,
    supply: &mut Supply<'_>,
    observe: &mut dyn FnMut(Progress<'_>),
) -> Result<StudyPanel, StudyError> {
    let subject = setting.subject;
    let mut panel = StudyPanel {
        subject: subject.name().into(),
        loss,
        truth,
        exact_work: subject.exact_work(loss),
        curves: Vec::new(),
        refused: Vec::new(),
    };
    for (line, method) in METHODS.iter().enumerate() {
        observe(Progress::Method(subject, loss, method));
        match (method.prepare)(setting, loss) {
            Err(reason) => panel.refused.push((method, reason)),
            Ok(None) => {}
            Ok(Some(prepared)) => {
                let place = Place { subject: subject.name(), loss, method, panel: number, line };
                let mut measure = || {
                    let names = [subject.name(), &loss.to_string()];
                    let curve = curve::measure(method, &prepared, truth, names, settings);
                    curve.map_err(|source| StudyError::Sampling {
                        method: method.name,
                        subject: subject.name().into(),
                        loss,
                        source,
                    })
                };
                if let Some(curve) = supply(&place, &mut measure)? {
                    panel.curves.push(curve);
                    observe(Progress::Done(panel.curves.last()));
                    continue;
                }
            }
        }
        observe(Progress::Done(None));
    }
    Ok(panel)
}

#[cfg(test)]
mod tests;
