//! The published table in another form than text, by the ending of its file's name: a workbook (see `lookalike-workbook`), or a file
//! whose columns have types (see `lookalike-forms`).

use std::{fs::File, io::BufReader, path::Path};

use lookalike_core::{audit::Dialect as AuditDialect, audit_dialect, digest::sha256, pipeline::Outcome};
use lookalike_forms::{
    SchemaForm, Target, WriteCheck, WriteFault, read_back_large, schema, write, write_large,
};
use lookalike_model::{
    described::Described,
    dialect::{Dialect, Output, Separator},
    report::{Audit, Check},
};
use lookalike_words::{Message, Name, Said};
use lookalike_workbook::{WorkbookCheck, workbook};

use crate::{
    exit::{Attempt, Failure},
    files::Staged,
    progress::warn,
};

lookalike_words::messages! {
    in "worker";

    /// What such a file cannot be, or is not.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum WrittenFault {
        /// A form of text is asked for.
        Form {
            /// What the file is to be.
            form: Said,
        },
        /// The release belongs to a series.
        Series {
            /// What the file is to be.
            form: Said,
        },
        /// The table is not in memory.
        OutOfCore {
            /// What the file is to be.
            form: Said,
        },
        /// There is none, or it is not what was judged.
        Refused {
            /// Why.
            why: Said,
        },
        /// A schema of a file that has its types in itself.
        SchemaOfTypes {
            /// What the file is to be.
            form: Said,
        },
        /// A schema of a table that is not in memory.
        SchemaOutOfCore,
        /// A schema has another ending.
        SchemaEnding {
            /// How it ends.
            ending: String,
        },
        /// Another delimiter than the name of the file says.
        Tabs,
        /// A name that no form has.
        Ending {
            /// How it ends.
            ending: String,
        },
    }

    /// What is published beside the cells.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum WrittenTold {
        /// What the source's file says of columns.
        Described {
            /// Of which.
            columns: Vec<Name>,
        },
    }

    /// What the forms of the other crate do not name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum WrittenName {
        /// A workbook.
        Workbook,
    }
}

/// The warning of cells that a spreadsheet would run as formulas.
const FORMULAS: &str = "core.ReleaseWarning.Formulas";

/// The endings of text.
const TEXT: [&str; 3] = ["csv", "tsv", "txt"];

/// What a published table is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// The bytes that were judged.
    Text,
    /// A workbook.
    Workbook,
    /// A file of another form.
    Form(Target),
}

/// The form of text that flags ask for, with the delimiter that the name of the file says: `.tsv` is separated by tabs.
///
/// # Errors
/// Flags that ask for another delimiter.
pub(crate) fn named(path: Option<&Path>, said: Output) -> Result<Output, Failure> {
    let ending = path.and_then(Path::extension);
    if ending.is_none_or(|ending| !ending.eq_ignore_ascii_case("tsv")) {
        return Ok(said);
    }
    match said.delimiter {
        None | Some(Separator::Tab) => Ok(Output { delimiter: Some(Separator::Tab), ..said }),
        Some(_) => Err(Failure::input(WrittenFault::Tabs)),
    }
}

impl Written {
    /// By the name of the file; standard output is text.
    ///
    /// # Errors
    /// An ending that says nothing here.
    pub(crate) fn of(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(ending) = path.and_then(Path::extension) else { return Ok(Self::Text) };
        let ending = ending.to_string_lossy();
        if TEXT.iter().any(|text| ending.eq_ignore_ascii_case(text)) {
            return Ok(Self::Text);
        }
        if ending.eq_ignore_ascii_case("xlsx") {
            return Ok(Self::Workbook);
        }
        let form = Target::of_ending(&ending).map(Self::Form);
        form.ok_or_else(|| Failure::input(WrittenFault::Ending { ending: ending.into_owned() }))
    }

    /// What it is, if it is not text.
    pub(crate) fn name(self) -> Option<Said> {
        match self {
            Self::Text => None,
            Self::Workbook => Some(WrittenName::Workbook.into()),
            Self::Form(form) => Some(form.into()),
        }
    }

    /// Refuses flags that another form than text has no use for.
    pub(crate) fn fit(self, form: Output) -> Result<(), Failure> {
        match self.name() {
            Some(name) if !form.is_as_input() => Err(Failure::input(WrittenFault::Form { form: name })),
            _ => Ok(()),
        }
    }

    /// Refuses a schema of it, if it has its types in itself.
    pub(crate) fn fit_schema(self) -> Result<(), Failure> {
        self.name().map_or(Ok(()), |form| Err(Failure::input(WrittenFault::SchemaOfTypes { form })))
    }

    /// Refuses a release that stands in a series.
    pub(crate) fn fit_series(self) -> Result<(), Failure> {
        self.name().map_or(Ok(()), |form| Err(Failure::input(WrittenFault::Series { form })))
    }

    /// Refuses a form that is made of a table in memory alone.
    pub(crate) fn fit_out_of_core(self) -> Result<(), Failure> {
        match self {
            Self::Form(form) if form.is_of_parts() => Ok(()),
            _ => self.name().map_or(Ok(()), |form| Err(Failure::input(WrittenFault::OutOfCore { form }))),
        }
    }

    /// A file of this form in the place of the published bytes, which have this dialect and lie on the disk, and a check of it in the
    /// verdict; nothing if it is to have their form.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub(crate) fn put_large(
        self,
        outcome: &mut Outcome,
        published: &Staged,
        dialect: AuditDialect,
    ) -> Result<Option<Staged>, Failure> {
        let Self::Form(form) = self else { return Ok(None) };
        let refused = |why: WriteFault| Failure::input(WrittenFault::Refused { why: why.said() });
        let failed = |path: &Path, why: &std::io::Error| Failure::io(Attempt::Read, path, why);
        let open = |path: &Path| File::open(path).map_err(|why| failed(path, &why));
        let mut file = published.again()?;
        write_large(form, &mut open(published.path())?, dialect, file.file()).map_err(refused)?;
        let bytes = BufReader::new(open(published.path())?);
        let same = read_back_large(form, open(file.path())?, bytes, dialect).map_err(refused)?;
        told(outcome, &Check { name: WriteCheck::Name { form }.into(), passed: true, finding: same.into() });
        Ok(Some(file))
    }

    /// Puts the file, with what the source said of its columns, in the place of the published bytes, and a check of it into the verdict, if it is to have another form.
    ///
    /// # Errors
    /// If the cells have no place in it, or are others when they are read back.
    pub(crate) fn put(self, outcome: &mut Outcome) -> Result<(), Failure> {
        let dialect = audit_dialect(outcome.report.audit.dialect);
        let refused = |why: Said| Failure::input(WrittenFault::Refused { why });
        let (file, name, finding): (_, Said, Said) = match self {
            Self::Text => return Ok(()),
            Self::Workbook => {
                let (file, same) =
                    workbook(&outcome.published, dialect).map_err(|why| refused(why.said()))?;
                (file, WorkbookCheck::Name.into(), same.into())
            }
            Self::Form(form) => {
                let (file, same) = write(form, &outcome.published, dialect, &outcome.described)
                    .map_err(|why| refused(why.said()))?;
                (file, WriteCheck::Name { form }.into(), same.into())
            }
        };
        told(outcome, &Check { name, passed: true, finding });
        if matches!(self, Self::Form(Target::Stata | Target::Xport)) {
            tell_described(outcome);
        }
        // The report is about the file that is handed out.
        outcome.published_as(sha256(&file));
        outcome.published = file;
        Ok(())
    }
}

/// Names the columns of which the source says something that is published.
fn tell_described(outcome: &Outcome) {
    let is_published = |said: &&Described| outcome.header.contains(&said.column) && !said.label.is_empty();
    let described = outcome.described.iter().filter(is_published);
    let columns: Vec<Name> = described.map(|said| Name::from(said.column.as_str())).collect();
    if !columns.is_empty() {
        warn(&WrittenTold::Described { columns }.into());
    }
}

/// Puts the check of a file of another form into the verdict.
fn told(outcome: &mut Outcome, check: &Check) {
    for report in [Some(&mut outcome.report), outcome.private.exact.as_deref_mut()].into_iter().flatten() {
        say(&mut report.audit, check.clone());
        // Its text is never run.
        report.warnings.retain(|warning| warning.id() != FORMULAS);
    }
}

/// The form of a schema in this file.
///
/// # Errors
/// An ending that says nothing here.
pub(crate) fn schema_form(path: &Path) -> Result<SchemaForm, Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let form = SchemaForm::of_ending(&ending);
    form.ok_or_else(|| Failure::input(WrittenFault::SchemaEnding { ending: ending.into_owned() }))
}

/// What the columns of the published table are, which will be called so.
///
/// # Errors
/// If the program that is to read them would not read these cells.
pub(crate) fn schema_of(path: &Path, outcome: &Outcome, release: Option<&str>) -> Result<Vec<u8>, Failure> {
    let dialect = audit_dialect(outcome.report.audit.dialect);
    tell_described(outcome);
    let published = (release.unwrap_or("published.csv"), outcome.published.as_slice(), dialect);
    schema(schema_form(path)?, published, &outcome.described)
        .map_err(|why| Failure::input(WrittenFault::Refused { why: why.said() }))
}

/// Says in a verdict that what it is about stands in another form, which has no delimiter and no line ends.
fn say(audit: &mut Audit, check: Check) {
    audit.checks.push(check);
    audit.dialect = Dialect::PLAIN;
}
