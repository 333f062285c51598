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

/// L_S, that of point i, and both after a move of the query of that point.
struct Improved {
    loss: Enclosure,
    /// n C(n−1,k) times the part of the point in L_S, before and after the move.
    before: Enclosure,
    after: Enclosure,
    /// The same for the key nearest to the mean, and for all queries doubled, with L_S after that.
    nearest: [Enclosure; 2],
    doubled: Enclosure,
}

/// Σ_A log(1 + Σ_{j∈A} e^{q_i·z_ij}).
fn part_of(o: &QueriesAndKeys, i: usize) -> Interval {
    let logits = &o.logits()[i];
    let others: Vec<usize> = (0..o.count()).filter(|&j| j != i).collect();
    let of_set = |set: Vec<usize>| set.into_iter().map(|j| logits[others[j]].exp()).sum::<Interval>().ln_1p();
    subsets(others.len(), o.negatives()).map(of_set).sum()
}

fn equal_keys(o: &QueriesAndKeys) -> bool {
    o.keys().windows(2).all(|pair| pair[0] == pair[1])
}

/// Points in the order of the distances of their keys from the mean of the keys, and those differences k_i − c.
fn by_distance(o: &QueriesAndKeys) -> (Vec<usize>, Vec<Vec<f64>>) {
    let n = o.count() as f64;
    let mean: Vec<f64> = (0..o.dimension()).map(|c| o.keys().iter().map(|key| key[c] / n).sum()).collect();
    let differences: Vec<Vec<f64>> =
        o.keys().iter().map(|key| key.iter().zip(&mean).map(|(x, m)| x - m).collect()).collect();
    let square = |i: usize| -> f64 { differences[i].iter().map(|x| x * x).sum() };
    let mut order: Vec<usize> = (0..o.count()).collect();
    order.sort_by(|&i, &j| square(i).total_cmp(&square(j)));
    (order, differences)
}

/// The outputs with u added to the query of point i, u scaled so that the largest logit changes by about one.
fn moved(o: &QueriesAndKeys, i: usize, u: &[f64]) -> Result<QueriesAndKeys, contrastive::ContrastiveError> {
    let product = |key: &Vec<f64>| -> f64 {
        u.iter().zip(key.iter().zip(&o.keys()[i])).map(|(u, (x, own))| u * (x - own)).sum::<f64>().abs()
    };
    let size = o.keys().iter().map(product).fold(0.0, f64::max);
    let mut queries = o.queries().to_vec();
    for (x, u) in queries[i].iter_mut().zip(u) {
        *x += u / size;
    }
    QueriesAndKeys::new(o.negatives(), queries, o.keys().to_vec())
}

/// Zero queries but for q_1 = u, and k_1 moved by u, the first unit vector.
fn first_apart(o: &QueriesAndKeys) -> Result<QueriesAndKeys, contrastive::ContrastiveError> {
    let mut keys = o.keys().to_vec();
    keys[0][0] += 1.0;
    let mut queries = vec![vec![0.0; o.dimension()]; o.count()];
    queries[0][0] = 1.0;
    QueriesAndKeys::new(o.negatives(), queries, keys)
}

fn improved(o: &QueriesAndKeys) -> Result<Improved, MeasureError> {
    let doubled = o.queries().iter().map(|q| q.iter().map(|x| 2.0 * x).collect()).collect();
    let doubled = QueriesAndKeys::new(o.negatives(), doubled, o.keys().to_vec())?;
    let of = |o: &QueriesAndKeys, i| Enclosure::from(part_of(o, i));
    let (order, differences) = by_distance(o);
    let (near, far) = (order[0], order[order.len() - 1]);
    let (from, to) = if equal_keys(o) { (0, first_apart(o)?) } else { (far, moved(o, far, &differences[far])?) };
    let nearest = if equal_keys(o) || differences[near].iter().all(|&x| x == 0.0) {
        [Enclosure::ONE; 2]
    } else {
        [of(o, near), of(&moved(o, near, &differences[near])?, near)]
    };
    Ok(Improved {
        loss: o.loss().into(),
        before: of(o, from),
        after: of(&to, from),
        nearest,
        doubled: doubled.loss().into(),
    })
}

pub fn claim() -> Claim {
    Claim::new("wen2020.no-optimum", "the objective has no optimal solution", Kind::Observation)
        .statement("the contrastive objective L_S generally has no optimal solution")
        .source("Abstract", &["Section 1"])
        .symbols([POINTS, NEGATIVES, OUTPUT, QUERY, KEY, DIFFERENCE, SETS, LOSS])
        .symbol("c", "the mean of the keys (to rounding), u = k_i − c")
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
        .outside("large logits", large_logits)
        .families(families(6))
        .family(edge("nearly optimal", nearly_optimal))
        .part(
            "printed",
            "other outputs have a smaller L_S: for the point i whose key is farthest from the mean of the keys, the part of \
             point i falls when a positive multiple of u is added to q_i, and nothing else of L_S changes; if all keys are \
             equal, the part of point 1 falls with q_1 = e_1, k_1 + e_1 and all other queries zero, and the others stay",
            holds(),
            |_, m| less_than(m.after, m.before),
        )
        .step("guess", "L_S = log(k + 1) whatever the queries are", holds(), |o, m| {
            equal(m.loss, Enclosure::from(o.negatives() + 1).ln())
        })
        .assume(Hypothesis::new(ALL_EQUAL, equal_keys))
        .control("a", "the part of point i falls for the point i whose key is nearest to the mean of the keys", |o, m| {
            if equal_keys(o) { vacuous(ALL_EQUAL) } else { less_than(m.nearest[1], m.nearest[0]) }
        })
        .except(ALL_EQUAL)
        .control("b", "L_S falls when all queries are doubled", |_, m| less_than(m.doubled, m.loss))
        .control("c", "the part of point i falls to less than half", |_, m| less_than(2.0 * m.after, m.before))
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
