//! Step 6: files to save.

use yew::{AttrValue, Html, html};

use super::{
    PageProps,
    configuration::{button, gives_away},
    series, step, waiting,
};

/// Step 6: files to save.
pub(crate) fn save(props: &PageProps) -> Html {
    let state = &*props.state;
    let (Some(results), Some(source)) = (&state.results, &state.source) else {
        return step(
            6,
            "save",
            "Save",
            waiting("Here you save the table, its report, and the private files that link them to yours."),
        );
    };
    let stem = stem(&source.name);
    let links = &results.downloads;
    let report = link("download-report", "Download report", &links.report, format!("{stem}-report.json"));
    if !results.finished.report.audit.passed {
        let content = html! {
            <>
                <p>{ "The audit failed, so there is no table to save. The report says which check failed." }</p>
                <p class="buttons">{ report }</p>
            </>
        };
        return step(6, "save", "Save", content);
    }
    step(
        6,
        "save",
        "Save",
        html! {
            <>
                <h3>{ "To publish" }</h3>
                <p class="buttons">
                    { link("download-table", "Download table", &links.table, format!("{stem}-anonymized.csv")) }
                    { report }
                </p>
                <p class="hint">
                    { "The report holds no row, no seed and no count from before a repair." }
                </p>
                { series::ledger(props, stem) }
                <h3>{ "To do it again" }</h3>
                <p class="buttons">
                    { button(props, "download-config", "Download configuration", Some((*results.settings).clone())) }
                </p>
                <p class="hint">{ gives_away(&results.settings) }</p>
                <h3>{ "To file" }</h3>
                <p class="buttons">
                    { link("download-statement", "Download statement", &links.statement, format!("private-{stem}-statement.html")) }
                </p>
                <p class="hint">
                    { "A page to print and sign: columns and their roles without a value, guarantee, search, audit, risk, loss and \
                       its bound. It names the seed: file it, do not publish it." }
                </p>
                <div class="private">
                    <h3>{ "Private: never publish these" }</h3>
                    <p class="buttons">
                        { link("download-classes", "Download classes", &links.classes, format!("private-{stem}-classes.csv")) }
                        { link("download-private", "Download private record", &links.private,
                            format!("private-{stem}-record.json")) }
                    </p>
                    <p class="hint">
                        { "classes.csv links each row of your file to its published class: with it anybody can undo the \
                           protection. The private record holds the settings with the seed, and why rows were left out. Keep \
                           both where you keep the file itself." }
                    </p>
                </div>
            </>
        },
    )
}

fn link(id: &'static str, text: &str, href: &str, name: String) -> Html {
    html! { <a {id} class="button" href={AttrValue::from(href.to_owned())} download={name}>{ text }</a> }
}

/// The file name without its ending.
pub(super) fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_goes() {
        assert_eq!(["a.csv", "a.b.csv", "a", ".csv", ""].map(stem), ["a", "a.b", "a", ".csv", ""]);
    }
}
