//! Everything that was seen, as comma-separated values.

use std::fmt::Write;

use super::super::status::Trouble;
use super::rows::{number, rows, together};
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

/// What [`csv`] has written.
///
/// # Errors
/// It has not.
pub fn parse(table: &str) -> Result<Vec<(Task, Vec<Look>)>, Trouble> {
    let read = |row: [&str; 11]| -> Result<(Task, Look), Trouble> {
        let [negatives, run, step, decimals @ ..] = row;
        let [trained_loss, one_negative, mean_classifier, from, to, there, smallest, largest] =
            decimals.map(str::to_owned);
        let task = Task { negatives: number(negatives)?, run: number(run)? };
        let look = Look {
            step: number(step)?,
            trained_loss,
            one_negative,
            mean_classifier,
            best_head: [from, to, there],
            smallest,
            largest,
        };
        Ok((task, look))
    };
    let read: Vec<(Task, Look)> = rows(table, HEADING)?.into_iter().map(read).collect::<Result<_, _>>()?;
    let trainings = together(read, |(task, _)| *task).into_iter();
    Ok(trainings.map(|(task, looks)| (task, looks.into_iter().map(|(_, look)| look).collect())).collect())
}
