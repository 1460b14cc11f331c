//! A published table is checked: the page finds what the command line finds.

use lookalike_tests::{program::Folder, tables::visits};

use crate::{
    opening::{archive, gzip},
    page::Page,
    text,
};

fn words(command: &str) -> Vec<&str> {
    command.split_whitespace().collect()
}

async fn upload(page: &Page, folder: &Folder, css: &str, name: &str) {
    page.find(css).await.send_keys(&folder.file(name)).await.unwrap();
}

/// Checks, and gives all that is shown.
async fn shown(page: &Page) -> String {
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
