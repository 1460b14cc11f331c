//! The chain of entries: making the next one, and reading all of them again.

use std::io::{self, BufRead, Read as _};

use lookalike_core::digest::sha256;

use super::{
    entry::{Entry, Event, What},
    fault::LogFault,
};

/// What stands for the digest of a line before the first.
const NOTHING: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Bytes of the longest line.
const LONGEST: u64 = 64 << 10;

/// The last entry of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Its number; 0 before the first.
    pub(crate) n: u64,
    /// Its digest.
    pub(crate) digest: String,
}

impl Default for Head {
    fn default() -> Self {
        Self { n: 0, digest: NOTHING.to_owned() }
    }
}

impl Head {
    /// The line of the next entry, without its end, and the head after it.
    ///
    /// # Errors
    /// Never: an event is text and numbers.
    pub(super) fn next(&self, event: Event) -> io::Result<(String, Self)> {
        let entry = Entry { n: self.n + 1, previous: self.digest.clone(), event };
        let line = serde_json::to_string(&entry)?;
        let head = Self { n: entry.n, digest: sha256(line.as_bytes()) };
        Ok((line, head))
    }
}

/// A log that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    /// Its last entry.
    pub(crate) head: Head,
    /// Its entries, where it holds several chains of all of them.
    pub(crate) entries: u64,
    /// When the first and the last entry were made.
    pub(crate) times: Option<(String, String)>,
    /// Entries that are of an earlier time than the one before: a clock was set back.
    pub(crate) back: u64,
    /// Lines where another chain begins.
    pub(crate) begins: Vec<u64>,
    /// Lines that were cut off when the worker was killed, and are accounted for.
    pub(crate) torn: u64,
    /// Bytes after the last whole line.
    pub(crate) tail: u64,
}

/// Reads a log to its end. Lines may begin with what a system's log puts before them.
///
/// # Errors
/// The first line that does not fit, or a source that cannot be read.
pub(crate) fn read(mut source: impl BufRead) -> Result<Log, Fault> {
    let mut log = Log::default();
    // A line that is no entry must be accounted for by the next one.
    let mut open = None::<(u64, u64)>;
    for number in 1.. {
        let mut line = Vec::new();
        source.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line).map_err(Fault::Unread)?;
        if line.is_empty() {
            break;
        }
        if line.last() != Some(&b'\n') {
            if line.len() as u64 > LONGEST {
                return Err(LogFault::NoEntry { line: number }.into());
            }
            log.tail = line.len() as u64;
            break;
        }
        line.pop();
        let Some((text, entry)) = entry(&line) else {
            if open.replace((number, line.len() as u64)).is_some() {
                return Err(LogFault::NoEntry { line: number - 1 }.into());
            }
            continue;
        };
        log.take(&entry, number)?;
        log.head = Head { n: entry.n, digest: sha256(text) };
        match open.take() {
            Some((_, bytes)) if entry.event.what == What::Torn && entry.event.bytes == Some(bytes) => {
                log.torn += 1;
            }
            Some((line, _)) => return Err(LogFault::NoEntry { line }.into()),
            None => {}
        }
    }
    match open {
        Some((line, _)) => Err(LogFault::NoEntry { line }.into()),
        None => Ok(log),
    }
}

/// Why a log is not read.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It is no whole log.
    Broken(LogFault),
    /// Its file cannot be read.
    Unread(io::Error),
}

impl From<LogFault> for Fault {
    fn from(fault: LogFault) -> Self {
        Self::Broken(fault)
    }
}

/// The entry of a line, and its text without what stands before it.
fn entry(line: &[u8]) -> Option<(&[u8], Entry)> {
    let text = &line[line.iter().position(|byte| *byte == b'{')?..];
    Some((text, serde_json::from_slice(text).ok()?))
}

impl Log {
    /// An entry must be the next one.
    fn take(&mut self, entry: &Entry, line: u64) -> Result<(), LogFault> {
        let Entry { n, previous, event } = entry;
        if *n == 1 && previous == NOTHING && self.entries > 0 {
            self.begins.push(line);
        } else if *n != self.head.n + 1 {
            return Err(LogFault::Number { line, found: *n, expected: self.head.n + 1 });
        } else if *previous != self.head.digest {
            return Err(LogFault::Broken { line });
        }
        self.entries += 1;
        let at = &event.at;
        self.times = Some(match self.times.take() {
            Some((first, last)) => {
                self.back += u64::from(*at < last);
                (first, at.clone())
            }
            None => (at.clone(), at.clone()),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A log of so many entries, as lines.
    fn lines(count: usize) -> Vec<String> {
        let mut head = Head::default();
        let whats = [What::Start, What::Submit, What::Finish, What::Fetch, What::Delete];
        let line = |index: usize| {
            let event = Event {
                who: Some(format!("token-{index}")),
                job: Some(format!("{index:032x}")),
                ..Event::of(whats[index % whats.len()])
            };
            let (line, next) = head.next(event).unwrap();
            head = next;
            line
        };
        (0..count).map(line).collect()
    }

    fn read_lines(lines: &[String]) -> Result<Log, LogFault> {
        let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        match read(text.as_bytes()) {
            Ok(log) => Ok(log),
            Err(Fault::Broken(fault)) => Err(fault),
            Err(Fault::Unread(error)) => panic!("{error}"),
        }
    }

    #[test]
    fn a_whole_log_is_whole_and_its_head_is_the_digest_of_its_last_line() {
        let lines = lines(7);
        let log = read_lines(&lines).unwrap();
        assert_eq!((log.entries, log.head.n, log.tail, log.torn), (7, 7, 0, 0));
        assert_eq!(log.head.digest, sha256(lines[6].as_bytes()));
        assert_eq!(read_lines(&[]).unwrap(), Log::default());
    }

    #[test]
    fn no_line_can_be_taken_out_put_in_moved_or_changed() {
        let whole = lines(6);
        for at in 0..6 {
            // The last one taken out is a shorter log: that is what its head is kept for.
            if at < 5 {
                let mut less = whole.clone();
                less.remove(at);
                assert!(read_lines(&less).is_err(), "without {at}");
                let mut moved = whole.clone();
                moved.swap(at, at + 1);
                assert!(read_lines(&moved).is_err(), "{at} after the next");
            }
            let mut twice = whole.clone();
            twice.insert(at, whole[at].clone());
            // A first line again is another beginning, which is told.
            assert!(read_lines(&twice).map_or(true, |log| !log.begins.is_empty()), "{at} twice");
            let mut other = whole.clone();
            other[at] = other[at].replace(&format!("token-{at}"), "somebody");
            let found = read_lines(&other);
            assert!(at == 5 || found.is_err(), "{at} by somebody else");
            assert_ne!(found.ok().map(|log| log.head.digest), Some(sha256(whole[5].as_bytes())));
        }
    }

    #[test]
    fn what_a_systems_log_puts_before_a_line_does_not_count() {
        let plain = lines(3);
        let stamped: Vec<String> =
            plain.iter().map(|line| format!("Nov  3 host lookalike[7]: {line}")).collect();
        assert_eq!(read_lines(&stamped).unwrap().head, read_lines(&plain).unwrap().head);
    }

    #[test]
    fn another_beginning_is_told() {
        let two = [lines(2), lines(3)].concat();
        let log = read_lines(&two).unwrap();
        assert_eq!((log.entries, log.begins), (5, vec![3]));
    }

    #[test]
    fn a_line_that_was_cut_off_is_accounted_for_or_refused() {
        let mut cut = lines(3);
        let mut text: String = cut[..2].iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        text.push_str(&cut[2][..20]);
        let log = read(text.as_bytes()).unwrap();
        assert_eq!((log.entries, log.tail), (2, 20));
        let torn = Event { bytes: Some(20), ..Event::of(What::Torn) };
        cut[2].truncate(20);
        cut.push(log.head.next(torn).unwrap().0);
        assert_eq!(read_lines(&cut).unwrap().torn, 1);
        cut[2].truncate(19);
        assert_eq!(read_lines(&cut), Err(LogFault::NoEntry { line: 3 }));
        cut.truncate(3);
        assert_eq!(read_lines(&cut), Err(LogFault::NoEntry { line: 3 }));
    }
}
