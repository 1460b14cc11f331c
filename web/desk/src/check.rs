//! A published table is checked: it is not the open one.

use lookalike_core::{
    audit::{
        Attacker, Distance, Diversity, Grouping, Inquiry, Model, Population, SUPPRESSED,
        disclosure::{Choice, Known, Way},
        measure::{ColumnReading, Reading},
    },
    check::{Asked, Before, Found, check, tell},
    table::{ReadOptions, Reading as Compared, Table, read},
};
use lookalike_wire::{
    check::{CheckSettings, Checked, Fakes, Variant},
    report::{Audit, Check},
    settings::Repair,
};

/// Seed and number of the random queries, those of the command line.
const QUERIES: (u64, usize) = (1, 200);

/// Judges a published table; `files` are its original and classes.csv, as far as they are given.
pub(crate) fn judge(published: &Table, asked: &CheckSettings, files: &[Vec<u8>]) -> Result<Checked, String> {
    let table = |bytes: &Vec<u8>, what: &str| {
        read(bytes, &ReadOptions::default()).map_err(|error| format!("{what}: {error}"))
    };
    let original = files.first().map(|bytes| table(bytes, "the original")).transpose()?;
    let classes = files.get(1).map(|bytes| table(bytes, "classes.csv")).transpose()?;
    let before = original.as_ref().map(|original| Before { original, classes: classes.as_ref() });
    let found = check(published, &question(asked), before).map_err(|error| error.to_string())?;
    Ok(Checked { audit: audit(&found), text: tell(&found) })
}

fn question(asked: &CheckSettings) -> Asked {
    let suppressed = vec![SUPPRESSED.to_owned()];
    let labels = || ColumnReading::As(Compared::Labels);
    let columns = asked.categories.iter().map(|name| (name.clone(), labels())).collect();
    let way = match asked.repair {
        Repair::Error => None,
        Repair::Add => Some(Way::Add),
        Repair::Delete => Some(Way::Delete),
        Repair::Hybrid => Some(Way::Hybrid),
    };
    let choice = match asked.fakes {
        Fakes::Rarest => Choice::Rarest,
        Fakes::Frequent => Choice::Frequent,
        Fakes::Cheapest => Choice::Cheapest,
    };
    let (counterfeits, deletions) = (asked.counterfeits, asked.deletions);
    let known = way.zip(asked.m).map(|(way, m)| Known { m: m as u64, way, choice, counterfeits, deletions });
    Asked {
        inquiry: Inquiry {
            quasi: asked.quasi.clone(),
            sensitive: asked.sensitive.clone(),
            class: None,
            models: models(asked),
            suppressed: suppressed.clone(),
            missing_is_value: asked.missing_as_value,
            attacker: Attacker {
                population: asked.population.map_or(Population::Table, Population::Size),
                ..Attacker::default()
            },
        },
        notions: Vec::new(),
        reading: Reading { suppressed, columns, ..Reading::default() },
        known,
        queries: QUERIES,
    }
}

fn models(asked: &CheckSettings) -> Vec<Model> {
    let diversity = asked.diversity.map(|diversity| {
        let kind = match diversity.variant {
            Variant::Distinct => Diversity::Distinct,
            Variant::Entropy => Diversity::Entropy,
            Variant::Recursive(c) => Diversity::Recursive { c },
        };
        Model::Diversity { l: diversity.l, kind }
    });
    let closeness = asked.closeness.as_ref().map(|closeness| {
        let order = (!closeness.order.is_empty()).then(|| closeness.order.clone());
        let distance = if closeness.ordered { Distance::Ordered { order } } else { Distance::Equal };
        Model::TCloseness { t: closeness.t, distance }
    });
    let k = asked.k.map(|k| Model::KAnonymity { k });
    let m = asked.m.map(|m| Model::MUniqueness { m });
    k.into_iter().chain(diversity).chain(closeness).chain(m).collect()
}

/// The findings that hold or do not; figures are in the text.
fn audit(found: &Found) -> Audit {
    let findings = found.assessment.findings.iter().map(|finding| {
        let by = match finding.grouping {
            Grouping::Class => "by class",
            Grouping::Group => "by equal quasi-identifiers",
        };
        (format!("{}, {by}", finding.model), &finding.check)
    });
    let notes = found.assessment.notes.iter().map(|note| (note.name.clone(), note));
    let checks = findings.chain(notes).map(|(name, check)| Check {
        name,
        passed: check.passed,
        finding: check.witnesses.iter().fold(check.finding.clone(), |text, witness| text + "; " + witness),
    });
    Audit { passed: found.broken() == 0, checks: checks.collect() }
}
