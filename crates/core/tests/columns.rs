//! What a column is, through the whole way: local numbers, dates, ordered labels, missing cells.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use lookalike_core::{
    Error,
    pipeline::{self, Outcome},
    table::{ReadOptions, read},
};
use lookalike_model::{
    Ctx, ErrorKind,
    settings::{
        Budget, ChangeOptions, Kind, Loss, Method, Missing, MissingPolicy, Model, Publish, Repair, Settings,
    },
};
use proptest::prelude::*;

fn settings(quasi: &[&str], k: usize) -> Settings {
    Settings {
        quasi: quasi.iter().map(ToString::to_string).collect(),
        sensitive: None,
        keep: Vec::new(),
        unchanged: Vec::new(),
        kinds: BTreeMap::new(),
        orders: BTreeMap::new(),
        model: Model::KAnonymity { k },
        loss: Loss::Sse,
        weights: BTreeMap::new(),
        method: Method::default(),
        publish: Publish::Range,
        publish_columns: BTreeMap::new(),
        hierarchies: BTreeMap::new(),
        domains: BTreeMap::new(),
        pad: BTreeMap::new(),
        labels: BTreeMap::new(),
        coding: BTreeMap::new(),
        suppress: None,
        rows_are: None,
        output: lookalike_model::settings::Output::default(),
        class_column: lookalike_model::settings::ClassColumn::default(),
        conditions: Vec::new(),
        conditions_of: std::collections::BTreeMap::new(),
        sets: Vec::new(),
        sample: lookalike_model::settings::Sample::default(),
        risk_threshold: None,
        eligibility: Repair::Error,
        missing: Missing::default(),
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        scheme: lookalike_model::settings::Scheme::Classes,
        seed: Some(1),
        changes: ChangeOptions::default(),
    }
}

fn run(input: &str, settings: &Settings) -> Result<Outcome, Error> {
    let table = read(input.as_bytes(), &ReadOptions::default()).unwrap();
    pipeline::anonymize(&table, settings, &Ctx::silent())
}

fn published(input: &str, settings: &Settings) -> String {
    let outcome = run(input, settings).unwrap_or_else(|e| panic!("{e}"));
    assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);
    String::from_utf8(outcome.published).unwrap()
}

fn refused(input: &str, settings: &Settings) -> String {
    match run(input, settings) {
        Err(error) if error.kind() == ErrorKind::Input => error.to_string(),
        other => panic!("{other:?}"),
    }
}

fn one<T>(name: &str, value: T) -> BTreeMap<String, T> {
    BTreeMap::from([(name.to_owned(), value)])
}

#[test]
fn dates_are_compared_by_days() {
    // Two groups of two that no order by text would find: 31.12. and 1.1. are neighbours.
    let input = "day\n31.12.2023\n01.07.2024\n01.01.2024\n30.06.2024\n";
    let expected = "day,class\n[30.06.2024 - 01.07.2024],1\n[30.06.2024 - 01.07.2024],1\n\
                    [31.12.2023 - 01.01.2024],2\n[31.12.2023 - 01.01.2024],2\n";
    assert_eq!(published(input, &settings(&["day"], 2)), expected);
    let centroid = Settings { publish: Publish::Centroid, ..settings(&["day"], 2) };
    assert_eq!(
        published(input, &centroid),
        "day,class\n01.01.2024,1\n01.01.2024,1\n01.07.2024,2\n01.07.2024,2\n"
    );
}

#[test]
fn times_months_and_quarters_are_compared_by_time_and_published_as_they_are_spelled() {
    // Neighbours in time whose texts are none: midnight, noon, the turn of the year, offsets.
    for (cells, expected) in [
        (
            ["5 Mar 2024 23:50", "9 Feb 2024 08:00", "6 Mar 2024 00:10", "10 Feb 2024 07:00"],
            ["[5 Mar 2024 23:50 - 6 Mar 2024 00:10]", "[9 Feb 2024 08:00 - 10 Feb 2024 07:00]"],
        ),
        (
            ["3/15/2024 11:59 AM", "3/15/2024 1:10 AM", "3/15/2024 12:01 PM", "3/15/2024 12:50 AM"],
            ["[3/15/2024 11:59 AM - 3/15/2024 12:01 PM]", "[3/15/2024 12:50 AM - 3/15/2024 1:10 AM]"],
        ),
        (
            [
                "2024-03-05T01:00:00+01:00",
                "2024-03-05T09:00:00Z",
                "2024-03-05T00:30:00Z",
                "2024-03-05T03:00:00-05:00",
            ],
            [
                "[2024-03-05T01:00:00+01:00 - 2024-03-05T00:30:00Z]",
                "[2024-03-05T03:00:00-05:00 - 2024-03-05T09:00:00Z]",
            ],
        ),
        (["12/2023", "07/2024", "01/2024", "06/2024"], ["[06/2024 - 07/2024]", "[12/2023 - 01/2024]"]),
        (["Q4 2023", "Q3 2024", "Q1 2024", "Q2 2024"], ["[Q2 2024 - Q3 2024]", "[Q4 2023 - Q1 2024]"]),
        (
            ["1. März 2024", "1. Dezember 2024", "28. Februar 2024", "3. Dezember 2024"],
            ["[1. Dezember 2024 - 3. Dezember 2024]", "[28. Februar 2024 - 1. März 2024]"],
        ),
    ] {
        let input = format!("day\n{}\n", cells.join("\n"));
        for loss in [Loss::Sse, Loss::Ncp] {
            let text = published(&input, &Settings { loss, ..settings(&["day"], 2) });
            for range in expected {
                assert_eq!(text.matches(range).count(), 2, "{loss:?} {range}: {text}");
            }
        }
    }
    let centroid =
        |input: &str| published(input, &Settings { publish: Publish::Centroid, ..settings(&["day"], 2) });
    // Half up, to the minute, to the month.
    assert!(centroid("day\n2024-03-05 23:59\n2024-03-06 00:03\n").contains("2024-03-06 00:01,1"));
    assert!(centroid("day\n2024-03\n2024-06\n").contains("2024-05,1"));
    assert!(centroid("day\n1 Mar 2024\n4 Mar 2024\n").contains("3 Mar 2024,1"));
    let set = Settings { publish: Publish::Set, ..settings(&["day"], 2) };
    let text = published("day\n\"Mar 5, 2024\"\n\"Mar 7, 2024\"\n", &set);
    assert!(text.contains("\"{Mar 5\\, 2024, Mar 7\\, 2024}\""), "{text}");
}

#[test]
fn two_digit_years_and_other_formats_need_a_word() {
    let input = "born\n01.03.29\n01.03.30\n05.03.30\n02.03.29\n";
    let why = refused(input, &settings(&["born"], 2));
    assert!(why.contains("two-digit year"), "{why}");
    assert!(
        why.contains("--kind \"born=date:%d.%m.%y from 1930\"") && why.contains("--kind born=category"),
        "{why}"
    );
    let kind = |format: &str| Settings {
        kinds: one("born", Kind::DateAs(format.into())),
        publish: Publish::Centroid,
        ..settings(&["born"], 4)
    };
    // A mean that tells the century: of 1930 and 2029, or of 1929 and 1930.
    assert!(published(input, &kind("%d.%m.%y from 1930")).contains("01.09.79"));
    assert!(published(input, &kind("%d.%m.%y from 1900")).contains("01.09.29"));
    for (format, says) in
        [("%d.%m.%k", "%k is not understood"), ("%d.%m.%y", "%d.%m.%y from 1930"), ("%d.%m.%Y", "row 1")]
    {
        let why = refused(input, &kind(format));
        assert!(why.contains("born") && why.contains(says), "{why}");
    }
}

#[test]
fn an_open_order_of_day_and_month_needs_a_word() {
    let input = "day\n01/02/2024\n02/01/2024\n01/03/2024\n03/01/2024\n";
    let why = refused(input, &settings(&["day"], 2));
    assert!(why.contains("'01/02/2024'") && why.contains("--kind day=date-dmy"), "{why}");
    // As days first these are 1 February, 2 January, 1 March, 3 January; as months first they pair the other way.
    let dmy = Settings { kinds: one("day", Kind::DateDmy), ..settings(&["day"], 2) };
    assert!(published(input, &dmy).contains("[02/01/2024 - 03/01/2024]"));
    let mdy = Settings { kinds: one("day", Kind::DateMdy), ..settings(&["day"], 2) };
    assert!(published(input, &mdy).contains("[01/02/2024 - 01/03/2024]"));
    let labels = Settings { kinds: one("day", Kind::Category), ..settings(&["day"], 2) };
    assert!(published(input, &labels).contains("{01/02/2024, "));
}

#[test]
fn decimal_commas_are_published_as_such() {
    let input = "x\n\"1,5\"\n\"1000\"\n\"2,25\"\n\"1.001,5\"\n";
    let expected =
        "x,class\n\"[1,5-2,25]\",1\n\"[1,5-2,25]\",1\n\"[1000-1.001,5]\",2\n\"[1000-1.001,5]\",2\n";
    assert_eq!(published(input, &settings(&["x"], 2)), expected);
    let open = "x\n\"1,234\"\n\"2,345\"\n\"1,236\"\n\"2,347\"\n";
    let why = refused(open, &settings(&["x"], 2));
    assert!(why.contains("1234") && why.contains("1.234") && why.contains("--kind x=integer"), "{why}");
    let real = Settings { kinds: one("x", Kind::Real), publish: Publish::Centroid, ..settings(&["x"], 2) };
    assert_eq!(published(open, &real), "x,class\n\"1,235\",1\n\"1,235\",1\n\"2,346\",2\n\"2,346\",2\n");
    let whole =
        Settings { kinds: one("x", Kind::Integer), publish: Publish::Centroid, ..settings(&["x"], 2) };
    assert_eq!(published(open, &whole), "x,class\n\"1,235\",1\n\"1,235\",1\n\"2,346\",2\n\"2,346\",2\n");
}

#[test]
fn ordered_labels_are_compared_by_rank() {
    let input = "school\nPrimary\nTertiary\nSecondary\nPrimary\nNone at all\nTertiary\n";
    let order = ["None at all", "Primary", "Secondary", "Tertiary"].map(String::from).to_vec();
    let ordinal = Settings { orders: one("school", order.clone()), ..settings(&["school"], 3) };
    let expected = "school,class\n[None at all - Primary],1\n[None at all - Primary],1\n[None at all - Primary],1\n\
                    [Secondary - Tertiary],2\n[Secondary - Tertiary],2\n[Secondary - Tertiary],2\n";
    assert_eq!(published(input, &ordinal), expected);
    let median = Settings { publish: Publish::Centroid, ..ordinal.clone() };
    assert!(
        published(input, &median).contains("Primary,1\n")
            && published(input, &median).contains("Tertiary,2\n")
    );

    let without = Settings { orders: one("school", order[1..].to_vec()), ..ordinal.clone() };
    let why = refused(input, &without);
    assert!(why.contains("row 5") && why.contains("None at all"), "{why}");
    let twice =
        Settings { orders: one("school", [order.clone(), order.clone()].concat()), ..ordinal.clone() };
    assert!(refused(input, &twice).contains("twice"));
    let number = Settings { kinds: one("school", Kind::Number), ..ordinal.clone() };
    assert!(refused(input, &number).contains("choose one"));
    let no_order = Settings { kinds: one("school", Kind::Ordinal), ..settings(&["school"], 3) };
    assert!(refused(input, &no_order).contains("--order"));
    let elsewhere = Settings { orders: one("scool", order), ..settings(&["school"], 3) };
    assert!(refused(input, &elsewhere).contains("\"scool\""));
}

#[test]
fn a_declared_kind_is_held_to() {
    let of = |kind| Settings { kinds: one("x", kind), ..settings(&["x"], 2) };
    let why = refused("x\n1\n2.5\n", &of(Kind::Integer));
    assert!(why.contains("row 2") && why.contains("whole number"), "{why}");
    let why = refused("x\n2024-01-01\n2024-02-30\n", &of(Kind::Date));
    assert!(why.contains("row 2") && why.contains("not a date"), "{why}");
    // One impossible day among many possible ones is a slip, not a label.
    let days: Vec<String> = (1..=28).map(|d| format!("2024-02-{d:02}")).collect();
    let why = refused(&format!("x\n{}\n2024-02-30\n", days.join("\n")), &settings(&["x"], 2));
    assert!(why.contains("row 29") && why.contains("not a date"), "{why}");
}

#[test]
fn empty_cells_in_typed_columns_follow_the_policy() {
    let input = "day,x,y\n2024-01-01,\"1,5\",1\n,\"2,5\",2\n2024-01-03,,3\n2024-01-04,\"4,5\",-\n\
                 2024-01-05,\"5,5\",5\n2024-01-06,\"6,5\",6\n";
    let by_column = |own: &[(&str, MissingPolicy)]| {
        let columns = own.iter().map(|(name, policy)| ((*name).to_owned(), *policy)).collect();
        let missing = Missing { columns, ..Missing::default() };
        Settings { missing, ..settings(&["day", "x", "y"], 2) }
    };
    assert!(refused(input, &by_column(&[])).contains("\"day\""));
    let mixed = [("day", MissingPolicy::Drop), ("x", MissingPolicy::Value), ("y", MissingPolicy::Drop)];
    let outcome = run(input, &by_column(&mixed)).unwrap();
    assert!(outcome.report.audit.passed);
    assert_eq!((outcome.report.input.rows, outcome.report.changes.suppressed), (4, 2));
    let reasons: Vec<_> = outcome.private.fates.iter().map(|f| (f.row, f.reason.to_string())).collect();
    let dropped = |row, name| (row, format!("dropped: \"{name}\" is missing"));
    assert_eq!(reasons, [dropped(1, "day"), dropped(3, "y")]);
    assert!(String::from_utf8(outcome.published).unwrap().contains("\"{, "));
    let of_no_role =
        Settings { quasi: vec![String::from("day")], ..by_column(&[("x", MissingPolicy::Drop)]) };
    assert!(refused(input, &of_no_role).contains("--missing-column"));
}

/// What other tools trip over: missing as a value of its own must not make groups smaller than k, and its two markers
/// are one value.
#[test]
fn missing_as_a_value_is_counted_in_the_report() {
    let input = "age,zip\n18,A\n?,A\n19,A\nNA,B\n45,B\n46,B\n,B\n";
    let mut s = settings(&["age", "zip"], 3);
    s.missing.columns = one("age", MissingPolicy::Value);
    let outcome = run(input, &s).unwrap();
    assert!(outcome.report.audit.passed);
    let text = std::str::from_utf8(&outcome.published).unwrap().to_owned();
    let out = read(text.as_bytes(), &ReadOptions::default()).unwrap();
    let missing = &outcome.report.missing;
    assert_eq!(missing.markers, ["", "?", "NA", "N/A", "#N/A", "#NA", "null", "-", "NaN", "."]);
    let counted = (0..out.rows)
        .filter(|&row| {
            let cell = out.columns[0].cell(row);
            ["", "?", "NA"].iter().any(|m| cell.trim_matches(['{', '}']).split(", ").any(|part| part == *m))
        })
        .count();
    assert_eq!((missing.columns[0].column.as_str(), missing.columns[0].rows), ("age", counted), "{text}");
    assert!(counted >= 3);
    assert_eq!((missing.columns[1].policy, missing.columns[1].rows), (MissingPolicy::Error, 0));
    let counts: Vec<_> =
        outcome.private.missing.iter().map(|c| (c.column.as_str(), c.cells, c.dropped)).collect();
    assert_eq!(counts, [("age", 3, 0), ("zip", 0, 0)]);
}

/// A dropped row is in no class and no count of the report, and the private record says why it is gone.
#[test]
fn dropped_rows_are_no_class_and_no_published_count() {
    let input = "age,zip\n18,A\n?,A\n19,A\nNA,\n45,B\n46,B\n";
    let mut s = settings(&["age", "zip"], 2);
    s.missing.quasi = MissingPolicy::Drop;
    let outcome = run(input, &s).unwrap();
    let report = &outcome.report;
    assert!(report.audit.passed);
    assert_eq!((report.input.rows, report.classes.count), (4, 2));
    assert!(report.missing.columns.iter().all(|c| c.policy == MissingPolicy::Drop && c.rows == 0));
    let counts: Vec<_> =
        outcome.private.missing.iter().map(|c| (c.column.as_str(), c.cells, c.dropped)).collect();
    assert_eq!(counts, [("age", 2, 2), ("zip", 1, 1)]);
    assert_eq!(outcome.private.fates.iter().map(|f| f.row).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(std::str::from_utf8(&outcome.classes).unwrap().matches(",\n").count(), 2);
}

/// Two markers are one value to m-invariance: no class may hold both.
#[test]
fn missing_sensitive_values_are_one_value() {
    let input = "age,diagnosis\n18,?\n19,NA\n20,FLU\n21,HIV\n45,-\n46,FLU\n47,HIV\n48,ACNE\n49,ACNE\n";
    let mut s = settings(&["age"], 2);
    s.model = Model::MInvariance { m: 3 };
    s.sensitive = Some(String::from("diagnosis"));
    s.missing.sensitive = MissingPolicy::Value;
    let outcome = run(input, &s).unwrap();
    assert!(outcome.report.audit.passed, "{:?}", outcome.report.audit);
    let out = read(&outcome.published, &ReadOptions::default()).unwrap();
    let unknown: Vec<&str> = (0..out.rows)
        .filter(|&row| ["?", "NA", "-"].contains(&out.columns[1].cell(row)))
        .map(|row| out.columns[2].cell(row))
        .collect();
    assert_eq!(unknown.len(), 3);
    assert_eq!(unknown.iter().collect::<BTreeSet<_>>().len(), 3, "each in a class of its own");
    assert_eq!(outcome.report.missing.columns[1].rows, 3);
}

#[test]
fn white_space_around_column_names_does_not_matter() {
    let input = "\"age \", zip\n18,A\n19,A\n45,B\n46,B\n";
    assert!(published(input, &settings(&["age", "zip"], 2)).starts_with("age,zip,class\n"));
}

/// Rows of a date, a decimal comma, an ordered label and a mixed one, some of them missing.
fn rows(rows: &[(u16, u8, u8, u8)], order: &[usize]) -> String {
    let mut text = String::from("day,amount,school,ward\n");
    for &i in order {
        let (day, amount, school, ward) = rows[i];
        let day = if day == 0 {
            String::from("?")
        } else {
            format!("{:02}.{:02}.2024", 1 + day % 28, 1 + day / 28 % 12)
        };
        let amount = if amount == 0 { String::new() } else { format!("\"{},{}5\"", amount / 4, amount % 4) };
        let school = ["-", "low", "middle", "high"][usize::from(school)];
        writeln!(text, "{day},{amount},{school},w{ward}").unwrap();
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// No byte of the release depends on the order of the input's rows, whatever the kinds; every group of equal
    /// published quasi-identifiers, as counted here, has k rows, missing cells or not.
    #[test]
    fn a_permuted_input_gives_the_same_bytes(
        table in prop::collection::vec((0_u16..300, 0_u8..40, 0_u8..4, 0_u8..3), 12..50),
        shuffle in Just((0..50_usize).collect::<Vec<_>>()).prop_shuffle(),
        form in prop::sample::select(vec![Publish::Range, Publish::Set, Publish::Centroid]),
        k in 2_usize..5,
    ) {
        let order: Vec<usize> = shuffle.into_iter().filter(|&i| i < table.len()).collect();
        let mut s = settings(&["day", "amount", "school", "ward"], k);
        s.orders = one("school", ["low", "middle", "high"].map(String::from).to_vec());
        s.kinds = BTreeMap::from([(String::from("amount"), Kind::Real), (String::from("day"), Kind::DateDmy)]);
        s.publish = form;
        s.missing.quasi = MissingPolicy::Value;
        let first = run(&rows(&table, &(0..table.len()).collect::<Vec<_>>()), &s).unwrap();
        let second = run(&rows(&table, &order), &s).unwrap();
        prop_assert!(first.report.audit.passed, "{:?}", first.report.audit);
        prop_assert_eq!(&first.published, &second.published);
        prop_assert_eq!(first.report.objective, second.report.objective);

        let out = read(&first.published, &ReadOptions::default()).unwrap();
        let mut groups: BTreeMap<Vec<&str>, usize> = BTreeMap::new();
        for row in 0..out.rows {
            *groups.entry(out.columns[..4].iter().map(|c| c.cell(row)).collect()).or_default() += 1;
        }
        prop_assert!(groups.values().all(|&size| size >= k), "{groups:?}");
        prop_assert_eq!(out.columns[4].values.iter().collect::<BTreeSet<_>>().len(), out.columns[4].values.len());
    }
}
