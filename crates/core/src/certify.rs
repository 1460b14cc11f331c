//! From the duals of an answer to a certificate about the rows of the table, and what such a certificate speaks of.
//!
//! The certificate is for the audit, which computes the points anew from the cells. What the columns mean (kinds,
//! weights, coding, missing markers) comes from the settings and is handed to it. Duals that another machine has computed are
//! checked by the same code, over the points of the job ([`proven`]).

mod checked;

pub use self::checked::{CertificateLine, Checked, check, of};
use lookalike_audit::certificate::{
    Attribute, Certificate, Data, Limits, Loss as Certified, Meaning, Refusal, Rule, SubsetRow, Verified,
    Width, WidthKind, Widths, verify, verify_penalty,
};
use lookalike_model::{
    self as model,
    job::{Answer, Job, Status},
    proof::Duals,
    received::{AnswerFault, DualsFault, Proven},
    settings::{Loss, Model, Settings},
};
use lookalike_table::{ColumnSpec, Reading, Role, Table};
use lookalike_words::Figure;

use crate::{
    Error,
    pipeline::{
        Misfit,
        combinations::{self, Made, certifiable},
    },
    prepare::{Prepared, recoding::Recoding, recodings, schema},
};

/// Reduced costs of 0 are not computed as 0 exactly, and not the same way twice: this part of each dual is given away for it, and
/// for what is lost where large coordinates are near each other, this part of the mean dual for each class. The audit rounds outward by
/// less. Bounds beside a search have given away as much.
const ROUNDING: f64 = 1e-9;

/// The certificate of the best duals of an answer, whose records are the input rows in their order. Without duals it says
/// that no loss is below 0. Its bound may be lower than that of the answer, which may rest on more than duals.
///
/// # Errors
/// [`model::Error::Answer`] if the duals are not one a record or name a record that there is not; [`Error::Conflict`] if
/// there can be none.
pub fn certificate(prepared: &Prepared, answer: &Answer) -> Result<Certificate, Error> {
    certifiable(&prepared.settings, prepared.counterfeits.len())?;
    let records = prepared.rows.len();
    let rule = rule(prepared.settings.model);
    let mut order: Vec<u32> = (0..records as u32).collect();
    order.sort_by_key(|&i| prepared.rows[i as usize]);
    // Where every row is a record, a table with one row more or less is another table.
    let whole = prepared.fates.is_empty();
    let rows = if whole { Vec::new() } else { order.iter().map(|&i| prepared.rows[i as usize]).collect() };
    let of_loss = |certificate: Certificate| certificate.under(loss(prepared.settings.loss));
    let Some(duals) = &answer.duals else {
        return Ok(of_loss(Certificate::largest(rule, 0.0, rows, vec![0.0; records], Vec::new())));
    };
    let certificate = of_loss(of_duals(rule, duals, &order, rows)?);
    Ok(match optimum(&prepared.job, answer, duals, certificate.bound)? {
        Some(optimum) => certificate.optimal(optimum),
        None => certificate,
    })
}

/// Whether there can be a certificate of a run: what refuses one that is asked for does not hold of it.
#[must_use]
pub fn is_possible(prepared: &Prepared) -> bool {
    let asked = Settings { duals: true, ..prepared.settings.clone() };
    let mut columns = prepared.schema.columns.iter().zip(&prepared.recodings);
    prepared.series.is_none()
        && combinations::fit(&asked, Made::Once).is_ok()
        && certifiable(&asked, prepared.counterfeits.len()).is_ok()
        && !columns.any(|(spec, recoding)| is_by_hierarchy(spec, recoding, asked.loss))
}

/// Whether distances of a column are those of its hierarchy, which the audit does not compute. The penalty knows the hierarchy that is
/// published, and no distances.
fn is_by_hierarchy(spec: &ColumnSpec, recoding: &Recoding, loss: Loss) -> bool {
    let quasi = spec.role == Role::QuasiIdentifier && spec.reading == Reading::Labels;
    quasi && recoding.hierarchy.is_some() && loss == Loss::Sse
}

/// The file of a certificate.
///
/// # Errors
/// [`Refusal::Unreadable`] if a number is not finite.
pub fn written(certificate: &Certificate) -> Result<Vec<u8>, Refusal> {
    let mut bytes = certificate.to_json()?.into_bytes();
    bytes.push(b'\n');
    Ok(bytes)
}

/// Nodes for the proof of an optimum: some seconds.
const OPTIMUM_NODES: u64 = 3_000_000;

/// Part of the loss that is given away where it is claimed to be the optimum: the audit computes losses in another order.
const OPTIMUM_ROUNDING: f64 = 1e-8;

/// A partition refutes an optimum that is claimed if it loses less by this part: solvers of integer programmes are content with as
/// little.
const REFUTED: f64 = 1e-6;

/// The loss of an answer that is optimal, if the audit proves it from the duals and by its own search; `None` if it is not known to be optimal, the duals
/// prove as much, or the search does not end in [`OPTIMUM_NODES`].
fn optimum(job: &Job, answer: &Answer, duals: &Duals, bound: f64) -> Result<Option<f64>, model::Error> {
    let claim = answer.loss * (1.0 - OPTIMUM_ROUNDING);
    if answer.status != Status::Optimal || claim <= bound {
        return Ok(None);
    }
    let verdict = judged(job, duals, OPTIMUM_NODES.into(), |certificate| certificate.optimal(claim))?;
    Ok(verdict.and_then(Result::ok).map(|_| claim))
}

/// The largest bound that duals can prove, about records in this order.
fn of_duals(rule: Rule, duals: &Duals, order: &[u32], rows: Vec<u32>) -> Result<Certificate, model::Error> {
    let records = order.len();
    let wrong = |fault: DualsFault| Err(model::Error::from(AnswerFault::Duals(fault)));
    let finite = |x: &f64| x.is_finite();
    if duals.values.len() != records {
        return wrong(DualsFault::Number);
    }
    if !duals.values.iter().chain([&duals.tolerance]).all(finite) || duals.tolerance < 0.0 {
        return wrong(DualsFault::NotFinite);
    }
    let mut place = vec![0; records];
    for (at, &i) in (0..).zip(order) {
        place[i as usize] = at;
    }
    let mut cuts = Vec::with_capacity(duals.cuts.len());
    for cut in &duals.cuts {
        if cut.records.iter().any(|&i| i as usize >= records)
            || !cut.sigma.is_finite()
            || cut.sigma < 0.0
            || cut.divisor < 2
        {
            return wrong(DualsFault::Cut);
        }
        let mut records: Vec<u32> = cut.records.iter().map(|&i| place[i as usize]).collect();
        records.sort_unstable();
        records.dedup();
        cuts.push(SubsetRow { records, divisor: cut.divisor, sigma: cut.sigma });
    }
    let mean = duals.values.iter().map(|x| x.abs() / records as f64).sum::<f64>();
    let lowered = |&i: &u32| {
        let dual = duals.values[i as usize];
        dual - ROUNDING * dual.abs()
    };
    let values = order.iter().map(lowered).collect();
    Ok(Certificate::largest(rule, duals.tolerance + ROUNDING * mean, rows, values, cuts))
}

/// Coordinates of a job that are checked at the most, those of all records.
const MOST: usize = 100_000_000;

/// The bound that duals prove of a job, found by the exhaustive search of the audit within `limits`. `None` if it is
/// not found out: the search takes more nodes or is stopped, there are counterfeits among the records, or a coordinate is beyond what the audit
/// computes with. `claimed` is the loss of an answer that is claimed to be optimal: where the duals prove less, a search of all
/// partitions that they leave possible is to show it, in some seconds; where that does not end, the bound is that of the duals.
///
/// # Errors
/// [`model::Error::Answer`] if a class is cheaper than the duals allow, if they are not one a record, or if a partition is found
/// that loses less than the one that is claimed to be optimal.
pub fn proven<'a>(
    job: &Job,
    duals: &Duals,
    claimed: Option<f64>,
    limits: impl Into<Limits<'a>>,
) -> Result<Option<Proven>, model::Error> {
    let limits = limits.into();
    let bound = match judged(job, duals, limits, |certificate| certificate)? {
        Some(Ok(verified)) => verified.bound,
        Some(Err(Refusal::Negative { .. } | Refusal::Claim { .. } | Refusal::Better { .. })) => {
            return Err(AnswerFault::from(DualsFault::False).into());
        }
        Some(Err(Refusal::Budget(_) | Refusal::Stopped | Refusal::Mismatch(_) | Refusal::Unreadable(_)))
        | None => {
            return Ok(None);
        }
    };
    let by_duals = Proven { bound, optimal: false, searched: false };
    let Some(loss) = claimed else { return Ok(Some(by_duals)) };
    let claim = loss * (1.0 - OPTIMUM_ROUNDING);
    if claim <= bound {
        return Ok(Some(Proven { optimal: true, ..by_duals }));
    }
    let few = Limits { nodes: limits.nodes.min(OPTIMUM_NODES), ..limits };
    match judged(job, duals, few, |certificate| certificate.optimal(claim))? {
        Some(Ok(verified)) => Ok(Some(Proven { bound: verified.bound, optimal: true, searched: true })),
        // Under conditions on values the better partition may break them.
        Some(Err(Refusal::Better { loss: better, .. }))
            if better < loss * (1.0 - REFUTED) && !job.rule.has_values() =>
        {
            let [loss, better] = [loss, better].map(Figure::shortest);
            Err(AnswerFault::NotOptimal { loss, better }.into())
        }
        _ => Ok(Some(by_duals)),
    }
}

/// What the audit says of the duals of a job, and of what is claimed beside them; `None` if it cannot be asked.
fn judged(
    job: &Job,
    duals: &Duals,
    limits: Limits<'_>,
    claiming: impl FnOnce(Certificate) -> Certificate,
) -> Result<Option<Result<Verified, Refusal>>, model::Error> {
    let records = job.colours.len();
    let of_leaves = job.attributes.iter().flat_map(|attribute| &attribute.joins).map(|joins| 2 * joins.len());
    let held = records.saturating_mul(job.dims + of_leaves.sum::<usize>());
    if job.series.is_some() || held > MOST || job.points.len() != records * job.dims {
        return Ok(None);
    }
    // Duals prove what they prove of the rule without conditions on how values are distributed, and so of the rule.
    let relaxed = job.rule.relaxed();
    let least = relaxed.min_size;
    let rule = if relaxed.distinct() { Rule::Distinct { m: least } } else { Rule::MinSize { k: least } };
    let order: Vec<u32> = (0..records as u32).collect();
    let certificate = claiming(of_duals(rule, duals, &order, Vec::new())?.under(loss(job.loss)));
    Ok(Some(match job.loss {
        Loss::Sse => {
            let points = coordinates(job);
            let weights = vec![1.0; points.len() / records.max(1)];
            let data = Data { points: &points, weights: &weights, colours: Some(&job.colours) };
            verify(data, rule, &certificate, limits)
        }
        Loss::Ncp | Loss::NcpBinary => verify_penalty(&widths(job), rule, &certificate, limits),
    }))
}

/// The points of a job as coordinates alone: leaves of a tree by a coordinate for each edge of it, so long that two leaves are as far
/// apart as the job says. Leaves that are neighbours are joined first where they are nearest.
fn coordinates(job: &Job) -> Vec<f64> {
    let axes: Vec<Vec<Vec<(usize, f64)>>> = (0..job.dims)
        .map(|axis| match job.attributes.get(axis).and_then(|attribute| attribute.joins.as_deref()) {
            Some(joins) => edges(joins),
            None => Vec::new(),
        })
        .collect();
    let width = |axis: &Vec<Vec<(usize, f64)>>| {
        let edges = axis.iter().flatten().map(|(edge, _)| edge + 1).max().unwrap_or(0);
        // Leaves that are all at one place have no edge, and still a coordinate.
        if axis.is_empty() { 1 } else { edges.max(1) }
    };
    let widths: Vec<usize> = axes.iter().map(width).collect();
    let mut points = Vec::with_capacity(job.points.len() / job.dims.max(1) * widths.iter().sum::<usize>());
    for row in job.points.chunks_exact(job.dims.max(1)) {
        for ((&x, of_leaves), &width) in row.iter().zip(&axes).zip(&widths) {
            if of_leaves.is_empty() {
                points.push(x);
                continue;
            }
            let from = points.len();
            points.resize(from + width, 0.0);
            for &(edge, length) in of_leaves.get(x as usize).into_iter().flatten() {
                points[from + edge] = length;
            }
        }
    }
    points
}

/// The edges above each leaf, with their lengths.
fn edges(joins: &[f64]) -> Vec<Vec<(usize, f64)>> {
    let mut above = vec![Vec::new(); joins.len() + 1];
    // By its first leaf each subtree's end and height; by its last leaf its first.
    let mut subtrees: Vec<(usize, f64)> = (0..above.len()).map(|leaf| (leaf, 0.0)).collect();
    let mut first: Vec<usize> = (0..above.len()).collect();
    let mut order: Vec<usize> = (0..joins.len()).collect();
    order.sort_by(|&a, &b| joins[a].total_cmp(&joins[b]).then(a.cmp(&b)));
    let mut count = 0;
    for at in order {
        let (low, high) = (first[at], at + 1);
        for of in [low, high] {
            let (last, height) = subtrees[of];
            // Half the rise, squared: two leaves differ in the edges of both sides.
            let length = ((joins[at] - height) / 2.0).sqrt();
            if length > 0.0 {
                above[of..=last]
                    .iter_mut()
                    .for_each(|edges: &mut Vec<(usize, f64)>| edges.push((count, length)));
                count += 1;
            }
        }
        let last = subtrees[high].0;
        subtrees[low] = (last, joins[at]);
        first[last] = low;
    }
    above
}

/// What the penalty of a job is computed from.
fn widths(job: &Job) -> Widths {
    let attribute = |(axis, attribute): (usize, &lookalike_model::job::Attribute)| Width {
        weight: attribute.weight,
        kind: match (&attribute.joins, attribute.levels) {
            (Some(joins), _) => WidthKind::Leaves(joins.clone()),
            (None, Some(levels)) => WidthKind::Labels(levels),
            (None, None) => WidthKind::Number,
        },
        values: job.points.iter().skip(axis).step_by(job.dims).copied().collect(),
    };
    Widths {
        attributes: job.attributes.iter().enumerate().map(attribute).collect(),
        colours: Some(job.colours.clone()),
    }
}

/// The loss of a certificate.
#[must_use]
pub fn loss(loss: Loss) -> Certified {
    match loss {
        Loss::Sse => Certified::Sse,
        Loss::Ncp => Certified::Ncp,
        Loss::NcpBinary => Certified::NcpBinary,
    }
}

/// The rule that a model asks for.
#[must_use]
pub fn rule(model: Model) -> Rule {
    match model {
        Model::KAnonymity { k } => Rule::MinSize { k },
        Model::MInvariance { m } => Rule::Distinct { m },
    }
}

/// What the columns of a table mean to a certificate, by the settings.
///
/// # Errors
/// [`Error::Misfit`] for settings that do not fit the table, and for a column whose distance is that of a hierarchy: the audit does
/// not compute such distances.
pub fn meaning(table: &Table, settings: &Settings) -> Result<Meaning, Error> {
    let schema = schema(table, settings)?;
    let recodings = recodings(table, &schema, settings)?;
    let mut meaning = Meaning { attributes: Vec::new(), colours: None, markers: schema.markers.clone() };
    for (spec, recoding) in schema.columns.iter().zip(&recodings) {
        match spec.role {
            Role::QuasiIdentifier if is_by_hierarchy(spec, recoding, settings.loss) => {
                return Err(Misfit::CertificateOfHierarchy { name: spec.name.as_str().into() }.into());
            }
            Role::QuasiIdentifier => meaning.attributes.push(Attribute {
                column: spec.index,
                reading: spec.reading.clone(),
                weight: spec.weight,
                bottom: recoding.coding.bottom,
                top: recoding.coding.top,
                domain: recoding.domain.as_ref().map(|domain| domain.told(recoding)),
                hierarchy: recoding.published_by().cloned().filter(|_| settings.loss == Loss::Ncp),
            }),
            Role::Sensitive if matches!(settings.model, Model::MInvariance { .. }) => {
                meaning.colours = Some(spec.index);
            }
            _ => {}
        }
    }
    Ok(meaning)
}

#[cfg(test)]
mod tests {
    use lookalike_model::{job::Attribute, rule::Rule};
    use proptest::prelude::*;

    use super::*;

    /// A hierarchy of three leaves, joined at these squared distances.
    fn leaves(joins: [f64; 2]) -> Attribute {
        Attribute { weight: 1.0, joins: Some(joins.to_vec()), ..Attribute::default() }
    }

    /// Leaves at one place have no edge. They still have a coordinate, without which there would be no points to prove anything of.
    #[test]
    fn leaves_that_are_all_at_one_place_are_points() {
        let at_one_place = Job {
            attributes: vec![leaves([0.0, 0.0])],
            ..Job::of(1, vec![0.0, 1.0, 2.0, 0.0], Rule::at_least(2))
        };
        assert_eq!(coordinates(&at_one_place), [0.0; 4]);
        let duals = |value: f64| Duals { values: vec![value; 4], tolerance: 0.0, cuts: Vec::new() };
        let found = proven(&at_one_place, &duals(0.0), None, 10_000).unwrap();
        assert!(found.is_some_and(|found| found.bound.abs() < 1e-9), "{found:?}");
        assert!(proven(&at_one_place, &duals(1.0), None, 10_000).is_err(), "no class costs anything");

        // Beside a number they shift nothing.
        let beside = Job {
            attributes: vec![leaves([0.0, 0.0]), Attribute { weight: 1.0, ..Attribute::default() }],
            ..Job::of(2, vec![2.0, 5.0, 0.0, 7.0], Rule::at_least(2))
        };
        assert_eq!(coordinates(&beside), [0.0, 5.0, 0.0, 7.0]);
        assert_eq!(
            proven(&beside, &Duals { values: vec![1.0; 2], tolerance: 0.0, cuts: Vec::new() }, None, 10_000)
                .unwrap()
                .map(|found| found.bound.round()),
            Some(2.0)
        );
    }

    proptest! {
        #[test]
        fn leaves_are_as_far_apart_by_their_edges(joins in prop::collection::vec(0u8..6, 0..20)) {
            let joins: Vec<f64> = joins.into_iter().map(f64::from).collect();
            let above = edges(&joins);
            prop_assert_eq!(above.len(), joins.len() + 1);
            for a in 0..above.len() {
                for b in a..above.len() {
                    let only = |x: usize, y: usize| {
                        above[x].iter().filter(|edge| !above[y].contains(edge)).map(|(_, length)| length * length).sum::<f64>()
                    };
                    let between = joins[a..b].iter().copied().fold(0.0, f64::max);
                    prop_assert!((only(a, b) + only(b, a) - between).abs() < 1e-9);
                }
            }
        }
    }
}
