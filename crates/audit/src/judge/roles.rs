//! Which column of a published table is what.

use lookalike_words::Name;

use super::{error::Error, question::Question};

/// Places of columns in the table.
pub(super) struct Roles {
    /// In the order of the question.
    pub(super) quasi: Vec<usize>,
    pub(super) class: Option<usize>,
    pub(super) sensitive: Option<usize>,
    /// Columns that the question does not name, in table order.
    pub(super) unnamed: Vec<usize>,
    /// All columns in the order by which rows are sorted: quasi-identifiers, class, all others in table order.
    pub(super) sorted_by: Vec<usize>,
}

impl Roles {
    /// # Errors
    /// If a quasi-identifier or the sensitive column is missing; a missing class column is not an error.
    pub(super) fn new(header: &[String], question: &Question) -> Result<Self, Error> {
        let place = |name: &String| header.iter().position(|other| other == name);
        let needed =
            |name: &String| place(name).ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) });
        let quasi = question.quasi.iter().map(needed).collect::<Result<Vec<_>, _>>()?;
        let sensitive = question.sensitive.as_ref().map(needed).transpose()?;
        let class = question.class.as_ref().and_then(place);
        let rest: Vec<usize> =
            (0..header.len()).filter(|at| !quasi.contains(at) && class != Some(*at)).collect();
        Ok(Self {
            sorted_by: quasi.iter().copied().chain(class).chain(rest.iter().copied()).collect(),
            unnamed: rest.into_iter().filter(|at| sensitive != Some(*at)).collect(),
            quasi,
            class,
            sensitive,
        })
    }
}
