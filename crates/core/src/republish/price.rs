//! Counterfeits against loss: with more classes each has fewer real records, and these lie closer together.

use lookalike_model::{
    Ctx,
    settings::{Budget, Settings},
};
use lookalike_optimize::solve::solve;
use lookalike_table::Table;

use super::series::{Options, prepare};
use crate::Error;

/// Effort of a trial.
const TRIAL: f64 = 0.3;

/// Parts of the classes that a trial adds, the smallest first.
const PARTS: [u64; 6] = [64, 32, 16, 8, 4, 2];

/// The options with as many further classes as pay when a counterfeit costs `price`, in the unit of the loss: short
/// searches with ever more classes, until two in a row do not pay. A heuristic: a longer search may find another number
/// better.
///
/// # Errors
/// As [`prepare`] and [`solve`]; [`Error::Input`] for a price that is no number of at least 0.
pub fn priced(
    table: &Table,
    settings: &Settings,
    options: &Options,
    price: f64,
    ctx: &Ctx,
) -> Result<Options, Error> {
    if !price.is_finite() || price < 0.0 {
        return Err(Error::Input(format!("the price of a counterfeit is {price}: it must be at least 0")));
    }
    let trial = Settings { budget: Budget::Effort(TRIAL), ..settings.clone() };
    let cost = |more: u64| -> Result<(f64, u64), Error> {
        let prepared = prepare(table, &trial, &Options { more, ..options.clone() }, ctx)?;
        let answer = solve(prepared.job(), ctx)?;
        let classes = answer.labels.iter().max().map_or(0, |last| u64::from(*last) + 1);
        Ok((answer.loss + price * prepared.counterfeits.len() as f64, classes))
    };
    let (mut least, classes) = cost(0)?;
    let (mut best, mut failures) = (0, 0);
    for more in PARTS.map(|part| classes / part) {
        if more == best {
            continue;
        }
        let (now, _) = cost(more)?;
        if now < least {
            (least, best, failures) = (now, more, 0);
        } else {
            failures += 1;
        }
        if failures == 2 {
            break;
        }
    }
    Ok(Options { more: best, ..options.clone() })
}
