//! A message on its way: its identity with its arguments.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeStruct};

use crate::{
    Arg,
    arg::Args,
    catalogue::english_catalogue,
    speaker::{Speaker, english},
};

/// A message as its identity, such as `table.Error.NoColumn`, with its arguments. `Display` is English.
///
/// As JSON it has its English text, too, for readers without the catalogue, and for those with another one: a message that a
/// catalogue lacks is shown by this text. A text alone is read as [`Said::verbatim`].
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    id: Cow<'static, str>,
    args: Args,
    /// English words of a message that the catalogue does not have.
    text: Option<String>,
}

impl Said {
    /// A message of this identity, its arguments by name.
    #[must_use]
    pub fn new<const N: usize>(id: &'static str, args: [(&'static str, Arg); N]) -> Self {
        Self {
            id: Cow::Borrowed(id),
            args: args.into_iter().map(|(name, arg)| (Cow::Borrowed(name), arg)).collect(),
            text: None,
        }
    }

    /// Words that no catalogue has: what another program said.
    #[must_use]
    pub fn verbatim(text: impl Into<String>) -> Self {
        Self { id: Cow::Borrowed(""), args: Args::new(), text: Some(text.into()) }
    }

    /// Its identity: crate, enum and variant, such as `table.Error.NoColumn`; empty if it has none.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// An argument.
    #[must_use]
    pub fn arg(&self, name: &str) -> Option<&Arg> {
        self.args.get(name)
    }

    pub(crate) fn args(&self) -> &Args {
        &self.args
    }

    /// The words it brings along, for want of others.
    pub(crate) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Speaker::english().words(self))
    }
}

impl Serialize for Said {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut said = serializer.serialize_struct("Said", 3)?;
        said.serialize_field("id", &self.id)?;
        said.serialize_field("args", &self.args)?;
        said.serialize_field("text", &english(self))?;
        said.end()
    }
}

/// A message as it is written, or the sentences of earlier versions.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Message {
        id: String,
        #[serde(default)]
        args: Args,
        #[serde(default)]
        text: Option<String>,
    },
}

impl<'de> Deserialize<'de> for Said {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Written::deserialize(deserializer)? {
            Written::Text(text) => Self::verbatim(text),
            Written::Message { id, args, text } => {
                let known = english_catalogue().template(&id).is_some();
                Self { id: Cow::Owned(id), args, text: text.filter(|_| !known) }
            }
        })
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Said {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        use utoipa::openapi::{ObjectBuilder, Type};
        let field = |kind| ObjectBuilder::new().schema_type(kind);
        ObjectBuilder::new()
            .description(Some("A message: its identity with its arguments, and its English text."))
            .property("id", field(Type::String))
            .property("args", field(Type::Object))
            .property("text", field(Type::String))
            .required("id")
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Said {}
