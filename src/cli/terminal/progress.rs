//! Progress: how far a run is and how long it will take on a terminal, plain lines elsewhere.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use evidence::run::{Event, Observer};
use indicatif::{MultiProgress, ProgressBar, ProgressState, ProgressStyle};

use super::console::tell;
use super::estimate::{Standing, line, running};

/// How often what is shown moves on by itself: a claim may take a quarter of a minute, and says nothing meanwhile.
const TICK: Duration = Duration::from_millis(500);

/// Shows how far the claims are, trials made, and the claims at hand, on standard error.
pub struct Progress {
    bars: Option<[ProgressBar; 2]>,
    state: Arc<Mutex<State>>,
}

struct State {
    claims: usize,
    done: usize,
    trials: usize,
    /// Seconds that each claim costs, as far as is known.
    costs: BTreeMap<String, f64>,
    /// What is claimed of a claim whose cost is not known.
    usual: f64,
    /// When each of the claims at hand began.
    running: BTreeMap<String, Instant>,
    began: Instant,
    standing: Standing,
}

impl Progress {
    /// Progress of these claims, each with the seconds that it costs where they are known, on so many threads; of so many more that were
    /// done before. `measured` says that the costs are those of this kind of run.
    #[must_use]
    pub fn of<'a>(
        claims: impl Iterator<Item = (&'a str, Option<f64>)>,
        before: usize,
        threads: usize,
        measured: bool,
    ) -> Self {
        let all: Vec<(String, Option<f64>)> = claims.map(|(id, cost)| (id.to_owned(), cost)).collect();
        let known: Vec<f64> = all.iter().filter_map(|(_, cost)| *cost).collect();
        let usual = if known.is_empty() { 1.0 } else { known.iter().sum::<f64>() / known.len() as f64 };
        let costs: BTreeMap<String, f64> = all.into_iter().map(|(id, c)| (id, c.unwrap_or(usual))).collect();
        let state = Arc::new(Mutex::new(State {
            claims: costs.len() + before,
            done: before,
            trials: 0,
            usual,
            running: BTreeMap::new(),
            began: Instant::now(),
            standing: Standing::new(costs.values().sum(), threads, measured && !known.is_empty()),
            costs,
        }));
        let bars = std::io::stderr().is_terminal().then(|| bars(&state));
        Progress { bars, state }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A claim is not to be run after all.
    pub fn leave_out(&self, claim: &str) {
        let mut state = self.state();
        state.claims -= 1;
        state.standing.total -= state.cost(claim);
    }

    /// Removes what is shown.
    pub fn finish(&self) {
        for bar in self.bars.iter().flatten() {
            bar.finish_and_clear();
        }
    }

    /// A claim is done, and this is said of it where nothing else is shown.
    fn done(&self, claim: &str, said: impl FnOnce() -> String) {
        let mut state = self.state();
        state.running.remove(claim);
        state.done += 1;
        state.standing.finished += state.cost(claim);
        if self.bars.is_none() {
            tell!("{}/{} {claim}: {}", state.done, state.claims, said());
        }
    }
}

/// The two lines on a terminal, each written anew from the state whenever it is drawn.
fn bars(state: &Arc<Mutex<State>>) -> [ProgressBar; 2] {
    let all = MultiProgress::new();
    let lines: [fn(&State) -> String; 2] =
        [|s| line(&s.now(), (s.done, s.claims)), |s| running(s.trials, s.running.keys().map(String::as_str))];
    lines.map(|written| {
        let state = Arc::clone(state);
        let key = move |_: &ProgressState, out: &mut dyn Write| {
            let state = state.lock().unwrap_or_else(PoisonError::into_inner);
            // A line that cannot be written is not shown.
            let _ = out.write_str(&written(&state));
        };
        let style = ProgressStyle::with_template("{written}").unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = all.add(ProgressBar::no_length());
        bar.set_style(style.with_key("written", key));
        bar.enable_steady_tick(TICK);
        bar
    })
}

impl State {
    fn cost(&self, claim: &str) -> f64 {
        self.costs.get(claim).copied().unwrap_or(self.usual)
    }

    /// How the run stands at this moment.
    fn now(&self) -> Standing {
        let at_hand = self.running.iter();
        Standing {
            elapsed: self.began.elapsed().as_secs_f64(),
            running: at_hand.map(|(claim, began)| (self.cost(claim), began.elapsed().as_secs_f64())).collect(),
            ..self.standing.clone()
        }
    }
}

impl Observer for Progress {
    fn event(&self, event: Event) {
        match event {
            Event::Started { claim } => {
                self.state().running.insert(claim, Instant::now());
            }
            Event::Tried { trials } => self.state().trials += trials,
            Event::Finished { claim, verdict, as_expected } => {
                let remark = if as_expected { "" } else { ", not as expected" };
                self.done(&claim, || format!("{verdict}{remark}"));
            }
            Event::Mutated { claim, mutants, survivors } => {
                self.done(&claim, || format!("{survivors} of {mutants} mutants survive"))
            }
        }
    }
}
