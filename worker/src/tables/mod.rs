//! A whole table that goes to a worker, which does the whole run: what is sent, what comes back, and both ends but for the server's
//! ([`crate::serve`]).
//!
//! * [`asked`]: what is asked of the worker; [`bundle`]: the files that come back, as an archive.
//! * [`apart`]: the process that carries out a run for a worker; [`send`]: `anonymize --send-table`, the client.

pub(crate) mod apart;
pub(crate) mod asked;
pub(crate) mod bundle;
mod fault;
pub(crate) mod send;

pub(crate) use self::fault::TableFault;
