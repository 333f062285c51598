//! What several files of tests need.

pub mod committed;
pub mod npy;
pub mod schema;
pub mod whole_run;

/// Whether long tests run whole, which they do with `WHOLE_TESTS=1`; otherwise they take a part that takes a minute.
pub fn whole_tests() -> bool {
    std::env::var_os("WHOLE_TESTS").is_some()
}
