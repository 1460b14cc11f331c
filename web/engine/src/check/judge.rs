//! A published table, judged.

use std::collections::BTreeMap;

use lookalike_core::{
    audit::{
        self, Arrangement, Attacker, Distance, Diversity, Inquiry, Model, Parts, Population, SUPPRESSED,
        attacks::{Attacked, Attacks},
        consistency,
        disclosure::{Choice, Known, RepairUsed},
        measure::{ColumnReading, Reading},
    },
    check::{
        Asked, Before, CheckLine, CheckName, DeclaredColumns, Findings, PersonsFound, Witnessed, attack,
        attempts, check, condition, tell, tell_attacks,
    },
    table::{Reading as Compared, Table, hierarchy::Hierarchy, usual_markers},
};
use lookalike_model::{
    report::{Audit, Check, Dialect},
    settings::Repair,
};
use lookalike_wire::check::{AttackSettings, CheckSettings, Checked, Fakes, Notion, Variant};
use lookalike_words::{Message, Said};

use super::{
    answers::{answers, misfits, near, persons, suppressed},
    refused::CheckRefused,
};

/// Seed and number of the random queries, those of the command line.
const QUERIES: (u64, usize) = (1, 200);

/// What there is to judge.
pub(crate) struct Evidence<'a> {
    /// The published table.
    pub(crate) published: &'a Table,
    /// What it was made of.
    pub(crate) original: Option<&'a Table>,
    /// Which original row is in which class.
    pub(crate) classes: Option<&'a Table>,
    /// Rows like those of the original that nothing published was made of.
    pub(crate) control: Option<&'a Table>,
    /// Hierarchies of columns.
    pub(crate) trees: &'a BTreeMap<String, Hierarchy>,
}

/// Judges a published table.
pub(crate) fn judge(evidence: &Evidence, asked: &CheckSettings) -> Result<Checked, Said> {
    if evidence.original.is_none() && (!asked.notions.is_empty() || asked.attacks.is_some()) {
        return Err(CheckRefused::NoOriginal.into());
    }
    let before = evidence.original.map(|original| Before { original, classes: evidence.classes });
    let mut question = question(asked, evidence.trees);
    question.reading.hierarchies.clone_from(evidence.trees);
    let found = check(evidence.published, &question, before).map_err(|error| error.said())?;
    let tried = attacked(evidence, &question, asked.attacks.as_ref())?;
    let mut lines = tell(&found);
    lines.extend(tried.iter().flat_map(|(_, tried)| tell_attacks(tried)));
    Ok(Checked {
        audit: audit(&found),
        answers: answers(&found, asked, known(evidence.published, &question.inquiry)?),
        persons: persons(&found),
        misfits: misfits(&found),
        suppressed: suppressed(&found),
        near: near(&found),
        attacks: tried.map(|(wanted, tried)| attempts(&wanted, &tried)),
        lines,
    })
}

/// What attacks reached that were asked for, with what was asked.
fn attacked(
    evidence: &Evidence,
    question: &Asked,
    asked: Option<&AttackSettings>,
) -> Result<Option<(Attacks, Attacked)>, Said> {
    let (Some(asked), Some(original)) = (asked, evidence.original) else { return Ok(None) };
    let AttackSettings { secret, number, seed } = asked.clone();
    let wanted = Attacks { secret, attacks: number, seed, ..Attacks::default() };
    let tried = attack(evidence.published, question, (original, evidence.control), &wanted);
    Ok(Some((wanted, tried.map_err(|error| error.said())?)))
}

/// The largest share of a sensitive value among the known ones of a group; `None` where all are known.
fn known(published: &Table, inquiry: &Inquiry) -> Result<Option<f64>, Said> {
    let Inquiry { quasi, sensitive: Some(sensitive), missing, .. } = inquiry else { return Ok(None) };
    if quasi.is_empty() {
        return Ok(None);
    }
    audit::known_share(published, quasi, sensitive, missing).map_err(|error| error.said())
}

fn notion(notion: Notion) -> consistency::Notion {
    match notion {
        Notion::OneK => consistency::Notion::OneK,
        Notion::KOne => consistency::Notion::KOne,
        Notion::KK => consistency::Notion::KK,
        Notion::Concealment => consistency::Notion::Concealment,
    }
}

fn question(asked: &CheckSettings, trees: &BTreeMap<String, Hierarchy>) -> Asked {
    let suppressed = vec![SUPPRESSED.to_owned()];
    let labels = || ColumnReading::As(Compared::Labels);
    let columns = asked.categories.iter().map(|name| (name.clone(), labels())).collect();
    let way = match asked.repair {
        Repair::Error => None,
        Repair::Add => Some(RepairUsed::Add),
        Repair::Delete => Some(RepairUsed::Delete),
        Repair::Hybrid => Some(RepairUsed::Hybrid),
    };
    let choice = match asked.fakes {
        Fakes::Rarest => Choice::Rarest,
        Fakes::Frequent => Choice::Frequent,
        Fakes::Cheapest => Choice::Cheapest,
    };
    let (counterfeits, deletions) = (asked.counterfeits, asked.deletions);
    let known = way.zip(asked.m).map(|(way, m)| Known { m: m as u64, way, choice, counterfeits, deletions });
    Asked {
        sampled: audit::Sampled {
            weight: asked.sample.weight.clone(),
            household: asked.sample.household.clone(),
        },
        inquiry: Inquiry {
            quasi: asked.quasi.clone(),
            sensitive: asked.sensitive.clone(),
            class: None,
            models: models(asked, trees),
            suppressed: suppressed.clone(),
            missing: usual_markers(),
            missing_is_value: asked.missing_as_value,
            attacker: Attacker {
                population: asked.population.map_or(Population::Table, Population::Size),
                ..Attacker::default()
            },
        },
        no_class: false,
        notions: asked.k.map_or_else(Vec::new, |k| asked.notions.iter().map(|n| (notion(*n), k)).collect()),
        reading: Reading { suppressed, columns, ..Reading::default() },
        declared: DeclaredColumns::default(),
        known,
        person: asked.person.clone(),
        queries: QUERIES,
    }
}

fn models(asked: &CheckSettings, trees: &BTreeMap<String, Hierarchy>) -> Vec<Model> {
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
    let sets = asked.sets.iter().map(|set| Model::Set { columns: set.columns.clone(), k: set.k });
    let said = k.into_iter().chain(diversity).chain(closeness).chain(m).chain(sets);
    said.chain(conditions(asked, trees)).collect()
}

/// Conditions on the values of columns; the protected one is meant where none is named.
fn conditions(asked: &CheckSettings, trees: &BTreeMap<String, Hierarchy>) -> Vec<Model> {
    let mut all = Vec::new();
    for of in &asked.conditions {
        let own = asked.sensitive.as_ref() == Some(&of.column);
        let arranged = Arrangement {
            order: (!of.order.is_empty()).then(|| of.order.clone()),
            hierarchy: trees.get(&of.column).map(Hierarchy::rows),
        };
        all.extend(of.conditions.iter().map(|wanted| Model::Condition {
            column: (!own).then(|| of.column.clone()),
            condition: condition(wanted),
            arranged: arranged.clone(),
        }));
    }
    all
}

/// The findings that hold or do not; figures are in the lines.
fn audit(found: &Findings) -> Audit {
    let findings = found.assessment.findings.iter();
    let findings = findings.map(|finding| (CheckName::of(finding).said(), &finding.check));
    let notions = found.notions.iter().map(|noted| (CheckName::against(noted).said(), &noted.check));
    let notes = found.assessment.notes.iter().map(|note| (note.name.said(), note));
    let checks = findings.chain(notions).chain(notes).map(|(name, check)| Check {
        name,
        passed: check.passed,
        finding: witnessed(check),
    });
    let persons = found.persons.iter().flat_map(PersonsFound::told).filter_map(|line| match line {
        CheckLine::Holds { name, finding } => Some(Check { name, passed: true, finding }),
        CheckLine::Fails { name, finding } => Some(Check { name, passed: false, finding }),
        _ => None,
    });
    Audit {
        passed: found.broken() == 0,
        checks: persons.chain(checks).collect(),
        reader: found.reader(),
        dialect: Dialect::PLAIN,
    }
}

fn witnessed(check: &audit::Check) -> Said {
    let finding = check.finding.said();
    if check.witnesses.is_empty() {
        return finding;
    }
    Witnessed::By { finding, witnesses: Parts(check.witnesses.clone()) }.said()
}
