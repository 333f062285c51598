//! Sweeps of one size of a randomly drawn encoder, and the curves that are measured along them.

use contrastive::network::Encoder;
use enclosures::enclosure::plain;
use evidence::prelude::*;
use evidence::sweep::Sweep;
use serde::{Deserialize, Serialize};

use crate::shared::encoder_pair::shape;

/// b, m, L, d, and two numbers that some statements add: the sparsity s and the radius ω, or a multiple of it.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "b = {input}, m = {width}, L = {layers}, d = {output}, s = {sparsity}, radius \
                       {radius}", valid = Self::fits, stored)]
pub struct DrawnSizes {
    #[instance(range = "1..")]
    pub input: u32,
    #[instance(range = "1..")]
    pub width: u32,
    #[instance(range = "1..")]
    pub layers: u32,
    #[instance(range = "1..")]
    pub output: u32,
    #[instance(range = "1..")]
    pub sparsity: u32,
    #[instance(range = "0..=100")]
    pub radius: f64,
}

impl DrawnSizes {
    /// m, L and d, with b = 3, s = 1 and radius zero.
    pub fn of(width: u32, layers: u32, output: u32) -> Self {
        DrawnSizes { input: 3, width, layers, output, sparsity: 1, radius: 0.0 }
    }

    /// With this b.
    pub fn with_input(self, input: u32) -> Self {
        DrawnSizes { input, ..self }
    }

    /// With this s.
    pub fn sparse(self, sparsity: u32) -> Self {
        DrawnSizes { sparsity, ..self }
    }

    /// With this ω, or multiple of it.
    pub fn within(self, radius: f64) -> Self {
        DrawnSizes { radius, ..self }
    }

    /// An encoder as Definition 3.2 draws it. Its law does not change when the input is rotated, so the input is the
    /// first axis.
    pub fn draw(&self, trial: &mut Trial) -> Result<Encoder, MeasureError> {
        let of = |x: u32| x as usize;
        let shape = shape(of(self.input), of(self.width), of(self.layers), of(self.output));
        Ok(Encoder::initialise(shape, trial.rng())?)
    }

    /// The first axis of ℝ^b.
    pub fn point(&self) -> Vec<f64> {
        (0..self.input).map(|c| f64::from(u8::from(c == 0))).collect()
    }

    pub fn m(&self) -> f64 {
        f64::from(self.width)
    }

    pub fn log_m(&self) -> f64 {
        core_math::log(self.m())
    }

    pub fn l(&self) -> f64 {
        f64::from(self.layers)
    }

    pub fn d(&self) -> f64 {
        f64::from(self.output)
    }

    pub fn s(&self) -> f64 {
        f64::from(self.sparsity)
    }

    /// m/L.
    pub fn width_over_depth(&self) -> Enclosure {
        Enclosure::from(self.width) / f64::from(self.layers)
    }

    /// The limit of the norm of L − 1 ≥ 1 masked square factors as m → ∞, √(min_z (1+z)^{L−2}(2+z)²/z), which is at
    /// most 2√(eL) (see Lemma B.2).
    pub fn limiting_norm(&self) -> f64 {
        let at = |k: u32| {
            let z = f64::from(k) / 200.0;
            let power: f64 = (2..self.layers).map(|_| 1.0 + z).product();
            power * (2.0 + z) * (2.0 + z) / z
        };
        (1..=400).map(at).fold(f64::INFINITY, f64::min).sqrt()
    }

    /// Number L of hidden layers.
    pub fn depth(&self) -> usize {
        self.layers as usize
    }
}

impl DrawnSizes {
    fn fits(&self) -> Result<(), String> {
        let [b, m, l, d] = [self.input, self.width, self.layers, self.output].map(u64::from);
        if m.saturating_mul(m.saturating_mul(l) + b + d) <= 1 << 25 {
            Ok(())
        } else {
            Err("the encoder is too large".into())
        }
    }
}

/// The size that is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "lowercase")]
#[instance(stored)]
pub enum Varied {
    Input,
    Width,
    Layers,
    /// L, with m = 8L³: what a sparsity s ≤ m/(L³ log m) asks for. Two to four layers are all that can be drawn.
    Depth,
    Output,
    Sparsity,
    Radius,
    /// m, with the largest s ≤ m/(L³ log m).
    WidthAndSparsity,
    /// m, with the greatest L ≤ m/(2 log m), at least 2.
    WidthAndLayers,
}

impl Varied {
    /// The signs of the sizes that change, the one with the values first, and the rule for the other.
    fn names(self) -> (&'static [&'static str], &'static str) {
        match self {
            Varied::Input => (&["b"], ""),
            Varied::Width => (&["m"], ""),
            Varied::Layers => (&["L"], ""),
            Varied::Depth => (&["L", "m"], " and m = 8L³"),
            Varied::Output => (&["d"], ""),
            Varied::Sparsity => (&["s"], ""),
            Varied::Radius => (&["radius"], ""),
            Varied::WidthAndSparsity => (&["m", "s"], " and s = ⌊m/(L³ log m)⌋"),
            Varied::WidthAndLayers => (&["m", "L"], " and L = max(2, ⌊m/(2 log m)⌋)"),
        }
    }
}

/// Encoders of several sizes; of each size a number is drawn, and every one counts.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::is_spread, stored)]
pub struct SizeSweep {
    pub varied: Varied,
    #[instance(length = "3..")]
    pub values: Vec<f64>,
    pub others: DrawnSizes,
    #[instance(range = "1..")]
    pub networks: u32,
}

impl SizeSweep {
    /// The values of one size, the other sizes, and how many encoders of each are drawn.
    pub fn of(varied: Varied, values: &[f64], others: DrawnSizes, networks: u32) -> Self {
        SizeSweep { varied, values: values.to_vec(), others, networks }
    }

    fn in_words(&self) -> String {
        let values: Vec<String> = self.values.iter().map(f64::to_string).collect();
        let o = &self.others;
        let fixed = [
            ("b", format!("b = {}", o.input)),
            ("m", format!("m = {}", o.width)),
            ("L", format!("L = {}", o.layers)),
            ("d", format!("d = {}", o.output)),
            ("s", format!("s = {}", o.sparsity)),
            ("radius", format!("radius {}", o.radius)),
        ];
        let (names, rule) = self.varied.names();
        let rest = fixed.into_iter().filter(|(name, _)| !names.contains(name));
        let rest: Vec<String> = rest.map(|(_, words)| words).collect();
        format!("{} = {}{rule}; {}", names[0], values.join(", "), rest.join(", "))
    }

    /// Sizes far enough apart for an exponent to mean something, none of them too large.
    fn is_spread(&self) -> Result<(), String> {
        let apart = |pair: &[f64]| pair[1] >= 1.2 * pair[0];
        if !self.values.windows(2).all(apart) {
            return Err("the sizes do not increase by a fifth each".into());
        }
        self.points().iter().try_for_each(|(_, sizes)| sizes.validate())
    }

    pub fn points(&self) -> Vec<(f64, DrawnSizes)> {
        let at = |&value: &f64| {
            let mut sizes = self.others.clone();
            match self.varied {
                Varied::Input => sizes.input = value as u32,
                Varied::Width => sizes.width = value as u32,
                Varied::Layers => sizes.layers = value as u32,
                Varied::Depth => {
                    sizes.layers = value as u32;
                    sizes.width = 8 * sizes.layers * sizes.layers * sizes.layers;
                }
                Varied::Output => sizes.output = value as u32,
                Varied::Sparsity => sizes.sparsity = value as u32,
                Varied::Radius => sizes.radius = value,
                Varied::WidthAndSparsity => {
                    sizes.width = value as u32;
                    let cube = sizes.l() * sizes.l() * sizes.l();
                    sizes.sparsity = (sizes.m() / (cube * sizes.log_m())) as u32;
                }
                Varied::WidthAndLayers => {
                    sizes.width = value as u32;
                    sizes.layers = ((sizes.m() / (2.0 * sizes.log_m())) as u32).max(2);
                }
            }
            (value, sizes)
        };
        self.values.iter().map(at).collect()
    }

    /// For every size the least and the largest over the networks of each number that `measure` finds. The networks are
    /// drawn in plain floating-point arithmetic, so that every number is a measured one.
    pub fn extremes<const K: usize>(
        &self,
        trial: &mut Trial,
        measure: impl Fn(&DrawnSizes, &mut Trial) -> Result<[Enclosure; K], MeasureError>,
    ) -> Result<[Curve; K], MeasureError> {
        let mut curves = [const { Vec::new() }; K];
        for (value, sizes) in self.points() {
            let mut extremes: Option<[[Enclosure; 2]; K]> = None;
            for _ in 0..trial.samples(self.networks as usize) {
                let found = measure(&sizes, trial)?.map(Enclosure::as_measured);
                for ([least, largest], found) in extremes.get_or_insert(found.map(|x| [x, x])).iter_mut().zip(found) {
                    (*least, *largest) = (least.min(found), largest.max(found));
                }
            }
            for (curve, extremes) in curves.iter_mut().zip(extremes.ok_or("no network was drawn")?) {
                curve.push((value, extremes));
            }
        }
        let size = self.varied.names().0[0];
        Ok(curves.map(|rows| Curve(Sweep::of(size, rows))))
    }
}

/// Measured numbers against the size that was varied: the least and the largest of each size.
///
/// The statements O(·) and Ω(·) leave their constants open. A check names one and asks it of every size: an explicit
/// statement, which a growth of the ratio refutes sooner or later. The constants are ours, and near what was measured,
/// so that there is little room for a growth along the sweep.
#[derive(Clone, Debug)]
pub struct Curve(Sweep<[Enclosure; 2]>);

impl Curve {
    /// Every number multiplied by what `factor` makes of its sizes.
    pub fn scaled(&self, sweep: &SizeSweep, factor: impl Fn(&DrawnSizes) -> f64) -> Self {
        let rows = self.0.rows().iter().zip(sweep.points());
        Curve(Sweep::of(self.0.size(), rows.map(|(&(x, y), (_, s))| (x, y.map(|y| y * factor(&s))))))
    }

    /// Every number is at most this.
    pub fn at_most(&self, constant: f64) -> Evaluation {
        self.each(|[_, largest]| largest, |y| at_most(y, exact(constant)))
    }

    /// Every number is at least this.
    pub fn at_least(&self, constant: f64) -> Evaluation {
        self.each(|[least, _]| least, |y| at_least(y, exact(constant)))
    }

    fn each(&self, of: fn([Enclosure; 2]) -> Enclosure, judge: impl Fn(Enclosure) -> Evaluation) -> Evaluation {
        let size = self.0.size();
        let ends = |y: Enclosure| match [y.lo(), y.hi()].map(|end| plain(end, 3)) {
            [low, high] if low == high => low,
            [low, high] => format!("[{low}, {high}]"),
        };
        let shown = self.0.rows().iter().map(|&(x, y)| format!("{size} = {x}: {}", ends(of(y))));
        let shown = shown.collect::<Vec<_>>().join(", ");
        self.0.at_each(|_, &y| judge(of(y))).noting(shown)
    }
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;
    use evidence::judge::Judgement;
    use evidence::testing::judged;

    use super::*;
    use evidence::budget::Budget;
    use evidence::claim::Fixtures;

    /// One square matrix of entries N(0, 2/m) has a norm near 2√2, as (2 + z)²/z has its minimum 8 at z = 2; for two
    /// factors the minimum is at (√17 − 1)/4.
    #[test]
    fn the_limiting_norm_is_the_root_of_the_least_value() {
        assert_eq!(DrawnSizes::of(10, 2, 1).limiting_norm(), 8.0_f64.sqrt());
        let z = (17.0_f64.sqrt() - 1.0) / 4.0;
        let two_factors = ((1.0 + z) * (2.0 + z) * (2.0 + z) / z).sqrt();
        let found = DrawnSizes::of(10, 3, 1).limiting_norm();
        assert!(found >= two_factors && found < 1.0001 * two_factors, "{found}, {two_factors}");
        for layers in [2, 5, 20, 100] {
            let (found, bound) =
                (DrawnSizes::of(10, layers, 1).limiting_norm(), 2.0 * (std::f64::consts::E * f64::from(layers)).sqrt());
            assert!(found < bound, "L = {layers}: {found}");
            // z near 1/L makes the bound sharp in the end.
            assert!(layers < 100 || found > 0.98 * bound, "L = {layers}: {found}");
        }
    }

    /// The largest s and L that the widths allow, found by counting up.
    #[test]
    fn sizes_that_follow_the_width_are_the_largest_allowed() {
        let of = |varied, values: &[f64], layers| SizeSweep::of(varied, values, DrawnSizes::of(1, layers, 1), 1);
        for (m, s) in of(Varied::WidthAndSparsity, &[200.0, 1000.0, 8000.0], 3).points() {
            let fits = |sparsity: u32| f64::from(sparsity) * 27.0 * core_math::log(m) <= m;
            assert!(fits(s.sparsity) && !fits(s.sparsity + 1), "m = {m}, s = {}", s.sparsity);
            assert_eq!((f64::from(s.width), s.layers), (m, 3));
        }
        for (m, s) in of(Varied::WidthAndLayers, &[4.0, 30.0, 100.0], 1).points() {
            let fits = |layers: u32| f64::from(layers) * 2.0 * core_math::log(m) <= m;
            assert!(s.layers == 2 || fits(s.layers), "m = {m}, L = {}", s.layers);
            assert!(!fits(s.layers + 1), "m = {m}, L = {}", s.layers);
        }
        let widths: Vec<u32> = of(Varied::Depth, &[2.0, 3.0, 4.0], 1).points().iter().map(|p| p.1.width).collect();
        assert_eq!(widths, [64, 216, 512]);
    }

    #[test]
    fn the_least_and_the_largest_of_all_draws_are_kept_for_every_size() {
        let mut trial = Trial::new(stream(1, &["curves"]), Budget::Standard, Fixtures::at("none"));
        let sweep = SizeSweep::of(Varied::Width, &[10.0, 20.0, 40.0], DrawnSizes::of(1, 2, 1), 5);
        let drawn = std::cell::Cell::new(0);
        // Every fifth draw is twice as large as the others.
        let measure = |s: &DrawnSizes, _: &mut Trial| {
            drawn.set(drawn.get() + 1);
            let found = if drawn.get() % 5 == 3 { 2.0 } else { 1.0 };
            Ok([exact(found * s.m()), exact(found)])
        };
        let [growing, constant] = sweep.extremes(&mut trial, measure).unwrap();
        assert_eq!(drawn.get() as usize, 3 * trial.samples(5));
        assert_eq!(judged(constant.at_most(2.01)), Judgement::Holds);
        assert_eq!(judged(constant.at_most(1.99)), Judgement::Violated);
        assert_eq!(judged(constant.at_least(0.99)), Judgement::Holds);
        assert_eq!(judged(constant.at_least(1.01)), Judgement::Violated);
        assert_eq!(judged(growing.at_most(79.0)), Judgement::Violated);
        assert_eq!(judged(growing.at_least(11.0)), Judgement::Violated);
        let scaled = growing.scaled(&sweep, |s| 1.0 / s.m());
        assert_eq!(judged(scaled.at_most(2.01)), Judgement::Holds);
        assert_eq!(judged(scaled.at_least(0.99)), Judgement::Holds);
    }
}
