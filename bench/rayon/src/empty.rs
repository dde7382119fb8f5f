// SPDX-License-Identifier: Apache-2.0
//! create and flat: empty tasks; the rehearsal's tasks count themselves (common/empty_tasks.hpp).

use crate::clock::{measure_turn, Cost, Protocol};
use crate::frame::{compare, metric, Arguments, Metric, Problem};
use crate::memory::Growth;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Nothing the compiler could leave out.
pub fn empty_task() {
    std::hint::black_box(());
}

pub fn create_loop<T: Fn() + Sync>(n: usize, task: T) {
    for _ in 0..n {
        rayon::join(|| {}, &task);
    }
}

fn flat_loop<T: Fn() + Sync>(n: usize, task: T) {
    rayon::scope(|scope| {
        for _ in 0..n {
            scope.spawn(|_| task());
        }
    });
}

struct Tasks {
    n: usize,
    counted: bool,
}

impl Tasks {
    fn rehearsal(&self) -> Self {
        Tasks { n: self.n.min(10_000), counted: true }
    }
    fn wrong(&self, ran: usize) -> String {
        if self.counted {
            compare(&ran, &self.n)
        } else {
            String::new()
        }
    }
    fn metric(&self, seconds: f64) -> Metric {
        metric("time-per-task", "ns", seconds * 1e9 / self.n as f64)
    }
}

pub struct Create {
    tasks: Tasks,
    by_protocol: Cost,
    ns: f64,
}

impl Create {
    fn of(tasks: Tasks) -> Self {
        Create { tasks, by_protocol: Cost::default(), ns: 0.0 }
    }
}

impl Problem for Create {
    const NAME: &'static str = "create";
    const VARIANTS: &'static [&'static str] = &["join"];
    type Answer = usize;

    fn new(args: &Arguments) -> Self {
        Create::of(Tasks { n: args.size_or(2_000_000, 200_000), counted: false })
    }
    fn rehearsal(&self) -> Self {
        Create::of(self.tasks.rehearsal())
    }
    fn solve(&mut self) -> usize {
        let ran = AtomicUsize::new(0);
        if self.tasks.counted {
            create_loop(self.tasks.n, || _ = ran.fetch_add(1, Ordering::Relaxed));
            return ran.into_inner();
        }
        let how = Protocol { turns: 1000, repetitions: 31, dropped: 5 };
        self.by_protocol = measure_turn(&how, |turns| create_loop(turns, empty_task));
        let start = Instant::now();
        create_loop(self.tasks.n, empty_task);
        self.ns = start.elapsed().as_nanos() as f64 / self.tasks.n as f64;
        0
    }
    fn wrong(&self, ran: &usize) -> String {
        self.tasks.wrong(*ran)
    }
    fn metrics(&self, _: f64, _: &usize) -> Vec<Metric> {
        vec![
            metric("time-per-task", "ns", self.ns),
            metric("cycles-by-protocol", "cycles", self.by_protocol.cycles),
            metric("time-by-protocol", "ns", self.by_protocol.ns),
        ]
    }
}

pub struct Flat {
    tasks: Tasks,
    memory: Growth,
}

impl Problem for Flat {
    const NAME: &'static str = "flat";
    const VARIANTS: &'static [&'static str] = &["scope"];
    type Answer = usize;

    fn new(args: &Arguments) -> Self {
        let tasks = Tasks { n: args.size_or(1_000_000, 100_000), counted: false };
        Flat { tasks, memory: Growth::default() }
    }
    fn rehearsal(&self) -> Self {
        Flat { tasks: self.tasks.rehearsal(), memory: Growth::default() }
    }
    fn prepare(&mut self) {
        self.memory.start();
    }
    fn solve(&mut self) -> usize {
        let ran = AtomicUsize::new(0);
        if self.tasks.counted {
            flat_loop(self.tasks.n, || _ = ran.fetch_add(1, Ordering::Relaxed));
        } else {
            flat_loop(self.tasks.n, empty_task);
        }
        ran.into_inner()
    }
    fn wrong(&self, ran: &usize) -> String {
        self.tasks.wrong(*ran)
    }
    fn metrics(&self, seconds: f64, _: &usize) -> Vec<Metric> {
        vec![self.tasks.metric(seconds), metric("peak-growth", "bytes", self.memory.bytes())]
    }
}
