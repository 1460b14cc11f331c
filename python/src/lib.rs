//! Lookalike for Python: the package's extension module. The package itself is `lookalike/`, in Python; what is here is the core
//! with a frame coming in and records going out, as JSON where they are records.
//!
//! **Invariants.** Nothing is decided here that the command line decides otherwise: cells are read by the same reader, settings by
//! the code that reads configurations, and the published bytes are those of the same run anywhere.

mod arguments;
mod ask;
mod attacks;
mod failure;
mod kernels;
mod release;
mod run;
mod series;
mod solve;
mod source;
mod stream;
mod together;

use pyo3::prelude::*;

/// What the package `lookalike` is made of.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("REVISION", lookalike_model::REVISION)?;
    module.add_class::<release::Release>()?;
    module.add_function(wrap_pyfunction!(release::anonymize, module)?)?;
    module.add_function(wrap_pyfunction!(release::stream_of, module)?)?;
    module.add_function(wrap_pyfunction!(ask::describe, module)?)?;
    module.add_function(wrap_pyfunction!(ask::eligibility, module)?)?;
    module.add_function(wrap_pyfunction!(ask::hierarchy, module)?)?;
    module.add_function(wrap_pyfunction!(ask::check, module)?)?;
    module.add_function(wrap_pyfunction!(ask::names, module)?)?;
    module.add_function(wrap_pyfunction!(series::states, module)?)?;
    module.add_function(wrap_pyfunction!(together::digest, module)?)?;
    module.add_function(wrap_pyfunction!(together::published, module)?)?;
    module.add_function(wrap_pyfunction!(release::csv_of, module)?)?;
    kernels::add(module)?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)
}
