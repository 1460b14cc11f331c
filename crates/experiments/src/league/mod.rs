//! The open league: public tools and ours on the same tables with the same hierarchies, judged from everybody's published bytes.
//!
//! An entrant is a tool with a scheme; what it hands in is a CSV. Guarantee, loss and utility of a row are computed by [`judge`] from
//! these bytes, and no figure of a tool is taken.

mod cells;
mod entrant;
mod field;
mod hierarchy;
mod judge;
mod ours;
mod picture;
mod scripts;
mod written;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context, Result};

use self::{
    cells::Line,
    entrant::{Entrant, Form, Maker},
    field::{Field, fields},
    scripts::{Bench, Handed},
};
use crate::cells::Cells;

/// As the series is called.
pub const NAME: &str = "league";

/// User CPU seconds that an entrant may take for a table.
const SECONDS: u32 = 60;

/// Memory that a tool may take.
const GIGABYTES: u64 = 8;

/// Records that schemes of one level a column may suppress, of a hundred.
const PERCENT: f64 = 5.0;

/// What a run is told.
pub struct Options<'a> {
    /// Folder of the public tables.
    pub data: &'a Path,
    /// Folder of the results.
    pub out: &'a Path,
    /// Folder of finished rows.
    pub cells: &'a Path,
    /// The only data set to be computed.
    pub only: Option<&'a str>,
    /// After so many minutes no further row is begun.
    pub minutes: Option<f64>,
    /// The file of ARX, if there is one.
    pub arx: Option<PathBuf>,
}

/// Plays the league, and writes its tables and its picture.
///
/// # Errors
/// If the tools of `PyPI` cannot be had, or a file cannot be written. That a tool fails is a row of the table; data sets that are not there, or
/// not those of the digests, are left out and named.
pub fn run(options: &Options) -> Result<()> {
    let bench = Bench::new(options.arx.clone())?;
    let start = Instant::now();
    let late = || options.minutes.is_some_and(|minutes| start.elapsed().as_secs_f64() > 60.0 * minutes);
    let fields: Vec<Field> = fields(options.data);
    let known = |name: &str| fields.iter().any(|field| field.name == name);
    if let Some(name) = options.only.filter(|name| !known(name)) {
        let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
        anyhow::bail!("there is no data set {name:?}; there are: {}", names.join(", "));
    }
    let mut kept = Cells::open(options.cells, NAME, &cells::version(&bench))?;
    let (mut lines, mut absent) = (Vec::new(), Vec::new());
    for field in &fields {
        if let Err(why) = field.is_there() {
            eprintln!("experiments: {} is left out: {why:#}", field.name);
            absent.push((field.name, format!("{why:#}")));
            continue;
        }
        for (condition, entrant) in field.rows(&bench) {
            let key = format!("{}/{}/{}", field.name, condition.name(), entrant.name());
            let wanted = options.only.is_none_or(|only| only == field.name) && !late();
            if !wanted && !kept.holds(&key) {
                continue;
            }
            let cells = kept.get(&key, || {
                eprintln!("experiments: {key}");
                let cells = row(field, condition, entrant, &bench)?;
                eprintln!("experiments:   {}", cells.join(" | "));
                Ok(cells)
            })?;
            lines.push(Line::new(field.name, condition, entrant, cells)?);
        }
    }
    let folder = options.out.join(NAME);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, text) in written::files(&fields, &lines, &absent, &bench) {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// The cells of a row: what the judge finds in what the entrant hands in, or why there is nothing.
fn row(field: &Field, condition: field::Condition, entrant: Entrant, bench: &Bench) -> Result<Vec<String>> {
    let loaded = field.load()?;
    let handed = match entrant.maker {
        Maker::Ours(scheme) => ours::run(loaded, condition, scheme)?,
        Maker::Tool(tool) => bench.run_tool(tool, loaded, condition)?,
    };
    Ok(match handed {
        Handed::Failed(why) => cells::failed(&why),
        Handed::Published(published) => {
            match judge::judge(loaded, condition, entrant.form(), &published) {
                Ok(judged) => cells::cells(&judged, &published),
                // What cannot be judged is the entrant's failure, and said.
                Err(why) => cells::failed(&format!("cannot be judged: {why:#}")),
            }
        }
    })
}

/// Which losses are compared: those of the same form.
impl Form {
    const fn loss(self) -> &'static str {
        match self {
            Self::Recoded => "NCP",
            Self::Centroids => "IL, %",
        }
    }
}
