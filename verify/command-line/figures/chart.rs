//! A panel with curves: logarithmic updates to the right, values upwards on a plain or a logarithmic scale.
//!
//! Everything is placed in whole units of the drawing by correctly rounded functions, and text is left to the reader's fonts, so
//! that the file is the same everywhere.

use enclosures::enclosure::plain;
use plotters::prelude::{DrawingArea, IntoDrawingArea, PathElement, SVGBackend, Text, WHITE};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, TextStyle};

type Canvas<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

const WIDTH: i32 = 400;
const HEIGHT: i32 = 300;
const LEFT: i32 = 64;
const TOP: i32 = 70;
const BLACK: RGBColor = RGBColor(0, 0, 0);
const GREY: RGBColor = RGBColor(110, 110, 110);
/// The colours of Okabe and Ito (2008), without their yellow, which is too light for lines on white; black is the last.
pub const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(230, 159, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    BLACK,
];

/// How values are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From zero upwards.
    Plain,
    /// By their logarithms; what is not positive lies on the lower edge.
    Logarithmic,
}

/// One quantity along training.
pub struct Curve {
    /// Which of [`COLORS`] it has, and which line of the legend explains it.
    pub color: usize,
    pub dashed: bool,
    /// One list of values for each run, drawn faintly.
    pub runs: Vec<Vec<f64>>,
    /// Their average, drawn strongly.
    pub mean: Vec<f64>,
}

/// One system of axes.
pub struct Panel {
    pub title: String,
    pub scale: Scale,
    /// Updates at which the curves have their values.
    pub steps: Vec<u32>,
    pub curves: Vec<Curve>,
    /// A level to compare with, and its name.
    pub level: Option<(f64, &'static str)>,
    /// A number of updates up to which something holds, and what.
    pub until: Option<(u32, &'static str)>,
}

/// Panels, two in a row, and what the colours mean.
pub struct Picture {
    pub title: &'static str,
    /// Names of the colours; whether the line is dashed.
    pub legend: Vec<(&'static str, usize, bool)>,
    pub unit: &'static str,
    pub panels: Vec<Panel>,
}

/// The picture as SVG, two panels in a row.
///
/// # Errors
/// What the drawing library says.
pub fn svg(picture: &Picture) -> Result<String, String> {
    let columns = picture.panels.len().clamp(1, 2) as i32;
    let rows = (picture.panels.len() as i32 + columns - 1) / columns;
    // As many names in a line as there are panels in a row: beside a single one there is no room for a second.
    let lines = picture.legend.len().div_ceil(columns as usize) as i32;
    let top = TOP + 22 * lines;
    // A title may be wider than a single panel: letters of its size are seven or eight units wide.
    let title = 20 + picture.title.chars().count() as i32 * 15 / 2;
    let size = ((LEFT + columns * WIDTH).max(title), top + rows * HEIGHT + 8);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (size.0 as u32, size.1 as u32)).into_drawing_area();
        area.fill(&WHITE).map_err(|e| e.to_string())?;
        write(&area, picture.title, (12, 20), (20, BLACK), HPos::Left)?;
        for (index, (name, color, dashed)) in picture.legend.iter().enumerate() {
            let index = index as i32;
            let (x, y) = (20 + (index % columns) * WIDTH, 48 + 22 * (index / columns));
            stroke(
                &area,
                &[(x, y), (x + 34, y)],
                COLORS[color % COLORS.len()],
                1.0,
                (3, *dashed),
            )?;
            write(&area, name, (x + 42, y), (16, BLACK), HPos::Left)?;
        }
        for (index, panel) in picture.panels.iter().enumerate() {
            let corner = (
                LEFT + (index as i32 % columns) * WIDTH,
                top + (index as i32 / columns) * HEIGHT,
            );
            draw(&area, panel, picture, corner)?;
        }
        area.present().map_err(|e| e.to_string())?;
    }
    Ok(text)
}

fn write(
    area: &Canvas<'_>,
    text: &str,
    at: (i32, i32),
    (size, color): (i32, RGBColor),
    side: HPos,
) -> Result<(), String> {
    let style = TextStyle::from(("sans-serif", size).into_font())
        .color(&color)
        .pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))
        .map_err(|e| e.to_string())
}

/// A line through some points; dashed ones lose every second quarter of each piece.
fn stroke(
    area: &Canvas<'_>,
    points: &[(i32, i32)],
    color: RGBColor,
    opacity: f64,
    (width, dashed): (u32, bool),
) -> Result<(), String> {
    let style = color.mix(opacity).stroke_width(width);
    let draw = |points: Vec<(i32, i32)>| area.draw(&PathElement::new(points, style)).map_err(|e| e.to_string());
    if !dashed {
        return draw(points.to_vec());
    }
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let at = |quarter: i32| {
            (
                from.0 + (to.0 - from.0) * quarter / 4,
                from.1 + (to.1 - from.1) * quarter / 4,
            )
        };
        draw(vec![at(0), at(1)])?;
        draw(vec![at(2), at(3)])?;
    }
    Ok(())
}

/// The values at the ends of the axis and at its marks.
struct Range {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Range {
    fn of(panel: &Panel) -> Self {
        let scale = panel.scale;
        let values = panel.curves.iter().flat_map(|c| c.runs.iter().flatten().chain(&c.mean));
        let values = values
            .copied()
            .chain(panel.level.map(|l| l.0))
            .filter(|v| v.is_finite());
        match scale {
            Scale::Plain => {
                let most = values.fold(0.0, f64::max);
                let step = unit(most / 4.0);
                let high = ((most / step).ceil() * step).max(step);
                Range { scale, low: 0.0, high }
            }
            Scale::Logarithmic => {
                let logs = values.filter(|v| *v > 0.0).map(core_log10);
                let (low, high) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
                let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
                Range {
                    scale,
                    low: low.floor(),
                    high: high.ceil().max(low.floor() + 1.0),
                }
            }
        }
    }

    /// Where a value lies, 0 at the lower end and 1 at the upper.
    fn share(&self, value: f64) -> f64 {
        let at = match self.scale {
            Scale::Plain => value,
            Scale::Logarithmic if value > 0.0 => core_log10(value),
            Scale::Logarithmic => self.low,
        };
        ((at - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Values with a line across and a label.
    fn marks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Plain => {
                let step = unit(self.high / 4.0);
                let count = (self.high / step).round() as i32;
                (0..=count).map(|k| f64::from(k) * step).collect()
            }
            Scale::Logarithmic => {
                let (low, high) = (self.low as i32, self.high as i32);
                let powers = (low..=high).map(|p| format!("1e{p}").parse().unwrap_or(f64::NAN));
                powers.collect()
            }
        }
    }
}

/// 1, 2 or 5 times a power of ten, at least as large as a positive number.
fn unit(x: f64) -> f64 {
    let power = if x > 0.0 { core_log10(x).floor() as i32 } else { 0 };
    let decade: f64 = format!("1e{power}").parse().unwrap_or(1.0);
    [1.0, 2.0, 5.0]
        .map(|m| m * decade)
        .into_iter()
        .find(|u| *u >= x)
        .unwrap_or(10.0 * decade)
}

fn core_log10(x: f64) -> f64 {
    enclosures::interval::Interval::point(x).ln().midpoint() / core::f64::consts::LN_10
}

fn draw(area: &Canvas<'_>, panel: &Panel, picture: &Picture, (left, upper): (i32, i32)) -> Result<(), String> {
    let (right, top, bottom) = (left + WIDTH - 74, upper + 24, upper + HEIGHT - 44);
    let range = Range::of(panel);
    let last = core_log10(f64::from(panel.steps.last().copied().unwrap_or(1)) + 1.0);
    let column = |step: u32| left + (core_log10(f64::from(step) + 1.0) / last * f64::from(right - left)).round() as i32;
    let row = |value: f64| bottom - (range.share(value) * f64::from(bottom - top)).round() as i32;
    write(
        area,
        &panel.title,
        ((left + right) / 2, top - 12),
        (17, BLACK),
        HPos::Center,
    )?;
    for value in range.marks() {
        let y = row(value);
        stroke(area, &[(left, y), (right, y)], GREY, 0.25, (1, false))?;
        write(area, &plain(value, 3), (left - 6, y), (14, BLACK), HPos::Right)?;
    }
    let tens = std::iter::successors(Some(1u32), |x| x.checked_mul(10));
    let most = panel.steps.last().copied().unwrap_or(0);
    for step in std::iter::once(0).chain(tens.take_while(|&step| step <= most)) {
        let x = column(step);
        stroke(area, &[(x, top), (x, bottom)], GREY, 0.25, (1, false))?;
        write(area, &step.to_string(), (x, bottom + 12), (14, BLACK), HPos::Center)?;
    }
    write(
        area,
        "updates",
        ((left + right) / 2, bottom + 30),
        (14, BLACK),
        HPos::Center,
    )?;
    write(area, picture.unit, (left, top - 12), (14, GREY), HPos::Left)?;
    let frame = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    stroke(area, &frame, BLACK, 1.0, (1, false))?;
    if let Some((value, name)) = panel.level {
        stroke(area, &[(left, row(value)), (right, row(value))], BLACK, 0.8, (1, false))?;
        write(area, name, (right + 4, row(value)), (14, BLACK), HPos::Left)?;
    }
    if let Some((step, name)) = panel.until {
        let x = column(step);
        stroke(area, &[(x, top), (x, bottom)], BLACK, 0.8, (1, false))?;
        let (at, side) = if x - left > (right - left) / 3 {
            (x - 4, HPos::Right)
        } else {
            (x + 4, HPos::Left)
        };
        write(area, name, (at, bottom - 10), (14, BLACK), side)?;
    }
    // What is infinite has no place.
    let finite = |curve: &&Curve| curve.mean.iter().all(|value| value.is_finite());
    for curve in panel.curves.iter().filter(finite) {
        let color = COLORS[curve.color % COLORS.len()];
        let points = |values: &[f64]| -> Vec<(i32, i32)> {
            panel
                .steps
                .iter()
                .zip(values)
                .map(|(&step, &v)| (column(step), row(v)))
                .collect()
        };
        for run in &curve.runs {
            stroke(area, &points(run), color, 0.35, (1, curve.dashed))?;
        }
        stroke(area, &points(&curve.mean), color, 1.0, (3, curve.dashed))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_legend_lies_beyond_the_edge() {
        let panel = || Panel {
            title: "N = 1".to_owned(),
            scale: Scale::Plain,
            steps: vec![0, 1],
            curves: Vec::new(),
            level: None,
            until: None,
        };
        for panels in [1, 2, 3] {
            let drawn = svg(&Picture {
                title: "a picture whose title is longer than a single panel of it is wide",
                legend: vec![("first", 0, false), ("second", 1, false), ("third", 2, true)],
                unit: "nats",
                panels: (0..panels).map(|_| panel()).collect(),
            })
            .expect("a picture");
            let number = |text: &str| text.split('"').next().and_then(|x| x.parse::<f64>().ok());
            let numbers = |name: &str| drawn.split(name).skip(1).filter_map(number).collect::<Vec<f64>>();
            let width = numbers(" width=\"")[0];
            let most = numbers(" x=\"").into_iter().fold(0.0, f64::max);
            assert!(most + 40.0 < width, "{panels} panels: text begins at {most} of {width}");
            assert!(width > 12.0 + 65.0 * 7.0, "the title ends before {width}");
            let below = numbers("<text x=\"").into_iter().filter(|x| *x == 62.0).count();
            assert_eq!(
                below,
                if panels == 1 { 3 } else { 2 },
                "names one below the other: {drawn}"
            );
        }
    }

    #[test]
    fn units_are_round_and_ranges_hold_their_values() {
        assert_eq!(
            [0.9, 1.0, 1.1, 3.0, 7.0, 0.03].map(unit),
            [1.0, 1.0, 2.0, 5.0, 10.0, 0.05]
        );
        let panel = |values: Vec<f64>, scale| Panel {
            title: String::new(),
            scale,
            steps: vec![0, 1],
            curves: vec![Curve {
                color: 0,
                dashed: false,
                runs: vec![values.clone()],
                mean: values,
            }],
            level: Some((2.3, "")),
            until: None,
        };
        let range = Range::of(&panel(vec![0.02, 7.4], Scale::Plain));
        assert_eq!((range.low, range.high, range.marks().len()), (0.0, 8.0, 5));
        assert_eq!((range.share(4.0), range.share(9.0)), (0.5, 1.0));
        let range = Range::of(&panel(vec![0.02, 740.0], Scale::Logarithmic));
        assert_eq!((range.low, range.high), (-2.0, 3.0));
        assert_eq!((range.share(0.0), range.share(2000.0)), (0.0, 1.0));
        assert_eq!(range.marks(), [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]);
    }
}
