//! What a file was taken for: shown, and changeable.

use lookalike_wire::opening::{Form, Opening, QuoteMark};
use yew::{AttrValue, Callback, Html, html};

use super::{PageProps, field::Select};
use crate::state::{Attempt, OpenIds, Work};

/// The choice that leaves it to the page.
const AUTO: &str = "auto";

const ENCODINGS: [(&str, &str); 21] = [
    (AUTO, "As found out"),
    ("utf-8", "UTF-8"),
    ("windows-1252", "Western European (Windows-1252)"),
    ("iso-8859-15", "Western European (ISO-8859-15)"),
    ("macintosh", "Western European (Macintosh)"),
    ("windows-1250", "Central European (Windows-1250)"),
    ("iso-8859-2", "Central European (ISO-8859-2)"),
    ("windows-1251", "Cyrillic (Windows-1251)"),
    ("koi8-r", "Cyrillic (KOI8-R)"),
    ("windows-1253", "Greek (Windows-1253)"),
    ("windows-1254", "Turkish (Windows-1254)"),
    ("windows-1255", "Hebrew (Windows-1255)"),
    ("windows-1256", "Arabic (Windows-1256)"),
    ("windows-1257", "Baltic (Windows-1257)"),
    ("utf-16le", "UTF-16, low byte first"),
    ("utf-16be", "UTF-16, high byte first"),
    ("shift_jis", "Japanese (Shift_JIS)"),
    ("euc-jp", "Japanese (EUC-JP)"),
    ("gb18030", "Chinese (GB18030)"),
    ("big5", "Chinese (Big5)"),
    ("euc-kr", "Korean (EUC-KR)"),
];

const DELIMITERS: [(&str, &str); 7] = [
    (AUTO, "As found out"),
    (",", "Comma  ,"),
    (";", "Semicolon  ;"),
    ("\t", "Tab"),
    ("|", "Vertical bar  |"),
    (":", "Colon  :"),
    (" ", "Space"),
];

const QUOTES: [(&str, &str, Option<QuoteMark>); 4] = [
    (AUTO, "As found out", None),
    ("double", "Double  \"", Some(QuoteMark::Double)),
    ("single", "Single  '", Some(QuoteMark::Single)),
    ("off", "None", Some(QuoteMark::Off)),
];

const SHORT: [(&str, &str); 2] = [("error", "Stop and say so"), ("pad", "Take the missing cells as empty")];

/// What a file was taken for, and what comes of a change.
pub(super) struct Taken<'a> {
    pub(super) attempt: &'a Attempt,
    pub(super) ids: &'static OpenIds,
    /// Nothing can be changed now.
    pub(super) disabled: bool,
    /// Its rows are not there to see.
    pub(super) unread: bool,
    /// Reads the file in this way.
    pub(super) reopen: Callback<Opening>,
}

/// What the last file of the first step was taken for, if that is known.
pub(super) fn taken(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(attempt) = &state.attempt else { return html! {} };
    let control = props.control.clone();
    view(&Taken {
        attempt,
        ids: &OpenIds::OPEN,
        disabled: state.is_busy(),
        unread: matches!(state.work, Work::Opening(_)) || state.failure.is_some(),
        reopen: Callback::from(move |how| control.reopen(how)),
    })
}

/// The same for any file.
pub(super) fn view(taken: &Taken) -> Html {
    let &Taken { attempt, ids, disabled, unread, .. } = taken;
    let Attempt { source, form: Some(form), .. } = attempt else { return html! {} };
    let field = |id: &'static str, label: &str, select: Html| {
        html! { <div class="field"><label for={id}>{ label }</label>{ select }</div> }
    };
    let how = &source.how;
    let menu = |id: &'static str, label: &str, menu: Menu| {
        let Menu { options, more, value, set } = menu;
        let onchange = {
            let (reopen, how) = (taken.reopen.clone(), how.clone());
            Callback::from(move |value: String| {
                let mut how = how.clone();
                set(&mut how, value);
                reopen.emit(how);
            })
        };
        field(id, label, html! { <Select {id} {options} {more} {value} {onchange} {disabled} /> })
    };
    html! {
        <div
            id={ids.form} class="taken" role="group" aria-label={format!("How {} is read", source.name)}
            data-encoding={form.encoding.clone()} data-packing={form.packing.clone()} data-sheet={form.sheet.clone()}
            data-delimiter={form.encoding.as_ref().map(|_| form.delimiter.to_string())} data-member={how.member.clone()}
        >
            { found(ids, &source.name, form) }
            <div class="fields">
                if !form.members.is_empty() {
                    { menu(ids.member, "File of the archive", member(form, how)) }
                }
                if form.encoding.is_some() {
                    { menu(ids.encoding, "Encoding", encoding(how)) }
                    { menu(ids.delimiter, "Fields are separated by", delimiter(how)) }
                    { menu(ids.quote, "Fields are quoted by", quote(how)) }
                }
                if !form.sheets.is_empty() {
                    { menu(ids.sheet, "Sheet", sheet(form)) }
                }
                { menu(ids.short, "Rows with too few fields", short(how)) }
            </div>
            if unread { { beginning(ids, form) } }
        </div>
    }
}

/// A menu, and what its choice changes.
struct Menu {
    options: Vec<(&'static str, &'static str)>,
    more: Vec<AttrValue>,
    value: AttrValue,
    set: fn(&mut Opening, String),
}

fn encoding(how: &Opening) -> Menu {
    Menu {
        options: ENCODINGS.to_vec(),
        more: Vec::new(),
        value: how.encoding.clone().map_or(AttrValue::Static(AUTO), AttrValue::from),
        set: |how, value| how.encoding = Some(value).filter(|value| value != AUTO),
    }
}

fn delimiter(how: &Opening) -> Menu {
    Menu {
        options: DELIMITERS.to_vec(),
        more: Vec::new(),
        value: how.delimiter.map_or(AttrValue::Static(AUTO), |c| AttrValue::from(c.to_string())),
        set: |how, value| how.delimiter = value.chars().next().filter(|_| value != AUTO),
    }
}

fn quote(how: &Opening) -> Menu {
    Menu {
        options: QUOTES.iter().map(|(value, text, _)| (*value, *text)).collect(),
        more: Vec::new(),
        value: QUOTES.iter().find(|quote| quote.2 == how.quote).map_or(AUTO, |quote| quote.0).into(),
        set: |how, value| how.quote = QUOTES.iter().find(|quote| quote.0 == value).and_then(|quote| quote.2),
    }
}

fn sheet(form: &Form) -> Menu {
    Menu {
        options: Vec::new(),
        more: form.sheets.iter().cloned().map(AttrValue::from).collect(),
        value: form.sheet.clone().unwrap_or_default().into(),
        set: |how, value| how.sheet = Some(value),
    }
}

/// What another file was taken for says nothing of this one.
fn member(form: &Form, how: &Opening) -> Menu {
    Menu {
        options: if how.member.is_none() { vec![("", "Choose one")] } else { Vec::new() },
        more: form.members.iter().cloned().map(AttrValue::from).collect(),
        value: how.member.clone().unwrap_or_default().into(),
        set: |how, value| {
            let member = Some(value).filter(|value| !value.is_empty());
            *how = Opening { member, pad: how.pad, ..Opening::default() };
        },
    }
}

fn short(how: &Opening) -> Menu {
    Menu {
        options: SHORT.to_vec(),
        more: Vec::new(),
        value: SHORT[usize::from(how.pad)].0.into(),
        set: |how, value| how.pad = value == SHORT[1].0,
    }
}

/// What was found out, and by what.
fn found(ids: &OpenIds, name: &str, form: &Form) -> Html {
    let packing = form.packing.as_ref().map(|packing| format!("compression: {packing}"));
    let notes = packing.iter().chain(&form.notes);
    let unclear = form.encoding.is_none() && form.sheets.is_empty();
    let title = if unclear { format!("{name} holds several files") } else { format!("{name} was taken for") };
    html! {
        <>
            <p class="taken-title">{ title }</p>
            <ul id={ids.notes} class="notes">{ for notes.map(|note| html! { <li>{ note }</li> }) }</ul>
        </>
    }
}

/// The text as it stands, for a file whose rows are not there to see.
fn beginning(ids: &OpenIds, form: &Form) -> Html {
    if form.beginning.is_empty() {
        return html! {};
    }
    let text = form.beginning.join("\n");
    html! {
        <figure>
            <figcaption class="hint">{ "The first lines as they stand" }</figcaption>
            <pre id={ids.beginning} class="frame" tabindex="0" role="region" aria-label="The first lines as they stand">
                { text }
            </pre>
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every choice is the one that shows again when the file was read that way.
    #[test]
    fn choices_come_back() {
        for menu in [encoding, delimiter, quote, short] {
            for (value, _) in menu(&Opening::default()).options {
                let mut how = Opening::default();
                (menu(&how).set)(&mut how, value.to_owned());
                assert_eq!(menu(&how).value, value);
                // Back to the beginning.
                let first = menu(&how).options[0].0;
                (menu(&how).set)(&mut how, first.to_owned());
                assert_eq!(how, Opening::default());
            }
        }
        let form = Form { sheets: vec!["a".into(), "b".into()], sheet: Some("b".into()), ..Form::default() };
        let mut how = Opening::default();
        (sheet(&form).set)(&mut how, String::from("b"));
        let form = Form { members: vec!["a".into(), "b".into()], ..form };
        let mut archive = Opening { delimiter: Some(';'), pad: true, ..Opening::default() };
        (member(&form, &archive).set)(&mut archive, String::from("b"));
        assert_eq!(archive, Opening { member: Some(String::from("b")), pad: true, ..Opening::default() });
        assert_eq!(member(&form, &archive).value, "b");
        assert_eq!((sheet(&form).value.as_str(), how.sheet.as_deref()), ("b", Some("b")));
    }
}
