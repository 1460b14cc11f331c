//! What `lookalike verify` finds, and what each finding is worth.

use lookalike_model::settings::Model;
use lookalike_wire::manifest::Paper;
use lookalike_words::{Figure, Name, Said};

lookalike_words::messages! {
    in "worker";

    /// A guarantee, with the number of conditions beside it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Promised {
        /// k-anonymity alone.
        KAnonymity {
            /// Its k.
            k: usize,
        },
        /// With conditions on sensitive values.
        KAnonymityAnd {
            /// Its k.
            k: usize,
            /// How many.
            conditions: usize,
        },
        /// m-invariance.
        MInvariance {
            /// Its m.
            m: usize,
        },
    }

    /// What a finding is worth.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum Worth {
        /// It was computed here, from the files.
        Proven,
        /// The manifest says so.
        Claimed,
        /// It cannot be said, for want of a file.
        Unknown,
        /// It is not so.
        False,
    }

    /// What a file of a run is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum PaperNoun {
        /// The published table.
        Release,
        /// The report.
        Report,
        /// The statement.
        Statement,
        /// The statement as data.
        StatementJson,
        /// The duals.
        Certificate,
        /// The private record.
        Private,
        /// Which row is in which class.
        Classes,
        /// The configuration.
        Configuration,
        /// Counterfeits of each class.
        Counterfeits,
        /// The ledger.
        Ledger,
        /// What the columns are.
        Schema,
    }

    /// A finding.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) enum Finding {
        /// Signed by somebody who counts.
        Signed {
            /// Their name.
            name: String,
        },
        /// Signed by a key that nobody has named.
        Somebody {
            /// Its fingerprint.
            fingerprint: String,
        },
        /// Signed by a key of somebody else.
        Stranger {
            /// Its fingerprint.
            fingerprint: String,
        },
        /// Signed by a key of another kind.
        OtherKind {
            /// The kind.
            kind: String,
        },
        /// The signature is of something else.
        Broken,
        /// There is no signature.
        Unsigned {
            /// Whether one was asked for.
            asked: bool,
        },
        /// A file is that of the run.
        Own {
            /// What it is.
            paper: PaperNoun,
            /// Its name.
            name: String,
        },
        /// A file is another one.
        Other {
            /// What it is.
            paper: PaperNoun,
            /// Its name.
            name: String,
        },
        /// A file is not there.
        NotThere {
            /// What it is.
            paper: PaperNoun,
            /// Its name.
            name: String,
        },
        /// A file is sealed.
        Sealed {
            /// What it is.
            paper: PaperNoun,
            /// Its name.
            name: String,
        },
        /// It went to standard output.
        NoName {
            /// What it is.
            paper: PaperNoun,
        },
        /// The short code.
        Code {
            /// The code.
            code: String,
        },
        /// Another code than that of the digests.
        OtherCode {
            /// That of the digests.
            code: String,
        },
        /// The report is about the release.
        Report,
        /// The report is about another table.
        OtherReport,
        /// The report cannot be read.
        NoReport,
        /// The source is the one.
        Source,
        /// The source is another one.
        OtherSource,
        /// No source was given.
        NoSource,
        /// There is no private record with the salt.
        NoSalt,
        /// The private record is of another run.
        OtherSalt,
        /// What the configuration promises holds in the release.
        Audited {
            /// A [`Promised`].
            promised: Said,
        },
        /// A file is about another guarantee than the configuration of the manifest.
        OtherGuarantee {
            /// The file.
            paper: PaperNoun,
            /// The [`Promised`] of the configuration.
            promised: Said,
            /// That of the file.
            stated: Said,
            /// The two read alike: the conditions, or the sets of quasi-identifiers, are others.
            alike: bool,
        },
        /// A file gives columns other roles than the configuration of the manifest.
        OtherRoles {
            /// The file.
            paper: PaperNoun,
            /// The columns.
            columns: Vec<Name>,
        },
        /// The figures of the report, and what else is not computed again.
        Figures {
            /// The sensitive values of each class are proven to be those of the source.
            compared: bool,
        },
        /// Each class has the sensitive values of the source's rows that the table of classes puts there.
        Values,
        /// Some have others.
        OtherValues,
        /// They were not compared.
        ValuesUnread {
            /// Why.
            why: Said,
        },
        /// The report states a loss below what is proven to be the least.
        BelowBound {
            /// The loss that it states.
            loss: Figure,
            /// The bound that holds.
            bound: Figure,
        },
        /// A statement is about another table or run.
        OtherStatement {
            /// Which one.
            paper: PaperNoun,
        },
        /// What a file guarantees cannot be read.
        Unreadable {
            /// The file.
            paper: PaperNoun,
        },
        /// It does not.
        AuditFailed {
            /// Checks that fail.
            broken: usize,
        },
        /// It was not judged.
        Unaudited {
            /// Why.
            why: Said,
        },
        /// There is no release to be judged.
        NoRelease,
        /// The bound holds for the source.
        Bound {
            /// The bound.
            bound: Figure,
        },
        /// It does not.
        NoBound {
            /// Why.
            why: Said,
        },
        /// The report states a bound that nothing here proves.
        StatedBound {
            /// The bound.
            bound: Figure,
        },
        /// No bound is stated.
        Unbounded,
        /// A certificate without its source.
        BoundWithoutSource,
        /// When and by what the run was made.
        Made {
            /// When.
            at: String,
            /// Version of the program.
            version: String,
            /// Revision of its algorithms.
            revision: u64,
        },
        /// It was computed on one machine.
        Here,
        /// Something was sent.
        Sent {
            /// Where to.
            to: String,
            /// When.
            at: String,
            /// Bytes.
            bytes: u64,
            /// Messages.
            messages: u64,
        },
    }

    /// What is said of all.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(super) enum Verdict {
        /// Some findings are false.
        False {
            /// How many.
            count: usize,
        },
        /// A file that the manifest does not name.
        Foreign {
            /// The file.
            path: String,
        },
    }
}

impl Worth {
    /// All, in the order in which they are told.
    pub(super) const ALL: [Self; 4] = [Self::False, Self::Proven, Self::Claimed, Self::Unknown];

    /// The name in JSON.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Claimed => "claimed",
            Self::Unknown => "unknown",
            Self::False => "false",
        }
    }
}

impl From<Paper> for PaperNoun {
    fn from(paper: Paper) -> Self {
        match paper {
            Paper::Release => Self::Release,
            Paper::Report => Self::Report,
            Paper::Statement => Self::Statement,
            Paper::StatementJson => Self::StatementJson,
            Paper::Certificate => Self::Certificate,
            Paper::Private => Self::Private,
            Paper::Classes => Self::Classes,
            Paper::Configuration => Self::Configuration,
            Paper::Counterfeits => Self::Counterfeits,
            Paper::Ledger => Self::Ledger,
            Paper::Schema => Self::Schema,
        }
    }
}

impl Finding {
    /// What it is worth.
    pub(super) fn worth(&self) -> Worth {
        match self {
            Self::Signed { .. }
            | Self::Own { .. }
            | Self::Code { .. }
            | Self::Report
            | Self::Source
            | Self::Audited { .. }
            | Self::Values
            | Self::Bound { .. } => Worth::Proven,
            Self::Made { .. }
            | Self::Here
            | Self::Sent { .. }
            | Self::StatedBound { .. }
            | Self::Figures { .. } => Worth::Claimed,
            Self::Stranger { .. }
            | Self::Broken
            | Self::Unsigned { asked: true }
            | Self::Other { .. }
            | Self::OtherCode { .. }
            | Self::OtherReport
            | Self::NoReport
            | Self::OtherSource
            | Self::OtherSalt
            | Self::AuditFailed { .. }
            | Self::OtherValues
            | Self::OtherGuarantee { .. }
            | Self::OtherRoles { .. }
            | Self::BelowBound { .. }
            | Self::OtherStatement { .. }
            | Self::Unreadable { .. }
            | Self::NoBound { .. } => Worth::False,
            Self::Somebody { .. }
            | Self::OtherKind { .. }
            | Self::Unsigned { asked: false }
            | Self::NotThere { .. }
            | Self::Sealed { .. }
            | Self::NoName { .. }
            | Self::NoSource
            | Self::NoSalt
            | Self::Unaudited { .. }
            | Self::ValuesUnread { .. }
            | Self::NoRelease
            | Self::Unbounded
            | Self::BoundWithoutSource => Worth::Unknown,
        }
    }
}

impl Promised {
    /// What is promised by a guarantee with so many conditions beside it.
    pub(super) const fn of(model: Model, conditions: usize) -> Self {
        match model {
            Model::KAnonymity { k } if conditions == 0 => Self::KAnonymity { k },
            Model::KAnonymity { k } => Self::KAnonymityAnd { k, conditions },
            Model::MInvariance { m } => Self::MInvariance { m },
        }
    }
}
