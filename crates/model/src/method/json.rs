//! A method as JSON: its name, or an object with its name and those of its options that are not the defaults.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, IntoDeserializer as _, MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::{Construction, Method, MethodAsked, MethodName, Misplaced};

/// How a method is written.
#[cfg(feature = "openapi")]
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
#[schema(as = Method)]
pub enum MethodForm {
    /// By its name, with the default of each option.
    Name(MethodName),
    /// With options: those that it does not take are refused.
    Asked(MethodAsked),
}

/// How the construction that a search starts from is written.
#[cfg(feature = "openapi")]
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(untagged)]
#[schema(as = Construction)]
pub enum ConstructionForm {
    /// By its name, with the default of each option.
    Name(MethodName),
    /// With options.
    Asked {
        /// Its name.
        name: MethodName,
        /// The order of its list.
        order: Option<super::SortOrder>,
        /// How Split & Carry makes its sub-problems.
        carry: Option<super::CarryOptions>,
    },
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write((*self).into(), serializer)
    }
}

impl Serialize for Construction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write((*self).into(), serializer)
    }
}

fn write<S: Serializer>(asked: MethodAsked, serializer: S) -> Result<S::Ok, S::Error> {
    match asked.name {
        Some(name) if !asked.has_options() => name.serialize(serializer),
        _ => asked.serialize(serializer),
    }
}

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either(PhantomData))
    }
}

impl<'de> Deserialize<'de> for Construction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Either(PhantomData))
    }
}

impl TryFrom<MethodAsked> for Construction {
    type Error = Misplaced;

    fn try_from(asked: MethodAsked) -> Result<Self, Misplaced> {
        match asked.method()? {
            Method::Construct(construction) => Ok(construction),
            other => Err(Misplaced::NotAStart { method: other.name().name() }),
        }
    }
}

/// Reads a name or an object.
struct Either<T>(PhantomData<T>);

impl<'de, T: TryFrom<MethodAsked, Error = Misplaced>> Visitor<'de> for Either<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a method, or an object with its name and its options")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        let name = MethodName::deserialize(name.into_deserializer())?;
        T::try_from(MethodAsked { name: Some(name), ..MethodAsked::default() }).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        let asked = MethodAsked::deserialize(MapAccessDeserializer::new(map))?;
        T::try_from(asked).map_err(de::Error::custom)
    }
}
