//! "Your runs": every run on this table, the number that people are hidden among against the loss of the published form.

use lookalike_model::settings::{Model, Settings};
use yew::{Callback, Html, html};

use super::{
    figure,
    scale::{Round, end_of_axis, part, share},
};
use crate::{
    format::count,
    state::{Past, whole_loss},
};

/// Part of the width that the longest loss takes: a label stands beside each dot.
const DOTS: f64 = 50.0;

/// A run that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dot {
    /// Which run it was.
    run: u32,
    /// People that each is hidden among.
    number: usize,
    /// Loss of the published form, 0 to 1.
    loss: f64,
    /// Same columns, guarantee, changes and loss as the run that is shown: only then the losses can be compared.
    comparable: bool,
    /// Its files are not kept any more.
    gone: bool,
}

/// The chart, with its table; nothing before the second run. A click on a run tells its number and the URL of its table.
pub(crate) fn runs(past: &[Past], shown: u32, table: Html, back: &Callback<(u32, String)>) -> Html {
    if past.len() < 2 {
        return html! {};
    }
    let dots = dots(past, shown);
    let finding = finding(&dots, shown);
    let end = end_of_axis(dots.iter().map(|dot| dot.loss).fold(0.0, f64::max));
    let row = |dot: &Dot| {
        let past = past.iter().find(|past| past.run == dot.run);
        row(dot, shown, end, past.filter(|past| past.returns), back)
    };
    let picture = html! {
        <>
            <ul class="runs" aria-label={finding.clone()}>{ for dots.iter().map(row) }</ul>
            <p class="axis">{ t!(RUNS_LOSS_FROM_0) }</p>
            <p class="hint">{ t!(RUNS_CLICK) }</p>
        </>
    };
    html! { <><h3>{ t!(RUNS_TITLE) }</h3>{ figure("runs", "runs-chart", &finding, picture, table) }</> }
}

fn number(model: &Model) -> usize {
    match *model {
        Model::MInvariance { m } => m,
        Model::KAnonymity { k } => k,
    }
}

/// The runs whose published form has a loss, the largest number first.
fn dots(past: &[Past], shown: u32) -> Vec<Dot> {
    let present = past.iter().find(|past| past.run == shown).map(|past| &past.results.settings);
    let dot = |past: &Past| {
        let settings = &past.results.settings;
        let same = |of: &Settings| {
            let kind = |of: &Settings| std::mem::discriminant(&of.model);
            let asked = |of: &Settings| (of.loss, of.eligibility, of.publish, of.suppress.is_some());
            (&of.quasi, &of.sensitive, &of.keep, &of.unchanged)
                == (&settings.quasi, &settings.sensitive, &settings.keep, &settings.unchanged)
                && (kind(of), asked(of)) == (kind(settings), asked(settings))
                && (&of.missing, &of.rows_are) == (&settings.missing, &settings.rows_are)
        };
        Some(Dot {
            run: past.run,
            number: number(&past.report().model),
            loss: whole_loss(past.report()).filter(|loss| loss.is_finite())?,
            comparable: present.is_none_or(|of| same(of)),
            gone: past.gone,
        })
    };
    let mut dots: Vec<Dot> = past.iter().filter_map(dot).collect();
    dots.sort_by_key(|dot| (std::cmp::Reverse(dot.number), dot.run));
    dots
}

fn row(dot: &Dot, shown: u32, end: f64, past: Option<&Past>, back: &Callback<(u32, String)>) -> Html {
    let here = dot.run == shown;
    let place = format!("{:.1}%", DOTS * part(dot.loss, end));
    let label = t!(RUNS_AMONG, k = count(dot.number), loss = share(dot.loss, Round::Near));
    let content = html! {
        <>
            <svg width={place} height="1" aria-hidden="true"></svg>
            <svg class="dot" width="13" height="13" aria-hidden="true">
                <circle class={if here { "after" } else { "before" }} cx="6.5" cy="6.5" r="5" />
            </svg>
            <span>
                { label }
                if dot.gone { <small>{ " " }{ t!(RUNS_FILES_GONE) }</small> }
                if !dot.comparable { <small>{ " " }{ t!(RUNS_OTHER_COLUMNS) }</small> }
                <span class="unseen">{ " " }{ t!(RUNS_RUN, run = dot.run) }</span>
            </span>
        </>
    };
    let run = dot.run;
    let onclick = past.filter(|_| !here).map(|past| {
        let (back, table) = (back.clone(), past.results.downloads.table.clone());
        Callback::from(move |_: yew::MouseEvent| back.emit((run, table.clone())))
    });
    html! {
        <li>
            if let Some(onclick) = onclick {
                <button type="button" class="run" data-run={run.to_string()} {onclick}>{ content }</button>
            } else {
                <div class="run" data-run={run.to_string()} aria-current={here.then_some("true")}>{ content }</div>
            }
        </li>
    }
}

/// What the runs say, in a line.
fn finding(dots: &[Dot], shown: u32) -> String {
    let comparable: Vec<&Dot> = dots.iter().filter(|dot| dot.comparable).collect();
    let best = |number: usize| {
        let of = comparable.iter().filter(|dot| dot.number == number).map(|dot| dot.loss);
        share(of.fold(f64::INFINITY, f64::min), Round::Near)
    };
    match (comparable.last(), comparable.first()) {
        (Some(few), Some(many)) if few.number < many.number => t!(
            RUNS_FROM_TO,
            few = few.number,
            least = best(few.number),
            many = many.number,
            most = best(many.number)
        ),
        (Some(least), _) if comparable.len() > 1 => {
            let best = comparable.iter().copied().min_by(|a, b| a.loss.total_cmp(&b.loss)).unwrap_or(least);
            t!(RUNS_LEAST, loss = share(best.loss, Round::Near), run = best.run)
        }
        _ => match dots.iter().find(|dot| dot.run == shown) {
            Some(dot) => t!(RUNS_NOT_COMPARABLE, k = dot.number, loss = share(dot.loss, Round::Near)),
            None => String::from(t!(RUNS_NONE_MEASURED)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(run: u32, number: usize, loss: f64) -> Dot {
        Dot { run, number, loss, comparable: true, gone: false }
    }

    #[test]
    fn the_finding_compares_the_fewest_with_the_most() {
        let dots = [dot(3, 4, 0.0355), dot(2, 3, 0.0184), dot(1, 2, 0.0072), dot(4, 2, 0.0080)];
        assert_eq!(finding(&dots, 3), "From 2 to 4, the loss goes from 0.72 % to 3.55 %");
        let same = [dot(1, 4, 0.04), dot(2, 4, 0.0355)];
        assert_eq!(finding(&same, 2), "The least loss so far is 3.55 %, of run 2");
        // What was lost of other columns says nothing of these.
        let other = [Dot { comparable: false, ..dot(1, 2, 0.001) }, dot(2, 4, 0.0355)];
        assert_eq!(
            finding(&other, 2),
            "Among 4 the table loses 3.55 %; no other run has the same columns, guarantee and loss"
        );
        assert_eq!(finding(&[], 2), "The loss of the published form cannot be measured for any run");
    }

    #[test]
    fn runs_of_a_table_become_dots() {
        use crate::state::{
            Action, Downloads, Place, reduce,
            tests::{described, finished},
        };
        let mut state = described();
        for (m, loss) in [("3", Some(0.02)), ("2", Some(0.01)), ("3", None)] {
            let form = crate::form::Form { m: m.to_owned(), ..crate::form::Form::default() };
            state = reduce(state, Action::Edit(Box::new(form)));
            let settings = state.settings().unwrap().unwrap();
            let mut finished = finished(true);
            (finished.report.model, finished.report.utility.gcp_mean) = (settings.model, loss);
            state = reduce(state, Action::Started(Place::Here, settings.into()));
            state = reduce(state, Action::Finished(Box::new(finished), Downloads::default()));
        }
        assert_eq!(dots(&state.look.past, 2), [dot(1, 3, 0.02), dot(2, 2, 0.01)]);
    }
}
