//! Recorded runs: what `tests/recorded/runs.json` says that the program publishes.
//!
//! A run has one step, a series of releases one for each release. A step is a table ([`table`]), the arguments, and what was
//! recorded of it ([`figures`]): digests of the files and figures of the report. Command line, worker and page are held
//! against the same record. `LOOKALIKE_RECORD=1` makes it anew. The record is of one revision of the algorithms
//! ([`lookalike_model::REVISION`]): other bytes need another one.

pub mod figures;
pub mod table;

use std::{fs, path::PathBuf};

use serde_json::{Map, Value, json};

pub use figures::Figures;

use crate::program::{Folder, workspace};

/// A recorded run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What it is about.
    pub name: String,
    /// Whether the page is held against it, too.
    pub in_page: bool,
    /// Its steps, which share a folder.
    pub steps: Vec<Step>,
}

/// One call of the program.
#[derive(Clone, Debug)]
pub struct Step {
    /// Number of the step, from 1: its files are `table-1.csv`, `out-1.csv` and so on.
    pub number: usize,
    /// The input, as [`table::text`] reads it.
    pub table: String,
    /// The subcommand and its flags, but for input and outputs.
    pub arguments: String,
    /// What was recorded.
    pub recorded: Figures,
}

/// Whether the record is to be made anew.
pub fn recording() -> bool {
    std::env::var_os("LOOKALIKE_RECORD").is_some()
}

fn file() -> PathBuf {
    workspace().join("tests/recorded/runs.json")
}

fn recorded() -> Value {
    serde_json::from_str(&fs::read_to_string(file()).unwrap()).unwrap()
}

/// The revision of the algorithms that the record is of.
pub fn revision() -> u32 {
    recorded()["revision"].as_u64().unwrap().try_into().unwrap()
}

/// All runs, in the order of their names.
pub fn runs() -> Vec<Run> {
    let all: Map<String, Value> = serde_json::from_value(recorded()["runs"].take()).unwrap();
    all.into_iter().map(|(name, value)| Run::new(name, &value)).collect()
}

/// Writes what was found as the record.
///
/// # Errors
/// What is published otherwise than before, unless the revision is another one.
pub fn record(runs: &[Run]) -> Result<(), String> {
    let before = self::runs();
    let changed: Vec<&str> = before
        .iter()
        .filter(|old| runs.iter().any(|new| new.name == old.name && new.publishes_otherwise(old)))
        .map(|run| run.name.as_str())
        .collect();
    if !changed.is_empty() && revision() == lookalike_model::REVISION {
        return Err(format!("raise lookalike_model::REVISION first: {} changed", changed.join("; ")));
    }
    let all: Map<String, Value> = runs.iter().map(|run| (run.name.clone(), run.value())).collect();
    let record = json!({ "revision": lookalike_model::REVISION, "runs": all });
    fs::write(file(), serde_json::to_string_pretty(&record).unwrap() + "\n").unwrap();
    Ok(())
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_else(|| panic!("no {field} in {value}")).to_owned()
}

impl Run {
    fn new(name: String, value: &Value) -> Self {
        let steps = value["steps"].as_array().unwrap().iter().zip(1..);
        Self {
            name,
            in_page: value["in page"].as_bool().unwrap(),
            steps: steps.map(|(step, number)| Step::new(number, step)).collect(),
        }
    }

    fn value(&self) -> Value {
        let steps: Vec<Value> = self.steps.iter().map(Step::value).collect();
        json!({ "in page": self.in_page, "steps": steps })
    }

    /// Whether the same steps publish other bytes.
    fn publishes_otherwise(&self, old: &Self) -> bool {
        let published = |step: &Step| ["out.csv", "classes.csv"].map(|name| step.recorded.get(name).cloned());
        (self.steps.iter().zip(&old.steps)).any(|(new, old)| {
            (&new.arguments, &new.table) == (&old.arguments, &old.table) && published(new) != published(old)
        })
    }

    /// Carries out all steps with further flags.
    ///
    /// # Errors
    /// What the program says when it fails.
    pub fn perform(&self, flags: &str) -> Result<Vec<StepResult>, String> {
        let folder = Folder::new();
        let found = |step: &Step| step.perform(&folder, flags).map_err(|why| format!("{}: {why}", self.name));
        self.steps.iter().map(found).collect()
    }

    /// What is not as it was recorded, a line each; only figures with these names are looked at.
    pub fn differences(&self, found: &[StepResult], looked_at: impl Fn(&str) -> bool) -> Vec<String> {
        let lines = self.steps.iter().zip(found).flat_map(|(step, found)| {
            let lines = figures::differences(&step.recorded, &found.figures, &looked_at);
            let place = self.place(step);
            lines.into_iter().map(move |line| format!("{place}: {line}"))
        });
        lines.collect()
    }

    /// The run's name, with the number of the release where there are several.
    pub fn place(&self, step: &Step) -> String {
        match self.steps.len() {
            1 => self.name.clone(),
            _ => format!("{}, release {}", self.name, step.number),
        }
    }

    /// Keeps the rest of each report in `target/recorded`, so that it can be compared: as recorded under the run's name, and
    /// otherwise as `now` beside what an earlier run left there. Says where, if it is not as recorded.
    pub fn keep_rests(&self, found: &[StepResult]) -> Vec<String> {
        let folder = workspace().join("target/recorded");
        fs::create_dir_all(&folder).unwrap();
        let differing = self.steps.iter().zip(found).filter_map(|(step, found)| {
            let name = self.place(step);
            let same = step.recorded.get(figures::REST) == found.figures.get(figures::REST);
            let ending = if same { "json" } else { "now.json" };
            let path = folder.join(format!("{name}.{ending}"));
            fs::write(&path, &found.rest).unwrap();
            (!same).then(|| format!("{name}: the rest of its report is in {}", path.display()))
        });
        differing.collect()
    }
}

/// What a step gave.
#[derive(Clone, Debug)]
pub struct StepResult {
    /// Its figures.
    pub figures: Figures,
    /// What else is in the report, as text.
    pub rest: String,
}

impl Step {
    fn new(number: usize, value: &Value) -> Self {
        let recorded = value["recorded"].as_object().cloned().unwrap_or_default();
        Self {
            number,
            table: text(value, "table"),
            arguments: text(value, "arguments"),
            recorded: recorded.into_iter().collect(),
        }
    }

    fn value(&self) -> Value {
        json!({ "table": self.table, "arguments": self.arguments, "recorded": self.recorded })
    }

    /// The name of one of its files.
    pub fn file(&self, what: &str) -> String {
        let (stem, ending) = what.split_once('.').unwrap();
        format!("{stem}-{}.{ending}", self.number)
    }

    /// The value of a flag.
    pub fn flag(&self, name: &str) -> Option<&str> {
        let mut words = self.arguments.split_whitespace();
        words.find(|word| *word == name)?;
        words.next()
    }

    /// Writes the table into a folder and carries the step out there, with further flags.
    ///
    /// # Errors
    /// What the program says when it fails.
    pub fn perform(&self, folder: &Folder, flags: &str) -> Result<StepResult, String> {
        folder.write(&self.file("table.csv"), table::text(&self.table));
        // For a run that keeps parts of its table in a folder.
        fs::create_dir_all(folder.path().join("spill")).unwrap();
        let (subcommand, said) = self.arguments.split_once(' ').unwrap();
        let files = ["table.csv", "out.csv", "classes.csv", "report.json"].map(|name| self.file(name));
        let [input, out, classes, report] = files.each_ref().map(String::as_str);
        let mut args = vec![subcommand, input, "-o", out, "--classes", classes, "--report", report];
        if subcommand == "republish" {
            args.extend(["--ledger", "ledger.json"]);
            if !folder.path().join("ledger.json").exists() {
                args.push("--begin");
            }
        }
        args.extend(said.split_whitespace().chain(flags.split_whitespace()));
        let run = folder.run(&args);
        if run.code != Some(0) {
            return Err(format!("{args:?} ended with {:?}: {}", run.code, run.stderr));
        }
        let (figures, rest) = figures::of(folder, self);
        Ok(StepResult { figures, rest })
    }
}
