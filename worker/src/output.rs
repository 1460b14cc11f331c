//! Flags of the published table's form as a file.

use clap::{Args, builder::TypedValueParser};
use lookalike_model::settings::{ClassColumn, Formulas, LineEnds, Output, Separator};

use crate::flag_values::{choice, class_column};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// What stands between the cells of the published table: comma, semicolon, tab or bar [default: as in the input, or comma if
    /// that is another one]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = choice::<Separator>(&["comma", "semicolon", "tab", "bar"])
    )]
    output_delimiter: Option<Separator>,
    /// Whether the published table begins with a byte-order mark, by which spreadsheets recognise UTF-8 [default: as in the
    /// input]
    #[arg(long, value_name = "YES", value_parser = yes())]
    output_bom: Option<bool>,
    /// What ends the lines of the published table [default: as in the input]
    #[arg(long, value_name = "ENDS", value_parser = choice::<LineEnds>(&["lf", "crlf"]))]
    output_line_ends: Option<LineEnds>,
    /// What happens to published cells that a spreadsheet would run as a formula, such as `=1+1` and `@x`: `defuse` puts an
    /// apostrophe before them, and before each that begins with one [default: keep, with a warning]
    #[arg(long, value_name = "HOW", value_parser = choice::<Formulas>(&["keep", "defuse"]))]
    output_formulas: Option<Formulas>,
    /// Name of the column with the class labels; `none` leaves it out [default: class]
    #[arg(long, value_name = "NAME", value_parser = class_column)]
    class_column: Option<ClassColumn>,
}

impl OutputArgs {
    /// What they say.
    pub(crate) fn said(&self) -> Output {
        let Self {
            output_delimiter: delimiter,
            output_bom: bom,
            output_line_ends: line_ends,
            output_formulas: formulas,
            ..
        } = *self;
        Output { delimiter, bom, line_ends, formulas }
    }

    /// What they say of the column of classes.
    pub(crate) fn class_column(&self) -> Option<ClassColumn> {
        self.class_column.clone()
    }
}

fn yes() -> impl TypedValueParser<Value = bool> {
    clap::builder::PossibleValuesParser::new(["yes", "no"]).map(|text| text == "yes")
}
