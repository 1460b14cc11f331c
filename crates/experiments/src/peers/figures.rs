//! Our releases, judged by pyCANON and by our audit.

use std::{
    cell::OnceCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
    rc::Rc,
};

use anyhow::{Context, Result, bail};
use lookalike_core::{
    audit::{Attacker, Distance, Diversity, Grouping, Inquiry, Model, assess},
    pipeline::anonymize,
    table::{ReadOptions, read},
};
use lookalike_model::{Ctx, settings::Settings};

use super::environment;
use crate::{Experiment, Row};

/// The figures, as `peers/figures.py` names them.
const FIGURES: [&str; 5] = ["k", "alpha", "l", "entropy l", "t"];

/// A release of ours.
struct Release {
    name: &'static str,
    file: &'static str,
    quasi: &'static [&'static str],
    sensitive: &'static str,
    model: serde_json::Value,
    /// Whether sensitive values are numbers, with a distance.
    ordered: bool,
    data: PathBuf,
    found: OnceCell<Sides>,
}

/// Value of each figure.
struct Sides {
    ours: BTreeMap<&'static str, f64>,
    theirs: BTreeMap<String, f64>,
}

pub(super) fn experiment(data: &Path) -> Experiment {
    let release = |name, file, quasi, sensitive, model, ordered| {
        let (data, found) = (data.to_owned(), OnceCell::new());
        Rc::new(Release { name, file, quasi, sensitive, model, ordered, data, found })
    };
    let k = |k: usize| serde_json::json!({ "name": "k-anonymity", "k": k });
    let m = |m: usize| serde_json::json!({ "name": "m-invariance", "m": m });
    let releases = [
        release("census, k = 5", "census.csv", &["AFNLWGT", "AGI", "EMCONTRB"][..], "FEDTAX", k(5), true),
        release("tarragona, k = 3", "tarragona.csv", &["SALES", "TREASURY"], "LABOR.COSTS", k(3), true),
        release(
            "adult, k = 20",
            "adult-test.csv",
            &["age", "sex", "education-num"],
            "occupation",
            k(20),
            false,
        ),
        release(
            "adult, m = 5",
            "adult-test.csv",
            &["age", "sex", "education-num"],
            "occupation",
            m(5),
            false,
        ),
        release(
            "adult, m = 2",
            "adult-test.csv",
            &["age", "race", "hours-per-week"],
            "relationship",
            m(2),
            false,
        ),
    ];
    let rows = releases.iter().flat_map(|release| FIGURES.map(|figure| row(release, figure))).collect();
    Experiment {
        id: "pycanon",
        title: String::from("Our releases, by pyCANON and by the audit"),
        about: String::from(
            "Releases with seed 1 and effort 1, rows without a missing value, judged by equal published quasi-identifiers. \
             k: smallest group; alpha: largest share of one sensitive value in a group; l: fewest different values; entropy \
             l: e to the least entropy, of which pyCANON tells the whole part; t: largest distance from the whole table \
             (ordered for numbers, equal for labels).",
        ),
        header: vec!["release", "figure", "audit", "pyCANON", "agree"],
        rows,
        // Every row needs the tool.
        checked: Vec::new(),
        means: None,
        plots: Box::new(|_| Vec::new()),
    }
}

fn row(release: &Rc<Release>, figure: &'static str) -> Row {
    let of = Rc::clone(release);
    let compute = move || {
        let found = of.found()?;
        let get = |value: Option<&f64>| value.copied().with_context(|| format!("{figure} is not told"));
        let (ours, theirs) = (get(found.ours.get(figure))?, get(found.theirs.get(figure))?);
        let near = 1e-9;
        let agree = match figure {
            // A whole l may come out just below itself.
            "entropy l" => [ours - near, ours + near].iter().any(|l| l.floor() == theirs),
            _ => (ours - theirs).abs() < near,
        };
        let text = |x: f64| if x.fract() == 0.0 { format!("{x}") } else { format!("{x:.6}") };
        Ok(vec![text(ours), text(theirs), String::from(if agree { "yes" } else { "no" })])
    };
    Row { key: vec![release.name.to_owned(), figure.to_owned()], compute: Box::new(compute) }
}

impl Release {
    fn found(&self) -> Result<&Sides> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let published = self.publish()?;
        let found = Sides { ours: self.ours(&published)?, theirs: self.theirs(&published)? };
        Ok(self.found.get_or_init(|| found))
    }

    fn publish(&self) -> Result<Vec<u8>> {
        let path = self.data.join(self.file);
        let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let table = read(&bytes, &ReadOptions::default())?;
        let settings: Settings = serde_json::from_value(serde_json::json!({
            "quasi": self.quasi,
            "sensitive": self.sensitive,
            "model": self.model,
            "missing": { "sensitive": "drop", "quasi": "drop" },
            "eligibility": "delete",
            "budget": { "effort": 1.0 },
            "seed": 1,
        }))
        .context("the settings do not fit")?;
        Ok(anonymize(&table, &settings, &Ctx::silent())?.published)
    }

    fn ours(&self, published: &[u8]) -> Result<BTreeMap<&'static str, f64>> {
        let distance = if self.ordered { Distance::Ordered { order: None } } else { Distance::Equal };
        let inquiry = Inquiry {
            quasi: self.quasi.iter().map(ToString::to_string).collect(),
            sensitive: Some(self.sensitive.to_owned()),
            class: None,
            models: vec![
                Model::KAnonymity { k: 2 },
                Model::Diversity { l: 2, kind: Diversity::Distinct },
                Model::Diversity { l: 2, kind: Diversity::Entropy },
                Model::TCloseness { t: 1.0, distance },
            ],
            suppressed: Vec::new(),
            missing: lookalike_core::table::usual_markers(),
            missing_is_value: false,
            attacker: Attacker::default(),
        };
        let table = read(published, &ReadOptions::default())?;
        let assessment = assess(&table, &inquiry)?;
        let mut figures = BTreeMap::new();
        for finding in assessment.findings.iter().filter(|finding| finding.grouping == Grouping::Group) {
            let name = match finding.model {
                Model::KAnonymity { .. } => "k",
                Model::Diversity { kind: Diversity::Distinct, .. } => "l",
                Model::Diversity { .. } => "entropy l",
                _ => "t",
            };
            figures.insert(name, finding.reached.context("there is no group")?);
        }
        let question = lookalike_core::audit::Question {
            quasi: inquiry.quasi,
            sensitive: inquiry.sensitive,
            conditions: lookalike_core::audit::Conditions::default(),
            guarantee: lookalike_core::audit::Guarantee::KAnonymity { k: 2 },
            class: None,
            markers: inquiry.missing,
            dialect: lookalike_core::audit::Dialect::PLAIN,
        };
        let risk = lookalike_core::audit::judge(published, &question)?.risk;
        figures.insert("alpha", risk.highest_attribute_disclosure.context("there is no sensitive column")?);
        Ok(figures)
    }

    fn theirs(&self, published: &[u8]) -> Result<BTreeMap<String, f64>> {
        let path = environment::folder()?.join(format!("release-{}.csv", std::process::id()));
        std::fs::write(&path, published).with_context(|| format!("cannot write {}", path.display()))?;
        let path = path.to_str().context("the folder has a name that is no text")?;
        let output = environment::run("figures.py", &[path, &self.quasi.join(","), self.sensitive])?;
        if !output.status.success() {
            bail!("pyCANON failed: {}", environment::complaint(&output));
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines()
            .map(|line| {
                let (name, value) = line.split_once('\t').context("a line without a tab")?;
                Ok((name.to_owned(), value.trim().parse().with_context(|| format!("{line:?} is no figure"))?))
            })
            .collect()
    }
}
