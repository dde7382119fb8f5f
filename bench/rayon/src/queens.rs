// SPDX-License-Identifier: Apache-2.0

use crate::frame::{compare, metric, Arguments, Metric, Problem};

const MAX_N: usize = 16;

/// Sequence A000170 of the On-Line Encyclopedia of Integer Sequences.
const KNOWN: [u64; MAX_N + 1] = [
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512,
];

#[derive(Clone, Copy)]
struct Board {
    n: usize,
    rows: usize,
    column: [i8; MAX_N],
}

impl Board {
    fn safe(&self, next: usize) -> bool {
        let next = next as i8;
        self.column[..self.rows].iter().enumerate().all(|(row, &other)| {
            let distance = (self.rows - row) as i8;
            other != next && other != next - distance && other != next + distance
        })
    }

    fn with(mut self, next: usize) -> Board {
        self.column[self.rows] = next as i8;
        self.rows += 1;
        self
    }
}

/// Every column from `next` on: the first safe one is a task, the rest goes on meanwhile.
fn place_from(board: &Board, next: usize) -> u64 {
    match (next..board.n).find(|&column| board.safe(column)) {
        None => 0,
        Some(column) => {
            let (rest, own) =
                rayon::join(|| place_from(board, column + 1), || place(board, column));
            rest + own
        }
    }
}

fn place(board: &Board, column: usize) -> u64 {
    let placed = board.with(column);
    if placed.rows == placed.n {
        return 1;
    }
    place_from(&placed, 0)
}

pub struct Queens {
    n: usize,
}

impl Problem for Queens {
    const NAME: &'static str = "queens";
    const VARIANTS: &'static [&'static str] = &["join"];
    type Answer = u64;

    fn new(args: &Arguments) -> Self {
        let n = args.size_or(13, 10);
        if n > MAX_N {
            eprintln!("--size={n}: too large; accepted: 1 to {MAX_N}");
            std::process::exit(2);
        }
        Queens { n }
    }
    fn rehearsal(&self) -> Self {
        Queens { n: self.n.min(8) }
    }
    fn solve(&mut self) -> u64 {
        place_from(&Board { n: self.n, rows: 0, column: [0; MAX_N] }, 0)
    }
    fn wrong(&self, solutions: &u64) -> String {
        compare(solutions, &KNOWN[self.n])
    }
    fn metrics(&self, seconds: f64, _: &u64) -> Vec<Metric> {
        vec![metric("time", "s", seconds)]
    }
}
