//! How a column's values are spread in the open table: a small picture in its row, the figures where more of it is shown.

use lookalike_model::info::{Bar, ColumnInfo};
use yew::{Html, html};

use crate::format::count;

/// Width and height of the picture for each bar, in its own units.
const WIDTH: usize = 10;
const HEIGHT: f64 = 30.0;

/// The picture; nothing for a column without bars.
pub(crate) fn picture(info: &ColumnInfo) -> Html {
    let Some(most) = info.bars.iter().map(|bar| bar.count).max().filter(|most| *most > 0) else {
        return html! {};
    };
    let rect = |(at, bar): (usize, &Bar)| {
        let height = HEIGHT * bar.count as f64 / most as f64;
        html! {
            <rect class={if bar.label.is_empty() { "others" } else { "before" }} x={(at * WIDTH).to_string()}
                y={(HEIGHT - height).to_string()} width={(WIDTH - 2).to_string()} height={height.to_string()} />
        }
    };
    html! {
        <svg class="histogram" viewBox={format!("0 0 {} {HEIGHT}", WIDTH * info.bars.len())} preserveAspectRatio="none"
            role="img" aria-label={told(info)} data-bars={info.bars.len().to_string()}>
            { for info.bars.iter().enumerate().map(rect) }
        </svg>
    }
}

/// What the picture shows, in words.
fn told(info: &ColumnInfo) -> String {
    let tallest = info.bars.iter().filter(|bar| !bar.label.is_empty()).max_by_key(|bar| bar.count);
    tallest.map_or_else(String::new, |bar| {
        n!(HISTOGRAM_TOLD, bar.count, name = info.name, label = bar.label, bars = info.bars.len())
    })
}

/// The same as a table.
pub(super) fn table(info: &ColumnInfo) -> Html {
    let Some(most) = info.bars.iter().map(|bar| bar.count).max().filter(|most| *most > 0) else {
        return html! {};
    };
    html! {
        <details class="more">
            <summary>{ t!(HISTOGRAM_VALUES) }</summary>
            <table class="sizes histogram-table">
                <caption class="unseen">{ t!(HISTOGRAM_VALUES) }</caption>
                <thead>
                    <tr>
                        <th scope="col">{ t!(SPREAD_VALUE) }</th>
                        <th scope="col" class="number">{ t!(HISTOGRAM_ROWS) }</th>
                        <th scope="col"><span class="unseen">{ t!(SIZE_SHARE) }</span></th>
                    </tr>
                </thead>
                <tbody>
                    { for info.bars.iter().filter(|bar| bar.count > 0).map(|bar| html! {
                        <tr>
                            <th scope="row">{ if bar.label.is_empty() { t!(SPREAD_ALL_OTHERS) } else { &bar.label } }</th>
                            <td class="number">{ count(bar.count) }</td>
                            <td class="bar">
                                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                                    <rect class="before" width={(100.0 * bar.count as f64 / most as f64).to_string()} height="10" />
                                </svg>
                            </td>
                        </tr>
                    }) }
                </tbody>
            </table>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::table;

    #[test]
    fn the_tallest_bar_is_told() {
        let mut info = table().columns[0].clone();
        assert_eq!(told(&info), "");
        let bar = |label: &str, count| Bar { label: label.to_owned(), count };
        info.bars = vec![bar("20 - 29", 2), bar("30 - 39", 1500), bar("", 2000)];
        assert_eq!(told(&info), "age: 3 bars; the tallest is 30 - 39 with 1,500 rows");
    }
}
