//! Everything that was seen, as comma-separated values.

use std::fmt::Write;

use super::training::{Look, Task};

/// The names of the columns.
const HEADING: &str =
    "negatives,run,updates,L_un^N,L_un^1,L_sup^mu,L_sup from,L_sup to,L_sup^mu there,smallest norm,largest norm\n";

/// One row for each moment of each training.
pub fn csv(trainings: &[(Task, Vec<Look>)]) -> String {
    let mut text = HEADING.to_owned();
    for (task, looks) in trainings {
        for look in looks {
            let [from, to, there] = &look.best_head;
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{},{},{},{}",
                task.negatives,
                task.run,
                look.step,
                look.trained_loss,
                look.one_negative,
                look.mean_classifier,
                from,
                to,
                there,
                look.smallest,
                look.largest
            );
        }
    }
    text
}
