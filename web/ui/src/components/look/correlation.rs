//! How columns of numbers go together before and after.

use lookalike_model::comparison::Correlation;
use yew::{Html, html};

use crate::format::number;

/// Pairs that are shown: those that changed most.
const SHOWN: usize = 15;

/// The pairs, the largest change first; nothing where no two columns hold numbers.
pub(super) fn correlation(all: &[Correlation]) -> Html {
    if all.is_empty() {
        return html! {};
    }
    let mut sorted: Vec<&Correlation> = all.iter().collect();
    sorted.sort_by(|a, b| change(b).total_cmp(&change(a)));
    sorted.truncate(SHOWN);
    html! {
        <>
            <p id="correlation-finding">{ finding(all) }</p>
            <div class="frame" tabindex="0" role="region" aria-label={t!(CORRELATION_TABLE)}>
                <table id="correlations" class="checks">
                    <caption class="unseen">{ t!(CORRELATION_TABLE) }</caption>
                    <thead>
                        <tr>
                            <th scope="col">{ t!(CORRELATION_COLUMNS) }</th>
                            <th scope="col" class="number">{ t!(SPREAD_BEFORE) }</th>
                            <th scope="col" class="number">{ t!(SPREAD_AFTER) }</th>
                            <th scope="col" class="number">{ t!(CORRELATION_CHANGE) }</th>
                        </tr>
                    </thead>
                    <tbody>
                        { for sorted.into_iter().map(|pair| html! {
                            <tr>
                                <th scope="row">{ format!("{} - {}", pair.one, pair.other) }</th>
                                <td class="number">{ number(pair.before) }</td>
                                <td class="number">{ after(pair) }</td>
                                <td class="number">{ number(change(pair)) }</td>
                            </tr>
                        }) }
                    </tbody>
                </table>
            </div>
        </>
    }
}

/// What is the same everywhere goes together with nothing.
fn change(pair: &Correlation) -> f64 {
    (pair.after.unwrap_or_default() - pair.before).abs()
}

fn after(pair: &Correlation) -> String {
    pair.after.map_or_else(|| String::from(t!(CORRELATION_NONE)), number)
}

fn finding(all: &[Correlation]) -> String {
    let mean = all.iter().map(change).sum::<f64>() / all.len().max(1) as f64;
    let most = all.iter().max_by(|a, b| change(a).total_cmp(&change(b)));
    most.map_or_else(String::new, |most| {
        t!(
            CORRELATION_FINDING,
            mean = number(mean),
            one = most.one,
            other = most.other,
            before = number(most.before),
            after = after(most)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_change_and_the_largest_are_told() {
        let pair = |one: &str, other: &str, before, after| Correlation {
            one: one.to_owned(),
            other: other.to_owned(),
            before,
            after,
        };
        let all = [pair("age", "nights", 0.5, Some(0.4)), pair("age", "height", -0.3, None)];
        let expected =
            "Correlations changed by 0.2 on average, most between age and height: -0.3 before, none after.";
        assert_eq!(finding(&all), expected);
        assert_eq!(finding(&[]), "");
    }
}
