//! Gradient descent on the contrastive loss of fixed triplets: which data, which network, which step.

use contrastive::network::{Encoder, EncoderShape, GradientDescent, NetworkError, Pairs, Separation, Trained, Weights};
use enclosures::interval;
use enclosures::probability::list_of_standard_normals;
use enclosures::stream::stream;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// The triplets of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Instance)]
#[instance(stored)]
#[serde(rename_all = "kebab-case")]
pub enum Data {
    /// 3n orthonormal inputs, except that x_i⁻ lies at distance `separation` from x_i⁺, in the plane of both.
    Apart {
        /// δ, at most √2.
        #[instance(range = "1e-3..=1.4142135623730951")]
        separation: f64,
    },
    /// 3n independent directions.
    Random {
        /// d_x.
        #[instance(range = "2..=64")]
        dimension: usize,
    },
}

/// The network before training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[instance(stored)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// A and W_l from N(0, 2/m), B from N(0, 1/d).
    Random,
    /// The same, with an A that no input activates: −|A| on inputs with non-negative coordinates.
    Dead,
    /// The same, with B = 0.
    ZeroHead,
    /// Unit 1 sees x only, unit 2 sees x⁺ and x⁻ and gives them one value, the other units are dead; B sends the two
    /// units to e_1 and e_2. One triplet in dimension four, whose coordinates are halves of whole numbers; a critical point
    /// of all matrices.
    Critical,
}

/// One training. The step is ν = κdδ/(n(L + 1)m), with δ the smallest distance of two inputs and a number κ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::has_room_for_its_start, stored)]
pub struct TrainingRun {
    /// n.
    #[instance(range = "1..=8")]
    pub triplets: usize,
    pub data: Data,
    /// m.
    #[instance(range = "1..=1024")]
    pub width: usize,
    /// L.
    #[instance(range = "0..=4")]
    pub depth: usize,
    /// d.
    #[instance(range = "1..=16")]
    pub output: usize,
    pub trained: Trained,
    pub start: Start,
    pub seed: u64,
    /// κ.
    #[instance(range = "1e-3..=10")]
    pub pace: f64,
    /// The most updates.
    #[instance(range = "1..=1_000_000")]
    pub steps: usize,
    /// C, chosen before training; η is 1e−3.
    #[instance(range = "(1e-3, 1e6]")]
    pub cap: f64,
}

/// η, chosen before training.
pub const FLOOR: f64 = 1e-3;

impl TrainingRun {
    /// All matrices trained from a random start, with C = 3/2.
    pub fn new(triplets: usize, data: Data, (width, depth, output): (usize, usize, usize), seed: u64) -> Self {
        TrainingRun {
            triplets,
            data,
            width,
            depth,
            output,
            trained: Trained::All,
            start: Start::Random,
            seed,
            pace: 1.0,
            steps: 100_000,
            cap: 1.5,
        }
    }

    /// The 3n inputs, anchor, positive, negative, anchor, …, one after the other, and their dimension.
    pub fn inputs(&self) -> (Vec<f64>, usize) {
        let n = self.triplets;
        match (self.start, self.data) {
            (Start::Critical, _) => {
                let triplet = [[-1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, -0.5]];
                (triplet.concat(), 4)
            }
            (_, Data::Apart { separation }) => {
                let d = 3 * n;
                let mut points = vec![0.0; d * d];
                // The angle of a chord c has the cosine 1 − c²/2 and the sine c √(1 − c²/4).
                let chord = Interval::point(separation);
                let cosine = (1.0 - chord.square() / 2.0).midpoint();
                let sine = (chord * (1.0 - chord.square() / 4.0).sqrt()).midpoint();
                for i in 0..n {
                    let (x, positive, negative) = (3 * i, 3 * i + 1, 3 * i + 2);
                    points[x * d + x] = 1.0;
                    points[positive * d + positive] = 1.0;
                    points[negative * d + positive] = cosine;
                    points[negative * d + negative] = sine;
                }
                (points, d)
            }
            (_, Data::Random { dimension }) => {
                let mut points = list_of_standard_normals(&mut stream(self.seed, &["inputs"]), 3 * n * dimension);
                for x in points.chunks_exact_mut(dimension) {
                    let norm = interval::dot(x, x).sqrt().midpoint();
                    x.iter_mut().for_each(|t| *t /= norm);
                }
                (points, dimension)
            }
        }
    }

    /// Norms and distances of the inputs.
    pub fn separation(&self) -> Result<Separation, NetworkError> {
        let (points, dimension) = self.inputs();
        Separation::of(&points, dimension)
    }

    /// δ*, over all pairs of places.
    pub fn smallest_distance(&self) -> Result<f64, MeasureError> {
        let apart = self.separation()?.smallest_distance(Pairs::Indexed);
        Ok(apart.ok_or("there is no pair of inputs")?.midpoint())
    }

    fn encoder(&self, dimension: usize) -> Result<Encoder, NetworkError> {
        let shape = EncoderShape { input: dimension, width: self.width, depth: self.depth, output: self.output };
        let mut weights = Weights::initialise(shape, &mut stream(self.seed, &["weights"]))?;
        match self.start {
            Start::Random => {}
            Start::Dead => weights.a.iter_mut().for_each(|a| *a = -a.abs()),
            Start::ZeroHead => weights.b.fill(0.0),
            Start::Critical => {
                weights.matrices_mut().for_each(|matrix| matrix.fill(0.0));
                let m = self.width;
                (weights.a[0], weights.a[dimension]) = (-1.0, 1.0);
                for w in &mut weights.w {
                    (w[0], w[1], w[m], w[m + 1]) = (1.0, -1.0, -1.0, 1.0);
                }
                (weights.b[0], weights.b[m + 1]) = (1.0, 1.0);
            }
        }
        Encoder::new(shape, weights)
    }

    /// Whether no rounding enters the losses and gradients of the run: it never moves, and its outputs are zero or made of
    /// halves of whole numbers.
    pub fn is_exact(&self) -> bool {
        self.start != Start::Random
    }

    /// ν.
    pub fn rate(&self) -> Result<f64, MeasureError> {
        let polynomial = self.triplets * (self.depth + 1);
        Ok(self.pace * self.output as f64 * self.smallest_distance()? / (polynomial * self.width) as f64)
    }

    /// The network at its start.
    pub fn begin(&self) -> Result<GradientDescent, MeasureError> {
        let (points, dimension) = self.inputs();
        Ok(GradientDescent::new(self.encoder(dimension)?, points, self.rate()?, self.trained)?)
    }
}

impl TrainingRun {
    fn in_words(&self) -> String {
        let data = match self.data {
            // The start brings its inputs with it.
            _ if self.start == Start::Critical => "x = −e_1, x⁺ = (½, ½, ½, ½), x⁻ = (½, ½, ½, −½)".to_owned(),
            Data::Apart { separation } => format!("x⁻ at {separation} from x⁺"),
            Data::Random { dimension } => format!("random inputs in dimension {dimension}"),
        };
        let start = match self.start {
            Start::Random => "",
            Start::Dead => ", dead at the start",
            Start::ZeroHead => ", B = 0 at the start",
            Start::Critical => ", critical start",
        };
        let trained = match self.trained {
            Trained::All => "",
            Trained::Hidden => ", only W trained",
        };
        let (n, m, l, d) = (self.triplets, self.width, self.depth, self.output);
        format!("n = {n}, {data}, m = {m}, L = {l}, d = {d}{trained}{start}, C = {}", self.cap)
    }

    fn has_room_for_its_start(&self) -> Result<(), String> {
        if self.start == Start::Critical && (self.triplets != 1 || self.width.min(self.output) < 2) {
            return Err("a critical start has one triplet, m ≥ 2 and d ≥ 2".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use enclosures::vectors::sum_of_products;

    use super::*;

    #[test]
    fn the_inputs_meet_assumption_1_by_construction() {
        for (start, data) in [
            (Start::Random, Data::Apart { separation: 1e-3 }),
            (Start::Random, Data::Apart { separation: 1.4 }),
            (Start::Random, Data::Random { dimension: 2 }),
            (Start::Critical, Data::Random { dimension: 2 }),
        ] {
            let triplets = if start == Start::Critical { 1 } else { 2 };
            let run = TrainingRun { start, ..TrainingRun::new(triplets, data, (2, 1, 2), 1) };
            let separation = run.separation().expect("inputs of one dimension");
            assert_eq!(separation.satisfies(Pairs::Indexed, 1e-4, 1e-12), Some(true), "{data:?}");
        }
    }

    /// x⁻ lies at δ from x⁺ and at a right angle to all inputs of other triplets.
    #[test]
    fn the_separation_is_the_smallest_distance_and_the_rest_is_orthogonal() {
        for separation in [1e-3, 0.5, 1.0, 1.4] {
            let run = TrainingRun::new(2, Data::Apart { separation }, (8, 1, 4), 1);
            assert!((run.smallest_distance().unwrap() / separation - 1.0).abs() < 1e-12);
            let (points, d) = run.inputs();
            let rows: Vec<&[f64]> = points.chunks_exact(d).collect();
            for (i, x) in rows.iter().enumerate() {
                for (j, y) in rows.iter().enumerate() {
                    let inner = sum_of_products(x, y);
                    let expected = match (i, j) {
                        _ if i == j => 1.0,
                        (1, 2) | (2, 1) | (4, 5) | (5, 4) => 1.0 - separation * separation / 2.0,
                        _ => 0.0,
                    };
                    assert!((inner - expected).abs() < 1e-15, "{separation}: {i}, {j}");
                }
            }
            // κdδ/(n(L + 1)m) = 4δ/(2 · 2 · 8).
            assert!((run.rate().unwrap() / (separation / 8.0) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn starts_have_the_outputs_and_slopes_of_their_names() {
        let begin = |start, sizes| {
            let run = TrainingRun { start, ..TrainingRun::new(1, Data::Apart { separation: 1.0 }, sizes, 3) };
            run.begin().unwrap()
        };
        for start in [Start::Dead, Start::ZeroHead] {
            assert!(begin(start, (16, 2, 2)).outputs().iter().all(|&z| z == 0.0), "{start:?}");
        }
        for sizes in [(2, 0, 2), (2, 3, 2), (16, 1, 3)] {
            let critical = begin(Start::Critical, sizes);
            let d = sizes.2;
            // e_1, and twice e_2/2.
            let expected = [(0, 1.0), (d + 1, 0.5), (2 * d + 1, 0.5)];
            for (k, &z) in critical.outputs().iter().enumerate() {
                let found = expected.iter().find(|(place, _)| *place == k);
                assert_eq!(z, found.map_or(0.0, |(_, value)| *value));
            }
            // σ = ½: the blocks are 0, −½z_1 and ½z_1.
            let mut slopes = vec![0.0; 3 * d];
            (slopes[d], slopes[2 * d]) = (-0.5, 0.5);
            let gradient = critical.gradient(&slopes).unwrap();
            assert!(gradient.matrices().flatten().all(|&g| g == 0.0), "{sizes:?}");
        }
    }
}
