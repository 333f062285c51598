//! The seed of a run that names none.

/// The master seed of the committed report.
pub const DEFAULT_SEED: u64 = 20_201_126;
