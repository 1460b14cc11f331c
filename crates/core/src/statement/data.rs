//! What a statement says of the data: their columns and roles, without a value.

use lookalike_model::{
    document::{Part, Table},
    report::{Private, Report},
    settings::{Coding, MissingPolicy, Publish, RowsAre, Settings},
};
use lookalike_words::{AsArg, Figure, Message as _, Name, Said, messages};

use super::{StatementColumn, nothing};

messages! {
    in "core";

    /// What is published of the data.
    enum StatementData {
        /// Records and columns, and whether there are classes.
        Records {
            /// How many records.
            records: usize,
            /// How many columns.
            columns: usize,
            /// Whether the classes are published.
            classes: bool,
            /// Whether there are no classes.
            own: bool,
        },
        /// The same with counterfeits.
        WithCounterfeits {
            /// How many real records.
            records: usize,
            /// How many counterfeits.
            counterfeits: usize,
            /// How many columns.
            columns: usize,
            /// Whether the classes are published.
            classes: bool,
            /// Whether there are no classes.
            own: bool,
        },
        /// Persons who may have several rows.
        OfPersons {
            /// How many persons.
            persons: usize,
            /// How many rows.
            rows: usize,
            /// How many columns.
            columns: usize,
        },
        /// What a row is.
        Row,
        /// What the first row is.
        FirstRow,
        /// A quasi-identifier with the weight of all others.
        EqualWeight,
        /// Published records with a missing cell.
        Missing {
            /// How many.
            records: usize,
        },
    }

    /// The role of a column.
    pub(super) enum StatementRole {
        /// A quasi-identifier.
        Quasi,
        /// The sensitive column.
        Sensitive,
        /// A further sensitive column, which is published cell by cell as it is.
        FurtherSensitive,
        /// Kept as it is.
        Kept,
        /// Published cell by cell as it is.
        Unchanged,
        /// Not published.
        Unpublished,
    }

    /// How a column is published.
    pub(super) enum StatementForm {
        /// As it is.
        AsIs,
        /// By a hierarchy.
        Hierarchy {
            /// Of so many levels.
            levels: usize,
        },
        /// Ranges of values, sets of labels.
        Ranges,
        /// The ends of ranges, sets of labels.
        Ends,
        /// The same with the middles of the ranges.
        EndsAndMiddle,
        /// Sets.
        Sets,
        /// Means of values, sets of labels.
        Means,
    }

    /// How a column is published with top or bottom coding.
    enum StatementCoding {
        /// Beyond the limits there is one value each.
        Coded {
            /// How else it is published.
            form: Said,
        },
    }

    /// What a row stands for.
    enum StatementRow {
        /// A person, which was said.
        Said,
        /// A person, by a key.
        Key {
            /// The column of the key.
            key: Name,
        },
        /// An event of a person, by a key.
        Events {
            /// The column of the key.
            key: Name,
        },
        /// A person, as far as the columns show.
        NoKey,
    }

    /// What the first row stands for.
    enum StatementFirstRow {
        /// Names, which was said.
        NamesSaid,
        /// A record, which was said.
        RecordSaid,
        /// Names.
        Names,
    }

    /// What becomes of missing cells.
    enum StatementMissing {
        /// There were none.
        None,
        /// Their rows are left out.
        Dropped,
        /// They are a value.
        Value,
    }
}

/// Columns and their roles, without a value.
pub(super) fn data(report: &Report, private: &Private) -> Vec<Part> {
    let (records, columns) = (report.input.rows, report.input.columns);
    let own = report.freeform.is_some();
    let classes = !own && private.settings.class_column.name().is_some();
    let size = match report.changes.counterfeits {
        _ if let Some(of) = &report.persons => {
            StatementData::OfPersons { persons: of.count, rows: records, columns }
        }
        0 => StatementData::Records { records, columns, classes, own },
        counterfeits => StatementData::WithCounterfeits { records, counterfeits, columns, classes, own },
    };
    let mut taken = Table::of([StatementColumn::What, StatementColumn::TakenAs]);
    taken.row(&StatementData::Row, &row(&private.settings));
    let first = match private.header {
        Some(true) => StatementFirstRow::NamesSaid,
        Some(false) => StatementFirstRow::RecordSaid,
        None => StatementFirstRow::Names,
    };
    taken.row(&StatementData::FirstRow, &first);
    vec![
        Part::Paragraph(size.into()),
        Part::Table(roles(report, private)),
        Part::Table(taken),
        Part::Table(missing(report)),
    ]
}

/// A column as a statement describes it.
pub(super) struct Variable<'a> {
    /// Its name.
    pub(super) name: &'a String,
    /// What it is for.
    pub(super) role: StatementRole,
    /// How it is published, but for its coding; `None` if it is not.
    pub(super) form: Option<StatementForm>,
    /// Top and bottom coding.
    pub(super) coding: Option<Coding>,
    /// The weight of a column.
    pub(super) weight: Weight,
}

/// How much a column counts.
#[derive(Clone, Copy)]
pub(super) enum Weight {
    /// It is no quasi-identifier.
    None,
    /// As much as all others that have no weight of their own.
    Alike,
    /// So much.
    Own(f64),
}

impl Variable<'_> {
    /// How it is published, in words; `None` if it is not.
    pub(super) fn words(&self) -> Option<Said> {
        let form = self.form.as_ref()?.said();
        Some(if self.coding.is_some() { StatementCoding::Coded { form }.into() } else { form })
    }
}

/// The columns in the order of the table, whatever order they were named in, and then those that are not published.
pub(super) fn variables<'a>(report: &Report, private: &'a Private) -> Vec<Variable<'a>> {
    let settings = &private.settings;
    let of = |name: &'a String, role, form| Variable {
        name,
        role,
        form: Some(form),
        coding: None,
        weight: Weight::None,
    };
    let coding = |name: &String| settings.coding.get(name).copied();
    let mut all: Vec<Variable<'a>> = Vec::new();
    all.extend(settings.quasi.iter().map(|name| Variable {
        weight: settings.weights.get(name).map_or(Weight::Alike, |&weight| Weight::Own(weight)),
        coding: coding(name),
        ..of(name, StatementRole::Quasi, published(settings, name))
    }));
    let sensitive = settings.sensitive.iter();
    all.extend(sensitive.map(|name| of(name, StatementRole::Sensitive, StatementForm::AsIs)));
    all.extend(settings.keep.iter().map(|name| Variable {
        coding: coding(name),
        ..of(name, StatementRole::Kept, published(settings, name))
    }));
    let unchanged = settings.unchanged.iter();
    all.extend(unchanged.map(|name| {
        let secret = settings.conditions_of.contains_key(name);
        let role = if secret { StatementRole::FurtherSensitive } else { StatementRole::Unchanged };
        of(name, role, StatementForm::AsIs)
    }));
    let place = |name: &String| report.missing.columns.iter().position(|column| column.column == *name);
    all.sort_by_key(|variable| place(variable.name));
    let gone = private.unpublished_columns.iter();
    all.extend(gone.map(|name| Variable {
        name,
        role: StatementRole::Unpublished,
        form: None,
        coding: None,
        weight: Weight::None,
    }));
    all
}

fn roles(report: &Report, private: &Private) -> Table {
    let mut table = Table::of([
        StatementColumn::Column,
        StatementColumn::Role,
        StatementColumn::Published,
        StatementColumn::Weight,
    ]);
    table.rows.extend(variables(report, private).into_iter().map(|of| {
        let form = of.words().map_or_else(|| nothing().as_arg(), |form| form.as_arg());
        let weight = match of.weight {
            Weight::None => nothing().as_arg(),
            Weight::Alike => StatementData::EqualWeight.as_arg(),
            Weight::Own(weight) => Figure::shortest(weight).as_arg(),
        };
        vec![of.name.as_arg(), of.role.as_arg(), form, weight]
    }));
    table
}

fn row(settings: &Settings) -> StatementRow {
    match &settings.rows_are {
        Some(RowsAre::People) => StatementRow::Said,
        Some(RowsAre::Of(key)) => StatementRow::Key { key: key.as_str().into() },
        Some(RowsAre::EventsOf(key)) => StatementRow::Events { key: key.as_str().into() },
        None => StatementRow::NoKey,
    }
}

fn missing(report: &Report) -> Table {
    let mut table =
        Table::of([StatementColumn::Column, StatementColumn::MissingCells, StatementColumn::InRelease]);
    table.rows.extend(report.missing.columns.iter().map(|column| {
        let policy = match column.policy {
            MissingPolicy::Error => StatementMissing::None,
            MissingPolicy::Drop => StatementMissing::Dropped,
            MissingPolicy::Value => StatementMissing::Value,
        };
        let records = StatementData::Missing { records: column.rows };
        vec![column.column.as_arg(), policy.as_arg(), records.as_arg()]
    }));
    table
}

/// How a column is published, but for its coding; a hierarchy by its height, not by its labels.
fn published(settings: &Settings, name: &str) -> StatementForm {
    let form = settings.publish_columns.get(name).copied().unwrap_or(settings.publish);
    let tree = settings.hierarchies.get(name).and_then(|rows| rows.first());
    match (form, tree.map(|row| row.len().saturating_sub(1))) {
        (Publish::Hierarchy, Some(levels)) => StatementForm::Hierarchy { levels },
        (Publish::Range | Publish::Hierarchy, _) => StatementForm::Ranges,
        (Publish::MinMax, _) => StatementForm::Ends,
        (Publish::MinMaxMid, _) => StatementForm::EndsAndMiddle,
        (Publish::Set, _) => StatementForm::Sets,
        (Publish::Centroid, _) => StatementForm::Means,
    }
}
