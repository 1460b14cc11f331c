//! What a run leaves that is killed, and what the next one does with it.

use std::{fs, path::PathBuf, thread, time::Duration};

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

/// A run that would take long, in the middle of its blocks; two of them have nothing for each other.
fn long(folder: &Folder, out: &str) -> Running {
    let seed = if out == "out.csv" { "7" } else { "8" };
    let mut run = folder
        .start(&[&RUN[..12], &[RUN[12], seed], &RUN[14..], &["--effort", "100000", "-o", out]].concat());
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

/// A run of blocks that take a while each.
const SLOW: [&str; 2] = ["--effort", "30"];

/// The folder that a run has, or has left.
fn inner(folder: &Folder) -> PathBuf {
    folder.path().join("spill").join(parts(folder).pop().unwrap())
}

/// How many blocks are finished in it.
fn finished(folder: &Folder) -> usize {
    let names = fs::read_dir(inner(folder)).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with("totals-")).count()
}

/// Kills a run once it has finished so many blocks.
fn killed(folder: &Folder, args: &[&str], blocks: usize) {
    let run = folder.start(&[&RUN[..16], &["--block-rows", "40"], &SLOW, args, &["-o", "out.csv"]].concat());
    while parts(folder).is_empty() || finished(folder) < blocks {
        thread::sleep(Duration::from_millis(2));
    }
    run.signal("KILL");
    drop(run);
    assert!(!folder.names().contains(&String::from("out.csv")), "it ended before it was killed");
}

fn again(folder: &Folder, args: &[&str]) -> String {
    let run = [&RUN[..16], &["--block-rows", "40"], &SLOW, args, &["-o", "out.csv"]].concat();
    let stderr = folder.succeed(&run).stderr;
    assert_eq!(parts(folder), Vec::<String>::new(), "all is removed");
    stderr
}

#[test]
fn a_killed_run_is_gone_on_with_to_the_same_bytes() {
    let folder = folder(&people(2_000));
    let whole = again(&folder, &["--classes", "classes.csv", "--report", "report.json"]);
    assert!(!whole.contains("continuing"), "{whole}");
    let bytes = |folder: &Folder| (folder.read("out.csv"), folder.read("classes.csv"));
    let wanted = bytes(&folder);
    let loss = folder.json("report.json")["objective"].clone();
    fs::remove_file(folder.path().join("out.csv")).unwrap();
    let more = ["--classes", "classes.csv", "--report", "report.json"];
    for blocks in [1, 9] {
        killed(&folder, &more, blocks);
        let stderr = again(&folder, &more);
        let told = stderr.lines().find(|line| line.contains("continuing a run that was killed")).unwrap();
        let taken: usize = told.split_whitespace().find_map(|word| word.parse().ok()).unwrap();
        assert!(taken >= blocks, "{told}");
        assert_eq!(bytes(&folder), wanted);
        assert_eq!(folder.json("report.json")["objective"], loss);
        fs::remove_file(folder.path().join("out.csv")).unwrap();
    }
}

/// Settings, seed and table are those of the run that was killed, or nothing is taken over.
#[test]
fn nothing_is_taken_over_from_another_run() {
    let folder = folder(&people(2_000));
    let wanted = {
        again(&folder, &["--publish", "set"]);
        folder.read("out.csv")
    };
    fs::remove_file(folder.path().join("out.csv")).unwrap();
    killed(&folder, &[], 2);
    let stderr = again(&folder, &["--publish", "set"]);
    assert!(stderr.contains("removed spill/") && !stderr.contains("continuing"), "{stderr}");
    assert_eq!(folder.read("out.csv"), wanted);

    // The table has other rows than before.
    fs::remove_file(folder.path().join("out.csv")).unwrap();
    killed(&folder, &[], 2);
    folder.write("in.csv", people(1_900));
    let stderr = again(&folder, &[]);
    assert!(!stderr.contains("continuing"), "{stderr}");
    let other = folder.read("out.csv");
    again(&folder, &[]);
    assert_eq!(folder.read("out.csv"), other);
}

/// What is cut or flipped in a finished block is not published: the block is solved anew, or the run ends and nothing is left.
#[test]
fn a_finished_block_that_is_damaged_is_not_taken() {
    let folder = folder(&people(2_000));
    again(&folder, &[]);
    let wanted = folder.read("out.csv");
    fs::remove_file(folder.path().join("out.csv")).unwrap();
    killed(&folder, &[], 3);
    let block = inner(&folder).join("block-0");
    let mut bytes = fs::read(&block).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 1;
    fs::write(&block, bytes).unwrap();
    let run = folder.run(&[&RUN[..16], &["--block-rows", "40"], &SLOW, &["-o", "out.csv"]].concat());
    assert_eq!(run.code, Some(4), "{}", run.stderr);
    assert!(run.stderr.contains("was changed by something other than this run"), "{}", run.stderr);
    assert_eq!(parts(&folder), Vec::<String>::new());
    again(&folder, &[]);
    assert_eq!(folder.read("out.csv"), wanted);
}
