//! A form as JSON: what `serde_json` makes of the value itself, compiled once and not for every type.

use std::cell::RefCell;
use std::slice::Iter;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{Form, Token};

impl Serialize for Form {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Rest(RefCell::new(self.tokens.iter())).serialize(serializer)
    }
}

/// What is still to be written; each value takes its own tokens off the front.
struct Rest<'f>(RefCell<Iter<'f, Token>>);

impl Serialize for Rest<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let token = self.0.borrow_mut().next();
        match token {
            None | Some(Token::Null) => serializer.serialize_unit(),
            Some(Token::Flag(flag) | Token::Truth(flag)) => serializer.serialize_bool(*flag),
            Some(Token::Real(x)) => serializer.serialize_f64(*x),
            // Exact: no token of this kind lies beyond 2^53.
            Some(Token::Whole(x)) if *x < 0.0 => serializer.serialize_i64(*x as i64),
            Some(Token::Whole(x)) => serializer.serialize_u64(*x as u64),
            Some(Token::Unsigned(n)) => serializer.serialize_u64(*n),
            Some(Token::Signed(n)) => serializer.serialize_i64(*n),
            Some(Token::Name(name)) => serializer.serialize_str(name),
            Some(Token::Text(text)) => serializer.serialize_str(text),
            Some(Token::Items(count)) => {
                let mut items = serializer.serialize_seq(Some(*count))?;
                for _ in 0..*count {
                    items.serialize_element(self)?;
                }
                items.end()
            }
            Some(Token::Pairs(count)) => {
                let mut pairs = serializer.serialize_map(Some(*count))?;
                for _ in 0..*count {
                    pairs.serialize_key(self)?;
                    pairs.serialize_value(self)?;
                }
                pairs.end()
            }
        }
    }
}
