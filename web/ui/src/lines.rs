//! The lines of the strip: what is open, what is asked for, what came out, and what was sent. Each is true in every state of the page.

use lookalike_model::{
    finding::{Guess, Hidden, surest},
    settings::{Model, Settings},
};

use crate::{
    form::CheckForm,
    format::{bytes, list, time},
    state::{CheckState, State, Work},
};

/// How a line is to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As any other.
    Plain,
    /// All is well.
    Good,
    /// Something is to be done.
    Amber,
    /// Something failed.
    Brick,
}

/// File and rows.
#[must_use]
pub fn loaded(state: &State) -> String {
    if state.check.shown {
        let published = &state.check.published;
        return match (&published.attempt, published.read()) {
            (Some(attempt), Some(table)) => format!("{}, {}", attempt.source.name, n!(N_ROW, table.rows)),
            _ => String::from(t!(STRIP_NOTHING)),
        };
    }
    match (&state.source, &state.table) {
        (Some(source), Some(table)) => format!("{}, {}", source.name, n!(N_ROW, table.rows)),
        _ => String::from(t!(STRIP_NOTHING)),
    }
}

/// What is asked for, in words.
#[must_use]
pub fn guarantee(state: &State) -> String {
    if state.check.shown {
        return asked(&state.check);
    }
    match state.settings() {
        Some(Ok(settings)) => {
            let reached = reached(state);
            let text = protection(&settings, reached, secrecy(state));
            // Without a table it is what is asked for, not what there is.
            if reached.is_some() { text } else { t!(STRIP_ASKED, what = uncapitalised(&text)) }
        }
        Some(Err(_)) => String::from(t!(STRIP_NOT_COMPLETE)),
        None => String::from(t!(STRIP_NOT_CHOSEN)),
    }
}

/// What is asked of a published table, by the numbers of its fields.
fn asked(check: &CheckState) -> String {
    let CheckForm { k, m, l, t, conditions, sets, .. } = &check.form;
    let fields = [("k", k), ("m", m), ("l", l), ("t", t)];
    let asked =
        fields.into_iter().map(|(name, text)| (name, text.trim())).filter(|(_, text)| !text.is_empty());
    let mut asked: Vec<String> = asked.map(|(name, text)| format!("{name} = {text}")).collect();
    let beside = [(!conditions.is_empty(), t!(STRIP_CONDITIONS)), (!sets.trim().is_empty(), t!(STRIP_SETS))];
    asked.extend(beside.into_iter().filter(|(asked, _)| *asked).map(|(_, text)| text.to_owned()));
    if check.published.read().is_none() || asked.is_empty() {
        return String::from(t!(STRIP_NOT_CHOSEN));
    }
    t!(STRIP_ASKED, what = asked.join(", "))
}

fn uncapitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Among how many people the result of these settings hides a person, where there is one: made-up records hide nobody.
fn reached(state: &State) -> Option<usize> {
    let results = state.results.as_ref().filter(|_| state.results_are_current())?;
    results.finished.report.audit.passed.then(|| Hidden::of(&results.finished.report).among())
}

/// Whose secret value most guesses do not tell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Secrecy {
    /// Everybody's.
    All,
    /// That of the people in the table, and not of those who were left out.
    InTable,
    /// Not that of people in the table.
    None,
}

/// Of a result what its verdict says, before it what the settings allow.
fn secrecy(state: &State) -> Secrecy {
    let current = state.results.as_ref().filter(|_| state.results_are_current());
    let (present, absent) = if let Some(results) = current {
        let report = &results.finished.report;
        let Some(guess) = Guess::of(report) else { return Secrecy::All };
        (guess.worst() <= 0.5, surest(report, &guess) <= 0.5)
    } else {
        let Some(told) = state.told() else { return Secrecy::All };
        (told.is_secret(), told.is_secret() && !told.tells_of_absent())
    };
    match (present, absent) {
        (false, _) => Secrecy::None,
        (true, false) => Secrecy::InTable,
        (true, true) => Secrecy::All,
    }
}

/// Among how many a person is hidden, and whose value is kept secret.
fn protection(settings: &Settings, reached: Option<usize>, secrecy: Secrecy) -> String {
    let (Model::MInvariance { m: asked } | Model::KAnonymity { k: asked }) = settings.model;
    let people = n!(N_PERSON, reached.map_or(asked, |reached| reached.min(asked)));
    // Who knows a column that is published as it is may find the row of a person.
    let unchanged = settings.unchanged.iter().filter(|name| !settings.conditions_of.contains_key(*name));
    let unchanged: Vec<&str> = unchanged.map(String::as_str).collect();
    if !unchanged.is_empty() {
        return t!(STRIP_HIDDEN_UNLESS, people = people, columns = list(&unchanged));
    }
    match (settings.model, settings.sensitive.as_deref()) {
        (Model::MInvariance { .. }, Some(sensitive)) if secrecy == Secrecy::All => {
            t!(STRIP_HIDDEN_SECRET, people = people, sensitive = sensitive)
        }
        (Model::MInvariance { .. }, Some(sensitive)) if secrecy == Secrecy::InTable => {
            t!(STRIP_HIDDEN_SECRET_IN, people = people, sensitive = sensitive)
        }
        (Model::KAnonymity { .. }, Some(sensitive)) if settings.has_conditions() => {
            let further = settings.conditions_of.keys().map(String::as_str);
            let all: Vec<&str> = std::iter::once(sensitive).chain(further).collect();
            t!(STRIP_HIDDEN_CONDITIONS, people = people, sensitive = list(&all))
        }
        (_, Some(sensitive)) => {
            t!(STRIP_HIDDEN_OPEN, people = people, sensitive = sensitive)
        }
        (_, None) => t!(STRIP_HIDDEN, people = people),
    }
}

/// The verdict in a few words.
#[must_use]
pub fn verdict(state: &State) -> (&'static str, Tone) {
    if state.check.shown {
        return match state.check.found.as_deref() {
            Some(Ok(found)) if found.answers.iter().all(|answer| answer.holds) => {
                (t!(STRIP_HOLDS), Tone::Good)
            }
            Some(Ok(_)) => (t!(STRIP_DOES_NOT_HOLD), Tone::Brick),
            Some(Err(_)) | None => (t!(STRIP_NOT_CHECKED), Tone::Plain),
        };
    }
    match &state.results {
        _ if matches!(state.work, Work::Solving(_)) => (t!(STRIP_BEING_MADE), Tone::Plain),
        None => (t!(STRIP_NO_TABLE), Tone::Plain),
        Some(_) if !state.results_are_current() => (t!(STRIP_EARLIER), Tone::Amber),
        Some(results) if results.finished.report.audit.passed && !state.series.may_go_out() => {
            (t!(STRIP_LEDGER_FIRST), Tone::Amber)
        }
        Some(results) if results.finished.report.audit.passed => (t!(STRIP_READY), Tone::Good),
        Some(_) => (t!(STRIP_MUST_NOT), Tone::Brick),
    }
}

/// Requests. What was sent once is not taken back: from then on the line says so, whatever became of the run.
#[must_use]
pub fn requests(state: &State) -> String {
    if let Some(last) = state.sent.last() {
        let (name, size) = (host(&last.to), sent_bytes(state));
        return n!(STRIP_SENT, state.sent.len(), name = name, size = size, at = time(&last.at));
    }
    match (&state.requests, &state.worker) {
        (Some(requests), Some(_)) => n!(STRIP_REQUESTS_WORKER, requests.count),
        (Some(requests), None) => n!(STRIP_REQUESTS, requests.count),
        (None, Some(_)) => String::from(t!(STRIP_NOT_COUNTED_WORKER)),
        (None, None) => String::from(t!(STRIP_NOT_COUNTED)),
    }
}

/// What was sent, for a narrow window: without the address, which stands behind "What is counted".
#[must_use]
pub fn sent_in_short(state: &State) -> Option<String> {
    let last = state.sent.last()?;
    Some(n!(STRIP_SENT_SHORT, state.sent.len(), size = sent_bytes(state), at = time(&last.at)))
}

fn sent_bytes(state: &State) -> String {
    bytes(state.sent.iter().map(|sent| sent.bytes as f64).sum())
}

/// An address without its scheme.
fn host(address: &str) -> &str {
    address.split_once("://").map_or(address, |(_, host)| host)
}

#[cfg(test)]
mod tests {
    use lookalike_model::sent::Sent;

    use super::*;
    use crate::{
        form::{Form, ModelChoice, Role},
        state::{
            Action, Downloads, Fetched, Place, Source, Worker, reduce,
            tests::{described, finished, solved, solving, table},
        },
    };

    /// A page whose requests are counted.
    fn counted(state: State) -> State {
        reduce(state, Action::Fetched(Vec::new()))
    }

    #[test]
    fn file_and_rows() {
        assert_eq!(loaded(&State::default()), "No file open");
        assert_eq!(loaded(&described()), "a.csv, 10 rows");
    }

    #[test]
    fn the_guarantee_in_words() {
        assert_eq!(guarantee(&State::default()), "Not chosen yet");
        assert_eq!(guarantee(&described()), "Asked: hidden among 3 people, disease secret");
        let form = |k: &str| Form { model: ModelChoice::KAnonymity, k: k.to_owned(), ..Form::default() };
        let edited = |state, k| reduce(state, Action::Edit(Box::new(form(k))));
        assert_eq!(
            guarantee(&edited(described(), "5")),
            "Asked: hidden among 5 people, disease not protected"
        );
        let alone = reduce(described(), Action::SetRole(1, Role::NotPublished));
        assert_eq!(guarantee(&edited(alone, "5")), "Asked: hidden among 5 people");
        assert_eq!(guarantee(&edited(described(), "x")), "Not complete yet");
    }

    #[test]
    fn the_verdict_in_a_few_words() {
        assert_eq!(verdict(&State::default()), ("No table yet", Tone::Plain));
        assert_eq!(verdict(&described()), ("No table yet", Tone::Plain));
        assert_eq!(verdict(&solving()), ("Being made", Tone::Plain));
        assert_eq!(verdict(&solved()), ("All checks passed", Tone::Good));
        let failed = reduce(solving(), Action::Finished(Box::new(finished(false)), Downloads::default()));
        assert_eq!(verdict(&failed), ("Must not be published", Tone::Brick));
        // The strip promises no more people than the verdict has.
        assert_eq!(guarantee(&solved()), "Hidden among 3 people, disease secret");
        let mut fakes = finished(true);
        (fakes.report.changes.counterfeits, fakes.report.classes.min_real) = (2, Some(2));
        let fakes = reduce(solving(), Action::Finished(Box::new(fakes), Downloads::default()));
        assert_eq!(guarantee(&fakes), "Hidden among 2 people, disease secret");
        // A person who was left out so that the rest is possible had one of few values: that is not covered up.
        let mut gone = finished(true);
        gone.report.changes.deletions = 2;
        gone.report.disclosure = Some(lookalike_model::assessment::Disclosure {
            promised: 1.0 / 3.0,
            present: 1.0 / 3.0,
            present_known: None,
            above: 0,
            suspects: 0,
            certainly_real: 3,
            absent_values: Some(1),
        });
        gone.report.risk.highest_attribute_disclosure = Some(1.0 / 3.0);
        let gone = reduce(solving(), Action::Finished(Box::new(gone), Downloads::default()));
        assert_eq!(guarantee(&gone), "Hidden among 3 people, disease secret but for people left out");
        let other = Form { m: String::from("2"), ..Form::default() };
        let changed = reduce(solved(), Action::Edit(Box::new(other)));
        assert_eq!(verdict(&changed), ("Result of earlier settings", Tone::Amber));
    }

    #[test]
    fn a_check_has_lines_of_its_own() {
        use lookalike_wire::check::CheckedTable;

        use crate::state::CheckAction;
        let checks =
            |state, actions: Vec<CheckAction>| actions.into_iter().map(Action::Check).fold(state, reduce);
        let state = checks(solved(), vec![CheckAction::Show(true)]);
        assert_eq!(
            (loaded(&state).as_str(), verdict(&state)),
            ("No file open", ("Not checked yet", Tone::Plain))
        );
        assert_eq!(guarantee(&state), "Not chosen yet");
        let source = Source { name: String::from("out.csv"), ..Source::default() };
        let opened = CheckAction::Opened(CheckedTable::Published, Box::new(Ok(table())));
        let state = checks(state, vec![CheckAction::Opening(CheckedTable::Published, source), opened]);
        assert_eq!(
            (loaded(&state).as_str(), guarantee(&state).as_str()),
            ("out.csv, 10 rows", "Asked: k = 5")
        );
        // The workbench behind it has its own.
        assert_eq!(verdict(&checks(state, vec![CheckAction::Show(false)])).0, "All checks passed");
    }

    fn worker(origin: &str) -> Action {
        Action::WorkerOffered(Worker { origin: origin.to_owned(), wants_token: false })
    }

    fn sent(to: &str, bytes: u64) -> Action {
        Action::Sent(Sent::one(to.to_owned(), String::from("2026-05-01T14:02:22Z"), bytes))
    }

    fn begun(state: State, place: Place) -> State {
        let settings = state.settings().unwrap().unwrap();
        reduce(state, Action::Started(place, settings.into()))
    }

    #[test]
    fn requests_are_counted_and_a_worker_is_said_from_the_start() {
        assert_eq!(requests(&State::default()), "Requests are not counted");
        assert_eq!(
            requests(&reduce(State::default(), worker(""))),
            "Requests are not counted; a worker is available"
        );
        let state = counted(described());
        assert_eq!(requests(&state), "0 requests");
        let own = Action::Fetched(vec![Fetched::Own(String::from("engine/engine.js"))]);
        let state = reduce(state, own);
        assert_eq!(requests(&state), "0 requests");
        let offered = reduce(state.clone(), worker("http://w"));
        assert_eq!(requests(&offered), "0 requests; a worker is available");
        let other = || Action::Fetched(vec![Fetched::Request(String::from("https://elsewhere/x"))]);
        let state = reduce(reduce(state, other()), other());
        assert_eq!(requests(&state), "2 requests");
        // A run on the worker sends nothing before its numbers are made.
        assert_eq!(requests(&begun(offered, Place::Worker)), "0 requests; a worker is available");
    }

    #[test]
    fn what_was_sent_stays_said() {
        let told = "1 job sent to w:8080: 101 kB at 14:02 UTC";
        let to = "http://w:8080";
        let at_the_worker = || {
            let state = begun(reduce(counted(described()), worker(to)), Place::Worker);
            reduce(state, sent(to, 100_822))
        };
        assert_eq!(requests(&at_the_worker()), told);
        let done = Action::Finished(Box::new(finished(true)), Downloads::default());
        for end in [done, Action::Failed("lost".into()), Action::Abandoned] {
            let state = reduce(at_the_worker(), end);
            assert_eq!(requests(&state), told);
            // A run in the page changes nothing of that, and neither does another table.
            let state = begun(state, Place::Here);
            assert_eq!(requests(&state), told);
            let state = reduce(state, Action::Opening(Source::default()));
            let state = reduce(state, Action::Opened(table()));
            assert_eq!(requests(&state), told);
        }
        let twice = begun(reduce(at_the_worker(), Action::Failed("lost".into())), Place::Worker);
        let twice = reduce(reduce(twice, sent(to, 1000)), Action::Abandoned);
        assert_eq!(requests(&twice), "2 jobs sent to w:8080: 102 kB in all, the last at 14:02 UTC");
        // Where there is little room, bytes and time are still there; the address stands in the list of jobs.
        let short = |state: &State| sent_in_short(state).unwrap();
        assert_eq!(short(&at_the_worker()), "1 job sent: 101 kB, 14:02 UTC");
        assert_eq!(short(&twice), "2 jobs sent: 102 kB, last 14:02 UTC");
        assert_eq!(sent_in_short(&described()), None);
    }
}
