//! Progress: bars on a terminal, plain lines elsewhere.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use evidence::run::{Event, Observer};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::console::tell;

/// Shows claims done, trials made, and the claims at hand, on standard error.
pub struct Progress {
    claims: ProgressBar,
    trials: ProgressBar,
    terminal: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    total: usize,
    done: usize,
    running: BTreeSet<String>,
}

impl Progress {
    /// Progress of so many claims, some of them done before.
    #[must_use]
    pub fn of(total: usize, done: usize) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bars = MultiProgress::new();
        let (claims, trials) = if terminal {
            (
                bars.add(ProgressBar::new(total as u64)),
                bars.add(ProgressBar::no_length()),
            )
        } else {
            (ProgressBar::hidden(), ProgressBar::hidden())
        };
        let style =
            |template: &str| ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        claims.set_position(done as u64);
        claims.set_style(style("{elapsed_precise} {wide_bar} {pos}/{len} claims"));
        trials.set_style(style("         {human_pos} trials  {wide_msg}"));
        Progress {
            claims,
            trials,
            terminal,
            state: Mutex::new(State {
                total,
                done,
                ..State::default()
            }),
        }
    }

    /// One claim fewer is to be run.
    pub fn leave_out(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.total -= 1;
        self.claims.dec_length(1);
    }

    /// Removes the bars.
    pub fn finish(&self) {
        self.trials.finish_and_clear();
        self.claims.finish_and_clear();
    }
}

impl Observer for Progress {
    fn event(&self, event: Event) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started { claim } => {
                state.running.insert(claim);
            }
            Event::Tried { trials } => {
                drop(state);
                self.trials.inc(trials as u64);
                return;
            }
            Event::Finished {
                claim,
                verdict,
                as_expected,
            } => {
                state.running.remove(&claim);
                state.done += 1;
                self.claims.inc(1);
                if !self.terminal {
                    let remark = if as_expected { "" } else { ", not as expected" };
                    tell!("{}/{} {claim}: {verdict}{remark}", state.done, state.total);
                }
            }
            Event::Mutated {
                claim,
                mutants,
                survivors,
            } => {
                state.running.remove(&claim);
                state.done += 1;
                self.claims.inc(1);
                if !self.terminal {
                    tell!(
                        "{}/{} {claim}: {survivors} of {mutants} mutants survive",
                        state.done,
                        state.total
                    );
                }
            }
        }
        let running: Vec<&str> = state.running.iter().map(String::as_str).collect();
        self.trials.set_message(running.join(", "));
    }
}
