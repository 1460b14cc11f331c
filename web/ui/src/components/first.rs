//! The first screen: what the page does, what one gets, how to begin.

use lookalike_wire::page::OpenAs;
use yew::{Callback, Html, MouseEvent, html};

use super::{PageProps, bar, keeping::came_back, notice, picking, reading::reading, solve, taken::taken};
use crate::{
    platform::dom,
    state::{FailedAt, Work},
    texts::{
        Key,
        example::{EXAMPLE, Example},
        k, text,
    },
};

/// File, id, name and description of each built-in sample.
const SAMPLES: [(&str, &str, Key, Key); 3] = [
    ("hospital.csv", "sample-hospital", k::FIRST_HOSPITAL, k::OPEN_INVENTED_PATIENTS_HOSPITAL_WITH),
    ("release-1.csv", "sample-release-1", k::FIRST_QUARTER, k::OPEN_ANOTHER_HOSPITAL_FIRST_QUARTER),
    ("release-2.csv", "sample-release-2", k::FIRST_NEXT_QUARTER, k::OPEN_SAME_HOSPITAL_NEXT_QUARTER),
];

/// The first screen.
pub(crate) fn first(props: &PageProps) -> Html {
    let state = &*props.state;
    html! {
        <div class="first">
            <section aria-labelledby="open">
                { notice::failure(state, FailedAt::Opening) }
                { came_back(props) }
                if state.failure.is_some() { { taken(props) } }
                { picking::picking(props) }
                <h1 id="open" tabindex="-1">{ t!(APP_PUBLISH_TABLES_ABOUT_PEOPLE) }</h1>
                <p class="lead">{ t!(APP_LOOKALIKE_MAKES_TABLE_COARSE) }</p>
                <p class="begin">
                    { bar::file(props, t!(FIRST_CHOOSE), "button primary") }
                    <span class="quiet">{ t!(FIRST_OR_DROP) }</span>
                </p>
                if let Work::Opening(source) = &state.work {
                    { reading(props, source) }
                }
                <p class="hint">{ t!(OPEN_HEADER_ROW_THEN_ONE) }</p>
                <h2>{ t!(OPEN_OR_TRY_WITH_TABLE) }</h2>
                { samples(props) }
                { paste(props) }
                <details id="nothing-leaves" class="more">
                    <summary>{ t!(FIRST_IN_THIS_TAB) }</summary>
                    <p class="hint">{ t!(OPEN_NOTHING_LEAVES_PAGE_CHECK) }</p>
                </details>
                { solve::threads(state) }
            </section>
            { example() }
        </div>
    }
}

fn samples(props: &PageProps) -> Html {
    let busy = props.state.is_busy();
    let sample = |(file, id, name, what): (&'static str, &'static str, Key, Key)| {
        let control = props.control.clone();
        let onclick = Callback::from(move |_: MouseEvent| control.open_sample(file));
        html! {
            <button {id} type="button" class="card" disabled={busy} {onclick}>
                <strong>{ text(name) }</strong><span class="hint">{ text(what) }</span>
            </button>
        }
    };
    html! { <div class="cards">{ for SAMPLES.into_iter().map(sample) }</div> }
}

fn paste(props: &PageProps) -> Html {
    let control = props.control.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        control.take_text(OpenAs::Table, &dom::value_by_id("paste-text"));
    });
    html! {
        <details class="paste more">
            <summary>{ t!(OPEN_OR_PASTE_TEXT) }</summary>
            <label for="paste-text">{ t!(OPEN_CELLS_COPIED_FROM_SPREADSHEET) }</label>
            <textarea id="paste-text" rows="6" spellcheck="false" autocomplete="off" />
            <button id="paste-open" type="button" disabled={props.state.is_busy()} {onclick}>{ t!(OPEN_OPEN_PASTED_TEXT) }</button>
        </details>
    }
}

/// Eight rows before and after; the second one and its lookalikes are marked.
fn example() -> Html {
    let row = |(at, person): (usize, &Example)| {
        let [name, age, postcode, diagnosis] = person.before;
        let class = match at {
            1 => "one",
            0..4 => "alike",
            _ => "",
        };
        html! {
            <tr {class}>
                <td class="old">{ name }</td><td class="old number">{ age }</td>
                <td class="after number">{ person.age }</td><td class="after">{ postcode }</td><td class="after">{ diagnosis }</td>
            </tr>
        }
    };
    html! {
        <figure class="example">
            <figcaption>{ t!(FIRST_EXAMPLE) }</figcaption>
            <div class="frame" tabindex="0" role="region" aria-label={t!(FIRST_EXAMPLE)}><table class="dense">
                <thead>
                    <tr>
                        <th scope="colgroup" colspan="2">{ t!(RISK_BEFORE) }</th><th scope="colgroup" colspan="3">{ t!(RISK_AFTER) }</th>
                    </tr>
                    <tr>
                        <th scope="col">{ t!(FIRST_NAME) }</th><th scope="col" class="number">{ t!(FIRST_AGE) }</th>
                        <th scope="col" class="number">{ t!(FIRST_AGE) }</th><th scope="col">{ t!(FIRST_POSTCODE) }</th><th scope="col">{ t!(FIRST_DIAGNOSIS) }</th>
                    </tr>
                </thead>
                <tbody>{ for EXAMPLE.iter().enumerate().map(row) }</tbody>
            </table></div>
            <p class="hint">{ t!(FIRST_EXAMPLE_TELLS) }</p>
        </figure>
    }
}
