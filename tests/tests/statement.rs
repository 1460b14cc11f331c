//! The statement of a run: for the files of whoever answers for the data.
#![cfg(test)]
#![allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]

use lookalike_tests::program::Folder;

#[test]
fn it_is_written_beside_the_release_for_its_owner_only() {
    let folder = Folder::new();
    folder.write("in.csv", lookalike_core::demo::hospital(200, 7));
    let flags = "anonymize in.csv --quasi age,sex --sensitive diagnosis --model m-invariance --m 3 --seed 77 --effort 1 -o out.csv \
                 --statement statement.html --report report.json";
    folder.succeed(flags.split_whitespace().collect::<Vec<_>>().as_slice());
    let (statement, report) = (folder.text("statement.html"), folder.json("report.json"));
    assert!(
        statement.contains("<td>77</td>") && statement.contains("m-invariance with m = 3"),
        "{statement}"
    );
    let loss = format!("{:.6}", report["objective"]["value"].as_f64().unwrap());
    assert!(statement.contains(&loss), "{loss}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |name: &str| std::fs::metadata(folder.file(name)).unwrap().permissions().mode() & 0o077;
        assert_eq!(mode("statement.html"), 0);
    }
}
