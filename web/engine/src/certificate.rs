//! A certificate of a bound, checked for the open table.

use std::sync::Arc;

use lookalike_core::{audit::certificate::Certificate, certify};
use lookalike_model::settings::Settings;
use lookalike_wire::page::CertificateFound;
use lookalike_words::{Message as _, Said};

use crate::{columns::ColumnRefused, edits, session::Session};

lookalike_words::messages! {
    in "engine";

    /// Why a certificate is not checked.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum CertificateRefused {
        /// Its bytes are not UTF-8.
        NotUtf8,
    }
}

/// Nodes of the search for a class that refutes the bound, as on the command line.
const NODES: u64 = 100_000_000;

impl Session {
    /// What a certificate proves of the open table, whose columns mean what the settings say.
    ///
    /// # Errors
    /// If the file is no certificate, or the columns are not in the table.
    pub(crate) fn certified(&mut self, settings: Settings, bytes: &[u8]) -> Result<CertificateFound, Said> {
        let text = std::str::from_utf8(bytes).map_err(|_| CertificateRefused::NotUtf8)?;
        let certificate = Certificate::from_json(text).map_err(|refusal| refusal.said())?;
        let settings = certify::of(settings, &certificate);
        let table = self.table.as_mut().ok_or(ColumnRefused::NoTable)?;
        self.edited.apply(table, edits::of(&settings)).map_err(Said::from)?;
        let table = Arc::clone(table);
        let checked = certify::check(&table, &settings, certificate, NODES).map_err(|error| error.said())?;
        Ok(CertificateFound { holds: checked.verdict.is_ok(), lines: checked.told(&table) })
    }
}
