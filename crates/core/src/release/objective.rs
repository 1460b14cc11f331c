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
pub(crate) fn objective(table: &Table, prepared: &Prepared, answer: &Answer) -> Result<Objective, Error> {
    let loss = prepared.settings.loss;
    let published = Published::of(answer);
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
    let sse = published.loss(&points, &Sse);
    let sst = Sse.class(&points, &all);
    // Ranges are published: a total over the real records alone, to the last digit, would let somebody solve for the
    // counterfeits of each class.
    let told = |x: f64| if prepared.changes.counterfeits > 0 { two_digits(x) } else { x };
    let ncp_total = told(published.loss(&ranges, &Ncp::default()));
    Ok(Objective {
        loss,
        value: match loss {
            LossName::Sse => sse,
            LossName::Ncp => ncp_total,
            LossName::NcpBinary => told(published.loss(&ranges, &Ncp { binary: true })),
        },
        sse,
        sst,
        information_loss_percent: percent(sse, sst),
        ncp_total,
        gcp_mean: told(ncp_total / ranges.reals as f64),
    })
}

/// What is published of the records.
enum Published {
    Classes(Partition),
    /// The records that each row covers.
    #[cfg(feature = "freeform")]
    Rows(Vec<Vec<u32>>),
}

impl Published {
    fn of(answer: &Answer) -> Self {
        #[cfg(feature = "freeform")]
        if let Some(freeform) = &answer.freeform {
            return Self::Rows(crate::freeform::covered(freeform));
        }
        Self::Classes(Partition::from_labels(&answer.labels))
    }

    fn loss(&self, instance: &Instance, loss: &impl Loss) -> f64 {
        match self {
            Self::Classes(partition) => partition.loss(instance, loss),
            #[cfg(feature = "freeform")]
            Self::Rows(covered) => crate::freeform::loss(instance, loss, covered),
        }
    }
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
