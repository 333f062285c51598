//! How a command ends: what it writes, the errors that stop it, its exit status.
//!
//! Lowest first: `format` (forms of output), `merge_error` (why shards make no run), `status` (errors and exit
//! statuses).

pub(crate) mod format;
pub(crate) mod merge_error;
pub(crate) mod status;
