//! Conjunctions: the statement that every part holds, judged by its worst part.

use crate::comparison::{Comparison, Evaluation};
use crate::judge::{Judgement, judge};

/// The statement that every part holds, judged by its worst part; each part is named so that the report can say which one
/// that was. Parts that are vacuous are left out unless all are.
pub fn all_of<N: Into<String>>(parts: impl IntoIterator<Item = (N, Evaluation)>) -> Evaluation {
    let mut worst: Option<(u8, f64, Comparison)> = None;
    let mut left_out: Vec<String> = Vec::new();
    let mut leave_out = |reason: String| {
        if !left_out.contains(&reason) {
            left_out.push(reason);
        }
    };
    for (name, part) in parts {
        match part {
            Evaluation::Failed(_) => return part,
            Evaluation::Vacuous(reason) => leave_out(reason),
            Evaluation::Compared(mut c) => {
                std::mem::take(&mut c.left_out).into_iter().for_each(&mut leave_out);
                let rank = match judge(&c) {
                    Judgement::Violated => 0,
                    Judgement::Undecided => 1,
                    Judgement::Touches => 2,
                    Judgement::Holds => 3,
                };
                let room = c.relative_margin();
                if worst.as_ref().is_none_or(|(r, m, _)| (rank, room) < (*r, *m)) {
                    let name = name.into();
                    c.note = Some(c.note.map_or_else(|| name.clone(), |note| format!("{name}: {note}")));
                    worst = Some((rank, room, c));
                }
            }
        }
    }
    match worst {
        Some((_, _, c)) => Evaluation::Compared(Comparison { left_out, ..c }),
        None => Evaluation::Vacuous(left_out.pop().unwrap_or_else(|| "no part applies".into())),
    }
}
