//! What the statement says, part by part.

use lookalike_model::{
    assessment::Exposure,
    job::{BoundOf, Status},
    report::{Private, Reader, Report},
    settings::{Budget, Loss, MissingPolicy, Publish, RowsAre, Settings},
};
use lookalike_table::text::{counted, thousands};

use super::{
    Made,
    html::{list, paragraph, table},
    made,
};

fn row(name: &str, value: impl Into<String>) -> Vec<String> {
    vec![name.to_owned(), value.into()]
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Columns and their roles, without a value.
pub(super) fn data(report: &Report, private: &Private) -> String {
    let settings = &private.settings;
    let columns = counted(report.input.columns, "column", "columns");
    let size = match report.changes.counterfeits {
        0 => format!("{} and {columns} are published", counted(report.input.rows, "record", "records")),
        faked => format!(
            "{}, {} and {columns} are published",
            counted(report.input.rows, "real record", "real records"),
            counted(faked, "counterfeit", "counterfeits")
        ),
    };
    let size = paragraph(&format!(
        "{size}{}.",
        if report.freeform.is_some() { "; there are no classes" } else { ", and the class of each record" }
    ));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for name in &settings.quasi {
        let weight = settings.weights.get(name).map_or(String::from("equal"), |weight| format!("{weight}"));
        rows.push(vec![name.clone(), String::from("quasi-identifier"), published(settings, name), weight]);
    }
    if let Some(name) = &settings.sensitive {
        rows.push(vec![name.clone(), String::from("sensitive"), String::from("as it is"), String::from("-")]);
    }
    for name in &settings.keep {
        let role = String::from("kept, audited as a quasi-identifier");
        rows.push(vec![name.clone(), role, published(settings, name), String::from("-")]);
    }
    // In the table's order, whatever order they were named in.
    let place = |name: &String| report.missing.columns.iter().position(|column| column.column == *name);
    rows.sort_by_key(|row| row.first().and_then(place));
    rows.extend(private.unpublished_columns.iter().map(|name| {
        let nothing = || String::from("-");
        vec![name.clone(), String::from("not published"), nothing(), nothing()]
    }));
    let columns = table(&["Column", "Role", "Published", "Weight in the loss"], &rows);
    let people = match &settings.rows_are {
        Some(RowsAre::People) => {
            String::from("a person: that was said (--rows-are people), and no key was looked at")
        }
        Some(RowsAre::Of(key)) => {
            format!("a person, by the key \"{key}\" (--person), which no two rows share")
        }
        None => String::from("a person: no column that looks like the key of a person has a value twice"),
    };
    let first = match private.header {
        Some(true) => "the names of the columns: that was said (--header yes)",
        Some(false) => "a record: that was said (--header no), and the columns are numbered",
        None => "the names of the columns",
    };
    let taken = table(&["What", "Taken as"], &[row("What a row is", people), row("First row", first)]);
    let missing = report.missing.columns.iter().map(|column| {
        let policy = match column.policy {
            MissingPolicy::Error => "none was missing",
            MissingPolicy::Drop => "such rows are not published",
            MissingPolicy::Value => "\"missing\" is a value of its own",
        };
        let rows = counted(column.rows, "published record says so", "published records say so");
        vec![column.column.clone(), policy.to_owned(), rows]
    });
    let missing = table(&["Column", "Missing cells", "In the release"], &missing.collect::<Vec<_>>());
    format!("{size}{columns}{taken}{missing}")
}

/// How a column is published; a hierarchy by its height, not by its labels.
fn published(settings: &Settings, name: &str) -> String {
    let form = settings.publish_columns.get(name).copied().unwrap_or(settings.publish);
    let tree = settings.hierarchies.get(name).and_then(|rows| rows.first()).map(|row| row.len() - 1);
    let mut text = match (form, tree) {
        (Publish::Hierarchy, Some(levels)) => {
            format!("by a hierarchy of {}", counted(levels, "level", "levels"))
        }
        (Publish::Range | Publish::Hierarchy, _) => String::from("as ranges or sets"),
        (Publish::Set, _) => String::from("as sets"),
        (Publish::Centroid, _) => String::from("as means, labels as sets"),
    };
    if settings.coding.contains_key(name) {
        text.push_str(", its ends coded");
    }
    text
}

/// Method, limits, seed, version: what it takes to repeat the run.
pub(super) fn search(report: &Report, private: &Private, made: &Made) -> String {
    let settings = &private.settings;
    let loss = match report.loss {
        Loss::Sse => "sum of squared errors",
        Loss::Ncp => "normalised certainty penalty",
        Loss::NcpBinary => "normalised certainty penalty, labels equal or not",
    };
    let budget = match settings.budget {
        Budget::Effort(effort) => format!("effort {effort}"),
        Budget::Seconds(seconds) => format!("{seconds} s of time"),
    };
    // Only what this machine has searched itself does it know of.
    let account = if report.claimed.is_some() { "by the account of the worker: " } else { "" };
    let status = match &report.status {
        Some(Status::Optimal) => "nothing better exists, which is proven",
        Some(Status::GapReached) => "the gap asked for was reached",
        Some(Status::OptimalClaimed) => "claimed by the worker, not checked here: that nothing better exists",
        Some(Status::GapReachedClaimed) => {
            "claimed by the worker, not checked here: that the gap asked for was reached"
        }
        Some(Status::EffortSpent) if report.method.name.is_search() => {
            &format!("{account}the effort was spent; a better table may exist")
        }
        Some(Status::EffortSpent) => &format!("{account}the method ended; a better table may exist"),
        Some(Status::TimeLimit) => &format!("{account}the time was up; a better table may exist"),
        Some(Status::Cancelled) => &format!("{account}it was stopped; a better table may exist"),
        Some(Status::Infeasible { why }) => &why.to_string(),
        None => "not told",
    };
    let repeat = match (report.reproducible, settings.budget, &report.status) {
        (true, ..) if report.claimed.is_some() => {
            "the same input, settings, seed and algorithm revision give the same bytes again if the worker searched as asked, which was \
             not checked"
        }
        (true, ..) if private.ledger_before.is_some() => {
            "the same input, settings, seed and algorithm revision, the ledger before this release, and what was said of signatures and \
             the price of a counterfeit give the same bytes again"
        }
        (true, ..) if report.series.is_some() => {
            "the same input, settings, seed and algorithm revision, and what was said of the series, its signatures and the price of a \
             counterfeit give the same bytes again"
        }
        (true, ..) if made.block_rows.is_some() => {
            "the same input, settings, seed, algorithm revision and largest block give the same bytes again"
        }
        (true, ..) => "the same input, settings, seed and algorithm revision give the same bytes again",
        (false, Budget::Effort(_), Some(Status::Cancelled)) if report.claimed.is_some() => {
            "the run cannot be repeated exactly: by the account of the worker it was stopped"
        }
        (false, Budget::Effort(_), _) if report.claimed.is_some() => {
            "the run cannot be repeated exactly: by the account of the worker a part of the search ran into a time limit of its own"
        }
        (false, _, Some(Status::Cancelled)) if report.claimed.is_none() => {
            "the run cannot be repeated exactly: a person ended it"
        }
        (false, Budget::Seconds(_), _) => {
            "the run cannot be repeated exactly: how far a search gets in its time depends on the machine"
        }
        (false, Budget::Effort(_), _) => {
            "the run cannot be repeated exactly: a part of the search ran into a time limit of its own"
        }
    };
    let seed = settings.seed.map_or(String::from("none"), |seed| seed.to_string());
    let changed = report.changes.counterfeits + report.changes.deletions > 0;
    let solver = match &report.lp_backend {
        Some(name) => name.as_str(),
        // A release of a series has its changes confirmed, too.
        None if changed => "its name was not recorded",
        None => "none was needed",
    };
    let classes = &report.classes;
    let mut rows = vec![
        row("Software", format!("Lookalike {}, algorithm revision {}", report.version, report.revision)),
        row("Method", format!("{} ({})", report.method.name.name(), report.method.explanation)),
        row("Loss that was minimised", loss),
        row("Limit of the search", budget),
        row("Why it ended", status),
        row("Seed", seed),
        row("Solver of the eligibility programme", solver),
        row("Repeatable", repeat),
        row(
            if report.freeform.is_some() { "Groups of rows that are published alike" } else { "Classes" },
            format!(
                "{}, of {} to {} records",
                thousands(classes.count),
                thousands(classes.min_size),
                thousands(classes.max_size)
            ),
        ),
    ];
    rows.extend(
        made.block_rows.map(|most| row("Largest block (--block-rows)", counted(most, "row", "rows"))),
    );
    rows.extend(
        private
            .ledger_before
            .as_ref()
            .map(|sum| row("Ledger before this release (its checksum, BLAKE3)", sum)),
    );
    rows.extend(made::searched(report, private));
    table(&["What", "Figure"], &rows)
}

/// Added and left out.
pub(super) fn changes(report: &Report) -> String {
    let changes = &report.changes;
    table(
        &["What", "Figure"],
        &[
            row("Counterfeit records added", thousands(changes.counterfeits)),
            row("Records deleted so that the guarantee is possible", thousands(changes.deletions)),
            row(
                "Records left out since their classes would have lost more than their price",
                thousands(changes.suppressed_for_loss),
            ),
            row("Records suppressed for other reasons", thousands(changes.suppressed)),
            row(
                "Fewest real records of a class",
                report.classes.min_real.map_or(String::from("not told"), thousands),
            ),
        ],
    )
}

/// Every check with its finding.
pub(super) fn audit(report: &Report) -> String {
    let checks = report.audit.checks.iter().map(|check| {
        let holds = if check.passed { "yes" } else { "NO" };
        vec![check.name.to_string(), String::from(holds), check.finding.to_string()]
    });
    let intro = match report.audit.reader {
        Reader::Strict => {
            "The audit read the published bytes with a strict reader of its own, which shares no code with what made them."
        }
        Reader::General => "The published bytes were read by the general reader of tables.",
    };
    format!("{}{}", paragraph(intro), table(&["Check", "Holds", "Finding"], &checks.collect::<Vec<_>>()))
}

/// What an attacker reaches.
pub(super) fn risk(report: &Report) -> String {
    let risk = &report.risk;
    let exposed = |e: &Exposure| {
        format!(
            "at most {:.4}, {:.4} in the mean; above {} for {} ({})",
            e.highest,
            e.mean,
            risk.threshold,
            counted(e.at_risk, "record", "records"),
            percent(e.at_risk_share)
        )
    };
    let mut rows = vec![
        match &report.freeform {
            Some(f) => row("Fewest rows that may be one record", counted(f.least_matches, "row", "rows")),
            None => row(
                "Smallest group of equal quasi-identifiers",
                counted(risk.smallest_group, "record", "records"),
            ),
        },
        row("Records alone in their group", thousands(risk.uniques)),
        row("Prosecutor: knows that the person is in the table", exposed(&risk.prosecutor)),
        row(
            "Journalist: does not know it",
            // Without a population there is nothing else to say.
            if risk.sample_fraction >= 1.0 {
                String::from("the same as the prosecutor: no population is known")
            } else {
                exposed(&risk.journalist)
            },
        ),
        row(
            "Marketer: matches as many as possible",
            format!("at most {} of the records rightly", percent(risk.marketer)),
        ),
    ];
    if let Some(share) = risk.highest_attribute_disclosure {
        rows.push(row("Most frequent sensitive value of a group", percent(share)));
    }
    if let Some(share) = risk.highest_known_disclosure {
        rows.push(row("The same among the records whose value is known", percent(share)));
    }
    if let Some(d) = &report.disclosure {
        rows.push(row(
            "Sensitive value, for an attacker who knows how records are repaired, but not who else is in the class",
            format!(
                "told with a probability of at most {:.4} (1/m is {:.4}); {} in classes above 1/m",
                d.present,
                d.promised,
                counted(d.above, "record", "records")
            ),
        ));
        if let Some(values) = d.absent_values {
            let held = format!("held one of {}", counted(values, "value", "values"));
            rows.push(row("Whoever is known to be in the source but in no class", held));
        }
    }
    format!("{}{}", counterfeits(report), table(&["Attacker or figure", "Risk"], &rows))
}

/// What figures by the size of groups leave out: counterfeits are not people.
fn counterfeits(report: &Report) -> String {
    if report.changes.counterfeits == 0 {
        return String::new();
    }
    let told = "Figures by the size of groups count counterfeits as people.";
    let Some(real) = report.classes.min_real else { return paragraph(told) };
    paragraph(&match real {
        0 => format!("{told} Some classes hold nobody: all of their records are counterfeits."),
        1 => format!(
            "{told} Some classes hold 1 real record: an attacker who recognises the counterfeits there knows which record \
             is that person's."
        ),
        real => format!(
            "{told} The poorest class holds {real} real records: an attacker who recognises the counterfeits there picks a \
             person's record with a probability of up to 1/{real}."
        ),
    })
}

/// Loss with its bound, and utility.
pub(super) fn loss(report: &Report, settings: &Settings) -> String {
    let (objective, utility) = (&report.objective, &report.utility);
    // The ranges that are published are wider where counterfeits have points of their own.
    let of = if objective.loss != Loss::Sse && objective.gcp_mean.is_none() {
        ", of the real records"
    } else {
        ""
    };
    let mut rows = vec![row("Loss that was reached", format!("{:.6}{of}", objective.value))];
    if let Some(percent) = objective.information_loss_percent {
        rows.push(row("Information loss (100 SSE / SST)", format!("{percent:.4} %")));
    }
    rows.extend([
        row("Global certainty penalty of the published table", penalty(report, settings)),
        row("Average group size", format!("{:.4}", utility.average_class_size)),
        row("Discernibility", format!("{:.0}", utility.discernibility)),
        row("Proven lower bound", bound(report)),
    ]);
    if let Some(q) = &utility.queries {
        let error = format!("{} in the mean, {} in the median", q.mean_error, q.median_error);
        rows.push(row("Relative error of random counting queries", error));
    }
    let columns = utility.columns.iter().map(|column| {
        let ncp = column.ncp.map_or(String::from("not measurable"), |ncp| format!("{ncp:.4}"));
        let lost = column.information_loss_percent.map_or(String::from("not told"), |x| format!("{x} %"));
        vec![column.name.clone(), ncp, lost]
    });
    let columns = table(&["Column", "Certainty penalty", "Information loss"], &columns.collect::<Vec<_>>());
    format!("{}{columns}", table(&["What", "Figure"], &rows))
}

/// The penalty of what is published, whatever was minimised: by the audit, which reads it, or else that of the classes where
/// these are published as ranges and sets. A mean has none.
fn penalty(report: &Report, settings: &Settings) -> String {
    let means = settings.publish == Publish::Centroid
        || settings.publish_columns.values().any(|f| *f == Publish::Centroid);
    let penalty = report.utility.gcp_mean.or(report.objective.gcp_mean).filter(|_| !means);
    penalty.map_or(String::from("not measurable"), |mean| format!("{mean:.4}"))
}

/// The bound rounded down and the gap rounded up, so that both stay true.
fn bound(report: &Report) -> String {
    let Some(bound) = &report.bound else {
        let claimed = report.claimed.as_ref();
        return match claimed.and_then(|claimed| Some((down(claimed.bound?), claimed.of))) {
            Some((bound, BoundOf::WholeProblem)) => {
                format!("none; the worker claims {bound:.6}, which was not checked here")
            }
            Some((bound, BoundOf::DecomposedProblem)) => format!(
                "none; the worker claims {bound:.6} for tables that keep to the blocks of the search, which was not checked \
                 here; others may lose less"
            ),
            None => String::from("none: how far the loss is from the least possible is not known"),
        };
    };
    let value = down(bound.value);
    if bound.of != BoundOf::WholeProblem {
        return format!(
            "{value:.6} for tables that keep to the blocks of the search; others may lose less; {}",
            bound.proven_by
        );
    }
    let gap = (bound.gap_percent * 1e4).ceil() / 1e4;
    format!("{value:.6}; at most {gap:.4} % of the loss could be avoided; {}", bound.proven_by)
}

/// A bound to six decimals, rounded down so that it stays one.
fn down(bound: f64) -> f64 {
    (bound * 1e6).floor() / 1e6
}

/// Warnings of the run, and what no run promises.
pub(super) fn limits(report: &Report) -> String {
    let mut items: Vec<String> = report.warnings.iter().map(ToString::to_string).collect();
    items.push(String::from(
        "Anonymization reduces exposure; it guarantees what stands above and nothing else.",
    ));
    items.push(String::from(if report.series.is_some() {
        "The next release of the same people needs the ledger after this one: two releases made apart may give away together \
         what each of them hides."
    } else {
        "This table is released once and has no ledger: another release of the same people may give away together with it \
         what each of them hides."
    }));
    items.push(String::from(if report.series.is_some() {
        "Whoever has the ledger, classes.csv, the private record, or the original with the seed can undo the protection."
    } else {
        "Whoever has classes.csv, the private record, or the original with the seed can undo the protection."
    }));
    list(&items)
}
