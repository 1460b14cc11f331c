//! What a record stands for in the population: columns of weights and of households.

use yew::{AttrValue, Html, html};

use super::{
    field,
    fields::{Fields, more},
};
use crate::form::Form;

/// The two columns, behind a word.
pub(super) fn sample(fields: &Fields) -> Html {
    let Some(table) = &fields.props.state.table else { return html! {} };
    let names =
        || -> Vec<AttrValue> { table.columns.iter().map(|column| column.name.clone().into()).collect() };
    let menu = |around: &field::Around, chosen: &str, set: fn(&mut Form, String)| {
        field::names(around, Some(t!(SAMPLE_NONE)), names(), chosen.to_owned(), fields.edit(set))
    };
    let form = &fields.form.sample;
    let weight = fields.around("sampling-weight", t!(SAMPLE_WEIGHT), t!(SAMPLE_WEIGHT_HINT));
    let household = fields.around("household", t!(SAMPLE_HOUSEHOLD), t!(SAMPLE_HOUSEHOLD_HINT));
    let content = html! {
        <div class="fields">
            { menu(&weight, &form.weight, |form, weight| form.sample.weight = weight) }
            { menu(&household, &form.household, |form, household| form.sample.household = household) }
        </div>
    };
    more("more-sample", t!(SAMPLE_MORE), content)
}
