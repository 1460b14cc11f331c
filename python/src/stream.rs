//! Arrow's C stream, in and out: the one place where memory is shared with other libraries, and so the one with `unsafe`.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader, StringArray,
    ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader},
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use lookalike_core::table::Table;
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyCapsule, PyCapsuleMethods},
};

/// The name that the standard gives the capsule.
const NAME: &std::ffi::CStr = c"arrow_array_stream";

/// A frame as its producer holds it: batches of columns, whose memory is the producer's.
pub(crate) struct Frame {
    pub(crate) schema: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
}

impl Frame {
    /// Takes the stream of any object that has `__arrow_c_stream__`. Batches are references: nothing is copied here.
    ///
    /// # Errors
    /// What the producer says.
    pub(crate) fn of(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let reader = Self::reader(source)?;
        let schema = reader.schema();
        let batches = reader.collect::<Result<Vec<_>, _>>().map_err(|error| broken(&error))?;
        Ok(Self { schema, batches })
    }
}

impl Frame {
    /// The stream itself, batch by batch.
    ///
    /// # Errors
    /// What the producer says.
    pub(crate) fn reader(source: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
        let capsule = source.call_method0("__arrow_c_stream__")?;
        taken(capsule.cast::<PyCapsule>()?)
    }
}

#[allow(unsafe_code, reason = "Arrow's C interface is pointers; exit: pyo3 takes Arrow streams itself")]
fn taken(capsule: &Bound<'_, PyCapsule>) -> PyResult<RecordBatchStreamReader> {
    let stream = capsule.pointer_checked(Some(NAME))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name holds a stream by Arrow's standard. Reading moves it out and leaves a released one behind,
    // which the capsule's destructor passes over.
    unsafe { RecordBatchStreamReader::from_raw(stream.as_ptr()) }.map_err(|error| broken(&error))
}

pub(crate) fn broken(error: &ArrowError) -> PyErr {
    PyValueError::new_err(format!("the table's Arrow stream broke off: {error}"))
}

/// A table as a stream of one batch, all of whose columns are texts.
///
/// # Errors
/// If Python has no memory for the capsule.
pub(crate) fn handed_out<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyCapsule>> {
    let fields: Vec<Field> =
        table.columns.iter().map(|column| Field::new(&column.name, DataType::Utf8, false)).collect();
    let schema = Arc::new(Schema::new(fields));
    let texts = table.columns.iter().map(|column| -> ArrayRef {
        Arc::new(StringArray::from_iter_values((0..table.rows).map(|row| column.cell(row))))
    });
    let batch = RecordBatch::try_new(schema, texts.collect()).map_err(|error| broken(&error))?;
    streamed(py, batch)
}

/// A batch as a stream.
///
/// # Errors
/// If Python has no memory for the capsule.
pub(crate) fn streamed(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), NAME)
}
