// SPDX-License-Identifier: Apache-2.0

use crate::frame::{compare, metric, Arguments, Metric, Problem};

pub struct Fib {
    n: usize,
}

fn number(n: usize) -> u64 {
    (0..n).fold((0, 1), |(a, b), _| (b, a + b)).0
}

fn fib(n: usize) -> u64 {
    if n < 2 {
        return n as u64;
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

impl Problem for Fib {
    const NAME: &'static str = "fib";
    const VARIANTS: &'static [&'static str] = &["join"];
    type Answer = u64;

    fn new(args: &Arguments) -> Self {
        Fib { n: args.size_or(36, 30) }
    }
    fn rehearsal(&self) -> Self {
        Fib { n: self.n.min(24) }
    }
    fn solve(&mut self) -> u64 {
        fib(self.n)
    }
    fn wrong(&self, answer: &u64) -> String {
        compare(answer, &number(self.n))
    }
    fn metrics(&self, seconds: f64, _: &u64) -> Vec<Metric> {
        let spawns = (number(self.n + 1) - 1) as f64;
        vec![metric("time-per-spawn", "ns", seconds * 1e9 / spawns)]
    }
}
