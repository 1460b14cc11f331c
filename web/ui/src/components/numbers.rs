//! Among how many each person can be hidden, and about what each number costs.

use std::collections::BTreeMap;

use lookalike_words::Said;
use yew::{Callback, Html, MouseEvent, html};

use super::PageProps;
use crate::{
    form::{Form, ModelChoice},
    format::{count, percent, shortened},
    state::{Action, Estimate},
    texts::told as told_of,
};

/// A run has made a table whose loss has no figure.
const NOT_MEASURABLE: &str = "core.NoEstimate.NotMeasurable";

/// Only a run on all rows can tell.
const SMALL_SAMPLE: &str = "core.NoEstimate.SmallSample";

/// The numbers, a row each; nothing where nothing was asked about them.
pub(super) fn numbers(props: &PageProps) -> Html {
    let state = &*props.state;
    let estimates = &state.estimate;
    if estimates.numbers.is_empty() {
        return html! {};
    }
    let losses = estimates.found.values().filter_map(|found| found.loss.as_ref().ok());
    let (figures, unmeasured) =
        (losses.clone().next().is_some(), estimates.found.values().any(is_unmeasured));
    let exact = estimates.numbers.iter().filter_map(|number| state.found_loss(*number));
    let most = losses.copied().chain(exact).fold(0.0_f64, f64::max).max(f64::MIN_POSITIVE);
    let of_rows = estimates.found.values().map(|found| found.of_rows).max();
    // The number that was asked for is among them, whatever becomes of it.
    let asked = state.change_needed().and_then(|(_, m)| u32::try_from(m).ok());
    let asked = asked.filter(|asked| !estimates.numbers.contains(asked));
    let mut shown: Vec<u32> = estimates.numbers.iter().copied().chain(asked).collect();
    shown.sort_unstable();
    let row = |number: &u32| {
        let chosen = chosen(&state.form).trim() == number.to_string();
        let state = props.state.clone();
        let text = number.to_string();
        let onclick = Callback::from(move |_: MouseEvent| {
            let mut form = state.form.clone();
            match form.model {
                ModelChoice::MInvariance => form.m.clone_from(&text),
                ModelChoice::KAnonymity => form.k.clone_from(&text),
            }
            state.dispatch(Action::Edit(Box::new(form)));
        });
        let found = props.state.found_loss(*number);
        let (width, told) = match estimates.found.get(number).map(|found| &found.loss) {
            // A run has found it.
            _ if let Some(loss) = found => (100.0 * loss / most, percent(100.0 * loss)),
            Some(Ok(loss)) => (100.0 * loss / most, t!(NUMBERS_ABOUT, loss = share(*loss))),
            Some(Err(why)) => (0.0, String::from(without_figure(why))),
            None if asked == Some(*number) => (0.0, String::from(t!(NUMBERS_NEEDS_CHANGE))),
            None => (0.0, String::from("...")),
        };
        html! {
            <li>
                <button type="button" class="number-row" aria-pressed={chosen.to_string()} data-number={number.to_string()} {onclick}>
                    <span class="number">{ number }</span>
                    <svg width="100%" height="10" aria-hidden="true"><rect class="after" width={format!("{width:.1}%")} height="100%" /></svg>
                    <span class="loss">{ told }</span>
                </button>
            </li>
        }
    };
    html! {
        <>
            <ul id="numbers" class="numbers" aria-label={t!(NUMBERS_LABEL)}>{ for shown.iter().map(row) }</ul>
            if let Some(rows) = of_rows.filter(|_| figures || !unmeasured) { <p class="hint">{ from(rows, state.table.as_ref().map_or(0, |table| table.rows)) }</p> }
            if unmeasured { <p class="hint">{ t!(NUMBERS_UNMEASURED) }</p> }
            if let Some(why) = refusal(&estimates.found, chosen(&state.form)) { <p id="numbers-why" class="wrong amber">{ told_of(why) }</p> }
        </>
    }
}

/// From what the estimates are: a sample of `rows` of `all` rows errs high, since its rows lie farther apart.
fn from(rows: usize, all: usize) -> String {
    if rows < all { n!(NUMBERS_OF_SAMPLE, rows, all = count(all)) } else { n!(NUMBERS_FROM, rows) }
}

/// What is said of a number without an estimate: it may be possible all the same.
fn without_figure(why: &Said) -> &'static str {
    match why.id() {
        NOT_MEASURABLE => t!(NUMBERS_POSSIBLE),
        SMALL_SAMPLE => t!(FORMAT_UNKNOWN),
        _ => t!(NUMBERS_NONE),
    }
}

/// Why the chosen number is not possible, or any number, where none is.
fn refusal<'a>(found: &'a BTreeMap<u32, Estimate>, chosen: &str) -> Option<&'a Said> {
    let why = |found: &'a Estimate| {
        found.loss.as_ref().err().filter(|why| ![NOT_MEASURABLE, SMALL_SAMPLE].contains(&why.id()))
    };
    let of_chosen = chosen.trim().parse().ok().and_then(|number: u32| why(found.get(&number)?));
    let none = || found.values().all(|found| why(found).is_some());
    of_chosen.or_else(|| found.values().next().filter(|_| none()).and_then(why))
}

/// Whether a table can be made for the number whose loss has no figure, as means have none.
fn is_unmeasured(found: &Estimate) -> bool {
    found.loss.as_ref().is_err_and(|why| why.id() == NOT_MEASURABLE)
}

/// An estimate, with no more digits than it has: `4 %`, `0.8 %`.
pub(super) fn share(loss: f64) -> String {
    let per_cent = 100.0 * loss;
    let decimals = match per_cent {
        x if x >= 9.95 => 0,
        x if x >= 0.095 => 1,
        _ => 2,
    };
    format!("{} %", shortened(&format!("{per_cent:.decimals$}")))
}

fn chosen(form: &Form) -> &str {
    match form.model {
        ModelChoice::MInvariance => &form.m,
        ModelChoice::KAnonymity => &form.k,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_says_why_it_errs_high() {
        let told = from(1000, 32_561);
        assert!(told.contains("1,000 of 32,561 rows") && told.contains("farther apart"), "{told}");
        assert!(from(1000, 1000).contains("short search on 1,000 rows"));
    }

    #[test]
    fn what_is_not_possible_has_its_reason() {
        let of = |loss| Estimate { loss, of_rows: 60 };
        let refused = || of(Err(Said::new("core.Eligibility.TooFrequent", [])));
        let id = |found: &[(u32, Estimate)], chosen| {
            refusal(&found.iter().cloned().collect(), chosen).map(|why| why.id().to_owned())
        };
        let all = [(2, refused()), (5, refused())];
        assert_eq!(id(&all, "5").as_deref(), Some("core.Eligibility.TooFrequent"));
        assert!(id(&all, "7").is_some(), "no number is possible");
        let some = [(2, of(Ok(0.1))), (5, refused())];
        assert_eq!([id(&some, "2"), id(&some, "7"), id(&[], "2")], [None, None, None]);
        assert!(id(&some, "5").is_some());
        assert_eq!(id(&[(2, of(Err(Said::new(NOT_MEASURABLE, []))))], "2"), None);
    }

    #[test]
    fn a_number_without_a_figure_may_be_possible() {
        let refused = |id: &'static str| Estimate { loss: Err(Said::new(id, [])), of_rows: 60 };
        let told = |found: &Estimate| without_figure(found.loss.as_ref().unwrap_err());
        let means = refused(NOT_MEASURABLE);
        assert_eq!((told(&means), is_unmeasured(&means)), ("possible", true));
        assert_eq!(told(&refused(SMALL_SAMPLE)), "unknown");
        let refused = refused("core.Eligibility.TooFrequent");
        assert_eq!((told(&refused), is_unmeasured(&refused)), ("not possible", false));
        assert!(!is_unmeasured(&Estimate { loss: Ok(0.1), of_rows: 60 }));
        // The engine says it by these names.
        let texts = lookalike_words::TEXTS[0].1;
        let section = texts.split_once("\n[core.NoEstimate]\n").unwrap().1;
        assert!(["SmallSample = ", "NotMeasurable = "].iter().all(|name| section.contains(name)));
    }
}
