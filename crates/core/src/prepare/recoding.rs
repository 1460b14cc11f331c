//! How each column will be published: form, hierarchy, top and bottom coding, checked against the table.

use lookalike_model::settings::{Coding, Loss, Publish, Scheme, Settings};
use lookalike_table::{
    ColumnSpec, Reading, Role, Schema, Table,
    hierarchy::{Hierarchy, HierarchyError},
};
use lookalike_words::{Figure, Name, Said};

use super::{
    Whole,
    domain::Domain,
    ends,
    interval_labels::widths,
    leaves::penalised,
    levels::of_labels,
    misfit::{CodingMisfit, Misfit},
    missing::missing_values,
    roles::{known, recoded},
};
use crate::{CodedLimit, Error, ReleaseWarning};

/// How one column is published.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recoding {
    /// Never [`Publish::Hierarchy`] without a hierarchy.
    pub(crate) form: Publish,
    /// Also the distance of labels.
    pub(crate) hierarchy: Option<Hierarchy>,
    pub(crate) coding: Coding,
    /// The values that the column may have, where they are declared.
    pub(crate) domain: Option<Domain>,
    /// What the whole column is like, where the table is a part of it.
    pub(crate) whole: Option<Whole>,
    /// The level at which all records are published, where one was chosen for the whole column.
    pub(crate) level: Option<usize>,
}

/// A number with the side on which it was coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coded {
    Bottom,
    No,
    Top,
}

impl Recoding {
    /// Whether a class is published as the range or set of its values in a column that is read so.
    pub(crate) fn in_ranges(&self, reading: &Reading) -> bool {
        match self.form {
            Publish::Range | Publish::MinMax | Publish::MinMaxMid | Publish::Set => true,
            Publish::Hierarchy => false,
            Publish::Centroid => *reading == Reading::Labels,
        }
    }

    /// Whether a missing cell has no place among the known ones that a column of this reading publishes together.
    pub(crate) fn has_gaps(&self, reading: &Reading) -> bool {
        *reading != Reading::Labels || self.published_by().is_some()
    }

    /// The hierarchy by which the column is published, if it is.
    pub(crate) fn published_by(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref().filter(|_| self.form == Publish::Hierarchy)
    }

    /// Whether a number lies at or beyond a limit of the coding.
    pub(crate) fn coded(&self, x: f64) -> Coded {
        match self.coding {
            Coding { top: Some(top), .. } if x >= top => Coded::Top,
            Coding { bottom: Some(bottom), .. } if x <= bottom => Coded::Bottom,
            _ => Coded::No,
        }
    }

    /// The number that stands for `x` in loss and means.
    pub(crate) fn code(&self, x: f64) -> f64 {
        let limit = match self.coded(x) {
            Coded::Top => self.coding.top,
            Coded::Bottom => self.coding.bottom,
            Coded::No => None,
        };
        limit.unwrap_or(x)
    }
}

/// One entry a column of the table. Settings that do not fit the table or would have no effect are errors.
pub(crate) fn recodings(table: &Table, schema: &Schema, settings: &Settings) -> Result<Vec<Recoding>, Error> {
    let named = settings.publish_columns.keys().chain(settings.hierarchies.keys());
    for name in named.chain(settings.coding.keys()).chain(settings.domains.keys()) {
        known(table, name)?;
        let other = !settings.publish_columns.contains_key(name)
            && !settings.coding.contains_key(name)
            && !settings.domains.contains_key(name);
        if other && settings.goes_by_hierarchy(name) {
            continue;
        }
        if !recoded(schema).any(|spec| spec.name == *name) {
            return Err(Misfit::RecodingOfOther { name: name.as_str().into() }.into());
        }
    }
    if settings.publish == Publish::Hierarchy && settings.hierarchies.is_empty() {
        return Err(Misfit::NoHierarchies.into());
    }
    let recodings: Vec<Recoding> = schema
        .columns
        .iter()
        .map(|spec| recoding(table, schema, spec, settings))
        .collect::<Result<_, _>>()?;
    priced(schema, &recodings, settings.loss)?;
    ends::check(table, schema, &recodings, settings)?;
    Ok(recodings)
}

/// Refuses a loss that is not of what is published: a mean has no range to be penalised, and categories as binaries have no
/// hierarchy.
fn priced(schema: &Schema, recodings: &[Recoding], loss: Loss) -> Result<(), Error> {
    let Some(flag) = penalty(loss) else { return Ok(()) };
    for spec in counting(schema) {
        let (name, recoding) = (&spec.name, &recodings[spec.index]);
        match recoding.published_by() {
            Some(hierarchy) if loss == Loss::Ncp => drop(penalised(name, hierarchy, &spec.reading)?),
            Some(_) => {
                return Err(Misfit::PenaltyOfHierarchy { name: name.as_str().into(), loss: flag }.into());
            }
            None if !recoding.in_ranges(&spec.reading) => {
                return Err(Misfit::PenaltyOfMeans { name: name.as_str().into(), loss: flag }.into());
            }
            None => {}
        }
    }
    Ok(())
}

/// The flag of a certainty penalty.
fn penalty(loss: Loss) -> Option<&'static str> {
    match loss {
        Loss::Sse => None,
        Loss::Ncp => Some("ncp"),
        Loss::NcpBinary => Some("ncp-binary"),
    }
}

/// The columns that count in a loss.
fn counting(schema: &Schema) -> impl Iterator<Item = &ColumnSpec> {
    schema.columns.iter().filter(|spec| spec.role == Role::QuasiIdentifier && spec.weight > 0.0)
}

/// The column that counts in a loss, has missing cells in some of these rows, and is published as a range or by its hierarchy:
/// the penalty of a range or label beside "missing" is not that of the range or label.
pub(crate) fn gap<'a>(
    table: &Table,
    schema: &'a Schema,
    recodings: &[Recoding],
    rows: &[u32],
) -> Option<&'a ColumnSpec> {
    counting(schema).find(|spec| {
        let column = &table.columns[spec.index];
        let missing = missing_values(&column.values, &schema.markers);
        recodings[spec.index].has_gaps(&spec.reading)
            && rows.iter().any(|&r| missing[column.cells[r as usize] as usize])
    })
}

/// Refuses the certainty penalty of a column that is missing in some rows; `gap` is the column.
pub(crate) fn refuse_gap(gap: Option<&ColumnSpec>, loss: Loss) -> Result<(), Error> {
    let (Some(spec), Some(loss)) = (gap, penalty(loss)) else { return Ok(()) };
    let name = spec.name.as_str().into();
    Err(match spec.reading {
        Reading::Labels => Misfit::PenaltyOfMissingLabels { name, loss }.into(),
        _ => Misfit::PenaltyOfMissing { name, loss }.into(),
    })
}

fn recoding(
    table: &Table,
    schema: &Schema,
    spec: &ColumnSpec,
    settings: &Settings,
) -> Result<Recoding, Error> {
    let name = &spec.name;
    let by_level = settings.scheme == Scheme::FullDomain && spec.role == Role::QuasiIdentifier;
    // Of a sensitive column it is the distance of its values.
    let told = settings.hierarchies.get(name).filter(|_| !settings.goes_by_hierarchy(name));
    let hierarchy = match told {
        None if by_level => Some(of_labels(&table.columns[spec.index], &spec.reading, &schema.markers)?),
        None => None,
        Some(rows) => {
            let wrong = |why: HierarchyError| Misfit::Hierarchy { name: name.as_str().into(), why };
            let hierarchy = Hierarchy::new(rows).map_err(wrong)?;
            hierarchy.check(&table.columns[spec.index], &schema.markers).map_err(wrong)?;
            Some(hierarchy)
        }
    };
    let form = match (settings.publish_columns.get(name), settings.publish, &hierarchy) {
        (Some(Publish::Hierarchy), _, None) => {
            return Err(Misfit::NoHierarchy { name: name.as_str().into() }.into());
        }
        (Some(form), _, _) => *form,
        (None, _, Some(_)) if by_level => Publish::Hierarchy,
        (None, Publish::Hierarchy, None) => Publish::Range,
        (None, form, _) => form,
    };
    if let Some(hierarchy) = hierarchy.as_ref().filter(|_| form == Publish::Hierarchy) {
        let wrong = |why: HierarchyError| Misfit::Hierarchy { name: name.as_str().into(), why };
        hierarchy.check_labels(&table.columns[spec.index], &schema.markers).map_err(wrong)?;
    }
    if hierarchy.is_some() && spec.reading != Reading::Labels && form != Publish::Hierarchy {
        return Err(Misfit::IdleHierarchy { name: name.as_str().into() }.into());
    }
    let coding = settings.coding.get(name).copied().unwrap_or_default();
    if settings.coding.contains_key(name) {
        check_coding(name, coding, &spec.reading, form)?;
    }
    let mut recoding = Recoding { form, hierarchy, coding, domain: None, whole: None, level: None };
    if let Some(told) = settings.domains.get(name) {
        let domain = Domain::new(name, told, &spec.reading, &recoding, &schema.markers)?;
        domain.check(&table.columns[spec.index], &spec.reading, &schema.markers, 0)?;
        recoding.domain = Some(domain);
    }
    Ok(recoding)
}

fn check_coding(name: &str, coding: Coding, reading: &Reading, form: Publish) -> Result<(), Error> {
    let wrong = if !matches!(reading, Reading::Numbers(_)) {
        CodingMisfit::NoNumbers
    } else if form == Publish::Hierarchy {
        CodingMisfit::ByHierarchy
    } else if [coding.bottom, coding.top].iter().flatten().any(|x| !x.is_finite()) {
        CodingMisfit::NotFinite
    } else {
        match (coding.bottom, coding.top) {
            (None, None) => CodingMisfit::NoLimit,
            (Some(bottom), Some(top)) if bottom >= top => {
                CodingMisfit::Crossed { bottom: Figure::shortest(bottom), top: Figure::shortest(top) }
            }
            _ => return Ok(()),
        }
    };
    Err(Misfit::Coding { name: name.into(), why: wrong }.into())
}

/// What a reader of the report should know about the recoding.
pub(crate) fn statements(schema: &Schema, recodings: &[Recoding], settings: &Settings) -> Vec<Said> {
    let mut statements = Vec::new();
    let mut means = Vec::new();
    for spec in recoded(schema) {
        let (name, recoding) = (&spec.name, &recodings[spec.index]);
        let name = || Name::from(name.as_str());
        let bottom = recoding.coding.bottom.map(|x| CodedLimit::Bottom { limit: Figure::shortest(x) });
        let top = recoding.coding.top.map(|x| CodedLimit::Top { limit: Figure::shortest(x) });
        let limits: Vec<CodedLimit> = bottom.into_iter().chain(top).collect();
        if !limits.is_empty() {
            statements.push(ReleaseWarning::Coded { name: name(), limits }.into());
        }
        if let Some(domain) = settings.domains.get(&spec.name) {
            statements.push(ReleaseWarning::domain(&spec.name, domain, settings.loss == Loss::Sse).into());
        }
        match recoding.form {
            Publish::Hierarchy => {
                // Where each column has its level, that is said once for all.
                if settings.scheme == Scheme::Classes {
                    statements.push(ReleaseWarning::ByHierarchy { name: name() }.into());
                }
                let numbers = matches!(spec.reading, Reading::Numbers(_)) && settings.loss != Loss::Sse;
                let tree = recoding.hierarchy.as_ref().filter(|_| numbers);
                if tree.is_some_and(|tree| widths(tree, &spec.reading).is_none()) {
                    statements.push(ReleaseWarning::LabelsCount { name: name() }.into());
                }
            }
            Publish::Centroid if spec.reading != Reading::Labels => means.push(name()),
            _ => {}
        }
        if let Some(ends) = recoding.ends(spec) {
            let columns = ends.names().map(|end| Name::from(end.as_str())).collect();
            statements.push(ReleaseWarning::InEnds { name: name(), columns }.into());
        }
    }
    if !means.is_empty() {
        statements.push(ReleaseWarning::Means { columns: means }.into());
    }
    statements
}
