//! The formulas of a text, read once, for writers that set them: MathML on a site, raised and lowered characters in drawings, LaTeX for authors.
//!
//! The texts of the catalogue are Unicode: `L_sup,k^μ ≤ (k/(1−τ))·(L_un − τ log 2)`. A reader finds the formulas between the words and
//! makes trees of their scripts, roots and plain fractions. All else stays a row of signs in its order, so that no reading changes what a
//! formula says. What a reader cannot read stays text.
//!
//! Lowest first: `part`, `scripts`, `reader`, `drawing`, `latex`.

mod drawing;
mod latex;
mod part;
mod reader;
mod scripts;

pub use drawing::set_in_drawing;
pub use latex::{escaped, latex};
pub use part::{Part, Piece};
pub use reader::pieces;
