//! The loss that was reached, in every measure that the report gives, whatever was minimised.

use lookalike_table::Table;
use lookalike_wire::{
    job::{Answer, Job},
    report::Objective,
    settings::Loss as LossName,
};

use super::report::percent;
use crate::{
    Error,
    instance::Instance,
    loss::{Loss, Ncp, Sse},
    partition::Partition,
    prepare::{Encoded, Prepared, encode_ncp, encode_sse},
};

/// Encodes the published rows once more where the job was encoded for the other loss.
pub(super) fn objective(table: &Table, prepared: &Prepared, answer: &Answer) -> Result<Objective, Error> {
    let loss = prepared.settings.loss;
    let partition = Partition::from_labels(&answer.labels);
    let own = Instance::from_job(&prepared.job)?;
    let other = |loss| {
        let encoded = match loss {
            LossName::Sse => encode_sse(table, &prepared.schema, &prepared.recodings, &prepared.rows),
            LossName::Ncp | LossName::NcpBinary => {
                encode_ncp(table, &prepared.schema, &prepared.recodings, &prepared.rows)
            }
        };
        instance(&prepared.job, loss, &encoded?)
    };
    let (points, ranges) = match loss {
        LossName::Sse => (own, other(LossName::Ncp)?),
        LossName::Ncp | LossName::NcpBinary => (other(LossName::Sse)?, own),
    };
    let all: Vec<u32> = (0..points.records() as u32).collect();
    let sse = partition.loss(&points, &Sse);
    let sst = Sse.class(&points, &all);
    // Ranges are published: a total over the real records alone, to the last digit, would let somebody solve for the
    // counterfeits of each class.
    let told = |x: f64| if prepared.changes.counterfeits > 0 { two_digits(x) } else { x };
    let ncp_total = told(partition.loss(&ranges, &Ncp::default()));
    Ok(Objective {
        loss,
        value: match loss {
            LossName::Sse => sse,
            LossName::Ncp => ncp_total,
            LossName::NcpBinary => told(partition.loss(&ranges, &Ncp { binary: true })),
        },
        sse,
        sst,
        information_loss_percent: percent(sse, sst),
        ncp_total,
        gcp_mean: told(ncp_total / ranges.reals as f64),
    })
}

/// Rounded to two significant digits.
fn two_digits(x: f64) -> f64 {
    format!("{x:.1e}").parse().unwrap_or(x)
}

/// The records of the job under another encoding, in the job's order.
fn instance(job: &Job, loss: LossName, encoded: &Encoded) -> Result<Instance, Error> {
    let reals = encoded.columns.first().map_or(0, Vec::len);
    let points = (0..reals).flat_map(|i| encoded.columns.iter().map(move |c| c[i])).collect();
    Instance::from_job(&Job {
        dims: encoded.columns.len(),
        points,
        loss,
        attributes: encoded.attributes.clone(),
        ..job.clone()
    })
}
