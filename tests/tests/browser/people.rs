//! People with several rows before a run: who could be found is counted in people, and a number that their values do not allow is refused
//! with one that they do. Counted here anew, from the file.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_tests::program::Folder;
use serde_json::json;

use crate::page::{Page, becomes};

/// Patient, age, sex and diagnosis of each visit. Patient 0 has flu and asthma: whoever has either shares a value with them.
fn visits() -> Vec<[String; 4]> {
    let diagnoses = ["flu", "asthma", "gout", "cold"];
    let visit = |patient: usize, nth: usize| {
        // Rows of some patients are alike, so that nobody is alone by them but all of these rows are one person's.
        let age = 20 + (patient * 7 + (patient % 2) * nth * 3) % 29;
        let diagnosis = match patient {
            0 => diagnoses[nth % 2],
            _ => diagnoses[patient % 4],
        };
        let sex = if patient.is_multiple_of(2) { "f" } else { "m" };
        [format!("P{patient:03}"), age.to_string(), String::from(sex), String::from(diagnosis)]
    };
    (0..60)
        .flat_map(|patient| {
            (0..1 + patient % 3 + usize::from(patient == 0)).map(move |nth| visit(patient, nth))
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_with_several_rows_are_counted_before_a_run() {
    let folder = Folder::new();
    let visits = visits();
    let lines: String = visits.iter().map(|cells| cells.join(",") + "\n").collect();
    folder.write("in.csv", String::from("patient_id,age,sex,diagnosis\n") + &lines);
    let mut who: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for [patient, age, sex, _] in &visits {
        who.entry((age, sex)).or_default().insert(patient);
    }
    let alone: BTreeSet<&str> = who.values().filter(|people| people.len() == 1).flatten().copied().collect();
    let rows_alone = visits.iter().filter(|row| {
        visits.iter().filter(|other| (&other[1], &other[2]) == (&row[1], &row[2])).count() == 1
    });
    assert_ne!(alone.len(), rows_alone.count(), "people and rows must differ for this to say anything");

    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    for (column, role) in [("age", "quasi"), ("sex", "quasi"), ("diagnosis", "sensitive")] {
        page.role(column, role).await;
    }
    page.choose("#rows-are", "of-persons").await;
    // Where a number needs a change, what can be done has the room.
    page.fill("#m", "2").await;
    let uniques = "return document.querySelector('#raw-risk').dataset.uniques";
    becomes(&page, uniques, json!(alone.len().to_string())).await;
    let told = page.text("#raw-risk").await;
    let expected = format!("{} of 60 people have a row whose", alone.len());
    assert!(told.contains(&expected), "{told}");
    // Beside each row stands how many people have such a one.
    for (row, [_, age, sex, _]) in visits.iter().enumerate().take(12) {
        let alike =
            format!("return document.querySelectorAll('#browse tbody tr[data-alike]')[{row}].dataset.alike");
        becomes(&page, &alike, json!(who[&(age.as_str(), sex.as_str())].len().to_string())).await;
    }

    // Flu and asthma count as one, and half of the people have one of them: two are possible, three are not.
    page.choose("#model", "m-invariance").await;
    page.fill("#m", "3").await;
    let offers = page.text("#offers").await;
    assert!(offers.contains("Hiding among 3 is not possible") && offers.contains("count as one"), "{offers}");
    assert!(!offers.contains("Leave out") && !offers.contains("Add "), "{offers}");
    page.click("#offer-number").await;
    assert!(page.text("#guess").await.contains("1 in 2"), "{}", page.text("#guess").await);
    page.anonymize().await;
    let verdict = page.text("#verdict").await;
    assert!(
        verdict.contains("Each of 60 people is hidden among at least 2 people") && verdict.contains("1 in 2"),
        "{verdict}"
    );
    // Before is counted in people, as after is.
    let finding = page.text("#people-finding").await;
    assert!(finding.starts_with(&format!("Before, {} people were alone", alone.len())), "{finding}");
    page.close().await;
}
