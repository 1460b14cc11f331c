//! Blocks of searches over NATS JetStream: a worker that serves jobs (the coordinator) hands them on, `lookalike work`
//! solves them.
//!
//! * [`names`]: subjects, streams and buckets; [`task`]: what a message says; [`connect`]: the way to the server.
//! * [`place`]: what there is on the server, made where it is missing.
//! * [`executor`]: the coordinator's side; [`job`]: the blocks of one of its jobs; [`remote_queue`]: those of a run of the command line.
//! * [`work`]: the solving side; [`slot`]: what is done one after another there; [`attempt`]: one block. [`alive`]: who is
//!   at work.
//!
//! **What is true where.** A job and its finished parts are in the coordinator's store. What is on the server can be lost: the
//! coordinator looks after every block that is under way, and puts back what is missing. A block's payload and its answer
//! stand in a bucket of its job under the hash of the payload, so that whatever is done twice is done to the same end. A
//! message leaves the queue only after the answer is written.

mod alive;
mod attempt;
mod connect;
mod executor;
mod job;
mod names;
mod place;
mod remote_queue;
mod slot;
mod task;
pub(crate) mod work;

pub(crate) use self::{connect::NatsFault, executor::ExecutorArgs, remote_queue::RemoteQueue};
