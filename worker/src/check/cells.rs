//! The flags of `lookalike check` that say how cells are read.

use std::collections::BTreeMap;

use lookalike_core::{
    audit::{
        SUPPRESSED,
        measure::{ColumnReading, Reading},
    },
    check::{DeclaredColumns, of_kind},
    table::{Reading as Compared, hierarchy::Hierarchy, usual_and},
};
use lookalike_model::settings::{Kind, Missing, Publish};
use lookalike_wire::config::Draft;

use crate::{
    column_flags,
    column_flags::GivenFault,
    exit::Failure,
    flag_values::{List, Named, Order, Pairs, markers, named},
    recoding::{domains, hierarchies},
};

/// The flags.
#[derive(Debug, clap::Args)]
pub(crate) struct CellArgs {
    /// Cells that mean "suppressed"; a row with nothing else in its quasi-identifiers, and without a class label, does not form a
    /// class. `none`: no cell means that, and such rows form a class like others
    #[arg(long, value_name = "LIST", default_value = SUPPRESSED, help_heading = "Columns")]
    suppressed: List,
    /// Cells that mean "not known", in any case, in addition to the empty cell [default: ?,NA,N/A,#N/A,#NA,null,-,NaN,.]
    #[arg(long, value_name = "LIST", help_heading = "Columns")]
    missing: Option<List>,
    /// Kinds of quasi-identifiers, where the guess is wrong: zip=category,visit=date-dmy (integer, real, number, date,
    /// date-dmy, date-mdy, date:%d.%m.%Y, category)
    #[arg(long, value_name = "COLUMN=KIND", help_heading = "Columns")]
    kind: Option<Pairs>,
    /// Order of a quasi-identifier's values: "education=Primary<Secondary<Tertiary"; once for each such column
    #[arg(long, value_name = "COLUMN=LOW<HIGH", help_heading = "Columns")]
    column_order: Vec<Order>,
    /// Generalisation hierarchy of a quasi-identifier whose cells may be its labels, or of a sensitive column for the hierarchical distance: a file
    /// with lines value;level1;level2;*, no header (the form of ARX); once for each such column
    #[arg(long, value_name = "COLUMN=FILE", help_heading = "Columns")]
    hierarchy: Vec<Named>,
    /// The values that a quasi-identifier may have, by which its certainty penalty is divided: age=0..120,
    /// city=Bath|Hull|Kent, spelled as its published cells are; a value outside is a failed check. Once for each such column
    #[arg(long, value_name = "COLUMN=DOMAIN", help_heading = "Columns")]
    domain: Vec<Named>,
}

impl CellArgs {
    /// The columns that are named.
    pub(super) fn columns(&self) -> impl Iterator<Item = &String> {
        let kinds = self.kind.iter().flat_map(|pairs| &pairs.0).map(|(name, _)| name);
        let orders = self.column_order.iter().map(|order| &order.column);
        let more = self.hierarchy.iter().chain(&self.domain).map(|named| &named.name);
        kinds.chain(orders).chain(more)
    }

    /// The hierarchies by column.
    pub(super) fn trees(&self) -> Result<BTreeMap<&str, Hierarchy>, Failure> {
        hierarchies(&self.hierarchy)
    }

    /// Whether a domain is declared.
    pub(super) fn has_domains(&self) -> bool {
        !self.domain.is_empty()
    }

    /// What is declared of columns: `told` of those that are asked about, but for what the flags say.
    pub(super) fn declared(
        &self,
        told: DeclaredColumns,
        quasi: &[String],
    ) -> Result<DeclaredColumns, Failure> {
        let mut declared = told;
        declared.domains.retain(|name, _| quasi.contains(name));
        declared.domains.extend(domains(&self.domain)?);
        declared.distances.retain(|name, _| !self.hierarchy.iter().any(|named| named.name == *name));
        Ok(declared)
    }

    /// The cells that mean "suppressed".
    pub(super) fn suppressed(&self) -> Vec<String> {
        let none = matches!(self.suppressed.0.as_slice(), [only] if only == "none");
        if none { Vec::new() } else { self.suppressed.0.clone() }
    }

    /// The cells that mean "not known", as far as the flag says.
    pub(super) fn markers(&self) -> Vec<String> {
        self.missing.as_ref().map_or_else(|| Missing::default().markers, markers)
    }

    /// Puts what is said of the cells of a table that is not published yet into a draft of its settings.
    pub(super) fn said(&self, draft: &mut Draft) -> Result<(), Failure> {
        if let Some(pairs) = &self.kind {
            draft.settings.kinds = column_flags::kinds(pairs)?;
        }
        draft.settings.orders = column_flags::orders(&self.column_order)?;
        if let Some(given) = &self.missing {
            draft.settings.missing.markers = Some(markers(given));
        }
        for (name, tree) in hierarchies(&self.hierarchy)? {
            draft.put_hierarchy(name, &tree.rows());
            // Cells of the published table may be its labels: so it is published.
            draft.settings.publish_columns.entry(name.to_owned()).or_insert(Publish::Hierarchy);
        }
        draft.settings.domains = domains(&self.domain)?;
        Ok(())
    }

    /// The cells that mean "not known" among the sensitive values: those that the flag says, else the usual ones and the
    /// configuration's. A list that was saved before there were more usual ones must not make a gap a value.
    pub(super) fn missing_values(&self, told: &Reading) -> Vec<String> {
        self.missing.as_ref().map_or_else(|| usual_and(&told.missing), markers)
    }

    /// How published cells are read: `told` but for what the flags say.
    pub(super) fn reading(&self, told: Reading) -> Result<Reading, Failure> {
        let mut reading = Reading { suppressed: self.suppressed(), ..told };
        if let Some(given) = &self.missing {
            reading.missing = markers(given);
        }
        let mut said = BTreeMap::new();
        for (name, value) in self.kind.iter().flat_map(|p| &p.0) {
            said.insert(name.clone(), kind(name, value)?);
        }
        for Order { column, values } in &self.column_order {
            let ranks = ColumnReading::As(Compared::Ranks(values.clone()));
            if said.insert(column.clone(), ranks).is_some() {
                return Err(Failure::input(GivenFault::KindTwice { column: column.as_str().into() }));
            }
        }
        reading.columns.extend(said);
        let trees = hierarchies(&self.hierarchy)?;
        reading.hierarchies.extend(trees.into_iter().map(|(name, tree)| (name.to_owned(), tree)));
        Ok(reading)
    }
}

fn kind(name: &str, value: &str) -> Result<ColumnReading, Failure> {
    let kind: Kind = named(value).map_err(|_| {
        Failure::input(GivenFault::PublishedKind { column: name.into(), value: value.into() })
    })?;
    let declared = of_kind(name, &kind).map_err(|why| Failure::input(GivenFault::from(why)))?;
    declared.ok_or_else(|| Failure::input(GivenFault::NoOrder { column: name.into() }))
}
