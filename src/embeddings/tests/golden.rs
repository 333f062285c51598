//! Every option of a report against numbers that NumPy and SciPy computed by other means: `fixtures/golden/embeddings.py`.

use std::collections::BTreeMap;

use contrapositive_embeddings::{Embeddings, Settings, Unwatched, ViewSettings, labelled_report, views_report};
use contrastive::data::NumberTable;
use enclosures::enclosure::Enclosure;
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    points: Vec<f64>,
    dimension: usize,
    labels: Vec<u32>,
    labelled: Vec<Labelled>,
    first: Vec<f64>,
    second: Vec<f64>,
    pairs: Vec<Pairs>,
}

#[derive(Deserialize)]
struct Labelled {
    name: String,
    center: bool,
    normalize: bool,
    temperature: f64,
    equal_classes: bool,
    unsupervised: BTreeMap<String, f64>,
    bounds: BTreeMap<String, f64>,
    geometry: Shape,
    mean_classifier: f64,
    right: Vec<u64>,
    best_head: f64,
    nearest: Vec<u32>,
    distance: Vec<f64>,
    spread: Vec<f64>,
}

#[derive(Deserialize)]
struct Shape {
    effective_rank: f64,
    stable_rank: f64,
    norms: [f64; 3],
}

#[derive(Deserialize)]
struct Pairs {
    normalize: bool,
    temperature: f64,
    forth: f64,
    back: f64,
    clip: f64,
    nt_xent: f64,
    first: u64,
    alignment: f64,
}

fn golden() -> Golden {
    serde_json::from_str(include_str!("../../../fixtures/golden/embeddings.json")).expect("golden values")
}

/// Both ends within a relative tolerance, which is that of the golden value.
fn close(what: &str, enclosed: Enclosure, expected: f64, tolerance: f64) {
    let off = |end: f64| (end - expected).abs() <= tolerance * expected.abs();
    assert!(off(enclosed.lo()) && off(enclosed.hi()), "{what}: {enclosed:?}, expected {expected}");
}

fn near(what: &str, number: f64, expected: f64) {
    assert!((number - expected).abs() <= 1e-10 * expected.abs(), "{what}: {number}, expected {expected}");
}

#[test]
fn a_report_is_what_numpy_says() {
    let golden = golden();
    let embeddings = Embeddings::new(golden.points, golden.dimension, &golden.labels).expect("points");
    assert_eq!(golden.labelled.len(), 5);
    for case in golden.labelled {
        let settings = Settings {
            negatives: vec![15, 255],
            task_sizes: if case.equal_classes { vec![2, 3] } else { Vec::new() },
            temperature: case.temperature,
            center: case.center,
            normalize: case.normalize,
            equal_classes: case.equal_classes,
            ..Settings::default()
        };
        let report = labelled_report(&embeddings, &settings, &Unwatched).expect("a report");
        let name = &case.name;
        let mut seen = 0;
        for row in report.unsupervised.iter().filter(|row| row.asked) {
            let expected = case.unsupervised[&row.negatives.to_string()];
            close(&format!("{name}, N = {}", row.negatives), row.loss, expected, 1e-9);
            seen += 1;
        }
        assert_eq!(seen, 3, "{name}");
        let mut seen = 0;
        for row in &report.bounds {
            let size = row.task_size.map_or(String::new(), |size| format!(" {size}"));
            let key = format!("{} {}{size}", row.id, row.negatives);
            match case.bounds.get(&key) {
                Some(&expected) => {
                    close(&format!("{name}: {key}"), row.limit.expect("a bound"), expected, 1e-8);
                    seen += 1;
                }
                None => assert!(
                    row.silent.is_some() || row.id == "merad2020.prop-1.best-factor",
                    "{name}: {key} has no golden value"
                ),
            }
        }
        assert_eq!(seen, case.bounds.len(), "{name}");
        close(name, report.mean_classifier.loss, case.mean_classifier, 1e-11);
        assert!(report.best_head.lo() <= case.best_head * (1.0 + 1e-7), "{name}: {:?}", report.best_head);
        assert!(report.best_head.hi() >= case.best_head * (1.0 - 1e-7), "{name}: {:?}", report.best_head);
        assert!(report.best_head.hi() <= case.best_head * (1.0 + 1e-3), "{name}: {:?}", report.best_head);
        for (c, row) in report.classes.iter().enumerate() {
            near("spread", row.spread, case.spread[c]);
            near("distance", row.distance.expect("other classes"), case.distance[c]);
            assert_eq!(row.nearest.as_deref(), Some(case.nearest[c].to_string().as_str()), "{name}");
            assert_eq!(report.mean_classifier.classes[c].right, case.right[c], "{name}, class {c}");
        }
        let spread = report.geometry.spread.as_ref().expect("a spectrum");
        near("effective rank", spread.effective_rank, case.geometry.effective_rank);
        near("stable rank", spread.stable_rank, case.geometry.stable_rank);
        near("least norm", report.geometry.least_norm, case.geometry.norms[0]);
        near("mean norm", report.geometry.mean_norm, case.geometry.norms[1]);
        near("largest norm", report.geometry.largest_norm, case.geometry.norms[2]);
    }
}

#[test]
fn losses_of_views_are_what_numpy_says() {
    let golden = golden();
    let rows = golden.first.len() / golden.dimension;
    let first = NumberTable::new("first", golden.first, rows, golden.dimension).expect("a table");
    let second = NumberTable::new("second", golden.second, rows, golden.dimension).expect("a table");
    assert_eq!(golden.pairs.len(), 2);
    for case in golden.pairs {
        let settings =
            ViewSettings { temperature: case.temperature, normalize: case.normalize, ..ViewSettings::default() };
        let report = views_report(&first, &second, &settings, &Unwatched).expect("a report");
        close("forth", report.forth.loss, case.forth, 1e-12);
        close("back", report.back.loss, case.back, 1e-12);
        close("CLIP", report.clip, case.clip, 1e-12);
        close("NT-Xent", report.nt_xent.loss, case.nt_xent, 1e-12);
        close("partner first", report.forth.first, case.first as f64 / rows as f64, 1e-14);
        near("alignment", report.alignment, case.alignment);
    }
}
