//! Features of two views and their losses, the selection by the contrastive loss, and stable ranks.

use enclosures::interval::Interval;
use two_view::{
    Balance, Enumeration, FeatureSelection, Features, GramState, LatentSizes, MatrixBlock, Objective, TwoViewData,
    View, loss_at,
};

use super::sheet::{Sheet, entries, matrix, number, place, rows, vector};

pub fn sheet() -> Sheet {
    let mut sheet = Sheet::new(
        "Ren2023",
        "Ren and Li",
        &[
            "ren2023.Model", "ren2023.Gradients", "ren2023.Dynamics", "ren2023.Noncontrastive", "ren2023.Cosines",
            "ren2023.StableRanks",
        ],
        "loss_A loss_nc Ψ Q_0 Q L_c L_nc S_A S_B w_A w_B bracket sim similarity feature_B feature input apply_matrix N_of N_sq K_of cosine StableRanks.R1 StableRanks.R2 StableRanks.R3 E dot \
         norm",
    );
    one_signal(&mut sheet);
    signal_and_noise(&mut sheet);
    similarities(&mut sheet);
    ranks(&mut sheet);
    sheet
}

fn block(rows: &[Vec<f64>]) -> MatrixBlock<Interval> {
    MatrixBlock::from_fn(rows.len(), rows[0].len(), |i, j| Interval::point(rows[i][j]))
}

fn lists(rows: &[&[f64]]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| row.to_vec()).collect()
}

/// A model with one signal: maps of both views, weights of both views, τ² and K.
struct Views {
    maps: [Vec<Vec<f64>>; 2],
    weights: [Vec<Vec<f64>>; 2],
    tau_squared: f64,
    negatives: f64,
}

impl Views {
    fn data(&self) -> TwoViewData<Interval> {
        let sizes = LatentSizes::new(1, self.maps[0][0].len() - 1).expect("a signal");
        TwoViewData::new(sizes, block(&self.maps[0]), block(&self.maps[1])).expect("maps")
    }

    fn state(&self) -> GramState<Interval> {
        self.data().features(&block(&self.weights[0]), &block(&self.weights[1])).expect("weights").gram()
    }

    fn objective(&self) -> Objective {
        Objective::Contrastive { tau_squared: self.tau_squared, negatives: self.negatives }
    }

    fn loss(&self, objective: Objective) -> Interval {
        loss_at(&self.data(), [&block(&self.weights[0]), &block(&self.weights[1])], objective).expect("a loss")
    }

    fn define<'a>(&self, sheet: &'a mut Sheet, latents: &str) -> &'a mut Sheet {
        let (m, inputs) = (self.weights[0].len(), self.maps[0].len());
        for (name, map) in ["XA", "XB"].into_iter().zip(&self.maps) {
            let columns = |from: usize, to: usize| {
                matrix(&rows(&map.iter().map(|row| row[from..to].to_vec()).collect::<Vec<_>>()))
            };
            let noises = map[0].len() - 1;
            let body = if noises == 0 {
                columns(0, 1)
            } else {
                format!("beside ({}) ({})", columns(0, 1), columns(1, 1 + noises))
            };
            sheet.define(name, &format!("'I_{inputs} -> {latents} -> R"), &body);
        }
        for (name, weights) in ["WA", "WB"].into_iter().zip(&self.weights) {
            sheet.define(name, &format!("'I_{m} -> 'I_{inputs} -> R"), &matrix(&rows(weights)));
        }
        sheet
    }
}

/// No noise: the states of both views and the positive pairs are the two values of the signal.
/// The formulas of Q and Q_0 take Coq long: they are compared where there is one input and one feature.
fn one_signal(sheet: &mut Sheet) {
    let of = |maps: [&[&[f64]]; 2], weights: [&[&[f64]]; 2], tau_squared: f64, negatives: f64| Views {
        maps: maps.map(lists),
        weights: weights.map(lists),
        tau_squared,
        negatives,
    };
    let one: &[&[f64]] = &[&[1.0]];
    let all = [
        (
            "Opposed",
            "A named model of the claims: K_A = 1, K_B = −1.",
            of([one, one], [one, &[&[-1.0]]], 1.0, 1.0),
            true,
            true,
        ),
        (
            "TwoAndOne",
            "A named model of the claims: K_A = 2, K_B = 1.",
            of([one, one], [&[&[2.0]], one], 1.0, 1.0),
            false,
            true,
        ),
        (
            "InputsOfTwoCoordinates",
            "One signal in inputs of two coordinates.",
            of([&[&[2.0], &[1.0]], &[&[0.5], &[-1.0]]], [&[&[1.0, 0.5]], &[&[-2.0, 3.0]]], 3.0, 0.5),
            true,
            false,
        ),
        (
            "MapsAndWeights",
            "One signal; maps, weights, temperature and number of negatives that differ from 1.",
            of([&[&[2.0]], &[&[0.5]]], [&[&[-1.5]], &[&[3.0]]], 3.0, 0.5),
            false,
            true,
        ),
        (
            "TwoFeatures",
            "One signal and two features.",
            of([one, one], [&[&[1.0], &[2.0]], &[&[1.0], &[0.5]]], 1.0, 2.0),
            true,
            false,
        ),
    ];
    for (name, about, views, losses, selected) in all {
        let state = views.state();
        let parameters = format!("({}) ({})", number(views.tau_squared), number(views.negatives));
        let laws = "half id id half half y y";
        views
            .define(sheet.instance(name, about), "'I_1")
            .define("v", "'I_1 -> R", "vector [:: 1]")
            .define("half", "'I_2 -> R", "vector [:: 1 / 2; 1 / 2]")
            .define("y", "'I_2 -> 'I_1 -> R", "matrix [:: [:: 1]; [:: -1]]");
        let selection = FeatureSelection::of(&state, views.objective()).expect("a selection");
        if losses {
            let square = state.normaliser_squared(View::A).expect("outputs");
            let loss = views.loss(views.objective());
            sheet
                .value("N_sq", "", "N_sq XA v WA", square)
                .value("N_of", "", "N_of XA v WA", square.sqrt())
                .value("loss_A", "", &format!("loss_A XA v XB v {laws} {parameters} WB WA"), loss)
                .value("L_nc", "", "L_nc half id id (sim XA v XB v y y WB WA)", views.loss(Objective::NonContrastive));
        }
        if selected {
            sheet.value("Q_0", "", &format!("Q_0 XA v XB v {laws} {parameters} WA WB"), selection.scalar).value(
                "Q",
                "",
                &format!("Q XA v XB v {laws} 1 {parameters} WA WB ord0 ord0"),
                selection.matrix.at(0, 0),
            );
        }
    }
}

/// Signal and noise in a sum of types; positive pairs (z, ξ_A, ξ_B) have the states (z, ξ_A) and (z, ξ_B).
fn signal_and_noise(sheet: &mut Sheet) {
    let of = |maps: [&[&[f64]]; 2], weights: [&[&[f64]]; 2]| Views {
        maps: maps.map(lists),
        weights: weights.map(lists),
        tau_squared: 1.0,
        negatives: 1.0,
    };
    let straight: &[&[f64]] = &[&[2.0, 0.0], &[0.0, 0.5]];
    let tilted: &[&[f64]] = &[&[1.0, 0.5], &[0.0, 1.0]];
    let other: &[&[f64]] = &[&[1.0, -0.5], &[0.25, 2.0]];
    for (name, about, views) in [
        (
            "Straight",
            "One signal and one noise, one feature, orthogonal maps.",
            of([straight, straight], [&[&[2.0, 1.0]], &[&[1.0, -0.5]]]),
        ),
        (
            "OneFeature",
            "One signal and one noise, one feature, the maps of view B not orthogonal.",
            of([straight, tilted], [&[&[1.0, 1.0]], &[&[1.0, 2.0]]]),
        ),
        (
            "Tilted",
            "One signal and one noise, two features, the maps of view A not orthogonal.",
            of([tilted, straight], [other, other]),
        ),
    ] {
        let state = views.state();
        views
            .define(sheet.instance(name, about), "'I_1 + 'I_1")
            .define("v", "'I_1 + 'I_1 -> R", "fun=> 1")
            .define("sign", "'I_2 -> R", "vector [:: 1; -1]")
            .define("y", "'I_2 * 'I_2 -> 'I_1 + 'I_1 -> R", "fun i l => if l is inl _ then sign i.1 else sign i.2")
            .define("π", "'I_2 * 'I_2 * 'I_2 -> R", "fun=> 1 / 8")
            .value("N_sq", "", "N_sq XA v WA", state.normaliser_squared(View::A).expect("outputs"))
            .value("Ψ", "", "Ψ XA v XB v 1 WA WB", state.agreement().expect("outputs"))
            .value(
                "loss_nc",
                "",
                "loss_nc XA v XB v π (fun o => o.1) (fun o => (o.1.1, o.2)) y y WB WA",
                views.loss(Objective::NonContrastive),
            );
    }
}

/// The loss and its weights as functions of the similarities s = yᵀCy: for one signal alone, and for one signal and one noise.
fn similarities(sheet: &mut Sheet) {
    let alone: [(&str, f64, f64, f64); 2] = [("Alike", 1.0, 1.0, 1.0), ("Unlike", -0.75, 4.0, 0.5)];
    for (name, cross, tau_squared, negatives) in alone {
        let all =
            Enumeration::new(LatentSizes::new(1, 0).expect("a signal"), &block(&[vec![cross]]), tau_squared, negatives);
        sheet
            .instance(name, &format!("One signal, and the similarity ±{}.", cross.abs()))
            .define("y", "'I_2 -> R", "vector [:: 1; -1]")
            .define("s", "'I_2 -> 'I_2 -> R", &format!("fun i j => y i * ({}) * y j", number(cross)))
            .define("half", "'I_2 -> R", "vector [:: 1 / 2; 1 / 2]");
        let laws = ["half id id half half", "half"];
        of_similarities(sheet, &all.expect("states"), laws, ["ord_max", "ord0"], (1, 0), (tau_squared, negatives));
    }
    let (cross, tau_squared, negatives) = ([vec![1.0, 0.5], vec![-0.25, 0.75]], 1.0, 2.0);
    let all = Enumeration::new(LatentSizes::new(1, 1).expect("a signal"), &block(&cross), tau_squared, negatives);
    sheet
        .instance(
            "WithNoise",
            "One signal and one noise; positive pairs (z, ξ_A, ξ_B) have the states (z, ξ_A) and (z, ξ_B).",
        )
        .define("C", "'I_2 -> 'I_2 -> R", &matrix(&rows(&cross)))
        .define("sign", "'I_2 -> R", "vector [:: 1; -1]")
        .define("y", "'I_2 * 'I_2 -> 'I_2 -> R", "fun i => vector [:: sign i.1; sign i.2]")
        .define_sum("s", "'I_2 * 'I_2 -> 'I_2 * 'I_2 -> R", "fun i j => ∑ k, ∑ l, y i k * C k l * y j l")
        .define("π", "'I_2 * 'I_2 * 'I_2 -> R", "fun=> 1 / 8")
        .define("even", "'I_2 * 'I_2 -> R", "fun=> 1 / 4");
    let laws = ["π (fun o => o.1) (fun o => (o.1.1, o.2)) even even", "even"];
    // A state is negative in the signal where its first bit is set, in the noise where its second is.
    let states = ["(ord_max, ord0)", "(ord0, ord_max)"];
    of_similarities(sheet, &all.expect("states"), laws, states, (1, 2), (tau_squared, negatives));
}

/// The quantities at all pairs, and at one pair of states.
fn of_similarities(
    sheet: &mut Sheet,
    all: &Enumeration<Interval>,
    [laws, law]: [&str; 2],
    [i, j]: [&str; 2],
    (a, b): (usize, usize),
    (tau_squared, negatives): (f64, f64),
) {
    let (τ2, k) = (format!("({})", number(tau_squared)), format!("({})", number(negatives)));
    sheet
        .value("L_c", "", &format!("L_c {laws} {τ2} {k} s"), all.loss())
        .value("S_A", "", &format!("1 - S_A {law} {τ2} {k} s {i} {j}"), all.rest_a(a, b))
        .value("S_B", "", &format!("1 - S_B {law} {τ2} {k} s {i} {j}"), all.rest_b(a, b))
        .value("w_A", "", &format!("w_A {law} {τ2} s {i} {j}"), all.tilt_a(a, b))
        .value("w_B", "", &format!("w_B {law} {τ2} s {i} {j}"), all.tilt_b(a, b));
}

/// Features K_A = K_B with orthogonal columns: the eigenvalues of Σ_A are the shares of their squared norms.
fn ranks(sheet: &mut Sheet) {
    let all: [(&str, &str, &[f64]); 3] = [
        ("Diagonal21", "K_A = K_B = diag(2, 1).", &[2.0, 1.0]),
        ("Diagonal211", "K_A = K_B = diag(2, 1, 1).", &[2.0, 1.0, 1.0]),
        ("Diagonal221", "K_A = K_B = diag(2, 2, 1).", &[2.0, 2.0, 1.0]),
    ];
    for (name, about, norms) in all {
        let r = norms.len();
        let sizes = LatentSizes::new(r, 0).expect("a signal");
        let stacked = MatrixBlock::from_fn(r, 2 * r, |i, j| {
            // Column 0 of view B is tilted against that of view A.
            let entry = if i == j % r { norms[i] } else { 0.0 };
            Interval::point(if j == r && i == 1 { 1.0 } else { entry })
        });
        let state = Features::new(sizes, stacked).expect("columns").gram();
        let [one, two, three] = Balance::of(&state, View::A).expect("a spectrum").meanings();
        let squares: Vec<f64> = norms.iter().map(|x| x * x).collect();
        let eigenvalues: Vec<String> = squares.iter().map(|&x| super::sheet::share(x, &squares)).collect();
        let columns = [View::A, View::B].map(|view| {
            (0..r).map(|i| if i == 0 { norms[0] } else { f64::from(i == 1 && view == View::B) }).collect::<Vec<f64>>()
        });
        let largest = format!("(λ {})", place(0, r));
        sheet
            .instance(name, &format!("{about}  The first column of K_B has another entry, 1."))
            .define("λ", &format!("'I_{r} -> R"), &vector(&eigenvalues))
            .define("kA", &format!("'I_{r} -> R"), &vector(&entries(&columns[0])))
            .define("kB", &format!("'I_{r} -> R"), &vector(&entries(&columns[1])))
            .value("R1", "", &format!("StableRanks.R1 λ {largest}"), one)
            .value("R2", "", &format!("StableRanks.R2 λ {largest}"), two)
            .value("R3", "", "StableRanks.R3 λ", three)
            .value("cosine", "", "cosine kA kB", state.correlation(0));
    }
}
