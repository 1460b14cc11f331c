//! `lookalike check`: whether a table, ours or anybody's, keeps what is asked of it.

mod args;
mod cells;
mod json;
mod notions;
mod text;

use lookalike_core::{
    audit::{
        Assessment, Error, Guarantee, Model, Question, assess,
        disclosure::{self, Disclosure, Known},
        measure::{self, Figures, Reading, Utility},
    },
    table::Table,
};

pub(crate) use args::Check;
use notions::Noted;

use crate::{exit::Failure, files, input};

/// The exit codes, for the help text.
pub(crate) const CODES: &str = "\
Exit codes: 0 all that was asked holds; 1 something does not hold; 2 wrong usage or input; 4 input/output.

Examples:
  lookalike check OUT.csv --quasi age,sex --model k-anonymity --k 5
  lookalike check OUT.csv --quasi age,sex --sensitive disease --model l-diversity --l 3 --model t-closeness --t 0.2
  lookalike check OUT.csv --quasi age,sex --sensitive disease --model m-uniqueness --m 3 \\
      --original IN.csv --classes classes.csv";

/// All that was found.
struct Found {
    /// Name of the class column that was used.
    class: Option<String>,
    assessment: Assessment,
    figures: Figures,
    utility: Option<Utility>,
    repair: Repair,
    /// What holds between the table and its original.
    notions: Vec<Noted>,
}

/// What the repair discloses.
enum Repair {
    /// Nobody asked.
    NotNamed,
    /// No source leads to this table by the repair that was named.
    Otherwise,
    Discloses(Disclosure),
}

/// Runs the command.
pub(crate) fn run(args: &Check) -> Result<(), Failure> {
    let table = args.table.read(None)?;
    let found = judge(args, &table)?;
    let told = if args.json { json::tell(&found)? } else { text::tell(&found) };
    files::print(told.as_bytes())?;
    let broken = found.assessment.findings.iter().filter(|f| !f.check.passed).count()
        + found.assessment.notes.iter().filter(|n| !n.passed).count()
        + found.notions.iter().filter(|n| !n.check.passed).count();
    match broken {
        0 => Ok(()),
        1 => Err(Failure::Audit(String::from("one check does not hold"))),
        broken => Err(Failure::Audit(format!("{broken} checks do not hold"))),
    }
}

fn judge(args: &Check, table: &Table) -> Result<Found, Failure> {
    let wrong = |error: Error| Failure::Input(error.to_string());
    let inquiry = args.inquiry(table)?;
    let original = args.original.as_deref().map(input::any_table).transpose()?;
    let mut reading = args.cells.reading()?;
    if let Some(original) = &original {
        reading = reading.with_original(original, &inquiry.quasi);
    }
    let question = Question {
        quasi: inquiry.quasi.clone(),
        sensitive: inquiry.sensitive.clone(),
        guarantee: Guarantee::KAnonymity { k: 2 },
        class: inquiry.class.clone(),
    };
    let least = inquiry.models.iter().find_map(|model| match *model {
        Model::KAnonymity { k } => Some(k),
        Model::MUniqueness { m } => Some(m),
        _ => None,
    });
    let notions = notions::judge(table, original.as_ref(), &args.consistency()?, &inquiry.quasi, &reading)?;
    let assessment = assess(table, &inquiry).map_err(wrong)?;
    Ok(Found {
        notions,
        assessment,
        figures: measure::figures(table, &question, least, &reading).map_err(wrong)?,
        utility: utility(args, table, original.as_ref(), &question, &reading)?,
        repair: match args.known()? {
            Some(known) => disclosed(table, &question, &reading, &known)?,
            None => Repair::NotNamed,
        },
        class: inquiry.class,
    })
}

fn disclosed(
    table: &Table,
    question: &Question,
    reading: &Reading,
    known: &Known,
) -> Result<Repair, Failure> {
    let found = disclosure::disclosure(table, question, &reading.missing, known);
    let found = found.map_err(|e| Failure::Input(e.to_string()))?;
    Ok(found.map_or(Repair::Otherwise, Repair::Discloses))
}

/// What the table lost of its original, if that is named.
fn utility(
    args: &Check,
    published: &Table,
    original: Option<&Table>,
    question: &Question,
    reading: &Reading,
) -> Result<Option<Utility>, Failure> {
    let (Some(original), Some(classes)) = (original, &args.classes) else { return Ok(None) };
    let Some(class) = &question.class else {
        return Err(Failure::Input(String::from(
            "the table has no class column, so classes.csv leads nowhere: name it with --class",
        )));
    };
    let classes = input::own_table(classes)?;
    let wrong = |error: Error| Failure::Input(error.to_string());
    let links = measure::link(&classes, original.rows).map_err(wrong)?;
    let asked = (args.query_seed, args.queries);
    measure::utility(published, original, &links, &question.quasi, class, reading, asked)
        .map(Some)
        .map_err(wrong)
}
