//! Generators by name: `prefix`, `prefix:any-length`, `date`, `interval:5,2,2:from=20,to=90`, `order:2,2`.

use std::str::FromStr;

use lookalike_words::Name;

use super::{Hierarchy, HierarchyError, Intervals, Parameters, date, interval, order, prefix};
use crate::{Column, Reading, is_missing, parse_number};

lookalike_words::messages! {
    in "table";

    /// Why a text names no generator.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum GeneratorError {
        /// None is called so, or it has other parameters.
        Unknown {
            /// The text.
            text: Name,
        },
        /// A parameter is no number.
        NoNumber {
            /// The parameter.
            text: Name,
        },
        /// Intervals have no such option.
        NoOption {
            /// The option.
            text: Name,
        },
        /// A size of groups is no whole number.
        NoSize {
            /// The size.
            text: Name,
        },
    }
}

impl std::error::Error for GeneratorError {}

/// How to make a hierarchy for a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Generator {
    /// [`prefix()`].
    Prefix {
        /// Whether it is said that codes of different lengths are meant: otherwise some may have lost leading zeros. It
        /// makes no difference here.
        any_length: bool,
    },
    /// [`date()`].
    Date,
    /// [`interval()`].
    Interval(Intervals),
    /// [`order()`], with group sizes by level.
    Order {
        /// Group sizes by level.
        groups: Vec<usize>,
        /// The values from least to greatest; empty if the column itself has an order.
        values: Vec<String>,
    },
}

impl Generator {
    /// Makes the hierarchy of the known values of a column.
    ///
    /// # Errors
    /// If the values are not what the generator needs; see there.
    pub fn make(
        &self,
        column: &Column,
        markers: &[String],
        reading: &Reading,
    ) -> Result<Hierarchy, HierarchyError> {
        let mut used = vec![false; column.values.len()];
        column.cells.iter().for_each(|&code| used[code as usize] = true);
        let values = || {
            let all = column.values.iter().zip(&used);
            all.filter(|(value, used)| **used && !is_missing(value, markers)).map(|(value, _)| value)
        };
        match self {
            Self::Prefix { .. } => prefix(values()),
            Self::Date => match reading {
                Reading::Dates(format) => date(values(), format),
                _ => Err(HierarchyError::Parameters(Parameters::NotDates)),
            },
            Self::Interval(intervals) => {
                let number = |value| match reading {
                    Reading::Numbers(format) => format.parse(value),
                    _ => parse_number(value),
                };
                interval(values().map(|value| (value, number(value))), intervals)
            }
            Self::Order { groups, values: given } if !given.is_empty() => order(given, groups),
            Self::Order { groups, .. } => match reading {
                Reading::Ranks(ranks) => order(ranks, groups),
                Reading::Labels => Err(HierarchyError::Parameters(Parameters::NoOrder)),
                _ => {
                    let mut sorted: Vec<(f64, &str)> =
                        values().filter_map(|v| reading.value(v).map(|x| (x, v.trim()))).collect();
                    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
                    sorted.dedup();
                    order(&sorted.into_iter().map(|(_, v)| v.to_owned()).collect::<Vec<_>>(), groups)
                }
            },
        }
    }
}

impl FromStr for Generator {
    type Err = GeneratorError;

    fn from_str(text: &str) -> Result<Self, GeneratorError> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        match (name.trim(), rest) {
            ("prefix", None) => Ok(Self::Prefix { any_length: false }),
            ("prefix", Some(rest)) if rest.trim() == "any-length" => Ok(Self::Prefix { any_length: true }),
            ("date", None) => Ok(Self::Date),
            ("interval", Some(rest)) => intervals(rest).map(Self::Interval),
            ("order", Some(rest)) => {
                let (groups, values) =
                    rest.split_once(':').map_or((rest, None), |(groups, values)| (groups, Some(values)));
                let values = values.map_or_else(Vec::new, |values| {
                    values.split('<').map(|value| value.trim().to_owned()).collect()
                });
                Ok(Self::Order { groups: numbers(groups)?, values })
            }
            _ => Err(GeneratorError::Unknown { text: Name::from(text) }),
        }
    }
}

/// `5,2,2` and `5,2,2:from=20,to=90,anchor=0`.
fn intervals(text: &str) -> Result<Intervals, GeneratorError> {
    let (sizes, options) = text.split_once(':').map_or((text, ""), |(sizes, options)| (sizes, options));
    let (width, fan_outs) = sizes.split_once(',').map_or((sizes, ""), |(width, rest)| (width, rest));
    let number =
        |text: &str| parse_number(text).ok_or_else(|| GeneratorError::NoNumber { text: Name::from(text) });
    let fan_outs = if fan_outs.is_empty() { Vec::new() } else { numbers(fan_outs)? };
    let mut intervals = Intervals { width: number(width)?, fan_outs, anchor: 0.0, from: None, to: None };
    for option in options.split(',').filter(|option| !option.trim().is_empty()) {
        match option.split_once('=').map(|(name, value)| (name.trim(), value)) {
            Some(("anchor", value)) => intervals.anchor = number(value)?,
            Some(("from", value)) => intervals.from = Some(number(value)?),
            Some(("to", value)) => intervals.to = Some(number(value)?),
            _ => return Err(GeneratorError::NoOption { text: Name::from(option) }),
        }
    }
    Ok(intervals)
}

fn numbers(text: &str) -> Result<Vec<usize>, GeneratorError> {
    text.split(',')
        .map(|size| {
            let size = size.trim();
            size.parse().map_err(|_| GeneratorError::NoSize { text: Name::from(size) })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NumberFormat, infer};

    fn column(cells: &[&str]) -> Column {
        Column {
            name: String::from("x"),
            texts: false,
            cells: (0..cells.len() as u32).collect(),
            values: cells.iter().collect(),
        }
    }

    fn made(generator: &str, cells: &[&str]) -> Result<Hierarchy, HierarchyError> {
        let (column, markers) = (column(cells), [String::from("?")]);
        let reading = infer(&column, &markers).reading;
        generator.parse::<Generator>().unwrap().make(&column, &markers, &reading)
    }

    #[test]
    fn names() {
        let generator = |text: &str| text.parse::<Generator>();
        assert_eq!(generator("prefix"), Ok(Generator::Prefix { any_length: false }));
        assert_eq!(generator("prefix:any-length"), Ok(Generator::Prefix { any_length: true }));
        let intervals =
            Intervals { width: 0.5, fan_outs: vec![2, 3], anchor: 0.0, from: Some(-20.0), to: Some(90.0) };
        assert_eq!(generator("interval:0.5,2, 3:from=-20,to=90"), Ok(Generator::Interval(intervals)));
        let order = Generator::Order { groups: vec![2], values: ["a b", "c"].map(String::from).to_vec() };
        assert_eq!(generator("order:2:a b < c"), Ok(order));
        for wrong in
            ["", "prefix:2", "interval", "interval:x", "interval:5,x", "interval:5:by=2", "order:", "sets"]
        {
            assert!(generator(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn each_makes_what_it_is_named_for() {
        let first = |generator: &str, cells: &[&str]| made(generator, cells).unwrap().rows()[0].clone();
        assert_eq!(first("prefix", &["?", "12"]), ["12", "1*", "**"]);
        assert_eq!(first("interval:5,2", &["7", "?"]), ["7", "[5-9]", "[0-9]", "*"]);
        assert_eq!(first("date", &["31.12.2019", "?"]), ["31.12.2019", "2019-12", "2019-Q4", "2019", "*"]);
        assert_eq!(first("order:2", &["10", "9", "11"]), ["9", "[9 - 10]", "*"]);
        assert_eq!(first("order:2:c<b<a", &["a", "b"]), ["c", "[c - b]", "*"]);
        let comma = Generator::Interval(Intervals {
            width: 1.0,
            fan_outs: Vec::new(),
            anchor: 0.0,
            from: None,
            to: None,
        });
        let reading = Reading::Numbers(NumberFormat::new(',', None));
        assert_eq!(comma.make(&column(&["1,5"]), &[], &reading).unwrap().rows()[0], ["1,5", "[1-2)", "*"]);
    }

    #[test]
    fn refuses_columns_that_do_not_fit() {
        assert!(made("date", &["a"]).unwrap_err().to_string().contains("not read as dates"));
        assert!(made("order:2", &["a"]).unwrap_err().to_string().contains("low<middle<high"));
        assert!(made("interval:5", &["a"]).unwrap_err().to_string().contains("'a'"));
        assert_eq!(made("prefix", &["?"]).unwrap_err(), HierarchyError::Empty);
    }
}
