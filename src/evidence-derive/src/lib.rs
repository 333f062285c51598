//! `#[derive(Instance)]`: instances that describe, validate, shrink and move by themselves.
//!
//! The documentation of the derive stands where it is used: `contrapositive::instance`. What it expands to is little more than a
//! list of fields with what is declared of them; ordinary code in the engine reads that list.

mod declaration;
mod declared;
mod expand;
mod field_type;
mod fields;
mod lengths;
mod range;
mod symbol;

use darling::FromDeriveInput;
use proc_macro::TokenStream;

/// Derives `contrapositive::instance::Instance`; see there for the attributes.
#[proc_macro_derive(Instance, attributes(instance))]
pub fn derive_instance(input: TokenStream) -> TokenStream {
    let parsed = syn::parse(input).map_err(darling::Error::from);
    let declared = parsed.and_then(|input: syn::DeriveInput| declaration::Type::from_derive_input(&input));
    let expanded = declared.and_then(|declared| expand::expand(&declared));
    expanded.unwrap_or_else(|error| error.write_errors()).into()
}
