//! How columns of numbers go together, before and after (Domingo-Ferrer and Torra 2001 count the change of correlations among
//! the losses of microdata).

use lookalike_table::Table;
use lookalike_words::Name;

use super::{Reading, column::Parsed, pair::Pair};
use crate::Error;

/// Pearson's correlation of two columns, before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Correlation {
    /// The columns, in the order in which they were asked for.
    pub columns: (String, String),
    /// In the original, -1 to 1.
    pub before: f64,
    /// As published, -1 to 1; `None` where a published column is the same everywhere.
    pub after: Option<f64>,
}

/// A column as numbers: a mean for each entry of its dictionary, before and after.
struct Numeric<'a> {
    name: &'a str,
    before: (&'a [u32], Vec<Option<f64>>),
    after: (&'a [u32], Vec<Option<f64>>),
}

/// The correlations of all pairs of these columns that hold numbers, dates or ranks on both sides. A published range stands
/// for its middle, a set for its mean; rows that lack either value are left out. Columns that vary nowhere in the
/// original have no correlations. Time grows with the rows times the pairs.
///
/// # Errors
/// [`Error::NoColumn`].
pub fn correlations(
    original: &Table,
    published: &Table,
    columns: &[String],
    reading: &Reading,
) -> Result<Vec<Correlation>, Error> {
    let mut numeric = Vec::new();
    for name in columns {
        let missing = || Error::NoColumn { column: Name::from(name.as_str()) };
        let before = original.column(name).ok_or_else(missing)?;
        let after = published.column(name).ok_or_else(missing)?;
        let pair = Pair::new(before, after, reading);
        if let (Parsed::Numbers(own), Ok(Parsed::Numbers(theirs))) = (&pair.original, &pair.published) {
            let means = |cells: &[super::numbers::Numbers]| {
                cells.iter().map(|cell| cell.moments(pair.step).map(|moments| moments.0)).collect::<Vec<_>>()
            };
            numeric.push(Numeric {
                name,
                before: (&before.cells, means(own)),
                after: (&after.cells, means(theirs)),
            });
        }
    }
    let mut all = Vec::new();
    for (at, one) in numeric.iter().enumerate() {
        for other in &numeric[at + 1..] {
            let Some(before) = pearson(&one.before, &other.before) else { continue };
            all.push(Correlation {
                columns: (one.name.to_owned(), other.name.to_owned()),
                before,
                after: pearson(&one.after, &other.after),
            });
        }
    }
    Ok(all)
}

/// Two passes, so that large values with a small spread lose no digits. `None` if either does not vary.
fn pearson(one: &(&[u32], Vec<Option<f64>>), other: &(&[u32], Vec<Option<f64>>)) -> Option<f64> {
    let pairs = || {
        let rows = one.0.iter().zip(other.0);
        rows.filter_map(|(&a, &b)| one.1[a as usize].zip(other.1[b as usize]))
    };
    let (mut n, mut sum) = (0.0, (0.0, 0.0));
    for (x, y) in pairs() {
        (n, sum) = (n + 1.0, (sum.0 + x, sum.1 + y));
    }
    let mean = (sum.0 / n, sum.1 / n);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs() {
        let (x, y) = (x - mean.0, y - mean.1);
        (xx, yy, xy) = (xx + x * x, yy + y * y, xy + x * y);
    }
    (xx > 0.0 && yy > 0.0).then(|| (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use lookalike_table::{ReadOptions, read};

    use super::*;

    fn table(text: &str) -> Table {
        read(text.as_bytes(), &ReadOptions::default()).unwrap()
    }

    fn of(before: &str, after: &str) -> Vec<Correlation> {
        let columns = ["x", "y", "z"].map(String::from);
        correlations(&table(before), &table(after), &columns, &Reading::default()).unwrap()
    }

    #[test]
    fn by_hand() {
        // x and y: deviations -1, 0, 1 and -1, 1, 0: 1/2. z is the negative of x.
        let before = "x,y,z\n1,1,3\n2,3,2\n3,2,1\n";
        // Middles 1.5, 1.5, 3: deviations -0.5, -0.5, 1; y as it is: -1, 1, 0 gives 0.
        let after = "x,y,z\n[1-2],1,2\n[1-2],3,2\n3,2,2\n";
        let found = of(before, after);
        let names: Vec<_> = found.iter().map(|c| (c.columns.0.as_str(), c.columns.1.as_str())).collect();
        assert_eq!(names, [("x", "y"), ("x", "z"), ("y", "z")]);
        assert!((found[0].before - 0.5).abs() < 1e-12 && found[0].after.unwrap().abs() < 1e-12, "{found:?}");
        assert!((found[1].before + 1.0).abs() < 1e-12 && found[1].after.is_none(), "{found:?}");
    }

    #[test]
    fn labels_and_columns_of_one_value_have_none() {
        let found = of("x,y,z\n1,a,5\n2,b,5\n3,a,5\n", "x,y,z\n1,a,5\n2,b,5\n3,a,5\n");
        assert_eq!(found, []);
    }

    #[test]
    fn large_numbers_keep_their_digits() {
        let before = "x,y,z\n1000000001,2,a\n1000000002,4,a\n1000000003,6,b\n";
        let found = of(before, before);
        assert!((found[0].before - 1.0).abs() < 1e-9 && found[0].after == Some(found[0].before), "{found:?}");
    }
}
