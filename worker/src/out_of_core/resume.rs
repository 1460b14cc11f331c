//! What a run that was killed has finished, for the next one with the same table and settings.
//!
//! In the folder stand, beside the rows of leaves: `run`, what the run is; `placed`, what was counted when all rows were in their
//! leaves; and for each finished block its classes and its totals. Each is written under another name and gets its own when it is
//! whole; totals hold the digest of their classes. What is not whole is not there.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use lookalike_core::{
    digest::{sha256, sha256_of},
    out_of_core::{BlockTotals, Blocks},
};
use lookalike_model::{REVISION, settings::Settings};
use serde::{Deserialize, Serialize};

use super::spill::{Spill, append};
use crate::exit::{Attempt, Failure};

/// What the run is.
const RUN: &str = "run";

/// What was counted.
const PLACED: &str = "placed";

/// What a run is, as far as what it finished is of use to another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Known {
    /// A digest of the program, of the settings but for their seed, of how the table is read, and of the size of blocks.
    what: String,
    pub(super) seed: u64,
}

impl Known {
    /// A run with these settings; nothing of another program or another revision of its algorithms is taken over.
    pub(super) fn of(settings: &Settings, read: &str, block_rows: usize) -> Self {
        let seed = settings.seed.unwrap_or_default();
        let settings = Settings { seed: None, ..settings.clone() };
        let version = env!("CARGO_PKG_VERSION");
        let what = format!("{version}\n{REVISION}\n{block_rows}\n{read}\n{settings:?}");
        Self { what: sha256(what.as_bytes()), seed }
    }

    /// Whether what the other one finished can be gone on with; `seed` is the one that is asked for, if one is.
    pub(super) fn goes_on_with(&self, other: &Self, seed: Option<u64>) -> bool {
        self.what == other.what && seed.is_none_or(|seed| seed == other.seed)
    }

    /// Of the run that left this folder, if it had placed all rows.
    pub(super) fn left_in(folder: &Path) -> Option<Self> {
        let placed = folder.join(PLACED).exists();
        serde_json::from_slice(&fs::read(folder.join(RUN)).ok()?).ok().filter(|_| placed)
    }
}

impl Spill {
    /// Says what the run is.
    pub(super) fn is(&self, known: &Known) -> Result<(), Failure> {
        let bytes = serde_json::to_vec(known).map_err(|e| Failure::json(&e))?;
        self.keep(RUN, &[&bytes])
    }

    /// All rows of the table with this digest are in their leaves; what was counted.
    pub(super) fn placed(&self, table: [u8; 32], counts: &[u8]) -> Result<(), Failure> {
        self.keep(PLACED, &[&table, counts])
    }

    /// What was counted of the table with this digest, if it was this one.
    pub(super) fn counted(&self, table: [u8; 32]) -> Option<Vec<u8>> {
        let bytes = fs::read(self.path(PLACED)).ok()?;
        Some(bytes.strip_prefix(&table[..])?.to_vec())
    }

    /// Where the classes of a block go.
    pub(super) fn block(&self, block: usize) -> PathBuf {
        self.path(&format!("block-{block}"))
    }

    /// A block is finished: its classes are written.
    pub(super) fn finished(&self, block: usize, totals: &BlockTotals) -> Result<(), Failure> {
        let path = self.block(block);
        let digest = digest_of(&path).map_err(|e| Failure::io(Attempt::Read, &path, &e))?;
        self.keep(&format!("totals-{block}"), &[digest.as_bytes(), &totals.to_bytes()])
    }

    /// A block that was finished before, if it is whole.
    pub(super) fn found(&self, block: usize) -> Option<BlockTotals> {
        let bytes = fs::read(self.path(&format!("totals-{block}"))).ok()?;
        let totals = bytes.strip_prefix(digest_of(&self.block(block)).ok()?.as_bytes())?;
        BlockTotals::from_bytes(totals).ok().filter(|totals| totals.block() == block)
    }

    /// The blocks that are finished; `None` if one is neither finished nor has all of its rows.
    pub(super) fn finished_of(&self, blocks: &Blocks) -> Option<Vec<Option<BlockTotals>>> {
        let block = |block| match self.found(block) {
            Some(totals) => Some(Some(totals)),
            None => blocks.leaves(block).iter().all(|&leaf| self.leaf(leaf).exists()).then_some(None),
        };
        (0..blocks.len()).map(block).collect()
    }

    /// Writes a file that is there as a whole or not at all.
    fn keep(&self, name: &str, parts: &[&[u8]]) -> Result<(), Failure> {
        let (path, before) = (self.path(name), self.path("to-be"));
        let write = || {
            let _ = fs::remove_file(&before);
            let mut file = append(&before)?;
            parts.iter().try_for_each(|part| file.write_all(part))?;
            fs::rename(&before, &path)
        };
        write().map_err(|e: io::Error| Failure::io(Attempt::Write, &path, &e))
    }
}

fn digest_of(path: &Path) -> io::Result<String> {
    sha256_of(File::open(path)?)
}
