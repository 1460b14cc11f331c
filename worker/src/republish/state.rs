//! Where a series stands: the ledger, and what an interrupted run has left.

use std::path::Path;

use lookalike_model::ledger::Ledger;
use lookalike_wire::ledger;

use super::{
    fault::{SeriesFault, Spent},
    seal::{self, Seal},
    used::{self, Beside, Fate, Used},
    writing::{Held, hold, pending, read_if_there, settle},
};
use crate::{exit::Failure, files};

/// Versions that never sealed the list of used states; the first of them did not say its version.
const UNSEALED_LISTS: [&str; 2] = ["", "0.1.0"];

/// What a run is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The next release.
    Next,
    /// Another release in the place of the last one, which nobody has seen.
    Replace,
    /// To finish an interrupted run whose release was written.
    Recover,
}

/// What a missing list of used states means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// An old copy of the ledger would not be noticed.
    May,
    /// The ledger is sealed, and this program has sealed a list beside it: it was taken away.
    Must,
}

/// Where a series stands.
#[derive(Debug)]
pub(crate) struct State {
    /// The ledger's bytes, if there is one.
    pub(crate) bytes: Option<Vec<u8>>,
    /// The state that the next release goes on from; `None` begins a series.
    pub(crate) ledger: Option<Ledger>,
    /// Whether the held ledger of an interrupted run is replaced by the next one.
    pub(crate) discard: bool,
    /// Whether a ledger with releases has no list of used states beside it, and whether it must.
    pub(crate) unlisted: Option<Listed>,
    /// What is known of used states.
    pub(super) known: Used,
    /// The names of the state that the next release goes on from.
    next: Vec<String>,
    /// The names of the state that is taken back, if one is.
    replaced: Vec<String>,
}

impl State {
    /// Finds out where the series stands, and with [`Asked::Recover`] finishes the interrupted run.
    ///
    /// # Errors
    /// If the ledger cannot be used, or for what must not be done silently.
    pub(crate) fn find(path: &Path, out: Option<&Path>, asked: Asked, seal: &Seal) -> Result<Self, Failure> {
        let bytes = read_if_there(path)?;
        if let Some(bytes) = &bytes {
            seal.first_time(path, bytes)?;
        }
        let (ledger, state) = match &bytes {
            Some(bytes) => parsed(path, bytes, seal).map(|(ledger, names)| (Some(ledger), names))?,
            None => (None, used::names(None, None)?),
        };
        let held = pending(path);
        let waiting = read_if_there(&held)?;
        let sealed = waiting.as_deref().is_none_or(seal::is_sealed);
        let waiting =
            waiting.map(|bytes| parsed(&held, &bytes, seal)).transpose()?.map(|(waiting, _)| waiting);
        let there = out.map(hash_if_there).transpose()?.flatten();
        let number = ledger.as_ref().map_or(0, Ledger::number);
        if ledger.as_ref().zip(waiting.as_ref()).is_some_and(|(ledger, waiting)| ledger.is_erased_in(waiting))
        {
            return Err(Failure::input(SeriesFault::ErasureInterrupted));
        }
        if asked == Asked::Replace && ledger.as_ref().is_some_and(Ledger::is_erased_since) {
            return Err(Failure::input(SeriesFault::ErasedSince));
        }
        // The interrupted run was to replace the last release.
        let again = number > 0 && waiting.as_ref().is_some_and(|waiting| waiting.number() == number);
        let series = ledger.as_ref().map(|ledger| ledger.series.as_str());
        let plain = !bytes.as_deref().is_some_and(seal::is_sealed) || of_old(ledger.as_ref());
        let used = Used::read(path, Beside { seal, series, plain })?;
        let fate = used.fate(&state);
        // More releases were made since than the one after this state.
        let outrun = used.releases() > number as usize + 1;
        let discard = waiting.is_some();
        // The release that is made again, whose bytes may be those of an older one, too.
        let hash = |ledger: &Ledger| ledger.releases.last().map(|release| release.hash.clone());
        let back = match (asked, &waiting) {
            (Asked::Replace, Some(waiting)) => hash(waiting),
            (Asked::Replace, None) if fate != Some(Fate::Used) => ledger.as_ref().and_then(hash),
            _ => None,
        };
        let unlisted =
            (number > 0 && used.is_empty()).then_some(if plain { Listed::May } else { Listed::Must });
        let (next, replaced, known) = (state, Vec::new(), used);
        let found = Self { bytes, ledger, discard, unlisted, known, next, replaced };
        let state = match (asked, waiting) {
            (Asked::Next, Some(waiting)) => {
                return Err(Failure::input(SeriesFault::Interrupted { release: waiting.number() }));
            }
            (Asked::Recover, Some(waiting)) => {
                if there.is_none() || there.as_ref() != waiting.releases.last().map(|release| &release.hash) {
                    let path = out.map(|out| out.display().to_string());
                    return Err(Failure::input(SeriesFault::NotInterrupted { path }));
                }
                let from = if again { found.last_taken_back()? } else { found };
                if !sealed && let Some(bytes) = read_if_there(&held)? {
                    hold(&held, &seal.close(bytes)?, Some(path), Held::Replaced)?;
                }
                settle(path, (&from.known, &from.used()), &waiting, seal)?;
                return Ok(Self {
                    bytes: read_if_there(path)?,
                    ledger: Some(waiting),
                    discard: false,
                    ..from
                });
            }
            (Asked::Recover, None) => {
                return Err(Failure::input(SeriesFault::NothingToRecover));
            }
            (Asked::Replace, waiting) => {
                let gone = match fate {
                    Some(Fate::Used) => outrun || again,
                    Some(Fate::TakenBack) => !again,
                    Some(Fate::Erased) => true,
                    None => false,
                };
                if gone {
                    once(path, found.ledger.as_ref(), fate, outrun || again)?;
                }
                // Of an old copy the release after it is made again.
                let stays = if waiting.is_some() { !again } else { fate == Some(Fate::Used) };
                if stays { found } else { found.last_taken_back()? }
            }
            (Asked::Next, None) => found,
        };
        state.overwrites_none(asked, out, there.as_ref().filter(|there| back.as_ref() != Some(*there)))?;
        if asked == Asked::Next {
            once(path, state.ledger.as_ref(), fate, outrun)?;
        }
        Ok(Self { ledger: begun(state.ledger), ..state })
    }

    /// The state before its last release, which is taken back.
    fn last_taken_back(self) -> Result<Self, Failure> {
        match &self.ledger {
            Some(last) if last.number() > 0 => {
                let ledger = begun(Some(last.before_last()));
                let next = used::names(ledger.as_ref(), None)?;
                Ok(Self { ledger, replaced: self.next, next, ..self })
            }
            _ => Err(Failure::input(SeriesFault::NothingToReplace)),
        }
    }

    /// Refuses to write over a release that stays.
    fn overwrites_none(
        &self,
        asked: Asked,
        out: Option<&Path>,
        there: Option<&String>,
    ) -> Result<(), Failure> {
        let releases = self.ledger.as_ref().map_or(&[][..], |ledger| &ledger.releases);
        let taken = releases.iter().position(|release| there == Some(&release.hash));
        let (Some(at), Some(out)) = (taken, out) else { return Ok(()) };
        let last = asked == Asked::Next && at + 1 == releases.len();
        let path = out.display().to_string();
        Err(Failure::input(SeriesFault::Overwrites { path, release: at + 1, last }))
    }

    /// The states that have a release once this one is written.
    pub(super) fn used(&self) -> Vec<(Fate, String)> {
        let taken_back = self.replaced.iter().map(|state| (Fate::TakenBack, state.clone()));
        self.next.iter().map(|state| (Fate::Used, state.clone())).chain(taken_back).collect()
    }

    /// Checks that `previous` is the last release.
    ///
    /// # Errors
    /// If it is another one, or none of this series.
    pub(crate) fn check_previous(&self, previous: &Path) -> Result<(), Failure> {
        files::reads(previous);
        let path = || previous.display().to_string();
        let found = hash_if_there(previous)?
            .ok_or_else(|| Failure::system(SeriesFault::PreviousGone { path: path() }))?;
        let Some(ledger) = &self.ledger else {
            return Err(Failure::input(SeriesFault::NoPrevious { path: path() }));
        };
        match ledger.not_last(&found) {
            None => Ok(()),
            Some(why) => Err(Failure::input(SeriesFault::OtherPrevious { path: path(), why: why.into() })),
        }
    }
}

/// Refuses a second release from one state; `outrun` if more than one was made since.
fn once(path: &Path, ledger: Option<&Ledger>, fate: Option<Fate>, outrun: bool) -> Result<(), Failure> {
    let shown = path.display().to_string();
    let why = match (fate, ledger) {
        (None, _) => return Ok(()),
        (Some(_), None) => Spent::Gone { ledger: shown },
        (Some(Fate::Used), Some(ledger)) if outrun => {
            Spent::Outrun { release: ledger.number() + 1, ledger: shown }
        }
        (Some(Fate::Used), Some(ledger)) => Spent::Used { release: ledger.number() + 1, ledger: shown },
        (Some(Fate::Erased), Some(_)) => Spent::Erased { ledger: shown },
        (Some(Fate::TakenBack), Some(ledger)) => Spent::TakenBack { release: ledger.number(), ledger: shown },
    };
    let list = used::beside(path).display().to_string();
    Err(Failure::input(SeriesFault::Spent { why, list }))
}

/// A ledger without releases begins a series.
fn begun(ledger: Option<Ledger>) -> Option<Ledger> {
    ledger.filter(|ledger| ledger.number() > 0)
}

/// Whether the last release was made by a version whose list of used states was never sealed.
pub(super) fn of_old(ledger: Option<&Ledger>) -> bool {
    let last = ledger.and_then(|ledger| ledger.releases.last());
    last.is_none_or(|release| UNSEALED_LISTS.contains(&release.version.as_str()))
}

/// The ledger in a file, and the names of its state.
fn parsed(path: &Path, bytes: &[u8], seal: &Seal) -> Result<(Ledger, Vec<String>), Failure> {
    let opened = seal.open(path, bytes)?;
    let ledger = ledger::read(&opened).map_err(|error| Failure::in_file(path, error))?;
    let names = used::names(Some(&ledger), Some(&opened))?;
    Ok((ledger, names))
}

fn hash_if_there(path: &Path) -> Result<Option<String>, Failure> {
    Ok(read_if_there(path)?.map(|bytes| blake3::hash(&bytes).to_hex().to_string()))
}

#[cfg(all(test, feature = "passphrase"))]
#[allow(clippy::unwrap_used, reason = "helpers of tests: a failure here is a failed test")]
mod tests {
    use lookalike_model::{
        ledger::{Mode, Release},
        settings::{Model, Settings},
    };

    use super::*;
    use crate::republish::seal::Unsealed;

    /// A sealed ledger whose release this version made, and beside it a list that is not sealed.
    fn beside_a_list_in_the_open(version: &str) -> Result<State, Failure> {
        let dir = tempfile::tempdir().unwrap();
        let (path, secret) = (dir.path().join("l.json"), dir.path().join("secret"));
        std::fs::write(&secret, "correct horse battery\n").unwrap();
        let seal = Seal::of(Some(&secret), Unsealed::NotYet).unwrap();
        let settings = Settings::of(Model::MInvariance { m: 2 });
        let mut ledger = Ledger::new(String::from("s"), String::from("id"), Mode::TauSafety, &settings);
        let values = ["a", "b"].map(String::from);
        let hash = blake3::hash(b"release").to_hex().to_string();
        let release = Release {
            hash,
            rows: 2,
            counterfeits: vec![1],
            version: version.to_owned(),
            ..Release::default()
        };
        ledger.add(release, [("p", "a", &values[..])].into_iter());
        std::fs::write(&path, seal.close(ledger::write(&ledger).unwrap()).unwrap()).unwrap();
        std::fs::write(used::beside(&path), "used none\n").unwrap();
        State::find(&path, None, Asked::Next, &seal)
    }

    #[test]
    fn the_list_of_an_earlier_version_is_read_and_one_in_the_open_of_this_version_is_not() {
        for old in ["0.1.0", ""] {
            let state = beside_a_list_in_the_open(old).unwrap();
            assert!(state.known.is_sealed_now() && state.unlisted.is_none(), "{old}");
        }
        let why = beside_a_list_in_the_open(env!("CARGO_PKG_VERSION")).unwrap_err();
        assert!(why.code() == 2 && why.to_string().contains("that was sealed"), "{why}");
    }
}
