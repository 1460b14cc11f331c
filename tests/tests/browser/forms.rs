//! The page's forms: whatever can be said on the command line can be said in the page, with the same bytes.

use fantoccini::Locator;
use lookalike_tests::{program::Folder, tables::visits};

use crate::{page::Page, text};

async fn open(page: &Page, folder: &Folder) {
    page.upload(&folder.file("in.csv")).await;
    let roles =
        [("day", "quasi"), ("pain", "quasi"), ("age", "quasi"), ("zip", "quasi"), ("illness", "sensitive")];
    for (column, role) in roles {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "4").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "1").await;
}

pub(crate) async fn kind(page: &Page, column: &str, kind: &str) {
    more(page, column).await;
    page.choose("#column-kind", kind).await;
}

/// Shows the sheet of a column, unless it is shown.
pub(crate) async fn more(page: &Page, column: &str) {
    if page.client.find(Locator::Css(&format!("[data-detail='{column}']"))).await.is_err() {
        page.click(&format!("[data-column='{column}'] .name")).await;
    }
    page.find(&format!("[data-detail='{column}']")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_of_columns_gives_what_the_command_line_gives() {
    let folder = Folder::new();
    folder.write("in.csv", visits(60));
    folder.write("zip.csv", "01000;010*;*\n01037;010*;*\n");
    folder.succeed(
        "anonymize in.csv --quasi day,pain,age,zip --sensitive illness --model k-anonymity --k 4 --seed 5 --effort 1 \
         --kind day=date-dmy,zip=category --order pain=low<middle<high --weights day=0.25,pain=0.25,age=0.4,zip=0.1 \
         --missing-column zip=value --publish-column pain=set,zip=hierarchy --generate-hierarchy zip=prefix \
         --bottom age=20 --top age=80 -o out.csv --save-config config.json"
            .split_whitespace()
            .collect::<Vec<_>>()
            .as_slice(),
    );
    folder.succeed(&["hierarchy", "in.csv", "--column", "zip", "--generate", "prefix", "-o", "made.csv"]);
    let page = Page::open(&[]).await;
    open(&page, &folder).await;
    // The days are a question until somebody answers it.
    page.find("#roles-wrong").await;
    more(&page, "day").await;
    assert!(page.text("[data-detail='day'] .evidence .amber").await.contains("day"), "the question is shown");
    kind(&page, "day", "date-dmy").await;
    more(&page, "day").await;
    page.fill("#column-weight", "0.25").await;
    // Ordered labels begin sorted: high, low, middle.
    kind(&page, "pain", "ordinal").await;
    page.choose("#order-list", "high").await;
    page.click("#order-down").await;
    page.click("#order-down").await;
    page.choose("#column-publish", "set").await;
    page.fill("#column-weight", "0.25").await;
    more(&page, "age").await;
    page.fill("#column-weight", "0.4").await;
    page.fill("#column-bottom", "20").await;
    page.fill("#column-top", "80").await;
    more(&page, "zip").await;
    page.fill("#column-weight", "0.1").await;
    page.choose("#column-missing", "value").await;
    // A file that lacks a value names it and its rows.
    let file = page.find("#hierarchy-input").await;
    file.send_keys(&folder.file("zip.csv")).await.unwrap();
    page.find("#hierarchy-wrong").await;
    let why = page.text("#hierarchy-wrong").await;
    assert!(why.contains("'01074'") && why.contains("row 3"), "{why}");
    page.click("#hierarchy-make").await;
    page.find("#hierarchy-made").await;
    assert_eq!(text(&page.saved("#hierarchy-save", "zip-hierarchy.csv").await), folder.text("made.csv"));
    page.click("#hierarchy-remove").await;
    // A file as the command line made it does as well.
    page.find("#hierarchy-input").await.send_keys(&folder.file("made.csv")).await.unwrap();
    page.find("#hierarchy-made").await;
    assert_eq!(page.attribute("#column-publish option:checked", "value").await, "hierarchy");
    kind(&page, "zip", "category").await;
    page.shot("forms-column").await;
    page.anonymize().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    let config = page.saved("#download-config", "in-config.json").await;
    assert_eq!(text(&config), folder.text("config.json"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn method_loss_and_changes_give_what_the_command_line_gives() {
    let folder = Folder::new();
    folder.write("in.csv", visits(60));
    let common = "anonymize in.csv --quasi age --sensitive illness --model m-invariance --m 4 --seed 5 --effort 1 \
                  --loss ncp --method decompose --start tau --blocks 2 --swap-first";
    let repair = "--eligibility hybrid --counterfeit-points drawn --delete least-loss --prefer eczema,gout --fake frequent \
                  --ties fewest-additions --costs add=2,add-growth=1,delete=3,delete:flu=2,add:HIV=4 -o out.csv \
                  --save-config config.json";
    folder.succeed(common.split_whitespace().chain(repair.split_whitespace()).collect::<Vec<_>>().as_slice());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    page.role("age", "quasi").await;
    page.role("illness", "sensitive").await;
    page.fill("#m", "4").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "1").await;
    page.choose("#eligibility", "hybrid").await;
    page.click("#more-changes > summary").await;
    for (field, choice) in [
        ("#fake", "frequent"),
        ("#counterfeit-points", "drawn"),
        ("#delete", "least-loss"),
        ("#ties", "fewest-additions"),
    ] {
        page.choose(field, choice).await;
    }
    page.fill("#prefer", "eczema\ngout").await;
    page.fill("#add-cost", "2").await;
    page.fill("#add-growth", "1").await;
    page.fill("#delete-cost", "3").await;
    page.fill("#add-of", "HIV = 4").await;
    page.fill("#delete-of", "flu = two").await;
    page.click("#more-search > summary").await;
    page.choose("#loss", "ncp").await;
    page.choose("#method", "decompose").await;
    page.choose("#start", "tau").await;
    page.fill("#blocks", "2").await;
    page.choose("#swap-first", "both").await;
    // What is wrong inside "More" is marked there.
    page.click("#anonymize").await;
    assert!(
        page.text("#delete-of-wrong").await.contains("flu = two"),
        "{}",
        page.text("#delete-of-wrong").await
    );
    page.fill("#delete-of", "flu = 2").await;
    page.shot("forms-more").await;
    page.anonymize().await;
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    let config = page.saved("#download-config", "in-config.json").await;
    assert_eq!(text(&config), folder.text("config.json"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_configuration_of_the_command_line_fills_in_the_page() {
    let folder = Folder::new();
    folder.write("in.csv", visits(60));
    folder.write("other.csv", "height,weight\n180,80\n170,70\n");
    let flags = "anonymize in.csv --quasi age,zip,pain --sensitive illness --keep ward --model k-anonymity --k 3 \
                 --missing-column zip=drop --order pain=low<middle<high --generate-hierarchy age=interval:10,2 \
                 --publish-column age=hierarchy --kind zip=category --time-limit 3s --missing ?,none -o out.csv \
                 --save-config config.json";
    folder.succeed(flags.split_whitespace().collect::<Vec<_>>().as_slice());
    let page = Page::open(&[]).await;
    page.upload(&folder.file("other.csv")).await;
    page.click("#more-configuration > summary").await;
    page.find("#config-input").await.send_keys(&folder.file("config.json")).await.unwrap();
    page.find("#configured[data-loaded='false']").await;
    let why = page.text("#configured").await;
    assert!(why.contains("has no columns") && why.contains("age"), "{why}");
    page.find("#file-input").await.send_keys(&folder.file("in.csv")).await.unwrap();
    page.find("[data-column='illness']").await;
    page.find("#config-input").await.send_keys(&folder.file("config.json")).await.unwrap();
    page.find("#configured[data-loaded='true']").await;
    assert_eq!(page.attribute("[data-column='ward']", "data-role").await, "keep");
    // The same columns are named in the table's order; all else is byte for byte the same.
    let saved = page.saved("#save-config", "in-config.json").await;
    let flags = flags.replace("age,zip,pain", "pain,age,zip");
    folder.succeed(flags.split_whitespace().collect::<Vec<_>>().as_slice());
    assert_eq!(text(&saved), folder.text("config.json"));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn columns_without_a_header_are_called_as_on_the_command_line() {
    let folder = Folder::new();
    let rows = visits(60).lines().skip(1).map(|row| format!("{row}\n")).collect::<Vec<_>>().concat();
    let header = visits(0);
    // Letters of DOS, which the field for the encoding names.
    folder.write("in.csv", rows.replace("low", "Mühe").chars().map(dos).collect::<Vec<u8>>());
    let names = header.trim().replace("day", "\"day, month\"");
    let line = "anonymize in.csv --encoding cp850 --header no --quasi pain,age --sensitive illness --model k-anonymity --k 3 \
                --effort 0.5 --seed 1 --loss ncp -o out.csv --save-config config.json --names";
    let mut args: Vec<&str> = line.split_whitespace().collect();
    args.push(&names);
    folder.succeed(&args);
    let page = Page::open(&[]).await;
    page.find("#file-input").await.send_keys(&folder.file("in.csv")).await.unwrap();
    page.choose("#open-first", "no").await;
    page.find("[data-column='column1']").await;
    page.choose("#open-encoding", "cp850").await;
    page.find("#open-form[data-encoding='cp850']").await;
    // Too few are refused at once, and the field is still there.
    page.enter("#open-called", "day, pain").await;
    page.find("#failure").await;
    let why = page.text("#failure").await;
    assert!(why.contains("2 names are given, but the first record has"), "{why}");
    page.enter("#open-called", &names).await;
    page.find("[data-column='day, month']").await;
    for (column, role) in [("pain", "quasi"), ("age", "quasi"), ("illness", "sensitive")] {
        page.role(column, role).await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "3").await;
    page.fill("#seed", "1").await;
    page.fill("#effort", "0.5").await;
    page.shot("names-given").await;
    page.anonymize().await;
    let out = folder.text("out.csv");
    assert!(out.starts_with("pain,age,illness,class\n") && out.contains("Mühe"), "{out}");
    assert_eq!(text(&page.download("#download-table").await), out);
    let config = page.saved("#download-config", "in-config.json").await;
    assert_eq!(text(&config), folder.text("config.json"));
    assert!(text(&config).contains("\"day, month\""));
    page.close().await;
}

/// A letter in code page 850.
fn dos(letter: char) -> u8 {
    if letter == 'ü' { 0x81 } else { u8::try_from(letter).unwrap() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_m_is_shown_on_demand() {
    let folder = Folder::new();
    let values =
        (0..90).fold(String::from("age,job\n"), |csv, i| csv + &format!("{},job {}\n", 20 + i, i % 30));
    folder.write("in.csv", values);
    let page = Page::open(&[]).await;
    page.upload(&folder.file("in.csv")).await;
    page.role("job", "sensitive").await;
    page.find("#survey-table tr[data-m='21']").await;
    assert_eq!(page.text("#survey-table tr[data-m='22']").await, "");
    page.click("#survey-all").await;
    page.find("#survey-table tr[data-m='30'][data-eligible='true']").await;
    page.close().await;
}
