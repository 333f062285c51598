//! A progress X and an error Y whose growth is coupled to it, with a rate that is constant on pieces: what the
//! comparison lemma quantifies over, its solution, and what both prints, in the main text and in the appendix, are checked by.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// What is given of a process.
pub const PROCESS: &str = "A and the slacks a, b ≥ 0 are constant on pieces: X' = −(A + a)X, Y' = (CA − b)XY, Y_0 > 0; a = b = 0, C = 1 \
                           where nothing else is said";

/// A rate A that is constant on pieces, the starting values, and the slack of the inequality version.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = Self::in_words, valid = Self::moves_forward, simpler = Self::without_a_piece, equivalents = Self::retimed, stored
)]
pub struct Process {
    /// Duration, A, and the slacks a, b ≥ 0 of X' = −(A + a)X and Y' = (C A − b) X Y on each piece.
    #[instance(range = "-1e6..=1e6")]
    pub pieces: Vec<[f64; 4]>,
    #[instance(range = "-1e6..=1e6")]
    pub x0: f64,
    #[instance(range = "-1e6..=1e6")]
    pub log_y0: f64,
    /// The factor C of the inequality version.
    #[instance(range = "-1e6..=1e6")]
    pub coupling: f64,
}

impl Process {
    fn in_words(&self) -> String {
        let pieces: Vec<String> =
            self.pieces.iter().map(|[t, a, x, y]| format!("A = {a} for {t} (slack {x}, {y})")).collect();
        format!("X_0 = {}, log Y_0 = {}, C = {}, {}", self.x0, self.log_y0, self.coupling, pieces.join(", then "))
    }

    fn moves_forward(&self) -> Result<(), String> {
        match self.pieces.iter().find(|[t, _, a, b]| *t < 0.0 || *a < 0.0 || *b < 0.0) {
            Some(piece) => Err(format!("piece {piece:?} has a negative duration or slack")),
            None => Ok(()),
        }
    }

    /// The same process with another unit of time, and with its first piece cut in two.
    fn retimed(&self) -> Vec<(&'static str, Self)> {
        let of = |pieces| Process { pieces, ..self.clone() };
        let slower = |&[t, a, x, y]: &[f64; 4]| [2.0 * t, 0.5 * a, 0.5 * x, 0.5 * y];
        let mut cut = self.pieces.clone();
        if let Some(first) = cut.first_mut() {
            first[0] *= 0.5;
            let again = *first;
            cut.insert(0, again);
        }
        vec![("time in another unit", of(self.pieces.iter().map(slower).collect())), ("a piece cut in two", of(cut))]
    }

    fn without_a_piece(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut less = self.clone();
            less.pieces.remove(drop);
            less
        };
        (0..self.pieces.len()).map(without).collect()
    }
}

/// Processes that miss one sign condition each.
pub fn negative() -> Vec<(&'static str, Process)> {
    let of =
        |x0: f64, coupling: f64, rate: f64| Process { pieces: vec![[1.0, rate, 0.0, 0.0]], x0, log_y0: 0.0, coupling };
    vec![("X_0 < 0", of(-1.0, 1.0, 1.0)), ("C < 0", of(1.0, -1.0, 1.0)), ("A < 0", of(1.0, 1.0, -1.0))]
}

/// State at time T, the growth of log Y summed piece by piece, and the quantities it is compared with.
pub struct Solution {
    pub integral: Enclosure,
    pub x_end: Enclosure,
    /// log Y_T − log Y_0 of the equations, as Σ X (1 − e^{−A t}) over the pieces.
    pub growth: Enclosure,
    /// The sizes of its summands added up, against which their rounding errors are small.
    pub travel: f64,
    /// log Y_T − log Y_0 of the inequality version.
    pub slack_growth: Enclosure,
    /// log Y_T − log Y_0 if Y' = A Y.
    pub uncoupled: Enclosure,
}

/// The solution, piece by piece.
pub fn solve(process: &Process) -> Solution {
    let x0 = exact(process.x0);
    let mut solution = Solution {
        integral: Enclosure::ZERO,
        x_end: x0,
        growth: Enclosure::ZERO,
        travel: 0.0,
        slack_growth: Enclosure::ZERO,
        uncoupled: Enclosure::ZERO,
    };
    let mut slack_x = x0;
    for &[duration, rate, x_slack, y_slack] in &process.pieces {
        let t = exact(duration);
        let decay = t * rate;
        let gained = solution.x_end * -(-decay).exp_m1();
        solution.growth += gained;
        solution.travel += gained.magnitude();
        solution.x_end = solution.x_end * (-decay).exp();
        solution.integral += decay;
        solution.uncoupled += decay;
        // With slack: X falls at rate A + a, and the integral of X over the piece is X (1 − e^{−(A+a)t})/(A + a).
        let fall = exact(rate) + x_slack;
        let area =
            if fall.lo() == 0.0 && fall.hi() == 0.0 { slack_x * t } else { slack_x * -(-(fall * t)).exp_m1() / fall };
        solution.slack_growth += (exact(process.coupling) * rate - y_slack) * area;
        slack_x = slack_x * (-(fall * t)).exp();
    }
    solution
}

/// log Y_T ≤ log Y_0 + C X_0 of the version with inequalities.
pub fn bounded_with_slack(p: &Process, s: &Solution) -> Evaluation {
    at_most(s.slack_growth, exact(p.coupling) * p.x0)
        .on_scale_of("the terms before they cancel", s.slack_growth.magnitude().max(1e-300))
}

/// log Y_T = log Y_0 + X_0(1 − e^{−∫A}).
pub fn exact_growth(p: &Process, s: &Solution) -> Evaluation {
    equal(s.growth, p.x0 * -(-s.integral).exp_m1()).on_scale_of("the terms before they cancel", s.travel)
}

/// The setting with its controls n1, n3 and n4; n2 needs a start below zero, which only the appendix is asked for.
pub fn with_false_bounds(setting: Setting<Process, Solution>) -> Setting<Process, Solution> {
    setting
        .control("n1", "log Y_T ≤ log Y_0 + X_0/2", |p, s| at_most(s.growth, exact(p.x0) / 2.0))
        .control("n3", "coupling dropped: Y' = A Y", |p, s| at_most(s.uncoupled, exact(p.x0)))
        .control("n4", "log Y_T ≥ log Y_0 + X_0", |p, s| at_least(s.growth, exact(p.x0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X falls by half on each of two pieces.
    fn halved_twice() -> Process {
        let half = core_math::log(2.0);
        Process {
            pieces: vec![[1.0, half, 0.0, 0.0], [2.0, half / 2.0, 0.0, 0.0]],
            x0: 4.0,
            log_y0: 0.0,
            coupling: 1.0,
        }
    }

    #[test]
    fn what_x_loses_y_gains() {
        let solution = solve(&halved_twice());
        let is = |x: Enclosure, y: f64| (x.lo() - y).abs() < 1e-12 && (x.hi() - y).abs() < 1e-12;
        assert!(is(solution.x_end, 1.0) && is(solution.growth, 3.0) && is(solution.slack_growth, 3.0));
        assert!(is(solution.integral, 2.0 * core_math::log(2.0)));
    }

    #[test]
    fn slack_only_lowers_the_growth() {
        let mut slack = halved_twice();
        slack.pieces[0][2] = 0.5;
        let lower = solve(&slack).slack_growth;
        slack.pieces[1][3] = 0.25;
        let lowest = solve(&slack).slack_growth;
        assert!(lowest.hi() < lower.lo() && lower.hi() < 3.0);
    }

    #[test]
    fn the_processes_outside_are_instances_that_miss_a_sign() {
        for (name, p) in negative() {
            let signs = [p.x0, p.coupling, p.pieces[0][1]];
            assert!(p.validate().is_ok() && signs.iter().filter(|x| **x < 0.0).count() == 1, "{name}");
        }
        let backwards = Process { pieces: vec![[-1.0, 1.0, 0.0, 0.0]], ..halved_twice() };
        assert!(backwards.validate().is_err());
    }
}
