//! Groups and classes as runs of rows.
//!
//! The rows of a sorted table that are published alike follow one another, and classes whose labels count up do, too: a run
//! of equal rows is then a whole group or class. Rows that come back after others are out of order, and fail the verdict.
//! So that its findings are about whole groups nevertheless, runs are remembered as long as there are few, and one that
//! comes back goes on where it ended.

use std::{mem::size_of, ops::Range};

use lookalike_words::Cell;
use rustc_hash::FxHashMap;

use super::{
    group_checks::{Complete, Seen},
    question::Guarantee,
    row::Row,
    tally::Tally,
    values::Values,
    verdict::Shared,
};

/// What is needed to judge a run.
pub(super) type Asked<'a> = (Guarantee, &'a Values);

/// The runs of one kind.
pub(super) struct Runs {
    /// Columns by which rows are alike, by place, and their names.
    columns: Vec<(usize, String)>,
    /// The run at hand, if any, and its cells.
    open: Option<Run>,
    key: Vec<u8>,
    tally: Tally,
    /// Runs so far, the one at hand included.
    count: usize,
    memory: Option<Memory>,
    /// All runs that cannot come back.
    pub(super) seen: Seen,
    /// The tally of the run that ended last.
    ended: Vec<(u32, usize)>,
}

/// Rows that are alike.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Its place among all runs of its kind.
    pub(super) place: usize,
    size: usize,
    first: usize,
    /// For a class: the place of its first row's group, and the first row that is of another one.
    pub(super) group: usize,
    pub(super) odd: Option<usize>,
}

/// Most bytes, about, that runs which may come back take.
const ROOM: usize = 1 << 20;

/// Most counts that are moved because runs come back: about a tenth of a second.
const MOVED: usize = 1 << 26;

/// Runs that are over and may come back.
#[derive(Default)]
struct Memory {
    runs: Vec<Kept>,
    keys: Vec<u8>,
    /// Places by key; made when it is needed first, which is never in a table in order.
    places: Option<FxHashMap<Box<[u8]>, usize>>,
    /// Counts that are kept, and those that were moved.
    counts: usize,
    moved: usize,
}

struct Kept {
    run: Run,
    key: Range<usize>,
    tally: Vec<(u32, usize)>,
}

/// What an entry of the places costs beside its key.
const ENTRY: usize = 48;

impl Memory {
    fn is_full(&self) -> bool {
        let places = self.places.as_ref().map_or(0, |places| self.keys.len() + places.len() * ENTRY);
        let counts = self.counts * size_of::<(u32, usize)>();
        self.runs.len() * size_of::<Kept>() + self.keys.len() + counts + places > ROOM || self.moved > MOVED
    }

    /// The run with this key, if it was there before.
    fn find(&mut self, key: &[u8]) -> Option<&mut Kept> {
        let (runs, keys) = (&self.runs, &self.keys);
        let places = self.places.get_or_insert_with(|| {
            runs.iter().map(|kept| (keys[kept.key.clone()].into(), kept.run.place)).collect()
        });
        places.get(key).and_then(|&place| self.runs.get_mut(place))
    }

    fn keep(&mut self, run: Run, key: &[u8], tally: &[(u32, usize)]) {
        self.counts += tally.len();
        if let Some(kept) = self.runs.get_mut(run.place) {
            self.counts -= kept.tally.len();
            self.moved += tally.len() + kept.tally.len() + 1;
            (kept.run, kept.tally) = (run, tally.to_vec());
            return;
        }
        if let Some(places) = &mut self.places {
            places.insert(key.into(), run.place);
        }
        let start = self.keys.len();
        self.keys.extend_from_slice(key);
        self.runs.push(Kept { run, key: start..self.keys.len(), tally: tally.to_vec() });
    }
}

impl Runs {
    pub(super) fn new(columns: &[usize], header: &[String]) -> Self {
        Self {
            columns: columns.iter().map(|&at| (at, header[at].clone())).collect(),
            open: None,
            key: Vec::new(),
            tally: Tally::default(),
            count: 0,
            memory: Some(Memory::default()),
            seen: Seen::default(),
            ended: Vec::new(),
        }
    }

    /// The run at hand ends, and the one of this row begins; `back` says whether it may have been there before. Whether it
    /// was.
    pub(super) fn begin(&mut self, row: &Row, number: usize, back: bool, asked: Asked) -> bool {
        self.end(asked);
        self.key.clear();
        for (at, _) in &self.columns {
            let cell = row.cell(*at).as_bytes();
            self.key.extend_from_slice(&cell.len().to_le_bytes());
            self.key.extend_from_slice(cell);
        }
        if let Some(memory) = self.memory.as_mut().filter(|_| back)
            && let Some(kept) = memory.find(&self.key)
        {
            for &(code, count) in &kept.tally {
                self.tally.add(code, count);
            }
            self.open = Some(kept.run.clone());
            return true;
        }
        self.open = Some(Run { place: self.count, size: 0, first: number, group: 0, odd: None });
        self.count += 1;
        false
    }

    /// One more row in the run at hand, with the code of its sensitive value if it is to be counted.
    pub(super) fn add(&mut self, code: Option<u32>) {
        if let Some(run) = &mut self.open {
            run.size += 1;
        }
        if let Some(code) = code {
            self.tally.add(code, 1);
        }
    }

    /// The run at hand.
    pub(super) fn open(&mut self) -> Option<&mut Run> {
        self.open.as_mut()
    }

    /// Whether more runs are remembered than there is room for.
    pub(super) fn is_full(&self) -> bool {
        self.memory.as_ref().is_some_and(Memory::is_full)
    }

    /// From now on every run that is over is complete.
    pub(super) fn forget(&mut self, asked: Asked) {
        let Some(memory) = self.memory.take() else { return };
        for Kept { run, key, tally } in &memory.runs {
            // The run at hand may be one that came back: it is complete later.
            if self.open.as_ref().is_none_or(|open| open.place != run.place) {
                complete(&mut self.seen, run, tally, asked, &|| {
                    describe(&self.columns, &memory.keys[key.clone()])
                });
            }
        }
    }

    /// The last run is over, and all are complete.
    pub(super) fn finish(&mut self, asked: Asked) {
        self.end(asked);
        self.forget(asked);
    }

    fn end(&mut self, asked: Asked) {
        let Some(run) = self.open.take() else { return };
        self.ended.clear();
        self.tally.drain(&mut self.ended);
        if let Some(memory) = &mut self.memory {
            memory.keep(run, &self.key, &self.ended);
            return;
        }
        let shared = || describe(&self.columns, &self.key);
        complete(&mut self.seen, &run, &self.ended, asked, &shared);
    }
}

fn complete(
    seen: &mut Seen,
    run: &Run,
    tally: &[(u32, usize)],
    asked: Asked,
    shared: &dyn Fn() -> Vec<Shared>,
) {
    seen.add(&Complete { size: run.size, first: run.first, odd: run.odd, tally }, asked, shared);
}

/// The cells that the rows of a run share, from its key.
fn describe(columns: &[(usize, String)], mut key: &[u8]) -> Vec<Shared> {
    let mut cells = Vec::with_capacity(columns.len());
    for (_, name) in columns {
        let Some((length, rest)) = key.split_first_chunk() else { break };
        let (cell, rest) = rest.split_at(usize::from_le_bytes(*length).min(rest.len()));
        let cell = Cell::from(&*String::from_utf8_lossy(cell));
        cells.push(Shared::Cell { column: name.clone(), cell });
        key = rest;
    }
    cells
}
