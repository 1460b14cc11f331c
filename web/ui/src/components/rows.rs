//! Rows of a table, dense, in a frame that scrolls.

use yew::{Html, html};

/// A table with this id: a caption that says what it is, names of columns, their cells row by row.
pub(super) fn rows<'a>(
    id: &'static str,
    caption: &'static str,
    header: impl Iterator<Item = &'a str>,
    rows: &'a [Vec<String>],
) -> Html {
    let header: Vec<&str> = header.collect();
    // A column whose cells are numbers, ranges or missing is set to the right.
    let numeric: Vec<bool> = (0..header.len())
        .map(|i| rows.iter().filter_map(|row| row.get(i)).all(|cell| is_numeric(cell)))
        .collect();
    let class = |i: usize| numeric.get(i).copied().unwrap_or_default().then_some("number");
    html! {
        <div class="frame" tabindex="0" role="region" aria-label={caption}>
            <table {id} class="dense">
                <caption>{ caption }</caption>
                <thead>
                    <tr>
                        { for header.iter().enumerate().map(|(i, name)| html! {
                            <th scope="col" class={class(i)}>{ *name }</th>
                        }) }
                    </tr>
                </thead>
                <tbody>
                    { for rows.iter().map(|row| html! {
                        <tr>
                            { for row.iter().take(header.len()).enumerate().map(|(i, cell)| html! { <td class={class(i)}>{ cell }</td> }) }
                        </tr>
                    }) }
                </tbody>
            </table>
        </div>
    }
}

fn is_numeric(cell: &str) -> bool {
    cell.chars().all(|c| c.is_ascii_digit() || "+-.[], eE?".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_stand_to_the_right() {
        assert!(["1", "-2.5", "[18-20]", "", "?", "1e5"].into_iter().all(is_numeric));
        assert!(!["flu", "{a, b}", "12 Main St"].into_iter().any(is_numeric));
    }
}
