//! The conversation between page and engine, without a browser.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::default_trait_access,
    reason = "helpers of tests: a failure here is a failed test"
)]

use std::{
    cell::{Cell, RefCell},
    io::Cursor,
};

use lookalike_core::{
    certify,
    statement::{Made, NamedFile, Program},
};
use lookalike_engine::session::{Host, Session};
use lookalike_model::{
    beside,
    comparison::{Likeness, Only, Rarity, RowOrder, TableWindow},
    job::{Answer, Bound, BoundOf, Job, Status},
    report::Private,
    sent::{Searched, Sent},
    settings::{Budget, Model, Settings},
};
use lookalike_optimize::solve;
use lookalike_wire::{
    manifest::Manifest,
    opening::{AfterReading, Form, Opening, QuoteMark},
    page::{CellsTold, Described, FileKind, Finished, HierarchyOf, OpenAs, Place, Request, Response},
};
use lookalike_words::{Said, Speaker};

/// Records what is sent; its clock advances a little with every look.
#[derive(Default)]
struct Page {
    sent: RefCell<Vec<(Response, Vec<Vec<u8>>)>>,
    now: Cell<f64>,
}

impl Host for Page {
    fn post(&self, _id: u32, response: Response, bulk: Vec<Vec<u8>>) {
        self.sent.borrow_mut().push((response, bulk));
    }

    fn now(&self) -> f64 {
        self.now.set(self.now.get() + 0.01);
        self.now.get()
    }

    fn date(&self) -> String {
        String::from("2026-05-01T14:03:22Z")
    }

    fn entropy(&self) -> Result<u64, lookalike_words::Said> {
        Ok(42)
    }
}

impl Page {
    fn last(&self) -> (Response, Vec<Vec<u8>>) {
        self.sent.borrow().last().cloned().expect("something was sent")
    }

    fn failure(&self) -> String {
        match self.last().0 {
            Response::Failed { message } | Response::Opened { info: Err(message), .. } => message.to_string(),
            other => panic!("not a failure: {other:?}"),
        }
    }

    fn finished(&self) -> (Finished, Vec<Vec<u8>>) {
        match self.last() {
            (Response::Finished { result, .. }, bulk) => (*result, bulk),
            other => panic!("not finished: {other:?}"),
        }
    }
}

/// 60 records; ages spread out, five diagnoses in turn.
fn table() -> String {
    let diagnoses = ["flu", "asthma", "angina", "gout", "eczema"];
    (0..60).fold(String::from("name,age,diagnosis\n"), |csv, i| {
        csv + &format!("P{i},{},{}\n", 20 + (i * 37) % 61, diagnoses[i % 5])
    })
}

fn settings(effort: f64, seed: Option<u64>) -> Settings {
    Settings {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("diagnosis")),
        budget: Budget::Effort(effort),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed,
        ..Settings::of(Model::MInvariance { m: 3 })
    }
}

#[test]
fn a_survey_is_answered_at_once_and_also_during_a_run() {
    let (mut session, page) = opened();
    let ask_survey = |session: &mut Session, column: &str| {
        let missing = Default::default();
        ask(
            session,
            &page,
            Request::Survey {
                sensitive: column.to_owned(),
                missing,
                needed: Vec::new(),
                all: false,
                person: None,
            },
        )
    };
    let surveyed = || match page.last().0 {
        Response::Surveyed { survey } => survey,
        other => panic!("not a survey: {other:?}"),
    };
    assert!(!ask_survey(&mut session, "diagnosis"));
    let survey = surveyed().expect("diagnosis can be protected");
    // Five diagnoses, twelve times each.
    assert_eq!((survey.rows, survey.values, survey.largest_m_without_changes), (60, 5, 5));
    assert!(survey.survey.iter().all(|row| row.eligible));
    assert!(!ask_survey(&mut session, "height"));
    assert!(surveyed().expect_err("no such column").to_string().contains("\"height\""));

    assert!(ask(&mut session, &page, anonymize(settings(1.0, Some(1)))));
    ask_survey(&mut session, "diagnosis");
    assert_eq!(surveyed().map(|s| s.rows), Ok(60));
    work(&mut session, &page);
    assert!(page.finished().0.report.audit.passed, "the run went on");
}

fn open() -> Request {
    Request::Open { table: OpenAs::Table, how: Opening::default() }
}

fn anonymize(settings: Settings) -> Request {
    Request::Anonymize {
        settings: Box::new(settings),
        series: None,
        place: Place::Here,
        sent_before: Vec::new(),
    }
}

fn for_worker(settings: Settings) -> Request {
    Request::Anonymize {
        settings: Box::new(settings),
        series: None,
        place: Place::Worker,
        sent_before: Vec::new(),
    }
}

fn opened() -> (Session, Page) {
    let (mut session, page) = (Session::default(), Page::default());
    session.comes(Some(String::from("people.csv")));
    assert!(!session.handle(1, open(), Some(&mut Cursor::new(table())), Vec::new(), &page));
    (session, page)
}

fn ask(session: &mut Session, page: &Page, request: Request) -> bool {
    session.handle(1, request, None, Vec::new(), page)
}

/// Plays the search: solves the job and brings its answer.
fn work(session: &mut Session, page: &Page) {
    session.step(page);
    let Some(job) = session.take_job() else { return };
    let job = beside::read(&job).expect("a job");
    let answer = solve::solve(&job, &lookalike_model::Ctx::silent()).expect("it can be solved");
    let (labels, answer) = (answer.labels.clone(), Answer { labels: Vec::new(), ..answer });
    assert!(session.handle(1, Request::Apply { answer: Box::new(answer), sent: None }, None, labels, page));
    session.step(page);
}

fn run(settings: Settings) -> (Finished, Vec<Vec<u8>>) {
    let (mut session, page) = opened();
    assert!(ask(&mut session, &page, anonymize(settings)));
    work(&mut session, &page);
    page.finished()
}

/// The statement as the command line would write it.
fn statement(finished: &Finished) -> String {
    finished.statement.html(&Speaker::english())
}

#[test]
fn a_table_is_described_after_opening() {
    let (_, page) = opened();
    let (Response::Opened { info: Ok(table), .. }, _) = page.last() else { panic!("{:?}", page.last()) };
    assert_eq!(table.rows, 60);
    let kinds: Vec<_> =
        table.columns.iter().map(|c| (c.name.as_str(), c.kind.as_str(), c.distinct)).collect();
    assert_eq!(kinds[1], ("age", "integer", 60));
    assert_eq!((kinds[2].0, kinds[2].2), ("diagnosis", 5));
    assert_eq!(table.preview[0], ["P0", "20", "flu"]);
}

#[test]
fn seven_files_and_a_statement_come_out_and_agree() {
    let (finished, bulk) = run(settings(1.0, Some(7)));
    assert!(finished.report.audit.passed, "{:?}", finished.report.audit);
    assert_eq!(bulk.len(), 7);
    let text = |i: usize| String::from_utf8(bulk[i].clone()).unwrap();
    assert_eq!(text(0).lines().count(), 61);
    assert_eq!(text(0).lines().next().unwrap().split(',').collect::<Vec<_>>(), finished.header);
    assert_eq!(text(1).lines().count(), 61);
    let report: lookalike_model::report::Report = serde_json::from_slice(&bulk[2]).unwrap();
    assert_eq!(report, finished.report);
    let private: Private = serde_json::from_slice(&bulk[3]).unwrap();
    assert_eq!(private.settings.seed, Some(7));
    let made = Made {
        at: String::from("2026-05-01T14:03:22Z"),
        source: Some(String::from("people.csv")),
        release: NamedFile::of(Some(String::from("people-anonymized.csv")), &bulk[0]),
        report: Some(NamedFile::of(Some(String::from("people-report.json")), &bulk[2])),
        program: Program::Page,
        ..Made::default()
    };
    assert_eq!(finished.statement, lookalike_core::statement::statement(&report, &private, &made));
    let manifest = Manifest::read(&bulk[4]).unwrap();
    assert_eq!((manifest.code, manifest.files.len()), (made.code(&private), 6));
    let record = lookalike_core::statement::record(&report, &private, &made);
    assert_eq!(text(5), serde_json::to_string_pretty(&record).unwrap() + "\n");
    let record: serde_json::Value = serde_json::from_slice(&bulk[5]).unwrap();
    let digest = |of: &str| record["files"][of]["sha256"].as_str().unwrap().to_owned();
    assert_eq!(digest("table"), lookalike_core::digest::sha256(&bulk[0]));
    assert_eq!(digest("report"), lookalike_core::digest::sha256(&bulk[2]));
    assert_eq!(record["computed"]["program"], "page");
    assert_eq!(record["computed"]["at"], "2026-05-01T14:03:22Z");
    // The manifest names it as the page offers it.
    let named = |file: &&lookalike_wire::manifest::Listed| {
        file.name.as_deref() == Some("private-people-statement.json")
    };
    let listed = manifest.files.iter().find(named).unwrap();
    assert_eq!(listed.sha256, lookalike_core::digest::sha256(&bulk[5]));
    assert_eq!((report.searched, private.sent), (Some(Searched::Here), None));
    let members: usize = finished.class_sizes.iter().map(|(size, classes)| size * classes).sum();
    assert_eq!(members, 60);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_none_asks_for_entropy() {
    let (one, two) = (run(settings(1.0, Some(7))), run(settings(1.0, Some(7))));
    assert_eq!(one.1[..2], two.1[..2]);
    let private: Private = serde_json::from_slice(&run(settings(0.0, None)).1[3]).unwrap();
    assert_eq!(private.settings.seed, Some(42));
}

#[test]
fn phases_are_announced_and_a_stop_harms_nobody() {
    let (mut session, page) = opened();
    ask(&mut session, &page, anonymize(settings(0.0, Some(1))));
    ask(&mut session, &page, Request::Stop);
    work(&mut session, &page);
    let sent = page.sent.borrow();
    let phases: Vec<_> = sent
        .iter()
        .filter_map(|(response, _)| match response {
            Response::Progress { progress } => Some(progress.phase.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(phases, ["checking and encoding the table", "writing and auditing"]);
    drop(sent);
    assert!(page.finished().0.report.audit.passed);
    // Nothing is left to do.
    assert!(!ask(&mut session, &page, Request::Stop));
    session.step(&page);
    assert!(session.take_job().is_none());
}

#[test]
fn changes_for_eligibility_are_confirmed_by_the_integer_programme() {
    // Half of all have the flu, but at most a third may.
    let skewed = table().replace("asthma", "flu").replace("angina", "flu");
    let (mut session, page) = (Session::default(), Page::default());
    session.handle(1, open(), Some(&mut Cursor::new(skewed)), Vec::new(), &page);
    let settings = Settings { eligibility: lookalike_model::settings::Repair::Add, ..settings(1.0, Some(7)) };
    ask(&mut session, &page, anonymize(settings));
    work(&mut session, &page);
    let (finished, _) = page.finished();
    // The page has microlp; a build of the whole workspace has HiGHS as well.
    let confirmed = finished.report.lp_backend.as_deref();
    assert!(matches!(confirmed, Some("microlp" | "highs")), "{confirmed:?}");
    assert!(finished.report.changes.counterfeits > 0);
}

fn by(name: &str) -> Likeness {
    Likeness { quasi: vec![String::from(name)], person: None }
}

#[test]
fn a_result_is_looked_at_row_by_row_and_column_by_column() {
    let (mut session, page) = opened();
    // Nothing to look at yet, and nothing to say about it.
    let before = page.sent.borrow().len();
    ask(&mut session, &page, Request::Rows { from: 0, count: 5, order: RowOrder::File });
    assert_eq!(page.sent.borrow().len(), before);
    ask(&mut session, &page, Request::Risk { by: by("age"), threshold: 0.2 });
    match page.last().0 {
        Response::Risk { risk: Ok(risk), .. } => assert_eq!((risk.uniques, risk.smallest_group), (60, 1)),
        other => panic!("no risk: {other:?}"),
    }
    ask(&mut session, &page, Request::Risk { by: by("height"), threshold: 0.2 });
    assert!(
        matches!(page.last().0, Response::Risk { risk: Err(why), .. } if why.to_string().contains("height"))
    );
    ask(&mut session, &page, anonymize(settings(1.0, Some(7))));
    work(&mut session, &page);
    assert_eq!(page.finished().0.beside.rows, 60);
    ask(&mut session, &page, Request::Rows { from: 58, count: 5, order: RowOrder::File });
    match page.last().0 {
        Response::Rows { from: 58, order: RowOrder::File, rows } => {
            assert_eq!((rows.len(), rows[0].before.len(), rows[0].after.len()), (2, 2, 2));
            assert_eq!(rows[0].before[1], rows[0].after[1]);
        }
        other => panic!("no rows: {other:?}"),
    }
    ask(&mut session, &page, Request::Rows { from: 0, count: 1, order: RowOrder::MostChanged });
    let Response::Rows { order: RowOrder::MostChanged, rows, .. } = page.last().0 else { panic!("no rows") };
    let class = rows[0].class.clone();
    ask(&mut session, &page, Request::Class { class: class.clone() });
    match page.last().0 {
        Response::Class { class: of, rows: all, total } => {
            assert_eq!((of, all.len()), (class.clone(), total));
            assert!(total >= 3 && all.contains(&rows[0]));
            assert!(all.iter().all(|row| row.class == class && row.after[0] == rows[0].after[0]));
        }
        other => panic!("no class: {other:?}"),
    }
    ask(&mut session, &page, Request::Spread { column: String::from("age") });
    assert!(matches!(page.last().0, Response::Spread { bins: Ok(bins), .. } if bins.len() > 5));
    ask(&mut session, &page, Request::Spread { column: String::from("name") });
    assert!(matches!(page.last().0, Response::Spread { bins: Err(_), .. }));
}

/// Rows are there before any run and during one, by what is said of their cells at the time.
#[test]
fn rows_of_the_open_table_are_shown_with_how_many_are_like_them() {
    let (mut session, page) = (Session::default(), Page::default());
    let window = |session: &mut Session, quasi: &[&str], only| {
        let by = Likeness { quasi: quasi.iter().map(|&name| String::from(name)).collect(), person: None };
        let request = Request::Table { table: OpenAs::Table, from: 0, count: 100, by: by.clone(), only };
        assert!(!ask(session, &page, request));
        match page.last().0 {
            Response::Table { table: OpenAs::Table, from: 0, by: told, only: of, rows }
                if (&told, of) == (&by, only) =>
            {
                rows
            }
            other => panic!("no rows: {other:?}"),
        }
    };
    let numbers = |window: &TableWindow| window.rows.iter().map(|row| row.number).collect::<Vec<_>>();
    let why = window(&mut session, &[], Only::All).unwrap_err();
    assert!(why.to_string().contains("table"), "{why}");

    let text = "zip,sex\n1067,1\n01067,1\n10115,2\n99,?\n10115,1\n";
    assert!(!session.handle(1, open(), Some(&mut Cursor::new(text)), Vec::new(), &page));
    let all = window(&mut session, &["zip"], Only::All).unwrap();
    assert_eq!(all.rows.iter().map(|row| row.alike).collect::<Vec<_>>(), [1, 1, 2, 1, 2]);
    assert_eq!(all.rarity, Some(Rarity { alone: 3, few: 2, many: 0 }));
    assert_eq!(all.rows[1].cells, ["01067", "1"]);
    assert_eq!(numbers(&window(&mut session, &["sex"], Only::Alone).unwrap()), [2, 3]);
    assert_eq!(numbers(&window(&mut session, &["sex"], Only::Missing).unwrap()), [3]);
    assert_eq!(window(&mut session, &[], Only::All).unwrap().rarity, None);
    assert!(window(&mut session, &["height"], Only::All).is_err());

    // Cells and markers that were told since: 1067 becomes 01067, and sex 2 is missing.
    let cells = CellsTold {
        markers: vec![String::from("2")],
        pad: [(String::from("zip"), 5)].into(),
        ..CellsTold::default()
    };
    described(&mut session, &page, &cells).unwrap();
    let all = window(&mut session, &["zip"], Only::All).unwrap();
    assert_eq!(all.rows.iter().map(|row| row.alike).collect::<Vec<_>>(), [2, 2, 2, 1, 2]);
    assert_eq!(numbers(&window(&mut session, &["sex"], Only::Missing).unwrap()), [2]);
    let cells = CellsTold { markers: vec![String::from("?")], ..CellsTold::default() };
    described(&mut session, &page, &cells).unwrap();
    assert_eq!(numbers(&window(&mut session, &["sex"], Only::Missing).unwrap()), [3]);
    assert_eq!(numbers(&window(&mut session, &["zip"], Only::Alone).unwrap()), [0, 1, 3]);
}

#[test]
fn columns_are_described_by_other_markers() {
    let (mut session, page) = opened();
    let markers = vec![String::from("flu"), String::from("gout")];
    let cells = CellsTold { markers, ..CellsTold::default() };
    let columns = described(&mut session, &page, &cells).unwrap().columns;
    assert_eq!((columns[2].distinct, columns[2].missing), (3, 24));
}

fn described(session: &mut Session, page: &Page, cells: &CellsTold) -> Result<Described, Said> {
    assert!(!ask(session, page, Request::Describe { cells: cells.clone() }));
    match page.last().0 {
        Response::Described { cells: by, described } => {
            assert_eq!(by, *cells);
            described
        }
        other => panic!("not described: {other:?}"),
    }
}

/// Zeros and labels stand in the table's cells as if they had been read so, and go again without a trace; what cannot be leaves
/// the table as it was.
#[test]
fn columns_are_described_by_other_cells() {
    let (mut session, page) = (Session::default(), Page::default());
    let text = "zip,sex\n1067,1\n10115,2\n1067,9\n";
    assert!(!session.handle(1, open(), Some(&mut Cursor::new(text)), Vec::new(), &page));
    let markers = vec![String::new(), String::from("?")];
    let plain = CellsTold { markers: markers.clone(), ..CellsTold::default() };
    let of = |pairs: &[(&str, &str)]| pairs.iter().map(|&(a, b)| (a.into(), b.into())).collect();
    let both = CellsTold {
        pad: [(String::from("zip"), 5)].into(),
        labels: [(String::from("sex"), of(&[("1", "male"), ("2", "female"), ("9", "?")]))].into(),
        ..plain.clone()
    };
    let before = described(&mut session, &page, &plain).unwrap();
    let with = described(&mut session, &page, &both).unwrap();
    let preview = [["01067", "male"], ["10115", "female"], ["01067", "?"]];
    assert_eq!(with.preview, preview.map(|row| row.map(String::from).to_vec()));
    assert_eq!((with.columns[0].kind.as_str(), with.columns[1].missing), ("category", 1));
    let notes: Vec<String> = with.notes.iter().map(ToString::to_string).collect();
    assert!(notes[0].contains("5 digits") && notes[0].contains("2 cells"), "{notes:?}");
    assert!(
        notes[1].contains("\"sex\": labels in place of codes") && notes[1].contains("3 cells"),
        "{notes:?}"
    );
    // Three digits are too few for 1067.
    let short = CellsTold { pad: [(String::from("zip"), 3)].into(), ..plain.clone() };
    let why = described(&mut session, &page, &short).unwrap_err().to_string();
    assert!(why.contains("row 1: '1067' has 4 digits"), "{why}");
    assert_eq!(described(&mut session, &page, &both).unwrap(), with);
    assert_eq!(described(&mut session, &page, &plain).unwrap(), before);
}

#[test]
fn a_job_is_handed_out_and_its_answer_verified() {
    let (mut session, page) = opened();
    assert!(ask(&mut session, &page, for_worker(settings(1.0, Some(3)))));
    work(&mut session, &page);
    let (Response::Prepared, bulk) = page.last() else { panic!("{:?}", page.last()) };
    let text = std::str::from_utf8(&bulk[0]).unwrap();
    assert!(!["age", "diagnosis", "flu", "P0"].iter().any(|word| text.contains(word)));
    let job: Job = serde_json::from_slice(&bulk[0]).unwrap();
    let silent = lookalike_model::Ctx::silent();
    let answer = solve::solve(&job, &silent).unwrap();

    let apply = |session: &mut Session, answer: Answer, labels: Vec<u32>| {
        let sent =
            Sent::one(String::from("http://w"), String::from("2026-05-01T14:02:00Z"), bulk[0].len() as u64);
        let apply = Request::Apply { answer: Box::new(answer), sent: Some(sent) };
        if session.handle(1, apply, None, labels, &page) {
            work(session, &page);
        }
    };
    let bare = Answer { labels: Vec::new(), ..answer.clone() };
    // A class label is changed: the engine notices, and the open table stays usable.
    let mut forged = answer.labels.clone();
    forged[0] = forged[1].max(1) - u32::from(forged[0] != 0);
    if forged != answer.labels {
        apply(&mut session, bare.clone(), forged);
        assert!(page.failure().contains("answer cannot be used"), "{}", page.failure());
    }
    apply(&mut session, bare.clone(), Vec::new());
    assert!(page.failure().contains("answer cannot be used"), "{}", page.failure());
    apply(&mut session, bare.clone(), answer.labels.clone());
    let (finished, bulk) = page.finished();
    assert!(finished.report.audit.passed);
    // All files say that a worker was asked; only the private ones say which.
    let text = |i: usize| String::from_utf8(bulk[i].clone()).unwrap();
    assert_eq!(finished.report.searched, Some(Searched::Worker));
    assert!(text(2).contains("\"searched\": \"worker\"") && !text(2).contains("http://w"));
    assert!(
        text(3).contains("\"to\": \"http://w\"") && statement(&finished).contains("were sent to http://w on")
    );
    assert_eq!(finished.sent.map(|sent| sent.to).as_deref(), Some("http://w"));
    assert_eq!(bulk[..2], run(settings(1.0, Some(3))).1[..2], "here and there give the same table");

    // A proof that only the worker has seen is its word, on the page and in the files; one that this engine's own search has
    // found stands.
    let proof = Bound { value: bare.loss, proven_by: Said::verbatim("magic"), of: BoundOf::WholeProblem };
    let proud = Answer { status: Status::Optimal, bound: Some(proof), duals: None, ..bare };
    apply(&mut session, proud.clone(), answer.labels.clone());
    let (finished, _) = page.finished();
    let (report, statement) = (&finished.report, statement(&finished));
    assert_eq!((&finished.status, &report.status), (&Status::OptimalClaimed, &Some(Status::OptimalClaimed)));
    assert!(
        report.bound.is_none()
            && report.claimed.as_ref().is_some_and(|claimed| claimed.bound == Some(proud.loss))
    );
    assert!(!statement.contains("is proven") && statement.contains("claimed by the worker"), "{statement}");
    assert!(session.handle(
        1,
        Request::Apply { answer: Box::new(proud), sent: None },
        None,
        answer.labels,
        &page
    ));
    work(&mut session, &page);
    let report = page.finished().0.report;
    assert!(report.status == Some(Status::Optimal) && report.bound.is_some() && report.claimed.is_none());
}

/// The file that a run brought as this.
fn file_of(page: &Page, kind: FileKind) -> Option<Vec<u8>> {
    let (Response::Finished { files, .. }, bulk) = page.last() else { panic!("{:?}", page.last()) };
    files.iter().position(|of| *of == kind).map(|at| bulk[at].clone())
}

/// The duals are offered without being asked for, as the command line writes them; the engine checks them by the audit.
#[test]
fn a_certificate_is_offered_and_checked() {
    for model in [Model::MInvariance { m: 3 }, Model::KAnonymity { k: 4 }] {
        let settings = Settings { model, ..settings(1.0, Some(7)) };
        let (mut session, page) = opened();
        ask(&mut session, &page, anonymize(settings.clone()));
        work(&mut session, &page);
        let report = page.finished().0.report;
        let certificate = file_of(&page, FileKind::Certificate).expect("a certificate");
        // What is asked for by --certificate is the same.
        let text = table();
        let read = lookalike_core::table::read(text.as_bytes(), &Default::default()).unwrap();
        let asked = Settings { duals: true, ..settings.clone() };
        let silent = lookalike_model::Ctx::silent();
        let prepared = lookalike_core::pipeline::prepare(&read, &asked, &silent).unwrap();
        let answer = solve::solve(prepared.job(), &silent).unwrap();
        let own = certify::written(&certify::certificate(&prepared, &answer).unwrap()).unwrap();
        assert_eq!(String::from_utf8_lossy(&certificate), String::from_utf8_lossy(&own));

        let found = |session: &mut Session, settings: &Settings, bytes: &[u8]| {
            let check = Request::CheckCertificate { settings: Box::new(settings.clone()) };
            assert!(!session.handle(9, check, Some(&mut Cursor::new(bytes)), Vec::new(), &page));
            let (Response::Certified { found }, _) = page.last() else { panic!("{:?}", page.last()) };
            found.map_err(|why| why.to_string())
        };
        // The guarantee is the certificate's, whatever the form says.
        let other = Settings { model: Model::KAnonymity { k: 9 }, ..settings.clone() };
        for form in [&settings, &other] {
            let found = found(&mut session, form, &certificate).unwrap();
            let told = found.lines[0].to_string();
            assert!(found.holds && told.contains("of the 60 rows into classes of at least"), "{told}");
            let bound: f64 =
                told.split("less than ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
            let reported = report.bound.as_ref().unwrap().value;
            assert!(bound <= reported && bound > 0.999 * reported, "{bound} {reported}");
            assert!(found.lines[1].to_string().contains("\"age\""));
        }
        // A larger dual is refused, and so is what is no certificate.
        let mut altered: serde_json::Value = serde_json::from_slice(&certificate).unwrap();
        let duals = altered["duals"].as_array_mut().unwrap();
        for dual in duals {
            *dual = (2.0 * dual.as_f64().unwrap()).into();
        }
        let altered = found(&mut session, &settings, altered.to_string().as_bytes()).unwrap();
        assert!(!altered.holds && altered.lines[0].to_string().contains("not verified"), "{altered:?}");
        assert!(found(&mut session, &settings, b"{}").unwrap_err().contains("cannot be read"));
        assert!(found(&mut session, &settings, b"\xff").unwrap_err().contains("UTF-8"));
    }
}

/// Where there can be no certificate, the run is none the worse for it.
#[test]
fn a_run_without_a_certificate_is_the_same_run() {
    let skewed = table().replace("asthma", "flu").replace("angina", "flu");
    let (mut session, page) = (Session::default(), Page::default());
    session.handle(1, open(), Some(&mut Cursor::new(skewed)), Vec::new(), &page);
    let settings = Settings { eligibility: lookalike_model::settings::Repair::Add, ..settings(1.0, Some(7)) };
    ask(&mut session, &page, anonymize(settings));
    work(&mut session, &page);
    assert!(page.finished().0.report.changes.counterfeits > 0);
    assert_eq!(file_of(&page, FileKind::Certificate), None);
}

/// A worker's bound is checked by its duals, and one that is false is no answer.
#[test]
fn the_bound_of_a_worker_is_checked_by_its_duals() {
    let (mut session, page) = opened();
    ask(
        &mut session,
        &page,
        for_worker(Settings { model: Model::KAnonymity { k: 3 }, ..settings(1.0, Some(3)) }),
    );
    work(&mut session, &page);
    let (Response::Prepared, bulk) = page.last() else { panic!("{:?}", page.last()) };
    let job: Job = serde_json::from_slice(&bulk[0]).unwrap();
    let answer = solve::solve(&job, &lookalike_model::Ctx::silent()).unwrap();
    let apply = |session: &mut Session, answer: &Answer| {
        let sent = Sent::one(String::from("http://w"), String::from("2026-05-01T14:02:00Z"), 9);
        let bare = Box::new(Answer { labels: Vec::new(), ..answer.clone() });
        if session.handle(
            1,
            Request::Apply { answer: bare, sent: Some(sent) },
            None,
            answer.labels.clone(),
            &page,
        ) {
            work(session, &page);
        }
    };
    let mut lie = answer.clone();
    lie.duals.as_mut().unwrap().values.iter_mut().for_each(|dual| *dual *= 1.5);
    apply(&mut session, &lie);
    assert!(page.failure().contains("duals that are to prove its bound are false"), "{}", page.failure());
    apply(&mut session, &answer);
    let report = page.finished().0.report;
    let bound = report.bound.as_ref().expect("a bound");
    let said = bound.proven_by.to_string();
    assert!(said.contains("checked on this machine") && bound.value > 0.0, "{said}");
    assert!(bound.value <= answer.bound.unwrap().value * (1.0 + 1e-9));
    assert!(file_of(&page, FileKind::Certificate).is_some());
}

/// What the search beside the engine found for a run that another one has replaced is nobody's.
#[test]
fn an_answer_belongs_to_the_run_that_it_was_found_for() {
    let (mut session, page) = opened();
    assert!(session.handle(1, anonymize(settings(1.0, Some(3))), None, Vec::new(), &page));
    session.step(&page);
    let old = beside::read(&session.take_job().expect("a job")).expect("a job");
    let found = solve::solve(&old, &lookalike_model::Ctx::silent()).expect("it can be solved");
    // The same settings: the old answer would fit.
    assert!(session.handle(2, anonymize(settings(1.0, Some(3))), None, Vec::new(), &page));
    session.step(&page);
    assert!(session.take_job().is_some());
    let apply = |id, session: &mut Session| {
        let answer = Box::new(Answer { labels: Vec::new(), ..found.clone() });
        session.handle(id, Request::Apply { answer, sent: None }, None, found.labels.clone(), &page)
    };
    assert!(!apply(1, &mut session));
    assert!(page.failure().contains("no job"), "{}", page.failure());
    assert!(apply(2, &mut session));
    session.step(&page);
    assert!(page.finished().0.report.audit.passed);
}

#[test]
fn what_cannot_be_done_is_said() {
    let (mut session, page) = (Session::default(), Page::default());
    assert!(!ask(&mut session, &page, anonymize(settings(1.0, None))));
    assert!(page.failure().contains("no table is open"));
    assert!(!session.handle(1, open(), Some(&mut Cursor::new(" \n")), Vec::new(), &page));
    assert!(page.failure().contains("empty"), "{}", page.failure());

    let (mut session, page) = opened();
    let answer = Answer {
        freeform: None,
        full_domain: None,
        coarser: Vec::new(),
        labels: Vec::new(),
        loss: 0.0,
        status: Status::EffortSpent,
        bound: None,
        claimed: None,
        method: Said::default(),
        parameters: std::collections::BTreeMap::new(),
        moves: 0,
        threads: 1,
        seconds: 0.0,
        work: None,
        duals: None,
    };
    assert!(!ask(&mut session, &page, Request::Apply { answer: Box::new(answer), sent: None }));
    assert!(page.failure().contains("no job"));
    let unknown = Settings { quasi: vec![String::from("height")], ..settings(1.0, None) };
    assert!(ask(&mut session, &page, anonymize(unknown)));
    work(&mut session, &page);
    assert!(page.failure().contains("height"), "{}", page.failure());
    // The open table is still there.
    assert!(ask(&mut session, &page, anonymize(settings(0.0, None))));
    work(&mut session, &page);
    assert!(page.finished().0.report.audit.passed);
}

#[test]
fn a_file_that_cannot_be_read_leaves_the_open_table() {
    let (mut session, page) = opened();
    session.handle(1, open(), Some(&mut Cursor::new("")), Vec::new(), &page);
    page.failure();
    ask(&mut session, &page, anonymize(settings(0.0, None)));
    work(&mut session, &page);
    assert_eq!(page.finished().0.report.input.rows, 60);
}

fn of(name: &str) -> HierarchyOf {
    HierarchyOf { name: name.to_owned(), markers: vec![String::new()], ..HierarchyOf::default() }
}

#[test]
fn hierarchies_are_made_checked_and_written() {
    let (mut session, page) = opened();
    let made = |page: &Page| match page.last().0 {
        Response::Hierarchy { made, .. } => made,
        other => panic!("no hierarchy: {other:?}"),
    };
    let generator = Some(String::from("interval:10,2"));
    ask(&mut session, &page, Request::Hierarchy { column: of("age"), generator });
    let rows = made(&page).expect("ages are numbers");
    assert_eq!((rows.len(), &rows[0][..2]), (60, &[String::from("20"), String::from("[20-29]")][..]));
    ask(&mut session, &page, Request::ExportHierarchy { rows: rows.clone() });
    let (response, bulk) = page.last();
    assert_eq!(response, Response::Written);
    let import = Request::Hierarchy { column: of("age"), generator: None };
    session.handle(1, import, Some(&mut Cursor::new(&bulk[0])), Vec::new(), &page);
    assert_eq!(made(&page), Ok(rows));
    // A value that the file lacks is named, with its rows.
    let import = Request::Hierarchy { column: of("diagnosis"), generator: None };
    let file = b"flu;infection;*\nasthma;lung;*\nangina;heart;*\ngout;joint;*\n".to_vec();
    session.handle(1, import, Some(&mut Cursor::new(file)), Vec::new(), &page);
    let why = made(&page).expect_err("eczema is missing").to_string();
    assert!(why.contains("'eczema'") && why.contains("rows 5, 10"), "{why}");
    let generator = Some(String::from("spiral"));
    ask(&mut session, &page, Request::Hierarchy { column: of("age"), generator });
    assert!(made(&page).expect_err("no such generator").to_string().contains("\"spiral\""));
}

#[test]
fn values_of_a_column_are_sorted_and_none_is_missing() {
    let (mut session, page) = opened();
    let request =
        |column: &str| Request::Values { column: column.to_owned(), markers: vec![String::from("flu")] };
    ask(&mut session, &page, request("diagnosis"));
    let values = Ok(["angina", "asthma", "eczema", "gout"].map(String::from).to_vec());
    assert_eq!(page.last().0, Response::Values { column: String::from("diagnosis"), values });
    ask(&mut session, &page, request("height"));
    assert!(
        matches!(page.last().0, Response::Values { values: Err(why), .. } if why.to_string().contains("height"))
    );
}

#[test]
fn plain_text_is_read_here_and_its_form_is_said_first() {
    let (mut session, page) = (Session::default(), Page::default());
    let how = Opening { pad: true, ..Opening::default() };
    let open = Request::Open { table: OpenAs::Table, how };
    session.handle(1, open, Some(&mut Cursor::new("a;b\n1;2\n3\n")), Vec::new(), &page);
    assert!(!session.wants_import(1));
    let sent = page.sent.borrow();
    let [(Response::Found { form, .. }, _), (Response::Opened { info: Ok(table), .. }, _)] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!((form.delimiter, form.encoding.as_deref(), &form.packing), (';', Some("UTF-8"), &None));
    assert_eq!((table.rows, table.columns.len(), table.warnings.len()), (2, 2, 1));
}

/// The import module's part is played here.
#[test]
fn what_is_no_plain_text_comes_through_the_import_module() {
    let (mut session, page) = opened();
    let begin = |session: &mut Session| {
        let before = page.sent.borrow().len();
        session.handle(1, open(), Some(&mut Cursor::new(b"caf\xe9;1\n")), Vec::new(), &page);
        assert!(session.wants_import(1) && page.sent.borrow().len() == before, "nothing is said yet");
    };
    let form = Form { delimiter: ';', quote: QuoteMark::Single, ..Form::default() };
    let told = |error: Option<&str>| AfterReading {
        error: error.map(Said::verbatim),
        offered: None,
        members: Vec::new(),
        tables: false,
        notes: vec![Said::verbatim("encoding: windows-1252")],
        described: Vec::new(),
        warnings: vec![Said::verbatim("odd")],
    };
    let opened_last = || match page.last().0 {
        Response::Opened { info: Ok(table), .. } => table,
        other => panic!("not opened: {other:?}"),
    };
    begin(&mut session);
    // Another encoding is tried after the first.
    assert!(session.read_text(1, &form, &mut &b"a;b\n1;\xe9\n"[..], &page));
    assert!(!session.read_text(1, &form, &mut "a;b\n'1;2';é\n".as_bytes(), &page));
    session.finish_import(1, told(None), &page);
    assert!(!session.wants_import(1));
    let table = opened_last();
    assert_eq!(
        (&table.preview[0][..], &table.warnings[..]),
        (&["1;2".into(), "é".into()][..], &[Said::verbatim("odd")][..])
    );

    // The engine's own error, and the module's, which goes first: it is the cause.
    begin(&mut session);
    assert!(!session.read_text(1, &form, &mut &b"a;b\n1\n"[..], &page));
    session.finish_import(1, told(None), &page);
    assert!(page.failure().contains("row 1"), "{}", page.failure());
    begin(&mut session);
    session.read_text(1, &form, &mut &b"a;b\n1\n"[..], &page);
    session.finish_import(1, told(Some("damaged")), &page);
    assert_eq!(page.failure(), "damaged");
    begin(&mut session);
    session.finish_import(1, told(None), &page);
    assert!(page.failure().contains("open it again"));
    // The open table is still there, with what was found out about it.
    let quasi = Settings {
        quasi: vec![String::from("a")],
        sensitive: Some(String::from("b")),
        ..settings(0.0, None)
    };
    let quasi = Settings { model: Model::KAnonymity { k: 2 }, ..quasi };
    ask(&mut session, &page, anonymize(quasi));
    work(&mut session, &page);
    assert!(!page.failure().contains("no table"), "{}", page.failure());
}

/// What is said of each number, and of how many rows, until the estimates are over; `between` happens before each answer to a job.
fn estimated(
    session: &mut Session,
    page: &Page,
    (settings, numbers): (Settings, Vec<u32>),
    between: impl Fn(&mut Session),
) -> Vec<(u32, Result<f64, Said>, usize)> {
    page.sent.borrow_mut().clear();
    let request = Request::Estimate { settings: Box::new(settings), numbers };
    let mut due = session.handle(7, request, None, Vec::new(), page);
    while due {
        session.step_estimate(page);
        let Some(job) = session.take_estimate_job() else { break };
        let job = beside::read(&job).expect("a job");
        let answer = solve::solve(&job, &lookalike_model::Ctx::silent()).expect("it can be solved");
        between(session);
        let (labels, answer) = (answer.labels.clone(), Answer { labels: Vec::new(), ..answer });
        let apply = Request::Apply { answer: Box::new(answer), sent: None };
        due = session.handle(7, apply, None, labels, page);
    }
    let sent = page.sent.borrow();
    let told = sent.iter().filter_map(|(response, _)| match response {
        Response::Estimated { number, loss, of_rows, .. } => Some((*number, loss.clone(), *of_rows)),
        _ => None,
    });
    told.collect()
}

/// Settings of the short search that an estimate makes.
fn as_estimated(m: usize) -> Settings {
    Settings {
        model: Model::MInvariance { m },
        bound: lookalike_model::settings::BoundWork::Off,
        ..settings(0.3, Some(7))
    }
}

/// A table that is its own sample loses what a run with the same search loses; what no run can do is told in its words.
#[test]
fn an_estimate_of_a_small_table_is_the_loss_of_its_run() {
    let (mut session, page) = opened();
    // Neither effort nor method of the settings matter.
    let asked = (settings(50.0, Some(7)), vec![2, 6, 4]);
    let told = estimated(&mut session, &page, asked, |_| ());
    let sent = page.sent.borrow().clone();
    let (last, others) = sent.split_last().expect("something was sent");
    assert!(last.0.is_last() && others.iter().all(|(response, _)| !response.is_last()));
    assert_eq!(told.iter().map(|told| (told.0, told.2)).collect::<Vec<_>>(), [(2, 60), (6, 60), (4, 60)]);
    for (m, loss) in [(2, &told[0].1), (4, &told[2].1)] {
        let (finished, _) = run(as_estimated(m));
        assert_eq!(*loss, Ok(finished.report.utility.gcp_mean.expect("ranges can be measured")));
    }
    ask(&mut session, &page, anonymize(as_estimated(6)));
    work(&mut session, &page);
    assert_eq!(told[1].1.as_ref().unwrap_err().to_string(), page.failure());

    let (mut session, page) = (Session::default(), Page::default());
    let told = estimated(&mut session, &page, (settings(1.0, None), vec![2, 3]), |_| ());
    assert!(told.len() == 2 && told.iter().all(|(_, loss, _)| loss.is_err()), "no table is open");
}

/// Ages as means have no certainty penalty: names alone have one, which is not that of the table.
#[test]
fn an_estimate_is_of_all_columns_or_there_is_none() {
    let (mut session, page) = opened();
    let means = Settings {
        quasi: vec![String::from("name"), String::from("age")],
        publish: lookalike_model::settings::Publish::Centroid,
        ..settings(1.0, Some(7))
    };
    let told = estimated(&mut session, &page, (means, vec![2, 6]), |_| ());
    let ids: Vec<&str> = told.iter().map(|told| told.1.as_ref().map_or_else(Said::id, |_| "")).collect();
    assert_eq!(ids[0], "core.NoEstimate.NotMeasurable");
    assert!(ids.len() == 2 && !ids[1].starts_with("core.NoEstimate"), "6 is not possible: {ids:?}");
}

/// A run is as if there had been no estimates, and whatever comes later ends these without a word.
#[test]
fn estimates_disturb_no_run_and_end_with_it() {
    let expected = run(settings(1.0, Some(7))).1;
    let (mut session, page) = opened();
    let began = |session: &mut Session| {
        assert!(ask(session, &page, anonymize(settings(1.0, Some(7)))));
    };
    let told = estimated(&mut session, &page, (settings(1.0, Some(7)), vec![2, 3]), began);
    assert_eq!(told, []);
    assert!(session.take_estimate_job().is_none());
    work(&mut session, &page);
    assert_eq!(page.finished().1[..2], expected[..2]);
    // After a run its result stays.
    let told = estimated(&mut session, &page, (settings(1.0, Some(7)), vec![2, 3]), |_| ());
    assert_eq!(told.len(), 2);
    ask(&mut session, &page, Request::Rows { from: 0, count: 1, order: RowOrder::File });
    assert!(matches!(page.last().0, Response::Rows { .. }));
    for ends in [open(), Request::Stop] {
        let ended = |session: &mut Session| {
            session.handle(9, ends.clone(), Some(&mut Cursor::new(table())), Vec::new(), &page);
        };
        let told = estimated(&mut session, &page, (settings(1.0, Some(7)), vec![2, 3]), ended);
        assert_eq!(told, []);
    }
}
