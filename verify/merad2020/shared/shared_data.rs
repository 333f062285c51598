//! Triplets over distinct samples, of which some stand in several places (Assumption 1 as a set), and what any encoder
//! can make of them: equal inputs have equal outputs.

use contrastive::Triplet;
use contrastive::network::{EnclosedActivations, Encoder, EncoderShape, GradientDescent, NormRange, Trained};
use enclosures::stream::stream;
use enclosures::vectors::unit_vector;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use super::training_record::{gradient, loss, slopes, triplets};

/// Orthonormal samples, and triplets that name them.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, simpler = Self::smaller, stored)]
pub struct SharedData {
    #[instance(range = "2..=18")]
    pub samples: usize,
    /// Anchor, positive and negative of each triplet, counted from 0.
    #[instance(length = "1..=6, 3")]
    pub triplets: Vec<[usize; 3]>,
    /// ε.
    #[instance(range = "1e-3..=100")]
    pub accuracy: f64,
    /// m; the network has L = 1 and d = 2.
    #[instance(range = "1..=256")]
    pub width: usize,
    pub seed: u64,
}

/// The updates that are made.
const STEPS: usize = 400;

/// d.
const OUTPUT: usize = 2;

impl SharedData {
    fn in_words(&self) -> String {
        let names = |[a, p, n]: &[usize; 3]| format!("({}, {}, {})", a + 1, p + 1, n + 1);
        let triplets: Vec<String> = self.triplets.iter().map(names).collect();
        let (k, m) = (self.samples, self.width);
        format!("ε = {}, {k} orthonormal samples, triplets {}, m = {m}", self.accuracy, triplets.join(", "))
    }

    fn fits(&self) -> Result<(), String> {
        if self.triplets.iter().flatten().all(|&i| i < self.samples) {
            Ok(())
        } else {
            Err("a triplet of something else than samples".into())
        }
    }

    fn smaller(&self) -> Vec<Self> {
        let without = |i: usize| {
            let mut fewer = self.clone();
            fewer.triplets.remove(i);
            fewer
        };
        let mut list: Vec<Self> = Vec::new();
        if self.triplets.len() > 1 {
            list.extend((0..self.triplets.len()).map(without));
        }
        if self.samples > 2 {
            list.push(SharedData { samples: self.samples - 1, ..self.clone() });
        }
        for width in [2, self.width / 2] {
            if width >= 1 && width < self.width {
                list.push(SharedData { width, ..self.clone() });
            }
        }
        list
    }
}

/// A training whose gradient in the matrices has fallen to this share of the first one goes nowhere any more.
const SETTLED: f64 = 1e-9;

/// What is known of shared data, and of a training on it.
pub struct SharedRecord {
    /// A lower bound of L̂_un over all encoders, of any dimension.
    least: Enclosure,
    /// The smallest L̂_un that some encoder was seen to have.
    pub attained: Enclosure,
    /// The norms along the run.
    pub norms: NormRange,
    /// The smallest ‖∇L̂_un‖ along the run: in the 3n outputs, and in the outputs of the distinct samples. Measured, but
    /// enclosed where descent stands still because x⁺ = x⁻ in every triplet.
    pub by_slot: Enclosure,
    pub by_sample: Enclosure,
    /// The first ‖∇L̂_un‖ in the 3n outputs.
    pub by_slot_at_the_start: Enclosure,
    /// Whether the matrices have stopped moving for good: the gradient in them is [`SETTLED`] of what it was, or zero from the start.
    pub at_rest: bool,
}

impl SharedRecord {
    /// Some encoder has L̂_un ≤ ε: one was seen to, or none can.
    pub fn some_encoder_reaches(&self, accuracy: f64) -> Evaluation {
        let impossible = self.least.lo() > accuracy;
        at_most(if impossible { self.least } else { self.attained }, exact(accuracy))
    }
}

impl SharedData {
    /// The 3n inputs.
    fn inputs(&self) -> Vec<f64> {
        let axis = |i: usize| (0..self.samples).map(move |j| if i == j { 1.0 } else { 0.0 });
        self.triplets.iter().flatten().flat_map(|&i| axis(i)).collect()
    }

    /// Assumption 1 over the places of the triplets: no sample stands twice.
    pub fn names_no_sample_twice(&self) -> bool {
        let mut places: Vec<usize> = self.triplets.concat();
        places.sort_unstable();
        places.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Whether some triplet has x⁺ = x⁻.
    pub fn names_one_sample_for_both(&self) -> bool {
        self.triplets.iter().any(|[_, p, n]| p == n)
    }

    /// Whether every triplet has x⁺ = x⁻.
    pub fn names_one_sample_for_both_everywhere(&self) -> bool {
        self.triplets.iter().all(|[_, p, n]| p == n)
    }

    /// Whether no set of triplets keeps L̂_un above log 2 for every encoder in the way of [`SharedData::least`].
    pub fn has_no_conflict(&self) -> bool {
        (1u32..1 << self.triplets.len()).all(|set| !self.sum_is_nonnegative(set))
    }

    /// A lower bound of inf L̂_un: log 2 for every triplet of the largest set of triplets whose arguments z_1·(z_3 −
    /// z_2) add up to something non-negative for all outputs. Convexity: Σ ζ(a_i) ≥ kζ(Σ a_i/k) ≥ k log 2.
    pub fn least(&self) -> Enclosure {
        let n = self.triplets.len();
        let size = |set: u32| (self.sum_is_nonnegative(set)).then(|| set.count_ones());
        let largest = (0u32..1 << n).filter_map(size).max().unwrap_or(0);
        Enclosure::from(largest) * Enclosure::ln_2()
    }

    /// Whether Σ u_a·(u_n − u_p) over a set of triplets is a sum of squares: all products of different samples cancel,
    /// or complete squares |u_a − u_p|² of pairs, and no square is negative.
    fn sum_is_nonnegative(&self, set: u32) -> bool {
        let k = self.samples;
        let mut gram = vec![0i64; k * k];
        for (i, &[a, p, n]) in self.triplets.iter().enumerate() {
            if set & (1 << i) != 0 {
                for (j, sign) in [(n, 1), (p, -1)] {
                    gram[a * k + j] += sign;
                    gram[j * k + a] += sign;
                }
            }
        }
        // Twice the symmetric matrix; dominant diagonals make it positive semidefinite.
        (0..k).all(|i| {
            let off: i64 = (0..k).filter(|&j| j != i).map(|j| gram[i * k + j].abs()).sum();
            gram[i * k + i] >= off
        })
    }

    /// Trains, with the step of the register for n triplets at distance √2.
    pub fn measure(&self) -> Result<SharedRecord, MeasureError> {
        let shape = EncoderShape { input: self.samples, width: self.width, depth: 1, output: OUTPUT };
        let encoder = Encoder::initialise(shape, &mut stream(self.seed, &["weights"]))?;
        let rate = OUTPUT as f64 * std::f64::consts::SQRT_2 / (2 * self.triplets.len() * self.width) as f64;
        // Descent from here stands still, so that nothing but the start has to be enclosed.
        let resting =
            if self.names_one_sample_for_both_everywhere() { Some(self.gradient_at_rest(&encoder)?) } else { None };
        let mut run = GradientDescent::new(encoder, self.inputs(), rate, Trained::All)?;
        let first = gradient(&triplets(run.outputs(), OUTPUT)?);
        let mut norms = NormRange::default();
        let mut first_size = None;
        let mut by_slot = exact(f64::MAX);
        let mut by_sample = by_slot;
        loop {
            norms.record(run.outputs(), OUTPUT)?;
            let z = triplets(run.outputs(), OUTPUT)?;
            by_slot = by_slot.min(gradient(&z));
            by_sample = by_sample.min(self.gradient_by_sample(&z));
            let (_, slope) = slopes(&run)?;
            let size: f64 = run.gradient(&slope)?.matrices().flatten().map(|&g| g * g).sum();
            let at_the_start = *first_size.get_or_insert(size);
            let at_rest = size <= SETTLED * SETTLED * at_the_start;
            if at_rest || run.steps() == STEPS {
                let (least, attained) = (self.least(), self.stretched(&run)?);
                if attained.hi() < least.lo() {
                    return Err(format!("L̂_un = {attained} is below its bound {least}").into());
                }
                return Ok(SharedRecord {
                    least,
                    attained,
                    norms,
                    by_slot_at_the_start: resting.unwrap_or_else(|| first.as_measured()),
                    by_slot: resting.unwrap_or_else(|| by_slot.as_measured()),
                    by_sample: resting.map_or_else(|| by_sample.as_measured(), |_| Enclosure::ZERO),
                    at_rest,
                });
            }
            run.step(&slope)?;
        }
    }

    /// √(½ Σ ‖f(x_i)‖²), enclosed: ‖∇L̂_un‖ in the 3n outputs if x⁺ = x⁻ in every triplet. There σ = ½, the anchor's block is 0, and
    /// the blocks −½z_1 and ½z_1 go back through one input, where they cancel in every matrix.
    fn gradient_at_rest(&self, encoder: &Encoder) -> Result<Enclosure, MeasureError> {
        let mut total = Enclosure::ZERO;
        for &[anchor, _, _] in &self.triplets {
            let input = unit_vector(self.samples, anchor);
            let output = EnclosedActivations::of(encoder, &input)?;
            total += output.output().iter().map(|&x| Enclosure::from(x).square()).sum::<Enclosure>();
        }
        Ok((0.5 * total).max(0).sqrt())
    }

    /// L̂_un of the trained encoder with B multiplied by some factor: the smallest over a few factors. Rounding made these outputs
    /// those of another encoder, but equal samples have equal ones, and the loss at them is enclosed.
    fn stretched(&self, run: &GradientDescent) -> Result<Enclosure, MeasureError> {
        let at = |factor: f64| {
            let outputs: Vec<f64> = run.outputs().iter().map(|z| factor * z).collect();
            Ok::<_, MeasureError>(loss(&triplets(&outputs, OUTPUT)?))
        };
        let mut least = at(0.0)?;
        for factor in [0.25, 1.0, 4.0, 16.0, 64.0] {
            least = least.min(at(factor)?);
        }
        Ok(least)
    }

    /// The norm of the gradient with respect to the outputs of the distinct samples: the blocks of one sample add up.
    fn gradient_by_sample(&self, z: &[Triplet]) -> Enclosure {
        let mut sums = vec![[Interval::ZERO; OUTPUT]; self.samples];
        for (roles, triplet) in self.triplets.iter().zip(z) {
            for (&role, block) in roles.iter().zip(triplet.gradient()) {
                for (sum, part) in sums[role].iter_mut().zip(block) {
                    *sum += part;
                }
            }
        }
        let squares = sums.iter().flatten().map(|&x| Enclosure::from(x).square());
        squares.sum::<Enclosure>().max(0).sqrt()
    }
}

/// A setting of trainings on such data, without families.
pub fn trained_on_shared_data() -> Setting<SharedData, SharedRecord> {
    Setting::measuring(|i: &SharedData, _| i.measure())
        .given(
            "Assumption 1 (S): orthonormal samples, which may stand in several places of the n triplets; m, ε and the \
             triplets are the instance's: m = 32 in the family, or 16 where some triplet has x⁺ = x⁻, and from 1 to 16 \
             in witnesses",
        )
        .given(
            "the random starts that were drawn (at small m, 1 to 8, many starts are stuck for ever), entries of A and \
             W_1 from N(0, 2/m), of B from N(0, 1/d); L = 1, d = 2, all matrices trained for 400 updates with ν = \
             d√2/(2nm)",
        )
}

/// Data that reuses samples, with and without a conflict.
pub fn shared_data() -> Vec<Family<SharedData>> {
    let of = |samples, triplets: &[[usize; 3]], accuracy| SharedData {
        samples,
        triplets: triplets.to_vec(),
        accuracy,
        width: 32,
        seed: 11,
    };
    vec![
        edge("named", move || {
            vec![
                ("x⁺ = x⁻", of(2, &[[0, 1, 1]], 0.5)),
                ("x = x⁺ = x⁻", of(2, &[[0, 0, 0]], 0.5)),
                ("x⁺ = x⁻ in one of two triplets", of(5, &[[0, 1, 1], [2, 3, 4]], 0.5)),
                ("positive and negative exchanged", of(3, &[[0, 1, 2], [0, 2, 1]], 1.0)),
                ("a cycle of preferences", of(4, &[[0, 1, 2], [0, 2, 3], [0, 3, 1]], 1.0)),
                ("three samples in turn", of(3, &[[0, 1, 2], [1, 2, 0], [2, 0, 1]], 1.0)),
                ("x = x⁺", of(2, &[[0, 0, 1]], 0.1)),
                ("one anchor in two triplets", of(5, &[[0, 1, 2], [0, 3, 4]], 0.1)),
                ("a chain", of(4, &[[0, 1, 2], [1, 0, 3]], 0.1)),
                ("no sample twice", of(6, &[[0, 1, 2], [3, 4, 5]], 0.1)),
            ]
        }),
        random("x⁺ = x⁻ somewhere", move || {
            let other = vec([0usize..6, 0usize..6, 0usize..6], 0..=2);
            (0usize..6, 0usize..6, other, 0.05..0.6f64, 0u64..1000).prop_map(|(a, p, mut list, accuracy, seed)| {
                list.push([a, p, p]);
                SharedData { samples: 6, triplets: list, accuracy, width: 16, seed }
            })
        })
        .taking(0.1)
        .restricted("at least one triplet with x⁺ = x⁻"),
        random("no sample twice", || {
            (1usize..=4, 0.05..0.6f64, 0u64..1000).prop_map(|(n, accuracy, seed)| SharedData {
                samples: 3 * n,
                triplets: (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(),
                accuracy,
                width: 32,
                seed,
            })
        })
        .taking(0.06)
        .restricted("no sample stands twice"),
    ]
}

#[cfg(test)]
mod tests {
    use enclosures::probability::list_of_standard_normals;
    use enclosures::vectors::sum_of_squares;

    use super::super::triples::triple;
    use super::*;

    fn of(samples: usize, triplets: &[[usize; 3]]) -> SharedData {
        SharedData { samples, triplets: triplets.to_vec(), accuracy: 1.0, width: 1, seed: 0 }
    }

    /// The triplets of outputs that sample i with the i-th vector makes.
    fn placed(data: &SharedData, at: &[f64]) -> Vec<Triplet> {
        let vector = |i: usize| &at[i * OUTPUT..(i + 1) * OUTPUT];
        let one = |&[a, p, n]: &[usize; 3]| triple(vector(a), vector(p), vector(n));
        data.triplets.iter().map(one).collect()
    }

    /// The data, and how many triplets cannot do better than log 2 together.
    fn conflicts() -> Vec<(SharedData, f64)> {
        vec![
            (of(2, &[[0, 1, 1]]), 1.0),
            (of(5, &[[0, 1, 1], [2, 3, 4]]), 1.0),
            (of(3, &[[0, 1, 2], [0, 2, 1]]), 2.0),
            (of(4, &[[0, 1, 2], [0, 2, 3], [0, 3, 1]]), 3.0),
            (of(3, &[[0, 1, 2], [1, 2, 0], [2, 0, 1]]), 3.0),
            // |u_0 − u_1|², a square that does not cancel.
            (of(2, &[[0, 1, 0], [1, 0, 1]]), 2.0),
            (of(2, &[[0, 0, 1]]), 0.0),
            (of(4, &[[0, 1, 2], [1, 0, 3]]), 0.0),
            (of(6, &[[0, 1, 2], [3, 4, 5]]), 0.0),
            // u_0·(u_0 − u_1) is negative where u_1 = 2u_0.
            (of(2, &[[0, 1, 0]]), 0.0),
        ]
    }

    #[test]
    fn no_outputs_have_a_smaller_loss_than_the_bound() {
        let mut rng = stream(1, &["outputs of samples"]);
        for (data, count) in conflicts() {
            let least = data.least();
            assert!((least - count * Enclosure::ln_2()).abs().hi() < 1e-15, "{}", data.describe());
            assert_eq!(data.has_no_conflict(), count == 0.0, "{}", data.describe());
            let everything = (1u32 << data.triplets.len()) - 1;
            let mut lowest = f64::INFINITY;
            for _ in 0..500 {
                let at = list_of_standard_normals(&mut rng, OUTPUT * data.samples);
                let z = placed(&data, &at);
                lowest = lowest.min(z.iter().map(|z| z.argument().midpoint()).sum());
                let loss = loss(&z);
                assert!(loss.hi() >= least.lo(), "{}: {loss}", data.describe());
            }
            // The sum of all arguments takes negative values exactly where it is not found to be non-negative.
            let nonnegative = data.sum_is_nonnegative(everything);
            assert_eq!(lowest >= -1e-9, nonnegative, "{}: {lowest}", data.describe());
        }
    }

    /// Moving one sample moves it in all its places.
    #[test]
    fn the_gradient_by_sample_is_that_of_difference_quotients() {
        let data = of(4, &[[0, 1, 2], [1, 2, 0], [3, 3, 1]]);
        let at = [0.5, -1.0, 0.25, 0.75, -0.5, 1.5, 1.0, 0.125];
        let mut square = 0.0;
        for k in 0..at.len() {
            let value = |by: f64| {
                let mut moved = at;
                moved[k] += by;
                loss(&placed(&data, &moved)).midpoint()
            };
            let slope = (value(1e-5) - value(-1e-5)) / 2e-5;
            square += slope * slope;
        }
        let found = data.gradient_by_sample(&placed(&data, &at));
        assert!((found.midpoint() - square.sqrt()).abs() < 1e-8, "{found}");
    }

    /// Where x⁺ = x⁻ descent stands still: log 2 for every triplet, and ‖∇L̂_un‖² = ½ Σ ‖f(x_i)‖².
    #[test]
    fn descent_on_one_sample_for_both_rests_at_the_loss_of_a_coin() {
        let mut data = of(3, &[[0, 1, 1], [2, 0, 0]]);
        data.width = 8;
        let found = data.measure().unwrap();
        assert!(found.at_rest && found.by_sample.hi() == 0.0 && data.names_one_sample_for_both_everywhere());
        assert!((found.attained - 2.0 * Enclosure::ln_2()).abs().hi() < 1e-14);
        let shape = EncoderShape { input: 3, width: 8, depth: 1, output: OUTPUT };
        let encoder = Encoder::initialise(shape, &mut stream(0, &["weights"])).unwrap();
        let anchors = encoder.forward(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
        let square: f64 = sum_of_squares(anchors.outputs());
        assert!((found.by_slot.midpoint() - (square / 2.0).sqrt()).abs() < 1e-12);
        assert!((found.by_slot_at_the_start - found.by_slot).abs().hi() < 1e-12);
    }
}
