//! Above which probability of being found a record counts as at risk: a few numbers, each with who goes by it, or another one.

use lookalike_model::threshold::ThresholdSource;
use lookalike_words::Message as _;
use yew::{Html, html};

use super::fields::{Entries, Fields};
use crate::{
    form::ThresholdChoice,
    format::number,
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
    let chosen = threshold(form);
    html! {
        <div class="fields">
            <div>
                { fields.menu(&fields.around("threshold", t!(THRESHOLD_LABEL), t!(THRESHOLD_HINT)), CHOICES, form.threshold,
                    |form, choice| form.threshold = choice) }
                if let Some(chosen) = chosen {
                    <p class="hint" id="threshold-source">
                        { t!(RISK_THRESHOLD_OF, threshold = number(chosen)) }{ " " }{ told(&ThresholdSource::of(chosen).said()) }{ "." }
                    </p>
                }
            </div>
            if form.threshold == ThresholdChoice::Own {
                { fields.text(&fields.around("own-threshold", t!(THRESHOLD_OWN_LABEL), t!(THRESHOLD_OWN_HINT)), "decimal", &form.own_threshold,
                    |form, number| form.own_threshold = number) }
            }
        </div>
    }
}
