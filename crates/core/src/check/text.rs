//! The findings for people.

use std::fmt::Write as _;

use lookalike_audit::{
    Assessment, Check, Exposure, Grouping, Reader,
    disclosure::Disclosure,
    measure::{Figures, Statistic, Utility},
};
use lookalike_table::text::counted;

use super::{Found, Repair};

/// All that was found, for people.
#[must_use]
pub fn tell(found: &Found) -> String {
    let Assessment { findings, notes, risks, .. } = &found.assessment;
    let mut text = format!(
        "{} records in {} groups of equal quasi-identifiers{}\n{}\n\n",
        risks.records,
        risks.groups,
        match &found.class {
            Some(class) => format!("; judged by the column {class:?} too"),
            None => String::new(),
        },
        read_by(found.assessment.reader),
    );
    for finding in findings {
        let by = match finding.grouping {
            Grouping::Class => "by class",
            Grouping::Group => "by equal quasi-identifiers",
        };
        check(&mut text, &format!("{}, {by}", finding.model), &finding.check);
    }
    for noted in &found.notions {
        check(&mut text, &format!("{}, against the original", noted.check.name), &noted.check);
    }
    for note in notes {
        if note.passed {
            line(&mut text, &format!("note   {}: {}", note.name, note.finding));
        } else {
            check(&mut text, &note.name, note);
        }
    }
    let exposed = |e: &Exposure| {
        format!(
            "highest {:.4}, mean {:.4}, {} records above the threshold ({:.2} %)",
            e.highest,
            e.mean,
            e.at_risk,
            100.0 * e.at_risk_share
        )
    };
    text.push('\n');
    line(
        &mut text,
        &format!("prosecutor risk: {}; threshold {}", exposed(&risks.prosecutor), risks.threshold),
    );
    let whole = risks.sample_fraction == 1.0;
    let journalist = if whole {
        String::from("as the prosecutor's: no population is known (--population, --sample-fraction)")
    } else {
        format!(
            "{}; estimated with a sample of {:.4} of the population",
            exposed(&risks.journalist),
            risks.sample_fraction
        )
    };
    line(&mut text, &format!("journalist risk: {journalist}"));
    line(&mut text, &format!("marketer risk: {:.4} of the records", risks.marketer));
    line(&mut text, &format!("uniques: {} records ({:.2} %)", risks.uniques, 100.0 * risks.unique_share));
    match &found.repair {
        Repair::NotNamed => {}
        Repair::Otherwise => {
            line(
                &mut text,
                "disclosure: no source leads to this table by that repair; was it made another way?",
            );
        }
        Repair::Discloses(found) => disclosed(&mut text, found),
    }
    figures(&mut text, &found.figures);
    if let Some(utility) = &found.utility {
        lost(&mut text, utility);
    }
    text
}

/// Who read the published bytes.
pub(super) fn read_by(reader: Reader) -> String {
    format!("the rows were read by {}", reader.words())
}

pub(super) fn line(text: &mut String, what: &str) {
    text.push_str(what);
    text.push('\n');
}

pub(super) fn check(text: &mut String, what: &str, check: &Check) {
    let holds = if check.passed { "holds " } else { "FAILS " };
    line(text, &format!("{holds} {what}: {}", check.finding));
    for witness in &check.witnesses {
        line(text, &format!("       {witness}"));
    }
}

fn disclosed(text: &mut String, d: &Disclosure) {
    line(
        text,
        &format!(
            "disclosure: an attacker who knows how records are repaired, but not who else is in the class, can tell a sensitive \
             value of a person in a class with a probability of at most {:.4} (1/m is {:.4}); {} in classes above 1/m; {} may \
             have been faked; certainly real in every class: {}",
            d.present,
            d.promised,
            counted(d.above, "record", "records"),
            counted(d.suspects, "value", "values"),
            d.certainly_real
        ),
    );
    if let Some(values) = d.absent_values {
        line(text, &format!("absence: a person who was deleted held one of {values} values"));
    }
}

fn figures(text: &mut String, figures: &Figures) {
    text.push('\n');
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "average group size {:.4}; discernibility {}",
        figures.average_group_size, figures.discernibility
    );
    if let Some(c_avg) = figures.c_avg {
        let _ = write!(text, "; C_AVG {c_avg:.4}");
    }
    if let Some(metric) = figures.classification_metric {
        let _ = write!(text, "; classification metric {metric:.4}");
    }
    text.push('\n');
    for column in &figures.columns {
        match &column.ncp {
            Ok(ncp) => line(text, &format!("{}: NCP {ncp:.4}", column.name)),
            Err(why) => line(text, &format!("{}: not measurable: {why}", column.name)),
        }
    }
    if let (Some(total), Some(mean)) = (figures.ncp_total, figures.gcp_mean) {
        line(
            text,
            &format!("NCP in total {total:.4}, GCP {mean:.4} a record (measurable columns, weighted alike)"),
        );
    }
}

fn lost(text: &mut String, utility: &Utility) {
    line(
        text,
        &format!(
            "\nagainst the original: {} rows published, {} not, {} added; GCP {}; information loss {:.4} %",
            utility.published_rows,
            utility.unpublished_rows,
            utility.added_rows,
            utility.gcp_mean.map_or(String::from("not measurable"), |gcp| format!("{gcp:.4}")),
            utility.information_loss_percent
        ),
    );
    for column in &utility.columns {
        let mut told = format!("{}: information loss {:.4} %", column.name, column.information_loss_percent);
        // Writing to a String cannot fail.
        let _ = match &column.ncp {
            Ok(ncp) => write!(told, ", NCP {ncp:.4}"),
            Err(why) => write!(told, ", NCP not measurable: {why}"),
        };
        if let Some(uncovered) = column.uncovered.filter(|n| *n > 0) {
            let _ = write!(told, ", {uncovered} rows whose value the table does not say");
        }
        if let Some(Statistic { mean_shift, variance_ratio }) = column.statistic {
            let _ = write!(
                told,
                ", mean moved by {mean_shift:.4} standard deviations, variance times {variance_ratio:.4}"
            );
        }
        line(text, &told);
    }
    if let Some(q) = utility.queries {
        line(
            text,
            &format!(
                "{} random queries on {} columns: relative error {:.4} in the mean, {:.4} in the median",
                q.queries, q.dimensions, q.mean, q.median
            ),
        );
    }
}
