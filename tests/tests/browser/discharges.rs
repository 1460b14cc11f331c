//! A hospital's discharges, from the file to the statement by what the page says: persons with several stays, hierarchies of codes and
//! postcodes, an admission with its time of day, and columns that are published unchanged.

use lookalike_tests::{
    program::Folder,
    tables::{discharges, parse},
};
use serde_json::json;

use crate::{
    forms::{kind, more},
    page::Page,
    text,
};

const RUN: &str = "anonymize in.csv --rows-are events-of=patient --quasi icd,postcode,born,admitted --sensitive outcome \
     --unchanged stay,cost --kind icd=category,postcode=category --hierarchy icd=icd.csv --generate-hierarchy postcode=prefix \
     --publish-column icd=hierarchy,postcode=hierarchy --model k-anonymity --k 5 --method mondrian --seed 1 -o out.csv";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn discharges_go_from_file_to_statement() {
    let folder = Folder::new();
    let (table, hierarchy) = discharges(5000, 3000);
    folder.write("in.csv", &table);
    folder.write("icd.csv", &hierarchy);
    folder.succeed(&RUN.split_whitespace().collect::<Vec<_>>());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    for column in ["icd", "postcode", "born", "admitted"] {
        page.role(column, "quasi").await;
    }
    page.role("outcome", "sensitive").await;
    page.role("stay", "unchanged").await;
    page.role("cost", "unchanged").await;
    // An admission is read with its time of day, and the page says by what.
    more(&page, "admitted").await;
    let admitted = page.text("[data-detail='admitted']").await;
    assert!(
        admitted.contains("DD.MM.YYYY") || admitted.contains("14:") || admitted.contains(':'),
        "{admitted}"
    );
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "5").await;
    page.fill("#seed", "1").await;
    // The page asks what the rows are, since patients repeat.
    let asked = page.text("main").await;
    assert!(asked.contains("3,000 different values in 5,000 rows"), "{asked}");
    page.choose("#rows-are", "of-persons").await;
    page.choose("#person", "patient").await;
    more(&page, "icd").await;
    page.find("#hierarchy-input").await.send_keys(&folder.file("icd.csv")).await.unwrap();
    page.find("#hierarchy-made").await;
    kind(&page, "postcode", "category").await;
    more(&page, "postcode").await;
    page.click("#hierarchy-make").await;
    page.find("#hierarchy-made").await;
    page.click("#more-search > summary").await;
    page.choose("#method", "mondrian").await;
    page.shot("discharges-1-settled").await;
    page.anonymize().await;
    page.shot("discharges-2-result").await;
    let published = page.download("#download-table").await;
    assert!(text(&published) == folder.text("out.csv"), "not what the command line publishes");
    let report = page.report().await;
    assert_eq!((&report["persons"]["count"], &report["audit"]["passed"]), (&json!(3000), &json!(true)));

    // Counted again from the published bytes and the file: the unchanged cells are those of the source, no code of a patient is
    // there, and each class has five patients at least.
    let (names, rows) = parse(&published);
    assert_eq!(names, ["icd", "postcode", "born", "admitted", "outcome", "stay", "cost", "class"]);
    let (_, source) = parse(table.as_bytes());
    assert_eq!((rows.len(), source.len()), (5000, 5000));
    let classes = page.download("#download-classes").await;
    let mut patients = std::collections::BTreeMap::<&str, std::collections::BTreeSet<&str>>::new();
    for line in text(&classes).lines().skip(1) {
        let (row, class) = line.split_once(',').unwrap();
        patients.entry(class).or_default().insert(&source[row.parse::<usize>().unwrap()][0]);
    }
    assert!(patients.values().all(|of_class| of_class.len() >= 5));
    let sorted = |mut cells: Vec<String>| {
        cells.sort_unstable();
        cells
    };
    let costs = |rows: &[Vec<String>], stay: usize| {
        sorted(rows.iter().map(|row| format!("{} {}", row[stay], row[stay + 1])).collect())
    };
    assert_eq!(costs(&rows, 5), costs(&source, 6));

    let statement = page.download("#download-statement").await;
    let statement = text(&statement);
    for said in [" checks passed.", "3,000 people", "published unchanged"] {
        assert!(statement.contains(said), "{said} is not in the statement");
    }
    assert!(!statement.contains("P00001") && !statement.contains("10115"), "no cell of the table");
    folder.write("statement.html", statement);
    page.client.goto(&format!("file://{}", folder.file("statement.html"))).await.unwrap();
    page.find("h1").await;
    page.shot("discharges-3-statement").await;
    page.close().await;
}
