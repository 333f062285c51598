//! Reading a value from a form, with other numbers in place of its own.

use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

use super::{FormError, Token};

/// What is still to be read. A value is read from front to back, so the next number to be read is always the next coordinate.
pub(super) struct Reader<'de, 'n> {
    tokens: std::slice::Iter<'de, Token>,
    numbers: std::slice::Iter<'n, f64>,
    /// JSON has texts for keys, those of maps from whole numbers too.
    in_key: bool,
}

/// What a type asks for is not what was written.
fn other(token: &Token, asked: &str) -> FormError {
    FormError(format!("{asked} is expected, not {token:?}"))
}

fn ended() -> FormError {
    FormError("the value ends too early".into())
}

impl<'de, 'n> Reader<'de, 'n> {
    pub(super) fn new(tokens: &'de [Token], numbers: &'n [f64]) -> Self {
        Reader { tokens: tokens.iter(), numbers: numbers.iter(), in_key: false }
    }

    fn next(&mut self) -> Result<&'de Token, FormError> {
        self.tokens.next().ok_or_else(ended)
    }

    fn number(&mut self) -> Result<f64, FormError> {
        self.numbers.next().copied().ok_or_else(ended)
    }

    fn peek(&self) -> Option<&'de Token> {
        self.tokens.as_slice().first()
    }

    // What follows does not depend on the type that is read, and is compiled once.

    fn text(&mut self) -> Result<&'de str, FormError> {
        match self.next()? {
            Token::Name(name) => Ok(name),
            Token::Text(text) => Ok(text),
            token => Err(other(token, "a text")),
        }
    }

    fn items(&mut self) -> Result<Remaining<'_, 'de, 'n>, FormError> {
        match self.next()? {
            Token::Items(count) => Ok(self.these(*count)),
            token => Err(other(token, "a list")),
        }
    }

    fn pairs(&mut self) -> Result<Remaining<'_, 'de, 'n>, FormError> {
        match self.next()? {
            Token::Pairs(count) => Ok(self.these(*count)),
            token => Err(other(token, "a map")),
        }
    }

    fn these(&mut self, left: usize) -> Remaining<'_, 'de, 'n> {
        Remaining { reader: self, left }
    }
}

/// A list or map of which so many items are left.
struct Remaining<'r, 'de, 'n> {
    reader: &'r mut Reader<'de, 'n>,
    left: usize,
}

impl Remaining<'_, '_, '_> {
    /// A type that stops early has read another value than the one that was written.
    fn finish(self) -> Result<(), FormError> {
        if self.left > 0 {
            return Err(FormError(format!("{} items were not read", self.left)));
        }
        Ok(())
    }
}

impl<'de> de::SeqAccess<'de> for Remaining<'_, 'de, '_> {
    type Error = FormError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, FormError> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> de::MapAccess<'de> for Remaining<'_, 'de, '_> {
    type Error = FormError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, FormError> {
        self.reader.in_key = true;
        let key = de::SeqAccess::next_element_seed(self, seed);
        self.reader.in_key = false;
        key
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, FormError> {
        seed.deserialize(&mut *self.reader)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// Numbers of every kind are read alike.
macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
            self.deserialize_f64(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Reader<'de, '_> {
    type Error = FormError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        let Some(token) = self.peek() else { return Err(ended()) };
        match token {
            Token::Null => self.deserialize_unit(visitor),
            Token::Flag(_) | Token::Truth(_) => self.deserialize_bool(visitor),
            Token::Real(_) | Token::Whole(_) | Token::Unsigned(_) | Token::Signed(_) => self.deserialize_f64(visitor),
            Token::Name(_) | Token::Text(_) => self.deserialize_str(visitor),
            Token::Items(_) => self.deserialize_seq(visitor),
            Token::Pairs(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        match self.next()? {
            Token::Null => visitor.visit_unit(),
            token => Err(other(token, "nothing")),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        match self.next()? {
            Token::Flag(_) => match self.number()?.round() {
                0.0 => visitor.visit_bool(false),
                1.0 => visitor.visit_bool(true),
                x => Err(FormError(format!("{x} is neither 0 for false nor 1 for true"))),
            },
            Token::Truth(flag) => visitor.visit_bool(*flag),
            token => Err(other(token, "true or false")),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        match self.next()? {
            Token::Real(_) => visitor.visit_f64(self.number()?),
            Token::Whole(_) => {
                let x = self.number()?.round();
                // Both conversions saturate, far outside of what any coordinate's range holds; the type refuses the rest.
                if x < 0.0 { visitor.visit_i64(x as i64) } else { visitor.visit_u64(x as u64) }
            }
            Token::Unsigned(n) => visitor.visit_u64(*n),
            Token::Signed(n) => visitor.visit_i64(*n),
            Token::Text(text) if self.in_key => match (text.parse(), text.parse()) {
                (Ok(n), _) => visitor.visit_u64(n),
                (_, Ok(n)) => visitor.visit_i64(n),
                _ => Err(FormError(format!("a whole number is expected, not {text:?}"))),
            },
            token => Err(other(token, "a number")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        let mut items = self.items()?;
        let value = visitor.visit_seq(&mut items)?;
        items.finish()?;
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        let mut items = self.pairs()?;
        let value = visitor.visit_map(&mut items)?;
        items.finish()?;
        Ok(value)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        if self.peek() == Some(&Token::Null) {
            self.next()?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, FormError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormError> {
        match self.next()? {
            Token::Name(name) => visitor.visit_enum((*name).into_deserializer()),
            Token::Text(text) => visitor.visit_enum((&**text).into_deserializer()),
            Token::Pairs(1) => visitor.visit_enum(Variant(self)),
            other => Err(FormError(format!("a variant is expected, not {other:?}"))),
        }
    }

    // What a type asks for is all that is compiled for it: read by what stands there, every type would bring the code of all the others.
    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32
        deserialize_u64 deserialize_u128 deserialize_f32
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, FormError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, FormError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, FormError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormError> {
        self.deserialize_map(visitor)
    }

    forward_to_deserialize_any! { bytes byte_buf ignored_any }
}

/// A variant with fields: its name, then its fields.
struct Variant<'r, 'de, 'n>(&'r mut Reader<'de, 'n>);

impl<'de> de::EnumAccess<'de> for Variant<'_, 'de, '_> {
    type Error = FormError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), FormError> {
        let name = seed.deserialize(&mut *self.0)?;
        Ok((name, self))
    }
}

impl<'de> de::VariantAccess<'de> for Variant<'_, 'de, '_> {
    type Error = FormError;

    fn unit_variant(self) -> Result<(), FormError> {
        de::Deserialize::deserialize(self.0)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, FormError> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, FormError> {
        self.0.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, FormError> {
        self.0.deserialize_map(visitor)
    }
}
