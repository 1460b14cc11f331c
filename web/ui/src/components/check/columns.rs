//! The columns of a published table on the left: a row each, with its values as a small picture and what it is to an attacker.

use lookalike_model::info::{ColumnInfo, TableInfo};
use yew::{Callback, Html, KeyboardEvent, html};

use super::edit;
use crate::{
    components::{PageProps, column, field::Select, fields::Entries},
    form::{CheckForm, CheckRole},
    texts::{k, text},
};

/// In the order of their keys.
const ROLES: Entries<CheckRole> = &[
    ("quasi", k::CHECK_KNOWN, CheckRole::Quasi),
    ("sensitive", k::CHECK_SECRET, CheckRole::Sensitive),
    ("codes", k::CHECK_CODES, CheckRole::QuasiCodes),
    ("other", k::CHECK_ASIDE, CheckRole::Other),
];

/// The pane.
pub(super) fn columns(props: &PageProps, table: &TableInfo, form: &CheckForm) -> Html {
    let roles = table.columns.iter().zip(&form.roles).enumerate();
    html! {
        <section class="pane columns-pane" aria-labelledby="check-columns">
            <h2 id="check-columns" tabindex="-1">{ n!(N_COLUMN, table.columns.len()) }</h2>
            <table class="columns">
                <caption class="unseen">{ t!(CHECK_COLUMNS_HERE) }</caption>
                <thead class="unseen">
                    <tr>
                        <th scope="col">{ t!(DESCRIBE_COLUMN) }</th>
                        <th scope="col">{ t!(HISTOGRAM_VALUES) }</th>
                        <th scope="col">{ t!(DESCRIBE_ROLE) }</th>
                    </tr>
                </thead>
                <tbody>{ for roles.map(|(place, (info, role))| row(props, place, info, *role)) }</tbody>
            </table>
            <details class="more">
                <summary>{ t!(DESCRIBE_WHAT_ROLES_MEAN) }</summary>
                <dl class="terms">
                    { for [k::CHECK_OTHERS_MAY_KNOW, k::CHECK_SENSITIVE, k::CHECK_SAME_ITS_DIGITS_CODES, k::CHECK_NOTHING_ASKED]
                        .into_iter().zip(ROLES).enumerate().map(|(at, (meaning, (_, label, role)))| html! {
                        <div><dt><kbd>{ at + 1 }</kbd>{ " " }{ glyph(*role) }{ " " }{ text(*label) }</dt><dd>{ text(meaning) }</dd></div>
                    }) }
                </dl>
                <p class="hint">{ t!(DESCRIBE_KEYS) }</p>
            </details>
        </section>
    }
}

/// The sign of a role: what tells it apart where colour does not.
const fn glyph(role: CheckRole) -> &'static str {
    match role {
        CheckRole::Quasi | CheckRole::QuasiCodes => "●",
        CheckRole::Sensitive => "◆",
        CheckRole::Other => "–",
    }
}

fn row(props: &PageProps, place: usize, info: &ColumnInfo, role: CheckRole) -> Html {
    let set = edit(props, move |form: &mut CheckForm, role: CheckRole| {
        if let Some(known) = form.roles.get_mut(place) {
            *known = role;
        }
    });
    let busy = props.state.check.busy;
    let onkeydown = {
        let set = set.clone();
        Callback::from(move |event: KeyboardEvent| {
            let plain = !busy && !event.ctrl_key() && !event.alt_key() && !event.meta_key();
            if let Some(role) = by_key(&event.key()).filter(|_| plain) {
                event.prevent_default();
                set.emit(role);
            }
        })
    };
    let onchange = Callback::from(move |value: String| {
        if let Some((_, _, role)) = ROLES.iter().find(|(name, _, _)| *name == value) {
            set.emit(*role);
        }
    });
    let value = ROLES.iter().find(|(_, _, other)| *other == role).map_or("other", |(value, _, _)| *value);
    let options = ROLES.iter().map(|(value, label, _)| (*value, text(*label))).collect::<Vec<_>>();
    let class = match role {
        CheckRole::Quasi | CheckRole::QuasiCodes => "chip quasi decided",
        CheckRole::Sensitive => "chip sensitive decided",
        CheckRole::Other => "chip drop open",
    };
    html! {
        <tr key={place} data-check-column={info.name.clone()} {onkeydown}>
            <th scope="row"><div class="named"><span class="name" title={info.name.clone()}>{ &info.name }</span></div></th>
            <td>{ column::picture(info) }</td>
            <td>
                <span {class}>
                    <span aria-hidden="true">{ glyph(role) }</span>
                    <Select name={t!(CHECK_WHAT, name = info.name)} {options} {value} disabled={busy} {onchange} />
                </span>
            </td>
        </tr>
    }
}

/// The role that a key stands for.
fn by_key(key: &str) -> Option<CheckRole> {
    Some(ROLES.get(key.parse::<usize>().ok()?.checked_sub(1)?)?.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_the_keys_of_roles() {
        assert_eq!(
            ["1", "2", "4"].map(by_key),
            [CheckRole::Quasi, CheckRole::Sensitive, CheckRole::Other].map(Some)
        );
        assert!(["0", "5", "q", "", "-1"].into_iter().all(|key| by_key(key).is_none()));
    }
}
