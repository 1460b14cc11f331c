//! User CPU seconds: on a shared machine they say more than a clock.

use anyhow::{Context, Result};

/// Ticks a second of `/proc` on Linux, whatever the processor.
const TICKS: f64 = 100.0;

/// Calls shorter than this are repeated: a tick is a hundredth of a second.
const ENOUGH: f64 = 0.3;

/// Calls at most.
const MOST: u32 = 200;

/// User CPU seconds of this process so far, all threads together.
pub(crate) fn used() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("CPU time is measured on Linux only")?;
    // The name in brackets may hold spaces; user time is the twelfth field after it.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().nth(11).and_then(|ticks| ticks.parse::<f64>().ok());
    Ok(ticks.context("/proc/self/stat holds no user time")? / TICKS)
}

/// What `call` answers, and the user CPU seconds of one call: the mean of several if it is short.
pub(crate) fn timed<T>(mut call: impl FnMut() -> Result<T>) -> Result<(T, f64)> {
    let began = used()?;
    let mut calls = 0;
    loop {
        let answer = call()?;
        calls += 1;
        let spent = used()? - began;
        if spent >= ENOUGH || calls == MOST {
            return Ok((answer, spent / f64::from(calls)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn work_takes_cpu_time_and_short_calls_are_repeated() {
        let mut calls = 0_u32;
        let (sum, seconds) = timed(|| {
            calls += 1;
            Ok((0..3_000_000_u64).map(std::hint::black_box).sum::<u64>())
        })
        .unwrap();
        assert_eq!(sum, 4_499_998_500_000);
        assert!(calls > 1 && seconds > 0.0, "{calls} calls, {seconds} s");
    }
}
