//! What went wrong, as an exit code.

use std::{fmt, io, path::Path};

use lookalike_core::{Error, table};
use lookalike_model::ErrorKind;
use lookalike_words::Said;

use crate::signals::Signal;

lookalike_words::messages! {
    in "worker";

    /// What was tried with a file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum Attempt {
        /// To read it.
        Read,
        /// To write it.
        Write,
        /// To write to it.
        WriteTo,
        /// To remove it.
        Remove,
        /// To open it.
        Open,
        /// To see its folder safely on the disk.
        SyncFolder,
        /// To find a folder.
        FindFolder,
        /// To make a folder.
        MakeFolder,
        /// To make a folder within it.
        MakeFolderIn,
        /// To write a file within it.
        WriteIn,
        /// To read a link.
        ReadLink,
        /// To read tokens from it.
        ReadTokens,
        /// To read credentials.
        ReadCredentials,
        /// To write the manual into it.
        WriteManual,
    }

    /// What fails around a run.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Fault {
        /// Input or output of a file.
        File {
            /// What was tried.
            attempt: Attempt,
            /// With which file.
            path: String,
            /// What the system said.
            why: String,
        },
        /// What is wrong with a file.
        InFile {
            /// The file.
            path: String,
            /// What is wrong with it.
            why: Said,
        },
        /// Something cannot be written as JSON.
        Json {
            /// Why.
            why: String,
        },
        /// Signals are not heard.
        Signals {
            /// Why.
            why: String,
        },
        /// The program cannot start.
        Start {
            /// Why.
            why: String,
        },
        /// The threads cannot start.
        Threads {
            /// Why.
            why: String,
        },
        /// The system gives no random numbers.
        NoRandom {
            /// Why.
            why: String,
        },
        /// A signal has stopped it.
        Interrupted {
            /// Its name.
            signal: String,
            /// What became of the work.
            kept: Said,
        },
    }

    /// What became of the work of a run that was stopped.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum AfterStop {
        /// Nothing was written.
        Nothing,
        /// Nothing was written for want of a file.
        NoOutput,
        /// Nothing was written for another reason.
        NothingSince {
            /// Why.
            why: Said,
        },
        /// The best so far was written.
        Written {
            /// Where.
            files: Vec<String>,
        },
    }
}

/// The exit codes, for the help text.
pub(crate) const CODES: &str = "\
Exit codes: 0 done and audited; 1 the audit failed, nothing was written; 2 wrong usage or input; 3 infeasible; \
4 input/output, network, memory, worker lost; 130 or 143 interrupted (the best so far is written when -o is given and \
it passes the audit).";

/// Why a command ends without success. Every variant is one exit code, and holds a message that can be told by its identity.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A check of the audit failed; nothing was written.
    Audit {
        /// Which.
        why: Said,
        /// Where that shows, a line each.
        witnesses: Vec<Said>,
    },
    /// Wrong usage or input.
    Input(Said),
    /// No admissible partition exists.
    Infeasible(Said),
    /// Input/output, network, memory, a solver or a worker that failed.
    System(Said),
    /// Stopped by a signal.
    Interrupted {
        /// Which.
        signal: Signal,
        /// What became of the work.
        kept: Said,
        /// Where an audit that failed shows it, a line each.
        witnesses: Vec<Said>,
    },
}

impl Failure {
    /// A check failed.
    pub(crate) fn audit(why: impl Into<Said>) -> Self {
        Self::Audit { why: why.into(), witnesses: Vec::new() }
    }

    /// Wrong usage or input.
    pub(crate) fn input(why: impl Into<Said>) -> Self {
        Self::Input(why.into())
    }

    /// What is wrong with an input file.
    pub(crate) fn in_file(path: &Path, why: impl Into<Said>) -> Self {
        Self::input(Fault::InFile { path: path.display().to_string(), why: why.into() })
    }

    /// Something around the run failed.
    pub(crate) fn system(why: impl Into<Said>) -> Self {
        Self::System(why.into())
    }

    /// An input/output error: what was tried, on which file, and what the system said.
    pub(crate) fn io(attempt: Attempt, path: &Path, error: &io::Error) -> Self {
        let (path, why) = (path.display().to_string(), error.to_string());
        Self::system(Fault::File { attempt, path, why })
    }

    /// Something cannot be written as JSON.
    pub(crate) fn json(error: &serde_json::Error) -> Self {
        Self::system(Fault::Json { why: error.to_string() })
    }

    /// Signals are not heard.
    pub(crate) fn deaf(error: &io::Error) -> Self {
        Self::system(Fault::Signals { why: error.to_string() })
    }

    /// A signal stopped the command.
    pub(crate) fn interrupted(signal: Signal, kept: impl Into<Said>) -> Self {
        Self::Interrupted { signal, kept: kept.into(), witnesses: Vec::new() }
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Audit { .. } => 1,
            Self::Input(_) => 2,
            Self::Infeasible(_) => 3,
            Self::System(_) => 4,
            Self::Interrupted { signal, .. } => signal.exit_code(),
        }
    }

    /// It as a message, but for its witnesses.
    pub(crate) fn said(&self) -> Said {
        match self {
            Self::Audit { why, .. } | Self::Input(why) | Self::Infeasible(why) | Self::System(why) => {
                why.clone()
            }
            Self::Interrupted { signal, kept, .. } => {
                Fault::Interrupted { signal: signal.to_string(), kept: kept.clone() }.into()
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.said().fmt(f)?;
        match self {
            Self::Audit { witnesses, .. } | Self::Interrupted { witnesses, .. } => {
                witnesses.iter().try_for_each(|witness| write!(f, "\n  {witness}"))
            }
            _ => Ok(()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let said = error.said();
        match error.kind() {
            ErrorKind::Failed if matches!(error, Error::Audit(_)) => Self::audit(said),
            ErrorKind::Input => Self::Input(said),
            ErrorKind::Infeasible => Self::Infeasible(said),
            ErrorKind::Answer | ErrorKind::Failed => Self::System(said),
        }
    }
}

impl From<table::Error> for Failure {
    fn from(error: table::Error) -> Self {
        Self::input(error)
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
        let audit = |error| code(Error::Audit(error));
        assert_eq!(audit(lookalike_core::audit::Error::Household { column: "hid".into(), row: 2 }), 2);
        assert_eq!(audit(lookalike_core::audit::Error::NoColumn { column: "hid".into() }), 1);
        assert_eq!(code(Error::Lp(lookalike_lp::Error::Infeasible)), 4);
        let interrupted = |signal| Failure::interrupted(signal, AfterStop::Nothing).code();
        assert_eq!(interrupted(Signal::Interrupt), 130);
        assert_eq!(interrupted(Signal::Terminate), 143);
    }

    #[test]
    fn a_failure_is_told_by_its_identity() {
        let missing = io::Error::from(io::ErrorKind::NotFound);
        let failure = Failure::io(Attempt::SyncFolder, Path::new("a b"), &missing);
        assert_eq!(failure.said().id(), "worker.Fault.File");
        assert!(failure.to_string().starts_with("cannot sync the folder of a b: "), "{failure}");
        let failure = Failure::interrupted(Signal::Interrupt, AfterStop::Nothing);
        assert!(failure.to_string().ends_with(": nothing was written"), "{failure}");
        let witnesses = vec![Said::verbatim("row 1"), Said::verbatim("row 2")];
        let failure = Failure::Audit { why: Said::verbatim("no"), witnesses };
        assert_eq!(failure.to_string(), "no\n  row 1\n  row 2");
    }
}
