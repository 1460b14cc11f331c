//! From a table of a series to the numeric job: who is bound to which signature, and which counterfeits are needed.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use lookalike_model::{
    Ctx,
    job::Series,
    ledger::{Difference, Ledger, Mode, Pseudonyms, Signatures, Vacancies},
    report::{Changes, Fate, SeriesUpdates},
    settings::{Model, Repair, RowsAre, Settings},
};
use lookalike_table::{Column, Role, Schema, Table, is_missing};
use lookalike_words::{Name, Said};
use rand::Rng;

use super::{
    SeriesFault, SeriesWarning,
    apart::Apart,
    balance::{Bucket, balance},
    classify::{Status, Updates, classify},
    names::{name, refuse_unclear},
    part::Part,
    pseudonyms::{self, Key},
    ways::{Needed, Way, classic, needed, tau, tobar_2024},
};
use crate::{
    Error, persons,
    pipeline::combinations::{self, Conflict, Made},
    prepare::{
        Begun, Chosen, FateReason, Kept, Misfit, Prepared, Repaired, Use, alike, begin, canonical_rows,
        codes, deleted, known, ready, recoding::Recoding, rows_without_sensitive, says, stream, wanted,
    },
};

/// What a release of a series is told beside the settings.
#[derive(Clone, Debug)]
pub struct Options {
    /// The column that names individuals.
    pub id: String,
    /// Which updates are expected.
    pub mode: Mode,
    /// The ledger of the series; `None` begins one.
    pub ledger: Option<Ledger>,
    /// What takes the places of people who left; `None` takes the ledger's, and that of its mode for a series that begins.
    pub vacancies: Option<Vacancies>,
    /// Which signatures the classes of new records get.
    pub signatures: Signatures,
    /// Names that differ in case, white space within or leading zeros only are different people; otherwise they are
    /// refused.
    pub exact_names: bool,
    /// The key of the ledger's pseudonyms; without, it holds the names. Decided when a series begins.
    pub key: Option<Key>,
    /// How counterfeits are found.
    pub way: Way,
    /// Classes of new records beyond those that are needed, for m counterfeits each.
    pub more: u64,
}

/// From the table to the numeric job of the next release. `settings.seed` must be set.
///
/// # Errors
/// [`Error::Misfit`] for settings that do not fit the table, [`Error::Conflict`] for those that no series can have;
/// [`Error::Series`] for those of another series, and for individuals without a name, with two rows, or with names that may mean
/// the same person; for updates that the mode does not allow; if the guarantee cannot be given. [`Error::NotEligible`] if there
/// are fewer than m values.
pub fn prepare(table: &Table, settings: &Settings, options: &Options, ctx: &Ctx) -> Result<Prepared, Error> {
    let began = (ctx.clock)();
    let m = check(settings)?;
    let settings = &as_before(settings, options);
    let Classified {
        seed,
        schema,
        recodings,
        rows,
        mut fates,
        suppressed,
        ledger,
        id,
        pseudonyms,
        sensitive,
        values,
        code_of,
        colours,
        updates,
    } = classified(table, settings, options)?;
    let (signatures, bound) = buckets(&ledger, &values, &updates);
    let counts = Counts::of(&signatures, &bound, &colours, values.len());
    let plan = counts.plan(settings, (options, ledger.vacancies), &values, m as u64, seed)?;
    if counts.total() == 0 || (plan.held == counts.new && counts.buckets.is_empty()) {
        return Err(nobody_left(table, &plan).into());
    }

    let gone = held(table, &schema, &recodings, settings, &rows, &colours, &bound, &plan.held)?;
    let reason = |value: &String| FateReason::waits(value).shared();
    let reasons: Vec<_> = values.iter().map(reason).collect();
    for &i in &gone {
        let reason = Arc::clone(&reasons[colours[i] as usize]);
        fates.push(Fate { row: rows[i] as usize, reason });
    }
    let mut stays = vec![true; rows.len()];
    for &i in &gone {
        stays[i] = false;
    }
    let kept = |i: &usize| stays[*i];
    let all = || (0..rows.len()).filter(kept);
    let apart = match ledger.vacancies {
        Vacancies::NewRecords => None,
        Vacancies::Counterfeits => Some(Apart::of(&signatures, &bound, &colours, &values)),
    };
    let counterfeits = match &apart {
        None => fakes(&plan, &counts.buckets),
        Some(apart) => apart.fakes(&plan),
    };
    let occurring = occurring(&values, &colours, apart.as_ref().map(|_| &signatures[..]));
    let part = Part {
        updates: told(&ledger, &updates, plan.held.iter().sum(), plan.balancing()),
        nonce: ledger.pseudonyms.is_some().then(|| digits(&mut stream(seed, Use::Nonce))),
        ledger,
        id,
        pseudonyms,
        sensitive,
        values: values.clone(),
        code_of,
    };
    let (values, colours, signatures) = match apart {
        None => (values, colours, signatures),
        Some(apart) => (apart.values, apart.colours, apart.signatures),
    };
    let series = Series {
        bound: all().map(|i| bound[i]).collect(),
        signatures,
        keep: options.signatures != Signatures::Free,
    };
    let repaired = Repaired {
        deleted: plan.held.clone(),
        changes: Changes { counterfeits: counterfeits.len(), deletions: gone.len(), ..Changes::default() },
        warnings: [
            warnings(&part.updates, counterfeits.len(), options.mode),
            alike(&table.columns[sensitive].name, &occurring),
        ]
        .concat(),
        rows: all().map(|i| rows[i]).collect(),
        colours: all().map(|i| colours[i]).collect(),
        counterfeits,
        drawn_from: Vec::new(),
        values,
        backend: None,
    };
    let series = Some((series, part));
    let chosen = Chosen { schema, recodings, repaired, persons: None, fates, suppressed, series };
    ready(table, settings, seed, chosen, (began, ctx))
}

/// What changed since the last release, and how many counterfeits must stand in for people who left, before anything is
/// made.
///
/// # Errors
/// As [`prepare`], for what is wrong with table, settings or updates.
pub fn changes(table: &Table, settings: &Settings, options: &Options) -> Result<SeriesUpdates, Error> {
    check(settings)?;
    let settings = as_before(settings, options);
    let settings = Settings { seed: settings.seed.or(Some(0)), ..settings };
    let Classified { ledger, values, colours, updates, .. } = classified(table, &settings, options)?;
    let (signatures, bound) = buckets(&ledger, &values, &updates);
    let counts = Counts::of(&signatures, &bound, &colours, values.len());
    let (balanced, _) = match ledger.vacancies {
        Vacancies::NewRecords => balance(&counts.buckets, &counts.new)?,
        Vacancies::Counterfeits => balance(&counts.buckets, &vec![0; counts.new.len()])?,
    };
    let balancing = balanced.iter().flat_map(|filled| &filled.counterfeits).sum();
    Ok(told(&ledger, &updates, 0, balancing))
}

/// The individuals of a table, and what became of them.
struct Classified {
    /// It also names a series that begins.
    seed: u64,
    schema: Schema,
    recodings: Vec<Recoding>,
    /// The rows that are published, in canonical order.
    rows: Vec<u32>,
    fates: Vec<Fate>,
    suppressed: usize,
    ledger: Ledger,
    id: usize,
    /// The column of individuals with pseudonyms.
    pseudonyms: Option<Column>,
    sensitive: usize,
    values: Vec<String>,
    code_of: Vec<u32>,
    /// Code of each row's sensitive value.
    colours: Vec<u32>,
    updates: Updates,
}

fn classified(table: &Table, settings: &Settings, options: &Options) -> Result<Classified, Error> {
    let Begun { seed, schema, recodings, kept } = begin(table, settings)?;
    let Kept { rows, fates, suppressed } = kept;
    let ledger = ledger(options, settings, seed)?;
    let (id, sensitive) = columns(table, &schema, &options.id)?;
    let written = &table.columns[id];
    has_names(written, &schema.markers)?;
    let named = pseudonyms::named(written, options.key.as_ref());
    let ranks = ranks(&named);
    // Each individual has one row: nothing else needs to be asked, but what is said must hold.
    if matches!(settings.rows_are, Some(RowsAre::Of(_))) {
        persons::check(table, &rows, settings, &[])?;
    }
    let rows = match ledger.vacancies {
        Vacancies::NewRecords => canonical_rows(table, &schema, rows, Some(&ranks)),
        Vacancies::Counterfeits => rows_without_sensitive(table, &schema, rows, &ranks),
    };

    let column = &table.columns[sensitive];
    let (values, code_of) = codes(column, &rows, &schema.markers, &ledger.values);
    let colours: Vec<u32> = rows.iter().map(|&r| code_of[column.cells[r as usize] as usize]).collect();
    let names: Vec<(u32, &str)> = rows.iter().map(|&row| (row, name(&named, row))).collect();
    let unmasked = |error| pseudonyms::unmasked(error, written, options.key.as_ref());
    refuse_unclear(&ledger, &names, options.exact_names).map_err(unmasked)?;
    let valued: Vec<(&str, &str)> = (names.iter().zip(&colours))
        .map(|(&(_, name), &colour)| (name, values[colour as usize].as_str()))
        .collect();
    let updates = classify(&ledger, options.mode, &valued).map_err(unmasked)?;
    let pseudonyms = match named {
        Cow::Borrowed(_) => None,
        Cow::Owned(column) => Some(column),
    };
    Ok(Classified {
        seed,
        schema,
        recodings,
        rows,
        fates,
        suppressed,
        ledger,
        id,
        pseudonyms,
        sensitive,
        values,
        code_of,
        colours,
        updates,
    })
}

/// The parameter m, of settings that a series can have.
fn check(settings: &Settings) -> Result<usize, Error> {
    combinations::fit(settings, Made::Series)?;
    match settings.model {
        Model::MInvariance { m } => Ok(m),
        Model::KAnonymity { .. } => Err(Conflict::SeriesNeedsMInvariance.into()),
    }
}

/// The settings with the kinds that columns had in the release before, where nothing else is said.
fn as_before(settings: &Settings, options: &Options) -> Settings {
    let mut settings = settings.clone();
    for (name, kind) in options.ledger.iter().flat_map(|ledger| &ledger.settings.kinds) {
        if !says(&settings, name) {
            settings.kinds.entry(name.clone()).or_insert_with(|| kind.clone());
        }
    }
    settings
}

/// The ledger that this release goes on from.
fn ledger(options: &Options, settings: &Settings, seed: u64) -> Result<Ledger, Error> {
    pseudonyms::fits(options.ledger.as_ref(), options.key.as_ref())?;
    let Some(ledger) = &options.ledger else {
        let series = digits(&mut stream(seed, Use::Series));
        let vacancies = options.vacancies.unwrap_or(options.mode.vacancies());
        let pseudonyms =
            options.key.as_ref().map(|key| Pseudonyms { key: key.mark(), ..Pseudonyms::default() });
        let begun = Ledger::new(series, options.id.clone(), options.mode, settings);
        return Ok(Ledger { vacancies, pseudonyms, ..begun });
    };
    let mut differences = ledger.differences(&options.id, options.mode, settings);
    if let Some(now) = options.vacancies.filter(|now| *now != ledger.vacancies) {
        let (was, now) = (ledger.vacancies.name().to_owned(), now.name().to_owned());
        differences.push(Difference::Setting { name: String::from("vacancies"), was, now });
    }
    if differences.is_empty() {
        Ok(ledger.clone())
    } else {
        Err(SeriesFault::OtherSettings { differences }.into())
    }
}

/// Places of the columns of individuals and of sensitive values.
fn columns(table: &Table, schema: &Schema, id: &str) -> Result<(usize, usize), Error> {
    known(table, id)?;
    let place = table.columns.iter().position(|column| column.name == id);
    let published = |place: usize| {
        let spec = &schema.columns[place];
        spec.keep || matches!(spec.role, Role::QuasiIdentifier | Role::Sensitive)
    };
    match (place, schema.columns.iter().find(|spec| spec.role == Role::Sensitive)) {
        (Some(place), _) if published(place) => Err(SeriesFault::IdPublished { column: id.into() }.into()),
        (Some(place), Some(spec)) => Ok((place, spec.index)),
        _ => Err(Misfit::NoSensitive.into()),
    }
}

/// Random digits that name a series, or a state.
fn digits(rng: &mut impl Rng) -> String {
    format!("{:016x}{:016x}", rng.next_u64(), rng.next_u64())
}

/// Refuses rows without a name, and rows whose name says that it is not known.
fn has_names(column: &Column, markers: &[String]) -> Result<(), Error> {
    let rows = column.cells.len();
    let named = |name: &str| Name::from(name);
    if let Some(row) = (0..rows).find(|&row| column.cell(row).trim().is_empty()) {
        return Err(SeriesFault::NoName { row: row + 1, column: named(&column.name) }.into());
    }
    if let Some(row) = (0..rows).find(|&row| is_missing(column.cell(row).trim(), markers)) {
        let (name, column) = (named(column.cell(row).trim()), named(&column.name));
        return Err(SeriesFault::NameMissing { row: row + 1, name, column }.into());
    }
    Ok(())
}

/// Rank of each row by the text that names its individual, as it stands there.
fn ranks(column: &Column) -> Vec<u32> {
    let mut order: Vec<u32> = (0..column.cells.len() as u32).collect();
    order.sort_by(|&a, &b| column.cell(a as usize).cmp(column.cell(b as usize)));
    let mut ranks = vec![0; order.len()];
    for (rank, &row) in (0..).zip(&order) {
        ranks[row as usize] = rank;
    }
    ranks
}

/// The signatures that some record must keep, as codes, in sorted order, and for each record 1 + the place of its own.
fn buckets(ledger: &Ledger, values: &[String], updates: &Updates) -> (Vec<Vec<u32>>, Vec<u32>) {
    let code = |&value: &u32| {
        let text = &ledger.values[value as usize];
        values.binary_search(text).unwrap_or(0) as u32
    };
    let mut found: BTreeMap<Vec<u32>, Vec<usize>> = BTreeMap::new();
    for (i, place) in updates.signatures.iter().enumerate() {
        let Some(place) = place else { continue };
        let mut signature: Vec<u32> = ledger.signatures[*place as usize].iter().map(code).collect();
        signature.sort_unstable();
        found.entry(signature).or_default().push(i);
    }
    let mut bound = vec![0; updates.signatures.len()];
    for (members, place) in found.values().zip(1..) {
        for &i in members {
            bound[i] = place;
        }
    }
    (found.into_keys().collect(), bound)
}

/// The records by value.
struct Counts {
    buckets: Vec<Bucket>,
    new: Vec<u64>,
}

impl Counts {
    fn of(signatures: &[Vec<u32>], bound: &[u32], colours: &[u32], values: usize) -> Self {
        let empty = |signature: &Vec<u32>| Bucket {
            signature: signature.clone(),
            survivors: vec![0; signature.len()],
        };
        let mut counts = Self { buckets: signatures.iter().map(empty).collect(), new: vec![0; values] };
        for (&bound, &colour) in bound.iter().zip(colours) {
            match (bound as usize).checked_sub(1).map(|place| &mut counts.buckets[place]) {
                None => counts.new[colour as usize] += 1,
                Some(bucket) => {
                    if let Ok(key) = bucket.signature.binary_search(&colour) {
                        bucket.survivors[key] += 1;
                    }
                }
            }
        }
        counts
    }

    /// The counterfeits that the options ask for.
    fn plan(
        &self,
        settings: &Settings,
        (options, vacancies): (&Options, Vacancies),
        values: &[String],
        m: u64,
        seed: u64,
    ) -> Result<Needed, Error> {
        if vacancies == Vacancies::Counterfeits {
            let (balanced, _) = balance(&self.buckets, &vec![0; self.new.len()])?;
            let filled = Needed { balanced, rest: Vec::new(), added: Vec::new(), held: Vec::new() };
            let wanted = wanted(settings, values)?;
            if !matches!(wanted.way, Repair::Add | Repair::Hybrid) && filled.total() > 0 {
                return Err(SeriesFault::CounterfeitsNeeded { counterfeits: filled.total() }.into());
            }
            let new = Self { buckets: Vec::new(), new: self.new.clone() };
            let among = new.plan(settings, (options, Vacancies::NewRecords), values, m, seed)?;
            return Ok(Needed { balanced: filled.balanced, ..among });
        }
        let mut rng = stream(seed, Use::Counterfeits);
        match options.way {
            Way::Fewest => {
                let exact = options.signatures == Signatures::Smallest;
                let more = (exact || options.more > 0).then_some(options.more);
                needed(&self.buckets, &self.new, m, &wanted(settings, values)?, more)
            }
            Way::Tobar2024 => tobar_2024(&self.buckets, &self.new, m),
            Way::Tau => tau(&self.buckets, &self.new, m, &mut rng),
            Way::Classic => classic(&self.buckets, &self.new, m, &mut rng),
        }
    }

    fn total(&self) -> u64 {
        let old = self.buckets.iter().flat_map(|bucket| &bucket.survivors);
        self.new.iter().chain(old).sum()
    }
}

fn nobody_left(table: &Table, plan: &Needed) -> SeriesFault {
    match plan.held.iter().sum() {
        0 => SeriesFault::NoRowLeft { rows: table.rows },
        records => SeriesFault::AllWait { records },
    }
}

/// Places of the new records that wait: so many of each value.
#[expect(clippy::too_many_arguments, reason = "they are what deletion of rows needs, and one list more")]
fn held(
    table: &Table,
    schema: &Schema,
    recodings: &[Recoding],
    settings: &Settings,
    rows: &[u32],
    colours: &[u32],
    bound: &[u32],
    waiting: &[u64],
) -> Result<Vec<usize>, Error> {
    let new: Vec<usize> = (0..rows.len()).filter(|&i| bound[i] == 0).collect();
    let of = |list: &[u32]| -> Vec<u32> { new.iter().map(|&i| list[i]).collect() };
    let gone = deleted(table, schema, recodings, settings, &of(rows), &of(colours), waiting)?;
    Ok(gone.into_iter().map(|at| new[at]).collect())
}

/// Codes of all counterfeits, ascending.
fn fakes(plan: &Needed, buckets: &[Bucket]) -> Vec<u32> {
    let mut counts = plan.added.clone();
    for (bucket, filled) in buckets.iter().zip(&plan.balanced) {
        for (&value, &count) in bucket.signature.iter().zip(&filled.counterfeits) {
            counts[value as usize] += count;
        }
    }
    (counts.iter().enumerate())
        .flat_map(|(code, &count)| std::iter::repeat_n(code as u32, count as usize))
        .collect()
}

/// What changed, for the data holder.
fn told(ledger: &Ledger, updates: &Updates, waiting: u64, balancing: u64) -> SeriesUpdates {
    SeriesUpdates {
        release: ledger.number() + 1,
        new: updates.count(Status::New),
        stayed: updates.count(Status::Stayed),
        back: updates.count(Status::Back),
        changed: updates.count(Status::Changed),
        gone: updates.gone,
        waiting: waiting as usize,
        balancing: balancing as usize,
        believer: None,
        ever_changed: 0,
        left_with_one: 0,
    }
}

/// The sensitive values that the table holds, by codes; the ledger knows others, too. All values of these signatures are said
/// to be held, where who holds them is not to show.
fn occurring(values: &[String], colours: &[u32], whole: Option<&[Vec<u32>]>) -> Vec<String> {
    let mut occurs = vec![false; values.len()];
    for &value in whole.into_iter().flatten().flatten() {
        occurs[value as usize] = true;
    }
    for &colour in colours {
        occurs[colour as usize] = true;
    }
    values.iter().zip(occurs).filter(|(_, occurs)| *occurs).map(|(value, _)| value.clone()).collect()
}

/// What a reader of the report should know.
fn warnings(updates: &SeriesUpdates, counterfeits: usize, mode: Mode) -> Vec<Said> {
    let fill = (counterfeits > 0).then_some(SeriesWarning::Counterfeits { counterfeits });
    let change = (mode == Mode::TauSafety && updates.release > 1).then_some(SeriesWarning::ValuesChange);
    fill.into_iter().chain(change).map(Into::into).collect()
}
