//! Names of columns in the public microdata of the American Community Survey (and its Current Population Survey's kin), which are
//! abbreviations that no list of words has: AGEP, RAC1P, WAGP. Source: U.S. Census Bureau, ACS PUMS data dictionary.

/// Names as the Census Bureau writes them, and the entry of the lists of words that says what they are.
const NAMES: &[(&str, &str)] = &[
    ("AGEP", "age"),
    ("ANC1P", "ethnic origin"),
    ("ANC2P", "ethnic origin"),
    ("CIT", "citizenship"),
    ("COW", "class of worker"),
    ("DDRS", "disability"),
    ("DEAR", "disability"),
    ("DEYE", "disability"),
    ("DIS", "disability"),
    ("DOUT", "disability"),
    ("DPHY", "disability"),
    ("DREM", "disability"),
    ("FINCP", "income"),
    ("FOD1P", "degree"),
    ("FOD2P", "degree"),
    ("HINCP", "income"),
    ("HISP", "ethnic origin"),
    ("INDP", "industry"),
    ("LANP", "language"),
    ("MAR", "marital status"),
    ("MIGPUMA", "place"),
    ("NAICSP", "industry"),
    ("OCCP", "occupation"),
    ("PAP", "benefit"),
    ("PERNP", "earnings"),
    ("PINCP", "income"),
    ("POBP", "place of birth"),
    ("POWPUMA", "place"),
    ("PUMA", "place"),
    ("RAC1P", "race"),
    ("RAC2P", "race"),
    ("RAC3P", "race"),
    ("RELP", "relationship"),
    ("RELSHIPP", "relationship"),
    ("RETP", "pension"),
    ("SCHG", "education"),
    ("SCHL", "education"),
    ("SEMP", "income"),
    ("SERIALNO", "record id"),
    ("SOCP", "occupation"),
    ("SSIP", "benefit"),
    ("SSP", "pension"),
    ("ST", "state"),
    ("WAGP", "wages"),
    ("WKHP", "hours per week"),
];

/// Shorter names are words of other things, too, but in capitals.
const SURE: usize = 4;

/// The survey's spelling of a name, and the entry that it stands for.
pub(super) fn stands_for(name: &str) -> Option<(&'static str, &'static str)> {
    let name = name.trim();
    let is = |of: &str| if of.len() < SURE { of == name } else { of.eq_ignore_ascii_case(name) };
    NAMES.iter().copied().find(|(of, _)| is(of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suggest::names::find;

    #[test]
    fn each_stands_for_an_entry_of_the_lists() {
        for (name, entry) in NAMES {
            assert_eq!(stands_for(name), Some((*name, *entry)));
            assert!(find(entry).is_some(), "{name}: no list has \"{entry}\"");
        }
        assert!(NAMES.is_sorted(), "sorted, so that a name is found by whoever reads the list");
    }

    #[test]
    fn short_ones_are_capitals() {
        assert_eq!(
            (stands_for("agep"), stands_for(" Puma ")),
            (Some(("AGEP", "age")), Some(("PUMA", "place")))
        );
        for other in ["mar", "Mar", "cow", "cit", "st", "dis", "MAR_2024", "PUMAS", "AGEPX", "AGE"] {
            assert_eq!(stands_for(other), None, "{other}");
        }
    }
}
