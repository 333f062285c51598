//! The page that explains a study and holds its table.

use std::fmt::Write;

use estimators::convergence::{Curve, Loss, METHODS, StudyPanel, Subject};
use evidence::budget::Budget;

use super::super::foreign::{in_markdown, tame};
use super::{REPETITIONS, at_most, short};
use crate::arguments::Convergence;

/// The error whose price the table states.
const ASKED: f64 = 1e-3;

/// The whole page.
pub fn markdown(subjects: &[Subject], panels: &[StudyPanel], options: &Convergence) -> String {
    let mut page = introduction(options);
    for subject in subjects {
        let own: Vec<&StudyPanel> = panels.iter().filter(|p| p.subject == subject.name()).collect();
        page += &section(subject, &own);
    }
    page
}

fn introduction(options: &Convergence) -> String {
    let (back, whose) = if options.points.is_some() {
        ("", "a set of embeddings")
    } else {
        ("[Back to the README](../README.md)\n\n", "five models")
    };
    let command = command(options);
    let estimators = METHODS.iter().map(|m| format!("| {} | {} |\n", m.name, m.about)).collect::<String>();
    format!(
        "# Error against work\n\n{back}This page shows how the error of each estimator of the losses falls \
            with the work spent. It is measured on {whose}, all of whose losses are known exactly. It is \
            written by\n\n```sh\n{command}\n```\n\nwhich gives the same bytes on every machine and any number \
            of threads. Every number is in [convergence.csv](convergence.csv).\n\n![Error of the unsupervised \
            loss against work, one panel per model and number of negatives](convergence.svg)\n\n![Error of the \
            supervised losses and of the coverage against work, one panel per model and \
            loss](convergence-supervised.svg)\n\n## How to read it\n\n- **Error**: the root mean square of the \
            actual errors of {REPETITIONS} independent repetitions, in nats. The interval, the bar in the figures, \
            contains the true value with probability 0.95 (the errors are nearly normal).\n- **Work**: inner products, plus \
            random draws, plus exponentials and logarithms. It is counted, not timed. The one-time cost of a \
            table of all pairs is not part of it; it is in the column *set-up*, and in small print in the \
            panels.\n- **Slope**: the slope of log error over log work. Averages of independent draws have \
            slope −1/2, the dashed line; a better estimator has a lower line, not a steeper one. All sizes use \
            fresh draws.\n- **Exact**: the diamond at the lower edge marks the work of the exact loss. Its \
            error is far below the axis, at most the number beside it.\n- **Predicted**: the ratio p of the \
            error to the standard error that the estimator reports. It is 1 up to chance for an unbiased \
            estimator; otherwise the bias is √(p² − 1) standard errors.\n- **Loss**: a number N means the \
            unsupervised loss L_un^N with N negatives. L_sup^μ is the loss of the mean classifier on all \
            classes, L_sup,1^μ its average over pairs of classes, and p_cc(N) the probability that N negatives \
            cover every class.\n- **Means**: an estimator of L_sup^μ that estimates the class means is biased, \
            by at most (R⁴/K) min(T/2, 1 + log 2T) for K draws of each of T classes and norms up to R. Its \
            error does not fall below the bias. The estimator *levels* has no visible bias, and a larger \
            variance.\n- **Sequences**: half-widths of the empirical-Bernstein and the betting confidence \
            sequence at level 0.05 in one more run, divided by that of the normal interval for a fixed number \
            of observations. They hold at all times at once and assume nothing but the range. They are about \
            twice as wide for many observations, and far wider for few.\n- **Work for 10⁻³**: the work that \
            reaches a standard error of 10⁻³, including set-up.\n\n| estimator | one observation \
            |\n|---|---|\n{estimators}\n"
    )
}

/// The command that writes this page.
fn command(options: &Convergence) -> String {
    let mut words = String::from("contrapositive convergence");
    for (name, path) in [("points", &options.points), ("labels", &options.labels)] {
        if let Some(file) = path.as_ref().and_then(|p| p.file_name()) {
            // The command stands between backticks on one line.
            let file = tame(&file.to_string_lossy()).replace(['`', '\n', '\t'], "?");
            let quote = if file.contains(|c: char| !(c.is_alphanumeric() || "._-".contains(c))) { "'" } else { "" };
            let _ = write!(words, " --{name} {quote}{file}{quote}");
        }
    }
    let numbers: Vec<String> = options.negatives.iter().map(ToString::to_string).collect();
    if numbers.join(",") != "1,15,255,4096" {
        let _ = write!(words, " --negatives {}", numbers.join(","));
    }
    if options.budget != Budget::Quick {
        let _ = write!(words, " --budget {}", options.budget);
    }
    if options.seed != crate::seed::DEFAULT_SEED {
        let _ = write!(words, " --seed {}", options.seed);
    }
    words
}

fn section(subject: &Subject, panels: &[&StudyPanel]) -> String {
    let mut text = format!("## {}\n\n{}.\n\n", in_markdown(&capital(subject.name())), capital(subject.about()));
    text += "| loss | estimator | set-up | work | error [interval] | slope [interval] | predicted | sequences | \
        work for 10⁻³ |\n";
    text += "|---|---|---|---|---|---|---|---|---|\n";
    for panel in panels {
        let work = short(panel.exact_work.total() as f64);
        let half = at_most(0.5 * panel.truth.width());
        let _ = writeln!(
            text,
            "| {} | **exact**: {:.9} | | {work} | at most {half} | | | | {work} |",
            panel.loss, panel.truth
        );
        for curve in &panel.curves {
            text += &line(panel.loss, curve);
        }
        for (method, reason) in &panel.refused {
            let _ = writeln!(text, "| {} | {} | | | {reason} | | | | |", panel.loss, method.name);
        }
    }
    text + "\n"
}

fn line(loss: Loss, curve: &Curve) -> String {
    let Some(last) = curve.levels.last() else {
        return String::new();
    };
    let set_up = match curve.set_up.total() {
        0 => String::new(),
        work => short(work as f64),
    };
    let slope = curve.slope.map_or_else(|| "—".into(), |s| format!("{:.2} [{:.2}, {:.2}]", s.value, s.lo, s.hi));
    let sequences =
        curve.relative_half_widths().map_or_else(|| "—".into(), |[a, b]| format!("{} / {}", short(a), short(b)));
    // A constant loss has no spread.
    let predicted =
        if last.standard_error > 0.0 { format!("{:.2}", last.rms / last.standard_error) } else { "—".into() };
    let (lo, hi) = last.rms_interval;
    format!(
        "| {loss} | {} | {set_up} | {} | {} [{}, {}] | {slope} | {predicted} | {sequences} | {} |\n",
        curve.method.name,
        short(last.work.total() as f64),
        short(last.rms),
        short(lo),
        short(hi),
        short(curve.work_for(ASKED)),
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
