//! What there is to count, as Prometheus reads it.

use std::{sync::atomic::AtomicU64, time::Duration};

use lookalike_wire::http::JobState;
use prometheus_client::{
    encoding::{EncodeLabelSet, EncodeLabelValue, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};

use super::{apart::memory, store::Store};

/// The counters and their registry.
pub(crate) struct Metrics {
    registry: Registry,
    submitted: Counter,
    ended: Family<End, Counter>,
    blocks: Family<Blocks, Counter>,
    search: Histogram,
    gap: Gauge<f64, AtomicU64>,
    waiting: Gauge,
    running: Gauge,
    held: Gauge,
    memory: Gauge,
    searched: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct End {
    state: Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelValue)]
#[allow(non_camel_case_types, reason = "the label's value is the variant's name")]
enum Ended {
    done,
    failed,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Blocks {
    by: Block,
}

/// How the answer to a block of a decomposition came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EncodeLabelValue)]
#[allow(non_camel_case_types, reason = "the label's value is the variant's name")]
pub(crate) enum Block {
    /// It was solved.
    solved,
    /// It was solved before a restart.
    found,
}

impl Metrics {
    /// All at zero.
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("lookalike");
        let metrics = Self {
            submitted: Counter::default(),
            ended: Family::default(),
            blocks: Family::default(),
            search: Histogram::new([0.01, 0.1, 1.0, 10.0, 60.0, 600.0, 3600.0]),
            gap: Gauge::default(),
            waiting: Gauge::default(),
            running: Gauge::default(),
            held: Gauge::default(),
            memory: Gauge::default(),
            searched: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register("jobs_submitted", "Jobs that were taken on", metrics.submitted.clone());
        registry.register("jobs_ended", "Jobs that ended, by state", metrics.ended.clone());
        registry.register(
            "blocks",
            "Blocks of decompositions, solved or found solved",
            metrics.blocks.clone(),
        );
        let time = metrics.search.clone();
        registry.register_with_unit("search", "Time of the searches", Unit::Seconds, time);
        registry.register(
            "last_gap_percent",
            "Proven gap of the last answer that has a bound",
            metrics.gap.clone(),
        );
        registry.register("jobs_waiting", "Jobs that wait", metrics.waiting.clone());
        registry.register("jobs_running", "Jobs that are searched", metrics.running.clone());
        let held = metrics.held.clone();
        registry.register_with_unit("held", "Payloads and results that are kept", Unit::Bytes, held);
        let memory = metrics.memory.clone();
        registry.register_with_unit("resident_memory", "Memory of the process", Unit::Bytes, memory);
        let searched = metrics.searched.clone();
        registry.register_with_unit(
            "last_search_memory",
            "Most memory that the process of the last search had",
            Unit::Bytes,
            searched,
        );
        Self { registry, ..metrics }
    }

    /// A job was taken on.
    pub(crate) fn submitted(&self) {
        self.submitted.inc();
    }

    /// A job ended.
    pub(crate) fn ended(&self, state: JobState) {
        let state = if state == JobState::Done { Ended::done } else { Ended::failed };
        self.ended.get_or_create(&End { state }).inc();
    }

    /// There is an answer to a block of a decomposition.
    pub(crate) fn block(&self, by: Block) {
        self.blocks.get_or_create(&Blocks { by }).inc();
    }

    /// A search took this long and left this gap, if it has a bound.
    pub(crate) fn searched(&self, time: Duration, gap_percent: Option<f64>) {
        self.search.observe(time.as_secs_f64());
        if let Some(gap) = gap_percent {
            self.gap.set(gap);
        }
    }

    /// The process of a search had at most so many bytes.
    pub(crate) fn took(&self, peak: u64) {
        self.searched.set(bytes(peak));
    }

    /// The text for Prometheus.
    pub(crate) fn text(&self, store: &Store) -> Result<String, std::fmt::Error> {
        let (waiting, running, held) = store.load();
        self.waiting.set(i64::try_from(waiting).unwrap_or(i64::MAX));
        self.running.set(i64::try_from(running).unwrap_or(i64::MAX));
        self.held.set(bytes(held));
        self.memory.set(bytes(memory("self").unwrap_or(0)));
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

fn bytes(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
