//! `lookalike work`: solves blocks that coordinators hand on. It keeps nothing, opens no port, and may come and go.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use async_nats::jetstream::{
    Message,
    consumer::{AckPolicy, Consumer, pull},
    kv,
};
use clap::Args;
use futures_util::StreamExt as _;

use super::{
    alive::Roll,
    attempt::Attempt,
    connect::NatsArgs,
    place::{Place, Trouble, trouble},
    slot::{Slot, Turn},
    task::{Alive, Task},
};
use crate::{
    exit::{Failure, Fault},
    local,
    progress::say,
    serve::log,
    signals,
};

/// Time between two signs of life.
const ALIVE: Duration = Duration::from_secs(2);

/// Longest wait for a task; then it is asked for again.
const WAIT: Duration = Duration::from_secs(3);

/// Pause after trouble with the server.
const AGAIN: Duration = Duration::from_millis(500);

/// Loops of a slot: one solves, the other one fetches and writes.
const LOOPS: usize = 2;

/// How often the server hands a task out, beyond what the count of attempts allows.
const MAX_DELIVER: i64 = 1000;

/// Tasks that all workers together may have.
const MOST_PENDING: i64 = 100_000;

/// Time for what is under way to be given back at the end.
const FAREWELL: Duration = Duration::from_secs(5);

/// The flags.
#[derive(Debug, Args)]
pub(crate) struct Work {
    /// NATS server with JetStream, such as `nats://host:4222` or `tls://host:4222`
    #[arg(long, value_name = "URL")]
    nats: String,
    #[command(flatten)]
    place: NatsArgs,
    /// Blocks that are solved at the same time, with one thread each [default: the machine's threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Seconds after which a block of a silent worker is given to another one; the same for all workers
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..))]
    ack_wait: u16,
    /// Form of the log on standard error
    #[arg(long, value_enum, default_value_t = log::Form::Text)]
    log_format: log::Form,
}

/// Runs the command until a signal.
pub(crate) fn run(args: &Work) -> Result<(), Failure> {
    log::start(args.log_format);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|e| Failure::system(Fault::Start { why: e.to_string() }))?;
    let worked = runtime.block_on(work(args));
    runtime.shutdown_timeout(FAREWELL);
    worked
}

async fn work(args: &Work) -> Result<(), Failure> {
    let mut signals = signals::Source::new().map_err(|e| Failure::deaf(&e))?;
    let machine = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let slots = args.jobs.map_or(machine, usize::from);
    let client = args.place.connect(&args.nats).await?;
    let id = format!("{:016x}", local::entropy()?);
    let worker = Arc::new(Worker {
        place: Place::new(client, args.place.names(), args.place.replicas()),
        ack_wait: Duration::from_secs(args.ack_wait.into()),
        leaving: Arc::default(),
        stops: Mutex::default(),
        roll: Roll::default(),
        waiting: AtomicU64::new(0),
    });
    let mut loops = Vec::new();
    for _ in 0..slots {
        let slot = Slot::new(local::pool(Some(1))?);
        for _ in 0..LOOPS {
            loops.push(tokio::spawn(Arc::clone(&worker).one_after_another(slot.clone())));
        }
    }
    tokio::spawn(Arc::clone(&worker).hear());
    let hearing = Arc::clone(&worker);
    tokio::spawn(async move { hearing.roll.hear(&hearing.place).await });
    let living = tokio::spawn(Arc::clone(&worker).live(Alive { worker: id.clone(), slots: slots as u64 }));
    say(&format!("at work on {slots} blocks at a time"));
    let signal = signals.next().await;
    say(&format!("{signal}: stopping"));
    living.abort();
    worker.leave();
    worker.tell(&Alive { worker: id, slots: 0 }).await;
    let ended = async {
        for one in loops {
            let _ = one.await;
        }
    };
    let _ = tokio::time::timeout(FAREWELL, ended).await;
    let _ = tokio::time::timeout(FAREWELL, worker.place.client.flush()).await;
    Ok(())
}

/// What the loops of a worker share.
struct Worker {
    place: Place,
    ack_wait: Duration,
    leaving: Arc<AtomicBool>,
    /// How to stop the blocks that are being solved, by their jobs.
    stops: Mutex<BTreeMap<String, Vec<Arc<AtomicBool>>>>,
    /// Who else is at work.
    roll: Roll,
    /// Tasks that nobody had when the last one came.
    waiting: AtomicU64,
}

impl Worker {
    fn stops(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Arc<AtomicBool>>>> {
        self.stops.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins nothing more, and breaks off what is under way.
    fn leave(&self) {
        self.leaving.store(true, Ordering::Relaxed);
        for stop in self.stops().values().flatten() {
            stop.store(true, Ordering::Relaxed);
        }
    }

    fn is_leaving(&self) -> bool {
        self.leaving.load(Ordering::Relaxed)
    }

    /// Solves blocks until the worker leaves.
    async fn one_after_another(self: Arc<Self>, slot: Slot) {
        let mut quiet = false;
        while !self.is_leaving() {
            if let Err(trouble) = self.some(&slot).await {
                // Once is enough: a server that is down is down for all loops.
                if !quiet {
                    tracing::warn!(%trouble, "no blocks from the NATS server; it is asked again");
                }
                quiet = true;
                tokio::time::sleep(AGAIN).await;
            } else {
                quiet = false;
            }
        }
    }

    /// Solves blocks until something is the matter with the server.
    async fn some(&self, slot: &Slot) -> Result<(), Trouble> {
        let (consumer, counts) = (self.consumer().await?, self.place.counts().await?);
        while !self.is_leaving() {
            let (turn, free) = slot.to_fetch(|| self.plenty()).await;
            if self.is_leaving() {
                break;
            }
            let asked = if free {
                consumer.batch().max_messages(1).expires(WAIT).messages().await
            } else {
                // What comes later is for somebody who has nothing to do.
                consumer.fetch().max_messages(1).messages().await
            };
            let mut messages = asked.map_err(trouble("ask for a task"))?;
            match messages.next().await {
                Some(message) => {
                    // What else the server has to say of this request is of no use.
                    drop(messages);
                    self.take(&message.map_err(trouble("take a task"))?, slot, &counts, turn).await?;
                }
                // Silence, too, can mean that the consumer is lost.
                None if !self.is_leaving() && consumer.get_info().await.is_err() => {
                    return Err(Trouble::lost());
                }
                None => self.waiting.store(0, Ordering::Relaxed),
            }
        }
        Ok(())
    }

    /// Whether more tasks wait than all workers can begin at once.
    fn plenty(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) >= self.roll.slots().max(1)
    }

    /// The consumer that all workers of this version share.
    async fn consumer(&self) -> Result<Consumer<pull::Config>, Trouble> {
        self.place.furnish().await?;
        let config = pull::Config {
            durable_name: Some(self.place.names.consumer()),
            filter_subject: self.place.names.our_tasks(),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.ack_wait,
            max_deliver: MAX_DELIVER,
            max_ack_pending: MOST_PENDING,
            ..pull::Config::default()
        };
        let tasks = self.place.tasks().await?;
        tasks.create_consumer(config).await.map_err(trouble("make the workers' consumer"))
    }

    async fn take(
        &self,
        message: &Message,
        slot: &Slot,
        counts: &kv::Store,
        turn: Turn,
    ) -> Result<(), Trouble> {
        if let Ok(info) = message.info() {
            self.waiting.store(info.pending, Ordering::Relaxed);
        }
        let task: Task = match serde_json::from_slice(&message.payload) {
            Ok(task) => task,
            Err(error) => {
                tracing::error!(%error, "a message on the queue is no task; it is taken off");
                return message.ack().await.map_err(trouble("take a message off the queue"));
            }
        };
        if task.version != self.place.names.version() {
            tracing::error!(version = task.version, "a task of another version is left alone");
            return Ok(());
        }
        let stop = Arc::new(AtomicBool::new(self.is_leaving()));
        self.stops().entry(task.job.clone()).or_default().push(Arc::clone(&stop));
        tracing::debug!(job = task.job, block = task.block, "begun");
        let (place, ack_wait, leaving) = (&self.place, self.ack_wait, Arc::clone(&self.leaving));
        let attempt = Attempt { place, counts, slot, ack_wait, stop: Arc::clone(&stop), leaving };
        let ended = attempt.at(&task, message, turn).await;
        let mut stops = self.stops();
        if let Some(of_job) = stops.get_mut(&task.job) {
            of_job.retain(|other| !Arc::ptr_eq(other, &stop));
            if of_job.is_empty() {
                stops.remove(&task.job);
            }
        }
        ended
    }

    /// Hears which jobs are over.
    async fn hear(self: Arc<Self>) {
        loop {
            let over = self.place.names.over("*");
            if let Ok(mut said) = self.place.client.subscribe(over).await {
                while let Some(message) = said.next().await {
                    let job = message.subject.as_str().rsplit('.').next().unwrap_or_default();
                    for stop in self.stops().get(job).into_iter().flatten() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Says again and again that it lives.
    async fn live(self: Arc<Self>, alive: Alive) {
        loop {
            self.tell(&alive).await;
            tokio::time::sleep(ALIVE).await;
        }
    }

    async fn tell(&self, alive: &Alive) {
        if let Ok(bytes) = serde_json::to_vec(alive) {
            // It is said again.
            let _ = self.place.client.publish(self.place.names.alive(), bytes.into()).await;
        }
    }
}
