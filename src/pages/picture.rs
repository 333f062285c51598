//! The data of a claim as a picture: one small panel for each column, over the first one.
//!
//! Everything is placed in whole units of the drawing, from logarithms by correctly rounded functions, and text is left to the reader's
//! fonts, so that the file is the same everywhere.

use crate::formula::set_in_drawing;
use enclosures::enclosure::plain;
use evidence::claim::{Cell, Column, Series};
use plotters::coord::Shift;
use plotters::prelude::{Circle, DrawingArea, IntoDrawingArea, PathElement, SVGBackend, Text, WHITE};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, TextStyle};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Size of a panel, and of the frame in it.
const PANEL: (i32, i32) = (300, 210);
const LEFT: i32 = 70;
const RIGHT: i32 = 285;
const TOP: i32 = 34;
const BOTTOM: i32 = 170;
/// Panels beside one another.
const ACROSS: usize = 3;
/// A range wider than this factor is shown by logarithms.
const WIDE: f64 = 50.0;

const BLACK: RGBColor = RGBColor(0, 0, 0);
const GREY: RGBColor = RGBColor(110, 110, 110);
const BLUE: RGBColor = RGBColor(31, 95, 160);

/// The picture as SVG; none for a table whose first column does not increase, or that has no other column of numbers.
pub(crate) fn svg(series: &Series) -> Option<String> {
    let columns: Vec<Option<Vec<f64>>> = (0..series.columns().len()).map(|at| numbers(series, at)).collect();
    let x = columns.first()?.as_ref()?;
    if x.len() < 3 || x.windows(2).any(|pair| pair[0] >= pair[1]) {
        return None;
    }
    let named = series.columns().iter().zip(&columns).skip(1);
    let panels: Vec<(&Column, &Vec<f64>)> = named.filter_map(|(name, y)| Some((name, y.as_ref()?))).collect();
    if panels.is_empty() {
        return None;
    }
    let across = panels.len().min(ACROSS);
    let down = panels.len().div_ceil(ACROSS);
    let size = (PANEL.0 as u32 * across as u32, PANEL.1 as u32 * down as u32);
    let mut text = String::new();
    let drawn = {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let mut each = panels.iter().enumerate();
        area.fill(&WHITE).ok()?;
        let done = each.all(|(at, (name, y))| {
            let corner = ((at % ACROSS) as i32 * PANEL.0, (at / ACROSS) as i32 * PANEL.1);
            panel(&area, corner, (&series.columns()[0], x), (name, y)).is_some()
        });
        done && area.present().is_ok()
    };
    drawn.then(|| set_in_drawing(&text))
}

/// A column of finite numbers.
fn numbers(series: &Series, at: usize) -> Option<Vec<f64>> {
    let number = |entry: &Cell| match entry {
        Cell::Number(x) => {
            let middle = 0.5 * x.lo() + 0.5 * x.hi();
            middle.is_finite().then_some(middle)
        }
        Cell::Count(n) => Some(*n as f64),
        Cell::Text(_) => None,
    };
    series.rows().iter().map(|row| number(row.get(at)?)).collect()
}

/// Where numbers lie between the ends of an axis.
struct Axis {
    least: f64,
    most: f64,
    logarithmic: bool,
}

impl Axis {
    fn of(values: &[f64]) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Axis { least, most, logarithmic: least > 0.0 && most / least > WIDE }
    }

    /// From 0 at the least to 1 at the most; a half where they are the same.
    fn share(&self, value: f64) -> f64 {
        let scaled = |x: f64| if self.logarithmic { core_math::log(x) } else { x };
        let (least, most) = (scaled(self.least), scaled(self.most));
        if most > least { ((scaled(value) - least) / (most - least)).clamp(0.0, 1.0) } else { 0.5 }
    }
}

fn panel(area: &Area<'_>, corner: (i32, i32), x: (&Column, &[f64]), y: (&Column, &[f64])) -> Option<()> {
    let at = |dx: i32, dy: i32| (corner.0 + dx, corner.1 + dy);
    let (across, up) = (Axis::of(x.1), Axis::of(y.1));
    let frame = [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM), (LEFT, TOP)];
    line(area, frame.map(|(dx, dy)| at(dx, dy)).to_vec(), GREY, 1)?;
    let place = |(x, y): (&f64, &f64)| {
        let dx = LEFT + 6 + (across.share(*x) * f64::from(RIGHT - LEFT - 12)).round() as i32;
        let dy = BOTTOM - 6 - (up.share(*y) * f64::from(BOTTOM - TOP - 12)).round() as i32;
        at(dx, dy)
    };
    let points: Vec<(i32, i32)> = x.1.iter().zip(y.1).map(place).collect();
    line(area, points.clone(), BLUE, 2)?;
    for point in points {
        area.draw(&Circle::new(point, 3, BLUE.filled())).ok()?;
    }
    let middle = (LEFT + RIGHT) / 2;
    write(area, &named(y.0, up.logarithmic), at(middle, TOP - 14), 15, HPos::Center)?;
    write(area, &named(x.0, across.logarithmic), at(middle, BOTTOM + 30), 14, HPos::Center)?;
    for (value, dy) in [(up.most, TOP + 6), (up.least, BOTTOM - 6)] {
        write(area, &plain(value, 3), at(LEFT - 5, dy), 13, HPos::Right)?;
    }
    for (value, dx) in [(across.least, LEFT + 6), (across.most, RIGHT - 6)] {
        write(area, &plain(value, 3), at(dx, BOTTOM + 13), 13, HPos::Center)?;
    }
    Some(())
}

fn named(column: &Column, logarithmic: bool) -> String {
    let unit = match column.unit.as_str() {
        "" => String::new(),
        unit => format!(", {unit}"),
    };
    let scale = if logarithmic { " (logarithmic)" } else { "" };
    format!("{}{unit}{scale}", column.name)
}

fn line(area: &Area<'_>, points: Vec<(i32, i32)>, color: RGBColor, width: u32) -> Option<()> {
    area.draw(&PathElement::new(points, color.stroke_width(width))).ok()
}

fn write(area: &Area<'_>, text: &str, at: (i32, i32), size: i32, side: HPos) -> Option<()> {
    let style = TextStyle::from(("sans-serif", size).into_font()).color(&BLACK).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(f64, f64)]) -> Series {
        let mut series = Series::of([("t", ""), ("L", "nats")]);
        rows.iter().for_each(|&(x, y)| series.push([x.into(), y.into()]));
        series
    }

    #[test]
    fn a_sweep_is_drawn_and_other_tables_are_not() {
        let drawn = svg(&table(&[(1.0, 2.0), (10.0, 1.0), (100.0, 0.5)])).expect("a picture");
        assert!(drawn.contains("L, nats") && drawn.contains("t (logarithmic)"), "{drawn}");
        assert_eq!(drawn.matches("<circle").count(), 3);
        assert_eq!(svg(&table(&[(1.0, 2.0), (1.0, 1.0), (2.0, 1.0)])), None, "not increasing");
        let mut words = Series::of([("case", ""), ("L", "")]);
        words.push(["a".into(), 1.0.into()]);
        assert_eq!(svg(&words), None);
    }
}
