//! The words of `figures two-views`.

use std::path::PathBuf;

use clap::Args;

use crate::seed::DEFAULT_SEED;
use crate::threads::MOST;

/// Train the linear two-view model of Ren and Li on left and right halves of MNIST images: an observation of ours.
#[derive(Clone, Debug, Args)]
#[command(
    long_about = "Trains two linear encoders, one for the left and one for the right halves of MNIST images, by the \
                  contrastive loss and by the one without negatives, and follows alignment, balance and the condition \
                  number of what they have learned. The paper shows nothing of the kind; this is an observation of \
                  ours."
)]
pub struct TwoViews {
    /// Images of each digit.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=500))]
    pub per_class: u32,
    /// Dimension m of the embeddings.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(2..=512))]
    pub width: u32,
    /// Number r of directions that are followed: those in which the halves are most correlated.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=98))]
    pub directions: u32,
    /// Starts for each loss.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub starts: u32,
    /// Steps of gradient descent.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub steps: u32,
    /// Folder for the files; docs/figures in the checkout if not given.
    #[arg(long)]
    pub output: Option<PathBuf>,
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Worker threads, 1 to 1024; as many as the machine has if not given. The files do not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST)))]
    pub threads: Option<u16>,
    /// Start anew: forget which trainings an earlier call has finished.
    #[arg(long)]
    pub fresh: bool,
    /// The folder with data sets.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}
