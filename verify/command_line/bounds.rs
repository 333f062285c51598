//! `bounds`: what the bounds of Merad et al. say about a user's own embeddings.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use contrapositive::contrastive::{LatentClassModel, sup_mean_all};
use contrapositive::data::{DataError, LabelledPoints, idx, npy};
use contrapositive::enclosure::Enclosure;
use contrapositive::estimators::exact::{LossOptions, exact_unsupervised_losses};
use contrapositive::probability::Coverage;

use super::arguments::Bounds;
use super::status::{Status, Trouble};

/// Prints the losses of the empirical distribution of the embeddings and every bound on them, each enclosed.
pub fn bounds(options: &Bounds) -> Result<Status, Trouble> {
    let points = load(&options.embeddings, &options.labels)?;
    let labels: Vec<u32> = points.labels().iter().map(|&class| class as u32).collect();
    let unusable = |e: &dyn std::fmt::Display| Trouble::Data(e.to_string());
    let model =
        LatentClassModel::from_labelled(points.points(), points.dimension(), &labels).map_err(|e| unusable(&e))?;
    let classes = Enclosure::from(model.n_classes());
    let mut negatives = vec![1];
    negatives.extend(options.negatives.iter().filter(|&&n| n != 1));
    eprintln!(
        "{} embeddings of dimension {}, {} classes",
        points.len(),
        points.dimension(),
        model.n_classes()
    );
    let losses = exact_unsupervised_losses(&points, &negatives, &LossOptions::default()).map_err(|e| unusable(&e))?;

    let mean_classifier = sup_mean_all(&model);
    let chance = classes.ln();
    println!("Losses of the empirical distribution, in nats; every digit shown is certain.\n");
    println!("  mean classifier, L_sup^μ       {mean_classifier}");
    println!("  a head of zeros, log N_C       {chance}   (a bound above this says nothing)");
    for (n, loss) in negatives.iter().zip(&losses) {
        println!("  unsupervised, {:16} {loss}", format!("N = {n}"));
    }
    println!("\nUpper bounds on the loss of the best linear head and of the mean classifier:\n");
    let row = |name: &str, bound: Enclosure| {
        let verdict = if bound.lo() >= chance.hi() {
            "says nothing"
        } else {
            "informative"
        };
        println!(
            "  {name:44} {:12} {:>8.3} x L_sup^μ   {verdict}",
            bound.to_string(),
            bound / mean_classifier
        );
    };
    let (p_min, tau) = (Enclosure::from(model.p_min()), Enclosure::from(model.tau(1)));
    row("Lemma 1, as printed", losses[0] / p_min + chance);
    row("Lemma 1 without log N_C (proved here)", losses[0] / p_min);
    row(
        "Lemma 1 less the collisions (proved here)",
        (losses[0] - tau * Enclosure::ln_2()) / p_min,
    );
    for (&n, &loss) in negatives.iter().zip(&losses).skip(1) {
        let coverage = Coverage::of_weights(model.class_weights(), n).map_err(|e| unusable(&e))?;
        let covered = coverage.covered;
        if covered.lo() > 0.0 {
            row(
                &format!("Lemma 2, N = {n}, p_cc = {:.3}", Enclosure::from(covered)),
                loss / Enclosure::from(covered),
            );
        } else {
            println!(
                "  {:44} infinite: fewer negatives than classes",
                format!("Lemma 2, N = {n}")
            );
        }
    }
    Ok(Status::AsExpected)
}

/// NumPy or IDX files, told apart by their first bytes.
pub(super) fn load(embeddings: &Path, labels: &Path) -> Result<LabelledPoints, Trouble> {
    let mut magic = [0u8; 6];
    let read = File::open(embeddings).and_then(|mut file| file.read(&mut magic));
    let length = read.map_err(|source| Trouble::Io {
        action: "cannot read",
        path: embeddings.into(),
        source,
    })?;
    let loaded = if magic[..length].starts_with(b"\x93NUMPY") {
        npy::load_table(embeddings).and_then(|table| {
            let labels = npy::load_labels(labels)?;
            LabelledPoints::from_table(&embeddings.display().to_string(), table, labels)
        })
    } else {
        idx::load(embeddings, labels)
    };
    loaded.map_err(|e: DataError| Trouble::Data(e.to_string()))
}
