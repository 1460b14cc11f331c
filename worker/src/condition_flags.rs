//! Flags of conditions on sensitive values; all that are given must hold.

use std::{collections::BTreeMap, str::FromStr};

use clap::Args;
use lookalike_model::rule::{
    Distance, Effective, Ground, ParameterFault, Positive, Several, Share, ValueCondition,
};

use crate::flag_values::FlagFault;

/// The flags. Each may be given for the sensitive column and, as `COLUMN=...`, for further ones.
#[derive(Debug, Default, Args)]
pub(crate) struct ConditionArgs {
    /// Least number of different sensitive values of a class, in addition to k (distinct l-diversity); COLUMN=L is for a further
    /// sensitive column, which is published as it is; the same holds for all conditions
    #[arg(long, value_name = "L")]
    distinct_l: Vec<Of<Several>>,
    /// Least diversity of a class by entropy, which may be a number such as 2.5 (entropy l-diversity)
    #[arg(long, value_name = "L")]
    entropy_l: Vec<Of<Effective>>,
    /// The most frequent sensitive value of a class occurs less than C times as often as the L-th and all rarer ones together
    /// (recursive (c,l)-diversity)
    #[arg(long, value_name = "C,L")]
    recursive_cl: Vec<Of<Recursive>>,
    /// Largest share of a sensitive value in a class, above 0 and at most 1 ((alpha,k)-anonymity)
    #[arg(long, value_name = "SHARE")]
    alpha: Vec<Of<Share>>,
    /// Least range of the sensitive values of a class, as a part of the whole table's, above 0 and at most 1; they are numbers or have an
    /// --order ((k,e)-anonymity)
    #[arg(long, value_name = "PART")]
    spread: Vec<Of<Share>>,
    /// Largest distance of a class from the whole table, 0 to 1; `ordered:T` uses the order of the values, which are numbers or
    /// have an --order, `hierarchical:T` their --hierarchy; may be given for each column (t-closeness)
    #[arg(long, value_name = "T")]
    t_closeness: Vec<Of<Close>>,
    /// How much more frequent a sensitive value may be in a class than in the whole table, relative to that (basic beta-likeness)
    #[arg(long, value_name = "BETA")]
    beta: Vec<Of<Positive>>,
    /// The same, but tighter for frequent values (enhanced beta-likeness)
    #[arg(long, value_name = "BETA")]
    enhanced_beta: Vec<Of<Positive>>,
    /// How far the logarithm of a sensitive value's share in a class may be from that in the whole table (delta-disclosure privacy)
    #[arg(long, value_name = "DELTA")]
    delta: Vec<Of<Positive>>,
}

/// What the flags say.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Conditions {
    /// Of the sensitive column; `None` if nothing is.
    pub(crate) own: Option<Vec<ValueCondition>>,
    /// Of further ones.
    pub(crate) further: BTreeMap<String, Vec<ValueCondition>>,
}

impl ConditionArgs {
    /// One of them that is given, if one is.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let flags = [
            ("--distinct-l", self.distinct_l.is_empty()),
            ("--entropy-l", self.entropy_l.is_empty()),
            ("--recursive-cl", self.recursive_cl.is_empty()),
            ("--alpha", self.alpha.is_empty()),
            ("--spread", self.spread.is_empty()),
            ("--t-closeness", self.t_closeness.is_empty()),
            ("--beta", self.beta.is_empty()),
            ("--enhanced-beta", self.enhanced_beta.is_empty()),
            ("--delta", self.delta.is_empty()),
        ];
        flags.into_iter().find_map(|(flag, absent)| (!absent).then_some(flag))
    }

    /// What they say.
    pub(crate) fn said(&self) -> Conditions {
        let mut all = Conditions::default();
        all.add(&self.distinct_l, |l| ValueCondition::DistinctDiversity { l });
        all.add(&self.entropy_l, |l| ValueCondition::EntropyDiversity { l });
        all.add(&self.recursive_cl, |Recursive(c, l)| ValueCondition::RecursiveDiversity { c, l });
        all.add(&self.alpha, |alpha| ValueCondition::Frequency { alpha });
        all.add(&self.spread, |least| ValueCondition::Spread { least });
        all.add(&self.t_closeness, |Close(t, distance)| ValueCondition::TCloseness { t, distance });
        all.add(&self.beta, |beta| ValueCondition::BasicBetaLikeness { beta });
        all.add(&self.enhanced_beta, |beta| ValueCondition::EnhancedBetaLikeness { beta });
        all.add(&self.delta, |delta| ValueCondition::DeltaDisclosure { delta });
        all
    }
}

impl Conditions {
    fn add<T: Copy>(&mut self, given: &[Of<T>], condition: impl Fn(T) -> ValueCondition) {
        for Of { column, asked } in given {
            let list = match column {
                Some(column) => self.further.entry(column.clone()).or_default(),
                None => self.own.get_or_insert_default(),
            };
            list.push(condition(*asked));
        }
    }
}

/// What is asked of a column; of the sensitive one, if none is named.
#[derive(Clone, Debug)]
struct Of<T> {
    column: Option<String>,
    asked: T,
}

impl<T: Asked> FromStr for Of<T> {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        // The name of a column may hold the sign; no number does.
        let (column, asked) = match text.rsplit_once('=') {
            Some((column, asked)) => (Some(column.trim().to_owned()), asked.trim()),
            None => (None, text),
        };
        if column.as_ref().is_some_and(String::is_empty) {
            return Err(FlagFault::NoPair { text: text.into() });
        }
        Ok(Self { column, asked: T::read(asked)? })
    }
}

/// A parameter as it is typed.
trait Asked: Sized {
    /// What the text says.
    fn read(text: &str) -> Result<Self, FlagFault>;
}

impl Asked for Several {
    fn read(text: &str) -> Result<Self, FlagFault> {
        several(text)
    }
}

impl Asked for Effective {
    fn read(text: &str) -> Result<Self, FlagFault> {
        real(text)
    }
}

impl Asked for Share {
    fn read(text: &str) -> Result<Self, FlagFault> {
        real(text)
    }
}

impl Asked for Positive {
    fn read(text: &str) -> Result<Self, FlagFault> {
        real(text)
    }
}

/// c and l of recursive diversity.
#[derive(Clone, Copy, Debug)]
struct Recursive(Positive, Several);

impl Asked for Recursive {
    fn read(text: &str) -> Result<Self, FlagFault> {
        let (c, l) = text.split_once(',').ok_or_else(|| FlagFault::Recursive { text: text.into() })?;
        Ok(Self(real(c.trim())?, several(l.trim())?))
    }
}

/// t with its distance.
#[derive(Clone, Copy, Debug)]
struct Close(Distance, Ground);

impl Asked for Close {
    fn read(text: &str) -> Result<Self, FlagFault> {
        let of = |ground| move |t| (t, ground);
        let (t, ground) = (text.strip_prefix("ordered:").map(of(Ground::Ordered)))
            .or_else(|| text.strip_prefix("hierarchical:").map(of(Ground::Hierarchical)))
            .unwrap_or_else(|| (text.strip_prefix("equal:").unwrap_or(text), Ground::Equal));
        Ok(Self(real(t)?, ground))
    }
}

/// A number of different values.
fn several(text: &str) -> Result<Several, FlagFault> {
    let number: usize = text.parse().map_err(|_| FlagFault::NotANumber { text: text.into() })?;
    Ok(Several::try_from(number)?)
}

/// A number with a range of its own.
pub(crate) fn real<T: TryFrom<f64, Error = ParameterFault>>(text: &str) -> Result<T, FlagFault> {
    let number: f64 = text.parse().map_err(|_| FlagFault::NotANumber { text: text.into() })?;
    Ok(T::try_from(number)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_and_told_apart() {
        assert!(matches!(Close::read("ordered:0.2"), Ok(Close(t, Ground::Ordered)) if t.get() == 0.2));
        assert!(matches!(Close::read("hierarchical:0.2"), Ok(Close(_, Ground::Hierarchical))));
        assert!(matches!(Close::read("0.2"), Ok(Close(t, Ground::Equal)) if t.get() == 0.2));
        assert!(matches!(Recursive::read("3,2"), Ok(Recursive(c, l)) if c.get() == 3.0 && l.get() == 2));
        for wrong in ["2", "ordered:", "x"] {
            assert!(Close::read(wrong).is_err(), "{wrong}");
        }
        for wrong in ["3", "3,1", "0,2"] {
            assert!(Recursive::read(wrong).is_err(), "{wrong}");
        }
        assert!(real::<Effective>("1").is_err() && several("1").is_err());
    }

    #[test]
    fn a_column_may_stand_before_the_number() {
        let of = |text: &str| text.parse::<Of<Close>>().map(|of| (of.column, of.asked.0.get()));
        assert_eq!(of("0.2").unwrap(), (None, 0.2));
        assert_eq!(of("pay=ordered:0.2").unwrap(), (Some(String::from("pay")), 0.2));
        assert_eq!(of("a=b = 0.2").unwrap(), (Some(String::from("a=b")), 0.2));
        assert!(of("=0.2").is_err() && of("pay=").is_err());
    }
}
