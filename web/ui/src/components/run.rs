//! A run that is under way: what stopping costs, how long nothing has changed, and two ways to end it.

use lookalike_model::{
    event::Progress,
    info::ColumnInfo,
    settings::{Loss, MissingPolicy, Repair},
};
use yew::{Callback, Html, html};

use super::{
    PageProps,
    charts::{self, Gap, Round, clock},
};
use crate::{
    format,
    state::{Place, Run, State},
    texts::words,
};

/// Seconds without news that are worth a word.
const QUIET: f64 = 5.0;

/// A run that is under way.
pub(super) fn running(props: &PageProps, run: &Run) -> Html {
    let progress = &run.progress;
    let whole = whole(&props.state, run);
    let gap = Gap { loss: &run.history, bounds: &run.bounds, now: run.now(), whole, over: false };
    let quiet = quiet(run);
    html! {
        <div id="running" tabindex="-1">
            <p class="phase">{ phase(progress) }{ ": " }<span id="elapsed">{ clock(run.now()) }</span></p>
            if !quiet.is_empty() { <p class="hint" id="quiet">{ quiet }</p> }
            <progress id="progress" aria-label={t!(SOLVE_PROGRESS)} max="1" value={progress.fraction.map(|f| f.to_string())} />
            <dl class="figures-line">
                { pair(t!(SOLVE_LOSS), "incumbent", loss(run, whole)) }
                { bound(run, whole, props.state.results.is_none()) }
            </dl>
            { ways_out(props, run) }
            { charts::gap(&gap) }
            <p class="unseen" role="status" aria-live="polite">{ spoken(run, whole) }</p>
        </div>
    }
}

/// The loss of the best table in the unit of the result, where that is known: a sum has none.
fn loss(run: &Run, whole: Option<f64>) -> String {
    let Some(loss) = run.loss() else { return String::from("-") };
    charts::of_whole(loss, whole, Round::Near).unwrap_or_else(|| String::from(t!(SOLVE_LOSS_LATER)))
}

/// The bound in the same unit; or as a share of the loss.
fn bound_told(progress: &Progress, bound: f64, whole: Option<f64>) -> Option<String> {
    charts::of_whole(bound, whole, Round::Down)
        .or_else(|| progress.incumbent.map(|loss| charts::of_loss(bound, loss)))
}

/// The loss that would be everything: one a record, where it is known how many there are before the search has ended. Of squared
/// errors it is not.
fn whole(state: &State, run: &Run) -> Option<f64> {
    let (table, settings) = (state.table.as_ref()?, &run.settings);
    let stay = matches!(settings.eligibility, Repair::Error | Repair::Add) && settings.suppress.is_none();
    if settings.loss == Loss::Sse || !stay {
        return None;
    }
    let policy = |name: &String| match settings.missing.columns.get(name) {
        Some(policy) => *policy,
        None if settings.sensitive.as_ref() == Some(name) => settings.missing.sensitive,
        None => settings.missing.quasi,
    };
    let counts = |name: &String| settings.quasi.contains(name) || settings.sensitive.as_ref() == Some(name);
    let dropped = |column: &&ColumnInfo| counts(&column.name) && policy(&column.name) == MissingPolicy::Drop;
    let mut gaps = table.columns.iter().filter(dropped).map(|column| column.missing).filter(|gaps| *gaps > 0);
    let first = gaps.next().unwrap_or(0);
    // Of two columns with gaps it is not known how many rows have both.
    gaps.next().is_none().then(|| table.rows.saturating_sub(first) as f64)
}

/// "Stop and keep the best", and "Cancel". Before there is a table there is nothing to keep: the first one is what stopping waits for.
/// On a worker there is nothing to keep, either: stopping gives the run up.
fn ways_out(props: &PageProps, run: &Run) -> Html {
    let (stopper, canceller) = (props.control.clone(), props.control.clone());
    let on_stop = Callback::from(move |_: yew::MouseEvent| stopper.stop());
    let on_cancel = Callback::from(move |_: yew::MouseEvent| canceller.cancel());
    let stop = match (run.place, run.stopping, run.loss().is_some()) {
        (Place::Here, true, false) => t!(SOLVE_STOPPING_FIRST),
        (_, true, _) => t!(SOLVE_STOPPING),
        (Place::Here, false, false) => t!(SOLVE_STOP_FIRST),
        (Place::Here, false, true) => t!(SOLVE_STOP_KEEP_BEST_SO),
        (Place::Worker, false, _) => t!(SOLVE_CANCEL_ON_WORKER),
    };
    let cancel = if run.cancelling { t!(SOLVE_CANCELLING) } else { t!(SOLVE_CANCEL) };
    html! {
        <p class="buttons">
            <button id="stop" type="button" class="primary" disabled={run.stopping || run.cancelling} onclick={on_stop}>{ stop }</button>
            if run.place == Place::Here {
                <button id="cancel" type="button" disabled={run.cancelling} onclick={on_cancel}>{ cancel }</button>
            }
        </p>
    }
}

/// What is going on, as the beginning of a sentence.
fn phase(progress: &Progress) -> String {
    if progress.phase.is_empty() {
        return String::from(t!(SOLVE_STARTING));
    }
    let term = words(&progress.phase);
    // Terms of the field stand behind what they do.
    let words = match progress.phase.id() {
        "optimize.Phase.Annealing"
        | "optimize.Phase.Blocks"
        | "optimize.Phase.SpatialBlocks"
        | "optimize.Phase.NeighbouringClasses"
        | "optimize.Phase.TwoSwapping"
        | "optimize.Phase.Neighbourhoods" => t!(PHASE_IMPROVING, term = term),
        "optimize.Phase.RaisingTheBound"
        | "optimize.Phase.Bounding"
        | "optimize.Phase.ColumnGeneration"
        | "optimize.Phase.ColumnGenerationInBlocks"
        | "optimize.Phase.Branching"
        | "optimize.Phase.Enumerating" => t!(PHASE_PROVING, term = term),
        _ => term,
    };
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Whether what is going on finds most towards its end, when it has cooled: until then nothing better may come for long.
fn is_annealing(progress: &Progress) -> bool {
    matches!(
        progress.phase.id(),
        "optimize.Phase.Annealing" | "optimize.Phase.Blocks" | "optimize.Phase.SpatialBlocks"
    )
}

/// For how long nothing has changed, once that is worth a word.
fn quiet(run: &Run) -> String {
    let since = |when: Option<f64>| when.map(|when| run.now() - when).filter(|since| *since >= QUIET);
    let better = since(run.better).map(|since| {
        if is_annealing(&run.progress) {
            t!(SOLVE_NO_BETTER_YET, time = clock(since))
        } else {
            t!(SOLVE_NO_BETTER, time = clock(since))
        }
    });
    let rose = since(run.rose).map(|since| t!(SOLVE_BOUND_DID_NOT_RISE, time = clock(since)));
    better.into_iter().chain(rose).collect::<Vec<_>>().join(" ")
}

/// The bound and the gap to it; a worker's bound is its word for it. The result that may be replaced has a gap of its own on the
/// page, if it is not `alone`.
fn bound(run: &Run, whole: Option<f64>, alone: bool) -> Html {
    let progress = &run.progress;
    let told = said(progress).and_then(|bound| bound_told(progress, bound, whole));
    let Some(told) = told else { return html! {} };
    if run.place == Place::Worker {
        return pair(t!(SOLVE_BOUND_CLAIMED), "bound", told);
    }
    html! {
        <>
            { pair(t!(SOLVE_BOUND), "bound", told) }
            if let Some(gap) = gap(progress) { { pair(t!(SOLVE_GAP), if alone { "gap" } else { "gap-now" }, gap) } }
        </>
    }
}

/// The bound, unless it says no more than that no loss is negative.
fn said(progress: &Progress) -> Option<f64> {
    progress.bound.filter(|bound| *bound > 0.0 || progress.incumbent.is_some_and(|loss| loss <= 0.0))
}

/// The gap between loss and bound.
fn gap(progress: &Progress) -> Option<String> {
    let (loss, bound) = (progress.incumbent?, said(progress)?);
    Some(format::gap(if loss > 0.0 { 100.0 * (loss - bound) / loss } else { 0.0 }))
}

fn pair(name: &str, id: &'static str, value: String) -> Html {
    html! { <div><dt>{ name }</dt><dd {id}>{ value }</dd></div> }
}

/// What is read out: it changes with the phase, and every ten seconds.
fn spoken(run: &Run, whole: Option<f64>) -> String {
    let phase = phase(&run.progress);
    match run.spoken {
        (0, ..) => phase,
        (time, loss, bound) => {
            let bound = bound.filter(|_| run.place == Place::Here);
            format!("{phase}: {}. {}", clock(f64::from(time)), charts::stopping(loss, bound, whole))
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_words::Said;

    use super::*;
    use crate::state::{Action, Work, reduce, tests::solving};

    /// A run after these reports, each followed by so many seconds.
    fn after(reports: &[(Progress, usize)]) -> Run {
        let state = reports.iter().fold(solving(), |state, (progress, ticks)| {
            let state = reduce(state, Action::Progress(progress.clone()));
            (0..*ticks).fold(state, |state, _| reduce(state, Action::Tick))
        });
        let Work::Solving(run) = state.work else { panic!("not solving") };
        *run
    }

    fn at(seconds: f64, loss: f64, bound: Option<f64>) -> Progress {
        let phase = Said::verbatim("annealing");
        Progress { phase, incumbent: Some(loss), bound, seconds, ..Progress::default() }
    }

    #[test]
    fn what_is_going_on_is_told_before_the_term_for_it() {
        let of = |id: &'static str| {
            let mut told = at(0.0, 1.0, None);
            told.phase = Said::new(id, []);
            phase(&told)
        };
        assert!(of("optimize.Phase.Annealing").starts_with("Improving the table ("));
        assert!(of("optimize.Phase.Bounding").starts_with("Proving how little must be lost ("));
        // They are phases of the engine.
        let texts = lookalike_words::TEXTS[0].1;
        let section = texts.split_once("\n[optimize.Phase]\n").unwrap().1;
        let section = section.split_once("\n[").unwrap().0;
        for name in
            ["Annealing", "Blocks", "SpatialBlocks", "NeighbouringClasses", "TwoSwapping", "Neighbourhoods"]
        {
            assert!(section.contains(&format!("{name} = ")), "{name}");
        }
    }

    #[test]
    fn a_bound_of_zero_is_none() {
        let at = |bound, loss| Progress { bound: Some(bound), incumbent: Some(loss), ..Progress::default() };
        for nothing in [at(0.0, 2.0), at(-1.0, 2.0), Progress { incumbent: None, ..at(0.0, 0.0) }] {
            assert_eq!((said(&nothing), gap(&nothing)), (None, None));
        }
        assert_eq!(said(&at(0.0, 0.0)), Some(0.0));
        assert!(gap(&at(1.0, 2.0)).unwrap().contains("50 %"));
    }

    #[test]
    fn loss_and_bound_have_one_unit_and_no_sum_is_shown() {
        let run = after(&[(at(0.0, 1300.4, Some(320.2)), 1)]);
        let bound = |whole| bound_told(&run.progress, 320.2, whole);
        assert_eq!(loss(&run, Some(30_162.0)), "4.31 %");
        assert_eq!(bound(Some(30_162.0)).unwrap(), "1.06 %");
        assert_eq!(loss(&run, None), "given with the result");
        assert_eq!(bound(None).unwrap(), "24.6 % of the loss");
        assert_eq!(loss(&after(&[(Progress::default(), 1)]), None), "-");
        assert_eq!(bound_told(&Progress::default(), 320.2, None), None);
    }

    #[test]
    fn it_is_said_for_how_long_nothing_has_changed() {
        assert_eq!(quiet(&after(&[(at(0.0, 9.0, None), 4)])), "");
        assert_eq!(quiet(&after(&[(at(0.0, 9.0, None), 27)])), "No better table for 27 s.");
        let both = after(&[(at(0.0, 9.0, Some(1.0)), 17), (at(17.0, 9.0, Some(2.0)), 10)]);
        assert_eq!(quiet(&both), "No better table for 27 s. The bound has not risen for 10 s.");
        // Before the first table nothing can be better.
        assert_eq!(quiet(&after(&[(Progress::default(), 60)])), "");
    }

    #[test]
    fn loss_and_bound_are_read_out_every_ten_seconds() {
        let early = after(&[(at(0.0, 8.0, Some(7.5)), 9)]);
        assert_eq!(spoken(&early, None), "Annealing");
        let later = after(&[(at(0.0, 8.0, Some(7.5)), 14)]);
        assert_eq!(spoken(&later, None), "Annealing: 10 s. Stopping now costs at most 6.3 % of the loss");
    }
}
