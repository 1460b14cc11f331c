//! What a run leaves that is killed, and what the next one does with it.

use std::fs;

use lookalike_tests::{
    program::{Folder, Running},
    tables::people,
};

use super::{RUN, folder};

/// Names in the folder of parts.
fn parts(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join("spill")).unwrap();
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A run that would take long, in the middle of its blocks.
fn long(folder: &Folder, out: &str) -> Running {
    let mut run = folder.start(&[&RUN[..], &["--effort", "100000", "-o", out]].concat());
    run.wait_for("solving blocks");
    run
}

#[test]
fn the_rows_of_a_killed_run_are_removed_by_the_next_one() {
    let folder = folder(&people(400));
    let killed = long(&folder, "out.csv");
    killed.signal("KILL");
    drop(killed);
    let left = parts(&folder);
    assert!(left.len() == 1 && left[0].starts_with("lookalike-"), "{left:?}");
    assert!(!folder.names().contains(&String::from("out.csv")), "nothing half is published");
    // Others that live, and what nobody can be asked about, stay.
    let living = long(&folder, "other.csv");
    let theirs = parts(&folder);
    assert_eq!(theirs.len(), 1, "what the killed one left is gone: {theirs:?}");
    assert_ne!(theirs, left);
    fs::create_dir(folder.path().join("spill/lookalike-old.tmp")).unwrap();
    fs::create_dir(folder.path().join("spill/mine")).unwrap();
    let run = folder.succeed(&[&RUN[..], &["--effort", "0", "-o", "out.csv"]].concat());
    assert!(run.stderr.contains("lookalike-old.tmp may be left over from a run"), "{}", run.stderr);
    assert!(!run.stderr.contains("removed"), "{}", run.stderr);
    let mut stay = [&theirs[..], &[String::from("lookalike-old.tmp"), String::from("mine")]].concat();
    stay.sort();
    assert_eq!(parts(&folder), stay);

    living.signal("KILL");
    drop(living);
    let again = folder.succeed(&[&RUN[..], &["--effort", "0", "-o", "again.csv"]].concat());
    assert!(again.stderr.contains(&format!("removed spill/{}", theirs[0])), "{}", again.stderr);
    assert_eq!(parts(&folder), ["lookalike-old.tmp", "mine"]);
    assert_eq!(folder.read("again.csv"), folder.read("out.csv"), "nothing is taken over");
}
