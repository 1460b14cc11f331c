//! Checks of published tables and configuration files, without a browser.

#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::{cell::RefCell, io::Cursor};

use lookalike_core::{audit::attacks::Attacks, pipeline::anonymize, table};
use lookalike_engine::session::{Host, Session, Source};
use lookalike_model::{
    Ctx,
    comparison::{Likeness, Only},
    lines::text,
    rule::Share,
    settings::{Budget, Model, QuasiSet, Repair, Sample, Settings, ValueCondition},
    statement::Criterion,
};
use lookalike_wire::{
    check::{
        AttackSettings, CheckSettings, Checked, CheckedTable, ColumnConditions, Fakes, Notion, Promised,
    },
    config::{Note, Reading},
    opening::{self, Form, Opening},
    page::{Configured, OpenAs, Request, Response},
    series::{SeriesCheck, SeriesFile, SeriesQuestion},
};
use lookalike_words::Said;

/// 60 records; ages spread out, five diagnoses in turn.
fn csv() -> String {
    let diagnoses = ["flu", "asthma", "angina", "gout", "eczema"];
    (0..60).fold(String::from("name,age,diagnosis\n"), |csv, i| {
        csv + &format!("P{i},{},{}\n", 20 + (i * 37) % 61, diagnoses[i % 5])
    })
}

fn settings() -> Settings {
    Settings {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("diagnosis")),
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(7),
        ..Settings::of(Model::MInvariance { m: 3 })
    }
}

/// Records what is told.
#[derive(Default)]
struct Page(RefCell<Vec<(Response, Option<Vec<u8>>)>>);

impl Host for Page {
    fn post(&self, id: u32, response: Response, bulk: Vec<Vec<u8>>) {
        assert_eq!(id, ID, "an answer has the number of its request");
        self.0.borrow_mut().push((response, bulk.into_iter().next()));
    }

    fn now(&self) -> f64 {
        0.0
    }

    fn date(&self) -> String {
        String::new()
    }

    fn entropy(&self) -> Result<u64, lookalike_words::Said> {
        Err(lookalike_words::Said::verbatim("not here"))
    }
}

/// Number of every request.
const ID: u32 = 7;

/// All answers to a question about these bytes.
fn ask(session: &mut Session, ask: Request, file: Option<&[u8]>) -> Vec<(Response, Option<Vec<u8>>)> {
    let page = Page::default();
    let mut file = file.map(Cursor::new);
    assert!(!session.handle(ID, ask, file.as_mut().map(|file| file as &mut dyn Source), Vec::new(), &page));
    page.0.take()
}

/// The only answer.
fn answer(session: &mut Session, question: Request, file: Option<&[u8]>) -> (Response, Option<Vec<u8>>) {
    let mut told = ask(session, question, file);
    assert_eq!(told.len(), 1, "{told:?}");
    told.remove(0)
}

fn load(text: &str) -> Result<Configured, String> {
    let columns = ["name", "age", "diagnosis"].map(String::from).to_vec();
    match answer(&mut Session::default(), Request::LoadConfig { columns }, Some(text.as_bytes())) {
        (Response::Configured { configured }, None) => {
            configured.map(|configured| *configured).map_err(|why| why.to_string())
        }
        other => panic!("not configured: {other:?}"),
    }
}

#[test]
fn a_configuration_goes_out_and_comes_back() {
    let save = Request::SaveConfig {
        settings: Box::new(settings()),
        identifiers: vec![String::from("name")],
        reading: Reading::default(),
    };
    let (told, bytes) = answer(&mut Session::default(), save, None);
    assert_eq!(told, Response::Written);
    let back = load(&String::from_utf8(bytes.expect("a file")).expect("text")).expect("it was just written");
    assert_eq!(back.settings, Settings { seed: None, ..settings() });
    assert_eq!((back.identifiers, back.notes), (vec![String::from("name")], vec![]));
}

#[test]
fn a_file_for_another_table_is_refused_and_what_is_open_is_said() {
    let why = load(r#"{"fields": [{"name": "agee", "lookalike": {"role": "keep"}}]}"#);
    assert!(why.as_ref().expect_err("no such column").contains("\"agee\" (near: \"age\")"), "{why:?}");
    assert!(load("[]").is_err() && load("{").is_err());
    let open = load(r#"{"fields": [{"name": "age", "lookalike": {"role": "quasi-identifier"}}]}"#);
    let open = open.expect("it may leave much open");
    assert_eq!((open.settings.quasi, open.notes.len()), (vec![String::from("age")], 1));
    // Two of a kind have one field: without one of them less would hold than the file says.
    let conditions = |list: &str| {
        load(&format!(
            r#"{{"fields": [], "lookalike": {{"model": {{"name": "k-anonymity", "k": 5}}, "conditions": [{list}]}}}}"#
        ))
    };
    let (equal, ordered) = (
        r#"{"name": "t-closeness", "t": 0.2}"#,
        r#"{"name": "t-closeness", "t": 0.3, "distance": "ordered"}"#,
    );
    let both = conditions(&format!("{equal}, {ordered}")).expect("a field each");
    assert_eq!(both.settings.conditions.len(), 2);
    assert!(conditions(&format!("{equal}, {equal}")).expect_err("one field").contains("command line"));
    // A hierarchy in a file of its own cannot be read from here.
    let linked = load(
        r#"{"fields": [{"name": "age", "lookalike": {"hierarchy": {"file": "age.csv"}}}],
            "lookalike": {"model": {"name": "k-anonymity", "k": 5}}}"#,
    )
    .expect("the rest is taken over");
    assert!(linked.settings.hierarchies.is_empty());
    let note = Note::HierarchyInFile { column: "age".into(), file: "age.csv".into() };
    assert_eq!(linked.notes[0], note.into());
}

fn asked(k: usize) -> CheckSettings {
    CheckSettings {
        quasi: vec![String::from("age")],
        sensitive: Some(String::from("diagnosis")),
        categories: Vec::new(),
        k: Some(k),
        diversity: None,
        closeness: None,
        m: Some(3),
        conditions: Vec::new(),
        sets: Vec::new(),
        sample: Sample::default(),
        notions: Vec::new(),
        missing_as_value: false,
        population: None,
        repair: Repair::Error,
        fakes: Fakes::Rarest,
        counterfeits: None,
        deletions: None,
        person: None,
        attacks: None,
    }
}

fn judged(session: &mut Session, asked: CheckSettings) -> Result<Checked, lookalike_words::Said> {
    match answer(session, Request::Check { asked: Box::new(asked) }, None) {
        (Response::Checked { checked }, None) => checked.map(|checked| *checked),
        other => panic!("not checked: {other:?}"),
    }
}

fn check(session: &mut Session, k: usize) -> Result<Checked, lookalike_words::Said> {
    judged(session, asked(k))
}

fn open(part: CheckedTable) -> Request {
    Request::Open { table: OpenAs::Check(part), how: Opening::default() }
}

/// Rows of the table that was read, after its form was told.
fn rows(told: &[(Response, Option<Vec<u8>>)], expected: CheckedTable) -> usize {
    match told {
        [
            (Response::Found { table: found, .. }, None),
            (Response::Opened { table: opened, info: Ok(table) }, None),
        ] => {
            let expected = OpenAs::Check(expected);
            assert_eq!((*found, *opened), (expected, expected));
            table.rows
        }
        other => panic!("not opened: {other:?}"),
    }
}

#[test]
fn a_published_table_is_checked_with_and_without_its_original() {
    let table = table::read(csv().as_bytes(), &table::ReadOptions::default()).expect("a table");
    let outcome = anonymize(&table, &settings(), &Ctx::silent()).expect("it can be anonymized");
    let mut session = Session::default();
    assert!(
        check(&mut session, 3).expect_err("nothing is open").to_string().contains("open the published table")
    );
    let told = ask(&mut session, open(CheckedTable::Published), Some(&outcome.published));
    assert_eq!(rows(&told, CheckedTable::Published), 60);
    // What holds against the original needs it.
    let against = CheckSettings { notions: Notion::ALL.to_vec(), ..asked(2) };
    assert!(
        judged(&mut session, against.clone())
            .expect_err("no original")
            .to_string()
            .contains("need the original")
    );
    let told = ask(&mut session, open(CheckedTable::Original), Some(csv().as_bytes()));
    assert_eq!(rows(&told, CheckedTable::Original), 60);
    let found = judged(&mut session, against).expect("it is there now");
    assert!(text(&found.lines).contains("(2,2)-anonymity, against the original"), "{}", text(&found.lines));
    assert!(
        found
            .audit
            .checks
            .iter()
            .any(|check| check.name.to_string() == "2-concealment, against the original")
    );
    let told = ask(&mut session, open(CheckedTable::Classes), Some(&outcome.classes));
    assert_eq!(rows(&told, CheckedTable::Classes), 60);
    let found = check(&mut session, 3).expect("the table is ours");
    assert!(found.audit.passed, "{}", text(&found.lines));
    assert!(text(&found.lines).contains("against the original: 60 rows published"), "{}", text(&found.lines));
    // Another published table forgets them.
    ask(&mut session, open(CheckedTable::Published), Some(&outcome.published));
    let found = check(&mut session, 61).expect("it can be asked");
    assert!(
        !found.audit.passed && text(&found.lines).contains("FAILS  61-anonymity"),
        "{}",
        text(&found.lines)
    );
    assert!(!text(&found.lines).contains("against the original"), "{}", text(&found.lines));
    assert!(check(&mut session, 1).is_err());
    let told = ask(&mut session, open(CheckedTable::Published), Some(b""));
    assert!(matches!(told.last(), Some((Response::Opened { info: Err(_), .. }, None))), "{told:?}");
}

/// Conditions on several columns, sets and weights are judged as on the command line, and each has its answer.
#[test]
fn conditions_sets_and_weights_are_judged() {
    let mut session = Session::default();
    let rows = b"age,sex,weight,diagnosis,pay\n20,f,10,flu,1\n20,f,10,flu,9\n20,m,10,gout,9\n20,m,10,flu,5\n";
    ask(&mut session, open(CheckedTable::Published), Some(rows));
    let share = |x: f64| Share::try_from(x).expect("a share");
    let of = |column: &str, conditions: Vec<ValueCondition>| ColumnConditions {
        column: column.into(),
        conditions,
        order: Vec::new(),
    };
    let set = |columns: &[&str], k| {
        let columns = columns.iter().map(|name| String::from(*name)).collect();
        QuasiSet { columns, k }
    };
    let asked = CheckSettings {
        quasi: ["age", "sex"].map(String::from).to_vec(),
        m: None,
        conditions: vec![
            of("diagnosis", vec![ValueCondition::Frequency { alpha: share(0.5) }]),
            of("pay", vec![ValueCondition::Spread { least: share(0.5) }]),
        ],
        sets: vec![set(&["age"], 4), set(&["sex"], 3)],
        sample: Sample { weight: Some("weight".into()), household: None },
        ..asked(2)
    };
    let found = judged(&mut session, asked).expect("it can be asked");
    let told: Vec<(bool, usize)> = found.answers.iter().map(|answer| (answer.holds, answer.broken)).collect();
    // k; the sets; both women have flu; the pay of each group spans half of all.
    assert_eq!(told, [(true, 0), (true, 0), (false, 2), (false, 1), (true, 0)], "{}", text(&found.lines));
    let Promised::Condition { column, wanted } = &found.answers[3].promise else { panic!("a condition") };
    assert_eq!(
        (column.as_str(), wanted.to_string().as_str()),
        ("diagnosis", "no value with a share above 0.5")
    );
    assert!(text(&found.lines).contains("the records stand for 40.0 people"), "{}", text(&found.lines));
}

#[test]
fn persons_with_several_rows_are_counted_by_their_key() {
    let mut session = Session::default();
    ask(
        &mut session,
        open(CheckedTable::Published),
        Some(b"class,age,diagnosis\n1,[30-40],flu\n1,[30-40],gout\n1,[30-40],cold\n"),
    );
    let asked = || CheckSettings { m: None, person: Some(String::from("patient")), ..asked(2) };
    let counted = "counted in people";
    let without = text(&judged(&mut session, asked()).expect("it can be checked").lines);
    assert!(!without.contains(counted), "{without}");
    ask(
        &mut session,
        open(CheckedTable::Original),
        Some(b"patient,age,diagnosis\nA,30,flu\nB,40,gout\na,31,cold\n"),
    );
    ask(&mut session, open(CheckedTable::Classes), Some(b"row,class\n0,1\n1,1\n2,1\n"));
    let two = judged(&mut session, asked()).expect("it can be checked");
    assert!(two.audit.passed && text(&two.lines).contains("2 people"), "{}", text(&two.lines));
    assert_eq!(two.persons.map(|persons| (persons.count, persons.least)), Some((2, 2)));
    assert!(two.answers[0].holds);
    let three = CheckSettings { k: Some(3), ..asked() };
    let three = judged(&mut session, three).expect("it can be checked");
    assert_eq!((three.answers[0].holds, three.answers[0].broken), (false, 0), "rows would be enough");
    let told = text(&three.lines);
    assert!(told.contains("FAILS"), "three rows are of two people: {told}");
}

#[test]
fn only_what_was_asked_is_answered() {
    let mut session = Session::default();
    // A group of three, one of two, and a row alone; the class of the second is published differently.
    let csv = b"class,age,diagnosis\n1,[20-30],flu\n1,[20-30],gout\n1,[20-30],cold\n2,[40-50],flu\n2,[40-51],flu\n3,70,gout\n";
    ask(&mut session, open(CheckedTable::Published), Some(csv));
    let found = judged(&mut session, CheckSettings { m: Some(2), ..asked(3) }).expect("it can be asked");
    let answers: Vec<_> = found.answers.iter().map(|a| (a.promise.clone(), a.holds, a.broken)).collect();
    assert_eq!(
        answers,
        [(Promised::KAnonymity(3), false, 3), (Promised::MUniqueness(2), false, 3)],
        "three groups are smaller than 3, and as many than 2 or of one value"
    );
    assert_eq!((found.misfits, found.persons), (1, None), "the rows of a class are published differently");
    let good = judged(&mut session, CheckSettings { m: None, ..asked(2) }).expect("it can be asked");
    assert_eq!(good.answers.len(), 1);
    assert_eq!((good.answers[0].holds, good.answers[0].broken), (false, 3));
}

#[test]
fn rows_of_the_published_table_are_shown_beside_the_open_one() {
    let mut session = Session::default();
    ask(&mut session, open(CheckedTable::Published), Some(b"age\n[1-2]\n[1-2]\n3\n"));
    let window = |session: &mut Session, quasi: &[&str], only| {
        let by = Likeness { quasi: quasi.iter().map(|name| String::from(*name)).collect(), person: None };
        let table = OpenAs::Check(CheckedTable::Published);
        let request = Request::Table { table, from: 0, count: 10, by, only };
        match answer(session, request, None) {
            (Response::Table { table: of, rows, .. }, None) if of == table => rows,
            other => panic!("no rows: {other:?}"),
        }
    };
    let all = window(&mut session, &["age"], Only::All).expect("rows");
    assert_eq!(all.rows.iter().map(|row| row.alike).collect::<Vec<_>>(), [2, 2, 1]);
    assert_eq!(window(&mut session, &["age"], Only::Alone).expect("rows").total, 1);
    assert!(window(&mut session, &["height"], Only::All).is_err());
    // Another table has other groups.
    ask(&mut session, open(CheckedTable::Published), Some(b"age\n3\n"));
    assert_eq!(window(&mut session, &["age"], Only::All).expect("rows").total, 1);
}

/// Twenty people, no two of one age.
fn twenty(from: usize) -> String {
    let illnesses = ["flu", "gout", "cold"];
    (from..from + 20).fold(String::from("age,ward,illness\n"), |csv, i| {
        csv + &format!("{i},{},{}\n", ["A", "B"][i % 2], illnesses[i * i % 7 % 3])
    })
}

/// A table that is published as it is: each age singles out one person, and the nearest row is the person's.
#[test]
fn attacks_are_tried_with_the_original_and_with_the_control_if_there_is_one() {
    let usual = Attacks::default();
    let told = AttackSettings { secret: None, number: usual.attacks, seed: usual.seed };
    assert_eq!(AttackSettings::default(), told, "the page says the numbers of the command line");
    let mut session = Session::default();
    let asked = |attacks| CheckSettings {
        quasi: ["age", "ward"].map(String::from).to_vec(),
        sensitive: Some(String::from("illness")),
        m: None,
        attacks: Some(attacks),
        ..asked(2)
    };
    ask(&mut session, open(CheckedTable::Published), Some(twenty(30).as_bytes()));
    let why = judged(&mut session, asked(told.clone())).expect_err("there is no original");
    assert!(why.to_string().contains("need the original"), "{why}");
    ask(&mut session, open(CheckedTable::Original), Some(twenty(30).as_bytes()));
    let alone = judged(&mut session, asked(told.clone())).expect("it can be checked");
    let tried = alone.attacks.as_ref().expect("they were asked for");
    let inferred = tried.results.last().expect("four attacks");
    assert_eq!((tried.results.len(), inferred.criterion), (4, Criterion::Inference));
    assert_eq!((inferred.main.attacks, inferred.main.successes, inferred.asked), (20, 20.0, 500));
    assert!(inferred.control.is_none() && inferred.residual_risk.is_none() && tried.control_rows.is_none());
    for words in &tried.words {
        assert!(text(&alone.lines).contains(&words.to_string()), "{words}");
    }
    assert!(text(&alone.lines).contains("there is no control"), "{}", text(&alone.lines));
    // What succeeds on the same people succeeds on the control alike: nothing is left.
    ask(&mut session, open(CheckedTable::Control), Some(twenty(30).as_bytes()));
    let same =
        judged(&mut session, asked(told.clone())).expect("it can be checked").attacks.expect("asked for");
    let inferred = same.results.last().expect("four attacks");
    assert_eq!((same.control_rows, inferred.residual_risk.map(|risk| risk.value)), (Some(20), Some(0.0)));
    let other = AttackSettings { secret: Some(String::from("ward")), number: 7, seed: 2 };
    let other = judged(&mut session, asked(other)).expect("it can be checked").attacks.expect("asked for");
    assert_eq!((other.secret.as_deref(), other.seed), (Some("ward"), 2));
    assert!(other.results.iter().all(|tried| tried.asked == 7));
    // A control without a column that attackers know is refused; another published table forgets it.
    ask(&mut session, open(CheckedTable::Control), Some(b"age,illness\n1,flu\n"));
    assert!(judged(&mut session, asked(told.clone())).is_err());
    ask(&mut session, open(CheckedTable::Published), Some(twenty(30).as_bytes()));
    ask(&mut session, open(CheckedTable::Original), Some(twenty(30).as_bytes()));
    let again = judged(&mut session, asked(told)).expect("it can be checked");
    assert_eq!(again.attacks.as_ref(), Some(tried));
}

#[test]
fn labels_of_a_hierarchy_are_measured_once_it_is_read() {
    let mut session = Session::default();
    let published = b"zip,illness\n2207*,flu\n2207*,gout\n2208*,flu\n2208*,gout\n";
    let told = ask(&mut session, open(CheckedTable::Published), Some(published));
    assert_eq!(rows(&told, CheckedTable::Published), 4);
    let asked = || CheckSettings {
        quasi: vec![String::from("zip")],
        sensitive: Some(String::from("illness")),
        m: None,
        ..asked(2)
    };
    let column = || String::from("zip");
    let without = text(&judged(&mut session, asked()).expect("it can be checked").lines);
    let tree = b"22071;2207*;*\n22072;2207*;*\n22081;2208*;*\n22082;2208*;*\n";
    let (told, _) = answer(&mut session, Request::CheckHierarchy { column: column() }, Some(tree));
    assert_eq!(told, Response::CheckHierarchy { column: column(), values: Ok(4) });
    let with = text(&judged(&mut session, asked()).expect("it can be checked").lines);
    assert!(without.contains("zip: not measurable") && with.contains("zip: NCP 0."), "{without}{with}");
    let (told, _) =
        answer(&mut session, Request::CheckHierarchy { column: column() }, Some(b"22071;a\n22071;b\n"));
    assert!(matches!(told, Response::CheckHierarchy { values: Err(_), .. }), "{told:?}");
    answer(&mut session, Request::CheckHierarchy { column: column() }, Some(tree));
    let (told, _) = answer(&mut session, Request::CheckHierarchy { column: column() }, None);
    assert_eq!(told, Response::CheckHierarchy { column: column(), values: Ok(0) });
    assert_eq!(text(&judged(&mut session, asked()).expect("it can be checked").lines), without);
}

/// The import module's part is played here.
#[test]
fn what_is_no_plain_text_comes_through_the_import_module() {
    let mut session = Session::default();
    let told = ask(&mut session, open(CheckedTable::Published), Some(b"PK\x03\x04"));
    assert!(told.is_empty() && session.wants_import(ID));
    let page = Page::default();
    let form = Form { delimiter: ';', ..Form::default() };
    assert!(!session.read_text(ID, &form, &mut &b"age;diagnosis\n1;flu\n"[..], &page));
    session.finish_import(ID, opening::AfterReading::default(), &page);
    assert!(!session.wants_import(ID));
    assert_eq!(rows(&page.0.take(), CheckedTable::Published), 1);
    // An archive that does not say which file is meant.
    ask(&mut session, open(CheckedTable::Published), Some(b"PK\x03\x04"));
    let members = ["a.csv", "b.csv"].map(String::from).to_vec();
    let why = Some(Said::verbatim("2 files"));
    session.finish_import(
        ID,
        opening::AfterReading { error: why, members: members.clone(), ..opening::AfterReading::default() },
        &page,
    );
    let told = page.0.take();
    let [(Response::Found { form, .. }, _), (Response::Opened { info: Err(why), .. }, _)] = &told[..] else {
        panic!("{told:?}")
    };
    assert_eq!((&form.members, why.to_string().as_str()), (&members, "2 files"));
}

/// Two releases of a series with the ledger after them, and the tables that they were made of.
fn series() -> ([Vec<u8>; 2], [String; 2], Vec<u8>) {
    use lookalike_core::{
        pipeline::finish,
        republish::{
            series::{Options, prepare},
            ways::Way,
        },
    };
    use lookalike_optimize::solve::solve;
    let all = csv();
    let (header, rows) = all.split_once('\n').expect("a header");
    let rows: Vec<&str> = rows.lines().collect();
    let sources = [&rows[..50], &rows[10..]].map(|rows| format!("{header}\n{}\n", rows.join("\n")));
    let settings = Settings { eligibility: Repair::Add, ..settings() };
    let (mut ledger, ctx) = (None, Ctx::silent());
    let releases = sources.each_ref().map(|source| {
        let table = table::read(source.as_bytes(), &table::ReadOptions::default()).expect("a table");
        let (id, mode) = (String::from("name"), lookalike_model::ledger::Mode::TauSafety);
        let signatures = lookalike_model::ledger::Signatures::Free;
        let options = Options {
            id,
            mode,
            ledger: ledger.take(),
            signatures,
            exact_names: false,
            key: None,
            vacancies: None,
            way: Way::Fewest,
            more: 0,
        };
        let prepared = prepare(&table, &settings, &options, &ctx).expect("prepared");
        let outcome = finish(&table, &prepared, &solve(prepared.job(), &ctx).expect("solved"), &ctx);
        let outcome = outcome.expect("finished");
        ledger = outcome.ledger;
        outcome.published
    });
    let ledger = lookalike_wire::ledger::write(&ledger.expect("a ledger")).expect("written");
    (releases, sources, ledger)
}

#[test]
fn a_series_is_judged_by_its_ledger_or_its_sources() {
    let (releases, sources, ledger) = series();
    let judge_of = |files: &[(SeriesFile, &str, &[u8])], question: Option<SeriesQuestion>, who: &[&str]| {
        let mut session = Session::default();
        assert!(ask(&mut session, Request::CheckSeries { ask: SeriesCheck::Begin }, None).is_empty());
        for &(file, name, bytes) in files {
            let take = SeriesCheck::Take { file, name: name.to_owned() };
            assert!(ask(&mut session, Request::CheckSeries { ask: take }, Some(bytes)).is_empty());
        }
        let individuals = who.iter().map(|name| (*name).to_owned()).collect();
        let judge = SeriesCheck::Judge { question: question.map(Box::new), individuals };
        match answer(&mut session, Request::CheckSeries { ask: judge }, None).0 {
            Response::Judged { judged } => judged,
            other => panic!("not judged: {other:?}"),
        }
    };
    let judge = |files: &[(SeriesFile, &str, &[u8])], question| judge_of(files, question, &[]);
    let release = |at: usize| (SeriesFile::Release, ["r1", "r2"][at], releases[at].as_slice());
    let source = |at: usize| (SeriesFile::Source, ["s1", "s2"][at], sources[at].as_bytes());
    let known = (SeriesFile::Ledger, "l", ledger.as_slice());
    // In any order; the ledger knows.
    let judged = judge(&[release(1), release(0), known], None).expect("judged");
    assert!(judged.passed, "{}", text(&judged.lines));
    assert_eq!(judged.releases, ["r1", "r2"]);
    assert!(text(&judged.lines).contains("2 releases, judged for tau-safety with m = 3"));
    // Of somebody who is named, all steps.
    let followed = judge_of(&[release(1), release(0), known], None, &["P11"]).expect("judged");
    let followed = text(&followed.lines);
    assert_eq!(followed.matches("\nindividual ").count(), 1, "{followed}");
    assert!(followed.contains("individual 'P11'"), "{followed}");
    let nobody = judge_of(&[release(1), release(0), known], None, &["nobody"]).expect_err("nobody");
    assert!(nobody.to_string().contains("nobody"), "{nobody}");
    let missing = judge(&[release(1), known], None).expect_err("one is missing");
    assert!(missing.to_string().contains("1 of 2 missing"), "{missing}");
    let foreign = (SeriesFile::Release, "s1", sources[0].as_bytes());
    assert!(
        judge(&[foreign, release(1), known], None)
            .expect_err("foreign")
            .to_string()
            .contains("s1 is not a release")
    );
    let damaged = (SeriesFile::Ledger, "l", &ledger[..ledger.len() - 40]);
    assert!(judge(&[release(0), release(1), damaged], None).is_err());

    let question = || SeriesQuestion {
        mode: lookalike_model::ledger::Mode::TauSafety,
        m: 3,
        quasi: vec![String::from("age")],
        sensitive: String::from("diagnosis"),
        id: String::from("name"),
    };
    let judged = judge(&[release(0), release(1), source(0), source(1)], Some(question())).expect("judged");
    assert!(judged.passed, "{}", text(&judged.lines));
    // More values than the classes have are not left.
    let judged =
        judge(&[release(0), release(1), source(0), source(1)], Some(SeriesQuestion { m: 5, ..question() }));
    assert!(!judged.expect("judged").passed);
    // What others have made is asked about as everywhere: a first row may be a record, and an array of JSON is no table.
    let headerless = sources[0].split_once('\n').unwrap().1;
    let file = (SeriesFile::Source, "s1", headerless.as_bytes());
    let error = judge(&[release(0), release(1), file, source(1)], Some(question())).expect_err("no header");
    assert!(error.to_string().contains("s1: the first row may be"), "{error}");
    for file in [SeriesFile::Source, SeriesFile::Release] {
        let file = (file, "s1", &b"[{\"name\": \"P11\", \"age\": 17}]\n"[..]);
        let error = judge(&[release(0), release(1), file, source(1)], Some(question())).expect_err("JSON");
        assert!(error.to_string().contains("s1: the file is JSON"), "{error}");
    }
    // Nothing but the releases is no good news.
    assert!(!judge(&[release(0), release(1)], Some(question())).expect("judged").passed);
    assert!(judge(&[release(0)], None).is_err());
}
