//! The form of the published table as a file.

use lookalike_model::settings::{Formulas, LineEnds, Separator};
use yew::{Html, html};

use super::fields::{Entries, Fields, more};
use crate::texts::k;

const DELIMITERS: Entries<Option<Separator>> = &[
    ("", k::OUTPUT_AS_INPUT, None),
    ("comma", k::OUTPUT_COMMAS, Some(Separator::Comma)),
    ("semicolon", k::OUTPUT_SEMICOLONS, Some(Separator::Semicolon)),
    ("tab", k::OUTPUT_TABS, Some(Separator::Tab)),
    ("bar", k::OUTPUT_BARS, Some(Separator::Bar)),
];
const MARKS: Entries<Option<bool>> = &[
    ("", k::OUTPUT_AS_INPUT, None),
    ("yes", k::OUTPUT_WITH_MARK, Some(true)),
    ("no", k::OUTPUT_WITHOUT_MARK, Some(false)),
];
const LINE_ENDS: Entries<Option<LineEnds>> = &[
    ("", k::OUTPUT_AS_INPUT, None),
    ("lf", k::OUTPUT_LF, Some(LineEnds::Lf)),
    ("crlf", k::OUTPUT_CRLF, Some(LineEnds::Crlf)),
];

const FORMULAS: Entries<Option<Formulas>> =
    &[("", k::OUTPUT_FORMULAS_KEPT, None), ("defuse", k::OUTPUT_FORMULAS_DEFUSED, Some(Formulas::Defuse))];

/// Delimiter, byte-order mark, line ends, formulas and the column of classes, behind "More".
pub(super) fn output(fields: &Fields) -> Html {
    let form = fields.form.output;
    let content = html! {
        <div class="fields">
            { fields.menu(&fields.around("output-delimiter", t!(OUTPUT_DELIMITER), t!(OUTPUT_DELIMITER_HINT)),
                DELIMITERS, form.delimiter, |form, delimiter| form.output.delimiter = delimiter) }
            { fields.menu(&fields.around("output-bom", t!(OUTPUT_MARK), t!(OUTPUT_MARK_HINT)),
                MARKS, form.bom, |form, bom| form.output.bom = bom) }
            { fields.menu(&fields.around("output-line-ends", t!(OUTPUT_LINE_ENDS), t!(OUTPUT_LINE_ENDS_HINT)),
                LINE_ENDS, form.line_ends, |form, ends| form.output.line_ends = ends) }
            { fields.menu(&fields.around("output-formulas", t!(OUTPUT_FORMULAS), t!(OUTPUT_FORMULAS_HINT)),
                FORMULAS, form.formulas.filter(|formulas| !formulas.are_kept()),
                |form, formulas| form.output.formulas = formulas) }
            { fields.text(&fields.around("class-column", t!(OUTPUT_CLASS_COLUMN), t!(OUTPUT_CLASS_COLUMN_HINT)), "text",
                &fields.form.class_column, |form, name| form.class_column = name) }
        </div>
    };
    more("more-output", t!(OUTPUT_MORE), content)
}
