//! The rail: six steps and where each stands.

use yew::{Html, html};

use crate::{
    state::State,
    steps::{Standing, Step, steps},
};

/// The rail: six steps and where each stands.
pub(crate) fn rail(state: &State) -> Html {
    html! {
        <nav class="rail" aria-label={t!(RAIL_STEPS)}>
            <p class="brand">{ "Lookalike" }</p>
            <ol>{ for steps(state).iter().map(entry) }</ol>
            <p class="aside">
                <a href="#check" aria-current={state.check.shown.then_some("page")}>{ t!(RAIL_CHECK_PUBLISHED_TABLE) }</a>
            </p>
        </nav>
    }
}

fn entry(step: &Step) -> Html {
    let (class, mark, word) = match step.standing {
        Standing::Done => (t!(RAIL_DONE), "✓", t!(RAIL_DONE)),
        Standing::Current => ("current", "›", t!(RAIL_NEXT)),
        Standing::Waiting => (t!(RAIL_WAITING), "·", t!(RAIL_WAITING)),
    };
    let current = (step.standing == Standing::Current).then_some("step");
    html! {
        <li {class} data-step={step.id}>
            <a href={format!("#{}", step.id)} aria-current={current}>
                <span class="mark" aria-hidden="true">{ mark }</span>
                <span class="title">{ step.title }<span class="unseen">{ format!(", {word}") }</span></span>
                // "m = 5" stays together.
                <span class="note">{ step.note.replace(" = ", "\u{a0}=\u{a0}") }</span>
            </a>
        </li>
    }
}
