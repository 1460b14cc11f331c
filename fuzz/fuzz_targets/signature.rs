#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _accepted = lookalike_tests::bytes::signature(bytes);
});
