//! `bounds`: what the bounds of Merad et al. say about a user's own embeddings.

use contrastive::data::LabelledPoints;
use contrastive::{LatentClassModel, sup_mean_all};
use enclosures::enclosure::Enclosure;
use enclosures::probability::Coverage;
use estimators::exact::{LossOptions, exact_unsupervised_losses};

use super::arguments::Bounds;
use super::console::{say, tell};
use super::status::{Status, Trouble};

/// Prints the losses of the empirical distribution of the embeddings and every bound on them, each enclosed.
pub fn bounds(options: &Bounds) -> Result<Status, Trouble> {
    let points = LabelledPoints::load(&options.embeddings, &options.labels)?;
    let labels: Vec<u32> = points.labels().iter().map(|&class| class as u32).collect();
    let unusable = |e: &dyn std::fmt::Display| Trouble::Unusable(e.to_string());
    let model =
        LatentClassModel::from_labelled(points.points(), points.dimension(), &labels).map_err(|e| unusable(&e))?;
    let classes = Enclosure::from(model.n_classes());
    let mut negatives = vec![1];
    negatives.extend(options.negatives.iter().filter(|&&n| n != 1));
    tell!(
        "{} embeddings of dimension {}, {} classes",
        points.len(),
        points.dimension(),
        model.n_classes()
    );
    let losses = exact_unsupervised_losses(&points, &negatives, &LossOptions::default()).map_err(|e| unusable(&e))?;

    let mean_classifier = sup_mean_all(&model);
    let chance = classes.ln();
    say!("Losses of the empirical distribution, in nats; every digit shown is certain.\n")?;
    say!("  mean classifier, L_sup^μ       {mean_classifier}")?;
    say!("  a head of zeros, log N_C       {chance}   (a bound above this says nothing)")?;
    for (n, loss) in negatives.iter().zip(&losses) {
        say!("  unsupervised, {:16} {loss}", format!("N = {n}"))?;
    }
    say!("\nUpper bounds on the loss of the best linear head and of the mean classifier:\n")?;
    let row = |name: &str, bound: Enclosure| {
        let verdict = if bound.lo() >= chance.hi() {
            "says nothing"
        } else {
            "informative"
        };
        say!(
            "  {name:44} {:12} {:>8.3} x L_sup^μ   {verdict}",
            bound.to_string(),
            bound / mean_classifier
        )
    };
    let (p_min, tau) = (Enclosure::from(model.p_min()), Enclosure::from(model.tau(1)));
    row("Lemma 1, as printed", losses[0] / p_min + chance)?;
    row("Lemma 1 without log N_C (proved here)", losses[0] / p_min)?;
    row(
        "Lemma 1 less the collisions (proved here)",
        (losses[0] - tau * Enclosure::ln_2()) / p_min,
    )?;
    for (&n, &loss) in negatives.iter().zip(&losses).skip(1) {
        let coverage = Coverage::of_weights(model.class_weights(), n).map_err(|e| unusable(&e))?;
        let covered = coverage.covered;
        if covered.lo() > 0.0 {
            row(
                &format!("Lemma 2, N = {n}, p_cc = {:.3}", Enclosure::from(covered)),
                loss / Enclosure::from(covered),
            )?;
        } else {
            say!(
                "  {:44} infinite: fewer negatives than classes",
                format!("Lemma 2, N = {n}")
            )?;
        }
    }
    Ok(Status::AsExpected)
}
