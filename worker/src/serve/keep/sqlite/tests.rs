//! The file over a restart, its versions, and what is left in it.

use std::fs;

use super::{schema::STEPS, *};

fn waiting(id: &str) -> Record {
    Record {
        id: id.to_owned(),
        owner: String::from("lab"),
        state: JobState::Queued,
        error: None,
        key: Some((String::from("k"), [7; 32])),
        bytes: 6,
        attempts: 0,
        stopped: false,
        ended: None,
    }
}

/// Whether any file of the folder holds these bytes.
fn holds(folder: &Path, bytes: &[u8]) -> bool {
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap());
    files.into_iter().any(|file| file.windows(bytes.len()).any(|window| window == bytes))
}

#[test]
fn jobs_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let mut keep = Sqlite::open(folder.path()).unwrap();
    keep.insert(&waiting("a"), b"secret".to_vec()).unwrap();
    keep.insert(&waiting("b"), b"second".to_vec()).unwrap();
    keep.begin("a", 1).unwrap();
    let ended = Record {
        state: JobState::Done,
        bytes: 4,
        ended: Some(UNIX_EPOCH + Duration::from_secs(5)),
        ..waiting("b")
    };
    keep.end(&ended, Some(Bytes::from_static(b"done"))).unwrap();
    drop(keep);

    let mut keep = Sqlite::open(folder.path()).unwrap();
    let running = Record { state: JobState::Running, attempts: 1, ..waiting("a") };
    assert_eq!(keep.load().unwrap(), [running, ended]);
    assert_eq!(keep.payload("a").unwrap().unwrap(), "secret");
    assert_eq!((keep.payload("b").unwrap(), keep.result("a").unwrap()), (None, None));
    assert_eq!(keep.result("b").unwrap().unwrap(), "done");
    assert_eq!(keep.result("none").unwrap(), None);
}

#[test]
fn what_is_removed_is_gone_from_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let mut keep = Sqlite::open(folder.path()).unwrap();
    // Large enough for pages of its own.
    let payload = b"Clara Demir, 64;".repeat(2000);
    keep.insert(&waiting("a"), payload.clone()).unwrap();
    keep.insert(&waiting("b"), payload).unwrap();
    assert!(holds(folder.path(), b"Clara Demir"));
    keep.remove("a").unwrap();
    let failed = Record { state: JobState::Failed, ..waiting("b") };
    keep.end(&failed, None).unwrap();
    assert!(!holds(folder.path(), b"Clara Demir"));
}

#[test]
fn a_second_worker_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = Sqlite::open(folder.path()).unwrap();
    let refused = Sqlite::open(folder.path()).err().unwrap();
    assert_eq!(refused.code(), 4);
    assert!(refused.to_string().contains("another worker"), "{refused}");
    drop(first);
    assert!(Sqlite::open(folder.path()).is_ok());
}

#[test]
fn damaged_and_newer_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    fs::write(&file, b"no database, but quite long enough to be taken for one: ".repeat(100)).unwrap();
    let refused = Sqlite::open(folder.path()).err().unwrap();
    assert!(refused.to_string().contains("is damaged"), "{refused}");
    fs::remove_file(&file).unwrap();
    drop(Sqlite::open(folder.path()).unwrap());
    Connection::open(&file).unwrap().pragma_update(None, "user_version", VERSION + 1).unwrap();
    let refused = Sqlite::open(folder.path()).err().unwrap();
    assert!(refused.to_string().contains(&format!("its format is {}", VERSION + 1)), "{refused}");
}

/// A file of an older version with a job that runs.
fn old(folder: &Path, version: usize) -> Connection {
    let old = Connection::open(folder.join(FILE)).unwrap();
    old.execute_batch(&STEPS[..version].concat()).unwrap();
    old.pragma_update(None, "user_version", i64::try_from(version).unwrap()).unwrap();
    // Since version 4 a payload has parts of its own.
    let rows = if version < 4 {
        "INSERT INTO jobs (id, owner, state, bytes, attempts, payload) VALUES ('a', 'lab', 'running', 6, 1, x'00');"
    } else {
        "INSERT INTO jobs (id, owner, state, bytes, attempts) VALUES ('a', 'lab', 'running', 6, 1);
         INSERT INTO parts (job, part, bytes) VALUES ('a', 0, x'00');"
    };
    old.execute_batch(rows).unwrap();
    old
}

#[test]
fn files_of_all_older_versions_are_brought_up() {
    for version in 1..STEPS.len() {
        let folder = tempfile::tempdir().unwrap();
        drop(old(folder.path(), version));
        for _ in 0..2 {
            let mut keep = Sqlite::open(folder.path()).unwrap();
            let found = &keep.load().unwrap()[0];
            assert_eq!((found.id.as_str(), found.stopped), ("a", false), "version {version}");
            assert_eq!(keep.payload("a").unwrap().unwrap(), &b"\0"[..]);
            keep.keep_block("a", &[1; 32], b"half").unwrap();
            assert_eq!(keep.block("a", &[1; 32]).unwrap().unwrap(), "half");
        }
        Sqlite::open(folder.path()).unwrap().stop("a").unwrap();
        assert!(Sqlite::open(folder.path()).unwrap().load().unwrap()[0].stopped);
    }
}

#[test]
fn answers_of_the_third_version_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let old = old(folder.path(), 3);
    let done = "UPDATE jobs SET state = 'done', ended = 5.0, payload = NULL, result = CAST('Clara' AS BLOB)";
    old.execute(done, []).unwrap();
    drop(old);
    let mut keep = Sqlite::open(folder.path()).unwrap();
    assert_eq!((keep.result("a").unwrap().unwrap(), keep.payload("a").unwrap()), ("Clara".into(), None));
    keep.remove("a").unwrap();
    assert!(!holds(folder.path(), b"Clara"));
}

/// Text that is longer than some parts.
fn long() -> Vec<u8> {
    (0..100_000).flat_map(|line| format!("Clara Demir, {line};").into_bytes()).collect()
}

#[test]
fn what_has_many_parts_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut keep = Sqlite::open(folder.path()).unwrap();
    let text = long();
    assert!(text.len() > 3 * PART);
    for (id, payload) in [("a", text.clone()), ("b", Vec::new()), ("c", text[..PART].to_vec())] {
        keep.insert(&Record { key: None, ..waiting(id) }, payload.clone()).unwrap();
        assert_eq!(keep.payload(id).unwrap().unwrap(), payload);
        let done = Record { state: JobState::Done, key: None, ..waiting(id) };
        keep.end(&done, Some(Bytes::from(payload.clone()))).unwrap();
        assert_eq!((keep.payload(id).unwrap(), keep.result(id).unwrap().unwrap()), (None, payload.into()));
    }
    // A removed job that ends stays removed.
    keep.remove("a").unwrap();
    keep.end(&Record { state: JobState::Done, ..waiting("a") }, Some(Bytes::from(text))).unwrap();
    assert_eq!((keep.result("a").unwrap(), keep.load().unwrap().len()), (None, 2));
}

#[test]
fn a_result_that_many_read_is_in_memory_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut keep = Sqlite::open(folder.path()).unwrap();
    keep.insert(&waiting("a"), b"secret".to_vec()).unwrap();
    keep.end(&Record { state: JobState::Done, ..waiting("a") }, Some(Bytes::from(long()))).unwrap();
    let first = keep.result("a").unwrap().unwrap();
    let second = keep.result("a").unwrap().unwrap();
    assert_eq!(first.as_ptr(), second.as_ptr());
    drop((first, second));
    assert!(keep.handed.get("a").is_none(), "and only as long as somebody does");
    let third = keep.result("a").unwrap().unwrap();
    assert_eq!(third, long());
    keep.remove("a").unwrap();
    assert_eq!((keep.result("a").unwrap(), third.len()), (None, long().len()));
}

#[test]
fn a_job_can_be_removed_part_by_part() {
    let folder = tempfile::tempdir().unwrap();
    let mut keep = Sqlite::open(folder.path()).unwrap();
    for id in ["a", "b"] {
        keep.insert(&Record { key: None, ..waiting(id) }, long()).unwrap();
        keep.keep_block(id, &[1; 32], b"half").unwrap();
    }
    keep.remove_in_parts("a").unwrap();
    assert_eq!((keep.payload("a").unwrap(), keep.block("a", &[1; 32]).unwrap()), (None, None));
    assert_eq!((keep.payload("b").unwrap().unwrap(), keep.load().unwrap().len()), (long().into(), 1));
    // Cut off in the middle, it has ended, long ago, and nobody takes half a payload for a whole one.
    keep.execute("UPDATE jobs SET state = 'failed', ended = 0", []).unwrap();
    keep.execute("DELETE FROM parts WHERE part = 3", []).unwrap();
    drop(keep);
    let mut keep = Sqlite::open(folder.path()).unwrap();
    let found = &keep.load().unwrap()[0];
    assert_eq!(
        (found.state, found.ended, keep.payload("b").unwrap()),
        (JobState::Failed, Some(UNIX_EPOCH), None)
    );
    keep.remove("b").unwrap();
    assert!(!holds(folder.path(), b"Clara Demir"));
}

#[test]
fn a_page_that_was_overwritten_shows() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    let mut keep = Sqlite::open(folder.path()).unwrap();
    for index in 0..50 {
        keep.insert(&Record { key: None, ..waiting(&index.to_string()) }, vec![7; 5000]).unwrap();
    }
    drop(keep);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 8192 * 4096;
    bytes[4096..middle].fill(0xA5);
    fs::write(&file, bytes).unwrap();
    let refused = Sqlite::open(folder.path()).err().unwrap();
    assert_eq!(refused.code(), 4);
    assert!(refused.to_string().contains("is damaged"), "{refused}");
}

#[test]
fn blocks_go_with_their_job() {
    let folder = tempfile::tempdir().unwrap();
    let mut keep = Sqlite::open(folder.path()).unwrap();
    assert!(keep.keep_block("none", &[1; 32], b"x").is_err(), "there is no such job");
    let answer = b"Clara Demir, 64;".repeat(2000);
    for id in ["a", "b"] {
        keep.insert(&Record { key: None, ..waiting(id) }, b"payload".to_vec()).unwrap();
        keep.keep_block(id, &[1; 32], &answer).unwrap();
        keep.keep_block(id, &[2; 32], &answer).unwrap();
    }
    assert_eq!(keep.block("a", &[3; 32]).unwrap(), None);
    keep.remove("a").unwrap();
    assert_eq!(
        (keep.block("a", &[1; 32]).unwrap(), keep.block("b", &[1; 32]).unwrap().unwrap().len()),
        (None, 32_000)
    );
    keep.end(&Record { state: JobState::Done, ..waiting("b") }, Some(Bytes::from_static(b"done"))).unwrap();
    assert_eq!(keep.block("b", &[2; 32]).unwrap(), None);
    assert!(!holds(folder.path(), b"Clara Demir"));
}

#[cfg(unix)]
#[test]
fn the_file_is_its_owners_in_any_folder() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let file = folder.path().join(FILE);
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    drop(Sqlite::open(folder.path()).unwrap());
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    drop(Sqlite::open(folder.path()).unwrap());
    assert_eq!(mode(), 0o600, "one from before, too");
}

/// Changes one bit of what the file has of `bytes`.
fn flip(file: &Path, bytes: &[u8]) {
    let mut all = fs::read(file).unwrap();
    let at = all.windows(bytes.len()).position(|window| window == bytes).unwrap();
    all[at + bytes.len() / 2] ^= 1;
    fs::write(file, all).unwrap();
}

#[test]
fn a_flipped_bit_is_refused_wherever_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(FILE);
    let (payload, block, result) =
        (b"of a payload".as_slice(), b"of a block".as_slice(), b"of a result".as_slice());
    let mut keep = Sqlite::open(folder.path()).unwrap();
    keep.insert(&Record { key: None, ..waiting("a") }, payload.to_vec()).unwrap();
    keep.keep_block("a", &[1; 32], block).unwrap();
    assert_eq!(keep.payload("a").unwrap().unwrap(), payload);
    drop(keep);
    flip(&file, payload);
    flip(&file, block);
    let mut keep = Sqlite::open(folder.path()).unwrap();
    let why = keep.payload("a").unwrap_err().to_string();
    assert!(why.contains("is not what was written"), "{why}");
    assert!(keep.block("a", &[1; 32]).is_err());
    keep.end(&Record { state: JobState::Done, ..waiting("a") }, Some(Bytes::from_static(result))).unwrap();
    drop(keep);
    flip(&file, result);
    let mut keep = Sqlite::open(folder.path()).unwrap();
    assert!(keep.result("a").is_err());
    keep.remove("a").unwrap();
}

#[cfg(unix)]
#[test]
fn the_reserve_is_not_written_through_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let victim = folder.path().join("victim");
    fs::write(&victim, "what it says").unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    std::os::unix::fs::symlink(&victim, data.join("reserve")).unwrap();
    drop(Sqlite::open(&data).unwrap());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "what it says");
    assert!(fs::symlink_metadata(data.join("reserve")).unwrap().is_file());
}
