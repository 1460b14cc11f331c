//! The tables of the league, and its picture.

use std::fmt::Write as _;

use lookalike_model::REVISION;

use super::{
    GIGABYTES, NAME, PERCENT, SECONDS, cells::Line, entrant::Form, field::Field, judge::QUERIES, picture,
    scripts::Bench,
};
use crate::write::line as markdown_line;

/// File names and texts of what is there.
///
/// `absent`: data sets that are left out, and why.
pub(super) fn files(
    fields: &[Field],
    lines: &[Line],
    absent: &[(&'static str, String)],
    bench: &Bench,
) -> Vec<(String, String)> {
    let forms = [(Form::Recoded, "recoding"), (Form::Centroids, "means")];
    let of = |form: Form| -> Vec<&Line> { lines.iter().filter(|line| line.entrant.form() == form).collect() };
    let mut files = Vec::new();
    for (form, name) in forms {
        let these = of(form);
        if !these.is_empty() {
            files.push((
                format!("{name}.md"),
                page(form, fields, &these, lines, &left_out(absent, bench), bench),
            ));
        }
    }
    if !lines.is_empty() {
        files.push((String::from("league.svg"), picture::svg(lines)));
    }
    files
}

fn page(form: Form, fields: &[Field], lines: &[&Line], all: &[Line], tools: &str, bench: &Bench) -> String {
    let (title, about) = match form {
        Form::Recoded => ("League: ranges, sets and labels of hierarchies", recoded()),
        Form::Centroids => ("League: means of classes", means()),
    };
    // Writing to a String cannot fail.
    let mut text = format!("# {title}\n\n{about}\n\n{}\n\n", common(form));
    let _ = writeln!(text, "{tools}");
    let _ = writeln!(
        text,
        "Made by `cargo xtask experiments {NAME} --data ../shared/data`, version {}, revision {REVISION} of the algorithms.\n",
        env!("CARGO_PKG_VERSION")
    );
    for field in fields.iter().filter(|field| field.form == form) {
        let these: Vec<&&Line> = lines.iter().filter(|line| line.field == field.name).collect();
        let _ = writeln!(text, "## {}\n", field.name);
        let all_rows = field.rows(bench).count();
        if these.len() < all_rows {
            let computed = these.len();
            let _ = writeln!(
                text,
                "Of {all_rows} rows {computed} are computed; the same command goes on with the others.\n"
            );
        }
        if these.is_empty() {
            continue;
        }
        let header = header(form);
        text += &(markdown_line(header.iter().copied()) + "\n");
        text += &(markdown_line(header.iter().map(|_| "---")) + "\n");
        for line in these {
            text += &(markdown_line(cells(line, all).iter().map(String::as_str)) + "\n");
        }
        text.push('\n');
    }
    while text.ends_with("\n\n") {
        text.pop();
    }
    text
}

fn recoded() -> String {
    format!(
        "NCP: the mean certainty penalty of a record, from 0 to 1, of the published cells: a range of numbers costs its width over the \
         span of the original column, a set or label of the hierarchy the values it stands for less 1 over all values less 1, `*` and a record that is \
         left out 1. *Local*: each class by itself, no record suppressed by ours. *Global*: each column at one level of its \
         hierarchy; at most {PERCENT} % of the records may be suppressed. Ours are divided by themselves; tools that take hierarchies by ours with \
         hierarchies, tools that publish ranges and sets by ours with ranges and sets, global schemes by ours of one level a column."
    )
}

fn means() -> String {
    String::from(
        "IL: 100 SSE / SST of the published numbers against the original's, row by row, each column of variance 1. Numbers are written with three \
         decimals in the original, since our means are rounded to the resolution of their column.",
    )
}

fn common(form: Form) -> String {
    let loss = form.loss();
    format!(
        "Every row is judged from the bytes that the entrant handed in: k and l of the groups of equal published cells, {loss}, the mean relative \
         error of {} random counting queries (seed {}), and, where it is known whose a row is, the cells that do not say the original's \
         value. `broken`: what was asked for is not kept; such a loss is not compared. Gap: 100 (loss - bound) / loss of ours, by the bound that our search proved; 0.0 is proven to be the \
         least. Ours: `--method auto`, seed 1, the default effort. An entrant may take {SECONDS} s of user CPU time, of all threads, and a tool \
         {GIGABYTES} GiB; for ours that is the whole way from the table in memory to the audited bytes, for the tools the call that makes the classes or levels, without \
         start-up, reading and writing.",
        QUERIES.1, QUERIES.0
    )
}

/// Which tools ran, which did not, and which data sets are left out.
fn left_out(absent: &[(&'static str, String)], bench: &Bench) -> String {
    let run = bench.run().into_iter().map(|(name, version)| format!("{name} {version}"));
    let mut text = format!("Tools that ran: {}.\n\n", run.collect::<Vec<_>>().join(", "));
    for (name, why) in bench.not_run() {
        let _ = writeln!(text, "* Not run: {name}: {why}.");
    }
    for (name, why) in absent {
        let _ = writeln!(text, "* Left out: {name}: {why}.");
    }
    text
}

fn header(form: Form) -> Vec<&'static str> {
    vec![
        "asked",
        "scheme",
        "by",
        "version",
        "rows",
        "suppressed",
        "k",
        "l",
        "guarantee",
        form.loss(),
        "over ours",
        "gap, %",
        "query error",
        "false cells",
        "CPU s",
    ]
}

fn cells(line: &Line, all: &[Line]) -> Vec<String> {
    let mut cells: Vec<String> = vec![
        line.condition.name(),
        line.entrant.scheme().name().to_owned(),
        line.entrant.name().to_owned(),
        line.entrant.version(),
    ];
    let dash = || String::from("-");
    match &line.found {
        Err(why) => cells.extend([vec![dash(); 4], vec![why.clone()], vec![dash(); 6]].concat()),
        Ok(found) => {
            let loss = match line.entrant.form() {
                Form::Recoded => format!("{:.5}", found.loss),
                Form::Centroids => format!("{:.4}", found.loss),
            };
            cells.extend([
                found.published.clone(),
                found.suppressed.clone(),
                found.k.clone(),
                found.l.clone(),
                if found.kept { "kept" } else { "broken" }.to_owned(),
                loss,
                line.relative(all).map_or_else(dash, |ratio| format!("{ratio:.2}")),
                found.gap.clone(),
                found.queries.clone(),
                found.uncovered.clone(),
                found.seconds.clone(),
            ]);
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{
        super::{
            cells::failed,
            entrant::{Entrant, Maker, Ours, Tool},
            field::{Condition, fields},
        },
        *,
    };

    #[test]
    fn every_line_has_as_many_cells_as_the_header_and_failures_say_why() {
        let entrants = Entrant::all(Form::Recoded);
        let condition = Condition { k: 5, l: None };
        let found = |loss: &str, gap: &str| {
            ["ran", "10", "0", "5", "-", "kept", loss, gap, "0.1", "0", "1.00"].map(String::from).to_vec()
        };
        let line = |maker, cells| {
            let entrant = entrants.iter().find(|entrant| entrant.maker == maker).unwrap();
            Line::new("census", condition, *entrant, cells).unwrap()
        };
        let lines = [
            line(Maker::Ours(Ours::Ranges), found("0.1", "12.0")),
            line(Maker::Tool(Tool::AnonypyMondrian), found("0.25", "-")),
            line(Maker::Tool(Tool::AnonypyxMdav), failed("not within the budget of 60 s")),
        ];
        let bench = Bench::without_others();
        let absent = [("adult", String::from("adult.csv cannot be read"))];
        let files = files(&fields(Path::new("data")), &lines, &absent, &bench);
        assert_eq!(files.len(), 2, "a table and a picture");
        let table: Vec<&str> = files[0].1.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(table.len(), 5);
        assert!(table.iter().all(|line| line.matches(" | ").count() + 1 == header(Form::Recoded).len()));
        assert!(table[3].contains("| 0.25000 | 2.50 |") && table[4].contains("not within the budget"));
        assert!(files[0].1.contains("Not run: mu-ARGUS"));
        assert!(files[0].1.contains("Of 14 rows 3 are computed"));
        assert!(files[0].1.contains("Left out: adult: adult.csv cannot be read."));
    }
}
