//! The words of `figures dynamics`.

use std::path::PathBuf;

use clap::Args;

use crate::seed::DEFAULT_SEED;
use crate::threads::MOST;

const EXAMPLES: &str = "\
Examples:
  contrapositive figures dynamics                            renew docs/figures/dynamics.*, accuracy.csv, times.csv \
  and figure-4.svg
  contrapositive figures dynamics --digits 3,8 --widths 49,1024 --output elsewhere";

/// Train linear networks on two classes of MNIST as Esser et al. did, and draw their Figures 3 and 4.
#[derive(Clone, Debug, Args)]
#[command(
    after_help = EXAMPLES,
    long_about = "Follows projected gradient descent (11) and Euler's scheme (12) from the same random networks on 200 \
                  images of each of two digits, measures how long a step of each takes at growing widths, and has a \
                  linear support vector machine tell the digits apart by the embeddings of both. Finished starts are \
                  kept until all are done: the same command goes on where it was stopped."
)]
pub struct Dynamics {
    /// Two digits; once more for another pair.
    #[arg(long, value_name = "A,B", default_values = ["4,9", "0,1"], value_parser = pair)]
    pub digits: Vec<[u8; 2]>,
    /// Widths h of the networks for the first pair of digits, from 49, the number of their inputs; other pairs are followed at the smallest.
    #[arg(long, value_delimiter = ',', default_values_t = [64, 256, 1024], value_parser = clap::value_parser!(u32).range(49..=8192))]
    pub widths: Vec<u32>,
    /// Widths at which a step of each is timed.
    #[arg(long, value_delimiter = ',', default_values_t = [64, 256, 1024, 4096], value_parser = clap::value_parser!(u32).range(49..=8192))]
    pub timed: Vec<u32>,
    /// Numbers z of outputs.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 8], value_parser = clap::value_parser!(u32).range(1..=49))]
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
    /// Start anew: forget which starts an earlier call has followed to their end.
    #[arg(long)]
    pub fresh: bool,
    /// The folder with data sets.
    #[arg(long)]
    pub fixtures: Option<PathBuf>,
}

/// Two different digits, with a comma between them.
fn pair(words: &str) -> Result<[u8; 2], String> {
    let digits: Vec<&str> = words.split(',').collect();
    let [first, second] = digits[..] else {
        return Err(format!("two digits are wanted, not {}", digits.len()));
    };
    let digit = |word: &str| {
        let digit = word.parse::<u8>().ok().filter(|digit| *digit < 10);
        digit.ok_or_else(|| format!("{word:?} is no digit"))
    };
    let [first, second] = [digit(first)?, digit(second)?];
    if first == second {
        return Err(format!("two different digits are wanted, not {first} twice"));
    }
    Ok([first, second])
}
