//! Rows are not people: what looks like the key of a person and repeats is asked about before a run.
#![cfg(test)]

use std::fmt::Write as _;

use lookalike_core::{
    Error, info,
    out_of_core::{Routing, Survey},
    persons, pipeline,
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    info::PersonKey,
    settings::{MissingPolicy, Model, RowsAre, Settings},
};

/// 40 patients with 5 visits each.
fn visits(key: &str) -> Table {
    let mut text = format!("{key},visit,age,floor\n");
    for row in 0..200 {
        writeln!(text, "p{},{row},{},{}", row % 40, 20 + row % 40, row % 3).unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

fn settings(quasi: &[&str]) -> Settings {
    Settings {
        quasi: quasi.iter().map(ToString::to_string).collect(),
        seed: Some(1),
        ..Settings::of(Model::KAnonymity { k: 5 })
    }
}

fn run(table: &Table, settings: &Settings) -> Result<(), Error> {
    pipeline::anonymize(table, settings, &Ctx::silent()).map(drop)
}

#[test]
fn several_rows_of_a_person_stop_a_run_until_somebody_says_what_they_are() {
    for key in [
        "patient_id",
        "Patient",
        "subject no",
        "SSN",
        "Versichertennummer",
        "id",
        "name",
        "numero de paciente",
    ] {
        let table = visits(key);
        let told = run(&table, &settings(&["age"])).unwrap_err().to_string();
        assert!(
            told.contains("has 40 different values in 200 rows") && told.contains("--rows-are people"),
            "{key}: {told}"
        );
        run(&table, &Settings { rows_are: Some(RowsAre::People), ..settings(&["age"]) }).unwrap();
        let of = Settings { rows_are: Some(RowsAre::Of(key.to_owned())), ..settings(&["age"]) };
        let told = run(&table, &of).unwrap_err().to_string();
        assert!(told.contains("a person has several rows"), "{key}: {told}");
        // Flags are quoted for a shell.
        let events = told.contains("--rows-are events-of=") || told.contains("--rows-are \"events-of=");
        assert!(events, "{key}: {told}");
        run(&table, &Settings { rows_are: Some(RowsAre::EventsOf(key.to_owned())), ..settings(&["age"]) })
            .unwrap();
    }
}

#[test]
fn a_key_that_is_known_to_an_attacker_hides_nobody_either() {
    assert!(run(&visits("patient_id"), &settings(&["age", "patient_id"])).is_err());
    let sensitive = Settings { sensitive: Some(String::from("patient_id")), ..settings(&["age"]) };
    run(&visits("patient_id"), &sensitive).unwrap();
}

#[test]
fn what_people_share_is_not_asked_about() {
    for shared in
        ["ward", "hospital_id", "postcode", "relationship", "household id", "first name", "street", "grade"]
    {
        run(&visits(shared), &settings(&["age"])).unwrap();
    }
}

#[test]
fn a_key_of_its_own_in_each_row_tells_that_a_name_is_shared() {
    let mut text = String::from("patient,name,age\n");
    for row in 0..100 {
        writeln!(text, "P{row},n{},{}", row % 80, 20 + row % 10).unwrap();
    }
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    run(&table, &settings(&["age"])).unwrap();
    let named = |key: &str| Settings { rows_are: Some(RowsAre::Of(key.to_owned())), ..settings(&["age"]) };
    run(&table, &named("patient")).unwrap();
    assert!(run(&table, &named("name")).is_err() && run(&table, &named("nobody")).is_err());
    // A number of the visit says nothing of the person.
    let visit = read(text.replace("patient", "visit_id").as_bytes(), &ReadOptions::default()).unwrap();
    assert!(run(&visit, &settings(&["age"])).is_err());
}

fn all(table: &Table) -> Vec<u32> {
    (0..table.rows as u32).collect()
}

#[test]
fn a_column_that_the_user_calls_an_identifier_is_looked_at_too() {
    let table = visits("lookup");
    persons::check(&table, &all(&table), &settings(&["age"]), &[]).unwrap();
    assert!(persons::check(&table, &all(&table), &settings(&["age"]), &[String::from("lookup")]).is_err());
    // Names and addresses are shared, whoever calls them identifiers.
    let table = visits("surname");
    persons::check(&table, &all(&table), &settings(&["age"]), &[String::from("surname")]).unwrap();
}

#[test]
fn a_key_with_gaps_is_refused_where_it_is_named() {
    let table = read(b"patient,age\na,1\n,2\nc,3\nd,4\ne,5\n", &ReadOptions::default()).unwrap();
    run(&table, &settings(&["age"])).unwrap();
    let named = Settings { rows_are: Some(RowsAre::Of(String::from("patient"))), ..settings(&["age"]) };
    let told = run(&table, &named).unwrap_err().to_string();
    assert!(told.contains("is missing in 1 of 5 rows"), "{told}");
}

#[test]
fn the_page_is_told_which_column_is_asked_about() {
    let keys = |key: &str| {
        let info = info::table_info(&visits(key), &[], 0);
        info.columns.iter().map(|column| column.key).collect::<Vec<_>>()
    };
    assert_eq!(keys("patient_id")[0], PersonKey::Repeats);
    assert_eq!(keys("lookup")[0], PersonKey::IfIdentifier);
    assert_eq!(keys("surname")[0], PersonKey::None);
}

#[test]
fn out_of_core_the_same_is_asked() {
    let survey = |settings: &Settings, identifiers: &[String]| {
        let table = visits("patient_id");
        let mut survey = Survey::new(&table, settings, identifiers).unwrap();
        survey.add(0, &table).unwrap();
        survey.add(200, &table).unwrap();
        Routing::of(survey, 100).map(drop)
    };
    let told = survey(&settings(&["age"]), &[]).unwrap_err().to_string();
    assert!(told.contains("has 40 different values in 400 rows"), "{told}");
    survey(&Settings { rows_are: Some(RowsAre::People), ..settings(&["age"]) }, &[]).unwrap();
    let events =
        Settings { rows_are: Some(RowsAre::EventsOf(String::from("patient_id"))), ..settings(&["age"]) };
    let refused = Survey::new(&visits("patient_id"), &events, &[]).map(drop).unwrap_err().to_string();
    assert!(refused.contains("out of core there are no people with several rows (--rows-are)"), "{refused}");
    let of = Settings { rows_are: Some(RowsAre::Of(String::from("patient_id"))), ..settings(&["age"]) };
    assert!(survey(&of, &[]).is_err());
}

/// 200 rows, of which each cell of the first column is made by `key`.
fn with(header: &str, key: impl Fn(usize) -> String) -> Table {
    let mut text = format!("{header},age,floor\n");
    for row in 0..200 {
        writeln!(text, "{},{},{}", key(row), 20 + row % 40, row % 3).unwrap();
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}

#[test]
fn a_number_of_people_or_of_a_visit_is_no_key() {
    for name in [
        "number of people",
        "num_people",
        "número de personas",
        "edad del niño",
        "nie geraucht",
        "nir",
        "sub code",
    ] {
        run(&with(name, |row| (row % 6).to_string()), &settings(&["age"])).unwrap();
    }
    // The first to the fourth visit, the second person of a household.
    for name in
        ["visit number", "visitno", "episode number", "num_stay", "stay code", "file no", "person number"]
    {
        run(&with(name, |row| (row % 4 + 1).to_string()), &settings(&["age"])).unwrap();
        let error =
            run(&with(name, |row| format!("V{}", row % 40)), &settings(&["age"])).unwrap_err().to_string();
        assert!(error.contains("has 40 different values in 200 rows"), "{name}: {error}");
    }
}

/// Names that do not say whose key they are: what tells is that many values have a few rows each.
#[test]
fn an_id_of_something_unknown_is_asked_about_if_it_repeats_like_a_person() {
    let id = |row: usize| format!("x{}", row % 40);
    for name in
        ["lookup_id", "encKey", "customer", "bene_id", "BENE_ID", "nie", "num_historia", "folio", "user"]
    {
        let told = run(&with(name, id), &settings(&["age"])).unwrap_err().to_string();
        assert!(told.contains("has 40 different values in 200 rows"), "{name}: {told}");
    }
    // Few values, one that half of the rows have, and what belongs to something else.
    run(&with("lookup_id", |row| format!("x{}", row % 10)), &settings(&["age"])).unwrap();
    run(
        &with("lookup_id", |row| if row % 2 == 0 { String::from("x0") } else { id(row) }),
        &settings(&["age"]),
    )
    .unwrap();
    for name in ["doctor_id", "site key", "num_emp", "lookup"] {
        run(&with(name, id), &settings(&["age"])).unwrap();
    }
    let mut survey = Survey::new(&with("lookup_id", id), &settings(&["age"]), &[]).unwrap();
    survey.add(0, &with("lookup_id", id)).unwrap();
    assert!(Routing::of(survey, 100).is_err());
}

#[test]
fn a_key_is_asked_about_in_one_word_and_if_all_rows_are_of_one_person() {
    for name in ["customerid", "idpaciente", "Mitarbeiternummer", "patno", "chartno", "medical record"] {
        for people in [1, 40] {
            assert!(
                run(&with(name, |row| format!("p{}", row % people)), &settings(&["age"])).is_err(),
                "{name} {people}"
            );
        }
    }
}

/// Spanish numbers with their check letters, each in five rows.
#[test]
fn numbers_that_a_state_gives_to_persons_are_keys_whatever_their_column_is_called() {
    let number = |row: usize| {
        let number = 17_000_000 + 131 * (row % 40);
        format!("{number:08}{}", char::from(b"TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]))
    };
    let table = with("code", number);
    let told = run(&table, &settings(&["age"])).unwrap_err().to_string();
    assert!(told.contains("\"code\" looks like the key of a person and has 40 different values"), "{told}");
    run(&with("code", |row| format!("A{}", row % 40)), &settings(&["age"])).unwrap();
    assert!(persons::may_be_key("code") && persons::may_be_key("column3") && !persons::may_be_key("floor"));
    let mut survey = Survey::new(&table, &settings(&["age"]), &[]).unwrap();
    survey.add(0, &table).unwrap();
    assert!(Routing::of(survey, 100).is_err());
}

#[test]
fn case_and_white_space_make_no_other_person() {
    let table = with("patient_id", |row| match row % 2 {
        0 => format!("p{row}"),
        _ => format!(" P{} ", row - 1),
    });
    let told = run(&table, &settings(&["age"])).unwrap_err().to_string();
    assert!(told.contains("has 100 different values in 200 rows"), "{told}");
}

/// Every second row has no age: what is left has one row a person.
#[test]
fn rows_that_are_dropped_do_not_count() {
    let mut text = String::from("patient_id,age\n");
    for row in 0..200 {
        writeln!(
            text,
            "p{},{}",
            row / 2,
            if row % 2 == 0 { (20 + row % 40).to_string() } else { String::new() }
        )
        .unwrap();
    }
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    for rows_are in [None, Some(RowsAre::Of(String::from("patient_id")))] {
        let mut settings = Settings { rows_are, ..settings(&["age"]) };
        settings.missing.quasi = MissingPolicy::Value;
        assert!(run(&table, &settings).is_err());
        settings.missing.quasi = MissingPolicy::Drop;
        run(&table, &settings).unwrap();
        let mut survey = Survey::new(&table, &settings, &[]).unwrap();
        survey.add(0, &table).unwrap();
        Routing::of(survey, 50).unwrap();
    }
}

#[test]
fn the_key_of_a_visit_does_not_answer_for_the_patient() {
    let mut text = String::from("visit_id,patient_id,age\n");
    for row in 0..200 {
        writeln!(text, "v{row},p{},{}", row % 40, 20 + row % 40).unwrap();
    }
    let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let of = Settings { rows_are: Some(RowsAre::Of(String::from("visit_id"))), ..settings(&["age"]) };
    let told = run(&table, &of).unwrap_err().to_string();
    assert!(told.contains("\"patient_id\" looks like the key of a person"), "{told}");
    let mut survey = Survey::new(&table, &of, &[]).unwrap();
    survey.add(0, &table).unwrap();
    assert!(Routing::of(survey, 100).is_err());
    run(&table, &Settings { rows_are: Some(RowsAre::People), ..of.clone() }).unwrap();
    // Nor do events of visits.
    let events = Settings { rows_are: Some(RowsAre::EventsOf(String::from("visit_id"))), ..of };
    let told = run(&table, &events).unwrap_err().to_string();
    assert!(told.contains("\"patient_id\" looks like the key of a person"), "{told}");
}
