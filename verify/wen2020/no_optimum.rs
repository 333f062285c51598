//! Abstract: the contrastive objective generally has no optimal solution.
//!
//! True of the outputs, for every n ≥ 2, k and d. Let k_i be a key that is farthest from the mean c of the keys, not all equal, and u = k_i − c. Then
//! u·(k_j − k_i) < 0 for every key other than k_i, and adding u to q_i lowers every logit q_i·(k_j − k_i) of point i with such a key and changes no
//! other logit. If all keys are equal, L_S = log(k + 1) whatever the queries are: with all queries zero, moving k_1 along u and
//! setting q_1 = u lowers the loss of point 1 and leaves the others. So no queries and keys attain the infimum of L_S, be it zero or not.
//!
//! Networks whose last hidden vectors h_{i,L−1} are linearly independent, m ≥ n in general, make both moves by W_L and θ_L alone: the
//! parameters have no optimum either. Where inputs coincide this fails: with all x_i equal, L_S = log(k + 1) at all parameters.

use contrastive::{QueriesAndKeys, subsets};
use evidence::prelude::*;

use crate::shared::hypotheses::{LOGITS, large_logits, moderate_logits};
use crate::shared::query_key_outputs::{families, outputs};
use crate::shared::signs::{DIFFERENCE, KEY, LOSS, NEGATIVES, OUTPUT, POINTS, QUERY, SETS};

const ALL_EQUAL: &str = "all keys are equal";

/// One point after the move of its query.
struct MovedQuery {
    /// Whether u·(k_j − k_i) < 0 for every key other than k_i.
    exposed: bool,
    /// The part of the point in L_S, before and after.
    before: Enclosure,
    after: Enclosure,
}

/// L_S, and what moves make of it.
struct Improved {
    loss: Enclosure,
    /// L_S with all queries doubled.
    doubled: Enclosure,
    points: Vec<MovedQuery>,
}

/// (1/n) C(n−1,k)^{−1} Σ_A log(1 + Σ_{j∈A} e^{q_i·z_ij}).
fn part_of(o: &QueriesAndKeys, i: usize) -> Enclosure {
    let logits = &o.logits()[i];
    let others: Vec<usize> = (0..o.count()).filter(|&j| j != i).collect();
    let of_set = |set: Vec<usize>| set.into_iter().map(|j| logits[others[j]].exp()).sum::<Interval>().ln_1p();
    let sum: Interval = subsets(others.len(), o.negatives()).map(of_set).sum();
    let sets = subsets(others.len(), o.negatives()).count();
    (sum / (sets * o.count()) as f64).into()
}

fn equal_keys(o: &QueriesAndKeys) -> bool {
    o.keys().windows(2).all(|pair| pair[0] == pair[1])
}

/// k_i − c.
fn from_mean(o: &QueriesAndKeys, i: usize) -> Vec<f64> {
    let n = o.count() as f64;
    let mean = |c: usize| o.keys().iter().map(|key| key[c] / n).sum::<f64>();
    o.keys()[i].iter().enumerate().map(|(c, x)| x - mean(c)).collect()
}

/// Point i with u added to its query, u scaled so that the largest of its logits changes by about one.
fn moved(o: &QueriesAndKeys, i: usize) -> Result<MovedQuery, contrastive::ContrastiveError> {
    let (u, own) = (from_mean(o, i), &o.keys()[i]);
    let product = |key: &Vec<f64>| -> Interval {
        u.iter().zip(key.iter().zip(own)).map(|(&u, (&x, &own))| (Interval::point(x) - own) * u).sum()
    };
    let mut others = o.keys().iter().filter(|key| *key != own);
    let exposed = others.all(|key| product(key).hi() < 0.0);
    let size = o.keys().iter().map(|key| product(key).magnitude()).fold(0.0, f64::max);
    let mut queries = o.queries().to_vec();
    if size > 0.0 {
        for (x, u) in queries[i].iter_mut().zip(&u) {
            *x += u / size;
        }
    }
    let after = QueriesAndKeys::new(o.negatives(), queries, o.keys().to_vec())?;
    Ok(MovedQuery { exposed, before: part_of(o, i), after: part_of(&after, i) })
}

/// Point 1 with q_1 = e_1 and k_1 moved by e_1, all other queries zero.
fn first_apart(o: &QueriesAndKeys) -> Result<MovedQuery, contrastive::ContrastiveError> {
    let mut keys = o.keys().to_vec();
    keys[0][0] += 1.0;
    let mut queries = vec![vec![0.0; o.dimension()]; o.count()];
    queries[0][0] = 1.0;
    let after = QueriesAndKeys::new(o.negatives(), queries, keys)?;
    Ok(MovedQuery { exposed: true, before: part_of(o, 0), after: part_of(&after, 0) })
}

fn improved(o: &QueriesAndKeys) -> Result<Improved, MeasureError> {
    let doubled = o.queries().iter().map(|q| q.iter().map(|x| 2.0 * x).collect()).collect();
    let doubled = QueriesAndKeys::new(o.negatives(), doubled, o.keys().to_vec())?;
    let points = if equal_keys(o) {
        vec![first_apart(o)?]
    } else {
        (0..o.count()).map(|i| moved(o, i)).collect::<Result<_, _>>()?
    };
    Ok(Improved { loss: o.loss().into(), doubled: doubled.loss().into(), points })
}

impl Improved {
    fn of_exposed(&self, judged: impl Fn(&MovedQuery) -> Evaluation) -> Evaluation {
        let points = self.points.iter().enumerate().filter(|(_, m)| m.exposed);
        let found = at_least(points.clone().count(), 1);
        let judged = points.map(|(i, m)| (format!("point {}", i + 1), judged(m)));
        all_of(std::iter::once(("a point with an exposed key".to_owned(), found)).chain(judged))
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.no-optimum", "the objective has no optimal solution", Kind::Observation)
        .statement("the contrastive objective L_S generally has no optimal solution")
        .source("Abstract", &["Section 1"])
        .symbols([POINTS, NEGATIVES, OUTPUT, QUERY, KEY, DIFFERENCE, SETS, LOSS])
        .symbol("u", "k_i − c, c the mean of the keys (to rounding)")
        .symbol("part of point i", "(1/n) C(n−1,k)^{−1} Σ_A log(1 + Σ_{j∈A} e^{q_i·z_ij}), the only one of L_S with q_i")
        .remark(
            "Said of the outputs. Networks whose last hidden vectors h_{i,L−1} are linearly independent take any outputs by \
             their last matrices, so that their parameters have no optimum either. \"Generally\" is needed: if all inputs \
             are equal, L_S = log(k + 1) at all parameters.",
        )
        .remark("Where the infimum is zero, output-dimension says.")
        .setting(at_all_outputs())
}

fn at_all_outputs() -> Setting<QueriesAndKeys, Improved> {
    Setting::measuring(|o: &QueriesAndKeys, _| improved(o))
        .given("n points, 1 ≤ k ≤ n − 1; their queries q_i and keys k_i are any vectors of one dimension")
        .assume(Hypothesis::new(LOGITS, moderate_logits))
        .family(outside("large logits", large_logits))
        .family(families(6))
        .family(edge("nearly optimal", nearly_optimal))
        .part(
            "printed",
            "other outputs have a smaller L_S: for the point i whose key is farthest from the mean of the keys, and for every i \
             with u·(k_j − k_i) < 0 for all keys other than k_i, the part of point i falls when a positive multiple of u is \
             added to q_i, and nothing else of L_S changes; if all keys are equal, the part of point 1 falls with q_1 = e_1, \
             k_1 + e_1 and all other queries zero, and the others stay",
            holds(),
            |_, m| m.of_exposed(|point| less_than(point.after, point.before)),
        )
        .step("guess", "L_S = log(k + 1) whatever the queries are", holds(), |o, m| {
            equal(m.loss, Enclosure::from(o.negatives() + 1).ln())
        })
        .assume(Hypothesis::new(ALL_EQUAL, equal_keys))
        .control("a", "the part of every point i falls when u/max_j |u·(k_j − k_i)| is added to q_i", |o, m| {
            if equal_keys(o) {
                return vacuous(ALL_EQUAL);
            }
            all_of(m.points.iter().map(|point| ("a point", less_than(point.after, point.before))))
        })
        .except(ALL_EQUAL)
        .control("b", "L_S falls when all queries are doubled", |_, m| less_than(m.doubled, m.loss))
        .control(
            "c",
            "for these i, the part of point i falls to less than half when u/max_j |u·(k_j − k_i)| is added to \
             q_i",
            |_, m| m.of_exposed(|point| less_than(2.0 * point.after, point.before)),
        )
}

/// Outputs whose loss is close to its infimum, which is zero or not.
fn nearly_optimal() -> Vec<(&'static str, QueriesAndKeys)> {
    let triangle: [&[f64]; 3] = [&[10.0, 0.0], &[-5.0, 8.66], &[-5.0, -8.66]];
    vec![
        ("far out on a triangle", outputs(2, &triangle, &triangle)),
        ("opposite and long", outputs(1, &[&[10.0], &[-10.0]], &[&[10.0], &[-10.0]])),
        (
            "on a line, the inner point beside an end",
            outputs(2, &[&[-1.0], &[0.0833], &[4.9]], &[&[0.0], &[60.0], &[61.0]]),
        ),
    ]
}
