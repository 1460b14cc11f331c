//! A hierarchy as text that can be edited: a line a value, as ARX writes it.

use lookalike_words::Said;
use yew::{Callback, Html, html};

use super::Column;
use crate::{
    form::Rows,
    platform::{dom, files::FileHandle},
    state::Action,
};

/// Values of a hierarchy that is small enough to be edited by hand.
const MOST: usize = 2000;

/// Id of the text.
const TEXT: &str = "hierarchy-text";

/// The hierarchy as text; what is changed is checked by the engine as a file is.
pub(super) fn edit(column: &Column, rows: &Rows) -> Html {
    if rows.len() > MOST {
        return html! {};
    }
    let (state, control, asked) = (column.props.state.clone(), column.props.control.clone(), column.asked());
    let onclick =
        Callback::from(move |_| match FileHandle::from_text("hierarchy", &dom::value_by_id(TEXT)) {
            Ok(file) => control.load_hierarchy(asked.clone(), &file),
            Err(why) => {
                state.dispatch(Action::Hierarchy(asked.name.clone(), Err(Said::verbatim(why))));
            }
        });
    html! {
        <details class="more" id="hierarchy-edit">
            <summary>{ t!(HIERARCHY_EDIT) }</summary>
            <label for={TEXT}>{ t!(HIERARCHY_EDIT_LABEL) }</label>
            <textarea id={TEXT} rows="8" spellcheck="false" autocomplete="off" defaultvalue={written(rows)} />
            <p><button id="hierarchy-apply" type="button" {onclick}>{ t!(HIERARCHY_APPLY) }</button></p>
        </details>
    }
}

/// Fields with a semicolon, a quote or a line break are quoted.
fn written(rows: &[Vec<String>]) -> String {
    let field = |text: &String| {
        if text.contains([';', '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.clone()
        }
    };
    let lines = rows.iter().map(|row| row.iter().map(field).collect::<Vec<_>>().join(";"));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awkward_values_are_quoted() {
        let rows = [vec!["a;b", "x", "*"], vec!["say \"no\"", "y", "*"]];
        let rows: Vec<Vec<String>> = rows.map(|row| row.into_iter().map(String::from).collect()).to_vec();
        assert_eq!(written(&rows), "\"a;b\";x;*\n\"say \"\"no\"\"\";y;*");
    }
}
