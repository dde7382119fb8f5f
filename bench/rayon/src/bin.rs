// SPDX-License-Identifier: Apache-2.0

use crate::frame::{compare, metric, Arguments, Metric, Problem};

pub struct Bin {
    cycles: u64,
    rounds: usize,
    n: usize,
}

#[cfg(target_arch = "x86_64")]
fn ticks() -> u64 {
    // SAFETY: reading the cycle counter has no precondition on x86-64.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Nanoseconds stand in for cycles where the cycle counter is not ours to read.
#[cfg(not(target_arch = "x86_64"))]
fn ticks() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

fn consume(cycles: u64) {
    let start = ticks();
    while ticks().wrapping_sub(start) < cycles {}
}

fn tree(cycles: u64, rounds: usize, n: usize) -> u64 {
    consume(cycles);
    if n == 0 {
        return 1;
    }
    let mut calls = 1;
    for _ in 0..rounds {
        let half = || tree(cycles, rounds, n - 1);
        let (a, b) = rayon::join(half, half);
        calls += a + b;
    }
    consume(cycles);
    calls
}

impl Problem for Bin {
    const NAME: &'static str = "bin";
    const VARIANTS: &'static [&'static str] = &["A=750,K=2", "A=23000,K=1"];
    type Answer = u64;

    fn new(args: &Arguments) -> Self {
        if args.variant == Self::VARIANTS[0] {
            Bin { cycles: 750, rounds: 2, n: args.size_or(10, 7) }
        } else {
            Bin { cycles: 23000, rounds: 1, n: args.size_or(18, 13) }
        }
    }
    fn rehearsal(&self) -> Self {
        Bin { n: self.n.min(4), ..*self }
    }
    fn solve(&mut self) -> u64 {
        tree(self.cycles, self.rounds, self.n)
    }
    fn wrong(&self, calls: &u64) -> String {
        let expected = (0..=self.n).fold(0, |sum, _| sum * 2 * self.rounds as u64 + 1);
        compare(calls, &expected)
    }
    fn metrics(&self, seconds: f64, _: &u64) -> Vec<Metric> {
        vec![metric("time", "s", seconds)]
    }
}
