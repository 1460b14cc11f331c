//! From the fields to settings, and what is wrong with fields.

use std::{collections::BTreeMap, num::NonZeroUsize, rc::Rc};

use lookalike_model::{
    info::PersonKey,
    rule::Share,
    settings::{
        BoundWork, Budget, CarryOptions, ChangeCosts, ChangeOptions, Coding, ColumnGenerationOptions,
        Construction, DecomposeOptions, Extent, Fake, InBlocks, Kind, Loss, Method, MethodName, Output,
        Publish, QuasiSet, Repair, RowsAre, Scheme, Separator, SortOrder, Suppress, Ties,
    },
};
use lookalike_wire::page::Configured;
use lookalike_words::Said;

use super::*;
use crate::form::{BudgetChoice, ChangesForm, LossChoice, RowsChoice, SchemeForm, SearchForm};

fn info(name: &str, distinct: usize, missing: usize) -> ColumnInfo {
    ColumnInfo {
        name: name.to_owned(),
        kind: String::from("integer"),
        evidence: Said::verbatim(""),
        distinct,
        proposal: None,
        unknown: None,
        missing,
        suggestion: None,
        question: None,
        weight: false,
        key: PersonKey::None,
        bars: Vec::new(),
    }
}

pub(super) fn table() -> TableInfo {
    TableInfo {
        rows: 100,
        columns: vec![info("name", 100, 0), info("age", 50, 2), info("zip", 20, 0), info("disease", 4, 3)],
        preview: Vec::new(),
        warnings: Vec::new(),
    }
}

fn choices(roles: [Role; 4]) -> Vec<Choice> {
    roles.map(|role| Choice { role, ..Choice::default() }).to_vec()
}

pub(super) fn usual() -> Vec<Choice> {
    choices([Role::Identifier, Role::Quasi, Role::Quasi, Role::Sensitive])
}

pub(super) fn dropping() -> Form {
    Form { missing_sensitive: MissingPolicy::Drop, missing_quasi: MissingPolicy::Drop, ..Form::default() }
}

fn fields(choices: &[Choice], form: &Form) -> Vec<Field> {
    settings(&table(), choices, form).err().unwrap_or_default().iter().map(|w| w.field).collect()
}

#[test]
fn the_fields_become_settings() {
    let mut choices = usual();
    choices[0].role = Role::Keep;
    choices[2].kind = Some(Kind::Category);
    // A kind only counts for a quasi-identifier.
    choices[3].kind = Some(Kind::Category);
    let form = Form {
        m: String::from(" 4 "),
        eligibility: Repair::Add,
        publish: Publish::Set,
        search: SearchForm {
            budget: BudgetChoice::Seconds,
            bound: BoundWork::Full,
            seconds: String::from("2.5"),
            ..SearchForm::default()
        },
        seed: String::from("7"),
        ..dropping()
    };
    let expected = Settings {
        quasi: vec![String::from("age"), String::from("zip")],
        sensitive: Some(String::from("disease")),
        keep: vec![String::from("name")],
        kinds: BTreeMap::from([(String::from("zip"), Kind::Category)]),
        publish: Publish::Set,
        loss: Loss::Ncp,
        eligibility: Repair::Add,
        missing: Missing { sensitive: MissingPolicy::Drop, quasi: MissingPolicy::Drop, ..Missing::default() },
        budget: Budget::Seconds(2.5),
        bound: BoundWork::Full,
        seed: Some(7),
        ..Settings::of(Model::MInvariance { m: 4 })
    };
    assert_eq!(settings(&table(), &choices, &form), Ok(expected));
}

#[test]
fn no_role_is_taken_for_granted() {
    assert_eq!(fields(&choices([Role::NotPublished; 4]), &dropping()), [Field::Roles, Field::Secret]);
    let k = Form { model: ModelChoice::KAnonymity, ..dropping() };
    assert_eq!(fields(&choices([Role::NotPublished; 4]), &k), [Field::Roles]);
    assert_eq!(
        fields(&choices([Role::NotPublished, Role::Quasi, Role::NotPublished, Role::NotPublished]), &k),
        []
    );
}

#[test]
fn two_sensitive_columns_are_named() {
    let two = choices([Role::Quasi, Role::NotPublished, Role::Sensitive, Role::Sensitive]);
    let wrong = settings(&table(), &two, &dropping()).unwrap_err();
    assert_eq!(wrong.len(), 1);
    assert!(wrong[0].message.contains("zip and disease"), "{}", wrong[0].message);
}

#[test]
fn m_is_a_whole_number_between_2_and_the_distinct_values() {
    for (m, missing, ok) in [
        ("2", MissingPolicy::Drop, true),
        ("4", MissingPolicy::Drop, true),
        ("5", MissingPolicy::Drop, false),
        ("5", MissingPolicy::Value, true),
        ("1", MissingPolicy::Drop, false),
        ("", MissingPolicy::Drop, false),
        ("2.5", MissingPolicy::Drop, false),
        ("-3", MissingPolicy::Drop, false),
    ] {
        let form = Form { m: m.to_owned(), missing_sensitive: missing, ..dropping() };
        let expected: &[Field] = if ok { &[] } else { &[Field::M] };
        assert_eq!(fields(&usual(), &form), expected, "m = {m:?}");
    }
}

#[test]
fn k_is_a_whole_number_between_2_and_the_rows() {
    for (k, ok) in [("2", true), ("100", true), ("101", false), ("1", false), ("x", false)] {
        let form = Form { model: ModelChoice::KAnonymity, k: k.to_owned(), ..dropping() };
        let expected: &[Field] = if ok { &[] } else { &[Field::K] };
        assert_eq!(fields(&usual(), &form), expected, "k = {k:?}");
    }
}

#[test]
fn missing_cells_need_a_decision_only_where_they_matter() {
    let form = Form::default();
    assert_eq!(fields(&usual(), &form), [Field::MissingSensitive, Field::MissingQuasi]);
    let without_gaps = choices([Role::Quasi, Role::NotPublished, Role::Sensitive, Role::NotPublished]);
    assert_eq!(fields(&without_gaps, &form), []);
    let wrong = settings(&table(), &usual(), &form).unwrap_err();
    assert!(wrong[1].message.starts_with("2 missing cells in age"), "{}", wrong[1].message);
}

#[test]
fn budget_and_seed() {
    let effort = |effort: &str| {
        let search = SearchForm { effort: effort.to_owned(), ..SearchForm::default() };
        Form { search, ..dropping() }
    };
    let seconds = |seconds: &str, effort: &str| {
        let (seconds, effort) = (seconds.to_owned(), effort.to_owned());
        let search = SearchForm { budget: BudgetChoice::Seconds, seconds, effort, ..SearchForm::default() };
        Form { search, ..dropping() }
    };
    let seed = |seed: &str| Form { seed: seed.to_owned(), ..dropping() };
    for (form, expected) in [
        (effort("0"), None),
        (effort("-1"), Some(Field::Effort)),
        (effort("inf"), Some(Field::Effort)),
        (effort(""), Some(Field::Effort)),
        (seconds("0", "5"), Some(Field::Seconds)),
        (seconds("1e1", "5"), Some(Field::Seconds)),
        // The field that is not shown does not matter.
        (seconds("1", "x"), None),
        (seed("9007199254740991"), None),
        (seed("9007199254740992"), Some(Field::Seed)),
        (seed("-1"), Some(Field::Seed)),
    ] {
        assert_eq!(fields(&usual(), &form), Vec::from_iter(expected), "{form:?}");
    }
}

/// Choices and a form in which everything is said.
fn everything() -> (Vec<Choice>, Form) {
    let mut choices = usual();
    choices[1] = Choice {
        kind: Some(Kind::Number),
        missing: Some(MissingPolicy::Value),
        bottom: String::from("-20"),
        top: String::from("90.5"),
        weight: String::from("0.25"),
        publish: Some(Publish::Set),
        ..choices[1].clone()
    };
    choices[2] = Choice {
        kind: Some(Kind::Ordinal),
        order: vec![String::from("low"), String::from("high")],
        weight: String::from(".75"),
        hierarchy: Some(Rc::new(vec![vec![String::from("low"), String::from("*")]])),
        publish: Some(Publish::Hierarchy),
        ..choices[2].clone()
    };
    let search = SearchForm {
        loss: LossChoice::Of(Loss::NcpBinary),
        method: MethodName::Decompose,
        start: Some(MethodName::Tau),
        blocks: String::from("7"),
        swap_first: true,
        ..SearchForm::default()
    };
    let changes = ChangesForm {
        fake: Fake::Frequent,
        ties: Ties::FewestAdditions,
        prefer: String::from(" flu \n\nAIDS"),
        add: String::from("2"),
        delete_growth: String::from("3"),
        delete_of: String::from("a = b = 4"),
        ..ChangesForm::default()
    };
    let form = Form {
        eligibility: Repair::Hybrid,
        publish: Publish::Hierarchy,
        output: Output { delimiter: Some(Separator::Semicolon), bom: Some(true), ..Output::default() },
        search,
        changes,
        markers: String::from("\n?\n? \nnone"),
        ..dropping()
    };
    (choices, form)
}

#[test]
fn what_is_said_of_columns_search_and_changes_becomes_settings() {
    let (choices, form) = everything();
    let said = settings(&table(), &choices, &form).unwrap();
    let name = |at: usize| table().columns[at].name.clone();
    assert_eq!(said.kinds, BTreeMap::from([(name(1), Kind::Number)]));
    assert_eq!(said.orders[&name(2)], ["low", "high"]);
    assert_eq!(said.weights, BTreeMap::from([(name(1), 0.25), (name(2), 0.75)]));
    assert_eq!(said.coding, BTreeMap::from([(name(1), Coding { bottom: Some(-20.0), top: Some(90.5) })]));
    assert_eq!(
        said.publish_columns,
        BTreeMap::from([(name(1), Publish::Set), (name(2), Publish::Hierarchy)])
    );
    assert_eq!(said.hierarchies[&name(2)], [["low", "*"]]);
    assert_eq!(said.missing.columns, BTreeMap::from([(name(1), MissingPolicy::Value)]));
    assert_eq!(said.missing.markers, ["", "?", "none"]);
    let decompose =
        DecomposeOptions { start: Some(Construction::Tau), blocks: NonZeroUsize::new(7), swap_first: true };
    assert_eq!((said.loss, said.method), (Loss::NcpBinary, decompose.into()));
    let costs = ChangeCosts {
        add: 2,
        delete_growth: 3,
        delete_of: BTreeMap::from([(String::from("a = b"), 4)]),
        ..ChangeCosts::default()
    };
    let changes = ChangeOptions {
        prefer: vec![String::from("flu"), String::from("AIDS")],
        ties: Ties::FewestAdditions,
        fake: Fake::Frequent,
        costs,
        ..ChangeOptions::default()
    };
    assert_eq!(said.changes, changes);
    let semicolons = Output { delimiter: Some(Separator::Semicolon), bom: Some(true), ..Output::default() };
    assert_eq!(said.output, semicolons);
}

#[test]
fn settings_come_back_as_fields() {
    for (choices, form) in [everything(), (usual(), dropping())] {
        let said = settings(&table(), &choices, &form).unwrap();
        let configured =
            Configured { settings: said.clone(), identifiers: vec![String::from("name")], notes: Vec::new() };
        let (choices, form) = super::fields(&table(), &configured);
        assert_eq!(choices[0].role, Role::Identifier);
        assert_eq!(settings(&table(), &choices, &form), Ok(said));
    }
}

#[test]
fn what_a_role_or_a_method_makes_no_use_of_is_not_said() {
    let (mut choices, mut form) = everything();
    choices[1].role = Role::Keep;
    choices[2].role = Role::NotPublished;
    choices[0].role = Role::Quasi;
    form.search.method = MethodName::Auto;
    form.publish = Publish::Range;
    form.eligibility = Repair::Delete;
    let said = settings(&table(), &choices, &form).unwrap();
    assert!(said.kinds.is_empty() && said.orders.is_empty() && said.weights.is_empty());
    assert!(said.coding.is_empty() && said.hierarchies.is_empty() && said.missing.columns.is_empty());
    assert_eq!(said.publish_columns.len(), 1);
    assert_eq!(said.method, Method::Auto { start: Some(Construction::Tau) });
    assert_eq!(said.changes, ChangeOptions::default());
    form.search.stop_gap = String::from("2.5");
    form.search.method = MethodName::ColumnGeneration;
    let said = settings(&table(), &choices, &form).unwrap();
    let gap = ColumnGenerationOptions {
        start: Some(Construction::Tau),
        stop_gap_percent: Some(2.5),
        extent: Extent::Blocks(InBlocks { swap_first: true, ..NonZeroUsize::new(7).unwrap().into() }),
    };
    assert_eq!(said.method, gap.into());
    form.search.method = MethodName::Md;
    form.model = ModelChoice::KAnonymity;
    let said = settings(&table(), &choices, &form).unwrap();
    assert_eq!((said.method, said.eligibility), (Construction::Md.into(), Repair::Error));
    assert_eq!(said.budget, Budget::default());
}

#[test]
fn faults_of_columns_name_the_column_and_what_to_do() {
    let wrong = |set: fn(&mut Choice), said: &str| {
        let mut choices = usual();
        set(&mut choices[1]);
        let wrong = settings(&table(), &choices, &dropping()).unwrap_err();
        assert_eq!(wrong[0].field, Field::Column(1), "{said}");
        assert!(wrong[0].message.starts_with("age: ") && wrong[0].message.contains(said), "{wrong:?}");
    };
    wrong(|c| c.kind = Some(Kind::Ordinal), "need an order");
    wrong(|c| c.top = String::from("x"), "top limit must be a number");
    wrong(|c| (c.bottom, c.top) = (String::from("5"), String::from("5")), "below the top");
    wrong(|c| c.publish = Some(Publish::Hierarchy), "has none");
    wrong(|c| c.weight = String::from("-1"), "from 0 to 1");

    let mut choices = usual();
    choices[1].weight = String::from("0.5");
    assert_eq!(fields(&choices, &dropping()), [Field::Column(2)]);
    choices[2].weight = String::from("0.6");
    let wrong = settings(&table(), &choices, &dropping()).unwrap_err();
    assert!(wrong[0].message.contains("sum to 1.1"), "{wrong:?}");
    let mut table = table();
    table.columns[1].question = Some(Said::verbatim("day or month first"));
    let wrong = settings(&table, &usual(), &dropping()).unwrap_err();
    assert!(wrong[0].message.contains("day or month first. Choose its kind"), "{wrong:?}");
}

#[test]
fn faults_of_costs_and_blocks_are_told() {
    let (choices, usual) = everything();
    let wrong = |set: fn(&mut Form), field: Field| {
        let mut form = usual.clone();
        set(&mut form);
        assert_eq!(fields(&choices, &form), [field]);
    };
    wrong(|f| f.search.blocks = String::from("0"), Field::Blocks);
    wrong(
        |f| (f.search.method, f.search.stop_gap) = (MethodName::ColumnGeneration, String::from("101")),
        Field::StopGap,
    );
    wrong(|f| f.search.price = String::from("0"), Field::Price);
    wrong(|f| f.search.price = String::from("x"), Field::Price);
    wrong(|f| (f.search.price, f.search.limit) = (String::from("1"), String::from("2.5")), Field::Limit);
    wrong(|f| f.search.limit = String::from("101 %"), Field::Limit);
    wrong(|f| f.search.limit = String::from("many"), Field::Limit);
    wrong(|f| f.changes.add = String::from("0"), Field::AddCost);
    wrong(|f| f.changes.delete_growth = String::from("x"), Field::DeleteGrowth);
    wrong(|f| f.changes.add_of = String::from("flu"), Field::AddOf);
    wrong(|f| f.changes.delete_of = String::from("flu = 1\nflu = 2"), Field::DeleteOf);
}

#[test]
fn what_no_field_shows_stays_as_a_configuration_has_it() {
    let mut form = dropping();
    (form.model, form.search.method) = (ModelChoice::KAnonymity, MethodName::SplitAndCarry);
    let mut said = settings(&table(), &usual(), &form).unwrap();
    said.suppress = Some(Suppress { price: Some(0.5), limit: Some(3), share: None });
    let carry = CarryOptions { sets: 5, ..CarryOptions::default() };
    said.method = Construction::SplitAndCarry(SortOrder::Snake, carry).into();
    let configured =
        Configured { settings: said.clone(), identifiers: vec![String::from("name")], notes: Vec::new() };
    let (choices, mut form) = super::fields(&table(), &configured);
    assert_eq!(settings(&table(), &choices, &form), Ok(said.clone()));
    // Another method makes no use of them, but records may still be left out.
    form.search.method = MethodName::Annealing;
    let other = settings(&table(), &choices, &form).unwrap();
    assert_eq!((other.method, other.suppress), (Method::Annealing { start: None }, said.suppress));
}

#[test]
fn records_are_left_out_for_a_price_or_up_to_a_limit() {
    let suppress = |price: &str, limit: &str| {
        let mut form = dropping();
        (form.search.price, form.search.limit) = (price.to_owned(), limit.to_owned());
        settings(&table(), &usual(), &form).unwrap().suppress
    };
    let of = |price, limit, share| Some(Suppress { price, limit, share });
    assert_eq!(suppress("", ""), None);
    assert_eq!(suppress("0.5", ""), of(Some(0.5), None, None));
    assert_eq!(suppress("", "20"), of(None, Some(20), None));
    assert_eq!(suppress("0.5", "5 %"), of(Some(0.5), None, Some(0.05)));
    assert_eq!(suppress("", "7%"), of(None, None, Some(0.07)));
    // What a configuration says comes back as it is typed.
    for said in [of(None, None, Some(0.07)), of(Some(0.25), Some(3), None), of(None, None, Some(1.0 / 3.0))] {
        let configured = Configured {
            settings: Settings { suppress: said, ..settings(&table(), &usual(), &dropping()).unwrap() },
            identifiers: Vec::new(),
            notes: Vec::new(),
        };
        let (choices, form) = super::fields(&table(), &configured);
        let again = settings(&table(), &choices, &form).unwrap().suppress.unwrap();
        assert!((again.share.unwrap_or_default() - said.unwrap().share.unwrap_or_default()).abs() < 1e-10);
        assert_eq!((again.price, again.limit), (said.unwrap().price, said.unwrap().limit));
    }
}

#[test]
fn levels_sets_and_real_people_are_asked_for_and_come_back() {
    let mut form = dropping();
    form.scheme = SchemeForm { scheme: Scheme::FullDomain, sets: String::from("9=age\n\n 12 = age , zip ") };
    let of = |form: &Form| settings(&table(), &usual(), form);
    let said = of(&form).unwrap();
    let set = |columns: &[&str], k| QuasiSet { columns: owned(columns), k };
    assert_eq!(said.sets, [set(&["age"], 9), set(&["age", "zip"], 12)]);
    assert_eq!((said.scheme, said.loss), (Scheme::FullDomain, Loss::Ncp));
    for wrong in ["age", "x = age", "9 = disease", "9 ="] {
        form.scheme.sets = wrong.to_owned();
        assert_eq!(fields(&usual(), &form), [Field::Sets], "{wrong}");
    }
    // Classes take sets under k-anonymity; under m-invariance what was typed stays, and does not count.
    form.scheme = SchemeForm { scheme: Scheme::Classes, sets: String::from("9 = age") };
    let classes = of(&Form { model: ModelChoice::KAnonymity, ..form.clone() }).unwrap();
    assert_eq!((&classes.sets, classes.scheme), (&vec![set(&["age"], 9)], Scheme::Classes));
    assert_eq!(of(&form).unwrap().sets, []);
    // A column of classes has one set.
    let scheme = SchemeForm { scheme: Scheme::Classes, sets: String::from("9 = age\n12 = zip, age") };
    let shared = Form { model: ModelChoice::KAnonymity, scheme, ..form.clone() };
    assert_eq!(fields(&usual(), &shared), [Field::Sets]);
    form.eligibility = Repair::Delete;
    (form.changes.min_real, form.changes.max_belief) = (String::from("2"), String::from("0.5"));
    let real = of(&form).unwrap();
    assert_eq!((real.changes.min_real, real.changes.max_belief.map(Share::get)), (Some(2), Some(0.5)));
    for settings in [said, real, classes] {
        let configured = Configured {
            settings: settings.clone(),
            identifiers: vec![String::from("name")],
            notes: Vec::new(),
        };
        let (choices, form) = super::fields(&table(), &configured);
        assert_eq!(super::settings(&table(), &choices, &form), Ok(settings));
    }
    (form.changes.min_real, form.changes.max_belief) = (String::from("0"), String::from("2"));
    assert_eq!(fields(&usual(), &form), [Field::MinReal, Field::MaxBelief]);
}

/// A key of persons that repeats must be answered for; a series has one row an individual, and is not asked.
#[test]
fn several_rows_of_a_person_are_asked_about() {
    let mut visits = table();
    visits.columns[0] = ColumnInfo { key: PersonKey::Repeats, ..info("patient", 20, 0) };
    let of = |rows_are| Form { rows_are, ..dropping() };
    let wrong = settings(&visits, &usual(), &of(RowsChoice::Unsaid)).unwrap_err();
    assert_eq!(wrong.iter().map(|w| w.field).collect::<Vec<_>>(), [Field::RowsAre]);
    assert!(wrong[0].message.contains("patient looks like the key of a person"), "{}", wrong[0].message);
    assert!(wrong[0].message.contains("20 different values in 100 rows"), "{}", wrong[0].message);
    let people = settings(&visits, &usual(), &of(RowsChoice::People)).unwrap();
    assert_eq!(people.rows_are, Some(RowsAre::People));
    let refused = settings(&visits, &usual(), &of(RowsChoice::Keyed)).unwrap_err();
    assert!(refused[0].message.contains("20 different values in 100 rows"), "{}", refused[0].message);
    let events = settings(&visits, &usual(), &of(RowsChoice::OfPersons)).unwrap();
    assert_eq!(events.rows_are, Some(RowsAre::EventsOf(String::from("patient"))));
    // m-invariance of persons adds and deletes nothing, whatever was chosen for rows before.
    let repaired =
        |rows_are| Form { model: ModelChoice::MInvariance, eligibility: Repair::Add, ..of(rows_are) };
    let events = settings(&visits, &usual(), &repaired(RowsChoice::OfPersons)).unwrap();
    assert!(matches!(events.model, Model::MInvariance { .. }) && events.eligibility == Repair::Error);
    assert_eq!(settings(&visits, &usual(), &repaired(RowsChoice::People)).unwrap().eligibility, Repair::Add);
    for role in [Role::Quasi, Role::Unchanged] {
        let published = choices([role, Role::Quasi, Role::Sensitive, Role::NotPublished]);
        let refused = settings(&visits, &published, &of(RowsChoice::OfPersons)).unwrap_err();
        assert!(refused[0].message.contains("is never published"), "{}", refused[0].message);
    }
    assert_eq!(settings_in_series(&visits, &usual(), &of(RowsChoice::Unsaid)).unwrap().rows_are, None);
    // The protected values are no keys.
    let sensitive = choices([Role::Sensitive, Role::Quasi, Role::Quasi, Role::NotPublished]);
    assert!(settings(&visits, &sensitive, &of(RowsChoice::Unsaid)).is_ok());
    // What the user calls an identifier is looked at, whatever its name.
    visits.columns[0].key = PersonKey::IfIdentifier;
    assert!(settings(&visits, &usual(), &of(RowsChoice::Unsaid)).is_err());
    let other = choices([Role::NotPublished, Role::Quasi, Role::Quasi, Role::Sensitive]);
    assert!(settings(&visits, &other, &of(RowsChoice::Unsaid)).is_ok());
}

#[test]
fn what_the_rows_are_comes_back_from_a_configuration() {
    for (said, rows_are) in [
        (None, RowsChoice::Unsaid),
        (Some(RowsAre::People), RowsChoice::People),
        (Some(RowsAre::Of(String::from("name"))), RowsChoice::Keyed),
        (Some(RowsAre::EventsOf(String::from("name"))), RowsChoice::OfPersons),
    ] {
        let before =
            settings(&table(), &usual(), &Form { rows_are, person: String::from("name"), ..dropping() });
        let before = before.unwrap();
        assert_eq!(before.rows_are, said);
        let configured = Configured { settings: before.clone(), identifiers: Vec::new(), notes: Vec::new() };
        let (choices, form) = crate::settings::fields(&table(), &configured);
        assert_eq!(settings(&table(), &choices, &form), Ok(before));
    }
}

#[test]
fn the_column_of_classes_has_a_name_that_no_spreadsheet_runs() {
    let told = |name: &str| {
        let form = Form { class_column: name.to_owned(), ..Form::default() };
        let mut wrong = Wrong::default();
        check_class_column(&table(), &[], &form, &mut wrong);
        wrong.0.into_iter().map(|wrong| (wrong.field, wrong.message)).collect::<Vec<_>>()
    };
    for name in ["=c", "@c", "+c", "-c", "\u{ff1d}c"] {
        let told = told(name);
        assert!(
            matches!(&told[..], [(Field::ClassColumn, why)] if why.contains("as a formula")),
            "{name}: {told:?}"
        );
    }
    for name in ["c", "", "c=1", "-1"] {
        assert_eq!(told(name), [], "{name}");
    }
}
