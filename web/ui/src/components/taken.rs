//! What a file was taken for: shown, and changeable.

use lookalike_model::domain::items;
use lookalike_wire::opening::{Form, Opening, QuoteMark};
use yew::{AttrValue, Callback, Event, Html, MouseEvent, html};

use super::{PageProps, field::Select};
use crate::{
    format::bytes,
    platform::dom,
    state::{Action, Attempt, OpenIds, PickAction, Work},
    texts::{Key, k, text, told, words},
};

/// The choice that leaves it to the page.
const AUTO: &str = "auto";

const ENCODINGS: [(&str, Key); 22] = [
    (AUTO, k::TAKEN_AS_FOUND_OUT),
    ("utf-8", k::TAKEN_UTF_8),
    ("windows-1252", k::TAKEN_WESTERN_EUROPEAN_WINDOWS_1252),
    ("iso-8859-15", k::TAKEN_WESTERN_EUROPEAN_ISO_8859),
    ("cp850", k::TAKEN_WESTERN_EUROPEAN_DOS),
    ("macintosh", k::TAKEN_WESTERN_EUROPEAN_MACINTOSH),
    ("windows-1250", k::TAKEN_CENTRAL_EUROPEAN_WINDOWS_1250),
    ("iso-8859-2", k::TAKEN_CENTRAL_EUROPEAN_ISO_8859),
    ("windows-1251", k::TAKEN_CYRILLIC_WINDOWS_1251),
    ("koi8-r", k::TAKEN_CYRILLIC_KOI8_R),
    ("windows-1253", k::TAKEN_GREEK_WINDOWS_1253),
    ("windows-1254", k::TAKEN_TURKISH_WINDOWS_1254),
    ("windows-1255", k::TAKEN_HEBREW_WINDOWS_1255),
    ("windows-1256", k::TAKEN_ARABIC_WINDOWS_1256),
    ("windows-1257", k::TAKEN_BALTIC_WINDOWS_1257),
    ("utf-16le", k::TAKEN_UTF_16_LOW_BYTE),
    ("utf-16be", k::TAKEN_UTF_16_HIGH_BYTE),
    ("shift_jis", k::TAKEN_JAPANESE_SHIFT_JIS),
    ("euc-jp", k::TAKEN_JAPANESE_EUC_JP),
    ("gb18030", k::TAKEN_CHINESE_GB18030),
    ("big5", k::TAKEN_CHINESE_BIG5),
    ("euc-kr", k::TAKEN_KOREAN_EUC_KR),
];

const DELIMITERS: [(&str, Key); 7] = [
    (AUTO, k::TAKEN_AS_FOUND_OUT),
    (",", k::TAKEN_COMMA),
    (";", k::TAKEN_SEMICOLON),
    ("\t", k::TAKEN_TAB),
    ("|", k::TAKEN_VERTICAL_BAR),
    (":", k::TAKEN_COLON),
    (" ", k::TAKEN_SPACE),
];

const QUOTES: [(&str, Key, Option<QuoteMark>); 4] = [
    (AUTO, k::TAKEN_AS_FOUND_OUT, None),
    ("double", k::TAKEN_DOUBLE, Some(QuoteMark::Double)),
    ("single", k::TAKEN_SINGLE, Some(QuoteMark::Single)),
    ("off", k::TAKEN_NONE, Some(QuoteMark::Off)),
];

const SHORT: [(&str, Key); 2] = [("error", k::TAKEN_STOP_SAY_SO), ("pad", k::TAKEN_TAKE_MISSING_CELLS_AS)];

const NAMES: [(&str, Key); 2] = [("error", k::TAKEN_STOP_SAY_SO), ("number", k::TAKEN_NUMBER_LATER_ONES)];

const FIRST: [(&str, Key, Option<bool>); 3] = [
    (AUTO, k::TAKEN_NAMES_UNLESS_DOUBTFUL, None),
    ("yes", k::TAKEN_NAMES_OF_COLUMNS, Some(true)),
    ("no", k::TAKEN_FIRST_RECORD, Some(false)),
];

/// Lines that are skipped at the beginning or the end, at most.
const MOST_SKIPPED: u32 = 1000;

/// What a file was taken for, and what comes of a change.
pub(super) struct Taken<'a> {
    pub(super) attempt: &'a Attempt,
    pub(super) ids: &'static OpenIds,
    /// Nothing can be changed now.
    pub(super) disabled: bool,
    /// Its rows are not there to see.
    pub(super) unread: bool,
    /// It is being read: nothing is to be chosen.
    pub(super) reading: bool,
    /// Reads the file in this way.
    pub(super) reopen: Callback<Opening>,
    /// Lets its columns be chosen, and how many bytes were fetched of it; `None` where all of them are needed.
    pub(super) choose: Option<(Callback<MouseEvent>, f64)>,
}

/// What the last file of the first step was taken for, if that is known.
pub(super) fn taken(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some(attempt) = &state.attempt else { return html! {} };
    let reading = matches!(state.work, Work::Opening(_));
    // What is known of the file before, or of this one as it was read before, is not known of this one.
    if reading && !state.reading.found {
        return html! {};
    }
    let (control, dispatcher) = (props.control.clone(), props.state.dispatcher());
    let choose = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Pick(PickAction::Choose)));
    view(&Taken {
        attempt,
        choose: (!reading).then_some((choose, state.reading.fetched)),
        ids: &OpenIds::OPEN,
        disabled: state.is_busy(),
        unread: reading || state.failure.is_some(),
        reading,
        reopen: Callback::from(move |how| control.reopen(how)),
    })
}

/// The same for any file.
pub(super) fn view(taken: &Taken) -> Html {
    let &Taken { attempt, ids, disabled, unread, reading, .. } = taken;
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
    let lines = |id: &'static str, label: &str, value: u32, set: fn(&mut Opening, u32)| {
        let onchange = {
            let (reopen, how) = (taken.reopen.clone(), how.clone());
            Callback::from(move |event: Event| {
                let mut how = how.clone();
                set(&mut how, number(&dom::changed(&event)));
                reopen.emit(how);
            })
        };
        let most = MOST_SKIPPED.to_string();
        field(
            id,
            label,
            html! {
                <input {id} type="number" min="0" max={most} step="1" value={value.to_string()} {onchange} {disabled} />
            },
        )
    };
    // Unless they were chosen before: then the choice is what is wrong.
    let is_keyed = form.json_lines && how.delimiter.is_none() && how.quote.is_none();
    html! {
        <div
            id={ids.form} class="taken" role="group" aria-label={t!(TAKEN_HOW_READ, name = source.name)}
            data-encoding={form.encoding.clone()} data-packing={form.packing.as_ref().map(ToString::to_string)} data-sheet={form.sheet.clone()}
            data-delimiter={form.encoding.as_ref().map(|_| form.delimiter.to_string())} data-member={how.member.clone()}
        >
            { found(ids, &source.name, form) }
            { columns(taken, form) }
            if !reading { <div class="fields">
                if !form.members.is_empty() {
                    { menu(ids.member, if of_tables(form) { t!(TAKEN_TABLE_FILE) } else { t!(TAKEN_FILE_ARCHIVE) }, member(form, how)) }
                }
                if form.encoding.is_some() {
                    { menu(ids.encoding, t!(TAKEN_ENCODING), encoding(how)) }
                }
                if form.encoding.is_some() && !is_keyed && how.layout.is_empty() {
                    { menu(ids.delimiter, t!(TAKEN_FIELDS_SEPARATED_BY), delimiter(how)) }
                    { menu(ids.quote, t!(TAKEN_FIELDS_QUOTED_BY), quote(how)) }
                }
                if !form.sheets.is_empty() {
                    { menu(ids.sheet, t!(TAKEN_SHEET), sheet(form)) }
                }
                if form.encoding.is_some() && !is_keyed { { layout(taken, how) } }
                { lines(ids.skip_first, t!(TAKEN_SKIP_FIRST), how.skip_rows, |how, lines| how.skip_rows = lines) }
                { lines(ids.skip_last, t!(TAKEN_SKIP_LAST), how.skip_last_rows, |how, lines| how.skip_last_rows = lines) }
                if how.layout.is_empty() { { menu(ids.first, t!(TAKEN_FIRST_ROW), first(how)) } }
                if how.header == Some(false) { { called(taken, how) } }
                { menu(ids.short, t!(TAKEN_ROWS_WITH_TOO_FEW), short(how)) }
                { menu(ids.names, t!(TAKEN_COLUMNS_OF_ONE_NAME), names(how)) }
            </div> }
            if unread { { beginning(ids, form) } }
        </div>
    }
}

/// How much of a file was read whose columns can be chosen, and the way to choose others.
fn columns(taken: &Taken, form: &Form) -> Html {
    let Some((choose, fetched)) = taken.choose.as_ref().filter(|_| !form.columns.is_empty()) else {
        return html! {};
    };
    let (id, disabled, size) = (taken.ids.columns, taken.disabled, taken.attempt.source.bytes);
    let count = form.columns.len().to_string();
    html! {
        <p class="of-columns" data-fetched={fetched.to_string()} data-columns={count}>
            if *fetched > 0.0 { { t!(TAKEN_FETCHED, read = bytes(*fetched), size = bytes(size)) }{ " " } }
            <button {id} type="button" class="quiet-button" {disabled} onclick={choose.clone()}>{ t!(TAKEN_CHOOSE_COLUMNS) }</button>
        </p>
    }
}

/// The field for where the columns of a text of fixed width stand. A layout says all that delimiter, quote and first row would.
fn layout(taken: &Taken, how: &Opening) -> Html {
    let (id, disabled) = (taken.ids.layout, taken.disabled);
    let onchange = {
        let (reopen, how) = (taken.reopen.clone(), how.clone());
        Callback::from(move |event: Event| {
            let layout = dom::changed(&event).trim().to_owned();
            let how = how.clone();
            reopen.emit(if layout.is_empty() {
                Opening { layout, ..how }
            } else {
                Opening { layout, delimiter: None, quote: None, header: None, names: Vec::new(), ..how }
            });
        })
    };
    let (hint, value) = (format!("{id}-hint"), how.layout.clone());
    html! {
        <div class="field">
            <label for={id}>{ t!(TAKEN_LAYOUT) }</label>
            <textarea {id} rows="2" autocomplete="off" spellcheck="false" {value} {onchange} {disabled} aria-describedby={hint.clone()} />
            <p class="hint" id={hint}>{ t!(TAKEN_LAYOUT_HINT) }</p>
        </div>
    }
}

/// The field for the names of the columns of a file that has none.
fn called(taken: &Taken, how: &Opening) -> Html {
    let (id, disabled) = (taken.ids.called, taken.disabled);
    let onchange = {
        let (reopen, how) = (taken.reopen.clone(), how.clone());
        Callback::from(move |event: Event| {
            reopen.emit(Opening { names: listed(&dom::changed(&event)), ..how.clone() });
        })
    };
    let (hint, value) = (format!("{id}-hint"), in_a_line(&how.names));
    html! {
        <div class="field">
            <label for={id}>{ t!(TAKEN_CALLED) }</label>
            <input {id} type="text" autocomplete="off" spellcheck="false" {value} {onchange} {disabled} aria-describedby={hint.clone()} />
            <p class="hint" id={hint}>{ t!(TAKEN_CALLED_HINT) }</p>
        </div>
    }
}

/// Names between commas; one that holds a comma stands in double quotes. What cannot be taken apart is one name, and the reader
/// says that there are too few.
fn listed(typed: &str) -> Vec<String> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Vec::new();
    }
    items(typed, ",").unwrap_or_else(|| vec![typed.to_owned()])
}

/// The names as they are typed.
fn in_a_line(names: &[String]) -> String {
    let typed = |name: &String| {
        if name.contains([',', '"']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.clone() }
    };
    names.iter().map(typed).collect::<Vec<_>>().join(", ")
}

/// A number of lines as it was typed: none if it is not one.
fn number(typed: &str) -> u32 {
    typed.trim().parse().unwrap_or(0).min(MOST_SKIPPED)
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
        options: ENCODINGS.map(|(value, label)| (value, text(label))).to_vec(),
        more: Vec::new(),
        value: how.encoding.clone().map_or(AttrValue::Static(AUTO), AttrValue::from),
        set: |how, value| how.encoding = Some(value).filter(|value| value != AUTO),
    }
}

fn delimiter(how: &Opening) -> Menu {
    Menu {
        options: DELIMITERS.map(|(value, label)| (value, text(label))).to_vec(),
        more: Vec::new(),
        value: how.delimiter.map_or(AttrValue::Static(AUTO), |c| AttrValue::from(c.to_string())),
        set: |how, value| how.delimiter = value.chars().next().filter(|_| value != AUTO),
    }
}

fn quote(how: &Opening) -> Menu {
    Menu {
        options: QUOTES.map(|(value, label, _)| (value, text(label))).to_vec(),
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

/// Whether what there is to choose from are tables of one file, and not files of an archive.
fn of_tables(form: &Form) -> bool {
    form.named && form.packing.is_none()
}

/// What another file was taken for says nothing of this one.
fn member(form: &Form, how: &Opening) -> Menu {
    Menu {
        options: if how.member.is_none() { vec![("", t!(TAKEN_CHOOSE_ONE))] } else { Vec::new() },
        more: form.members.iter().cloned().map(AttrValue::from).collect(),
        value: how.member.clone().unwrap_or_default().into(),
        set: |how, value| {
            let member = Some(value).filter(|value| !value.is_empty());
            let &mut Opening { pad, number_duplicates, .. } = how;
            *how = Opening { member, pad, number_duplicates, ..Opening::default() };
        },
    }
}

fn first(how: &Opening) -> Menu {
    Menu {
        options: FIRST.map(|(value, label, _)| (value, text(label))).to_vec(),
        more: Vec::new(),
        value: FIRST.iter().find(|first| first.2 == how.header).map_or(AUTO, |first| first.0).into(),
        set: |how, value| how.header = FIRST.iter().find(|first| first.0 == value).and_then(|first| first.2),
    }
}

fn short(how: &Opening) -> Menu {
    Menu {
        options: SHORT.map(|(value, label)| (value, text(label))).to_vec(),
        more: Vec::new(),
        value: SHORT[usize::from(how.pad)].0.into(),
        set: |how, value| how.pad = value == SHORT[1].0,
    }
}

fn names(how: &Opening) -> Menu {
    Menu {
        options: NAMES.map(|(value, label)| (value, text(label))).to_vec(),
        more: Vec::new(),
        value: NAMES[usize::from(how.number_duplicates)].0.into(),
        set: |how, value| how.number_duplicates = value == NAMES[1].0,
    }
}

/// What was found out, and by what.
fn found(ids: &OpenIds, name: &str, form: &Form) -> Html {
    let packing = form.packing.as_ref().map(|packing| t!(TAKEN_COMPRESSION, packing = words(packing)));
    // Of what was read there is something to say.
    let title = if !form.notes.is_empty() {
        t!(TAKEN_WAS_TAKEN_FOR, name = name)
    } else if of_tables(form) {
        t!(TAKEN_HOLDS_SEVERAL_TABLES, name = name)
    } else {
        t!(TAKEN_HOLDS_SEVERAL_FILES, name = name)
    };
    html! {
        <>
            <p class="taken-title">{ title }</p>
            <ul id={ids.notes} class="notes">
                if let Some(packing) = packing { <li>{ packing }</li> }
                { for form.notes.iter().map(|note| html! { <li>{ told(note) }</li> }) }
            </ul>
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
            <figcaption class="hint">{ t!(TAKEN_FIRST_LINES_AS_THEY) }</figcaption>
            <pre id={ids.beginning} class="frame" tabindex="0" role="region" aria-label={t!(TAKEN_FIRST_LINES_AS_THEY)}>
                { text }
            </pre>
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_as_they_are_typed() {
        for (typed, names) in [("", &[][..]), ("age, sex", &["age", "sex"]), ("\"a, b\", c", &["a, b", "c"])]
        {
            assert_eq!(listed(typed), names);
            assert_eq!(in_a_line(&listed(typed)), typed);
        }
        assert_eq!(listed("age,,sex"), ["age,,sex"], "one name for three columns, which the reader refuses");
    }

    /// Every choice is the one that shows again when the file was read that way.
    #[test]
    fn choices_come_back() {
        for menu in [encoding, delimiter, quote, first, short, names] {
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
