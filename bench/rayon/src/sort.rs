// SPDX-License-Identifier: Apache-2.0

use crate::frame::{metric, Arguments, Metric, Problem};
use rayon::slice::ParallelSliceMut;

pub struct Sort {
    input: Vec<u32>,
    data: Vec<u32>,
    stable: bool,
}

/// The generator of sort/problem.hpp.
fn random_keys(n: usize) -> Vec<u32> {
    let mut state: u64 = 42;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 32) as u32
    };
    (0..n).map(|_| next()).collect()
}

fn sum(keys: &[u32]) -> u64 {
    keys.iter().fold(0u64, |total, &key| {
        total.wrapping_add(u64::from(key).wrapping_mul(u64::from(key)) + u64::from(key))
    })
}

impl Problem for Sort {
    const NAME: &'static str = "sort";
    const VARIANTS: &'static [&'static str] = &["unstable", "stable"];
    type Answer = ();

    fn new(args: &Arguments) -> Self {
        let input = random_keys(args.size_or(10_000_000, 1_000_000));
        Sort { input, data: Vec::new(), stable: args.variant == "stable" }
    }
    fn rehearsal(&self) -> Self {
        let input = random_keys(self.input.len().min(100_000));
        Sort { input, data: Vec::new(), stable: self.stable }
    }
    fn prepare(&mut self) {
        self.data.clone_from(&self.input);
    }
    fn solve(&mut self) {
        if self.stable {
            self.data.par_sort();
        } else {
            self.data.par_sort_unstable();
        }
    }
    fn wrong(&self, _: &()) -> String {
        if !self.data.is_sorted() {
            return "the keys are not in order".into();
        }
        let same = sum(&self.data) == sum(&self.input);
        if same { String::new() } else { "keys were lost or changed".into() }
    }
    fn metrics(&self, seconds: f64, _: &()) -> Vec<Metric> {
        vec![metric("time", "s", seconds)]
    }
}
