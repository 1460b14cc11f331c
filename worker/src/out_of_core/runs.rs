//! Sorted runs of records on the disk, and one order of all of them: an external merge sort (Knuth, volume 3, 5.4).

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
    fs::File,
    io::{self, BufReader, BufWriter, ErrorKind, Read, Write},
    path::{Path, PathBuf},
};

use lookalike_core::out_of_core::BlockClass;

use super::spill::{Spill, append, remove};
use crate::exit::{Attempt, Failure};

/// Runs that are merged at a time.
const RUNS: usize = 64;

/// What can be kept in a run.
pub(crate) trait Record: Sized {
    /// Writes the record.
    fn write(&self, out: &mut impl Write) -> io::Result<()>;
    /// Reads what was written; `None` at the end.
    fn read(source: &mut impl Read) -> io::Result<Option<Self>>;
    /// The order of the runs.
    fn order(&self, other: &Self) -> Ordering;
}

/// Writes records, in their order, to a new run.
pub(crate) fn write<'a, R: Record + 'a>(
    spill: &Spill,
    records: impl IntoIterator<Item = &'a R>,
) -> Result<PathBuf, Failure> {
    write_to(spill.file(), records)
}

/// The same to a file of this name, from its beginning.
pub(crate) fn write_to<'a, R: Record + 'a>(
    path: PathBuf,
    records: impl IntoIterator<Item = &'a R>,
) -> Result<PathBuf, Failure> {
    let done = append(&path).and_then(|file| {
        file.set_len(0)?;
        let mut out = BufWriter::new(file);
        records.into_iter().try_for_each(|record| record.write(&mut out))?;
        out.flush()
    });
    done.map_err(|e| Failure::io(Attempt::Write, &path, &e))?;
    Ok(path)
}

/// Hands over the records of all runs in one order, equal ones in the order of the runs. What is merged on the way is removed, the
/// runs themselves are not: a run that is killed here has them still.
pub(crate) fn merge<R: Record>(
    spill: &Spill,
    mut runs: Vec<PathBuf>,
    each: &mut dyn FnMut(R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut removed = false;
    while runs.len() > RUNS {
        let mut longer = Vec::new();
        for some in runs.chunks(RUNS) {
            let path = spill.file();
            let failed = |e| Failure::io(Attempt::Write, &path, &e);
            let mut out = BufWriter::new(append(&path).map_err(failed)?);
            once(some, removed, &mut |record: R| record.write(&mut out).map_err(failed))?;
            out.flush().map_err(failed)?;
            longer.push(path);
        }
        (runs, removed) = (longer, true);
    }
    once(&runs, removed, each)
}

/// Merges runs that are few.
fn once<R: Record>(
    runs: &[PathBuf],
    removed: bool,
    each: &mut dyn FnMut(R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut heads = BinaryHeap::new();
    let mut sources = Vec::new();
    for (run, path) in runs.iter().enumerate() {
        let file = File::open(path).map_err(|e| Failure::io(Attempt::Read, path, &e))?;
        sources.push(BufReader::new(file));
        heads.extend(next(&mut sources[run], path)?.map(|record| Reverse(Head { record, run })));
    }
    while let Some(Reverse(Head { record, run })) = heads.pop() {
        each(record)?;
        heads.extend(next(&mut sources[run], &runs[run])?.map(|record| Reverse(Head { record, run })));
    }
    if removed { runs.iter().try_for_each(|path| remove(path)) } else { Ok(()) }
}

fn next<R: Record>(source: &mut impl Read, path: &Path) -> Result<Option<R>, Failure> {
    R::read(source).map_err(|e| Failure::io(Attempt::Read, path, &e))
}

/// The first record of a run that is left.
struct Head<R> {
    record: R,
    run: usize,
}

impl<R: Record> Ord for Head<R> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.record.order(&other.record).then(self.run.cmp(&other.run))
    }
}

impl<R: Record> PartialOrd for Head<R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R: Record> PartialEq for Head<R> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<R: Record> Eq for Head<R> {}

impl Record for BlockClass {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for texts in [&self.cells, &self.values] {
            number(out, texts.len() as u64)?;
            for text in texts {
                number(out, text.len() as u64)?;
                out.write_all(text.as_bytes())?;
            }
        }
        number(out, self.rows.len() as u64)?;
        self.rows.iter().try_for_each(|&row| number(out, row))
    }

    fn read(source: &mut impl Read) -> io::Result<Option<Self>> {
        let Some(cells) = begin(source)? else { return Ok(None) };
        let cells = texts(source, cells)?;
        let values = get(source)?;
        let values = texts(source, values)?;
        let rows = get(source)?;
        let rows = (0..rows).map(|_| get(source)).collect::<io::Result<Vec<u64>>>()?;
        Ok(Some(Self { cells, values, rows }))
    }

    fn order(&self, other: &Self) -> Ordering {
        self.published_order(other)
    }
}

/// A row of the input and its class.
impl Record for (u64, u64) {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        number(out, self.0)?;
        number(out, self.1)
    }

    fn read(source: &mut impl Read) -> io::Result<Option<Self>> {
        let Some(row) = begin(source)? else { return Ok(None) };
        Ok(Some((row, get(source)?)))
    }

    fn order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

fn number(out: &mut impl Write, x: u64) -> io::Result<()> {
    out.write_all(&x.to_le_bytes())
}

fn get(source: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    source.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// The first number of a record; `None` at the end of the run.
fn begin(source: &mut impl Read) -> io::Result<Option<u64>> {
    let mut first = [0];
    if source.read(&mut first)? == 0 {
        return Ok(None);
    }
    let mut bytes = [0; 8];
    bytes[0] = first[0];
    source.read_exact(&mut bytes[1..])?;
    Ok(Some(u64::from_le_bytes(bytes)))
}

fn texts(source: &mut impl Read, count: u64) -> io::Result<Vec<String>> {
    let text = |_| {
        let length = get(source)?;
        let mut bytes = Vec::new();
        source.by_ref().take(length).read_to_end(&mut bytes)?;
        if bytes.len() as u64 != length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        String::from_utf8(bytes).map_err(|e| io::Error::new(ErrorKind::InvalidData, e))
    };
    (0..count).map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spill() -> (tempfile::TempDir, Spill) {
        let dir = tempfile::tempdir().unwrap();
        let spill = Spill::open(dir.path(), &|_| false).unwrap();
        (dir, spill)
    }

    #[test]
    fn many_runs_in_one_order() {
        let (dir, spill) = spill();
        let runs: Vec<PathBuf> = (0..150_u64)
            .map(|run| {
                let records: Vec<(u64, u64)> = (0..7).map(|i| (i * 150 + run * 7 % 150, run)).collect();
                write(&spill, &records).unwrap()
            })
            .collect();
        let mut found = Vec::new();
        merge(&spill, runs, &mut |record: (u64, u64)| {
            found.push(record.0);
            Ok(())
        })
        .unwrap();
        assert_eq!(found, (0..1050).collect::<Vec<u64>>());
        let inner = std::fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
        assert_eq!(std::fs::read_dir(&inner).unwrap().count(), 151, "what was merged on the way is removed");
        drop(spill);
        assert!(!inner.exists());
    }

    #[test]
    fn classes_come_back_as_they_were() {
        let (_dir, spill) = spill();
        let class = |cell: &str, rows: &[u64]| BlockClass {
            cells: vec![cell.to_owned(), String::new()],
            values: vec![String::from("a\nb"), String::from("é")],
            rows: rows.to_vec(),
        };
        let classes = [class("9", &[1, u64::MAX]), class("10", &[]), class("x", &[3])];
        let one = write(&spill, &classes[..1]).unwrap();
        let other = write(&spill, &classes[1..]).unwrap();
        let mut found = Vec::new();
        merge(&spill, vec![other, one], &mut |record: BlockClass| {
            found.push(record);
            Ok(())
        })
        .unwrap();
        assert_eq!(found, classes);
    }

    #[test]
    fn a_run_that_was_cut_off_is_an_error() {
        let (_dir, spill) = spill();
        let path = write(&spill, &[(1, 2), (3, 4)]).unwrap();
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(20).unwrap();
        let ended = merge(&spill, vec![path], &mut |_: (u64, u64)| Ok(()));
        assert_eq!(ended.unwrap_err().code(), 4);
    }
}
