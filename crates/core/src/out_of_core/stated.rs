//! The published table of a run over blocks, counted by the audit from its bytes.

use std::io::Read;

use lookalike_audit::{
    Dialect, Judged,
    measure::{ColumnPenalty, Open, penalties},
};
use lookalike_model::assessment::ColumnUtility;
use lookalike_table::Role;

use super::{block::Blocks, totals::Totals};
use crate::{
    Error,
    release::{is_means, of_published, stated},
};

/// What the cells of a published table cost.
#[derive(Clone, Debug)]
pub struct Penalties(Vec<ColumnPenalty>);

impl Penalties {
    pub(super) fn of(columns: Vec<ColumnPenalty>) -> Self {
        Self(columns)
    }
}

impl Blocks {
    /// Counts what the cells of the published table cost, from its bytes.
    ///
    /// # Errors
    /// If the bytes do not have the form of a release.
    pub fn penalties(&self, published: impl Read, dialect: Dialect) -> Result<Penalties, Error> {
        let columns = self.measured();
        let reading = of_published(&self.schema, &self.recodings);
        Ok(Penalties(penalties(published, dialect, &columns, &reading, None)?))
    }

    /// Adds what is found of the stated loss and of declared domains to what the audit says.
    pub fn judge_loss(&self, penalties: &Penalties, totals: &Totals, judged: &mut Judged) {
        let braces =
            self.schema.columns.iter().zip(&self.recodings).zip(&self.labels).find(|(of, labels)| {
                let labels = labels.as_ref().map(|labels| labels.iter().collect::<Vec<_>>());
                let counts = of.0.role == Role::QuasiIdentifier && of.0.weight > 0.0;
                counts && stated::has_braces(&labels.unwrap_or_default(), of.0, of.1)
            });
        let open = braces.map(|((spec, _), _)| Open::Braces(spec.name.clone()));
        let objective = totals.objective(&self.survey);
        for check in stated::of(&self.schema, &penalties.0, &objective, (true, open)) {
            judged.verdict.add(check);
        }
    }

    /// As the report has it.
    pub(super) fn utility(&self, penalties: &Penalties) -> Vec<ColumnUtility> {
        let of = |column: &ColumnPenalty| {
            let measured = column.mean().ok();
            let ncp = measured.filter(|_| !is_means(&self.schema, &self.recodings, &column.name));
            let (name, measurable) = (column.name.clone(), ncp.is_some());
            ColumnUtility { name, ncp, measurable, information_loss_percent: None }
        };
        penalties.0.iter().map(of).collect()
    }
}
