//! What several files of tests need.

pub mod committed;
pub mod npy;
pub mod schema;
pub mod whole_run;
