//! Each row of the table "Words" in `docs/page.md`, whole sentence by whole sentence; and that no sentence promises too much.

use lookalike_model::{
    assessment::Disclosure,
    ledger::{Mode, Vacancies},
    report::{Check, FreeformReport, MissingColumn, PersonsReport, SeriesPlace},
    settings::{MissingPolicy, Model},
    unchanged::{Known, UnchangedColumn, UnchangedReport},
};
use lookalike_words::{AsArg as _, Name, Said};
use proptest::prelude::*;

use super::*;
use crate::{
    state::tests::{described, finished},
    texts::{Language, Speech, speak},
};

/// A report that the audit passed with nine checks, and its settings: sex, age and postcode may be known, diagnosis is secret.
fn example(model: Model) -> (Report, Settings) {
    let mut settings = described().settings().unwrap().unwrap();
    settings.quasi = ["sex", "age", "postcode"].map(String::from).to_vec();
    settings.sensitive = Some(String::from("diagnosis"));
    settings.model = model;
    let mut report = finished(true).report;
    report.model = model;
    report.input.rows = 1000;
    report.audit.checks = vec![check(true); 9];
    let n = match model {
        Model::KAnonymity { k: n } | Model::MInvariance { m: n } => n,
    };
    (report.risk.smallest_group, report.classes.min_size) = (n, n);
    report.classes.min_real = Some(n);
    report.risk.highest_reidentification = 1.0 / n as f64;
    report.risk.highest_attribute_disclosure = Some(1.0 / n as f64);
    // No probability is above it.
    report.risk.threshold = 1.0;
    (report, settings)
}

fn check(passed: bool) -> Check {
    Check { name: Said::default(), passed, finding: Said::default() }
}

fn m(m: usize) -> (Report, Settings) {
    example(Model::MInvariance { m })
}

fn k(k: usize) -> (Report, Settings) {
    example(Model::KAnonymity { k })
}

fn said((report, settings): &(Report, Settings)) -> String {
    headline(report, settings).sentence
}

fn told(present: f64, absent_values: Option<usize>) -> Disclosure {
    Disclosure {
        promised: 0.0,
        present,
        present_known: None,
        above: 0,
        suspects: 0,
        certainly_real: 2,
        absent_values,
    }
}

fn persons() -> PersonsReport {
    PersonsReport {
        count: 412,
        suppressed: 0,
        min_in_class: 4,
        max_in_class: 6,
        sse_of_rows: 2.5,
        sst_of_rows: 5.0,
        linked: None,
        most_rows: 17,
        largest_share: 0.63,
        alone_by_rows: 0,
        groups_told_by_rows: 0,
    }
}

/// The warning that some groups hold one value.
fn one_value(id: &'static str) -> Said {
    let args = [
        ("single", 1580_usize.as_arg()),
        ("groups", 3023_usize.as_arg()),
        ("sensitive", Name::from("income").as_arg()),
    ];
    Said::new(id, args)
}

#[test]
fn k_anonymity_promises_nothing_about_a_secret() {
    let (mut report, mut settings) = k(5);
    settings.sensitive = None;
    report.risk.highest_attribute_disclosure = None;
    let plain = headline(&report, &settings);
    assert_eq!(plain.sentence, "Each person is hidden among at least 5.");
    assert_eq!(plain.why, None);
    assert_eq!(
        plain.against.unwrap(),
        "The promise holds against an attacker who knows everybody's sex, age and postcode and knows who is in the table."
    );
    assert_eq!(
        plain.against_not.unwrap(),
        "It does not hold against one who knows more of a person than that."
    );
    assert_eq!(plain.published.unwrap(), "1,000 people are published.");
    assert_eq!(plain.checks, "All 9 checks passed.");

    settings.sensitive = Some(String::from("income"));
    report.risk.highest_attribute_disclosure = Some(1.0);
    report.warnings = vec![one_value("core.ReleaseWarning.OneValue")];
    let mut secret = (report, settings);
    assert_eq!(
        said(&secret),
        "Each person is hidden among at least 5. Nothing is promised about income: in 1,580 of 3,023 groups everybody has the same."
    );
    secret.0.missing.columns = vec![not_known("income", 7)];
    assert_eq!(
        said(&secret),
        "Each person is hidden among at least 5. Nothing is promised about income: in 1,580 of 3,023 groups everybody whose \
         value is known has the same."
    );
    secret.0.persons = Some(PersonsReport { min_in_class: 5, ..persons() });
    secret.0.warnings = vec![one_value("core.ReleaseWarning.OneValueOfPersons")];
    assert_eq!(
        said(&secret),
        "Each of 412 people is hidden among at least 5 people. Nothing is promised about income: in 1,580 of 3,023 groups \
         everybody with a known value has one in common."
    );
}

#[test]
fn without_a_number_of_groups_none_is_invented() {
    let mut secret = k(5);
    secret.1.sensitive = Some(String::from("income"));
    let nothing = "Each person is hidden among at least 5. Nothing is promised about income";
    secret.0.risk.highest_attribute_disclosure = Some(1.0);
    assert_eq!(said(&secret), format!("{nothing}: in at least one group everybody has the same."));
    secret.0.risk.highest_attribute_disclosure = Some(0.8);
    assert_eq!(said(&secret), format!("{nothing}: at worst 1 in 1.2 guesses of it is right."));
    secret.0.risk.highest_known_disclosure = Some(1.0);
    secret.0.missing.columns = vec![not_known("income", 7)];
    let known = ": in at least one group everybody whose value is known has the same.";
    assert_eq!(said(&secret), format!("{nothing}{known}"));
    secret.0.risk.highest_known_disclosure = None;
    secret.0.risk.highest_attribute_disclosure = None;
    assert_eq!(said(&secret), format!("{nothing}."));
}

#[test]
fn m_invariance() {
    let (report, settings) = m(4);
    let found = headline(&report, &settings);
    let sentence =
        "Each person is hidden among at least 4. At worst 1 in 4 guesses of the diagnosis is right.";
    assert_eq!((found.sentence.as_str(), found.why), (sentence, None));
    assert_eq!(
        found.against.unwrap(),
        "The promise holds against an attacker who knows everybody's sex, age and postcode and knows who is in the table."
    );
    // Groups of least loss tell more than their values: docs/publication.md.
    assert_eq!(
        found.against_not.unwrap(),
        "It does not hold against one who also reasons from how the groups were chosen, nor against one who rules values out by other knowledge: in the worst case either is left with a single value."
    );
    assert!(found.passed);
}

fn not_known(column: &str, rows: usize) -> MissingColumn {
    MissingColumn { column: column.to_owned(), policy: MissingPolicy::Value, rows }
}

#[test]
fn a_guess_rules_out_that_a_value_is_not_known() {
    let (mut report, mut settings) = m(5);
    settings.sensitive = Some(String::from("occupation"));
    report.missing.columns = vec![not_known("age", 3), not_known("occupation", 1843)];
    report.risk.highest_known_disclosure = Some(0.25);
    let found = headline(&report, &settings);
    assert_eq!(
        found.sentence,
        "Each person is hidden among at least 5. At worst 1 in 4 guesses of the occupation is right."
    );
    assert_eq!(
        found.why.unwrap(),
        "It is 1 in 4 and not 1 in 5 because 1,843 people have no known occupation, and a guess can rule “not known” out."
    );
    // Without a column in the report nobody is counted.
    report.missing.columns.clear();
    assert_eq!(
        headline(&report, &settings).why.unwrap(),
        "It is 1 in 4 and not 1 in 5 because some people have no known occupation, and a guess can rule “not known” out."
    );
    report.risk.highest_known_disclosure = Some(1.0);
    assert_eq!(
        headline(&report, &settings).sentence,
        "Each person is hidden among at least 5. The occupation of at least one person can be told for certain."
    );
}

#[test]
fn who_was_left_out_is_not_protected() {
    let mut gone = m(7);
    gone.0.input.rows = 969;
    gone.0.changes.deletions = 31;
    let start = "Each person in the table is hidden among at least 7; at worst 1 in 7 guesses is right. 31 people were left out \
                 so that this is possible: an attacker who knows that a person is one of them knows";
    for (values, end) in [
        (Some(1), " the diagnosis."),
        (Some(3), " that the diagnosis is one of 3 values, and some may be likelier than others."),
        (None, " that the diagnosis is one of the most frequent values."),
    ] {
        gone.0.disclosure = Some(told(1.0 / 7.0, values));
        assert_eq!(said(&gone), format!("{start}{end}"));
    }
    let found = headline(&gone.0, &gone.1);
    assert_eq!(
        found.published.unwrap(),
        "969 people are published. 31 people were left out, and nothing is promised to them."
    );
    // Rows that were left out for another reason tell nothing of their values.
    let mut dropped = k(5);
    (dropped.0.changes.suppressed, dropped.1.sensitive) = (1, None);
    assert_eq!(said(&dropped), "Each person in the table is hidden among at least 5.");
    assert_eq!(
        headline(&dropped.0, &dropped.1).published.unwrap(),
        "1,000 people are published. 1 person was left out, and nothing is promised to that person."
    );
}

#[test]
fn a_made_up_record_is_nobody() {
    let (mut report, settings) = m(7);
    report.changes.counterfeits = 183;
    report.classes.min_real = Some(3);
    report.disclosure = Some(told(0.25, None));
    let found = headline(&report, &settings);
    assert_eq!(
        found.sentence,
        "Each person is hidden among at least 3 real people. At worst 1 in 4 guesses of the diagnosis is right, for an attacker who knows one \
         person only."
    );
    assert_eq!(
        found.why.unwrap(),
        "183 of 1,183 records are made up. For an attacker who also knows everybody else in the table, 1 in 3 guesses is right at worst; no less for one \
         who can tell which records are made up."
    );
    assert_eq!(
        found.against_not.unwrap(),
        "It does not hold against one who also reasons from how the groups were chosen, nor against one who rules values out by other \
         knowledge: in the worst case either is left with a single value.",
        "the figure is of one who reasons from the made-up records"
    );
    // In a group of one person, and where the report does not say how many are real.
    for real in [Some(1), Some(0)] {
        report.classes.min_real = real;
        let found = headline(&report, &settings);
        assert_eq!(
            found.sentence,
            "Some people may be hidden by made-up records alone. At worst 1 in 4 guesses of the diagnosis is right, for an attacker who knows \
             one person only."
        );
        assert!(found.why.unwrap().ends_with(
            "An attacker who also knows everybody else in the table may be certain of a value, and so may one who can tell which records are \
             made up."
        ));
    }
    report.classes.min_real = None;
    let found = headline(&report, &settings).sentence;
    assert!(
        found.starts_with("Each person is hidden among at least 2 real people."),
        "by what is certain: {found}"
    );
    report.disclosure = None;
    let found = headline(&report, &settings);
    assert!(
        found.sentence.starts_with("Some people may be hidden by made-up records alone."),
        "{}",
        found.sentence
    );
    assert_eq!(
        found.why.unwrap(),
        "183 of 1,183 records are made up. There is no figure for an attacker who knows how they were chosen. An attacker who also knows \
         everybody else in the table may be certain of a value, and so may one who can tell which records are made up."
    );
}

#[test]
fn who_is_found_above_the_threshold_is_said_beside_the_finding() {
    let (mut report, settings) = m(3);
    report.risk.threshold = 0.2;
    assert_eq!(headline(&report, &settings).why, None);
    report.risk.prosecutor.at_risk = 976;
    assert_eq!(
        headline(&report, &settings).why.unwrap(),
        "An attacker who knows that they are in the table finds 976 of 1,000 people with a probability above the threshold of risk, 0.2."
    );
    // Published records that are made up are nobody who is found: what counts is how few real people a group may have.
    report.changes.counterfeits = 2;
    for (real, above) in [(2, true), (5, false)] {
        report.classes.min_real = Some(real);
        for at_risk in [976, 0] {
            report.risk.prosecutor.at_risk = at_risk;
            let why = headline(&report, &settings).why.unwrap();
            let said = "An attacker who tells made-up records apart finds a person with a probability above the threshold of risk, 0.2.";
            assert_eq!(why.contains(said), above, "{why}");
            assert!(!why.contains("976"), "{why}");
        }
    }
}

#[test]
fn in_a_series_who_is_there_is_known_and_records_may_be_recognised() {
    let (mut report, settings) = m(3);
    report.changes.counterfeits = 2;
    report.classes.min_real = Some(2);
    report.series =
        Some(SeriesPlace { release: 2, mode: Mode::Incremental, vacancies: Vacancies::NewRecords });
    let why = headline(&report, &settings).why.unwrap();
    assert!(
        why.contains("who can also tell which records are made up, 1 in 2 guesses is right")
            && !why.contains("everybody"),
        "{why}"
    );
}

#[test]
fn records_that_were_made_up_and_left_out() {
    let (mut report, settings) = m(7);
    (report.changes.counterfeits, report.changes.deletions) = (20, 5);
    report.classes.min_real = Some(3);
    report.disclosure = Some(told(0.25, Some(1)));
    assert_eq!(
        headline(&report, &settings).sentence,
        "Each person in the table is hidden among at least 3 real people; at worst 1 in 4 guesses is right. 5 people were left \
         out so that this is possible: an attacker who knows that a person is one of them knows the diagnosis."
    );
}

#[test]
fn persons_with_several_rows_are_counted_as_persons() {
    let (mut report, mut settings) = k(4);
    settings.sensitive = None;
    report.persons = Some(persons());
    let found = headline(&report, &settings);
    assert_eq!(found.sentence, "Each of 412 people is hidden among at least 4 people.");
    assert_eq!(found.why.unwrap(), "The number of rows of a person is not hidden.");
    assert_eq!(found.published.unwrap(), "412 people are published, with 1,000 rows.");
    assert_eq!(
        found.against_not.unwrap(),
        "It does not hold against one who knows more of a person than that. Nor does it hold against one who knows how many \
         rows a person has."
    );
    report.persons = Some(PersonsReport { alone_by_rows: 30, suppressed: 2, ..persons() });
    let found = headline(&report, &settings);
    assert_eq!(found.sentence, "Each of the 412 people in the table is hidden among at least 4 people.");
    assert!(found.against_not.unwrap().ends_with(
        "Nor does it hold against one who knows how many rows a person has: 30 people stand alone by that."
    ));
    let (mut report, settings) = m(4);
    report.persons = Some(persons());
    assert_eq!(
        headline(&report, &settings).sentence,
        "Each of 412 people is hidden among at least 4 people. At worst 1 in 4 guesses of the diagnosis is right."
    );
}

fn as_is(names: &[(&str, usize)], together: usize, told_values: usize) -> UnchangedReport {
    let known = |unique_after| Known {
        unique_after,
        highest: 0.5,
        told_values: Some(told_values),
        ..Known::default()
    };
    let column = |&(name, alone): &(&str, usize)| UnchangedColumn {
        name: name.to_owned(),
        known: known(alone),
        ..UnchangedColumn::default()
    };
    UnchangedReport {
        columns: names.iter().map(column).collect(),
        together: known(together),
        ..UnchangedReport::default()
    }
}

#[test]
fn columns_as_they_are_say_how_many_stand_alone() {
    let start = "Each person is hidden among at least 4. At worst 1 in 4 guesses of the diagnosis is right. Not against an \
                 attacker who knows nights";
    let mut found = m(4);
    found.1.unchanged = vec![String::from("nights")];
    for (report, end) in [
        (
            Some(as_is(&[("nights", 96)], 96, 96)),
            " of a person: 96 people stand alone by it. Such an attacker knows the diagnosis of 96 people for certain.",
        ),
        (
            Some(as_is(&[("nights", 96), ("ward", 3)], 120, 0)),
            " and ward of a person, or one of them: 120 people stand alone by them.",
        ),
        (
            Some(as_is(&[("nights", 1)], 1, 12)),
            " of a person: 1 person stands alone by it. Such an attacker knows the diagnosis of 12 people for certain.",
        ),
        (
            Some(as_is(&[("nights", 0)], 0, 0)),
            " of a person: at worst 1 in 2 guesses of the person's row is then right.",
        ),
        (None, " of a person."),
    ] {
        found.0.unchanged = report;
        assert_eq!(said(&found), format!("{start}{end}"));
    }
}

#[test]
fn a_later_release_holds_with_all_before_it() {
    let (mut report, settings) = m(4);
    // By chance this release is better than what the series promises.
    report.risk.highest_attribute_disclosure = Some(0.2);
    let place = |release, mode| Some(SeriesPlace { release, mode, vacancies: Vacancies::NewRecords });
    let sentence = |report: &Report| headline(report, &settings).sentence;
    let start = "Each person is hidden among at least 4. At worst 1 in 4 guesses of the diagnosis is right";
    report.series = place(1, Mode::TauSafety);
    assert_eq!(sentence(&report), format!("{start}."));
    report.series = place(2, Mode::TauSafety);
    assert_eq!(sentence(&report), format!("{start}, in this and the earlier release together."));
    report.series = place(4, Mode::TauSafety);
    assert_eq!(sentence(&report), format!("{start}, in this and all 3 earlier releases together."));
    let found = headline(&report, &settings);
    assert_eq!(
        found.against.unwrap(),
        "The promise holds against an attacker who knows everybody's sex, age and postcode, knows who is in which release, and has all \
         releases."
    );
    assert!(
        found
            .against_not
            .unwrap()
            .ends_with("Nor does it hold against one who believes that a person's value never changes.")
    );
    report.series = place(4, Mode::MInvariance);
    assert!(!headline(&report, &settings).against_not.unwrap().contains("believes"));
}

#[test]
fn a_table_that_failed_is_not_to_be_published() {
    let (mut report, settings) = m(4);
    report.audit.passed = false;
    report.audit.checks = (0..10).map(|at| check(at > 1)).collect();
    let found = headline(&report, &settings);
    assert_eq!(found.sentence, "This table must not be published: 2 of 10 checks failed.");
    assert_eq!(found.why.unwrap(), "There is no table to save.");
    assert_eq!(found.checks, "2 of 10 checks failed.");
    assert!(
        !found.passed && found.against.is_none() && found.against_not.is_none() && found.published.is_none()
    );
}

#[test]
fn rows_of_their_own_are_no_groups() {
    let mut own = k(5);
    own.0.freeform = Some(FreeformReport { guarantee: Said::default(), least_matches: 6, smallest_group: 1 });
    own.0.risk.smallest_group = 1;
    own.1.sensitive = None;
    assert_eq!(said(&own), "For each person, at least 5 published rows may be the right one.");
    own.1.sensitive = Some(String::from("income"));
    own.0.risk.highest_attribute_disclosure = Some(1.0);
    assert_eq!(
        said(&own),
        "For each person, at least 5 published rows may be the right one. Nothing is promised about income: for at least one \
         person it can be told for certain."
    );
}

/// The number behind a word, if there is one.
fn after(text: &str, word: &str) -> Option<f64> {
    let rest = text.split(word).nth(1)?;
    let number: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
    number.trim_end_matches('.').parse().ok()
}

/// A share of a group: one of so many.
fn share() -> impl Strategy<Value = f64> {
    (2_u32..40, 1_u32..40).prop_map(|(of, some)| f64::from(some.min(of)) / f64::from(of))
}

proptest! {
    /// Neither odds nor sizes of any sentence promise more than the weakest figure of the report.
    #[test]
    fn no_sentence_promises_more_than_a_figure(
        (m_invariance, n, group, class) in (any::<bool>(), 2_usize..12, 2_usize..12, 2_usize..12),
        (plain, known, present) in (share(), proptest::option::of(share()), proptest::option::of(share())),
        (fakes, deletions, real) in (0_usize..3, 0_usize..3, proptest::option::of(0_usize..12)),
        (absent, release, several) in (proptest::option::of(1_usize..9), 0_u32..4, proptest::option::of(2_usize..12)),
    ) {
        let model = if m_invariance { Model::MInvariance { m: n } } else { Model::KAnonymity { k: n } };
        let (mut report, settings) = example(model);
        (report.risk.smallest_group, report.classes.min_size) = (group, class);
        report.risk.highest_reidentification = 1.0 / group as f64;
        report.risk.highest_attribute_disclosure = Some(plain);
        report.risk.highest_known_disclosure = known;
        if m_invariance {
            (report.changes.counterfeits, report.changes.deletions) = (fakes, deletions);
            report.disclosure = present.map(|present| told(present, absent));
            report.series = (release > 0).then_some(SeriesPlace { release, mode: Mode::TauSafety, vacancies: Vacancies::NewRecords });
        }
        report.classes.min_real = real;
        report.persons = several.filter(|_| report.changes.counterfeits == 0)
            .map(|min_in_class| PersonsReport { min_in_class, ..persons() });
        let fakes = report.changes.counterfeits > 0;

        // The weakest, from the fields alone.
        let mut sizes = vec![n, group, class];
        sizes.extend(report.persons.map(|of| of.min_in_class));
        if fakes {
            sizes.push(real.or(report.disclosure.map(|told| told.certainly_real)).unwrap_or(0));
        }
        let least = *sizes.iter().min().unwrap();
        let mut shares = vec![plain];
        shares.extend(known);
        shares.extend(m_invariance.then_some(1.0 / n as f64));
        shares.extend(report.disclosure.filter(|_| fakes).map(|told| told.present));
        let worst = shares.iter().copied().fold(0.0, f64::max);

        let Headline { sentence, why, .. } = headline(&report, &settings);
        let why = why.unwrap_or_default();
        match after(&sentence, "among at least ") {
            Some(size) => prop_assert!(size <= least as f64, "{sentence}"),
            None => prop_assert!(fakes && least < 2, "{sentence}"),
        }
        match after(&sentence, "1 in ") {
            Some(of) => prop_assert!(worst <= 1.0 / of + 1e-9, "{worst}: {sentence}"),
            None if m_invariance => prop_assert!(worst >= 1.0 && sentence.contains("for certain"), "{sentence}"),
            None => {
                let told = ["everybody", "for certain"].iter().any(|word| sentence.contains(word));
                prop_assert!(worst >= 1.0 && told, "{sentence}");
            }
        }
        // Of those who were left out something is said, whatever it is.
        prop_assert_eq!(sentence.contains("left out"), report.changes.deletions > 0);
        if fakes {
            let of = ["ttacker who also knows everybody else in the table", "who can also tell which records are made up"];
            let (_, rest) = of.iter().find_map(|who| why.split_once(who)).unwrap();
            let certain = rest.contains("may be certain");
            let real = real.or(report.disclosure.map(|told| told.certainly_real)).unwrap_or(0);
            prop_assert!(if real < 2 { certain } else { after(rest, "1 in ").unwrap() <= real as f64 }, "{rest}");
        }
        let unfilled = [&sentence, &why].iter().any(|text| text.contains(['{', '}']));
        prop_assert!(!sentence.contains("does not tell") && !unfilled, "{sentence} {why}");
    }
}

/// Every sentence of every case, in a language.
fn all_said(language: Language, file: &'static str) -> Vec<String> {
    let (mut cases, mut all) = (Vec::new(), Vec::new());
    for (one, value) in
        [(m(4), "core.ReleaseWarning.OneValue"), (k(4), "core.ReleaseWarning.OneValueOfPersons")]
    {
        for variant in 0..10 {
            let mut one = one.clone();
            let report = &mut one.0;
            match variant {
                0 => report.warnings = vec![one_value(value)],
                1 => report.risk.highest_known_disclosure = Some(0.5),
                2 => (report.changes.deletions, report.disclosure) = (3, Some(told(0.25, Some(1)))),
                3 => (report.changes.deletions, report.disclosure) = (3, Some(told(0.25, Some(4)))),
                4 => (report.changes.counterfeits, report.disclosure) = (5, Some(told(0.5, None))),
                5 => report.persons = Some(PersonsReport { alone_by_rows: 1, ..persons() }),
                6 => report.unchanged = Some(as_is(&[("nights", 9), ("ward", 2)], 11, 20)),
                7 => {
                    report.series = Some(SeriesPlace {
                        release: 3,
                        mode: Mode::TauSafety,
                        vacancies: Vacancies::NewRecords,
                    });
                }
                8 => report.audit.passed = false,
                _ => report.risk.highest_attribute_disclosure = Some(1.0),
            }
            cases.push(one);
        }
    }
    let (_, words) = lookalike_words::TEXTS.into_iter().find(|(code, _)| *code == language.code()).unwrap();
    speak(Speech::read(language, format!("{file}\n{words}")).unwrap());
    for (report, settings) in &cases {
        let found = headline(report, settings);
        all.push(found.sentence);
        all.extend([found.why, found.against, found.against_not, found.published].into_iter().flatten());
        all.push(found.checks);
    }
    speak(Speech::ENGLISH);
    all
}

#[test]
fn german_and_spanish_have_no_english_left() {
    const ENGLISH: [&str; 14] = [
        "the", "of", "at", "is", "are", "people", "among", "least", "guess", "guesses", "knows", "who",
        "worst", "row",
    ];
    for (language, file) in [
        (Language::German, include_str!("../../texts/de.txt")),
        (Language::Spanish, include_str!("../../texts/es.txt")),
    ] {
        for sentence in all_said(language, file) {
            assert!(!sentence.contains(['{', '}']) && !sentence.contains(" || "), "{sentence}");
            let words = sentence.split(|c: char| !c.is_alphabetic());
            let left: Vec<_> = words.filter(|word| ENGLISH.contains(&word.to_lowercase().as_str())).collect();
            assert!(left.is_empty(), "{left:?}: {sentence}");
        }
    }
    let german = all_said(Language::German, include_str!("../../texts/de.txt"));
    assert!(
        german.contains(&String::from(
            "Jede Person ist unter mindestens 4 verborgen. Schlimmstenfalls ist 1 von 2 Vermutungen über diagnosis richtig."
        )),
        "{german:#?}"
    );
    let spanish = all_said(Language::Spanish, include_str!("../../texts/es.txt"));
    assert!(
        spanish.contains(&String::from(
            "Cada persona queda oculta entre al menos 4. En el peor caso acierta 1 de cada 2 conjeturas sobre diagnosis."
        )),
        "{spanish:#?}"
    );
}
