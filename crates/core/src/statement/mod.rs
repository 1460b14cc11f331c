//! A statement of a finished run for the files of whoever answers for the data: one HTML file that needs nothing else, to be
//! read, printed and signed. It describes the data without their values. It names the seed, by which whoever also has the
//! original can repeat the run: it is not published.

mod guarantee;
mod html;
mod made;
mod parts;

use lookalike_model::report::{Private, Report};
use lookalike_table::text::counted;

use html::{escaped, section};
pub use made::{Made, NamedFile};

/// How it looks; no script, nothing from elsewhere.
const STYLE: &str = "body{font:11pt/1.45 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;\
    background:#fff}h1{font-size:1.5rem;line-height:1.2}h2{font-size:1.1rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #999}\
    table{border-collapse:collapse;width:100%;margin:0 0 1.2em;font-variant-numeric:tabular-nums}th,td{text-align:left;vertical-align:top;\
    padding:.25rem .75rem .25rem 0;border-bottom:1px solid #ddd}td{overflow-wrap:anywhere}.verdict{border-left:.4rem solid #0b5f5f;padding:.4rem .8rem;\
    font-weight:600}.verdict.failed{border-color:#9c2f1b}.private{border:1px solid #999;padding:.4rem .8rem}\
    .sign td{height:2.6rem;width:50%}@media print{body{margin:0;max-width:none}h2,tr{break-inside:avoid;break-after:avoid}}";

/// The statement of a run, as HTML: of the report with all figures. `made` says what only the caller knows: when, and which files.
#[must_use]
pub fn html(report: &Report, private: &Private, made: &Made) -> String {
    let checks = counted(report.audit.checks.len(), "check", "checks");
    let (class, verdict) = if report.audit.passed {
        ("verdict", format!("The audit passed: {checks} of the very bytes that are published."))
    } else {
        ("verdict failed", String::from("The audit failed. This table must not be published."))
    };
    let why_private = if report.changes.counterfeits > 0 {
        "it names the seed of the run, and its figures help to tell where counterfeits are."
    } else {
        "it names the seed of the run."
    };
    let mut body = format!(
        "<h1>Statement of an anonymized release</h1>\n<p class=\"{class}\">{}</p>\n<p class=\"private\">For the files of whoever \
         answers for the data, not for publication: {why_private}</p>\n",
        escaped(&verdict)
    );
    for (title, content) in [
        ("Guarantee", guarantee::guarantee(report)),
        ("The files", made::files(report, made)),
        ("The data", parts::data(report, private)),
        ("How the classes were found", parts::search(report, private, made)),
        ("Changes to the records", parts::changes(report)),
        ("Audit", parts::audit(report)),
        ("Risk", parts::risk(report)),
        ("What was lost", parts::loss(report, &private.settings)),
        ("What the reader should know", parts::limits(report)),
        ("Signed", String::from(SIGNED)),
    ] {
        body.push_str(&section(title, &content));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Statement of an anonymized release</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// Whoever signs knows the day of the signature; date and files of the run stand above.
const SIGNED: &str = "<table class=\"sign\"><tr><td>Name</td><td>Date</td></tr><tr><td colspan=\"2\">Signature</td></tr></table>\n";

#[cfg(test)]
mod tests;
