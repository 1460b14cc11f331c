#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| _ = lookalike_tests::bytes::hierarchy(bytes));
