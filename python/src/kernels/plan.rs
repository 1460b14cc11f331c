//! The second kernel: the cuts, and how many rows of which colour lie where.

use std::sync::{Arc, Mutex};

use lookalike_core::out_of_core::Routing;
use pyo3::{prelude::*, types::PyBytes};

use super::{Blocks, Opening, held, opening::Inner};
use crate::failure::Failure;

/// What it is made of beside an opening: what was seen, the cuts, rows of a block.
pub(super) type Bytes = (Vec<u8>, Vec<u8>, usize);

/// The cuts.
#[pyclass(frozen, module = "lookalike._core")]
pub(crate) struct Plan {
    opening: Py<Opening>,
    bytes: Bytes,
    pub(super) inner: Arc<Inner>,
    pub(super) routing: Mutex<Routing>,
}

impl Plan {
    pub(super) fn of(opening: Py<Opening>, bytes: Bytes) -> Result<Self, Failure> {
        let inner = Arc::clone(&opening.get().inner);
        let routing = Routing::with_cuts(inner.surveyed([bytes.0.as_slice()])?, &bytes.1)?;
        Ok(Self { opening, bytes, inner, routing: Mutex::new(routing) })
    }

    /// The routing that has counted this, from the beginning.
    pub(super) fn counted(&self, counts: &[u8]) -> Result<Routing, Failure> {
        let mut routing = Routing::with_cuts(self.inner.surveyed([self.bytes.0.as_slice()])?, &self.bytes.1)?;
        routing.absorb(counts)?;
        Ok(routing)
    }

    /// A digest of what was seen of all rows.
    pub(super) fn digest(&self) -> [u8; 32] {
        lookalike_core::digest::of(&self.bytes.0)
    }

    /// Rows of a block.
    pub(super) fn block_rows(&self) -> usize {
        self.bytes.2
    }
}

#[pymethods]
#[allow(clippy::needless_pass_by_value, reason = "pyo3 makes lists of bytes for the call")]
impl Plan {
    #[new]
    fn new(opening: Py<Opening>, sketch: Vec<u8>, cuts: Vec<u8>, block_rows: usize) -> Result<Self, Failure> {
        Self::of(opening, (sketch, cuts, block_rows))
    }

    #[allow(clippy::type_complexity, reason = "the shape of __reduce__")]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyAny>, (Py<Opening>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, usize)) {
        let (sketch, cuts, block_rows) = &self.bytes;
        let arguments =
            (self.opening.clone_ref(py), PyBytes::new(py, sketch), PyBytes::new(py, cuts), *block_rows);
        (py.get_type::<Self>().into_any(), arguments)
    }

    /// Number of leaves.
    #[getter]
    fn leaves(&self) -> usize {
        held(&self.routing).leaves()
    }

    /// What is counted in some rows: those of each leaf and colour, squared distances from the means.
    fn count<'py>(&self, py: Python<'py>, source: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let mut routing = self.counting()?;
        self.inner.parts(py, source, &mut |_, part| Ok(routing.place(part).map(drop)?))?;
        Ok(PyBytes::new(py, &routing.counts()))
    }

    /// Several of these as one: the same bytes in any order.
    fn merge<'py>(&self, py: Python<'py>, counts: Vec<Vec<u8>>) -> Result<Bound<'py, PyBytes>, Failure> {
        let mut routing = self.counting()?;
        counts.iter().try_for_each(|counts| routing.absorb(counts))?;
        Ok(PyBytes::new(py, &routing.counts()))
    }

    /// The blocks, by what was counted of all rows.
    fn blocks(slf: &Bound<'_, Self>, counts: Vec<u8>) -> Result<Blocks, Failure> {
        Blocks::of(slf.clone().unbind(), counts)
    }
}

impl Plan {
    /// A routing that has counted nothing.
    fn counting(&self) -> Result<Routing, Failure> {
        Ok(Routing::with_cuts(self.inner.surveyed([self.bytes.0.as_slice()])?, &self.bytes.1)?)
    }
}
