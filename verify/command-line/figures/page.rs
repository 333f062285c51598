//! The page beside the pictures: what the paper says of each figure, and what these trainings show.

use std::fmt::Write;

use enclosures::enclosure::plain;

use super::super::foreign::in_markdown;
use super::arguments::Figures;
use super::findings::{BOUNDS, Bound, Moment, Trainings};
use super::images::Images;
use super::training::{HEAD_IMAGES, KERNEL, MAPS, OUTPUT, RATE, STRIDE, TrainingPlan};

/// What the paper shows beside MNIST.
const NOT_REPEATED: &str = "- **Not repeated**: the paper's Figures 1 and 3 show FashionMNIST, by a small \
                            convolutional network too, and CIFAR-10, by VGG-16. \
    Their files are not in this repository, nor is VGG-16; this encoder trains on them by `contrapositive figures \
    --data \
    train-images-idx3-ubyte.gz train-labels-idx1-ubyte.gz` and `contrapositive figures --data data_batch_1.bin \
    data_batch_2.bin`.\n";

/// The whole page.
pub fn markdown(trainings: &[Trainings], plan: &TrainingPlan, images: &Images, options: &Figures) -> String {
    let mut page = introduction(plan, images, options);
    page += "## What the paper says, and what is seen here\n\n";
    page += "| figure | the paper's words, in ours | here |\n|---|---|---|\n";
    for row in comparison(trainings) {
        let _ = writeln!(page, "| {} | {} | {} |", row[0], row[1], row[2]);
    }
    if trainings.iter().any(|t| t.negatives == 1) {
        page += "\n## Figure 1\n\n![Both losses along training with one negative](figure-1.svg)\n";
    }
    if trainings.iter().any(|t| t.negatives > 1) {
        page += "\n## Figure 2\n\n![Both losses along training with several negatives](figure-2.svg)\n";
    }
    page += "\n## Figure 3\n\n![Smallest and largest norms along training](figure-3.svg)\n";
    page += &informative(trainings);
    page += &averages(trainings);
    page
}

fn introduction(plan: &TrainingPlan, images: &Images, options: &Figures) -> String {
    let back = match options.data {
        Some(_) => "",
        None => "[Back to the README](../../README.md)\n\n",
    };
    let points = &images.points;
    let count = |n: u32, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    format!(
        "# Figures 1 to 3 of Merad et al. on {name}\n\n{back}Contrastive training of a small convolutional encoder on \
         {images} images of \
         {name}, {classes} classes of {each}, by `contrapositive figures`. No verdict depends on this page: the claims \
         `merad2020.obs-fig-1` to \
         `merad2020.obs-fig-3` are judged on trainings of their own. Every number is in \
         [contrastive.csv](contrastive.csv).\n\n\
         - **Encoder**: two convolutions with ReLU, {first} and {second} maps, windows of {KERNEL} × {KERNEL} pixels, \
         stride {STRIDE}, and a dense layer to \
         ℝ^{OUTPUT}; {parameters} parameters, initialised as in PyTorch. The paper says \"a small convolutional \
         network\" only.\n\
         - **Training**: {runs} for each N, {steps} of Adam with rate {RATE}, mini-batches of {batch} pairs (x, x⁺) \
         that share N \
         negatives, drawn as in the paper's model: a class by its share, two images of it independently, negatives \
         from all images. Rate, batch, \
         number of updates and dimension are ours; the paper does not give its own.\n\
         - **Losses**: at each logged step, those of the distribution of all {images} images, computed from a \
         finite sum and a quadrature and enclosed to 12 digits, without batches or sampling. The embeddings come \
         from training in floating point, which gives the same bits on every machine.\n\
         - **Pictures**: thin lines are runs, thick lines their average; the horizontal scale is log(1 + t) for \
         update t.\n{not_repeated}\n",
        name = in_markdown(&images.name),
        images = points.len(),
        classes = points.classes(),
        each = points.len() / points.classes(),
        first = MAPS[0],
        second = MAPS[1],
        parameters = plan.shape.parameters().unwrap_or(0),
        runs = count(plan.runs, "run"),
        steps = count(plan.steps, "update"),
        batch = plan.batch,
        not_repeated = if options.data.is_some() { "" } else { NOT_REPEATED },
    )
}

/// Figure, the paper's statement, and what is seen.
fn comparison(trainings: &[Trainings]) -> Vec<[String; 3]> {
    let mut rows = Vec::new();
    let held = |(yes, all): (usize, usize)| format!("at {yes} of {all} logged steps of all runs");
    for t in trainings {
        let classes = t.classes as f64;
        let similar = format!("rank correlation {:.2} on average", t.rank_correlation());
        if t.negatives == 1 {
            rows.push([
                "1".into(),
                "(7) holds even without log N_C: L_sup^μ ≤ L_un/p_min".into(),
                format!(
                    "{}; a theorem for every encoder",
                    held(t.held(|m| m.mean_classifier <= m.one_negative * classes))
                ),
            ]);
            rows.push(["1".into(), "both losses follow a similar trend".into(), similar]);
        } else {
            rows.push([
                format!("2, N = {}", t.negatives),
                "(8) seems to hold even without 1/p_cc(N): L_sup^μ ≤ L_un^N".into(),
                format!(
                    "{}; a theorem on short norms proves it {}",
                    held(t.held(|m| m.mean_classifier <= m.trained_loss)),
                    held(t.held(|m| t.is_short(m)))
                ),
            ]);
            rows.push([format!("2, N = {}", t.negatives), "both losses behave similarly".into(), similar]);
        }
    }
    for t in trainings {
        let all = t.runs.iter().flatten();
        let least = all.clone().map(|m| m.smallest).fold(f64::INFINITY, f64::min);
        let most = all.map(|m| m.largest).fold(0.0, f64::max);
        rows.push([
            format!("3, N = {}", t.negatives),
            "norms stay between positive constants, also early".into(),
            format!("between {} and {} over all logged steps of all runs", plain(least, 3), plain(most, 3)),
        ]);
    }
    rows
}

/// From which update on each bound says anything.
fn informative(trainings: &[Trainings]) -> String {
    let mut text = String::from(
        "\n## Which bound says something, and when\n\nA head of zeros has the loss log N_C, so that a bound above it \
         says nothing. The table \
         shows from which logged update on a bound stays below it in every run, and how many times L_sup^μ it is at \
         the end (average over runs). The last line is what Figure 2 shows. It is not a theorem: a distant class \
         that the negatives miss violates it (`merad2020.obs-fig-2`).\n\n![Bounds along training](bounds.svg)",
    );
    text += &not_drawn(trainings);
    text += "\n\n| bound |";
    for t in trainings {
        let _ = write!(text, " N = {} |", t.negatives);
    }
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(trainings.len()));
    for bound in &BOUNDS {
        let _ = write!(text, "| {} |", bound.name);
        for t in trainings {
            let _ = write!(text, " {} |", says_something(t, bound));
        }
        text.push('\n');
    }
    text.push_str(
        "\nThe last line is a theorem while N_C e^{C⁴/2} ≤ N + e^{−2C²}, where C is the largest norm. The picture \
         marks the last logged update at which this holds in all runs:",
    );
    for t in trainings {
        let _ = match t.short_until() {
            Some(step) => write!(text, " {step} for N = {};", t.negatives),
            None => write!(text, " none for N = {};", t.negatives),
        };
    }
    text.pop();
    let _ = write!(
        text,
        ".\n\nThe tables below also show how much of L_sup^μ is due to the mean classifier: L_sup is the enclosed \
         loss of the best linear head, on the first {HEAD_IMAGES} images of each class, or all if there are fewer. \
         Its lower end may be 0 if the embeddings are partly separable.\n"
    );
    text
}

/// From when on a bound says anything, and how large it is; or how often it is none.
fn says_something(of: &Trainings, bound: &Bound) -> String {
    let value = |m: &Moment| (bound.value)(of, m);
    let (below, all) = of.held(|m| value(m) < m.mean_classifier);
    if below > 0 {
        return format!("no bound: below L_sup^μ at {below} of {all} logged steps");
    }
    let times = of.mean(|m| value(m) / m.mean_classifier);
    let times = match times.last() {
        Some(times) if times.is_finite() => format!("{} ×", plain(*times, 3)),
        // Only the collector's factor can be zero.
        _ => "infinite, p_cc = 0".to_owned(),
    };
    match of.informative_from(bound) {
        Some(step) => format!("from {step}; {times}"),
        None => format!("never; {times}"),
    }
}

/// Which bounds are nowhere in the picture because they are infinite.
fn not_drawn(trainings: &[Trainings]) -> String {
    let infinite = |t: &&Trainings| t.covered == 0.0;
    let numbers: Vec<String> = trainings.iter().filter(infinite).map(|t| format!("N = {}", t.negatives)).collect();
    if numbers.is_empty() {
        return String::new();
    }
    format!(
        "\n\nLemma 2 is not drawn for {}: so few negatives never hold all classes, p_cc(N) = 0, and its bound is \
         infinite.",
        numbers.join(", ")
    )
}

/// Averages at every moment.
fn averages(trainings: &[Trainings]) -> String {
    let mut text = String::from("\n## Averages over the runs\n");
    for t in trainings {
        let _ = write!(
            text,
            "\nN = {}, p_cc(N) = {}:\n\n| updates | L_un^N | L_sup^μ | L_sup | L_un | smallest norm | largest norm \
             |\n|---|---|---|---|---|---|---|\n",
            t.negatives,
            plain(t.covered, 4)
        );
        let decimals = |means: Vec<f64>| -> Vec<String> { means.into_iter().map(|x| plain(x, 4)).collect() };
        let between = |(from, to): (String, String)| if from == to { from } else { format!("{from} to {to}") };
        let ends = [0, 1].map(|end| decimals(t.mean(|m| m.best_head[end])));
        let [from, to] = ends;
        let columns = [
            decimals(t.mean(|m| m.trained_loss)),
            decimals(t.mean(|m| m.mean_classifier)),
            from.into_iter().zip(to).map(between).collect(),
            decimals(t.mean(|m| m.one_negative)),
            decimals(t.mean(|m| m.smallest)),
            decimals(t.mean(|m| m.largest)),
        ];
        for (index, step) in t.steps().into_iter().enumerate() {
            let _ = write!(text, "| {step} |");
            for column in &columns {
                let _ = write!(text, " {} |", column[index]);
            }
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trainings(negatives: u32, losses: [f64; 2]) -> Trainings {
        let moment = |step, trained_loss| Moment {
            step,
            trained_loss,
            one_negative: 0.5,
            mean_classifier: 1.0,
            best_head: [0.0; 3],
            smallest: 1.0,
            largest: 1.0,
        };
        Trainings {
            negatives,
            runs: vec![vec![moment(0, losses[0]), moment(1, losses[1])]],
            covered: 0.0,
            drawn: 0.5,
            classes: 10,
        }
    }

    #[test]
    fn what_is_below_is_no_bound_and_what_is_infinite_says_so() {
        let [.., lemma_2, sharp, bare] = &BOUNDS;
        let found = trainings(1, [0.7, 1.5]);
        assert_eq!(says_something(&found, bare), "no bound: below L_sup^μ at 1 of 2 logged steps");
        assert_eq!(says_something(&found, lemma_2), "never; infinite, p_cc = 0");
        assert_eq!(says_something(&trainings(15, [1.2, 1.1]), sharp), "from 1; 2.2 ×");
        assert!(not_drawn(&[found]).contains("not drawn for N = 1:"));
    }
}
