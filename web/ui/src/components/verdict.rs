//! The verdict and the checks behind it.

use lookalike_model::{
    finding::{NAMED, is_certain},
    report::{Audit, Report},
    settings::Settings,
};
use lookalike_words::Message as _;
use yew::{Html, html};

use super::{checks::table, fields::more};
use crate::{
    headline::{Headline, headline},
    texts::{told, words},
};

/// The verdict on a result, before all figures: what holds and why no more, against whom and against whom not.
/// `earlier` where the settings have changed since.
pub(super) fn verdict(report: &Report, settings: &Settings, earlier: bool) -> Html {
    let Headline { passed, sentence, why, against, against_not, published, checks } =
        headline(report, settings);
    let (class, mark) = match (passed, earlier) {
        // It passed, but is not what the page asks for now.
        (true, true) => ("verdict", None),
        // All checks passed, and an attacker whom the verdict names may be certain of a value all the same.
        (true, false) if is_certain(report) => ("verdict amber", None),
        (true, false) => ("verdict good", Some("✓")),
        (false, _) => ("verdict brick", Some("✗")),
    };
    html! {
        <>
            <p id="verdict" {class} tabindex="-1" role="status" data-passed={passed.to_string()}>
                if let Some(mark) = mark { <span aria-hidden="true">{ mark }</span>{ " " } }
                if earlier { { t!(HEADLINE_EARLIER) }{ " " } }
                { sentence }
                if let Some(why) = why { { " " }<em id="verdict-why">{ why }</em> }
            </p>
            if let Some(against) = against {
                <p id="against">{ against }{ " " }{ against_not }</p>
                { known(settings) }
            }
            <p id="verdict-counts" class="hint">
                if let Some(published) = published { { published }{ " " } }
                { checks }
            </p>
        </>
    }
}

/// The checks, folded.
pub(super) fn checks(report: &Report) -> Html {
    more(
        "more-checks",
        t!(VERDICT_CHECKS),
        html! {
            <>
                <p class="hint">{ t!(LOOK_AUDIT_READS_VERY_BYTES) }</p>
                <p id="against-exactly" class="hint">{ told(&report.against) }</p>
                { form(&report.audit) }
                { table(&report.audit) }
            </>
        },
    )
}

/// All columns that others may know, where the sentence names only some.
fn known(settings: &Settings) -> Html {
    let names: Vec<&str> = settings.quasi.iter().map(String::as_str).collect();
    let Some(all) = unnamed(&names) else { return html! {} };
    more("more-known", t!(VERDICT_KNOWN), html! { <p id="all-known">{ all }</p> })
}

/// The names, if there are more of them than a sentence has.
fn unnamed(names: &[&str]) -> Option<String> {
    (names.len() > NAMED).then(|| names.join(", "))
}

/// The form of the published bytes, where it is not the usual one.
pub(super) fn form(audit: &Audit) -> Html {
    if audit.dialect.is_plain() {
        return html! {};
    }
    let form = words(&audit.dialect.words().said());
    html! { <p id="published-form" class="hint">{ t!(VERDICT_FORM, form = form) }</p> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_the_sentence_does_not_name_are_listed() {
        assert_eq!(unnamed(&["a", "b", "c", "d"]), None);
        assert_eq!(unnamed(&["a", "b", "c", "d", "e"]).as_deref(), Some("a, b, c, d, e"));
    }
}
