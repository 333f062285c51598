//! The picture: share of runs refuted against evaluations, ours and those of other programs.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

/// One program, and after how many evaluations each of its runs refuted its statement.
pub struct Curve {
    pub name: String,
    pub fell: Vec<Option<usize>>,
    /// Evaluations that every run was given.
    pub given: usize,
}

/// The curves of `benches/peers/refuter.py`, from the file that it writes; none if there is no such file.
///
/// # Errors
/// A row that is not `method,evaluations,statement,seed,fell`.
pub fn peers(file: &Path) -> Result<Vec<Curve>, Box<dyn Error>> {
    let Ok(text) = std::fs::read_to_string(file) else {
        return Ok(Vec::new());
    };
    let mut curves: Vec<Curve> = Vec::new();
    for row in text.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        let [method, given, _, _, fell] = fields[..] else {
            return Err(format!("{}: not five fields: {row}", file.display()).into());
        };
        let fell = if fell.is_empty() { None } else { Some(fell.parse()?) };
        let given = given.parse()?;
        match curves.iter_mut().find(|c| c.name == method && c.given == given) {
            Some(curve) => curve.fell.push(fell),
            None => curves.push(Curve { name: method.to_owned(), fell: vec![fell], given }),
        }
    }
    Ok(curves)
}

/// The share of runs that had refuted their statement after so many evaluations, in per cent, at every step.
fn steps(curve: &Curve) -> Vec<(f64, f64)> {
    let mut fell: Vec<usize> = curve.fell.iter().flatten().copied().collect();
    fell.sort_unstable();
    let share = |count: usize| 100.0 * count as f64 / curve.fell.len().max(1) as f64;
    let mut points = vec![(1.0, 0.0)];
    for (count, at) in fell.into_iter().enumerate() {
        let at = (at as f64).max(1.0);
        points.push((at, share(count)));
        points.push((at, share(count + 1)));
    }
    let last = points.last().map_or(0.0, |p| p.1);
    points.push((curve.given as f64, last));
    points
}

/// The curves as an SVG.
///
/// # Errors
/// They cannot be drawn.
pub fn draw(curves: &[Curve]) -> Result<String, Box<dyn Error>> {
    let most = curves.iter().map(|c| c.given).max().unwrap_or(1) as f64;
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, (760, 460)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(52)
        .build_cartesian_2d((1.0..most).log_scale(), 0.0..100.0)?;
    chart
        .configure_mesh()
        .x_desc("evaluations")
        .y_desc("runs in which the false statement fell, %")
        .light_line_style(TRANSPARENT)
        .draw()?;
    // Of a program that was tried with several numbers of evaluations, the longest runs.
    let longest = |curve: &&Curve| curves.iter().all(|c| c.name != curve.name || c.given <= curve.given);
    for (number, curve) in curves.iter().filter(longest).enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        let width = if number == 0 { 3 } else { 2 };
        chart
            .draw_series(LineSeries::new(steps(curve), colour.stroke_width(width)))?
            .label(curve.name.clone())
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(width)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.2))
        .draw()?;
    area.present()?;
    drop(chart);
    drop(area);
    Ok(text)
}
