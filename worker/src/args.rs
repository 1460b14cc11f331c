//! Flag values that more than one subcommand takes.

use std::{str::FromStr, time::Duration};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use lookalike_wire::settings::{Missing, MissingPolicy};
use serde::de::{DeserializeOwned, IntoDeserializer, value::Error as NameError};

/// A list of names: separated by commas; a name that holds a comma stands in double quotes, a quote is doubled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct List(pub(crate) Vec<String>);

impl FromStr for List {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut items = Vec::new();
        let mut rest = text.trim();
        loop {
            let (item, after) = if let Some(quoted) = rest.strip_prefix('"') {
                quoted_item(quoted).ok_or("a quote is not closed")?
            } else {
                let end = rest.find(',').unwrap_or(rest.len());
                (rest[..end].trim().to_owned(), &rest[end..])
            };
            items.push(item);
            match after.trim_start().strip_prefix(',') {
                Some(next) => rest = next.trim_start(),
                None if after.trim().is_empty() => return Ok(Self(items)),
                None => return Err(String::from("a comma is missing after a closing quote")),
            }
        }
    }
}

/// The text up to the closing quote, and what follows it.
fn quoted_item(text: &str) -> Option<(String, &str)> {
    let mut item = String::new();
    let mut rest = text;
    loop {
        let (before, after) = rest.split_once('"')?;
        item.push_str(before);
        match after.strip_prefix('"') {
            Some(next) => {
                item.push('"');
                rest = next;
            }
            None => return Some((item, after)),
        }
    }
}

/// A list of `name=value`, such as `age=0.8,sex=0.2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pairs(pub(crate) Vec<(String, String)>);

impl FromStr for Pairs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for item in List::from_str(text)?.0 {
            let Some((name, value)) = item.rsplit_once('=') else {
                return Err(format!("{item:?} is no name=value"));
            };
            let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
            if pairs.iter().any(|(known, _)| *known == name) {
                return Err(format!("{name:?} is given twice"));
            }
            pairs.push((name, value));
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
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        other => return Err(format!("{other:?} is no unit of time: use ms, s, m or h")),
    };
    let number: f64 = digits.trim().parse().map_err(|_| format!("{text:?} is no time such as 20s"))?;
    let seconds = number * unit;
    // Also refuses negative numbers, NaN and what no clock can count.
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
    Ok(seconds)
}

/// A number of per cent, 0 to 100.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err(format!("{text:?} is no number from 0 to 100")),
    }
}

/// What counts as missing, and what happens to the sensitive column then.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct MissingArgs {
    /// Cell contents that mean "not known", beside the empty cell [default: ?,NA,N/A,null]
    #[arg(long, value_name = "LIST")]
    missing: Option<List>,
    /// What becomes of a row whose sensitive value is missing
    #[arg(long, value_name = "POLICY", default_value = "error", value_parser = policy())]
    missing_sensitive: MissingPolicy,
}

impl MissingArgs {
    /// The settings; the empty cell is always missing.
    pub(crate) fn settings(&self, quasi: MissingPolicy) -> Missing {
        let markers = match &self.missing {
            None => Missing::default().markers,
            Some(List(given)) => {
                let mut markers = vec![String::new()];
                for marker in given {
                    if !markers.contains(marker) {
                        markers.push(marker.clone());
                    }
                }
                markers
            }
        };
        Missing { markers, sensitive: self.missing_sensitive, quasi }
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
        assert!(pairs("age").is_err());
        assert!(pairs("age=1,age=2").is_err());
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
        let markers = |missing: Option<&str>| {
            let missing = missing.map(|m| m.parse().unwrap());
            let args = MissingArgs { missing, missing_sensitive: MissingPolicy::Drop };
            args.settings(MissingPolicy::Error).markers
        };
        assert_eq!(markers(None), Missing::default().markers);
        assert_eq!(markers(Some("?,NA")), ["", "?", "NA"]);
        assert_eq!(markers(Some("")), [""]);
    }
}
