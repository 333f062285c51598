//! The losses of latent classes, the loss of a triplet, and log-sum-exp.

use contrastive::{
    Atom, LatentClassModel, Triplet, best_head_loss_all, sup_mean, sup_mean_all, sup_mean_average, unsupervised_loss,
};
use enclosures::enclosure::exact;
use enclosures::interval::{Interval, log_sum_exp};
use enclosures::vectors::{norm, points};

use super::sheet::{Sheet, entries, matrix, number, place, rows, share, vector};

/// A definition of the paper.
#[derive(Clone, Copy)]
enum Quantity {
    /// L_un, with one negative.
    Unsupervised,
    /// L_un^N, for N of 1 and 2.
    Negatives(u64),
    /// L_sup^μ on all classes.
    Supervised,
    /// L_sup^μ on the task of all classes but one.
    Task(usize),
    /// L_sup, where the embedding is zero.
    Infimum,
    /// L_sup,k^μ with tasks of all classes but one.
    TaskMean,
    /// τ_N.
    Collision(u64),
    /// A coordinate of μ_c.
    ClassMean(usize, usize),
}
use Quantity::{ClassMean, Collision, Infimum, Negatives, Supervised, Task, TaskMean, Unsupervised};

pub fn sheet() -> Sheet {
    let mut sheet = Sheet::new(
        "Merad2020",
        "Merad, Yu, Bacry, Gaïffas",
        &["merad2020.Definitions", "merad2020.Triplets"],
        "L_un L_sup_μ μ τ_N τ E ζ σ LSE a s ℓ g grad G blk scale dot sub norm",
    );
    models(&mut sheet);
    triplets(&mut sheet);
    functions(&mut sheet);
    sheet
}

/// Classes of one value each on a line.
fn line(weights: &[f64], values: &[f64]) -> LatentClassModel {
    let points: Vec<Vec<f64>> = values.iter().map(|&x| vec![x]).collect();
    LatentClassModel::point_masses(weights, &points).expect("a model")
}

/// Classes with several values, as (weight, place).
fn spread(weights: &[f64], classes: &[&[(f64, &[f64])]]) -> LatentClassModel {
    let atoms = |class: &&[(f64, &[f64])]| class.iter().map(|&(weight, at)| Atom { weight, at: at.to_vec() }).collect();
    LatentClassModel::new(weights.to_vec(), classes.iter().map(atoms).collect()).expect("a model")
}

fn models(sheet: &mut Sheet) {
    let named = "From the families of models that the claims of section 3 share";
    model(
        sheet,
        ("OppositePoints", "Two equally likely classes, at 1 and −1: the example at the head of the library's losses."),
        &line(&[1.0, 1.0], &[1.0, -1.0]),
        &[Unsupervised, Negatives(1), Supervised, Collision(2)],
    );
    model(
        sheet,
        ("NineToOne", &format!("{named}: skewed 9 to 1, points 1 and 5.")),
        &line(&[9.0, 1.0], &[1.0, 5.0]),
        &[Unsupervised, Negatives(1), Negatives(2), Supervised, Collision(3), ClassMean(1, 0)],
    );
    model(
        sheet,
        ("TwoOfThreeCoincide", &format!("{named}: two of three coincide, 1, 1, 30.")),
        &line(&[1.0; 3], &[1.0, 1.0, 30.0]),
        &[Supervised, TaskMean, Task(2)],
    );
    model(
        sheet,
        ("OneLaw", &format!("{named}: all classes the same law.")),
        &spread(&[1.0; 3], &[[(1.0, [-2.0].as_slice()), (1.0, [2.0].as_slice())].as_slice(); 3]),
        &[Supervised, TaskMean, Task(0), Collision(1)],
    );
    model(
        sheet,
        ("FiveThreeTwo", &format!("{named}: five, three, two, points 2, 1, 0.")),
        &line(&[5.0, 3.0, 2.0], &[2.0, 1.0, 0.0]),
        &[Supervised, TaskMean, Task(1), ClassMean(0, 0)],
    );
    let [here, there] = [[1.0, 0.0], [0.5, 0.5]];
    model(
        sheet,
        ("SharedPoints", "Two classes in the plane with the same two values, in different shares."),
        &spread(&[1.0, 2.0], &[&[(1.0, &here), (3.0, &there)], &[(1.0, &here), (1.0, &there)]]),
        &[Unsupervised, Negatives(1), Supervised, ClassMean(0, 1)],
    );
    for (name, classes) in [("ZeroOfTwo", 2), ("ZeroOfThree", 3)] {
        let about = format!("{named}: zero encoder, {classes} classes.");
        let zero = LatentClassModel::zero_encoder(classes, 1).expect("a model");
        model(sheet, (name, &about), &zero, &[Unsupervised, Infimum]);
    }
    let skewed = line(&[5.0, 3.0, 2.0], &[0.0; 3]);
    model(sheet, ("ZeroSkewed", "Zero encoder, five, three, two."), &skewed, &[Supervised, Infimum]);
}

fn model(sheet: &mut Sheet, (name, about): (&'static str, &str), model: &LatentClassModel, wanted: &[Quantity]) {
    // The inputs are the places of the embedding, which classes may share.
    let mut places: Vec<Vec<f64>> = Vec::new();
    for atom in model.classes().iter().flatten() {
        if !places.contains(&atom.at) {
            places.push(atom.at.clone());
        }
    }
    let law = |class: &Vec<Atom>| {
        let weights: Vec<f64> =
            places.iter().map(|place| class.iter().filter(|a| a.at == *place).map(|a| a.weight).sum()).collect();
        weights.iter().map(|&w| share(w, &weights)).collect::<Vec<_>>()
    };
    let (classes, inputs, dimension) = (model.n_classes(), places.len(), model.dimension());
    let ρ: Vec<String> = model.class_weights().iter().map(|&w| share(w, model.class_weights())).collect();
    let laws: Vec<Vec<String>> = model.classes().iter().map(law).collect();
    sheet
        .instance(name, about)
        .define("ρ", &format!("'I_{classes} -> R"), &vector(&ρ))
        .define("law", &format!("'I_{classes} -> 'I_{inputs} -> R"), &matrix(&laws))
        .define("f", &format!("'I_{inputs} -> 'I_{dimension} -> R"), &matrix(&rows(&places)));
    sheet.property("is_model", "model ρ law", "is_model");
    // Where class c has the value c alone, the sums over the values of a class have one term.
    let masses = inputs == classes && model.classes().iter().all(|class| class.len() == 1);
    if masses {
        sheet.property("masses", "forall c x, law c x = if x == c then 1 else 0", "masses");
    }
    wanted.iter().for_each(|&quantity| value(sheet, model, masses, quantity));
}

fn value(sheet: &mut Sheet, model: &LatentClassModel, masses: bool, quantity: Quantity) {
    let classes = model.n_classes();
    match quantity {
        Unsupervised => {
            let loss = unsupervised_loss(model, 1).expect("a loss");
            sheet.value_by("L_un", "", "L_un ρ law f", loss, if masses { "rewrite (L_un_at _ _ masses); " } else { "" })
        }
        Negatives(n) => {
            let loss = unsupervised_loss(model, n).expect("a loss");
            let first = match (n, masses) {
                (1, true) => "rewrite (L_un_one_at _ _ masses); ",
                (1, false) => "rewrite L_un_one; ",
                (_, true) => "rewrite (L_un_two_at _ _ masses); ",
                (_, false) => "rewrite L_un_two; ",
            };
            sheet.value_by("L_un_N", &format!("_{n}"), &format!("L_un_N ρ law f {n}"), loss, first)
        }
        Supervised => sheet.value("L_sup_μ", "", "L_sup_μ ρ law f", sup_mean_all(model)),
        Task(without) => {
            let task: Vec<usize> = (0..classes).filter(|&c| c != without).collect();
            let quantity = format!("L_sup_μ_on ρ law f [set~ {}]", place(without, classes));
            sheet.value_by("L_sup_μ_on", "", &quantity, sup_mean(model, &task).expect("a task"), "rewrite task_but; ")
        }
        Infimum => {
            let bounds = best_head_loss_all(model).expect("a loss");
            sheet.value_proved(
                "L_sup",
                "L_sup ρ law f",
                bounds,
                ["at_zero is_model; enclosed", "at_zero is_model; refuted"],
            )
        }
        TaskMean => {
            let k = classes - 2;
            let mean = sup_mean_average(model, k).expect("tasks");
            let quantity = format!("L_sup_k_μ ρ law f {k}");
            sheet.value_by("L_sup_k_μ", "", &quantity, mean, "mean_of_tasks; ")
        }
        Collision(n) => sheet.value("τ_N", "", &format!("τ_N ρ {n}"), model.tau(n)),
        ClassMean(class, i) => {
            let quantity = format!("μ law f {} {}", place(class, classes), place(i, model.dimension()));
            sheet.value("μ", "", &quantity, model.class_mean(class)[i])
        }
    };
}

fn triplets(sheet: &mut Sheet) {
    let all: [(&str, &str, [&[f64]; 3]); 3] = [
        ("TripletOnALine", "z = (1, 2, −1).", [&[1.0], &[2.0], &[-1.0]]),
        (
            "TripletInThePlane",
            "z_1 = (3, 4), z_2 = (0, 1/2), z_3 = (1/4, 3/4).",
            [&[3.0, 4.0], &[0.0, 0.5], &[0.25, 0.75]],
        ),
        ("TripletOfUnitVectors", "z_1 = e_1, z_2 = e_2, z_3 = −e_1.", [&[1.0, 0.0], &[0.0, 1.0], &[-1.0, 0.0]]),
    ];
    for (name, about, [anchor, positive, negative]) in all {
        let triplet = Triplet::new(anchor.to_vec(), positive.to_vec(), negative.to_vec()).expect("a triplet");
        let blocks = [anchor, positive, negative].map(|v| format!("({})", vector(&entries(v)))).join(" ");
        sheet
            .instance(name, about)
            .define("z", &format!("'I_3 * 'I_{} -> R", triplet.dimension()), &format!("three {blocks}"))
            .value("a", "", "a z", triplet.argument().interval())
            .value("ℓ", "", "ℓ z", triplet.loss().interval())
            .value("s", "", "s z", triplet.slope().interval())
            .value("G", "", "G z", triplet.squared_argument_gradient().interval())
            .value("grad", "", "dot (grad z) (grad z)", triplet.squared_gradient_norm().interval())
            .value("norm", "", "norm (blk z p1)", norm(&points(anchor)));
    }
}

fn functions(sheet: &mut Sheet) {
    for (name, terms) in
        [("Logits1", vec![0.0, 1.0]), ("Logits2", vec![-3.0, 0.5, 0.5]), ("Logits3", vec![20.0, -20.0, 19.75, 0.0])]
    {
        let first = number(terms[0] + 0.25);
        let x = exact(terms[0] + 0.25);
        let enclosed: Vec<Interval> = points(&terms);
        sheet
            .instance(name, "Softplus, sigmoid and log-sum-exp.")
            .define("x", &format!("'I_{} -> R", terms.len()), &vector(&entries(&terms)))
            .value("ζ", "", &format!("ζ ({first})"), x.softplus().interval())
            .value("σ", "", &format!("σ ({first})"), x.sigmoid().interval())
            .value("LSE", "", "LSE x", log_sum_exp(&enclosed));
    }
}
