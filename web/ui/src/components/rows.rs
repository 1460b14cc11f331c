//! Rows of a table, dense, in a frame that scrolls.

use yew::{AttrValue, Html, Properties, function_component, html};

/// What is shown.
#[derive(PartialEq, Properties)]
pub struct Props {
    /// Id of the table.
    pub id: &'static str,
    /// What the table is, for everybody.
    pub caption: AttrValue,
    /// Names of the columns.
    pub header: Vec<String>,
    /// Cells, row by row.
    pub rows: Vec<Vec<String>>,
}

/// Rows of a table.
#[function_component]
pub fn Rows(props: &Props) -> Html {
    // A column whose cells are numbers, ranges or missing is set to the right.
    let numeric: Vec<bool> = (0..props.header.len())
        .map(|i| props.rows.iter().filter_map(|row| row.get(i)).all(|cell| is_numeric(cell)))
        .collect();
    let class = |i: usize| numeric.get(i).copied().unwrap_or_default().then_some("number");
    html! {
        <div class="frame" tabindex="0" role="region" aria-label={props.caption.clone()}>
            <table id={props.id} class="dense">
                <caption>{ &props.caption }</caption>
                <thead>
                    <tr>
                        { for props.header.iter().enumerate().map(|(i, name)| html! {
                            <th scope="col" class={class(i)}>{ name }</th>
                        }) }
                    </tr>
                </thead>
                <tbody>
                    { for props.rows.iter().map(|row| html! {
                        <tr>
                            { for row.iter().enumerate().map(|(i, cell)| html! { <td class={class(i)}>{ cell }</td> }) }
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
