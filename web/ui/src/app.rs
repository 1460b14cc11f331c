//! The page as a whole.

use yew::{Callback, Html, function_component, html, use_effect_with, use_memo, use_reducer};

use crate::{
    components::{
        Open, PageProps, check, describe, engine_notice, language, look, notice, protect, rail, save, solve,
        strip,
    },
    control::Control,
    platform::{
        clipboard::{OnPaste, Pasted},
        dom,
        leaving::{AskFirst, Dragged, OnDrag},
        requests::Watch,
        route::Route,
        timer::EverySecond,
    },
    state::{Action, CheckAction, FailedAt, State},
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
        use_effect_with(state.is_busy(), move |busy| {
            let paste = (!busy).then(|| {
                OnPaste::new(move |pasted| match pasted {
                    Pasted::File(file) => control.open(file),
                    Pasted::Text(text) => control.open_text(&text),
                })
            });
            move || drop(paste)
        });
    }
    use_effect_with(state.at_stake().is_some(), |stake| {
        let ask = stake.then(AskFirst::begin);
        move || drop(ask)
    });
    {
        let (control, dispatcher) = (control.clone(), state.dispatcher());
        use_effect_with(state.is_busy(), move |busy| {
            let busy = *busy;
            let drag = OnDrag::new(move |dragged| {
                dispatcher.dispatch(Action::DraggedOver(matches!(dragged, Dragged::Over) && !busy));
                if let Dragged::Dropped(file) = dragged
                    && !busy
                {
                    control.open(file);
                }
            });
            move || drop(drag)
        });
    }
    // What scrolls has the focus from the start, so that the keyboard scrolls it.
    use_effect_with((), |()| dom::focus("scroll"));
    use_effect_with(state.attention, |attention| {
        if attention.serial > 0 {
            dom::focus(attention.id);
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
        use_effect_with(state.rows_question(), move |question| {
            if let Some((_, from)) = question {
                control.rows(*from);
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
            if let Some((_, quasi)) = question {
                control.risk(quasi.clone());
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
    let page = PageProps { state: state.clone(), control: (*control).clone() };
    html! {
        <>
            <a class="skip" href={if state.check.shown { "#check" } else { "#open" }}>{ t!(APP_SKIP_WORK) }</a>
            <div id="scroll" class="scroll" tabindex="-1"><div class="layout">
                { rail(&state) }
                <main>
                    <header>
                        { language(&page) }
                        { notice::failure(&state, FailedAt::Speaking) }
                        <h1>{ t!(APP_PUBLISH_TABLES_ABOUT_PEOPLE) }</h1>
                        <p>
                            { t!(APP_LOOKALIKE_MAKES_TABLE_COARSE) }
                        </p>
                    </header>
                    if state.check.shown {
                        { check(&page) }
                    } else {
                        <Open ..page.clone() />
                        { describe(&page) }
                        { protect(&page) }
                        { solve(&page) }
                        { look(&page) }
                        { save(&page) }
                    }
                </main>
            </div></div>
            { engine_notice(&page) }
            if state.dragged_over { <p id="drop-here" class="drop-here">{ t!(OPEN_DROP_ANYWHERE) }</p> }
            { strip(&state) }
        </>
    }
}
