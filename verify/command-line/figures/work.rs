//! The work behind a page, piece by piece on all threads: what is finished is kept, told, and not done again.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use super::super::console::say;
use super::super::status::Trouble;
use super::kept::Kept;
use super::piece::Piece;

/// What was seen in every piece, whether now or by an earlier call.
///
/// # Errors
/// A piece cannot be done or kept, or nobody listens any more.
pub fn carry_out<P: Piece>(pieces: &[P], kept: &Kept) -> Result<Vec<P::Seen>, Trouble> {
    let bar = Bar::towards(pieces.iter().map(Piece::cost).sum());
    let one = |piece: &P| -> Result<P::Seen, Trouble> {
        let name = piece.name();
        if let Some(seen) = kept.recall(&name) {
            bar.skip(piece.cost());
            return Ok(seen);
        }
        bar.note(name.clone());
        let seen = piece.carry_out(&|cost| bar.advance(cost))?;
        kept.keep(&name, &seen)?;
        // Asked beforehand: the bar does not answer while others print.
        let left = bar.left();
        bar.around(|| say!("{name}: {}{left}", piece.told(&seen)))?;
        Ok(seen)
    };
    let seen = pieces.par_iter().with_max_len(1).map(one).collect();
    bar.finish();
    seen
}

/// A bar over all pieces where there is a terminal, and the time left for the lines that are printed everywhere.
struct Bar {
    bar: ProgressBar,
    begin: Instant,
}

impl Bar {
    fn towards(cost: u64) -> Self {
        let target =
            if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(cost), target);
        let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {percent} %  {eta_precise} left  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar { bar, begin: Instant::now() }
    }

    fn advance(&self, cost: u64) {
        self.bar.inc(cost);
    }

    /// So much need not be paid again.
    fn skip(&self, cost: u64) {
        self.bar.set_length(self.bar.length().unwrap_or(cost).saturating_sub(cost));
    }

    fn note(&self, message: String) {
        self.bar.set_message(message);
    }

    /// The time left in words that follow others, if all goes on as it has until now; nothing at the end.
    fn left(&self) -> String {
        let (paid, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
        in_words(self.begin.elapsed(), paid, all).map_or(String::new(), |words| format!(" ({words} left)"))
    }

    /// Prints without disturbing the bar.
    fn around<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How long the rest takes if so much of everything took so long.
fn in_words(elapsed: Duration, paid: u64, all: u64) -> Option<String> {
    if paid == 0 || paid >= all {
        return None;
    }
    let seconds = elapsed.as_secs_f64() / paid as f64 * (all - paid) as f64;
    Some(match seconds {
        0.0..100.0 => format!("{seconds:.0} s"),
        _ => format!("{:.0} min", seconds / 60.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_takes_as_long_as_what_went_before() {
        let left = |seconds, paid| in_words(Duration::from_secs(seconds), paid, 10);
        assert_eq!(left(30, 4).as_deref(), Some("45 s"));
        assert_eq!(left(300, 1).as_deref(), Some("45 min"));
        assert_eq!((left(5, 0), left(5, 10)), (None, None));
    }
}
