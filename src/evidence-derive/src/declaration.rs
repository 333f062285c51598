//! The attributes, as they are written.

use darling::ast::{Data, Fields};
use darling::util::{Flag, SpannedValue};
use darling::{FromDeriveInput, FromField, FromVariant};
use syn::{Generics, Ident, Path};

/// A text of an attribute, with its place in the source.
pub type Text = SpannedValue<String>;

/// A type with `#[derive(Instance)]`.
#[derive(FromDeriveInput)]
#[darling(attributes(instance), supports(struct_named, struct_tuple, struct_newtype, enum_any))]
pub struct Type {
    pub ident: Ident,
    pub generics: Generics,
    pub data: Data<Variant, Field>,
    /// The description as a format string over the fields and the names of lengths.
    pub describe: Option<Text>,
    /// A further condition: a function from the instance to `Result<(), String>`.
    pub valid: Option<Path>,
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
