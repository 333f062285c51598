//! One class far from many that coincide: the configuration behind the caps on the supervised loss.

use contrastive::data::LabelledPoints;
use contrastive::{drawn_probability, sup_mean_all};
use enclosures::probability::Coverage;
use estimators::exact::{LossOptions, exact_unsupervised_losses};
use evidence::claim::Series;
use evidence::prelude::*;

use crate::shared::families::line;

/// Equally likely classes on a line, one at C and the others at C/2.
pub fn far_class(classes: usize, cap: f64) -> Vec<f64> {
    (0..classes).map(|c| if c == 0 { cap } else { 0.5 * cap }).collect()
}

/// L_sup^μ and L_un^N of it.
fn losses_of_far_class(classes: usize, negatives: u64, cap: f64) -> Result<(Enclosure, Enclosure), MeasureError> {
    let points = far_class(classes, cap);
    let supervised = sup_mean_all(&line(&vec![1.0; classes], &points));
    let labelled = LabelledPoints::new(points, 1, (0..classes as u32).collect())?;
    let unsupervised = exact_unsupervised_losses(&labelled, &[negatives], &LossOptions::default())?;
    Ok((supervised.into(), unsupervised[0]))
}

/// The largest C in hundredths for which `small` says yes, if it says yes up to some C and no beyond.
fn last_hundredth(small: impl Fn(f64) -> Result<bool, MeasureError>) -> Result<f64, MeasureError> {
    let at = |hundredths: u32| small(f64::from(hundredths) / 100.0);
    let (mut yes, mut no) = (0, 100);
    while no < 1 << 20 && at(no)? {
        (yes, no) = (no, 2 * no);
    }
    while no - yes > 1 {
        let middle = yes.midpoint(no);
        if at(middle)? {
            yes = middle;
        } else {
            no = middle;
        }
    }
    Ok(f64::from(yes) / 100.0)
}

/// N_C e^{C⁴/2} ≤ N + e^{−2C²}.
pub fn is_short(classes: usize, negatives: u64, cap: Enclosure) -> bool {
    let square = cap.square();
    let left = Enclosure::from(classes) * (0.5 * square.square()).exp();
    left.hi() <= (Enclosure::from(negatives) + (-2.0 * square).exp()).lo()
}

/// For each number of classes and negatives the norms up to which the comparison is safe, and those from which it is not.
pub fn caps(_: &mut Trial) -> Result<Series, MeasureError> {
    let mut series = Series::of([
        ("N_C", ""),
        ("N", ""),
        ("best constant 1/(1 − (1 − 1/N_C)^N)", ""),
        ("1/p_cc(N)", ""),
        ("holds for norms up to C =", ""),
        ("violated at C =", ""),
        ("L_sup^μ there", "nats"),
        ("L_sup^μ − L_un^N there", "nats"),
    ])
    .noting(
        "Violated by one class at C and the others at C/2 on a line; C is the smallest in hundredths at which that is \
         so.",
    );
    let sizes =
        [(2, 2), (2, 3), (2, 5), (3, 3), (3, 4), (3, 10), (5, 5), (5, 9), (10, 10), (10, 15), (10, 25), (10, 35)];
    for (classes, negatives) in sizes {
        let best = drawn_probability((Enclosure::ONE / classes as f64).interval(), negatives);
        let safe = last_hundredth(|cap| Ok(is_short(classes, negatives, exact(cap))))?;
        let before = last_hundredth(|cap| {
            let (supervised, unsupervised) = losses_of_far_class(classes, negatives, cap)?;
            Ok(supervised.lo() <= unsupervised.hi())
        })?;
        let cap = ((100.0 * before).round() + 1.0) / 100.0;
        let (supervised, unsupervised) = losses_of_far_class(classes, negatives, cap)?;
        let covered = Coverage::of_weights(&vec![1.0; classes], negatives)?.covered;
        series.push([
            classes.into(),
            negatives.into(),
            (1.0 / Enclosure::from(best)).into(),
            (1.0 / Enclosure::from(covered)).into(),
            exact(safe).into(),
            exact(cap).into(),
            supervised.into(),
            (supervised - unsupervised).into(),
        ]);
    }
    Ok(series)
}
