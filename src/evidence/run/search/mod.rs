//! The adversarial search for an instance that violates a check.
//!
//! It ends after an amount of counted work, so that a cheap statement is looked at tens of thousands of times and a costly one as often
//! as it must be. A larger budget first repeats what the smaller ones do, look for look, so that it never loses what they find.
//!
//! Lowest first: `effort`, `space` (an instance as numbers), `problem` (what is climbed), `encoding`; the moves `spectrum`, `moves`, `axes`,
//! `evolution`, `exchange`, `quasi_newton`, `simplex`, `whole`, `boundary`, `hop`, `separable`, `trend`; `portfolio` (their turns),
//! `closeness` (how close an outcome is to a violation), `looks` (what was seen), `stages` (by budget).

mod axes;
mod boundary;
mod closeness;
mod effort;
mod encoding;
mod evolution;
mod exchange;
mod hop;
mod looks;
mod moves;
mod portfolio;
mod problem;
mod quasi_newton;
mod separable;
mod simplex;
mod space;
mod spectrum;
mod stages;
mod trend;
mod whole;

pub(crate) use effort::Effort;
pub(crate) use looks::{SearchResult, Trials};
pub(crate) use portfolio::{climb, height};
pub(crate) use problem::{Height, Slopes};
pub(crate) use stages::{Start, search};
