//! How far the work on a user's embeddings has come: a bar on a terminal, a line for every long stage elsewhere.

use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use embeddings::Watcher;
use indicatif::{ProgressBar, ProgressStyle};

use crate::console::tell;

/// Multiplications below which a stage takes no more than a few seconds.
const LONG: f64 = 5e9;
/// Steps of a bar.
const STEPS: u64 = 1000;

/// Shows stages on standard error.
#[derive(Default)]
pub struct Stages {
    bar: Mutex<Option<ProgressBar>>,
}

impl Stages {
    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.lock().unwrap_or_else(PoisonError::into_inner).take() {
            bar.finish_and_clear();
        }
    }
}

impl Watcher for Stages {
    fn begin(&self, stage: &str, work: f64) {
        self.finish();
        if !std::io::stderr().is_terminal() {
            if work > LONG {
                tell!("{stage}: {work:.1e} multiplications at the most");
            }
            return;
        }
        if work <= LONG {
            return;
        }
        // How long a stage takes that says nothing on the way is not known; how much it is, is.
        let bar = ProgressBar::new(STEPS).with_style(style("{spinner} {elapsed_precise} {prefix}, {msg}"));
        bar.set_prefix(stage.to_owned());
        bar.set_message(format!("{work:.1e} multiplications at the most"));
        bar.enable_steady_tick(Duration::from_millis(500));
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar);
    }

    fn advance(&self, share: f64, known: &str) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.set_style(style("{elapsed_precise} {prefix} {wide_bar} {eta} left, {msg}"));
            bar.set_position((share.clamp(0.0, 1.0) * STEPS as f64) as u64);
            bar.set_message(known.to_owned());
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
