//! What went wrong, as an exit code.

use std::{fmt, io, path::Path};

use lookalike_core::{Error, table};
use lookalike_model::ErrorKind;

use crate::signals::Signal;

/// The exit codes, for the help text.
pub(crate) const CODES: &str = "\
Exit codes: 0 done and audited; 1 the audit failed, nothing was written; 2 wrong usage or input; 3 infeasible; \
4 input/output, network, memory, worker lost; 130 or 143 interrupted (the best so far is written when -o is given and \
it passes the audit).";

/// Why a command ends without success. Every variant is one exit code.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A check of the audit failed; nothing was written.
    Audit(String),
    /// Wrong usage or input.
    Input(String),
    /// No admissible partition exists.
    Infeasible(String),
    /// Input/output, network, memory, a solver or a worker that failed.
    System(String),
    /// Stopped by a signal.
    Interrupted {
        /// Which.
        signal: Signal,
        /// What became of the work.
        kept: String,
    },
}

impl Failure {
    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Audit(_) => 1,
            Self::Input(_) => 2,
            Self::Infeasible(_) => 3,
            Self::System(_) => 4,
            Self::Interrupted { signal, .. } => signal.exit_code(),
        }
    }

    /// An input/output error: what was tried, on which file, and what the system said.
    pub(crate) fn io(what: &str, path: &Path, error: &io::Error) -> Self {
        Self::System(format!("cannot {what} {}: {error}", path.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Audit(text) | Self::Input(text) | Self::Infeasible(text) | Self::System(text) => {
                f.write_str(text)
            }
            Self::Interrupted { signal, kept } => write!(f, "interrupted by {signal}: {kept}"),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error.kind() {
            _ if matches!(error, Error::Audit(_)) => Self::Audit(text),
            ErrorKind::Input => Self::Input(text),
            ErrorKind::Infeasible => Self::Infeasible(text),
            ErrorKind::Answer | ErrorKind::Failed => Self::System(text),
        }
    }
}

impl From<table::Error> for Failure {
    fn from(error: table::Error) -> Self {
        Self::Input(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_error_has_its_exit_code() {
        let code = |error: Error| Failure::from(error).code();
        assert_eq!(code(Error::Table(table::Error::Empty)), 2);
        assert_eq!(code(Error::from(lookalike_core::pipeline::Misfit::NoSeed)), 2);
        assert_eq!(code(Error::from(lookalike_core::Impossible::NoRow { rows: 1 })), 3);
        assert_eq!(code(Error::from(lookalike_core::Unusable::NoClasses)), 4);
        let job = |fault| Error::Model(lookalike_model::Error::Job { fault });
        assert_eq!(code(job(lookalike_model::instance::JobFault::Empty)), 2);
        assert_eq!(code(Error::Lp(lookalike_lp::Error::Infeasible)), 4);
        let interrupted = |signal| Failure::Interrupted { signal, kept: String::new() }.code();
        assert_eq!(interrupted(Signal::Interrupt), 130);
        assert_eq!(interrupted(Signal::Terminate), 143);
    }
}
