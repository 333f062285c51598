//! The compiled part of the Python package `contrapositive`: numbers, arrays, and work without the interpreter's lock. What a reader in
//! Python sees of it (words, tables, pages) is written in Python, in `contrapositive/`.
//!
//! Lowest first: `numbers`, `growth`, `worker`, `arrays`, `refusal`; `typed`
//! (statements as text), `written` (claims as functions), `catalogue` (the claims of the papers), `measured` (losses and bounds of arrays).

mod arrays;
mod catalogue;
mod growth;
mod measured;
mod numbers;
mod refusal;
mod typed;
mod worker;
mod written;

#[pyo3::pymodule]
#[pyo3(name = "_native")]
mod native {
    #[pymodule_export]
    use super::catalogue::{claims, gathered, recorded, replay, verify};
    #[pymodule_export]
    use super::growth::Trend;
    #[pymodule_export]
    use super::measured::{bounds, default_settings, losses, views};
    #[pymodule_export]
    use super::numbers::{
        Comparison, Enclosure, Undefined, all_of, clopper_pearson, enclosure, equal, judged, log_sum_exp, measured, pi,
        recalled,
    };
    #[pymodule_export]
    use super::typed::{again, attempt};
    #[pymodule_export]
    use super::written::{Draws, names, run};
}
