//! The problem: records with points and colours.

mod attribute;
mod layout;
mod message;
mod tree;
mod values;

use std::sync::Arc;

use lookalike_words::Figure;

pub use self::{
    attribute::{Category, Generalised},
    layout::Layout,
    message::{ColumnsFault, JobFault, RanksFault},
    tree::Tree,
};
use crate::{
    Error,
    job::{Attribute, JOB_VERSION, Job, Series},
    rule::{ValueCondition, Values, signature},
    settings::Loss,
};

/// Coordinates above this could overflow when squared and summed; encoded points never come near it.
pub const LARGEST_COORDINATE: f64 = 1e100;

/// Number of coordinates that are computed on together.
pub const LANE: usize = 4;

/// Four coordinates: the unit of all arithmetic on points, so that it compiles to SIMD on every target and adds up
/// in the same order everywhere.
pub type Lane = [f64; LANE];

/// n records; record i has a point in R^d (encoded quasi-identifiers) and a colour (code of its sensitive value).
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Number of attributes d.
    pub dims: usize,
    /// The points, `records() * lanes` lanes, padded with zeros; a counterfeit's point is all zeros.
    pub points: Vec<Lane>,
    /// Lanes per record.
    pub lanes: usize,
    /// Where the attributes stand in a point.
    pub layout: Layout,
    /// Colour of each record, `0..colour_count`.
    pub colours: Vec<u32>,
    /// Number of different colours.
    pub colour_count: usize,
    /// Number of real records; they come first. The others are counterfeits without quasi-identifiers: they count for
    /// sizes and colours, not for the loss.
    pub reals: usize,
    /// Attributes that are categories under NCP; their coordinates are code times step. Empty under SSE.
    pub categories: Vec<Category>,
    /// Codes of the categories, `categories.len()` each record.
    pub codes: Vec<u32>,
    /// Attributes that are leaves of a tree; their coordinates are places times step, and under SSE do no more than guide a search.
    pub hierarchies: Vec<Generalised>,
    /// Place of each attribute in the order of rising weighted variance of the original values (Liang 2020, (36)).
    pub ranks: Vec<u32>,
    /// What earlier releases ask; `None` for a table by itself.
    pub series: Option<Series>,
    /// For each sensitive column, that of the colours first, how the values of the whole table are distributed, of which this may be a
    /// part; empty if no rule asks for that.
    pub values: Vec<Arc<Values>>,
}

impl Instance {
    /// The instance of a job, after checking it.
    ///
    /// # Errors
    /// [`Error::Job`] for another version, no attribute, no real record, a length that does not fit, a coordinate
    /// that is not a moderate finite number, or colour codes with gaps.
    pub fn from_job(job: &Job) -> Result<Self, Error> {
        let bad = |fault: JobFault| Err(Error::from(fault));
        if job.version != JOB_VERSION {
            return bad(JobFault::Version { given: job.version, spoken: JOB_VERSION });
        }
        let (dims, n) = (job.dims, job.colours.len());
        if dims == 0 || job.points.is_empty() {
            return bad(JobFault::Empty);
        }
        if !job.points.len().is_multiple_of(dims) || job.points.len() / dims > n {
            let coordinates = job.points.len();
            return bad(JobFault::Coordinates { coordinates, records: n, attributes: dims });
        }
        if u32::try_from(n).is_err() {
            return bad(JobFault::TooManyRecords { records: n });
        }
        if let Some(at) = job.points.iter().position(|x| !x.is_finite() || x.abs() > LARGEST_COORDINATE) {
            let (record, attribute) = (at / dims, at % dims);
            let value = Figure::shortest(job.points[at]);
            return bad(JobFault::Coordinate { record, attribute, value });
        }
        let colour_count = job.colours.iter().map(|&c| c as usize + 1).max().unwrap_or(0);
        let mut seen = vec![false; colour_count.min(n)];
        for &c in &job.colours {
            match seen.get_mut(c as usize) {
                Some(s) => *s = true,
                None => return bad(JobFault::ColourTooLarge { colour: c }),
            }
        }
        if let Some(gap) = seen.iter().position(|s| !s) {
            return bad(JobFault::ColourGap { colour: gap });
        }
        let reals = job.points.len() / dims;
        let layout = match job.loss {
            Loss::Sse => Layout::apart(dims, |j| job.attributes.get(j).is_some_and(|a| a.joins.is_some())),
            Loss::Ncp | Loss::NcpBinary => Layout::in_order(dims),
        };
        let lanes = layout.lanes;
        let mut points = vec![[0.0; LANE]; n * lanes];
        for (i, row) in job.points.chunks_exact(dims).enumerate() {
            for (j, &x) in row.iter().enumerate() {
                let (lane, l) = layout.slot(j);
                // Adding 0.0 turns -0.0 into 0.0: equal points are then equal bit by bit.
                points[i * lanes + lane][l] = x + 0.0;
            }
        }
        let mut instance = Self {
            dims,
            points,
            lanes,
            layout,
            colours: job.colours.clone(),
            colour_count,
            reals,
            categories: Vec::new(),
            codes: Vec::new(),
            hierarchies: Vec::new(),
            ranks: Vec::new(),
            series: None,
            values: Vec::new(),
        };
        if let Some(series) = &job.series {
            signature::check(series, &job.rule, reals, &instance.colours)?;
            instance.series = Some(series.clone());
        }
        instance.values = values::of_job(job, colour_count)?;
        instance.describe(job)?;
        Ok(instance)
    }

    /// Takes in what the job says about its attributes: weights, categories, order of variances.
    fn describe(&mut self, job: &Job) -> Result<(), Error> {
        let bad = |fault: JobFault| Err(Error::from(fault));
        if job.attributes.is_empty() {
            if job.loss != Loss::Sse {
                return bad(JobFault::NoAttributes);
            }
            self.ranks = self.ranks_of_points();
            return Ok(());
        }
        if job.attributes.len() != self.dims {
            let (described, attributes) = (job.attributes.len(), self.dims);
            return bad(JobFault::Attributes { described, attributes });
        }
        self.ranks = job.attributes.iter().map(|a| a.rank).collect();
        if job.loss == Loss::Sse {
            return self.describe_trees(&job.attributes);
        }
        for (axis, attribute) in job.attributes.iter().enumerate() {
            let weight = attribute.weight;
            if !weight.is_finite() || weight < 0.0 {
                return bad(JobFault::Weight { attribute: axis, weight: Figure::shortest(weight) });
            }
            let step = match (&attribute.joins, attribute.levels) {
                (Some(joins), None) => {
                    let generalised = Generalised::new(axis, weight, self.tree(axis, joins)?);
                    let step = generalised.step;
                    self.hierarchies.push(generalised);
                    step
                }
                (Some(_), Some(_)) => return bad(JobFault::Joins { attribute: axis }),
                (None, None) => weight,
                (None, Some(levels)) => {
                    self.coded(axis, levels)?;
                    let step = weight / f64::from(levels);
                    self.categories.push(Category { axis, step });
                    step
                }
            };
            for i in 0..self.reals {
                self.scale(i, axis, step);
            }
        }
        let code =
            |i: usize, axis: usize| if i < self.reals { job.points[i * self.dims + axis] as u32 } else { 0 };
        self.codes = (0..self.records())
            .flat_map(|i| self.categories.iter().map(move |c| (i, c.axis)))
            .map(|(i, axis)| code(i, axis))
            .collect();
        Ok(())
    }

    /// Takes in the categories of many values: their coordinates guide a search as they would if they were numbers of as much
    /// variance.
    fn describe_trees(&mut self, attributes: &[Attribute]) -> Result<(), Error> {
        let n = self.reals as f64;
        for (axis, attribute) in attributes.iter().enumerate() {
            let Some(joins) = &attribute.joins else { continue };
            if attribute.levels.is_some() {
                return Err(JobFault::Joins { attribute: axis }.into());
            }
            let mut generalised = Generalised::new(axis, 1.0, self.tree(axis, joins)?);
            let mut leaves: Vec<u32> =
                (0..self.reals as u32).map(|i| self.coordinate(i, axis) as u32).collect();
            leaves.sort_unstable();
            let mean = leaves.iter().map(|&leaf| f64::from(leaf)).sum::<f64>() / n;
            let spread = leaves.iter().map(|&leaf| (f64::from(leaf) - mean).powi(2)).sum::<f64>();
            let step = (generalised.pairs(&leaves) / n / spread).sqrt();
            generalised.step = if step.is_finite() && step > 0.0 { step } else { 1.0 };
            for i in 0..self.reals {
                self.scale(i, axis, generalised.step);
            }
            self.hierarchies.push(generalised);
        }
        Ok(())
    }

    /// The tree of an attribute, which all its coordinates are leaves of.
    fn tree(&self, axis: usize, joins: &[f64]) -> Result<Arc<Tree>, Error> {
        if joins.iter().any(|x| !(0.0..=LARGEST_COORDINATE).contains(x)) {
            return Err(JobFault::Joins { attribute: axis }.into());
        }
        self.coded(axis, joins.len() as u32 + 1)?;
        Ok(Arc::new(Tree::new(joins.to_vec())))
    }

    /// Whether the coordinates of an attribute are codes, `0..levels`.
    fn coded(&self, axis: usize, levels: u32) -> Result<(), Error> {
        let code = |i: usize| self.coordinate(i as u32, axis);
        let wrong = |x: f64| x < 0.0 || x >= f64::from(levels) || x != x.trunc();
        let Some(record) = (0..self.reals).find(|&i| wrong(code(i))) else { return Ok(()) };
        let code = Figure::shortest(code(record));
        Err(JobFault::Code { record, attribute: axis, code, levels }.into())
    }

    /// Multiplies a coordinate.
    fn scale(&mut self, i: usize, axis: usize, step: f64) {
        let (lane, l) = self.layout.slot(axis);
        self.points[i * self.lanes + lane][l] *= step;
    }

    /// Attributes in the order of rising variance of the points themselves.
    fn ranks_of_points(&self) -> Vec<u32> {
        let variance = |j: usize| {
            let values = || (0..self.reals as u32).map(|i| self.coordinate(i, j));
            let mean = values().sum::<f64>() / self.reals as f64;
            values().map(|x| (x - mean) * (x - mean)).sum::<f64>()
        };
        let variances: Vec<f64> = (0..self.dims).map(variance).collect();
        let mut order: Vec<usize> = (0..self.dims).collect();
        order.sort_by(|&a, &b| variances[a].total_cmp(&variances[b]));
        let mut ranks = vec![0; self.dims];
        for (rank, &j) in order.iter().enumerate() {
            ranks[j] = rank as u32;
        }
        ranks
    }

    /// The instance of some of the records, which must be ascending; record `r` of it is `records[r]`. Scales stay
    /// those of the whole.
    #[must_use]
    pub fn subset(&self, records: &[u32]) -> Self {
        let mut names = vec![u32::MAX; self.colour_count];
        let mut colour_count = 0;
        let colours = records.iter().map(|&i| {
            let name = &mut names[self.colours[i as usize] as usize];
            if *name == u32::MAX {
                *name = colour_count;
                colour_count += 1;
            }
            *name
        });
        let colours = colours.collect();
        let width = self.categories.len();
        Self {
            dims: self.dims,
            points: records.iter().flat_map(|&i| self.point(i)).copied().collect(),
            lanes: self.lanes,
            layout: self.layout.clone(),
            colours,
            colour_count: colour_count as usize,
            reals: records.partition_point(|&i| self.is_real(i)),
            categories: self.categories.clone(),
            codes: records
                .iter()
                .flat_map(|&i| &self.codes[i as usize * width..][..width])
                .copied()
                .collect(),
            hierarchies: self.hierarchies.clone(),
            ranks: self.ranks.clone(),
            series: self.series.as_ref().map(|series| signature::part(series, records, &names)),
            values: self.values.iter().map(|values| Arc::new(values.part(records))).collect(),
        }
    }

    /// Whether a class keeps a condition on how its values in a sensitive column are distributed, from scratch. An instance that does
    /// not know the distribution of the table's values keeps none.
    #[must_use]
    pub fn keeps(&self, members: &[u32], (of, condition): (usize, &ValueCondition)) -> bool {
        self.values.get(of).is_some_and(|values| {
            let counts = values.counts(members.iter().copied());
            condition.holds(counts.iter().copied(), &values.table)
        })
    }

    /// 1 + the place of the signature that record `i` must keep; 0 if it has none.
    #[inline]
    #[must_use]
    pub fn bound(&self, i: u32) -> u32 {
        self.series.as_ref().and_then(|series| series.bound.get(i as usize)).copied().unwrap_or(0)
    }

    /// The colours that a class keeps, ascending, by what [`Instance::bound`] tells; `None` for 0.
    #[inline]
    #[must_use]
    pub fn signature(&self, bound: u32) -> Option<&[u32]> {
        let place = (bound as usize).checked_sub(1)?;
        self.series.as_ref()?.signatures.get(place).map(Vec::as_slice)
    }

    /// The codes of a record's categories.
    #[inline]
    #[must_use]
    pub fn codes_of(&self, i: u32) -> &[u32] {
        let width = self.categories.len();
        &self.codes[i as usize * width..][..width]
    }

    /// An instance of real records under SSE from the coordinates of each attribute and the colours; `attributes` say which are leaves
    /// of a tree, and may be none.
    ///
    /// # Errors
    /// [`Error::Columns`] for a length that does not fit, no record, or a coordinate that is not moderate; [`Error::Job`] for a tree
    /// that does not fit its column.
    pub fn from_columns(
        columns: &[Vec<f64>],
        attributes: &[Attribute],
        colours: &[u32],
    ) -> Result<Self, Error> {
        let bad = |fault: ColumnsFault| Err(Error::from(fault));
        let n = colours.len();
        let described = attributes.is_empty() || attributes.len() == columns.len();
        if columns.is_empty() || n == 0 || !described || columns.iter().any(|c| c.len() != n) {
            return bad(ColumnsFault::Lengths { attributes: columns.len(), records: n });
        }
        let layout = Layout::apart(columns.len(), |j| attributes.get(j).is_some_and(|of| of.joins.is_some()));
        let lanes = layout.lanes;
        let mut points = vec![[0.0; LANE]; n * lanes];
        for (j, column) in columns.iter().enumerate() {
            for (i, &x) in column.iter().enumerate() {
                if !x.is_finite() || x.abs() > LARGEST_COORDINATE {
                    let value = Figure::shortest(x);
                    return bad(ColumnsFault::Coordinate { record: i, attribute: j, value });
                }
                let (lane, l) = layout.slot(j);
                points[i * lanes + lane][l] = x + 0.0;
            }
        }
        let colour_count = colours.iter().map(|&c| c as usize + 1).max().unwrap_or(0);
        let mut instance = Self {
            dims: columns.len(),
            points,
            lanes,
            layout,
            colours: colours.to_vec(),
            colour_count,
            reals: n,
            categories: Vec::new(),
            codes: Vec::new(),
            hierarchies: Vec::new(),
            ranks: Vec::new(),
            series: None,
            values: Vec::new(),
        };
        instance.ranks = instance.ranks_of_points();
        instance.describe_trees(attributes)?;
        Ok(instance)
    }

    /// Number of records n, counterfeits included.
    #[inline]
    #[must_use]
    pub fn records(&self) -> usize {
        self.colours.len()
    }

    /// The point of record `i`, padded with zeros to whole lanes.
    #[inline]
    #[must_use]
    pub fn point(&self, i: u32) -> &[Lane] {
        let at = i as usize * self.lanes;
        &self.points[at..at + self.lanes]
    }

    /// The part of a point whose squared distances are those of SSE.
    #[inline]
    #[must_use]
    pub fn measured(&self, i: u32) -> &[Lane] {
        let at = i as usize * self.lanes;
        &self.points[at..at + self.layout.measured]
    }

    /// Coordinate `j` of record `i`.
    #[inline]
    #[must_use]
    pub fn coordinate(&self, i: u32, j: usize) -> f64 {
        let (lane, l) = self.layout.slot(j);
        self.points[i as usize * self.lanes + lane][l]
    }

    /// Whether record `i` is real.
    #[inline]
    #[must_use]
    pub fn is_real(&self, i: u32) -> bool {
        (i as usize) < self.reals
    }

    /// Number of records of each colour.
    #[must_use]
    pub fn colour_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.colour_count];
        for &c in &self.colours {
            counts[c as usize] += 1;
        }
        counts
    }
}

/// Squared distance between two points.
#[inline]
#[must_use]
pub fn distance2(a: &[Lane], b: &[Lane]) -> f64 {
    let mut sum = [0.0; LANE];
    for (x, y) in a.iter().zip(b) {
        for l in 0..LANE {
            let d = x[l] - y[l];
            sum[l] += d * d;
        }
    }
    fold(sum)
}

/// Lanes of which the sum is taken before it is compared: categories are many coordinates, and most records differ in the first of them.
const STRIDE: usize = 4;

/// The same to the last bit, or nothing if it is more than `most`. Sums of squares grow with every lane, rounded or not, so what is
/// too far by its first lanes is too far by all.
#[inline]
#[must_use]
pub fn distance2_within(a: &[Lane], b: &[Lane], most: f64) -> Option<f64> {
    let mut sum = [0.0; LANE];
    for (x, y) in a.chunks(STRIDE).zip(b.chunks(STRIDE)) {
        for (x, y) in x.iter().zip(y) {
            for l in 0..LANE {
                let d = x[l] - y[l];
                sum[l] += d * d;
            }
        }
        if fold(sum) > most {
            return None;
        }
    }
    Some(fold(sum))
}

/// The sum of a lane, always added up in the same order.
#[inline]
#[must_use]
pub fn fold(x: Lane) -> f64 {
    (x[0] + x[2]) + (x[1] + x[3])
}

#[cfg(test)]
mod tests {
    use crate::{
        rule::Rule,
        settings::{Budget, Loss, Method},
    };

    use super::*;

    fn job(dims: usize, points: &[f64], colours: &[u32]) -> Job {
        Job {
            version: JOB_VERSION,
            dims,
            points: points.to_vec(),
            colours: colours.to_vec(),
            rule: Rule::at_least(2),
            loss: Loss::Sse,
            method: Method::default(),
            budget: Budget::default(),
            attributes: Vec::new(),
            ranks: None,
            further: Vec::new(),
            series: None,
            bound: crate::settings::BoundWork::Quick,
            duals: false,
            lattice: None,
            sets: Vec::new(),
            seed: 1,
        }
    }

    #[test]
    fn a_job_becomes_padded_lanes() {
        let instance =
            Instance::from_job(&job(5, &[1., 2., 3., 4., 5., 6., 7., 8., 9., 10.], &[0, 1, 1])).unwrap();
        assert_eq!((instance.lanes, instance.reals, instance.records(), instance.colour_count), (2, 2, 3, 2));
        assert_eq!(instance.point(1), &[[6., 7., 8., 9.], [10., 0., 0., 0.]]);
        assert_eq!(instance.point(2), &[[0.; 4]; 2]);
        assert!(instance.is_real(1) && !instance.is_real(2));
        assert_eq!(instance.colour_counts(), [1, 2]);
    }

    /// Described attributes are all of the columns, or none: a description would else be taken for that of another column.
    #[test]
    fn columns_and_their_descriptions_are_as_many() {
        let columns = [vec![0.0, 1.0], vec![3.0, 3.0]];
        let tree = Attribute { joins: Some(vec![1.0]), ..Attribute::default() };
        let of = |attributes: &[Attribute]| Instance::from_columns(&columns, attributes, &[0, 0]);
        for attributes in [vec![tree.clone()], vec![tree.clone(), Attribute::default(), Attribute::default()]]
        {
            let told = of(&attributes).err().unwrap();
            assert!(
                matches!(told, Error::Columns { fault: ColumnsFault::Lengths { attributes: 2, records: 2 } }),
                "{told:?}"
            );
        }
        assert!(of(&[]).unwrap().hierarchies.is_empty());
        let described = of(&[tree, Attribute::default()]).unwrap();
        assert_eq!((described.hierarchies.len(), described.coordinate(1, 1)), (1, 3.0));
    }

    #[test]
    fn a_bad_job_is_refused_with_the_place() {
        let message = |j: &Job| Instance::from_job(j).unwrap_err().to_string();
        assert!(message(&job(2, &[1., f64::NAN], &[0])).contains("record 0, attribute 1"));
        assert!(message(&job(2, &[1., 2., 3.], &[0, 0])).contains("3 coordinates"));
        assert!(message(&job(1, &[1., 2.], &[0])).contains("2 coordinates"));
        assert!(message(&job(1, &[1., 2.], &[0, 2])).contains("colour 2"));
        assert!(message(&job(1, &[1., 2., 3.], &[0, 2, 2])).contains("colour 1"));
        assert!(message(&job(1, &[1e200], &[0])).contains("record 0, attribute 0"));
        assert!(message(&job(0, &[], &[])).contains("no attribute"));
        let mut old = job(1, &[1.], &[0]);
        old.version = 0;
        assert!(message(&old).contains("version 0"));
    }
}
