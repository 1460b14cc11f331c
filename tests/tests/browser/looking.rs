//! A result is looked at: every row, every column, risks, earlier results; settings are undone, and remembered if one
//! wants that.

use std::collections::BTreeMap;

use lookalike_tests::program::Folder;
use serde_json::{Value, json};

use crate::{
    hospital,
    page::{Page, becomes, turns_to},
    set_up, text,
};

/// Cells of a row of the table before and after, as they are read.
async fn row(page: &Page, number: usize) -> Vec<String> {
    // In the order of the file, once the rows came; read at one go, since rows are drawn anew while one scrolls.
    let script = format!(
        "const row = document.querySelector(`#beside tr[aria-rowindex='{}'][data-row='{number}']`);
         return row && [...row.cells].map((cell) => cell.textContent.trim())",
        number + 1
    );
    let cells = turns_to(page, &script, "cells of a row", Value::is_array).await;
    cells.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_stands_beside_what_is_published_for_it() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(3000, 7));
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "5", "1").await;
    page.find("#raw-risk[data-uniques]:not([data-uniques=''])").await;
    page.anonymize().await;
    page.choose("#beside-order", "file").await;
    let classes = text(&page.download("#download-classes").await).to_owned();
    let input = folder.text("in.csv");
    let diagnosis = |row: usize| input.lines().nth(row).unwrap().rsplit(',').next().unwrap().to_owned();
    let class = |row: usize| {
        let line = classes.lines().nth(row).unwrap().to_owned();
        line.split(',').nth(1).unwrap().to_owned()
    };
    let first = row(&page, 1).await;
    assert_eq!((&first[0], first.last()), (&String::from("1"), Some(&class(1))));
    assert!(first.contains(&diagnosis(1)), "{first:?}");
    // Only a window of the rows is in the document; the others come when they are scrolled to.
    let rows = "return document.querySelectorAll('#beside tbody tr').length";
    assert!(page.client.execute(rows, vec![]).await.unwrap().as_u64() < Some(400));
    page.client.execute("document.getElementById('beside').scrollTop = 1500 * 28", vec![]).await.unwrap();
    let middle = row(&page, 1501).await;
    assert_eq!((&middle[0], middle.last()), (&String::from("1,501"), Some(&class(1501))));
    let top = "document.getElementById('beside').scrollTop = 1e9";
    page.client.execute(top, vec![]).await.unwrap();
    assert_eq!(row(&page, 3000).await.last(), Some(&class(3000)));
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn columns_risks_and_results_are_compared() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "5", "1").await;
    page.anonymize().await;
    let report = page.report().await;
    // Shares of both sides are shares of all.
    for (side, attribute) in [("before", "data-before"), ("after", "data-after")] {
        let sum = format!(
            "return Math.round(1e6 * [...document.querySelectorAll('#spread td.{side}')]\
             .reduce((sum, cell) => sum + Number(cell.getAttribute('{attribute}')), 0))"
        );
        becomes(&page, &sum, json!(1_000_000)).await;
    }
    // What changed most is told, and comes first.
    let finding = page.text("#spread-finding").await;
    let first = page.text("#usefulness .multiples li:first-child b").await;
    assert!(finding.starts_with(&format!("{first} changed most")), "{finding}");
    page.click("#usefulness .as-table > summary").await;
    assert_eq!(page.attribute("#spread", "data-column").await, first);
    page.choose("#spread-column", "diagnosis").await;
    // What is published as it is stands where it stood.
    let moved = "const cells = (side) => [...document.querySelectorAll(`#spread[data-column=diagnosis] td.${side}`)]\
        .map((cell) => cell.textContent).join(); return cells('before') !== '' && cells('before') === cells('after')";
    becomes(&page, moved, json!(true)).await;
    let people = page.text("#people-finding").await;
    assert!(
        people.starts_with("Before, ") && people.contains("now everybody in the table is among at least"),
        "{people}"
    );
    // People are counted in the groups that an attacker sees, those of equal published rows.
    page.click("#people .as-table > summary").await;
    let table = text(&page.download("#download-table").await).to_owned();
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for row in table.lines().skip(1) {
        // Diagnosis and class come last.
        *groups.entry(row.rsplitn(3, ',').nth(2).unwrap()).or_default() += 1;
    }
    let lines = "return [...document.querySelectorAll('#people table.sizes tbody tr')]\
        .map((row) => [row.cells[0].textContent, row.cells[row.cells.length - 1].textContent])";
    let lines = page.client.execute(lines, vec![]).await.unwrap();
    let number = |text: &str| text.replace(',', "").parse::<usize>().unwrap();
    for line in lines.as_array().unwrap() {
        let (label, people) = (line[0].as_str().unwrap(), number(line[1].as_str().unwrap()));
        let sizes = match label.split_once('–') {
            Some((from, to)) => number(from)..=number(to),
            None if label.ends_with('+') => number(label.trim_end_matches('+'))..=usize::MAX,
            None => number(label)..=number(label),
        };
        let found: usize = groups.values().filter(|size| sizes.contains(size)).sum();
        assert_eq!(people, found, "{label} of {lines}");
    }
    let after = "return document.querySelector('#risks tbody tr td:nth-child(3)').textContent";
    assert_eq!(
        page.client.execute(after, vec![]).await.unwrap(),
        json!(report["risk"]["uniques"].to_string())
    );
    page.find("#utility tbody tr").await;
    assert_eq!(page.text("#past").await, "");
    // No figure pretends to more than it is: three digits of a percentage.
    let long = "const texts = document.createTreeWalker(document.getElementById('look'), NodeFilter.SHOW_TEXT); let all = ''; \
        while (texts.nextNode()) all += texts.currentNode.data + '\\n'; \
        return [...all.matchAll(/[0-9.,]*[0-9](?= ?%)/g)].map(found => found[0])\
        .filter(number => number.replace(/^[0.,]+/, '').replace(/[.,]/g, '').length > 3)";
    assert_eq!(page.client.execute(long, vec![]).await.unwrap(), json!([]));
    // Nothing is made again that is there; what has changed is another result's.
    page.find("#anonymize:disabled").await;
    assert_eq!(page.text("#download-table").await, "Save the table");
    page.fill("#m", "4").await;
    page.find("#anonymize:enabled").await;
    assert_eq!(page.text("#download-table").await, "Save the earlier table");
    assert_eq!(page.text("#strip-verdict").await, "Result of earlier settings");
    let verdict = page.text("#verdict").await;
    assert!(verdict.starts_with("Of earlier settings"), "no mark as if it were today's: {verdict}");
    page.click("#undo").await;
    page.find("#anonymize:disabled").await;
    assert_eq!(page.text("#download-statement").await, "Save the statement");
    page.fill("#m", "4").await;
    page.anonymize().await;
    becomes(&page, "return document.querySelectorAll('#past tbody tr').length", json!(2)).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_statement_can_be_filed() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    folder.succeed(&[
        "anonymize",
        "in.csv",
        "--quasi",
        "sex,age,nights",
        "--sensitive",
        "diagnosis",
        "--model",
        "m-invariance",
        "--m",
        "3",
        "--eligibility",
        "add",
        "--seed",
        "5",
        "--effort",
        "1",
        "--loss",
        "ncp",
        "-o",
        "out.csv",
        "--statement",
        "statement.html",
        "--statement-json",
        "statement.json",
    ]);
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "5", "1").await;
    page.anonymize().await;
    let statement = page.download("#download-statement").await;
    let statement = text(&statement);
    assert!(statement.contains("<th scope=\"row\">Seed</th><td>5</td>"), "{statement}");
    // Date and names of files are those of each run.
    let but_files = |text: &str| {
        let (before, rest) = text.split_once("<h3>The files</h3>").unwrap();
        before.to_owned() + rest.split_once("</section>").unwrap().1
    };
    let written = folder.text("statement.html");
    // Advice names the page's field where the command line names its flag.
    let told = but_files(statement).replace("(the field “Top limit”)", "(--top nights=LIMIT)");
    assert_eq!(told, but_files(&written), "the command line writes the same");
    // So is the statement as data, but for what is each run's own.
    let data = page.download("#download-statement-json").await;
    assert!(data.ends_with(b"\n"));
    let (mut here, mut there): (Value, Value) =
        (serde_json::from_slice(&data).unwrap(), folder.json("statement.json"));
    assert_eq!(
        (&here["computed"]["program"], &there["computed"]["program"]),
        (&json!("page"), &json!("command-line"))
    );
    for of in [&mut here, &mut there] {
        of["files"] = json!(null);
        of["computed"]["at"] = json!(null);
        of["computed"]["program"] = json!(null);
    }
    assert_eq!(here, there);
    // It is shown without a connection, and is as accessible as the page.
    page.client.goto(&format!("file://{}", folder.file("statement.html"))).await.unwrap();
    page.find("h1").await;
    page.accessible("statement").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn steps_are_undone_and_settings_remembered_by_consent_only() {
    let folder = Folder::new();
    folder.write("in.csv", hospital());
    let page = Page::open(&[]).await;
    set_up(&page, &folder, "3", "5", "1").await;
    page.role("sex", "keep").await;
    page.click("#undo").await;
    becomes(&page, "return document.querySelector('[data-column=sex]').dataset.role", json!("quasi")).await;
    page.click("#redo").await;
    becomes(&page, "return document.querySelector('[data-column=sex]').dataset.role", json!("keep")).await;
    // Nothing is remembered unasked.
    assert_eq!(page.client.execute("return localStorage.length", vec![]).await.unwrap(), json!(0));
    page.click("#more-configuration > summary").await;
    page.click("#remember").await;
    // The settings, and the language.
    becomes(&page, "return localStorage.length", json!(2)).await;
    let kept = "return localStorage.getItem('lookalike-configuration')";
    let kept = page.client.execute(kept, vec![]).await.unwrap();
    let kept = kept.as_str().unwrap();
    assert!(kept.contains("\"diagnosis\"") && !kept.contains("asthma") && !kept.contains("seed"), "{kept}");
    page.client.refresh().await.unwrap();
    page.attribute_not("#threads", "data-threads", "0").await;
    page.upload(&folder.file("in.csv")).await;
    let last_time =
        "return [...document.querySelectorAll('#last-time button')].map(b => b.textContent.split(': ')[1])";
    becomes(&page, last_time, json!(["age, nights, diagnosis (m = 3)"])).await;
    // The view moves to what was opened; a click before that would miss.
    becomes(&page, "return document.activeElement.id", json!("opened")).await;
    page.click("#more-configuration > summary").await;
    page.find("#more-configuration[open]").await;
    page.click("#use-remembered").await;
    page.find("#configured[data-loaded='true']").await;
    assert_eq!(page.attribute("[data-column='sex']", "data-role").await, "keep");
    // What was open stays open. Nothing of last time is offered where something is decided.
    page.find("#more-configuration[open]").await;
    becomes(&page, last_time, json!([])).await;
    // Settings of another table come in front of these.
    folder.write("other.csv", "height,town\n170,A\n171,A\n180,B\n181,B\n");
    page.upload(&folder.file("other.csv")).await;
    becomes(&page, "return document.querySelector('[data-column=height]') !== null", json!(true)).await;
    page.role("height", "quasi").await;
    page.choose("#model", "k-anonymity").await;
    page.fill("#k", "2").await;
    let stored = "return [0, 1, 2].map(n => localStorage.getItem('lookalike-configuration' + (n ? '-' + n : '')))\
        .map(s => s && s.split('\\n')[0].trim())";
    becomes(&page, stored, json!(["height (k = 2)", "age, nights, diagnosis (m = 3)", null])).await;
    // What is no configuration is passed over, and takes nothing with it.
    let strange = "localStorage.setItem('lookalike-configuration-1', ' age (k = 2)\\n{ \"fields\"'); \
        localStorage.setItem('lookalike-configuration-2', arguments[0])";
    page.client.execute(strange, vec![kept.into()]).await.unwrap();
    page.client.refresh().await.unwrap();
    page.attribute_not("#threads", "data-threads", "0").await;
    page.upload(&folder.file("in.csv")).await;
    becomes(&page, "return document.activeElement.id", json!("opened")).await;
    page.click("#more-configuration > summary").await;
    let offered =
        "return [...document.querySelectorAll('#remembered button')].map(b => b.textContent.split(': ')[1])";
    becomes(&page, offered, json!(["height (k = 2)", "age, nights, diagnosis (m = 3)"])).await;
    // Beside the questions stand those alone that fit.
    becomes(&page, last_time, json!(["age, nights, diagnosis (m = 3)"])).await;
    page.click("#last-time-0").await;
    page.find("#configured[data-loaded='true']").await;
    assert_eq!(page.attribute("[data-column='age']", "data-role").await, "quasi");
    page.accessible("remembered settings").await;
    page.shot("remembered").await;
    page.click("#remember").await;
    becomes(&page, "return localStorage.length", json!(0)).await;
    becomes(&page, offered, json!([])).await;
    page.close().await;
}
