//! Work on a thread of its own: the interpreter's lock is free meanwhile, Ctrl-C is heard, and whoever asked is told how far it is.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use embeddings::Watcher;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

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
}

/// Does the work on another thread. An exception of a signal or of `progress` leaves the work to end at its next stage.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Arc<Watch>) -> T + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let (sender, receiver) = channel();
    let theirs = Arc::clone(&watch);
    std::thread::Builder::new()
        .name("contrapositive".into())
        .spawn(move || {
            // Whoever has gone wants to hear nothing.
            let _ = sender.send(catch_unwind(AssertUnwindSafe(|| work(&theirs))));
        })
        .map_err(|error| PyRuntimeError::new_err(format!("no thread could be started: {error}")))?;
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
                    return Err(error);
                }
            }
        }
    }
}
