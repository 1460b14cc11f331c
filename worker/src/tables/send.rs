//! `anonymize --send-table`: the worker gets the table itself and does the whole run; what comes back is judged here before it is written.

use std::{collections::BTreeMap, io::Write as _, path::Path};

use lookalike_core::digest::sha256;
use lookalike_model::report::Report;
use lookalike_wire::config::{self, Draft};
use lookalike_words::Said;
use tempfile::NamedTempFile;

use super::TableFault;
use crate::{
    anonymize::{self, Anonymize, Output},
    exit::{Attempt, Failure},
    files, local,
    progress::{say, warn},
    remote::Remote,
    signals, verify,
};

/// What a file of the run is called in a request.
const fn word(what: Output) -> Option<&'static str> {
    Some(match what {
        Output::Published => "release",
        Output::Report => "report",
        Output::Statement => "statement",
        Output::StatementJson => "statement_json",
        Output::Private => "private",
        Output::Manifest => "manifest",
        Output::Classes => "classes",
        Output::Certificate => "certificate",
        Output::Config => "configuration",
        Output::Schema => "schema",
        Output::Counts | Output::Signature => return None,
    })
}

/// Sends the table, waits, judges what comes back, and writes it.
///
/// # Errors
/// If a flag has no use there, the worker refuses or is lost, or what it sends is not what it says or does not keep what was asked.
pub(crate) fn run(
    args: &Anonymize,
    draft: &Draft,
    remote: &Remote,
    outputs: &[(&Path, Output)],
) -> Result<(), Failure> {
    let refused = |flag| Err(Failure::input(TableFault::NotSent { flag }));
    if args.output().is_none() {
        return refused("-o -");
    }
    if outputs.iter().any(|(_, what)| word(*what).is_none()) {
        return refused("--sign-key");
    }
    if args.attacks.wanted() {
        return refused("--attacks");
    }
    if args.table.limits_unpacking() {
        return refused("--max-unpacked-mb");
    }
    // It is a file by itself, and has no part.
    if args.table.said().iter().any(|(flag, _)| *flag == "--layout") {
        return refused("--layout");
    }
    if args.generates_hierarchies() {
        return refused("--generate-hierarchy");
    }
    let table = files::read(&args.table.input)?;
    signals::watch().map_err(|e| Failure::deaf(&e))?;
    let staged = args.stage(outputs)?;

    let configuration = config::write(draft);
    let reading = args.table.said().into_iter().map(|(flag, value)| (flag.trim_start_matches("--"), value));
    // Widths and labels are settings, and stand in the configuration.
    let reading: BTreeMap<_, _> = reading.filter(|(flag, _)| !["pad", "labels"].contains(flag)).collect();
    // The report comes in any case: it says what the table must be.
    let mut wanted: BTreeMap<&str, String> = BTreeMap::from([("report", String::from("report.json"))]);
    for (path, what) in outputs {
        if let (Some(word), Some(name)) = (word(*what), anonymize::name_of(path)) {
            wanted.insert(word, name);
        }
    }
    let name = anonymize::name_of(&args.table.input).unwrap_or_else(|| String::from("table.csv"));
    let json = |value: &BTreeMap<&str, String>| serde_json::to_vec(value).map_err(|e| Failure::json(&e));
    let mut form = FormData::new()?;
    form.part("configuration", None, configuration.as_bytes());
    form.part("reading", None, &json(&reading)?);
    form.part("files", None, &json(&wanted)?);
    if let Some(seed) = args.seed() {
        form.part("seed", None, seed.to_string().as_bytes());
    }
    form.part("table", Some(&name), &table);
    let (kind, body) = form.end();
    drop(table);

    let files = remote.anonymize(&kind, &body)?;
    let file = |word: &str| {
        let name = wanted.get(word).cloned().unwrap_or_default();
        files
            .get(&name)
            .ok_or_else(|| Failure::system(TableFault::NotCome { worker: remote.base().to_owned(), name }))
    };
    let release = file("release")?;
    judge(release, file("report")?, (&wanted["release"], &configuration), remote.base())?;
    let contents = outputs.iter().map(|(_, what)| file(word(*what).unwrap_or_default()));
    let contents = contents.map(|found| found.map(Vec::as_slice)).collect::<Result<Vec<_>, Failure>>()?;
    files::commit(staged, &contents)?;
    if let Ok(report) = serde_json::from_slice::<Report>(file("report")?) {
        for warning in &report.warnings {
            warn(warning);
        }
    }
    say(&Said::from(SentTold::Judged { worker: remote.base().to_owned() }).to_string());
    anonymize::written(outputs)
}

lookalike_words::messages! {
    in "worker";

    /// What is said of a run that was done elsewhere.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) enum SentTold {
        /// The table goes there.
        Goes {
            /// The worker.
            worker: String,
            /// Bytes.
            bytes: usize,
        },
        /// The worker did it, and this program judged it.
        Judged {
            /// The worker.
            worker: String,
        },
    }
}

/// Whether the release is the one of the report, and keeps what was asked: found out here, from its bytes.
fn judge(
    release: &[u8],
    report: &[u8],
    (name, configuration): (&str, &str),
    worker: &str,
) -> Result<(), Failure> {
    let not_kept = |why: Said| Failure::audit(TableFault::NotKept { worker: worker.to_owned(), why });
    let told: Option<Report> = serde_json::from_slice(report).ok();
    if told.and_then(|report| report.table_sha256) != Some(sha256(release)) {
        return Err(Failure::audit(TableFault::NotReported { worker: worker.to_owned() }));
    }
    let written = |ending: &str, bytes: &[u8]| -> std::io::Result<NamedTempFile> {
        let mut file = tempfile::Builder::new().suffix(ending).tempfile()?;
        file.write_all(bytes)?;
        file.flush()?;
        Ok(file)
    };
    let ending = Path::new(name)
        .extension()
        .map(|ending| format!(".{}", ending.to_string_lossy()))
        .unwrap_or_default();
    let fail = |e: std::io::Error| Failure::io(Attempt::Write, &std::env::temp_dir(), &e);
    let (table, settings) =
        (written(&ending, release).map_err(fail)?, written(".json", configuration.as_bytes()).map_err(fail)?);
    match verify::broken(table.path(), settings.path()) {
        Ok(0) => Ok(()),
        Ok(checks) => Err(not_kept(verify::failed(checks))),
        Err(why) => Err(not_kept(why)),
    }
}

/// A form (`multipart/form-data`, RFC 7578) as it grows.
struct FormData {
    boundary: String,
    bytes: Vec<u8>,
}

impl FormData {
    /// With a boundary that no part holds: 128 random bits.
    fn new() -> Result<Self, Failure> {
        let boundary = format!("lookalike-{:016x}{:016x}", local::entropy()?, local::entropy()?);
        Ok(Self { boundary, bytes: Vec::new() })
    }

    fn part(&mut self, name: &str, file: Option<&str>, content: &[u8]) {
        // What would end the name is written as browsers write it.
        let file = file.map(|file| file.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A"));
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        let head =
            format!("--{}\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n", self.boundary);
        self.bytes.extend_from_slice(head.as_bytes());
        self.bytes.extend_from_slice(content);
        self.bytes.extend_from_slice(b"\r\n");
    }

    /// Media type and body.
    fn end(mut self) -> (String, Vec<u8>) {
        self.bytes.extend_from_slice(format!("--{}--\r\n", self.boundary).as_bytes());
        (format!("multipart/form-data; boundary={}", self.boundary), self.bytes)
    }
}
