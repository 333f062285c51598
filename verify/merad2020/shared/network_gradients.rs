//! The parameter gradient of L̂_un in two ways: forward differentiation of the whole composition in intervals, and through the
//! Jacobians of the outputs.

use enclosures::interval::Dual;
use enclosures::vectors::{minus, points, scaled, sum_of_products};
use evidence::prelude::*;

use super::network_point::{Matrix, NetworkPoint};

/// Directions differentiated at once.
const LANES: usize = 8;

type Lanes = Dual<LANES>;

impl NetworkPoint {
    /// A, W_1, …, W_L, B.
    fn matrices(&self) -> Vec<&Matrix> {
        self.hidden.iter().chain([&self.head]).collect()
    }

    /// Number of parameters.
    fn parameters(&self) -> usize {
        self.matrices().iter().map(|m| m.iter().map(Vec::len).sum::<usize>()).sum()
    }

    /// Whether no pre-activation of any input vanishes, so that the network is differentiable.
    pub fn is_smooth(&self) -> bool {
        let constants = || self.seeded(usize::MAX);
        self.inputs.iter().all(|x| forward(&constants(), x).is_ok_and(|f| !f.kink))
    }

    /// The parameters, of which those from `first` on are the variables.
    fn seeded(&self, first: usize) -> Vec<Vec<Vec<Lanes>>> {
        let mut index: usize = 0;
        let mut entry = |&w: &f64| {
            let mut number = Lanes::constant(Interval::point(w));
            if let Some(lane) = index.checked_sub(first).and_then(|lane| number.slopes.get_mut(lane)) {
                *lane = Interval::ONE;
            }
            index += 1;
            number
        };
        let mut matrices = Vec::new();
        for matrix in self.matrices() {
            matrices.push(matrix.iter().map(|row| row.iter().map(&mut entry).collect()).collect());
        }
        matrices
    }

    /// ∂L̂_un/∂θ by differentiating the composition in the direction of every parameter.
    pub fn composed(&self) -> Result<Vec<Interval>, MeasureError> {
        let count = self.parameters();
        let mut gradient = Vec::with_capacity(count);
        for first in (0..count).step_by(LANES) {
            let matrices = self.seeded(first);
            let mut total = Lanes::constant(Interval::ZERO);
            for triplet in self.inputs.chunks_exact(3) {
                let outputs: Vec<Forward> = triplet.iter().map(|x| forward(&matrices, x)).collect::<Result<_, _>>()?;
                let [x, positive, negative] = [&outputs[0], &outputs[1], &outputs[2]].map(|f| &f.output);
                let mut argument = Lanes::constant(Interval::ZERO);
                for ((&a, &p), &n) in x.iter().zip(positive).zip(negative) {
                    argument = argument + a * (n - p);
                }
                total = total + argument.softplus();
            }
            gradient.extend(total.slopes.iter().take(count - first));
        }
        Ok(gradient)
    }

    /// Σ_i Σ_j (∂f(x_j)/∂θ) A_jᵀ ∂ℓ/∂z(z_i), with the Jacobians written out as products of matrices, over the roles j (anchor,
    /// positive, negative) that are kept.
    pub fn through_outputs(&self, kept: [bool; 3]) -> Result<Vec<Interval>, MeasureError> {
        let mut gradient = vec![Interval::ZERO; self.parameters()];
        for triplet in self.inputs.chunks_exact(3) {
            let passes: Vec<Linearised> = triplet.iter().map(|x| self.linearised(x)).collect::<Result<_, _>>()?;
            let [x, positive, negative] = [&passes[0], &passes[1], &passes[2]].map(|p| &p.output);
            let way = minus(negative, positive);
            let argument = sum_of_products(x, &way);
            let (slope, minus) = (argument.sigmoid(), -argument.sigmoid());
            let blocks = [scaled(&way, slope), scaled(x, minus), scaled(x, slope)];
            for ((pass, block), _) in passes.iter().zip(&blocks).zip(kept).filter(|(_, kept)| *kept) {
                for (sum, row) in gradient.iter_mut().zip(pass.transposed_jacobian()) {
                    *sum += sum_of_products(&row, block);
                }
            }
        }
        Ok(gradient)
    }

    /// The layers of one input, and B D_L W_L ⋯ D_l for every layer.
    fn linearised(&self, x: &[f64]) -> Result<Linearised, MeasureError> {
        let mut values = vec![points(x)];
        let mut active = Vec::new();
        for matrix in &self.hidden {
            let before = product(matrix, values.last().ok_or("no layer")?);
            let mut on = Vec::with_capacity(before.len());
            for g in &before {
                on.push(is_active(*g)?);
            }
            let zeroed = before.iter().zip(&on).map(|(&g, &on)| if on { g } else { Interval::ZERO });
            values.push(zeroed.collect());
            active.push(on);
        }
        let mut onward: Vec<Vec<Interval>> = self.head.iter().map(|row| points(row)).collect();
        let mut adjoints = Vec::new();
        for (layer, on) in active.iter().enumerate().rev() {
            for row in &mut onward {
                for (entry, &on) in row.iter_mut().zip(on) {
                    *entry = if on { *entry } else { Interval::ZERO };
                }
            }
            adjoints.push(onward.clone());
            let columns = self.hidden[layer].first().map_or(0, Vec::len);
            let back = |row: &Vec<Interval>| -> Vec<Interval> {
                let entry = |c: usize| row.iter().zip(&self.hidden[layer]).map(|(&r, w)| r * w[c]).sum();
                (0..columns).map(entry).collect()
            };
            onward = onward.iter().map(back).collect();
        }
        adjoints.reverse();
        Ok(Linearised { output: product(&self.head, values.last().ok_or("no layer")?), values, adjoints })
    }
}

fn product(matrix: &Matrix, x: &[Interval]) -> Vec<Interval> {
    matrix.iter().map(|row| sum_of_products(x, row)).collect()
}

/// Whether a unit is active; at exactly zero the derivative of the ReLU is taken to be zero.
fn is_active(g: Interval) -> Result<bool, MeasureError> {
    if g.lo() > 0.0 {
        Ok(true)
    } else if g.hi() <= 0.0 {
        Ok(false)
    } else {
        Err("a pre-activation cannot be told from zero".into())
    }
}

/// What the layers compute, with derivatives.
struct Forward {
    output: Vec<Lanes>,
    /// Whether some pre-activation is exactly zero.
    kink: bool,
}

fn forward(matrices: &[Vec<Vec<Lanes>>], x: &[f64]) -> Result<Forward, MeasureError> {
    let times = |matrix: &[Vec<Lanes>], h: &[Lanes]| -> Vec<Lanes> {
        let zero = Lanes::constant(Interval::ZERO);
        let row = |row: &Vec<Lanes>| row.iter().zip(h).fold(zero, |sum, (&w, &t)| sum + w * t);
        matrix.iter().map(row).collect()
    };
    let mut kink = false;
    let mut layer: Vec<Lanes> = x.iter().map(|&t| Lanes::constant(Interval::point(t))).collect();
    let (head, hidden) = matrices.split_last().ok_or("no matrix")?;
    for matrix in hidden {
        layer = times(matrix, &layer);
        for g in &mut layer {
            kink |= g.value.contains(0.0);
            if !is_active(g.value)? {
                *g = Lanes::constant(Interval::ZERO);
            }
        }
    }
    Ok(Forward { output: times(head, &layer), kink })
}

/// One input's layers and the matrices that carry a change of each layer to the output.
struct Linearised {
    output: Vec<Interval>,
    /// x, h_0, …, h_L.
    values: Vec<Vec<Interval>>,
    /// B D_L W_L ⋯ W_{l+1} D_l for l = 0, …, L, as d rows.
    adjoints: Vec<Vec<Vec<Interval>>>,
}

impl Linearised {
    /// One row of d numbers for every parameter, in the order A, W_1, …, W_L, B.
    fn transposed_jacobian(&self) -> Vec<Vec<Interval>> {
        let d = self.output.len();
        let mut rows = Vec::new();
        for (adjoint, below) in self.adjoints.iter().zip(&self.values) {
            let units = adjoint.first().map_or(0, Vec::len);
            for unit in 0..units {
                rows.extend(below.iter().map(|&h| adjoint.iter().map(|row| row[unit] * h).collect::<Vec<_>>()));
            }
        }
        let last = self.values.last().map_or(&[][..], |v| v);
        for k in 0..d {
            rows.extend(last.iter().map(|&h| (0..d).map(|i| if i == k { h } else { Interval::ZERO }).collect()));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use enclosures::probability::list_of_standard_normals;
    use enclosures::stream::stream;

    use super::*;

    /// A network with two square matrices, and two triplets.
    fn network() -> NetworkPoint {
        let mut rng = stream(5, &["gradients of a network"]);
        let mut matrix = |rows: usize, columns: usize| -> Matrix {
            let entries = list_of_standard_normals(&mut rng, rows * columns);
            entries.chunks_exact(columns).map(<[f64]>::to_vec).collect()
        };
        NetworkPoint {
            hidden: vec![matrix(4, 3), matrix(4, 4), matrix(4, 4)],
            head: matrix(2, 4),
            inputs: matrix(6, 3),
        }
    }

    /// The same network with its k-th parameter moved.
    fn moved(point: &NetworkPoint, k: usize, by: f64) -> NetworkPoint {
        let mut other = point.clone();
        let all = other.hidden.iter_mut().chain([&mut other.head]);
        *all.flatten().flatten().nth(k).unwrap() += by;
        other
    }

    fn output(point: &NetworkPoint, x: &[f64]) -> Vec<f64> {
        let times =
            |matrix: &Matrix, x: &[f64]| -> Vec<f64> { matrix.iter().map(|row| sum_of_products(row, x)).collect() };
        let relu = |x: Vec<f64>, matrix: &Matrix| times(matrix, &x).into_iter().map(|t| t.max(0.0)).collect();
        times(&point.head, &point.hidden.iter().fold(x.to_vec(), relu))
    }

    /// L̂_un with a network for each of the roles anchor, positive, negative.
    fn loss(roles: [&NetworkPoint; 3]) -> f64 {
        let of = |triplet: &[Vec<f64>]| {
            let [z, p, n]: [Vec<f64>; 3] = std::array::from_fn(|j| output(roles[j], &triplet[j]));
            let argument: f64 = z.iter().zip(p.iter().zip(&n)).map(|(z, (p, n))| z * (n - p)).sum();
            exact(argument).softplus().midpoint()
        };
        roles[0].inputs.chunks_exact(3).map(of).sum()
    }

    #[test]
    fn both_gradients_are_difference_quotients_of_the_loss() {
        let (point, h) = (network(), 1e-5);
        assert!(point.is_smooth());
        let (composed, through) = (point.composed().unwrap(), point.through_outputs([true; 3]).unwrap());
        assert_eq!([composed.len(), through.len()], [12 + 16 + 16 + 8; 2]);
        for k in 0..composed.len() {
            let at = |by: f64| loss([&moved(&point, k, by); 3]);
            let slope = (at(h) - at(-h)) / (2.0 * h);
            for found in [composed[k], through[k]] {
                let (tolerance, apart) = (1e-7 * (1.0 + slope.abs()), (found - slope).abs());
                assert!(apart.hi() < tolerance, "{k}: {found:?}, {slope}");
            }
        }
    }

    #[test]
    fn a_role_that_is_kept_alone_moves_its_own_output_only() {
        let (point, h) = (network(), 1e-5);
        for role in 0..3 {
            let kept: [bool; 3] = std::array::from_fn(|j| j == role);
            let found = point.through_outputs(kept).unwrap();
            for (k, &entry) in found.iter().enumerate() {
                let at = |by: f64| {
                    let other = moved(&point, k, by);
                    loss(std::array::from_fn(|j| if j == role { &other } else { &point }))
                };
                let slope = (at(h) - at(-h)) / (2.0 * h);
                assert!((entry - slope).abs().hi() < 1e-7 * (1.0 + slope.abs()), "{role}, {k}");
            }
        }
    }

    #[test]
    fn a_network_is_not_smooth_where_a_unit_sees_exactly_zero() {
        let mut point = network();
        point.inputs[4] = vec![0.0, 0.0, 1.0];
        point.hidden[0][1][2] = 0.0;
        assert!(!point.is_smooth());
        point.hidden[0][1][2] = 0.5;
        assert!(point.is_smooth());
    }
}
