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

/// The style sheet's name for where a step stands: the same in every language.
fn class(standing: Standing) -> &'static str {
    match standing {
        Standing::Done => "done",
        Standing::Current => "current",
        Standing::Waiting => "waiting",
    }
}

fn entry(step: &Step) -> Html {
    let class = class(step.standing);
    let (mark, word) = match step.standing {
        Standing::Done => ("✓", t!(RAIL_DONE)),
        Standing::Current => ("›", t!(RAIL_NEXT)),
        Standing::Waiting => ("·", t!(RAIL_WAITING)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::{Language, Speech, speak};

    /// The style sheet knows these names and no others.
    #[test]
    fn classes_are_no_words_of_a_language() {
        let style = include_str!("../../../static/style.css");
        let files = [
            (Language::German, include_str!("../../texts/de.txt")),
            (Language::Spanish, include_str!("../../texts/es.txt")),
        ];
        for (language, file) in files {
            speak(Speech::read(language, file.to_owned()).unwrap());
            let classes = [Standing::Done, Standing::Current, Standing::Waiting].map(class);
            speak(Speech::ENGLISH);
            assert_eq!(classes, ["done", "current", "waiting"]);
            assert!(classes.iter().all(|class| style.contains(&format!(".rail .{class} "))));
        }
    }
}
