//! The commands of every catalogue.
//!
//! Lowest first: `schema`, `list`, `explain`, `replay`, `mutate`, `merge`, `verify`.

pub(crate) mod explain;
pub(crate) mod list;
pub mod merge;
pub(crate) mod mutate;
pub(crate) mod replay;
pub(crate) mod schema;
pub mod verify;
