//! One run on a whole table, in a process that is told everything by its standard input and has nothing else.

use std::{
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{atomic::Ordering, mpsc},
    thread,
    time::{Duration, Instant},
};

use axum::body::Bytes;
use lookalike_model::event::Progress;
use lookalike_wire::http::Problem;
use lookalike_words::Figure;

use super::{
    super::{
        apart::{limit::Limit, memory, program},
        limits::Limits,
        problem::{self, Detail},
    },
    Wanted,
    form::Form,
};
use crate::tables::apart::{Told, send};

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(50);

/// Time that a run has to end when it is asked to.
const GRACE: Duration = Duration::from_secs(30);

/// What a run was ended by.
enum Cut {
    Gone,
    Memory(u64),
    Deaf,
}

/// Carries a run out, and brings its files.
///
/// # Errors
/// The problem that it tells, or that its end is.
pub(super) fn run(
    form: Form,
    threads: usize,
    limits: &Limits,
    wanted: &Wanted,
    told: &dyn Fn(Progress),
) -> Result<Bytes, Problem> {
    let failed = |error: io::Error| {
        tracing::error!(%error, "a run on a table cannot be begun or heard");
        problem::SOLVER.because(Detail::NoProcess)
    };
    let mut child = spawn().map_err(failed)?;
    let (Some(input), Some(output), Some(messages)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(failed(io::Error::other("no pipes")));
    };
    // Its messages name columns and values: they are for nobody here, and must not fill the pipe.
    thread::spawn(move || {
        let mut messages = messages;
        let _ = io::copy(&mut messages, &mut io::sink());
    });
    let (write, written) = mpsc::channel();
    thread::spawn(move || {
        let mut input = input;
        let mut asked = form.asked;
        asked.threads = threads;
        let sent = send(&mut input, &asked, &form.table);
        // If nobody hears it the run is over.
        let _ = write.send(sent.map(|()| input));
    });
    let (say, said) = mpsc::channel();
    thread::spawn(move || hear(BufReader::new(output), &say));
    let ended = watch(&mut child, (limits, wanted), (&written, &said), told);
    // It has told all, or is not listened to any more.
    let _ = child.kill();
    let ending = child.wait();
    match ended {
        Ok(files) => Ok(files),
        Err(Ended::Told(problem)) => Err(*problem),
        Err(Ended::Lost) => {
            // What the system said of its end; of the table nothing is known here.
            tracing::error!(end = ?ending, "the process of a run on a table ended without an answer");
            Err(problem::SOLVER.because(Detail::SearchBroken))
        }
        Err(Ended::Cut(Cut::Gone)) => Err(problem::DELETED.because(Detail::Unwanted)),
        Err(Ended::Cut(Cut::Memory(bytes))) => {
            Err(problem::SOLVER.because(Detail::Beyond { limit: Limit::Memory { megabytes: bytes >> 20 } }))
        }
        Err(Ended::Cut(Cut::Deaf)) => {
            let seconds = Figure::shortest(limits.search.as_secs_f64());
            Err(problem::SOLVER.because(Detail::Beyond { limit: Limit::Time { seconds } }))
        }
    }
}

fn spawn() -> io::Result<Child> {
    let mut command = Command::new(program()?);
    command.arg("table-apart").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Nothing of the worker's surroundings: its tokens stand there.
    command.env_clear();
    command.spawn()
}

/// How a run ended without files.
enum Ended {
    Told(Box<Problem>),
    Lost,
    Cut(Cut),
}

/// What is heard of a run.
enum Heard {
    Told(Told),
    Files(Bytes),
}

/// Passes on what a run says, until it says no more.
fn hear(mut output: BufReader<std::process::ChildStdout>, say: &mpsc::Sender<Heard>) {
    let mut line = String::new();
    loop {
        line.clear();
        match output.read_line(&mut line) {
            Ok(read) if read > 0 => {}
            _ => return,
        }
        let Ok(told) = serde_json::from_str::<Told>(&line) else { return };
        let heard = match told {
            Told::Done(length) => {
                let mut files = Vec::new();
                match output.by_ref().take(length).read_to_end(&mut files) {
                    Ok(read) if read as u64 == length => Heard::Files(files.into()),
                    _ => return,
                }
            }
            told => Heard::Told(told),
        };
        if say.send(heard).is_err() {
            return;
        }
    }
}

/// Looks after a run until it has told how it went, or has to end.
fn watch(
    child: &mut Child,
    (limits, wanted): (&Limits, &Wanted),
    (written, said): (&mpsc::Receiver<io::Result<ChildStdin>>, &mpsc::Receiver<Heard>),
    told: &dyn Fn(Progress),
) -> Result<Bytes, Ended> {
    let began = Instant::now();
    let id = child.id().to_string();
    let mut input = None;
    let mut asked = None::<Instant>;
    loop {
        match said.recv_timeout(LOOK) {
            Ok(Heard::Files(files)) => return Ok(files),
            Ok(Heard::Told(Told::Progress(progress))) => told(progress),
            Ok(Heard::Told(Told::Failed(code, why))) => {
                let kind = match code {
                    2 => problem::INVALID,
                    3 => problem::INFEASIBLE,
                    _ => problem::SOLVER,
                };
                return Err(Ended::Told(Box::new(kind.because(why))));
            }
            Ok(Heard::Told(Told::Done(_))) | Err(mpsc::RecvTimeoutError::Disconnected) => {
                return Err(Ended::Lost);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        if let Ok(Ok(pipe)) = written.try_recv() {
            input = Some(pipe);
        }
        if wanted.gone.load(Ordering::Relaxed) {
            return Err(Ended::Cut(Cut::Gone));
        }
        let used = memory(&id).unwrap_or_default();
        if let Some(most) = limits.memory.filter(|most| used > *most) {
            return Err(Ended::Cut(Cut::Memory(most)));
        }
        let late = began.elapsed() >= limits.search;
        if asked.is_none()
            && (late || wanted.stop.load(Ordering::Relaxed))
            && let Some(pipe) = &mut input
        {
            asked = Some(Instant::now());
            // If nobody hears it the run is over.
            let _ = pipe.write_all(b"stop\n").and_then(|()| pipe.flush());
        }
        if asked.is_some_and(|asked| asked.elapsed() >= GRACE)
            || (late && began.elapsed() >= limits.search + GRACE)
        {
            return Err(Ended::Cut(Cut::Deaf));
        }
    }
}
