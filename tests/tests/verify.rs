//! `lookalike verify`: what a manifest ties together, and every way in which files may be others.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests: a failure here is a failed test")]

use std::process::Command;

use lookalike_tests::program::{Folder, Run};
use serde_json::Value;

const FILES: [&str; 6] =
    ["out.csv", "report.json", "private.json", "statement.html", "certificate.json", "classes.csv"];

/// A run with all its files.
fn run(folder: &Folder, more: &[&str]) -> Run {
    folder.write("in.csv", lookalike_tests::tables::patients(60));
    let flags = [
        "anonymize",
        "in.csv",
        "--quasi",
        "age,sex",
        "--model",
        "k-anonymity",
        "--k",
        "3",
        "--effort",
        "1",
        "-o",
        "out.csv",
        "--report",
        "report.json",
        "--private",
        "private.json",
        "--statement",
        "statement.html",
        "--certificate",
        "certificate.json",
        "--classes",
        "classes.csv",
        "--manifest",
        "manifest.json",
    ];
    folder.succeed(&[&flags[..], more].concat())
}

/// What is found, by its worth.
fn found(folder: &Folder, flags: &[&str]) -> (Option<i32>, Vec<(String, String)>) {
    let run = folder.run(&[&["verify", "manifest.json", "--json"], flags].concat());
    let findings: Value = serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{run:?}"));
    let text = |finding: &Value| {
        let id = finding["finding"]["id"].as_str().unwrap_or_else(|| panic!("{finding}"));
        (finding["worth"].as_str().unwrap().to_owned(), id.trim_start_matches("worker.Finding.").to_owned())
    };
    (run.code, findings["findings"].as_array().unwrap().iter().map(text).collect())
}

fn of<'a>(found: &'a [(String, String)], worth: &str) -> Vec<&'a str> {
    found.iter().filter(|(of, _)| of == worth).map(|(_, what)| what.as_str()).collect()
}

#[test]
fn all_that_a_run_states_is_proven_from_its_files_and_its_source() {
    let folder = Folder::new();
    run(&folder, &[]);
    let (code, found) = found(&folder, &["--source", "in.csv"]);
    assert_eq!(code, Some(0));
    let proven = ["Own", "Own", "Own", "Own", "Own", "Own", "Code", "Report", "Source", "Audited", "Bound"];
    assert_eq!(of(&found, "proven"), proven);
    assert_eq!(of(&found, "claimed"), ["Made", "Here", "Figures"]);
    assert_eq!(of(&found, "unknown"), ["Unsigned"]);
    assert_eq!(of(&found, "false"), [""; 0]);
    // The paper has the same code.
    let code = folder.json("manifest.json")["code"].as_str().unwrap().to_owned();
    assert!(folder.text("statement.html").contains(&code), "{code}");
    // In words, and the manifest names no person, no value and no folder.
    let said = String::from_utf8(folder.run(&["verify", "manifest.json"]).stdout).unwrap();
    assert!(said.starts_with("proven, from the files that are here\n"), "{said}");
    assert!(said.contains("out.csv is the published table of this run, byte for byte"), "{said}");
    assert!(said.contains("\nunknown\n"), "{said}");
    let manifest = folder.text("manifest.json");
    let place = folder.path().display().to_string();
    for private in ["seed", "in.csv", place.as_str()] {
        assert!(!manifest.contains(private), "{private}: {manifest}");
    }
}

/// A value that was exchanged between two classes leaves the guarantee as it is: the source and the table of classes show it.
#[test]
fn sensitive_values_that_are_not_those_of_the_source_are_false() {
    use lookalike_core::digest::sha256;

    let folder = Folder::new();
    run(&folder, &["--sensitive", "disease"]);
    let (code, proven) = found(&folder, &["--source", "in.csv"]);
    assert_eq!(code, Some(0), "{proven:?}");
    assert!(of(&proven, "proven").contains(&"Values"), "{proven:?}");
    let said = folder.succeed(&["verify", "manifest.json", "--source", "in.csv"]);
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(
        said.contains("the cells of the release that are not sensitive values come from this source"),
        "{said}"
    );
    // Without the source nothing is said of them, and all cells are a claim.
    let (_, alone) = found(&folder, &[]);
    assert!(alone.iter().all(|(_, what)| !what.contains("Values")), "{alone:?}");
    let whole = folder.text("out.csv");
    let first: Vec<&str> = whole.lines().nth(1).unwrap().rsplitn(3, ',').collect();
    let row = |(at, line): (usize, &str)| {
        let changed = line.replace(&format!(",{},", first[1]), ",another,");
        if at == 1 { changed } else { line.to_owned() }
    };
    let other = whole.lines().enumerate().map(row).collect::<Vec<_>>().join("\n") + "\n";
    assert_ne!(other, whole);
    let manifest = folder.text("manifest.json");
    folder.write("manifest.json", manifest.replace(&sha256(whole.as_bytes()), &sha256(other.as_bytes())));
    folder.write("out.csv", other);
    let (code, forged) = found(&folder, &["--source", "in.csv"]);
    assert_eq!(code, Some(1), "{forged:?}");
    assert!(of(&forged, "false").contains(&"OtherValues"), "{forged:?}");
}

#[test]
fn a_changed_byte_of_any_file_is_false() {
    let folder = Folder::new();
    run(&folder, &[]);
    for file in FILES {
        let whole = folder.read(file);
        let mut other = whole.clone();
        let at = other.len() / 2;
        other[at] ^= 1;
        folder.write(file, &other);
        let (code, found) = found(&folder, &[]);
        assert_eq!(code, Some(1), "{file}");
        assert_eq!(of(&found, "false"), ["Other"], "{file}");
        assert!(of(&found, "proven").iter().filter(|what| **what == "Own").count() == FILES.len() - 1);
        std::fs::remove_file(folder.file(file)).unwrap();
        let (code, found) = self::found(&folder, &[]);
        assert_eq!(code, Some(0), "{file} is not there");
        assert!(of(&found, "unknown").contains(&"NotThere"), "{found:?}");
        folder.write(file, whole);
    }
}

#[test]
fn what_is_false_in_the_files_themselves_shows_although_their_digests_are_the_manifests() {
    use lookalike_core::digest::sha256;

    let folder = Folder::new();
    run(&folder, &[]);
    // Somebody who can write all files: a table with a class of one, a report about another table, a bound that nothing
    // reaches; and a manifest with their digests.
    let forge = |file: &str, change: &dyn Fn(&str) -> String| {
        let (whole, manifest) = (folder.text(file), folder.text("manifest.json"));
        let other = change(&whole);
        assert_ne!(other, whole, "{file}");
        let known = manifest.replace(&sha256(whole.as_bytes()), &sha256(other.as_bytes()));
        assert_ne!(known, manifest, "{file}");
        folder.write(file, other);
        folder.write("manifest.json", known);
        let (code, found) = found(&folder, &["--source", "in.csv"]);
        folder.write(file, whole);
        folder.write("manifest.json", manifest);
        assert_eq!(code, Some(1), "{file}");
        of(&found, "false").join(" ")
    };
    let lonely = |text: &str| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.push("99,F,lonely");
        lines.join("\n") + "\n"
    };
    assert_eq!(forge("out.csv", &lonely), "OtherCode OtherReport AuditFailed");
    let other_table = |text: &str| {
        let mut report: Value = serde_json::from_str(text).unwrap();
        report["table_sha256"] = "0".repeat(64).into();
        report.to_string()
    };
    assert_eq!(forge("report.json", &other_table), "OtherCode OtherReport");
    let too_good = |text: &str| {
        let mut report: Value = serde_json::from_str(text).unwrap();
        report["objective"]["value"] = 1e-6.into();
        report.to_string()
    };
    assert_eq!(forge("report.json", &too_good), "OtherCode BelowBound");
    let better = |text: &str| {
        let mut certificate: Value = serde_json::from_str(text).unwrap();
        certificate["bound"] = (certificate["bound"].as_f64().unwrap() * 2.0 + 1.0).into();
        certificate.to_string()
    };
    assert_eq!(forge("certificate.json", &better), "NoBound");
    let other_source = |text: &str| {
        let mut private: Value = serde_json::from_str(text).unwrap();
        private["source"]["sha256"] = "0".repeat(64).into();
        private.to_string()
    };
    assert_eq!(forge("private.json", &other_source), "OtherSalt");
    // A bound in the report that its certificate does not prove is a claim.
    let bold = |text: &str| {
        let mut report: Value = serde_json::from_str(text).unwrap();
        report["bound"]["value"] = (report["bound"]["value"].as_f64().unwrap() * 2.0 + 1.0).into();
        report.to_string()
    };
    let (whole, manifest) = (folder.text("report.json"), folder.text("manifest.json"));
    let other = bold(&whole);
    folder.write("manifest.json", manifest.replace(&sha256(whole.as_bytes()), &sha256(other.as_bytes())));
    folder.write("report.json", other);
    let (_, found) = found(&folder, &["--source", "in.csv"]);
    assert!(of(&found, "claimed").contains(&"StatedBound"), "{found:?}");
}

#[test]
fn another_source_and_foreign_files_are_told_from_the_runs() {
    let folder = Folder::new();
    run(&folder, &[]);
    folder.write("other.csv", lookalike_tests::tables::patients(61));
    let (code, found) = found(&folder, &["--source", "other.csv"]);
    assert_eq!((code, of(&found, "false")), (Some(1), vec!["OtherSource", "NoBound"]));
    let foreign = folder.run(&["verify", "manifest.json", "other.csv"]);
    assert_eq!(foreign.code, Some(2));
    assert!(foreign.stderr.contains("names no file like other.csv"), "{}", foreign.stderr);
    folder.write("none.json", "{}");
    assert_eq!(folder.run(&["verify", "none.json"]).code, Some(2));
    folder.write("newer.json", r#"{"manifest": 2}"#);
    let newer = folder.run(&["verify", "newer.json"]);
    assert!(newer.stderr.contains("version 2"), "{}", newer.stderr);
}

/// A key made by OpenSSH; nothing where it is not there.
fn key(folder: &Folder, name: &str, kind: &str, passphrase: &str) -> Option<()> {
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", kind, "-N", passphrase, "-C", name, "-f", &folder.file(name)])
        .output();
    made.inspect_err(|why| eprintln!("skipped: no ssh-keygen ({why})"))
        .ok()
        .map(|made| assert!(made.status.success()))
}

#[test]
fn a_signature_is_one_of_openssh_in_both_directions() {
    let folder = Folder::new();
    let Some(()) = key(&folder, "officer", "ed25519", "") else { return };
    key(&folder, "somebody", "ed25519", "").unwrap();
    run(&folder, &["--sign-key", "officer"]);
    assert_eq!(found(&folder, &[]).1[0].1, "Somebody");
    assert_eq!(found(&folder, &["--signer", "officer.pub"]).1[0].1, "Signed");
    let stranger = found(&folder, &["--signer", "somebody.pub"]);
    assert_eq!((stranger.0, stranger.1[0].1.as_str()), (Some(1), "Stranger"));
    // OpenSSH reads ours.
    folder.write("allowed", format!("dpo@hospital {}", folder.text("officer.pub")));
    let input = std::fs::File::open(folder.file("manifest.json")).unwrap();
    let theirs = Command::new("ssh-keygen")
        .args([
            "-Y",
            "verify",
            "-f",
            "allowed",
            "-I",
            "dpo@hospital",
            "-n",
            "lookalike-manifest",
            "-s",
            "manifest.json.sig",
        ])
        .current_dir(folder.path())
        .stdin(input)
        .output()
        .unwrap();
    assert!(theirs.status.success(), "{theirs:?}");
    // And we read theirs.
    std::fs::remove_file(folder.file("manifest.json.sig")).unwrap();
    let signed = Command::new("ssh-keygen")
        .args(["-Y", "sign", "-f", "officer", "-n", "lookalike-manifest", "manifest.json"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(signed.status.success(), "{signed:?}");
    assert_eq!(found(&folder, &["--signer", "allowed"]).1[0].1, "Signed");
    // A manifest that was changed after it was signed.
    let changed = folder.text("manifest.json").replace("\"made\": \"20", "\"made\": \"19");
    folder.write("manifest.json", changed);
    let broken = found(&folder, &["--signer", "allowed"]);
    assert_eq!((broken.0, broken.1[0].1.as_str()), (Some(1), "Broken"));
    // Asked for and not there.
    std::fs::remove_file(folder.file("manifest.json.sig")).unwrap();
    let missing = found(&folder, &["--signer", "allowed"]);
    assert_eq!((missing.0, missing.1[0].1.as_str()), (Some(1), "Unsigned"));
}

#[test]
fn keys_that_are_of_no_use_are_named_before_a_search() {
    let folder = Folder::new();
    let Some(()) = key(&folder, "locked", "ed25519", "five random words are hard") else { return };
    key(&folder, "rsa", "rsa", "").unwrap();
    folder.write("in.csv", lookalike_tests::tables::patients(30));
    folder.write("none", "no key");
    for (name, why) in
        [("locked", "has a passphrase"), ("rsa", "of the kind"), ("none", "is not an OpenSSH private key")]
    {
        let flags = [
            "anonymize",
            "in.csv",
            "--quasi",
            "age,sex",
            "--model",
            "k-anonymity",
            "--k",
            "3",
            "-o",
            "out.csv",
        ];
        let run = folder.run(&[&flags[..], &["--manifest", "manifest.json", "--sign-key", name]].concat());
        assert_eq!(run.code, Some(2), "{name}");
        assert!(run.stderr.contains(why), "{name}: {}", run.stderr);
        assert!(!folder.path().join("out.csv").exists() && !folder.path().join("manifest.json").exists());
    }
}

#[test]
fn a_release_of_a_series_names_its_ledger_also_a_sealed_one() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_tests::tables::patients(60));
    folder.write("secret", "five random words are hard\n");
    let flags = [
        "republish",
        "in.csv",
        "--begin",
        "--ledger",
        "ledger.json",
        "--id",
        "id",
        "--mode",
        "m-invariance",
        "--quasi",
        "age,sex",
        "--sensitive",
        "disease",
        "--m",
        "2",
        "--effort",
        "0",
        "-o",
        "out.csv",
        "--report",
        "report.json",
        "--manifest",
        "manifest.json",
        "--passphrase-file",
        "secret",
    ];
    folder.succeed(&flags);
    let (code, found) = found(&folder, &[]);
    assert_eq!(code, Some(0), "{found:?}");
    assert!(of(&found, "unknown").contains(&"Sealed"), "{found:?}");
    let (code, found) = self::found(&folder, &["--passphrase-file", "secret"]);
    assert_eq!(code, Some(0), "{found:?}");
    assert_eq!(of(&found, "proven").iter().filter(|what| **what == "Own").count(), 3, "{found:?}");
    assert!(of(&found, "proven").contains(&"Audited"), "{found:?}");
}

/// A manifest that nobody has signed can ask for less than the report was made for: that is seen.
#[test]
fn a_configuration_that_asks_for_less_than_the_report_is_false() {
    let folder = Folder::new();
    let _ = run(&folder, &[]);
    let (code, found) = found(&folder, &[]);
    assert_eq!(code, Some(0), "{found:?}");
    let run = folder.run(&["verify", "manifest.json"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(said.contains("keeps k-anonymity with k = 3"), "{said}");
    let mut manifest = folder.json("manifest.json");
    manifest["configuration"]["lookalike"]["model"]["k"] = serde_json::json!(2);
    folder.write("manifest.json", manifest.to_string());
    let (code, found) = self::found(&folder, &[]);
    assert_eq!(code, Some(1), "{found:?}");
    assert_eq!(of(&found, "false"), ["OtherGuarantee"], "{found:?}");
    let run = folder.run(&["verify", "manifest.json"]);
    let said = String::from_utf8(run.stdout).unwrap();
    assert!(said.contains("about k-anonymity with k = 3"), "{said}");
    assert!(said.contains("asks for k-anonymity with k = 2"), "{said}");
}

/// All who state a guarantee state the one that the manifest's configuration asks for, conditions and sets included; a forger who writes
/// the digests anew is found out.
#[test]
fn every_file_that_states_another_guarantee_or_run_is_false() {
    use lookalike_core::digest::sha256;

    let folder = Folder::new();
    folder.write("in.csv", lookalike_tests::tables::patients(60));
    // Without a certificate: there is none under conditions.
    let line = "anonymize in.csv --quasi age,sex --sensitive disease --model k-anonymity --k 3 --alpha 0.8 --effort 1 -o out.csv \
                --report report.json --statement statement.html --statement-json statement.json --save-config config.json \
                --manifest manifest.json";
    folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    let (code, found) = found(&folder, &[]);
    assert_eq!((code, of(&found, "false")), (Some(0), vec![]), "{found:?}");
    let forge = |file: &str, change: &dyn Fn(&mut Value)| {
        let (whole, manifest) = (folder.text(file), folder.text("manifest.json"));
        let mut other: Value = serde_json::from_str(&whole).unwrap();
        change(&mut other);
        let other = other.to_string();
        let known = manifest.replace(&sha256(whole.as_bytes()), &sha256(other.as_bytes()));
        assert_ne!(known, manifest, "{file}");
        folder.write(file, other);
        folder.write("manifest.json", known);
        let (code, found) = self::found(&folder, &[]);
        let said = String::from_utf8(folder.run(&["verify", "manifest.json"]).stdout).unwrap();
        folder.write(file, whole);
        folder.write("manifest.json", manifest);
        assert_eq!(code, Some(1), "{file}");
        // The short code has the report's digest.
        (
            of(&found, "false").into_iter().filter(|what| *what != "OtherCode").collect::<Vec<_>>().join(" "),
            said,
        )
    };
    let k = |at: &'static str| move |file: &mut Value| *file.pointer_mut(at).unwrap() = 30.into();
    let (what, said) = forge("report.json", &k("/model/k"));
    assert_eq!(what, "OtherGuarantee");
    assert!(said.contains("the report is about k-anonymity with k = 30"), "{said}");
    let (what, said) = forge("statement.json", &k("/guarantee/model/k"));
    assert_eq!(what, "OtherGuarantee");
    assert!(said.contains("the statement as data is about k-anonymity with k = 30"), "{said}");
    let (what, said) = forge("config.json", &k("/lookalike/model/k"));
    assert_eq!(what, "OtherGuarantee");
    assert!(said.contains("the configuration is about k-anonymity with k = 30"), "{said}");
    // As many conditions, and another one.
    let stricter = |at: &'static str| {
        move |file: &mut Value| {
            let stated = file.pointer_mut(at).unwrap();
            *stated = serde_json::from_str(&stated.to_string().replace("0.8", "0.5")).unwrap();
        }
    };
    for (file, at) in [("report.json", "/conditions"), ("statement.json", "/guarantee/conditions")] {
        let (what, said) = forge(file, &stricter(at));
        assert_eq!(what, "OtherGuarantee", "{file}");
        assert!(said.contains("the conditions, or the sets of quasi-identifiers, are others"), "{said}");
    }
    // A set that nobody asked for.
    let set = serde_json::json!([{"columns": ["age"], "k": 9, "smallest": 9, "groups": 2}]);
    assert_eq!(forge("report.json", &|file| file["sets"] = set.clone()).0, "OtherGuarantee");
    // A column in another role, and one that is not there.
    let roles = |file: &mut Value| file["variables"][0]["role"] = "unchanged".into();
    let (what, said) = forge("statement.json", &roles);
    assert_eq!(what, "OtherRoles");
    assert!(said.contains("the statement as data gives"), "{said}");
    let fewer = |file: &mut Value| drop(file["fields"].as_array_mut().unwrap().remove(0));
    let (what, said) = forge("config.json", &fewer);
    assert_eq!(what, "OtherRoles", "{said}");
    // A statement about another table, and one of another run.
    let zeros = |file: &mut Value| file["files"]["table"]["sha256"] = "0".repeat(64).into();
    assert_eq!(forge("statement.json", &zeros).0, "OtherStatement");
    assert_eq!(forge("statement.json", &|file| *file = Value::Null).0, "Unreadable");
    let (whole, manifest) = (folder.text("statement.html"), folder.text("manifest.json"));
    let code = folder.json("manifest.json")["code"].as_str().unwrap().to_owned();
    let other = whole.replace(&code, "0000-0000-0000-0000");
    folder.write("manifest.json", manifest.replace(&sha256(whole.as_bytes()), &sha256(other.as_bytes())));
    folder.write("statement.html", other);
    let (_, found) = self::found(&folder, &[]);
    assert_eq!(of(&found, "false"), ["OtherStatement"], "{found:?}");
}

/// A further sensitive column has the same role in all files of a run.
#[test]
fn a_run_with_a_further_sensitive_column_is_what_its_files_state() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_tests::tables::patients(60));
    let line = "anonymize in.csv --quasi age,zip --sensitive disease --model k-anonymity --k 3 --distinct-l sex=2 --effort 1 \
                --seed 1 -o out.csv --report report.json --statement statement.html --statement-json statement.json \
                --save-config config.json --manifest manifest.json";
    folder.succeed(&line.split_whitespace().collect::<Vec<_>>());
    let (code, found) = found(&folder, &[]);
    assert_eq!((code, of(&found, "false")), (Some(0), vec![]), "{found:?}");
    let statement = folder.json("statement.json");
    let sex = statement["variables"].as_array().unwrap().iter().find(|of| of["name"] == "sex").unwrap();
    assert_eq!(sex["role"], "sensitive", "{sex}");
    assert_eq!(sex["technique"], "none", "{sex}");
    let printed = folder.text("statement.html");
    assert!(printed.contains("sensitive, published unchanged"), "the printed one says both");
}

/// The report is about the file that is handed out, whatever its form.
#[test]
fn releases_of_every_form_are_those_of_their_reports() {
    for ending in ["csv", "xlsx", "parquet", "arrow", "jsonl", "dta", "xpt"] {
        let folder = Folder::new();
        folder.write("in.csv", lookalike_tests::tables::patients(60));
        let out = format!("out.{ending}");
        let asked = [
            "anonymize",
            "in.csv",
            "--quasi",
            "age,sex",
            "--model",
            "k-anonymity",
            "--k",
            "3",
            "--effort",
            "0",
        ];
        let files = ["-o", &out, "--report", "report.json", "--manifest", "manifest.json"];
        folder.succeed(&[&asked[..], &files].concat());
        let (code, found) = found(&folder, &[]);
        assert_eq!(code, Some(0), "{ending}: {found:?}");
        let proven = of(&found, "proven");
        assert!(proven.contains(&"Report") && proven.contains(&"Audited"), "{ending}: {found:?}");
    }
}
