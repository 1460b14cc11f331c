//! How often the values of a column occur before and after: a table that is a chart.

use lookalike_model::comparison::Bin;
use yew::{AttrValue, Callback, Html, html};

use crate::{
    components::{PageProps, field::Select},
    format::percent,
    state::{Action, LookAction, Results},
    texts::told,
};

/// The values of the chosen column.
pub(super) fn spread(props: &PageProps, results: &Results) -> Html {
    let look = &props.state.look;
    let names = results.columns();
    let more: Vec<AttrValue> = names.map(|name| AttrValue::from(name.clone())).collect();
    let state = props.state.clone();
    let onchange =
        Callback::from(move |column: String| state.dispatch(Action::Look(LookAction::Choose(column))));
    let value = AttrValue::from(look.column.clone());
    html! {
        <>
            <div class="field">
                <label for="spread-column">{ t!(SPREAD_VALUES) }</label>
                <Select id="spread-column" options={Vec::new()} {more} {value} {onchange} />
            </div>
            { match look.spread.as_deref() {
                None => html! { <p role="status">{ t!(SPREAD_COUNTING) }</p> },
                Some(Err(why)) => html! { <p class="hint">{ told(why) }</p> },
                Some(Ok(bins)) => chart(&look.column, bins),
            } }
        </>
    }
}

fn chart(column: &str, bins: &[Bin]) -> Html {
    let most = bins.iter().map(|bin| bin.before.max(bin.after)).fold(f64::MIN_POSITIVE, f64::max);
    let bar = |class: &'static str, y: &'static str, share: f64| {
        html! { <rect {class} {y} width={(100.0 * share / most).to_string()} height="4" /> }
    };
    html! {
        <>
            <p id="spread-finding">{ finding(column, bins) }</p>
            <table id="spread" class="sizes spread">
                <caption class="unseen">{ t!(SPREAD_VALUES_BEFORE_AFTER, column = column) }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ t!(SPREAD_VALUE) }</th>
                        <th scope="col" class="number before">{ t!(SPREAD_BEFORE) }</th>
                        <th scope="col" class="number after">{ t!(SPREAD_AFTER) }</th>
                        <th scope="col"><span class="unseen">{ t!(SPREAD_SHARES) }</span></th>
                    </tr>
                </thead>
                <tbody>
                    { for bins.iter().map(|bin| html! {
                        <tr>
                            <th scope="row">{ name(bin) }</th>
                            <td class="number before" data-before={bin.before.to_string()}>{ percent(100.0 * bin.before) }</td>
                            <td class="number after" data-after={bin.after.to_string()}>{ percent(100.0 * bin.after) }</td>
                            <td class="bar">
                                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                                    { bar("before", "0", bin.before) }{ bar("after", "5", bin.after) }
                                </svg>
                            </td>
                        </tr>
                    }) }
                </tbody>
            </table>
        </>
    }
}

fn name(bin: &Bin) -> String {
    match (bin.missing, bin.label.is_empty()) {
        (true, _) => String::from(t!(SPREAD_MISSING)),
        (false, true) => String::from(t!(SPREAD_ALL_OTHERS)),
        (false, false) => bin.label.clone(),
    }
}

/// Half the sum of all differences is the share that stands elsewhere.
fn finding(column: &str, bins: &[Bin]) -> String {
    let moved: f64 = bins.iter().map(|bin| (bin.after - bin.before).abs()).sum::<f64>() / 2.0;
    t!(SPREAD_RECORDS_STAND_ANOTHER_LINE, share = percent(100.0 * moved), column = column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(label: &str, before: f64, after: f64) -> Bin {
        Bin { label: label.to_owned(), missing: false, before, after }
    }

    #[test]
    fn the_finding_says_what_moved() {
        let bins = [bin("a", 0.5, 0.25), bin("b", 0.5, 0.75)];
        assert!(finding("age", &bins).starts_with("25 % of the records of age"));
        assert!(finding("age", &[bin("a", 1.0, 1.0)]).starts_with("0 %"));
    }

    #[test]
    fn lines_without_a_label_are_named() {
        assert_eq!(name(&bin("", 0.0, 0.0)), "all others");
        assert_eq!(name(&Bin { missing: true, ..bin("", 0.0, 0.0) }), "missing");
        assert_eq!(name(&bin("30 - 39", 0.0, 0.0)), "30 - 39");
    }
}
