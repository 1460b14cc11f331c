//! ANJANA's tables by each of its models, beside ours by the same: the loss of everybody's published cells, and who keeps what.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use lookalike_core::{
    audit::{Inquiry, Model as Judged, SUPPRESSED, measure::Reading},
    check::{Asked, DeclaredColumns, Findings, arranged, check, condition},
    pipeline::anonymize,
    table::{ReadOptions, Table, hierarchy::Hierarchy, read, write},
};
use lookalike_model::{
    Ctx,
    settings::{Budget, Model, Scheme, Settings, Suppress, ValueCondition},
};
use serde_json::{Value, json};

use super::environment::{ANJANA, complaint, folder, out_of_time};
use crate::{
    Experiment, Row,
    cpu::timed,
    levels::{Adult, adult_without_gaps},
};

/// CPU seconds that ANJANA may take for a table.
const SECONDS: u32 = 900;

/// At most so many of a hundred rows are suppressed.
const PERCENT: f64 = 5.0;

const K: usize = 5;

/// A model of ANJANA's: the name of its function, its parameters beside k, and the condition that asks for the same.
#[derive(Clone, Copy)]
struct Notion {
    title: &'static str,
    function: &'static str,
    given: &'static str,
    condition: Option<&'static str>,
    /// Whether ours goes with suppressed rows: the others compare with the published table, which these would change.
    suppresses: bool,
}

const NOTIONS: [Notion; 9] = [
    Notion { title: "k", function: "k_anonymity", given: "{}", condition: None, suppresses: true },
    Notion {
        title: "alpha = 0.6",
        function: "alpha_k_anonymity",
        given: r#"{"alpha":0.6}"#,
        condition: Some(r#"{"name":"frequency","alpha":0.6}"#),
        suppresses: true,
    },
    Notion {
        title: "distinct l = 4",
        function: "l_diversity",
        given: r#"{"l_div":4}"#,
        condition: Some(r#"{"name":"distinct-diversity","l":4}"#),
        suppresses: true,
    },
    Notion {
        title: "entropy l = 3",
        function: "entropy_l_diversity",
        given: r#"{"l_div":3}"#,
        condition: Some(r#"{"name":"entropy-diversity","l":3}"#),
        suppresses: true,
    },
    Notion {
        title: "recursive (2, 3)",
        function: "recursive_c_l_diversity",
        given: r#"{"c":2,"l_div":3}"#,
        condition: Some(r#"{"name":"recursive-diversity","c":2,"l":3}"#),
        suppresses: true,
    },
    Notion {
        title: "t = 0.4, equal",
        function: "t_closeness",
        given: r#"{"t":0.4}"#,
        condition: Some(r#"{"name":"t-closeness","t":0.4}"#),
        suppresses: false,
    },
    Notion {
        title: "beta = 4",
        function: "basic_beta_likeness",
        given: r#"{"beta":4}"#,
        condition: Some(r#"{"name":"basic-beta-likeness","beta":4}"#),
        suppresses: false,
    },
    Notion {
        title: "enhanced beta = 4",
        function: "enhanced_beta_likeness",
        given: r#"{"beta":4}"#,
        condition: Some(r#"{"name":"enhanced-beta-likeness","beta":4}"#),
        suppresses: false,
    },
    Notion {
        title: "delta = 2",
        function: "delta_disclosure",
        given: r#"{"delta":2}"#,
        condition: Some(r#"{"name":"delta-disclosure","delta":2}"#),
        suppresses: false,
    },
];

/// Who made a table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Maker {
    Anjana,
    Levels,
    Classes,
}

pub(super) fn experiment(data: &Path) -> Experiment {
    let makers = [Maker::Anjana, Maker::Levels, Maker::Classes];
    let rows =
        NOTIONS.into_iter().flat_map(|notion| makers.map(|maker| (notion, maker))).map(|(notion, maker)| {
            let data = data.to_owned();
            let by = match maker {
                Maker::Anjana => "ANJANA",
                Maker::Levels => "ours: full-domain",
                Maker::Classes => "ours: classes",
            };
            let compute = move || row(&data, notion, maker);
            Row { key: vec![notion.title.to_owned(), by.to_owned()], compute: Box::new(compute) }
        });
    Experiment {
        id: "anjana",
        title: String::from("ANJANA's nine models, and ours"),
        about: format!(
            "adult-train.csv without the rows that have a missing cell: 30,162 records, 8 quasi-identifiers with the hierarchies of `levels`, \
             occupation (14 values) sensitive, k = {K}. ANJANA and full-domain may suppress {PERCENT} % of the rows, full-domain none where the \
             condition compares with the published table; classes suppress none (`--method auto`, effort 1). Penalty: the mean \
             certainty penalty of a record from the published cells, by `lookalike check`, a suppressed record counting 1. Audit: whether every \
             group of equal published quasi-identifiers keeps k and the condition as docs/conditions.md defines it. pyCANON: k and its figure of the \
             model, computed by pyCANON; for recursive diversity c and l.",
        ),
        header: vec!["model", "by", "penalty", "suppressed", "audit", "pyCANON", "CPU s"],
        rows: rows.collect(),
        // Most rows need the tool.
        checked: Vec::new(),
        means: None,
        plots: Box::new(|_| Vec::new()),
    }
}

fn row(data: &Path, notion: Notion, maker: Maker) -> Result<Vec<String>> {
    let Adult { table, settings } = adult_without_gaps(data, K, notion.condition)?;
    let files = Files::new(&table, &settings, notion)?;
    let seconds = match maker {
        Maker::Anjana => match files.anjana()? {
            Some(seconds) => seconds,
            None => return Ok(vec![format!("over {SECONDS} s"); 5]),
        },
        Maker::Levels | Maker::Classes => {
            let suppress = Suppress { price: Some(1.0), limit: None, share: Some(PERCENT / 100.0) };
            let asked = match maker {
                Maker::Levels => Settings {
                    scheme: Scheme::FullDomain,
                    suppress: notion.suppresses.then_some(suppress),
                    ..settings.clone()
                },
                _ => Settings { budget: Budget::Effort(1.0), ..settings.clone() },
            };
            let (outcome, seconds) = timed(|| Ok(anonymize(&table, &asked, &Ctx::silent())?))?;
            fs::write(&files.out, &outcome.published)?;
            seconds
        }
    };
    let published = fs::read(&files.out).with_context(|| format!("cannot read {}", files.out.display()))?;
    // Where nothing that it tries keeps the model it gives back a table without rows.
    if String::from_utf8_lossy(&published).lines().count() < 2 {
        return Ok([vec![String::from("no table")], vec![String::from("-"); 4]].concat());
    }
    let published = read(&published, &ReadOptions::default())?;
    let found = judged(&published, &settings)?;
    let gone = table.rows - published.rows;
    let mean = found.figures.gcp_mean.context("the cells have no certainty penalty")?;
    let penalty = (mean * published.rows as f64 + gone as f64) / table.rows as f64;
    let kept = found.assessment.findings.iter().all(|finding| finding.check.passed);
    Ok(vec![
        format!("{penalty:.4}"),
        gone.to_string(),
        if kept { "kept" } else { "broken" }.to_owned(),
        files.pycanon()?,
        format!("{seconds:.1}"),
    ])
}

/// What `lookalike check` finds in a published table: equal quasi-identifiers alone, whatever made them equal.
fn judged(published: &Table, settings: &Settings) -> Result<Findings> {
    let Model::KAnonymity { k } = settings.model else { bail!("only k-anonymity is compared") };
    let conditions = |of: &[ValueCondition]| -> Vec<Judged> {
        let arranged = arranged(settings, "occupation");
        (of.iter())
            .map(|of| Judged::Condition {
                column: None,
                condition: condition(of),
                arranged: arranged.clone(),
            })
            .collect()
    };
    let mut reading = Reading::default();
    for (name, rows) in &settings.hierarchies {
        reading.hierarchies.insert(name.clone(), Hierarchy::new(rows).context("a hierarchy is none")?);
    }
    let asked = Asked {
        inquiry: Inquiry {
            quasi: settings.quasi.clone(),
            sensitive: Some(String::from("occupation")),
            class: None,
            models: [vec![Judged::KAnonymity { k }], conditions(&settings.conditions)].concat(),
            suppressed: vec![SUPPRESSED.to_owned()],
            missing: Vec::new(),
            missing_is_value: false,
            attacker: lookalike_core::audit::Attacker::default(),
        },
        no_class: true,
        notions: Vec::new(),
        reading,
        declared: DeclaredColumns::default(),
        known: None,
        person: None,
        sampled: lookalike_core::audit::Sampled::default(),
        queries: (1, 1),
    };
    Ok(check(published, &asked, None)?)
}

/// The files of one row, which go when it is done.
struct Files {
    asked: PathBuf,
    table: PathBuf,
    out: PathBuf,
}

impl Files {
    fn new(table: &Table, settings: &Settings, notion: Notion) -> Result<Self> {
        let at = |name: &str| {
            Ok::<_, anyhow::Error>(folder()?.join(format!("anjana-{}-{name}", std::process::id())))
        };
        let files = Self { asked: at("asked.json")?, table: at("table.csv")?, out: at("out.csv")? };
        let mut given: Value = serde_json::from_str(notion.given)?;
        given["k"] = json!(K);
        let asked = json!({
            "model": notion.function,
            "given": given,
            "quasi": settings.quasi,
            "sensitive": "occupation",
            "suppressed": PERCENT,
            "hierarchies": settings.hierarchies,
        });
        fs::write(&files.asked, asked.to_string())?;
        let header: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
        let rows = (0..table.rows).map(|row| table.columns.iter().map(move |column| column.cell(row)));
        fs::write(&files.table, write(&header, rows))?;
        Ok(files)
    }

    /// CPU seconds of ANJANA's call, whose table is in `out`; `None` if it takes too long.
    fn anjana(&self) -> Result<Option<f64>> {
        let limit = SECONDS.to_string();
        let [asked, table, out] = [&self.asked, &self.table, &self.out].map(|path| path.to_string_lossy());
        let output = ANJANA.run("anjana_tables.py", &["make", &asked, &table, &out, &limit])?;
        if out_of_time(output.status) {
            return Ok(None);
        }
        if !output.status.success() {
            bail!("ANJANA failed: {}", complaint(&output));
        }
        let told = String::from_utf8_lossy(&output.stdout);
        let last = told.lines().last().unwrap_or_default();
        Ok(Some(last.trim().parse().with_context(|| format!("{last:?} is no time"))?))
    }

    /// k and pyCANON's figure of the model.
    fn pycanon(&self) -> Result<String> {
        let [asked, out] = [&self.asked, &self.out].map(|path| path.to_string_lossy());
        let output = ANJANA.run("anjana_tables.py", &["judge", &asked, &out])?;
        if !output.status.success() {
            bail!("pyCANON failed: {}", complaint(&output));
        }
        let told = String::from_utf8_lossy(&output.stdout);
        let number = |text: &str| {
            text.parse::<f64>().map_or_else(
                |_| text.to_owned(),
                |x| format!("{x:.4}").trim_end_matches('0').trim_end_matches('.').to_owned(),
            )
        };
        Ok(told
            .lines()
            .last()
            .unwrap_or_default()
            .split_whitespace()
            .map(number)
            .collect::<Vec<_>>()
            .join("; "))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        for path in [&self.asked, &self.table, &self.out] {
            // What is left of them is in a folder for what may go.
            let _ = fs::remove_file(path);
        }
    }
}
