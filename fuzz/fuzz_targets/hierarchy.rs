//! Whatever the bytes: a sound hierarchy or an error with a message; and what it writes reads as that hierarchy.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_table::hierarchy::Hierarchy;

fuzz_target!(|bytes: &[u8]| {
    let hierarchy = match Hierarchy::read(bytes) {
        Ok(hierarchy) => hierarchy,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    assert!(hierarchy.len() > 0);
    for value in 0..hierarchy.len() {
        assert_eq!(hierarchy.find(hierarchy.label(value, 0)), Some(value));
    }
    let all: Vec<usize> = (0..hierarchy.len()).collect();
    assert!(hierarchy.lowest_common(&all).is_none_or(|level| level <= hierarchy.height()));
    let again = Hierarchy::read(&hierarchy.write().expect("it can be written")).expect("it can be read again");
    assert_eq!(again.rows(), hierarchy.rows());
});
