//! A panel with curves: logarithmic updates to the right, or names with a mark above each; values upwards on a plain or a logarithmic scale.
//!
//! Everything is placed in whole units of the drawing by correctly rounded functions, and text is left to the reader's fonts, so
//! that the file is the same everywhere.

use enclosures::enclosure::plain;
use pages::formula::set_in_drawing;
use plotters::prelude::{Circle, DrawingArea, IntoDrawingArea, PathElement, Polygon, SVGBackend, Text, WHITE};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, TextStyle};

type Canvas<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

const WIDTH: i32 = 400;
const HEIGHT: i32 = 300;
const LEFT: i32 = 64;
const TOP: i32 = 70;
/// Width of a letter of a title in a wide font, DejaVu Sans, on average.
const LETTER: i32 = 9;
/// Length of a dash, and about that of the gap after it.
const DASH: f64 = 8.0;
const GAP: f64 = 5.0;
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
pub enum AxisScale {
    /// From zero upwards.
    Plain,
    /// By their logarithms; what is not positive lies on the lower edge.
    Logarithmic,
    /// From one whole number to another.
    Between(i32, i32),
}

/// What runs to the right.
pub enum Across {
    /// Updates, on the scale log(1 + t), with lines between the values.
    Updates(Vec<u32>),
    /// Names in two lines, evenly spaced, with marks above them; and what the two lines are.
    Names(Vec<[String; 2]>, [&'static str; 2]),
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
    /// Above names: half of the interval around each average; none if they have none, and then the values stand beside their marks.
    pub half: Vec<f64>,
}

/// One system of axes.
pub struct Panel {
    pub title: String,
    pub scale: AxisScale,
    /// Where the curves have their values.
    pub across: Across,
    /// What the values are.
    pub unit: &'static str,
    pub curves: Vec<Curve>,
    /// A level to compare with, and its name.
    pub level: Option<(f64, &'static str)>,
    /// A number of updates up to which something holds, and what.
    pub until: Option<(u32, &'static str)>,
}

/// Panels, and what the colours mean.
pub struct Picture {
    pub title: &'static str,
    /// Names of the colours; whether the line is dashed.
    pub legend: Vec<(&'static str, usize, bool)>,
    /// Panels in a row, at most.
    pub columns: i32,
    pub panels: Vec<Panel>,
}

/// The picture as SVG.
///
/// # Errors
/// What the drawing library says.
pub fn svg(picture: &Picture) -> Result<String, String> {
    let columns = (picture.panels.len() as i32).clamp(1, picture.columns.max(1));
    let rows = (picture.panels.len() as i32 + columns - 1) / columns;
    // As many names in a line as there are panels in a row: beside a single one there is no room for a second.
    let lines = picture.legend.len().div_ceil(columns as usize) as i32;
    let top = TOP + 22 * lines;
    // A title may be wider than a single panel.
    let title = 20 + picture.title.chars().count() as i32 * LETTER;
    let size = ((LEFT + columns * WIDTH).max(title), top + rows * HEIGHT + 8);
    let marked = picture.panels.iter().all(|panel| matches!(panel.across, Across::Names(..)));
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (size.0 as u32, size.1 as u32)).into_drawing_area();
        area.fill(&WHITE).map_err(|e| e.to_string())?;
        write(&area, picture.title, (12, 20), (20, BLACK), HPos::Left)?;
        for (index, (name, color, dashed)) in picture.legend.iter().enumerate() {
            let index = index as i32;
            let (x, y) = (20 + (index % columns) * WIDTH, 48 + 22 * (index / columns));
            let color = COLORS[color % COLORS.len()];
            if marked {
                symbol(&area, (x + 17, y), (color, *dashed))?;
            } else {
                stroke(&area, &[(x, y), (x + 34, y)], color, 1.0, (3, *dashed))?;
            }
            write(&area, name, (x + 42, y), (16, BLACK), HPos::Left)?;
        }
        for (index, panel) in picture.panels.iter().enumerate() {
            let corner = (LEFT + (index as i32 % columns) * WIDTH, top + (index as i32 / columns) * HEIGHT);
            draw(&area, panel, corner)?;
        }
        area.present().map_err(|e| e.to_string())?;
    }
    Ok(set_in_drawing(&text))
}

fn write(
    area: &Canvas<'_>,
    text: &str,
    at: (i32, i32),
    (size, color): (i32, RGBColor),
    side: HPos,
) -> Result<(), String> {
    let style = TextStyle::from(("sans-serif", size).into_font()).color(&color).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style)).map_err(|e| e.to_string())
}

/// A line through some points.
fn stroke(
    area: &Canvas<'_>,
    points: &[(i32, i32)],
    color: RGBColor,
    opacity: f64,
    (width, dashed): (u32, bool),
) -> Result<(), String> {
    let style = color.mix(opacity).stroke_width(width);
    let pieces = if dashed { dashes(points) } else { vec![points.to_vec()] };
    pieces.into_iter().try_for_each(|piece| area.draw(&PathElement::new(piece, style)).map_err(|e| e.to_string()))
}

/// Dashes of one length along all of a line, around its corners, the first at its beginning and the last at its end.
fn dashes(points: &[(i32, i32)]) -> Vec<Vec<(i32, i32)>> {
    let mut along = 0.0;
    // The corners, and how far along the line each of them is.
    let mut corners: Vec<(f64, (i32, i32))> = Vec::new();
    for &point in points {
        if let Some(&(_, (x, y))) = corners.last() {
            let (dx, dy) = (f64::from(point.0 - x), f64::from(point.1 - y));
            along += (dx * dx + dy * dy).sqrt();
        }
        corners.push((along, point));
    }
    let count = ((along + GAP) / (DASH + GAP)).round();
    if count < 2.0 {
        return vec![points.to_vec()];
    }
    let period = (along - DASH) / (count - 1.0);
    let at = |distance: f64| {
        let next = corners.partition_point(|corner| corner.0 < distance).clamp(1, corners.len() - 1);
        let ((before, from), (after, to)) = (corners[next - 1], corners[next]);
        let share = if after > before { ((distance - before) / (after - before)).min(1.0) } else { 1.0 };
        let between = |a: i32, b: i32| a + (f64::from(b - a) * share).round() as i32;
        (between(from.0, to.0), between(from.1, to.1))
    };
    let dash = |k: i32| {
        let begin = f64::from(k) * period;
        let within = corners.iter().filter(|corner| begin < corner.0 && corner.0 < begin + DASH);
        let mut piece = vec![at(begin)];
        piece.extend(within.map(|corner| corner.1));
        piece.push(at(begin + DASH));
        piece
    };
    (0..count as i32).map(dash).collect()
}

/// The values at the ends of the axis and at its marks.
struct AxisRange {
    scale: AxisScale,
    low: f64,
    high: f64,
}

impl AxisRange {
    fn of(panel: &Panel) -> Self {
        let scale = panel.scale;
        let values = panel.curves.iter().flat_map(|c| c.runs.iter().flatten().chain(&c.mean));
        let values = values.copied().chain(panel.level.map(|l| l.0)).filter(|v| v.is_finite());
        match scale {
            AxisScale::Plain => {
                let most = values.fold(0.0, f64::max);
                let step = unit(most / 4.0);
                let high = ((most / step).ceil() * step).max(step);
                AxisRange { scale, low: 0.0, high }
            }
            AxisScale::Between(low, high) => AxisRange { scale, low: low.into(), high: high.into() },
            AxisScale::Logarithmic => {
                let logs = values.filter(|v| *v > 0.0).map(core_log10);
                let (low, high) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
                let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
                AxisRange { scale, low: low.floor(), high: high.ceil().max(low.floor() + 1.0) }
            }
        }
    }

    /// Where a value lies, 0 at the lower end and 1 at the upper.
    fn share(&self, value: f64) -> f64 {
        let at = match self.scale {
            AxisScale::Plain | AxisScale::Between(..) => value,
            AxisScale::Logarithmic if value > 0.0 => core_log10(value),
            AxisScale::Logarithmic => self.low,
        };
        ((at - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Values with a line across and a label.
    fn marks(&self) -> Vec<f64> {
        match self.scale {
            AxisScale::Plain | AxisScale::Between(..) => {
                let step = unit((self.high - self.low) / 4.0);
                let count = ((self.high - self.low) / step).round() as i32;
                (0..=count).map(|k| self.low + f64::from(k) * step).collect()
            }
            AxisScale::Logarithmic => {
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
    [1.0, 2.0, 5.0].map(|m| m * decade).into_iter().find(|u| *u >= x).unwrap_or(10.0 * decade)
}

fn core_log10(x: f64) -> f64 {
    enclosures::interval::Interval::point(x).ln().midpoint() / core::f64::consts::LN_10
}

/// Where things lie in one panel.
struct Place {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
    range: AxisRange,
}

impl Place {
    fn of(panel: &Panel, (left, upper): (i32, i32)) -> Self {
        Place {
            left,
            right: left + WIDTH - 74,
            top: upper + 24,
            bottom: upper + HEIGHT - 44,
            range: AxisRange::of(panel),
        }
    }

    fn row(&self, value: f64) -> i32 {
        self.bottom - (self.range.share(value) * f64::from(self.bottom - self.top)).round() as i32
    }

    /// Of a moment, when the last one is at the right edge.
    fn moment(&self, step: u32, last: u32) -> i32 {
        let share = core_log10(f64::from(step) + 1.0) / core_log10(f64::from(last.max(1)) + 1.0);
        self.left + (share * f64::from(self.right - self.left)).round() as i32
    }

    /// Of one of so many names.
    fn name(&self, index: usize, count: usize) -> i32 {
        self.left + (2 * index as i32 + 1) * (self.right - self.left) / (2 * count as i32)
    }
}

fn draw(area: &Canvas<'_>, panel: &Panel, corner: (i32, i32)) -> Result<(), String> {
    let place = Place::of(panel, corner);
    let Place { left, right, top, bottom, .. } = place;
    write(area, &panel.title, ((left + right) / 2, top - 12), (17, BLACK), HPos::Center)?;
    for value in place.range.marks() {
        let y = place.row(value);
        stroke(area, &[(left, y), (right, y)], GREY, 0.25, (1, false))?;
        write(area, &plain(value, 3), (left - 6, y), (14, BLACK), HPos::Right)?;
    }
    write(area, panel.unit, (left, top - 12), (14, GREY), HPos::Left)?;
    match &panel.across {
        Across::Updates(steps) => draw_moments(area, &place, steps)?,
        Across::Names(names, meaning) => draw_names(area, &place, names, meaning)?,
    }
    let frame = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
    stroke(area, &frame, BLACK, 1.0, (1, false))?;
    if let Some((value, name)) = panel.level {
        let y = place.row(value);
        stroke(area, &[(left, y), (right, y)], BLACK, 0.8, (1, false))?;
        write(area, name, (right + 4, y), (14, BLACK), HPos::Left)?;
    }
    if let (Some((step, name)), Across::Updates(steps)) = (panel.until, &panel.across) {
        let x = place.moment(step, steps.last().copied().unwrap_or(1));
        stroke(area, &[(x, top), (x, bottom)], BLACK, 0.8, (1, false))?;
        let (at, side) = if x - left > (right - left) / 3 { (x - 4, HPos::Right) } else { (x + 4, HPos::Left) };
        write(area, name, (at, bottom - 10), (14, BLACK), side)?;
    }
    // What is infinite has no place.
    let finite = |curve: &&Curve| curve.mean.iter().all(|value| value.is_finite());
    for (index, curve) in panel.curves.iter().filter(finite).enumerate() {
        let color = COLORS[curve.color % COLORS.len()];
        match &panel.across {
            Across::Updates(steps) => {
                let last = steps.last().copied().unwrap_or(1);
                let points = |values: &[f64]| -> Vec<(i32, i32)> {
                    let of = |(&step, &value): (&u32, &f64)| (place.moment(step, last), place.row(value));
                    steps.iter().zip(values).map(of).collect()
                };
                for run in &curve.runs {
                    stroke(area, &points(run), color, 0.35, (1, curve.dashed))?;
                }
                stroke(area, &points(&curve.mean), color, 1.0, (3, curve.dashed))?;
            }
            Across::Names(names, _) => {
                let aside = 12 * index as i32 - 6 * (panel.curves.len() as i32 - 1);
                for (at, &value) in curve.mean.iter().enumerate() {
                    let x = place.name(at, names.len()) + aside;
                    mark(area, &place, (x, value, curve.half.get(at).copied()), (color, curve.dashed))?;
                }
            }
        }
    }
    Ok(())
}

/// Powers of ten, and the last moment.
fn draw_moments(area: &Canvas<'_>, place: &Place, steps: &[u32]) -> Result<(), String> {
    // Room for a number of four digits.
    const APART: i32 = 36;
    let most = steps.last().copied().unwrap_or(0);
    let tens = std::iter::successors(Some(1u32), |x| x.checked_mul(10));
    let before = std::iter::once(0).chain(tens).take_while(|&step| step < most);
    let column = |step: u32| place.moment(step, most);
    let marks = before.filter(|&step| column(step) + APART <= column(most)).chain([most]);
    for step in marks {
        let x = column(step);
        stroke(area, &[(x, place.top), (x, place.bottom)], GREY, 0.25, (1, false))?;
        write(area, &step.to_string(), (x, place.bottom + 12), (14, BLACK), HPos::Center)?;
    }
    let middle = ((place.left + place.right) / 2, place.bottom + 30);
    write(area, "updates", middle, (14, BLACK), HPos::Center)
}

fn draw_names(
    area: &Canvas<'_>,
    place: &Place,
    names: &[[String; 2]],
    meaning: &[&'static str; 2],
) -> Result<(), String> {
    for (line, below) in [(0, 12), (1, 30)] {
        let at = |x| (x, place.bottom + below);
        write(area, meaning[line], at(place.left - 6), (14, GREY), HPos::Right)?;
        for (index, name) in names.iter().enumerate() {
            let x = place.name(index, names.len());
            write(area, &name[line], at(x), (14, BLACK), HPos::Center)?;
        }
    }
    Ok(())
}

/// A value with its interval, or with its digits: round, or a diamond where a curve would be dashed.
fn mark(
    area: &Canvas<'_>,
    place: &Place,
    (x, value, half): (i32, f64, Option<f64>),
    (color, diamond): (RGBColor, bool),
) -> Result<(), String> {
    let y = place.row(value);
    match half {
        Some(half) => {
            let (low, high) = (place.row(value - half), place.row(value + half));
            stroke(area, &[(x, low), (x, high)], color, 1.0, (2, false))?;
            for end in [low, high] {
                stroke(area, &[(x - 3, end), (x + 3, end)], color, 1.0, (2, false))?;
            }
        }
        None => write(area, &plain(value, 2), (x, y - 12), (14, BLACK), HPos::Center)?,
    }
    symbol(area, (x, y), (color, diamond))
}

fn symbol(area: &Canvas<'_>, (x, y): (i32, i32), (color, diamond): (RGBColor, bool)) -> Result<(), String> {
    let filled = color.filled();
    if diamond {
        let corners = vec![(x - 5, y), (x, y - 5), (x + 5, y), (x, y + 5)];
        area.draw(&Polygon::new(corners, filled)).map_err(|e| e.to_string())
    } else {
        area.draw(&Circle::new((x, y), 4, filled)).map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_legend_lies_beyond_the_edge() {
        let panel = || Panel {
            title: "N = 1".to_owned(),
            scale: AxisScale::Plain,
            across: Across::Updates(vec![0, 1]),
            unit: "nats",
            curves: Vec::new(),
            level: None,
            until: None,
        };
        for panels in [1, 2, 3] {
            let drawn = svg(&Picture {
                title: "a picture whose title is longer than a single panel of it is wide",
                legend: vec![("first", 0, false), ("second", 1, false), ("third", 2, true)],
                columns: 2,
                panels: (0..panels).map(|_| panel()).collect(),
            })
            .expect("a picture");
            let number = |text: &str| text.split('"').next().and_then(|x| x.parse::<f64>().ok());
            let numbers = |name: &str| drawn.split(name).skip(1).filter_map(number).collect::<Vec<f64>>();
            let width = numbers(" width=\"")[0];
            let most = numbers(" x=\"").into_iter().fold(0.0, f64::max);
            assert!(most + 40.0 < width, "{panels} panels: text begins at {most} of {width}");
            assert!(width > 12.0 + 65.0 * 9.0, "the title ends before {width}");
            let below = numbers("<text x=\"").into_iter().filter(|x| *x == 62.0).count();
            assert_eq!(below, if panels == 1 { 3 } else { 2 }, "names one below the other: {drawn}");
        }
    }

    #[test]
    fn units_are_round_and_ranges_hold_their_values() {
        assert_eq!([0.9, 1.0, 1.1, 3.0, 7.0, 0.03].map(unit), [1.0, 1.0, 2.0, 5.0, 10.0, 0.05]);
        let panel = |values: Vec<f64>, scale| Panel {
            title: String::new(),
            scale,
            across: Across::Updates(vec![0, 1]),
            unit: "",
            curves: vec![Curve { color: 0, dashed: false, runs: vec![values.clone()], mean: values, half: Vec::new() }],
            level: Some((2.3, "")),
            until: None,
        };
        let range = AxisRange::of(&panel(vec![0.02, 7.4], AxisScale::Plain));
        assert_eq!((range.low, range.high, range.marks().len()), (0.0, 8.0, 5));
        assert_eq!((range.share(4.0), range.share(9.0)), (0.5, 1.0));
        let range = AxisRange::of(&panel(vec![0.02, 740.0], AxisScale::Logarithmic));
        assert_eq!((range.low, range.high), (-2.0, 3.0));
        assert_eq!((range.share(0.0), range.share(2000.0)), (0.0, 1.0));
        assert_eq!(range.marks(), [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]);
    }
    #[test]
    fn dashes_are_of_one_length_and_reach_the_end() {
        let lines: [&[(i32, i32)]; 4] = [
            &[(0, 0), (100, 0)],
            &[(0, 0), (3, 4), (3, 4), (6, 0), (300, 7)],
            &[(5, 5), (8, 9), (5, 5), (80, 90)],
            &[(20, 48), (54, 48)],
        ];
        for line in lines {
            let pieces = dashes(line);
            assert_eq!(pieces.first().and_then(|piece| piece.first()), line.first());
            assert_eq!(pieces.last().and_then(|piece| piece.last()), line.last());
            assert!(pieces.len() > 2, "{pieces:?}");
            for piece in &pieces {
                let steps = piece.windows(2).map(|two| {
                    let (x, y) = (f64::from(two[1].0 - two[0].0), f64::from(two[1].1 - two[0].1));
                    (x * x + y * y).sqrt()
                });
                let length: f64 = steps.sum();
                assert!((length - DASH).abs() < 1.5, "{length} in {pieces:?}");
            }
        }
        assert_eq!(dashes(&[(0, 0), (9, 0)]), [[(0, 0), (9, 0)]], "too short for two");
    }

    #[test]
    fn the_last_moment_has_its_number() {
        let numbered = |last: u32| {
            let panel = Panel {
                title: String::new(),
                scale: AxisScale::Plain,
                across: Across::Updates(vec![0, last]),
                unit: "",
                curves: Vec::new(),
                level: None,
                until: None,
            };
            let picture = Picture { title: "", legend: Vec::new(), columns: 2, panels: vec![panel] };
            svg(&picture).expect("a picture")
        };
        let shows = |drawn: &str, number: &str| drawn.lines().any(|line| line == number);
        let drawn = numbered(500);
        assert!(shows(&drawn, "500") && shows(&drawn, "100"));
        // Ten would lie beneath eleven.
        let drawn = numbered(11);
        assert!(shows(&drawn, "11") && !shows(&drawn, "10") && shows(&drawn, "1"));
    }

    #[test]
    fn marks_above_names_have_intervals_or_digits() {
        let curve = |dashed, half| Curve { color: 0, dashed, runs: Vec::new(), mean: vec![60.0, 320.0], half };
        let panel = Panel {
            title: String::new(),
            scale: AxisScale::Between(40, 400),
            across: Across::Names(vec![["a".into(), String::new()], ["b".into(), String::new()]], ["", ""]),
            unit: "",
            curves: vec![curve(false, vec![5.0, 6.0]), curve(true, Vec::new())],
            level: None,
            until: None,
        };
        let drawn =
            svg(&Picture { title: "", legend: Vec::new(), columns: 2, panels: vec![panel] }).expect("a picture");
        assert_eq!((drawn.matches("<circle").count(), drawn.matches("<polygon").count()), (2, 2));
        assert!(drawn.lines().any(|line| line == "320"), "{drawn}");
    }
}
