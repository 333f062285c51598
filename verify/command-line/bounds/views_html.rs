//! A report about pairs of views as one page of HTML that needs nothing else.

use embeddings::{ViewsReport, certain};
use enclosures::enclosure::{Enclosure, plain};

use super::chart::{bars, escaped};
use super::html::{opened, table};
use super::views_page::{conventions, distances};

/// The whole page; `cosines` says whether inner products are.
pub fn page(report: &ViewsReport, cosines: bool) -> String {
    let count = |share: Enclosure, name: &str| {
        let of = if name.starts_with("NT") { 2 * report.pairs } else { report.pairs };
        report.first(share, of)
    };
    let mut rows = vec![
        ("InfoNCE (MoCo), one to other".to_owned(), report.forth.loss, Some(report.chance), Some(report.forth.first)),
        ("InfoNCE (MoCo), other to one".to_owned(), report.back.loss, Some(report.chance), Some(report.back.first)),
        ("CLIP, the mean of both".to_owned(), report.clip, Some(report.chance), None),
        ("NT-Xent (SimCLR)".to_owned(), report.nt_xent.loss, Some(report.chance_nt_xent), Some(report.nt_xent.first)),
    ];
    let drawn = report.drawn.iter().map(|row| {
        let name = format!("InfoNCE, N = {} drawn with replacement", row.negatives);
        (name, row.loss, Some((Enclosure::from(row.negatives) + 1.0).ln()), None)
    });
    rows.extend(drawn);
    let mut text = opened("Losses of pairs of views", "What contrastive losses say about these pairs");
    text += &format!(
        "<p class=\"conclusion\">{}</p>\n<p><small>{}</small></p>\n<h2>Losses in nats</h2>\n",
        escaped(&report.conclusion()),
        escaped(&conventions(report, cosines))
    );
    let shares: Vec<(String, f64)> = rows
        .iter()
        .filter_map(|(name, loss, chance, _)| Some((name.clone(), loss.midpoint() / (*chance)?.midpoint())))
        .collect();
    text += &bars("each loss as a share of what views that are all alike lose", &shares);
    text += "<p><small>The picture shows each loss as a share of what views that are all alike lose.</small></p>\n";
    let cells = rows.iter().map(|(name, loss, chance, first)| {
        vec![
            name.clone(),
            if loss.grade().is_sampled() { format!("{}, sampled", certain(*loss, 7)) } else { certain(*loss, 7) },
            chance.map_or_else(String::new, |chance| certain(chance, 7)),
            first.map_or_else(String::new, |first| count(first, name)),
        ]
    });
    text += &table(&["", "loss", "guessing", "partner first"], cells);
    text += &format!("<p>Mean squared distance of partners: {}.</p>\n", plain(report.alignment, 5));
    for (name, value) in distances(report) {
        text += &format!("<p>{}: {}.</p>\n", escaped(&name), escaped(&value));
    }
    text + "</body></html>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use contrastive::data::NumberTable;
    use embeddings::{Unwatched, ViewSettings, views_report};

    #[test]
    fn the_page_has_a_row_and_a_bar_for_every_loss() {
        let values = |shift: f64| (0..24).map(|i| f64::from(i * i % 13) - 6.0 + shift).collect();
        let table = |shift| NumberTable::new("views", values(shift), 12, 2).expect("a table");
        let settings = ViewSettings { normalize: true, negatives: vec![3], ..ViewSettings::default() };
        let report = views_report(&table(0.1), &table(0.3), &settings, &Unwatched).expect("a report");
        let text = page(&report, true);
        assert_eq!((text.matches("<tr>").count(), text.matches("<rect").count()), (6, 5));
        assert!(text.contains("inner products are cosines") && text.ends_with("</html>\n"));
        assert!(text.contains(&certain(report.nt_xent.loss, 7)));
    }
}
