//! How many threads a command works on.

use super::status::Trouble;

/// Does the work on so many threads; on as many as the machine has if no number is given.
pub fn on_threads<R: Send>(threads: Option<usize>, work: impl FnOnce() -> R + Send) -> Result<R, Trouble> {
    let Some(threads) = threads else {
        return Ok(work());
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool
        .map_err(|source| Trouble::Threads { threads, source })?
        .install(work))
}
