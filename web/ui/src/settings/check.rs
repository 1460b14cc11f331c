//! From the fields of the check to its question.

use lookalike_model::{
    info::TableInfo,
    settings::{QuasiSet, Repair, Sample, Scheme},
};
use lookalike_wire::check::{AttackSettings, CheckSettings, Closeness, ColumnConditions, Diversity, Variant};

use super::{Wrong, conditions, number::decimal, scheme, search::MAX_SEED};
use crate::form::{
    AttackForm, CheckForm, CheckRole, ConditionField, Form, ModelChoice, SampleForm, SchemeForm,
    VariantChoice,
};

/// What is asked, or everything that is wrong with the fields. Attacks are asked for where the `original` is open.
///
/// # Errors
/// All that is wrong.
pub fn check(table: &TableInfo, form: &CheckForm, original: bool) -> Result<CheckSettings, Vec<String>> {
    let mut wrong = Vec::new();
    let with = |roles: &[CheckRole]| -> Vec<String> {
        let named = table.columns.iter().zip(&form.roles).filter(|(_, role)| roles.contains(role));
        named.map(|(column, _)| column.name.clone()).collect()
    };
    let quasi = with(&[CheckRole::Quasi, CheckRole::QuasiCodes]);
    let sensitive = with(&[CheckRole::Sensitive]);
    let mut whole = |text: &str, name: &str, least: usize| {
        let text = text.trim();
        let number = text.parse::<u32>().ok().map(|n| n as usize).filter(|n| *n >= least);
        if number.is_none() && !text.is_empty() {
            wrong.push(t!(WRONG_MUST_BE_WHOLE_NUMBER_3, name = name, least = least));
        }
        number
    };
    let (k, m, l) = (whole(&form.k, "k", 2), whole(&form.m, "m", 2), whole(&form.l, "l", 2));
    let population = whole(&form.population, t!(WRONG_POPULATION), 1);
    let tried = form.attacks.tried && original;
    let number = if tried { whole(&form.attacks.number, t!(CHECK_ATTACKS_NUMBER), 1) } else { None };
    let repaired = form.repair != Repair::Error;
    let mut counted = |text: &str, name: &str| {
        if repaired { whole(text, name, 0).map(|n| n as u64) } else { None }
    };
    let counterfeits = counted(&form.counterfeits, t!(WRONG_NUMBER_COUNTERFEITS));
    let deletions = counted(&form.deletions, t!(WRONG_NUMBER_DELETIONS));
    let variant = match form.variant {
        VariantChoice::Distinct => Variant::Distinct,
        VariantChoice::Entropy => Variant::Entropy,
        VariantChoice::Recursive => {
            let c = decimal(&form.c).filter(|c| *c > 0.0);
            if c.is_none() && l.is_some() {
                wrong.push(String::from(t!(WRONG_C_MUST_BE_NUMBER)));
            }
            Variant::Recursive(c.unwrap_or_default())
        }
    };
    let t = decimal(&form.t).filter(|t| *t <= 1.0);
    if t.is_none() && !form.t.trim().is_empty() {
        wrong.push(String::from(t!(WRONG_T_MUST_BE_NUMBER)));
    }
    if quasi.is_empty() {
        wrong.push(String::from(t!(WRONG_CHOOSE_AT_LEAST_ONE)));
    }
    let of_one = m.is_some() || l.is_some() || t.is_some();
    if sensitive.len() > 1 && (of_one || form.conditions.is_empty()) {
        wrong.push(String::from(t!(WRONG_ONLY_ONE_COLUMN_CAN)));
    }
    let (conditions, sets) = (conditions_of(form, &sensitive, &mut wrong), sets(form, &quasi, &mut wrong));
    if k.is_none() && !of_one && form.conditions.is_empty() && form.sets.trim().is_empty() {
        wrong.push(String::from(t!(WRONG_GIVE_AT_LEAST_ONE)));
    }
    if sensitive.is_empty() && of_one {
        wrong.push(String::from(t!(WRONG_M_L_T_ABOUT)));
    }
    if k.is_none() && !form.notions.is_empty() {
        wrong.push(String::from(t!(WRONG_WHAT_HOLDS_AGAINST_ORIGINAL)));
    }
    if repaired && m.is_none() {
        wrong.push(String::from(t!(WRONG_WHAT_REPAIR_DISCLOSES_DEPENDS)));
    }
    let attacks = tried.then(|| asked_of(&form.attacks, number, &mut wrong));
    if !wrong.is_empty() {
        return Err(wrong);
    }
    Ok(CheckSettings {
        quasi,
        sensitive: sensitive.into_iter().next(),
        categories: with(&[CheckRole::QuasiCodes]),
        k,
        diversity: l.map(|l| Diversity { l, variant }),
        closeness: t.map(|t| Closeness { t, ordered: form.ordered, order: order(form) }),
        m,
        conditions,
        sets,
        sample: sample(&form.sample),
        notions: form.notions.clone(),
        missing_as_value: form.missing_as_value,
        population,
        repair: form.repair,
        fakes: form.fakes,
        counterfeits,
        deletions,
        person: None,
        attacks,
    })
}

/// The sensitive values from least to greatest, as they are typed.
fn order(form: &CheckForm) -> Vec<String> {
    form.order.split('\n').map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned).collect()
}

/// What is asked of the values of secret columns. Their order is that of the one column, if there are not several.
fn conditions_of(form: &CheckForm, sensitive: &[String], wrong: &mut Vec<String>) -> Vec<ColumnConditions> {
    if form.conditions.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = sensitive.iter().map(String::as_str).collect();
    let fields =
        Form { model: ModelChoice::KAnonymity, conditions: form.conditions.clone(), ..Form::default() };
    let mut faults = Wrong::default();
    let asked = conditions::conditions(&fields, &names, &mut faults);
    wrong.extend(faults.0.into_iter().map(|fault| fault.message));
    let ordered = [ConditionField::Ordered, ConditionField::Spread].map(|field| form.conditions.asks(field));
    let order = if sensitive.len() == 1 && ordered.contains(&true) { order(form) } else { Vec::new() };
    let of = |(column, conditions)| ColumnConditions { column, conditions, order: order.clone() };
    asked.into_iter().filter(|(_, conditions)| !conditions.is_empty()).map(of).collect()
}

/// Sets of quasi-identifiers; in a table that is published already they may share columns.
fn sets(form: &CheckForm, quasi: &[String], wrong: &mut Vec<String>) -> Vec<QuasiSet> {
    let names: Vec<&str> = quasi.iter().map(String::as_str).collect();
    let fields = SchemeForm { scheme: Scheme::FullDomain, sets: form.sets.clone() };
    let mut faults = Wrong::default();
    let sets = scheme::sets(&fields, ModelChoice::KAnonymity, &names, &mut faults);
    wrong.extend(faults.0.into_iter().map(|fault| fault.message));
    sets
}

/// The columns that say what a row stands for.
fn sample(form: &SampleForm) -> Sample {
    let named = |name: &String| (!name.is_empty()).then(|| name.clone());
    Sample { weight: named(&form.weight), household: named(&form.household) }
}

/// What is asked of attacks; a field that is empty says the usual.
fn asked_of(form: &AttackForm, number: Option<usize>, wrong: &mut Vec<String>) -> AttackSettings {
    let usual = AttackSettings::default();
    let seed = match form.seed.trim() {
        "" => usual.seed,
        text => text.parse().ok().filter(|seed| *seed <= MAX_SEED).unwrap_or_else(|| {
            wrong.push(String::from(t!(WRONG_ATTACKS_SEED)));
            usual.seed
        }),
    };
    AttackSettings {
        secret: Some(form.secret.clone()).filter(|secret| !secret.is_empty()),
        number: number.unwrap_or(usual.number),
        seed,
    }
}

#[cfg(test)]
mod tests {
    use lookalike_wire::check::Notion;

    use super::*;
    use crate::{form::ConditionsForm, state::tests::table};

    fn form() -> CheckForm {
        CheckForm { roles: vec![CheckRole::Quasi, CheckRole::Sensitive], ..CheckForm::of(2) }
    }

    #[test]
    fn only_what_is_filled_in_is_asked() {
        let asked = check(&table(), &form(), false).unwrap();
        assert_eq!(
            (asked.quasi, asked.sensitive),
            (vec![String::from("age")], Some(String::from("disease")))
        );
        assert_eq!((asked.k, asked.m, asked.diversity, asked.closeness), (Some(5), None, None, None));
        let all = CheckForm {
            roles: vec![CheckRole::QuasiCodes, CheckRole::Sensitive],
            m: String::from("3"),
            l: String::from("2"),
            variant: VariantChoice::Recursive,
            t: String::from("0.25"),
            ordered: true,
            order: String::from("low\n\n high"),
            repair: Repair::Add,
            counterfeits: String::from("4"),
            ..form()
        };
        let asked = check(&table(), &all, false).unwrap();
        assert_eq!(asked.categories, ["age"]);
        assert_eq!(asked.diversity, Some(Diversity { l: 2, variant: Variant::Recursive(2.0) }));
        let order = vec![String::from("low"), String::from("high")];
        assert_eq!(asked.closeness, Some(Closeness { t: 0.25, ordered: true, order }));
        assert_eq!((asked.repair, asked.counterfeits, asked.deletions), (Repair::Add, Some(4), None));
    }

    #[test]
    fn conditions_sets_and_samples_are_asked() {
        let mut conditions = ConditionsForm::default();
        conditions.set(None, ConditionField::Alpha, String::from("0.4"));
        conditions.set(Some("disease"), ConditionField::Spread, String::from("0.1"));
        let form = CheckForm {
            k: String::new(),
            conditions,
            order: String::from("low\nhigh"),
            sets: String::from("9 = age"),
            sample: SampleForm { weight: String::from("age"), household: String::new() },
            ..form()
        };
        let asked = check(&table(), &form, false).unwrap();
        assert_eq!(asked.sets, [QuasiSet { columns: vec![String::from("age")], k: 9 }]);
        assert_eq!((asked.sample.weight.as_deref(), asked.sample.household), (Some("age"), None));
        let of: Vec<_> =
            asked.conditions.iter().map(|of| (of.column.as_str(), of.conditions.len())).collect();
        assert_eq!(of, [("disease", 2)]);
        assert_eq!(asked.conditions[0].order, ["low", "high"]);
        let wrong = CheckForm { sets: String::from("9 = disease"), ..form };
        assert_eq!(check(&table(), &wrong, false).unwrap_err().len(), 1);
    }

    #[test]
    fn attacks_are_asked_for_where_they_are_ticked_and_the_original_is_open() {
        let asked = |attacks: AttackForm, original| {
            check(&table(), &CheckForm { attacks, ..form() }, original).unwrap().attacks
        };
        let ticked = || AttackForm { tried: true, ..AttackForm::default() };
        assert_eq!(asked(AttackForm::default(), true), None);
        assert_eq!(asked(ticked(), false), None);
        assert_eq!(asked(ticked(), true), Some(AttackSettings::default()));
        let other = AttackForm {
            secret: String::from("age"),
            number: String::from("60"),
            seed: String::from("9007199254740991"),
            ..ticked()
        };
        let other = asked(other, true).unwrap();
        assert_eq!(
            (other.secret.as_deref(), other.number, other.seed),
            (Some("age"), 60, 9_007_199_254_740_991)
        );
        let empty = AttackForm { number: String::new(), seed: String::new(), ..ticked() };
        assert_eq!(asked(empty, true), Some(AttackSettings::default()));
    }

    #[test]
    fn each_fault_is_told() {
        let faults = |set: fn(&mut CheckForm), said: &str| {
            let mut form = form();
            set(&mut form);
            let wrong = check(&table(), &form, true).unwrap_err();
            assert!(wrong.len() == 1 && wrong[0].contains(said), "{wrong:?}");
        };
        faults(|f| f.roles[0] = CheckRole::Other, "at least one column");
        faults(|f| (f.roles[1], f.m) = (CheckRole::Quasi, String::from("2")), "choose it");
        faults(|f| f.k = String::new(), "at least one of k");
        faults(|f| f.population = String::from("x"), "The population");
        faults(|f| f.t = String::from("2"), "t must");
        faults(
            |f| (f.l, f.variant, f.c) = (String::from("2"), VariantChoice::Recursive, String::new()),
            "c must",
        );
        faults(|f| f.repair = Repair::Add, "depends on m");
        let tried = |number: &str, seed: &str| AttackForm {
            tried: true,
            number: number.to_owned(),
            seed: seed.to_owned(),
            ..AttackForm::default()
        };
        for (attacks, said) in [
            (tried("0", "1"), "Tries"),
            (tried("500", "-1"), "seed"),
            (tried("500", "9007199254740992"), "seed"),
        ] {
            let wrong = check(&table(), &CheckForm { attacks, ..form() }, true).unwrap_err();
            assert!(wrong.len() == 1 && wrong[0].contains(said), "{wrong:?}");
        }
        faults(
            |f| (f.k, f.l, f.notions) = (String::new(), String::from("2"), vec![Notion::KK]),
            "depends on k",
        );
    }
}
