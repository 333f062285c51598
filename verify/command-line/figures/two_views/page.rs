//! The page, the table and the picture of what was seen.

use std::fmt::Write;

use enclosures::enclosure::plain;

use super::super::super::status::Trouble;
use super::super::chart::{Across, AxisScale, Curve, Panel, Picture, svg};
use super::super::rows::{number, rows, together};
use super::arguments::TwoViews;
use super::halves::{Halves, INPUTS};
use super::looks::TwoViewLook;
use super::{LOSSES, RATE, Trained};

/// Significant digits in which everything is written down.
const DIGITS: usize = 7;

/// The names of the columns.
const HEADING: &str = "loss,start,steps,value,closer,alignment,condition number,stable rank\n";

/// The name of a loss as a field of a row.
fn field(name: &str) -> String {
    name.replace(',', "")
}

/// One row for each moment of each start.
pub fn table(trained: &[Trained]) -> String {
    let mut text = HEADING.to_owned();
    for of in trained {
        for (start, looks) in of.starts.iter().enumerate() {
            for look in looks {
                let numbers = [look.loss, look.closer, look.alignment, look.condition, look.stable_rank];
                let numbers = numbers.map(|x| plain(x, DIGITS)).join(",");
                let _ = writeln!(text, "{},{},{},{numbers}", field(of.name), start + 1, look.step);
            }
        }
    }
    text
}

/// What [`table`] has written.
///
/// # Errors
/// It has not.
pub fn parse(table: &str) -> Result<Vec<Trained>, Trouble> {
    let read = |[name, start, step, numbers @ ..]: [&str; 8]| -> Result<_, Trouble> {
        let [loss, closer, alignment, condition, stable_rank] = numbers.map(number::<f64>);
        let look = TwoViewLook {
            step: number(step)?,
            loss: loss?,
            closer: closer?,
            alignment: alignment?,
            condition: condition?,
            stable_rank: stable_rank?,
        };
        Ok((name.to_owned(), number::<u32>(start)?, look))
    };
    let read = rows(table, HEADING)?.into_iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let of = |(name, looks): (String, Vec<(String, u32, TwoViewLook)>)| {
        let known = LOSSES.into_iter().find(|(known, _)| field(known) == name);
        let starts = together(looks, |(_, start, _)| *start).into_iter();
        Ok(Trained {
            name: known.ok_or_else(|| Trouble::Unusable(format!("no loss is called {name:?}")))?.0,
            starts: starts.map(|(_, looks)| looks.into_iter().map(|(_, _, look)| look).collect()).collect(),
        })
    };
    together(read, |(name, _, _)| name.clone()).into_iter().map(of).collect()
}

/// The whole page.
pub fn markdown(halves: &Halves, trained: &[Trained], options: &TwoViews) -> String {
    let correlations: Vec<String> = halves.correlations.iter().map(|c| plain(*c, 2)).collect();
    let mut page = format!(
        "# The linear two-view model on halves of MNIST images\n\n[Back to the README](../../README.md)\n\n**An \
         observation of ours, not the paper's.** Ren and \
         Li prove on their synthetic data that the loss without negatives aligns the views but leaves them unbalanced, \
         and that the contrastive \
         loss does both. `contrapositive figures two-views` trains their linear model on real pairs instead, where no \
         theorem of theirs applies: pixels are not \
         signs, noise is not independent, and a direction is shared only in part. No verdict depends on this page. \
         Every number is in \
         [two-views.csv](two-views.csv).\n\n\
         - **Data**: the left and the right halves of {count} images, of all digits, squares of 2 × 2 pixels \
         averaged ({INPUTS} numbers), centred, and \
         scaled to the mean squared norm one.\n\
         - **Directions**: the r = {r} pairs (u_i, v_i) of singular vectors of E\\[x_A x_Bᵀ] with the largest singular \
         values, in place of the latent signals: {correlations}.\n\
         - **Model**: f_A = W_A x_A/N_A with N_A² = E‖W_A x_A‖², m = {m}, entries from N(0, 1/m), and so for B; \
         {starts} starts, the same for all losses.\n\
         - **Training**: full-batch gradient descent, {steps} steps of {RATE}/τ² (of {RATE} without negatives), K = \
         {count}, all images as negatives.\n\
         - **Closer**: the share of pairs of images for which f_A of one is closer to its own f_B than to that of the \
         other (Definition 4.1). **Alignment**: the average cosine between \
         W_A u_i and W_B v_i (Lemma 4.4). **Condition number**: that of (W_A u_1, …, W_A u_r) (Lemma 4.5). **Stable \
         rank**: tr Σ/‖Σ‖ of Σ = E\\[f_A f_Aᵀ], which lies between 1 (a single direction) and m.\n\n![Alignment \
         and balance along training](two-views.svg)\n\n\
         | loss | steps | closer | alignment | condition number | stable rank |\n|---|---|---|---|---|---|\n",
        count = halves.left.rows(),
        r = options.directions,
        m = options.width,
        starts = options.starts,
        steps = options.steps,
        correlations = correlations.join(", "),
    );
    for of in trained {
        let ends = [0, of.starts.first().map_or(0, |looks| looks.len().saturating_sub(1))];
        for index in ends {
            let of_all = |value: fn(&TwoViewLook) -> f64| plain(average(of, index, value), 4);
            let step = of.starts.first().map_or(0, |looks| looks[index].step);
            let _ = writeln!(
                page,
                "| {} | {step} | {} | {} | {} | {} |",
                of.name,
                of_all(|l| l.closer),
                of_all(|l| l.alignment),
                of_all(|l| l.condition),
                of_all(|l| l.stable_rank)
            );
        }
    }
    page
}

fn average(of: &Trained, index: usize, value: impl Fn(&TwoViewLook) -> f64) -> f64 {
    of.starts.iter().map(|looks| value(&looks[index])).sum::<f64>() / of.starts.len() as f64
}

/// Four quantities along training, a panel for each.
///
/// # Errors
/// What the drawing library says.
pub fn picture(trained: &[Trained]) -> Result<String, String> {
    type Value = fn(&TwoViewLook) -> f64;
    let values: [(&str, AxisScale, Value); 4] = [
        ("closer to its partner, share", AxisScale::Plain, |l| l.closer),
        ("alignment, cosine", AxisScale::Plain, |l| l.alignment),
        ("condition number", AxisScale::Logarithmic, |l| l.condition),
        ("stable rank", AxisScale::Plain, |l| l.stable_rank),
    ];
    let panel = |(title, scale, value): (&str, AxisScale, Value)| {
        let curve = |(color, of): (usize, &Trained)| Curve {
            color,
            dashed: false,
            runs: of.starts.iter().map(|looks| looks.iter().map(value).collect()).collect(),
            mean: (0..of.starts.first().map_or(0, Vec::len)).map(|k| average(of, k, value)).collect(),
            half: Vec::new(),
        };
        let first = trained.first().and_then(|of| of.starts.first());
        Panel {
            title: title.to_owned(),
            scale,
            across: Across::Updates(first.map_or(Vec::new(), |looks| looks.iter().map(|l| l.step).collect())),
            unit: "",
            curves: trained.iter().enumerate().map(curve).collect(),
            level: None,
            until: None,
        }
    };
    svg(&Picture {
        title: "The linear two-view model on halves of MNIST images (ours, not the paper's)",
        legend: trained.iter().enumerate().map(|(color, of)| (of.name, color, false)).collect(),
        columns: 2,
        panels: values.into_iter().map(panel).collect(),
    })
}
