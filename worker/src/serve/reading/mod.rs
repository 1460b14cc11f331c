//! Each job that arrives is unpacked and read in a process of its own, which can do nothing else: whoever got hold of it by bytes
//! that are made for that would find files, network and other programs closed, and what it takes of memory ends with it. The worker
//! itself reads only what came out of there, in the one form in which jobs are stored.
//!
//! * [`job`]: from bytes to a job; [`child`]: the process that does it.

pub(crate) mod child;
mod job;

use std::{
    io::{self, BufRead as _, BufReader, Read, Write as _},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use lookalike_wire::http::Problem;
use serde::{Deserialize, Serialize};

pub(crate) use self::job::{Format, Packing, too_large};
use super::{
    apart::{memory, program},
    problem::{self, Detail},
};

/// Time between two looks at the process.
const LOOK: Duration = Duration::from_millis(50);

/// Time that reading may take: the largest job takes some seconds.
const LONGEST: Duration = Duration::from_secs(120);

/// Bytes of memory that it may take for each byte that a job may have, and beside them. What honest jobs take is below.
const MEMORY: (u64, u64) = (12, 64 << 20);

/// Bytes of the form that is stored for each byte that a job may have, and beside them: a number of two letters becomes eight bytes,
/// and there are at most a quarter as many numbers as bytes.
const STORED: (u64, u64) = (4, 1 << 20);

/// Bytes of what is wrong with a job.
const LINE: u64 = 1 << 20;

/// What the process says first, in a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
enum Told {
    /// The job follows, in so many bytes.
    Job(u64),
    /// There is none.
    Wrong(Box<Problem>),
}

/// The job in `bytes`, in the form in which jobs are stored ([`binary::encode`](lookalike_wire::binary::encode)).
///
/// # Errors
/// A problem that says what is wrong with it, or how the process ended.
pub(crate) fn read(
    format: Format,
    packing: Packing,
    bytes: Vec<u8>,
    largest: usize,
) -> Result<Vec<u8>, Problem> {
    let failed = |error: io::Error| {
        tracing::error!(%error, "the process that reads a job cannot be begun");
        problem::SOLVER.because(Detail::NoReader)
    };
    let mut child = spawn(format, packing, largest).map_err(failed)?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(failed(io::Error::other("no pipes")));
    };
    // If it does not take all of it, it says why, or has ended.
    thread::spawn(move || drop(input.write_all(&bytes)));
    let (say, said) = mpsc::channel();
    thread::spawn(move || say.send(hear(BufReader::new(output), largest as u64)));
    let heard = watch(&mut child, &said, largest);
    // It has said all, or is not listened to any more.
    let _ = child.kill();
    let ended = child.wait();
    heard.map_err(|lost| match lost {
        Lost::Beyond => problem::TOO_LARGE.because(Detail::Heavy { largest }),
        Lost::Broken(why) => {
            tracing::error!(%why, ?ended, "the process that reads a job broke down");
            problem::SOLVER.because(Detail::ReaderBroken)
        }
    })?
}

fn spawn(format: Format, packing: Packing, largest: usize) -> io::Result<Child> {
    let mut command = Command::new(program()?);
    let name = |value: Option<clap::builder::PossibleValue>| {
        value.map(|value| value.get_name().to_owned()).unwrap_or_default()
    };
    command.arg("read-apart");
    command.args([
        name(clap::ValueEnum::to_possible_value(&format)),
        name(clap::ValueEnum::to_possible_value(&packing)),
        largest.to_string(),
    ]);
    // Nothing of the worker's surroundings: its tokens stand there.
    command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
    // A Ctrl-C is the worker's to hear.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn()
}

/// Why nothing is heard.
enum Lost {
    /// More time or memory than any job takes.
    Beyond,
    /// It said something else, or nothing.
    Broken(io::Error),
}

/// What the process says, not more than a job may have.
fn hear(mut output: impl io::BufRead, largest: u64) -> io::Result<Result<Vec<u8>, Problem>> {
    let mut line = Vec::new();
    output.by_ref().take(LINE).read_until(b'\n', &mut line)?;
    match serde_json::from_slice(&line)? {
        Told::Wrong(problem) => Ok(Err(*problem)),
        Told::Job(length) if length > STORED.0 * largest + STORED.1 => {
            Err(io::Error::other("a job that is too long"))
        }
        Told::Job(length) => {
            let mut payload = Vec::new();
            output.take(length).read_to_end(&mut payload)?;
            let whole = payload.len() as u64 == length;
            if whole { Ok(Ok(payload)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
        }
    }
}

/// Looks after the process until it has said what it read.
fn watch(
    child: &mut Child,
    said: &mpsc::Receiver<io::Result<Result<Vec<u8>, Problem>>>,
    largest: usize,
) -> Result<Result<Vec<u8>, Problem>, Lost> {
    let (began, id) = (Instant::now(), child.id().to_string());
    let most = MEMORY.0 * largest as u64 + MEMORY.1;
    loop {
        match said.recv_timeout(LOOK) {
            Ok(heard) => return heard.map_err(Lost::Broken),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(Lost::Broken(io::ErrorKind::BrokenPipe.into()));
            }
        }
        if began.elapsed() >= LONGEST || memory(&id).is_some_and(|used| used > most) {
            return Err(Lost::Beyond);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(told: &Told, payload: &[u8]) -> io::Result<Result<Vec<u8>, Problem>> {
        let mut said = serde_json::to_vec(told).unwrap();
        said.push(b'\n');
        said.extend(payload);
        hear(said.as_slice(), 100)
    }

    #[test]
    fn what_a_process_says_is_not_believed_beyond_its_length() {
        assert_eq!(heard(&Told::Job(3), b"job").unwrap().unwrap(), b"job");
        assert_eq!(heard(&Told::Job(3), b"job and more").unwrap().unwrap(), b"job");
        assert!(heard(&Told::Job(4), b"job").is_err(), "it breaks off");
        assert!(heard(&Told::Job(u64::MAX >> 1), b"job").is_err(), "more than any job has");
        let wrong = problem::TOO_LARGE.because(Detail::TooMany { largest: 100 });
        assert_eq!(heard(&Told::Wrong(Box::new(wrong.clone())), b"").unwrap().unwrap_err(), wrong);
        assert!(hear(&b"nothing of use\n"[..], 100).is_err());
        assert!(hear(vec![b'['; 2 << 20].as_slice(), 100).is_err(), "a line without an end");
    }
}
