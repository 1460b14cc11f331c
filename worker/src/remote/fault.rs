//! What goes wrong with a worker elsewhere.

use lookalike_words::Said;

lookalike_words::messages! {
    in "worker";

    /// What goes wrong with a worker elsewhere.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum RemoteFault {
        /// A URL that is not one of a worker.
        Url {
            /// What is given.
            url: String,
            /// What is wrong with it.
            why: UrlFault,
        },
        /// The connection is open to read.
        Unencrypted,
        /// Its answer cannot be used.
        Unusable {
            /// Where.
            worker: String,
            /// Why.
            why: Said,
        },
        /// The job cannot be written.
        Job {
            /// Why.
            why: String,
        },
        /// It was stopped before it began.
        NotBegun,
        /// It wants a token.
        WantsToken {
            /// Where.
            worker: String,
        },
        /// It refuses.
        Says {
            /// Where.
            worker: String,
            /// Its kind of problem.
            title: String,
            /// What it says.
            detail: Said,
        },
        /// It cannot be reached.
        Lost {
            /// Where.
            worker: String,
            /// Why.
            why: String,
        },
        /// It does not do what a worker does.
        Broken {
            /// Where.
            worker: String,
            /// How.
            why: Breach,
        },
    }

    /// What is wrong with the URL of a worker.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum UrlFault {
        /// It is not a URL.
        NoUrl,
        /// It names no host.
        NoHost,
        /// It is of another scheme.
        Scheme,
        /// It holds too much.
        More,
    }

    /// How a worker does not keep to its contract.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Breach {
        /// A job without a usable id.
        NoId,
        /// What it sent is not an answer.
        NoAnswer {
            /// Why.
            why: String,
        },
        /// A status without a problem.
        Status {
            /// The status.
            status: String,
        },
        /// A failure without a reason.
        NoReason,
    }
}
