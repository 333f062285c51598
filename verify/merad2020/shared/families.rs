//! The families of models that the statements of section 3 share: class probabilities and a finite law of the embedding
//! for each class.

use contrastive::{Atom, LatentClassModel};
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};

/// A model from its parts; the parts below are valid by construction.
fn model(weights: Vec<f64>, classes: Vec<Vec<Atom>>) -> LatentClassModel {
    LatentClassModel::new(weights, classes).expect("the families are made of valid parts")
}

/// One embedding per class on a line.
pub fn line(weights: &[f64], values: &[f64]) -> LatentClassModel {
    let points: Vec<Vec<f64>> = values.iter().map(|&x| vec![x]).collect();
    LatentClassModel::point_masses(weights, &points).expect("the families are made of valid parts")
}

/// The encoder that is zero everywhere.
pub fn zero(classes: usize) -> LatentClassModel {
    LatentClassModel::zero_encoder(classes, 1).expect("at least one class")
}

/// Orthonormal point masses times `radius`.
pub fn orthonormal(classes: usize, radius: f64) -> LatentClassModel {
    let unit = |c: usize| (0..classes).map(|i| if i == c { radius } else { 0.0 }).collect();
    let points: Vec<Vec<f64>> = (0..classes).map(unit).collect();
    LatentClassModel::point_masses(&vec![1.0; classes], &points).expect("the families are made of valid parts")
}

/// The same model with all classes equally likely.
pub fn uniform(of: &LatentClassModel) -> LatentClassModel {
    model(vec![1.0; of.n_classes()], of.classes().to_vec())
}

/// Classes whose atoms are given as (weight, position on a line).
fn spread(weights: &[f64], classes: &[&[(f64, f64)]]) -> LatentClassModel {
    let atoms = |class: &&[(f64, f64)]| class.iter().map(|&(weight, x)| Atom { weight, at: vec![x] }).collect();
    model(weights.to_vec(), classes.iter().map(atoms).collect())
}

/// Zero encoders, separated, collinear, coinciding and spread classes; equal, skewed and extreme class probabilities.
pub fn named() -> Vec<(String, LatentClassModel)> {
    let mut models: Vec<(String, LatentClassModel)> = Vec::new();
    let mut add = |name: &str, m: LatentClassModel| models.push((name.to_owned(), m));
    let at = |weight: f64, at: &[f64]| Atom { weight, at: at.to_vec() };
    add(
        "reference model",
        model(
            vec![5.0, 3.0, 2.0],
            vec![
                vec![at(0.25, &[1.0, 0.0]), at(0.75, &[0.5, 0.5])],
                vec![at(1.0, &[-1.0, 0.0])],
                vec![at(0.2, &[0.0, 2.0]), at(0.3, &[0.0, -1.0]), at(0.5, &[1.0, 1.0])],
            ],
        ),
    );
    for classes in [1, 2, 3, 4, 5, 8, 10] {
        add(&format!("zero encoder, {classes} classes"), zero(classes));
    }
    for radius in [1e-8, 1.0, 6.0, 30.0] {
        add(&format!("orthonormal times {radius}"), orthonormal(5, radius));
    }
    add("two points, 1 and 20", line(&[1.0, 1.0], &[1.0, 20.0]));
    add("two points, 3 and -3", line(&[1.0, 1.0], &[3.0, -3.0]));
    add("two of three coincide, 1, 1, 30", line(&[1.0; 3], &[1.0, 1.0, 30.0]));
    add("skewed 9 to 1, points 1 and 40", line(&[9.0, 1.0], &[1.0, 40.0]));
    add("skewed 9 to 1, points 1 and 5", line(&[9.0, 1.0], &[1.0, 5.0]));
    add("a class of probability 1e-8", line(&[1.0, 1e-8], &[1.0, 3.0]));
    add("one small value, the rest large", line(&[1.0; 4], &[0.01, 100.0, 100.0, 100.0]));
    add("all classes the same law", spread(&[1.0; 3], &[[(1.0, -2.0), (1.0, 2.0)].as_slice(); 3]));
    add("means zero, two atoms each", spread(&[1.0, 2.0], &[&[(1.0, -3.0), (1.0, 3.0)], &[(1.0, -1.0), (1.0, 1.0)]]));
    add("a rare far atom", spread(&[1.0, 1.0], &[&[(1.0, 1.0), (1e-6, -300.0)], &[(1.0, 2.0)]]));
    models
}

/// Class probabilities far from uniform, and not: what the statements on equally likely classes leave out.
pub fn skewed() -> Vec<(&'static str, LatentClassModel)> {
    vec![
        ("nine to one, points 1 and 5", line(&[9.0, 1.0], &[1.0, 5.0])),
        ("nine to one, points 10 and 1", line(&[9.0, 1.0], &[10.0, 1.0])),
        ("five, three, two, points 2, 1, 0", line(&[5.0, 3.0, 2.0], &[2.0, 1.0, 0.0])),
        ("six to five, points 1 and −1", line(&[6.0, 5.0], &[1.0, -1.0])),
    ]
}

/// Twenty and fifty classes: zero encoders, separated and collinear classes, a far class, and skewed class
/// probabilities.
pub fn many_classes() -> Vec<(String, LatentClassModel)> {
    let of = |classes: usize| {
        let even = vec![1.0; classes];
        let skewed: Vec<f64> = (1..=classes).map(|c| 1.0 / c as f64).collect();
        let spread: Vec<f64> = (0..classes).map(|c| 6.0 * c as f64 / classes as f64 - 3.0).collect();
        let far: Vec<f64> = (1..=classes).map(|c| if c == classes { 300.0 } else { 1.0 }).collect();
        [
            (format!("zero encoder, {classes} classes"), zero(classes)),
            (format!("{classes} classes, orthonormal times 2"), orthonormal(classes, 2.0)),
            (format!("{classes} classes, spread over a line"), line(&even, &spread)),
            (format!("{classes} classes, one far"), line(&even, &far)),
            (format!("{classes} classes, the rarest far"), line(&skewed, &far)),
        ]
    };
    [20, 50].into_iter().flat_map(of).collect()
}

/// Numbers whose logarithm is uniform.
pub fn log_uniform(low: f64, high: f64) -> impl Strategy<Value = f64> + Clone {
    let end = |x: f64| exact(x).ln().midpoint();
    (end(low)..end(high)).prop_map(|u| exact(u).exp().midpoint())
}

fn class_weights(classes: usize) -> impl Strategy<Value = Vec<f64>> {
    prop_oneof![
        3 => Just(vec![1.0; classes]),
        3 => vec(log_uniform(0.1, 10.0), classes),
        1 => vec(log_uniform(1e-6, 1.0), classes),
    ]
}

/// Point masses on a line or in space, and spread classes, with class probabilities of every shape.
pub fn drawn(most_classes: usize) -> impl Strategy<Value = LatentClassModel> {
    let shape = (1..=most_classes, 1usize..=6, log_uniform(0.05, 30.0), prop_oneof![Just(0.0), 0.0..3.0f64]);
    shape.prop_flat_map(|(classes, dimension, scale, within)| {
        let atoms = if within == 0.0 { 1usize..=1 } else { 1..=4 };
        let atom = (log_uniform(0.01, 1.0), vec(-1.0..1.0f64, dimension));
        let class = (vec(-1.0..1.0f64, dimension), vec(atom, atoms)).prop_map(move |(centre, atoms)| {
            let place = |(weight, offset): (f64, Vec<f64>)| Atom {
                weight,
                at: centre.iter().zip(offset).map(|(c, o)| scale * (c + within * o)).collect(),
            };
            atoms.into_iter().map(place).collect::<Vec<_>>()
        });
        (class_weights(classes), vec(class, classes)).prop_map(|(weights, classes)| model(weights, classes))
    })
}

/// Classes that are one value each on a line, far apart in size: where the bounds are nearly attained.
pub fn collinear(most_classes: usize) -> impl Strategy<Value = LatentClassModel> {
    (1..=most_classes).prop_flat_map(|classes| {
        let value = (log_uniform(1e-3, 300.0), prop_oneof![4 => Just(1.0), 1 => Just(-1.0)]).prop_map(|(x, s)| s * x);
        (class_weights(classes), vec(value, classes)).prop_map(|(weights, values)| line(&weights, &values))
    })
}

/// Instances made from models: the edge, spread and collinear families, each model turned into whatever a claim needs.
pub fn models<I: Instance>(
    most_classes: usize,
    from: impl Fn(LatentClassModel) -> Vec<I> + Clone + Send + Sync + 'static,
) -> Vec<Family<I>> {
    let (named_from, drawn_from, line_from) = (from.clone(), from.clone(), from);
    let pick = |from: &dyn Fn(LatentClassModel) -> Vec<I>, model: LatentClassModel, which: usize| {
        let mut made = from(model);
        (!made.is_empty()).then(|| made.swap_remove(which % made.len().max(1)))
    };
    vec![
        edge("named", move || {
            let each = |(name, m): (String, LatentClassModel)| {
                let made = named_from(m);
                made.into_iter().map(move |instance| (name.clone(), instance))
            };
            named().into_iter().filter(|(_, m)| m.n_classes() <= most_classes).flat_map(each).collect()
        }),
        random("drawn models", move || {
            let from = drawn_from.clone();
            (drawn(most_classes), 0usize..1000)
                .prop_filter_map("nothing to make", move |(m, which)| pick(&from, m, which))
        }),
        random("collinear point masses", move || {
            let from = line_from.clone();
            (collinear(most_classes), 0usize..1000)
                .prop_filter_map("nothing to make", move |(m, which)| pick(&from, m, which))
        }),
    ]
}
