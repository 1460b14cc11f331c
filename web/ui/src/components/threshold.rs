//! Above which probability of being found a record counts as at risk: a few numbers, each with who goes by it, or another one.

use lookalike_model::threshold::ThresholdSource;
use lookalike_words::Message as _;
use yew::{Html, html};

use super::fields::{Entries, Fields};
use crate::{
    form::ThresholdChoice,
    settings::threshold,
    texts::{k, told},
};

const CHOICES: Entries<ThresholdChoice> = &[
    ("usual", k::THRESHOLD_USUAL, ThresholdChoice::Usual),
    ("of-three", k::THRESHOLD_OF_THREE, ThresholdChoice::OfThree),
    ("of-clinical-reports", k::THRESHOLD_OF_CLINICAL_REPORTS, ThresholdChoice::OfClinicalReports),
    ("of-twenty", k::THRESHOLD_OF_TWENTY, ThresholdChoice::OfTwenty),
    ("own", k::THRESHOLD_OWN, ThresholdChoice::Own),
];

/// The choice, who goes by it, and the field for another number.
pub(super) fn field(fields: &Fields) -> Html {
    let form = fields.form;
    let source = threshold(form).map(|number| told(&ThresholdSource::of(number).said()));
    html! {
        <div class="fields">
            <div>
                { fields.menu(&fields.around("threshold", t!(THRESHOLD_LABEL), t!(THRESHOLD_HINT)), CHOICES, form.threshold,
                    |form, choice| form.threshold = choice) }
                if let Some(source) = source { <p class="hint" id="threshold-source">{ source }{ "." }</p> }
            </div>
            if form.threshold == ThresholdChoice::Own {
                { fields.text(&fields.around("own-threshold", t!(THRESHOLD_OWN_LABEL), t!(THRESHOLD_OWN_HINT)), "decimal", &form.own_threshold,
                    |form, number| form.own_threshold = number) }
            }
        </div>
    }
}
