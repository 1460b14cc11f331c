//! Weights by sliders that sum to 1, and records that are left out for a price.

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use lookalike_tests::{program::Folder, tables::visits};
use serde_json::json;

use crate::{
    access::look,
    page::{Page, becomes},
    text,
};

const ARROW_RIGHT: char = '\u{e014}';
const ARROW_LEFT: char = '\u{e012}';

/// Moves the slider of a column with the keys of arrows.
async fn press(page: &Page, place: usize, key: char, times: usize) {
    page.client.execute(&format!("document.getElementById('weight-{place}').focus()"), vec![]).await.unwrap();
    let strokes = (0..times).fold(KeyActions::new(String::from("keyboard")), |all, _| {
        all.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key })
    });
    page.client.perform_actions(strokes).await.unwrap();
}

/// What the sliders say, in per cent.
async fn shown(page: &Page) -> Vec<f64> {
    let script = "return [...document.querySelectorAll('.weight input')].map((e) => parseFloat(e.getAttribute('aria-valuetext')))";
    let all = page.client.execute(script, vec![]).await.unwrap();
    all.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sliders_sum_to_1_and_give_what_the_command_line_gives() {
    let folder = Folder::new();
    folder.write("in.csv", visits(60));
    let page = Page::open_as(&[], 360, true).await;
    page.upload(&folder.file("in.csv")).await;
    for column in ["pain", "age", "ward"] {
        page.role(column, "quasi").await;
    }
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "4").await;
    page.fill("#seed", "5").await;
    page.fill("#effort", "1").await;
    page.click("#more-weights > summary").await;
    page.click("#weights-on").await;
    page.find(".weights[data-sum='1']").await;
    assert_eq!(shown(&page).await, [33.4, 33.3, 33.3]);
    look(&page, "weights, 360, dark").await;
    // A key takes the next whole per cent, the others make room.
    press(&page, 2, ARROW_RIGHT, 17).await;
    becomes(&page, "return document.getElementById('weight-2').value", json!("500")).await;
    assert_eq!(shown(&page).await.iter().sum::<f64>(), 100.0);
    press(&page, 1, ARROW_LEFT, 5).await;
    becomes(&page, "return document.getElementById('weight-1').value", json!("200")).await;
    let weights = shown(&page).await;
    assert!((weights.iter().sum::<f64>() - 100.0).abs() < 1e-9 && weights[0] < 25.0, "{weights:?}");
    // All that was drawn at one slider is one step.
    page.click("#undo").await;
    becomes(&page, "return document.getElementById('weight-2').value", json!("500")).await;
    page.click("#redo").await;
    becomes(&page, "return document.querySelector('.weights').dataset.sum", json!("1")).await;
    assert_eq!(shown(&page).await, weights);
    // One that is typed by itself no longer fits; a button makes it fit.
    page.click("[data-column='pain'] .name").await;
    page.fill("#column-weight", "0.9").await;
    page.click("#weights-scale").await;
    page.find(".weights[data-sum='1']").await;
    let weights = shown(&page).await;
    page.choose("#loss", "ncp").await;
    // What is folded away was opened for the look at it.
    page.fill("#limit", "101 %").await;
    page.find("#limit-wrong").await;
    page.fill("#limit", "5").await;
    page.fill("#price", "0.25").await;
    page.anonymize().await;
    let said: Vec<String> = ["pain", "age", "ward"]
        .iter()
        .zip(&weights)
        .map(|(name, per_cent)| format!("{name}={:.3}", per_cent / 100.0))
        .collect();
    let weights = said.join(",");
    folder.succeed(
        format!(
            "anonymize in.csv --quasi pain,age,ward --model k-anonymity --k 4 --seed 5 --effort 1 --loss ncp \
             --weights {weights} --suppress-price 0.25 --suppress-limit 5 -o out.csv"
        )
        .split_whitespace()
        .collect::<Vec<_>>()
        .as_slice(),
    );
    assert_eq!(text(&page.download("#download-table").await), folder.text("out.csv"));
    let left_out = page.report().await["changes"]["suppressed_for_loss"].as_u64().unwrap();
    assert!((1..=5).contains(&left_out), "{left_out}");
    assert!(
        page.text("#changes").await.contains(&format!("{left_out} row")),
        "{}",
        page.text("#changes").await
    );
    page.click("#weights-off").await;
    page.find("#weights-on").await;
    page.close().await;
}
