//! A series in the page's engine, without a browser: the same releases and ledgers as the core makes.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    cell::RefCell,
    io::{Cursor, empty},
};

use lookalike_core::{
    Ctx,
    audit::series::fingerprint,
    solve::solve,
    table::{ReadOptions, read},
};
use lookalike_engine::session::{Host, Session};
use lookalike_series::series::Series;
use lookalike_wire::{
    job::Answer,
    ledger::{self, Mode, Signatures},
    opening::Opening,
    page::{Request, Response},
    report::SeriesUpdates,
    series::{LedgerInfo, SeriesAsk, SeriesOptions, SeriesTold},
    settings::{Budget, Fake, Model, Repair, Settings},
};

#[derive(Default)]
struct Page(RefCell<Vec<(Response, Vec<Vec<u8>>)>>);

impl Host for Page {
    fn post(&self, response: Response, bulk: Vec<Vec<u8>>) {
        self.0.borrow_mut().push((response, bulk));
    }

    fn now(&self) -> f64 {
        0.0
    }

    fn entropy(&self) -> Result<u64, String> {
        Ok(3)
    }
}

const DIAGNOSES: [&str; 5] = ["flu", "asthma", "angina", "gout", "eczema"];

/// People with these numbers.
fn people(numbers: impl Iterator<Item = usize>) -> String {
    numbers.fold(String::from("age,name,diagnosis\n"), |csv, i| {
        csv + &format!("{},P{i},{}\n", 20 + (i * 37) % 61, DIAGNOSES[i % 5])
    })
}

fn settings() -> Settings {
    let mut settings = Settings {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("diagnosis")),
        budget: Budget::Effort(0.3),
        eligibility: Repair::Add,
        seed: Some(5),
        ..Settings::of(Model::MInvariance { m: 3 })
    };
    settings.changes.fake = Fake::Frequent;
    settings
}

fn options(first: bool) -> SeriesOptions {
    SeriesOptions { id: String::from("name"), mode: Mode::TauSafety, signatures: Signatures::Free, first }
}

/// An engine and all that it said.
struct Talk {
    session: Session,
    page: Page,
}

impl Talk {
    fn new(csv: &str) -> Self {
        let (session, page) = (Session::extended(Box::new(Series::default())), Page::default());
        let mut talk = Self { session, page };
        talk.send(Request::Open { how: Opening::default(), series: true }, csv.as_bytes());
        talk
    }

    fn send(&mut self, request: Request, file: &[u8]) -> Vec<(Response, Vec<Vec<u8>>)> {
        if self.session.handle(request, &mut Cursor::new(file.to_vec()), Vec::new(), &self.page) {
            self.session.step(&self.page);
        }
        self.page.0.take()
    }

    fn ask(&mut self, ask: SeriesAsk, file: &[u8]) -> SeriesTold {
        match self.send(Request::Series { ask }, file).pop() {
            Some((Response::Series { told }, _)) => told,
            other => panic!("no answer: {other:?}"),
        }
    }

    fn ledger(&mut self, file: &[u8]) -> Result<LedgerInfo, String> {
        match self.ask(SeriesAsk::Ledger, file) {
            SeriesTold::Ledger { ledger } => ledger.map(|info| *info),
            other => panic!("not a ledger: {other:?}"),
        }
    }

    /// The release: the published table, the next ledger, what changed.
    fn release(&mut self, first: bool) -> (Vec<u8>, Vec<u8>, SeriesUpdates) {
        self.send(Request::Series { ask: SeriesAsk::Use { options: Some(options(first)) } }, &[]);
        self.send(Request::Anonymize { settings: settings() }, &[]);
        let job = self.session.take_job().expect("there is a job");
        let job = serde_json::from_slice(&job).expect("a job");
        let Answer { labels, .. } = solve(&job, &Ctx::silent()).expect("it can be solved");
        let answer = solve(&job, &Ctx::silent()).expect("it can be solved");
        let apply = Request::Apply { answer: Answer { labels: Vec::new(), ..answer } };
        assert!(self.session.handle(apply, &mut empty(), labels, &self.page));
        self.session.step(&self.page);
        let sent = self.page.0.take();
        let (mut published, mut released) = (None, None);
        for (response, mut bulk) in sent {
            match response {
                Response::Series { told: SeriesTold::Released { updates } } => {
                    released = Some((bulk.remove(0), updates));
                }
                Response::Finished { result } => {
                    assert!(result.report.audit.passed && released.is_some(), "the ledger comes first");
                    published = Some(bulk.remove(0));
                }
                Response::Failed { message } => panic!("{message}"),
                _ => {}
            }
        }
        let (ledger, updates) = released.expect("a ledger");
        (published.expect("a table"), ledger, updates)
    }
}

#[test]
fn two_releases_are_those_of_the_core() {
    let first = people(0..60);
    let (published, ledger, updates) = Talk::new(&first).release(true);
    assert_eq!((updates.release, updates.new, updates.gone), (1, 60, 0));
    // The second table: 10 left, 20 came, its columns in another order.
    let second = people(10..80);
    let mut talk = Talk::new(&second);
    let info = talk.ledger(&ledger).expect("the ledger is good");
    assert_eq!((info.releases, info.individuals, info.rows), (1, 60, 60));
    let changes = info.changes.expect("it can be the next one");
    assert_eq!((changes.new, changes.stayed, changes.gone), (20, 50, 10));
    assert_eq!(info.configured.settings.quasi, ["age"]);
    let previous = |talk: &mut Talk, file: &[u8]| match talk.ask(SeriesAsk::Previous, file) {
        SeriesTold::Previous { refused } => refused,
        other => panic!("{other:?}"),
    };
    assert_eq!(previous(&mut talk, &published), None);
    assert!(
        previous(&mut talk, second.as_bytes()).expect("another").contains("is no release of this ledger")
    );
    let (again, next, updates) = talk.release(false);
    assert_eq!((updates.release, updates.new, updates.stayed, updates.gone), (2, 20, 50, 10));

    // The same by the core.
    let table = read(second.as_bytes(), &ReadOptions::default()).expect("a table");
    let known = ledger::read(&ledger).expect("a ledger");
    let options = lookalike_core::republish::series::Options {
        id: String::from("name"),
        mode: Mode::TauSafety,
        ledger: Some(known),
        signatures: Signatures::Free,
        way: lookalike_core::republish::ways::Way::Fewest,
        more: 0,
    };
    let ctx = Ctx::silent();
    let prepared =
        lookalike_core::republish::series::prepare(&table, &settings(), &options, &ctx).expect("prepared");
    let answer = solve(prepared.job(), &ctx).expect("solved");
    let outcome = lookalike_core::pipeline::finish(&table, &prepared, &answer, &ctx).expect("finished");
    assert!(outcome.published == again);
    let theirs = ledger::write(&outcome.ledger.expect("a ledger")).expect("written");
    assert!(theirs == next);
    assert_eq!(ledger::read(&next).expect("a ledger").releases[1].hash, fingerprint(&again));
}

#[test]
fn what_is_no_ledger_is_refused_and_nothing_is_released() {
    let (_, ledger, _) = Talk::new(&people(0..60)).release(true);
    let mut talk = Talk::new(&people(0..60));
    let text = String::from_utf8(ledger.clone()).expect("JSON");
    let damaged = text.replace("P17", "P18");
    for (bytes, why) in [
        (damaged.as_bytes(), "damaged"),
        (&ledger[..ledger.len() / 2], "damaged"),
        (b"{\"a\": 1}".as_slice(), "no ledger"),
        (b"age-encryption.org/v1\n...".as_slice(), "sealed with a passphrase"),
    ] {
        let refused = talk.ledger(bytes).expect_err("it is refused");
        assert!(refused.contains(why), "{refused}");
    }
    // Without a ledger there is no later release, and none by mistake.
    talk.send(Request::Series { ask: SeriesAsk::Use { options: Some(options(false)) } }, &[]);
    let sent = talk.send(Request::Anonymize { settings: settings() }, &[]);
    assert!(
        matches!(&sent.last(), Some((Response::Failed { message }, _)) if message.contains("choose the ledger"))
    );
    assert!(talk.session.take_job().is_none());
    // A table that names somebody twice cannot be the next one, and the ledger is good all the same.
    let mut talk = Talk::new(&(people(0..60) + "33,P17,flu\n"));
    let info = talk.ledger(&ledger).expect("a good ledger");
    assert!(info.changes.expect_err("somebody is there twice").contains("\"P17\""));
}
