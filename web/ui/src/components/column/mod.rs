//! The sheet of one column: what was found in it, what it counts, how it is published, its order and its hierarchy.

mod cells;
mod edit;
mod hierarchy;
mod histogram;
mod order;

use cells::{proposed, unknown};
pub(super) use histogram::picture;

use lookalike_model::{
    info::ColumnInfo,
    settings::{Kind, MissingPolicy, Publish},
};
use lookalike_wire::page::HierarchyOf;
use yew::{Callback, Html, MouseEvent, html};

use super::{
    PageProps,
    field::{self, Around, wrong},
    fields::{Entries, choose},
};
use crate::{
    form::{Choice, Role},
    format::count,
    settings::{Field, markers},
    state::{Action, Detail, suggested_role},
    texts::{Key, k, text, told, words},
};

pub(super) const POLICIES: Entries<Option<MissingPolicy>> = &[
    ("", k::COLUMN_AS_STEP_3, None),
    ("error", k::COLUMN_STOP_SAY_SO, Some(MissingPolicy::Error)),
    ("drop", k::COLUMN_DROP_ROW, Some(MissingPolicy::Drop)),
    ("value", k::COLUMN_TREAT_AS_VALUE_ITS, Some(MissingPolicy::Value)),
];
pub(super) const FORMS: Entries<Option<Publish>> = &[
    ("", k::COLUMN_AS_STEP_3, None),
    ("range", k::COLUMN_RANGES_18_20, Some(Publish::Range)),
    ("min-max", k::COLUMN_MIN_MAX, Some(Publish::MinMax)),
    ("min-max-mid", k::COLUMN_MIN_MAX_MID, Some(Publish::MinMaxMid)),
    ("set", k::COLUMN_SETS_VALUES_18_20, Some(Publish::Set)),
    ("centroid", k::COLUMN_MEANS_19, Some(Publish::Centroid)),
    ("hierarchy", k::COLUMN_ITS_HIERARCHY, Some(Publish::Hierarchy)),
];
/// The names of the kinds, with their words.
pub(super) const KINDS: [(&str, Key); 9] = [
    ("integer", k::COLUMN_WHOLE_NUMBER),
    ("real", k::COLUMN_DECIMAL_NUMBER),
    ("number", k::COLUMN_NUMBER),
    ("date", k::COLUMN_DATE),
    ("date-dmy", k::COLUMN_DATE_DAY_FIRST),
    ("date-mdy", k::COLUMN_DATE_MONTH_FIRST),
    (DATE_AS, k::COLUMN_DATE_AS),
    ("category", k::COLUMN_CATEGORY),
    ("ordinal", k::COLUMN_ORDERED_LABELS),
];

/// The kind of dates whose format is still to be said.
pub(super) const DATE_AS: &str = "date:";

/// What is said of one column, and the way to change it.
pub(super) struct Column<'a> {
    pub(super) props: &'a PageProps,
    pub(super) place: usize,
    pub(super) info: &'a ColumnInfo,
    pub(super) choice: &'a Choice,
}

impl Column<'_> {
    /// Says something else of the column.
    fn edit(&self, set: impl Fn(&mut Choice, String) + 'static) -> Callback<String> {
        let (state, place, choice) = (self.props.state.clone(), self.place, self.choice.clone());
        Callback::from(move |value| {
            let mut choice = choice.clone();
            set(&mut choice, value);
            state.dispatch(Action::EditColumn(place, Box::new(choice)));
        })
    }

    fn menu<T: Copy + PartialEq + 'static>(
        &self,
        around: &Around,
        entries: Entries<T>,
        chosen: T,
        set: impl Fn(&mut Choice, T) + 'static,
    ) -> Html {
        let (state, place, choice) = (self.props.state.clone(), self.place, self.choice.clone());
        choose(around, entries, chosen, move |entry| {
            let mut choice = choice.clone();
            set(&mut choice, entry);
            state.dispatch(Action::EditColumn(place, Box::new(choice)));
        })
    }

    fn markers(&self) -> Vec<String> {
        markers(&self.props.state.form)
    }

    /// What the engine has to know to make or check its hierarchy.
    fn asked(&self) -> HierarchyOf {
        HierarchyOf {
            name: self.info.name.clone(),
            kind: match &self.choice.kind {
                None if !self.choice.width.trim().is_empty() => Some(Kind::Category),
                said => said.clone().filter(|kind| *kind != Kind::Ordinal),
            },
            order: if self.choice.kind == Some(Kind::Ordinal) {
                self.choice.order.clone()
            } else {
                Vec::new()
            },
            markers: self.markers(),
        }
    }

    /// Whether its cells are compared as numbers.
    fn holds_numbers(&self) -> bool {
        matches!(self.choice.kind_of(&self.info.kind), "integer" | "real")
    }
}

/// What its cells are: found, or said otherwise.
fn kind(column: &Column) -> Html {
    let found = column.info.kind.as_str();
    let secret = column.choice.role == Role::Sensitive;
    if column.choice.role != Role::Quasi && !secret {
        return html! { <p>{ t!(DESCRIBE_KIND) }{ ": " }<span class="kind">{ found_kind(found) }</span></p> };
    }
    let inferred = ["integer", "real", "date", "category", "ordinal", "identifier"];
    let found = inferred.into_iter().find(|name| *name == found).unwrap_or("category");
    let mut options = vec![("inferred", found_kind(found))];
    // What the cells look like anyway is not offered twice.
    options.extend(
        (KINDS.iter().map(|(value, label)| (*value, text(*label))))
            // Of secret values only their order means something, for conditions that go by it.
            .filter(|(value, _)| *value != found && (!secret || *value == "ordinal")),
    );
    let said = match &column.choice.kind {
        None => String::new(),
        Some(Kind::DateAs(_)) => String::from(DATE_AS),
        Some(kind) => kind.to_string(),
    };
    let chosen = KINDS.iter().find(|(value, _)| *value == said);
    let value = chosen.map_or("inferred", |(value, _)| if *value == found { "inferred" } else { value });
    let (control, markers, name) = (column.props.control.clone(), column.markers(), column.info.name.clone());
    let edit = column.edit(|choice, value| {
        choice.kind = Kind::named(&value);
    });
    let wants_order = column.choice.order.is_empty();
    let onchange = move |value: String| {
        let ordinal = value == "ordinal";
        edit.emit(value);
        if ordinal && wants_order {
            control.values(name.clone(), markers.clone());
        }
    };
    let around = Around { id: "column-kind", label: t!(DESCRIBE_KIND), hint: "", wrong: None, marked: false };
    field::menu(&around, options, value, Callback::from(onchange))
}

/// What cells look like, in words.
pub(super) fn found_kind(kind: &str) -> &'static str {
    match kind {
        "integer" => t!(COLUMN_FOUND_INTEGER),
        "real" => t!(COLUMN_FOUND_REAL),
        "date" => t!(COLUMN_DATE),
        "ordinal" => t!(COLUMN_FOUND_ORDINAL),
        "identifier" => t!(COLUMN_FOUND_IDENTIFIER),
        _ => t!(COLUMN_CATEGORY),
    }
}

/// Whether there is more to say of a column of this role.
fn has_more(role: Role) -> bool {
    matches!(role, Role::Quasi | Role::Sensitive | Role::Keep | Role::Unchanged)
}

/// Whether something of it is still to be decided: cells that can be read in two ways, codes that look like numbers.
pub(super) fn asks(column: &Column) -> bool {
    let (info, choice) = (column.info, column.choice);
    let open = info.question.is_some() && choice.kind.is_none();
    choice.role == Role::Quasi && (open || cells::is_proposed(column) || cells::is_unknown(column))
}

/// The sheet of the column of which more is to be seen.
pub(crate) fn sheet(props: &PageProps) -> Html {
    let state = &*props.state;
    let Some((detail, table)) = state.detail.as_ref().zip(state.table.as_ref()) else { return html! {} };
    let place = detail.column;
    let (Some(info), Some(choice)) = (table.columns.get(place), state.choices.get(place)) else {
        return html! {};
    };
    let column = Column { props, place, info, choice };
    let dispatcher = props.state.dispatcher();
    let close = Callback::from(move |_: MouseEvent| dispatcher.dispatch(Action::Detail(place)));
    html! {
        <section id="column-sheet" class="sheet" tabindex="-1" aria-labelledby="column-title" data-detail={info.name.clone()}>
            <header>
                <h2 id="column-title">{ &info.name }</h2>
                <button id="column-close" type="button" class="quiet-button" onclick={close}>{ t!(SHEET_CLOSE) }</button>
            </header>
            { found(&column) }
            { said(&column, detail) }
        </section>
    }
}

/// What was found in it.
fn found(column: &Column) -> Html {
    let (info, busy) = (column.info, column.props.state.is_busy());
    let numbers = t!(COLUMN_NUMBERS, distinct = count(info.distinct), missing = count(info.missing));
    html! {
        <div class="evidence">
            <p>{ told(&info.evidence) }</p>
            <p class="numbers" data-distinct={info.distinct.to_string()} data-missing={info.missing.to_string()}>{ numbers }</p>
            { question(column) }
            { proposed(column, busy) }
            { unknown(column, busy) }
            { suggested(info) }
            { histogram::table(info) }
        </div>
    }
}

/// Cells that can be read in two ways.
fn question(column: &Column) -> Html {
    match &column.info.question {
        Some(question) if column.choice.role == Role::Quasi && column.choice.kind.is_none() => {
            html! { <p class="amber">{ told(question) }</p> }
        }
        _ => html! {},
    }
}

/// A suggestion is shown, never applied.
fn suggested(info: &ColumnInfo) -> Html {
    let Some(suggestion) = &info.suggestion else { return html! {} };
    let undecided = Choice::default();
    let role = suggested_role(info, &undecided).map(Role::label).unwrap_or_default();
    html! { <p class="suggestion">{ t!(DESCRIBE_PERHAPS, role = role) }{ " " }{ told(&suggestion.reason) }{ "." }</p> }
}

/// What can be said of it.
fn said(column: &Column, detail: &Detail) -> Html {
    let state = &column.props.state;
    if !has_more(column.choice.role) {
        return html! { <p class="hint">{ t!(COLUMN_NOT_PUBLISHED) }</p> };
    }
    let messages: Vec<String> = state
        .invalid()
        .into_iter()
        .filter(|w| w.field == Field::Column(column.place))
        .map(|w| w.message)
        .collect();
    let message = (!messages.is_empty()).then(|| messages.join(" "));
    let (role, by_hierarchy) =
        (column.choice.role, matches!(column.choice.role, Role::Quasi | Role::Keep | Role::Sensitive));
    let ordinal = column.choice.kind == Some(Kind::Ordinal) && matches!(role, Role::Quasi | Role::Sensitive);
    html! {
        <fieldset class="plain" disabled={state.is_busy()}>
            <legend class="unseen">{ t!(COLUMN_MORE_ABOUT, name = column.info.name) }</legend>
            { wrong("column", message.as_deref(), state.tried) }
            { wrong("hierarchy", detail.wrong.as_ref().map(words).as_deref(), true) }
            { kind(column) }
            if ordinal { { order::order(column, detail) } }
            <div class="fields">{ fields(column) }</div>
            if role == Role::Sensitive { <p class="hint">{ t!(COLUMN_SECRET_ARRANGED) }</p> }
            if by_hierarchy { { hierarchy::hierarchy(column, detail) } }
        </fieldset>
    }
}

fn fields(column: &Column) -> Html {
    let choice = column.choice;
    let around = |id, label, hint| Around { id, label, hint, wrong: None, marked: false };
    let numeric = t!(COLUMN_PUBLISHED_AS_FROM_HERE);
    html! {
        <>
            if matches!(choice.role, Role::Quasi | Role::Keep) {
                { column.menu(&around("column-publish", t!(COLUMN_PUBLISHED_AS), t!(COLUMN_HOW_CLASS_WRITTEN_COLUMN)), FORMS,
                    choice.publish, |choice, form| choice.publish = form) }
            }
            if matches!(choice.role, Role::Quasi | Role::Sensitive) {
                { column.menu(&around("column-missing", t!(COLUMN_ROWS_WITHOUT), t!(COLUMN_WHAT_HAPPENS_ROWS_WHERE)),
                    POLICIES, choice.missing, |choice, policy| choice.missing = policy) }
            }
            if let (Role::Quasi, Some(Kind::DateAs(format))) = (choice.role, &choice.kind) {
                { field::text(&around("column-format", t!(COLUMN_DATE_FORMAT), t!(COLUMN_HOW_DATES_WRITTEN)), "text", format,
                    &column.edit(|choice, format| choice.kind = Some(Kind::DateAs(format.into())))) }
            }
            { cells::fields(column) }
            if choice.role == Role::Quasi {
                { field::text(&around("column-weight", t!(COLUMN_WEIGHT_LOSS), t!(COLUMN_EMPTY_ALL_COUNT_ALIKE)), "decimal", &choice.weight,
                    &column.edit(|choice, weight| choice.weight = weight)) }
                { field::text(&around("column-domain", t!(COLUMN_DOMAIN), t!(COLUMN_VALUES_IT_MAY_HAVE)), "text", &choice.domain,
                    &column.edit(|choice, domain| choice.domain = domain)) }
                if column.holds_numbers() {
                    { field::text(&around("column-bottom", t!(COLUMN_BOTTOM_LIMIT), t!(COLUMN_PUBLISHED_AS_UP_HERE)), "text",
                        &choice.bottom, &column.edit(|choice, limit| choice.bottom = limit)) }
                    { field::text(&around("column-top", t!(COLUMN_TOP_LIMIT), numeric), "text", &choice.top,
                        &column.edit(|choice, limit| choice.top = limit)) }
                }
            }
        </>
    }
}
