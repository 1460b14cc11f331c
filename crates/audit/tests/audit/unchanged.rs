//! Columns that are published unchanged: compared with the source, and what they cost, by hand.

use lookalike_audit::{
    Error, Guarantee, Question, Source, Subject, Verdict, judge_with_source,
    unchanged::{Disclosed, gains},
};
use proptest::prelude::*;

use crate::common::{Rows, csv, failed, question, rows, words};

/// Cells of the source: disease, cost, days.
const SOURCE: [[&str; 3]; 6] = [
    ["FLU", "900", "3"],
    ["HIV", "900", "7"],
    ["ACNE", "120", "3"],
    ["FLU", "55", "1"],
    ["HIV", "9", "1"],
    ["FLU", "900", "3"],
];

const KEY: &str = "row,class\n0,1\n1,1\n2,1\n3,2\n4,2\n5,2\n6,\n";

fn release() -> Rows {
    rows(
        "age sex cost disease days class\n\
         [18-20] M 120 ACNE 3 1\n[18-20] M 900 FLU 3 1\n[18-20] M 900 HIV 7 1\n\
         [30-45] F 9 HIV 1 2\n[30-45] F 55 FLU 1 2\n[30-45] F 900 FLU 3 2",
    )
}

fn unchanged() -> Vec<String> {
    ["cost", "days"].map(String::from).to_vec()
}

fn asked() -> Question {
    question(Guarantee::KAnonymity { k: 3 })
}

fn judged(rows: &Rows, key: &str) -> Result<Verdict, Error> {
    let cell = |row: usize, name: &str| {
        let at = ["disease", "cost", "days"].iter().position(|other| *other == name)?;
        SOURCE.get(row).map(|cells| cells[at])
    };
    let source = Source { unchanged: &unchanged(), key: key.as_bytes(), cell: &cell };
    judge_with_source(&csv(rows), &asked(), &source)
}

#[test]
fn the_cells_of_the_source_are_told_by_a_check_of_their_own() {
    let verdict = judged(&release(), KEY).unwrap();
    assert_eq!(failed(&verdict), []);
    let check = verdict.checks.iter().find(|check| check.name == Subject::Unchanged).unwrap();
    assert_eq!(
        check.finding.to_string(),
        "the cells of \"cost\" and \"days\" in 6 rows are those of the source, class by class, with their sensitive value"
    );
    assert!(!verdict.checks.iter().any(|check| check.name == Subject::Unjudged), "they are judged");
}

#[test]
fn any_other_cell_fails_it() {
    let with = |row: usize, column: usize, cell: &str| {
        let mut rows = release();
        rows[row][column] = cell.into();
        rows
    };
    // A cell that is not there, one of another class, one written otherwise, another value beside it.
    let mut exchanged = release();
    (exchanged[1][3], exchanged[2][3]) = (exchanged[2][3].clone(), exchanged[1][3].clone());
    for rows in [with(1, 2, "121"), with(1, 2, "55"), with(1, 4, "3.0"), with(1, 3, "FLU"), exchanged] {
        let verdict = judged(&rows, KEY).unwrap();
        assert!(failed(&verdict).contains(&Subject::Unchanged), "{rows:?}");
    }
    let verdict = judged(&with(1, 2, "121"), KEY).unwrap();
    let check = verdict.checks.iter().find(|check| check.name == Subject::Unchanged).unwrap();
    assert_eq!(
        check.finding.to_string(),
        "the cells of \"cost\" and \"days\" are not those of the source: 1 published row without a source row in the class, \
         1 source row without a published row in the class"
    );
    assert_eq!(
        words(&check.witnesses),
        [
            "published row 1 has unchanged cells that no source row of its class has",
            "source row 3 is not published with its unchanged cells in its class",
        ]
    );
    let mut lacking = release();
    lacking[0][4] = "nights".into();
    assert_eq!(judged(&lacking, KEY).unwrap_err(), Error::NoColumn { column: "days".into() });
    // The key is read by the strict reader, too, and must not name rows that there are not.
    assert!(judged(&release(), "row,class\r\n").is_err());
    assert!(!judged(&release(), &KEY.replace("5,2", "17,2")).unwrap().passed);
    assert!(!judged(&release(), &KEY.replace("6,", "6,2")).unwrap().passed);
}

proptest! {
    /// The classes of two rows exchanged in the key, or their cells in the release: found out unless the rows are alike.
    #[test]
    fn an_exchange_between_classes_is_found_out(a in 0..6_usize, b in 0..6_usize, cells: bool) {
        let (key, mut table) = (KEY.to_owned(), release());
        let of = |row: usize| usize::from(row > 2);
        let key = if cells {
            let (x, y) = (table[a + 1].clone(), table[b + 1].clone());
            for column in 2..5 {
                (table[a + 1][column], table[b + 1][column]) = (y[column].clone(), x[column].clone());
            }
            key
        } else {
            let line = |row: usize, class: usize| format!("\n{row},{}\n", class + 1);
            let once = key.replace(&line(a, of(a)), &line(a, of(b)));
            if a == b { key } else { once.replace(&line(b, of(b)), &line(b, of(a))) }
        };
        let alike = if cells { release()[a + 1][2..5] == release()[b + 1][2..5] } else { SOURCE[a] == SOURCE[b] };
        let found = failed(&judged(&table, &key).unwrap()).contains(&Subject::Unchanged);
        prop_assert_eq!(found, of(a) != of(b) && !alike);
    }
}

#[test]
fn what_is_gained_by_hand() {
    let found = gains(&csv(&release()), &asked(), &unchanged()).unwrap();
    let [cost, days] = found.columns.as_slice() else { unreachable!() };
    // Cost: 120 alone, 900 twice; 9, 55, 900 alone.
    assert_eq!((cost.uniques, cost.highest), (4, 1.0));
    assert!((cost.mean - 5.0 / 6.0).abs() < 1e-12 && (cost.highest_mean - 1.0).abs() < 1e-12);
    assert_eq!(cost.classes, [(1.0, 2)]);
    assert_eq!(cost.values, Some(Disclosed { highest: 1.0, certain: 4 }));
    // Days: 3 twice, 7 alone; 1 twice, 3 alone.
    assert_eq!((days.uniques, days.values.unwrap().certain), (2, 2));
    assert!((days.mean - 4.0 / 6.0).abs() < 1e-12);
    assert_eq!(found.together.uniques, 6);
    // 120, 9 and 55 are alone in cost, 7 in days; with both nothing else is.
    assert_eq!((found.minimal.largest_set, found.minimal.rows), (2, vec![4, 0]));
    assert_eq!(
        (found.minimal.columns, found.minimal.singled_out),
        (vec![vec![3, 0], vec![1, 0]], vec![3, 1])
    );
    let lacking = gains(&csv(&release()), &asked(), &[String::from("income")]);
    assert_eq!(lacking.unwrap_err(), Error::NoColumn { column: "income".into() });
}
