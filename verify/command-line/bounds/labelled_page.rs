//! A report about labelled embeddings for people: the conclusion first.

use embeddings::{
    BoundRow, ClassRow, Distances, Geometry, HeadScore, LabelledReport, Worth, certain, certain_percent, upper_end,
};
use enclosures::enclosure::{Enclosure, Grade, plain};
use estimators::bounds::Inapplicable;

use super::ledger::Ledger;
use super::page::{Page, Tone, WIDTH};

/// Classes shown at the most: those on which the mean classifier loses most.
const MOST_CLASSES: usize = 20;
/// Columns of a class's name.
const NAME: usize = 12;

/// A report about labelled embeddings.
pub fn write(page: &mut Page, report: &LabelledReport, ledger: &Ledger) {
    let worth = report.best_bound.as_ref().map_or(Worth::SaysNothing, |best| best.worth);
    let tone = if worth == Worth::SaysNothing { Tone::Strong } else { Tone::of(worth) };
    page.paragraph(tone, &report.conclusion());
    page.paragraph(Tone::Plain, &report.reality());
    page.line(Tone::Plain, "");
    page.paragraph(Tone::Plain, &report.conventions());
    losses(page, report);
    bounds(page, report, ledger);
    tasks(page, report);
    classes(page, report);
    geometry(page, report);
}

fn losses(page: &mut Page, report: &LabelledReport) {
    page.line(Tone::Plain, "");
    page.line(Tone::Strong, "Losses in nats (digits are truncated, not rounded, and each is certain)");
    let mut say = |name: &str, loss: &str, note: &str| {
        page.line(Tone::Plain, &fitting(format!("  {name:26} {loss:18} {note}")));
    };
    let right = |head: &HeadScore| format!("right on {}", report.right(head));
    let best = if report.best_head.lo() > 0.0 {
        certain(report.best_head, 7)
    } else {
        format!("≤ {}", upper_end(report.best_head, 6))
    };
    say("best linear head", &best, &right(&report.found_head));
    let mean = &report.mean_classifier;
    say("mean classifier, L_sup^μ", &certain(mean.loss, 7), &right(mean));
    say("guessing, log N_C", &certain(report.chance, 7), "a bound above this says nothing");
    for row in report.unsupervised.iter().filter(|row| row.asked) {
        let note = match row.loss.grade() {
            Grade::Exact => String::new(),
            grade => grade.to_string(),
        };
        say(&format!("unsupervised, N = {}", row.negatives), &certain(row.loss, 7), &note);
    }
    for row in &report.trained {
        let name = format!("as trained, N = {}", row.negatives);
        let note = match row.loss.map(Enclosure::grade) {
            None => "no loss".to_owned(),
            Some(Grade::Exact) => "no bound is about it".to_owned(),
            Some(grade) => format!("{grade}; no bound is about it"),
        };
        say(&name, &row.loss.map_or_else(|| "–".into(), |loss| certain(loss, 7)), &note);
    }
    for row in &report.trained {
        if let Some(reason) = &row.reason {
            page.paragraph(Tone::Faint, &format!("  N = {}: {reason}", row.negatives));
        }
    }
}

/// A line without what stands in parentheses at its end where it would be too long.
pub(super) fn fitting(line: String) -> String {
    let line = line.trim_end();
    match line.rsplit_once(" (") {
        Some((short, _)) if line.chars().count() > WIDTH => short.to_owned(),
        _ => line.to_owned(),
    }
}

fn bounds(page: &mut Page, report: &LabelledReport, ledger: &Ledger) {
    page.line(Tone::Plain, "");
    page.line(Tone::Strong, "Upper bounds on the loss of the mean classifier, and so of the best linear head");
    page.line(Tone::Faint, &format!("  {:28} {:>5} {:>9} {:>9}  {}", "bound", "N", "factor", "at most", "worth"));
    let (mut shown, mut unequal): (Vec<(&str, String)>, Vec<&str>) = (Vec::new(), Vec::new());
    let best = report.best_bound.iter().filter(|best| {
        let listed = |row: &BoundRow| row.id == best.id && row.negatives == best.negatives;
        !report.bounds.iter().any(listed)
    });
    for row in best.chain(&report.bounds) {
        if row.silent == Some(Inapplicable::UnequalClasses) {
            if !unequal.contains(&row.name) {
                unequal.push(row.name);
                page.line(Tone::Faint, &format!("  {:28} not applicable: it assumes --equal-classes", row.name));
            }
            continue;
        }
        let name = match row.task_size {
            Some(size) => format!("{} {size}-way", row.name.replace("Proposition", "Prop.")),
            None => row.name.to_owned(),
        };
        let (factor, limit) = (
            row.factor.map_or_else(|| "∞".into(), factor_in_a_column),
            row.limit.map_or_else(|| "∞".into(), |limit| upper_end(limit, 5)),
        );
        let line = format!("  {name:28} {:>5} {factor:>9} {limit:>9}  {}", row.negatives, worth_and_grade(row));
        page.line(Tone::of(row.worth), &line);
        if let Some(silent) = &row.silent {
            let why = silent.to_string();
            if !shown.iter().any(|(name, text)| *name == row.name && *text == why) {
                page.line(Tone::Faint, &format!("      {why}"));
                shown.push((row.name, why));
            }
        }
    }
    page.line(Tone::Plain, "");
    page.line(Tone::Strong, "Claims that test the bounds (`contrapositive explain <claim>`)");
    let mut named: Vec<&str> = Vec::new();
    for row in report.best_bound.iter().chain(&report.bounds) {
        if named.contains(&row.id.as_str()) {
            continue;
        }
        named.push(&row.id);
        page.line(Tone::Plain, &format!("  {}", row.name));
        page.line(Tone::Faint, &format!("      {}", row.formula));
        page.line(Tone::Faint, &format!("      {}: {}", row.id, ledger.standing(row.claim, &row.id)));
    }
}

/// What a bound is worth, and its grade where that is not exact.
pub(super) fn worth_and_grade(row: &BoundRow) -> String {
    let grade = match row.limit.map(Enclosure::grade) {
        Some(Grade::Sampled { .. }) => ", sampled",
        Some(Grade::Measured) => ", measured",
        _ => "",
    };
    format!("{}{grade}", row.worth.words())
}

/// A factor to four digits; where fewer than that are certain, a number that it does not exceed.
fn factor_in_a_column(factor: Enclosure) -> String {
    let digits = certain(factor, 4);
    if digits.chars().count() <= 9 { digits } else { format!("≤{}", upper_end(factor, 4)) }
}

fn tasks(page: &mut Page, report: &LabelledReport) {
    if report.tasks.is_empty() {
        return;
    }
    page.line(Tone::Plain, "");
    page.line(Tone::Strong, "Tasks of some of the classes: mean loss of the mean classifier");
    for row in &report.tasks {
        let loss = row.mean_classifier.map_or_else(|| "not computed:".into(), |loss| certain(loss, 7));
        page.line(Tone::Plain, &format!("  {:26} {loss}", format!("{}-way", row.task_size)));
        if let Some(reason) = &row.reason {
            page.paragraph(Tone::Faint, &format!("      {reason}"));
        }
    }
}

fn classes(page: &mut Page, report: &LabelledReport) {
    page.line(Tone::Plain, "");
    let mut rows: Vec<&ClassRow> = report.classes.iter().collect();
    if rows.len() > MOST_CLASSES {
        rows.sort_by(|a, b| b.loss.hi().total_cmp(&a.loss.hi()));
        rows.truncate(MOST_CLASSES);
        let words =
            format!("The {MOST_CLASSES} of {} classes on which the mean classifier loses most", report.classes.len());
        page.line(Tone::Strong, &words);
    } else {
        page.line(Tone::Strong, "Classes, and the mean classifier on each");
    }
    page.line(
        Tone::Faint,
        &format!(
            "  {:NAME$} {:>7} {:>7} {:>8} {:NAME$} {:>8} {:>9} {:>6}",
            "class", "points", "share", "spread", "nearest", "distance", "loss", "right"
        ),
    );
    for row in rows {
        let line = format!(
            "  {:NAME$} {:>7} {:>7} {:>8} {:NAME$} {:>8} {:>9} {:>6}",
            cut(&row.name),
            row.points,
            plain(row.share, 3),
            plain(row.spread, 4),
            cut(row.nearest.as_deref().unwrap_or("none")),
            row.distance.map_or_else(String::new, |distance| plain(distance, 4)),
            short(row.loss),
            right_in_a_column(row)
        );
        page.line(Tone::Plain, line.trim_end());
    }
}

/// Three certain digits of per cent, from the counts.
pub(super) fn right_in_a_column(row: &ClassRow) -> String {
    if row.tied == 0 {
        certain_percent(row.right, row.points as u64, 3)
    } else {
        format!("≤{}", upper_end(row.accuracy * Enclosure::from(100), 3))
    }
}

/// Three certain digits; for a number of which fewer are known, what it does not exceed.
fn short(number: Enclosure) -> String {
    let digits = certain(number, 3);
    if digits.starts_with('[') { format!("≤{}", upper_end(number, 2)) } else { digits }
}

/// A name in as many columns as there are for it.
fn cut(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

fn geometry(page: &mut Page, report: &LabelledReport) {
    page.line(Tone::Plain, "");
    page.line(Tone::Strong, "Geometry of the embeddings (in floating point, without an error bound)");
    for (name, value) in shape(report) {
        page.line(Tone::Plain, &format!("  {name:26} {value}"));
    }
    for note in notes(&report.geometry) {
        page.paragraph(Tone::Faint, &note);
    }
}

/// Names and numbers of how the embeddings lie.
pub(super) fn shape(report: &LabelledReport) -> Vec<(&'static str, String)> {
    let geometry = &report.geometry;
    let (least, largest) = (plain(geometry.least_norm, 5), plain(geometry.largest_norm, 5));
    let mut rows = vec![
        ("norms", format!("{least} to {largest}, mean {}", plain(geometry.mean_norm, 5))),
        ("alignment within classes", plain(geometry.alignment, 5)),
    ];
    if let Some(distances) = &geometry.distances {
        rows.push(("uniformity, t = 2", uniformity(distances, report.points)));
        let separation = match distances.separation {
            Some(separation) => plain(separation, 5),
            None => format!("not computed: it needs all pairs of {} points", report.points),
        };
        rows.push(("separation δ", separation));
    }
    match (&geometry.spread, geometry.stable_rank_at_most) {
        (Some(spread), _) => rows.push((
            "ranks of the covariance",
            format!(
                "effective {}, stable {}, of {}",
                plain(spread.effective_rank, 4),
                plain(spread.stable_rank, 4),
                report.dimension
            ),
        )),
        (None, Some(most)) => {
            rows.push(("stable rank", format!("at most {}, of {}", plain(most, 4), report.dimension)))
        }
        (None, None) => rows.push(("ranks of the covariance", "not computed".into())),
    }
    rows
}

/// Uniformity in words; `of` is the number of points.
pub(super) fn uniformity(distances: &Distances, of: usize) -> String {
    let value = match distances.uniformity {
        Some(uniformity) => plain(uniformity, 5),
        None => "below -700".into(),
    };
    if distances.anchors == of { value } else { format!("{value}, of {} points with all others", distances.anchors) }
}

/// Which claims the numbers are about, and what is missing.
pub(super) fn notes(geometry: &Geometry) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(why) = &geometry.no_spread {
        notes.push(format!("  No spectrum of the covariance: {why}."));
    }
    notes.push(format!(
        "  Assumption 2 (merad2020.assumption-2) asks for η < ‖f(x)‖ < C: η below {}, C above {}.",
        plain(geometry.least_norm, 5),
        plain(geometry.largest_norm, 5)
    ));
    if let Some(separation) = geometry.distances.as_ref().and_then(|distances| distances.separation) {
        notes.push(format!(
            "  Assumption 1 (merad2020.assumption-1) asks the inputs for norm one and distance δ > 0. If these points \
             are the inputs: δ = {}.",
            plain(separation, 5)
        ));
    }
    notes.push(
        "  A small rank is the collapse of esser2024.prop-1d, remark-2 and remark-3. These are claims about training; \
         no bound for given embeddings follows from them."
            .into(),
    );
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use embeddings::{Embeddings, Settings, Unwatched, labelled_report};

    /// Forty points around `classes` directions, `scale` away.
    fn report(classes: u32, scale: f64, settings: &Settings) -> LabelledReport {
        let angle = |i: u32| f64::from(i % classes) * std::f64::consts::TAU / f64::from(classes) + f64::from(i) * 0.003;
        let points = (0..40).flat_map(|i| [scale * cosine(angle(i)), scale * sine(angle(i))]);
        let labels: Vec<u32> = (0..40).map(|i| i % classes).collect();
        let embeddings = Embeddings::new(points.collect(), 2, &labels).expect("points");
        labelled_report(&embeddings, settings, &Unwatched).expect("a report")
    }

    fn cosine(x: f64) -> f64 {
        enclosures::interval::Interval::point(x).cos().midpoint()
    }

    fn sine(x: f64) -> f64 {
        enclosures::interval::Interval::point(x).sin().midpoint()
    }

    fn written(report: &LabelledReport) -> String {
        let mut page = Page::default();
        write(&mut page, report, &Ledger::of_catalogue());
        page.text().to_owned()
    }

    #[test]
    fn every_line_fits_80_columns() {
        for (classes, scale) in [(4, 3.0), (4, 0.1), (25, 300.0), (5, 1e-3)] {
            let settings = Settings {
                negatives: vec![3, 15, 4096],
                task_sizes: vec![2, 3],
                temperature: 0.07,
                center: true,
                ..Settings::default()
            };
            let hurried =
                Settings { work: 1e4, equal_classes: true, replacement: false, half_width: 0.3, ..settings.clone() };
            let text = written(&report(classes, scale, &settings)) + &written(&report(classes, scale, &hurried));
            assert!(text.contains("sampled") && text.contains("not applicable") != (40 % classes == 0));
            for line in text.lines() {
                assert!(line.chars().count() <= WIDTH, "{} columns: {line}", line.chars().count());
            }
        }
    }

    #[test]
    fn the_conclusion_comes_first_and_says_what_would_help() {
        let good = written(&report(4, 3.0, &Settings::default()));
        assert!(good.starts_with("Informative: with N = "), "{good}");
        assert!(good.contains("merad2020.lemma-2.rarest-class: holds, exact; headline: holds, exact"));
        let poor = written(&report(4, 0.1, &Settings::default()));
        assert!(poor.starts_with("Says nothing: "), "{poor}");
        let words = poor.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("It would say something if L_un^"), "{words}");
        assert!(good.contains("infinite, with fewer negatives than classes"), "{good}");
    }
}
