//! What there is on the server: made where it is missing, at the start and whenever it was lost.

use std::{fmt, time::Duration};

use async_nats::{
    Client,
    jetstream::{
        self, Context, ErrorCode,
        context::{GetStreamError, GetStreamErrorKind},
        kv,
        object_store::{self, GetErrorKind, InfoErrorKind, ObjectStore},
        stream::{Config, DiscardPolicy, PurgeErrorKind, RetentionPolicy, Stream},
    },
};
use axum::body::Bytes;
use tokio::io::AsyncReadExt as _;

use super::names::Names;

/// Time after which what nobody came back for is removed.
const OLDEST: Duration = Duration::from_secs(14 * 24 * 3600);

/// Nothing is heard of the server for so long: it is tried again.
const SILENCE: Duration = Duration::from_secs(20);

/// Bytes a second of one transfer at which a line is still one: many share it.
const SLOWEST: u64 = 1_500;

/// The server cannot do what is asked for now: what was tried, and why it failed.
#[derive(Debug)]
pub(super) struct Trouble(String);

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Trouble {
    /// The consumer is gone.
    pub(super) fn lost() -> Self {
        Self(String::from("find the workers' consumer: it is gone"))
    }
}

/// Says what was tried.
pub(super) fn trouble<E: fmt::Display>(what: &'static str) -> impl FnOnce(E) -> Trouble {
    move |error| Trouble(format!("{what}: {error}"))
}

/// A tenant's place on the server.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) names: Names,
    pub(super) client: Client,
    pub(super) context: Context,
    replicas: usize,
}

impl Place {
    pub(super) fn new(client: Client, names: Names, replicas: usize) -> Self {
        let context = jetstream::new(client.clone());
        Self { names, client, context, replicas }
    }

    /// Makes the streams and the counts that all jobs share, where they are missing.
    pub(super) async fn furnish(&self) -> Result<(), Trouble> {
        let (names, num_replicas) = (&self.names, self.replicas);
        let common = || Config { num_replicas, max_age: OLDEST, ..Config::default() };
        let tasks = Config {
            name: names.tasks(),
            subjects: vec![names.all_tasks()],
            retention: RetentionPolicy::WorkQueue,
            ..common()
        };
        self.context.get_or_create_stream(tasks).await.map_err(trouble("make the stream of tasks"))?;
        let dead = Config { name: names.dead(), subjects: vec![names.all_dead()], ..common() };
        self.context.get_or_create_stream(dead).await.map_err(trouble("make the stream of dead letters"))?;
        self.counts().await.map(drop)
    }

    /// The stream of tasks.
    pub(super) async fn tasks(&self) -> Result<Stream<()>, Trouble> {
        let stream = self.context.get_stream_no_info(self.names.tasks()).await;
        stream.map_err(trouble("find the stream of tasks"))
    }

    /// The counts of attempts.
    pub(super) async fn counts(&self) -> Result<kv::Store, Trouble> {
        let bucket = self.names.attempts();
        if let Ok(counts) = self.context.get_key_value(&bucket).await {
            return Ok(counts);
        }
        // As the client's own function has it, which asks servers before 2.10 what they do not understand.
        let config = Config {
            name: format!("KV_{bucket}"),
            subjects: vec![format!("$KV.{bucket}.>")],
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            allow_rollup: true,
            deny_delete: true,
            allow_direct: true,
            max_age: OLDEST,
            num_replicas: self.replicas,
            ..Config::default()
        };
        self.context.create_stream(config).await.map_err(trouble("make the counts of attempts"))?;
        self.context.get_key_value(&bucket).await.map_err(trouble("make the counts of attempts"))
    }

    /// The bucket of a job, made if it is missing.
    pub(super) async fn bucket(&self, job: &str) -> Result<ObjectStore, Trouble> {
        let (max_age, num_replicas) = (OLDEST, self.replicas);
        let bucket = self.names.bucket(job);
        let config =
            object_store::Config { bucket, max_age, num_replicas, ..object_store::Config::default() };
        self.context.create_object_store(config).await.map_err(trouble("make the bucket of a job"))
    }

    /// The bucket of a job, if the job is not over.
    pub(super) async fn bucket_if_any(&self, job: &str) -> Result<ObjectStore, Trouble> {
        let found = self.context.get_object_store(self.names.bucket(job)).await;
        found.map_err(trouble("find the bucket of a job"))
    }

    /// Whether a job has certainly no bucket any more.
    pub(super) async fn is_over(&self, job: &str) -> Result<bool, Trouble> {
        match self.context.get_stream(format!("OBJ_{}", self.names.bucket(job))).await {
            Ok(_) => Ok(false),
            Err(error) if is_lost(&error) => Ok(true),
            Err(error) => Err(trouble("find the bucket of a job")(error)),
        }
    }

    /// Removes all of a job, and says that it is over. What is gone already is no trouble: the server may have lost it, or
    /// have done what was asked without being heard.
    ///
    /// The bucket goes before the counts: see [`Attempt`](super::attempt::Attempt).
    pub(super) async fn clear(&self, job: &str) -> Result<(), Trouble> {
        self.purge(self.names.tasks(), self.names.tasks_of(job), "remove the tasks of a job").await?;
        let over = self.client.publish(self.names.over(job), Bytes::new()).await;
        over.map_err(trouble("say that a job is over"))?;
        match self.context.delete_stream(format!("OBJ_{}", self.names.bucket(job))).await {
            Err(error) if !is_lost(&error) => return Err(trouble("remove the bucket of a job")(error)),
            _ => {}
        }
        self.clear_counts(job).await
    }

    /// Removes the counts of a job.
    pub(super) async fn clear_counts(&self, job: &str) -> Result<(), Trouble> {
        let bucket = self.names.attempts();
        let of_job = format!("$KV.{bucket}.{job}.>");
        self.purge(format!("KV_{bucket}"), of_job, "remove the counts of a job").await
    }

    /// Removes what a stream has under these subjects.
    async fn purge(&self, stream: String, subjects: String, what: &'static str) -> Result<(), Trouble> {
        let stream = self.context.get_stream_no_info(stream).await.map_err(trouble(what))?;
        match stream.purge().filter(subjects).await {
            Err(error) if !matches!(error.kind(), PurgeErrorKind::JetStream(e) if is_unknown(&e)) => {
                Err(trouble(what)(error))
            }
            _ => Ok(()),
        }
    }
}

/// The stream is not there.
fn is_lost(error: &GetStreamError) -> bool {
    matches!(error.kind(), GetStreamErrorKind::JetStream(e) if is_unknown(&e))
}

fn is_unknown(error: &jetstream::Error) -> bool {
    error.error_code() == ErrorCode::STREAM_NOT_FOUND
}

/// Does something on a bucket, but for no longer than this: a connection that comes back does not always bring the answer that
/// was under way, and whoever waits for it holds up the end of the job.
async fn within<T, E: fmt::Display>(
    patience: Duration,
    work: impl Future<Output = Result<T, E>>,
    what: &'static str,
) -> Result<T, Trouble> {
    match tokio::time::timeout(patience, work).await {
        Ok(done) => done.map_err(trouble(what)),
        Err(_) => Err(Trouble(format!("{what}: nothing was heard for {} seconds", patience.as_secs()))),
    }
}

/// What a bucket has under this name, whole and unharmed.
pub(super) async fn read(bucket: &ObjectStore, name: &str) -> Result<Option<Vec<u8>>, Trouble> {
    const WHAT: &str = "read from the bucket";
    let found = async {
        match bucket.get(name).await {
            Err(error) if error.kind() == GetErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        }
    };
    let Some(mut object) = within(SILENCE, found, WHAT).await? else { return Ok(None) };
    let mut bytes = Vec::new();
    // The digest is compared at the end.
    while within(SILENCE, object.read_buf(&mut bytes), WHAT).await? > 0 {}
    Ok(Some(bytes))
}

/// Whether a bucket has something under this name.
pub(super) async fn has(bucket: &ObjectStore, name: &str) -> Result<bool, Trouble> {
    let found = async {
        match bucket.info(name).await {
            Ok(info) => Ok(!info.deleted),
            Err(error) if error.kind() == InfoErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    };
    within(SILENCE, found, "look into the bucket").await
}

/// Writes into a bucket; what was there under this name is gone.
pub(super) async fn write(bucket: &ObjectStore, name: &str, mut bytes: &[u8]) -> Result<(), Trouble> {
    let patience = SILENCE + Duration::from_secs(bytes.len() as u64 / SLOWEST);
    within(patience, bucket.put(name, &mut bytes), "write into the bucket").await.map(drop)
}
