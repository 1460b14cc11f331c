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
//! m-uniqueness takes cells as they are, and the note of [`crate::name::KNOWN_VALUES`] says what is left of it when
//! missing markers do not count.
//!
//! Definitions, papers and worked examples: `docs/checks.md`. Cost: linear in the cells, apart from sorting.

mod closeness;
mod diversity;
mod inquiry;
mod secret;

use lookalike_table::{
    Table,
    text::{counted, quoted, thousands},
};

pub use inquiry::{Distance, Diversity, Inquiry, Model};
use secret::Secret;

use crate::{
    Check, Error, Reader, Risks, classes, groups::Groups, judge::words, name, order, published::Published,
    risk::risks_of, sizes::enough_rows, suppressed::kept_rows, values,
};

/// How the rows were grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// By class label.
    Class,
    /// By equal published quasi-identifiers.
    Group,
}

impl Grouping {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Class => ("class", "classes"),
            Self::Group => ("group", "groups"),
        }
    }
}

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
    /// Whether it holds, in words, with witnesses.
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
        let (groups, (one, _)) = match &classes {
            Some(classes) => (classes, Grouping::Class.words()),
            None => (&groups, Grouping::Group.words()),
        };
        notes.push(values::known_values(groups, secret.column, &inquiry.missing, one));
        notes.push(values::rare_values(secret.column));
        notes.extend(values::near_values(secret.column, &inquiry.missing));
    }
    if !published.unnamed.is_empty() {
        let names: Vec<String> = published.unnamed.iter().map(|c| quoted(&c.name)).collect();
        notes.push(words::unjudged(&names));
    }

    let mut findings = Vec::new();
    for model in &inquiry.models {
        let by_class = classes.as_ref().map(|classes| (Grouping::Class, classes));
        for (grouping, groups) in by_class.into_iter().chain([(Grouping::Group, &groups)]) {
            findings.push(judge_model(model, grouping, groups, secret.as_ref()));
        }
    }
    let passed = findings.iter().all(|f| f.check.passed) && notes.iter().all(|n| n.passed);
    let risks = risks_of(&groups, suppressed, &inquiry.attacker);
    // Whoever calls has a table of the general reader.
    Ok(Assessment { passed, findings, notes, risks, reader: Reader::General })
}

fn judge_model(model: &Model, grouping: Grouping, groups: &Groups, secret: Option<&Secret>) -> Finding {
    let (one, many) = grouping.words();
    let smallest = groups.sizes.iter().min().map(|&size| size as f64);
    let (check, reached) = match (model, secret) {
        (Model::Diversity { l, kind }, Some(secret)) => diversity::check(groups, secret, *l, *kind, grouping),
        (Model::TCloseness { t, distance }, Some(secret)) => {
            closeness::check(groups, secret, *t, *distance != Distance::Equal, grouping)
        }
        (Model::MUniqueness { m }, Some(secret)) => m_unique(groups, secret, *m, grouping),
        (model, _) => {
            let name = format!("{model}: {}", size_name(grouping));
            (enough_rows(&name, groups, model.least_rows(), one, many), smallest)
        }
    };
    Finding { model: model.clone(), grouping, reached, check }
}

fn size_name(grouping: Grouping) -> &'static str {
    match grouping {
        Grouping::Class => name::CLASS_SIZE,
        Grouping::Group => name::GROUP_SIZE,
    }
}

/// m-uniqueness (Tobar 2023, Definition II.1), and for groups what follows from it: no value above 1/m.
fn m_unique(groups: &Groups, secret: &Secret, m: usize, grouping: Grouping) -> (Check, Option<f64>) {
    let (one, many) = grouping.words();
    let size = enough_rows("", groups, m, one, many);
    let values = match grouping {
        Grouping::Class => values::all_differ(groups, secret.column),
        Grouping::Group => values::none_frequent(groups, secret.column, m),
    };
    let name = match grouping {
        Grouping::Class => {
            format!("{m}-uniqueness: {} and {}", name::CLASS_SIZE, name::CLASS_VALUES)
        }
        Grouping::Group => {
            format!("{m}-uniqueness: {} and no sensitive value above 1/m of it", name::GROUP_SIZE)
        }
    };
    let finding = format!("{}; {}", size.finding, values.finding);
    let check = Check::new(&name, finding, size.witnesses.into_iter().chain(values.witnesses));
    // The largest m that holds: 1 / the largest share, and in a class 1 if a value occurs twice.
    let reached = groups.sizes.iter().min().map(|&least| match grouping {
        Grouping::Class if !values.passed => 1.0,
        Grouping::Class => least as f64,
        Grouping::Group => values::largest_m(groups, secret.column) as f64,
    });
    (check, reached)
}

fn suppressed_note(suppressed: usize, rows: usize, labelled: bool) -> Check {
    let why = if labelled {
        "and no class label"
    } else {
        "(no label tells them from a class that is generalised as far: then name no mark of suppression)"
    };
    let finding = format!(
        "{} of {} with all quasi-identifiers suppressed {why}: they are no class and were not judged",
        thousands(suppressed),
        counted(rows, "row", "rows")
    );
    Check::note(name::SUPPRESSED, finding, None)
}
