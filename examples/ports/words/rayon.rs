// SPDX-License-Identifier: Apache-2.0
use rayon::prelude::*;
use std::collections::BTreeMap;

type Counts = BTreeMap<String, i64>;

fn lines() -> Vec<String> {
    let parts = ["fork", "join", "steal", "wait", "run", "task"];
    let mut state: u32 = 1;
    (0..20_000)
        .map(|_| {
            let mut line = String::new();
            for _ in 0..8 {
                state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                line += &format!("{}{} ", parts[(state >> 16) as usize % 6], (state >> 24) % 10);
            }
            line
        })
        .collect()
}

fn main() {
    let lines = lines();
    // Count:
    let all: Counts = lines
        .par_iter()
        .fold(Counts::new, |mut mine, line| {
            for word in line.split_whitespace() {
                *mine.entry(word.to_string()).or_insert(0) += 1;
            }
            mine
        })
        .reduce(Counts::new, |mut left, right| {
            for (word, count) in right {
                *left.entry(word).or_insert(0) += count;
            }
            left
        });
    // end
    for (word, count) in all {
        println!("{word} {count}");
    }
}
