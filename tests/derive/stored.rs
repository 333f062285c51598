//! Instances that are only described and validated by their declaration.

use contrapositive::instance::layout::Range;
use contrapositive::instance::{Chart, Instance};

use super::types::Simulation;

fn simulation(width: u32, times: &[f64]) -> Simulation {
    Simulation { width, times: times.to_vec() }
}

#[test]
fn functions_describe_and_shrink_where_they_are_named() {
    let run = simulation(8, &[1.0, 2.0]);
    assert_eq!(run.describe(), "8 units until Some(2.0)");
    assert_eq!(run.simpler(), [simulation(4, &[1.0, 2.0])]);
}

#[test]
fn ranges_lengths_and_the_further_condition_hold_all_the_same() {
    assert_eq!(simulation(8, &[1.0, 2.0]).validate(), Ok(()));
    let refused = [
        (simulation(0, &[1.0]), "m = 0 is not in [1, 1024]"),
        (simulation(8, &[f64::NAN]), "entry 1 of times = NaN is not a finite number"),
        (simulation(8, &[]), "times has 0 items, fewer than 1"),
        (simulation(8, &[2.0, 1.0]), "time runs backwards"),
    ];
    for (run, because) in refused {
        assert_eq!(run.validate(), Err(because.to_owned()));
    }
}

#[test]
fn the_stored_form_is_what_moves() {
    let run = simulation(8, &[1.0, 2.0]);
    let chart = run.chart();
    let stored = Chart::stored(&run);
    assert_eq!(chart.layout(), stored.layout());
    assert_eq!(chart.start(), stored.start());
    assert!(chart.layout().coordinates.iter().all(|c| c.range != Range::closed(0.0, 10.0)));
    assert!(Simulation::edges().is_empty() && run.with_size(0, 1).is_none());
}
