//! One level for a whole column, with sets of columns: what the page chooses, proves and shows is what the command line does.

use lookalike_tests::{program::Folder, tables::visits};

use crate::{forms, page::Page, text};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn levels_and_sets_give_what_the_command_line_gives() {
    let folder = Folder::new();
    folder.write("in.csv", visits(80));
    folder.succeed(
        "anonymize in.csv --quasi pain,zip,ward --sensitive illness --model k-anonymity --k 4 --seed 5 --effort 1 \
         --kind zip=category --missing-quasi drop --generate-hierarchy zip=prefix --publish-column zip=hierarchy --scheme full-domain --set 12=pain,ward \
         --suppress-limit 10% -o out.csv --report report.json --save-config config.json"
            .split_whitespace()
            .collect::<Vec<_>>()
            .as_slice(),
    );
    folder.succeed(&["hierarchy", "in.csv", "--column", "zip", "--generate", "prefix", "-o", "made.csv"]);
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    for (column, role) in [
        ("pain", "quasi"),
        ("zip", "quasi"),
        ("ward", "quasi"),
        ("illness", "sensitive"),
        ("day", "drop"),
        ("age", "drop"),
    ] {
        page.role(column, role).await;
    }
    forms::kind(&page, "zip", "category").await;
    forms::more(&page, "zip").await;
    page.find("#hierarchy-input").await.send_keys(&folder.file("made.csv")).await.unwrap();
    page.find("#hierarchy-made").await;
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "4").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "1").await;
    page.choose("#missing-quasi", "drop").await;
    page.click("#more-suppress > summary").await;
    page.fill("#limit", "10 %").await;
    page.choose("#scheme", "full-domain").await;
    // A set of a column that nobody knows says so where it is typed.
    page.fill("#sets", "12 = pain, illness").await;
    page.click("#anonymize").await;
    let why = page.text("#sets-wrong").await;
    assert!(why.contains("“illness” is not a quasi-identifier"), "{why}");
    page.fill("#sets", "12 = pain, ward").await;
    page.shot("levels").await;
    page.anonymize().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    let config = page.saved("#download-config", "in-config.json").await;
    assert_eq!(text(&config), folder.text("config.json"));
    // The words on the screen are those of the report.
    let found = &folder.json("report.json")["full_domain"];
    let told = page.text("#levels + .meaning").await;
    for of in found["columns"].as_array().unwrap() {
        let name = of["column"].as_str().unwrap();
        let level = format!("{name}: level {} of {}", of["level"], of["highest"]);
        assert!(told.contains(&level), "{level}: {told}");
    }
    assert_eq!(found["complete"], true);
    let nodes = format!("{} of {} choices", found["looked_at"], found["nodes"]);
    assert!(told.contains(&nodes) && told.contains("none costs less"), "{nodes}: {told}");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sets_in_classes_give_what_the_command_line_gives() {
    let folder = Folder::new();
    folder.write("in.csv", visits(80));
    folder.succeed(
        "anonymize in.csv --quasi pain,age,ward --sensitive illness --model k-anonymity --k 4 --seed 5 --effort 1 \
         --missing-quasi drop --loss ncp --set 12=pain --set 9=age,ward -o out.csv --report report.json"
            .split_whitespace()
            .collect::<Vec<_>>()
            .as_slice(),
    );
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    let roles = [
        ("pain", "quasi"),
        ("age", "quasi"),
        ("ward", "quasi"),
        ("illness", "sensitive"),
        ("day", "drop"),
        ("zip", "drop"),
    ];
    for (column, role) in roles {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "4").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "1").await;
    page.choose("#missing-quasi", "drop").await;
    // Sets with a common column have no groups of classes.
    page.fill("#sets", "12 = pain\n9 = age, pain").await;
    page.click("#anonymize").await;
    let why = page.text("#sets-wrong").await;
    assert!(why.contains("“pain” is in two sets"), "{why}");
    page.fill("#sets", "12 = pain\n9 = age, ward").await;
    page.anonymize().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    // The verdict names each set with what its smallest group reaches.
    let told = page.text("#verdict").await;
    for set in folder.json("report.json")["sets"].as_array().unwrap() {
        let smallest = set["smallest"].to_string();
        assert!(told.contains(&smallest), "{smallest}: {told}");
    }
    page.close().await;
}
