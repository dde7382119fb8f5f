// SPDX-License-Identifier: Apache-2.0
//! Unbalanced tree search on T1: uts/problem.hpp says what it is.

use crate::frame::{compare, metric, Arguments, Metric, Problem};
use crate::sha1::{sha1, Digest};

const ROOT_SEED: u32 = 19;
const BRANCHING: f64 = 4.0;
const MAX_CHILDREN: usize = 100;
const T1_DEPTH: usize = 10;

struct Node {
    state: Digest,
    depth: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    nodes: u64,
    leaves: u64,
    depth: usize,
}

impl Count {
    fn and(self, other: Count) -> Count {
        Count {
            nodes: self.nodes + other.nodes,
            leaves: self.leaves + other.leaves,
            depth: self.depth.max(other.depth),
        }
    }
}

fn root() -> Node {
    let mut message = [0u8; 20];
    message[16..].copy_from_slice(&ROOT_SEED.to_be_bytes());
    Node { state: sha1(&message), depth: 0 }
}

fn child(parent: &Node, index: usize) -> Node {
    let mut message = [0u8; 24];
    message[..20].copy_from_slice(&parent.state);
    message[20..].copy_from_slice(&(index as u32).to_be_bytes());
    Node { state: sha1(&message), depth: parent.depth + 1 }
}

fn children(node: &Node, max_depth: usize) -> usize {
    if node.depth >= max_depth {
        return 0;
    }
    let s = &node.state;
    let random = u32::from_be_bytes([s[16], s[17], s[18], s[19]]) & 0x7fffffff;
    let uniform = f64::from(random) / 2147483648.0;
    let p = 1.0 / (1.0 + BRANCHING);
    let number = ((1.0 - uniform).ln() / (1.0 - p).ln()).floor() as usize;
    number.min(MAX_CHILDREN)
}

fn itself(node: &Node, number: usize) -> Count {
    Count { nodes: 1, leaves: u64::from(number == 0), depth: node.depth }
}

/// Children from `from` on: each a task, spawned while the rest is spawned.
fn search_from(node: &Node, from: usize, to: usize, max_depth: usize) -> Count {
    if from == to {
        return Count { nodes: 0, leaves: 0, depth: 0 };
    }
    let (rest, own) = rayon::join(
        || search_from(node, from + 1, to, max_depth),
        || search(&child(node, from), max_depth),
    );
    rest.and(own)
}

fn search(node: &Node, max_depth: usize) -> Count {
    let number = children(node, max_depth);
    itself(node, number).and(search_from(node, 0, number, max_depth))
}

fn walk(node: &Node, max_depth: usize) -> Count {
    let number = children(node, max_depth);
    (0..number).fold(itself(node, number), |sum, i| sum.and(walk(&child(node, i), max_depth)))
}

fn known(depth: usize) -> Count {
    if depth == T1_DEPTH {
        return Count { nodes: 4130071, leaves: 3305118, depth };
    }
    walk(&root(), depth)
}

pub struct Uts {
    max_depth: usize,
    expected: Count,
}

impl Problem for Uts {
    const NAME: &'static str = "uts";
    const VARIANTS: &'static [&'static str] = &["join"];
    type Answer = Count;

    fn new(args: &Arguments) -> Self {
        let max_depth = args.size_or(T1_DEPTH, 8);
        Uts { max_depth, expected: known(max_depth) }
    }
    fn rehearsal(&self) -> Self {
        let max_depth = self.max_depth.min(5);
        Uts { max_depth, expected: known(max_depth) }
    }
    fn solve(&mut self) -> Count {
        search(&root(), self.max_depth)
    }
    fn wrong(&self, tree: &Count) -> String {
        compare(tree, &self.expected)
    }
    fn metrics(&self, seconds: f64, _: &Count) -> Vec<Metric> {
        vec![metric("time", "s", seconds)]
    }
}
