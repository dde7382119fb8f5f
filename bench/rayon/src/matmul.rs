// SPDX-License-Identifier: Apache-2.0
//! C = A B by blocks: matmul/problem.hpp again, except that Rust's rules for mutable slices make a
//! task of rows of blocks first and of blocks within each.

use crate::frame::{metric, Arguments, Metric, Problem};
use rayon::prelude::*;

const BLOCK: usize = 64;

pub struct Matmul {
    n: usize,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
}

impl Matmul {
    fn of(n: usize) -> Self {
        let a = (0..n * n).map(|i| (i * 7 % 11) as f64 - 5.0).collect();
        let b = (0..n * n).map(|i| (i * 5 % 13) as f64 - 6.0).collect();
        Matmul { n, a, b, c: vec![0.0; n * n] }
    }

    fn times(&self, matrix: &[f64], x: &[f64]) -> Vec<f64> {
        let row_times = |row: &[f64]| row.iter().zip(x).map(|(m, v)| m * v).sum();
        matrix.chunks(self.n).map(row_times).collect()
    }
}

/// Rows of one block's height, every column: the block's own segments of those rows.
fn multiply_block(
    (a, b, n): (&[f64], &[f64], usize),
    (first_row, column): (usize, usize),
    out: &mut [&mut [f64]],
) {
    for k0 in (0..n).step_by(BLOCK) {
        let k1 = n.min(k0 + BLOCK);
        for (i, segment) in out.iter_mut().enumerate() {
            for k in k0..k1 {
                let factor = a[(first_row + i) * n + k];
                let start = k * n + column;
                let row = &b[start..start + segment.len()];
                for (value, other) in segment.iter_mut().zip(row) {
                    *value += factor * other;
                }
            }
        }
    }
}

/// The blocks side by side in a band of rows, each with its segments of the rows.
fn blocks_of(band: &mut [f64], n: usize) -> Vec<Vec<&mut [f64]>> {
    let mut blocks: Vec<Vec<&mut [f64]>> = (0..n.div_ceil(BLOCK)).map(|_| Vec::new()).collect();
    for row in band.chunks_mut(n) {
        for (block, segment) in blocks.iter_mut().zip(row.chunks_mut(BLOCK)) {
            block.push(segment);
        }
    }
    blocks
}

impl Problem for Matmul {
    const NAME: &'static str = "matmul";
    const VARIANTS: &'static [&'static str] = &["par_chunks"];
    type Answer = ();

    fn new(args: &Arguments) -> Self {
        Matmul::of(args.size_or(1024, 256))
    }
    fn rehearsal(&self) -> Self {
        Matmul::of(self.n.min(128))
    }
    fn prepare(&mut self) {
        self.c.fill(0.0);
    }
    fn solve(&mut self) {
        let Matmul { n, a, b, c } = self;
        let n = *n;
        c.par_chunks_mut(n * BLOCK).enumerate().for_each(|(band, rows)| {
            blocks_of(rows, n).into_par_iter().enumerate().for_each(|(index, mut block)| {
                multiply_block((a, b, n), (band * BLOCK, index * BLOCK), &mut block);
            });
        });
    }
    fn wrong(&self, _: &()) -> String {
        let x: Vec<f64> = (0..self.n).map(|i| (i % 5 + 1) as f64).collect();
        let same = self.times(&self.c, &x) == self.times(&self.a, &self.times(&self.b, &x));
        if same { String::new() } else { "the product is not A B".into() }
    }
    fn metrics(&self, seconds: f64, _: &()) -> Vec<Metric> {
        let operations = 2.0 * (self.n as f64).powi(3);
        vec![metric("time", "s", seconds), metric("rate", "GFLOP/s", operations / seconds * 1e-9)]
    }
}
