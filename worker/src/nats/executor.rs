//! The coordinator's side: the workers that were heard of, and the jobs whose blocks they solve.

use std::{
    sync::{Arc, mpsc},
    time::Duration,
};

use clap::Args;
use futures_util::StreamExt as _;
use tokio::runtime::Handle;

use super::{
    alive::Roll,
    connect::{NatsArgs, NatsFault, without_secrets},
    job::Blocks,
    place::{Place, Trouble, trouble},
};
use crate::{
    exit::Failure,
    serve::remote_executor::{RemoteBlocks, RemoteExecutor, Returned},
};

/// Pause after trouble with the server.
const AGAIN: Duration = Duration::from_secs(1);

/// Who else solves blocks.
#[derive(Debug, Args)]
pub(crate) struct ExecutorArgs {
    /// Have blocks of searches solved by the machines that run `lookalike work` with this NATS server, such as `nats://host:4222`
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    #[command(flatten)]
    place: NatsArgs,
    /// Blocks of one search that are on the NATS server at a time
    #[arg(long, value_name = "N", default_value_t = 256, requires = "nats", value_parser = clap::value_parser!(u16).range(1..))]
    nats_blocks: u16,
    /// How often a block may be begun before its job fails
    #[arg(long, value_name = "N", default_value_t = 10, requires = "nats", value_parser = clap::value_parser!(u32).range(1..=500))]
    nats_attempts: u32,
}

impl ExecutorArgs {
    /// Whether there is a server.
    pub(crate) fn is_given(&self) -> bool {
        self.nats.is_some()
    }

    /// The server's address, without user and password.
    pub(super) fn address(&self) -> Option<String> {
        self.nats.as_deref().map(without_secrets)
    }

    /// Connects, where there is a server.
    ///
    /// # Errors
    /// As [`Workers::open`].
    pub(crate) async fn open(&self) -> Result<Option<Arc<Workers>>, Failure> {
        let Some(url) = &self.nats else { return Ok(None) };
        Workers::open(url, &self.place, self.nats_blocks.into(), self.nats_attempts).await.map(Some)
    }
}

/// Workers on a NATS server.
pub(crate) struct Workers {
    pub(super) place: Place,
    pub(super) runtime: Handle,
    /// Blocks of a job that are handed on at a time.
    room: usize,
    /// How often a block may be begun.
    pub(super) attempts: u32,
    /// Who is at work.
    pub(super) roll: Roll,
}

impl Workers {
    /// Connects, and makes what is missing on the server.
    ///
    /// # Errors
    /// If the server cannot be reached, or refuses.
    async fn open(url: &str, args: &NatsArgs, room: usize, attempts: u32) -> Result<Arc<Self>, Failure> {
        let place = Place::new(args.connect(url).await?, args.names(), args.replicas());
        place
            .furnish()
            .await
            .map_err(|trouble| Failure::system(NatsFault::Refuses { trouble: trouble.to_string() }))?;
        let (runtime, roll) = (Handle::current(), Roll::default());
        let workers = Arc::new(Self { place, runtime, room, attempts, roll });
        let hearing = Arc::clone(&workers);
        tokio::spawn(async move { hearing.roll.hear(&hearing.place).await });
        tokio::spawn(Arc::clone(&workers).put_back());
        Ok(workers)
    }

    /// Takes tasks that the server has given up off the queue: whoever looks after them puts them back. How often a block may
    /// be begun is counted elsewhere.
    async fn put_back(self: Arc<Self>) {
        #[derive(serde::Deserialize)]
        struct Advisory {
            stream_seq: u64,
        }
        loop {
            if let Ok(mut said) = self.place.client.subscribe(self.place.names.advisory()).await {
                while let Some(message) = said.next().await {
                    let Ok(Advisory { stream_seq }) = serde_json::from_slice(&message.payload) else {
                        continue;
                    };
                    if let Err(trouble) = self.take_off(stream_seq).await {
                        tracing::warn!(%trouble, "a task that the server has given up is not put back yet");
                    }
                }
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    async fn take_off(&self, sequence: u64) -> Result<(), Trouble> {
        let tasks = self.place.tasks().await?;
        tasks.delete_message(sequence).await.map(drop).map_err(trouble("take a task off the queue"))
    }
}

impl RemoteExecutor for Arc<Workers> {
    fn room(&self) -> usize {
        self.room
    }

    fn open(&self, job: &str) -> (Arc<dyn RemoteBlocks>, mpsc::Receiver<Returned>) {
        let (came, coming) = mpsc::channel();
        (Arc::new(Blocks::open(Arc::clone(self), job, came)), coming)
    }
}
