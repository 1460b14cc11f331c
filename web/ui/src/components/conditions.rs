//! Conditions on secret columns beside k: of all of them, or of one.

use yew::{Callback, Html, html};

use super::{PageProps, field::Select, fields::Fields};
use crate::{
    form::{ConditionField, ModelChoice, Role, with_role},
    state::{Action, ViewAction},
    texts::{Key, k, text},
};

/// The fields, with their names and what they mean.
pub(super) const FIELDS: [(ConditionField, Key, Key); 12] = [
    (ConditionField::Distinct, k::CONDITION_DISTINCT, k::CONDITION_DISTINCT_HINT),
    (ConditionField::Entropy, k::CONDITION_ENTROPY, k::CONDITION_ENTROPY_HINT),
    (ConditionField::RecursiveC, k::CONDITION_RECURSIVE_C, k::CONDITION_RECURSIVE_C_HINT),
    (ConditionField::RecursiveL, k::CONDITION_RECURSIVE_L, k::CONDITION_RECURSIVE_L_HINT),
    (ConditionField::Alpha, k::CONDITION_ALPHA, k::CONDITION_ALPHA_HINT),
    (ConditionField::Spread, k::CONDITION_SPREAD, k::CONDITION_SPREAD_HINT),
    (ConditionField::Equal, k::CONDITION_EQUAL, k::CONDITION_EQUAL_HINT),
    (ConditionField::Ordered, k::CONDITION_ORDERED, k::CONDITION_ORDERED_HINT),
    (ConditionField::Hierarchical, k::CONDITION_HIERARCHICAL, k::CONDITION_HIERARCHICAL_HINT),
    (ConditionField::Beta, k::CONDITION_BETA, k::CONDITION_BETA_HINT),
    (ConditionField::EnhancedBeta, k::CONDITION_ENHANCED_BETA, k::CONDITION_ENHANCED_BETA_HINT),
    (ConditionField::Delta, k::CONDITION_DELTA, k::CONDITION_DELTA_HINT),
];

/// What a field is called.
pub(super) fn label(field: ConditionField) -> &'static str {
    FIELDS.iter().find(|(of, ..)| *of == field).map_or("", |(_, label, _)| text(*label))
}

/// A field for each; m-invariance says itself how values are distributed. Where several columns are secret, the fields are of all of them or
/// of one.
pub(super) fn conditions(props: &PageProps, fields: &Fields) -> Html {
    if fields.form.model != ModelChoice::KAnonymity {
        return html! { <p class="quiet">{ t!(CONDITIONS_NOT_WITH_M) }</p> };
    }
    let secret = secret(props);
    let of = props.state.view.conditions_of.clone().filter(|name| secret.contains(name));
    let field = |(kind, label, hint): (ConditionField, Key, Key)| {
        let whole = matches!(kind, ConditionField::Distinct | ConditionField::RecursiveL);
        let (typed, column) = (fields.form.conditions.typed(of.as_deref(), kind), of.clone());
        fields.text(
            &fields.around(kind.id(), text(label), text(hint)),
            if whole { "numeric" } else { "decimal" },
            typed,
            move |form, typed| form.conditions.set(column.as_deref(), kind, typed),
        )
    };
    html! {
        <>
            <p class="hint">{ t!(CONDITIONS_WHAT) }</p>
            { chooser(props, &secret, of.as_deref()) }
            <div class="fields">{ for FIELDS.into_iter().map(field) }</div>
        </>
    }
}

fn secret(props: &PageProps) -> Vec<String> {
    let state = &props.state;
    let names = state.table.as_ref().map(|table| with_role(table, &state.choices, Role::Sensitive));
    names.unwrap_or_default().into_iter().map(str::to_owned).collect()
}

/// Of which column the fields are, where there are several.
fn chooser(props: &PageProps, secret: &[String], of: Option<&str>) -> Html {
    if secret.len() < 2 {
        return html! {};
    }
    let dispatcher = props.state.dispatcher();
    let pick = Callback::from(move |name: String| {
        let column = (!name.is_empty()).then_some(name);
        dispatcher.dispatch(Action::View(ViewAction::ConditionsOf(column)));
    });
    let more: Vec<yew::AttrValue> = secret.iter().map(|name| name.clone().into()).collect();
    html! {
        <div class="field">
            <label for="conditions-of">{ t!(CONDITIONS_OF) }</label>
            <Select id={Some("conditions-of")} options={vec![("", t!(CONDITIONS_OF_ALL))]} {more} value={of.unwrap_or_default().to_owned()}
                onchange={pick} describedby={Some(String::from("conditions-of-hint"))} />
            <p class="hint" id="conditions-of-hint">{ t!(CONDITIONS_OF_HINT) }</p>
        </div>
    }
}
