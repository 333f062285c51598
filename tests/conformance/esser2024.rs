//! The losses (1) and (2) of linear networks, their trace forms, and the right side of (10).

use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, Matrix};
use enclosures::vectors::{points, sum_of_squares};
use linear_ssl::flow::{orthogonal_velocity, sphere_velocity};
use linear_ssl::self_supervised::{TripletData, trace_loss};

use super::sheet::{Sheet, entries, integers, matrix, place, rows, vector};

/// A matrix, row by row.
type Rows<'a> = &'a [&'a [f64]];

pub fn sheet() -> Sheet {
    let mut sheet = Sheet::new(
        "Esser2024",
        "Esser, Mukherjee, Ghoshdastidar",
        &["esser2024.Proposition2", "esser2024.GradientFlows", "esser2024.KernelMachines", "esser2024.Theorem3"],
        "Proposition2.loss output GradientFlows.L_c GradientFlows.L_nc u_lin trace_loss M_column Proposition2.form frobenius column rhs_10 sq \
         Theorem3.form dot sub",
    );
    networks(&mut sheet);
    dynamics(&mut sheet);
    sheet
}

/// The definitions over any commutative ring.
pub fn matrices() -> Sheet {
    let mut sheet = Sheet::of_integers("Esser2024Matrices", "Esser, Mukherjee, Ghoshdastidar", &["esser2024.Trace"]);
    let lists = |points: Rows| points.iter().map(|x| x.to_vec()).collect::<Vec<_>>();
    let of =
        |x: Rows, xp: Rows, xn: Rows| TripletData { anchors: lists(x), positives: lists(xp), negatives: lists(xn) };
    traces(&mut sheet, "OnePoint", &of(&[&[1.0]], &[&[2.0]], &[&[3.0]]), &[&[2.0]], &[&[-1.0]]);
    traces(
        &mut sheet,
        "TwoPoints",
        &of(&[&[1.0], &[-2.0]], &[&[2.0], &[0.0]], &[&[3.0], &[1.0]]),
        &[&[2.0]],
        &[&[3.0]],
    );
    traces(&mut sheet, "InThePlane", &of(&[&[1.0, 0.0]], &[&[1.0, -1.0]], &[&[0.0, 2.0]]), &[&[1.0, 2.0]], &[&[1.0]]);
    let points: [(&str, &[f64], Rows); 3] = [
        ("OnTheLine", &[-1.0], &[&[2.0]]),
        ("OneOutput", &[-1.0, 2.0], &[&[2.0], &[-3.0]]),
        ("TwoOutputs", &[3.0], &[&[1.0, -2.0]]),
    ];
    for (name, spectrum, point) in points {
        let (d, z) = (spectrum.len(), point[0].len());
        let q = Matrix::from_rows(lists(point)).expect("a point");
        let velocity = orthogonal_velocity(&enclosures::vectors::points(spectrum), &(&q).into()).expect("a velocity");
        let diagonal: Vec<Vec<f64>> =
            (0..d).map(|i| (0..d).map(|j| if i == j { spectrum[i] } else { 0.0 }).collect()).collect();
        sheet
            .instance(name, "The right side of (9).")
            .define_sum("Λ", &format!("'M[int]_{d}"), &format!("integers {d} {d} {}", integers(&diagonal)))
            .define_sum("q", &format!("'M[int]_({d}, {z})"), &format!("integers {d} {z} {}", integers(&lists(point))))
            .whole("rhs_9", "", "rhs_9 Λ q ord0 ord0", velocity.at(0, 0));
    }
    sheet
}

/// The losses (1) and (2) and the trace form (7), with the samples as rows.
fn traces(sheet: &mut Sheet, name: &'static str, data: &TripletData, first: Rows, second: Rows) {
    let lists = |rows: Rows| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    let weights = |rows: Rows| Matrix::from_rows(lists(rows)).expect("weights");
    let map = IntervalMatrix::from(&weights(second)).transpose().product(&IntervalMatrix::from(&weights(first)));
    let (map, n, d) = (map.expect("a map"), data.count(), data.dimension());
    let (h, z) = (first.len(), second[0].len());
    sheet.instance(name, "The losses (1) and (2), and the trace of (7).");
    for (part, points) in [("X", &data.anchors), ("P", &data.positives), ("N", &data.negatives)] {
        sheet.define_sum(part, &format!("'M[int]_({n}, {d})"), &format!("integers {n} {d} {}", integers(points)));
    }
    let form = data.contrastive_matrix().and_then(|c| trace_loss(&map, &c)).expect("a form");
    sheet
        .define_sum("W1", &format!("'M[int]_({h}, {d})"), &format!("integers {h} {d} {}", integers(&lists(first))))
        .define_sum("W2", &format!("'M[int]_({h}, {z})"), &format!("integers {h} {z} {}", integers(&lists(second))))
        .whole("L_c", "", "L_c X N P W1 W2", data.contrastive_loss(&map).expect("a loss"))
        .whole("L_nc", "", "L_nc X P W1 W2", data.non_contrastive_loss(&map).expect("a loss"))
        .whole("trace", "", "\\tr (W2^T *m W1 *m C_tilde X N P *m W1^T *m W2)", form);
}

fn networks(sheet: &mut Sheet) {
    let lists = |points: Rows| points.iter().map(|x| x.to_vec()).collect::<Vec<_>>();
    let named = "From the data sets on which the claims about the losses are tried";
    let line = TripletData { anchors: lists(&[&[1.0]]), positives: lists(&[&[2.0]]), negatives: lists(&[&[3.0]]) };
    network(
        sheet,
        ("OnALine", &format!("{named}: one point, x⁺ = 2, x⁻ = 3.")),
        &line,
        &[&[1.0], &[-1.0]],
        &[&[2.0], &[0.5]],
    );
    let turn = TripletData {
        anchors: lists(&[&[1.0, 0.0], &[0.0, 1.0]]),
        positives: lists(&[&[0.0, 0.0], &[1.0, 0.0]]),
        negatives: lists(&[&[0.0, 1.0], &[0.0, 0.0]]),
    };
    network(sheet, ("QuarterTurn", &format!("{named}: a quarter turn.")), &turn, &[&[1.0, 2.0]], &[&[1.0, -1.0]]);
    let signs = TripletData {
        anchors: lists(&[&[1.0, 1.0, -1.0], &[-1.0, 1.0, 1.0]]),
        positives: lists(&[&[1.0, -1.0, -1.0], &[1.0, 1.0, 1.0]]),
        negatives: lists(&[&[-1.0, -1.0, -1.0], &[-1.0, 1.0, -1.0]]),
    };
    let (first, second): ([&[f64]; 2], [&[f64]; 2]) =
        ([&[1.0, -1.0, 0.25], &[0.5, 0.1, 3.0]], [&[1.0, 0.5], &[-2.0, 0.75]]);
    network(sheet, ("SignVectors", &format!("{named}: ±1 vectors.")), &signs, &first, &second);
}

/// u(x) = W₂ᵀW₁x with W₁ of size h×d and W₂ of size h×z.
fn network(sheet: &mut Sheet, (name, about): (&'static str, &str), data: &TripletData, first: Rows, second: Rows) {
    let weights = |rows: Rows| Matrix::from_rows(rows.iter().map(|row| row.to_vec()).collect()).expect("weights");
    let (first, second) = (weights(first), weights(second));
    let map = IntervalMatrix::from(&second).transpose().product(&IntervalMatrix::from(&first)).expect("a map");
    let (n, d, h, z) = (data.count(), data.dimension(), first.rows(), second.columns());
    let points = format!("'I_{n} -> 'I_{d} -> R");
    sheet
        .instance(name, about)
        .define("x", &points, &matrix(&rows(&data.anchors)))
        .define("xp", &points, &matrix(&rows(&data.positives)))
        .define("xn", &points, &matrix(&rows(&data.negatives)))
        .define("W1", &format!("'I_{h} -> 'I_{d} -> R"), &matrix(&rows(&first.to_rows())))
        .define("W2", &format!("'I_{h} -> 'I_{z} -> R"), &matrix(&rows(&second.to_rows())))
        .define_sum(
            "ψ",
            &format!("'I_3 * 'I_{n} -> 'I_{h} -> R"),
            "fun y i => ∑ a, W1 i a * (match val y.1 with 0 => x | 1 => xp | _ => xn end)%N y.2 a",
        )
        .define_sum("Θ", &format!("'I_{z} * 'I_{d} -> R"), "fun p => ∑ i, W2 i p.1 * W1 i p.2")
        .define_sum("u", &format!("'I_{z} -> ('I_{d} -> R) -> ('I_{z} * 'I_{d} -> R) -> R"), "u_lin (fun x => x)")
        .define_sum(
            "C",
            &format!("'I_{d} -> 'I_{d} -> R"),
            "fun a b => (∑ i, (x i a * (xn i b - xp i b) + x i b * (xn i a - xp i a))) / 2",
        );
    let [anchor, positive, negative] = [0, 1, 2].map(|k| format!("(fun i => ({}, i))", place(k, 3)));
    let (contrastive, not) =
        (data.contrastive_loss(&map).expect("a loss"), data.non_contrastive_loss(&map).expect("a loss"));
    let form = data.contrastive_matrix().and_then(|c| trace_loss(&map, &c.symmetric_part()?)).expect("a form");
    sheet
        .value("loss_1", "", &format!("Proposition2.loss ψ {anchor} {positive} {negative} true W2"), contrastive)
        .value("loss_2", "", &format!("Proposition2.loss ψ {anchor} {positive} {negative} false W2"), not)
        .value("L_c", "", "GradientFlows.L_c u x xp xn Θ", contrastive)
        .value("L_nc", "", "GradientFlows.L_nc u x xp Θ", not)
        .value("trace_loss", "", "trace_loss C W1 W2", form)
        .value("frobenius", "", "frobenius W2", IntervalMatrix::from(&second).frobenius_norm_squared());
}

fn dynamics(sheet: &mut Sheet) {
    let all: [(&str, &str, &[f64], &[f64]); 3] = [
        ("InsideTheSphere", "From the points on which (10) is tried: inside the sphere.", &[-1.0, 2.0], &[0.25, 0.5]),
        ("OutsideTheSphere", "From the points on which (10) is tried: outside the sphere.", &[-1.0, 2.0], &[2.0, -3.0]),
        ("MinusIdentity", "From the points on which (10) is tried: Λ = −I.", &[-1.0; 3], &[0.25, 0.5, -0.5]),
    ];
    for (name, about, spectrum, point) in all {
        let (λ, q, d) = (points(spectrum), points(point), point.len());
        let velocity = sphere_velocity(&λ, &q).expect("a velocity");
        let energy = λ.iter().zip(&q).map(|(&l, x)| l * x.square()).sum::<Interval>();
        sheet
            .instance(name, about)
            .define("λ", &format!("'I_{d} -> R"), &vector(&entries(spectrum)))
            .define("q", &format!("'I_{d} -> R"), &vector(&entries(point)))
            .value("sq", "", "sq q", sum_of_squares(&q))
            .value("form", "", "Theorem3.form λ q", energy);
        for (i, &bounds) in velocity.iter().enumerate() {
            sheet.value("rhs_10", &format!("_{}", i + 1), &format!("rhs_10 λ q {}", place(i, d)), bounds);
        }
    }
}
