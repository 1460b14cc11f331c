//! Why a worker cannot serve.

use lookalike_words::Said;

lookalike_words::messages! {
    in "worker";

    /// Why a worker cannot serve.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum ServeFault {
        /// A folder without the page.
        NoPage {
            /// The folder.
            folder: String,
        },
        /// The jobs from before cannot be read.
        Jobs {
            /// Why.
            why: String,
        },
        /// The audit log cannot be written.
        AuditLog {
            /// Why.
            why: String,
        },
        /// Tables would cross the network for everybody to read.
        TablesPlain,
        /// It would be open to everybody.
        Open {
            /// The address.
            address: String,
        },
        /// The address cannot be had.
        Listen {
            /// The address.
            address: String,
            /// Why.
            why: String,
        },
        /// An address that is not one.
        Address {
            /// What is given.
            address: String,
            /// Why.
            why: Said,
        },
        /// A name without an address.
        NoAddress,
        /// The server fails.
        Failed {
            /// Why.
            why: String,
        },
        /// A certificate of no use.
        Certificate {
            /// The file.
            path: String,
            /// Why.
            why: Said,
        },
        /// A file without a certificate.
        NoCertificate,
        /// A key of no use.
        Key {
            /// The file.
            path: String,
            /// Why.
            why: Said,
        },
        /// A key of another certificate.
        OtherKey {
            /// The file.
            path: String,
            /// Why.
            why: Said,
        },
        /// An origin that no header takes.
        Origin {
            /// The origin.
            origin: String,
            /// Why.
            why: String,
        },
        /// The worker's origin fits no header.
        Policy {
            /// Why.
            why: String,
        },
        /// Memory cannot be measured here.
        NoMeasure,
        /// A search hears nothing of its worker.
        NotHeard {
            /// Why.
            why: String,
        },
        /// Jobs of another version.
        Format {
            /// The jobs' file.
            path: String,
            /// Its format.
            found: String,
            /// The one that is known.
            known: String,
        },
        /// Another worker uses it.
        InUse {
            /// The jobs' file.
            path: String,
        },
        /// It cannot be used.
        Unusable {
            /// The jobs' file.
            path: String,
            /// Why.
            why: String,
        },
        /// It is damaged.
        Damaged {
            /// The jobs' file.
            path: String,
            /// How.
            why: String,
        },
    }
}
