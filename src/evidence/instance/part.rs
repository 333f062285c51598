//! What declared instances consist of: numbers, lists, and other declared types.

use std::fmt::Debug;

use super::check::{Lengths, Problem};
use super::declaration::{Arrangement, Field};
use super::draw::Draws;
use super::edit::Edit;
use super::layout::{Coordinate, CoordinateKind, Range};
use super::survey::{Found, Survey};

/// Something that a field of a declared instance may hold. `depth` counts the lists around it.
///
/// Implemented in the engine for numbers, truth values, lists, arrays and options, and by `#[derive(Instance)]` for types.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a field of a declared instance",
    note = "numbers, `bool`, lists, arrays and options can, and types with `#[derive(Instance)]`",
    note = "a type that implements `Instance` by hand takes part with `#[instance(nested)]`"
)]
pub trait Part: Clone + Debug {
    /// Whether it describes itself, so that a list of it reads as a list of descriptions.
    const SPEAKS: bool = false;

    /// Notes the coordinates, groups and sizes.
    fn survey(&self, field: &Field, depth: usize, survey: &mut Survey) -> Found;

    /// Takes the next coordinates; `false` if there are too few, or one that the type does not hold.
    fn place(&mut self, field: &Field, depth: usize, from: &mut std::slice::Iter<'_, f64>) -> bool;

    /// Refuses what the declaration leaves out.
    ///
    /// # Errors
    /// The first number outside its range, or list of another length.
    fn check(&self, field: &Field, depth: usize, lengths: &mut Lengths) -> Result<(), Problem>;

    /// Changes one size.
    fn edit(&mut self, field: &Field, depth: usize, edit: &mut Edit);

    /// A value of the declared kind; none if one of the types within cannot be drawn.
    fn draw(field: &Field, depth: usize, draws: &mut Draws<'_>) -> Option<Self>;

    /// How it reads in a description.
    fn tell(&self) -> String {
        format!("{self:?}")
    }

    /// The length of the list, or of the lists within it.
    fn length(&self, depth: usize) -> Option<usize> {
        let _ = depth;
        None
    }

    /// Whether it is a number, and zero.
    fn is_zero(&self) -> bool {
        false
    }

    /// How many numbers it holds.
    fn count(&self) -> usize {
        1
    }
}

impl Part for f64 {
    fn survey(&self, field: &Field, _: usize, survey: &mut Survey) -> Found {
        survey.number(
            *self,
            Coordinate {
                kind: CoordinateKind::Real,
                range: field.range,
                typical: field.typical.unwrap_or(field.range),
                scale: field.scale,
            },
        );
        Found::Number
    }

    fn place(&mut self, _: &Field, _: usize, from: &mut std::slice::Iter<'_, f64>) -> bool {
        from.next().map(|x| *self = *x).is_some()
    }

    fn check(&self, field: &Field, _: usize, _: &mut Lengths) -> Result<(), Problem> {
        if field.range.contains(*self) {
            return Ok(());
        }
        if self.is_finite() {
            return Err(Problem::new(format!("= {self} is not in {}", field.range)));
        }
        Err(Problem::new(format!("= {self} is not a finite number")))
    }

    fn edit(&mut self, _: &Field, _: usize, _: &mut Edit) {}

    fn draw(field: &Field, _: usize, draws: &mut Draws<'_>) -> Option<Self> {
        let range = field.typical.unwrap_or(field.range);
        if field.arrangement == Arrangement::Weights && draws.is_plainest() {
            // Zeros would not add up to anything.
            return Some(range.clamp(1.0));
        }
        Some(draws.real(range, field.scale))
    }

    fn tell(&self) -> String {
        self.to_string()
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }
}

/// Beyond this a double does not hold every whole number, and neither does JSON for many a reader.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The whole numbers of a range among those of a type, at most 2^53.
fn whole(range: Range, least: f64, greatest: f64) -> Range {
    let above = range.low.ceil() + if range.low_open && range.low.fract() == 0.0 { 1.0 } else { 0.0 };
    let below = range.high.floor() - if range.high_open && range.high.fract() == 0.0 { 1.0 } else { 0.0 };
    Range { declared: range.declared, ..Range::closed(above.max(least).max(-EXACT), below.min(greatest).min(EXACT)) }
}

macro_rules! whole_numbers {
    ($($type:ty)*) => {$(
        impl Part for $type {
            fn survey(&self, field: &Field, _: usize, survey: &mut Survey) -> Found {
                survey.number(
                    *self as f64,
                    Coordinate {
                        kind: CoordinateKind::Integer,
                        range: whole(field.range, <$type>::MIN as f64, <$type>::MAX as f64),
                        typical: whole(
                            field.typical.unwrap_or(field.range),
                            <$type>::MIN as f64,
                            <$type>::MAX as f64,
                        ),
                        scale: field.scale,
                    },
                );
                Found::Whole
            }

            fn place(&mut self, _: &Field, _: usize, from: &mut std::slice::Iter<'_, f64>) -> bool {
                let Some(x) = from.next().map(|x| x.round()) else {
                    return false;
                };
                *self = x as $type;
                // The conversion saturates where the type does not reach.
                *self as f64 == x
            }

            fn check(&self, field: &Field, _: usize, _: &mut Lengths) -> Result<(), Problem> {
                let range = whole(field.range, <$type>::MIN as f64, <$type>::MAX as f64);
                if range.contains(*self as f64) {
                    return Ok(());
                }
                Err(Problem::new(format!("= {self} is not in {range}")))
            }

            fn edit(&mut self, _: &Field, _: usize, _: &mut Edit) {}

            fn draw(field: &Field, _: usize, draws: &mut Draws<'_>) -> Option<Self> {
                let range = field.typical.unwrap_or(field.range);
                Some(draws.whole(whole(range, <$type>::MIN as f64, <$type>::MAX as f64), field.scale) as $type)
            }
        }
    )*};
}

whole_numbers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl Part for bool {
    fn survey(&self, _: &Field, _: usize, survey: &mut Survey) -> Found {
        survey.choice(usize::from(*self), 2);
        Found::Whole
    }

    fn place(&mut self, _: &Field, _: usize, from: &mut std::slice::Iter<'_, f64>) -> bool {
        chosen(from, 2).map(|c| *self = c == 1).is_some()
    }

    fn check(&self, _: &Field, _: usize, _: &mut Lengths) -> Result<(), Problem> {
        Ok(())
    }

    fn edit(&mut self, _: &Field, _: usize, _: &mut Edit) {}

    fn draw(_: &Field, _: usize, draws: &mut Draws<'_>) -> Option<Self> {
        Some(draws.below(2) == 1)
    }

    fn count(&self) -> usize {
        0
    }
}

/// The next coordinate as one of so many choices.
pub fn chosen(from: &mut std::slice::Iter<'_, f64>, count: usize) -> Option<usize> {
    let x = from.next()?.round();
    (x >= 0.0 && x < count as f64).then_some(x as usize)
}
