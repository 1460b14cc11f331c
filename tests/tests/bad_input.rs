//! What cannot be anonymized is refused: a message that says what and where, the exit code, and nothing written.

use lookalike_tests::{
    program::{Folder, Run},
    tables::patients,
};

const OUTPUTS: [&str; 8] =
    ["-o", "out.csv", "--report", "report.json", "--private", "private.json", "--classes", "classes.csv"];

/// Runs `anonymize in.csv` with these flags and all outputs; it must end with this code and say all of this.
fn refused(csv: impl AsRef<[u8]>, flags: &str, code: i32, says: &[&str]) {
    let folder = Folder::new();
    folder.write("in.csv", csv);
    let mut args = vec!["anonymize", "in.csv"];
    args.extend(flags.split_whitespace());
    args.extend(OUTPUTS);
    let run = folder.run(&args);
    check(&run, code, says);
    assert_eq!(folder.names(), ["in.csv"], "something was left behind");
}

fn check(run: &Run, code: i32, says: &[&str]) {
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    for text in says {
        assert!(run.stderr.contains(text), "{text:?} is not in: {}", run.stderr);
    }
    assert!(run.stdout.is_empty(), "standard output is for results");
}

const M2: &str = "--quasi age,sex --sensitive disease --model m-invariance --m 2";
const K2: &str = "--quasi age,sex --model k-anonymity --k 2";

#[test]
fn empty_file() {
    refused("", M2, 2, &["the file is empty"]);
    refused(" \n\n", M2, 2, &["the file is empty"]);
}

#[test]
fn header_only() {
    refused("age,sex,disease\n", M2, 2, &["header", "no row of data"]);
}

#[test]
fn ragged_rows() {
    refused("age,sex,disease\n1,F,flu\n2,M\n3,F,HIV\n", M2, 2, &["row 2", "2 fields", "3 columns"]);
}

#[test]
fn duplicate_header_names() {
    refused("age,sex,age,disease\n1,F,1,flu\n2,M,2,HIV\n", M2, 2, &["age", "columns 1 and 3"]);
}

/// The later one gets a number, which is said, and stated in the report where its column is published.
#[test]
fn duplicate_header_names_are_numbered_on_demand() {
    let folder = Folder::new();
    folder.write("in.csv", "age,sex,age,disease\n1,F,10,flu\n2,M,20,HIV\n3,F,30,flu\n4,M,40,HIV\n");
    let number = ["--duplicate-names", "number", "--seed", "1", "--effort", "1"];
    let told = |quasi: &str| {
        let args =
            ["anonymize", "in.csv", "--quasi", quasi, "--sensitive", "disease", "--model", "m-invariance"];
        let run = folder.run(&[&args[..], &["--m", "2"], &number, &OUTPUTS].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stderr.contains("column 3 is called \"age_2\" here"), "{}", run.stderr);
        (folder.text("out.csv"), folder.json("report.json")["warnings"].to_string())
    };
    let (table, warnings) = told("age_2,sex");
    assert!(table.starts_with("sex,age_2,disease"), "{table}");
    assert!(warnings.contains("is called \\\"age\\\" in the file"), "{warnings}");
    let (table, warnings) = told("age,sex");
    assert!(!table.contains("age_2") && !warnings.contains("in the file"), "{warnings}");
}

#[test]
fn blank_header_name() {
    refused("age,,disease\n1,F,flu\n2,M,HIV\n", M2, 2, &["column 2", "no name"]);
}

#[test]
fn bytes_that_are_no_text() {
    let flags = format!("{M2} --encoding utf-8");
    refused(b"age,sex,disease\n1,F,flu\n2,M,na\xefve\n", &flags, 2, &["row 2", "column 3", "UTF-8"]);
}

#[test]
fn unknown_column_in_a_flag() {
    let table = patients(20);
    refused(
        &table,
        "--quasi age,salary --sensitive disease --model m-invariance --m 2",
        2,
        &["\"salary\"", "\"zip\""],
    );
    refused(&table, "--quasi age --sensitive illness --model m-invariance --m 2", 2, &["\"illness\""]);
    refused(&table, &format!("{M2} --keep height"), 2, &["\"height\""]);
    refused(&table, &format!("{M2} --kind height=number"), 2, &["\"height\""]);
    refused(&table, &format!("{M2} --weights age=0.5,height=0.5"), 2, &["\"height\""]);
}

#[test]
fn nearly_numeric_quasi_identifier() {
    refused(with_age("about 40"), M2, 2, &["\"age\"", "row 7:", "about 40", "not a finite number"]);
}

#[test]
fn text_where_numbers_are_declared() {
    refused(
        patients(20),
        &format!("{M2} --kind sex=number"),
        2,
        &["\"sex\"", "row 1:", "not a finite number"],
    );
}

/// A table whose cell in row 7, column `age`, is this.
fn with_age(cell: &str) -> String {
    let table = patients(20);
    let mut lines: Vec<String> = table.lines().map(String::from).collect();
    let mut cells: Vec<&str> = lines[7].split(',').collect();
    cells[1] = cell;
    lines[7] = cells.join(",");
    lines.join("\n") + "\n"
}

#[test]
fn nan() {
    // A gap, which is said to be one; where it is no marker, it is no number either.
    refused(with_age("NaN"), M2, 2, &["\"age\"", "row 7", "is missing in 1 of 20 rows"]);
    let marked = "--missing ? --quasi age,sex --sensitive disease --model m-invariance --m 2";
    refused(with_age("NaN"), marked, 2, &["\"age\"", "row 7", "NaN", "finite"]);
}

#[test]
fn infinity() {
    refused(with_age("inf"), M2, 2, &["\"age\"", "row 7", "inf", "finite"]);
    refused(with_age("1e999"), M2, 2, &["\"age\"", "row 7", "1e999", "finite"]);
}

#[test]
fn numbers_too_large_to_be_squared() {
    refused(with_age("1e308"), M2, 2, &["\"age\""]);
}

#[test]
fn role_given_twice() {
    let table = patients(20);
    refused(
        &table,
        "--quasi age,age --sensitive disease --model m-invariance --m 2",
        2,
        &["\"age\"", "twice"],
    );
    refused(
        &table,
        "--quasi age,disease --sensitive disease --model m-invariance --m 2",
        2,
        &["\"disease\"", "a quasi-identifier", "the sensitive column"],
    );
    refused(&table, &format!("{M2} --keep age"), 2, &["\"age\"", "a column to keep"]);
}

#[test]
fn two_sensitive_columns() {
    let table = patients(20);
    refused(
        &table,
        "--quasi age --sensitive disease,zip --model m-invariance --m 2",
        2,
        &["two sensitive columns", "disease, zip"],
    );
    refused(
        &table,
        "--quasi age --sensitive disease --sensitive zip --model m-invariance --m 2",
        2,
        &["--sensitive"],
    );
}

#[test]
fn no_sensitive_column() {
    refused(patients(20), "--quasi age --model m-invariance --m 2", 2, &["--sensitive"]);
}

#[test]
fn fewer_values_than_m() {
    let flags = "--quasi age --sensitive disease --model m-invariance --m 8";
    for repair in ["error", "add", "delete", "hybrid"] {
        refused(
            patients(21),
            &format!("{flags} --eligibility {repair}"),
            3,
            &["only 7 distinct sensitive values", "m is 7"],
        );
    }
}

#[test]
fn a_value_that_is_too_frequent() {
    let table = patients(21).replace("asthma", "flu");
    refused(
        table,
        "--quasi age --sensitive disease --model m-invariance --m 4",
        3,
        &["\"flu\" is held by", "6 of 21", "m = 4"],
    );
}

#[test]
fn m_below_two() {
    for m in ["0", "1"] {
        refused(
            patients(20),
            &format!("--quasi age --sensitive disease --model m-invariance --m {m}"),
            2,
            &["m must be at least 2"],
        );
    }
    refused(patients(20), "--quasi age --sensitive disease --model m-invariance --m -3", 2, &["-3"]);
}

#[test]
fn k_below_two() {
    refused(patients(20), "--quasi age --model k-anonymity --k 1", 2, &["k must be at least 2"]);
}

#[test]
fn k_above_n() {
    refused(patients(20), "--quasi age --model k-anonymity --k 21", 3, &["k = 21", "20"]);
}

#[test]
fn all_rows_dropped() {
    let table = "age,sex,disease\n,F,flu\n,M,HIV\n";
    refused(table, &format!("{M2} --missing-quasi drop"), 3, &["no row is left", "all 2"]);
}

#[test]
fn missing_values_without_a_policy() {
    let table = with_age("?");
    refused(&table, M2, 2, &["\"age\"", "row 7", "--missing-quasi"]);
    let table = patients(20).replace("HIV", "NA");
    refused(&table, M2, 2, &["\"disease\"", "row 4", "--missing-sensitive"]);
}

#[test]
fn weights_that_are_none() {
    let table = patients(20);
    refused(&table, &format!("{M2} --weights age=0.9,sex=0.2"), 2, &["sum"]);
    refused(&table, &format!("{M2} --weights age=1.5,sex=-0.5"), 2, &["\"sex\"", "-0.5"]);
    refused(&table, &format!("{M2} --weights age=1"), 2, &["\"sex\"", "no weight"]);
    refused(&table, &format!("{M2} --weights age=heavy,sex=1"), 2, &["\"age\"", "heavy"]);
    refused(&table, &format!("{M2} --weights age=1,age=0"), 2, &["age", "twice"]);
}

#[test]
fn flags_that_contradict() {
    let table = patients(20);
    refused(&table, &format!("{M2} --effort 1 --time-limit 2s"), 2, &["--effort", "--time-limit"]);
    refused(&table, &format!("{M2} --k 3"), 2, &["--m"]);
    refused(&table, &format!("{K2} --m 3"), 2, &["--k"]);
    refused(&table, &format!("{K2} --eligibility add"), 2, &["--eligibility"]);
    refused(&table, &format!("{M2} --threads 0"), 2, &["--threads"]);
    refused(&table, &format!("{M2} --effort -1"), 2, &["-1"]);
    refused(&table, &format!("{M2} --effort NaN"), 2, &["effort"]);
    refused(&table, &format!("{M2} --time-limit soon"), 2, &["soon"]);
    refused(&table, "--quasi age --sensitive disease --model m-invariance", 2, &["--m"]);
}

#[test]
fn flags_of_other_days_are_refused_not_ignored() {
    let table = patients(20);
    for flag in [
        "--loss entropy",
        "--method k-means",
        "--model l-diversity",
        "--signatures smallest",
        "--private-key x",
    ] {
        refused(&table, &format!("{M2} {flag}"), 2, &[flag.split(' ').next().unwrap()]);
    }
}

#[test]
fn no_such_input() {
    let folder = Folder::new();
    let mut args = vec!["anonymize", "none.csv"];
    args.extend(M2.split(' '));
    args.extend(OUTPUTS);
    check(&folder.run(&args), 4, &["none.csv"]);
    assert!(folder.names().is_empty());
}

/// Runs with one output path that cannot be.
/// A file that never ends is refused after 64 MB, where small ones are expected, whatever memory there is.
#[cfg(unix)]
#[test]
fn files_that_never_end_are_refused() {
    for flag in ["--config", "--hierarchy zip="] {
        let table = "zip,age,disease\n1,2,x\n1,3,y\n";
        let flags = format!("--quasi zip,age --sensitive disease --model k-anonymity --k 2 {flag}");
        let flags =
            if flag.ends_with('=') { format!("{flags}/dev/zero") } else { format!("{flags} /dev/zero") };
        refused(table, &flags, 4, &["/dev/zero", "file too large"]);
    }
}

fn unwritable(flags: &[&str], code: i32, says: &[&str]) {
    let folder = Folder::new();
    folder.write("in.csv", patients(2000));
    folder.write("folder/kept", "");
    let mut args = vec!["anonymize", "in.csv"];
    args.extend(M2.split(' '));
    // It must fail before the search: this one would outlast the test.
    args.extend(["--time-limit", "1h"]);
    args.extend(flags);
    check(&folder.run(&args), code, says);
    assert_eq!(folder.names(), ["folder", "in.csv"]);
}

#[test]
fn unwritable_output() {
    unwritable(&["-o", "none/out.csv"], 4, &["none"]);
    unwritable(&["-o", "folder"], 4, &["folder"]);
    unwritable(&["-o", "in.csv/out.csv"], 4, &["in.csv"]);
    unwritable(&["-o", "out.csv", "--classes", "none/classes.csv"], 4, &["none"]);
    #[cfg(unix)]
    unwritable(&["-o", "/dev/null"], 4, &["not a regular file"]);
}

#[test]
fn one_file_for_two_things() {
    unwritable(&["-o", "in.csv"], 2, &["in.csv", "the input"]);
    unwritable(&["-o", "./folder/../in.csv"], 2, &["the input"]);
    unwritable(&["-o", "out.csv", "--report", "./out.csv"], 2, &["out.csv", "another output"]);
}

/// The shell limits the size of files to a few kilobytes: writing fails half-way, as on a full disk.
#[cfg(unix)]
#[test]
fn disk_full() {
    let folder = Folder::new();
    folder.write("in.csv", patients(2000));
    folder.write("out.csv", "old");
    let line = format!(
        "trap '' XFSZ; ulimit -f 8; exec \"$0\" anonymize in.csv {M2} --effort 0 -o out.csv --classes classes.csv"
    );
    let mut command = std::process::Command::new("sh");
    command.arg("-c").arg(line).arg(lookalike_tests::program::binary()).current_dir(folder.path());
    check(&Run::from(command.output().unwrap()), 4, &["cannot write"]);
    assert_eq!(folder.names(), ["in.csv", "out.csv"]);
    assert_eq!(folder.text("out.csv"), "old");
}

#[test]
fn eligibility_of_bad_input() {
    let folder = Folder::new();
    folder.write("in.csv", patients(20).replace("HIV", "?"));
    let run = |args: &str| folder.run(&args.split(' ').collect::<Vec<_>>());
    check(&run("eligibility in.csv --sensitive illness"), 2, &["\"illness\"", "\"disease\""]);
    check(
        &run("eligibility in.csv --sensitive disease"),
        2,
        &["\"disease\"", "row 4", "--missing-sensitive"],
    );
    check(
        &run("eligibility in.csv --sensitive disease --missing-sensitive drop --m 1..3"),
        2,
        &["at least 2"],
    );
    folder.write("same.csv", "disease\nflu\nflu\n");
    check(&run("eligibility same.csv --sensitive disease"), 3, &["has one value only, in all 2 rows"]);
    folder.write("empty.csv", "");
    check(&run("eligibility empty.csv --sensitive disease"), 2, &["empty"]);
}

/// Excel's line that names the delimiter, from a file and from standard input.
#[test]
fn a_first_line_that_names_the_delimiter_is_no_row() {
    let folder = Folder::new();
    folder.write("in.csv", "sep=;\r\nage;d\r\n30;flu, A\r\n31;cold, B\r\n");
    for input in ["in.csv", "-"] {
        let file = std::fs::File::open(folder.file("in.csv")).unwrap();
        let told = folder.command(["describe", input, "--json"]).stdin(file).output().unwrap();
        let said = String::from_utf8(told.stderr).unwrap();
        assert!(said.contains("delimiter: semicolon, as the first line (sep=;) says"), "{said}");
        let told: serde_json::Value = serde_json::from_slice(&told.stdout).unwrap();
        assert_eq!((&told["rows"], &told["columns"][1]["name"]), (&2.into(), &"d".into()));
    }
}

/// `-` is standard output for the release, and for nothing else.
#[test]
fn a_hyphen_is_standard_output() {
    let folder = Folder::new();
    folder.write("in.csv", "age,d\n30,flu\n31,HIV\n32,flu\n33,HIV\n34,flu\n35,HIV\n");
    let line = "anonymize in.csv --quasi age --sensitive d --model m-invariance --m 2 --effort 0.1 --seed 1";
    let base: Vec<&str> = line.split(' ').collect();
    let out = folder.succeed(&[&base[..], &["-o", "-"]].concat());
    assert_eq!(out.stdout, folder.succeed(&base).stdout);
    assert!(out.stdout.starts_with(b"age,d,class\n"));
    for flag in ["--report", "--private", "--classes", "--save-config"] {
        let refused = folder.run(&[&base[..], &[flag, "-"]].concat());
        assert_eq!(refused.code, Some(2), "{flag}: {}", refused.stderr);
        assert!(refused.stderr.contains("- is standard output"), "{}", refused.stderr);
    }
    assert_eq!(folder.names(), ["in.csv"]);
}

#[test]
fn a_population_is_no_smaller_than_its_sample() {
    let folder = Folder::new();
    folder.write("in.csv", "age\n1\n1\n1\n");
    let ask = |people| {
        folder.run(&[
            "check",
            "in.csv",
            "--quasi",
            "age",
            "--model",
            "k-anonymity",
            "--k",
            "2",
            "--population",
            people,
        ])
    };
    assert_eq!(ask("3").code, Some(0));
    let refused = ask("2");
    assert_eq!(refused.code, Some(2));
    assert!(
        refused.stderr.contains("a population of 2 people is smaller than the table of 3 rows"),
        "{}",
        refused.stderr
    );
}
