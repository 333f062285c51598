//! What the terminal shows while encoders are trained: a bar with the time left, and a line for every training.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over all updates of all trainings and the looks at them, in images encoded.
pub struct TrainingBar(ProgressBar);

impl TrainingBar {
    /// A bar towards so many images.
    pub fn towards(images: u64) -> Self {
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new(images)
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {percent} %  {eta_precise} left  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        TrainingBar(bar)
    }

    /// So many images more.
    pub fn advance(&self, images: u64) {
        self.0.inc(images);
    }

    /// So many images that need not be encoded again.
    pub fn skip(&self, images: u64) {
        self.0
            .set_length(self.0.length().unwrap_or(images).saturating_sub(images));
    }

    /// What is being done.
    pub fn note(&self, message: String) {
        self.0.set_message(message);
    }

    /// Prints without disturbing the bar.
    pub fn around<R>(&self, print: impl FnOnce() -> R) -> R {
        self.0.suspend(print)
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
