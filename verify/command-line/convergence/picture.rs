//! The picture of a study: one panel per model and loss, both axes logarithmic.
//!
//! Everything is placed in whole units of the drawing from logarithms by correctly rounded functions, and text is left to
//! the reader's fonts, so that the file is the same everywhere.

use estimators::convergence::{METHODS, StudyPanel};
use pages::formula::set_in_drawing;
use plotters::prelude::{DrawingArea, IntoDrawingArea, PathElement, SVGBackend, Text, WHITE};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontTransform, IntoFont, RGBColor, TextStyle};

use self::axes::{Axes, powers};
use self::marks::{Mark, marker};
use super::{at_most, short};

mod axes;
mod marks;

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Drawn = Result<(), String>;

const WIDTH: i32 = 330;
const HEIGHT: i32 = 290;
const LEFT: i32 = 74;
const TOP: i32 = 84;
const BOTTOM: i32 = 44;
const BLACK: RGBColor = RGBColor(0, 0, 0);
const GREY: RGBColor = RGBColor(110, 110, 110);

/// The picture as SVG.
pub fn svg(title: &str, panels: &[&StudyPanel]) -> Result<String, String> {
    let mut rows: Vec<Vec<&StudyPanel>> = Vec::new();
    for &panel in panels {
        match rows.last_mut() {
            Some(row) if row.first().is_some_and(|p| p.subject == panel.subject) => row.push(panel),
            _ => rows.push(vec![panel]),
        }
    }
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(2) as i32;
    let size = (LEFT + columns * WIDTH + 10, TOP + rows.len() as i32 * HEIGHT + BOTTOM);
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (size.0 as u32, size.1 as u32)).into_drawing_area();
        area.fill(&WHITE).map_err(|e| e.to_string())?;
        legend(&area, title, panels)?;
        for (i, row) in rows.iter().enumerate() {
            for (j, panel) in row.iter().enumerate() {
                let corner = (LEFT + j as i32 * WIDTH, TOP + i as i32 * HEIGHT);
                draw_panel(&area, panel, &Axes::of(row, corner, (WIDTH - 62, HEIGHT - 66)), j == 0)?;
            }
        }
        let middle = (LEFT + columns * WIDTH / 2 - 30, size.1 - 14);
        write(
            &area,
            "work after set-up: inner products + draws + exponentials and logarithms",
            middle,
            19,
            BLACK,
            HPos::Center,
        )?;
        area.present().map_err(|e| e.to_string())?;
    }
    Ok(set_in_drawing(&text))
}

fn write(area: &Area<'_>, text: &str, at: (i32, i32), size: i32, color: RGBColor, side: HPos) -> Drawn {
    let style = TextStyle::from(("sans-serif", size).into_font()).color(&color).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style)).map_err(|e| e.to_string())
}

fn line(area: &Area<'_>, points: Vec<(i32, i32)>, color: RGBColor, opacity: f64, width: u32) -> Drawn {
    let style = color.mix(opacity).stroke_width(width);
    area.draw(&PathElement::new(points, style)).map_err(|e| e.to_string())
}

/// The estimators that occur, the guide and the exact loss.
fn legend(area: &Area<'_>, title: &str, panels: &[&StudyPanel]) -> Drawn {
    write(area, title, (LEFT, 18), 24, BLACK, HPos::Left)?;
    let mut x = LEFT + 12;
    for (index, method) in METHODS.iter().enumerate() {
        if !panels.iter().flat_map(|panel| &panel.curves).any(|c| c.method.name == method.name) {
            continue;
        }
        let mark = Mark::of(index);
        line(area, vec![(x - 14, 48), (x + 14, 48)], mark.color, 1.0, 2)?;
        marker(area, (x, 48), mark)?;
        write(area, method.name, (x + 20, 48), 19, BLACK, HPos::Left)?;
        x += 50 + 8 * method.name.len() as i32;
    }
    marker(area, (x, 48), Mark::exact())?;
    write(area, "exact", (x + 14, 48), 19, BLACK, HPos::Left)?;
    x += 80;
    dashed(area, (x - 14, 44), (x + 14, 52))?;
    write(area, "slope −1/2", (x + 20, 48), 19, BLACK, HPos::Left)
}

/// A dashed straight line.
fn dashed(area: &Area<'_>, from: (i32, i32), to: (i32, i32)) -> Drawn {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let dashes = (dx.abs().max(dy.abs()) / 10).max(1);
    for k in 0..dashes {
        let at = |tenths: i32| {
            (from.0 + dx * (10 * k + tenths) / (10 * dashes), from.1 + dy * (10 * k + tenths) / (10 * dashes))
        };
        line(area, vec![at(0), at(6)], GREY, 1.0, 1)?;
    }
    Ok(())
}

fn draw_panel(area: &Area<'_>, panel: &StudyPanel, axes: &Axes, first: bool) -> Drawn {
    let (left, right, top, bottom) = axes.edges();
    let title = format!("{}, {}", panel.subject, panel.loss.title());
    write(area, &title, ((left + right) / 2, top - 13), 19, BLACK, HPos::Center)?;
    for (power, x) in axes.columns() {
        line(area, vec![(x, top), (x, bottom)], GREY, 0.2, 1)?;
        write(area, &powers(power), (x, bottom + 13), 16, BLACK, HPos::Center)?;
    }
    for (power, y) in axes.rows() {
        line(area, vec![(left, y), (right, y)], GREY, 0.2, 1)?;
        write(area, &powers(power), (left - 6, y), 16, BLACK, HPos::Right)?;
    }
    line(area, vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], BLACK, 1.0, 1)?;
    if first {
        let style = TextStyle::from(("sans-serif", 19).into_font()).color(&BLACK);
        let style = style.transform(FontTransform::Rotate270).pos(Pos::new(HPos::Center, VPos::Center));
        let at = (left - 56, (top + bottom) / 2);
        area.draw(&Text::new("error (rms, nats)", at, style)).map_err(|e| e.to_string())?;
    }
    if let Some((from, to)) = axes.guide(panel) {
        dashed(area, from, to)?;
    }
    let mut set_up = Vec::new();
    for curve in &panel.curves {
        let index = METHODS.iter().position(|m| m.name == curve.method.name).unwrap_or(0);
        let mark = Mark::of(index);
        let work = |level: usize| curve.levels.get(level).map_or(1.0, |l| l.work.total() as f64);
        let points: Vec<(i32, i32)> =
            curve.levels.iter().enumerate().map(|(i, level)| axes.at(work(i), level.rms)).collect();
        for (i, level) in curve.levels.iter().enumerate() {
            let (low, high) = level.rms_interval;
            let (below, above) = (axes.at(work(i), low), axes.at(work(i), high));
            line(area, vec![below, above], mark.color, 1.0, 1)?;
            for (x, y) in [below, above] {
                line(area, vec![(x - 3, y), (x + 3, y)], mark.color, 1.0, 1)?;
            }
        }
        line(area, points.clone(), mark.color, 1.0, 2)?;
        points.into_iter().try_for_each(|at| marker(area, at, mark))?;
        if curve.set_up.total() > 0 {
            set_up.push((curve.method.name, curve.set_up.total()));
        }
    }
    if let Some(&(_, work)) = set_up.first() {
        let names: Vec<&str> = set_up.iter().map(|s| s.0).collect();
        let note = format!("set-up of {}: {}", names.join(", "), short(work as f64));
        write(area, &note, (right - 6, top + 12), 14, GREY, HPos::Right)?;
    }
    let exact = axes.at(panel.exact_work.total() as f64, 0.0);
    marker(area, exact, Mark::exact())?;
    let note = format!("exact ↓ {}", at_most(0.5 * panel.truth.width()));
    let (at, side) = if exact.0 < (left + right) / 2 {
        ((exact.0 + 10, exact.1 - 11), HPos::Left)
    } else {
        ((exact.0 - 10, exact.1 - 11), HPos::Right)
    };
    write(area, &note, at, 14, BLACK, side)
}
