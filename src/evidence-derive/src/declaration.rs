//! The attributes, as they are written.

use darling::ast::{Data, Fields};
use darling::util::{Flag, SpannedValue};
use darling::{Error, FromDeriveInput, FromField, FromMeta, FromVariant};
use syn::{Expr, ExprLit, Generics, Ident, Lit, Path};

/// A text of an attribute, with its place in the source.
pub type Text = SpannedValue<String>;

/// How a type describes itself.
pub enum Description {
    /// A format string over the fields and the names of lengths.
    Template(Text),
    /// A function from the instance to `String`.
    By(Path),
}

impl FromMeta for Description {
    fn from_expr(expr: &Expr) -> Result<Self, Error> {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                Ok(Description::Template(Text::new(text.value(), text.span())))
            }
            Expr::Path(path) => Ok(Description::By(path.path.clone())),
            _ => Err(Error::custom("a description is a format string, or the path of a function").with_span(expr)),
        }
    }
}

/// A type with `#[derive(Instance)]`.
#[derive(FromDeriveInput)]
#[darling(attributes(instance), supports(struct_named, struct_tuple, struct_newtype, enum_any))]
pub struct Type {
    pub ident: Ident,
    pub generics: Generics,
    pub data: Data<Variant, Field>,
    pub describe: Option<Description>,
    /// A further condition: a function from the instance to `Result<(), String>`.
    pub valid: Option<Path>,
    /// Structurally smaller instances: a function from the instance to a list of them.
    pub simpler: Option<Path>,
    /// Instances of which every statement says the same: a function from the instance to a list of them, each with a name.
    pub equivalents: Option<Path>,
    /// Moved by its stored form, and tried at no edges.
    pub stored: Flag,
    /// The path of the engine, if it is not `::contrapositive`.
    #[darling(rename = "crate")]
    pub engine: Option<Path>,
}

/// A variant of an enum.
#[derive(FromVariant)]
#[darling(attributes(instance))]
pub struct Variant {
    pub ident: Ident,
    pub fields: Fields<Field>,
    pub describe: Option<Text>,
}

/// A field of a struct or variant.
#[derive(FromField)]
#[darling(attributes(instance))]
pub struct Field {
    pub ident: Option<Ident>,
    pub ty: syn::Type,
    /// How the paper writes it.
    pub symbol: Option<String>,
    /// What follows its number in a description.
    pub unit: Option<String>,
    /// Where its numbers lie.
    pub range: Option<Text>,
    /// Where they are drawn.
    pub draw: Option<Text>,
    /// How long its lists are.
    pub length: Option<Text>,
    /// `linear` or `logarithmic`.
    pub scale: Option<Text>,
    /// Only the ratios of its numbers matter.
    pub weights: Flag,
    /// A symmetric matrix stored in full.
    pub symmetric: Flag,
    /// The order of its items does not matter.
    pub interchangeable: Flag,
    /// No search moves it.
    pub fixed: Flag,
    /// Its type implements `Instance` by hand.
    pub nested: Flag,
}
