//! What is seen, one file each. What has no state of its own is a plain function, not a component: a component costs the
//! page 2 kB, and its memory of properties is of no use where everything hangs on one state.

mod bulk;
mod changes;
mod charts;
mod check;
mod column;
mod configuration;
mod describe;
mod eligibility;
mod field;
mod fields;
mod figures;
mod language;
mod look;
mod memory;
pub(crate) mod notice;
mod open;
mod output;
mod protect;
mod rail;
mod repair;
mod rows;
mod run;
mod save;
mod search;
mod series;
mod sizes;
mod solve;
mod strip;
mod taken;
mod verdict;
mod weights;
mod workbook;

pub use open::Open;

pub(crate) use check::check;
pub(crate) use describe::describe;
pub(crate) use language::language;
pub(crate) use look::look;
pub(crate) use notice::engine as engine_notice;
pub(crate) use protect::protect;
pub(crate) use rail::rail;
pub(crate) use save::save;
pub(crate) use solve::solve;
pub(crate) use strip::strip;

use yew::{Html, Properties, UseReducerHandle, html};

use crate::{control::Control, state::State};

/// What every step gets.
#[derive(Clone, PartialEq, Properties)]
pub struct PageProps {
    /// Everything the page knows, and the way to tell it what happened.
    pub state: UseReducerHandle<State>,
    /// What can be asked for.
    pub control: Control,
}

/// A step: its heading, and either its content or what it waits for.
fn step(number: u8, id: &'static str, title: &str, content: Html) -> Html {
    html! {
        <section class="step" aria-labelledby={id}>
            <h2 id={id} tabindex="-1"><span class="step-number">{ number }</span>{ title }</h2>
            { content }
        </section>
    }
}

/// A step that waits for another.
fn waiting(what: &str) -> Html {
    html! { <p class="quiet">{ what }</p> }
}
