//! The first look at all rows: what must be known of the whole table before a row can be placed.

use std::collections::BTreeMap;

use lookalike_model::{
    report::MissingCounts,
    settings::{Model, Publish, Settings},
};
use lookalike_table::{
    Column, ColumnSpec, LongNumbers, MissingPolicy, Reading, Role, Schema, Table, is_missing, misfits,
    resolution,
};
use lookalike_words::{Name, Said};
use rand::Rng as _;

use super::{
    misfit::LargeMisfit,
    sample::{Sample, hash, join},
    sums::Sum,
    tree::{Scale, Tree},
};
use crate::{
    Error, Impossible, ReleaseWarning, eligibility,
    persons::Parts,
    pipeline::combinations::{self, Made},
    prepare::{
        Kept, LARGEST, Misfit, Use, Whole, alike, keep, long_number, published, recoding::Recoding,
        recodings, refuse_gap, renamed, schema, shown, statements, stream,
    },
    release::missing_counts,
    suggest::{first_rows_warnings, reading_warnings},
};

/// All that was seen of a table so far.
#[derive(Clone)]
pub struct Survey {
    pub(super) settings: Settings,
    pub(super) schema: Schema,
    pub(super) recodings: Vec<Recoding>,
    /// The quasi-identifiers, in the order of the schema.
    pub(super) quasi: Vec<Seen>,
    /// Rows of each known sensitive value; the missing ones, and the least of their spellings.
    pub(super) colours: BTreeMap<String, u64>,
    pub(super) colourless: (u64, Option<String>),
    pub(super) sample: Sample,
    seed: u64,
    /// Rows, and those that are kept.
    pub(super) rows: u64,
    pub(super) kept: u64,
    pub(super) missing: Vec<MissingCounts>,
    pub(super) warnings: Vec<Said>,
    /// What may mean something else than what it is read as, where the table ends with its first part and where it does not.
    readings: [Vec<Said>; 2],
    /// Rows of the first part.
    first: u64,
    pub(super) persons: Parts,
}

/// A quasi-identifier so far.
#[derive(Clone)]
pub(super) struct Seen {
    pub(super) spec: ColumnSpec,
    pub(super) whole: Whole,
    pub(super) sum: Sum,
    /// Its numbers that may be taken for others.
    pub(super) long: LongNumbers,
    /// Labels by their text, numbered as they came.
    pub(super) labels: BTreeMap<String, usize>,
}

impl Survey {
    /// Begins with the settings and the first part of the table, which says what kinds the columns are of. It must be
    /// given to [`Self::add`], too. `identifiers` are columns that name persons, as the user says.
    ///
    /// # Errors
    /// As [`crate::pipeline::prepare`] for settings that do not fit; and for what needs the whole table at once.
    pub fn new(first: &Table, settings: &Settings, identifiers: &[String]) -> Result<Self, Error> {
        combinations::fit(settings, Made::OutOfCore)?;
        let seed = settings.seed.ok_or(Misfit::NoSeed)?;
        let schema = schema(first, settings)?;
        let recodings = recodings(first, &schema, settings)?;
        let quasi = schema.columns.iter().filter(|c| c.role == Role::QuasiIdentifier);
        let seen = |spec: &ColumnSpec| Seen {
            spec: spec.clone(),
            whole: Whole { low: f64::INFINITY, high: f64::NEG_INFINITY, ..Whole::default() },
            sum: Sum::default(),
            long: LongNumbers::default(),
            labels: BTreeMap::new(),
        };
        Ok(Self {
            quasi: quasi.map(seen).collect(),
            missing: missing_counts(first, &schema)
                .into_iter()
                .map(|m| MissingCounts { cells: 0, dropped: 0, ..m })
                .collect(),
            readings: [reading_warnings(first, settings), first_rows_warnings(first, settings)],
            first: first.rows as u64,
            warnings: [renamed(first, &schema), statements(&schema, &recodings, settings)].concat(),
            persons: Parts::new(first, settings, identifiers),
            settings: settings.clone(),
            schema,
            recodings,
            colours: BTreeMap::new(),
            colourless: (0, None),
            sample: Sample::default(),
            seed: stream(seed, Use::Sample).next_u64(),
            rows: 0,
            kept: 0,
        })
    }

    /// What may mean something else than what it is read as, by the first part of the table.
    pub(super) fn reading_warnings(&self) -> &[Said] {
        &self.readings[usize::from(self.rows > self.first)]
    }

    /// Takes in the next part; `before` is the number of rows before it.
    ///
    /// # Errors
    /// [`Error::Large`] or [`Error::Misfit`] for cells that do not fit, with their row.
    pub fn add(&mut self, before: usize, part: &Table) -> Result<(), Error> {
        check(&self.schema, &self.recodings, before, part)?;
        let Kept { rows, .. } = keep(part, &self.schema)?;
        for (all, more) in self.missing.iter_mut().zip(missing_counts(part, &self.schema)) {
            all.cells += more.cells;
            all.dropped += more.dropped;
        }
        self.persons.add(part, &rows, &self.schema.markers);
        self.rows += part.rows as u64;
        self.kept += rows.len() as u64;
        let mut points = Vec::with_capacity(self.quasi.len());
        for seen in &mut self.quasi {
            points.push(seen.add(before, part, (&rows, &self.schema.markers, &self.recodings, self.seed))?);
        }
        self.count_colours(part, &rows);
        let columns: Vec<&Column> = self.quasi.iter().map(|seen| &part.columns[seen.spec.index]).collect();
        for &row in &rows {
            let cells =
                points.iter().zip(&columns).map(|(of, column)| of[column.cells[row as usize] as usize]);
            let hashed = cells.clone().fold(self.seed, |hash, (_, cell)| join(hash, cell));
            self.sample.offer(hashed, || cells.map(|(x, _)| x).collect());
        }
        Ok(())
    }

    fn count_colours(&mut self, part: &Table, rows: &[u32]) {
        let spec = self.schema.columns.iter().find(|c| c.role == Role::Sensitive);
        let Some(column) = spec.map(|spec| &part.columns[spec.index]) else { return };
        for (text, count) in column.values.iter().zip(counts(column, rows)).filter(|(_, count)| *count > 0) {
            if is_missing(text, &self.schema.markers) {
                self.colourless.0 += count as u64;
                let least = self.colourless.1.take().filter(|least| least.as_str() < text);
                self.colourless.1 = Some(least.unwrap_or_else(|| text.to_owned()));
            } else if let Some(all) = self.colours.get_mut(text) {
                *all += count as u64;
            } else {
                self.colours.insert(text.to_owned(), count as u64);
            }
        }
    }

    /// Itself at its end, and the cuts, for leaves of at most about `most` rows.
    ///
    /// # Errors
    /// As [`super::Routing::of`].
    pub(super) fn cut(self, most: usize) -> Result<(Self, Tree), Error> {
        let (mut survey, ranks) = self.settled()?;
        let mut sample = std::mem::take(&mut survey.sample).into_points();
        // Nobody asks about them any more.
        survey.persons = Parts::default();
        for weighed in &mut sample {
            for (x, ranks) in weighed.point.iter_mut().zip(&ranks) {
                *x = ranks.get(*x as usize).copied().unwrap_or(*x);
            }
        }
        let scale =
            |seen: &Seen| Scale { weight: seen.spec.weight, labels: seen.spec.reading == Reading::Labels };
        let scales: Vec<Scale> = survey.quasi.iter().map(scale).collect();
        let tree = Tree::grow(sample, &scales, survey.kept, most as u64);
        Ok((survey, tree))
    }

    /// Itself at its end, and for each column of labels the ranks of their places.
    pub(super) fn settled(mut self) -> Result<(Self, Vec<Vec<f64>>), Error> {
        self.persons.check(&self.settings)?;
        self.feasible()?;
        let texts: Vec<String> = self.texts().into_iter().map(|(text, _)| text).collect();
        if let (Model::MInvariance { .. }, Some(name)) = (self.settings.model, &self.settings.sensitive) {
            self.warnings.extend(alike(name, &texts));
        }
        let mut ranks = Vec::new();
        for seen in &mut self.quasi {
            let labels = seen.labels.keys().any(|label| is_missing(label, &self.schema.markers));
            let gaps = self.recodings[seen.spec.index].has_gaps(&seen.spec.reading);
            if gaps && seen.spec.weight > 0.0 && (seen.whole.absent > 0 || labels) {
                refuse_gap(Some(&seen.spec), self.settings.loss)?;
            }
            ranks.push(seen.settle());
            if seen.is_constant() {
                self.warnings.push(ReleaseWarning::constant(&seen.spec.name));
            }
        }
        Ok((self, ranks))
    }

    /// Sensitive values and their rows, by text; the missing ones are one value.
    pub(super) fn texts(&self) -> Vec<(String, u64)> {
        let absent = self.colourless.1.clone().map(|text| (text, self.colourless.0));
        let mut all: Vec<(String, u64)> =
            self.colours.iter().map(|(text, rows)| (text.clone(), *rows)).chain(absent).collect();
        all.sort();
        all
    }

    fn feasible(&self) -> Result<(), Error> {
        if self.kept == 0 {
            return Err(Impossible::NoRow { rows: self.rows }.into());
        }
        match self.settings.model {
            Model::KAnonymity { k } if self.kept < k as u64 => {
                Err(Impossible::TooFew { k, records: self.kept }.into())
            }
            Model::KAnonymity { .. } => Ok(()),
            Model::MInvariance { m } => {
                let (texts, counts): (Vec<String>, Vec<u64>) = self.texts().into_iter().unzip();
                if eligibility::is_eligible(&counts, m as u64) {
                    return Ok(());
                }
                let why = eligibility::explain(&counts, &texts, m as u64).said();
                Err(Impossible::OutOfCore { why }.into())
            }
        }
    }
}

impl Seen {
    /// Takes in the cells of kept rows. The value and the hash of each dictionary entry: of labels the value is the place
    /// at which they were first met, of missing numbers it is minus infinity.
    fn add(
        &mut self,
        before: usize,
        part: &Table,
        (rows, markers, recodings, seed): (&[u32], &[String], &[Recoding], u64),
    ) -> Result<Vec<(f64, u64)>, Error> {
        let column = &part.columns[self.spec.index];
        let counts = counts(column, rows);
        if self.spec.reading == Reading::Labels {
            return Ok(self.add_labels(column, &counts, seed));
        }
        let recoding = &recodings[self.spec.index];
        if let Reading::Numbers(format) = self.spec.reading {
            self.whole.decimals = self.whole.decimals.max(resolution(column, format));
            if let Some((row, cell)) = self.long.add(column, markers, format) {
                return Err(long_number(&column.name, before + row, &cell).into());
            }
        }
        let mut values = Vec::with_capacity(counts.len());
        for (code, (text, &count)) in column.values.iter().zip(&counts).enumerate() {
            let missing = is_missing(text, markers);
            let number = self.spec.reading.value(text).filter(|x| !missing && x.abs() <= LARGEST);
            if number.is_none() && !missing && count > 0 {
                let row = rows.iter().find(|&&row| column.cells[row as usize] as usize == code);
                let row = before + row.map_or(0, |&row| row as usize) + 1;
                return Err(Misfit::too_large(column, row, text, LARGEST).into());
            }
            let Some(x) = number.map(|x| recoding.code(x)) else {
                self.whole.absent += count;
                values.push((f64::NEG_INFINITY, hash(seed, b"missing")));
                continue;
            };
            if count > 0 {
                self.whole.known += count;
                self.sum.add(x, count);
                self.whole.low = self.whole.low.min(x);
                self.whole.high = self.whole.high.max(x);
            }
            // -0 and 0 are one number.
            values.push((x, hash(seed, &(x + 0.0).to_bits().to_le_bytes())));
        }
        Ok(values)
    }

    fn add_labels(&mut self, column: &Column, counts: &[usize], seed: u64) -> Vec<(f64, u64)> {
        let mut values = Vec::with_capacity(counts.len());
        for (text, &count) in column.values.iter().zip(counts) {
            // A label of dropped rows alone has no place yet.
            let place =
                if count == 0 { self.labels.get(text).copied().unwrap_or(0) } else { self.place(text) };
            if count > 0 {
                self.whole.counts[place] += count;
            }
            values.push((place as f64, hash(seed, text.as_bytes())));
        }
        values
    }

    /// The place of a label, a new one if it is.
    pub(super) fn place(&mut self, text: &str) -> usize {
        if let Some(&place) = self.labels.get(text) {
            return place;
        }
        self.labels.insert(text.to_owned(), self.whole.counts.len());
        self.whole.counts.push(0);
        self.whole.counts.len() - 1
    }

    /// Ends the first look. For labels the rank of each place, by text, as which the labels are known from then on.
    fn settle(&mut self) -> Vec<f64> {
        if self.spec.reading != Reading::Labels {
            self.whole.mean = self.sum.value() / self.whole.known.max(1) as f64;
            return Vec::new();
        }
        let mut ranks = vec![0.0; self.labels.len()];
        let mut counts = Vec::with_capacity(ranks.len());
        for (rank, place) in self.labels.values_mut().enumerate() {
            ranks[*place] = rank as f64;
            counts.push(self.whole.counts[*place]);
            *place = rank;
        }
        self.whole.counts = counts;
        ranks
    }

    /// Refuses a number that would be taken for another one, which may stand in any part; `before` is the number of rows before
    /// this part's column.
    pub(super) fn tell_apart(&self, before: usize, column: &Column, markers: &[String]) -> Result<(), Error> {
        let Reading::Numbers(format) = self.spec.reading else { return Ok(()) };
        let Some((row, cell)) = self.long.merged(column, markers, format) else { return Ok(()) };
        let name = Name::from(self.spec.name.as_str());
        Err(LargeMisfit::Merged { name, row: before + row + 1, cell: shown(&cell) }.into())
    }

    pub(super) fn is_constant(&self) -> bool {
        match self.spec.reading {
            Reading::Labels => self.labels.len() < 2,
            _ => !self.whole.varies() && self.whole.absent == 0,
        }
    }

    /// The rank of a label.
    pub(super) fn rank(&self, text: &str) -> Option<usize> {
        self.labels.get(text).copied()
    }

    /// The labels by their ranks.
    pub(super) fn labels(&self) -> impl Iterator<Item = &str> {
        self.labels.keys().map(String::as_str)
    }
}

/// Kept rows of each dictionary entry.
pub(super) fn counts(column: &Column, rows: &[u32]) -> Vec<usize> {
    let mut counts = vec![0; column.values.len()];
    for &row in rows {
        counts[column.cells[row as usize] as usize] += 1;
    }
    counts
}

/// What is asked of each cell of a part, beyond being text: kinds, orders, hierarchies, and cells that must not be missing.
fn check(schema: &Schema, recodings: &[Recoding], before: usize, part: &Table) -> Result<(), Error> {
    for spec in published(schema) {
        let column = &part.columns[spec.index];
        let name = || Name::from(spec.name.as_str());
        if spec.missing == MissingPolicy::Error && spec.role != Role::Other {
            let missing: Vec<bool> =
                column.values.iter().map(|cell| is_missing(cell, &schema.markers)).collect();
            if let Some(row) = column.cells.iter().position(|&code| missing[code as usize]) {
                let (name, row) = (name(), before + row + 1);
                return Err(match spec.role {
                    Role::Sensitive => LargeMisfit::SensitiveMissing { name, row }.into(),
                    _ => LargeMisfit::QuasiMissing { name, row }.into(),
                });
            }
        }
        if spec.reading != Reading::Labels
            && let Some((row, cell)) = misfits(column, &schema.markers, &spec.reading).first()
        {
            if spec.reading.is_too_long(cell) {
                return Err(long_number(&spec.name, before + row, cell).into());
            }
            let (name, row, kind) = (name(), before + row + 1, spec.reading.noun());
            return Err(LargeMisfit::NotAsFirst { name, row, cell: shown(cell), kind }.into());
        }
        if let Some(domain) = &recodings[spec.index].domain {
            domain.check(column, &spec.reading, &schema.markers, before)?;
        }
        let Recoding { form, hierarchy, .. } = &recodings[spec.index];
        if let Some(hierarchy) = hierarchy {
            let wrong = |why| LargeMisfit::Hierarchy { name: name(), before, why };
            hierarchy.check(column, &schema.markers).map_err(wrong)?;
            if *form == Publish::Hierarchy {
                hierarchy.check_labels(column, &schema.markers).map_err(wrong)?;
            }
        }
    }
    Ok(())
}
