// SPDX-License-Identifier: Apache-2.0

use crate::clock::ticks;
use crate::frame::{compare, metric, Arguments, Metric, Problem};

pub struct Bin {
    cycles: u64,
    rounds: usize,
    n: usize,
    workers: usize,
}

fn consume(cycles: u64) {
    let start = ticks();
    while ticks().wrapping_sub(start) < cycles {}
}

/// In times that A was consumed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Units {
    work: u64,
    span: u64,
}

fn tree(cycles: u64, rounds: usize, n: usize) -> Units {
    consume(cycles);
    let mut used = Units { work: 1, span: 1 };
    if n == 0 {
        return used;
    }
    for _ in 0..rounds {
        let half = || tree(cycles, rounds, n - 1);
        let (a, b) = rayon::join(half, half);
        consume(cycles);
        used.work += a.work + b.work + 1;
        used.span += a.span.max(b.span) + 1;
    }
    used
}

impl Bin {
    /// The solutions in bin/problem.hpp.
    fn formula(&self) -> Units {
        let (k, n) = (self.rounds as u64, self.n as u32);
        let work = (3 * k * (2 * k).pow(n) - (k + 1)) / (2 * k - 1);
        let span =
            if k == 1 { 2 * u64::from(n) + 1 } else { (2 * k.pow(n + 1) - (k + 1)) / (k - 1) };
        Units { work, span }
    }
}

impl Problem for Bin {
    const NAME: &'static str = "bin";
    const VARIANTS: &'static [&'static str] = &["join"];
    const INPUTS: &'static [&'static str] = &["A=750,K=2", "A=23000,K=1"];
    type Answer = Units;

    fn new(args: &Arguments) -> Self {
        let workers = args.workers;
        if args.input == Self::INPUTS[0] {
            Bin { cycles: 750, rounds: 2, n: args.size_or(10, 7), workers }
        } else {
            Bin { cycles: 23000, rounds: 1, n: args.size_or(18, 13), workers }
        }
    }
    fn rehearsal(&self) -> Self {
        Bin { n: self.n.min(4), ..*self }
    }
    fn solve(&mut self) -> Units {
        tree(self.cycles, self.rounds, self.n)
    }
    fn wrong(&self, used: &Units) -> String {
        compare(used, &self.formula())
    }
    fn metrics(&self, seconds: f64, used: &Units) -> Vec<Metric> {
        let (work, span, formula) = (used.work as f64, used.span as f64, self.formula());
        vec![
            metric("time", "s", seconds),
            metric("T1", "units", work),
            metric("Tinf", "units", span),
            metric("T1-formula", "units", formula.work as f64),
            metric("Tinf-formula", "units", formula.span as f64),
            metric("greedy-bound", "x", work / (work / self.workers as f64 + span)),
        ]
    }
}
