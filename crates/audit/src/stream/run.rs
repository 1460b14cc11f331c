//! What is known of the rows so far.

use std::collections::BTreeMap;

use lookalike_table::{Column, Table, is_missing, parse_number, text::quoted};
use rustc_hash::FxHashMap;

use super::Judged;
use crate::{
    Attacker, Check, Error, Guarantee, Question, Risk, Verdict, WITNESSES, classes, judge::unjudged_columns,
    name, order, published::Published, risk::of_sizes, sizes, values,
};

/// The rows so far.
pub(super) struct Run {
    /// Columns of the table by their places.
    quasi: Vec<usize>,
    class: Option<usize>,
    sensitive: Option<usize>,
    sorted_by: Vec<usize>,
    names: Vec<String>,
    unnamed: Vec<String>,
    /// Name of a class column that was asked for.
    asked_for: Option<String>,
    guarantee: Guarantee,
    markers: Vec<String>,
    rows: usize,
    /// The row before, cell by cell.
    before: Vec<String>,
    values: FxHashMap<String, u32>,
    /// Rows of each sensitive value.
    counts: Vec<(String, usize)>,
    group: Same,
    of_class: Same,
    groups: Seen,
    classes: Seen,
    /// Labels so far, and whether they count from 0.
    labels: (usize, bool),
    unsorted: Broken,
    unlike: Broken,
    /// Whether the class at hand was found to be published differently.
    class_unlike: bool,
    misplaced: Broken,
}

/// A run of rows that are alike.
#[derive(Default)]
struct Same {
    size: usize,
    first: usize,
    tally: BTreeMap<u32, usize>,
}

/// All runs of one kind.
#[derive(Default)]
struct Seen {
    sizes: BTreeMap<usize, usize>,
    small: Broken,
    /// Runs that break the rule of the values, and how often a value occurs in the worst of them.
    repeated: Broken,
    most: usize,
    frequent: Broken,
    /// The largest share of a value.
    worst: Option<(usize, usize)>,
    /// The same among the rows whose value is known; 0 without such.
    worst_known: f64,
    /// Rows that hold the most frequent value of their run.
    usual: usize,
    /// Runs whose known values are one and the same.
    single: usize,
    /// Fewest different values of a run, all and known.
    different: Option<(usize, usize)>,
}

/// What is wrong, how often, and where first.
#[derive(Default)]
struct Broken {
    count: usize,
    witnesses: Vec<String>,
}

impl Broken {
    fn note(&mut self, witness: impl FnOnce() -> String) {
        if self.witnesses.len() < WITNESSES {
            self.witnesses.push(witness());
        }
    }
}

impl Run {
    /// For tables with the columns of this part.
    pub(super) fn new(part: &Table, question: &Question) -> Result<Self, Error> {
        let published = Published::new(part, question)?;
        let place = |column: &Column| part.columns.iter().position(|c| c.name == column.name).unwrap_or(0);
        let places = |columns: &[&Column]| columns.iter().map(|c| place(c)).collect::<Vec<usize>>();
        Ok(Self {
            quasi: places(&published.quasi),
            class: published.class.map(place),
            sensitive: published.sensitive.map(place),
            sorted_by: places(&published.sorted_by),
            names: part.columns.iter().map(|c| c.name.clone()).collect(),
            unnamed: published.unnamed.iter().map(|c| c.name.clone()).collect(),
            asked_for: question.class.clone(),
            guarantee: question.guarantee,
            markers: question.markers.clone(),
            rows: 0,
            before: Vec::new(),
            values: FxHashMap::default(),
            counts: Vec::new(),
            group: Same::default(),
            of_class: Same::default(),
            groups: Seen::default(),
            classes: Seen::default(),
            labels: (0, false),
            unsorted: Broken::default(),
            unlike: Broken::default(),
            class_unlike: false,
            misplaced: Broken::default(),
        })
    }

    /// The next rows.
    pub(super) fn add(&mut self, part: &Table) {
        for row in 0..part.rows {
            let cells: Vec<&str> = part.columns.iter().map(|c| c.cell(row)).collect();
            self.row(&cells);
        }
    }

    fn row(&mut self, cells: &[&str]) {
        let begins = self.rows == 0;
        let differs = |before: &[String], c: usize| before[c] != cells[c];
        let new_group = begins || self.quasi.iter().any(|&c| differs(&self.before, c));
        let new_class = begins || self.class.is_some_and(|c| differs(&self.before, c));
        if !begins {
            self.compare(cells);
        }
        if new_group && !begins {
            self.end_group();
        }
        if self.class.is_some() {
            if new_class {
                if !begins {
                    self.end_class();
                }
                self.label(cells);
            } else if new_group && !self.class_unlike {
                self.class_unlike = true;
                self.unlike.count += 1;
                let (first, row, class) = (self.of_class.first + 1, self.rows + 1, self.describe_class());
                self.unlike.note(|| format!("{class}: published rows {first} and {row} differ"));
            }
        }
        let code = self.sensitive.map(|c| self.code(cells[c]));
        let at = self.rows;
        let runs = std::iter::once((&mut self.group, new_group))
            .chain(self.class.is_some().then_some((&mut self.of_class, new_class)));
        for (same, new) in runs {
            if new {
                (same.size, same.first) = (0, at);
                same.tally.clear();
            }
            same.size += 1;
            if let Some(code) = code {
                *same.tally.entry(code).or_insert(0) += 1;
            }
        }
        if begins {
            self.before = cells.iter().map(|&cell| cell.to_owned()).collect();
        } else {
            for (before, &cell) in self.before.iter_mut().zip(cells) {
                if before != cell {
                    before.clear();
                    before.push_str(cell);
                }
            }
        }
        self.rows += 1;
    }

    /// Whether the row comes after the one before it: the first column in which they differ decides.
    fn compare(&mut self, cells: &[&str]) {
        let Some(&column) = self.sorted_by.iter().find(|&&c| self.before[c] != cells[c]) else { return };
        let key = |cell| (parse_number(cell), cell);
        if order::compare(key(&self.before[column]), key(cells[column])).is_gt() {
            self.unsorted.count += 1;
            let (row, name) = (self.rows, &self.names[column]);
            self.unsorted.note(|| order::witness(row, name));
        }
    }

    fn label(&mut self, cells: &[&str]) {
        let label = self.class.map_or("", |c| cells[c]);
        if self.rows == 0 {
            self.labels.1 = label == "0";
        }
        let expected = (self.labels.0 + usize::from(!self.labels.1)).to_string();
        self.labels.0 += 1;
        if label != expected {
            self.misplaced.count += 1;
            self.misplaced.note(|| format!("label {} where {expected} was expected", quoted(label)));
        }
    }

    fn code(&mut self, value: &str) -> u32 {
        if let Some(&code) = self.values.get(value) {
            self.counts[code as usize].1 += 1;
            return code;
        }
        let code = self.counts.len() as u32;
        self.values.insert(value.to_owned(), code);
        self.counts.push((value.to_owned(), 1));
        code
    }

    fn describe(&self, columns: &[usize]) -> String {
        let cell = |&c: &usize| format!("{} {}", self.names[c], quoted(&self.before[c]));
        columns.iter().map(cell).collect::<Vec<_>>().join(", ")
    }

    fn describe_class(&self) -> String {
        self.class.map_or_else(String::new, |class| self.describe(&[class]))
    }

    fn end_group(&mut self) {
        let words = self.describe(&self.quasi);
        self.groups.end(&self.group, &words, (self.guarantee, &self.counts, &self.markers));
    }

    fn end_class(&mut self) {
        let words = self.describe_class();
        self.classes.end(&self.of_class, &words, (self.guarantee, &self.counts, &self.markers));
        self.class_unlike = false;
    }

    /// The verdict after the last row.
    pub(super) fn finish(mut self, rows: usize, attacker: &Attacker) -> Judged {
        self.end_group();
        if self.class.is_some() {
            self.end_class();
        }
        let checks = self.checks();
        let (groups, worst) = (self.groups.count(), self.groups.worst);
        let smallest_group = self.groups.smallest();
        let risk = Risk {
            smallest_group,
            highest_reidentification: 1.0 / smallest_group as f64,
            mean_reidentification: groups as f64 / rows as f64,
            highest_attribute_disclosure: worst.map(|(count, size)| count as f64 / size as f64),
            single_valued: self.sensitive.map(|_| (self.groups.single, groups)),
        };
        let square = |(&size, &count): (&usize, &usize)| (size as u128) * (size as u128) * count as u128;
        Judged {
            verdict: Verdict { passed: checks.iter().all(|check| check.passed), checks, risk },
            risks: of_sizes(&self.groups.sizes, 0, attacker),
            rows,
            known_share: self.known_share(),
            discernibility: self.groups.sizes.iter().map(square).sum::<u128>() as f64,
            classification_metric: self.sensitive.map(|_| 1.0 - self.groups.usual as f64 / rows as f64),
        }
    }

    fn known_share(&self) -> Option<f64> {
        let missing = self.counts.iter().any(|(value, _)| is_missing(value, &self.markers));
        (missing && self.groups.worst_known > 0.0).then_some(self.groups.worst_known)
    }

    fn checks(&mut self) -> Vec<Check> {
        let least = self.guarantee.least();
        let unique = match (self.guarantee, self.sensitive) {
            (Guarantee::MUnique { m }, Some(_)) => Some(m),
            _ => None,
        };
        let take = |broken: &mut Broken| std::mem::take(&mut broken.witnesses);
        let (groups, classes) = (&mut self.groups, &mut self.classes);
        let mut checks = Vec::new();
        if self.class.is_some() {
            let finding = classes.size_finding(least, "class", "classes");
            checks.push(Check::new(name::CLASS_SIZE, finding, take(&mut classes.small)));
            let alike = classes::alike_finding(self.unlike.count, classes.count());
            checks.push(Check::new(name::CLASS_ALIKE, alike, take(&mut self.unlike)));
            if unique.is_some() {
                let worst = (classes.repeated.count > 0).then_some(classes.most);
                let finding = values::differ_finding(classes.repeated.count, classes.count(), worst);
                checks.push(Check::new(name::CLASS_VALUES, finding, take(&mut classes.repeated)));
            }
        } else {
            checks.push(classes::no_class(self.asked_for.as_deref()));
        }
        let finding = groups.size_finding(least, "group", "groups");
        checks.push(Check::new(name::GROUP_SIZE, finding, take(&mut groups.small)));
        if let Some(m) = unique {
            let worst = groups.worst.unwrap_or_default();
            let finding = values::frequent_finding(worst, m, groups.frequent.count, groups.count());
            checks.push(Check::new(name::GROUP_VALUES, finding, take(&mut groups.frequent)));
        }
        let finding = order::finding(self.unsorted.count);
        checks.push(Check::new(name::SORTED, finding, take(&mut self.unsorted)));
        if self.class.is_some() {
            let start = usize::from(!self.labels.1);
            let finding = classes::labels_finding(self.misplaced.count, self.labels.0, start);
            checks.push(Check::new(name::LABELS, finding, take(&mut self.misplaced)));
        }
        if unique.is_some() {
            let (one, seen) =
                if self.class.is_some() { ("class", &self.classes) } else { ("group", &self.groups) };
            let texts: Vec<&str> = self.counts.iter().map(|(value, _)| value.as_str()).collect();
            let different = seen.different.unwrap_or_default();
            checks.push(values::known_finding(&texts, &self.markers, different, one));
            let counts: Vec<(&str, usize)> = self.counts.iter().map(|(v, c)| (v.as_str(), *c)).collect();
            checks.push(values::rare_of(&counts));
            checks.extend(values::near_of(&counts, &self.markers));
        }
        if !self.unnamed.is_empty() {
            checks.push(unjudged_columns(&self.unnamed.iter().map(|name| quoted(name)).collect::<Vec<_>>()));
        }
        checks
    }
}

impl Seen {
    fn count(&self) -> usize {
        self.sizes.values().sum()
    }

    fn smallest(&self) -> usize {
        self.sizes.keys().next().copied().unwrap_or(0)
    }

    fn size_finding(&self, least: usize, one: &str, many: &str) -> String {
        sizes::finding((self.count(), self.smallest()), (least, self.small.count), one, many)
    }

    /// Takes in a run that is over.
    fn end(
        &mut self,
        run: &Same,
        words: &str,
        (guarantee, counts, markers): (Guarantee, &[(String, usize)], &[String]),
    ) {
        *self.sizes.entry(run.size).or_insert(0) += 1;
        if run.size < guarantee.least() {
            self.small.count += 1;
            self.small.note(|| sizes::witness(words, run.size, run.first));
        }
        let Some(most) = run.tally.values().max().copied() else { return };
        self.usual += most;
        // a/b > c/d as integers: shares are compared exactly.
        let larger = |(c, d): (usize, usize)| most as u128 * d as u128 > c as u128 * run.size as u128;
        if self.worst.is_none_or(larger) {
            self.worst = Some((most, run.size));
        }
        let text = |code: u32| counts[code as usize].0.as_str();
        let known_rows =
            || run.tally.iter().filter(|(code, _)| !is_missing(text(**code), markers)).map(|(_, n)| *n);
        let known = known_rows().count();
        self.single += usize::from(known == 1);
        if let Some(most) = known_rows().max() {
            self.worst_known = self.worst_known.max(most as f64 / known_rows().sum::<usize>() as f64);
        }
        let (all, least_known) = self.different.unwrap_or((usize::MAX, usize::MAX));
        self.different = Some((all.min(run.tally.len()), least_known.min(known)));
        if most > 1 {
            self.repeated.count += 1;
            self.most = self.most.max(most);
            for (&code, &count) in run.tally.iter().filter(|(_, count)| **count > 1) {
                self.repeated.note(|| format!("{words}: {} occurs {count} times", quoted(text(code))));
            }
        }
        let Guarantee::MUnique { m } = guarantee else { return };
        let frequent = |count: usize| count as u128 * m as u128 > run.size as u128;
        if frequent(most) {
            self.frequent.count += 1;
            for (&code, &count) in run.tally.iter().filter(|(_, count)| frequent(**count)) {
                let value = quoted(text(code));
                self.frequent.note(|| format!("{words}: {value} makes up {count} of {} rows", run.size));
            }
        }
    }
}
