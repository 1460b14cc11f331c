//! `anonymize --certificate`: the duals behind the bound, as a file for `check --certificate`. Private.

mod line;

use lookalike_core::{audit::certificate::Certificate, certify, pipeline::Prepared};
use lookalike_model::job::Answer;
use lookalike_words::Message as _;

use self::line::NothingProven;
pub(crate) use self::line::{Certified, LossNoun};
use crate::{check::bound::noun, exit::Failure, summary::at_least_figure};

/// A relative difference of two bounds that is no difference.
const SAME: f64 = 1e-6;

/// A certificate, ready to be written.
pub(crate) struct Written {
    /// The file.
    pub(crate) bytes: Vec<u8>,
    /// What it proves, for people.
    pub(crate) told: Certified,
}

impl Written {
    /// The certificate of an answer.
    pub(crate) fn new(prepared: &Prepared, answer: &Answer) -> Result<Self, Failure> {
        let certificate = certify::certificate(prepared, answer)?;
        let bytes = certify::written(&certificate).map_err(|refusal| Failure::system(refusal.said()))?;
        Ok(Self { bytes, told: told(&certificate, answer) })
    }
}

fn told(certificate: &Certificate, answer: &Answer) -> Certified {
    let bound = at_least_figure(certificate.claim());
    if answer.duals.is_none() {
        let why = match answer.claimed {
            _ if answer.loss <= 0.0 => NothingProven::Reached,
            Some(_) => NothingProven::NoDuals,
            None => NothingProven::TooShort,
        };
        return Certified::Nothing { why };
    }
    let loss = noun(certificate.loss).into();
    if answer.claimed.is_some() && answer.bound.is_none() {
        return Certified::Unchecked { loss, bound };
    }
    let better = answer.bound.as_ref().filter(|b| b.value > certificate.claim() + SAME * b.value);
    let searched = certificate.optimum.is_some();
    Certified::Proves { loss, bound, searched, better: better.map(|better| at_least_figure(better.value)) }
}
