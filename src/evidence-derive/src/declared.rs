//! What is declared of one field, checked, as the engine reads it.

use darling::Error;
use proc_macro2::TokenStream;
use quote::quote;

use crate::declaration::{Field, Text};
use crate::field_type::primitive;
use crate::lengths::Length;
use crate::range::DeclaredRange;

/// Everything but the symbol.
pub fn declaration(field: &Field, lengths: &[Length], engine: &TokenStream) -> Result<TokenStream, Error> {
    let mut errors = Error::accumulator();
    let kind = primitive(&field.ty);
    let kind = kind.as_deref();
    let mut wrong = |text: &Text, message: String| errors.push(Error::custom(message).with_span(&text.span()));
    if let (Some(kind), Some(text)) = (kind, &field.length) {
        wrong(text, format!("a `{kind}` has no length"));
    }
    if kind == Some("bool") {
        for text in [&field.range, &field.draw, &field.scale].into_iter().flatten() {
            wrong(text, "a `bool` has no range and no scale".to_owned());
        }
    }
    let mut read = |text: &Option<Text>| -> Option<DeclaredRange> {
        let text = text.as_ref()?;
        match DeclaredRange::parse(text.as_ref()) {
            Ok(range) => {
                let whole = kind.is_some_and(|kind| !matches!(kind, "f64" | "bool"));
                let broken = [range.low, range.high].into_iter().find(|x| x.is_finite() && x.fract() != 0.0);
                if let (true, Some(end)) = (whole, broken) {
                    wrong(text, format!("{end} is not a whole number, as `{}` holds", kind.unwrap_or_default()));
                }
                if let (true, true) =
                    (kind.is_some_and(|kind| kind.starts_with('u')), range.low < 0.0 && range.low.is_finite())
                {
                    wrong(text, format!("{} is negative, and a `{}` is not", range.low, kind.unwrap_or_default()));
                }
                Some(range)
            }
            Err(message) => {
                wrong(text, message);
                None
            }
        }
    };
    let (range, draw) = (read(&field.range), read(&field.draw));
    if let (Some(range), Some(draw), Some(text)) = (range, draw, &field.draw)
        && (draw.low < range.low || draw.high > range.high)
    {
        wrong(text, "numbers are drawn from within the range".to_owned());
    }
    let weights = field.weights.is_present();
    if let (true, Some(DeclaredRange { low, .. }), Some(text)) = (weights, range, &field.range)
        && low < 0.0
    {
        wrong(text, "weights are not negative".to_owned());
    }
    let scale = match field.scale.as_ref().map(|text| (text, text.as_str())) {
        None | Some((_, "linear")) => quote!(Linear),
        Some((_, "logarithmic")) => quote!(Logarithmic),
        Some((text, other)) => {
            wrong(text, format!("`{other}` is neither `linear` nor `logarithmic`"));
            quote!(Linear)
        }
    };
    if let (Some(kind), true) = (kind, weights) {
        let message = format!("one `{kind}` is no list of weights");
        errors.push(Error::custom(message).with_span(&field.weights.span()));
    }
    errors.finish()?;
    let range_tokens = |range: DeclaredRange| {
        let end = |x: f64| match x {
            f64::INFINITY => quote!(f64::INFINITY),
            f64::NEG_INFINITY => quote!(f64::NEG_INFINITY),
            x => quote!(#x),
        };
        let (low, high) = (end(range.low), end(range.high));
        let (low_open, high_open) = (range.low_open, range.high_open);
        quote!(#engine::Range {
            low: #low, high: #high, low_open: #low_open, high_open: #high_open, declared: true
        })
    };
    let not_negative = DeclaredRange { low: 0.0, high: f64::INFINITY, low_open: false, high_open: true };
    let range = match range.or(weights.then_some(not_negative)) {
        Some(range) => range_tokens(range),
        None => quote!(#engine::Range::FINITE),
    };
    let typical = match draw {
        Some(range) => {
            let range = range_tokens(range);
            quote!(::core::option::Option::Some(#range))
        }
        None => quote!(::core::option::Option::None),
    };
    let arrangement = match (weights, field.symmetric.is_present()) {
        (true, _) => quote!(Weights),
        (_, true) => quote!(Symmetric),
        _ => quote!(Plain),
    };
    let unit = field.unit.clone().unwrap_or_default();
    let lengths = lengths.iter().map(|length| length.tokens(engine));
    Ok(quote! {
        unit: #unit,
        range: #range,
        typical: #typical,
        scale: #engine::Scale::#scale,
        arrangement: #engine::Arrangement::#arrangement,
        lengths: &[#(#lengths),*],
    })
}
