//! From settings back to the fields: what a configuration file says is shown where it can be changed.

use std::{collections::BTreeMap, rc::Rc};

use lookalike_model::{
    cells::CodeLabels,
    info::TableInfo,
    rule::Share,
    settings::{Budget, Construction, Domain, Kind, MethodAsked, Model, RowsAre, Settings, Suppress},
};
use lookalike_wire::page::Configured;

use super::{conditions, scheme};
use crate::form::{
    BudgetChoice, ChangesForm, Choice, Decided, Form, LossChoice, ModelChoice, Role, RowsChoice, SampleForm,
    SchemeForm, SearchForm, ThresholdChoice, Unseen,
};

/// The fields that stand for what a configuration says of a table.
#[must_use]
pub fn fields(table: &TableInfo, configured: &Configured) -> (Vec<Choice>, Form) {
    let settings = &configured.settings;
    let choices = table.columns.iter().map(|column| choice(&column.name, settings, &configured.identifiers));
    (choices.collect(), form(settings))
}

fn choice(name: &String, settings: &Settings, identifiers: &[String]) -> Choice {
    let role = if settings.quasi.contains(name) {
        Role::Quasi
    } else if settings.sensitive.as_ref() == Some(name) || settings.conditions_of.contains_key(name) {
        Role::Sensitive
    } else if settings.keep.contains(name) {
        Role::Keep
    } else if settings.unchanged.contains(name) {
        Role::Unchanged
    } else if identifiers.contains(name) {
        Role::Identifier
    } else {
        Role::NotPublished
    };
    let order = settings.orders.get(name).cloned().unwrap_or_default();
    let coding = settings.coding.get(name).copied().unwrap_or_default();
    Choice {
        role,
        decided: Decided::User,
        kind: if order.is_empty() { settings.kinds.get(name).cloned() } else { Some(Kind::Ordinal) },
        order,
        missing: settings.missing.columns.get(name).copied(),
        publish: settings.publish_columns.get(name).copied(),
        bottom: typed(coding.bottom),
        top: typed(coding.top),
        weight: typed(settings.weights.get(name).copied()),
        domain: settings.domains.get(name).map(Domain::typed).unwrap_or_default(),
        width: settings.pad.get(name).map(ToString::to_string).unwrap_or_default(),
        labels: settings.labels.get(name).map(|l| CodeLabels::from(l).to_string()).unwrap_or_default(),
        hierarchy: settings.hierarchies.get(name).map(|rows| Rc::new(rows.clone())),
    }
}

/// How many records may be left out, as it is typed: a number, or a percentage.
fn limit(suppress: Option<Suppress>) -> String {
    let Some(Suppress { limit, share, .. }) = suppress else { return String::new() };
    match (limit, share) {
        (Some(limit), _) => limit.to_string(),
        (None, Some(share)) => format!("{} %", (1e10 * share).round() / 1e8),
        (None, None) => String::new(),
    }
}

fn typed(number: Option<f64>) -> String {
    number.map(|x| x.to_string()).unwrap_or_default()
}

fn form(settings: &Settings) -> Form {
    let (usual, changes) = (Form::default(), &settings.changes);
    let asked = MethodAsked::from(settings.method);
    // What no field shows belongs to the method or to its start.
    let of_start = asked.start.map(MethodAsked::from).unwrap_or_default();
    let (model, m, k) = match settings.model {
        Model::MInvariance { m } => (ModelChoice::MInvariance, m.to_string(), usual.k),
        Model::KAnonymity { k } => (ModelChoice::KAnonymity, usual.m, k.to_string()),
    };
    let (budget, effort, seconds) = match settings.budget {
        Budget::Effort(effort) => (BudgetChoice::Effort, effort.to_string(), usual.search.seconds),
        Budget::Seconds(seconds) => (BudgetChoice::Seconds, usual.search.effort, seconds.to_string()),
    };
    Form {
        model,
        m,
        k,
        conditions: conditions::typed(settings),
        eligibility: settings.eligibility,
        missing_sensitive: settings.missing.sensitive,
        missing_quasi: settings.missing.quasi,
        publish: settings.publish,
        output: settings.output,
        class_column: settings.class_column.name().unwrap_or_default().to_owned(),
        threshold: ThresholdChoice::of(settings.threshold()),
        own_threshold: typed(
            settings.risk_threshold.filter(|number| ThresholdChoice::of(*number) == ThresholdChoice::Own),
        ),
        search: SearchForm {
            budget,
            effort,
            seconds,
            loss: LossChoice::Of(settings.loss),
            method: settings.method.name(),
            start: asked.start.as_ref().map(Construction::name),
            blocks: asked.blocks.map(|n| n.to_string()).unwrap_or_default(),
            swap_first: asked.swap_first,
            stop_gap: typed(asked.stop_gap_percent),
            bound: settings.bound,
            price: typed(settings.suppress.and_then(|suppress| suppress.price)),
            limit: limit(settings.suppress),
            unseen: Unseen {
                order: asked.order.or(of_start.order),
                carry: asked.carry.or(of_start.carry),
                no_final_swap: asked.no_final_swap,
            },
        },
        sample: SampleForm {
            weight: settings.sample.weight.clone().unwrap_or_default(),
            household: settings.sample.household.clone().unwrap_or_default(),
        },
        scheme: SchemeForm { scheme: settings.scheme, sets: scheme::typed(&settings.sets) },
        changes: ChangesForm {
            points: changes.counterfeit_points,
            delete: changes.delete,
            fake: changes.fake,
            ties: changes.ties,
            prefer: changes.prefer.join("\n"),
            add: changes.costs.add.to_string(),
            add_growth: changes.costs.add_growth.to_string(),
            delete_cost: changes.costs.delete.to_string(),
            delete_growth: changes.costs.delete_growth.to_string(),
            add_of: pairs(&changes.costs.add_of),
            delete_of: pairs(&changes.costs.delete_of),
            min_real: changes.min_real.map(|n| n.to_string()).unwrap_or_default(),
            max_belief: typed(changes.max_belief.map(Share::get)),
        },
        markers: settings.missing.markers.join("\n"),
        rows_are: match settings.rows_are {
            None => RowsChoice::Unsaid,
            Some(RowsAre::People) => RowsChoice::People,
            Some(RowsAre::Of(_)) => RowsChoice::Keyed,
            Some(RowsAre::EventsOf(_)) => RowsChoice::OfPersons,
        },
        person: settings.rows_are.as_ref().and_then(RowsAre::key).cloned().unwrap_or_default(),
        seed: settings.seed.map(|seed| seed.to_string()).unwrap_or_default(),
    }
}

fn pairs(costs: &BTreeMap<String, u64>) -> String {
    costs.iter().map(|(value, cost)| format!("{value} = {cost}")).collect::<Vec<_>>().join("\n")
}
