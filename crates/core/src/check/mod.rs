//! What a published table, ours or anybody's, keeps of what is asked of it; the same for the command line and the page.

mod ends;
mod message;
mod series;
mod text;

use lookalike_audit::{
    Assessment, Check, Guarantee, Inquiry, Model, Question, assess,
    consistency::{Consistency, Notion},
    disclosure::{self, Disclosure, Known},
    measure::{self, Ends, Figures, Reading, Utility},
};
use lookalike_model::report::Reader;
use lookalike_table::Table;

pub use ends::has_column;
pub use message::{CheckLine, CheckName, Exposed, LeftTo, SeriesLine, TableLine, Witnessed};
pub use series::{check_series, tell_series};
pub use text::tell;

use crate::{Error, prepare::CLASS, prepare::known as known_column, release::reader};

/// What is asked of a table.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Columns, models, attacker. Without a class column, that of a table of ours is taken.
    pub inquiry: Inquiry,
    /// What has to hold between the table and its original, with its k.
    pub notions: Vec<(Notion, usize)>,
    /// How published cells are read; the original, where it is known, says more.
    pub reading: Reading,
    /// What is known of a repair, if anything.
    pub known: Option<Known>,
    /// Seed and number of the random counting queries.
    pub queries: (u64, usize),
}

/// All that was found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Name of the class column that was used.
    pub class: Option<String>,
    /// Columns whose ranges stand in two columns, which are measured as one.
    pub ends: Vec<(String, Ends)>,
    /// The models, notes on how the table was written, risks.
    pub assessment: Assessment,
    /// What the published table tells of its loss.
    pub figures: Figures,
    /// What it lost of its original, if that is known.
    pub utility: Option<Utility>,
    /// What the repair discloses.
    pub repair: Repair,
    /// What holds between the table and its original.
    pub notions: Vec<Noted>,
}

/// What was found about a notion.
#[derive(Clone, Debug)]
pub struct Noted {
    /// Which.
    pub notion: Notion,
    /// The largest k that holds.
    pub reached: usize,
    /// Whether what was asked for holds.
    pub check: Check,
}

/// What a table was made of.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    /// The original.
    pub original: &'a Table,
    /// classes.csv: which original row is in which class.
    pub classes: Option<&'a Table>,
}

/// What a repair discloses.
#[derive(Clone, Debug)]
pub enum Repair {
    /// Nobody asked.
    NotNamed,
    /// No source leads to this table by the repair that was named.
    Otherwise,
    /// This.
    Discloses(Disclosure),
}

impl Findings {
    /// Who read the published table.
    #[must_use]
    pub fn reader(&self) -> Reader {
        reader(self.assessment.reader)
    }

    /// Number of checks that do not hold.
    #[must_use]
    pub fn broken(&self) -> usize {
        let Assessment { findings, notes, .. } = &self.assessment;
        let notions = self.notions.iter().map(|noted| &noted.check);
        let checks = findings.iter().map(|finding| &finding.check).chain(notes).chain(notions);
        checks.filter(|check| !check.passed).count()
    }
}

/// Judges a table, and what it was made of, if that is known.
///
/// # Errors
/// If a column is not there, or a question has no answer.
pub fn check(table: &Table, asked: &Asked, before: Option<Before>) -> Result<Findings, Error> {
    let mut reading = asked.reading.clone();
    if let Some(before) = before {
        let names: Vec<String> = before.original.columns.iter().map(|column| column.name.clone()).collect();
        reading = reading.with_original(before.original, &names);
    }
    let original = before.map(|before| before.original);
    let (asked_of, measured) = ends::measured(table, &asked.inquiry, reading, original)?;
    let inquiry = settled(table, &asked_of)?;
    let ends::Measured { table: whole, mut quasi, reading } = measured;
    let whole = whole.as_ref();
    in_order(whole, &mut quasi);
    let question = Question {
        quasi,
        sensitive: inquiry.sensitive.clone(),
        guarantee: Guarantee::KAnonymity { k: 2 },
        class: inquiry.class.clone(),
        markers: inquiry.missing.clone(),
        dialect: lookalike_audit::Dialect::PLAIN,
    };
    let least = inquiry.models.iter().find_map(|model| match *model {
        Model::KAnonymity { k } => Some(k),
        Model::MUniqueness { m } => Some(m),
        _ => None,
    });
    Ok(Findings {
        notions: notions(whole, before, &asked.notions, &question.quasi, &reading)?,
        assessment: assess(table, &inquiry)?,
        figures: measure::figures(whole, &question, least, &reading)?,
        utility: match before {
            Some(Before { original, classes: Some(classes) }) => {
                Some(utility(whole, (original, classes), &question, &reading, asked.queries)?)
            }
            _ => None,
        },
        repair: match &asked.known {
            Some(known) => {
                let found = disclosure::disclosure(whole, &question, &reading.missing, known)?;
                found.map_or(Repair::Otherwise, Repair::Discloses)
            }
            None => Repair::NotNamed,
        },
        ends: reading.ends.into_iter().collect(),
        class: inquiry.class,
    })
}

/// The question with the table's class column, and columns in the table's order, by which published rows are sorted; a
/// name given twice is left for the audit to refuse.
fn settled(table: &Table, inquiry: &Inquiry) -> Result<Inquiry, Error> {
    let Inquiry { quasi, sensitive, class, .. } = inquiry;
    quasi.iter().chain(sensitive).chain(class).try_for_each(|name| known_column(table, name).map(drop))?;
    let free = !quasi.iter().chain(sensitive).any(|other| other == CLASS);
    let ours = (table.column(CLASS).is_some() && free).then(|| CLASS.to_owned());
    let mut quasi = quasi.clone();
    in_order(table, &mut quasi);
    Ok(Inquiry { quasi, class: class.clone().or(ours), ..inquiry.clone() })
}

/// Sorts names as the columns of a table stand.
fn in_order(table: &Table, names: &mut [String]) {
    names.sort_by_key(|name| table.columns.iter().position(|column| column.name == *name));
}

fn utility(
    published: &Table,
    (original, classes): (&Table, &Table),
    question: &Question,
    reading: &Reading,
    queries: (u64, usize),
) -> Result<Utility, Error> {
    let Some(class) = &question.class else {
        return Err(lookalike_audit::Error::NoClassOfLinks.into());
    };
    let links = measure::link(classes, original.rows)?;
    Ok(measure::utility(published, original, &links, &question.quasi, class, reading, queries)?)
}

fn notions(
    table: &Table,
    before: Option<Before>,
    asked: &[(Notion, usize)],
    quasi: &[String],
    reading: &Reading,
) -> Result<Vec<Noted>, Error> {
    let (Some(before), false) = (before, asked.is_empty()) else { return Ok(Vec::new()) };
    let consistency = Consistency::new(table, before.original, quasi, reading)?;
    let judge = |&(notion, k): &(Notion, usize)| {
        let (check, reached) = consistency.check(notion, k)?;
        Ok(Noted { notion, reached, check })
    };
    asked.iter().map(judge).collect()
}
