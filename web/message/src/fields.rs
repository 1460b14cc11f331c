//! What stands within a value: fields by name, items in order, entries.

use js_sys::{Array, Reflect};
use serde::de::{DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use wasm_bindgen::JsValue;

use crate::{Error, value::Value};

/// The fields of an object, in the order of the type that is read.
pub(crate) struct Fields {
    pub(crate) object: JsValue,
    pub(crate) names: std::slice::Iter<'static, &'static str>,
}

impl Fields {
    /// The next field; `None` if the object does not have it.
    fn next(&mut self) -> Option<JsValue> {
        let name = JsValue::from_str(self.names.next()?);
        let found = Reflect::get(&self.object, &name).ok()?;
        let missing = found.is_undefined() && !Reflect::has(&self.object, &name).unwrap_or(false);
        (!missing).then_some(found)
    }
}

impl<'de> SeqAccess<'de> for Fields {
    type Error = Error;

    /// "None" for a field that is missing: its default takes its place, and the next one is asked for all the same.
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.next().map(|found| seed.deserialize(Value(found))).transpose()
    }
}

/// The items of an array.
pub(crate) struct Items {
    pub(crate) array: Array,
    pub(crate) at: u32,
}

impl Items {
    fn next(&mut self) -> Option<JsValue> {
        let item = (self.at < self.array.length()).then(|| self.array.get(self.at));
        self.at += 1;
        item
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.next().map(|item| seed.deserialize(Value(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some((self.array.length() - self.at.min(self.array.length())) as usize)
    }
}

/// The entries of an object, as pairs.
pub(crate) struct Entries {
    pub(crate) pairs: Items,
    pub(crate) value: JsValue,
}

impl Entries {
    fn next(&mut self) -> Option<JsValue> {
        let (key, value) = pair(&self.pairs.next()?);
        self.value = value;
        Some(key)
    }
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.next().map(|key| seed.deserialize(Value(key))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Value(std::mem::replace(&mut self.value, JsValue::UNDEFINED)))
    }
}

/// A variant with what it holds.
pub(crate) struct Variant {
    pub(crate) name: JsValue,
    pub(crate) content: JsValue,
}

impl Variant {
    /// A name alone, or an object with the name as its only key.
    pub(crate) fn of(value: JsValue) -> Result<Self, Error> {
        if value.is_string() {
            return Ok(Self { name: value, content: JsValue::UNDEFINED });
        }
        let mut entries = Value(value).entries()?;
        match (entries.next(), entries.pairs.array.length()) {
            (Some(name), 1) => Ok(Self { name, content: entries.value }),
            _ => Err(Error(String::from("no variant, or more than one"))),
        }
    }
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = Value;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Value), Error> {
        Ok((seed.deserialize(Value(self.name))?, Value(self.content)))
    }
}

impl<'de> VariantAccess<'de> for Value {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _count: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(self.items()?)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self.fields(names)?)
    }
}

fn pair(of: &JsValue) -> (JsValue, JsValue) {
    let part = |at| Reflect::get_u32(of, at).unwrap_or(JsValue::UNDEFINED);
    (part(0), part(1))
}
