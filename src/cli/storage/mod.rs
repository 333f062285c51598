//! What runs leave on disk for other runs.
//!
//! Lowest first: `own_folders` (where), `sealed` (files with a checksum), `costs` (what claims cost), `shard` (a
//! part of a run), `carried` (data inside the program), `journal` (results of finished claims).

pub(crate) mod carried;
pub mod costs;
pub mod journal;
pub mod own_folders;
pub mod sealed;
pub mod shard;
