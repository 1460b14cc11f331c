//! Files and streams of Arrow.

use std::io::{BufReader, Read, Seek};

use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use lookalike_table::Error;

use crate::{
    FormFault, FormName,
    columns::{Batches, Columns, damaged, guarded},
    form::rewound,
    ipc_sizes::{check_file, check_stream},
};

/// A file of Arrow, also known as Feather.
pub(crate) struct ArrowFile<R> {
    source: R,
    schema: SchemaRef,
}

/// A stream of Arrow, as a file.
pub(crate) struct ArrowStream<R> {
    source: R,
    schema: SchemaRef,
}

impl<R: Read + Seek> ArrowFile<R> {
    pub(crate) fn open(mut source: R) -> Result<Self, Error> {
        check_file(&mut source)?;
        let schema = guarded(FormName::Arrow, || {
            let file = FileReader::try_new(BufReader::new(rewound(&mut source)?), None);
            Ok(file.map_err(|error| told(FormName::Arrow, &error))?.schema())
        })?;
        Ok(Self { source, schema })
    }
}

impl<R: Read + Seek> ArrowStream<R> {
    pub(crate) fn open(mut source: R) -> Result<Self, Error> {
        check_stream(&mut source)?;
        let schema = guarded(FormName::ArrowStream, || {
            let stream = StreamReader::try_new(BufReader::new(rewound(&mut source)?), None);
            Ok(stream.map_err(|error| told(FormName::ArrowStream, &error))?.schema())
        })?;
        Ok(Self { source, schema })
    }
}

impl<R: Read + Seek> Columns for ArrowFile<R> {
    fn form(&self) -> FormName {
        FormName::Arrow
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn batches(&mut self, columns: &[usize]) -> Result<Batches<'_>, Error> {
        let source = BufReader::new(rewound(&mut self.source)?);
        let file = FileReader::try_new(source, Some(columns.to_vec()));
        let file = file.map_err(|error| told(FormName::Arrow, &error))?;
        Ok(Box::new(file.map(|batch| batch.map_err(|error| told(FormName::Arrow, &error)))))
    }
}

impl<R: Read + Seek> Columns for ArrowStream<R> {
    fn form(&self) -> FormName {
        FormName::ArrowStream
    }

    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn batches(&mut self, columns: &[usize]) -> Result<Batches<'_>, Error> {
        let source = BufReader::new(rewound(&mut self.source)?);
        let stream = StreamReader::try_new(source, Some(columns.to_vec()));
        let stream = stream.map_err(|error| told(FormName::ArrowStream, &error))?;
        Ok(Box::new(stream.map(|batch| batch.map_err(|error| told(FormName::ArrowStream, &error)))))
    }
}

/// What the library says. It has no other name for a packer that it was built without.
fn told(form: FormName, error: &ArrowError) -> Error {
    if let ArrowError::InvalidArgumentError(says) = error
        && says.contains("zstd")
    {
        return FormFault::ArrowCodec.into();
    }
    damaged(form, error)
}
