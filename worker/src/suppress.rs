//! Flags of suppression.

use clap::Args;
use lookalike_model::settings::Suppress;

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct SuppressArgs {
    /// Leave a record out where its class would lose more than this for it, in units of the loss: under ncp 1 is all that
    /// a record can lose, under sse the number of columns is what it loses without any class
    #[arg(long, value_name = "PRICE")]
    suppress_price: Option<f64>,
    /// Leave at most so many records out [default: no limit]
    #[arg(long, value_name = "NUMBER", requires = "suppress_price")]
    suppress_limit: Option<usize>,
}

impl SuppressArgs {
    /// What they say.
    pub(crate) fn said(&self) -> Option<Suppress> {
        self.suppress_price.map(|price| Suppress { price, limit: self.suppress_limit })
    }
}
