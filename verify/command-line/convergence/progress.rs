//! What the terminal shows while a study runs: a bar, and a line for every curve.

use std::io::IsTerminal;
use std::time::Instant;

use estimators::convergence::{Curve, Progress as Step};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::console::say;
use super::super::status::Trouble;
use super::short;

/// A bar on standard error, results on standard output, with seconds where asked for.
pub struct Progress {
    bar: ProgressBar,
    time: bool,
    started: Instant,
    place: String,
    /// Why a line could not be printed, the first time.
    unsaid: Option<Trouble>,
}

impl Progress {
    /// Progress of so many curves.
    pub fn of(curves: usize, time: bool) -> Self {
        let bar = if std::io::stderr().is_terminal() { ProgressBar::new(curves as u64) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len}  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress { bar, time, started: Instant::now(), place: String::new(), unsaid: None }
    }

    /// Takes note of a step.
    pub fn step(&mut self, step: Step<'_>) {
        self.started = match step {
            Step::Exact(subject) => {
                self.place = format!("{}, exact", subject.name());
                Instant::now()
            }
            Step::Method(subject, loss, method) => {
                self.place = format!("{}, {}, {}", subject.name(), loss.title(), method.name);
                Instant::now()
            }
            Step::Done(curve) => {
                if let Some(line) = curve.and_then(|curve| self.line(curve)) {
                    let said = self.bar.suspend(|| say!("{line}"));
                    self.unsaid = self.unsaid.take().or(said.err().map(Trouble::from));
                }
                self.bar.inc(1);
                self.started
            }
        };
        self.bar.set_message(self.place.clone());
    }

    fn line(&self, curve: &Curve) -> Option<String> {
        let last = curve.levels.last()?;
        let slope = curve.slope.map_or_else(String::new, |s| format!("   slope {:.2}", s.value));
        let seconds =
            if self.time { format!("   {:.2} s", self.started.elapsed().as_secs_f64()) } else { String::new() };
        let (error, work) = (short(last.rms), short(last.work.total() as f64));
        Some(format!("{:34} error {error:>8} after work {work:>8}{slope}{seconds}", self.place))
    }

    /// Removes the bar; answers with why a line could not be printed, if one could not.
    pub fn finish(self) -> Option<Trouble> {
        self.bar.finish_and_clear();
        self.unsaid
    }
}
