//! The strip at the bottom: what is loaded, the guarantee, the verdict, and what leaves the page.

use yew::{Html, html};

use crate::{
    form::guarantee,
    format::{bytes, moment},
    state::{State, Work},
};

/// The strip at the bottom.
pub(crate) fn strip(state: &State) -> Html {
    let (verdict, class) = verdict(state);
    html! {
        <footer class="strip">
            <dl>
                <div><dt>{ t!(STRIP_LOADED) }</dt><dd id="strip-loaded">{ loaded(state) }</dd></div>
                <div><dt>{ t!(STRIP_GUARANTEE) }</dt><dd id="strip-guarantee">{ chosen(state) }</dd></div>
                <div><dt>{ t!(STRIP_VERDICT) }</dt><dd id="strip-verdict" {class}>{ verdict }</dd></div>
                <div><dt>{ t!(STRIP_NETWORK) }</dt><dd id="strip-network">{ network(state) }</dd></div>
            </dl>
        </footer>
    }
}

fn loaded(state: &State) -> String {
    match (&state.source, &state.table) {
        (Some(source), Some(table)) => format!("{}, {}", source.name, n!(N_ROW, table.rows)),
        _ => String::from(t!(STRIP_NOTHING)),
    }
}

fn chosen(state: &State) -> String {
    match state.settings() {
        Some(Ok(settings)) => guarantee(&settings.model),
        Some(Err(_)) => String::from(t!(STRIP_NOT_COMPLETE)),
        None => String::from(t!(STRIP_NONE_YET)),
    }
}

fn verdict(state: &State) -> (&'static str, Option<&'static str>) {
    match &state.results {
        _ if matches!(state.work, Work::Solving(_)) => (t!(STRIP_BEING_MADE), None),
        None => (t!(STRIP_NONE_YET), None),
        Some(_) if !state.results_are_current() => (t!(STRIP_OTHER_SETTINGS), Some("amber")),
        Some(results) if results.finished.report.audit.passed => (t!(STRIP_AUDIT_PASSED), Some("good")),
        Some(_) => (t!(STRIP_AUDIT_FAILED), Some("brick")),
    }
}

/// What was sent once is not taken back: from then on the strip says so, whatever became of the run.
fn network(state: &State) -> String {
    match (&state.worker, &state.work, state.sent.last()) {
        (_, Work::Solving(run), Some(last)) if run.sent => t!(STRIP_NUMBERS_WITH, name = last.to),
        (_, _, Some(last)) => {
            let size = bytes(state.sent.iter().map(|sent| sent.bytes as f64).sum());
            n!(STRIP_SENT, state.sent.len(), name = last.to, size = size, at = moment(&last.at))
        }
        (None, _, None) => String::from(t!(STRIP_NOTHING_LEAVES_PAGE)),
        (Some(worker), _, None) => t!(STRIP_NOTHING_LEAVES_PAGE_WORKER, name = worker.name()),
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::sent::Sent;

    use super::*;
    use crate::state::{
        Action, Downloads, Place, Worker, reduce,
        tests::{described, finished, solved, solving},
    };

    #[test]
    fn always_what_is_the_case() {
        let nothing = State::default();
        assert_eq!((loaded(&nothing), chosen(&nothing)), ("nothing".into(), "none yet".into()));
        let state = described();
        assert_eq!(loaded(&state), "a.csv, 10 rows");
        assert_eq!(chosen(&state), "m-invariance, m = 3");
        assert_eq!(verdict(&state).0, "none yet");
        assert_eq!(verdict(&solving()).0, "being made");
        assert_eq!(verdict(&solved()).0, "✓ audit passed");
        let failed = reduce(solving(), Action::Finished(Box::new(finished(false)), Downloads::default()));
        assert_eq!(verdict(&failed).0, "✗ audit failed");
        let changed = reduce(
            solved(),
            Action::Edit(Box::new(crate::form::Form {
                m: String::from("2"),
                ..crate::form::Form::default()
            })),
        );
        assert_eq!(verdict(&changed).0, "of other settings");
    }

    #[test]
    fn the_worker_is_named() {
        assert_eq!(network(&described()), "nothing leaves this page");
        let offered =
            |origin: &str| Action::WorkerOffered(Worker { origin: origin.to_owned(), wants_token: false });
        let state = reduce(described(), offered("http://w"));
        assert_eq!(network(&state), "nothing leaves this page; worker offered: http://w");
        let settings = state.settings().unwrap().unwrap();
        let state = reduce(state, Action::Started(Place::Worker, settings.into()));
        assert_eq!(
            network(&state),
            "nothing leaves this page; worker offered: http://w",
            "the numbers are not made yet"
        );
        let state = reduce(state, sent("http://w", 100_822));
        assert_eq!(network(&state), "numbers are with http://w");
        let state = reduce(described(), offered(""));
        assert_eq!(network(&state), "nothing leaves this page; worker offered: this server");
    }

    fn sent(to: &str, bytes: u64) -> Action {
        Action::Sent(Sent::one(to.to_owned(), String::from("2026-05-01T14:03:22Z"), bytes))
    }

    /// A run on the worker at `http://w`, whose numbers went out.
    fn at_the_worker() -> State {
        let worker = Worker { origin: String::from("http://w"), wants_token: false };
        let state = reduce(described(), Action::WorkerOffered(worker));
        let settings = state.settings().unwrap().unwrap();
        let state = reduce(state, Action::Started(Place::Worker, settings.into()));
        reduce(state, sent("http://w", 100_822))
    }

    #[test]
    fn what_was_sent_stays_said() {
        let told = "numbers went out to http://w: 101 kB, 2026-05-01 14:03:22 UTC";
        let done = Action::Finished(Box::new(finished(true)), Downloads::default());
        for end in [done, Action::Failed("lost".into()), Action::Abandoned] {
            let state = reduce(at_the_worker(), end);
            assert_eq!(network(&state), told);
            // A run in the page changes nothing of that, and neither does another table.
            let settings = state.settings().unwrap().unwrap();
            let state = reduce(state, Action::Started(Place::Here, settings.into()));
            assert_eq!(network(&state), told);
            let state = reduce(state, Action::Opening(crate::state::Source::default()));
            let state = reduce(state, Action::Opened(crate::state::tests::table()));
            assert_eq!(network(&state), told);
        }
        let twice = reduce(at_the_worker(), Action::Failed("lost".into()));
        let settings = twice.settings().unwrap().unwrap();
        let twice = reduce(twice, Action::Started(Place::Worker, settings.into()));
        let twice = reduce(reduce(twice, sent("http://w", 1000)), Action::Abandoned);
        assert_eq!(
            network(&twice),
            "numbers went out to http://w 2 times: 102 kB in all, last 2026-05-01 14:03:22 UTC"
        );
    }
}
