//! Whatever the bytes that a worker is sent: a job with sound numbers or an error with a message; and what is written of
//! it is that job.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_core::instance::Instance;
use lookalike_wire::{
    binary::{Wrong, decode, encode, from_json},
    job::{Answer, Job},
};

fuzz_target!(|input: (bool, &[u8])| {
    let (json, bytes) = input;
    // What a command is sent in return is read as carefully.
    if let Ok(answer) = serde_json::from_slice::<Answer>(bytes) {
        let text = serde_json::to_vec(&answer).expect("an answer can be written");
        serde_json::from_slice::<Answer>(&text).expect("and read again");
    }
    let job = match if json { from_json(bytes) } else { decode(bytes) } {
        Ok(job) => job,
        Err(Wrong::Malformed(why)) => return assert!(!why.is_empty()),
        Err(Wrong::Version(_)) => return,
    };
    if let Ok(instance) = Instance::from_job(&job) {
        assert_eq!(instance.records(), job.colours.len());
        assert!(job.points.iter().all(|x| x.is_finite()));
        assert_eq!(again(&job), job);
    }
});

fn again(job: &Job) -> Job {
    decode(&encode(job.clone()).expect("a sound job can be written")).expect("and read again")
}
