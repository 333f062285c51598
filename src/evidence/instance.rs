//! What every mathematical object offers so that a claim can quantify over it: it can be stored, read, shown and made simpler.

mod chart;
mod check;
mod declaration;
mod derived;
mod draw;
mod edge_points;
mod edit;
pub(crate) mod form;
pub mod layout;
mod list;
mod nested;
mod part;
mod sentence;
mod strategy;
mod survey;
mod symmetric;
mod symmetric_matrix;

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use chart::Chart;
pub use strategy::{AnyOf, Declared, Shrinking, any, drawn, shrunk};

/// Derives [`Instance`] from what is declared of the fields: descriptions, validation, simpler instances, coordinates, edge instances.
///
/// ```
/// use contrapositive::instance::Instance;
/// use serde::{Deserialize, Serialize};
///
/// /// A law with finitely many atoms.
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
/// struct Law {
///     #[instance(symbol = "p", weights, length = "n in 1..=8", interchangeable)]
///     weights: Vec<f64>,
///     #[instance(symbol = "x", range = "[-1e3, 1e3]", length = "n, d in 1..=3")]
///     points: Vec<Vec<f64>>,
///     #[instance(range = "(0, ∞)", draw = "0.1..=10", scale = "logarithmic")]
///     tau: f64,
/// }
///
/// let law = Law { weights: vec![1.0, 3.0], points: vec![vec![0.5], vec![-2.0]], tau: 1.0 };
/// assert_eq!(law.describe(), "n = 2, d = 1, p = [1.0, 3.0], x = [[0.5], [-2.0]], τ = 1");
/// assert_eq!(law.validate(), Ok(()));
/// let broken = Law { tau: 0.0, ..law.clone() };
/// assert_eq!(broken.validate(), Err("τ = 0 is not in (0, ∞)".to_owned()));
/// let shorter = law.without_item(0, 1).expect("two atoms");
/// assert_eq!(shorter, Law { weights: vec![1.0], points: vec![vec![0.5]], tau: 1.0 });
/// ```
///
/// Of a type:
/// - `describe = "n = {n}, x in {points:?}"`: the description, a format string over the fields and the names of lengths (of an enum with
///   fields: on each variant). Without it, the named lengths come first, then each field under its symbol. `describe = Law::in_words`:
///   the same by a function, `fn(&Law) -> String`.
/// - `valid = Law::fits`: a further condition, `fn(&Law) -> Result<(), String>`.
/// - `simpler = Law::without_one`: the smaller instances by a function, `fn(&Law) -> Vec<Law>`, where lists depend on one another.
/// - `equivalents = Law::relabelled`: instances of which every statement says the same, `fn(&Law) -> Vec<(&'static str, Law)>`.
/// - `stored`: only described and validated by what is declared; moved by its stored form, and tried at no edges of its own. For instances
///   each of which costs a simulation.
/// - `crate = path`: where this library is, if the package that derives depends neither on `contrapositive` nor on `contrapositive-evidence`.
///
/// Of a field, which is a number, a truth value, a list, an array, an option, or of a type that derives this trait:
/// - `symbol = "σ²"`: how the paper writes it; `sigma_squared` is σ² by itself. `unit = "d/m"`: what follows its value.
/// - `range = "0.0..=1.0"`: where its numbers lie, as Rust writes it (`0<..` leaves zero out) or as mathematics does (`(0, ∞)`).
///   Every number must be finite. `draw = "…"`: from where it is drawn, if that is narrower. `scale = "logarithmic"`: how it is moved.
/// - `length = "1..=8"`: how long a list is; `n in 1..=8` gives the length a name, and `n` shares it with another list; a list of lists has
///   two, after a comma. `interchangeable`: the order of the items does not matter.
/// - `weights`: none negative, not all zero, only the ratios matter. `symmetric`: a symmetric matrix, stored in full.
/// - `fixed`: no search moves it. `nested`: its type implements [`Instance`] by hand.
pub use contrapositive_evidence_derive::Instance;

/// A value that a claim quantifies over: a latent-class model, a triplet of vectors, a symmetric matrix, a pair of sizes.
///
/// The JSON form is the value: a witness is stored in it and re-judged from it. Search and shrinking move the numbers of an
/// instance, which the type lays open as the coordinates of a [`Chart`]; so choose a representation whose floating-point fields
/// are free: positive weights rather than probabilities that must add up to one. What cannot be free is refused by
/// [`Instance::validate`].
///
/// Where all instances that a search begins at have one of these in common, it keeps that while it moves: a sum or a norm of one, a matrix that
/// equals its transpose, orthonormal rows, rows and columns that add up to one, the same numbers in another order. The items of lists are exchanged,
/// reversed, made equal and merged, truth values flipped, symmetric matrices given equal eigenvalues.
pub trait Instance: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// One line for a reader with the paper in hand: sizes first, then the numbers where they are few.
    fn describe(&self) -> String;

    /// Refuses a value outside the domain of the type (wrong lengths, NaN, a non-positive weight), naming what is wrong.
    ///
    /// # Errors
    /// A lower-case fragment that reads well after "not a valid instance: ".
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }

    /// Structurally smaller instances, the boldest first (half the classes, then one class fewer, one dimension fewer ...).
    /// Numbers need no mention: rounding them is done on the JSON form.
    fn simpler(&self) -> Vec<Self> {
        Vec::new()
    }

    /// The coordinates of all instances of this shape, and a way to move along them. Unless the type knows better, they are the
    /// numbers of its stored form: every floating-point number, and every integer up to 2^53 (of which nothing is known, so that
    /// a search moves it with care).
    fn chart(&self) -> Chart<Self> {
        Chart::stored(self)
    }

    /// The instance with another value of one of the sizes of its [`layout`](layout::Layout::sizes): longer lists repeat their
    /// items in turn, shorter ones lose the last. None if the size or the value is not to be had.
    fn with_size(&self, size: usize, value: u64) -> Option<Self> {
        let _ = (size, value);
        None
    }

    /// The instance without one item of one of the sizes of its [`layout`](layout::Layout::sizes), in all lists that share it. None if there is no such
    /// item, or no fewer are allowed.
    fn without_item(&self, size: usize, item: usize) -> Option<Self> {
        let _ = (size, item);
        None
    }

    /// Other instances of which every statement about the type says the same, each with the name of what was changed: classes in another
    /// order, vectors turned, a point given twice, time counted in another unit. A test tries them: a judgement that moves shows a fault
    /// of the check, or of this declaration.
    ///
    /// Numbers may be exchanged, negated, and multiplied by powers of two: what rounds makes another instance, of which a statement that is
    /// attained need not hold. None unless the type knows better.
    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        Vec::new()
    }

    /// Instances that every statement about the type should be tried on, each with a name that says what is special about it:
    /// zeros, ones, equal entries, unit vectors, the ends of declared ranges, the smallest sizes. None unless the type declares
    /// what it consists of.
    #[must_use]
    fn edges() -> Vec<(String, Self)> {
        Vec::new()
    }
}

/// What the code that `#[derive(Instance)]` writes is made of. No other code should need it.
#[doc(hidden)]
pub mod derive {
    pub use super::check::{Lengths, Problem};
    pub use super::declaration::{Arrangement, Field, Length};
    pub use super::draw::Draws;
    pub use super::edit::Edit;
    pub use super::layout::{Range, Scale};
    pub use super::part::{Part, chosen};
    pub use super::sentence::{Sentence, Spoken, Told};
    pub use super::survey::{Found, Survey};

    /// The methods of the trait.
    pub mod derived {
        pub use super::super::derived::{chart, edges, simpler, validate, with_size, without_item};
    }

    /// Hand-written instances as fields.
    pub mod nested {
        pub use super::super::nested::{check, draw, edit, place, survey};
    }

    /// Symmetric matrices as fields.
    pub mod symmetric {
        pub use super::super::symmetric::{check, draw, place, survey};
    }
}
