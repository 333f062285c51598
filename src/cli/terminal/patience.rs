//! A word for whoever waits: what says nothing of itself for two seconds is said to be still at work.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::console::tell;

/// After how long the first word comes; each further one takes twice as long.
const FIRST: Duration = Duration::from_secs(2);

/// As long as it lives, a line on standard error tells now and then that the work goes on.
pub struct Patience {
    _end: Sender<()>,
}

impl Patience {
    /// For work that is called so.
    #[must_use]
    pub fn with(work: &'static str) -> Self {
        let (end, ended) = channel();
        let begun = Instant::now();
        // Without a thread there is no word, and the work is done all the same.
        let _ = std::thread::Builder::new().name("patience".into()).spawn(move || {
            let mut pause = FIRST;
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                tell!("{work}: running for {} s", begun.elapsed().as_secs());
                pause = begun.elapsed();
            }
        });
        Patience { _end: end }
    }
}
