//! A picture of curves over one axis, as SVG that stands in a page and takes its colours from the page's style.
//!
//! Everything is placed in whole units, and text is left to the reader's fonts, so that the picture is the same everywhere. The
//! colours here are names for the style: `style.css` says what each is by day and by night.

use maud::{Markup, PreEscaped, html};
use plotters::coord::Shift;
use plotters::prelude::{Circle, DrawingArea, IntoDrawingArea, PathElement, SVGBackend, Text};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, IntoFont, RGBColor, TextStyle};

use crate::axis::Axis;
use crate::mathml;

type Canvas<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const SIZE: (u32, u32) = (440, 228);
const LEFT: i32 = 66;
const RIGHT: i32 = 428;
const TOP: i32 = 12;
const BOTTOM: i32 = 204;
/// Room between the frame and the outermost points.
const ROOM: i32 = 6;

const INK: RGBColor = RGBColor(0, 0, 0);
const GREY: RGBColor = RGBColor(110, 110, 110);
/// The colours of Okabe and Ito (2008), without their yellow; as many as there are classes `c0`, `c1`, … in the style.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Curves over one axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plot {
    /// What is shown.
    pub title: String,
    /// The name of the axis below.
    pub below: String,
    /// Each curve: its name, and its points from left to right.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
}

impl Plot {
    /// The picture with its title and the names of its curves; nothing where no curve has a point.
    pub(crate) fn markup(&self) -> Option<Markup> {
        let (svg, below) = self.svg()?;
        let names: Vec<&str> = self.curves.iter().map(|(name, _)| name.as_str()).collect();
        let words = format!("{}: {} against {}", self.title, names.join(", "), self.below);
        // The drawing library writes one opening tag, at the beginning.
        let described = html! { svg role="img" aria-label=(words) {} }.into_string();
        let described = described.trim_end_matches("></svg>");
        let svg = svg.replacen("<svg", described, 1);
        Some(html! {
            figure.plot {
                figcaption { (mathml::text(&self.title)) }
                (PreEscaped(svg))
                p.below { (mathml::text(&below)) }
                @if self.curves.len() > 1 {
                    ul.legend {
                        @for (at, name) in names.iter().enumerate() {
                            li { span class=(format!("key c{}", at % COLOURS.len())) {} (mathml::text(name)) }
                        }
                    }
                }
            }
        })
    }

    /// The curves in their frame, and the name of the axis below.
    fn svg(&self) -> Option<(String, String)> {
        let points = || self.curves.iter().flat_map(|(_, points)| points);
        let across = Axis::of(points().map(|p| p.0))?;
        let up = Axis::of(points().map(|p| p.1))?;
        let right = |x: f64| LEFT + ROOM + (across.share(x) * f64::from(RIGHT - LEFT - 2 * ROOM)).round() as i32;
        let above = |y: f64| BOTTOM - ROOM - (up.share(y) * f64::from(BOTTOM - TOP - 2 * ROOM)).round() as i32;
        let mut text = String::new();
        {
            let canvas = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
            for (x, number) in across.ticks() {
                stroke(&canvas, &[(right(x), BOTTOM), (right(x), TOP)], GREY.mix(0.25), 1)?;
                write(&canvas, &number, (right(x), BOTTOM + 13), HPos::Center)?;
            }
            for (y, number) in up.ticks() {
                stroke(&canvas, &[(LEFT, above(y)), (RIGHT, above(y))], GREY.mix(0.25), 1)?;
                write(&canvas, &number, (LEFT - 6, above(y)), HPos::Right)?;
            }
            let frame = [(LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM), (LEFT, TOP)];
            stroke(&canvas, &frame, GREY.mix(1.0), 1)?;
            for (at, (_, points)) in self.curves.iter().enumerate() {
                let colour = COLOURS[at % COLOURS.len()];
                let placed: Vec<(i32, i32)> = points.iter().map(|&(x, y)| (right(x), above(y))).collect();
                stroke(&canvas, &placed, colour.mix(1.0), 2)?;
                for point in placed {
                    canvas.draw(&Circle::new(point, 3, colour.filled())).ok()?;
                }
            }
            canvas.present().ok()?;
        }
        Some((text, format!("{}{}", self.below, across.remark())))
    }
}

fn stroke(canvas: &Canvas<'_>, points: &[(i32, i32)], colour: plotters::style::RGBAColor, width: u32) -> Option<()> {
    let line = PathElement::new(points.to_vec(), colour.stroke_width(width));
    canvas.draw(&line).ok()
}

fn write(canvas: &Canvas<'_>, text: &str, at: (i32, i32), side: HPos) -> Option<()> {
    let style = TextStyle::from(("sans-serif", 16).into_font()).color(&INK).pos(Pos::new(side, VPos::Center));
    canvas.draw(&Text::new(text.to_owned(), at, style)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_names_its_curves_and_escapes_them() {
        let plot = Plot {
            title: "a < b".to_owned(),
            below: "τ_1".to_owned(),
            curves: vec![
                ("\"one\"".to_owned(), vec![(0.0, 1.0), (1.0, 2.0)]),
                ("two".to_owned(), vec![(0.0, 2.0), (1.0, 1.5)]),
            ],
        };
        let text = plot.markup().expect("a picture").into_string();
        assert!(
            text.contains("<svg role=\"img\" aria-label=\"a &lt; b: &quot;one&quot;, two against τ_1\" "),
            "{text}"
        );
        assert!(text.contains("<p class=\"below\"><math>"), "{text}");
        assert_eq!(text.matches("<circle").count(), 4);
        assert_eq!(text.matches("class=\"key c").count(), 2);
        let empty = Plot { curves: Vec::new(), ..plot };
        assert!(empty.markup().is_none());
    }
}
