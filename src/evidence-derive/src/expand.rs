//! From declarations to implementations.

use darling::Error;
use darling::ast::Data;
use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Ident;

use crate::declaration::{Description, Text, Type, Variant};
use crate::field_type::{is_collection, primitive};
use crate::fields::{Fields, Mode};

/// The front door or the engine, by the name under which the package that derives depends on it.
fn engine_of_the_caller() -> TokenStream {
    for (package, itself) in
        [("contrapositive", "contrapositive"), ("contrapositive-evidence", "contrapositive_evidence")]
    {
        let name = match crate_name(package) {
            Ok(FoundCrate::Name(name)) => name,
            Ok(FoundCrate::Itself) => itself.to_owned(),
            Err(_) => continue,
        };
        let name = Ident::new(&name, Span::call_site());
        return quote!(::#name);
    }
    quote!(::contrapositive)
}

/// The implementations of `Part` and `Instance`.
pub fn expand(declared: &Type) -> Result<TokenStream, Error> {
    let root = match &declared.engine {
        Some(path) => quote!(#path),
        None => engine_of_the_caller(),
    };
    let engine = quote!(#root::instance::derive);
    match &declared.data {
        Data::Struct(fields) => {
            let shape = Fields::read(&fields.fields, fields.style, 0)?;
            let template = match &declared.describe {
                Some(Description::Template(text)) => Some(text),
                _ => None,
            };
            let product = Product { path: quote!(Self), shape, describe: template, name: declared.ident.to_string() };
            Ok(implementations(
                declared,
                &root,
                &engine,
                &structure(&product, &engine),
                product.shape.statics(&engine)?,
            ))
        }
        Data::Enum(variants) if variants.iter().all(|v| v.fields.is_empty()) => {
            if let Some(Description::Template(text)) = &declared.describe {
                return Err(
                    Error::custom("a plain enum is described by the names of its variants").with_span(&text.span())
                );
            }
            let body = choice(variants, &engine)?;
            Ok(implementations(declared, &root, &engine, &body, Vec::new()))
        }
        Data::Enum(variants) => {
            if let Some(Description::Template(text)) = &declared.describe {
                return Err(Error::custom("describe each variant instead").with_span(&text.span()));
            }
            let mut products = Vec::new();
            let mut statics = Vec::new();
            for variant in variants {
                let shape = Fields::read(&variant.fields.fields, variant.fields.style, statics.len())?;
                statics.extend(shape.statics(&engine)?);
                let ident = &variant.ident;
                products.push(Product {
                    path: quote!(Self::#ident),
                    shape,
                    describe: variant.describe.as_ref(),
                    name: ident.to_string(),
                });
            }
            Ok(implementations(declared, &root, &engine, &sum(&products, &engine), statics))
        }
    }
}

/// A struct, or a variant with its fields.
struct Product<'a> {
    path: TokenStream,
    shape: Fields<'a>,
    describe: Option<&'a Text>,
    name: String,
}

impl Product<'_> {
    /// The description, with the fields bound by name.
    fn description(&self, engine: &TokenStream, in_enum: bool) -> TokenStream {
        let named = self.shape.named(engine);
        if let Some(template) = self.describe {
            let literal = syn::LitStr::new(template.as_ref(), template.span());
            let speaking = self.shape.each(|bound, mode, _, field| {
                let speaks = mode == Mode::Nested || !(primitive(&field.ty).is_some() || is_collection(&field.ty));
                match (speaks, mode) {
                    (false, _) => quote!(),
                    (_, Mode::Nested) => quote!(let #bound = #engine::Spoken(#bound);),
                    _ => quote!(let #bound = #engine::Told(#bound);),
                }
            });
            let sizes = named.iter().map(|(name, length)| quote!(let #name = #length;));
            return quote!({ #(#sizes)* #(#speaking)* ::std::format!(#literal) });
        }
        let sizes = named.iter().map(|(name, length)| {
            let name = name.to_string();
            quote!(__sentence.size(#name, #length);)
        });
        let phrases = self.shape.each(|bound, mode, declared, field| {
            let renamed = field.symbol.is_some();
            match mode {
                Mode::Nested => quote!(__sentence.spoken(#declared, #bound, #renamed);),
                _ => quote!(__sentence.part(#declared, #bound, #renamed);),
            }
        });
        let name = &self.name;
        quote!({
            let mut __sentence = #engine::Sentence::new(#name, #in_enum);
            #(#sizes)*
            #(#phrases)*
            __sentence.finish()
        })
    }
}

/// The bodies of the methods of `Part`.
struct Bodies {
    survey: TokenStream,
    place: TokenStream,
    check: TokenStream,
    edit: TokenStream,
    draw: TokenStream,
    tell: TokenStream,
    count: TokenStream,
}

fn structure(product: &Product<'_>, engine: &TokenStream) -> Bodies {
    let shape = &product.shape;
    let pattern = shape.pattern(&product.path);
    let (surveyed, placed, checked, edited) =
        (shape.survey(engine), shape.place(engine), shape.check(engine), shape.edit(engine));
    let (drawn, told, count) =
        (shape.draw(&product.path, engine), product.description(engine, false), shape.count(engine));
    Bodies {
        survey: quote!(let #pattern = self; __survey.scoped(|__survey| { #(#surveyed)* }); #engine::Found::Other),
        place: quote!(let #pattern = self; true #(&& #placed)*),
        check: quote!(let #pattern = self; let __lengths = &mut #engine::Lengths::default(); #(#checked)*),
        edit: quote!(let #pattern = self; __edit.scoped(|__edit| { #(#edited)* });),
        draw: quote!(draws.scoped(|draws| ::core::option::Option::Some(#drawn))),
        tell: quote!(let #pattern = self; #told),
        count: quote!(let #pattern = self; #count),
    }
}

/// An enum without fields: a choice.
fn choice(variants: &[Variant], engine: &TokenStream) -> Result<Bodies, Error> {
    if variants.is_empty() {
        return Err(Error::custom("an enum without variants has no instances").with_span(&Span::call_site()));
    }
    let count = variants.len();
    let names: Vec<&Ident> = variants.iter().map(|v| &v.ident).collect();
    let numbers: Vec<usize> = (0..count).collect();
    let told = variants.iter().map(|v| match &v.describe {
        Some(text) => text.to_string(),
        None => v.ident.to_string(),
    });
    Ok(Bodies {
        survey: quote!(
            let at = match self { #(Self::#names => #numbers),* };
            __survey.choice(at, #count);
            #engine::Found::Other
        ),
        place: quote!(
            *self = match #engine::chosen(__from, #count) {
                #(::core::option::Option::Some(#numbers) => Self::#names,)*
                _ => return false,
            };
            true
        ),
        check: quote!(),
        edit: quote!(let _ = __edit;),
        draw: quote!(
            ::core::option::Option::Some(match draws.below(#count as u64) as usize {
                #(#numbers => Self::#names,)*
                _ => return ::core::option::Option::None,
            })
        ),
        tell: quote!(::std::string::String::from(match self { #(Self::#names => #told),* })),
        count: quote!(0),
    })
}

/// An enum with fields: a size, and the fields of the variant.
fn sum(products: &[Product<'_>], engine: &TokenStream) -> Bodies {
    let count = products.len();
    let numbers: Vec<usize> = (0..count).collect();
    let patterns: Vec<TokenStream> = products.iter().map(|p| p.shape.pattern(&p.path)).collect();
    let surveyed = products.iter().map(|p| p.shape.survey(engine));
    let surveyed: Vec<TokenStream> = surveyed.map(|s| quote!(#(#s)*)).collect();
    let placed = products.iter().map(|p| p.shape.place(engine));
    let placed: Vec<TokenStream> = placed.map(|s| quote!(true #(&& #s)*)).collect();
    let checked = products.iter().map(|p| p.shape.check(engine));
    let checked: Vec<TokenStream> = checked.map(|s| quote!(#(#s)*)).collect();
    let edited = products.iter().map(|p| p.shape.edit(engine));
    let edited: Vec<TokenStream> = edited.map(|s| quote!(#(#s)*)).collect();
    let drawn: Vec<TokenStream> = products.iter().map(|p| p.shape.draw(&p.path, engine)).collect();
    let told: Vec<TokenStream> = products.iter().map(|p| p.description(engine, true)).collect();
    let counts: Vec<TokenStream> = products.iter().map(|p| p.shape.count(engine)).collect();
    let draw = quote!(
        draws.scoped(|draws| ::core::option::Option::Some(match variant {
            #(#numbers => #drawn,)*
            _ => return ::core::option::Option::None,
        }))
    );
    Bodies {
        survey: quote!(
            match self {
                #(#patterns => { __survey.variant(#numbers, #count); __survey.scoped(|__survey| { #surveyed }); })*
            }
            #engine::Found::Other
        ),
        place: quote!(match self { #(#patterns => #placed,)* }),
        check: quote!(
            let __lengths = &mut #engine::Lengths::default();
            match self { #(#patterns => { #checked })* }
        ),
        edit: quote!(
            if let ::core::option::Option::Some(variant) = __edit.variant(#count) {
                let draws = &mut #engine::Draws::plainest();
                let fresh: ::core::option::Option<Self> = #draw;
                __edit.changed(fresh.is_some());
                if let ::core::option::Option::Some(fresh) = fresh {
                    *self = fresh;
                }
                return;
            }
            match self { #(#patterns => __edit.scoped(|__edit| { #edited }),)* }
        ),
        draw: quote!(let variant = draws.below(#count as u64) as usize; #draw),
        tell: quote!(match self { #(#patterns => #told,)* }),
        count: quote!(match self { #(#patterns => #counts,)* }),
    }
}

fn implementations(
    declared: &Type,
    root: &TokenStream,
    engine: &TokenStream,
    bodies: &Bodies,
    statics: Vec<TokenStream>,
) -> TokenStream {
    let ident = &declared.ident;
    let (generics, arguments, conditions) = declared.generics.split_for_impl();
    let Bodies { survey, place, check, edit, draw, tell, count } = bodies;
    let valid = declared.valid.as_ref().map(|path| quote!(#path(self).map_err(#engine::Problem::of_instance)?;));
    let tell = match &declared.describe {
        Some(Description::By(path)) => quote!(#path(self)),
        _ => tell.clone(),
    };
    let methods = methods(declared, root, engine);
    let fields = statics.len();
    quote! {
        const _: () = {
            #[allow(
                dead_code,
                clippy::approx_constant,
                reason = "a plain enum has no fields; a range that ends at π was meant to"
            )]
            static FIELDS: [#engine::Field; #fields] = [#(#statics),*];

            #[automatically_derived]
            #[allow(unused_variables, reason = "fields without a part in a method are bound all the same")]
            impl #generics #engine::Part for #ident #arguments #conditions {
                const SPEAKS: bool = true;

                fn survey(&self, _: &#engine::Field, _: usize, __survey: &mut #engine::Survey) -> #engine::Found {
                    #survey
                }

                fn place(&mut self, _: &#engine::Field, _: usize, __from: &mut ::core::slice::Iter<'_, f64>) -> bool {
                    #place
                }

                fn check(
                    &self,
                    _: &#engine::Field,
                    _: usize,
                    _: &mut #engine::Lengths,
                ) -> ::core::result::Result<(), #engine::Problem> {
                    #check
                    #valid
                    ::core::result::Result::Ok(())
                }

                fn edit(&mut self, _: &#engine::Field, _: usize, __edit: &mut #engine::Edit) {
                    #edit
                }

                fn draw(
                    _: &#engine::Field,
                    _: usize,
                    draws: &mut #engine::Draws<'_>,
                ) -> ::core::option::Option<Self> {
                    #draw
                }

                fn tell(&self) -> ::std::string::String {
                    #tell
                }

                fn count(&self) -> usize {
                    #count
                }
            }

            #[automatically_derived]
            impl #generics #root::instance::Instance for #ident #arguments #conditions {
                fn describe(&self) -> ::std::string::String {
                    #engine::Part::tell(self)
                }

                fn validate(&self) -> ::core::result::Result<(), ::std::string::String> {
                    #engine::derived::validate(self)
                }

                #methods
            }
        };
    }
}

/// What moves and shrinks an instance.
fn methods(declared: &Type, root: &TokenStream, engine: &TokenStream) -> TokenStream {
    let stored = declared.stored.is_present();
    let simpler = match (&declared.simpler, stored) {
        (Some(path), _) => Some(quote!(#path(self))),
        (None, false) => Some(quote!(#engine::derived::simpler(self))),
        (None, true) => None,
    };
    let simpler = simpler.map(|body| quote!(fn simpler(&self) -> ::std::vec::Vec<Self> { #body }));
    let equivalents = declared.equivalents.as_ref().map(|path| {
        quote!(
            fn equivalents(&self) -> ::std::vec::Vec<(&'static str, Self)> {
                #path(self)
            }
        )
    });
    if stored {
        return quote!(#simpler #equivalents);
    }
    quote! {
        #simpler

        #equivalents

        fn chart(&self) -> #root::instance::Chart<Self> {
            #engine::derived::chart(self)
        }

        fn with_size(&self, size: usize, value: u64) -> ::core::option::Option<Self> {
            #engine::derived::with_size(self, size, value)
        }

        fn without_item(&self, size: usize, item: usize) -> ::core::option::Option<Self> {
            #engine::derived::without_item(self, size, item)
        }

        fn edges() -> ::std::vec::Vec<(::std::string::String, Self)> {
            #engine::derived::edges()
        }
    }
}
