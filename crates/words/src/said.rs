//! A message on its way: its identity with its arguments.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, IgnoredAny, MapAccess, Visitor},
    ser::SerializeStruct,
};

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

impl<'de> Deserialize<'de> for Said {
    /// A message as it is written, or the sentences of earlier versions.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Reads a message by what comes, without trying one form after another: with hundreds of columns the page reads thousands.
struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Said;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message or a text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Said, E> {
        Ok(Said::verbatim(text))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Said, E> {
        Ok(Said::verbatim(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Said, A::Error> {
        Fields::read(map)?.said()
    }
}

/// What an object that is a message, or an argument of one, may have.
#[derive(Default)]
pub(crate) struct Fields {
    id: Option<String>,
    args: Option<Args>,
    text: Option<String>,
    /// What an argument's text is, with it.
    pub(crate) what: Option<(What, String)>,
}

/// What the text of an argument is.
#[derive(Clone, Copy)]
pub(crate) enum What {
    Figure,
    Name,
    Cell,
}

impl Fields {
    /// Reads the object.
    pub(crate) fn read<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut read = Self::default();
        while let Some(key) = map.next_key::<String>()? {
            let twice = match &*key {
                "id" => read.id.replace(map.next_value()?).is_some(),
                "args" => read.args.replace(map.next_value()?).is_some(),
                "text" => std::mem::replace(&mut read.text, map.next_value()?).is_some(),
                "figure" => read.what.replace((What::Figure, map.next_value()?)).is_some(),
                "name" => read.what.replace((What::Name, map.next_value()?)).is_some(),
                "cell" => read.what.replace((What::Cell, map.next_value()?)).is_some(),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    false
                }
            };
            if twice {
                return Err(de::Error::custom(format_args!("{key} is there twice")));
            }
        }
        Ok(read)
    }

    /// Whether it is a message.
    pub(crate) fn is_message(&self) -> bool {
        self.id.is_some()
    }

    /// The message.
    pub(crate) fn said<E: de::Error>(self) -> Result<Said, E> {
        let id = self.id.ok_or_else(|| E::missing_field("id"))?;
        let known = english_catalogue().template(&id).is_some();
        let text = self.text.filter(|_| !known);
        let said = Said { id: Cow::Owned(id), args: self.args.unwrap_or_default(), text };
        if said.depth() > DEEPEST {
            return Err(E::custom("too many messages within each other"));
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
    fn what_is_written_is_read_and_nothing_else() {
        let read = |json: &str| serde_json::from_str::<Said>(json);
        // Fields that are not known are left out, in any order; a text alone is one.
        let json = r#"{"later":[1,{"x":null}],"args":{"a":[0,18446744073709551615,"t",{"cell":"c"},{"text":"w","id":"v"}]},"id":"a.B.C"}"#;
        let args = r#"{"a":[0,18446744073709551615,"t",{"cell":"c"},{"id":"v","args":{},"text":"w"}]}"#;
        let written = serde_json::to_string(&read(json).unwrap()).unwrap();
        assert!(written.contains(args), "{written}");
        assert_eq!(read("\"text\"").unwrap(), Said::verbatim("text"));
        assert_eq!(read(r#"{"id":"a.B.C","text":null}"#).unwrap().text(), None);
        for wrong in [
            "7",
            "null",
            "[]",
            "{}",
            r#"{"args":{}}"#,
            r#"{"id":7}"#,
            r#"{"id":"a","id":"b"}"#,
            r#"{"id":"a","args":{"x":-1}}"#,
            r#"{"id":"a","args":{"x":1.5}}"#,
            r#"{"id":"a","args":{"x":null}}"#,
            r#"{"id":"a","args":{"x":{}}}"#,
            r#"{"id":"a","args":{"x":{"cell":"c","name":"n"}}}"#,
            r#"{"id":"a","args":[]}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
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
