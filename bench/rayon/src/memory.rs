// SPDX-License-Identifier: Apache-2.0
//! How far the resident memory of this process rises: common/memory.hpp again.

use std::fs;

#[derive(Clone, Default)]
pub struct Growth {
    before: f64,
}

impl Growth {
    /// Counts from here: proc(5), clear_refs 5 forgets the peak reached so far.
    pub fn start(&mut self) {
        fs::write("/proc/self/clear_refs", "5\n")
            .expect("/proc/self/clear_refs cannot be written: peak memory cannot be measured");
        self.before = status_bytes("VmRSS:");
    }

    pub fn bytes(&self) -> f64 {
        (status_bytes("VmHWM:") - self.before).max(0.0)
    }
}

fn status_bytes(field: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").expect("/proc/self/status");
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix(field))
        .and_then(|rest| rest.split_whitespace().next())
        .and_then(|number| number.parse::<f64>().ok());
    kib.expect("a memory line in /proc/self/status") * 1024.0
}
