//! A published table with the roles of its columns.

use lookalike_table::{Column, Table};
use lookalike_words::Name;

use crate::{Error, Question};

/// A published table with the roles of its columns.
pub(crate) struct Published<'a> {
    pub(crate) rows: usize,
    /// In the order of the question.
    pub(crate) quasi: Vec<&'a Column>,
    pub(crate) class: Option<&'a Column>,
    pub(crate) sensitive: Option<&'a Column>,
    /// Columns that the question does not name, in table order.
    pub(crate) unnamed: Vec<&'a Column>,
    /// All columns in the order by which rows are sorted.
    pub(crate) sorted_by: Vec<&'a Column>,
}

impl<'a> Published<'a> {
    pub(crate) fn new(table: &'a Table, question: &Question) -> Result<Self, Error> {
        let column = |name: &String| {
            table.column(name).ok_or_else(|| Error::NoColumn { column: Name::from(name.as_str()) })
        };
        let quasi = question.quasi.iter().map(column).collect::<Result<Vec<_>, _>>()?;
        let sensitive = question.sensitive.as_ref().map(column).transpose()?;
        let class = question.class.as_ref().and_then(|name| table.column(name));
        let is = |role: Option<&Column>, column: &Column| role.is_some_and(|role| role.name == column.name);
        let rest = || {
            let quasi = &question.quasi;
            table.columns.iter().filter(move |c| !quasi.contains(&c.name) && !is(class, c))
        };
        Ok(Self {
            rows: table.rows,
            sorted_by: quasi.iter().copied().chain(class).chain(rest()).collect(),
            unnamed: rest().filter(|c| !is(sensitive, c)).collect(),
            quasi,
            class,
            sensitive,
        })
    }
}
