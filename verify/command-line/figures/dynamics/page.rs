//! The page beside the picture: what the paper says of its Figures 3 and 4, and what is seen here.

use std::fmt::Write;

use enclosures::enclosure::plain;

use super::super::chart::{Across, Curve, Panel, Picture, Scale, svg};
use super::Seen;
use super::arguments::Dynamics;
use super::classifier::PRICE;
use super::findings::{Average, Group};
use super::schemes::{ETA, SideBySide};
use super::two_digits::{INPUTS, TRAINING, TwoDigits, VARIANCE};

/// The whole page.
pub fn markdown(two: &TwoDigits, seen: &Seen, options: &Dynamics) -> String {
    let mut page = introduction(two, seen, options);
    page += &figure_3(two, &seen.groups);
    page += &times(seen);
    page += &accuracies(seen);
    page
}

fn introduction(two: &TwoDigits, seen: &Seen, options: &Dynamics) -> String {
    let mut lowest = two.spectrum.clone();
    lowest.sort_by(f64::total_cmp);
    let spectrum: Vec<String> = lowest.iter().take(4).map(|l| plain(*l, 3)).collect();
    format!(
        "# Figures 3 and 4 of Esser et al. on two classes of MNIST\n\n[Back to the README](../../README.md)\n\nProjected gradient descent (11) \
         and Euler's scheme (12) from the same random networks on the digits {a} and {b}, by `contrapositive figures dynamics`. Nothing here \
         moves a verdict: `esser2024.eq-11-12` and `esser2024.runtime` are judged on instances of their own, the latter by counting operations. \
         Every number but the times is in [dynamics.csv](dynamics.csv) and [accuracy.csv](accuracy.csv).\n\n\
         - **Data**: the first {TRAINING} images of each digit, squares of 4 × 4 pixels averaged ({INPUTS} inputs, so that a network of orthonormal \
         weights may be as narrow as {INPUTS}); x⁺ = x + ε with ε of variance {VARIANCE} and x⁻ drawn from all images, as in Example 1. The paper does not \
         say which classes it takes, nor how it makes pairs of images. C/n has the lowest eigenvalues {spectrum}.\n\
         - **Both schemes**: η = {ETA}, {steps} steps, {starts} Haar starts for each width h and number of outputs z; (11) moves both weight \
         matrices at once and retracts them by the polar factor; (12) is solved in the eigenvectors of C.\n\
         - **Downstream task**: a linear support vector machine (price {PRICE} of a violated margin) learns from the embeddings of the {training} images and is \
         asked about the other {asked} of these digits.\n\
         - **Intervals**: averages over starts with 95 % intervals by Student's law; the data are the same for all starts.\n\n",
        a = options.digits[0],
        b = options.digits[1],
        spectrum = spectrum.join(", "),
        steps = options.steps,
        starts = options.starts,
        training = two.training.labels.len(),
        asked = seen.asked,
    )
}

fn last(group: &Group, of: impl Fn(&SideBySide) -> f64) -> Average {
    let ends: Vec<f64> = group.starts.iter().filter_map(|f| f.looks.last()).map(of).collect();
    Average::of(&ends)
}

fn worst(group: &Group) -> f64 {
    let looks = group.starts.iter().flat_map(|f| &f.looks);
    looks.map(|l| l.apart).fold(0.0, f64::max)
}

fn figure_3(two: &TwoDigits, groups: &[Group]) -> String {
    let mut text = String::from(
        "## Figure 3: losses and outputs\n\nThe paper: both losses and both outputs coincide along training. Here: the share of the least possible loss \
         that both have reached at the end (averages), and the largest distance of an entry of W₁ᵀW₂ between them at any logged step of any start. \
         Entries are of order one at the end.\n\n![Losses and distances](dynamics.svg)\n\n| h | z | (11) | (12) | largest distance |\n|---|---|---|---|---|\n",
    );
    for group in groups {
        let least = two.least(group.outputs as usize);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            group.width,
            group.outputs,
            plain(last(group, |l| l.descent / least).mean, 4),
            plain(last(group, |l| l.dynamics / least).mean, 4),
            plain(worst(group), 2)
        );
    }
    text
}

fn times(seen: &Seen) -> String {
    let mut text = String::from(
        "\n## Figure 4, left: how long a step takes\n\nThe paper: (11) takes longer in proportion to h, (12) does not depend on it and is faster. Here, \
         measured (the least of seven repetitions on one thread; another machine will say otherwise, and the claim rests on counted operations):\n\n\
         | h | step of (11), µs | step of (12), µs | ratio |\n|---|---|---|---|\n",
    );
    for t in &seen.times {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            t.width,
            plain(1e6 * t.descent, 3),
            plain(1e6 * t.dynamics, 2),
            plain(t.descent / t.dynamics, 2)
        );
    }
    text.push_str(
        "\nThe gain is one of variables: on W₁ᵀW₂ alone (11) itself takes the same time at every width (`esser2024.runtime`, check `reduced`).\n",
    );
    text
}

fn accuracies(seen: &Seen) -> String {
    let mut text = format!(
        "\n## Figure 4, right: the downstream task\n\nThe paper: the accuracy on both embeddings coincides. Here, in per cent of {} test images; the same machine on \
         the {INPUTS} pixels themselves is right about {} %:\n\n| h | z | by (11) | by (12) | difference |\n|---|---|---|---|---|\n",
        seen.asked,
        plain(100.0 * seen.on_pixels as f64 / seen.asked as f64, 4)
    );
    let words = |a: Average| format!("{} ± {}", plain(a.mean, 4), plain(a.half, 2));
    let mut apart = 0;
    for group in &seen.groups {
        let of = |k: usize| group.accuracy(seen.asked, |f| f.right[k] as f64);
        let difference = group.accuracy(seen.asked, |f| f.right[0] as f64 - f.right[1] as f64);
        apart += usize::from(!difference.may_be_zero());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            group.width,
            group.outputs,
            words(of(0)),
            words(of(1)),
            words(difference)
        );
    }
    let _ = writeln!(
        text,
        "\nThe interval of the difference leaves out zero in {apart} of {} rows; at 95 % one in twenty would by chance.",
        seen.groups.len()
    );
    text
}

/// Shares of the least loss and distances along both schemes.
///
/// # Errors
/// What the drawing library says.
pub fn picture(two: &TwoDigits, groups: &[Group]) -> Result<String, String> {
    let panel = |group: &Group| {
        let least = two.least(group.outputs as usize);
        let curve = |color, dashed, of: &dyn Fn(&SideBySide) -> f64| {
            let runs: Vec<Vec<f64>> = group.starts.iter().map(|f| f.looks.iter().map(of).collect()).collect();
            let moments = runs.first().map_or(0, Vec::len);
            let mean = |k: usize| runs.iter().map(|run| run[k]).sum::<f64>() / runs.len() as f64;
            Curve {
                color,
                dashed,
                mean: (0..moments).map(mean).collect(),
                half: Vec::new(),
                runs,
            }
        };
        Panel {
            title: format!("h = {}, z = {}", group.width, group.outputs),
            scale: Scale::Plain,
            across: Across::Updates(
                group
                    .starts
                    .first()
                    .map_or(Vec::new(), |f| f.looks.iter().map(|l| l.step).collect()),
            ),
            unit: "share, distance",
            curves: vec![
                curve(0, false, &|l| l.descent / least),
                curve(1, true, &|l| l.dynamics / least),
                curve(2, false, &|l| l.apart),
            ],
            level: None,
            until: None,
        }
    };
    svg(&Picture {
        title: "Figure 3: projected descent (11) and Euler's scheme (12) from the same starts",
        legend: vec![
            ("share of the least loss, (11)", 0, false),
            ("share of the least loss, (12)", 1, true),
            ("largest distance of outputs", 2, false),
        ],
        panels: groups.iter().map(panel).collect(),
    })
}
