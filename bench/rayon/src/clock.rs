// SPDX-License-Identifier: Apache-2.0
//! The cycle counter, and what a turn of a loop costs by the paper's protocol
//! (common/protocol.hpp).

use std::time::{Duration, Instant};

#[cfg(target_arch = "x86_64")]
pub fn ticks() -> u64 {
    // SAFETY: reading the cycle counter has no precondition on x86-64.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// Nanoseconds stand in for cycles where the cycle counter is not ours to read.
#[cfg(not(target_arch = "x86_64"))]
pub fn ticks() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

pub struct Protocol {
    pub turns: usize,
    pub repetitions: usize,
    pub dropped: usize,
}

#[derive(Clone, Copy, Default)]
pub struct Cost {
    pub cycles: f64,
    pub ns: f64,
}

pub fn measure_turn(how: &Protocol, mut turns: impl FnMut(usize)) -> Cost {
    let (mut first, mut start) = (ticks(), Instant::now());
    for i in 0..how.repetitions {
        if i == how.dropped {
            (first, start) = (ticks(), Instant::now());
        }
        turns(how.turns);
    }
    let cycles = ticks().wrapping_sub(first) as f64;
    let ns = start.elapsed().as_nanos() as f64;
    let all = ((how.repetitions - how.dropped) * how.turns) as f64;
    Cost { cycles: cycles / all, ns: ns / all }
}

/// Nanoseconds that one tick takes here.
pub fn ns_per_tick() -> f64 {
    let (start, first) = (Instant::now(), ticks());
    while start.elapsed() < Duration::from_millis(5) {}
    start.elapsed().as_nanos() as f64 / ticks().wrapping_sub(first) as f64
}
