//! Which columns of a large file are read: chosen by their names and types, before anything else of it is.

use lookalike_forms::{Outline, TypeName};
use lookalike_wire::opening::FileColumn;
use lookalike_words::Message as _;

/// From so many columns on, or beyond so many bytes, a file is large.
const COLUMNS: usize = 60;
const BYTES: u64 = 50_000_000;

/// Whether the columns are to be chosen first.
pub(crate) fn is_large(outline: &Outline) -> bool {
    let is_large = outline.columns.len() >= COLUMNS || outline.bytes > BYTES;
    // Of one column there is no choice.
    is_large && outline.columns.len() > 1 && outline.has_distinct_names()
}

/// The columns that can be chosen; none where names may mean others.
pub(crate) fn columns(outline: &Outline) -> Vec<FileColumn> {
    if !outline.has_distinct_names() {
        return Vec::new();
    }
    let column = |(name, of): &(String, TypeName)| FileColumn {
        name: name.clone(),
        of: of.said(),
        unreadable: *of == TypeName::Other,
    };
    outline.columns.iter().map(column).collect()
}

#[cfg(test)]
mod tests {
    use lookalike_forms::FormName;

    use super::*;

    fn outline(count: usize, bytes: u64) -> Outline {
        let columns = (0..count).map(|at| (format!("c{at}"), TypeName::Whole)).collect();
        Outline { form: FormName::Parquet, bytes, columns }
    }

    #[test]
    fn many_columns_or_many_bytes_are_large() {
        assert!(is_large(&outline(60, 1)) && is_large(&outline(2, 50_000_001)));
        assert!(!is_large(&outline(59, 50_000_000)) && !is_large(&outline(1, 1 << 40)));
        let mut lists = outline(60, 1);
        lists.columns[1].1 = TypeName::Other;
        assert!(columns(&lists)[1].unreadable && !columns(&lists)[0].unreadable);
        let mut twice = outline(60, 1);
        twice.columns[1].0 = String::from("c0");
        assert!(!is_large(&twice) && columns(&twice).is_empty());
        assert_eq!(columns(&outline(60, 1))[59].name, "c59");
    }
}
