//! Where an audit log is written: a file of this machine, or the system's log.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufReader, Write as _},
    path::{Path, PathBuf},
};

use super::{
    chain::{Fault, Head, read},
    entry::{Event, What},
    fault::LogFault,
};
use crate::exit::{Attempt, Failure};

/// How the system's log is named; a socket of another one follows a colon.
const SYSLOG: &str = "syslog";

/// The system's own.
const SOCKET: &str = "/dev/log";

/// What is to be written to.
pub(super) enum Target {
    /// A file.
    File(PathBuf),
    /// The system's log behind a socket.
    System(PathBuf),
}

/// What is written to.
pub(super) enum Sink {
    /// A file, and its length as far as it is known to be whole.
    File { file: File, length: u64 },
    /// The system's log.
    #[cfg(unix)]
    System(std::os::unix::net::UnixDatagram),
}

impl Target {
    /// What this names.
    pub(super) fn of(text: &str) -> Self {
        match text.strip_prefix(SYSLOG) {
            Some("") => Self::System(PathBuf::from(SOCKET)),
            Some(rest) if rest.starts_with(':') => Self::System(PathBuf::from(&rest[1..])),
            _ => Self::File(PathBuf::from(text)),
        }
    }

    /// Opens it, and finds out where its chain goes on.
    ///
    /// # Errors
    /// If it cannot be opened or is another worker's, or a file is there already that is no whole log.
    pub(super) fn open(&self) -> Result<(Sink, Head), Failure> {
        match self {
            Self::File(path) => file(path),
            Self::System(socket) => Ok((system(socket)?, Head::default())),
        }
    }
}

impl Sink {
    /// Writes a line; a file's is on the disk when it returns.
    ///
    /// # Errors
    /// If it is not written. What was written of it is taken back before the next one.
    pub(super) fn write(&mut self, line: &str) -> io::Result<()> {
        match self {
            Self::File { file, length } => {
                if file.metadata()?.len() != *length {
                    file.set_len(*length)?;
                }
                let line = format!("{line}\n");
                file.write_all(line.as_bytes())?;
                file.sync_data()?;
                *length += line.len() as u64;
                Ok(())
            }
            #[cfg(unix)]
            Self::System(socket) => socket.send(framed(line).as_bytes()).map(drop),
        }
    }
}

fn file(path: &Path) -> Result<(Sink, Head), Failure> {
    let failed = |attempt, error: &io::Error| Failure::io(attempt, path, error);
    let shown = || path.display().to_string();
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    // Who asked a worker for what is for its operator alone.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(|e| failed(Attempt::WriteTo, &e))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(Failure::system(LogFault::InUse { path: shown() })),
        Err(TryLockError::Error(error)) => return Err(failed(Attempt::WriteTo, &error)),
    }
    let log = read(BufReader::new(&file)).map_err(|fault| match fault {
        Fault::Broken(why) => Failure::system(LogFault::NotWhole { path: shown(), why: why.into() }),
        Fault::Unread(error) => failed(Attempt::Read, &error),
    })?;
    let length = file.metadata().map_err(|e| failed(Attempt::Read, &e))?.len();
    let mut sink = Sink::File { file, length };
    let mut head = log.head;
    if log.tail > 0 {
        // What a killed worker left is ended as a line, and accounted for by the next one.
        let torn = Event { bytes: Some(log.tail), ..Event::of(What::Torn) };
        let (line, next) = head.next(torn).map_err(|e| failed(Attempt::WriteTo, &e))?;
        sink.write(&format!("\n{line}")).map_err(|e| failed(Attempt::WriteTo, &e))?;
        head = next;
    }
    Ok((sink, head))
}

#[cfg(unix)]
fn system(socket: &Path) -> Result<Sink, Failure> {
    let open = || {
        let sender = std::os::unix::net::UnixDatagram::unbound()?;
        sender.connect(socket)?;
        Ok(sender)
    };
    open().map(Sink::System).map_err(|e: io::Error| {
        Failure::system(LogFault::NoSystemLog { socket: socket.display().to_string(), why: e.to_string() })
    })
}

#[cfg(not(unix))]
fn system(socket: &Path) -> Result<Sink, Failure> {
    let why = io::Error::from(io::ErrorKind::Unsupported).to_string();
    Err(Failure::system(LogFault::NoSystemLog { socket: socket.display().to_string(), why }))
}

/// A line as the system's log takes it (RFC 3164, with the time that it gives itself): facility authpriv, severity info.
#[cfg(unix)]
fn framed(line: &str) -> String {
    format!("<86>lookalike[{}]: {line}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets() {
        let path = |target: &str| match Target::of(target) {
            Target::File(path) => format!("file {}", path.display()),
            Target::System(path) => format!("system {}", path.display()),
        };
        assert_eq!(path("syslog"), "system /dev/log");
        assert_eq!(path("syslog:/run/other"), "system /run/other");
        assert_eq!(path("syslog.jsonl"), "file syslog.jsonl");
        assert_eq!(path("/var/log/a"), "file /var/log/a");
    }

    #[test]
    fn a_log_goes_on_where_it_ended_also_after_a_line_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let record = || {
            let (mut sink, head) = file(&path).unwrap();
            let (line, _) = head.next(Event::of(What::Start)).unwrap();
            sink.write(&line).unwrap();
            head.n
        };
        assert_eq!((record(), record()), (0, 1));
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.truncate(bytes.len() - 9);
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(record(), 2, "one whole line, and one for what was cut off");
        let log = read(std::fs::read(&path).unwrap().as_slice()).unwrap();
        assert_eq!((log.entries, log.torn, log.tail), (3, 1, 0));
        std::fs::write(&path, "{}\n").unwrap();
        assert!(file(&path).is_err());
    }

    #[test]
    fn one_worker_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let first = file(&path).unwrap();
        assert!(file(&path).is_err());
        drop(first);
        assert!(file(&path).is_ok());
    }
}
