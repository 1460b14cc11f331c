//! The order in which a release and its ledger are written, so that no moment leaves a release without its ledger.
//!
//! The next ledger is held beside the old one (`L.json.pending`), the release is written, the held ledger takes the
//! place of the old one. Whoever is interrupted in between leaves the held ledger behind, and the next run refuses to
//! make another release from the old state until it is told what became of the first one. Runs keep each other out by a lock
//! ([`super::lock`]); that the ledger is still the one which the release was made from is looked at all the same, since
//! what is not this program takes no lock.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use lookalike_model::ledger::Ledger;
use lookalike_wire::ledger;
use tempfile::{Builder, NamedTempFile};

use super::{
    seal::{self, Seal},
    used::{Fate, Used},
};
use crate::{
    exit::{Attempt, Failure},
    files::{self, Staged},
};

lookalike_words::messages! {
    in "worker";

    /// Why a release of a series was not written.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum WritingFault {
        /// A sealed ledger would be replaced by an open one.
        Unsealed,
        /// Another release took its place.
        Changed {
            /// The ledger's file.
            ledger: String,
        },
        /// Another run writes.
        AnotherRun {
            /// The held ledger.
            path: String,
        },
    }
}

/// The three steps.
pub(crate) trait Steps {
    /// Holds the next ledger beside the old one.
    fn hold(&mut self) -> Result<(), Failure>;
    /// Writes the release and the records that belong to it.
    fn release(&mut self) -> Result<(), Failure>;
    /// Puts the held ledger in the place of the old one.
    fn settle(&mut self) -> Result<(), Failure>;
}

/// Takes the steps in their order; stops at the first that fails.
pub(crate) fn write(steps: &mut impl Steps) -> Result<(), Failure> {
    steps.hold()?;
    steps.release()?;
    steps.settle()
}

/// The steps on files.
pub(crate) struct OnDisk<'a> {
    /// The ledger's path.
    pub(crate) path: &'a Path,
    /// The ledger as it was read; `None` if there was none.
    pub(crate) old: Option<&'a [u8]>,
    /// Whether the held ledger of an interrupted run is replaced.
    pub(crate) discard: bool,
    /// What was known of used states.
    pub(crate) known: &'a Used,
    /// States that have a release now.
    pub(crate) used: Vec<(Fate, String)>,
    /// The next ledger.
    pub(crate) next: &'a Ledger,
    /// What the ledger is sealed with.
    pub(crate) seal: &'a Seal,
    /// The staged outputs, once, and what they hold.
    pub(crate) outputs: Option<Vec<Staged>>,
    /// Contents of the outputs.
    pub(crate) contents: Vec<&'a [u8]>,
}

impl Steps for OnDisk<'_> {
    fn hold(&mut self) -> Result<(), Failure> {
        let bytes = ledger::write(self.next).map_err(Failure::system)?;
        let bytes = self.seal.close(bytes)?;
        if self.old.is_some_and(seal::is_sealed) && !seal::is_sealed(&bytes) {
            return Err(Failure::system(WritingFault::Unsealed));
        }
        self.same()?;
        let path = pending(self.path);
        let there = if self.discard { Held::Replaced } else { Held::Kept };
        hold(&path, &bytes, self.old.map(|_| self.path), there)?;
        // Whoever else would write finds the held ledger from now on: what is the same now stays the same.
        if let Err(why) = self.same() {
            fs::remove_file(&path).map_err(|e| Failure::io(Attempt::Remove, &path, &e))?;
            return Err(why);
        }
        files::sync_folder(files::folder(&path)).map_err(|e| Failure::io(Attempt::SyncFolder, &path, &e))
    }

    fn release(&mut self) -> Result<(), Failure> {
        files::commit(self.outputs.take().unwrap_or_default(), &self.contents)
    }

    fn settle(&mut self) -> Result<(), Failure> {
        settle(self.path, (self.known, &self.used), self.next, self.seal)
    }
}

impl OnDisk<'_> {
    /// Refuses a ledger that is no longer the one which the release was made from.
    fn same(&self) -> Result<(), Failure> {
        if read_if_there(self.path)?.as_deref() == self.old {
            return Ok(());
        }
        Err(Failure::input(WritingFault::Changed { ledger: self.path.display().to_string() }))
    }
}

/// What becomes of a ledger that is held already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// It stays, and nothing is written.
    Kept,
    /// The new one takes its place.
    Replaced,
}

/// Holds a ledger at `path`; with the rights of the ledger `like`, if there is one, and else for its owner alone.
pub(super) fn hold(path: &Path, bytes: &[u8], like: Option<&Path>, there: Held) -> Result<(), Failure> {
    let fail = |e: &io::Error| Failure::io(Attempt::Write, path, e);
    let mut file = private_file(path).map_err(|e| fail(&e))?;
    let rights = like
        .map(|ledger| fs::metadata(ledger).and_then(|of| file.as_file().set_permissions(of.permissions())));
    let filled = rights.unwrap_or(Ok(())).and_then(|()| file.write_all(bytes));
    filled.and_then(|()| file.as_file().sync_all()).map_err(|e| fail(&e))?;
    let held = match there {
        Held::Replaced => file.persist(path),
        Held::Kept => file.persist_noclobber(path),
    };
    held.map(drop).map_err(|e| match e.error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::system(WritingFault::AnotherRun { path: path.display().to_string() })
        }
        _ => fail(&e.error),
    })
}

/// Marks states as used, then puts the held ledger in the place of the old one.
pub(super) fn settle(
    path: &Path,
    (known, used): (&Used, &[(Fate, String)]),
    next: &Ledger,
    seal: &Seal,
) -> Result<(), Failure> {
    known.add(path, used, next, seal)?;
    fs::rename(pending(path), path).map_err(|e| Failure::io(Attempt::Write, path, &e))?;
    files::sync_folder(files::folder(path)).map_err(|e| Failure::io(Attempt::SyncFolder, path, &e))
}

/// Where the next ledger is held.
pub(crate) fn pending(path: &Path) -> PathBuf {
    beside(path, ".pending")
}

/// A file beside the ledger.
pub(super) fn beside(ledger: &Path, ending: &str) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// A file that nobody else can read, to be renamed to `path`.
pub(super) fn private_file(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o600));
    }
    files::temporary(&mut builder, files::folder(path))
}

/// The bytes of a file; `None` if there is none.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Failure::io(Attempt::Read, path, &e)),
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        ledger::{Mode, Release},
        settings::{Model, Settings},
    };
    use lookalike_words::Said;

    use super::*;
    use crate::{
        files::Secrecy,
        republish::{
            seal::Unsealed,
            state::{Asked, State},
            used,
        },
    };

    /// Takes so many steps, then the lights go out.
    struct Crash<'a> {
        disk: OnDisk<'a>,
        steps: usize,
    }

    impl Crash<'_> {
        fn step(&mut self) -> Result<(), Failure> {
            match self.steps.checked_sub(1) {
                None => Err(Failure::System(Said::verbatim("crash"))),
                Some(left) => {
                    self.steps = left;
                    Ok(())
                }
            }
        }
    }

    impl Steps for Crash<'_> {
        fn hold(&mut self) -> Result<(), Failure> {
            self.step()?;
            self.disk.hold()
        }
        fn release(&mut self) -> Result<(), Failure> {
            self.step()?;
            self.disk.release()
        }
        fn settle(&mut self) -> Result<(), Failure> {
            self.step()?;
            self.disk.settle()
        }
    }

    fn ledger(releases: usize) -> Ledger {
        let settings = Settings::of(Model::MInvariance { m: 2 });
        let mut ledger = Ledger::new(String::from("s"), String::from("id"), Mode::TauSafety, &settings);
        for number in 0..releases {
            let hash = blake3::hash(format!("release {number}").as_bytes()).to_hex().to_string();
            let values = ["a", "b"].map(String::from);
            let release = Release {
                hash,
                rows: 2,
                counterfeits: vec![1],
                version: String::new(),
                ..Release::default()
            };
            ledger.add(release, [("p", "a", &values[..])].into_iter());
        }
        ledger
    }

    /// The state that the next run finds after a crash before step `steps`, with what it was asked for.
    fn after(steps: usize, asked: Asked) -> (Result<State, Failure>, Vec<String>) {
        let dir = tempfile::tempdir().unwrap();
        let (path, out) = (dir.path().join("l.json"), dir.path().join("out.csv"));
        let (old, next) = (ledger::write(&ledger(1)).unwrap(), ledger(2));
        let seal = Seal::of(None, Unsealed::Refused).unwrap();
        fs::write(&path, &old).unwrap();
        fs::write(&out, "release 0").unwrap();
        let outputs = files::stage(Path::new("-"), &[(&out, Secrecy::Publishable)]).unwrap();
        let disk = OnDisk {
            path: &path,
            old: Some(&old),
            discard: false,
            known: &Used::default(),
            used: vec![(Fate::Used, used::name(Some(&ledger(1))).unwrap())],
            next: &next,
            seal: &seal,
            outputs: Some(outputs),
            contents: vec![b"release 1"],
        };
        let mut crash = Crash { disk, steps };
        assert_eq!(write(&mut crash).is_ok(), steps > 2);
        drop(crash);
        let state = State::find(&path, Some(&out), asked, &seal);
        let mut names: Vec<String> =
            fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        (state, names)
    }

    #[test]
    fn a_crash_between_any_two_steps_is_noticed() {
        let number = |state: Result<State, Failure>| state.unwrap().ledger.unwrap().number();
        // Nothing was written: as if the run had never been. The old release must not be overwritten, but replaced.
        let (state, names) = after(0, Asked::Next);
        assert!(state.unwrap_err().to_string().contains("release 1 of this series"));
        assert_eq!(names, ["l.json", "out.csv"]);
        // Held, or held and released: no second release from the same state.
        for steps in [1, 2] {
            let (state, names) = after(steps, Asked::Next);
            let why = state.unwrap_err();
            assert!(why.code() == 2 && why.to_string().contains("--recover"), "{why}");
            assert_eq!(names, ["l.json", "l.json.pending", "out.csv"]);
            let (state, names) = after(steps, Asked::Replace);
            assert_eq!(names, ["l.json", "l.json.pending", "out.csv"]);
            match steps {
                // The release from before is still there.
                1 => {
                    assert!(
                        state.unwrap_err().to_string().contains("release 1 of this series: name another")
                    );
                }
                _ => assert_eq!(number(state), 1, "the old state"),
            }
        }
        // It can be settled where the release is there.
        assert!(after(1, Asked::Recover).0.unwrap_err().to_string().contains("is not the release"));
        let (state, names) = after(2, Asked::Recover);
        assert_eq!(number(state), 2);
        assert_eq!(names, ["l.json", "l.json.used", "out.csv"]);
        // Done.
        let (state, names) = after(3, Asked::Replace);
        assert_eq!((number(state), names.len()), (1, 3), "the release is taken back");
    }

    /// Without their lock, as where somebody puts another ledger in place meanwhile.
    #[test]
    fn a_ledger_that_is_another_one_now_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("l.json");
        let next = ledger(1);
        let seal = Seal::of(None, Unsealed::Refused).unwrap();
        let known = Used::default();
        let disk = || OnDisk {
            path: &path,
            old: None,
            discard: false,
            known: &known,
            used: vec![(Fate::Used, used::name(None).unwrap())],
            next: &next,
            seal: &seal,
            outputs: None,
            contents: Vec::new(),
        };
        let (mut first, mut second) = (disk(), disk());
        first.hold().unwrap();
        assert_eq!(second.hold().unwrap_err().code(), 4);
        first.settle().unwrap();
        assert!(disk().hold().unwrap_err().to_string().contains("was changed"));
        assert!(!pending(&path).exists(), "the next run is not told of an interruption");
        assert_eq!(ledger::read(&fs::read(&path).unwrap()), Ok(next.clone()));
    }
}
