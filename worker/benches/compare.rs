//! Methods side by side in one run: loss and time on the data sets of the literature.
//!
//! `cargo bench -p lookalike --bench compare -- [TABLE[,TABLE]] [K[,K]] [METHOD[,METHOD]] [EFFORT | SECONDSs]`, for
//! example `-- census,tarragona 3,5 mdav,annealing,auto 5`. Tables: census, tarragona, eia (k-anonymity, SSE), adult
//! (m-invariance, five samples of 1,500 rows), adult-k (k-anonymity), acs and acs-m (120,000 rows), acs-ncp and adult-ncp
//! (NCP), million (generated). The data stand in `LOOKALIKE_DATA` or `../shared/data` beside the workspace. With
//! `LOOKALIKE_CHECK=1` each answer is handed to `../shared/tools/check_classes.py`, which shares no code with us.

#![allow(clippy::unwrap_used, reason = "a benchmark stops where it cannot go on")]

mod confirm;

use std::{fmt::Write as _, path::PathBuf, time::Instant};

use lookalike_core::{
    pipeline::{Prepared, prepare},
    table::{ReadOptions, Table, read},
};
use lookalike_model::{
    Ctx,
    job::Job,
    settings::{Budget, Loss, MethodName, Missing, MissingPolicy, Model, Settings},
    verify::verify,
};
use lookalike_optimize::solve::solve;
use rand::{RngExt, SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let list = |at: usize, default: &str| -> Vec<String> {
        args.get(at).map_or(default, String::as_str).split(',').map(str::to_owned).collect()
    };
    let methods: Vec<MethodName> = (list(2, "mdav,v-mdav,classic,tau,mondrian,k-member,greedy-search,auto")
        .iter())
    .map(|name| *MethodName::ALL.iter().find(|m| m.name() == name.as_str()).unwrap())
    .collect();
    let budget = args.get(3).map_or(Budget::default(), |text| match text.strip_suffix('s') {
        Some(seconds) => Budget::Seconds(seconds.parse().unwrap()),
        None => Budget::Effort(text.parse().unwrap()),
    });
    println!("| table | k, m | method | loss, % of the whole | seconds |\n|---|---|---|---|---|");
    for name in list(0, "census,tarragona") {
        for k in list(1, "3") {
            for case in jobs(&name, k.parse().unwrap()) {
                for &method in &methods {
                    run(&case, &k, &Job { method: method.into(), budget, ..case.prepared.job().clone() });
                }
            }
        }
    }
}

/// A table with what is asked of it.
struct Case {
    label: String,
    table: Table,
    settings: Settings,
    prepared: Prepared,
}

fn run(case: &Case, k: &str, job: &Job) {
    let label = &case.label;
    let began = Instant::now();
    let ctx = Ctx {
        progress: &|_| {},
        cancelled: &|| false,
        clock: &|| began.elapsed().as_secs_f64(),
        ..Ctx::silent()
    };
    match solve(job, &ctx) {
        Ok(answer) => {
            let seconds = began.elapsed().as_secs_f64();
            verify(job, &answer).unwrap();
            let n = (job.points.len() / job.dims) as f64;
            let scale = match job.loss {
                Loss::Sse => sst(job),
                Loss::Ncp | Loss::NcpBinary => n,
            };
            let percent = 100.0 * answer.loss / scale;
            println!("| {label} | {k} | {} | {percent:.4} | {seconds:.2} |", job.method.name());
            if let Some(script) = confirm::script() {
                confirm::confirm(&script, (&case.table, &case.settings), &case.prepared, &answer, percent);
            }
        }
        Err(e) => println!("| {label} | {k} | {} | {e} | |", job.method.name()),
    }
}

fn sst(job: &Job) -> f64 {
    let n = job.points.len() / job.dims;
    (0..job.dims)
        .map(|j| {
            let mean = (0..n).map(|i| job.points[i * job.dims + j]).sum::<f64>() / n as f64;
            (0..n).map(|i| (job.points[i * job.dims + j] - mean).powi(2)).sum::<f64>()
        })
        .sum()
}

fn data(file: &str) -> Table {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data"));
    let folder = std::env::var_os("LOOKALIKE_DATA").map_or(beside, PathBuf::from);
    read(&std::fs::read(folder.join(file)).unwrap(), &ReadOptions::default()).unwrap()
}

fn settings(quasi: &[&str], model: Model, sensitive: Option<&str>, loss: Loss) -> Settings {
    Settings {
        quasi: quasi.iter().map(ToString::to_string).collect(),
        sensitive: sensitive.map(str::to_owned),
        loss,
        missing: Missing { sensitive: MissingPolicy::Drop, quasi: MissingPolicy::Drop, ..Missing::default() },
        seed: Some(1),
        ..Settings::of(model)
    }
}

fn jobs(name: &str, k: usize) -> Vec<Case> {
    const ADULT: [&str; 3] = ["age", "sex", "education-num"];
    const ACS: [&str; 4] = ["AGEP", "SEX", "SCHL", "WKHP"];
    let anonymous = Model::KAnonymity { k };
    let invariant = Model::MInvariance { m: k };
    let ctx = Ctx::silent();
    let one = |table: Table, settings: Settings| {
        let prepared = prepare(&table, &settings, &ctx).unwrap();
        vec![Case { label: name.to_owned(), table, settings, prepared }]
    };
    let all = |file: &str| {
        let table = data(file);
        let names: Vec<&str> =
            table.columns.iter().map(|c| c.name.as_str()).filter(|n| *n != "UTILITYID").collect();
        let settings = settings(&names, anonymous, None, Loss::Sse);
        one(table, settings)
    };
    match name {
        "census" => all("census.csv"),
        "tarragona" => all("tarragona.csv"),
        "eia" => {
            let table = data("eia-11.csv");
            let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
            let settings = settings(&names, anonymous, None, Loss::Sse);
            one(table, settings)
        }
        "adult-k" => one(data("adult-train.csv"), settings(&ADULT, anonymous, None, Loss::Sse)),
        "adult-ncp" => one(data("adult-train.csv"), settings(&ADULT, anonymous, None, Loss::Ncp)),
        "acs" => one(data("acs.csv"), settings(&ACS, anonymous, None, Loss::Sse)),
        "acs-ncp" => one(data("acs.csv"), settings(&ACS, anonymous, None, Loss::Ncp)),
        "acs-m" => one(data("acs.csv"), settings(&ACS, invariant, Some("OCCP"), Loss::Sse)),
        "million" => {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let mut text = String::from("a,b,c,d\n");
            for _ in 0..1_000_000 {
                let age = rng.random_range(0..90u32);
                let part = rng.random_range(0..=age);
                let (c, d) = (rng.random_range(0..2), rng.random_range(0..5000));
                let _ = writeln!(text, "{age},{part},{c},{d}");
            }
            let table = read(text.as_bytes(), &ReadOptions::default()).unwrap();
            one(table, settings(&["a", "b", "c", "d"], anonymous, None, Loss::Sse))
        }
        "adult" => {
            let table = data("adult-train.csv");
            let settings = settings(&ADULT, invariant, Some("occupation"), Loss::Sse);
            let seeds = 1..;
            let sampled = seeds.filter_map(|seed| {
                let table = sample(&table, seed);
                let prepared = prepare(&table, &settings, &ctx).ok()?;
                let label = format!("adult, sample {seed}");
                Some(Case { label, table, settings: settings.clone(), prepared })
            });
            sampled.take(5).collect()
        }
        other => unreachable!("no table is called {other}"),
    }
}

/// 1,500 rows whose occupation is known and not Armed-Forces.
fn sample(table: &Table, seed: u64) -> Table {
    let occupation = table.column("occupation").unwrap();
    let mut rows: Vec<usize> =
        (0..table.rows).filter(|&r| !["?", "Armed-Forces"].contains(&occupation.cell(r))).collect();
    rows.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    rows.truncate(1500);
    let names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
    let mut text = names.join(",");
    for r in rows {
        text.push('\n');
        text.push_str(&table.columns.iter().map(|c| c.cell(r)).collect::<Vec<_>>().join(","));
    }
    read(text.as_bytes(), &ReadOptions::default()).unwrap()
}
