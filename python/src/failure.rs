//! Errors as Python's exceptions: the class by what an error means, the message in the words of Python's arguments, and the
//! message's identity for programs.

use lookalike_core::Error;
use lookalike_model::ErrorKind;
use lookalike_wire::config;
use lookalike_words::Said;
use pyo3::{prelude::*, sync::PyOnceLock, types::PyType};

use crate::arguments::spoken;

/// What went wrong, as one of the exceptions in `lookalike/errors.py`.
#[derive(Debug)]
pub(crate) struct Failure {
    class: &'static str,
    /// Identity of the message, such as `core.Conflict.ConditionsUnderMInvariance`; empty if it has none.
    code: String,
    message: String,
}

impl Failure {
    pub(crate) fn said(class: &'static str, said: &Said) -> Self {
        Self { class, code: said.id().to_owned(), message: spoken(said) }
    }

    /// Arguments that are not what they must be.
    pub(crate) fn settings(message: impl Into<String>) -> Self {
        Self { class: "SettingsError", code: String::new(), message: message.into() }
    }

    /// A table that is not what it must be.
    pub(crate) fn table(message: impl Into<String>) -> Self {
        Self { class: "TableError", code: String::new(), message: message.into() }
    }

    /// A series that cannot go on as it is told.
    pub(crate) fn series(message: impl Into<String>) -> Self {
        Self { class: "SeriesError", code: String::new(), message: message.into() }
    }

    /// A part of the program or of the machine that failed.
    pub(crate) fn system(message: impl Into<String>) -> Self {
        Self { class: "FailedError", code: String::new(), message: message.into() }
    }

    /// A published table that the audit refuses.
    pub(crate) fn audit(message: impl Into<String>) -> Self {
        Self { class: "AuditError", code: String::new(), message: message.into() }
    }

    /// The question that a run cannot answer by itself.
    pub(crate) fn asked(question: &Said) -> Self {
        Self::said("NeedsAnswerError", question)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let class = match (&error, error.kind()) {
            (Error::Table(_), _) => "TableError",
            (Error::Asked(_), _) => "NeedsAnswerError",
            (Error::NotEligible(_), _) => "NotEligibleError",
            (Error::Series(_), ErrorKind::Input) => "SeriesError",
            (Error::Conflict(_) | Error::Misfit(_) | Error::Hierarchy(_), _) => "SettingsError",
            (_, ErrorKind::Input) => "InputError",
            (_, ErrorKind::Infeasible) => "InfeasibleError",
            (_, ErrorKind::Answer | ErrorKind::Failed) => "FailedError",
        };
        Self::said(class, &error.said())
    }
}

impl From<config::Error> for Failure {
    fn from(error: config::Error) -> Self {
        Self::said("SettingsError", &error.said())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::system(error.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| {
            let class = match class(py, failure.class) {
                Ok(class) => class,
                Err(error) => return error,
            };
            Self::from_type(class, (failure.message, failure.code))
        })
    }
}

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("lookalike.errors").map(Bound::unbind))?;
    Ok(module.bind(py).getattr(name)?.cast_into::<PyType>()?)
}
