//! The objective (1.1), its shares, and distances of inputs.

use contrastive::QueriesAndKeys;
use enclosures::enclosure::{Enclosure, exact, log_sum_exp};
use enclosures::vectors::{minus, norm, points};

use super::sheet::{Sheet, entries, matrix, place, rows, vector};

pub fn sheet() -> Sheet {
    let mut sheet =
        Sheet::new("Wen2020", "Wen", &["wen2020.Contrastive", "wen2020.Separated"], "φ p logistic dot sub norm");
    let q = |rows: &[[f64; 2]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
    let axes = q(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]);
    outputs(&mut sheet, "Axes", "Three points, queries and keys alike: e_1, e_2, −e_1.", &axes, &axes);
    outputs(
        &mut sheet,
        "OtherKeys",
        "Queries and keys that differ.",
        &q(&[[0.5, 1.0], [-1.0, 2.0], [0.25, 0.0]]),
        &q(&[[1.0, -0.5], [0.0, 1.5], [2.0, 1.0]]),
    );
    outputs(
        &mut sheet,
        "FarKeys",
        "Logits of some tens.",
        &q(&[[4.0, 0.0], [0.0, -3.0], [1.0, 1.0]]),
        &q(&[[5.0, 1.0], [-6.0, 0.0], [0.0, 7.0]]),
    );
    logits(&mut sheet);
    sheet
}

/// Three points, and both others as the negatives of each: the loss is the mean of φ at the three.
fn outputs(sheet: &mut Sheet, name: &'static str, about: &str, queries: &[Vec<f64>], keys: &[Vec<f64>]) {
    let all = QueriesAndKeys::new(2, queries.to_vec(), keys.to_vec()).expect("three points");
    sheet
        .instance(name, about)
        .define("q", "'I_3 -> 'I_2 -> R", &matrix(&rows(queries)))
        .define("k", "'I_3 -> 'I_2 -> R", &matrix(&rows(keys)))
        .define("others", "'I_3 -> 'I_2 -> 'I_2 -> R", "fun i j => k (lift i j)")
        .define_sum("logits", "'I_3 -> 'I_2 -> R", "fun i j => dot (q i) (sub (others i j) (k i))");
    sheet.value("φ", "", "(∑ i, φ (q i) (k i) (others i)) / 3", all.loss());
    let (weights, last) = (all.weights(), place(2, 3));
    sheet.value("p", "", &format!("p (logits {last}) {}", place(0, 2)), weights[2][0]);
    let distance = norm(&minus(&points(&keys[0]), &points(&keys[1])));
    let quantity = format!("norm (sub (k {}) (k {}))", place(0, 3), place(1, 3));
    sheet.value("norm_of_difference", "", &quantity, distance);
}

fn logits(sheet: &mut Sheet) {
    for (name, terms) in [("Logits1", vec![0.0]), ("Logits2", vec![-2.0, 1.0]), ("Logits3", vec![0.5, 30.0, -1.5])] {
        let y: Vec<Enclosure> = terms.iter().map(|&t| exact(t)).collect();
        sheet
            .instance(name, "log(1 + Σ e^{y_i}), the function of Lemma D.1.")
            .define("y", &format!("'I_{} -> R", terms.len()), &vector(&entries(&terms)))
            .value("logistic", "", "logistic y", log_sum_exp(&y).softplus().interval());
    }
}
