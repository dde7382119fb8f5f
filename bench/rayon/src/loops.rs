// SPDX-License-Identifier: Apache-2.0
//! loops/problem.hpp again, by parallel iterators. Rayon has no scan.

use crate::frame::{compare, metric, Arguments, Metric, Problem};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

const LEAST_TIME: Duration = Duration::from_millis(2);
const MOST: usize = 1_000_000_000;

/// The arrays that no variant but its own needs are empty.
pub struct Loops {
    variant: String,
    n: usize,
    cells: Vec<u32>,
    integers: Vec<u32>,
    doubles: Vec<f64>,
}

#[derive(Default)]
pub struct Answer {
    calls: usize,
    total: u64,
}

fn length_of(text: &str) -> usize {
    let digits = text.strip_prefix("n=").unwrap_or("");
    digits.parse().ok().filter(|n| *n <= MOST && !digits.starts_with('+')).unwrap_or(0)
}

fn increment(index: usize) -> u32 {
    let index = index as u32;
    (index ^ (index >> 3)) | 1
}

fn repeated(mut call: impl FnMut() -> u64) -> Answer {
    let mut all = Answer::default();
    let start = Instant::now();
    let mut batch = 1;
    while all.calls == 0 || start.elapsed() < LEAST_TIME {
        for _ in 0..batch {
            all.total += call();
        }
        all.calls += batch;
        batch *= 2;
    }
    all
}

impl Loops {
    fn of(variant: &str, n: usize) -> Self {
        let length = |name: &str| if variant == name { n } else { 0 };
        Loops {
            variant: variant.to_string(),
            n,
            cells: vec![0; length("for")],
            integers: (0..length("reduce-int32")).map(|i| (1 + i % 7) as u32).collect(),
            doubles: (0..length("reduce-double")).map(|i| (1 + i % 7) as f64).collect(),
        }
    }

    fn total(&self) -> u64 {
        let integers: u64 = self.integers.iter().map(|value| u64::from(*value)).sum();
        integers + self.doubles.iter().map(|value| *value as u64).sum::<u64>()
    }
}

impl Problem for Loops {
    const NAME: &'static str = "loops";
    const VARIANTS: &'static [&'static str] = &["for", "reduce-int32", "reduce-double"];
    const INPUTS: &'static [&'static str] = &[
        "n=1",
        "n=10",
        "n=100",
        "n=1000",
        "n=10000",
        "n=100000",
        "n=1000000",
        "n=10000000",
        "n=100000000",
    ];
    type Answer = Answer;

    fn accepts(input: &str) -> bool {
        length_of(input) > 0
    }
    fn of_quick(input: &str) -> bool {
        length_of(input) <= 1_000_000
    }
    fn new(args: &Arguments) -> Self {
        if args.size > 0 {
            let size = args.size;
            eprintln!("loops: --size={size}: n is an input; accepted: --input n={size}");
            std::process::exit(77); // not_applicable of common/arguments.hpp
        }
        Loops::of(&args.variant, length_of(&args.input))
    }
    fn rehearsal(&self) -> Self {
        Loops::of(&self.variant, self.n.min(100_000))
    }
    fn prepare(&mut self) {
        self.cells.fill(0);
    }
    fn solve(&mut self) -> Answer {
        match self.variant.as_str() {
            "for" => {
                let cells = &mut self.cells;
                repeated(|| {
                    let each = |(i, cell): (usize, &mut u32)| {
                        *cell = cell.wrapping_add(increment(i));
                    };
                    black_box(&mut *cells).par_iter_mut().enumerate().for_each(each);
                    0
                })
            }
            "reduce-int32" => {
                repeated(|| u64::from(black_box(&self.integers).par_iter().sum::<u32>()))
            }
            _ => repeated(|| black_box(&self.doubles).par_iter().sum::<f64>() as u64),
        }
    }
    fn wrong(&self, found: &Answer) -> String {
        let times = found.calls as u32;
        let is_wrong = |(i, cell): (usize, &u32)| *cell != times.wrapping_mul(increment(i));
        if let Some(i) = self.cells.iter().enumerate().position(is_wrong) {
            return format!("cell {i} was not set once by each call");
        }
        compare(&found.total, &(self.total() * found.calls as u64))
    }
    fn metrics(&self, seconds: f64, found: &Answer) -> Vec<Metric> {
        vec![metric("time-per-call", "ns", seconds * 1e9 / found.calls as f64)]
    }
}
