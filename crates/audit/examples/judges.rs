//! How long the judges take and how much memory they hold, both in one run: `cargo run --release --example judges`.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    fmt::Write as _,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Instant,
};

use lookalike_audit::{Guarantee, Question, judge, judge_stream, old, old_stream};

struct Counting;
static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code, reason = "counts what is allocated")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn measured<T>(run: impl Fn() -> T) -> (f64, usize) {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let began = Instant::now();
        let _ = std::hint::black_box(run());
        best = best.min(began.elapsed().as_secs_f64());
    }
    (best, PEAK.load(Relaxed) - before)
}

fn main() {
    for (classes, size) in [(6_000, 5), (200_000, 5), (100, 5_000)] {
        let mut text = String::from("age,sex,postcode,disease,class\n");
        for class in 1..=classes {
            let low = class / 97;
            let (a, b) = (low + 10_000_000, low + 10_000_007);
            for value in 0..size {
                let sex = if class % 2 == 0 { "F" } else { "M" };
                let _ = writeln!(
                    text,
                    "[{a} - {b}],{sex},{:05},d{:04},{class}",
                    class % 97,
                    value * 7 % 9000 + class % 7
                );
            }
        }
        for guarantee in [Guarantee::MUnique { m: 5 }, Guarantee::KAnonymity { k: 5 }] {
            let question = Question {
                quasi: ["age", "sex", "postcode"].map(String::from).to_vec(),
                sensitive: Some(String::from("disease")),
                guarantee,
                class: Some(String::from("class")),
            };
            let bytes = text.as_bytes();
            let new = measured(|| judge(bytes, &question));
            let whole = measured(|| old::judge(bytes, &question));
            let stream = measured(|| judge_stream(bytes, &question));
            let old_stream = measured(|| old_stream::judge_stream(bytes, &question));
            println!("{} rows, {} kB, {guarantee:?}", classes * size, bytes.len() / 1000);
            for (what, (seconds, bytes)) in
                [("new", new), ("whole", whole), ("new stream", stream), ("old stream", old_stream)]
            {
                println!(
                    "  {what:<10} {:8.1} ms {:8} kB  new / this {:.2}",
                    seconds * 1e3,
                    bytes / 1000,
                    new.0 / seconds
                );
            }
        }
    }
}
