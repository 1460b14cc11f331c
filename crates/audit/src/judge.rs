//! One published table, judged.

use lookalike_table::{
    ReadOptions, read,
    text::{list, quoted, thousands},
};

use crate::{
    Check, Error, Guarantee, Question, Risk, Verdict, classes, groups::Groups, name, order,
    published::Published, sizes::enough_rows, values,
};

/// Judges the bytes of a published table.
///
/// # Order of the rows
/// Rows must be sorted, each at least as large as the one before. Two rows are compared column by column: the
/// quasi-identifiers in the order of [`Question::quasi`], the class column if there is one, all other columns in the
/// order of the table. The first column in which their cells differ decides:
/// * both cells are numbers ([`lookalike_table::parse_number`]): by value, equal values ("2", "2.0") by their bytes;
/// * only one is a number: the number comes first;
/// * neither is: by their bytes.
///
/// # Labels
/// Class labels must be 1, 2, 3, ... (or 0, 1, 2, ...) in the order of their first appearance.
///
/// # Errors
/// If the question makes no sense (k or m below 2, no quasi-identifier, no sensitive column for m-uniqueness, a
/// column named twice), the bytes are no table, or a quasi-identifier or the sensitive column is missing. A missing
/// class column is no error: see [`Question::class`].
pub fn judge(published: &[u8], question: &Question) -> Result<Verdict, Error> {
    question.validate()?;
    let table = read(published, &ReadOptions::default())?;
    let published = Published::new(&table, question)?;
    let groups = Groups::by(published.rows, published.quasi.clone());
    let classes = published.class.map(|class| (class, Groups::by(published.rows, vec![class])));
    let unique = match (question.guarantee, published.sensitive) {
        (Guarantee::MUnique { m }, Some(sensitive)) => Some((m, sensitive)),
        _ => None,
    };
    let least = question.guarantee.least();

    let mut checks = Vec::new();
    if let Some((_, classes)) = &classes {
        checks.push(enough_rows(name::CLASS_SIZE, classes, least, "class", "classes"));
        checks.push(classes::published_alike(classes, &groups));
        checks.extend(unique.map(|(_, sensitive)| values::all_differ(classes, sensitive)));
    } else {
        checks.push(classes::no_class(question.class.as_deref()));
    }
    checks.push(enough_rows(name::GROUP_SIZE, &groups, least, "group", "groups"));
    checks.extend(unique.map(|(m, sensitive)| values::none_frequent(&groups, sensitive, m)));
    checks.push(order::sorted(&published));
    checks.extend(published.class.map(classes::labels_count_up));
    if let Some((_, sensitive)) = unique {
        let markers = &question.markers;
        checks.push(match &classes {
            Some((_, classes)) => values::known_values(classes, sensitive, markers, "class"),
            None => values::known_values(&groups, sensitive, markers, "group"),
        });
        checks.push(values::rare_values(sensitive));
        checks.extend(values::near_values(sensitive, markers));
    }
    if !published.unnamed.is_empty() {
        checks.push(unjudged(&published));
    }
    let passed = checks.iter().all(|check| check.passed);
    Ok(Verdict { passed, checks, risk: risk(&published, &groups, &question.markers) })
}

/// Says which columns nobody asked about.
pub(crate) fn unjudged(published: &Published) -> Check {
    let columns: Vec<String> = published
        .unnamed
        .iter()
        .map(|c| format!("{} ({} different values)", quoted(&c.name), thousands(c.values.len())))
        .collect();
    unjudged_columns(&columns)
}

pub(crate) fn unjudged_columns(columns: &[String]) -> Check {
    Check::note(name::UNJUDGED, format!("taken as unknown to an attacker: {}", list(columns)), None)
}

fn risk(published: &Published, groups: &Groups, markers: &[String]) -> Risk {
    let smallest_group = groups.sizes.iter().min().copied().unwrap_or(0);
    Risk {
        smallest_group,
        highest_reidentification: 1.0 / smallest_group as f64,
        mean_reidentification: groups.sizes.len() as f64 / published.rows as f64,
        highest_attribute_disclosure: published.sensitive.and_then(|s| values::highest_share(groups, s)),
        single_valued: published.sensitive.map(|s| values::single_valued(groups, s, markers)),
    }
}
