//! Whether a published table keeps what somebody asks of it: several models at once, on anybody's table.
//!
//! Two groupings are judged: the rows of one class, if the table has a column with class labels, and the rows with
//! equal published quasi-identifiers (the equivalence class of the literature). Every model must hold for both.
//!
//! A row whose quasi-identifiers are all suppressed and that has no class label belongs to no group: it is counted, and
//! judged by nothing.
//!
//! A missing sensitive value is no diversity: l-diversity and t-closeness look at the rows with a known value, and a
//! group without any has none. With [`Inquiry::missing_is_value`] all missing markers together are one value.
//! m-uniqueness takes cells as they are, and the note of [`Subject::KnownValues`] says what is left of it when
//! missing markers do not count.
//!
//! Definitions, papers and worked examples: `docs/checks.md`. Cost: linear in the cells, apart from sorting.

mod closeness;
mod condition;
mod diversity;
mod inquiry;
mod name;
mod secret;

use lookalike_table::Table;
use lookalike_words::Cell;

pub use inquiry::{Distance, Diversity, Inquiry, Model};
pub use name::ModelName;
use secret::Secret;

use crate::{
    Check, Error, Grouping, Observation, Promise, Reader, Risks, Subject, Unasked, classes, groups::Groups,
    judge::words, order, published::Published, risk::risks_of, sizes::enough_rows, suppressed::kept_rows,
    values,
};

/// What was found about one model in one grouping.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What was asked.
    pub model: Model,
    /// Of which grouping.
    pub grouping: Grouping,
    /// What the worst group reaches, in the model's own unit: k, m, l (for entropy: e to the entropy; for recursive:
    /// the least c that would do, infinite if none) or t. `None` if there is no group.
    pub reached: Option<f64>,
    /// Whether it holds, with witnesses.
    pub check: Check,
}

/// The answer to an [`Inquiry`].
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// Every finding holds, and the rows of a class are published alike.
    pub passed: bool,
    /// One entry a model and grouping.
    pub findings: Vec<Finding>,
    /// What else the reader should know. None of it decides, but for a class whose rows are published differently.
    pub notes: Vec<Check>,
    /// Risk of re-identification.
    pub risks: Risks,
    /// Who read the bytes.
    pub reader: Reader,
}

/// Judges a table that somebody published, or a raw one.
///
/// # Errors
/// If the inquiry makes no sense (see [`Inquiry`]), a column is missing, or ordered distance finds no order.
pub fn assess(table: &Table, inquiry: &Inquiry) -> Result<Assessment, Error> {
    inquiry.validate()?;
    inquiry.attacker.fits(table.rows)?;
    let published = Published::new(table, &inquiry.question())?;
    let keep = kept_rows(table.rows, &published.quasi, published.class, &inquiry.suppressed);
    let groups = Groups::among(&keep, published.quasi.clone());
    let classes = published.class.map(|class| Groups::among(&keep, vec![class]));
    let secret = match published.sensitive {
        Some(column) => Some(Secret::new(column, inquiry)?),
        None => None,
    };

    let mut notes = Vec::new();
    match &classes {
        Some(classes) => notes.push(classes::published_alike(classes, &groups)),
        None => notes.push(words::no_class(inquiry.class.as_deref())),
    }
    let suppressed = keep.iter().filter(|kept| !**kept).count();
    notes.extend((suppressed > 0).then(|| suppressed_note(suppressed, table.rows, classes.is_some())));
    if classes.is_some() {
        // Of a table of ours this is demanded; of anybody's it is worth a word.
        notes.push(Check { passed: true, ..order::sorted(&published) });
    }
    if let Some(secret) = &secret {
        let (groups, grouping) = match &classes {
            Some(classes) => (classes, Grouping::Class),
            None => (&groups, Grouping::Group),
        };
        notes.push(values::known_values(groups, secret.column, &inquiry.missing, grouping));
        notes.push(values::rare_values(secret.column));
        notes.extend(values::near_values(secret.column, &inquiry.missing));
    }
    let asked = |name: &str| {
        let of =
            |model: &Model| matches!(model, Model::Condition { column: Some(column), .. } if column == name);
        inquiry.models.iter().any(of)
    };
    let unnamed: Vec<_> = published.unnamed.iter().filter(|column| !asked(&column.name)).collect();
    if !unnamed.is_empty() {
        let named = unnamed.iter().map(|c| Unasked::Named { name: Cell::from(c.name.as_str()) });
        let finding = Observation::Unjudged { columns: named.collect() };
        notes.push(Check::note(Subject::Unjudged, finding, None));
    }

    let mut findings = Vec::new();
    for model in &inquiry.models {
        let by_class = classes.as_ref().map(|classes| (Grouping::Class, classes));
        for (grouping, groups) in by_class.into_iter().chain([(Grouping::Group, &groups)]) {
            if let Model::Set { columns, k } = model {
                // Classes are of all columns.
                if grouping == Grouping::Group {
                    findings.push(judge_set(table, (columns, *k), &keep)?);
                }
                continue;
            }
            let Model::Condition { column: named, condition, arranged } = model else {
                findings.push(judge_model(model, grouping, groups, secret.as_ref()));
                continue;
            };
            let column = match named {
                Some(name) => {
                    Some(table.column(name).ok_or_else(|| Error::NoColumn { column: name.as_str().into() })?)
                }
                None => published.sensitive,
            };
            let Some(column) = column else { continue };
            let asked = (condition, arranged);
            let (mut check, reached) = condition::check(groups, column, asked, inquiry, grouping)?;
            if let (Some(name), Subject::Condition { column, .. }) = (named, &mut check.name) {
                *column = Some(name.as_str().into());
            }
            findings.push(Finding { model: model.clone(), grouping, reached, check });
        }
    }
    let passed = findings.iter().all(|f| f.check.passed) && notes.iter().all(|n| n.passed);
    let risks = risks_of(&groups, suppressed, &inquiry.attacker);
    // Whoever calls has a table of the general reader.
    Ok(Assessment { passed, findings, notes, risks, reader: Reader::General })
}

/// Whether enough rows are alike in some columns.
fn judge_set(table: &Table, (names, k): (&[String], usize), keep: &[bool]) -> Result<Finding, Error> {
    let column =
        |name: &String| table.column(name).ok_or_else(|| Error::NoColumn { column: name.as_str().into() });
    let groups = Groups::among(keep, names.iter().map(column).collect::<Result<_, _>>()?);
    let (sizes, small) = enough_rows(Grouping::Group, &groups, k);
    let columns = names.iter().map(|name| name.as_str().into()).collect();
    Ok(Finding {
        model: Model::Set { columns: names.to_vec(), k },
        grouping: Grouping::Group,
        reached: groups.sizes.iter().min().map(|&size| size as f64),
        check: Check::new(Subject::Set { columns, k }, Observation::Sizes(sizes), small),
    })
}

fn judge_model(model: &Model, grouping: Grouping, groups: &Groups, secret: Option<&Secret>) -> Finding {
    let smallest = groups.sizes.iter().min().map(|&size| size as f64);
    let (check, reached) = match (model, secret) {
        (Model::Diversity { l, kind }, Some(secret)) => diversity::check(groups, secret, *l, *kind, grouping),
        (Model::TCloseness { t, distance }, Some(secret)) => {
            closeness::check(groups, secret, *t, *distance != Distance::Equal, grouping)
        }
        (Model::MUniqueness { m }, Some(secret)) => m_unique(groups, secret, *m, grouping),
        (model, _) => {
            let (sizes, small) = enough_rows(grouping, groups, model.least_rows());
            let promise = Promise::KAnonymity { k: model.least_rows(), grouping };
            (Check::new(Subject::Promise(promise), Observation::Sizes(sizes), small), smallest)
        }
    };
    Finding { model: model.clone(), grouping, reached, check }
}

/// m-uniqueness (Tobar 2023, Definition II.1), and for groups what follows from it: no value above 1/m.
fn m_unique(groups: &Groups, secret: &Secret, m: usize, grouping: Grouping) -> (Check, Option<f64>) {
    let (sizes, small) = enough_rows(grouping, groups, m);
    let (values, often) = match grouping {
        Grouping::Class => values::all_differ(groups, secret.column),
        Grouping::Group => values::none_frequent(groups, secret.column, m),
    };
    let differ = often.is_empty();
    let name = Subject::Promise(Promise::MUniqueness { m, grouping });
    let check = Check::new(name, Observation::Both { sizes, values }, small.into_iter().chain(often));
    // The largest m that holds: 1 / the largest share, and in a class 1 if a value occurs twice.
    let reached = groups.sizes.iter().min().map(|&least| match grouping {
        Grouping::Class if !differ => 1.0,
        Grouping::Class => least as f64,
        Grouping::Group => values::largest_m(groups, secret.column) as f64,
    });
    (check, reached)
}

fn suppressed_note(suppressed: usize, rows: usize, labelled: bool) -> Check {
    Check::note(Subject::Suppressed, Observation::Suppressed { suppressed, rows, labelled }, None)
}
