//! SIGINT and SIGTERM: the first one asks the search for its best so far, the second one ends the process.

use std::{
    fmt, io,
    sync::atomic::{AtomicU8, Ordering},
    thread,
};

use crate::files;

/// The signal that was caught, by its number; 0 for none. Signals are the process's, and so is this.
static CAUGHT: AtomicU8 = AtomicU8::new(0);

/// A signal that ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Ctrl-C.
    Interrupt,
    /// The polite kill.
    Terminate,
}

impl Signal {
    /// 128 + its number.
    pub(crate) fn exit_code(self) -> u8 {
        128 + self.number()
    }

    fn number(self) -> u8 {
        match self {
            Self::Interrupt => 2,
            Self::Terminate => 15,
        }
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Interrupt => "SIGINT",
            Self::Terminate => "SIGTERM",
        })
    }
}

/// The signal that was caught, if any.
pub(crate) fn caught() -> Option<Signal> {
    [Signal::Interrupt, Signal::Terminate].into_iter().find(|s| s.number() == CAUGHT.load(Ordering::Relaxed))
}

/// As if the first signal had come: who cannot send one asks so.
pub(crate) fn ask() {
    CAUGHT.store(Signal::Terminate.number(), Ordering::Relaxed);
}

/// From here on signals are caught: the first is noted, the second removes the temporary files and ends the process.
///
/// # Errors
/// If the system refuses.
pub(crate) fn watch() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut source = {
        let _entered = runtime.enter();
        Source::new()?
    };
    thread::Builder::new().name(String::from("signals")).spawn(move || {
        runtime.block_on(async {
            let first = source.next().await;
            CAUGHT.store(first.number(), Ordering::Relaxed);
            let second = source.next().await;
            files::remove_staged();
            std::process::exit(second.exit_code().into());
        });
    })?;
    Ok(())
}

/// Where signals come from.
#[cfg(unix)]
pub(crate) struct Source {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Source {
    /// Starts to listen; needs a tokio runtime around it.
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// The next signal.
    pub(crate) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
        }
    }
}

/// Where signals come from.
#[cfg(not(unix))]
pub(crate) struct Source;

#[cfg(not(unix))]
impl Source {
    /// Starts to listen.
    ///
    /// # Errors
    /// Never here.
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    /// The next signal.
    pub(crate) async fn next(&mut self) -> Signal {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        Signal::Interrupt
    }
}
