//! The loss that was reached, in every measure that the report gives, whatever was minimised.

use lookalike_model::{
    instance::Instance,
    job::Answer,
    loss::{Loss, Ncp, Sse},
    partition::Partition,
    report::Objective,
    settings::Loss as LossName,
};
use lookalike_table::{ColumnSpec, Role, Table};

use super::{
    encoded::instance,
    full_domain,
    persons::{of_rows, spread},
    rounding::percent,
    sets,
};
use crate::{
    Error,
    prepare::{Prepared, encode_ncp, encode_sse, gap, penalised},
};

/// Encodes the published rows once more where the job was encoded for the other loss, or before records were suppressed for
/// their price: figures are of the records that are published, scaled by these alone.
pub(crate) fn objective(table: &Table, prepared: &Prepared, answer: &Answer) -> Result<Objective, Error> {
    let loss = prepared.settings.loss;
    if !prepared.job.sets.is_empty() {
        return sets::objective(table, prepared, answer);
    }
    let published = Published::of(answer);
    let encoded = |loss| match loss {
        LossName::Sse => {
            let means = prepared.persons.is_some();
            encode_sse(table, &prepared.schema, &prepared.recodings, &prepared.rows, means)
        }
        LossName::Ncp | LossName::NcpBinary => {
            encode_ncp(table, &prepared.schema, &prepared.recodings, &prepared.rows)
        }
    };
    // Squared errors are of the records of the job, which may be persons.
    let anew = |loss| match &prepared.persons {
        Some(persons) => instance(&prepared.job, loss, &persons.by_place().means(&encoded(loss)?)?),
        None => instance(&prepared.job, loss, &encoded(loss)?),
    };
    let own = match prepared.changes.suppressed_for_loss {
        0 => Instance::from_job(&prepared.job)?,
        _ => anew(loss)?,
    };
    let squared = |points: &Instance| {
        let all: Vec<u32> = (0..points.records() as u32).collect();
        (published.loss(points, &Sse), Sse.class(points, &all))
    };
    let (value, squares, ranges) = match loss {
        LossName::Sse => {
            let squares = squared(&own);
            let ranges = match &prepared.persons {
                Some(_) => of_rows(&prepared.job, &encoded(LossName::Ncp)?)?,
                None => anew(LossName::Ncp)?,
            };
            (squares.0, Some(squares), ranges)
        }
        LossName::Ncp | LossName::NcpBinary => {
            let squares = squared(&anew(LossName::Sse)?);
            (published.loss(&own, &Ncp { binary: loss == LossName::NcpBinary }), Some(squares), own)
        }
    };
    let (sse, sst) = squares.unzip();
    // The penalty is of rows, whoever they are of.
    let ncp_total = match spread(prepared, answer) {
        Some(answer) => Published::of(&answer).loss(&ranges, &Ncp::default()),
        None => published.loss(&ranges, &Ncp::default()),
    };
    let by_level = full_domain::penalty(table, prepared)?;
    let (value, ncp_total) = by_level.map_or((value, ncp_total), |penalty| (penalty, penalty));
    let stated = in_ranges(table, prepared);
    Ok(Objective {
        loss,
        value,
        sse,
        sst,
        information_loss_percent: squares.map(|(sse, sst)| percent(sse, sst)),
        ncp_total: stated.then_some(ncp_total),
        gcp_mean: stated.then(|| ncp_total / ranges.reals as f64),
    })
}

/// Whether what is published of a class are the ranges, sets or labels of its real records, in all columns that count.
pub(super) fn in_ranges(table: &Table, prepared: &Prepared) -> bool {
    let counts = |spec: &&ColumnSpec| spec.role == Role::QuasiIdentifier && spec.weight > 0.0;
    let mut columns = prepared.schema.columns.iter().filter(counts);
    prepared.drawn_from.is_empty()
        && gap(table, &prepared.schema, &prepared.recodings, &prepared.rows).is_none()
        && columns.all(|spec| {
            let recoding = &prepared.recodings[spec.index];
            let by_labels = recoding
                .published_by()
                .is_some_and(|hierarchy| penalised(&spec.name, hierarchy, &spec.reading).is_ok());
            recoding.in_ranges(&spec.reading) || by_labels
        })
}

/// What is published of the records.
enum Published {
    Classes(Partition),
    /// The records that each row covers.
    Rows(Vec<Vec<u32>>),
}

impl Published {
    fn of(answer: &Answer) -> Self {
        if let Some(freeform) = &answer.freeform {
            return Self::Rows(lookalike_model::freeform::covered(freeform));
        }
        Self::Classes(Partition::from_labels(&answer.labels))
    }

    fn loss(&self, instance: &Instance, loss: &impl Loss) -> f64 {
        match self {
            Self::Classes(partition) => partition.loss(instance, loss),
            Self::Rows(covered) => lookalike_model::freeform::loss(instance, loss, covered),
        }
    }
}
