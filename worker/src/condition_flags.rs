//! Flags of conditions on sensitive values; all that are given must hold.

use std::str::FromStr;

use clap::Args;
use lookalike_model::rule::{
    Distance, Effective, Ground, ParameterFault, Positive, Several, Share, ValueCondition,
};

use crate::flag_values::FlagFault;

/// The flags.
#[derive(Debug, Default, Args)]
pub(crate) struct ConditionArgs {
    /// Least number of different sensitive values of a class, beside k (distinct l-diversity)
    #[arg(long, value_name = "L", value_parser = several)]
    distinct_l: Option<Several>,
    /// Least diversity of a class by entropy, which may be a number such as 2.5 (entropy l-diversity)
    #[arg(long, value_name = "L", value_parser = real::<Effective>)]
    entropy_l: Option<Effective>,
    /// The most frequent sensitive value of a class occurs less than C times as often as the L-th and all rarer ones together
    /// (recursive (c,l)-diversity)
    #[arg(long, value_name = "C,L")]
    recursive_cl: Option<Recursive>,
    /// Largest share of a sensitive value in a class, above 0 and at most 1 ((alpha,k)-anonymity)
    #[arg(long, value_name = "SHARE", value_parser = real::<Share>)]
    alpha: Option<Share>,
    /// Largest distance of a class from the whole table, 0 to 1; `ordered:T` goes by the order of the values, which are numbers or have an
    /// --order; may be given for both (t-closeness)
    #[arg(long, value_name = "T")]
    t_closeness: Vec<Close>,
    /// How much more frequent a sensitive value may be in a class than in the whole table, relative to that (basic beta-likeness)
    #[arg(long, value_name = "BETA", value_parser = real::<Positive>)]
    beta: Option<Positive>,
    /// The same, and more tightly for frequent values (enhanced beta-likeness)
    #[arg(long, value_name = "BETA", value_parser = real::<Positive>)]
    enhanced_beta: Option<Positive>,
    /// How far the logarithm of a sensitive value's share in a class may be from that in the whole table (delta-disclosure privacy)
    #[arg(long, value_name = "DELTA", value_parser = real::<Positive>)]
    delta: Option<Positive>,
}

impl ConditionArgs {
    /// What they say; `None` if none is given.
    pub(crate) fn said(&self) -> Option<Vec<ValueCondition>> {
        let diversity = [
            self.distinct_l.map(|l| ValueCondition::DistinctDiversity { l }),
            self.entropy_l.map(|l| ValueCondition::EntropyDiversity { l }),
            self.recursive_cl.map(|Recursive(c, l)| ValueCondition::RecursiveDiversity { c, l }),
            self.alpha.map(|alpha| ValueCondition::Frequency { alpha }),
        ];
        let closeness =
            self.t_closeness.iter().map(|&Close(t, distance)| ValueCondition::TCloseness { t, distance });
        let likeness = [
            self.beta.map(|beta| ValueCondition::BasicBetaLikeness { beta }),
            self.enhanced_beta.map(|beta| ValueCondition::EnhancedBetaLikeness { beta }),
            self.delta.map(|delta| ValueCondition::DeltaDisclosure { delta }),
        ];
        let all: Vec<ValueCondition> =
            diversity.into_iter().flatten().chain(closeness).chain(likeness.into_iter().flatten()).collect();
        (!all.is_empty()).then_some(all)
    }
}

/// c and l of recursive diversity.
#[derive(Clone, Copy, Debug)]
struct Recursive(Positive, Several);

impl FromStr for Recursive {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let (c, l) = text.split_once(',').ok_or_else(|| FlagFault::Recursive { text: text.into() })?;
        Ok(Self(real(c.trim())?, several(l.trim())?))
    }
}

/// t with its distance.
#[derive(Clone, Copy, Debug)]
struct Close(Distance, Ground);

impl FromStr for Close {
    type Err = FlagFault;

    fn from_str(text: &str) -> Result<Self, FlagFault> {
        let (t, ground) = match text.strip_prefix("ordered:") {
            Some(t) => (t, Ground::Ordered),
            None => (text.strip_prefix("equal:").unwrap_or(text), Ground::Equal),
        };
        Ok(Self(real(t)?, ground))
    }
}

/// A number of different values.
fn several(text: &str) -> Result<Several, FlagFault> {
    let number: usize = text.parse().map_err(|_| FlagFault::NotANumber { text: text.into() })?;
    Ok(Several::try_from(number)?)
}

/// A number with a range of its own.
fn real<T: TryFrom<f64, Error = ParameterFault>>(text: &str) -> Result<T, FlagFault> {
    let number: f64 = text.parse().map_err(|_| FlagFault::NotANumber { text: text.into() })?;
    Ok(T::try_from(number)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_and_told_apart() {
        assert!(matches!("ordered:0.2".parse(), Ok(Close(t, Ground::Ordered)) if t.get() == 0.2));
        assert!(matches!("0.2".parse(), Ok(Close(t, Ground::Equal)) if t.get() == 0.2));
        assert!(matches!("3,2".parse(), Ok(Recursive(c, l)) if c.get() == 3.0 && l.get() == 2));
        for wrong in ["2", "ordered:", "x"] {
            assert!(wrong.parse::<Close>().is_err(), "{wrong}");
        }
        for wrong in ["3", "3,1", "0,2"] {
            assert!(wrong.parse::<Recursive>().is_err(), "{wrong}");
        }
        assert!(real::<Effective>("1").is_err() && several("1").is_err());
    }
}
