//! Which states of a series have a release already: `L.json.used`, beside the ledger. It notices an old copy of the ledger
//! that was put back, and a ledger that is gone; it holds fingerprints, and nothing of any person.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use lookalike_model::ledger::Ledger;
use lookalike_wire::ledger::{checksum, fingerprint};

use super::{
    fault::SeriesFault,
    writing::{beside as named, private_file, read_if_there},
};
use crate::{
    exit::{Attempt, Failure},
    files,
};

/// The state before the first release, which has no ledger.
const NONE: &str = "none";

/// What became of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// A release was made from it.
    Used,
    /// Its last release was taken back, and another stands in its place.
    TakenBack,
}

impl Fate {
    const fn name(self) -> &'static str {
        match self {
            Self::Used => "used",
            Self::TakenBack => "taken-back",
        }
    }
}

/// The states of one series, by their fingerprints.
pub(crate) struct Used(String);

impl Used {
    /// Reads what is known; nothing where there is no file.
    pub(super) fn read(ledger: &Path) -> Result<Self, Failure> {
        let list = beside(ledger);
        let bytes = read_if_there(&list)?.unwrap_or_default();
        let known = String::from_utf8(bytes).ok().filter(|text| text.lines().all(is_line));
        known
            .map(Self)
            .ok_or_else(|| Failure::input(SeriesFault::UnknownUsed { list: list.display().to_string() }))
    }

    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What became of the state with these names, as far as is known.
    pub(super) fn fate(&self, names: &[String]) -> Option<Fate> {
        let is = |fate: &Fate| {
            names.iter().any(|state| {
                let line = line(*fate, state);
                self.0.lines().any(|known| known == line)
            })
        };
        [Fate::Used, Fate::TakenBack].into_iter().find(is)
    }

    /// How many states have a release, as far as is known.
    pub(super) fn releases(&self) -> usize {
        self.0.lines().filter(|line| line.starts_with(Fate::Used.name())).count()
    }

    /// Writes what became of these states, and that the series is in the state
    /// `next`, which may be one that was taken back before.
    pub(super) fn add(ledger: &Path, states: &[(Fate, String)], next: &str) -> Result<(), Failure> {
        let Self(known) = Self::read(ledger)?;
        let again = line(Fate::TakenBack, next);
        let added = states.iter().map(|(fate, state)| line(*fate, state));
        let mut lines: Vec<String> = known.lines().map(String::from).chain(added).collect();
        lines.retain(|line| *line != again);
        lines.sort_unstable();
        lines.dedup();
        let text = lines.iter().fold(String::new(), |text, line| text + line + "\n");
        let path = beside(ledger);
        let fail = |e: &std::io::Error| Failure::io(Attempt::Write, &path, e);
        let mut file = private_file(&path).map_err(|e| fail(&e))?;
        file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(|e| fail(&e))?;
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

/// Whether this is what became of a state: anything else was not written by this program.
fn is_line(text: &str) -> bool {
    let Some((fate, state)) = text.split_once(' ') else { return false };
    let is_name = state == NONE || (!state.is_empty() && state.bytes().all(|byte| byte.is_ascii_hexdigit()));
    is_name && [Fate::Used, Fate::TakenBack].iter().any(|known| known.name() == fate)
}

fn line(fate: Fate, state: &str) -> String {
    format!("{} {state}", fate.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_known() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("l.json");
        let fate = || Used::read(&path).unwrap().fate(&names(None, None).unwrap());
        assert_eq!(fate(), None);
        let none = || (Fate::Used, name(None).unwrap());
        let text = || std::fs::read_to_string(beside(&path)).unwrap();
        Used::add(&path, &[none()], "ab").unwrap();
        Used::add(&path, &[none(), (Fate::TakenBack, String::from("ab"))], "cd").unwrap();
        assert_eq!(text(), "taken-back ab\nused none\n");
        assert_eq!(fate(), Some(Fate::Used));
        // Made again, the same.
        Used::add(&path, &[none(), (Fate::TakenBack, String::from("cd"))], "ab").unwrap();
        assert_eq!(text(), "taken-back cd\nused none\n");
        Used::add(&path, &[none(), (Fate::TakenBack, String::from("ab"))], "ab").unwrap();
        assert_eq!(text(), "taken-back cd\nused none\n");
    }

    #[test]
    fn what_was_not_written_here_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("l.json");
        for other in [&b"used"[..], b"used \n", b"used none\nlost ab\n", b"used x1\n", &[0xff, 0xfe, 0x00]] {
            std::fs::write(beside(&path), other).unwrap();
            let why = Used::read(&path).err().map(|why| (why.code(), why.to_string()));
            assert!(why.is_some_and(|(code, text)| code == 2 && text.contains("--previous")), "{other:?}");
        }
        std::fs::write(beside(&path), "taken-back 0a\nused none\n").unwrap();
        assert!(Used::read(&path).is_ok_and(|known| !known.is_empty()));
    }
}
