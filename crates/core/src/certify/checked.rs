//! A certificate against the table that was anonymized.

use lookalike_audit::certificate::{
    Certificate, Data, Loss as Certified, Meaning, Points, Refusal, Rule, Verified, points, verify,
    verify_penalty, widths,
};
use lookalike_model::settings::{Loss, Model, Settings};
use lookalike_table::Table;
use lookalike_words::{Figure, Message as _, Name, Said};

use super::{meaning, rule};
use crate::Error;

/// What was found about a certificate.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The certificate.
    pub certificate: Certificate,
    /// What the columns were taken to mean.
    pub meaning: Meaning,
    /// Whether the bound holds.
    pub verdict: Result<Verified, Refusal>,
    /// Sum of squared errors of all records as one class, where these are the loss.
    pub sst: Option<f64>,
    /// Rows of the table.
    pub rows: usize,
}

lookalike_words::messages! {
    in "core";

    /// What is told of a certificate that was checked.
    #[derive(Clone, Debug, PartialEq)]
    pub enum CertificateLine {
        /// What the points were computed from.
        Columns {
            /// The columns.
            columns: Vec<Name>,
        },
        /// The bound holds.
        Holds {
            /// Records that it is of.
            records: usize,
            /// Rows of the table.
            rows: usize,
            /// Which classes are admissible.
            rule: Rule,
            /// Under which loss.
            loss: Certified,
            /// The bound.
            least: Figure,
            /// The same as a part of the loss of all records as one class, in per cent.
            percent: Option<Figure>,
            /// Whether all partitions were searched that the duals leave possible.
            searched: bool,
        },
        /// It is not verified.
        Fails {
            /// The bound.
            least: Figure,
            /// Why.
            why: Said,
        },
    }
}

/// The settings with the guarantee and the loss that a certificate is about.
#[must_use]
pub fn of(settings: Settings, certificate: &Certificate) -> Settings {
    let model = match certificate.rule {
        Rule::MinSize { k } => Model::KAnonymity { k },
        Rule::Distinct { m } => Model::MInvariance { m },
    };
    // What the columns mean depends on it.
    let loss = match certificate.loss {
        Certified::Sse => Loss::Sse,
        Certified::Ncp => Loss::Ncp,
        Certified::NcpBinary => Loss::NcpBinary,
    };
    Settings { model, loss, ..settings }
}

/// Checks a certificate for a table whose columns mean what the settings say, in at most so many nodes. The points, and all that
/// follows from them, are computed by the audit.
///
/// # Errors
/// As [`meaning`].
pub fn check(
    table: &Table,
    settings: &Settings,
    certificate: Certificate,
    nodes: u64,
) -> Result<Checked, Error> {
    let meaning = meaning(table, settings)?;
    let (records, rule) = (certificate.records(table.rows), rule(settings.model));
    let mut sst = None;
    let verdict = if certificate.loss == Certified::Sse {
        let encoded = records.and_then(|records| points(table, &records, &meaning));
        sst = encoded.as_ref().ok().map(Points::total);
        encoded.and_then(|encoded| {
            let Points { points, weights, colours } = &encoded;
            let data = Data { points, weights, colours: colours.as_deref() };
            verify(data, rule, &certificate, nodes)
        })
    } else {
        records
            .and_then(|records| widths(table, &records, &meaning))
            .and_then(|widths| verify_penalty(&widths, rule, &certificate, nodes))
    };
    Ok(Checked { certificate, meaning, verdict, sst, rows: table.rows })
}

/// A figure that is no more than this number.
fn at_least(value: f64) -> Figure {
    // Six decimals, as the command line has them.
    const DECIMALS: u8 = 6;
    let unit = 10_f64.powi(i32::from(DECIMALS));
    Figure::fixed((value * unit).floor() / unit, usize::from(DECIMALS))
}

impl Checked {
    /// What is told of it; `table` is the one that was checked.
    #[must_use]
    pub fn told(&self, table: &Table) -> Vec<Said> {
        let name = |index: usize| table.columns.get(index).map_or("", |column| column.name.as_str());
        let columns = self.meaning.attributes.iter().map(|of| name(of.column).into()).collect();
        let claim = self.certificate.claim();
        let least = at_least(claim);
        let verdict = match &self.verdict {
            Ok(_) => CertificateLine::Holds {
                records: self.certificate.duals.len(),
                rows: self.rows,
                rule: self.certificate.rule,
                loss: self.certificate.loss,
                least,
                percent: self.sst.filter(|sst| *sst > 0.0).map(|sst| at_least(100.0 * claim / sst)),
                searched: self.certificate.optimum.is_some(),
            },
            Err(refusal) => CertificateLine::Fails { least, why: refusal.said() },
        };
        vec![verdict.into(), CertificateLine::Columns { columns }.into()]
    }
}
