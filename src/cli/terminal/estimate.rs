//! How long a run will still take: from what its claims cost, what has been done, and how fast that went.

use std::time::Duration;

/// Seconds of work at the pace of the table that the first estimates rest on beside what was seen.
const TRUST: f64 = 5.0;

/// A claim at hand is never taken to be further than this.
const ALMOST: f64 = 0.95;

/// How a run stands. Costs are seconds of one processor, those that the table was measured on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// What all claims cost.
    pub total: f64,
    /// What the finished ones cost.
    pub finished: f64,
    /// The claims at hand: what each costs, and the seconds since it began.
    pub running: Vec<(f64, f64)>,
    /// Seconds since the beginning.
    pub elapsed: f64,
    /// Threads that work.
    pub threads: usize,
    /// Whether the costs are those of this kind of run, so that they say something before any claim is finished.
    pub measured: bool,
}

impl Standing {
    /// A run that begins.
    #[must_use]
    pub fn new(total: f64, threads: usize, measured: bool) -> Self {
        Standing { total, threads: threads.max(1), measured, ..Standing::default() }
    }

    /// Costs that a thread works off in a second: what was finished, over the time that the threads gave to it.
    fn pace(&self) -> Option<f64> {
        let at_hand: f64 = self.running.iter().map(|(_, seconds)| seconds).sum();
        let given = (self.threads as f64 * self.elapsed - at_hand).max(0.0);
        let trust = if self.measured { TRUST } else { 0.0 };
        let pace = (self.finished + trust) / (given + trust);
        (pace > 0.0 && pace.is_finite()).then_some(pace)
    }

    /// What is done of a claim that costs so much and runs for so long.
    fn done_of(&self, (cost, seconds): (f64, f64)) -> f64 {
        (self.pace().unwrap_or(0.0) * seconds).min(ALMOST * cost)
    }

    /// The share of the run that is done, between zero and one.
    #[must_use]
    pub fn share(&self) -> f64 {
        let at_hand: f64 = self.running.iter().map(|&claim| self.done_of(claim)).sum();
        if self.total > 0.0 { ((self.finished + at_hand) / self.total).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// Seconds that are left: until all threads together have done the rest, and not less than the claim at hand that takes longest. None
    /// where nothing is known yet.
    #[must_use]
    pub fn left(&self) -> Option<f64> {
        let pace = self.pace()?;
        let together = self.total * (1.0 - self.share()) / (pace * self.threads as f64);
        let longest = self.running.iter().map(|&(cost, s)| (cost - self.done_of((cost, s))) / pace);
        Some(longest.fold(together, f64::max))
    }
}

/// Cells of the bar.
const CELLS: usize = 16;

/// The line of a run at this moment, of `(done, all)` claims; 80 columns at most.
#[must_use]
pub fn line(now: &Standing, (done, all): (usize, usize)) -> String {
    let share = now.share();
    let full = (share * CELLS as f64) as usize;
    let bar: String = (0..CELLS).map(|cell| if cell < full { '█' } else { '░' }).collect();
    // Nothing is finished before it is.
    let percent = ((100.0 * share) as u32).min(if done < all { 99 } else { 100 });
    let left = match now.left() {
        _ if done >= all => String::new(),
        Some(left) => format!(", about {} left", clock(left)),
        None => String::new(),
    };
    format!("{} {bar} {percent:>3} %  {done}/{all} claims{left}", clock(now.elapsed))
}

/// Minutes and seconds, and hours where there are any.
fn clock(seconds: f64) -> String {
    let seconds = Duration::try_from_secs_f64(seconds).map_or(u64::MAX, |d| d.as_secs()).min(359_999);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Columns of a line.
const COLUMNS: usize = 80;

/// The line of the trials made and of the claims at hand; 80 columns at most, the names that find no room counted.
#[must_use]
pub fn running<'a>(trials: usize, claims: impl Iterator<Item = &'a str>) -> String {
    let claims: Vec<&str> = claims.collect();
    let mut line = format!("{trials} trials");
    for (at, claim) in claims.iter().enumerate() {
        let others = claims.len() - at;
        let more = format!(" and {others} more");
        let needed = claim.chars().count() + 2 + if others > 1 { more.len() } else { 0 };
        if line.chars().count() + needed > COLUMNS {
            line += &more;
            break;
        }
        line += if at == 0 { "  " } else { ", " };
        line += claim;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Option<f64>, expected: f64) {
        let found = found.expect("an estimate");
        assert!((found - expected).abs() < 1e-9 * (1.0 + expected), "{found}, {expected}");
    }

    #[test]
    fn a_run_at_the_pace_of_the_table_ends_when_the_table_says() {
        let start = Standing::new(120.0, 2, true);
        close(start.left(), 60.0);
        assert_eq!(start.share(), 0.0);
        // Nothing is finished after ten seconds, but the two claims at hand have come on.
        let now = Standing { running: vec![(15.0, 10.0), (30.0, 10.0)], elapsed: 10.0, ..start.clone() };
        close(now.left(), 50.0);
        assert!((now.share() - 20.0 / 120.0).abs() < 1e-12);
        let later = Standing { finished: 60.0, elapsed: 30.0, ..start };
        close(later.left(), 30.0);
    }

    #[test]
    fn a_slower_machine_is_found_out() {
        // Half the pace: after a minute the two threads have done 60 of 180 seconds, and the rest takes two minutes more.
        let mut now = Standing { finished: 60.0, elapsed: 60.0, ..Standing::new(180.0, 2, false) };
        close(now.left(), 120.0);
        // The table's word counts for five seconds.
        now.measured = true;
        close(now.left(), 120.0 / (2.0 * 65.0 / 125.0));
    }

    #[test]
    fn what_was_measured_of_other_runs_says_nothing_before_a_claim_is_finished() {
        let start = Standing::new(100.0, 4, false);
        assert_eq!((start.left(), start.share()), (None, 0.0));
        let now = Standing { running: vec![(10.0, 1.0)], elapsed: 1.0, ..start };
        assert_eq!((now.left(), now.share()), (None, 0.0));
    }

    #[test]
    fn the_longest_claim_at_hand_is_waited_for_and_never_done_before_it_is() {
        let last =
            Standing { finished: 90.0, running: vec![(20.0, 4.0)], elapsed: 47.0, ..Standing::new(110.0, 2, true) };
        close(last.left(), 16.0);
        let late = Standing { running: vec![(20.0, 400.0)], elapsed: 245.0, ..last };
        close(late.left(), 1.0);
        assert!(late.share() < 1.0);
        assert_eq!(Standing::new(0.0, 1, true).share(), 1.0);
    }

    #[test]
    fn lines_have_eighty_columns_at_most() {
        let start = Standing::new(240.0, 2, true);
        let shown = line(&start, (0, 200));
        assert_eq!(shown, format!("0:00 {}   0 %  0/200 claims, about 2:00 left", "░".repeat(CELLS)));
        let endless = Standing { elapsed: 1e9, finished: 1.0, ..Standing::new(1e30, 1, false) };
        for (standing, claims) in [(&start, (199, 200)), (&endless, (99_999, 100_000))] {
            let shown = line(standing, claims);
            assert!(shown.chars().count() <= COLUMNS, "{shown}");
        }
        let done = Standing { finished: 240.0, elapsed: 119.0, ..start };
        assert_eq!(line(&done, (200, 200)), format!("1:59 {} 100 %  200/200 claims", "█".repeat(CELLS)));
    }

    #[test]
    fn claims_that_find_no_room_are_counted() {
        assert_eq!(running(7, ["a.one", "b.two"].into_iter()), "7 trials  a.one, b.two");
        assert_eq!(running(0, std::iter::empty()), "0 trials");
        let many: Vec<String> = (0..9).map(|i| format!("paper.lemma-{i}{i}{i}")).collect();
        let shown = running(123_456, many.iter().map(String::as_str));
        assert_eq!(shown, "123456 trials  paper.lemma-000, paper.lemma-111, paper.lemma-222 and 6 more");
        let long = "x".repeat(90);
        assert_eq!(running(1, [long.as_str()].into_iter()), "1 trials and 1 more");
    }
}
