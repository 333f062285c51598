//! The page beside the pictures: what the paper says of its Figures 3 and 4, and what is seen here.

use std::fmt::Write;

use enclosures::enclosure::plain;

use super::Pair;
use super::arguments::Dynamics;
use super::classifier::PRICE;
use super::findings::{Average, Group, Right};
use super::schemes::{ETA, REPETITIONS, SideBySide, StepTime};
use super::two_digits::{INPUTS, TRAINING, VARIANCE};

/// Eigen-directions whose values stand on the page.
const SHOWN: usize = 8;

/// The share of the least loss from which on the limit counts as reached.
const ARRIVED: f64 = 0.999;

/// The groups of every pair of digits.
pub type Seen<'a> = [(&'a Pair, Vec<&'a Group>)];

/// The whole page.
pub fn markdown(seen: &Seen<'_>, times: &[StepTime], options: &Dynamics) -> String {
    let mut page = introduction(seen, options);
    page += &figure_3(seen, options);
    page += &step_times(times);
    page += &accuracies(seen);
    page
}

fn introduction(seen: &Seen<'_>, options: &Dynamics) -> String {
    let pairs: Vec<String> = seen.iter().map(|(pair, _)| pair.name()).collect();
    let training = 2 * TRAINING;
    let mut asked: Vec<String> = seen.iter().map(|(pair, _)| pair.two.test.labels.len().to_string()).collect();
    asked.dedup();
    let further = if seen.len() > 1 {
        " The widths are those of the first pair; the other pairs are followed at the smallest width."
    } else {
        ""
    };
    format!(
        "# Figures 3 and 4 of Esser et al. on two classes of MNIST\n\n[Back to the \
         README](../../README.md)\n\nProjected gradient descent (11) \
         and Euler's scheme (12) from the same random networks on the digits {pairs}, by `contrapositive figures \
         dynamics`. No verdict depends on this page: \
         [`esser2024.eq-11-12`](../../verify/esser2024/eq_11_12/eq-11-12.md) and \
         [`esser2024.runtime`](../../verify/esser2024/runtime.md) are judged on instances of their own, the latter by \
         counting operations. \
         Every number is in [dynamics.csv](dynamics.csv), [accuracy.csv](accuracy.csv) and \
         [times.csv](times.csv).\n\n\
         - **Data**: the first {TRAINING} images of each digit, squares of 4 × 4 pixels averaged ({INPUTS} inputs, so \
         that a network of orthonormal \
         weights may be as narrow as {INPUTS}); x⁺ = x + ε with ε of variance {VARIANCE} and x⁻ drawn from all images, \
         as in Example 1. The paper does not \
         say which classes it takes, nor how it makes pairs of images.{further}\n\
         - **Both schemes**: η = {ETA}, {steps} steps, {starts} Haar starts for each width h and number of outputs z; \
         (11) moves both weight \
         matrices at once and retracts them by the polar factor; (12) is solved in the basis of eigenvectors of C.\n\
         - **Downstream task**: a linear support vector machine (price {PRICE} of a violated margin) learns from the \
         embeddings of the {training} images and is tested on the other {asked} of the same digits.\n\
         - **Intervals**: averages over starts with 95 % intervals by Student's law; the data are the same for all \
         starts.\n\n",
        pairs = pairs.join(", and on "),
        steps = options.steps,
        starts = options.starts,
        asked = asked.join(" and "),
    )
}

fn last(group: &Group, of: impl Fn(&SideBySide) -> f64) -> f64 {
    let ends: Vec<f64> = group.starts.iter().filter_map(|f| f.looks.last()).map(of).collect();
    ends.iter().sum::<f64>() / ends.len() as f64
}

fn worst(group: &Group) -> f64 {
    let looks = group.starts.iter().flat_map(|f| &f.looks);
    looks.map(|l| l.apart).fold(0.0, f64::max)
}

/// The shares of the least loss that both have reached at the end, on average.
fn shares(pair: &Pair, group: &Group) -> [f64; 2] {
    let least = pair.two.least(group.size.outputs as usize);
    [last(group, |l| l.descent / least), last(group, |l| l.dynamics / least)]
}

fn figure_3(seen: &Seen<'_>, options: &Dynamics) -> String {
    let mut text = String::from(
        "## Figure 3: losses and outputs\n\nThe paper: by (12) the loss falls slightly more slowly, both come to the \
         same final loss, and from the same start \
         their outputs stay close to each other and end alike. Here: the share of the least possible loss that both \
         have reached at the end (averages), and \
         the largest distance of an entry of W₁ᵀW₂ between them at any logged step of any start. Entries are of order \
         one at the end.\n\n\
         ![Losses and distances](dynamics.svg)\n\n| digits | h | z | (11) | (12) | largest distance \
         |\n|---|---|---|---|---|---|\n",
    );
    for (pair, groups) in seen {
        for group in groups {
            let [descent, dynamics] = shares(pair, group);
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} |",
                pair.name(),
                group.size.width,
                group.size.outputs,
                plain(descent, 4),
                plain(dynamics, 4),
                plain(worst(group), 2)
            );
        }
    }
    text += &what_figure_3_shows(seen, options);
    text
}

/// How much slower (12) is, how the distance depends on the width, and how far both have come.
fn what_figure_3_shows(seen: &Seen<'_>, options: &Dynamics) -> String {
    let rows: Vec<(&Pair, &Group)> =
        seen.iter().flat_map(|(pair, groups)| groups.iter().map(move |group| (*pair, *group))).collect();
    let ends: Vec<[f64; 2]> = rows.iter().map(|(pair, group)| shares(pair, group)).collect();
    let slower = ends.iter().filter(|[descent, dynamics]| dynamics < descent).count();
    let starts = || rows.iter().flat_map(|(_, group)| &group.starts);
    let later = || starts().flat_map(|f| f.looks.iter().skip(1));
    let behind = later().filter(|look| look.dynamics > look.descent).count();
    let mut text = format!(
        "\n(12) is the slower one in {slower} of {} rows, and its loss is the higher one at {behind} of {} logged \
         steps after the start.",
        rows.len(),
        later().count()
    );
    // The same digits and outputs, from one width to the next.
    let (mut falls, mut pairs_of_widths) = (0, 0);
    for (index, (pair, group)) in rows.iter().enumerate() {
        let wider = rows[index + 1..]
            .iter()
            .find(|(other, next)| other.digits == pair.digits && next.size.outputs == group.size.outputs);
        if let Some((_, next)) = wider {
            pairs_of_widths += 1;
            falls += usize::from(worst(next) < worst(group));
        }
    }
    if pairs_of_widths > 0 {
        let _ = write!(
            text,
            " The largest distance shrinks as h grows, from one width to the next in {falls} of {pairs_of_widths} \
             cases: the outputs are close in wide networks, as the paper says."
        );
    }
    let arrived = |shares: &[f64; 2]| shares.iter().all(|share| *share > ARRIVED);
    let (there, under_way): (Vec<_>, Vec<_>) = rows.iter().zip(&ends).partition(|(_, shares)| arrived(shares));
    let _ = write!(
        text,
        " After {} steps both have reached more than {ARRIVED} of the least loss in {} of {} rows",
        options.steps,
        there.len(),
        rows.len()
    );
    if !there.is_empty() {
        let ends = there.iter().flat_map(|((_, group), _)| &group.starts);
        let apart = ends.filter_map(|f| f.looks.last()).map(|look| look.apart).fold(0.0, f64::max);
        let _ = write!(text, ", and there all starts end at most {} apart: alike, as the paper says", plain(apart, 2));
    }
    if !under_way.is_empty() {
        let shares = under_way.iter().flat_map(|(_, shares)| shares.iter());
        let (least, most) = shares.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &x| (l.min(x), h.max(x)));
        let _ = write!(
            text,
            "; in the other rows they have reached {} to {} of it, so that their ends cannot be compared",
            plain(least, 2),
            plain(most, 3)
        );
    }
    text.push_str(".\n");
    text
}

fn step_times(times: &[StepTime]) -> String {
    let mut text = format!(
        "\n## Figure 4\n\n![The ratio of times, and accuracies](figure-4.svg)\n\n### Left: how long a step \
         takes\n\nThe paper: (11) takes longer in proportion \
         to h, (12) does not depend on it and is faster. Here, measured (the minimum of {REPETITIONS} repetitions or \
         more on one thread; other machines give other times, and the claim is judged by counted operations):\n\n\
         | h | step of (11), µs | step of (12), µs | ratio |\n|---|---|---|---|\n",
    );
    for t in times {
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
        "\nThe gain comes from the choice of variables: on W₁ᵀW₂ alone, (11) also takes the same time at every width \
         (`esser2024.runtime`, check `reduced`).\n",
    );
    text
}

fn accuracies(seen: &Seen<'_>) -> String {
    let mut text = String::from(
        "\n### Right: the downstream task\n\nThe paper: on the whole the accuracy on both embeddings is the same. \
         Here, in per cent of the test images; at the \
         limit the embedding is that of the z lowest eigenvectors of C, which both schemes go to:\n\n\
         | digits | h | z | by (11) | by (12) | difference | at the limit |\n|---|---|---|---|---|---|---|\n",
    );
    let words = |a: Average| format!("{} ± {}", plain(a.mean, 4), plain(a.half, 2));
    let (mut apart, mut rows) = (0, 0);
    for (pair, groups) in seen {
        for group in groups {
            let difference = group.accuracy(|r: &Right| r.descent as f64 - r.dynamics as f64);
            apart += usize::from(!difference.may_be_zero());
            rows += 1;
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} |",
                pair.name(),
                group.size.width,
                group.size.outputs,
                words(group.accuracy(|r| r.descent as f64)),
                words(group.accuracy(|r| r.dynamics as f64)),
                words(difference),
                plain(group.accuracy(|r| r.limit as f64).mean, 4)
            );
        }
    }
    let _ = write!(
        text,
        "\nThe interval of the difference leaves out zero in {apart} of {rows} rows; at 95 % one in twenty would by \
         chance.\n\n\
         Where the accuracy is near that of a coin, that both have the same says little, and how far it is from a \
         coin's depends on the digits: both schemes learn the span of \
         the lowest eigenvectors, whatever that tells of the classes. How far apart the averages of the two digits are \
         along each of the {SHOWN} lowest, in standard \
         deviations within a digit:\n\n| digits | the eigenvalues of C/n | averages apart by | the same machine on the \
         {INPUTS} pixels, % |\n|---|---|---|---|\n"
    );
    for (pair, groups) in seen {
        let order = pair.two.lowest_first();
        let lowest: Vec<String> = order.iter().take(SHOWN).map(|&k| plain(pair.two.spectrum[k], 2)).collect();
        let separations: Vec<String> = pair.two.separations().iter().take(SHOWN).map(|s| plain(*s, 2)).collect();
        let pixels = groups.first().map_or(0.0, |group| group.accuracy(|r| r.pixels as f64).mean);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            pair.name(),
            lowest.join(", "),
            separations.join(", "),
            plain(pixels, 4)
        );
    }
    let first: Vec<String> = seen
        .iter()
        .filter_map(|(pair, _)| Some(format!("{} for {}", plain(*pair.two.separations().first()?, 2), pair.name())))
        .collect();
    let _ = writeln!(text, "\nWith z = 1 the machine goes by the first of these alone: {}.", first.join(", "));
    text
}
