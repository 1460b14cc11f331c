//! The judge: what is known of the rows so far, and the verdict on them.

use super::{
    Judged, conditions,
    error::Error,
    fault::{Breach, Fault},
    group_checks::Broken,
    order,
    part::Before,
    question::{Conditions, Dialect, Guarantee, Question},
    risk::{Attacker, of_sizes},
    roles::Roles,
    row::Row,
    runs::{Asked, Runs},
    unnamed::Unnamed,
    values::Values,
    verdict::{Check, Grouping, Reader, Risk, Subject, Verdict},
    words,
};

/// Judges a published table row by row, from its first to its last.
///
/// For rows that somebody else has read; [`crate::judge`] and [`crate::judge_stream`] read the bytes themselves. Memory: the
/// different sensitive values with their numbers of rows, those of one group and of one class, and some megabytes at most.
pub struct Judge {
    header: Vec<String>,
    reader: Reader,
    dialect: Dialect,
    guarantee: Guarantee,
    conditions: Conditions,
    /// Name of a class column that was asked for.
    asked_for: Option<String>,
    pub(super) roles: Roles,
    /// The number of its first row, from 0: rows before it are judged elsewhere.
    start: usize,
    pub(super) rows: usize,
    /// The row before.
    pub(super) before: Row,
    /// The row that the caller handed over.
    handed: Row,
    pub(super) values: Values,
    pub(super) groups: Runs,
    pub(super) classes: Runs,
    /// Labels so far, and the first one if they are in place.
    pub(super) labels: (usize, usize),
    pub(super) unsorted: Broken,
    misplaced: Broken,
    pub(super) unnamed: Unnamed,
}

impl Judge {
    /// For tables with these columns, in table order; `reader` is whoever reads the bytes.
    ///
    /// # Errors
    /// If the question makes no sense (k or m below 2, no quasi-identifier, no sensitive column for m-uniqueness, a column
    /// named twice), or a quasi-identifier or the sensitive column is missing. A missing class column is no error: see
    /// [`Question::class`].
    pub fn new(header: &[String], reader: Reader, question: &Question) -> Result<Self, Error> {
        question.validate()?;
        let roles = Roles::new(header, question)?;
        let class: Vec<usize> = roles.class.into_iter().collect();
        let (mut groups, mut classes) = (Runs::new(&roles.quasi, header), Runs::new(&class, header));
        if !question.conditions.all.is_empty() {
            groups.seen.kept = Some(Vec::new());
            classes.seen.kept = Some(Vec::new());
        }
        Ok(Self {
            reader,
            dialect: question.dialect,
            guarantee: question.guarantee,
            asked_for: question.class.clone(),
            start: 0,
            rows: 0,
            before: Row::default(),
            handed: Row::default(),
            values: Values::new(&question.markers),
            groups,
            classes,
            conditions: question.conditions.clone(),
            labels: (0, 1),
            unsorted: Broken::default(),
            misplaced: Broken::default(),
            unnamed: Unnamed::new(&roles.unnamed),
            header: header.to_vec(),
            roles,
        })
    }

    /// The same judge, which does not say of these columns that nobody asked about them.
    pub(super) fn knowing(mut self, known: &[String]) -> Self {
        let unknown = |at: &usize| !known.contains(&self.header[*at]);
        let unnamed: Vec<usize> = self.roles.unnamed.iter().copied().filter(unknown).collect();
        self.unnamed = Unnamed::new(&unnamed);
        self
    }

    /// The same judge, for rows that begin after others.
    pub(super) fn beginning(self, Before { rows, classes }: Before) -> Self {
        Self { start: rows, rows, labels: (classes, 1), ..self }
    }

    /// Takes the next row: one cell for each column, in table order.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if the row has more or fewer cells than there are columns.
    pub fn row(&mut self, cells: &[&str]) -> Result<(), Error> {
        let (found, expected) = (cells.len(), self.header.len());
        if found != expected {
            let column = found.min(expected + 1);
            return Err(
                Fault { row: self.rows + 1, column, breach: Breach::Cells { found, expected } }.into()
            );
        }
        let mut row = std::mem::take(&mut self.handed);
        row.set(cells);
        self.take(&mut row);
        self.handed = row;
        Ok(())
    }

    /// The same with a row that is as wide as the header, and that is another one afterwards.
    pub(super) fn take(&mut self, row: &mut Row) {
        let (begins, number) = (self.rows == self.start, self.rows);
        let differing = |this: &Self| {
            let mut places = this.roles.sorted_by.iter();
            places.position(|&column| this.before.cell(column) != row.cell(column))
        };
        let differing = if begins { None } else { differing(self) };
        if let Some(at) = differing {
            self.compare(row, self.roles.sorted_by[at]);
        }
        let asked: Asked = (self.guarantee, &self.values);
        if begins || differing.is_some_and(|at| at < self.roles.quasi.len()) {
            // Groups come back in no table whose rows are in order.
            self.groups.begin(row, number, self.unsorted.count > 0, asked);
        }
        if let Some(class) = self.roles.class
            && (begins || self.before.cell(class) != row.cell(class))
        {
            self.class(row, class);
        }
        let code = self.roles.sensitive.map(|column| self.values.code(row.cell(column)));
        self.groups.add(code);
        if self.roles.class.is_some() {
            let counted =
                matches!(self.guarantee, Guarantee::MUnique { .. }) || self.classes.seen.kept.is_some();
            self.classes.add(code.filter(|_| counted));
            let group = self.groups.open().map(|run| run.place);
            if let (Some(class), Some(group)) = (self.classes.open(), group)
                && class.group != group
            {
                class.odd.get_or_insert(number);
            }
        }
        self.unnamed.add(row);
        if self.groups.is_full() || self.classes.is_full() {
            // Both at once: classes know their groups by place.
            let asked: Asked = (self.guarantee, &self.values);
            self.groups.forget(asked);
            self.classes.forget(asked);
        }
        std::mem::swap(&mut self.before, row);
        self.rows += 1;
    }

    /// Whether the row comes after the one before it: the first column in which they differ decides.
    fn compare(&mut self, row: &Row, column: usize) {
        if order::compare(self.before.cell(column), row.cell(column)).is_gt() {
            let (number, name) = (self.rows, &self.header[column]);
            self.unsorted.note(|| words::unsorted(number, name));
        }
    }

    /// The row is of another class than the one before it.
    fn class(&mut self, row: &Row, column: usize) {
        let label = row.cell(column);
        if self.rows == 0 {
            self.labels.1 = usize::from(label != "0");
        }
        let expected = (self.labels.0 + self.labels.1).to_string();
        let odd = label != expected;
        let asked: Asked = (self.guarantee, &self.values);
        // A label in place is a new one as long as all before it were in place.
        if self.classes.begin(row, self.rows, odd || self.misplaced.count > 0, asked) {
            return;
        }
        if let (Some(class), Some(group)) = (self.classes.open(), self.groups.open()) {
            class.group = group.place;
        }
        self.labels.0 += 1;
        if odd {
            self.misplaced.note(|| words::misplaced(label, expected));
        }
    }

    /// All groups and classes are complete.
    pub(super) fn complete(&mut self) {
        let asked: Asked = (self.guarantee, &self.values);
        self.groups.finish(asked);
        self.classes.finish(asked);
    }

    /// The verdict, after the last row.
    ///
    /// # Errors
    /// [`Error::Unreadable`] if there was no row.
    pub fn finish(mut self) -> Result<Judged, Error> {
        if self.rows == self.start {
            return Err(Fault { row: 1, column: 1, breach: Breach::NoRows }.into());
        }
        self.complete();
        let mut checks = self.checks();
        let conditions = self.judged_conditions()?;
        let reached = conditions.iter().map(|of| of.1).collect();
        checks.extend(conditions.into_iter().flat_map(|of| of.0));
        let (seen, rows) = (&self.groups.seen, self.rows);
        let (groups, smallest_group) = (seen.count(), seen.smallest());
        let sensitive = self.roles.sensitive;
        let square = |(&size, &count): (&usize, &usize)| (size as u128) * (size as u128) * count as u128;
        let known_share = !self.values.missing().is_empty() && seen.worst_known > 0.0;
        Ok(Judged {
            risks: of_sizes(&seen.sizes, 0, &Attacker::default()),
            rows,
            known_share: known_share.then_some(seen.worst_known),
            discernibility: seen.sizes.iter().map(square).sum::<u128>() as f64,
            classification_metric: sensitive.map(|_| 1.0 - seen.usual as f64 / rows as f64),
            groups: seen.sizes.clone(),
            verdict: Verdict {
                passed: checks.iter().all(|check| check.passed),
                checks,
                risk: Risk {
                    smallest_group,
                    highest_reidentification: 1.0 / smallest_group as f64,
                    mean_reidentification: groups as f64 / rows as f64,
                    highest_attribute_disclosure: seen.worst.map(|(count, size)| count as f64 / size as f64),
                    single_valued: sensitive.map(|_| (seen.single, groups)),
                },
                reader: self.reader,
                dialect: (self.reader == Reader::Strict).then_some(self.dialect),
                reached,
            },
        })
    }

    /// The checks of the conditions on sensitive values, and what the worst class or group reaches.
    fn judged_conditions(&self) -> Result<Vec<(Vec<Check>, f64)>, Error> {
        let column = self.roles.sensitive.map_or("", |at| self.header[at].as_str());
        let classes = self.roles.class.and(self.classes.seen.kept.as_deref());
        let groups = self.groups.seen.kept.as_deref();
        let kept: Vec<_> = (classes.map(|kept| (Grouping::Class, kept)).into_iter())
            .chain(groups.map(|kept| (Grouping::Group, kept)))
            .collect();
        let asked = (self.conditions.all.as_slice(), &self.conditions.arranged);
        conditions::checks(asked, (&self.values, column), &kept)
    }

    /// The checks in their order.
    fn checks(&mut self) -> Vec<Check> {
        let least = self.guarantee.least();
        let unique = match self.guarantee {
            Guarantee::MUnique { m } => Some(m),
            Guarantee::KAnonymity { .. } => None,
        };
        let (groups, classes) = (&mut self.groups.seen, &mut self.classes.seen);
        let labelled = self.roles.class.is_some();
        let mut checks = Vec::new();
        if labelled {
            checks.push(classes.sizes_check(Grouping::Class, least));
            checks.push(classes.alike_check());
            checks.extend(unique.map(|_| classes.differ_check()));
        } else {
            checks.push(words::no_class(self.asked_for.as_deref()));
        }
        checks.push(groups.sizes_check(Grouping::Group, least));
        checks.extend(unique.map(|m| groups.frequent_check(m)));
        let unsorted = std::mem::take(&mut self.unsorted);
        let finding = words::sorted(unsorted.count);
        checks.push(unsorted.check(Subject::Sorted, finding));
        if labelled {
            let misplaced = std::mem::take(&mut self.misplaced);
            let finding = words::labels(misplaced.count, self.labels.0, self.labels.1);
            checks.push(misplaced.check(Subject::Labels, finding));
        }
        if unique.is_some() {
            let (grouping, seen) =
                if labelled { (Grouping::Class, classes) } else { (Grouping::Group, groups) };
            checks.push(seen.known_note(&self.values, grouping));
            checks.extend(self.values.notes());
        } else if !self.conditions.all.is_empty() {
            checks.extend(self.values.near());
        }
        checks.extend(self.unnamed.note(&self.header));
        checks
    }
}
