//! Nothing: its `Cargo.toml` says which features the program, its tests and the Python package ask of crates of others, the same in each.
//!
//! Where one asked for other features, Cargo would compile the crate and all that stands on it once more. `.ci/run` holds them to this.
