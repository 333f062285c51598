//! The picture: time over size, one line for every sweep, both relative to where it begins.

use plotters::prelude::*;

use crate::Answer;
use crate::growth::Sweep;

/// The sweeps as an SVG.
///
/// # Errors
/// They cannot be drawn.
pub fn draw(sweeps: &[Sweep]) -> Answer<String> {
    let relative = |sweep: &Sweep| -> Vec<(f64, f64)> {
        let (size, time) = sweep.times.first().copied().unwrap_or((1.0, 1.0));
        sweep.times.iter().map(|(s, t)| (s / size, t / time)).collect()
    };
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, (760, 460)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(52)
        .build_cartesian_2d((1.0..1e5).log_scale(), (0.1..1e4).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("size, relative to the smallest")
        .y_desc("time, relative to the smallest")
        .light_line_style(TRANSPARENT)
        .draw()?;
    for (number, sweep) in sweeps.iter().enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        chart
            .draw_series(LineSeries::new(relative(sweep), colour.stroke_width(2)).point_size(3))?
            .label(sweep.over)
            .legend(move |(x, y)| PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.2))
        .draw()?;
    area.present()?;
    drop(chart);
    drop(area);
    Ok(text)
}
