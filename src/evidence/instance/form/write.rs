//! Writing a value as a form.

use serde::{Serialize, ser};

use super::{Form, FormError, Token};
use crate::instance::layout::{Coordinate, CoordinateKind, Range, Scale};

/// From this on a double may be the nearest to several whole numbers.
const EXACT: f64 = 9_007_199_254_740_992.0;

#[derive(Default)]
pub(super) struct Writer {
    tokens: Vec<Token>,
    coordinates: Vec<Coordinate>,
    /// Numbers in keys of maps stay: moved keys could meet.
    in_key: bool,
}

impl Writer {
    /// The form, if it was `written` to the end.
    pub(super) fn into_form(self, written: Result<(), FormError>) -> Result<Form, FormError> {
        written.map(|()| Form { tokens: self.tokens, coordinates: self.coordinates })
    }

    fn push(&mut self, token: Token) {
        self.tokens.push(token);
    }

    fn real(&mut self, x: f64, largest: f64) -> Result<(), FormError> {
        if self.in_key {
            return Err(FormError("a key of a map is a floating-point number".into()));
        }
        let range = if largest == f64::MAX { Range::FINITE } else { Range::closed(-largest, largest).undeclared() };
        self.push(Token::Real(x));
        self.coordinates.push(Coordinate { range, ..Coordinate::REAL });
        Ok(())
    }

    fn whole(&mut self, x: f64, stays: Token, least: f64, greatest: f64) -> Result<(), FormError> {
        if self.in_key || x.abs() >= EXACT {
            self.push(stays);
            return Ok(());
        }
        let range = Range::closed(least.max(-EXACT), greatest.min(EXACT)).undeclared();
        self.push(Token::Whole(x));
        self.coordinates.push(Coordinate {
            kind: CoordinateKind::Integer,
            range,
            typical: range,
            scale: Scale::Linear,
        });
        Ok(())
    }

    fn open(&mut self, token: fn(usize) -> Token) -> Open<'_> {
        let at = self.tokens.len();
        self.push(token(0));
        Open { writer: self, at, token, count: 0 }
    }

    /// A variant with fields: a map from its name to them.
    fn variant(&mut self, name: &'static str) {
        self.push(Token::Pairs(1));
        self.push(Token::Name(name));
    }
}

/// A list or map that is being written; its length is filled in at the end.
pub(super) struct Open<'a> {
    writer: &'a mut Writer,
    at: usize,
    token: fn(usize) -> Token,
    count: usize,
}

impl Open<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FormError> {
        self.count += 1;
        value.serialize(&mut *self.writer)
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), FormError> {
        self.writer.push(Token::Name(name));
        self.item(value)
    }

    fn close(self) -> Result<(), FormError> {
        self.writer.tokens[self.at] = (self.token)(self.count);
        Ok(())
    }
}

macro_rules! whole {
    ($($method:ident: $type:ty => $stays:ident as $wide:ty;)*) => {$(
        fn $method(self, x: $type) -> Result<(), FormError> {
            self.whole(x as f64, Token::$stays(x as $wide), <$type>::MIN as f64, <$type>::MAX as f64)
        }
    )*};
}

impl<'a> ser::Serializer for &'a mut Writer {
    type Ok = ();
    type Error = FormError;
    type SerializeSeq = Open<'a>;
    type SerializeTuple = Open<'a>;
    type SerializeTupleStruct = Open<'a>;
    type SerializeTupleVariant = Open<'a>;
    type SerializeMap = Open<'a>;
    type SerializeStruct = Open<'a>;
    type SerializeStructVariant = Open<'a>;

    whole! {
        serialize_i8: i8 => Signed as i64;
        serialize_i16: i16 => Signed as i64;
        serialize_i32: i32 => Signed as i64;
        serialize_i64: i64 => Signed as i64;
        serialize_u8: u8 => Unsigned as u64;
        serialize_u16: u16 => Unsigned as u64;
        serialize_u32: u32 => Unsigned as u64;
        serialize_u64: u64 => Unsigned as u64;
    }

    fn serialize_bool(self, flag: bool) -> Result<(), FormError> {
        if self.in_key {
            self.push(Token::Truth(flag));
            return Ok(());
        }
        let range = Range::closed(0.0, 1.0);
        self.push(Token::Flag(flag));
        self.coordinates.push(Coordinate { kind: CoordinateKind::Choice, range, typical: range, scale: Scale::Linear });
        Ok(())
    }

    fn serialize_f32(self, x: f32) -> Result<(), FormError> {
        self.real(f64::from(x), f64::from(f32::MAX))
    }

    fn serialize_f64(self, x: f64) -> Result<(), FormError> {
        self.real(x, f64::MAX)
    }

    fn serialize_char(self, letter: char) -> Result<(), FormError> {
        self.serialize_str(letter.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<(), FormError> {
        self.push(Token::Text(text.into()));
        Ok(())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), FormError> {
        self.push(Token::Items(bytes.len()));
        bytes.iter().for_each(|&b| self.push(Token::Unsigned(b.into())));
        Ok(())
    }

    fn serialize_none(self) -> Result<(), FormError> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), FormError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), FormError> {
        self.push(Token::Null);
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), FormError> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), FormError> {
        self.push(Token::Name(variant));
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), FormError> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), FormError> {
        self.variant(variant);
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Open<'a>, FormError> {
        Ok(self.open(Token::Items))
    }

    fn serialize_tuple(self, _: usize) -> Result<Open<'a>, FormError> {
        Ok(self.open(Token::Items))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Open<'a>, FormError> {
        Ok(self.open(Token::Items))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'a>, FormError> {
        self.variant(variant);
        Ok(self.open(Token::Items))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Open<'a>, FormError> {
        Ok(self.open(Token::Pairs))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Open<'a>, FormError> {
        Ok(self.open(Token::Pairs))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Open<'a>, FormError> {
        self.variant(variant);
        Ok(self.open(Token::Pairs))
    }
}

macro_rules! list {
    ($($part:ident $method:ident;)*) => {$(
        impl ser::$part for Open<'_> {
            type Ok = ();
            type Error = FormError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FormError> {
                self.item(value)
            }

            fn end(self) -> Result<(), FormError> {
                self.close()
            }
        }
    )*};
}

list! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! fields {
    ($($part:ident)*) => {$(
        impl ser::$part for Open<'_> {
            type Ok = ();
            type Error = FormError;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), FormError> {
                self.field(name, value)
            }

            fn end(self) -> Result<(), FormError> {
                self.close()
            }
        }
    )*};
}

fields!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Open<'_> {
    type Ok = ();
    type Error = FormError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), FormError> {
        let outer = std::mem::replace(&mut self.writer.in_key, true);
        let written = key.serialize(&mut *self.writer);
        self.writer.in_key = outer;
        written
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FormError> {
        self.item(value)
    }

    fn end(self) -> Result<(), FormError> {
        self.close()
    }
}
