//! Colours and shapes that stay apart for colour-blind readers and in grey.

use plotters::prelude::{Circle, Polygon};
use plotters::style::{Color, RGBColor, WHITE};

use super::{Area, Drawn, line};

/// The colours of Okabe and Ito (2008), without their yellow, which is too light for lines on white.
const COLORS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(230, 159, 0),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Disc,
    Ring,
    Up,
    Square,
    Down,
    Cross,
    Bar,
    Kite,
}

const SHAPES: [Shape; 7] = [Shape::Disc, Shape::Ring, Shape::Up, Shape::Square, Shape::Down, Shape::Cross, Shape::Bar];

/// How an estimator is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    pub color: RGBColor,
    shape: Shape,
}

impl Mark {
    /// By its place in the list of estimators. Six colours and seven shapes repeat together after forty-two.
    pub fn of(index: usize) -> Mark {
        Mark {
            color: COLORS.get(index % COLORS.len()).copied().unwrap_or(super::BLACK),
            shape: SHAPES.get(index % SHAPES.len()).copied().unwrap_or(Shape::Disc),
        }
    }

    /// The exact loss.
    pub fn exact() -> Mark {
        Mark { color: super::BLACK, shape: Shape::Kite }
    }
}

/// Draws a marker.
pub fn marker(area: &Area<'_>, (x, y): (i32, i32), mark: Mark) -> Drawn {
    let fill = mark.color.filled();
    let corners = match mark.shape {
        Shape::Disc => return area.draw(&Circle::new((x, y), 3, fill)).map_err(|e| e.to_string()),
        Shape::Ring => {
            area.draw(&Circle::new((x, y), 4, WHITE.filled())).map_err(|e| e.to_string())?;
            return area.draw(&Circle::new((x, y), 4, mark.color.stroke_width(2))).map_err(|e| e.to_string());
        }
        Shape::Up => vec![(x - 4, y + 3), (x + 4, y + 3), (x, y - 5)],
        Shape::Down => vec![(x - 4, y - 3), (x + 4, y - 3), (x, y + 5)],
        Shape::Square => vec![(x - 3, y - 3), (x + 3, y - 3), (x + 3, y + 3), (x - 3, y + 3)],
        Shape::Bar => vec![(x - 5, y - 2), (x + 5, y - 2), (x + 5, y + 2), (x - 5, y + 2)],
        Shape::Cross => {
            line(area, vec![(x - 4, y - 4), (x + 4, y + 4)], mark.color, 1.0, 2)?;
            return line(area, vec![(x - 4, y + 4), (x + 4, y - 4)], mark.color, 1.0, 2);
        }
        Shape::Kite => vec![(x - 6, y), (x, y - 8), (x + 6, y), (x, y + 8)],
    };
    area.draw(&Polygon::new(corners, fill)).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_estimators_look_different() {
        let marks: Vec<Mark> = (0..42).map(Mark::of).collect();
        for (i, a) in marks.iter().enumerate() {
            assert!(marks.iter().skip(i + 1).all(|b| a != b), "{i}");
            assert_ne!(*a, Mark::exact());
        }
    }
}
