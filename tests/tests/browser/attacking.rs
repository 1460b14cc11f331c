//! Attacks are tried on a published table: the page says the figures and the words of the command line.

use lookalike_tests::{
    program::Folder,
    tables::{shuffled, visits},
};
use serde_json::{Value, json};

use crate::{
    checking::{shown, upload, words},
    page::{Page, becomes},
    text,
};

/// People who are published, and others like them who are not.
fn people(folder: &Folder) {
    let all = shuffled(&visits(240));
    let lines: Vec<&str> = all.lines().collect();
    let half = |from: usize| {
        let rows: Vec<&str> = lines[1..].iter().skip(from).step_by(2).copied().collect();
        format!("{}\n{}\n", lines[0], rows.join("\n"))
    };
    folder.write("in.csv", half(0));
    folder.write("held-back.csv", half(1));
    folder.succeed(&words(
        "anonymize in.csv --quasi pain,age,ward --sensitive illness --model k-anonymity --k 3 --seed 5 --effort 1 -o out.csv",
    ));
}

async fn described(page: &Page, folder: &Folder) {
    page.click("#to-check").await;
    upload(page, folder, "#check-input", "out.csv").await;
    page.find("#check-opened").await;
    for (column, role) in [("age", "quasi"), ("ward", "quasi"), ("pain", "quasi"), ("illness", "sensitive")] {
        page.choose(&format!("[data-check-column='{column}'] select"), role).await;
    }
    page.fill("#check-k", "3").await;
}

/// The cells of a row on the screen, after its name.
async fn cells(page: &Page, attack: &str, row: &str) -> Vec<String> {
    let script = "return [...document.querySelectorAll(`[data-attack='${arguments[0]}'] [data-rate='${arguments[1]}'] td`)]\
        .map(cell => cell.innerText.trim())";
    let found = page.client.execute(script, vec![attack.into(), row.into()]).await.unwrap();
    found.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_owned()).collect()
}

/// The same cells as the command line's record has them.
fn rate(of: &Value) -> Vec<String> {
    let percent = |share: &Value| format!("{:.1}", 100.0 * share.as_f64().unwrap());
    let tries = of["attacks"].to_string();
    if of["rate"].is_null() {
        return vec![String::from("not tried"), String::new(), tries];
    }
    let (low, high) = (percent(&of["wilson"]["low"]), percent(&of["wilson"]["high"]));
    vec![format!("{} %", percent(&of["rate"])), format!("{low} to {high} %"), tries]
}

/// Compares all that is shown of attacks with what the command line says to the same question.
async fn compare(page: &Page, folder: &Folder, flags: &str) {
    let asked = format!(
        "check out.csv --quasi pain,age,ward --sensitive illness --model k-anonymity --k 3 --attacks --original in.csv {flags}"
    );
    let printed = folder.run(&words(&asked)).stdout;
    let record: Value =
        serde_json::from_slice(&folder.run(&words(&format!("{asked} --json"))).stdout).unwrap();
    let record = &record["attacks"];
    // Where the command line names a flag, the page names its field.
    let fields = "the field “People in the population”, --sample-fraction on the command line";
    let printed = text(&printed).replace("--population, --sample-fraction", fields);
    assert_eq!(shown(page).await, printed);
    let attacks = [
        ("univariate", &record["singling_out"]["univariate"]),
        ("multivariate", &record["singling_out"]["multivariate"]),
        ("linkability", &record["linkability"]),
        ("inference", &record["inference"]),
    ];
    for (name, of) in attacks {
        assert_eq!(cells(page, name, "main").await, rate(&of["main"]), "{name}");
        assert_eq!(cells(page, name, "naive").await, rate(&of["naive"]), "{name}");
        let control = if of["control"].is_null() { Vec::new() } else { rate(&of["control"]) };
        assert_eq!(cells(page, name, "control").await, control, "{name}");
        let residual = of["residual_risk"].as_object().map_or_else(Vec::new, |risk| {
            let of = |part: &str| format!("{:.3}", risk[part].as_f64().unwrap());
            vec![of("value"), format!("{} to {}", of("low"), of("high")), String::new()]
        });
        assert_eq!(cells(page, name, "residual").await, residual, "{name}");
    }
    let script = "return [...document.querySelectorAll('#attacks-words li')].map(said => said.textContent)";
    let said = page.client.execute(script, vec![]).await.unwrap();
    let told: Vec<&Value> = record["findings"].as_array().unwrap().iter().map(|said| &said["text"]).collect();
    assert_eq!(said, json!(told));
    let meaning = page.text("#attacks-meaning").await;
    assert!(meaning.contains("does not prove that the table is safe"), "{meaning}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attacks_have_the_figures_of_the_command_line() {
    let folder = Folder::new();
    people(&folder);
    let page = Page::open(&[]).await;
    described(&page, &folder).await;
    let absent = |css: &'static str| format!("return document.querySelector(`{css}`) === null");
    becomes(&page, &absent("#check-attacks"), json!(true)).await;
    upload(&page, &folder, "#check-original", "in.csv").await;
    page.find("#original-opened").await;
    page.click("#check-attacks").await;
    compare(&page, &folder, "").await;
    becomes(&page, &absent("[data-rate='residual']"), json!(true)).await;
    upload(&page, &folder, "#check-control", "held-back.csv").await;
    page.find("#control-opened").await;
    page.click("#more-attacks > summary").await;
    page.choose("#check-attacks-secret", "ward").await;
    page.fill("#check-attacks-number", "60").await;
    page.fill("#check-attacks-seed", "7").await;
    let flags = "--control held-back.csv --attacks-secret ward --attacks-number 60 --attacks-seed 7";
    compare(&page, &folder, flags).await;
    page.find("[data-attack='linkability'] [data-rate='residual']").await;
    page.shot("check-attacks").await;
    // Without the tick nothing is tried.
    page.click("#check-attacks").await;
    shown(&page).await;
    becomes(&page, &absent("#attacks"), json!(true)).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn attacks_that_take_long_are_stopped_and_files_and_fields_stay() {
    let folder = Folder::new();
    // Searches through so many rows, one for each of them, take more than a minute.
    folder.write("in.csv", visits(60_000));
    folder.write("out.csv", visits(60_000));
    let page = Page::open(&[]).await;
    described(&page, &folder).await;
    upload(&page, &folder, "#check-original", "in.csv").await;
    page.find("#original-opened").await;
    page.click("#check-attacks").await;
    page.click("#more-attacks > summary").await;
    page.fill("#check-attacks-number", "60000").await;
    page.find("#check-start:enabled").await;
    page.click("#check-start").await;
    page.click("#check-stop").await;
    page.find("#check-start:enabled").await;
    assert!(page.text("#check-opened").await.starts_with("out.csv"));
    assert!(page.text("#original-opened").await.starts_with("in.csv"));
    let field = |css: &'static str| format!("return document.querySelector(`{css}`).value");
    becomes(&page, &field("#check-k"), json!("3")).await;
    becomes(&page, &field("#check-attacks-number"), json!("60000")).await;
    becomes(&page, "return document.querySelector('#checked') === null", json!(true)).await;
    // It can be asked at once, and is answered.
    page.fill("#check-attacks-number", "5").await;
    shown(&page).await;
    assert_eq!(cells(&page, "inference", "main").await[2], "5");
    page.close().await;
}
