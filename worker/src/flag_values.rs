//! Flag values that more than one subcommand takes.

mod fault;

use std::{collections::BTreeMap, fmt, str::FromStr, time::Duration};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use lookalike_model::{
    cells::{CodeLabels, ItemFault, item, quoted, unquoted},
    settings::{ClassColumn, MissingPolicy, RowsAre},
};
use lookalike_wire::config::MissingTold;
use serde::de::{DeserializeOwned, IntoDeserializer, value::Error as NameError};

pub(crate) use self::fault::FlagFault;

/// A list of names: separated by commas; a name that holds a comma stands in double quotes, a quote is doubled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct List(pub(crate) Vec<String>);

impl List {
    /// A name as an item of such a list.
    pub(crate) fn item(name: &str) -> String {
        if name.contains([',', '"', '=']) || name.trim() != name {
            format!("\"{}\"", name.replace('"', "\"\""))
        } else {
            name.to_owned()
        }
    }
}

impl FromStr for List {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let mut items = Vec::new();
        let mut rest = text.trim();
        loop {
            let (item, after) = if let Some(quoted) = rest.strip_prefix('"') {
                unquoted(quoted).ok_or(ItemFault::OpenQuote)?
            } else {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            };
            items.push(item);
            match after.trim_start().strip_prefix(',') {
                Some(next) => rest = next.trim_start(),
                None if after.trim().is_empty() => return Ok(Self(items)),
                None => return Err(FlagFault::NoComma),
            }
        }
    }
}

/// The first pair of a list, and what follows its comma.
fn pair(text: &str) -> Result<(String, String, Option<&str>), FlagFault> {
    let until_comma = |text: &'_ str| text.find(',').unwrap_or(text.len());
    let quoted = text.strip_prefix('"').map(|quoted| unquoted(quoted).ok_or(ItemFault::OpenQuote));
    // A value in double quotes may hold commas, too.
    if let Some((name, value)) = text.split_once("=\"").filter(|(name, _)| !name.contains([',', '"'])) {
        let (value, after) = unquoted(value).ok_or(ItemFault::OpenQuote)?;
        return match after.trim_start().strip_prefix(',') {
            None if !after.trim().is_empty() => Err(FlagFault::NoComma),
            next => Ok((name.trim().to_owned(), value, next)),
        };
    }
    let (item, rest) = match quoted.transpose()? {
        Some((name, after)) if after.trim_start().starts_with('=') => {
            let value = &after.trim_start()[1..];
            let end = until_comma(value);
            return Ok((name, value[..end].trim().to_owned(), value[end..].strip_prefix(',')));
        }
        Some((item, after)) => (item, after.trim_start()),
        None => (text[..until_comma(text)].to_owned(), &text[until_comma(text)..]),
    };
    let Some((name, value)) = item.rsplit_once('=') else {
        return Err(FlagFault::NoPair { text: item.into() });
    };
    match rest.strip_prefix(',') {
        None if !rest.is_empty() => Err(FlagFault::NoComma),
        next => Ok((name.trim().to_owned(), value.trim().to_owned(), next)),
    }
}

/// The order of a column's values, such as `education=Primary<Secondary`: a name or value that holds `=`, `<` or a
/// double quote stands in double quotes, a quote is doubled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    /// The column.
    pub(crate) column: String,
    /// Its values from least to greatest.
    pub(crate) values: Vec<String>,
}

impl FromStr for Order {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let (column, rest) = item(text.trim(), '=')?;
        let mut rest = rest.ok_or_else(|| FlagFault::NoOrder { text: text.into() })?;
        let mut values = Vec::new();
        loop {
            let (value, next) = item(rest, '<')?;
            values.push(value);
            match next {
                Some(next) => rest = next,
                None if values.len() < 2 => {
                    return Err(FlagFault::ShortOrder { column });
                }
                None => return Ok(Self { column, values }),
            }
        }
    }
}

/// Labels by their codes, by column.
pub(crate) type LabelsByColumn = BTreeMap<String, BTreeMap<String, String>>;

/// The labels of a column's codes, such as `sex=1:male,2:female`: a name, code or label that holds `=`, `:`, a comma or a double
/// quote stands in double quotes, a quote is doubled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Labels {
    /// The column.
    pub(crate) column: String,
    /// Its codes, each with its label.
    pub(crate) of_codes: CodeLabels,
}

impl FromStr for Labels {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let (column, rest) = item(text.trim(), '=')?;
        let of_codes = rest.ok_or_else(|| FlagFault::NoLabels { text: text.into() })?.parse()?;
        Ok(Self { column, of_codes })
    }
}

impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", quoted(&self.column), self.of_codes)
    }
}

/// One `name=value`, such as `zip=zip.csv`; a name that holds `=` stands in double quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) value: String,
}

impl FromStr for Named {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let (name, value) = item(text.trim(), '=')?;
        match value.map(str::trim) {
            Some(value) if !value.is_empty() => Ok(Self { name, value: value.to_owned() }),
            _ => Err(FlagFault::NoPair { text: text.into() }),
        }
    }
}

/// A list of `name=value`, such as `age=0.8,sex=0.2`; a name that holds a comma stands in double quotes, or the pair does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pairs(pub(crate) Vec<(String, String)>);

impl FromStr for Pairs {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut rest = Some(text.trim());
        while let Some(text) = rest {
            let (name, value, next) = pair(text)?;
            if pairs.iter().any(|(known, _)| *known == name) {
                return Err(ItemFault::Twice { name: name.into() }.into());
            }
            pairs.push((name, value));
            rest = next.map(str::trim_start);
        }
        Ok(Self(pairs))
    }
}

/// A value that the settings know by one of `names`; the help text lists them.
pub(crate) fn choice<T>(names: &'static [&'static str]) -> impl TypedValueParser<Value = T>
where
    T: DeserializeOwned + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(names).try_map(|name| named::<T>(&name))
}

/// The value that serde knows by this name.
pub(crate) fn named<T: DeserializeOwned>(name: &str) -> Result<T, NameError> {
    T::deserialize(name.into_deserializer())
}

/// A time such as `20s`, `1.5m`, `500ms`, `2h`; a number alone counts seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, FlagFault> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        other => return Err(FlagFault::Unit { unit: other.into() }),
    };
    let number: f64 = digits.trim().parse().map_err(|_| FlagFault::NoTime { text: text.into() })?;
    let seconds = number * unit;
    // Also refuses negative numbers, NaN and what no clock can count.
    Duration::try_from_secs_f64(seconds).map_err(|e| FlagFault::Time { why: e.to_string() })?;
    Ok(seconds)
}

/// A number of per cent, 0 to 100.
pub(crate) fn percent(text: &str) -> Result<f64, FlagFault> {
    match text.trim().parse() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err(FlagFault::Percent { text: text.into() }),
    }
}

/// What counts as missing, and what happens to the sensitive column then.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MissingArgs {
    /// Cell contents that mean "not known", in any case, in addition to the empty cell [default: ?,NA,N/A,#N/A,#NA,null,-,NaN,.]
    #[arg(long, value_name = "LIST")]
    missing: Option<List>,
    /// What happens to a row whose sensitive value is missing [default: error]
    #[arg(long, value_name = "POLICY", value_parser = policy())]
    missing_sensitive: Option<MissingPolicy>,
    /// What happens to a row with a missing cell in one column, before the other policies: age=drop,zip=value
    #[arg(long, value_name = "COLUMN=POLICY", value_parser = policies)]
    missing_column: Option<Policies>,
}

/// What a row is.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PersonArgs {
    /// What each row is, where a column looks like the key of a person and has a value twice: `people` says that each row
    /// is a person all the same; `events-of=COLUMN` that it is an event of a person, such as a stay or a visit, and that this
    /// column holds the person's key: classes then count persons, and all rows of a person are in one
    #[arg(long, value_name = "WHAT", value_parser = rows_are, conflicts_with = "person")]
    rows_are: Option<RowsAre>,
    /// The column that holds the key of a person; the run stops if one occurs twice
    #[arg(long, value_name = "COLUMN")]
    person: Option<String>,
}

impl PersonArgs {
    /// What is said, if anything is.
    pub(crate) fn said(&self) -> Option<RowsAre> {
        self.rows_are.clone().or_else(|| self.person.clone().map(RowsAre::Of))
    }
}

/// `people`, or `events-of=COLUMN`.
pub(crate) fn rows_are(text: &str) -> Result<RowsAre, FlagFault> {
    match text.split_once('=') {
        None if text == "people" => Ok(RowsAre::People),
        Some(("events-of", column)) if !column.is_empty() => Ok(RowsAre::EventsOf(column.to_owned())),
        _ => Err(FlagFault::RowsAre { text: text.into() }),
    }
}

/// The name of the column of classes, taken as it stands; `none` says that there is none.
#[allow(clippy::unnecessary_wraps, reason = "the form of a value parser")]
pub(crate) fn class_column(text: &str) -> Result<ClassColumn, FlagFault> {
    Ok(if text == "none" { ClassColumn::None } else { ClassColumn::Named(text.to_owned()) })
}

/// The empty cell, and the markers that are given.
pub(crate) fn markers(given: &List) -> Vec<String> {
    let mut markers = vec![String::new()];
    for marker in &given.0 {
        if !markers.contains(marker) {
            markers.push(marker.clone());
        }
    }
    markers
}

/// Policies for missing cells, by column.
pub(crate) type Policies = BTreeMap<String, MissingPolicy>;

/// Parses `age=drop,zip=value`.
fn policies(text: &str) -> Result<Policies, FlagFault> {
    let pairs = Pairs::from_str(text)?.0;
    let policy = |(column, name): (String, String)| match named(&name) {
        Ok(policy) => Ok((column, policy)),
        Err(_) => Err(FlagFault::Policy { policy: name.into(), column: column.into() }),
    };
    pairs.into_iter().map(policy).collect()
}

impl MissingArgs {
    /// What is said. The empty cell is always missing.
    pub(crate) fn said(&self, quasi: Option<MissingPolicy>) -> MissingTold {
        MissingTold {
            markers: self.missing.as_ref().map(markers),
            sensitive: self.missing_sensitive,
            quasi,
            columns: self.missing_column.clone().unwrap_or_default(),
        }
    }
}

/// The policies for missing values.
pub(crate) fn policy() -> impl TypedValueParser<Value = MissingPolicy> {
    choice(&["drop", "value", "error"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(text: &str) -> Vec<String> {
        text.parse::<List>().unwrap().0
    }

    #[test]
    fn labels_of_codes() {
        let labels = |text: &str| text.parse::<Labels>();
        let of =
            |pairs: &[(&str, &str)]| pairs.iter().map(|&(a, b)| (a.into(), b.into())).collect::<Vec<_>>();
        for (text, column, pairs) in [
            ("sex=1:male,2:female,9:?", "sex", &[("1", "male"), ("2", "female"), ("9", "?")][..]),
            (" sex = 1 : male , 2:not known ", "sex", &[("1", "male"), ("2", "not known")]),
            (r#""a=b"="1:2":"x, ""y""",2:z=1"#, "a=b", &[("1:2", "x, \"y\""), ("2", "z=1")]),
        ] {
            let found = labels(text).unwrap();
            assert_eq!((found.column.as_str(), &found.of_codes.0), (column, &of(pairs)), "{text}");
            assert_eq!(labels(&found.to_string()).unwrap(), found, "{found}");
        }
        for wrong in [
            "sex",
            "sex=",
            "sex=1",
            "sex=1:",
            "sex=:male",
            "=1:male",
            "sex=1:a,1:b",
            "sex=1:a,",
            "sex=1:a b:c\"d",
        ] {
            if wrong != "sex=1:a b:c\"d" {
                assert!(labels(wrong).is_err(), "{wrong}");
            }
        }
    }

    #[test]
    fn lists() {
        assert_eq!(list("age"), ["age"]);
        assert_eq!(list("age, sex ,education-num"), ["age", "sex", "education-num"]);
        assert_eq!(list(r#""city, state",age"#), ["city, state", "age"]);
        assert_eq!(list(r#""say ""no""" , b"#), [r#"say "no""#, "b"]);
        assert_eq!(list(""), [""]);
        assert_eq!(list(",?"), ["", "?"]);
        assert_eq!(list("?,"), ["?", ""]);
        assert!(r#""open"#.parse::<List>().is_err());
        assert!(r#""a"b"#.parse::<List>().is_err());
    }

    #[test]
    fn pairs() {
        let pairs = |text: &str| text.parse::<Pairs>().map(|p| p.0);
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(pairs("age=0.8,sex=0.2").unwrap(), [pair("age", "0.8"), pair("sex", "0.2")]);
        assert_eq!(pairs("a=b=1").unwrap(), [pair("a=b", "1")]);
        assert_eq!(pairs(r#""a, b=1",c=2"#).unwrap(), [pair("a, b", "1"), pair("c", "2")]);
        assert_eq!(pairs(r#""a, b" = 1 , c=2"#).unwrap(), [pair("a, b", "1"), pair("c", "2")]);
        assert_eq!(pairs(r#"a="%b %d, %Y",c=2"#).unwrap(), [pair("a", "%b %d, %Y"), pair("c", "2")]);
        assert_eq!(pairs(r#"c=2,a="x, y""#).unwrap(), [pair("c", "2"), pair("a", "x, y")]);
        assert!(pairs(r#"a="x"y,c=2"#).is_err());
        assert!(pairs(r#""a=1"b=2"#).is_err());
        assert!(pairs("age=1,").is_err());
        assert!(pairs("age").is_err());
        assert!(pairs("age=1,age=2").is_err());
    }

    #[test]
    fn single_pairs() {
        let named = |text: &str| text.parse::<Named>().map(|n| (n.name, n.value));
        let pair = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(named("zip=a,b=c.csv"), pair("zip", "a,b=c.csv"));
        assert_eq!(named(r#""a=b" = interval:5,2"#), pair("a=b", "interval:5,2"));
        for wrong in ["", "zip", "zip=", "=x"] {
            assert!(named(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn orders() {
        let order = |text: &str| text.parse::<Order>().map(|o| (o.column, o.values));
        let of = |column: &str, values: &[&str]| {
            Ok((column.to_owned(), values.iter().map(ToString::to_string).collect::<Vec<_>>()))
        };
        assert_eq!(
            order("education=Primary<Secondary<Tertiary"),
            of("education", &["Primary", "Secondary", "Tertiary"])
        );
        assert_eq!(order("e = low, very < high"), of("e", &["low, very", "high"]));
        assert_eq!(order(r#""a=b"="< 18"<"say ""no"""<x=y"#), of("a=b", &["< 18", r#"say "no""#, "x=y"]));
        for wrong in ["", "a", "a=", "a=b", "a=b<", "a=<b", r#"a="b"#, r#"a="b"c<d"#, "=a<b"] {
            assert!(order(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn policies_by_column() {
        let found = policies("age=drop,\"city, state\"=value").unwrap();
        assert_eq!(found["age"], MissingPolicy::Drop);
        assert_eq!(found.len(), 2);
        assert!(policies("age=keep").is_err());
    }

    #[test]
    fn times() {
        assert_eq!(seconds("20s"), Ok(20.0));
        assert_eq!(seconds("1.5m"), Ok(90.0));
        assert_eq!(seconds("250ms"), Ok(0.25));
        assert_eq!(seconds("2h"), Ok(7200.0));
        assert_eq!(seconds("7"), Ok(7.0));
        for wrong in ["", "s", "-1s", "20 parsecs", "nan", "inf", "1e300s"] {
            assert!(seconds(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn percentages() {
        assert_eq!(percent("0.5"), Ok(0.5));
        assert_eq!(percent("0"), Ok(0.0));
        for wrong in ["-1", "101", "nan", "1%", ""] {
            assert!(percent(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_empty_cell_is_always_missing() {
        let markers = |missing: &str| {
            let missing = Some(missing.parse().unwrap());
            let args = MissingArgs { missing, missing_sensitive: None, missing_column: None };
            args.said(None).markers.unwrap()
        };
        assert_eq!(markers("?,NA"), ["", "?", "NA"]);
        assert_eq!(markers(""), [""]);
        let nothing = MissingArgs { missing: None, missing_sensitive: None, missing_column: None };
        assert_eq!(nothing.said(None), MissingTold::default());
    }
}
