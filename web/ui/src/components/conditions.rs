//! Conditions on the secret column beside k.

use yew::{Html, html};

use super::fields::Fields;
use crate::{
    form::{ConditionField, ModelChoice},
    texts::{Key, k, text},
};

const FIELDS: [(ConditionField, Key, Key); 10] = [
    (ConditionField::Distinct, k::CONDITION_DISTINCT, k::CONDITION_DISTINCT_HINT),
    (ConditionField::Entropy, k::CONDITION_ENTROPY, k::CONDITION_ENTROPY_HINT),
    (ConditionField::RecursiveC, k::CONDITION_RECURSIVE_C, k::CONDITION_RECURSIVE_C_HINT),
    (ConditionField::RecursiveL, k::CONDITION_RECURSIVE_L, k::CONDITION_RECURSIVE_L_HINT),
    (ConditionField::Alpha, k::CONDITION_ALPHA, k::CONDITION_ALPHA_HINT),
    (ConditionField::Equal, k::CONDITION_EQUAL, k::CONDITION_EQUAL_HINT),
    (ConditionField::Ordered, k::CONDITION_ORDERED, k::CONDITION_ORDERED_HINT),
    (ConditionField::Beta, k::CONDITION_BETA, k::CONDITION_BETA_HINT),
    (ConditionField::EnhancedBeta, k::CONDITION_ENHANCED_BETA, k::CONDITION_ENHANCED_BETA_HINT),
    (ConditionField::Delta, k::CONDITION_DELTA, k::CONDITION_DELTA_HINT),
];

/// A field for each; m-invariance says itself how values are distributed.
pub(super) fn conditions(fields: &Fields) -> Html {
    if fields.form.model != ModelChoice::KAnonymity {
        return html! { <p class="quiet">{ t!(CONDITIONS_NOT_WITH_M) }</p> };
    }
    let field = |(of, label, hint): (ConditionField, Key, Key)| {
        let whole = matches!(of, ConditionField::Distinct | ConditionField::RecursiveL);
        fields.text(
            &fields.around(of.id(), text(label), text(hint)),
            if whole { "numeric" } else { "decimal" },
            fields.form.conditions.typed(of),
            move |form, typed| form.conditions.set(of, typed),
        )
    };
    html! {
        <>
            <p class="hint">{ t!(CONDITIONS_WHAT) }</p>
            <div class="fields">{ for FIELDS.into_iter().map(field) }</div>
        </>
    }
}
