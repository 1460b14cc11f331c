//! Columns that are published unchanged, of persons who may have several rows: compared with the source, and what they cost,
//! by hand.

use lookalike_audit::{
    Error, Guarantee, JudgedPersons, Persons, Question, Source, Subject, judge_persons,
    unchanged::{Disclosed, Gains, gains_of_persons},
};

use crate::common::{Rows, csv, failed, question, rows};

/// Class, person, disease, cost, days.
const SOURCE: &str = "1 P flu 5 1
1 P flu 5 1
1 Q flu 5 1
1 R gout 5 2
1 P gout 7 1
1 S cold 9 1
1 s flu 9 1
2 T flu 5 1
2 U flu 5 1
- V flu 1 1";

const RELEASE: &str = "age sex disease cost days class
[20-29] f cold 9 1 1
[20-29] f flu 5 1 1
[20-29] f flu 5 1 1
[20-29] f flu 5 1 1
[20-29] f flu 9 1 1
[20-29] f gout 5 2 1
[20-29] f gout 7 1 1
[30-39] m flu 5 1 2
[30-39] m flu 5 1 2";

fn asked() -> Question {
    question(Guarantee::KAnonymity { k: 2 })
}

/// What is found of a release with this source: by the judge, and of what is gained.
fn found(release: &Rows, source: &str) -> (Result<JudgedPersons, Error>, Result<Gains, Error>) {
    let source: Vec<Vec<&str>> = source.lines().map(|line| line.split(' ').collect()).collect();
    let class = |row: &[&str]| if row[0] == "-" { String::new() } else { row[0].to_owned() };
    let lines = source.iter().enumerate().map(|(at, row)| format!("{at},{}\n", class(row)));
    let linking = format!("row,class\n{}", lines.collect::<String>());
    let column = |at: usize| source.iter().map(|row| row[at]).collect::<Vec<&str>>();
    let (keys, sensitive) = (column(1), column(2));
    let persons = Persons { linking: linking.as_bytes(), keys: &keys, sensitive: &sensitive };
    let unchanged = ["cost", "days"].map(String::from);
    let columns = [sensitive.clone(), column(3), column(4)];
    let cell = |row: usize, name: &str| {
        let at = ["disease", "cost", "days"].iter().position(|other| *other == name)?;
        columns[at].get(row).copied()
    };
    let of = Source { unchanged: &unchanged, key: linking.as_bytes(), cell: &cell };
    let bytes = csv(release);
    (judge_persons(&bytes, &asked(), &persons, Some(&of)), gains_of_persons(&bytes, &asked(), &persons, &of))
}

#[test]
fn the_cells_of_persons_are_compared_with_the_source() {
    let verdict = found(&rows(RELEASE), SOURCE).0.unwrap().verdict;
    assert_eq!(failed(&verdict), []);
    assert!(verdict.checks.iter().any(|check| check.name == Subject::Unchanged));
    assert!(!verdict.checks.iter().any(|check| check.name == Subject::Unjudged), "they are judged");
    // Another cell; a cell beside another value; the cells of two rows of one class, each with those of the other.
    let exchanged = RELEASE.replace("cold 9 1 1", "cold 7 1 1").replace("gout 7 1 1", "gout 9 1 1");
    for release in [RELEASE.replace("gout 7", "gout 8"), exchanged] {
        let verdict = found(&rows(&release), SOURCE).0.unwrap().verdict;
        assert_eq!(failed(&verdict), [Subject::Unchanged], "{release}");
    }
}

#[test]
fn rows_of_one_person_are_no_crowd() {
    let gains = found(&rows(RELEASE), SOURCE).1.unwrap();
    let [cost, days] = gains.columns.as_slice() else { unreachable!() };
    // P alone has 7; S alone has 9, in two rows; of the four rows with 5 two are P's, one is Q's, one is R's. T and U share 5.
    assert_eq!((cost.uniques, cost.highest), (2, 1.0));
    assert!((cost.mean - (1.0 + 0.25 + 0.25 + 1.0 + 0.5 + 0.5) / 6.0).abs() < 1e-12);
    assert_eq!(cost.classes, [(1.0, 1), (0.5, 1)]);
    assert!((cost.highest_mean - 2.5 / 4.0).abs() < 1e-12);
    // P has gout in the row of 7. Both rows of 9 are S's. T and U have the flu. Of Q and R nothing is certain.
    assert_eq!(cost.values, Some(Disclosed { highest: 1.0, certain: 4 }));
    // R alone has 2. Of six rows with 1, three are P's.
    assert_eq!((days.uniques, days.classes.as_slice()), (1, &[(1.0, 1), (0.5, 1)][..]));
    assert!((days.mean - (0.5 + 1.0 / 6.0 + 1.0 + 2.0 / 6.0 + 0.5 + 0.5) / 6.0).abs() < 1e-12);
    // Four of these six have the flu: three rows of P miss it never. R has gout for certain.
    assert_eq!(days.values.unwrap().certain, 4);
    // Together R is alone, too, and the three flu rows of 5 and 1 tell of P and Q.
    assert_eq!((gains.together.uniques, gains.together.values.unwrap().certain), (3, 6));
    // 7 is P's alone, 9 S's, 2 R's: one column each. Of one person in several rows is of one person.
    assert_eq!(
        (gains.minimal.rows.as_slice(), gains.minimal.singled_out.as_slice()),
        (&[3, 0][..], &[2, 1][..])
    );
}

#[test]
fn a_column_that_is_not_there_is_named() {
    let mut lacking = rows(RELEASE);
    lacking[0][4] = "nights".into();
    let (judged, gains) = found(&lacking, SOURCE);
    assert_eq!(judged.unwrap_err(), Error::NoColumn { column: "days".into() });
    assert_eq!(gains.unwrap_err(), Error::NoColumn { column: "days".into() });
}
