use lookalike_model::{
    Ctx,
    finding::finding,
    job::{BoundOf, Status},
    ledger::{Ledger, Mode, Signatures},
    report::ReportBound,
    sent::{Searched, Sent},
    settings::{Budget, Fake, Kind, MethodName, MissingPolicy, Model, Publish, Repair, RowsAre, Settings},
};
use lookalike_optimize::solve::solve;
use lookalike_testkit::three;
use lookalike_words::{Catalogue, Language, Said, Speaker, TEXTS};

use super::{Made, NamedFile, Program, html};
use crate::{
    demo,
    pipeline::{Outcome, anonymize, finish},
    republish::{
        series::{Options, prepare},
        ways::Way,
    },
};

fn settings(model: Model) -> Settings {
    Settings {
        quasi: vec![String::from("age"), String::from("sex")],
        sensitive: Some(String::from("diagnosis")),
        budget: Budget::Effort(1.0),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        seed: Some(424_242),
        ..Settings::of(model)
    }
}

/// The files of a run, under names that nobody else has.
fn made(outcome: &Outcome) -> Made {
    Made {
        at: String::from("2026-05-01T14:03:22Z"),
        source: Some(String::from("quarter 2.csv")),
        release: NamedFile::of(Some(String::from("out.csv")), &outcome.published),
        ..Made::default()
    }
}

fn stated(outcome: &Outcome) -> String {
    html(outcome.exact(), &outcome.private, &made(outcome))
}

fn statement(csv: &str, settings: &Settings) -> (String, Outcome) {
    let table = lookalike_table::read(csv.as_bytes(), &lookalike_table::ReadOptions::default()).unwrap();
    let outcome = anonymize(&table, settings, &Ctx::silent()).unwrap();
    (stated(&outcome), outcome)
}

/// Every figure that an officer is to find there stands there.
#[test]
fn it_says_what_was_done_and_what_holds() {
    let settings = Settings { eligibility: Repair::Add, ..settings(Model::MInvariance { m: 6 }) };
    let (text, outcome) = statement(&demo::hospital(300, 7), &settings);
    let report = outcome.exact();
    assert!(report.changes.counterfeits > 0);
    for said in [
        &format!("All {} checks passed.", report.audit.checks.len()),
        "m-invariance with m = 6",
        "counterfeits among them",
        "424242",
        "Lookalike ",
        &report.version,
        &three(report.objective.value).to_string(),
        &format!(
            "{} real records, {} counterfeits and 3 columns are published",
            report.input.rows, report.changes.counterfeits
        ),
        &format!("<th scope=\"row\">Counterfeit records added</th><td>{}</td>", report.changes.counterfeits),
        &format!("inferred with a probability of at most {}", three(report.disclosure.unwrap().present)),
        "<th scope=\"row\">age</th><td>quasi-identifier</td><td>as ranges or sets</td><td>equal</td>",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    for check in &report.audit.checks {
        let name = check.name.to_string().replace('\'', "&#39;");
        assert!(text.contains(&name), "{name}");
    }
}

/// Names settings as the command line does.
struct Flags;

impl lookalike_words::Settings for Flags {
    fn words(&self, setting: &str, value: Option<&str>) -> String {
        format!("--{setting} {}", value.unwrap_or_default())
    }
}

/// What stands between tags, but for names of columns, digests and the like.
#[test]
fn it_is_in_one_language_throughout() {
    let add = Settings { eligibility: Repair::Add, ..settings(Model::MInvariance { m: 6 }) };
    let freeform =
        Settings { method: MethodName::DokaSortGreedy.into(), ..settings(Model::KAnonymity { k: 4 }) };
    let unchanged = Settings {
        unchanged: vec![String::from("postcode"), String::from("nights")],
        ..settings(Model::KAnonymity { k: 3 })
    };
    for settings in [add, freeform, unchanged, settings(Model::KAnonymity { k: 2 })] {
        let (english, outcome) = statement(&demo::hospital(80, 7), &settings);
        let document = super::statement(outcome.exact(), &outcome.private, &made(&outcome));
        for (code, file) in &TEXTS[1..] {
            let catalogue = Catalogue::read(file).unwrap();
            let speaker = Speaker::new(Language::of(code).unwrap(), &catalogue, &Flags);
            let html = document.html(&speaker);
            assert!(html.contains(&format!("<html lang=\"{code}\">")));
            let left: Vec<&str> = html.split("<span lang=\"en\">").skip(1).collect();
            assert!(left.is_empty(), "{code}: {left:?}");
            for word in [" the ", " of ", " and ", " is ", " which "] {
                assert!(!html.contains(word), "{code}: {word} is in {html}");
            }
            assert_eq!(html.matches("<tr>").count(), english.matches("<tr>").count());
        }
    }
}

/// The bound rounded down, and the gap as a part of the loss; a search that a clock or a person had a part in says which.
#[test]
fn what_it_says_of_bound_and_repetition_is_so() {
    let settings = settings(Model::KAnonymity { k: 3 });
    let (text, outcome) = statement(&demo::hospital(60, 7), &settings);
    let proof = "duals of the records, raised in ";
    assert!(text.contains(" % of the loss could be avoided; ") && text.contains(proof), "{text}");
    assert!(text.contains("give the same bytes again"), "{text}");
    // The loss that the page says stands first, in per cent.
    let mean = three(100.0 * outcome.exact().utility.gcp_mean.unwrap());
    let published = text.find(&format!("<td>{mean} %, of ")).unwrap();
    assert!(published < text.find("as a sum over the records").unwrap(), "{text}");
    let (mut report, mut private, made) = (outcome.report.clone(), outcome.private.clone(), made(&outcome));
    report.bound = None;
    let text = html(&report, &private, &made);
    assert!(text.contains("none: how far the loss is from the least possible is not known"), "{text}");
    let bound = |of: BoundOf| {
        Some(ReportBound {
            loss: report.loss,
            value: 2.123_456_99,
            information_loss_percent: None,
            gap_percent: 12.345_61,
            proven_by: Said::verbatim("feasible duals"),
            of,
            work: None,
        })
    };
    let (whole, blocks) = (bound(BoundOf::WholeProblem), bound(BoundOf::DecomposedProblem));
    report.bound = whole;
    let text = html(&report, &private, &made);
    assert!(text.contains("2.12; at most 12.4 % of the loss could be avoided; feasible duals"), "{text}");
    report.bound = blocks;
    let text = html(&report, &private, &made);
    assert!(
        text.contains("2.12 for tables that keep to the blocks of the search; others may lose less"),
        "{text}"
    );
    report.reproducible = false;
    for (budget, status, why) in [
        (Budget::Effort(1.0), Status::Cancelled, "a person ended it"),
        (Budget::Seconds(1.0), Status::Optimal, "how far a search gets in its time depends on the machine"),
        (Budget::Effort(1.0), Status::TimeLimit, "a part of the search ran into its time limit"),
    ] {
        report.status = Some(status);
        private.settings.budget = budget;
        let text = html(&report, &private, &made);
        assert!(text.contains(&format!("the run cannot be repeated exactly: {why}")), "{text}");
    }
}

/// It stands alone, and no column's name breaks out of its cell.
#[test]
fn it_is_one_file_without_scripts_and_names_cannot_break_it() {
    let csv = demo::hospital(60, 7).replacen("age", "<script>alert(1)</script>", 1);
    let mut settings = settings(Model::KAnonymity { k: 3 });
    settings.quasi[0] = String::from("<script>alert(1)</script>");
    let (text, _) = statement(&csv, &settings);
    assert!(!text.contains("<script") && text.contains("&lt;script&gt;alert(1)"));
    assert!(!text.contains("src=") && !text.contains("href=") && !text.contains("url("));
    assert!(text.contains("default-src 'none'"));
    assert_eq!(text.matches("<table").count(), text.matches("</table>").count());
}

/// Neither labels of hierarchies nor orders are told: they are values.
#[test]
fn it_holds_no_value_of_the_table() {
    let csv: String = (0..40).fold(String::from("town,job\n"), |csv, i| {
        csv + &format!("{},{}\n", ["Xanten", "Ystad"][i % 2], ["cook", "smith", "nurse"][i % 3])
    });
    let tree =
        [["Xanten", "Germany"], ["Ystad", "Sweden"]].map(|row| row.map(String::from).to_vec()).to_vec();
    let (text, outcome) = statement(
        &csv,
        &Settings {
            quasi: vec![String::from("town")],
            sensitive: None,
            kinds: [(String::from("town"), Kind::Category)].into(),
            publish: Publish::Hierarchy,
            hierarchies: [(String::from("town"), tree)].into(),
            ..settings(Model::KAnonymity { k: 2 })
        },
    );
    assert!(outcome.report.audit.passed);
    assert!(text.contains("by a hierarchy of 1 level<"), "{text}");
    for value in ["Xanten", "Ystad", "Germany", "Sweden", "cook"] {
        assert!(!text.contains(value), "{value}");
    }
}

/// A question that was overridden stands in the statement.
#[test]
fn it_says_what_was_said_of_rows_and_first_row() {
    let mut settings = settings(Model::KAnonymity { k: 3 });
    let (text, mut outcome) = statement(&demo::hospital(60, 7), &settings);
    assert!(
        text.contains("<th scope=\"row\">What a row is</th><td>a person: no column that looks like"),
        "{text}"
    );
    settings.rows_are = Some(RowsAre::People);
    let (text, _) = statement(&demo::hospital(60, 7), &settings);
    assert!(text.contains("a person, as stated (--rows-are people); no key was checked"), "{text}");
    settings.rows_are = Some(RowsAre::Of(String::from("patient")));
    let (text, _) = statement(&demo::hospital(60, 7), &settings);
    assert!(text.contains("a person, by the key &quot;patient&quot; (--person)"), "{text}");
    settings.model = Model::KAnonymity { k: 3 };
    settings.rows_are = Some(RowsAre::EventsOf(String::from("patient")));
    let (text, _) = statement(&demo::hospital(60, 7), &settings);
    assert!(text.contains("an event of a person, by the key &quot;patient&quot; (--rows-are)"), "{text}");
    assert!(text.contains("60 people in 60 rows"), "{text}");
    for (said, words) in [
        (None, "<td>the names of the columns</td>"),
        (Some(true), "<td>the names of the columns, as stated (--header yes)</td>"),
        (
            Some(false),
            "<td>a record, as stated (--header no); the names of the columns were given or are numbers</td>",
        ),
    ] {
        outcome.private.header = said;
        let text = stated(&outcome);
        assert!(text.contains(&format!("<th scope=\"row\">First row</th>{words}")), "{text}");
    }
}

/// A construction has no effort to spend.
#[test]
fn a_method_that_is_over_has_spent_no_effort() {
    let method = |method| Settings { method, ..settings(Model::KAnonymity { k: 3 }) };
    let (text, _) = statement(&demo::hospital(60, 7), &method(MethodName::Mdav.into()));
    assert!(
        text.contains("the method ended; a better table may exist")
            && !text.contains("effort budget was exhausted"),
        "{text}"
    );
    let (text, _) = statement(&demo::hospital(60, 7), &method(MethodName::Annealing.into()));
    assert!(text.contains("the effort budget was exhausted; a better table may exist"), "{text}");
}

/// Who was deleted is not among those whom the promise is for.
#[test]
fn a_guarantee_with_deletions_says_whom_it_is_not_for() {
    let settings = Settings { eligibility: Repair::Delete, ..settings(Model::MInvariance { m: 6 }) };
    let (text, outcome) = statement(&demo::hospital(300, 7), &settings);
    assert!(outcome.report.changes.deletions > 0);
    let said = "a person who is known to be in the source and is missing from the table, since records were deleted, is not protected.";
    assert!(text.contains(said) && outcome.report.against.to_string().ends_with(said), "{text}");
    let (text, _) = statement(&demo::hospital(300, 7), &Settings { eligibility: Repair::Add, ..settings });
    assert!(!text.contains("is not protected"), "{text}");
}

#[test]
fn a_failed_audit_is_said_first() {
    let settings = settings(Model::KAnonymity { k: 3 });
    let (_, mut outcome) = statement(&demo::hospital(60, 7), &settings);
    outcome.report.audit.passed = false;
    outcome.report.audit.checks[0].passed = false;
    let text = stated(&outcome);
    assert!(text.contains("must not be published") && text.contains("<td>NO</td>"));
}

/// A table that is not k-anonymous never says that it is.
#[test]
fn rows_of_their_own_are_labelled() {
    let settings = Settings {
        method: lookalike_model::settings::MethodName::DokaSortGreedy.into(),
        ..settings(Model::KAnonymity { k: 4 })
    };
    let (text, outcome) = statement(&demo::hospital(80, 7), &settings);
    assert!(text.contains("This table is not k-anonymous") && text.contains("k-concealment with k = 4"));
    assert!(!text.contains("shares its published quasi-identifiers with at least"));
    assert!(text.contains("there are no classes") && !text.contains("the class of each record"));
    assert!(outcome.report.warnings[0].to_string().contains("not k-anonymity"));
}

/// A table that was released once is not called the first of a series, and one of a series has its place.
#[test]
fn a_release_has_its_own_place_and_no_other() {
    let once = settings(Model::MInvariance { m: 3 });
    let (text, outcome) = statement(&demo::hospital(60, 7), &once);
    assert!(text.contains("m-invariance with m = 3, for a table that is released once."), "{text}");
    assert!(text.contains("none: this table is released once") && !text.contains("of a series"));
    assert!(text.contains("has no ledger") && !text.contains("Ledger after"), "{text}");
    assert!(outcome.report.series.is_none());
    let (text, _) = statement(&demo::hospital(60, 7), &settings(Model::KAnonymity { k: 3 }));
    assert!(text.contains("k-anonymity with k = 3, for a table that is released once."), "{text}");

    let (first, ledger) = release(1, None);
    assert!(
        first.contains("and the settings of the series, its signatures and the price of a counterfeit"),
        "{first}"
    );
    let before = "<th scope=\"row\">Ledger before this release (its checksum, BLAKE3)</th><td>";
    assert!(first.contains(&format!("{before}none: the series begins</td>")), "{first}");
    assert!(first.contains("m-invariance with m = 2, release 1 of a series."), "{first}");
    let (_, ledger) = release(2, Some(ledger));
    // What the file of the ledger calls its checksum.
    let checksum =
        lookalike_wire::ledger::checksum(&lookalike_wire::ledger::write(&ledger).unwrap()).unwrap();
    let (third, _) = release(3, Some(ledger));
    let row = format!("{before}{checksum}</td>");
    assert!(third.contains(&row), "{third}");
    assert!(
        third.contains(
            "seed and algorithm revision, the ledger before this release, and the settings of signatures"
        ),
        "{third}"
    );
    assert!(third.contains("m-invariance with m = 2, release 3 of a series."), "{third}");
    for text in [&first, &third] {
        assert!(!text.contains("released once") && !text.contains("first release"), "{text}");
        assert!(text.contains("<th scope=\"row\">Mode of the series</th><td>tau-safety</td>"), "{text}");
        assert!(
            text.contains("<th scope=\"row\">Ledger after this release</th><td>series.json</td>"),
            "{text}"
        );
        assert!(text.contains("needs the ledger after this one"), "{text}");
        // The column of individuals is not published.
        assert!(text.contains("<th scope=\"row\">name</th><td>not published</td>"), "{text}");
    }
    assert!(third.contains("<th scope=\"row\">Release of its series</th><td>3</td>"), "{third}");
}

/// A release of people, of whom some leave and others come each time; its statement and the ledger after it.
fn release(number: usize, ledger: Option<Ledger>) -> (String, Ledger) {
    let diagnoses = ["flu", "asthma", "angina", "gout"];
    let people = (4 * number..40 + 4 * number)
        .filter(|i| (i * 7) % 11 > number)
        .fold(String::from("name,age,sex,diagnosis\n"), |csv, i| {
            csv + &format!("P{i},{},{},{}\n", 20 + (i * 37) % 61, ["F", "M"][i % 2], diagnoses[i % 4])
        });
    let table = lookalike_table::read(people.as_bytes(), &lookalike_table::ReadOptions::default()).unwrap();
    let mut settings = Settings { eligibility: Repair::Add, ..settings(Model::MInvariance { m: 2 }) };
    settings.changes.fake = Fake::Frequent;
    let options = Options {
        id: String::from("name"),
        mode: Mode::TauSafety,
        ledger,
        signatures: Signatures::Free,
        exact_names: false,
        key: None,
        vacancies: None,
        way: Way::Fewest,
        more: 0,
    };
    let prepared = prepare(&table, &settings, &options, &Ctx::silent()).unwrap();
    let answer = solve(prepared.job(), &Ctx::silent()).unwrap();
    let outcome = finish(&table, &prepared, &answer, &Ctx::silent()).unwrap();
    assert_eq!(outcome.report.series.map(|series| series.release as usize), Some(number));
    let ledger = outcome.ledger.clone().unwrap();
    let file = NamedFile::of(Some(String::from("series.json")), b"the ledger");
    let text = html(&outcome.report, &outcome.private, &Made { ledger: Some(file), ..made(&outcome) });
    (text, ledger)
}

/// No sentence leads to one that is not there, and counterfeits are not passed off as people.
#[test]
fn figures_say_whether_they_count_counterfeits() {
    let settings = Settings { eligibility: Repair::Add, ..settings(Model::MInvariance { m: 6 }) };
    let (text, mut outcome) = statement(&demo::hospital(300, 7), &settings);
    let real = outcome.exact().classes.min_real.unwrap();
    assert!(text.contains("but not who else is in the class<") && !text.contains("knows the method"));
    assert!(text.contains("count counterfeits as people"), "{text}");
    assert!(text.contains(&format!("with a probability of up to 1/{real}.")) || real < 2, "{text}");
    // A later release has no figure for who knows how records are repaired, and may have a class with one real record.
    let exact = outcome.private.exact.as_mut().unwrap();
    exact.disclosure = None;
    exact.classes.min_real = Some(1);
    let text = stated(&outcome);
    assert!(!text.contains("see Risk") && !text.contains("but not who else is in the class<"), "{text}");
    assert!(text.contains("Some classes hold 1 real record"), "{text}");
    outcome.private.exact.as_mut().unwrap().changes.counterfeits = 0;
    assert!(!stated(&outcome).contains("counterfeits as people"));
}

/// "?" is no diagnosis: whoever rules it out is left with fewer values.
#[test]
fn missing_values_do_not_count_as_values() {
    let csv = demo::hospital(120, 7).replace("gallstones", "?");
    let mut settings = Settings { eligibility: Repair::Add, ..settings(Model::MInvariance { m: 4 }) };
    settings.missing.sensitive = MissingPolicy::Value;
    let (text, outcome) = statement(&csv, &settings);
    let risk = outcome.report.risk;
    let known = risk.highest_known_disclosure.unwrap();
    assert!(known >= 1.0 / 3.0 - 1e-12 && known > risk.highest_attribute_disclosure.unwrap(), "{risk:?}");
    let figure = format!("<td>{} %</td>", three(100.0 * known));
    assert!(text.contains(&format!("among the records with a known value</th>{figure}")), "{text}");
    let (text, outcome) = statement(&demo::hospital(120, 7), &settings);
    assert_eq!(outcome.report.risk.highest_known_disclosure, None);
    assert!(!text.contains("whose value is known"));
}

/// Paper and bytes belong together, and the columns that are not published are named.
#[test]
fn it_names_its_files_and_what_is_not_in_them() {
    let settings = settings(Model::KAnonymity { k: 3 });
    let (text, outcome) = statement(&demo::hospital(60, 7), &settings);
    for said in [
        "<td>2026-05-01T14:03:22Z</td>",
        "<th scope=\"row\">Read from</th><td>quarter 2.csv</td>",
        "<th scope=\"row\">Published table</th><td>out.csv</td>",
        "<th scope=\"row\">Report</th><td>was not written</td>",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
    assert!(text.contains(&NamedFile::of(None, &outcome.published).sha256));
    let header = demo::hospital(60, 7);
    let columns = header.lines().next().unwrap().split(',');
    let left: Vec<&str> = columns.filter(|name| !["age", "sex", "diagnosis"].contains(name)).collect();
    assert!(!left.is_empty());
    assert_eq!(outcome.private.unpublished_columns, left);
    for name in left {
        assert!(text.contains(&format!("<th scope=\"row\">{name}</th><td>not published</td>")), "{name}");
    }
}

#[test]
fn it_says_where_the_classes_were_computed() {
    let (text, mut outcome) = statement(&demo::hospital(60, 7), &settings(Model::KAnonymity { k: 3 }));
    assert!(
        text.contains("here, by the command line: for this result nothing was sent to another machine"),
        "{text}"
    );
    let sent =
        Sent::one(String::from("https://w.example:8080"), String::from("2026-05-01T14:02:00Z"), 100_822);
    outcome.searched_elsewhere(Searched::Worker, sent);
    let text = stated(&outcome);
    assert!(!text.contains("nothing was sent"), "{text}");
    assert!(
        text.contains(
            "on a worker: numbers without names, 100,822 bytes in 1 message, were sent to https://w.example:8080 on \
             2026-05-01T14:02:00Z (UTC)"
        ),
        "{text}"
    );
    let public = serde_json::to_string(&outcome.report).unwrap();
    assert!(public.contains("\"searched\":\"worker\"") && !public.contains("w.example"), "{public}");
}

/// The text of a document without its marks.
fn plain(html: &str) -> String {
    let text =
        html.split('<').filter_map(|piece| Some(piece.split_once('>')?.1)).collect::<Vec<_>>().concat();
    text.replace("&quot;", "\"").replace("&#39;", "'")
}

/// What stands on the first and on the second sheet, and in the annex.
fn sheets(text: &str) -> Vec<String> {
    text.split("<section class=\"sheet\">").skip(1).map(plain).collect()
}

/// The first sheet says the page's verdict, sentence by sentence, and then has room for the hand.
#[test]
fn the_first_sheet_is_the_finding_and_the_signature() {
    let add = Settings { eligibility: Repair::Add, ..settings(Model::MInvariance { m: 6 }) };
    let delete = Settings { eligibility: Repair::Delete, ..settings(Model::MInvariance { m: 6 }) };
    let unchanged =
        Settings { unchanged: vec![String::from("nights")], ..settings(Model::MInvariance { m: 3 }) };
    let bare = Settings { sensitive: None, ..settings(Model::KAnonymity { k: 3 }) };
    let freeform = Settings { method: MethodName::DokaSortGreedy.into(), ..bare.clone() };
    for settings in [add, delete, unchanged, bare, freeform] {
        let (text, outcome) = statement(&demo::hospital(300, 7), &settings);
        let found = finding(outcome.exact(), &outcome.private.settings);
        let sheets = sheets(&text);
        assert_eq!(sheets.len(), 3);
        let mut rest = sheets[0].as_str();
        let said = [Some(found.sentence), found.why, found.against, found.against_not, Some(found.checks)];
        let said = said.into_iter().flatten().map(|said| said.to_string());
        for words in said.chain(["Name", "Function", "Place", "Date", "Signature"].map(String::from)) {
            let (_, after) = rest.split_once(&words).unwrap_or_else(|| panic!("{words} is not in {rest}"));
            rest = after;
        }
        for line in ["Purpose", "Recipient", "Legal basis", "Date of the next review"] {
            assert!(sheets[1].contains(line), "{line}");
        }
    }
}

/// People who were left out and records that were made up are counted, and no group is said to be of people where it is not.
#[test]
fn the_first_sheet_counts_who_was_left_out_and_what_was_made_up() {
    let add = Settings { eligibility: Repair::Add, ..settings(Model::MInvariance { m: 6 }) };
    let (text, outcome) = statement(&demo::hospital(300, 7), &add);
    let (fakes, rows) = (outcome.report.changes.counterfeits, outcome.report.input.rows);
    let first = &sheets(&text)[0];
    assert!(first.contains(&format!("{fakes} of {} published records", rows + fakes)), "{first}");
    assert!(first.contains("People left outnone"), "{first}");
    let second = &sheets(&text)[1];
    assert!(second.contains("recognises the made-up records"), "{second}");
    assert!(!second.contains("of the people are matched"), "{second}");

    let delete = Settings { eligibility: Repair::Delete, ..settings(Model::MInvariance { m: 6 }) };
    let (text, outcome) = statement(&demo::hospital(300, 7), &delete);
    let gone = outcome.report.changes.deletions;
    assert!(gone > 1);
    let first = &sheets(&text)[0];
    assert!(
        first.contains(&format!("{gone} people so that the guarantee is possible"))
            && first.contains("Made-up recordsnone")
            && first.contains("Each person in the table is hidden"),
        "{first}"
    );
}

/// Where no column is secret nothing is said of guesses, and where columns stand as they are their figure is beside the others.
#[test]
fn no_figure_is_invented() {
    let bare = Settings { sensitive: None, ..settings(Model::KAnonymity { k: 3 }) };
    let (text, _) = statement(&demo::hospital(60, 7), &bare);
    let both = sheets(&text)[..2].concat();
    assert!(both.contains("no figure: no column was named as secret") && !both.contains("guess"), "{both}");
    let unchanged =
        Settings { unchanged: vec![String::from("nights")], ..settings(Model::KAnonymity { k: 3 }) };
    let (text, outcome) = statement(&demo::hospital(60, 7), &unchanged);
    let alone = outcome.report.unchanged.clone().unwrap().together.unique_after;
    let all = sheets(&text);
    assert!(
        alone > 1 && all[1].contains(&format!("{alone} people stand alone; the secret value of ")),
        "{}",
        all[1]
    );
    assert!(
        all[0].contains("nights; the finding does not hold against an attacker who knows them"),
        "{}",
        all[0]
    );
    assert!(all[0].contains("diagnosis; the guarantee promises nothing about it"), "{}", all[0]);
    // A report that has not measured them has no figure of them.
    let mut report = outcome.report.clone();
    report.unchanged = None;
    let text = html(&report, &outcome.private, &made(&outcome));
    assert!(sheets(&text)[1].contains("as they arethe report has no figure"), "{text}");
}

/// The mean over the people is never less than what was measured, and one in k is said as that.
#[test]
fn linkability_is_rounded_up() {
    let bare = Settings { sensitive: None, ..settings(Model::KAnonymity { k: 3 }) };
    let (text, outcome) = statement(&demo::hospital(60, 7), &bare);
    let second = &sheets(&text)[1];
    let (_, after) = second.split_once("at most ").unwrap();
    let percent: f64 = after.split_once(" %").unwrap().0.parse().unwrap();
    let mean = 100.0 * outcome.report.risk.prosecutor.mean;
    assert!(mean - 1e-6 <= percent && percent < mean + 0.1, "{percent} {mean}");
    assert!(second.contains("with a probability of at most 1 in 3"), "{second}");
}

/// Persons who may have several rows are counted as persons.
#[test]
fn persons_are_counted_and_not_rows() {
    let csv = (0..90).fold(String::from("person,age,diagnosis\n"), |csv, row| {
        csv + &format!("p{},{},{}\n", row / 3, 20 + (row / 3 * 7) % 40, ["flu", "gout"][row % 2])
    });
    let settings = Settings {
        quasi: vec![String::from("age")],
        sensitive: None,
        rows_are: Some(RowsAre::EventsOf(String::from("person"))),
        ..settings(Model::KAnonymity { k: 3 })
    };
    let (text, outcome) = statement(&csv, &settings);
    let persons = outcome.report.persons.unwrap();
    assert_eq!((persons.count, outcome.report.input.rows), (30, 90));
    let first = &sheets(&text)[0];
    assert!(first.contains("Each of 30 people is hidden among at least 3 people."), "{first}");
    assert!(first.contains("30 people are published, with 90 rows."), "{first}");
    assert!(first.contains("Columns left outperson, diagnosis"), "{first}");
    assert!(sheets(&text)[1].contains("nobody stands alone; each published person is among at least 3"));
}

/// However many columns are left out, and however long their names are, the sheet names some and the annex all.
#[test]
fn the_first_sheet_has_room_for_any_number_of_columns() {
    let (_, mut outcome) = statement(&demo::hospital(60, 7), &settings(Model::KAnonymity { k: 3 }));
    let columns: Vec<String> = (0..300).map(|column| format!("measurement number {column}")).collect();
    outcome.private.unpublished_columns.clone_from(&columns);
    let text = stated(&outcome);
    let all = sheets(&text);
    assert!(all[0].contains("measurement number 12 and 287 more, which the annex names"), "{}", all[0]);
    assert!(columns.iter().all(|column| all[2].contains(column)));
    outcome.private.unpublished_columns = vec!["x".repeat(2000), String::from("y")];
    assert!(sheets(&stated(&outcome))[0].contains("x and 1 more, which the annex names"));
}

/// Without the salt no digest of the source stands there; with it the digest is the one that the private record gives again.
#[test]
fn the_source_is_named_by_a_digest_with_a_salt() {
    let csv = demo::hospital(60, 7);
    let (text, mut outcome) = statement(&csv, &settings(Model::KAnonymity { k: 3 }));
    let source = outcome.private.source.clone().unwrap();
    assert_eq!(source.sha256, NamedFile::of(None, csv.as_bytes()).sha256);
    assert!(!text.contains("Salted") && !text.contains("salt"), "{text}");
    outcome.salt([7, 11]);
    let source = outcome.private.source.clone().unwrap();
    assert_eq!(source.salt, "0000000000000007000000000000000b");
    let text = stated(&outcome);
    let digest = NamedFile::of(None, format!("{}{}", source.salt, source.sha256).as_bytes()).sha256;
    assert!(text.contains(&format!("<th scope=\"row\">Salted SHA-256 of the source</th><td>{digest}</td>")));
    assert!(!text.contains(&source.sha256) && !text.contains(&source.salt));
    // The report names the table, and nothing of the source.
    let report = serde_json::to_string(&outcome.report).unwrap();
    let table = NamedFile::of(None, &outcome.published).sha256;
    assert!(report.contains(&format!("\"table_sha256\":\"{table}\"")) && !report.contains(&source.sha256));
}

#[test]
fn a_page_says_that_it_was_a_page() {
    let (_, outcome) = statement(&demo::hospital(60, 7), &settings(Model::KAnonymity { k: 3 }));
    let made = Made { program: Program::Page, ..made(&outcome) };
    let text = html(outcome.exact(), &outcome.private, &made);
    assert!(text.contains("page in a browser") && text.contains("here, in the browser tab"), "{text}");
    assert!(!text.contains("command line"), "{text}");
}
