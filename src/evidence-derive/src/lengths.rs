//! The lengths of the lists of one type: which are named, and which lists share them.

use std::collections::BTreeMap;

use darling::Error;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;
use syn::spanned::Spanned;

use crate::declaration::Field;
use crate::range::DeclaredRange;

/// Lists of lists of lists are as deep as a declaration goes.
const DEEPEST: usize = 3;

/// One list of one field.
#[derive(Clone)]
pub struct Length {
    /// Lists with the same key have the same length.
    key: u32,
    /// The name in the declaration.
    pub name: Option<Ident>,
    least: u64,
    greatest: u64,
    interchangeable: bool,
}

impl Length {
    /// The length as the engine reads it.
    pub fn tokens(&self, engine: &TokenStream) -> TokenStream {
        let Length { key, name, least, greatest, interchangeable } = self;
        let name = name.as_ref().map(Ident::to_string).unwrap_or_default();
        quote!(#engine::Length {
            key: #key, name: #name, least: #least, greatest: #greatest, interchangeable: #interchangeable
        })
    }
}

enum Entry {
    /// `1..=8`
    Unnamed((u64, u64)),
    /// `n in 1..=8`
    Named(Ident, (u64, u64)),
    /// `n`
    Shared(Ident),
}

fn entry(text: &str, span: proc_macro2::Span) -> Result<Entry, Error> {
    let wrong = |message: String| Error::custom(message).with_span(&span);
    let name = |text: &str| -> Result<Ident, Error> {
        let ident: syn::Result<Ident> = syn::parse_str(text.trim());
        let mut ident = ident.map_err(|_| wrong(format!("`{}` is not a name", text.trim())))?;
        ident.set_span(span);
        Ok(ident)
    };
    if let Some((named, range)) = text.split_once(" in ") {
        return Ok(Entry::Named(name(named)?, DeclaredRange::parse_lengths(range).map_err(wrong)?));
    }
    if text.trim().starts_with(|c: char| c.is_alphabetic()) && !text.contains("..") {
        return Ok(Entry::Shared(name(text)?));
    }
    Ok(Entry::Unnamed(DeclaredRange::parse_lengths(text).map_err(wrong)?))
}

/// Splits at commas outside of brackets: `n in [1, 8], d in 1..=3`.
fn pieces(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0_i32, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

/// The lengths of every field, outermost first.
pub fn lengths(fields: &[&Field]) -> Result<Vec<Vec<Length>>, Error> {
    let mut errors = Error::accumulator();
    let mut declared: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut entries: Vec<Vec<Entry>> = Vec::new();
    for field in fields {
        let mut own = Vec::new();
        if let Some(text) = &field.length {
            for piece in pieces(text.as_ref()) {
                own.extend(errors.handle(entry(piece, text.span())));
            }
            if own.len() > DEEPEST {
                errors.push(Error::custom(format!("lists are at most {DEEPEST} deep")).with_span(&text.span()));
            }
        }
        for one in &own {
            if let Entry::Named(name, range) = one
                && declared.insert(name.to_string(), *range).is_some()
            {
                let again = format!("`{name}` is declared twice: the second list says just `{name}`");
                errors.push(Error::custom(again).with_span(&name.span()));
            }
        }
        entries.push(own);
    }
    let unnamed = |place: usize, depth: usize| (declared.len() + place * DEEPEST + depth) as u32;
    let mut found = Vec::new();
    for (place, (field, own)) in fields.iter().zip(entries).enumerate() {
        let mut lengths = Vec::new();
        for (depth, one) in own.into_iter().enumerate() {
            let (name, (least, greatest)) = match one {
                Entry::Unnamed(range) => (None, range),
                Entry::Named(name, range) => (Some(name), range),
                Entry::Shared(name) => {
                    let Some(range) = declared.get(&name.to_string()) else {
                        let known: Vec<String> = declared.keys().map(|n| format!("`{n}`")).collect();
                        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                        let text = format!(
                            "no list declares the length `{name}` (as in `{name} in 1..=8`); declared: {known}"
                        );
                        errors.push(Error::custom(text).with_span(&name.span()));
                        continue;
                    };
                    (Some(name), *range)
                }
            };
            let named = name.as_ref().and_then(|name| declared.keys().position(|known| name == known));
            lengths.push(Length {
                key: named.map_or_else(|| unnamed(place, depth), |place| place as u32),
                name,
                least,
                greatest,
                interchangeable: depth == 0 && field.interchangeable.is_present(),
            });
        }
        if field.symmetric.is_present() {
            match lengths.as_slice() {
                [one] => lengths.push(one.clone()),
                _ => errors.push(
                    Error::custom(
                        "a symmetric matrix declares one length, for rows and columns: `length = \"n in 1..=8\"`",
                    )
                    .with_span(&field.ty.span()),
                ),
            }
        }
        for depth in lengths.len()..DEEPEST {
            lengths.push(Length {
                key: unnamed(place, depth),
                name: None,
                least: 0,
                greatest: u64::MAX,
                interchangeable: depth == 0 && field.interchangeable.is_present(),
            });
        }
        found.push(lengths);
    }
    errors.finish_with(found)
}
