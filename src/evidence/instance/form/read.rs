//! Reading a value from a form, with other numbers in place of its own.

use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

use super::{FormError, Token};

/// What is still to be read. A value is read from front to back, so the next number to be read is always the next coordinate.
pub(super) struct Reader<'de, 'n> {
    tokens: std::slice::Iter<'de, Token>,
    numbers: std::slice::Iter<'n, f64>,
}

fn ended() -> FormError {
    FormError("the value ends too early".into())
}

impl<'de, 'n> Reader<'de, 'n> {
    pub(super) fn new(tokens: &'de [Token], numbers: &'n [f64]) -> Self {
        Reader {
            tokens: tokens.iter(),
            numbers: numbers.iter(),
        }
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
}

/// A list or map of which so many items are left.
struct Items<'r, 'de, 'n> {
    reader: &'r mut Reader<'de, 'n>,
    left: usize,
}

impl Items<'_, '_, '_> {
    /// A type that stops early has read another value than the one that was written.
    fn finish<V>(self, value: V) -> Result<V, FormError> {
        if self.left > 0 {
            return Err(FormError(format!("{} items were not read", self.left)));
        }
        Ok(value)
    }
}

impl<'de> de::SeqAccess<'de> for Items<'_, 'de, '_> {
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

impl<'de> de::MapAccess<'de> for Items<'_, 'de, '_> {
    type Error = FormError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, FormError> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, FormError> {
        seed.deserialize(&mut *self.reader)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de, '_> {
    type Error = FormError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        match self.next()? {
            Token::Null => visitor.visit_unit(),
            Token::Flag(flag) => visitor.visit_bool(*flag),
            Token::Real(_) => visitor.visit_f64(self.number()?),
            Token::Whole(_) => {
                let x = self.number()?.round();
                // Both conversions saturate, far outside of what any coordinate's range holds; the type refuses the rest.
                if x < 0.0 {
                    visitor.visit_i64(x as i64)
                } else {
                    visitor.visit_u64(x as u64)
                }
            }
            Token::Unsigned(n) => visitor.visit_u64(*n),
            Token::Signed(n) => visitor.visit_i64(*n),
            Token::Name(name) => visitor.visit_borrowed_str(name),
            Token::Text(text) => visitor.visit_borrowed_str(text),
            Token::Items(count) => {
                let mut items = Items {
                    reader: self,
                    left: *count,
                };
                let value = visitor.visit_seq(&mut items)?;
                items.finish(value)
            }
            Token::Pairs(count) => {
                let mut items = Items {
                    reader: self,
                    left: *count,
                };
                let value = visitor.visit_map(&mut items)?;
                items.finish(value)
            }
        }
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

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
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
        self.0.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, FormError> {
        self.0.deserialize_any(visitor)
    }
}
