//! One level for a whole column (full-domain recoding), proven, beside classes under the same rule and loss: what consistency costs.

mod adult;

use std::path::Path;

use anyhow::{Context, Result};
use lookalike_core::{
    hierarchies::generate,
    pipeline::prepare,
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    job::{Answer, Status},
    rule::{Distance, Ground, Several, ValueCondition},
    settings::{Loss, MissingPolicy, Model, Publish, Scheme, Settings, Suppress},
};
use lookalike_optimize::solve::solve;

use self::adult::{COLUMNS, hierarchies};
use crate::{Experiment, Row, cpu::timed};

/// A condition beside k, by which column.
#[derive(Clone, Copy)]
enum Beside {
    Nothing,
    /// Different occupations.
    Values(usize),
    /// The distance of occupations from those of all.
    Distance(f64),
}

/// The experiments.
#[must_use]
pub fn experiments(data: &Path) -> Vec<Experiment> {
    let plain = [2, 5, 10, 25, 100]
        .into_iter()
        .flat_map(|k| [0.0, 0.01, 0.05].map(|share| (k, share, Beside::Nothing)));
    let values = [0.0, 0.05].map(|share| (5, share, Beside::Values(4)));
    let conditions = values.into_iter().chain([(5, 0.0, Beside::Distance(0.2))]);
    let rows = plain.chain(conditions).map(|(k, share, beside)| {
        let data = data.to_owned();
        let condition = match beside {
            Beside::Nothing => String::new(),
            Beside::Values(l) => format!("{l} occupations"),
            Beside::Distance(t) => format!("{t}-closeness of occupations"),
        };
        Row {
            key: vec![k.to_string(), format!("{} %", share * 100.0), condition],
            compute: Box::new(move || row(&data, k, share, beside)),
        }
    });
    vec![Experiment {
        id: "adult",
        title: String::from("Adult: one level a column, beside classes"),
        about: String::from(
            "adult-train.csv without the rows that have a missing cell: 30,162 records with 9 columns (age, workclass, education, \
             marital status, occupation, race, sex, country, income), hierarchies of 5, 3, 4, 3, 3, 2, 2, 3 and 2 levels: 12,960 \
             choices. Occupation is sensitive where there is a condition on it, and the choices are 4,320. Penalty: the mean certainty \
             penalty of a record (from 0 to 1), a suppressed record counting 1. Classes: `--method auto` with effort 1, the same \
             hierarchies and conditions, no record suppressed.",
        ),
        header: vec![
            "k",
            "suppressed at most",
            "condition",
            "penalty, one level a column",
            "suppressed",
            "proven",
            "looked at",
            "penalty, classes",
            "CPU s, one level a column",
            "CPU s, classes",
        ],
        rows: rows.collect(),
        checked: vec![4],
        means: None,
        plots: Box::new(|_| Vec::new()),
    }]
}

fn table(data: &Path) -> Result<Table> {
    let path = data.join("adult-train.csv");
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(read(&bytes, &ReadOptions::default())?)
}

fn settings(table: &Table, k: usize, beside: Beside) -> Result<Settings> {
    let mut settings = Settings::of(Model::KAnonymity { k });
    let sensitive = match beside {
        Beside::Nothing => None,
        Beside::Values(l) => Some(ValueCondition::DistinctDiversity { l: Several::try_from(l)? }),
        Beside::Distance(t) => {
            Some(ValueCondition::TCloseness { t: Distance::try_from(t)?, distance: Ground::Equal })
        }
    };
    settings.sensitive = sensitive.map(|_| String::from("occupation"));
    settings.conditions.extend(sensitive);
    let known = COLUMNS.into_iter().filter(|name| settings.sensitive.as_deref() != Some(*name));
    settings.quasi = known.map(String::from).collect();
    settings.hierarchies = hierarchies();
    settings.hierarchies.retain(|name, _| settings.quasi.contains(name));
    let ages = generate(table, "age", &"interval:5,2,2".parse()?, &settings)?;
    settings.hierarchies.insert(String::from("age"), ages.rows());
    settings.publish = Publish::Hierarchy;
    settings.loss = Loss::Ncp;
    settings.missing.quasi = MissingPolicy::Drop;
    settings.missing.sensitive = MissingPolicy::Drop;
    settings.seed = Some(1);
    Ok(settings)
}

fn row(data: &Path, k: usize, share: f64, beside: Beside) -> Result<Vec<String>> {
    let table = table(data)?;
    let classes = settings(&table, k, beside)?;
    let suppress = (share > 0.0).then_some(Suppress { price: Some(1.0), limit: None, share: Some(share) });
    let levels = Settings { scheme: Scheme::FullDomain, suppress, ..classes.clone() };
    let (found, seconds) = timed(|| answer(&table, &levels))?;
    let budget = lookalike_model::settings::Budget::Effort(1.0);
    let (beside, of_classes) = timed(|| answer(&table, &Settings { budget, ..classes.clone() }))?;
    let mean = |answer: &Answer| format!("{:.4}", answer.loss / answer.labels.len().max(1) as f64);
    let chosen = found.full_domain.as_ref().context("there are no levels")?;
    Ok(vec![
        mean(&found),
        chosen.suppressed.len().to_string(),
        if found.status == Status::Optimal { "yes" } else { "no" }.to_owned(),
        chosen.looked_at.to_string(),
        mean(&beside),
        format!("{seconds:.2}"),
        format!("{of_classes:.1}"),
    ])
}

fn answer(table: &Table, settings: &Settings) -> Result<Answer> {
    let prepared = prepare(table, settings, &Ctx::silent())?;
    Ok(solve(prepared.job(), &Ctx::silent())?)
}

/// The table of the experiments without its gaps, and what is asked of it.
pub(crate) struct Adult {
    pub(crate) table: Table,
    pub(crate) settings: Settings,
}

/// The rows without a missing cell, with occupation as the sensitive column and, where there is one, a condition on it in the form of a configuration.
pub(crate) fn adult_without_gaps(data: &Path, k: usize, condition: Option<&str>) -> Result<Adult> {
    let all = table(data)?;
    let mut settings = settings(&all, k, Beside::Values(2))?;
    settings.conditions = condition.map(serde_json::from_str).transpose()?.into_iter().collect();
    Ok(Adult { table: without_gaps(&all)?, settings })
}

/// The same with occupation among the quasi-identifiers.
pub(crate) fn adult_nine(data: &Path) -> Result<Adult> {
    let all = table(data)?;
    Ok(Adult { table: without_gaps(&all)?, settings: settings(&all, 5, Beside::Nothing)? })
}

/// The rows without a missing cell.
fn without_gaps(all: &Table) -> Result<Table> {
    let named: Vec<&lookalike_core::table::Column> =
        COLUMNS.into_iter().filter_map(|name| all.column(name)).collect();
    let whole = |row: &usize| named.iter().all(|column| column.cell(*row).trim() != "?");
    let header: Vec<String> = named.iter().map(|column| column.name.clone()).collect();
    let rows = (0..all.rows).filter(whole).map(|row| named.iter().map(move |column| column.cell(row)));
    let text = lookalike_core::table::write(&header, rows);
    Ok(read(&text, &ReadOptions::default())?)
}
