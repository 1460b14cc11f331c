//! What is wrong with a request or a job, and what to do: the details of the job API's problems.

use lookalike_wire::binary::Wrong;
use lookalike_words::Figure;

use super::apart::limit::Limit;

lookalike_words::messages! {
    in "worker";

    /// What is wrong with a request, or with a job on its way to its answer.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum Detail {
        /// No route of the job API.
        NoRoute {
            /// The path.
            path: String,
        },
        /// A method that a path does not take.
        NoMethod {
            /// The method.
            method: String,
            /// The path.
            path: String,
        },
        /// A method that the page does not take.
        NoMethodOfPage {
            /// The method.
            method: String,
        },
        /// A worker without the page.
        NoPage,
        /// No such file of the page.
        NoFile,
        /// Another host than this one.
        WrongHost,
        /// Whole tables are not accepted.
        NoTables,
        /// A body that is no form.
        NoForm,
        /// No valid token.
        NoToken,
        /// Parameters of a request that cannot be read.
        Query {
            /// Why.
            why: String,
        },
        /// The length of a list.
        Limit {
            /// The largest.
            most: usize,
        },
        /// A key out of form.
        IdempotencyKey,
        /// A key of another job.
        KeyReused,
        /// An unknown media type.
        MediaType {
            /// That of a job's bytes.
            bytes: &'static str,
        },
        /// An unknown packing.
        Packing,
        /// It cannot be unpacked.
        Unpacking {
            /// Why.
            why: String,
        },
        /// It holds more than one piece.
        Frames,
        /// It is too large.
        TooLarge {
            /// Bytes, at most.
            largest: usize,
        },
        /// It takes too long to arrive.
        TooSlow {
            /// Seconds, at most.
            most: u64,
            /// Seconds of a pause, at most.
            pause: u64,
            /// Bytes a second, at least.
            least: u64,
        },
        /// It holds too much beside its numbers.
        TooMany {
            /// Bytes that are allowed for a job.
            largest: usize,
        },
        /// Reading it takes more than it may.
        Heavy {
            /// Bytes that are allowed for a job.
            largest: usize,
        },
        /// The process that reads it cannot be begun.
        NoReader,
        /// The process that read it broke down.
        ReaderBroken,
        /// It cannot be written down that it was asked for.
        NotRecorded,
        /// It breaks off.
        BreaksOff {
            /// Why.
            why: String,
        },
        /// A version that this worker does not know.
        Version {
            /// The job's.
            version: u32,
            /// The one that is known.
            known: u32,
        },
        /// More points than fit.
        Points {
            /// Records, the counterfeits too.
            records: usize,
            /// Attributes.
            attributes: usize,
            /// Bytes of their points.
            bytes: usize,
            /// Bytes, at most.
            largest: usize,
        },
        /// m or k protects nobody.
        TooSmall {
            /// "m" or "k".
            parameter: &'static str,
        },
        /// An effort that no search has.
        Effort {
            /// The largest.
            most: String,
            /// What was asked for.
            effort: Figure,
        },
        /// A time that no search has.
        Seconds {
            /// The largest.
            most: String,
            /// What was asked for.
            seconds: Figure,
        },
        /// No more jobs are taken.
        Closed,
        /// No room for a large job.
        ManyLargeJobs,
        /// Too many requests at a time.
        ManyRequests {
            /// So many of one token may be under way.
            most: usize,
        },
        /// No place in the queue.
        QueueFull {
            /// How many wait.
            waiting: usize,
        },
        /// No room for payloads and results.
        HeldFull,
        /// The same job is being stored.
        BeingStored,
        /// No such job.
        NoJob,
        /// No result yet.
        NotDone,
        /// It was deleted.
        Deleted,
        /// It was deleted before it was in line.
        DeletedOutOfLine,
        /// It was deleted before it was begun.
        DeletedUnbegun,
        /// Nobody waits for its answer.
        Unwanted,
        /// The worker stopped.
        Stopped,
        /// The worker ended in the middle of it again and again.
        Attempts {
            /// How often it was begun.
            attempts: u32,
        },
        /// The disk refuses.
        Disk,
        /// Its payload is damaged.
        Payload {
            /// How.
            why: Wrong,
        },
        /// No random numbers.
        NoRandom {
            /// Why.
            why: String,
        },
        /// A job, an answer or figures cannot be written.
        Unwritten {
            /// Why.
            why: String,
        },
        /// A request broke down.
        RequestBroken,
        /// A search broke down.
        SearchBroken,
        /// No process for a search.
        NoProcess,
        /// The system has killed a search again and again.
        Killed {
            /// How often.
            times: u32,
        },
        /// The system has killed a search that was to end.
        BestLost,
        /// A search did not end when it was asked to.
        Deaf {
            /// Seconds that it had for it.
            seconds: u64,
        },
        /// A search went far beyond a limit.
        Beyond {
            /// Which.
            limit: Limit,
        },
        /// A search broke down when it was to end at a limit.
        BrokenAtLimit {
            /// Which.
            limit: Limit,
        },
    }
}
