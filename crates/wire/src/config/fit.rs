//! JSON as a value of a type of ours, where what does not fit is a [`Fault`] and no sentence of another library.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{
        self, Expected, IntoDeserializer, Unexpected, Visitor,
        value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::Value;

use super::error::{Fault, Found, Wanted};

/// The value that the JSON is.
///
/// # Errors
/// What of it does not fit; where in it is not told.
pub(super) fn fitted<'de, T: Deserialize<'de>>(value: &'de Value) -> Result<T, Fault> {
    T::deserialize(Json(value))
}

#[derive(Clone, Copy)]
struct Json<'de>(&'de Value);

impl<'de> Deserializer<'de> for Json<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(truth) => visitor.visit_bool(*truth),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), ..) => visitor.visit_u64(number),
                (_, Some(number), _) => visitor.visit_i64(number),
                (_, _, Some(number)) => visitor.visit_f64(number),
                _ => Err(Fault::Unfit { why: number.to_string() }),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => {
                let mut items = SeqDeserializer::new(items.iter().map(Json));
                let value = visitor.visit_seq(&mut items)?;
                items.end().map(|()| value)
            }
            Value::Object(map) => {
                let mut parts =
                    MapDeserializer::new(map.iter().map(|(name, value)| (name.as_str(), Json(value))));
                let value = visitor.visit_map(&mut parts)?;
                parts.end().map(|()| value)
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(variant) => {
                variant.as_str().into_deserializer().deserialize_enum(name, variants, visitor)
            }
            Value::Object(map) if map.len() == 1 => {
                let parts =
                    MapDeserializer::new(map.iter().map(|(name, value)| (name.as_str(), Json(value))));
                visitor.visit_enum(MapAccessDeserializer::new(parts))
            }
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Fault> for Json<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(why: T) -> Self {
        Self::Unfit { why: why.to_string() }
    }

    fn invalid_type(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Self::Type { wanted: self::wanted(wanted), found: self::found(found) }
    }

    fn invalid_value(found: Unexpected<'_>, wanted: &dyn Expected) -> Self {
        Self::invalid_type(found, wanted)
    }

    fn invalid_length(items: usize, wanted: &dyn Expected) -> Self {
        Self::Length { items, wanted: wanted.to_string() }
    }

    fn unknown_variant(text: &str, known: &'static [&'static str]) -> Self {
        Self::NoChoice { text: text.into(), known: known.to_vec() }
    }

    fn unknown_field(part: &str, known: &'static [&'static str]) -> Self {
        Self::UnknownPart { part: part.into(), known: known.to_vec() }
    }

    fn missing_field(part: &'static str) -> Self {
        Self::NoPart { part: part.into() }
    }

    fn duplicate_field(part: &'static str) -> Self {
        Self::PartTwice { part: part.into() }
    }
}

/// What serde's visitors say that they want.
fn wanted(wanted: &dyn Expected) -> Wanted {
    match wanted.to_string() {
        what if what == "a boolean" => Wanted::Truth,
        what if ["u8", "u16", "u32", "u64", "usize"].contains(&what.as_str()) => Wanted::Whole,
        what if ["f32", "f64"].contains(&what.as_str()) => Wanted::Number,
        what if ["a string", "str"].contains(&what.as_str()) || what.starts_with("variant identifier") => {
            Wanted::Text
        }
        what if what == "a sequence" => Wanted::List,
        what if what == "a map" || what.starts_with("struct ") => Wanted::Object,
        what => Wanted::Other { what },
    }
}

fn found(found: Unexpected<'_>) -> Found {
    use lookalike_words::Figure;
    match found {
        Unexpected::Bool(truth) => Found::Truth { truth },
        Unexpected::Unsigned(number) => Found::Number { number: u128::from(number).into() },
        // Whole numbers below 0 are small here: a double has their digits.
        Unexpected::Signed(number) => Found::Number { number: Figure::fixed(number as f64, 0) },
        Unexpected::Float(number) => Found::Number { number: Figure::shortest(number) },
        Unexpected::Str(text) => Found::Text { text: text.into() },
        Unexpected::Unit | Unexpected::Option => Found::Null,
        Unexpected::Seq => Found::List,
        Unexpected::Map => Found::Object,
        other => Found::Other { what: other.to_string() },
    }
}
