//! The columns as they grow.

use lookalike_words::Name;

use crate::{
    Also, Column, Dictionary, Error, Place,
    batch::Batch,
    coded::{CodeCells, Coded, NoText},
    coder::{Coder, Fault},
    header::Header,
};

/// The columns that are kept.
pub(crate) struct Columns(Vec<Growing>);

struct Growing {
    field: usize,
    /// Its place in the file, from 1.
    column: usize,
    name: String,
    texts: bool,
    coder: Coder,
    cells: Vec<u32>,
}

impl Columns {
    pub(crate) fn new(
        header: &Header,
        (wanted, also): (Option<&[String]>, Option<Also>),
        texts: &[String],
    ) -> Result<Self, Error> {
        let whole = header.whole();
        if let Some(name) = wanted.unwrap_or_default().iter().find(|name| !whole.names.contains(name)) {
            // The column may be there, without its name.
            let inner = (1..=whole.named).filter(|&at| whole.names[at - 1].is_empty());
            let blank: Vec<usize> = inner.collect();
            if !blank.is_empty() {
                return Err(whole.nameless(blank, 0));
            }
            let columns = whole.names.iter().filter(|name| !name.is_empty()).cloned().map(Name);
            return Err(Error::NoColumn { name: Name(name.clone()), columns: columns.collect() });
        }
        let kept = header.names.iter().enumerate().filter(|(_, name)| {
            !name.is_empty()
                && (wanted.is_none_or(|wanted| wanted.contains(name))
                    || also.is_some_and(|Also(keeps)| keeps(name)))
        });
        let growing = |(field, name): (usize, &String)| {
            let (coder, cells) = Default::default();
            let column = whole.names.iter().position(|other| other == name).unwrap_or(field) + 1;
            Growing { field, column, name: name.clone(), texts: texts.contains(name), coder, cells }
        };
        Ok(Self(kept.map(growing).collect()))
    }

    /// A batch for the fields that are kept.
    pub(crate) fn batch(&self) -> Batch {
        Batch::new(self.0.iter().map(|column| column.field).collect())
    }

    /// Codes the rows of a batch, and does something else `meanwhile`: at the same time with the feature `parallel`,
    /// where the columns are shared among the threads of rayon's pool as well.
    ///
    /// # Errors
    /// Cells that are no text: the error is of the first row that has one, and of the first column in it.
    pub(crate) fn append<T>(&mut self, batch: &Batch, meanwhile: impl FnOnce() -> T) -> Result<T, Error> {
        let mut faults: Vec<Option<(usize, Fault)>> = vec![None; self.0.len()];
        let columns = self.0.iter_mut().enumerate().zip(&mut faults);
        let code = |kept: usize, column: &mut Growing, fault: &mut Option<(usize, Fault)>| {
            *fault = column.coder.append(batch.text(), batch.cells(kept), &mut column.cells).err();
        };
        #[cfg(feature = "parallel")]
        let done = rayon::in_place_scope(|scope| {
            for ((kept, column), fault) in columns {
                scope.spawn(move |_| code(kept, column, fault));
            }
            meanwhile()
        });
        #[cfg(not(feature = "parallel"))]
        let done = {
            columns.for_each(|((kept, column), fault)| code(kept, column, fault));
            meanwhile()
        };
        let found =
            faults.iter().enumerate().filter_map(|(kept, fault)| fault.map(|(at, fault)| (at, kept, fault)));
        let Some((at, kept, fault)) = found.min_by_key(|&(at, kept, _)| (at, kept)) else { return Ok(done) };
        let (row, line) = batch.place(at);
        let (place, column) = (Place::of(row, line), self.0[kept].column);
        Err(match fault {
            Fault::NotUtf8 => Error::NotUtf8 { place, column },
            Fault::Nul => Error::Nul { place, column },
        })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The different cells of one so far, and the codes of its rows.
    pub(crate) fn at(&self, index: usize) -> (&Dictionary, &[u32]) {
        let column = &self.0[index];
        (column.coder.values(), &column.cells)
    }

    /// Lets each column be coded by its own source, then does something with all of them, and something else `meanwhile`, as
    /// [`Columns::append`] does. The number of rows there are after that, if all have as many.
    pub(crate) fn code<C: CodeCells, T>(
        &mut self,
        coders: &mut [C],
        batch: &C::Batch,
        then: &mut (dyn FnMut(&Self) + Send),
        meanwhile: impl FnOnce() -> T,
    ) -> (Result<usize, NoText>, T) {
        let mut coded = Err(NoText);
        let mut work = || {
            coded = self.code_all(coders, batch);
            if coded.is_ok() {
                then(self);
            }
        };
        #[cfg(feature = "parallel")]
        let done = rayon::in_place_scope(|scope| {
            scope.spawn(|_| work());
            meanwhile()
        });
        #[cfg(not(feature = "parallel"))]
        let done = {
            work();
            meanwhile()
        };
        (coded, done)
    }

    fn code_all<C: CodeCells>(&mut self, coders: &mut [C], batch: &C::Batch) -> Result<usize, NoText> {
        let columns = self.0.iter_mut().zip(coders);
        let code = |column: &mut Growing, coder: &mut C| {
            let mut into = Coded { coder: &mut column.coder, cells: &mut column.cells };
            coder.code(batch, &mut into)
        };
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            let columns: Vec<_> = columns.collect();
            columns.into_par_iter().try_for_each(|(column, coder)| code(column, coder))?;
        }
        #[cfg(not(feature = "parallel"))]
        for (column, coder) in columns {
            code(column, coder)?;
        }
        let rows = self.0.first().map_or(0, |column| column.cells.len());
        if self.0.iter().all(|column| column.cells.len() == rows) { Ok(rows) } else { Err(NoText) }
    }

    pub(crate) fn finish(self) -> Vec<Column> {
        let column = |mut growing: Growing| {
            growing.cells.shrink_to_fit();
            Column {
                name: growing.name,
                texts: growing.texts,
                values: growing.coder.into_values(),
                cells: growing.cells,
            }
        };
        self.0.into_iter().map(column).collect()
    }
}
