//! Flags of what is generalised alike, and of suppression.

use std::str::FromStr;

use clap::Args;
use lookalike_model::settings::{QuasiSet, Scheme, Settings, Suppress};

use crate::{
    anonymize::AnonymizeFault,
    configuration::File,
    exit::Failure,
    flag_values::{FlagFault, List, choice, percent},
    remote::Remote,
};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct SchemeArgs {
    /// What is generalised alike: the records of a class, or each column as a whole, at one level of its hierarchy (full-domain, the
    /// best choice of levels, under --loss ncp) [default: classes]
    #[arg(long, value_parser = choice::<Scheme>(&["classes", "full-domain"]))]
    scheme: Option<Scheme>,
    /// Leave a record out if its class would lose more than this for it, in units of the loss: under ncp, 1 is all that a record
    /// can lose; under sse, a record without any class loses the number of columns [default: the least at which no more than
    /// --suppress-limit are left out]. With full-domain, the cost of each record that is left out [default: 1]
    #[arg(long, value_name = "PRICE")]
    suppress_price: Option<f64>,
    /// Leave out at most this many records, or this share of them, such as 5% [default: no limit where --suppress-price is given,
    /// otherwise none]
    #[arg(long, value_name = "NUMBER")]
    suppress_limit: Option<Most>,
    /// Quasi-identifiers that an attacker may know without the others, and how many records must be alike in them: more than --k,
    /// which is for all quasi-identifiers together; with classes no column may be in two sets; once for each set
    #[arg(long, value_name = "K=COLUMNS")]
    set: Vec<Set>,
}

/// A set of quasi-identifiers with its k.
#[derive(Clone, Debug)]
pub(crate) struct Set(pub(crate) QuasiSet);

impl FromStr for Set {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let wrong = || FlagFault::Set { text: text.into() };
        let (k, columns) = text.split_once('=').ok_or_else(wrong)?;
        let k = k.trim().parse().map_err(|_| wrong())?;
        let columns: List = columns.parse()?;
        Ok(Self(QuasiSet { columns: columns.0, k }))
    }
}

/// How many records may be left out.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Most {
    Records(usize),
    Share(f64),
}

impl FromStr for Most {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        match text.strip_suffix('%') {
            Some(number) => Ok(Self::Share(percent(number)? / 100.0)),
            None => text.parse().map(Self::Records).map_err(|_| FlagFault::NotANumber { text: text.into() }),
        }
    }
}

impl SchemeArgs {
    /// The sets, if there are any.
    pub(crate) fn sets(&self) -> Option<Vec<QuasiSet>> {
        (!self.set.is_empty()).then(|| self.set.iter().map(|set| set.0.clone()).collect())
    }

    /// What they say. Price and limit are each of the file where no flag says otherwise.
    pub(crate) fn said(&self, file: Option<&File>) -> (Option<Scheme>, Option<Suppress>) {
        if self.suppress_price.is_none() && self.suppress_limit.is_none() {
            return (self.scheme, None);
        }
        let of_file = file.and_then(File::suppress);
        let price = self.suppress_price.or_else(|| of_file?.price);
        let (limit, share) = match self.suppress_limit {
            None => (of_file.and_then(|of| of.limit), of_file.and_then(|of| of.share)),
            Some(Most::Records(most)) => (Some(most), None),
            Some(Most::Share(share)) => (None, Some(share)),
        };
        (self.scheme, Some(Suppress { price, limit, share }))
    }
}

/// Whether the search can be where it is asked to be.
///
/// # Errors
/// For levels of columns and sets of them, which a worker that gets numbers alone is not sent.
pub(crate) fn fit(settings: &Settings, remote: Option<&Remote>) -> Result<(), Failure> {
    if settings.scheme == Scheme::FullDomain && remote.is_some() {
        return Err(Failure::input(AnonymizeFault::LevelsElsewhere));
    }
    if !settings.sets.is_empty() && remote.is_some() {
        return Err(Failure::input(AnonymizeFault::SetsElsewhere));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_a_number_and_columns() {
        let set = |text: &str| text.parse::<Set>().map(|set| (set.0.k, set.0.columns));
        assert_eq!(set("10=age,sex").unwrap(), (10, vec![String::from("age"), String::from("sex")]));
        assert!(set("age,sex").is_err() && set("x=age").is_err());
    }

    #[test]
    fn a_limit_is_a_number_or_a_share() {
        assert_eq!("20".parse(), Ok(Most::Records(20)));
        assert_eq!("5%".parse(), Ok(Most::Share(0.05)));
        assert_eq!("0.5%".parse(), Ok(Most::Share(0.005)));
        for wrong in ["", "-1", "5.5", "%", "101%", "x%"] {
            assert!(wrong.parse::<Most>().is_err(), "{wrong}");
        }
    }
}
