//! A series in the page's engine, without a browser: the same releases and ledgers as the core makes.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{
    cell::RefCell,
    io::{self, Cursor, Read, Seek, SeekFrom},
};

use lookalike_core::{
    audit::series::fingerprint,
    statement::NamedFile,
    table::{ReadOptions, read},
};
use lookalike_engine::session::{Host, Session};
use lookalike_file::Source;
use lookalike_model::{
    Ctx, beside,
    ledger::{Mode, Signatures},
    report::SeriesUpdates,
    settings::{Budget, Fake, Model, Repair, Settings},
};
use lookalike_optimize::solve::solve;
use lookalike_wire::{
    ledger,
    opening::Opening,
    page::{FileKind, OpenAs, Place, Request, Response},
    series::{Exposure, LedgerInfo, ReleasePeople, SeriesAsk, SeriesOptions, SeriesTold},
};

fn anonymize(series: Option<SeriesOptions>) -> Request {
    Request::Anonymize { settings: Box::new(settings()), series, place: Place::Here, sent_before: Vec::new() }
}

/// A file that was moved away after it was chosen.
struct Gone;

impl Read for Gone {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::NotFound.into())
    }
}

impl Seek for Gone {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}

#[derive(Default)]
struct Page(RefCell<Vec<(Response, Vec<Vec<u8>>)>>);

impl Host for Page {
    fn post(&self, _id: u32, response: Response, bulk: Vec<Vec<u8>>) {
        self.0.borrow_mut().push((response, bulk));
    }

    fn now(&self) -> f64 {
        0.0
    }

    fn date(&self) -> String {
        String::from("2026-05-01T14:03:22Z")
    }

    fn entropy(&self) -> Result<u64, lookalike_words::Said> {
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
    SeriesOptions {
        pseudonyms: false,
        id: String::from("name"),
        mode: Mode::TauSafety,
        signatures: Signatures::Free,
        first,
        vacancies: None,
        price: None,
    }
}

/// An engine and all that it said.
struct Talk {
    session: Session,
    page: Page,
}

impl Talk {
    fn new(csv: &str) -> Self {
        let mut talk = Self { session: Session::default(), page: Page::default() };
        talk.send(Request::Open { table: OpenAs::Table, how: Opening::default() }, csv.as_bytes());
        talk
    }

    fn send(&mut self, request: Request, file: &[u8]) -> Vec<(Response, Vec<Vec<u8>>)> {
        self.send_with(request, &mut Cursor::new(file.to_vec()))
    }

    fn send_with(&mut self, request: Request, file: &mut dyn Source) -> Vec<(Response, Vec<Vec<u8>>)> {
        if self.session.handle(1, request, Some(file), Vec::new(), &self.page) {
            self.session.step(&self.page);
        }
        self.page.0.take()
    }

    fn ask(&mut self, ask: SeriesAsk, file: &[u8]) -> SeriesTold {
        match self.send(Request::Series { ask }, file).pop() {
            Some((Response::Series { told, .. }, _)) => told,
            other => panic!("no answer: {other:?}"),
        }
    }

    fn ledger(&mut self, file: &[u8]) -> Result<LedgerInfo, String> {
        self.ledger_to(file, false)
    }

    /// As [`Talk::ledger`]; `again` to make its last release again.
    fn ledger_to(&mut self, file: &[u8], again: bool) -> Result<LedgerInfo, String> {
        match self.ask(SeriesAsk::Ledger { again }, file) {
            SeriesTold::Ledger { ledger } => ledger.map(|info| *info).map_err(|why| why.to_string()),
            other => panic!("not a ledger: {other:?}"),
        }
    }

    /// The release: the published table, the next ledger, what changed.
    fn release(&mut self, first: bool) -> (Vec<u8>, Vec<u8>, SeriesUpdates) {
        let (published, [ledger, _], updates, _) = self.release_with(options(first));
        (published, ledger, updates)
    }

    /// The same with other options: the numbers of counterfeits beside the ledger, and what they would tell.
    fn release_with(
        &mut self,
        options: SeriesOptions,
    ) -> (Vec<u8>, [Vec<u8>; 2], SeriesUpdates, Option<Exposure>) {
        self.send(anonymize(Some(options)), &[]);
        // With a price there are trials before the release.
        while let Some(job) = self.session.take_job() {
            let job = beside::read(&job).expect("a job");
            let mut answer = solve(&job, &Ctx::silent()).expect("it can be solved");
            let labels = std::mem::take(&mut answer.labels);
            let apply = Request::Apply { answer: Box::new(answer), sent: None };
            assert!(self.session.handle(1, apply, None, labels, &self.page));
            self.session.step(&self.page);
        }
        let sent = self.page.0.take();
        let (mut published, mut released): (_, Option<([Vec<u8>; 2], _, _)>) = (None, None);
        for (response, bulk) in sent {
            match response {
                Response::Series { told: SeriesTold::Released { updates, exposure, .. }, files } => {
                    assert_eq!(files, [FileKind::Ledger, FileKind::Counterfeits]);
                    released = Some((bulk.try_into().expect("ledger and counts"), updates, exposure));
                }
                Response::Finished { result, .. } => {
                    assert!(result.report.audit.passed && released.is_some(), "the ledger comes first");
                    // The statement is of this release, and of the ledger that is offered beside it.
                    let statement = result.statement.html(&lookalike_words::Speaker::english());
                    let place = result.report.series.map_or(0, |series| series.release);
                    assert!(statement.contains(&format!("release {place} of a series.")), "{statement}");
                    for file in released.iter().map(|([ledger, _], _, _)| ledger).chain([&bulk[0], &bulk[2]])
                    {
                        assert!(statement.contains(&NamedFile::of(None, file).sha256), "{statement}");
                    }
                    published = bulk.into_iter().next();
                }
                Response::Failed { message } => panic!("{message}"),
                _ => {}
            }
        }
        let (files, updates, exposure) = released.expect("a ledger");
        (published.expect("a table"), files, updates, exposure)
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
    assert_eq!((info.releases, info.individuals), (1, 60));
    assert_eq!(info.timeline, [ReleasePeople { release: 1, new: 60, ..ReleasePeople::default() }]);
    let changes = info.changes.expect("it can be the next one");
    assert_eq!((changes.new, changes.stayed, changes.gone), (20, 50, 10));
    assert_eq!(info.configured.settings.quasi, ["age"]);
    let previous = |talk: &mut Talk, file: &[u8]| match talk.ask(SeriesAsk::Previous, file) {
        SeriesTold::Previous { refused } => refused,
        other => panic!("{other:?}"),
    };
    assert_eq!(previous(&mut talk, &published), None);
    assert!(
        previous(&mut talk, second.as_bytes())
            .is_some_and(|why| why.to_string().contains("is not a release of this ledger"))
    );
    let said = talk.send_with(Request::Series { ask: SeriesAsk::Previous }, &mut Gone).pop();
    assert!(
        matches!(&said, Some((Response::Series { told: SeriesTold::Previous { refused: Some(_) }, .. }, _))),
        "{said:?}"
    );
    let (again, next, updates) = talk.release(false);
    assert_eq!((updates.release, updates.new, updates.stayed, updates.gone), (2, 20, 50, 10));
    // Who was in which release is known from the ledger from then on.
    let known = Talk::new(&second).ledger(&next).expect("the ledger is good").timeline;
    let second_release =
        ReleasePeople { release: 2, new: 20, stayed: 50, gone: 10, ..ReleasePeople::default() };
    assert_eq!((known.len(), known[1]), (2, second_release));

    // The same by the core.
    let table = read(second.as_bytes(), &ReadOptions::default()).expect("a table");
    let known = ledger::read(&ledger).expect("a ledger");
    let options = lookalike_core::republish::series::Options {
        id: String::from("name"),
        mode: Mode::TauSafety,
        ledger: Some(known),
        signatures: Signatures::Free,
        exact_names: false,
        key: None,
        vacancies: None,
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
fn names_are_those_of_the_command_line() {
    let (_, ledger, _) = Talk::new(&people(0..60)).release(true);
    let mut talk = Talk::new(&people(10..80).replace(",P", ",\u{a0}P").replace("5,", "5 ,"));
    let changes = talk.ledger(&ledger).expect("a good ledger").changes.expect("it can be the next one");
    assert_eq!((changes.new, changes.stayed, changes.gone), (20, 50, 10));
    let (_, next, _) = talk.release(false);
    let next = ledger::read(&next).expect("a ledger");
    assert!(next.individuals.len() == 80 && next.individuals.keys().all(|name| name.trim() == name));
    let mut talk = Talk::new(&people(0..60).replace(",P17,", ",p17,"));
    let why = talk.ledger(&ledger).expect("a good ledger").changes.expect_err("somebody is new and gone");
    assert!(why.to_string().contains("\"p17\" (18) = \"P17\""), "{why}");
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
        (b"{\"a\": 1}".as_slice(), "not a ledger"),
        (b"age-encryption.org/v1\n...".as_slice(), "sealed with a passphrase"),
    ] {
        let refused = talk.ledger(bytes).expect_err("it is refused");
        assert!(refused.contains(why), "{refused}");
    }
    // Without a ledger there is no later release, and none by mistake.
    let sent = talk.send(anonymize(Some(options(false))), &[]);
    assert!(
        matches!(&sent.last(), Some((Response::Failed { message }, _)) if message.to_string().contains("choose the ledger"))
    );
    assert!(talk.session.take_job().is_none());
    // A table that names somebody twice cannot be the next one, and the ledger is good all the same.
    let mut talk = Talk::new(&(people(0..60) + "33,P17,flu\n"));
    let info = talk.ledger(&ledger).expect("a good ledger");
    assert!(info.changes.expect_err("somebody is there twice").to_string().contains("\"P17\""));
}

#[test]
fn the_last_release_can_be_made_again() {
    let second = people(10..80);
    let (_, first, _) = Talk::new(&people(0..60)).release(true);
    let mut talk = Talk::new(&second);
    let before = talk.ledger(&first).expect("a good ledger");
    let (published, next, _) = talk.release(false);
    // From the newest ledger: the state before its last release, and the same release.
    let mut talk = Talk::new(&second);
    assert_ne!(talk.ledger(&next).expect("a good ledger").state, before.state);
    let info = talk.ledger_to(&next, true).expect("a good ledger");
    assert_eq!((info.releases, &info.state), (2, &before.state));
    let changes = info.changes.expect("it can be the next one");
    assert_eq!((changes.release, changes.new, changes.gone), (2, 20, 10));
    assert!(talk.release(false).0 == published);
    // With another table in its place.
    let mut talk = Talk::new(&people(0..60));
    talk.ledger_to(&next, true).expect("a good ledger");
    let (_, replaced, updates) = talk.release(false);
    assert_eq!((updates.release, updates.stayed), (2, 60));
    assert_eq!(
        ledger::read(&replaced).expect("a ledger").individuals.len(),
        60,
        "who came in between never did"
    );
    // The only release has no state before it.
    assert!(talk.ledger_to(&first, true).expect_err("refused").contains("begin the series anew"));
}

#[test]
fn numbers_of_counterfeits_come_with_what_they_tell() {
    // 30 of 50 people have the flu: 3 * 30 - 50 counterfeits.
    let csv: String = (0..50).fold(String::from("age,name,diagnosis\n"), |csv, i| {
        csv + &format!("{},P{i},{}\n", 20 + i, DIAGNOSES[if i < 30 { 0 } else { 1 + i % 4 }])
    });
    let (_, [_, counts], _, exposure) = Talk::new(&csv).release_with(options(true));
    let text = String::from_utf8(counts).expect("text");
    let lines = text.lines().skip(1).filter_map(|line| line.split_once(','));
    let total: usize = lines.filter_map(|(_, count)| count.parse::<usize>().ok()).sum();
    assert_eq!((text.lines().next(), total), (Some("class,counterfeits"), 40));
    let exposure = exposure.expect("there are counterfeits");
    assert!(exposure.with > 1.0 / 3.0 && exposure.with <= 1.0, "{exposure:?}");
    // Without counterfeits there is nothing to tell.
    let (_, _, _, none) = Talk::new(&people(0..60)).release_with(options(true));
    assert_eq!(none, None);
    // Counterfeits that cost nothing are added where they save loss.
    let priced = SeriesOptions { price: Some(0.0), ..options(true) };
    let (published, ..) = Talk::new(&people(0..60)).release_with(priced);
    assert!(String::from_utf8(published).expect("text").lines().count() > 61);
}

#[test]
fn a_ledger_with_pseudonyms_goes_on_with_its_key_alone() {
    let key = |digit: char| format!("{}\n", digit.to_string().repeat(64)).into_bytes();
    let refused = |talk: &mut Talk, given: bool, file: &[u8]| match talk.ask(SeriesAsk::Key { given }, file) {
        SeriesTold::Key { refused } => refused,
        other => panic!("not a key: {other:?}"),
    };
    let mut talk = Talk::new(&people(0..30));
    assert!(
        refused(&mut talk, true, b"series")
            .is_some_and(|why| why.to_string().contains("64 hexadecimal digits"))
    );
    assert_eq!(refused(&mut talk, true, &key('a')), None);
    let first = SeriesOptions { pseudonyms: true, ..options(true) };
    let (_, [ledger, _], ..) = talk.release_with(first);
    let text = String::from_utf8(ledger.clone()).unwrap();
    assert!((0..30).all(|i| !text.contains(&format!("\"P{i}\""))), "{text}");
    // A key that is forgotten is none.
    let with_key = SeriesOptions { pseudonyms: true, ..options(false) };
    assert_eq!(refused(&mut talk, false, &[]), None);
    let info = talk.ledger(&ledger).unwrap();
    assert!(info.pseudonyms);
    assert!(info.changes.unwrap_err().to_string().contains("has pseudonyms in place of names"));
    refused(&mut talk, true, &key('b'));
    assert!(talk.ledger(&ledger).unwrap().changes.unwrap_err().to_string().contains("another key"));
    refused(&mut talk, true, &key('a'));
    let changes = talk.ledger(&ledger).unwrap().changes.unwrap();
    assert_eq!((changes.stayed, changes.new), (30, 0));
    let (_, [next, _], updates, _) = talk.release_with(with_key);
    assert_eq!((updates.stayed, updates.release), (30, 2));
    assert!(String::from_utf8(next).unwrap().contains("\"pseudonyms\""));
    // A series of names is begun without the key, though one is there, and goes on without it.
    let (_, ledger, _) = talk.release(true);
    let info = talk.ledger(&ledger).unwrap();
    assert!(!info.pseudonyms && info.changes.is_ok());
}
