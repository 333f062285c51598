//! Work on threads of its own: the interpreter's lock is free meanwhile, Ctrl-C is heard, and whoever asked is told how far it is.
//!
//! Rayon's own pool would do for a program. Here a process may fork, and its child has none of the threads of a pool; and a function in
//! Python that is tried may ask for work itself, for which its own pool has no thread left.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use embeddings::Watcher;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Stack of a thread in bytes, as in the program.
const STACK: usize = 8 << 20;

/// After how long a stage that says nothing new is told again.
const AGAIN: Duration = Duration::from_secs(1);

/// How often the signals are looked at.
const PAUSE: Duration = Duration::from_millis(50);

/// What the thread that works and the one that waits tell each other.
#[derive(Default)]
pub struct Watch {
    stopped: AtomicBool,
    news: Mutex<Option<News>>,
    stage: Mutex<String>,
}

/// The stage of the work, the share of it that is done, what is known by now.
type News = (String, f64, String);

/// The work was given up because nobody waits for it any longer.
struct GivenUp;

fn held<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    /// Whether nobody waits any longer.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Nobody is to wait any longer.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Leaves the work if nobody waits any longer.
    pub fn leave_if_stopped(&self) {
        if self.is_stopped() {
            // Not a panic, which would have a message.
            resume_unwind(Box::new(GivenUp));
        }
    }

    fn tell(&self, share: f64, known: &str) {
        self.leave_if_stopped();
        let stage = held(&self.stage).clone();
        *held(&self.news) = Some((stage, share.clamp(0.0, 1.0), known.to_owned()));
    }
}

impl Watcher for Watch {
    fn begin(&self, stage: &str, _work: f64) {
        stage.clone_into(&mut held(&self.stage));
        self.tell(0.0, "");
    }

    fn advance(&self, share: f64, known: &str) {
        self.tell(share, known);
    }

    fn pass(&self) {
        self.leave_if_stopped();
    }
}

/// Whose threads work.
#[derive(Clone, Copy)]
pub enum Threads {
    /// Those of the process, for work that never asks Python anything.
    Shared,
    /// Some of its own, for work that calls functions in Python: these may wait for work of the other kind.
    Own,
}

/// The threads of this process, and the process that they belong to.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

impl Threads {
    /// Gives the pool of this process up: its work ends at its next piece, and who comes next need not wait for that. Others that work on it go on.
    fn give_up(self) {
        if matches!(self, Threads::Shared) {
            let mut held = held(&POOL);
            if held.as_ref().is_some_and(|(owner, _)| *owner == std::process::id()) {
                *held = None;
            }
        }
    }

    /// The pool of this process, or one for this work; of functions that are tried inside of one another each has one thread more.
    fn pool(self) -> PyResult<Arc<ThreadPool>> {
        let made = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
            pool.map(Arc::new).map_err(|error| PyRuntimeError::new_err(format!("no thread could be started: {error}")))
        };
        match self {
            Threads::Own => made(usize::from(rayon::current_thread_index().is_some())),
            Threads::Shared => {
                // Only who holds the interpreter's lock comes here, so that no fork finds this one locked.
                let mut held = held(&POOL);
                let here = std::process::id();
                if let Some((_, pool)) = held.as_ref().filter(|(owner, _)| *owner == here) {
                    return Ok(Arc::clone(pool));
                }
                let pool = made(0)?;
                // The threads of a parent's pool are not here, and nobody could wait for them.
                std::mem::forget(held.replace((here, Arc::clone(&pool))));
                Ok(pool)
            }
        }
    }
}

/// Does the work on other threads, which never ask Python anything. An exception of a signal or of `progress` leaves the work to end at its next
/// piece.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Arc<Watch>) -> T + Send + 'static,
) -> PyResult<T> {
    run_on(Threads::Shared, py, progress, work)
}

/// Does the work on threads of one kind.
pub fn run_on<T: Send + 'static>(
    threads: Threads,
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Arc<Watch>) -> T + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let (sender, receiver) = channel();
    let theirs = Arc::clone(&watch);
    let pool = threads.pool()?;
    pool.spawn(move || {
        // The reader is gone: no message.
        let _ = sender.send(catch_unwind(AssertUnwindSafe(|| work(&theirs))));
    });
    // A channel's end may not be shared between threads, and releasing the lock asks for that.
    let receiver = Mutex::new(receiver);
    let mut last: Option<(News, Instant)> = None;
    loop {
        match py.detach(|| held(&receiver).recv_timeout(PAUSE)) {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(panic)) => {
                let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                return Err(PyRuntimeError::new_err(format!(
                    "an error of this library: {}",
                    text.unwrap_or_else(|| "a panic".into())
                )));
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the thread that worked has ended without an answer"));
            }
            Err(RecvTimeoutError::Timeout) => {
                let fresh = held(&watch.news).take();
                let again = || (last.as_ref()).filter(|(_, then)| then.elapsed() > AGAIN).map(|(news, _)| news.clone());
                let news = fresh.or_else(again);
                let heard = py.check_signals().and_then(|()| match (progress, news) {
                    (Some(progress), Some(news)) => {
                        last = Some((news.clone(), Instant::now()));
                        progress.call1(news).map(|_| ())
                    }
                    _ => Ok(()),
                });
                if let Err(error) = heard {
                    watch.stop();
                    threads.give_up();
                    return Err(error);
                }
            }
        }
    }
}
