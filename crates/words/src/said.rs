//! A message on its way: its identity with its arguments.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _, ser::SerializeStruct};

use crate::{Arg, arg::Args, catalogue::english_catalogue, speaker::english};

/// Messages within messages that are read, at most. A template may say an argument twice, so that words would double with each
/// of them; those of our own have a few.
const DEEPEST: usize = 12;

/// A message as its identity, such as `table.Error.NoColumn`, with its arguments. `Display` is English.
///
/// As JSON it has its English text, too, for readers without the catalogue, and for those with another one: a message that a
/// catalogue lacks is shown by this text. A text alone is read as [`Said::verbatim`]. The default says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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

    /// Whether it says nothing: neither a message nor words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.id.is_empty() && self.text.as_ref().is_none_or(String::is_empty)
    }

    /// The same with each text in it changed, also those of its arguments and of messages within: for what must not be shown as
    /// another machine has sent it.
    #[must_use]
    pub fn map_texts(&self, change: &dyn Fn(&str) -> String) -> Self {
        Self {
            id: Cow::Owned(change(&self.id)),
            args: self.args.iter().map(|(name, arg)| (name.clone(), arg.map_texts(change))).collect(),
            text: self.text.as_deref().map(change),
        }
    }

    /// How many messages are within each other below this one, at most.
    pub(crate) fn depth(&self) -> usize {
        self.args.values().map(Arg::depth).max().unwrap_or(0)
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
        f.write_str(&english(self))
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
        let said = match Written::deserialize(deserializer)? {
            Written::Text(text) => Self::verbatim(text),
            Written::Message { id, args, text } => {
                let known = english_catalogue().template(&id).is_some();
                Self { id: Cow::Owned(id), args, text: text.filter(|_| !known) }
            }
        };
        if said.depth() > DEEPEST {
            return Err(D::Error::custom("too many messages within each other"));
        }
        Ok(said)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> String {
        (0..depth)
            .fold(String::from("\"x\""), |inner, _| format!(r#"{{"id":"a.B.C","args":{{"x":{inner}}}}}"#))
    }

    #[test]
    fn messages_are_not_nested_without_end() {
        assert!(serde_json::from_str::<Said>(&nested(DEEPEST + 1)).is_ok());
        assert!(serde_json::from_str::<Said>(&nested(DEEPEST + 2)).is_err());
    }

    #[test]
    fn every_text_can_be_changed() {
        let json = r#"{"id":"a.B.C","args":{"x":["a",{"name":"b"},{"cell":"c"},{"figure":"d"},{"id":"e","text":"f"},7]},"text":"g"}"#;
        let said: Said = serde_json::from_str(json).unwrap();
        let loud = serde_json::to_string(&said.map_texts(&str::to_uppercase)).unwrap();
        assert_eq!(
            loud,
            r#"{"id":"A.B.C","args":{"x":["A",{"name":"B"},{"cell":"C"},{"figure":"D"},{"id":"E","args":{},"text":"F"},7]},"text":"G"}"#
        );
        assert!(Said::default().is_empty() && !said.is_empty());
    }
}
