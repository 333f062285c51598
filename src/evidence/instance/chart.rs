//! A chart: all instances of one shape, by their coordinates.

use std::fmt;

use super::Instance;
use super::form::Form;
use super::layout::Layout;

/// The instances of one shape (the same list lengths, the same variants) as points with coordinates.
///
/// A search makes one for each shape that it visits, and then moves an instance from point to point.
///
/// ```
/// use contrapositive::instance::Instance;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, Serialize, Deserialize)]
/// struct Pair {
///     x: f64,
///     y: Vec<f64>,
/// }
///
/// impl Instance for Pair {
///     fn describe(&self) -> String {
///         format!("x = {}, y = {:?}", self.x, self.y)
///     }
/// }
///
/// let mut pair = Pair { x: 1.0, y: vec![2.0, 3.0] };
/// let chart = pair.chart();
/// assert_eq!(chart.start(), [1.0, 2.0, 3.0]);
/// assert!(chart.place(&mut pair, &[0.5, 0.0, -1.0]));
/// assert_eq!(pair.describe(), "x = 0.5, y = [0.0, -1.0]");
/// assert!(!chart.place(&mut pair, &[f64::NAN, 0.0, 0.0]));
/// ```
pub struct Chart<I> {
    layout: Layout,
    start: Vec<f64>,
    mover: Mover<I>,
}

enum Mover<I> {
    /// Reads the stored form with other numbers. A value that cannot be stored has none, and nothing may move.
    Stored(Option<Form>),
    /// Writes the numbers where they belong.
    Native(fn(&mut I, &[f64]) -> bool),
}

impl<I: Instance> Chart<I> {
    /// The chart of a type of which nothing is known but how it is stored. Each move reads the instance anew.
    #[must_use]
    pub fn stored(instance: &I) -> Self {
        let form = Form::of(instance).ok();
        let (layout, start) = Form::chart(form.as_ref());
        Chart { layout, start, mover: Mover::Stored(form) }
    }

    /// The chart of a type that knows where its numbers are. `place` writes all of them, in the order of the layout, and says
    /// `false` if the type does not hold one.
    #[must_use]
    pub fn native(layout: Layout, start: Vec<f64>, place: fn(&mut I, &[f64]) -> bool) -> Self {
        debug_assert_eq!(layout.coordinates.len(), start.len());
        Chart { layout, start, mover: Mover::Native(place) }
    }

    /// Moves an instance of this shape to a point. `false`: not as many numbers as there are coordinates, one that is not finite,
    /// a whole number that its type does not hold, or a value that the type refuses to read; the instance is then to be placed
    /// anew before it is used.
    ///
    /// Declared ranges are not looked at: that is [`Instance::validate`]'s task, as for every instance.
    #[must_use]
    pub fn place(&self, instance: &mut I, at: &[f64]) -> bool {
        if !self.holds(at) {
            return false;
        }
        match &self.mover {
            Mover::Stored(Some(form)) => match form.read(at) {
                Ok(moved) => {
                    *instance = moved;
                    true
                }
                Err(_) => false,
            },
            Mover::Stored(None) => true,
            Mover::Native(place) => place(instance, at),
        }
    }
}

impl<I> Chart<I> {
    fn holds(&self, at: &[f64]) -> bool {
        at.len() == self.start.len() && at.iter().all(|x| x.is_finite())
    }

    /// What the coordinates mean.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The coordinates of the instance of which the chart was made.
    #[must_use]
    pub fn start(&self) -> &[f64] {
        &self.start
    }
}

impl<I> fmt::Debug for Chart<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = match self.mover {
            Mover::Stored(Some(_)) => "through the stored form",
            Mover::Stored(None) => "not at all",
            Mover::Native(_) => "in place",
        };
        f.debug_struct("Chart")
            .field("layout", &self.layout)
            .field("start", &self.start)
            .field("moves", &moves)
            .finish()
    }
}
