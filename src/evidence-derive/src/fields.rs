//! The fields of a struct or variant, and what each of them does in each method.

use darling::Error;
use darling::ast::Style;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, Index};

use crate::declaration::Field;
use crate::declared::declaration;
use crate::lengths::{Length, lengths};
use crate::symbol::symbol;

/// How a field takes part.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Plain,
    Symmetric,
    Fixed,
    Nested,
}

/// The fields of a struct or variant.
pub struct Fields<'a> {
    fields: Vec<&'a Field>,
    /// The names to which they are bound in a pattern.
    bound: Vec<Ident>,
    modes: Vec<Mode>,
    lengths: Vec<Vec<Length>>,
    style: Style,
    /// The place of their declarations among those of the type.
    first: usize,
}

impl<'a> Fields<'a> {
    pub fn read(fields: &'a [Field], style: Style, first: usize) -> Result<Self, Error> {
        let mut errors = Error::accumulator();
        let fields: Vec<&Field> = fields.iter().collect();
        let modes = fields.iter().filter_map(|field| errors.handle(mode(field))).collect();
        let lengths = errors.handle(lengths(&fields)).unwrap_or_default();
        let bound = fields.iter().enumerate();
        let bound = bound.map(|(place, f)| f.ident.clone().unwrap_or_else(|| format_ident!("_{place}"))).collect();
        errors.finish_with(Fields { fields, bound, modes, lengths, style, first })
    }

    /// The declarations as the engine reads them.
    pub fn statics(&self, engine: &TokenStream) -> Result<Vec<TokenStream>, Error> {
        let mut errors = Error::accumulator();
        let one = |(field, lengths): (&&Field, &Vec<Length>)| declaration(field, lengths, engine);
        let found = self.fields.iter().zip(&self.lengths).enumerate();
        let found: Vec<TokenStream> = found
            .filter_map(|(place, (field, lengths))| {
                let tokens = errors.handle(one((field, lengths)))?;
                let symbol = field.symbol.clone().unwrap_or_else(|| match &field.ident {
                    Some(ident) => symbol(&ident.to_string()),
                    None => format!("item {}", place + 1),
                });
                Some(quote!(#engine::Field { symbol: #symbol, #tokens }))
            })
            .collect();
        errors.finish_with(found)
    }

    fn declared(&self, place: usize) -> TokenStream {
        let index = Index::from(self.first + place);
        quote!(&FIELDS[#index])
    }

    pub fn each(&self, one: impl Fn(&Ident, Mode, TokenStream, &Field) -> TokenStream) -> Vec<TokenStream> {
        let places = 0..self.fields.len();
        places.map(|k| one(&self.bound[k], self.modes[k], self.declared(k), self.fields[k])).collect()
    }

    /// Binds every field under its own name, as a description speaks of it; what a method has of its own is called otherwise (`__from`).
    pub fn pattern(&self, path: &TokenStream) -> TokenStream {
        let bound = &self.bound;
        match self.style {
            Style::Struct => quote!(#path { #(#bound),* }),
            Style::Tuple => quote!(#path(#(#bound),*)),
            Style::Unit => quote!(#path),
        }
    }

    pub fn survey(&self, engine: &TokenStream) -> Vec<TokenStream> {
        self.each(|bound, mode, field, _| match mode {
            Mode::Plain => quote!(#engine::Part::survey(#bound, #field, 0, __survey);),
            Mode::Symmetric => quote!(#engine::symmetric::survey(#bound, #field, __survey);),
            Mode::Nested => quote!(#engine::nested::survey(#bound, __survey);),
            Mode::Fixed => quote!(let _ = #bound;),
        })
    }

    pub fn place(&self, engine: &TokenStream) -> Vec<TokenStream> {
        self.each(|bound, mode, field, _| match mode {
            Mode::Plain => quote!(#engine::Part::place(#bound, #field, 0, __from)),
            Mode::Symmetric => quote!(#engine::symmetric::place(#bound, __from)),
            Mode::Nested => quote!(#engine::nested::place(#bound, __from)),
            Mode::Fixed => quote!({ let _ = #bound; true }),
        })
    }

    pub fn check(&self, engine: &TokenStream) -> Vec<TokenStream> {
        self.each(|bound, mode, field, _| {
            let checked = match mode {
                Mode::Plain | Mode::Fixed => quote!(#engine::Part::check(#bound, #field, 0, __lengths)),
                Mode::Symmetric => quote!(#engine::symmetric::check(#bound, #field, __lengths)),
                Mode::Nested => quote!(#engine::nested::check(#bound)),
            };
            quote!(#checked.map_err(|problem| problem.of(#field))?;)
        })
    }

    pub fn edit(&self, engine: &TokenStream) -> Vec<TokenStream> {
        self.each(|bound, mode, field, _| match mode {
            Mode::Plain | Mode::Symmetric => quote!(#engine::Part::edit(#bound, #field, 0, __edit);),
            Mode::Nested => quote!(#engine::nested::edit(#bound, __edit);),
            Mode::Fixed => quote!(let _ = #bound;),
        })
    }

    pub fn draw(&self, path: &TokenStream, engine: &TokenStream) -> TokenStream {
        let drawn = self.each(|_, mode, field, declared| {
            let value = match mode {
                Mode::Plain | Mode::Fixed => quote!(#engine::Part::draw(#field, 0, draws)?),
                Mode::Symmetric => quote!(#engine::symmetric::draw(#field, draws)?),
                Mode::Nested => quote!(#engine::nested::draw(draws)?),
            };
            match &declared.ident {
                Some(ident) => quote!(#ident: #value),
                None => value,
            }
        });
        match self.style {
            Style::Struct => quote!(#path { #(#drawn),* }),
            Style::Tuple => quote!(#path(#(#drawn),*)),
            Style::Unit => quote!(#path),
        }
    }

    pub fn count(&self, engine: &TokenStream) -> TokenStream {
        let counts = self.each(|bound, mode, _, _| match mode {
            Mode::Nested => quote!({ let _ = #bound; 1 }),
            _ => quote!(#engine::Part::count(#bound)),
        });
        quote!(0 #(+ #counts)*)
    }

    /// The named lengths, each where it is met first, and how it is read there.
    pub fn named(&self, engine: &TokenStream) -> Vec<(Ident, TokenStream)> {
        let mut found: Vec<(Ident, TokenStream)> = Vec::new();
        for (place, lengths) in self.lengths.iter().enumerate() {
            for (depth, length) in lengths.iter().enumerate() {
                let Some(name) = &length.name else { continue };
                if self.modes[place] == Mode::Nested || found.iter().any(|(known, _)| known == name) {
                    continue;
                }
                let bound = &self.bound[place];
                found.push((name.clone(), quote!(#engine::Part::length(#bound, #depth).unwrap_or(0))));
            }
        }
        found
    }
}

fn mode(field: &Field) -> Result<Mode, Error> {
    let flags = [
        (field.symmetric, Mode::Symmetric, "symmetric"),
        (field.fixed, Mode::Fixed, "fixed"),
        (field.nested, Mode::Nested, "nested"),
    ];
    let mut chosen = flags.iter().filter(|(flag, ..)| flag.is_present());
    let Some((_, mode, name)) = chosen.next() else {
        return Ok(Mode::Plain);
    };
    if let Some((flag, _, other)) = chosen.next() {
        return Err(Error::custom(format!("`{name}` and `{other}` exclude each other")).with_span(&flag.span()));
    }
    if *mode == Mode::Nested {
        let texts = [&field.range, &field.draw, &field.length, &field.scale];
        if let Some(text) = texts.into_iter().flatten().next() {
            return Err(Error::custom("a nested instance declares its own ranges and lengths").with_span(&text.span()));
        }
    }
    Ok(*mode)
}
