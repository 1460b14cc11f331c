//! Which states of a series have a release already: `L.json.used`, beside the ledger. It notices an old copy of the ledger
//! that was put back, and a ledger that is gone; it holds fingerprints, and nothing of any person.
//!
//! Beside a sealed ledger it is sealed in the same way, and names the series: whoever can write there could take a state out of it
//! otherwise, or put another series' list in its place. The list of version 0.1.0 was never sealed.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use lookalike_model::ledger::Ledger;
use lookalike_wire::ledger::{checksum, fingerprint};

use super::{
    fault::SeriesFault,
    seal::{Seal, is_sealed},
    writing::{beside as named, private_file, read_if_there},
};
use crate::{
    exit::{Attempt, Failure},
    files,
};

/// The state before the first release, which has no ledger.
pub(super) const NONE: &str = "none";

/// How a sealed list begins.
const SERIES: &str = "series ";

/// What became of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// A release was made from it.
    Used,
    /// Its last release was taken back, and another stands in its place.
    TakenBack,
    /// People were erased from it.
    Erased,
}

/// All of them.
const FATES: [Fate; 3] = [Fate::Used, Fate::TakenBack, Fate::Erased];

impl Fate {
    const fn name(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::TakenBack => "taken-back",
            Self::Erased => "erased",
        }
    }
}

/// What the list stands beside.
#[derive(Clone, Copy)]
pub(super) struct Beside<'a> {
    /// What the ledger is sealed with, if it is.
    pub(super) seal: &'a Seal,
    /// The series; `None` where there is no ledger that says it.
    pub(super) series: Option<&'a str>,
    /// Whether a list that is not sealed may stand beside a sealed ledger: that of an earlier version, or of a series that is sealed
    /// from now on.
    pub(super) plain: bool,
}

/// The states of one series, by their fingerprints.
#[derive(Clone, Debug, Default)]
pub(crate) struct Used {
    lines: String,
    /// Whether it was read from a list that is not sealed although the ledger is to be.
    unsealed: bool,
}

impl Used {
    /// Reads what is known; nothing where there is no file.
    ///
    /// # Errors
    /// If it is something else; if it is to be sealed and is not, or not by this passphrase, or not of this series.
    pub(super) fn read(ledger: &Path, of: Beside<'_>) -> Result<Self, Failure> {
        let list = beside(ledger);
        let Some(bytes) = read_if_there(&list)? else { return Ok(Self::default()) };
        let shown = || list.display().to_string();
        let unknown = || Failure::input(SeriesFault::UnknownUsed { list: shown() });
        let forged = || Failure::input(SeriesFault::ForgedUsed { list: shown() });
        if !of.seal.is_keyed() || (of.plain && !is_sealed(&bytes)) {
            let lines = listed(bytes).ok_or_else(unknown)?;
            return Ok(Self { unsealed: of.seal.is_keyed(), lines });
        }
        if !is_sealed(&bytes) {
            return Err(forged());
        }
        let text = of.seal.open(&list, &bytes).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let (series, lines) = text.as_deref().and_then(|text| text.split_once('\n')).ok_or_else(forged)?;
        let series = series.strip_prefix(SERIES).ok_or_else(forged)?;
        if of.series.is_some_and(|of| of != series) {
            return Err(forged());
        }
        let lines = listed(lines.as_bytes().to_vec()).ok_or_else(forged)?;
        Ok(Self { lines, unsealed: false })
    }

    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether it is sealed from now on, and was not before.
    pub(super) fn is_sealed_now(&self) -> bool {
        self.unsealed && !self.is_empty()
    }

    /// What became of the state with these names, as far as is known.
    pub(super) fn fate(&self, names: &[String]) -> Option<Fate> {
        let is = |fate: &Fate| {
            names.iter().any(|state| {
                let line = line(*fate, state);
                self.lines.lines().any(|known| known == line)
            })
        };
        FATES.into_iter().find(is)
    }

    /// How many states have a release, as far as is known.
    pub(super) fn releases(&self) -> usize {
        self.states().count()
    }

    /// The states that have a release, as far as is known.
    pub(super) fn states(&self) -> impl Iterator<Item = &str> {
        let lines = self.lines.lines().filter_map(|line| line.split_once(' '));
        lines.filter(|(fate, _)| *fate == Fate::Used.name()).map(|(_, state)| state)
    }

    /// Writes beside the ledger what is known, what became of these states, and that the series is in the state of `next`, which may be one
    /// that was taken back before.
    ///
    /// # Errors
    /// If it cannot be sealed or written.
    pub(super) fn add(
        &self,
        ledger: &Path,
        states: &[(Fate, String)],
        next: &Ledger,
        seal: &Seal,
    ) -> Result<(), Failure> {
        let again = line(Fate::TakenBack, &name(Some(next))?);
        let added = states.iter().map(|(fate, state)| line(*fate, state));
        let mut lines: Vec<String> = self.lines.lines().map(String::from).chain(added).collect();
        lines.retain(|line| *line != again);
        lines.sort_unstable();
        lines.dedup();
        let first = if seal.is_keyed() { format!("{SERIES}{}\n", next.series) } else { String::new() };
        let text = seal.close(lines.iter().fold(first, |text, line| text + line + "\n").into_bytes())?;
        let path = beside(ledger);
        let fail = |e: &std::io::Error| Failure::io(Attempt::Write, &path, e);
        let mut file = private_file(&path).map_err(|e| fail(&e))?;
        file.write_all(&text).and_then(|()| file.as_file().sync_all()).map_err(|e| fail(&e))?;
        file.persist(&path).map_err(|e| fail(&e.error))?;
        files::sync_folder(files::folder(&path)).map_err(|e| Failure::io(Attempt::SyncFolder, &path, &e))
    }
}

/// Where it stands.
pub(super) fn beside(ledger: &Path) -> PathBuf {
    named(ledger, ".used")
}

/// The fingerprint of a state.
pub(super) fn name(ledger: Option<&Ledger>) -> Result<String, Failure> {
    match ledger {
        Some(ledger) if ledger.number() > 0 => fingerprint(ledger).map_err(Failure::system),
        _ => Ok(NONE.to_owned()),
    }
}

/// The names of a state that was read from bytes: its fingerprint and the checksum that stands there. They differ where an
/// older version of the program has written what this one reads otherwise.
pub(super) fn names(ledger: Option<&Ledger>, bytes: Option<&[u8]>) -> Result<Vec<String>, Failure> {
    let read = ledger.filter(|ledger| ledger.number() > 0).and(bytes).and_then(checksum);
    let mut names: Vec<String> = [name(ledger)?].into_iter().chain(read).collect();
    names.dedup();
    Ok(names)
}

/// The lines of a list, if it has no others.
fn listed(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| text.lines().all(is_line))
}

/// Whether this is what became of a state: anything else was not written by this program.
fn is_line(text: &str) -> bool {
    let Some((fate, state)) = text.split_once(' ') else { return false };
    let is_name = state == NONE || (!state.is_empty() && state.bytes().all(|byte| byte.is_ascii_hexdigit()));
    is_name && FATES.iter().any(|known| known.name() == fate)
}

fn line(fate: Fate, state: &str) -> String {
    format!("{} {state}", fate.name())
}

#[cfg(test)]
mod tests {
    use lookalike_model::{
        ledger::{Mode, Release},
        settings::{Model, Settings},
    };

    use super::*;
    use crate::republish::seal::Unsealed;

    fn ledger(series: &str, releases: usize) -> Ledger {
        let settings = Settings::of(Model::MInvariance { m: 2 });
        let mut ledger = Ledger::new(String::from(series), String::from("id"), Mode::TauSafety, &settings);
        for number in 0..releases {
            let release =
                Release { hash: format!("{number}"), rows: 2, counterfeits: vec![0], ..Release::default() };
            let values = ["a", "b"].map(String::from);
            ledger.add(release, [("p", "a", &values[..])].into_iter());
        }
        ledger
    }

    fn open() -> Seal {
        Seal::of(None, Unsealed::Refused).unwrap()
    }

    fn of<'a>(seal: &'a Seal, series: &'a str) -> Beside<'a> {
        Beside { seal, series: Some(series), plain: false }
    }

    #[test]
    fn what_was_written_is_known() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("l.json");
        let seal = open();
        let read = || Used::read(&path, of(&seal, "s")).unwrap();
        let fate = || read().fate(&names(None, None).unwrap());
        assert_eq!(fate(), None);
        let (one, two) = (ledger("s", 1), ledger("s", 2));
        let [first, second] = [&one, &two].map(|ledger| name(Some(ledger)).unwrap());
        let none = || (Fate::Used, name(None).unwrap());
        let text = || std::fs::read_to_string(beside(&path)).unwrap();
        read().add(&path, &[none()], &one, &seal).unwrap();
        read().add(&path, &[none(), (Fate::TakenBack, first.clone())], &two, &seal).unwrap();
        assert_eq!(text(), format!("taken-back {first}\nused none\n"));
        assert_eq!(fate(), Some(Fate::Used));
        // Made again, the same.
        read().add(&path, &[none(), (Fate::TakenBack, second.clone())], &one, &seal).unwrap();
        assert_eq!(text(), format!("taken-back {second}\nused none\n"));
        read().add(&path, &[none(), (Fate::TakenBack, first.clone())], &one, &seal).unwrap();
        assert_eq!(text(), format!("taken-back {second}\nused none\n"));
    }

    #[test]
    fn what_was_not_written_here_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("l.json");
        let seal = open();
        for other in [&b"used"[..], b"used \n", b"used none\nlost ab\n", b"used x1\n", &[0xff, 0xfe, 0x00]] {
            std::fs::write(beside(&path), other).unwrap();
            let why = Used::read(&path, of(&seal, "s")).err().map(|why| (why.code(), why.to_string()));
            assert!(why.is_some_and(|(code, text)| code == 2 && text.contains("--previous")), "{other:?}");
        }
        std::fs::write(beside(&path), "taken-back 0a\nused none\n").unwrap();
        assert!(Used::read(&path, of(&seal, "s")).is_ok_and(|known| !known.is_empty()));
    }

    /// An attacker can write beside the ledger and does not know the passphrase.
    #[cfg(feature = "passphrase")]
    #[test]
    fn a_list_beside_a_sealed_ledger_is_the_one_that_its_passphrase_sealed() {
        let dir = tempfile::tempdir().unwrap();
        let (path, secret) = (dir.path().join("l.json"), dir.path().join("secret"));
        std::fs::write(&secret, "correct horse battery\n").unwrap();
        let seal = Seal::of(Some(&secret), Unsealed::NotYet).unwrap();
        let one = ledger("s", 1);
        // The list of an earlier version is read where it may be, and sealed from then on.
        std::fs::write(beside(&path), "used 0a\n").unwrap();
        let refused = |of: Beside<'_>| {
            let why = Used::read(&path, of).err().map(|why| (why.code(), why.to_string()));
            assert!(
                why.as_ref().is_some_and(|(code, why)| *code == 2 && why.contains("--previous")),
                "{why:?}"
            );
        };
        refused(of(&seal, "s"));
        let old = Used::read(&path, Beside { plain: true, ..of(&seal, "s") }).unwrap();
        assert!(old.is_sealed_now());
        old.add(&path, &[(Fate::Used, name(None).unwrap())], &one, &seal).unwrap();
        let written = std::fs::read(beside(&path)).unwrap();
        assert!(is_sealed(&written), "{written:?}");
        let known = Used::read(&path, of(&seal, "s")).unwrap();
        assert!(!known.is_sealed_now() && known.releases() == 2);
        assert_eq!(known.fate(&names(None, None).unwrap()), Some(Fate::Used));
        // Of another series, cut, changed, and written anew.
        refused(of(&seal, "t"));
        let (mut changed, mut cut) = (written.clone(), written.clone());
        cut.truncate(written.len() - 20);
        *changed.last_mut().unwrap() ^= 1;
        for forged in [cut, changed, b"used none\n".to_vec(), Vec::new()] {
            std::fs::write(beside(&path), forged).unwrap();
            refused(of(&seal, "s"));
        }
    }
}
