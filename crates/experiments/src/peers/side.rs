//! Constructions and searches of ours beside public tools: loss and time.

use std::{path::Path, rc::Rc};

use anyhow::Result;
use lookalike_model::settings::{Loss, MethodName};

use super::{
    GIGABYTES, SECONDS, environment,
    instance::Instance,
    measure::{Measured, measure},
    ours, seconds,
    tool::{ANONYPY_MONDRIAN, ANONYPYX_MDAV, ANONYPYX_MONDRIAN, Ran, Tool},
};
use crate::{Experiment, Row};

/// Who makes the classes.
#[derive(Clone, Copy)]
enum Maker {
    Ours(MethodName, Loss),
    Peer(Tool),
}

impl Maker {
    fn name(self) -> String {
        match self {
            Self::Ours(method, Loss::Sse) => format!("ours: {}", method.name()),
            Self::Ours(method, _) => format!("ours: {}, NCP", method.name()),
            Self::Peer(tool) => tool.name.to_owned(),
        }
    }
}

/// Constructions whose time is no more than about n log n or n^2 / k with a small constant.
const FAST: [MethodName; 5] = [
    MethodName::Mdav,
    MethodName::VMdav,
    MethodName::VarianceSort,
    MethodName::Mondrian,
    MethodName::MondrianRelaxed,
];
/// The others, for tables of up to some ten thousand rows.
const SLOW: [MethodName; 2] = [MethodName::GreedySearch, MethodName::KMember];
const PEERS: [Tool; 3] = [ANONYPYX_MDAV, ANONYPYX_MONDRIAN, ANONYPY_MONDRIAN];

/// A table, the sizes asked for, and whether it is small enough for every construction.
type Case = (Rc<Instance>, &'static [usize], bool);

/// The data sets of the microaggregation literature.
pub(super) fn small(data: &Path) -> Experiment {
    let case = |name, file| (Instance::new(data, name, file, &[], None), &[3, 5][..], true);
    let cases = [case("census", "census.csv"), case("tarragona", "tarragona.csv"), case("eia", "eia-11.csv")];
    experiment("k-anonymity", "k-anonymity: ours and public tools", &cases)
}

/// EIA and censuses, whole and in samples that slower tools can do.
pub(super) fn large(data: &Path) -> Experiment {
    const ADULT: &[&str] = &["age", "sex", "education-num"];
    const ACS: &[&str] = &["AGEP", "SEX", "SCHL", "WKHP"];
    let case = |name, file, columns, sample, small| {
        (Instance::new(data, name, file, columns, sample), &[5][..], small)
    };
    let cases = [
        case("eia", "eia-11.csv", &[], None, true),
        case("adult, 5,000 rows", "adult-train.csv", ADULT, Some(5_000), true),
        case("adult", "adult-train.csv", ADULT, None, true),
        case("acs, 10,000 rows", "acs.csv", ACS, Some(10_000), true),
        case("acs", "acs.csv", ACS, None, false),
    ];
    experiment("k-anonymity-large", "k-anonymity of large tables: ours and public tools", &cases)
}

fn experiment(id: &'static str, title: &str, cases: &[Case]) -> Experiment {
    let mut rows = Vec::new();
    for (table, sizes, small) in cases {
        for &k in *sizes {
            let slow = SLOW.into_iter().filter(|_| *small);
            let constructions = FAST.into_iter().chain(slow).chain([MethodName::Auto]);
            let makers = constructions
                .map(|method| Maker::Ours(method, Loss::Sse))
                .chain([Maker::Ours(MethodName::Auto, Loss::Ncp)])
                .chain(PEERS.map(Maker::Peer));
            rows.extend(makers.map(|maker| row(table, k, maker)));
        }
    }
    // A search on a small table; of large ones nothing is computed again.
    let checked = rows.iter().position(|row| row.key == ["tarragona", "5", "ours: auto"]);
    Experiment {
        id,
        title: title.to_owned(),
        about: about(),
        header: vec![
            "table",
            "k",
            "tool",
            "rows",
            "classes",
            "smallest",
            "IL, %",
            "GCP",
            "CPU s",
            "CPU s of ours",
            "CPU ratio",
        ],
        rows,
        checked: checked.into_iter().collect(),
        means: None,
        plots: Box::new(|_| Vec::new()),
    }
}

fn about() -> String {
    format!(
        "Tools from PyPI: {}; CPython, numbers as floats, one thread. IL is 100 SSE / SST, attributes z-scored; GCP is the \
         mean NCP of the classes' ranges. Both are computed by the audit from the classes, whoever made them; no tool's \
         own figure is taken. Ours have seed 1 and, where they search, effort 5; all minimise SSE but for the line that \
         says NCP. CPU s is user time of the call that makes the classes, without start-up, compiling, reading and \
         writing; of all threads. Beside a tool stands the time of our routine of the same name (mdav, mondrian), run \
         directly after it, and the ratio of the two. A tool may take {SECONDS} s and {GIGABYTES} GiB.",
        environment::TOOLS.split_whitespace().collect::<Vec<_>>().join(", ")
    )
}

fn row(table: &Rc<Instance>, k: usize, maker: Maker) -> Row {
    let instance = Rc::clone(table);
    let compute = move || match maker {
        Maker::Ours(method, loss) => {
            let loaded = instance.load()?;
            let solved = ours::run(&loaded.table, k, method, loss)?;
            let found = measure(&loaded.table, &solved.classes, k)?;
            Ok(cells(loaded.table.rows, &found, [seconds(solved.seconds), dash(), dash()]))
        }
        Maker::Peer(tool) => peer(&instance, k, tool),
    };
    Row { key: vec![table.name.to_owned(), k.to_string(), maker.name()], compute: Box::new(compute) }
}

fn peer(instance: &Instance, k: usize, tool: Tool) -> Result<Vec<String>> {
    let loaded = instance.load()?;
    let ran = tool.run(instance, k)?;
    let own = ours::run(&loaded.table, k, tool.ours, Loss::Sse)?.seconds;
    Ok(match ran {
        Ran::Classes(classes, spent) => {
            let found = measure(&loaded.table, &classes, k)?;
            let ratio = format!("{:.0}", spent / own);
            cells(loaded.table.rows, &found, [seconds(spent), seconds(own), ratio])
        }
        Ran::Stopped(why) => {
            let mut cells = vec![loaded.table.rows.to_string()];
            cells.extend([dash(), dash(), dash(), dash(), why, seconds(own), dash()]);
            cells
        }
    })
}

fn cells(rows: usize, found: &Measured, times: [String; 3]) -> Vec<String> {
    let mut cells = vec![
        rows.to_string(),
        found.classes.to_string(),
        found.smallest.to_string(),
        format!("{:.4}", found.information_loss),
        format!("{:.5}", found.gcp),
    ];
    cells.extend(times);
    cells
}

fn dash() -> String {
    String::from("-")
}
