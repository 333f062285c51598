//! The words of `figures`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::dynamics::arguments::Dynamics;
use super::two_views::arguments::TwoViews;
use crate::seed::DEFAULT_SEED;
use crate::threads::MOST;

const EXAMPLES: &str = "\
Examples:
  contrapositive figures                                     renew docs/figures/contrastive.{md,csv} and figure-*.svg
  contrapositive figures --steps 5000 --output longer        five times as long, elsewhere
  contrapositive figures dynamics                            the Figures 3 and 4 of Esser et al.
  contrapositive figures two-views                           the model of Ren and Li on halves of images
  contrapositive figures --data images-idx3-ubyte.gz labels-idx1-ubyte.gz
  contrapositive figures --data data_batch_1.bin data_batch_2.bin --per-class 1000";

/// Train encoders on images as Merad et al. did, and draw their Figures 1 to 3.
#[derive(Clone, Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = EXAMPLES,
    long_about = "Trains a small convolutional encoder on images by the contrastive loss with N negatives, for several \
                  N and several starts, and writes down the losses of all images, enclosed, and the norms of their \
                  embeddings at a dozen moments of every training. From these the Figures 1 to 3 of Merad et al. are \
                  drawn. Finished trainings are kept until all are done: the same command goes on where it was \
                  stopped."
)]
pub struct Figures {
    /// Figures of another paper.
    #[command(subcommand)]
    pub other: Option<Other>,
    /// Images and labels of your own in place of the MNIST images: an IDX pair, plain or gzip, or two NumPy files with one row for
    /// each square image, of one channel or of three, one channel after the other. Or the binary files of CIFAR-10 or CIFAR-100, which
    /// end in .bin and hold both.
    #[arg(long, num_args = 1.., value_names = ["IMAGES", "LABELS"])]
    pub data: Option<Vec<PathBuf>>,
    /// Images of each class; the first ones are taken, all classes alike.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    pub per_class: u32,
    /// Numbers of negatives.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 15, 25, 35], value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub negatives: Vec<u32>,
    /// Trainings for each number of negatives.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub runs: u32,
    /// Updates of a training.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub steps: u32,
    /// Pairs of a mini-batch; its negatives are shared.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub batch: u32,
    /// Folder for the files; docs/figures in the checkout if not given, or ./figures for images of your own.
    #[arg(long)]
    pub output: Option<PathBuf>,
    /// Draw nothing: write start, mini-batches and losses of the first training to this file as JSON, for an independent
    /// implementation to repeat (benches/peers/contrastive_training.py).
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "fresh"])]
    pub export: Option<PathBuf>,
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

/// What else can be drawn.
#[derive(Clone, Debug, Subcommand)]
pub enum Other {
    /// Follow linear networks on two classes of MNIST by both schemes of Esser et al., and draw their Figures 3 and 4.
    Dynamics(Dynamics),
    /// Train the linear two-view model of Ren and Li on left and right halves of MNIST images: an observation of ours.
    TwoViews(TwoViews),
}
