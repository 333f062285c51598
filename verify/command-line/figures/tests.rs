//! What is committed below docs/figures is what its tables give now: pages and pictures are drawn again, and nothing is trained.
//!
//! `RENEW_FIGURES=1 cargo test -p contrapositive-command-line --lib figures::tests` writes what has changed.

use std::fs;
use std::path::Path;

use clap::{Args, Command, FromArgMatches};

use super::arguments::Figures;
use super::dynamics::arguments::Dynamics;
use super::images::Images;
use super::two_views::arguments::TwoViews;
use super::{drawn, dynamics, plan, two_views};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The options of the command without any arguments, but for the data of this repository.
fn options<O: Args + FromArgMatches>() -> O {
    let fixtures = Path::new(ROOT).join("fixtures");
    let words = ["figures".as_ref(), "--fixtures".as_ref(), fixtures.as_os_str()];
    let matches = O::augment_args(Command::new("figures")).get_matches_from(words);
    O::from_arg_matches(&matches).unwrap()
}

fn committed(name: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join("docs/figures").join(name)).unwrap_or_default()
}

fn are_current(files: Vec<(&'static str, String)>) {
    let stale: Vec<_> = files.into_iter().filter(|(name, text)| committed(name) != *text).collect();
    if std::env::var_os("RENEW_FIGURES").is_some() {
        for (name, text) in stale {
            fs::write(Path::new(ROOT).join("docs/figures").join(name), text).unwrap();
        }
        return;
    }
    let names: Vec<_> = stale.iter().map(|(name, _)| name).collect();
    assert!(
        names.is_empty(),
        "docs/figures: {names:?} are not what the tables beside them give; `RENEW_FIGURES=1 cargo test -p \
         contrapositive-command-line --lib figures::tests` draws them again"
    );
}

#[test]
fn the_trainings_of_encoders_are_drawn_as_committed() {
    let options: Figures = options();
    let images = Images::of(&options).unwrap();
    are_current(drawn(&committed("contrastive.csv"), &plan(&options, &images), &images, &options).unwrap());
}

#[test]
fn the_two_views_are_drawn_as_committed() {
    let options: TwoViews = options();
    let halves = two_views::halves(&options).unwrap();
    are_current(two_views::drawn(&committed("two-views.csv"), &halves, &options).unwrap());
}

#[test]
fn both_schemes_are_drawn_as_committed() {
    let options: Dynamics = options();
    let pairs = dynamics::pairs(&options).unwrap();
    let tables = ["dynamics.csv", "accuracy.csv", "times.csv"].map(committed);
    are_current(dynamics::drawn(tables.each_ref().map(String::as_str), &pairs, &options).unwrap());
}
