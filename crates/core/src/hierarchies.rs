//! Generalisation hierarchies made from the values of a column.

mod refused;

use lookalike_model::settings::Settings;
use lookalike_table::{
    Column, Reading, Table,
    hierarchy::{Generator, Hierarchy},
    infer,
};
use lookalike_words::Name;

pub use refused::HierarchyRefused;

use crate::{
    Error,
    prepare::{kind, known},
    suggest::{Lengths, postcode},
};

/// Makes a hierarchy for the known values of a column. Kinds, orders and missing markers are those of the settings; a
/// column that is declared a category is generalised by what its cells look like.
///
/// # Errors
/// [`Error::Misfit`] if there is no such column; [`Error::Hierarchy`] if its values are not what the generator needs.
pub fn generate(
    table: &Table,
    name: &str,
    generator: &Generator,
    settings: &Settings,
) -> Result<Hierarchy, Error> {
    let column = known(table, name)?;
    let markers = &settings.missing.markers;
    let reading = match generator {
        // Codes are texts, whatever they look like.
        Generator::Prefix { .. } => Reading::Labels,
        _ => match kind(column, settings)?.1 {
            Reading::Labels => infer(column, markers).reading,
            reading => reading,
        },
    };
    if *generator == (Generator::Prefix { any_length: false }) {
        refuse_lost_zeros(column, markers)?;
    }
    let made = generator.make(column, markers, &reading);
    made.map_err(|why| HierarchyRefused::Column { column: Name::from(name), why }.into())
}

/// A prefix of a code that has lost its leading zeros is that of another one: 1067 is 01067 and not beside 10115. So codes of
/// different lengths have none, unless it is said that they are meant.
fn refuse_lost_zeros(column: &Column, markers: &[String]) -> Result<(), HierarchyRefused> {
    let lengths = Lengths::of(column, markers);
    // What stands behind the point would be the last sign of each code, and what stands before it has lost its zeros.
    if let Some((short, width)) = lengths.decimals() {
        return Err(HierarchyRefused::Decimals {
            column: column.name.as_str().into(),
            short: short.into(),
            width,
        });
    }
    match lengths.uneven() {
        Some((short, long)) if lengths.one_less() || postcode(&column.name).is_some() => {
            let (digits, width) = (short.len(), long.len());
            let (short, long) = (short.into(), long.into());
            Err(HierarchyRefused::Lengths { column: column.name.as_str().into(), short, digits, long, width })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use lookalike_model::settings::{Model, Settings};
    use lookalike_table::{Edits, ReadOptions, read};

    use super::*;

    fn made(text: &str, pad: &[(&str, u8)], generator: &str) -> Result<Hierarchy, Error> {
        let widths = pad.iter().map(|(name, width)| ((*name).to_owned(), *width)).collect();
        let edits = Edits { widths, ..Edits::default() };
        let table = read(text.as_bytes(), &ReadOptions { edits, ..ReadOptions::default() }).unwrap();
        let settings = Settings::of(Model::KAnonymity { k: 2 });
        let name = table.columns[0].name.clone();
        generate(&table, &name, &generator.parse().unwrap(), &settings)
    }

    /// Labels of two values at each level.
    fn labels(hierarchy: &Hierarchy, value: &str) -> Vec<String> {
        hierarchy.rows()[hierarchy.find(value).unwrap()][1..].to_vec()
    }

    #[test]
    fn lost_zeros_have_no_prefix() {
        for (name, cells) in
            [("zip", "1067\n10115\n"), ("zip", "601\n10115\n"), ("x", "1067\n10115\n"), ("PLZ", "06\n123\n")]
        {
            let error = made(&format!("{name}\n{cells}"), &[], "prefix").unwrap_err().to_string();
            assert!(
                error.contains(&format!("--pad {name}=")) && error.contains("prefix:any-length"),
                "{error}"
            );
        }
        for cells in ["1097.0\n10243.0\n\n1097.0\n", "1097.0\n10243\n", "10115.0\n10243.0\n"] {
            let error = made(&format!("plz,x\n{}", cells.replace('\n', ",1\n")), &[], "prefix")
                .unwrap_err()
                .to_string();
            assert!(error.contains("--pad plz=5") && error.contains(".0'"), "{error}");
        }
        // Other codes have lengths of their own, and a zero that is there was not lost.
        for text in
            ["x\n1\n123\n", "x\n007\n1234\n", "x\nE11\nE110\n", "zip\n1010\n2020\n", "zip\nAB1\nAB12\n"]
        {
            assert!(made(text, &[], "prefix").is_ok(), "{text}");
        }
        assert!(made("zip\n1067\n10115\n", &[], "prefix:any-length").is_ok());
    }

    /// Dresden (01067) begins with 0, Berlin (10115) with 1: below the label of everything they have no label in common.
    #[test]
    fn filled_up_codes_share_the_prefixes_that_they_have() {
        let hierarchy = made("zip\n1067\n10115\n1099\n", &[("zip", 5)], "prefix").unwrap();
        let [dresden, neustadt, berlin] = ["01067", "01099", "10115"].map(|zip| labels(&hierarchy, zip));
        assert_eq!(dresden, ["0106*", "010**", "01***", "0****", "*****"]);
        assert_eq!(dresden[1], neustadt[1]);
        let floats = made("zip\n1067.0\n10115.0\n1099.0\n", &[("zip", 5)], "prefix").unwrap();
        assert_eq!(floats.rows(), hierarchy.rows());
        assert!(dresden[..4].iter().all(|label| !berlin.contains(label)), "{dresden:?} {berlin:?}");
    }
}
