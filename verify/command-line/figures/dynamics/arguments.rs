//! The words of `figures dynamics`.

use std::path::PathBuf;

use clap::Args;

use crate::seed::DEFAULT_SEED;
use crate::threads::MOST;

const EXAMPLES: &str = "\
Examples:
  contrapositive figures dynamics                            renew docs/figures/dynamics.{md,csv}, accuracy.csv and dynamics.svg
  contrapositive figures dynamics --digits 0,1 --widths 49,1024 --output elsewhere";

/// Train linear networks on two classes of MNIST as Esser et al. did, and draw their Figures 3 and 4.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = EXAMPLES,
    long_about = "Follows projected gradient descent (11) and Euler's scheme (12) from the same random networks on 200 images of each of \
                  two digits, measures how long a step of each takes at growing widths, and has a linear support vector machine tell \
                  the digits apart by the embeddings of both."
)]
pub struct Dynamics {
    /// Two digits.
    #[arg(long, value_delimiter = ',', default_values_t = [4, 9], value_parser = clap::value_parser!(u8).range(0..=9))]
    pub digits: Vec<u8>,
    /// Widths h of the networks, from 49, the number of their inputs.
    #[arg(long, value_delimiter = ',', default_values_t = [64, 256], value_parser = clap::value_parser!(u32).range(49..=8192))]
    pub widths: Vec<u32>,
    /// Widths at which a step of each is timed.
    #[arg(long, value_delimiter = ',', default_values_t = [64, 256, 1024, 4096], value_parser = clap::value_parser!(u32).range(49..=8192))]
    pub timed: Vec<u32>,
    /// Numbers z of outputs.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2], value_parser = clap::value_parser!(u32).range(1..=49))]
    pub outputs: Vec<u32>,
    /// Starts for each width and number of outputs.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub starts: u32,
    /// Steps of both schemes.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub steps: u32,
    /// Folder for the files; docs/figures in the checkout if not given.
    #[arg(long)]
    pub output: Option<PathBuf>,
    /// Master seed of every random stream.
    #[arg(long, default_value_t = DEFAULT_SEED)]
    pub seed: u64,
    /// Worker threads, 1 to 1024; as many as the machine has if not given. The tables do not depend on it; steps are timed on one.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST)))]
    pub threads: Option<u16>,
    /// The folder with data sets.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}
