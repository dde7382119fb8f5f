// SPDX-License-Identifier: Apache-2.0
//! create-scale, latency and diffuse: what needs a task on every worker at once
//! (common/every_worker.hpp).

use crate::clock::{measure_turn, ns_per_tick, ticks, Cost, Protocol};
use crate::empty::{create_loop, empty_task};
use crate::frame::{compare, metric, Arguments, Metric, Problem};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;

const NOT_APPLICABLE: i32 = 77;

fn need_two(name: &str, args: &Arguments) {
    if args.workers < 2 {
        eprintln!("{name}: needs two workers");
        std::process::exit(NOT_APPLICABLE);
    }
}

/// A binary tree with the leaves begin to end - 1; leaf(i) keeps its worker busy.
fn tree_of_leaves<L: Fn(usize) + Sync>(begin: usize, end: usize, leaf: &L) {
    if end - begin == 1 {
        return leaf(begin);
    }
    let middle = begin + (end - begin) / 2;
    rayon::join(
        || tree_of_leaves(middle, end, leaf),
        || tree_of_leaves(begin, middle, leaf),
    );
}

/// Spins; where there are fewer processors than workers, others get theirs.
fn spin_until(done: impl Fn() -> bool) {
    let mut turn = 1;
    while !done() {
        if turn % 4096 == 0 {
            std::thread::yield_now();
        }
        turn += 1;
    }
}

pub struct CreateScale {
    workers: usize,
    how: (usize, usize, usize),
    counted: bool,
    seen: Mutex<Vec<Cost>>,
}

impl Problem for CreateScale {
    const NAME: &'static str = "create-scale";
    const VARIANTS: &'static [&'static str] = &["join"];
    type Answer = usize;

    fn new(args: &Arguments) -> Self {
        let (repetitions, dropped) = if args.quick { (11, 2) } else { (31, 5) };
        let how = (args.size_or(1000, 500), repetitions, dropped);
        CreateScale { workers: args.workers, how, counted: false, seen: Mutex::default() }
    }
    fn rehearsal(&self) -> Self {
        let seen = Mutex::default();
        CreateScale { workers: self.workers, how: (100, 2, 1), counted: true, seen }
    }
    fn solve(&mut self) -> usize {
        let (missing, ran) = (AtomicUsize::new(self.workers), AtomicUsize::new(0));
        let (turns, repetitions, dropped) = self.how;
        let how = Protocol { turns, repetitions, dropped };
        let (seen, counted) = (&self.seen, self.counted);
        seen.lock().unwrap().clear();
        tree_of_leaves(0, self.workers, &|_| {
            missing.fetch_sub(1, Ordering::AcqRel); // pairs with the load below
            spin_until(|| missing.load(Ordering::Acquire) == 0); // pairs with the line above
            let cost = if counted {
                let task = || _ = ran.fetch_add(1, Ordering::Relaxed);
                measure_turn(&how, |turns| create_loop(turns, task))
            } else {
                measure_turn(&how, |turns| create_loop(turns, empty_task))
            };
            seen.lock().unwrap().push(cost);
        });
        ran.into_inner()
    }
    fn wrong(&self, ran: &usize) -> String {
        let (turns, repetitions, _) = self.how;
        compare(ran, &if self.counted { self.workers * turns * repetitions } else { 0 })
    }
    fn metrics(&self, _: f64, _: &usize) -> Vec<Metric> {
        let seen = self.seen.lock().unwrap();
        let mean = |of: fn(&Cost) -> f64| seen.iter().map(of).sum::<f64>() / seen.len() as f64;
        let slowest = seen.iter().map(|c| c.cycles).fold(0.0, f64::max);
        vec![
            metric("cycles-per-task", "cycles", mean(|c| c.cycles)),
            metric("time-per-task", "ns", mean(|c| c.ns)),
            metric("cycles-of-slowest", "cycles", slowest),
        ]
    }
}

pub struct Latency {
    samples: usize,
    dropped: usize,
    tick: f64,
}

fn begin(own: &AtomicBool, other: &AtomicBool) -> u64 {
    let at = ticks();
    own.store(true, Ordering::Relaxed); // nothing else is handed over
    spin_until(|| other.load(Ordering::Relaxed));
    at
}

fn middle(values: impl Iterator<Item = i64>) -> f64 {
    let mut sorted: Vec<i64> = values.collect();
    sorted.sort_unstable();
    sorted[sorted.len() / 2] as f64
}

impl Problem for Latency {
    const NAME: &'static str = "latency";
    const VARIANTS: &'static [&'static str] = &["join"];
    /// Ticks of child and parent.
    type Answer = Vec<(i64, i64)>;

    fn new(args: &Arguments) -> Self {
        need_two(Self::NAME, args);
        let samples = args.size_or(10_000, 1_000);
        Latency { samples, dropped: samples / 10, tick: ns_per_tick() }
    }
    fn rehearsal(&self) -> Self {
        Latency { samples: self.samples.min(20), dropped: 0, tick: self.tick }
    }
    fn solve(&mut self) -> Self::Answer {
        let once = |_| {
            let (parent, child) = (AtomicBool::new(false), AtomicBool::new(false));
            let start = ticks();
            let (of_parent, of_child) =
                rayon::join(|| begin(&parent, &child), || begin(&child, &parent));
            (of_child.wrapping_sub(start) as i64, of_parent.wrapping_sub(start) as i64)
        };
        (0..self.samples).map(once).collect()
    }
    fn wrong(&self, seen: &Self::Answer) -> String {
        let backward = seen.iter().any(|&(child, parent)| child < -1000 || parent < 0);
        if backward { "a task began before its spawn".into() } else { String::new() }
    }
    fn metrics(&self, _: f64, seen: &Self::Answer) -> Vec<Metric> {
        let kept = &seen[self.dropped..];
        let child = middle(kept.iter().map(|s| s.0));
        let parent = middle(kept.iter().map(|s| s.1));
        let later = middle(kept.iter().map(|s| s.0.max(s.1)));
        vec![
            metric("child", "cycles", child),
            metric("parent", "cycles", parent),
            metric("later", "cycles", later),
            metric("child-time", "ns", child * self.tick),
            metric("parent-time", "ns", parent * self.tick),
            metric("later-time", "ns", later * self.tick),
        ]
    }
}

pub struct Diffuse {
    workers: usize,
    trials: usize,
    tick: f64,
}

impl Problem for Diffuse {
    const NAME: &'static str = "diffuse";
    const VARIANTS: &'static [&'static str] = &["join"];
    type Answer = Vec<Vec<f64>>;

    fn new(args: &Arguments) -> Self {
        need_two(Self::NAME, args);
        Diffuse { workers: args.workers, trials: args.size_or(30, 10), tick: ns_per_tick() }
    }
    fn rehearsal(&self) -> Self {
        Diffuse { trials: 2, ..*self }
    }
    fn solve(&mut self) -> Self::Answer {
        let length = (5e6 / self.tick) as u64;
        let trial = |_| {
            let seen = Mutex::new(Vec::new());
            let root = ticks();
            tree_of_leaves(0, self.workers, &|_| {
                let begun = ticks();
                seen.lock().unwrap().push(begun.wrapping_sub(root) as f64 * self.tick * 1e-3);
                while ticks().wrapping_sub(begun) < length {}
            });
            let mut starts = seen.into_inner().unwrap();
            starts.sort_by(f64::total_cmp);
            starts
        };
        (0..self.trials).map(trial).collect()
    }
    fn wrong(&self, seen: &Self::Answer) -> String {
        let complete = seen.iter().all(|trial| trial.len() == self.workers && trial[0] > 0.0);
        if complete { String::new() } else { "leaves are missing".into() }
    }
    fn metrics(&self, _: f64, seen: &Self::Answer) -> Vec<Metric> {
        let start = |(rank, us): (usize, &f64)| metric(&format!("start-{}", rank + 1), "us", *us);
        seen.iter().flat_map(|trial| trial.iter().enumerate().map(start)).collect()
    }
}
