//! The aligned flow of Stage 2 with one large direction and n equal ones, without noise: one curve, followed in
//! enclosures.
//!
//! Σκ_p²/σ_p² is constant, so the state is a function of k = κ_1². With φ = κ_1²/Σκ², g_p = 1 − T_p and Q = φg_1 +
//! (1−φ)g_2, s = log(k_0/k) grows at the rate (4(1−S̄)σ_1²/N²)(Q − g_1) > 0 while κ_1² is the largest, which gives
//! the time as an integral over s. A small mismatch u_p = log(‖[K_A]_p‖²/‖[K_B]_p‖²) keeps Σ(κ_p²/σ_p²)u_p. If all
//! u_p are one at the start, then du_1/ds = u_1 − α(u_1 − 1), α = (W/W_2)Q/(g_2 − g_1), W_2 = W − k/σ_1²: u_1 grows
//! as fast as κ_1² falls, until α is no longer small.

use enclosures::vectors::scaled;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::{DiagonalLaw, DiagonalState, MultimodalError, Objective, PositivePairsFlow};

/// σ² = (σ_1², 1, …, 1), aligned.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "σ² = ({sigma_squared}, 1, …), {others} directions besides the first, κ² = {kappa_squared:?} until the \
                ratio is {ratio}, τ² = {tau_squared}, K = {negatives}",
    valid = Self::starts_less_balanced,
    stored
)]
pub struct BalancingPath {
    #[instance(range = "1e-3..=1e7", scale = "logarithmic")]
    pub sigma_squared: f64,
    /// How many equal directions there are besides the large one.
    #[instance(range = "1..=100_000", scale = "logarithmic")]
    pub others: u32,
    /// κ_1² and the common κ_p² of the others at the start.
    #[instance(range = "1e-6..=1e9", scale = "logarithmic")]
    pub kappa_squared: [f64; 2],
    #[instance(range = "0..=1e5")]
    pub tau_squared: f64,
    #[instance(range = "1e-6..=1e6", scale = "logarithmic")]
    pub negatives: f64,
    /// The path ends where κ_1² is this multiple of the others.
    #[instance(range = "1.01..=100", scale = "logarithmic")]
    pub ratio: f64,
}

impl BalancingPath {
    fn starts_less_balanced(&self) -> Result<(), String> {
        if self.kappa_squared[0] > self.ratio * self.kappa_squared[1] {
            Ok(())
        } else {
            Err("the start is not less balanced than the end".into())
        }
    }
}

/// What is known of a whole path.
pub struct FollowedPath {
    /// Time until the ratio is reached; infinite at τ = 0, where the ratio never moves.
    pub time: Interval,
    /// The largest u_1 on the way, from u = 1 in all directions (to first order in the mismatch).
    pub mismatch: Interval,
    /// κ_1²(start)/κ_1²(end).
    pub fall: Interval,
}

/// f(x) = x − log cosh x for x ≥ 0: concave, from 0 to log 2.
pub fn excess(x: Interval) -> Interval {
    Interval::point(2.0).ln() - (-2.0 * x).exp().ln_1p()
}

/// Rate of s, and α, over a range of k.
struct Local {
    rate: Interval,
    alpha: Interval,
}

impl BalancingPath {
    /// The end of Stage 1 at infinite width without noise: the limit of the flow of the positive pairs.
    pub fn after_stage_one(sigma_squared: f64, others: u32, tau_squared: f64) -> Result<Self, MultimodalError> {
        let flow = PositivePairsFlow::infinite_width(&[sigma_squared, 1.0], &[1.0, f64::from(others)], None)?;
        let limit = flow.limit().unwrap_or_default();
        let norm = |p: usize| limit.get(p).map_or(1.0, |x| x.exp().midpoint());
        Ok(BalancingPath {
            sigma_squared,
            others,
            kappa_squared: [norm(0), norm(1)],
            tau_squared,
            negatives: 1.0,
            ratio: 2.0,
        })
    }

    /// r.
    pub fn size(&self) -> f64 {
        f64::from(self.others) + 1.0
    }

    fn local(&self, k: Interval, total: Interval) -> Local {
        let n = f64::from(self.others);
        // κ_2² and the share are monotone in k: their ranges come from the ends.
        let over = |f: &dyn Fn(Interval) -> Interval| f(Interval::point(k.lo())).hull(f(Interval::point(k.hi())));
        let left = |k: Interval| total - k / self.sigma_squared;
        let share = over(&|k| k / (k + left(k)));
        let gap = |x: Interval| 2.0 * (-2.0 * x).sigmoid();
        let (large, small) = (self.tau_squared * share, self.tau_squared * (1.0 - share) / n);
        let (g1, g2) = (gap(large), gap(small));
        let lead = (1.0 - share) * (g2 - g1);
        let log_odds = |x: Interval| (-2.0 * x).softplus() - Interval::ONE.ln_1p();
        let odds = Interval::point(self.negatives).ln() + log_odds(large) + n * log_odds(small);
        let square = over(&|k| k + left(k)) / (n + 1.0);
        Local {
            rate: 4.0 * odds.sigmoid() * self.sigma_squared / square * lead,
            alpha: total / over(&left) * (share * g1 + (1.0 - share) * g2) / (g2 - g1),
        }
    }

    /// The bound of Corollary C.20 on the time: for ‖W_A‖_F² = r it is
    /// log(R_0/R)·[4K/(K+e^{τ²})·(σ_min²/σ_max²)·(τ²/r)·(1−1/R)·sech²(τ²)]^{−1}, and times scale like ‖W_A‖_F².
    pub fn longest_time(&self) -> Interval {
        let r = self.size();
        let [large, small] = self.kappa_squared.map(Interval::point);
        let (tau, k) = (Interval::point(self.tau_squared), Interval::point(self.negatives));
        let (sigma, ratio) = (Interval::point(self.sigma_squared), Interval::point(self.ratio));
        let weights = (large / sigma + f64::from(self.others) * small) / r;
        let spread = sigma.max(Interval::ONE) / sigma.min(Interval::ONE);
        let sech = (2.0 / (tau.exp() + (-tau).exp())).square();
        let rate = 4.0 * k / (k + tau.exp()) / spread * tau / r * (1.0 - 1.0 / ratio) * sech;
        weights * (large / small / ratio).ln() / rate
    }

    /// A lower bound of the time from any ratio R_0 ≥ 2 to R < 2, for any σ:
    /// (‖W_A‖_F²/(rs))·(log(2/R)/(4K))·e^{rf(τ²/(2r−1))}, s = σ_max²/σ_min², f(x) = x − log cosh x.
    pub fn least_time(&self) -> Interval {
        let r = self.size();
        let [large, small] = self.kappa_squared.map(Interval::point);
        let sigma = Interval::point(self.sigma_squared);
        let weights = (large / sigma + f64::from(self.others) * small) / r;
        let spread = sigma.max(Interval::ONE) / sigma.min(Interval::ONE);
        let exponent = excess(Interval::point(self.tau_squared) / (2.0 * r - 1.0)) * r;
        weights / spread * (2.0 / Interval::point(self.ratio)).ln() / (4.0 * self.negatives) * exponent.exp()
    }

    /// The flow itself from a mismatch of 1e-4 in all directions, integrated for `time`: the largest u_1/1e-4 at 320
    /// times on the way, and κ_1² over the others at the end.
    pub fn integrated(&self, time: f64) -> Result<(f64, f64), MultimodalError> {
        const MISMATCH: f64 = 1e-4;
        const TIMES: u32 = 320;
        let law = DiagonalLaw::grouped(vec![self.sigma_squared, 1.0], vec![1, self.others], 1.0, Vec::new())?;
        let tilted = |sign: f64| -> Vec<f64> {
            let factor = Interval::point(0.5 * sign * MISMATCH).exp().midpoint();
            scaled(&self.kappa_squared, factor)
        };
        let start = DiagonalState {
            a: tilted(1.0),
            b: tilted(-1.0),
            h: self.kappa_squared.to_vec(),
            noise_a: Vec::new(),
            noise_b: Vec::new(),
        };
        let objective = Objective::Contrastive { tau_squared: self.tau_squared, negatives: self.negatives };
        let times: Vec<f64> = (1..=TIMES).map(|k| time * f64::from(k) / f64::from(TIMES)).collect();
        let (states, _) = law.orbit(&start, objective, &times, 1e-11)?;
        let mismatch = |s: &DiagonalState<f64>| (Interval::point(s.a[0]) / s.b[0]).ln().midpoint() / MISMATCH;
        let largest = states.iter().map(mismatch).fold(1.0, f64::max);
        Ok((largest, states.last().map_or(f64::NAN, |s| s.a[0] / s.a[1])))
    }

    /// Follows the path in `steps` equal steps of log k.
    pub fn follow(&self, steps: u32) -> FollowedPath {
        let n = f64::from(self.others);
        let [start, other] = self.kappa_squared.map(Interval::point);
        let total = start / self.sigma_squared + n * other;
        // κ_1² = ratio κ_2² with κ_2² = (W − κ_1²/σ_1²)/n.
        let end = self.ratio * total / (n + Interval::point(self.ratio) / self.sigma_squared);
        let fall = start / end;
        if self.tau_squared == 0.0 {
            let never = Interval::point(f64::INFINITY);
            return FollowedPath { time: never, mismatch: Interval::ONE, fall };
        }
        let h = fall.ln() / f64::from(steps);
        let (mut time, mut y, mut peak) = (Interval::ZERO, Interval::ZERO, Interval::ZERO);
        let place = |j: u32| start * (-(h * f64::from(j))).exp();
        for j in 0..steps {
            let here = self.local(place(j).hull(place(j + 1)), total);
            time += h / here.rate;
            // y' = 1 + (1−α)y with y ≥ 0: at the two ends of the range of α.
            let step = |c: f64| -> Interval {
                let c = Interval::point(c);
                let gained = if c == Interval::ZERO { h } else { (c * h).exp_m1() / c };
                y * (c * h).exp() + gained
            };
            let c = 1.0 - here.alpha;
            y = step(c.lo()).hull(step(c.hi()));
            peak = peak.max(y);
        }
        FollowedPath { time, mismatch: 1.0 + peak, fall }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_excess_rises_from_zero_to_the_logarithm_of_two() {
        let at = |x: f64| excess(Interval::point(x));
        assert!(at(0.0).contains(0.0) && at(0.0).width() < 1e-15);
        let by_hand = 1.0 - core_math::log(core_math::cosh(1.0));
        assert!((at(1.0) - by_hand).magnitude() < 1e-15, "{:?}", at(1.0));
        assert!((at(40.0) - core_math::log(2.0)).magnitude() < 1e-15);
    }

    /// The flow in doubles knows nothing of the one coordinate that the path is followed in.
    #[test]
    fn the_integrated_flow_reaches_the_ratio_at_the_time_of_the_path() {
        let path = BalancingPath {
            sigma_squared: 4.0,
            others: 2,
            kappa_squared: [3.0, 1.0],
            tau_squared: 1.0,
            negatives: 2.0,
            ratio: 1.5,
        };
        assert_eq!(path.validate(), Ok(()));
        let followed = path.follow(2000);
        assert!(followed.time.width() < 0.01 * followed.time.lo(), "{:?}", followed.time);
        let (mismatch, ratio) = path.integrated(followed.time.midpoint()).expect("it is integrated");
        assert!((ratio - 1.5).abs() < 5e-3, "{ratio}");
        // To first order in 1e-4.
        let known = followed.mismatch.widened_by(1e-3);
        assert!(known.contains(mismatch) && followed.mismatch.width() < 0.05, "{mismatch} {known:?}");
        assert!(path.least_time().hi() < followed.time.lo());
        assert!(path.longest_time().lo() > followed.time.hi());
        // κ_1² + 4·2·κ_2² = 11 with κ_1² = 1.5κ_2²: 3 over 16.5/9.5.
        assert!((followed.fall - 3.0 * 9.5 / 16.5).magnitude() < 1e-14);
    }

    /// With σ = 1 the other module follows the ratio R: κ_1² = rR/(R + r − 1).
    #[test]
    fn with_equal_strengths_the_path_is_that_of_two_levels() {
        let (r, start, slack, tau_squared, negatives) = (4.0, 8.0, 0.25, 1.5, 2.0);
        let path = BalancingPath {
            sigma_squared: 1.0,
            others: 3,
            kappa_squared: [r * start / (start + r - 1.0), r / (start + r - 1.0)],
            tau_squared,
            negatives,
            ratio: 1.0 + slack,
        };
        let level = crate::shared::two_levels::Level { r, tau: Interval::point(tau_squared), negatives, start, slack };
        let (here, there) = (path.follow(2000).time, level.time(2000).interval());
        assert!(here.intersection(there).is_some() && here.width() < 0.01 * here.lo(), "{here:?} {there:?}");
        let bounds = [path.longest_time(), level.bound().interval()];
        assert!((bounds[0] / bounds[1] - 1.0).magnitude() < 1e-12, "{bounds:?}");
        // One weight, one strength: log(2/R)/(4K) e^{rf(τ²/(2r − 1))}.
        let exponent = r * (1.5 / 7.0 - core_math::log(core_math::cosh(1.5 / 7.0)));
        let least = core_math::log(2.0 / 1.25) / 8.0 * core_math::exp(exponent);
        assert!((path.least_time() / least - 1.0).magnitude() < 1e-12);
    }

    #[test]
    fn without_temperature_the_ratio_never_moves() {
        let mut path = BalancingPath::after_stage_one(4.0, 3, 0.0).expect("there is a signal");
        path.ratio = 1.01;
        assert_eq!(path.follow(10).time.hi(), f64::INFINITY);
        // Stage 1 keeps Σκ_p²/σ_p², one for each direction at the start.
        let [large, small] = path.kappa_squared;
        assert!((large / 4.0 + 3.0 * small - path.size()).abs() < 1e-6, "{large} {small}");
    }
}
