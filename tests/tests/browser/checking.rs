//! A published table is checked: the page finds what the command line finds.

use lookalike_tests::{program::Folder, tables::visits};

use crate::{
    opening::{archive, gzip},
    page::Page,
    text,
};

pub(crate) fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().collect()
}

pub(crate) async fn upload(page: &Page, folder: &Folder, css: &str, name: &str) {
    page.find(css).await.send_keys(&folder.file(name)).await.unwrap();
}

/// Checks, and gives all that is shown.
pub(crate) async fn shown(page: &Page) -> String {
    page.click("#check-start").await;
    page.find("#check-text").await;
    let text = "return document.getElementById('check-text').textContent";
    page.client.execute(text, vec![]).await.unwrap().as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_published_table_is_checked_as_the_command_line_does() {
    let folder = Folder::new();
    folder.write("in.csv", visits(60));
    folder.succeed(
        "anonymize in.csv --quasi age,ward --sensitive illness --model m-invariance --m 3 --eligibility add --seed 5 --effort 1 \
         -o out.csv --classes classes.csv"
            .split_whitespace()
            .collect::<Vec<_>>()
            .as_slice(),
    );
    let asked = "check out.csv --quasi age,ward --sensitive illness --model k-anonymity,l-diversity,t-closeness,m-uniqueness \
                 --k 3 --m 3 --l 2 --variant entropy --t 0.6 --original in.csv --classes classes.csv --population 5000 \
                 --repair add --counterfeits 24";
    let printed = folder.run(asked.split_whitespace().collect::<Vec<_>>().as_slice()).stdout;
    let page = Page::open(&[]).await;
    page.click("#to-check").await;
    upload(&page, &folder, "#check-input", "out.csv").await;
    page.find("#check-opened").await;
    page.find("#check-start:disabled").await;
    for (column, role) in [("age", "quasi"), ("ward", "quasi"), ("illness", "sensitive")] {
        page.choose(&format!("[data-check-column='{column}'] select"), role).await;
    }
    page.fill("#check-k", "3").await;
    page.fill("#check-m", "3").await;
    page.fill("#check-l", "2").await;
    page.choose("#check-variant", "entropy").await;
    page.fill("#check-t", "0.6").await;
    page.click("#more-check > summary").await;
    page.fill("#check-population", "5000").await;
    page.choose("#check-repair", "add").await;
    page.fill("#check-counterfeits", "24").await;
    upload(&page, &folder, "#check-original", "in.csv").await;
    page.find("#original-opened").await;
    upload(&page, &folder, "#check-classes", "classes.csv").await;
    page.find("#classes-opened").await;
    page.find("#check-start:enabled").await;
    assert_eq!(shown(&page).await, text(&printed));
    page.shot("forms-check").await;
    // The way back.
    page.click("#to-check").await;
    page.find("#file-input").await;
    page.close().await;
}

/// Values that differ in their spelling only are named beside the verdict: a promise about different values may hold in letters alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_that_are_spelt_alike_are_named_beside_the_verdict() {
    let folder = Folder::new();
    let rows = ["30,flu\n", "30,Flu\n", "40,gout\n", "40,cold\n"].concat();
    folder.write("out.csv", format!("age,illness\n{rows}"));
    folder.write("clean.csv", format!("age,illness\n{}", rows.replace("Flu", "cold")));
    for (table, near) in [("out.csv", true), ("clean.csv", false)] {
        let page = Page::open(&[]).await;
        page.click("#to-check").await;
        upload(&page, &folder, "#check-input", table).await;
        page.find("#check-opened").await;
        for (column, role) in [("age", "quasi"), ("illness", "sensitive")] {
            page.choose(&format!("[data-check-column='{column}'] select"), role).await;
        }
        page.fill("#check-k", "2").await;
        page.fill("#check-m", "2").await;
        shown(&page).await;
        assert_eq!(page.attribute("#verdict", "data-passed").await, "true");
        let said = page.text("#checked").await;
        assert_eq!(said.contains("'Flu' (1 row) and 'flu' (1 row): these differ in"), near, "{said}");
        page.close().await;
    }
}

/// Every form that can be anonymized can be checked, its original as well, with notions between both and hierarchies.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_of_every_form_are_checked_against_their_original() {
    let folder = Folder::new();
    folder.write("in.csv", visits(60).replace(',', ";"));
    folder.succeed(&words(
        "anonymize in.csv --quasi age,zip --sensitive illness --model k-anonymity --k 4 --seed 5 --effort 1 --kind zip=category \
         --missing-column zip=value --generate-hierarchy zip=prefix --publish-column zip=hierarchy -o out.csv --classes classes.csv",
    ));
    folder.succeed(&words("hierarchy in.csv --column zip --generate prefix -o zip.csv"));
    let published = folder.text("out.csv");
    folder.write("out.zip", archive(&[("read me.txt", "nothing"), ("out.csv", &published)]));
    folder.write("in.csv.gz", gzip(&folder.text("in.csv")));
    let printed = folder.run(&words(
        "check out.csv --quasi age,zip --sensitive illness --model k-anonymity,1-k-anonymity,k-1-anonymity,k-k-anonymity,k-concealment \
         --k 4 --kind zip=category --hierarchy zip=zip.csv --original in.csv --classes classes.csv",
    ));
    let page = Page::open(&[]).await;
    page.click("#to-check").await;
    upload(&page, &folder, "#check-input", "out.zip").await;
    page.find("#check-opened-failed").await;
    page.choose("#published-member", "out.csv").await;
    page.find("#check-opened").await;
    for (column, role) in [("age", "quasi"), ("zip", "codes"), ("illness", "sensitive")] {
        page.choose(&format!("[data-check-column='{column}'] select"), role).await;
    }
    page.fill("#check-k", "4").await;
    page.click("#more-check > summary").await;
    // A file that is no hierarchy is refused, and can be done without.
    upload(&page, &folder, "[data-check-tree='zip'] input", "out.csv").await;
    page.find("[data-check-tree='zip'] .wrong").await;
    upload(&page, &folder, "[data-check-tree='zip'] input", "zip.csv").await;
    page.find("[data-check-tree='zip'] [data-tree-values]").await;
    upload(&page, &folder, "#check-original", "in.csv.gz").await;
    page.find("#original-opened").await;
    upload(&page, &folder, "#check-classes", "classes.csv").await;
    page.find("#classes-opened").await;
    page.choose("#check-notion", "all").await;
    // Where the command line names a flag, the page names its field.
    let fields = "the field “People in the population”, --sample-fraction on the command line";
    let printed = text(&printed.stdout).replace("--population, --sample-fraction", fields);
    assert_eq!(shown(&page).await, printed);
    page.click("[data-check-tree='zip'] button").await;
    page.choose("#check-notion", "none").await;
    assert_ne!(shown(&page).await, printed);
    page.close().await;
}

/// What a check says in its first line.
async fn verdict(page: &Page) -> String {
    page.click("#check-start").await;
    page.find("#verdict").await;
    page.text("#verdict").await
}

/// A published table in which one group is too small: two people in two groups of three, and a group of one.
const SMALL: &str = "age,ward,illness\n[20-30],A,flu\n[20-30],A,gout\n[20-30],A,cold\n[40-50],B,flu\n[40-50],B,gout\n[40-50],B,cold\n70,C,flu\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_verdict_says_what_the_table_is_and_what_was_not_asked() {
    let folder = Folder::new();
    folder.write("small.csv", SMALL);
    let page = Page::open(&[]).await;
    page.click("#to-check").await;
    upload(&page, &folder, "#check-input", "small.csv").await;
    page.find("#check-opened").await;
    for column in ["age", "ward"] {
        page.choose(&format!("[data-check-column='{column}'] select"), "quasi").await;
    }
    page.fill("#check-k", "2").await;
    // The table stands in the middle, its rows tinted by their groups.
    page.find("#check-rows tr[data-alike='1']").await;
    assert_eq!(page.attribute("#check-rows", "data-rows").await, "7");
    assert_eq!(
        verdict(&page).await,
        "✗ This table is not 2-anonymous: 1 group is smaller. Nothing was asked about illness."
    );
    assert!(page.text("#verdict-counts").await.contains("hold: 0 of 1"));
    assert!(page.text("#strip-verdict").await.contains("Not all that was asked holds"));
    assert!(page.text("#strip-loaded").await.starts_with("small.csv, 7 rows"));
    // Only what was asked counts; what holds is told beside it.
    page.choose("[data-check-column='illness'] select", "sensitive").await;
    page.fill("#check-l", "1").await;
    assert!(page.client.find(fantoccini::Locator::Css("#verdict")).await.is_err(), "it was another question");
    page.fill("#check-l", "3").await;
    let told = verdict(&page).await;
    assert!(
        told.contains("not 2-anonymous") && told.contains("not 3-diverse for illness: 1 group is less so"),
        "{told}"
    );
    assert!(!told.contains("Nothing was asked"), "{told}");
    // Undo takes the questions back, one by one.
    page.click("#undo").await;
    assert_eq!(page.find("#check-l").await.prop("value").await.unwrap().as_deref(), Some(""));
    page.click("#undo").await;
    assert_eq!(page.attribute("[data-check-column='illness'] select", "class").await, "");
    assert_eq!(
        verdict(&page).await,
        "✗ This table is not 2-anonymous: 1 group is smaller. Nothing was asked about illness."
    );
    // Without the row that stands alone it holds.
    folder.write("good.csv", SMALL.replace("70,C,flu\n", ""));
    upload(&page, &folder, "#check-input", "good.csv").await;
    page.find("#check-rows[data-rows='6']").await;
    for column in ["age", "ward"] {
        page.choose(&format!("[data-check-column='{column}'] select"), "quasi").await;
    }
    page.fill("#check-k", "3").await;
    assert_eq!(verdict(&page).await, "✓ This table is 3-anonymous. Nothing was asked about illness.");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_counted_where_original_and_key_are_given() {
    let folder = Folder::new();
    folder.write("out.csv", "class,age,illness\n1,[30-40],flu\n1,[30-40],gout\n1,[30-40],cold\n");
    folder.write("in.csv", "patient,age,illness\nA,30,flu\nB,40,gout\nA,31,cold\n");
    folder.write("classes.csv", "row,class\n0,1\n1,1\n2,1\n");
    let page = Page::open(&[]).await;
    page.click("#to-check").await;
    upload(&page, &folder, "#check-input", "out.csv").await;
    page.find("#check-opened").await;
    page.choose("[data-check-column='age'] select", "quasi").await;
    page.fill("#check-k", "3").await;
    assert!(verdict(&page).await.starts_with("✓ This table is 3-anonymous."));
    assert!(page.text("#verdict-counts").await.contains("Rows were counted."));
    upload(&page, &folder, "#check-original", "in.csv").await;
    page.find("#original-opened").await;
    upload(&page, &folder, "#check-classes", "classes.csv").await;
    page.find("#classes-opened").await;
    page.choose("#check-person", "patient").await;
    // Three rows are of two people, whatever the rows say.
    let told = verdict(&page).await;
    assert!(
        told.starts_with("✗ This table is not 3-anonymous: a group has rows of only 2 people."),
        "{told}"
    );
    assert!(
        page.text("#verdict-counts")
            .await
            .contains("People were counted, not rows: 2 people, named by patient.")
    );
    let command = "check out.csv --quasi age --model k-anonymity --k 3 --original in.csv --classes classes.csv --person patient";
    assert_ne!(folder.run(&words(command)).code, Some(0), "the command line says the same");
    page.fill("#check-k", "2").await;
    assert!(
        verdict(&page)
            .await
            .starts_with("✓ This table is 2-anonymous: everybody is among at least 2 people.")
    );
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_check_leaves_the_workbench_as_it_was() {
    let folder = Folder::new();
    folder.write("in.csv", crate::hospital());
    folder.write("small.csv", SMALL);
    let page = Page::open(&[]).await;
    crate::set_up(&page, &folder, "3", "1", "0.2").await;
    page.anonymize().await;
    let said = page.text("#verdict").await;
    page.click("#to-check").await;
    // A file that is dropped here is the published one, not another table to anonymize.
    let drop = "const data = new DataTransfer();\
        data.items.add(new File([arguments[0]], 'dropped.csv', { type: 'text/csv' }));\
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))";
    page.client.execute(drop, vec![serde_json::json!(SMALL)]).await.unwrap();
    page.find("#check-rows[data-rows='7']").await;
    assert!(page.text("#check-opened").await.starts_with("dropped.csv"));
    assert!(page.client.find(fantoccini::Locator::Css("#asks")).await.is_err(), "nothing would be lost");
    page.choose("[data-check-column='age'] select", "quasi").await;
    assert!(verdict(&page).await.contains("not 5-anonymous"));
    // Back, the result is there with its files, and the check is where it was left.
    page.click("#to-check").await;
    page.find("#opened[data-name='in.csv']").await;
    assert_eq!(page.text("#verdict").await, said);
    assert!(!page.download("#download-table").await.is_empty());
    page.click("#to-check").await;
    assert!(page.text("#verdict").await.contains("not 5-anonymous"));
    page.close().await;
}
