//! What is declared of the columns of a published table, and is not to be seen in it.

use std::collections::BTreeMap;

use lookalike_audit::measure::Reading;
use lookalike_model::settings::{Coding, Domain as Told, Publish};
use lookalike_table::{Column, Table, hierarchy::Hierarchy};
use lookalike_words::Name;

use crate::{
    Error,
    prepare::{DomainMisfit, Misfit, domain::Domain, recoding::Recoding},
};

/// What is declared of columns; empty if nothing is.
#[derive(Clone, Debug, Default)]
pub struct DeclaredColumns {
    /// The values that columns may have: what their certainty penalty is divided by, and what must hold their cells.
    pub domains: BTreeMap<String, Told>,
    /// The limits at which numbers were coded.
    pub coding: BTreeMap<String, Coding>,
    /// Hierarchies by which columns are not published: they are distances of labels, and say nothing of published cells.
    pub distances: BTreeMap<String, Hierarchy>,
}

impl DeclaredColumns {
    /// How published cells are read with what is declared: a domain's values are spelled as its column's cells are.
    pub(super) fn published(
        &self,
        table: &Table,
        quasi: &[String],
        mut reading: Reading,
    ) -> Result<Reading, Error> {
        for (name, hierarchy) in &reading.hierarchies {
            let Some(column) = table.column(name) else { continue };
            let wrong = |why| Misfit::Hierarchy { name: name.as_str().into(), why };
            hierarchy.check_published(column, &reading.missing).map_err(wrong)?;
        }
        for (name, coding) in &self.coding {
            reading.limits.insert(name.clone(), (coding.bottom, coding.top));
        }
        for (name, told) in &self.domains {
            let asked = quasi.iter().any(|other| other == name);
            let Some(column) = table.column(name).filter(|_| asked) else {
                return Err(Misfit::RecodingOfOther { name: name.as_str().into() }.into());
            };
            let domain = self.domain(column, told, &reading)?;
            reading.domains.insert(name.clone(), domain);
        }
        Ok(reading)
    }

    fn domain(
        &self,
        column: &Column,
        told: &Told,
        reading: &Reading,
    ) -> Result<lookalike_audit::measure::Domain, Misfit> {
        let name = column.name.as_str();
        let unread = |why| Misfit::Domain { name: Name::from(name), why: DomainMisfit::Unread { why } };
        let compared = reading.published(column).map_err(unread)?;
        let hierarchy = reading.hierarchies.get(name).cloned();
        let form = if hierarchy.is_some() { Publish::Hierarchy } else { Publish::Range };
        let coding = self.coding.get(name).copied().unwrap_or_default();
        let recoding = Recoding { form, hierarchy, coding, domain: None, whole: None, level: None };
        Ok(Domain::new(name, told, &compared, &recoding, &reading.missing)?.told(&recoding))
    }

    /// The same reading with the hierarchies that are distances, for comparisons with the original.
    pub(super) fn against(&self, mut reading: Reading) -> Reading {
        for (name, hierarchy) in &self.distances {
            reading.hierarchies.entry(name.clone()).or_insert_with(|| hierarchy.clone());
        }
        reading
    }
}
