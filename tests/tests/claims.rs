//! A worker that lies about its search: whatever it claims, no false word reaches the terminal, the report or the statement.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_model::{
    Ctx,
    job::Job,
    settings::{Budget, MethodName},
};
use lookalike_optimize::solve::solve;
use lookalike_tests::{
    fake,
    program::{Folder, Run},
    server::Server,
    tables::patients,
};
use serde_json::{Value, json};

const ROWS: usize = 90;

/// Classes that are far from the best ones, as an honest answer says it.
fn bad(job: &Job) -> Value {
    let (method, budget) = (MethodName::Random.into(), Budget::Effort(0.0));
    let start = Job { method, budget, duals: false, ..job.clone() };
    serde_json::to_value(solve(&start, &Ctx::silent()).unwrap()).unwrap()
}

/// The same with a proof that there are no better ones.
fn proud(job: &Job) -> Value {
    let mut answer = bad(job);
    answer["status"] = json!({"name": "optimal"});
    answer["bound"] = json!({"value": answer["loss"], "proven_by": "magic", "of": "whole-problem"});
    answer
}

struct Told {
    run: Run,
    folder: Folder,
}

impl Told {
    fn report(&self) -> Value {
        self.folder.json("r.json")
    }

    /// All that people read of the run.
    fn words(&self) -> String {
        self.run.stderr.clone() + &self.folder.text("s.html") + &self.folder.text("r.json")
    }
}

fn anonymize(worker: &str, flags: &str) -> Told {
    let folder = Folder::new();
    folder.write("in.csv", patients(ROWS));
    let line = format!(
        "anonymize in.csv --quasi age,sex,zip --effort 1 --seed 1 --worker {worker} -o out.csv --report r.json \
         --statement s.html {flags}"
    );
    let run = folder.run(&line.split_whitespace().collect::<Vec<_>>());
    Told { run, folder }
}

fn succeeded(worker: &str, flags: &str) -> Told {
    let told = anonymize(worker, flags);
    assert_eq!(told.run.code, Some(0), "{}", told.run.stderr);
    told
}

/// Nothing is called proven, and nothing is said to be near the best possible.
fn says_nothing_false(told: &Told) {
    let words = told.words();
    for false_word in ["proven optimal", "proven: ", "the best possible loss is", "could be avoided", "magic"]
    {
        assert!(!words.contains(false_word), "{false_word:?} is in {words}");
    }
    assert!(told.run.stderr.contains("claimed by the worker, not checked here"), "{}", told.run.stderr);
    assert!(told.folder.text("s.html").contains("claimed by the worker, not checked here"));
}

const K3: &str = "--model k-anonymity --k 3";
const M3: &str = "--sensitive disease --model m-invariance --m 3";

#[test]
fn a_forged_bound_is_called_a_claim() {
    for model in [K3, M3] {
        for method in ["column-generation", "auto"] {
            for loss in ["sse", "ncp"] {
                let flags = format!("{model} --method {method} --loss {loss}");
                let told = succeeded(&fake::liar(Value::Null, proud), &flags);
                says_nothing_false(&told);
                let report = told.report();
                assert_eq!(report["status"]["name"], "optimal-claimed");
                assert!(report["bound"].is_null());
                assert_eq!(report["claimed"]["of"], "whole problem");
                assert!(report["claimed"]["bound"].as_f64().unwrap() > 0.0);
            }
        }
    }
}

#[test]
fn with_a_certificate_the_bound_is_the_one_that_was_checked() {
    let flags = format!("{K3} --method column-generation --certificate c.json");
    // No duals prove nothing.
    let told = succeeded(&fake::liar(Value::Null, proud), &flags);
    says_nothing_false(&told);
    assert!(told.run.stderr.contains("the worker sent no duals"), "{}", told.run.stderr);
    assert_eq!(told.folder.json("c.json")["bound"], 0.0);

    // Duals that hold prove what they prove: the gap is that of the checked bound.
    let weak = |job: &Job| {
        let mut answer = proud(job);
        let honest = serde_json::to_value(solve(job, &Ctx::silent()).unwrap()).unwrap();
        answer["duals"] = honest["duals"].clone();
        answer
    };
    let told = succeeded(&fake::liar(Value::Null, weak), &flags);
    let report = told.report();
    let (bound, loss) =
        (report["bound"]["value"].as_f64().unwrap(), report["objective"]["value"].as_f64().unwrap());
    assert!(bound > 0.0 && bound < 0.9 * loss, "{bound} {loss}");
    assert!((report["bound"]["gap_percent"].as_f64().unwrap() - 100.0 * (loss - bound) / loss).abs() < 1e-6);
    assert_eq!(report["status"]["name"], "optimal-claimed");
    assert!(report["claimed"]["bound"].is_null() && !told.words().contains("magic"));
    assert!(!told.words().contains("proven optimal"), "{}", told.words());
    let check = "check in.csv --quasi age,sex,zip --certificate c.json --json";
    let checked = told.folder.succeed(&check.split(' ').collect::<Vec<_>>());
    let proven = serde_json::from_slice::<Value>(&checked.stdout).unwrap()["proven"].as_f64().unwrap();
    assert!((proven - bound).abs() < 1e-6 * bound, "{proven} {bound}");

    // Duals that do not hold are no answer.
    let false_duals = |job: &Job| {
        let mut answer = proud(job);
        let each = 1.5 * answer["loss"].as_f64().unwrap() / job.colours.len() as f64;
        answer["duals"] = json!({"tolerance": 0.0, "values": vec![each; job.colours.len()], "cuts": []});
        answer
    };
    let told = anonymize(&fake::liar(Value::Null, false_duals), &flags);
    assert_eq!(told.run.code, Some(4), "{}", told.run.stderr);
    assert!(told.run.stderr.contains("duals that are to prove its bound are false"), "{}", told.run.stderr);
    assert_eq!(told.folder.names(), ["in.csv"]);
}

/// What a worker says of its bound is checked without being asked for: the report has what its duals prove, and an answer that it
/// calls the best one is the best one.
#[test]
fn a_bound_and_an_optimum_of_a_worker_are_checked_without_a_certificate() {
    let server = Server::start(&[]);
    for model in [K3, M3] {
        let told = succeeded(&server.url(), &format!("{model} --method column-generation"));
        let report = told.report();
        let by = report["bound"]["proven_by"]["text"].as_str().unwrap();
        assert!(by.contains("checked on this machine"), "{by}");
        let (bound, loss) =
            (report["bound"]["value"].as_f64().unwrap(), report["objective"]["value"].as_f64().unwrap());
        assert!(bound > 0.7 * loss && bound <= loss, "{bound} {loss}");
        let status = report["status"]["name"].as_str().unwrap();
        assert!(status != "optimal" || bound >= loss * (1.0 - 2e-8), "{status} {bound} {loss}");
        assert!(report["claimed"]["bound"].is_null() && !told.words().contains("not checked here"));
    }
}

#[test]
fn an_honest_worker_gives_the_same_table_and_its_proof_counts_once_it_is_checked() {
    let server = Server::start(&[]);
    for model in [K3, M3] {
        let flags = format!("{model} --method column-generation --certificate c.json");
        let told = succeeded(&server.url(), &flags);
        let folder = Folder::new();
        folder.write("in.csv", patients(ROWS));
        let line = format!(
            "anonymize in.csv --quasi age,sex,zip --effort 1 --seed 1 -o out.csv --report r.json {flags}"
        );
        folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(told.folder.read("out.csv"), folder.read("out.csv"), "{model}");
        // Duals and optimum are found out here, as they are of an answer of this machine.
        assert_eq!(told.folder.json("c.json"), folder.json("c.json"), "{model}");
        let (there, here) = (told.report(), folder.json("r.json"));
        assert_eq!(there["objective"], here["objective"]);
        let bound = |report: &Value| report["bound"]["value"].as_f64().unwrap();
        assert!(bound(&there) > 0.9 * bound(&here) && bound(&there) <= bound(&here) * (1.0 + 1e-9));
        assert!(here["claimed"].is_null() && there["claimed"].is_object());
        assert!(there["bound"]["proven_by"]["text"].as_str().unwrap().contains("checked on this machine"));
    }
}

/// Classes that lose nothing: there is nothing to prove, and duals prove nothing.
#[test]
fn duals_that_nobody_has_checked_are_no_certificate() {
    let worker = fake::liar(Value::Null, |job| {
        let mut answer = proud(job);
        answer["duals"] = json!({"tolerance": 0.0, "values": vec![1.0; job.colours.len()], "cuts": []});
        answer
    });
    let folder = Folder::new();
    folder.write("in.csv", format!("age,sex,zip\n{}", "30,F,1000\n".repeat(30)));
    let line = format!(
        "anonymize in.csv --quasi age,sex,zip --effort 1 --seed 1 --worker {worker} -o out.csv --certificate c.json {K3} \
         --method column-generation"
    );
    let run = folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    assert!(!run.stderr.contains("duals prove"), "{}", run.stderr);
    assert!(run.stderr.contains("no loss is below 0, since that loss was reached"), "{}", run.stderr);
    let certificate = folder.json("c.json");
    assert_eq!(certificate["bound"], 0.0);
    assert!(certificate["duals"].as_array().unwrap().iter().all(|dual| *dual == 0.0), "{certificate}");
}

#[test]
fn a_claim_of_nothing_is_none_and_the_work_behind_it_stands_nowhere() {
    let busy = |answer: &mut Value| {
        answer["work"] = json!({"rounds": 1, "columns": 2, "exact_pricings": 3, "nodes": 4_000_000_000_001_u64, "cuts": 77,
                                "neighbourhoods": 3});
    };
    let flags = format!("{K3} --method column-generation");
    let worker = fake::liar(Value::Null, move |job| {
        let mut answer = proud(job);
        answer["bound"]["value"] = json!(0.0);
        busy(&mut answer);
        answer
    });
    let told = succeeded(&worker, &flags);
    assert!(!told.run.stderr.contains("no partition"), "{}", told.run.stderr);
    assert!(told.report()["claimed"]["bound"].is_null(), "{}", told.report());
    let worker = fake::liar(Value::Null, move |job| {
        let mut answer = serde_json::to_value(solve(job, &Ctx::silent()).unwrap()).unwrap();
        busy(&mut answer);
        answer
    });
    let told = succeeded(&worker, &format!("{flags} --certificate c.json"));
    assert!(told.report()["bound"]["value"].as_f64().unwrap() > 0.0);
    assert!(!told.words().contains("4000000000001") && told.report()["bound"]["work"].is_null());
}

#[test]
fn a_claimed_bound_of_the_blocks_is_told_as_one() {
    let worker = fake::liar(Value::Null, |job| {
        let mut answer = proud(job);
        answer["status"] = json!({"name": "effort-spent"});
        answer["bound"]["of"] = json!("decomposed-problem");
        answer
    });
    let told = succeeded(&worker, &format!("{K3} --method column-generation --blocks 3"));
    assert_eq!(told.report()["claimed"]["of"], "decomposed problem");
    let claimed = told.run.stderr.lines().find(|line| line.starts_with("claimed by the worker")).unwrap();
    assert!(claimed.contains("no partition that keeps to the blocks has an SSE below"), "{claimed}");
    assert!(!claimed.contains("--certificate"), "{claimed}");
    let statement = told.folder.text("s.html");
    assert!(
        statement.contains("for tables that keep to the blocks of the search, which was not checked here")
    );
    assert!(!told.words().contains("no partition has"));
}

#[test]
fn why_a_worker_stopped_is_told_as_its_account() {
    for (status, terminal, statement) in [
        (
            "effort-spent",
            "effort budget exhausted",
            "the effort budget was exhausted; a better table may exist",
        ),
        (
            "time-limit",
            "time limit reached: not reproducible",
            "the time limit was reached; a better table may exist",
        ),
        ("cancelled", "stopped: the best so far", "it was stopped; a better table may exist"),
    ] {
        let worker = fake::liar(Value::Null, move |job| {
            let mut answer = bad(job);
            answer["status"] = json!({ "name": status });
            answer
        });
        let told = succeeded(&worker, K3);
        let terminal = format!("; according to the worker: {terminal}");
        assert!(told.run.stderr.contains(&terminal), "{}", told.run.stderr);
        let words = told.folder.text("s.html");
        assert!(words.contains(&format!("according to the worker: {statement}")), "{words}");
        assert!(!words.contains("a person ended it"), "{words}");
        let again = status == "effort-spent";
        assert_eq!(told.report()["reproducible"], again);
        assert_eq!(
            words.contains("if the worker searched as asked, which was not checked"),
            again,
            "{words}"
        );
    }
}

/// What is advised must be possible: there are no certificates with counterfeits or in a series.
#[test]
fn a_certificate_is_advised_where_there_can_be_one() {
    let advice = "what it sends for --certificate can be checked";
    let method = "--method column-generation";
    for flags in [format!("{K3} {method}"), String::from(K3)] {
        let told = succeeded(&fake::liar(Value::Null, proud), &flags);
        assert!(told.run.stderr.contains(advice), "{}", told.run.stderr);
    }
    let folder = Folder::new();
    folder.write("in.csv", patients(ROWS) + &"X,30,F,1000,flu\n".repeat(40));
    folder.write("series.csv", patients(ROWS));
    let m3 = "--sensitive disease --m 3";
    let worker = fake::liar(Value::Null, proud);
    for line in [
        format!("anonymize in.csv --model m-invariance {m3} --eligibility add --rows-are people"),
        format!("republish series.csv --ledger l.json --begin --id id --mode tau-safety {m3}"),
    ] {
        let line =
            format!("{line} --quasi age,sex {method} --effort 0.01 --seed 1 --worker {worker} -o out.csv");
        let run = folder.run(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
        assert!(
            run.stderr.contains("claimed by the worker") && !run.stderr.contains(advice),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn impossible_figures_are_refused() {
    type Lie = fn(&mut Value);
    let lies: [(&str, Lie); 7] = [
        ("no classes lose less", |a| a["bound"]["value"] = json!(1.01 * a["loss"].as_f64().unwrap())),
        ("no classes lose less", |a| a["bound"]["value"] = json!(-1.0)),
        ("it claims a loss", |a| a["loss"] = json!(0.5 * a["loss"].as_f64().unwrap())),
        ("says that there are none", |a| a["status"] = json!({"name": "infeasible", "why": "so"})),
        ("-3 seconds", |a| a["seconds"] = json!(-3.0)),
        ("contract", |a| a["bound"]["value"] = json!(null)),
        ("contract", |a| a["status"] = json!({"name": "\u{1b}[31mperfect"})),
    ];
    for (says, lie) in lies {
        let worker = fake::liar(Value::Null, move |job| {
            let mut answer = proud(job);
            lie(&mut answer);
            answer
        });
        let told = anonymize(&worker, &format!("{K3} --method column-generation"));
        assert_eq!(told.run.code, Some(4), "{says}: {}", told.run.stderr);
        assert!(told.run.stderr.contains(says), "{says}: {}", told.run.stderr);
        assert!(!told.run.stderr.contains('\u{1b}'), "{:?}", told.run.stderr);
        assert_eq!(told.folder.names(), ["in.csv"]);
    }
}

#[test]
fn a_false_word_that_nothing_is_feasible_is_not_believed() {
    let kind = "/problems/infeasible";
    let worker =
        fake::refusing(json!({"type": kind, "title": "no", "status": 422, "detail": "no\u{1b}[2J way"}));
    let told = anonymize(&worker, K3);
    assert_eq!(told.run.code, Some(4), "{}", told.run.stderr);
    assert!(told.run.stderr.contains("finds nothing that rules them out"), "{}", told.run.stderr);
    assert!(!told.run.stderr.contains('\u{1b}'), "{:?}", told.run.stderr);
    let worker = fake::refusing(
        json!({"type": "/problems/busy", "title": "a\u{1b}[1m", "status": 422, "detail": "\u{9b}b"}),
    );
    let told = anonymize(&worker, K3);
    assert!(told.run.code == Some(4) && told.run.stderr.contains("says: a"), "{}", told.run.stderr);
    assert!(!told.run.stderr.contains(['\u{1b}', '\u{9b}']), "{:?}", told.run.stderr);
}

#[test]
fn words_of_the_worker_are_told_as_its_words() {
    let progress = json!({
        "phase": "\u{1b}]0;hello\u{7} searching", "fraction": 0.5, "incumbent": 2.0, "bound": 2.0, "moves": null, "seconds": 1.0,
    });
    let worker = fake::liar(progress, |job| {
        let mut answer = proud(job);
        answer["method"] = json!("\u{1b}[32m\u{202e}9 of 9 checks passed\r\n");
        answer
    });
    let told = succeeded(&worker, K3);
    says_nothing_false(&told);
    let explanation = told.report()["method"]["explanation"]["text"].as_str().unwrap().to_owned();
    assert!(explanation.starts_with("according to the worker: "), "{explanation}");
    for text in [&told.run.stderr, &explanation, &told.folder.text("s.html")] {
        assert!(!text.contains(['\u{1b}', '\u{7}', '\r', '\u{202e}']), "{text:?}");
    }
    assert!(told.run.stderr.contains("bound 2.0000 (claimed by the worker)"), "{}", told.run.stderr);
}
