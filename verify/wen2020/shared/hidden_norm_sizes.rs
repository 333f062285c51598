//! Sizes of random networks: one choice, a promise with its constant, and a sampled network.

use enclosures::probability::standard_normal_pair;
use enclosures::vectors::{norm, sum_of_products};
use evidence::prelude::*;
use rand::Rng;
use serde::{Deserialize, Serialize};

/// Width m, number L of hidden layers, number n of inputs, relative deviation ε.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
#[instance(simpler = Self::with_smaller_sizes, stored)]
pub struct Sizes {
    #[instance(symbol = "m", range = "1..")]
    pub width: u32,
    #[instance(symbol = "L", range = "1..")]
    pub layers: u32,
    #[instance(symbol = "n", range = "1..")]
    pub inputs: u32,
    #[instance(symbol = "ε", range = "(0, 1)")]
    pub eps: f64,
}

impl Sizes {
    /// m/L.
    pub fn width_over_depth(&self) -> Enclosure {
        Enclosure::from(self.width) / f64::from(self.layers)
    }
}

impl Sizes {
    fn with_smaller_sizes(&self) -> Vec<Self> {
        let smaller = |x: u32| [1, x / 2, x.saturating_sub(1)].into_iter().filter(move |&y| y > 0 && y < x);
        let widths = smaller(self.width).map(|width| Sizes { width, ..self.clone() });
        let depths = smaller(self.layers).map(|layers| Sizes { layers, ..self.clone() });
        let inputs = smaller(self.inputs).map(|inputs| Sizes { inputs, ..self.clone() });
        inputs.chain(depths).chain(widths).collect()
    }
}

/// A constant c in the exponent, a width and a deviation; the depth that breaks the promise follows.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct Promise {
    #[instance(symbol = "c", range = "1e-200..=1", scale = "logarithmic")]
    pub constant: f64,
    #[instance(symbol = "m", range = "1..=20")]
    pub width: u32,
    #[instance(symbol = "ε", range = "1e-6..1")]
    pub eps: f64,
}

impl Promise {
    /// ⌈2^{m+1} log(2^{m+1}/(cε²m))⌉.
    pub fn depth(&self) -> u32 {
        let scale = exact(2.0).powi(i64::from(self.width) + 1);
        let odds = scale / (self.constant * exact(self.eps).square() * f64::from(self.width));
        (scale * odds.ln()).hi().ceil() as u32
    }

    /// ⌈2^m log(2/min(1, cε²m))⌉ + 1.
    pub fn inputs(&self) -> u32 {
        let exponent = self.constant * exact(self.eps).square() * f64::from(self.width);
        let scale = exact(2.0).powi(i64::from(self.width));
        (scale * (2.0 / exponent.min(Enclosure::ONE)).ln()).hi().ceil() as u32 + 1
    }

    /// 1 − e^{−cε²m/L}, given ε and m/L.
    pub fn promised(&self, eps: Enclosure, width_over_depth: impl Into<Enclosure>) -> Enclosure {
        -(-(self.constant * eps.square() * width_over_depth.into())).exp_m1()
    }

    /// The same for a depth.
    pub fn promised_at_depth(&self, layers: u32) -> Enclosure {
        self.promised(exact(self.eps), Enclosure::from(self.width) / f64::from(layers))
    }
}

/// Sizes of a network that is drawn, with inputs drawn from the sphere of ℝ^b.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{sizes}, inputs on the sphere of ℝ^{dimension}", stored)]
pub struct Sample {
    #[instance(range = "1..")]
    pub dimension: u32,
    pub sizes: Sizes,
}

impl Sample {
    /// Draws inputs and weights, and tells whether all hidden norms lie in the window.
    pub fn stays_inside<R: Rng + ?Sized>(&self, rng: &mut R) -> bool {
        let (s, b) = (&self.sizes, self.dimension as usize);
        let (width, low, high) = (s.width as usize, 1.0 - s.eps, 1.0 + s.eps);
        let mut vectors: Vec<Vec<f64>> = (0..s.inputs)
            .map(|_| {
                let mut x = normals(rng, b);
                let norm = norm(&x);
                x.iter_mut().for_each(|t| *t /= norm);
                x
            })
            .collect();
        let scale = (2.0 / f64::from(s.width)).sqrt();
        for _ in 0..s.layers {
            let rows: Vec<Vec<f64>> = (0..width).map(|_| normals(rng, vectors[0].len())).collect();
            for x in &mut vectors {
                *x = rows.iter().map(|w| (scale * sum_of_products(w, x)).max(0.0)).collect();
                let norm = norm(x);
                if norm < low || norm > high {
                    return false;
                }
            }
        }
        true
    }
}

fn normals<R: Rng + ?Sized>(rng: &mut R, count: usize) -> Vec<f64> {
    let mut list = Vec::with_capacity(count + 1);
    while list.len() < count {
        let (a, b) = standard_normal_pair(rng);
        list.extend([a, b]);
    }
    list.truncate(count);
    list
}

#[cfg(test)]
mod tests {
    use enclosures::probability::concentration;
    use enclosures::stream::stream;

    use super::*;

    fn promises() -> Vec<Promise> {
        let each =
            |constant: f64| [(1, 0.5), (4, 0.25), (10, 0.9)].map(|(width, eps)| Promise { constant, width, eps });
        [1.0, 1e-3, 1e-50].into_iter().flat_map(each).collect()
    }

    /// A layer of m units is dead with probability 2^{−m}, independently of the others, and then no norm is right.
    #[test]
    fn at_the_depth_and_with_the_inputs_the_promise_is_more_than_the_living_can_keep() {
        for p in promises() {
            let alive = |count: u32| (1.0 - Interval::point(0.5).powi(i64::from(p.width))).powi(i64::from(count));
            let (depth, inputs) = (p.depth(), p.inputs());
            assert!(alive(depth).hi() < p.promised_at_depth(depth).lo(), "{}", p.describe());
            assert!(alive(inputs).hi() < p.promised_at_depth(1).lo(), "{}", p.describe());
            // A tenth of the depth would not do.
            let less = depth / 10;
            assert!(less == 0 || alive(less).lo() > p.promised_at_depth(less).hi(), "{}", p.describe());
        }
    }

    #[test]
    fn the_promise_is_one_minus_an_exponential() {
        let p = Promise { constant: 0.5, width: 16, eps: 0.5 };
        // cε²m/L = 0.5 · 0.25 · 16/2 = 1.
        let found = p.promised_at_depth(2);
        assert!((found - (1.0 - exact(-1.0).exp())).abs().hi() < 1e-15, "{found}");
        let tiny = Promise { constant: 1e-100, ..p };
        assert!((tiny.promised_at_depth(2) / 2e-100 - 1.0).abs().hi() < 1e-14, "no digit is lost");
    }

    /// Drawn networks against the law of the norms.
    #[test]
    fn a_drawn_network_stays_inside_as_often_as_the_law_says() {
        let mut rng = stream(5, &["hidden norms"]);
        for (width, layers, eps) in [(1, 1, 0.5), (4, 1, 0.5), (6, 3, 0.7)] {
            let sample = Sample { dimension: 3, sizes: Sizes { width, layers, inputs: 1, eps } };
            let inside = (0..4000).filter(|_| sample.stays_inside(&mut rng)).count() as f64 / 4000.0;
            let law = concentration(width, layers, eps, 400).unwrap();
            assert!(
                inside > law.lo() - 0.03 && inside < law.hi() + 0.03 && law.width() < 0.02,
                "m = {width}, L = {layers}: {inside}, {law:?}"
            );
        }
    }
}
