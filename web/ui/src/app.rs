//! The page as a whole.

use lookalike_wire::{check::CheckedTable, page::OpenAs};
use yew::{
    Callback, Html, function_component, html, use_effect, use_effect_with, use_memo, use_mut_ref, use_reducer,
};

use crate::{
    components::{
        PageProps, asks, bar, check, column_sheet, decision, describe, engine_notice, expert, first, middle,
        notice, strip,
    },
    control::Control,
    keyboard,
    platform::{
        clipboard::{OnPaste, Pasted},
        dom,
        keys::OnKey,
        leaving::{AskFirst, Dragged, OnDrag},
        requests::Watch,
        route::Route,
        timer::EverySecond,
    },
    state::{Action, CheckAction, FailedAt, State, TableQuestion, ViewAction, Waits, Work},
    texts,
};

/// The page as a whole: one reducer, one engine.
#[function_component]
pub fn App() -> Html {
    let state = use_reducer(|| State { language: texts::language(), ..State::default() });
    let control = {
        let dispatcher = state.dispatcher();
        use_memo((), move |()| Control::new(Callback::from(move |action| dispatcher.dispatch(action))))
    };
    {
        let dispatcher = state.dispatcher();
        use_effect_with(state.is_busy(), move |busy| {
            let watchdog = busy.then(|| EverySecond::new(move || dispatcher.dispatch(Action::Tick)));
            move || drop(watchdog)
        });
    }
    {
        let dispatcher = state.dispatcher();
        use_effect_with((), move |()| {
            let show = move |hash: String| {
                dispatcher.dispatch(Action::Check(CheckAction::Show(hash == "#check")));
            };
            let route = Route::watch(show);
            move || drop(route)
        });
    }
    {
        let dispatcher = state.dispatcher();
        use_effect_with((), move |()| {
            let watch = Watch::begin(move |fetched| dispatcher.dispatch(Action::Fetched(fetched)));
            move || drop(watch)
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.takes(), move |takes| {
            let paste = takes.map(|open_as| {
                OnPaste::new(move |pasted| match pasted {
                    Pasted::File(file) => control.take(open_as, file),
                    Pasted::Text(text) => control.take_text(open_as, &text),
                })
            });
            move || drop(paste)
        });
    }
    {
        let dispatcher = state.dispatcher();
        use_effect_with(state.at_stake().is_some(), move |stake| {
            let stayed = Callback::from(move |()| {
                dispatcher.dispatch(Action::View(ViewAction::Asks(Waits::Leaving, dom::focused_id())));
            });
            let ask = stake.then(|| AskFirst::begin(stayed));
            move || drop(ask)
        });
    }
    {
        let (control, dispatcher) = (control.clone(), state.dispatcher());
        use_effect_with(state.takes(), move |takes| {
            let takes = *takes;
            let drag = OnDrag::new(move |dragged| {
                dispatcher.dispatch(Action::DraggedOver(matches!(dragged, Dragged::Over) && takes.is_some()));
                if let (Dragged::Dropped(file), Some(open_as)) = (dragged, takes) {
                    control.take(open_as, file);
                }
            });
            move || drop(drag)
        });
    }
    use_effect_with(state.attention.clone(), |attention| {
        if attention.serial > 0 {
            dom::focus(&attention.id);
        }
    });
    {
        let control = control.clone();
        use_effect_with(state.describe_question(), move |question| {
            if let Some(question) = question {
                control.describe(question.cells.clone());
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.to_remember(), move |memory| {
            if let Some((settings, identifiers, table)) = memory {
                control.memorise(settings.clone(), identifiers.clone(), *table);
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.to_keep(), move |kept| {
            if let Some(kept) = kept {
                control.keep_this(kept.clone());
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.table_question(), move |question| {
            if let Some(TableQuestion { from, by, only, count, .. }) = question {
                control.table_window(OpenAs::Table, (*from, *count), by.clone(), *only);
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.check.rows_question(), move |question| {
            if let Some(TableQuestion { from, by, only, count, .. }) = question {
                let published = OpenAs::Check(CheckedTable::Published);
                control.table_window(published, (*from, *count), by.clone(), *only);
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.rows_question(), move |question| {
            if let Some((_, from, order)) = question {
                control.rows(*from, *order);
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.class_question(), move |question| {
            if let Some((_, class)) = question {
                control.class(class.clone());
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.spread_question(), move |question| {
            if let Some((_, column)) = question {
                control.spread(column.clone());
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.risk_question(), move |question| {
            if let Some((_, by, threshold)) = question {
                control.risk(by.clone(), *threshold);
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.survey_question(), move |question| {
            if let Some(question) = question {
                control.survey(question);
            }
        });
    }
    {
        let control = control.clone();
        use_effect_with(state.at_stake(), move |stake| control.guard(*stake));
    }
    {
        let (state, control) = (state.clone(), control.clone());
        use_effect(move || {
            let keys = OnKey::new(move |key| keyboard::pressed(&state, &control, key));
            move || drop(keys)
        });
    }
    {
        let (control, asked) = (control.clone(), use_mut_ref(|| None));
        let waiting = state.estimate.is_waiting();
        use_effect_with(state.estimate_question(), move |question| {
            let mut asked = asked.borrow_mut();
            if question.is_none() && waiting {
                // What has ended the search for them leaves them open.
                *asked = None;
            } else if question.is_some() && *asked != *question {
                asked.clone_from(question);
                if let Some((_, settings, numbers)) = question {
                    control.estimate((**settings).clone(), numbers.clone());
                }
            }
        });
    }
    {
        let control = control.clone();
        let lost = state.estimate.trying.is_some() && state.estimate_question().is_none();
        use_effect_with((state.offer_question(), lost), move |(question, lost)| {
            if *lost {
                control.give_up_offer();
            } else if let Some((offered, settings)) = question {
                control.try_offer(*offered, (**settings).clone());
            }
        });
    }
    let page = PageProps { state: state.clone(), control: (*control).clone() };
    html! {
        <>
            <a class="skip" inert={state.view.asks.is_some()} href={skip(&state)}>{ t!(APP_SKIP_WORK) }</a>
            { bar(&page) }
            { notice::failure(&state, FailedAt::Speaking) }
            { content(&page) }
            { engine_notice(&page) }
            { asks(&page) }
            if state.dragged_over { <p id="drop-here" class="drop-here">{ t!(OPEN_DROP_ANYWHERE) }</p> }
            { strip(&state) }
        </>
    }
}

/// Where the work begins.
fn skip(state: &State) -> &'static str {
    match () {
        () if state.check.shown => "#check",
        () if state.results.is_some() => "#verdict",
        () if state.table.is_some() => "#describe",
        () => "#open",
    }
}

fn content(page: &PageProps) -> Html {
    let state = &*page.state;
    let inert = state.view.asks.is_some();
    if state.check.shown {
        return check(page);
    }
    if state.table.is_none() {
        return html! { <main id="scroll" {inert} class="scroll">{ first(page) }</main> };
    }
    // What is being made, or was, comes first where there is little room.
    let done = state.results.is_some() || matches!(state.work, Work::Solving(_));
    html! {
        <main id="scroll" {inert} class={if done { "scroll work done" } else { "scroll work" }}>
            { describe(page) }
            { middle(page) }
            { decision(page) }
            { expert(page) }
            { column_sheet(page) }
        </main>
    }
}
