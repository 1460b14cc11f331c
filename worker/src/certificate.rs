//! `anonymize --certificate`: the duals behind the bound, as a file for `check --certificate`. Private.

use lookalike_core::{
    audit::certificate::{Certificate, MOST_RECORDS},
    certify,
    pipeline::Prepared,
};
use lookalike_model::job::Answer;

use crate::{check::bound::noun, exit::Failure, summary::at_least};

/// A relative difference of two bounds that is no difference.
const SAME: f64 = 1e-6;

/// A certificate, ready to be written.
pub(crate) struct Written {
    /// The file.
    pub(crate) bytes: Vec<u8>,
    /// What it proves, for people.
    pub(crate) told: String,
}

impl Written {
    /// The certificate of an answer.
    pub(crate) fn new(prepared: &Prepared, answer: &Answer) -> Result<Self, Failure> {
        let certificate = certify::certificate(prepared, answer)?;
        let mut bytes =
            certificate.to_json().map_err(|refusal| Failure::System(refusal.to_string()))?.into_bytes();
        bytes.push(b'\n');
        Ok(Self { bytes, told: told(&certificate, answer) })
    }
}

fn told(certificate: &Certificate, answer: &Answer) -> String {
    let bound = at_least(certificate.bound);
    if answer.duals.is_none() {
        let why = match answer.claimed {
            Some(_) if answer.loss <= 0.0 => "that loss was reached",
            Some(_) => "the worker sent no duals",
            None => "the search ended before it had proven more",
        };
        return format!("certificate: it says only that no loss is below 0, since {why}");
    }
    let loss = noun(certificate.loss);
    let too_many = certificate.duals.len() > MOST_RECORDS;
    if answer.claimed.is_some() && answer.bound.is_none() {
        let check = if too_many {
            format!("; lookalike check verifies {MOST_RECORDS} records at most")
        } else {
            String::from(": lookalike check --certificate with more --nodes finds out whether it holds")
        };
        return format!(
            "certificate: with the duals of the worker, which were not checked here, since that takes too long; it claims that \
             no partition has {loss} below {bound}{check}"
        );
    }
    let mut text = format!("certificate: its duals prove that no partition has {loss} below {bound}");
    if let Some(better) = answer.bound.as_ref().filter(|b| b.value > certificate.bound + SAME * b.value) {
        text = format!(
            "{text}; the bound of {} in the report rests on an enumeration of classes as well, which no certificate carries",
            at_least(better.value)
        );
    }
    if too_many {
        text = format!("{text}; lookalike check verifies {MOST_RECORDS} records at most");
    }
    text
}
