//! The trainings on which Theorem 1 and Lemma 6 are tried.

use contrastive::network::Trained;
use evidence::prelude::*;
use proptest::prelude::Strategy;
use proptest::sample::select;

use super::training_run::{Data, Start, TrainingRun};

/// The trainings listed below.
const NAMED: &str = "κ = 1, C = 3/2, but 5/2 in the run (2, 1.4, 64, 1, 2); inputs orthonormal but for x_i⁻ at \
                     distance δ from x_i⁺, with (n, δ, m, L, d) = (1, 1.4, 64, 1, 2), the same with m = 16 and 256, \
                     (2, 1.4, 48, 2, 4), (2, 1.4, 32, 3, 2), (3, 1, 64, 1, 8), (1, 1.4, 64, 1, 1), (2, 1.4, 64, 1, 1), \
                     (1, 0.3, 64, 1, 2), (2, 1.4, 64, 1, 2); (1, 1.4, 64, 1, 2) and (2, 1.4, 48, 2, 4) with W alone; \
                     or inputs in random directions, of ℝ³ with n = 2, m = 64, L = 1, d = 2 and of ℝ² with n = 1, m = \
                     64, L = 2, d = 2";

/// The trainings drawn below.
const DRAWN: &str = "n = 1, κ = 2; orthonormal inputs but for x⁻ at distance δ from x⁺, δ from ½ to 1; m = 64 or \
                     128, L = 1 or 2, d = 2, 4 or 8, C from 1.1 to 3";

/// Random starts. The statements hold with a probability that grows with m: one drawn network of m = 16 never reached ε = 1/4. All sizes, all layers or W alone, orthonormal, close and random inputs.
pub fn trainings() -> Vec<Family<TrainingRun>> {
    let apart = |separation| Data::Apart { separation };
    vec![
        edge("networks", named).restricted(NAMED),
        random("drawn networks", move || {
            let sizes = (select(vec![64usize, 128]), 1usize..=2, select(vec![2usize, 4, 8]));
            let data = (0.5..1.0f64, 1.1..3.0f64, proptest::bool::ANY);
            (sizes, data, 0u64..1000).prop_map(move |((m, l, d), (separation, cap, hidden), seed)| TrainingRun {
                trained: if hidden { Trained::Hidden } else { Trained::All },
                cap,
                pace: 2.0,
                ..TrainingRun::new(1, apart(separation), (m, l, d), seed)
            })
        })
        .taking(0.06)
        .restricted(DRAWN),
    ]
}

/// What those below have in common.
pub const ANY_START: &str = "a critical point as the start: n = 1, x = −e_1, x⁺ = (½, ½, ½, ½), x⁻ = (½, ½, ½, −½), A \
                             with the rows −e_1 and e_1, every W_l with the block (1, −1; −1, 1), B with the block (1, \
                             0; 0, 1), all else 0; ν = dδ/(n(L+1)m), all matrices trained for 400 updates at most";

/// A short training of a small network.
fn short(start: Start, data: Data, sizes: (usize, usize, usize)) -> TrainingRun {
    TrainingRun { start, steps: 400, cap: 10.0, ..TrainingRun::new(1, data, sizes, 1) }
}

/// Critical points of all matrices, of several widths and depths.
fn critical() -> Vec<(String, TrainingRun)> {
    let sizes = [(2, 0), (2, 1), (2, 2), (2, 3), (64, 1)];
    let each = |(width, depth)| {
        let name = format!("a critical point, m = {width}, L = {depth}");
        (name, short(Start::Critical, Data::Random { dimension: 2 }, (width, depth, 2)))
    };
    sizes.map(each).to_vec()
}

/// Short trainings from critical points of all matrices.
pub fn critical_starts() -> Vec<Family<TrainingRun>> {
    vec![edge("critical points", critical)]
}

/// The same, and from random starts.
pub fn any_starts() -> Vec<Family<TrainingRun>> {
    let random = || {
        let sizes = [(64, 1, 2), (16, 2, 3), (32, 0, 1)];
        let each = |(width, depth, output)| {
            let name = format!("a random start, m = {width}, L = {depth}, d = {output}");
            let data = Data::Apart { separation: 1.4 };
            (name, short(Start::Random, data, (width, depth, output)))
        };
        sizes.map(each).to_vec()
    };
    vec![edge("critical points", critical), edge("random starts", random)]
}

/// Networks that map every input to zero, which Assumption 2 excludes.
pub fn zero_starts() -> Vec<Family<TrainingRun>> {
    vec![edge("all outputs zero", || {
        let of = |start, triplets, sizes| TrainingRun {
            start,
            steps: 400,
            ..TrainingRun::new(triplets, Data::Apart { separation: 1.4 }, sizes, 1)
        };
        vec![
            ("dead", of(Start::Dead, 1, (16, 1, 2))),
            ("dead, L = 3", of(Start::Dead, 2, (16, 3, 1))),
            ("B = 0", of(Start::ZeroHead, 1, (16, 1, 2))),
        ]
    })]
}

pub fn named() -> Vec<(String, TrainingRun)> {
    let apart = |separation| Data::Apart { separation };
    let plane = |dimension| Data::Random { dimension };
    let mut list: Vec<(String, TrainingRun)> = Vec::new();
    let mut add = |name: &str, run: TrainingRun| list.push((name.to_owned(), run));
    let run = TrainingRun::new;
    add("one triplet", run(1, apart(1.4), (64, 1, 2), 1));
    add("one triplet, m = 16", run(1, apart(1.4), (16, 1, 2), 1));
    add("one triplet, m = 256", run(1, apart(1.4), (256, 1, 2), 1));
    add("two triplets, L = 2", run(2, apart(1.4), (48, 2, 4), 2));
    add("two triplets, L = 3", run(2, apart(1.4), (32, 3, 2), 3));
    add("three triplets, d = 8", run(3, apart(1.0), (64, 1, 8), 4));
    add("d = 1", run(1, apart(1.4), (64, 1, 1), 5));
    add("two triplets, d = 1", run(2, apart(1.4), (64, 1, 1), 6));
    add("close inputs, δ = 0.3", run(1, apart(0.3), (64, 1, 2), 7));
    add("random inputs in dimension 3", run(2, plane(3), (64, 1, 2), 8));
    add("random inputs in the plane", run(1, plane(2), (64, 2, 2), 9));
    for (name, n, sizes, seed) in [("one triplet", 1, (64, 1, 2), 1), ("two triplets, L = 2", 2, (48, 2, 4), 2)] {
        let hidden = TrainingRun { trained: Trained::Hidden, ..run(n, apart(1.4), sizes, seed) };
        add(&format!("{name}, only W trained"), hidden);
    }
    // Bounds that the first accuracies respect, and the later ones cannot.
    let roomy = TrainingRun { cap: 2.5, ..run(2, apart(1.4), (64, 1, 2), 10) };
    add("C = 5/2", roomy);
    list
}
