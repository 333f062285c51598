//! A report about labelled embeddings as one page of HTML that needs nothing else: the conclusion, pictures, tables.

use embeddings::{LabelledReport, Worth, certain, upper_end};
use enclosures::enclosure::plain;

use super::chart::{Dot, bars, curve, escaped};
use super::labelled_page::{notes, right_in_a_column, shape, worth_and_grade};
use super::ledger::Ledger;

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:48rem;margin:2rem auto;padding:0 \
                     1rem;color:#222}table{border-collapse:collapse;width:100%}td,th{padding:.2rem \
                     .6rem;border-bottom:1px solid \
                     #ddd;text-align:right}td:first-child,th:first-child{text-align:left}.conclusion{font-size:1.2rem;padding:1rem;border-left:.4rem \
                     solid #888}.informative{border-color:#2a7}.undecided{border-color:#c90}svg{width:100%;font:12px \
                     sans-serif}.grid{stroke:#ddd}.level{stroke:#c33;stroke-dasharray:6 \
                     4}.curve{fill:none;stroke:#357}.full{fill:#2a7}.empty{fill:#fff;stroke:#357}.bar{fill:#579}small{color:#666}";
/// Bars of a picture at the most.
const MOST_BARS: usize = 64;

/// A page with its style and heading.
pub(super) fn opened(title: &str, heading: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta \
         charset=\"utf-8\"><title>{}</title>\n<style>{STYLE}</style></head><body>\n\
         <h1>{}</h1>\n",
        escaped(title),
        escaped(heading)
    )
}

/// Rows under their heads.
pub(super) fn table(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = String::from("<table>\n<tr>");
    heads.iter().for_each(|head| text.push_str(&format!("<th>{}</th>", escaped(head))));
    text.push_str("</tr>\n");
    for row in rows {
        text.push_str("<tr>");
        row.iter().for_each(|cell| text.push_str(&format!("<td>{}</td>", escaped(cell))));
        text.push_str("</tr>\n");
    }
    text + "</table>\n"
}

/// The whole page.
pub fn page(report: &LabelledReport, ledger: &Ledger) -> String {
    let worth = report.best_bound.as_ref().map_or(Worth::SaysNothing, |best| best.worth);
    let class = worth.words().replace(' ', "-");
    let mut text = opened("Bounds on embeddings", "What the theory says about these embeddings");
    text += &format!(
        "<p class=\"conclusion {class}\">{}</p>\n<p>{}</p>\n<p><small>{}</small></p>\n",
        escaped(&report.conclusion()),
        escaped(&report.reality()),
        escaped(&report.conventions())
    );
    let dots: Vec<Dot> = (report.sharp_bounds.iter())
        .filter_map(|row| {
            let height = row.limit?.hi();
            height.is_finite().then_some(Dot {
                at: row.negatives as f64,
                height,
                full: row.worth == Worth::Informative,
            })
        })
        .collect();
    text.push_str("<h2>The sharp bound against the number of negatives</h2>\n");
    text.push_str(&curve("sharp bound against N", &dots, report.chance.hi(), "guessing, log N_C"));
    text.push_str("<h2>Losses in nats</h2>\n");
    let fixed = [
        vec!["best linear head, at most".into(), upper_end(report.best_head, 6), report.right(&report.found_head)],
        vec!["mean classifier".into(), certain(report.mean_classifier.loss, 7), report.right(&report.mean_classifier)],
        vec!["guessing, log N_C".into(), certain(report.chance, 7), String::new()],
    ];
    let sampled = report.unsupervised.iter().filter(|row| row.asked).map(|row| {
        vec![format!("unsupervised, N = {}", row.negatives), certain(row.loss, 7), row.loss.grade().to_string()]
    });
    let trained = report.trained.iter().map(|row| {
        vec![
            format!("as trained, N = {}", row.negatives),
            row.loss.map_or_else(|| "–".into(), |loss| certain(loss, 7)),
            row.loss.map_or_else(
                || row.reason.clone().unwrap_or_default(),
                |loss| format!("{}; no bound is about it", loss.grade()),
            ),
        ]
    });
    let tasks = report.tasks.iter().map(|row| {
        vec![
            format!("mean classifier, {}-way tasks", row.task_size),
            row.mean_classifier.map_or_else(|| "–".into(), |loss| certain(loss, 7)),
            row.reason.clone().unwrap_or_default(),
        ]
    });
    let rows = fixed.into_iter().chain(sampled).chain(trained).chain(tasks);
    text.push_str(&table(&["", "loss", "right, or grade"], rows));
    text.push_str("<h2>Bounds</h2>\n");
    let bounds = report.bounds.iter().map(|row| {
        let name = row.task_size.map_or_else(|| row.name.to_owned(), |size| format!("{}, {size}-way tasks", row.name));
        let limit = row.limit.map_or_else(|| "∞".into(), |limit| upper_end(limit, 5));
        vec![
            name,
            row.negatives.to_string(),
            limit,
            match &row.silent {
                Some(silent) => silent.to_string(),
                None => worth_and_grade(row),
            },
            format!("{}: {}", row.id, ledger.standing(row.claim, &row.id)),
        ]
    });
    text.push_str(&table(&["bound", "N", "at most", "worth", "tried by"], bounds));
    text.push_str("<h2>Classes</h2>\n");
    let losses: Vec<(String, f64)> =
        report.classes.iter().take(MOST_BARS).map(|row| (row.name.clone(), row.loss.midpoint())).collect();
    text.push_str(&bars("loss of the mean classifier on each class", &losses));
    let classes = report.classes.iter().map(|row| {
        vec![
            row.name.clone(),
            row.points.to_string(),
            plain(row.share, 3),
            plain(row.spread, 4),
            row.nearest.clone().unwrap_or_default(),
            row.distance.map_or_else(String::new, |distance| plain(distance, 4)),
            certain(row.loss, 4),
            format!("{} %", right_in_a_column(row)),
        ]
    });
    let heads = ["class", "points", "share", "spread", "nearest", "distance", "loss", "right"];
    text.push_str(&table(&heads, classes));
    text.push_str("<h2>Geometry of the embeddings (in floating point)</h2>\n");
    let lie = shape(report).into_iter().map(|(name, value)| vec![name.to_owned(), value]);
    text.push_str(&table(&["", ""], lie));
    for note in notes(&report.geometry) {
        text += &format!("<p><small>{}</small></p>\n", escaped(note.trim()));
    }
    if let Some(spread) = &report.geometry.spread {
        text.push_str(&format!(
            "<h2>Spectrum of the covariance</h2>\n<p>Effective rank {}, stable rank {}, of {}.</p>\n",
            plain(spread.effective_rank, 4),
            plain(spread.stable_rank, 4),
            report.dimension
        ));
        let each = spread.eigenvalues.iter().take(MOST_BARS).enumerate();
        let eigenvalues: Vec<(String, f64)> = each.map(|(i, value)| ((i + 1).to_string(), *value)).collect();
        text.push_str(&bars("eigenvalues of the covariance", &eigenvalues));
    }
    text + "</body></html>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use embeddings::{Embeddings, Settings, Unwatched, labelled_report};

    #[test]
    fn the_page_holds_every_part_and_escapes_what_comes_from_outside() {
        let points = (0..24).map(|i| f64::from(i * i % 13) - 6.0).collect();
        let labels: Vec<u32> = (0..12).map(|i| i % 3).collect();
        let embeddings = Embeddings::new(points, 2, &labels).expect("points");
        let settings = Settings {
            task_sizes: vec![2],
            negatives: vec![3, 255],
            replacement: false,
            temperature: 0.5,
            ..Settings::default()
        };
        let report = labelled_report(&embeddings, &settings, &Unwatched).expect("a report");
        let text = page(&report, &Ledger::of_catalogue());
        for part in [
            "<!doctype html>",
            "merad2020.lemma-2.rarest-class: holds, exact",
            "as trained, N = 3",
            "10 candidates",
            "2-way tasks",
            "uniformity",
            "Spectrum",
            "</html>",
        ] {
            assert!(text.contains(part), "no {part}");
        }
        assert_eq!(text.matches("<svg").count(), 3);
        assert_eq!(escaped("<a href=\"x\">&\u{1b}"), r"&lt;a href=&quot;x&quot;&gt;&amp;\u001b");
    }
}
