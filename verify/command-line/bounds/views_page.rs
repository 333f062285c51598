//! A report about pairs of views for people.

use embeddings::{ViewsReport, certain};
use enclosures::enclosure::{Enclosure, plain};

use super::labelled_page::{fitting, uniformity};
use super::page::{Page, Tone};

/// What the data are, and under which conventions the losses are taken.
pub fn conventions(report: &ViewsReport, cosines: bool) -> String {
    format!(
        "{} pairs of dimension {}; temperature {}; inner products are {}. All pairs are one batch: an anchor's \
         negatives are all others of the batch, each once, without its partner.{}",
        report.pairs,
        report.dimension,
        report.settings.temperature,
        if cosines { "cosines" } else { "not cosines (--normalize makes them cosines)" },
        if report.is_sampled() {
            format!(
                " Sampled losses use some anchors, each with all of its keys; all intervals together miss with a \
                 chance of at most {:e}.",
                report.settings.alpha
            )
        } else {
            String::new()
        }
    )
}

/// Uniformity and separation of the views of either kind.
pub fn distances(report: &ViewsReport) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for (which, found) in ["one", "other"].into_iter().zip(&report.distances) {
        if let Some(found) = found {
            rows.push((format!("uniformity of {which}, t = 2"), uniformity(found, report.pairs)));
            if let Some(separation) = found.separation {
                rows.push((format!("separation of {which}"), plain(separation, 5)));
            }
        }
    }
    rows
}

/// A report about pairs of views; `cosines` says whether their inner products are.
pub fn write(page: &mut Page, report: &ViewsReport, cosines: bool) {
    page.paragraph(Tone::Strong, &report.conclusion());
    page.line(Tone::Plain, "");
    page.paragraph(Tone::Plain, &conventions(report, cosines));
    page.line(Tone::Plain, "");
    page.line(Tone::Strong, "Losses in nats (digits are truncated, not rounded, and each is certain)");
    let mut say = |name: &str, loss: Enclosure, note: &str| {
        let grade = if loss.grade().is_sampled() { "sampled; " } else { "" };
        let line = format!("  {name:28} {:18} {grade}{note}", certain(loss, 7));
        page.line(Tone::Plain, fitting(line).trim_end_matches(';'));
    };
    let first = |share: Enclosure, of: usize| format!("first: {}", report.first(share, of));
    say("InfoNCE (MoCo), one to other", report.forth.loss, &first(report.forth.first, report.pairs));
    say("InfoNCE (MoCo), other to one", report.back.loss, &first(report.back.first, report.pairs));
    say("CLIP, the mean of both", report.clip, "");
    say("NT-Xent (SimCLR)", report.nt_xent.loss, &first(report.nt_xent.first, 2 * report.pairs));
    say("guessing, log n", report.chance, "of InfoNCE and CLIP");
    say("guessing, log(2n - 1)", report.chance_nt_xent, "of NT-Xent");
    for row in &report.drawn {
        let name = format!("InfoNCE, N = {} drawn", row.negatives);
        say(&name, row.loss, "with replacement");
    }
    page.line(Tone::Plain, "");
    let alignment = format!("  {:34} {}", "mean squared distance of a pair", plain(report.alignment, 5));
    page.line(Tone::Plain, &alignment);
    for (name, value) in distances(report) {
        page.line(Tone::Plain, &format!("  {name:34} {value}"));
    }
}
