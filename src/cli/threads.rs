//! How many threads a command works on, and with how much stack.

use super::status::Trouble;

/// More threads than this are refused: the largest machines have fewer processors, and every thread needs [`STACK`].
pub const MOST: u16 = 1024;

/// Stack of a worker thread in bytes: what the first thread of a program has on Linux, whatever the environment says. It is address
/// space; only what is used becomes memory.
pub const STACK: usize = 8 << 20;

/// Does the work on so many threads; on as many as the machine has if no number is given.
pub fn on_threads<R: Send>(threads: Option<u16>, work: impl FnOnce() -> R + Send) -> Result<R, Trouble> {
    // None for rayon's own choice.
    let threads = threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build();
    Ok(pool
        .map_err(|source| Trouble::Threads { threads, source })?
        .install(work))
}
