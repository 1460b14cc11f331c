//! A JavaScript value as serde asks for it.

use js_sys::{Array, Number, Object};
use serde::de::{Deserializer, Visitor};
use wasm_bindgen::{JsCast, JsValue};

use crate::{
    Error,
    fields::{Entries, Fields, Items, Variant},
};

/// A value.
pub(crate) struct Value(pub(crate) JsValue);

impl Value {
    fn is_nothing(&self) -> bool {
        self.0.is_null() || self.0.is_undefined()
    }

    fn bool(&self) -> Result<bool, Error> {
        self.0.as_bool().ok_or_else(|| Error::instead(&self.0, "true or false"))
    }

    fn number(&self) -> Result<f64, Error> {
        self.0.as_f64().ok_or_else(|| Error::instead(&self.0, "a number"))
    }

    fn integer(&self) -> Result<i64, Error> {
        match self.0.as_f64() {
            Some(x) if Number::is_safe_integer(&self.0) => Ok(x as i64),
            _ => Err(Error::instead(&self.0, "a whole number")),
        }
    }

    fn count(&self) -> Result<u64, Error> {
        u64::try_from(self.integer()?).map_err(|_| Error::instead(&self.0, "a count"))
    }

    fn string(&self) -> Result<String, Error> {
        self.0.as_string().ok_or_else(|| Error::instead(&self.0, "a text"))
    }

    pub(crate) fn items(self) -> Result<Items, Error> {
        let array = self.0.dyn_into().map_err(|value| Error::instead(&value, "a list"))?;
        Ok(Items { array, at: 0 })
    }

    pub(crate) fn fields(self, names: &'static [&'static str]) -> Result<Fields, Error> {
        if !self.0.is_object() {
            return Err(Error::instead(&self.0, "an object"));
        }
        Ok(Fields { object: self.0, names: names.iter() })
    }

    pub(crate) fn entries(self) -> Result<Entries, Error> {
        if !self.0.is_object() {
            return Err(Error::instead(&self.0, "an object"));
        }
        let array = Object::entries(self.0.unchecked_ref());
        Ok(Entries { pairs: Items { array, at: 0 }, value: JsValue::UNDEFINED })
    }
}

/// Methods that ask for a number of one width are one for all: serde converts, and says what does not fit.
macro_rules! by {
    ($visit:ident, $get:ident: $($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(self.$get()?)
        })*
    };
}

impl<'de> Deserializer<'de> for Value {
    type Error = Error;

    by!(visit_bool, bool: deserialize_bool);
    by!(visit_i64, integer: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64);
    by!(visit_u64, count: deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64);
    by!(visit_f64, number: deserialize_f32 deserialize_f64);
    by!(visit_string, string: deserialize_char deserialize_str deserialize_string deserialize_identifier);
    by!(visit_seq, items: deserialize_seq);
    by!(visit_map, entries: deserialize_map);

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_nothing() {
            visitor.visit_unit()
        } else if let Some(truth) = self.0.as_bool() {
            visitor.visit_bool(truth)
        } else if let Ok(count) = self.count() {
            visitor.visit_u64(count)
        } else if let Some(number) = self.0.as_f64() {
            visitor.visit_f64(number)
        } else if let Some(text) = self.0.as_string() {
            visitor.visit_string(text)
        } else if Array::is_array(&self.0) {
            visitor.visit_seq(self.items()?)
        } else {
            visitor.visit_map(self.entries()?)
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_nothing() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _count: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(self.items()?)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _count: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self.items()?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self.fields(names)?)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(Variant::of(self.0)?)
    }

    /// Wire types hold no bytes: these come beside the message.
    fn deserialize_bytes<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::instead(&self.0, "bytes"))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::instead(&self.0, "bytes"))
    }
}
