//! Settings go into a file and come back.

#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use std::collections::BTreeMap;

use lookalike_model::settings::{
    Budget, ChangeOptions, Coding, Construction, Kind, Loss, Method, Missing, MissingPolicy, Model, Publish,
    Repair, Role, RowsAre, Settings, SortOrder,
};
use lookalike_wire::config::{self, Draft, Fault, Lacking};
use proptest::prelude::*;
use serde_json::{Value, json};

fn settings() -> Settings {
    Settings {
        quasi: vec![String::from("age"), String::from("school")],
        sensitive: Some(String::from("diagnosis")),
        keep: vec![String::from("ward")],
        unchanged: vec![String::from("cost")],
        rows_are: None,
        output: lookalike_model::settings::Output::default(),
        class_column: lookalike_model::settings::ClassColumn::default(),
        risk_threshold: Some(0.09),
        kinds: BTreeMap::from([(String::from("age"), Kind::Integer)]),
        orders: BTreeMap::from([(
            String::from("school"),
            vec![String::from("low"), String::from("high, very")],
        )]),
        domains: BTreeMap::new(),
        pad: BTreeMap::new(),
        labels: BTreeMap::new(),
        model: Model::MInvariance { m: 3 },
        conditions: [
            r#"{"name":"t-closeness","t":0.2,"distance":"ordered"}"#,
            r#"{"name":"frequency","alpha":0.5}"#,
        ]
        .map(|json| serde_json::from_str(json).unwrap())
        .to_vec(),
        conditions_of: BTreeMap::from([(
            String::from("cost"),
            vec![serde_json::from_str(r#"{"name":"distinct-diversity","l":2}"#).unwrap()],
        )]),
        sample: serde_json::from_str(r#"{"household":"home"}"#).unwrap(),
        sets: vec![serde_json::from_str(r#"{"columns":["age","school"],"k":9}"#).unwrap()],
        loss: Loss::Sse,
        weights: BTreeMap::from([(String::from("age"), 0.25), (String::from("school"), 0.75)]),
        method: Method::default(),
        publish: Publish::Set,
        publish_columns: BTreeMap::new(),
        hierarchies: BTreeMap::new(),
        coding: BTreeMap::new(),
        suppress: None,
        eligibility: Repair::Hybrid,
        changes: ChangeOptions::default(),
        missing: Missing {
            sensitive: MissingPolicy::Drop,
            columns: BTreeMap::from([(String::from("age"), MissingPolicy::Value)]),
            ..Missing::default()
        },
        budget: Budget::Effort(2.5),
        bound: lookalike_model::settings::BoundWork::Quick,
        duals: false,
        scheme: lookalike_model::settings::Scheme::Classes,
        seed: Some(7),
    }
}

fn back(settings: &Settings) -> Settings {
    let text = config::write(&Draft::of(settings).unwrap());
    let loaded = config::read(&text).unwrap();
    assert_eq!(loaded.notes, [], "{text}");
    loaded.draft.complete(settings.seed).unwrap()
}

/// The answer to what a row is, as it is written.
#[test]
fn what_rows_are_is_written_in_one_word_or_with_a_key() {
    let patient = || String::from("patient");
    for (rows_are, written) in [
        (RowsAre::People, json!("people")),
        (RowsAre::Of(patient()), json!({"of": "patient"})),
        (RowsAre::EventsOf(patient()), json!({"events-of": "patient"})),
    ] {
        let told = Settings { rows_are: Some(rows_are), ..settings() };
        let text = config::write(&Draft::of(&told).unwrap());
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["lookalike"]["rows_are"], written);
        assert_eq!(back(&told), told);
    }
}

/// A width is a property of its column, and the column must be there.
#[test]
fn a_width_stands_in_its_field() {
    let told = Settings { pad: BTreeMap::from([(String::from("ward"), 5)]), ..settings() };
    let text = config::write(&Draft::of(&told).unwrap());
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["fields"][3], json!({ "name": "ward", "lookalike": { "role": "keep", "pad": 5 } }));
    assert_eq!(back(&told), told);
    let wrong = text.replace("\"pad\": 5", "\"pad\": \"five\"");
    assert!(config::read(&wrong).unwrap_err().to_string().contains("fields[3].lookalike.pad"));
}

/// So are labels of codes.
#[test]
fn labels_stand_in_their_field() {
    let of_codes: BTreeMap<String, String> =
        [("1", "male"), ("9", "?")].map(|(code, label)| (code.into(), label.into())).into();
    let told = Settings { labels: BTreeMap::from([(String::from("ward"), of_codes)]), ..settings() };
    let text = config::write(&Draft::of(&told).unwrap());
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["fields"][3]["lookalike"]["labels"], json!({ "1": "male", "9": "?" }));
    assert_eq!(back(&told), told);
    let wrong = text.replace("\"9\": \"?\"", "\"9\": 5");
    assert!(config::read(&wrong).unwrap_err().to_string().contains("fields[3].lookalike.labels"));
}

#[test]
fn recoding_stands_in_the_fields() {
    let school = || String::from("school");
    let rows = vec![["low", "*"].map(String::from).to_vec(), ["high; very", "*"].map(String::from).to_vec()];
    let told = Settings {
        publish_columns: BTreeMap::from([(school(), Publish::Hierarchy)]),
        hierarchies: BTreeMap::from([(school(), rows)]),
        coding: BTreeMap::from([(String::from("age"), Coding { bottom: None, top: Some(90.0) })]),
        ..settings()
    };
    let text = config::write(&Draft::of(&told).unwrap());
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["fields"][0]["lookalike"]["coding"], json!({ "top": 90.0 }));
    assert_eq!(file["fields"][1]["lookalike"]["publish"], "hierarchy");
    assert_eq!(file["fields"][1]["lookalike"]["hierarchy"][1], json!(["high; very", "*"]));
    assert!(file["lookalike"]["note"].as_str().unwrap().contains("values of the table"));
    assert_eq!(back(&told), told);
}

fn error(value: &Value) -> String {
    config::read(&value.to_string()).unwrap_err().to_string()
}

fn draft(value: &Value) -> Draft {
    config::read(&value.to_string()).unwrap().draft
}

#[test]
fn a_file_is_a_table_schema() {
    let text = config::write(&Draft::of(&settings()).unwrap());
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        file["fields"],
        json!([
            { "name": "age", "type": "integer",
              "lookalike": { "role": "quasi-identifier", "weight": 0.25, "missing": "value" } },
            { "name": "school", "type": "string",
              "lookalike": { "role": "quasi-identifier", "weight": 0.75, "order": ["low", "high, very"] } },
            { "name": "diagnosis", "lookalike": { "role": "sensitive" } },
            { "name": "ward", "lookalike": { "role": "keep" } },
            { "name": "cost", "lookalike": { "role": "unchanged" } },
        ])
    );
    assert_eq!(file["missingValues"], json!(["", "?", "NA", "N/A", "#N/A", "#NA", "null", "-", "NaN", "."]));
    let own = &file["lookalike"];
    assert_eq!(own["model"], json!({ "name": "m-invariance", "m": 3 }));
    assert_eq!(own["missing"], json!({ "quasi": "error", "sensitive": "drop" }));
    assert_eq!((&own["publish"], &own["budget"]), (&json!("set"), &json!({ "effort": 2.5 })));
    assert!(own["note"].as_str().unwrap().contains("holds values of the table"), "an order is values");
    assert!(!text.contains("seed"), "a seed is never written");
    let without = Settings { orders: BTreeMap::new(), ..settings() };
    let text = config::write(&Draft::of(&without).unwrap());
    assert!(text.contains("but no values of the table"));
    assert_eq!(back(&settings()), settings());
}

#[test]
fn a_method_stands_with_its_options() {
    let start = Some(Construction::GreedySearch(SortOrder::Snake));
    let told = Settings { method: Method::Annealing { start }, ..settings() };
    let text = config::write(&Draft::of(&told).unwrap());
    let file: Value = serde_json::from_str(&text).unwrap();
    let written = json!({ "name": "annealing", "start": { "name": "greedy-search", "order": "snake" } });
    assert_eq!(file["lookalike"]["method"], written);
    assert_eq!(back(&told), told);
    // As it was written before.
    let mut earlier = file;
    earlier["lookalike"]["method"] = json!("annealing");
    earlier["lookalike"]["search"] =
        json!({ "start": "greedy-search", "blocks": null, "swap_first": false, "order": "snake" });
    assert_eq!(draft(&earlier).complete(Some(7)).unwrap(), told);
    earlier["lookalike"]["search"]["blocks"] = json!(3);
    let why = error(&earlier);
    assert!(why.starts_with("lookalike.search: ") && why.contains("have blocks"), "{why}");
    earlier["lookalike"]["method"] = json!({ "name": "annealing", "blocks": 3 });
    earlier["lookalike"].as_object_mut().unwrap().remove("search");
    let why = error(&earlier);
    assert!(why.starts_with("lookalike.method: ") && why.contains("have blocks"), "{why}");
}

#[test]
fn values_to_change_are_values_of_the_table() {
    let plain = Settings::of(Model::MInvariance { m: 3 });
    let note =
        |changes: ChangeOptions| config::write(&Draft::of(&Settings { changes, ..plain.clone() }).unwrap());
    assert!(note(ChangeOptions::default()).contains("but no values of the table"));
    let prefer = vec![String::from("flu")];
    assert!(note(ChangeOptions { prefer, ..ChangeOptions::default() }).contains("This file holds values"));
    let mut costly = ChangeOptions::default();
    costly.costs.delete_of.insert(String::from("flu"), 2);
    assert!(note(costly).contains("This file holds values"));
}

#[test]
fn every_kind_comes_back() {
    let kinds = [
        Kind::Integer,
        Kind::Real,
        Kind::Number,
        Kind::Date,
        Kind::DateDmy,
        Kind::DateMdy,
        Kind::DateAs("%d %b %Y %H:%M".into()),
        Kind::DateAs("%b-%-d-%Y".into()),
        Kind::DateAs("%d.%m.%y from 1930".into()),
        Kind::Category,
        Kind::Ordinal,
    ];
    for kind in kinds {
        for name in ["age", "school"] {
            let with = Settings { kinds: BTreeMap::from([(name.to_owned(), kind.clone())]), ..settings() };
            assert_eq!(back(&with), with, "{kind:?} of {name}");
        }
    }
}

/// Other programs that read Frictionless read the format, too, where it is in the letters that they know.
#[test]
fn a_format_of_dates_is_written_as_the_standard_has_it() {
    let field = |format: &str| {
        let kinds = BTreeMap::from([(String::from("age"), Kind::DateAs(format.into()))]);
        let draft = Draft::of(&Settings { kinds, ..settings() }).unwrap();
        let file: Value = serde_json::from_str(&config::write(&draft)).unwrap();
        file["fields"].as_array().unwrap().iter().find(|field| field["name"] == "age").unwrap().clone()
    };
    let time = field("%d %b %Y %H:%M");
    assert_eq!((&time["type"], &time["format"]), (&json!("datetime"), &json!("%d %b %Y %H:%M")));
    assert_eq!(time["lookalike"]["kind"], Value::Null);
    assert_eq!(field("%B %d, %Y")["type"], "date");
    let century = field("%d.%m.%y from 1930");
    assert_eq!(
        (&century["type"], &century["lookalike"]["kind"]),
        (&json!("string"), &json!("date:%d.%m.%y from 1930"))
    );
}

#[test]
fn schemas_of_others_are_read() {
    let schema = json!({
        "$schema": "https://datapackage.org/profiles/2.0/tableschema.json",
        "fields": [
            { "name": " age ", "type": "integer", "title": "Age", "constraints": { "minimum": 0 } },
            { "name": "day", "type": "date", "format": "%d.%m.%Y" },
            { "name": "when", "type": "datetime" },
            { "name": "amount", "type": "number", "decimalChar": ",", "groupChar": "." },
            { "name": "price", "type": "number", "groupChar": "," },
            { "name": "other" },
            { "name": "clock", "type": "time" },
            { "name": "seen", "type": "datetime", "format": "%d %b %Y %H:%M" },
            { "name": "week", "type": "date", "format": "%Y-%W" },
            { "name": "month", "type": "yearmonth" },
        ],
        "missingValues": ["", { "value": "-", "label": "refused" }],
        "primaryKey": "age",
    });
    let loaded = config::read(&schema.to_string()).unwrap();
    assert_eq!(
        json!(loaded.draft.settings.kinds),
        json!({
            "age": "integer", "day": "date-dmy", "when": "date", "amount": "real", "price": "number",
            "seen": "date:%d %b %Y %H:%M", "month": "date"
        })
    );
    assert_eq!(json!(loaded.draft.settings.missing), json!({ "markers": ["", "-"] }));
    let notes: Vec<String> = loaded.notes.iter().map(ToString::to_string).collect();
    let notes = notes.join("\n");
    for ignored in [
        "$schema",
        "primaryKey",
        "fields[0].title",
        "fields[0].constraints",
        "fields[6].type",
        "fields[8].type",
    ] {
        assert!(notes.contains(ignored), "{ignored}: {notes}");
    }
    assert_eq!(loaded.draft.complete(None).unwrap_err().path, "model");
}

#[test]
fn what_is_wrong_is_named_with_its_path() {
    let with = |own: Value| json!({ "fields": [{ "name": "age", "lookalike": own }] });
    let schema = |own: Value| json!({ "fields": [], "lookalike": own });
    let cases = [
        (json!([]), "must be an object"),
        (json!({}), "fields: missing"),
        (json!({ "resources": [] }), "data package"),
        (json!({ "fields": {} }), "fields: must be a list"),
        (json!({ "fields": [7] }), "fields[0]: must be an object"),
        (json!({ "fields": [{ "type": "integer" }] }), "fields[0].name: missing"),
        (
            with(json!({ "rol": "sensitive" })),
            "fields[0].lookalike.rol: unknown property; known properties: role, missing, kind",
        ),
        (
            with(json!({ "role": "secret" })),
            "fields[0].lookalike.role: unknown value 'secret'; known values: identifier, ",
        ),
        (
            with(json!({ "kind": "colour" })),
            "fields[0].lookalike.kind: unknown value 'colour'; known values: integer, ",
        ),
        (
            with(json!({ "order": "low<high" })),
            "fields[0].lookalike.order: must be a list, not the text 'low<high'",
        ),
        (
            with(json!({ "weight": "much" })),
            "fields[0].lookalike.weight: must be a number, not the text 'much'",
        ),
        (
            with(json!({ "missing": "guess" })),
            "fields[0].lookalike.missing: unknown value 'guess'; known values: ",
        ),
        (
            json!({ "fields": [{ "name": "a", "missingValues": ["x"] }] }),
            "fields[0].missingValues: markers of one column",
        ),
        (
            json!({ "fields": [{ "name": "a", "type": "date" }, { "name": "a " }] }),
            "fields[1].name: \"a\" has a field",
        ),
        (
            json!({ "fields": [{ "name": "a", "lookalike": { "role": "sensitive" } },
                               { "name": "b", "lookalike": { "role": "sensitive" } }] }),
            "fields[1].lookalike.role: \"a\" is sensitive already",
        ),
        (json!({ "fields": [], "missingValues": "x" }), "missingValues: must be a list"),
        (json!({ "fields": [], "missingValues": ["", 3] }), "missingValues[1]: must be a text"),
        (
            schema(json!({ "modle": {} })),
            "lookalike.modle: unknown property; known properties: bound, budget, ",
        ),
        (schema(json!({ "model": { "name": "k-anonymity" } })), "lookalike.model: \"k\" is missing"),
        (schema(json!({ "seed": 1 })), "lookalike.seed: a seed does not belong here"),
        (schema(json!({ "version": 2 })), "lookalike.version: this program reads"),
        (schema(json!({ "quasi": ["a"] })), "lookalike.quasi: give a role in the column's field"),
        (schema(json!({ "weights": {} })), "lookalike.weights: give this in the column's field"),
        (schema(json!({ "missing": { "markers": [] } })), "lookalike.missing.markers: unknown property"),
        (schema(json!({ "missing": { "quasi": 1 } })), "lookalike.missing.quasi: must be "),
        (
            schema(json!({ "budget": { "effort": "long" } })),
            "lookalike.budget: must be a number, not the text 'long'",
        ),
        (
            schema(json!({ "budget": { "time": 1 } })),
            "lookalike.budget: unknown value 'time'; known values: ",
        ),
        (schema(json!({ "budget": 1.5 })), "lookalike.budget: must be "),
        (
            schema(json!({ "changes": { "costs": { "ad": 1 } } })),
            "lookalike.changes: \"ad\" is not known here; known here: ",
        ),
        (
            schema(json!({ "model": { "name": "k-anonymity", "k": -1 } })),
            "lookalike.model: must be a whole number of at least 0, not -1",
        ),
    ];
    for (value, expected) in cases {
        let found = error(&value);
        assert!(found.starts_with(expected) || found.contains(expected), "{value}: {found}");
    }
    let broken = config::read("{\n  \"fields\": [,]\n}").unwrap_err().to_string();
    assert!(broken.contains("line 2"), "{broken}");
}

#[test]
fn flags_go_before_the_file() {
    let file = Draft::of(&settings()).unwrap();
    let flags = draft(&json!({
        "fields": [
            { "name": "school", "lookalike": { "kind": "category", "missing": "drop" } },
            { "name": "zip", "lookalike": { "role": "quasi-identifier", "weight": 1.0 } },
        ],
        "lookalike": { "missing": { "quasi": "drop" }, "model": { "name": "k-anonymity", "k": 5 } },
    }));
    let found = flags.over(file).complete(None).unwrap();
    assert_eq!(found.quasi, ["zip"], "a list of roles is replaced");
    assert_eq!(found.weights, BTreeMap::from([(String::from("zip"), 1.0)]), "weights belong together");
    assert_eq!(found.kinds.len(), 2, "kinds are merged by column");
    assert_eq!(found.model, Model::KAnonymity { k: 5 });
    assert_eq!(found.missing.quasi, MissingPolicy::Drop);
    assert_eq!(found.missing.sensitive, MissingPolicy::Drop, "from the file");
    assert_eq!(found.missing.columns.len(), 2);
    assert_eq!(found.orders, BTreeMap::new(), "school is a category now");
}

#[test]
fn the_file_of_another_table_names_near_names() {
    let file = Draft::of(&settings()).unwrap();
    assert_eq!(file.check(&["ward", "age", "diagnosis", "school", "cost"]), Ok(()));
    let error = file.check(&["Age", "diagnoses", "school", "station", "cost"]).unwrap_err();
    let Fault::NoColumns { lacking } = &error.fault else { panic!("{error}") };
    assert_eq!(lacking[2], Lacking::Column { name: "ward".into(), near: Vec::new() });
    let found = error.to_string();
    assert!(
        found.contains("no columns \"age\" (near: \"Age\"), \"diagnosis\" (near: \"diagnoses\"), \"ward\":"),
        "{found}"
    );
}

/// What settings hold by column must be listed with the field's properties; a new map there fails here.
#[test]
fn what_is_held_by_column_stands_in_the_fields() {
    let minimal =
        Settings { kinds: BTreeMap::new(), orders: BTreeMap::new(), weights: BTreeMap::new(), ..settings() };
    let serialised = serde_json::to_value(minimal).unwrap();
    let maps: Vec<&String> = serialised
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, v)| **v == json!({}))
        .map(|(name, _)| name)
        .collect();
    assert!(maps.len() >= 3);
    for name in maps {
        let found = error(&json!({ "fields": [], "lookalike": { name: {} } }));
        assert!(found.contains("give this in the column's field"), "{name}: {found}");
    }
}

#[test]
fn identifiers_are_kept() {
    let value = json!({ "fields": [{ "name": "id", "lookalike": { "role": "identifier" } }] });
    let found = draft(&value);
    assert_eq!(found.roles(), [(String::from("id"), Role::Identifier)]);
    assert_eq!(config::read(&config::write(&found)).unwrap().draft, found);
}

prop_compose! {
    /// Names as a header may have them: spaces, quotes, letters of any script; never empty, never with white space around.
    fn names(most: usize)(names in prop::collection::btree_set("[a-zé=,;\"'\\\\<{} 数\u{1F600}]{1,8}", 1..most)) -> Vec<String> {
        let mut names: Vec<String> = names.iter().map(|n| format!("x{n}x")).collect();
        names.dedup();
        names
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn settings_come_back(
        names in names(8),
        roles in prop::collection::vec(0_u8..5, 8),
        kinds in prop::collection::vec(0_usize..8, 8),
        orders in prop::collection::vec(prop::collection::vec(".{0,6}", 2..4), 8),
        policies in prop::collection::vec(prop::sample::select(vec![MissingPolicy::Drop, MissingPolicy::Value, MissingPolicy::Error]), 8),
        weights in prop::collection::vec(0.0..1.0_f64, 8),
        markers in prop::collection::vec("[^ ]{0,3}", 0..4),
        m in 2_usize..9,
        seconds: bool,
    ) {
        let mut s = settings();
        (s.quasi, s.sensitive, s.keep, s.unchanged) = (Vec::new(), None, Vec::new(), Vec::new());
        s.conditions_of = BTreeMap::new();
        (s.kinds, s.orders, s.weights) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        s.missing.columns = BTreeMap::new();
        s.missing.markers = markers.iter().map(|m| m.trim().to_owned()).collect();
        s.model = if m % 2 == 0 { Model::KAnonymity { k: m } } else { Model::MInvariance { m } };
        s.budget = if seconds { Budget::Seconds(weights[0]) } else { Budget::Effort(weights[0]) };
        for (at, name) in names.iter().enumerate() {
            match roles[at] {
                0 => s.quasi.push(name.clone()),
                1 if s.sensitive.is_none() => s.sensitive = Some(name.clone()),
                1 | 2 => s.keep.push(name.clone()),
                3 => {
                    s.unchanged.push(name.clone());
                    s.conditions_of.insert(name.clone(), settings().conditions);
                }
                _ => {}
            }
            if at % 2 == 0 {
                s.weights.insert(name.clone(), weights[at]);
                s.missing.columns.insert(name.clone(), policies[at]);
            }
            if at % 3 == 0 {
                s.orders.insert(name.clone(), orders[at].clone());
            }
            let all = [Kind::Integer, Kind::Real, Kind::Number, Kind::Date, Kind::DateDmy, Kind::DateMdy, Kind::Category];
            if let Some(kind) = all.get(kinds[at]) {
                s.kinds.insert(name.clone(), kind.clone());
            }
        }
        prop_assert_eq!(back(&s), s);
    }

    #[test]
    fn reading_never_panics(text in ".{0,60}", noise in "\\PC{0,8}") {
        let _ = config::read(&text);
        let _ = config::read(&format!("{{\"fields\":[{{\"name\":\"a\",\"lookalike\":{noise}}}]}}"));
    }
}

/// A condition in the wrong place would be one that nobody keeps.
#[test]
fn what_a_guarantee_does_not_know_is_refused_where_it_stands() {
    for model in [
        r#"{"name": "k-anonymity", "k": 2, "conditions": [{"name": "frequency", "alpha": 0.5}]}"#,
        r#"{"name": "m-invariance", "m": 3, "k": 2}"#,
    ] {
        let text = format!(r#"{{"fields": [], "lookalike": {{"model": {model}}}}}"#);
        let why = lookalike_wire::config::read(&text).map(|_| ()).unwrap_err().to_string();
        assert!(why.contains("model"), "{why}");
    }
    let rule = r#"{"name": "min-size", "k": 2, "conditions": [{"name": "frequency", "alpha": 0.5}]}"#;
    assert!(serde_json::from_str::<lookalike_model::rule::Rule>(rule).is_err());
}
