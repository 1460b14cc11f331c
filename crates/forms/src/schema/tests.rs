use super::*;

const CSV: &[u8] =
    b"age,zip,born,city; state,weight\n18,01067,2001-02-03,\"a \"\"b\"\"\",0.5\n-20,10115,,c;d,12.25\n";

fn of(form: SchemaForm) -> String {
    let described = [
        Described { column: "age".into(), label: "Age \"now\"".into(), codes: false, weight: false },
        Described { column: "city; state".into(), label: "Where".into(), codes: true, weight: false },
    ];
    String::from_utf8(schema(form, ("out \"1\".csv", CSV, Dialect::PLAIN), &described).unwrap()).unwrap()
}

#[test]
fn a_table_schema_has_names_types_and_descriptions() {
    let schema: serde_json::Value = serde_json::from_str(&of(SchemaForm::TableSchema)).unwrap();
    let fields: Vec<_> = schema["fields"].as_array().unwrap().iter().collect();
    let types: Vec<_> = fields.iter().map(|field| field["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["integer", "string", "date", "string", "number"]);
    assert_eq!(fields[0]["description"], "Age \"now\"");
    assert_eq!(fields[3]["name"], "city; state");
    assert_eq!(schema["missingValues"], serde_json::json!([""]));
}

#[test]
fn a_syntax_of_spss_names_each_column_once() {
    let syntax = of(SchemaForm::Spss);
    let variables = "  /VARIABLES=\n    age F3.0\n    zip A5\n    born SDATE10\n    v4_city__statex A5\n    weight F5.2\n  .\n";
    assert!(syntax.contains(variables), "{syntax}");
    assert!(syntax.contains("  /FILE=\"out \"\"1\"\".csv\"\n"), "{syntax}");
    assert!(
        syntax.contains("  age \"Age \"\"now\"\"\"\n  /v4_city__statex \"city; state: Where\"\n"),
        "{syntax}"
    );
}

#[test]
fn a_do_file_reads_texts_and_makes_numbers_and_days_of_them() {
    let file = of(SchemaForm::Stata);
    assert!(
        file.contains("import delimited age zip born v4_city__state weight using `\"out \"1\".csv\"', clear"),
        "{file}"
    );
    for line in ["destring age, replace", "date(born, \"YMD\")", "label variable age `\"Age \"now\"\"'"] {
        assert!(file.contains(line), "{line}: {file}");
    }
    assert!(!file.contains("destring zip"), "{file}");
}

#[test]
fn cells_of_several_lines_are_refused_where_a_program_would_cut_them() {
    let csv = (&b"a,b\n1,\"x\ny\"\n"[..], Dialect::PLAIN);
    for form in [SchemaForm::Spss, SchemaForm::Stata] {
        let refused = schema(form, ("out.csv", csv.0, csv.1), &[]);
        assert_eq!(refused, Err(SchemaFault::LineEnd { form, column: 2 }));
    }
    assert!(schema(SchemaForm::TableSchema, ("out.csv", csv.0, csv.1), &[]).is_ok());
}

/// What a program with numbers of floating point and a calendar of its own would read as something else stays a text.
#[test]
fn numbers_and_days_that_would_be_others_are_texts() {
    let csv =
        b"id,born,old,day_0\n9007199254740993,1500-02-03,0001-01-01,2001-01-01\n1,1600-01-01,2000-01-01,\n";
    let of = |form| String::from_utf8(schema(form, ("out.csv", csv, Dialect::PLAIN), &[]).unwrap()).unwrap();
    let spss = of(SchemaForm::Spss);
    assert!(spss.contains("    id A16\n    born A10\n    old A10\n    day_0 SDATE10\n"), "{spss}");
    let stata = of(SchemaForm::Stata);
    assert!(!stata.contains("destring id") && !stata.contains("date(old"), "{stata}");
    assert!(
        stata.contains("generate long day_1 = date(born") && stata.contains("rename day_1 day_0"),
        "{stata}"
    );
    let plain: serde_json::Value = serde_json::from_str(&of(SchemaForm::TableSchema)).unwrap();
    let types: Vec<_> =
        plain["fields"].as_array().unwrap().iter().map(|field| field["type"].clone()).collect();
    assert_eq!(types, ["integer", "date", "date", "date"]);
}

#[test]
fn a_label_does_not_end_its_quotes() {
    let said =
        Described { column: "a".into(), label: "Why \"now\"'s `x' $y".into(), codes: false, weight: false };
    let file = schema(SchemaForm::Stata, ("out.csv", b"a\n1\n", Dialect::PLAIN), &[said]).unwrap();
    let file = String::from_utf8(file).unwrap();
    assert!(file.contains("label variable a `\"Why \"now\" 's \\`x' \\$y\"'\n"), "{file}");
}
