//! The same verdict, however the bytes come and whoever reads them.

use std::fmt::Write as _;

use lookalike_audit::{
    Attacker, Error, Grouping, Guarantee, Inquiry, Judge, Judged, Model, Question, Reader, Subject, assess,
    judge, judge_stream, measure, risks,
};
use lookalike_table::{ReadOptions, Table, read};
use proptest::prelude::*;

use crate::{
    common::{csv, question, rows, words},
    properties::table,
};

/// Gives some bytes at a time.
struct Pieces<'a>(&'a [u8], usize);

impl std::io::Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let (piece, rest) = self.0.split_at(self.1.min(into.len()).min(self.0.len()));
        into[..piece.len()].copy_from_slice(piece);
        self.0 = rest;
        Ok(piece.len())
    }
}

/// The verdict on rows that the table reader made.
fn handed_over(table: &Table, question: &Question) -> Result<Judged, Error> {
    let header: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let mut judge = Judge::new(&header, Reader::General, question)?;
    for row in 0..table.rows {
        let cells: Vec<&str> = table.columns.iter().map(|column| column.cell(row)).collect();
        judge.row(&cells)?;
    }
    judge.finish()
}

/// The finding of a check.
fn finding(judged: &Judged, check: &Subject) -> String {
    judged.verdict.checks.iter().find(|c| c.name == *check).unwrap().finding.to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// In any order of the rows: by bytes in pieces, by rows of another reader, and by the checks that hold a table in
    /// memory and group it by hashing, whose tallies are their own.
    #[test]
    fn all_ways_lead_to_one_verdict(table in table(), least in 2..4_usize, unique in any::<bool>(), class in any::<bool>(), piece in 1..40_usize) {
        let guarantee = if unique { Guarantee::MUnique { m: least } } else { Guarantee::KAnonymity { k: least } };
        let question = Question { class: class.then(|| String::from("class")), ..question(guarantee) };
        let bytes = csv(&table);
        let found = judge_stream(bytes.as_slice(), &question).unwrap();
        prop_assert_eq!(&judge_stream(Pieces(&bytes, piece), &question).unwrap(), &found);
        prop_assert_eq!(&judge(&bytes, &question).unwrap(), &found.verdict);

        let parsed = read(&bytes, &ReadOptions::default()).unwrap();
        let mut handed = handed_over(&parsed, &question).unwrap();
        prop_assert_eq!((handed.verdict.reader, handed.verdict.dialect), (Reader::General, None));
        (handed.verdict.reader, handed.verdict.dialect) = (Reader::Strict, found.verdict.dialect);
        prop_assert_eq!(&handed, &found);

        prop_assert_eq!(found.rows, table.len() - 1);
        prop_assert_eq!(found.risks, risks(&parsed, &question.quasi, &[], &Attacker::default()).unwrap());
        let figures = measure::figures(&parsed, &question, None, &measure::Reading::default()).unwrap();
        prop_assert_eq!(found.discernibility, figures.discernibility);
        prop_assert_eq!(found.classification_metric, figures.classification_metric);
        let known = lookalike_audit::known_share(&parsed, &question.quasi, "disease", &question.markers).unwrap();
        prop_assert_eq!(found.known_share, known);

        let model = if unique { Model::MUniqueness { m: least } } else { Model::KAnonymity { k: least } };
        let inquiry = Inquiry {
            quasi: question.quasi.clone(),
            sensitive: question.sensitive.clone(),
            class: question.class.clone(),
            models: vec![model],
            suppressed: Vec::new(),
            missing: lookalike_table::usual_markers(),
            missing_is_value: false,
            attacker: Attacker::default(),
        };
        let assessed = assess(&parsed, &inquiry).unwrap();
        prop_assert_eq!(assessed.reader, Reader::General);
        for other in assessed.findings {
            let (size, values) = match other.grouping {
                Grouping::Class => (Subject::ClassSize, Subject::ClassValues),
                Grouping::Group => (Subject::GroupSize, Subject::GroupValues),
            };
            let size = finding(&found, &size);
            let expected = if unique { format!("{size}; {}", finding(&found, &values)) } else { size };
            prop_assert_eq!(other.check.finding.to_string(), expected);
        }
        for note in assessed.notes {
            let same = found.verdict.checks.iter().find(|check| check.name == note.name);
            if let Some(same) = same.filter(|check| check.name != Subject::Unjudged) {
                prop_assert_eq!(&note.finding, &same.finding);
                prop_assert_eq!(&note.witnesses, &same.witnesses);
            }
        }
    }
}

/// Classes of three, in order.
fn classes(count: usize) -> String {
    let mut text = String::from("age,sex,class,disease\n");
    for class in 1..=count {
        for disease in ["A", "B", "C"] {
            writeln!(text, "{class},F,{class},{disease}").unwrap();
        }
    }
    text
}

/// More than is in memory at a time: rows go on across the border of two pieces, and groups across what is remembered.
#[test]
fn a_long_table_in_order_passes_however_it_comes() {
    let text = classes(30_000);
    let question = question(Guarantee::MUnique { m: 3 });
    let found = judge_stream(text.as_bytes(), &question).unwrap();
    assert!(found.verdict.passed);
    assert_eq!((found.rows, found.risks.groups, found.risks.smallest_group), (90_000, 30_000, 3));
    assert_eq!(found.groups.into_iter().collect::<Vec<_>>(), [(3, 30_000)]);
    assert_eq!(judge_stream(Pieces(text.as_bytes(), 7), &question).unwrap().verdict, found.verdict);
}

/// Nobody remembers all of it: the verdict fails all the same.
#[test]
fn a_long_table_out_of_order_fails() {
    let text = classes(30_000);
    let question = question(Guarantee::MUnique { m: 3 });
    let fails = |text: &str, check: Subject| {
        let verdict = judge(text.as_bytes(), &question).unwrap();
        assert!(!verdict.passed && verdict.checks.iter().any(|c| c.name == check && !c.passed), "{check}");
    };
    // A row of the first class at the end, and one of the last at the beginning.
    fails(&format!("{text}1,F,1,D\n"), Subject::Sorted);
    fails(&text.replacen("1,F,1,A\n", "30000,F,30000,D\n1,F,1,A\n", 1), Subject::Sorted);
    // The label of the first class for the last.
    fails(&text.replace("30000,F,30000,", "30000,F,1,"), Subject::Labels);
    // One row in two classes' places: every third row moved to the end.
    let lines: Vec<&str> = text.lines().collect();
    let (first, others): (Vec<&str>, Vec<&str>) = lines[1..].iter().partition(|line| line.ends_with('A'));
    fails(&format!("{}\n{}\n{}\n", lines[0], others.join("\n"), first.join("\n")), Subject::Sorted);
}

#[test]
fn groups_that_come_back_are_whole_groups() {
    let table = rows("age sex class disease\n2 F 1 A\n1 F 2 A\n2 F 1 B\n1 F 2 B\n2 F 1 C\n1 F 2 C");
    let found = judge_stream(csv(&table).as_slice(), &question(Guarantee::MUnique { m: 3 })).unwrap();
    let failed: Vec<&Subject> = found.verdict.checks.iter().filter(|c| !c.passed).map(|c| &c.name).collect();
    assert_eq!(failed, [&Subject::Sorted]);
    assert_eq!((found.risks.groups, found.risks.smallest_group), (2, 3));
}

/// A class that comes back after another one is one class, and published differently.
#[test]
fn a_class_in_two_pieces_fails() {
    let table = rows("age sex class disease\n1 F 1 A\n1 F 1 B\n2 F 2 A\n2 F 2 B\n3 F 1 A\n3 F 1 B");
    let verdict = judge(&csv(&table), &question(Guarantee::KAnonymity { k: 2 })).unwrap();
    let check = verdict.checks.iter().find(|c| c.name == Subject::ClassAlike).unwrap();
    assert_eq!(words(&check.witnesses), ["class '1': published rows 1 and 5 differ"]);
    assert!(!verdict.passed);
}

#[test]
fn columns_that_nobody_asks_about_are_named() {
    let table = rows("age sex class disease ward\n1 F 1 A X\n1 F 1 B Y");
    let found = judge_stream(csv(&table).as_slice(), &question(Guarantee::KAnonymity { k: 2 })).unwrap();
    assert!(found.verdict.passed);
    assert_eq!(
        finding(&found, &Subject::Unjudged),
        "taken as unknown to an attacker: 'ward' (2 different values)"
    );
    let missing = judge_stream(b"age,sex\n1,F\n".as_slice(), &question(Guarantee::MUnique { m: 2 }));
    assert_eq!(missing.unwrap_err().to_string(), "the published table has no column \"disease\"");
    // Too many to be counted.
    let mut text = String::from("age,sex,class,disease,ward\n");
    for ward in 100_000..150_000 {
        writeln!(text, "1,F,1,A,{ward}").unwrap();
    }
    let found = judge_stream(text.as_bytes(), &question(Guarantee::KAnonymity { k: 2 })).unwrap();
    assert_eq!(finding(&found, &Subject::Unjudged), "taken as unknown to an attacker: 'ward'");
}

#[test]
fn rows_that_do_not_fit_are_refused() {
    let header = ["age", "sex", "class", "disease"].map(String::from);
    let question = question(Guarantee::KAnonymity { k: 2 });
    let mut judge = Judge::new(&header, Reader::General, &question).unwrap();
    judge.row(&["1", "F", "1", "A"]).unwrap();
    let why = judge.row(&["1", "F", "1"]).unwrap_err().to_string();
    assert_eq!(why, "the published table cannot be read: row 2, column 3: the row has 3 cells, the header 4");
    let empty = Judge::new(&header, Reader::General, &question).unwrap().finish().unwrap_err().to_string();
    assert_eq!(empty, "the published table cannot be read: row 1, column 1: the table has no rows");
    assert_eq!(
        Judge::new(&header[1..], Reader::General, &question).err(),
        Some(Error::NoColumn { column: "age".into() })
    );
}
