//! `lookalike hierarchy`: a generated hierarchy as a file that can be edited.

use std::path::PathBuf;

use clap::Args;
use lookalike_core::{
    hierarchies::generate,
    table::hierarchy::{Generator, GeneratorError},
};
use lookalike_model::settings::{Missing, Model};
use lookalike_wire::config::Draft;

use crate::{
    column_flags::{GivenFault, kinds},
    exit::Failure,
    files::{self, Secrecy},
    flag_values::{List, Order, Pairs, markers},
    input::TableArgs,
};

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Hierarchy {
    #[command(flatten)]
    table: TableArgs,
    /// The column whose values are generalised
    #[arg(long, value_name = "COLUMN")]
    column: String,
    /// How: prefix, date, interval:5,2,2 (width, then how many make one of the next level; also
    /// interval:5,2:from=20,to=90,anchor=0), order:2,2 (how many make a group; also order:2:low<middle<high)
    #[arg(long, value_name = "GENERATOR", value_parser = generator)]
    generate: Generator,
    /// Kind of the column, where the guess is wrong, such as date-dmy; also as for anonymize, COLUMN=KIND
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Order of the column's values, from least to greatest
    #[arg(long, value_name = "COLUMN=LOW<HIGH")]
    order: Option<Order>,
    /// Cell contents that mean "not known", in any case, in addition to the empty cell [default: ?,NA,N/A,#N/A,#NA,null,-,NaN,.]
    #[arg(long, value_name = "LIST")]
    missing: Option<List>,
    /// The hierarchy: one line for each value, value;level1;level2;*, no header [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn generator(text: &str) -> Result<Generator, GeneratorError> {
    text.parse()
}

/// Runs the command.
pub(crate) fn run(args: &Hierarchy) -> Result<(), Failure> {
    let markers = args.missing.as_ref().map_or_else(|| Missing::default().markers, markers);
    let edits = args.table.edits(markers.clone())?;
    let table = args.table.read(Some(vec![args.column.clone()]), edits)?;
    let outputs: Vec<_> =
        files::named(args.output.as_deref()).into_iter().map(|path| (path, Secrecy::Publishable)).collect();
    let staged = files::stage(&args.table.input, &outputs)?;
    let mut draft = Draft::default();
    // What is to be published does not matter here, but settings hold it.
    draft.settings.model = Some(Model::KAnonymity { k: 2 });
    draft.settings.pad = args.table.widths()?;
    draft.settings.labels = args.table.labels()?;
    draft.settings.missing.markers = Some(markers);
    if let Some(kind) = &args.kind {
        let of_column = kind.strip_prefix(&args.column).and_then(|rest| rest.strip_prefix('='));
        let kind = of_column.unwrap_or(kind).to_owned();
        draft.settings.kinds = kinds(&Pairs(vec![(args.column.clone(), kind)]))?;
    }
    if let Some(order) = &args.order {
        draft.settings.orders.insert(order.column.clone(), order.values.clone());
    }
    let settings = draft.complete(None).map_err(Failure::input)?;
    let hierarchy = generate(&table, &args.column, &args.generate, &settings)?;
    if let Some(column) = table.column(&args.column) {
        let complete = hierarchy.check(column, &settings.missing.markers);
        let column = || args.column.as_str().into();
        complete
            .map_err(|why| Failure::input(GivenFault::Hierarchy { column: column(), why: why.into() }))?;
    }
    let bytes = hierarchy.write().map_err(Failure::system)?;
    if staged.is_empty() {
        return files::print(&bytes);
    }
    files::commit(staged, &[&bytes])
}
