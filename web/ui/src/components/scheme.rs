//! What is generalised alike: the records of a class, or each column as a whole.

use lookalike_model::settings::Scheme;
use yew::{Html, html};

use super::fields::{Entries, Fields};
use crate::texts::k;

const SCHEMES: Entries<Scheme> =
    &[("classes", k::SCHEME_CLASSES, Scheme::Classes), ("full-domain", k::SCHEME_LEVELS, Scheme::FullDomain)];

/// The scheme, and sets of quasi-identifiers where it takes them.
pub(super) fn scheme(fields: &Fields) -> Html {
    let form = &fields.form.scheme;
    let meaning = match form.scheme {
        Scheme::Classes => t!(SCHEME_CLASSES_MEANS),
        Scheme::FullDomain => t!(SCHEME_LEVELS_MEANS),
    };
    html! {
        <div class="fields">
            { fields.menu(&fields.around("scheme", t!(SCHEME_ALIKE), meaning), SCHEMES, form.scheme,
                |form, scheme| form.scheme.scheme = scheme) }
            if form.takes_sets(fields.form.model) {
                { fields.lines(&fields.around("sets", t!(SCHEME_SETS), t!(SCHEME_SETS_HINT)), &form.sets,
                    |form, sets| form.scheme.sets = sets) }
            }
        </div>
    }
}
