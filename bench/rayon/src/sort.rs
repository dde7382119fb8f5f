// SPDX-License-Identifier: Apache-2.0
//! sort/problem.hpp again: the same inputs by the same draws.

use crate::elements::{arrange, Arrangement, Draws, Element, Record};
use crate::frame::{metric, Arguments, Metric, Problem};
use rayon::slice::ParallelSliceMut;

const MOST: usize = 1_000_000_000;

#[derive(Clone, Copy, PartialEq)]
enum Elements {
    Keys,
    Strings,
    Records,
}

/// What an input says.
#[derive(Clone, Copy, Default)]
struct Kind {
    order: Option<Arrangement>,
    elements: Option<Elements>,
    n: Option<usize>,
}

fn set<T>(place: &mut Option<T>, value: T) -> bool {
    place.replace(value).is_none()
}

impl Kind {
    /// False where the word is unknown, or its place is taken.
    fn add(&mut self, word: &str) -> bool {
        match word {
            "random" => set(&mut self.order, Arrangement::Random),
            "almost" => set(&mut self.order, Arrangement::Almost),
            "sorted" => set(&mut self.order, Arrangement::Sorted),
            "few" => set(&mut self.order, Arrangement::Few),
            "strings" => set(&mut self.elements, Elements::Strings),
            "records" => set(&mut self.elements, Elements::Records),
            _ => match word.strip_prefix("n=").map(str::parse) {
                Some(Ok(n)) if !word.contains('+') && n > 0 && n <= MOST => set(&mut self.n, n),
                _ => false,
            },
        }
    }

    fn from(text: &str) -> Option<Kind> {
        let mut read = Kind::default();
        let good = text.is_empty() || text.split(',').all(|word| read.add(word));
        good.then_some(read)
    }
}

/// Pieces of n elements each.
struct Batch<T> {
    n: usize,
    input: Vec<T>,
    data: Vec<T>,
}

impl<T: Element> Batch<T> {
    fn new(order: Arrangement, n: usize, pieces: usize) -> Self {
        let mut random = Draws::new();
        let mut input = vec![T::default(); n * pieces];
        input.chunks_mut(n).for_each(|piece| arrange(order, &mut random, piece));
        Batch { n, input, data: Vec::new() }
    }

    fn sort(&mut self, stable: bool) {
        for piece in self.data.chunks_mut(self.n) {
            if stable {
                piece.par_sort();
            } else {
                piece.par_sort_unstable();
            }
        }
    }

    fn wrong(&self, stable: bool) -> &'static str {
        let sum = |piece: &[T]| {
            piece.iter().fold(0u64, |total, element| total.wrapping_add(element.fingerprint()))
        };
        for (piece, before) in self.data.chunks(self.n).zip(self.input.chunks(self.n)) {
            if !piece.is_sorted() {
                return "the keys are not in order";
            }
            if stable && piece.windows(2).any(|pair| pair[0].is_behind(&pair[1])) {
                return "equal keys changed places";
            }
            if sum(piece) != sum(before) {
                return "keys were lost or changed";
            }
        }
        ""
    }
}

enum All {
    Keys(Batch<u32>),
    Strings(Batch<String>),
    Records(Batch<Record>),
}

pub struct Sort {
    kind: Kind,
    stable: bool,
    n: usize,
    pieces: usize,
    all: All,
}

impl Sort {
    fn of(kind: Kind, stable: bool, n: usize, wanted: usize) -> Self {
        let order = kind.order.unwrap_or(Arrangement::Random);
        let pieces = wanted.max(1);
        let all = match kind.elements.unwrap_or(Elements::Keys) {
            Elements::Keys => All::Keys(Batch::new(order, n, pieces)),
            Elements::Strings => All::Strings(Batch::new(order, n, pieces)),
            Elements::Records => All::Records(Batch::new(order, n, pieces)),
        };
        Sort { kind, stable, n, pieces, all }
    }
}

/// Calls the block with the batch, whatever its elements.
macro_rules! with_batch {
    ($all:expr, $batch:ident => $body:expr) => {
        match $all {
            All::Keys($batch) => $body,
            All::Strings($batch) => $body,
            All::Records($batch) => $body,
        }
    };
}

impl Problem for Sort {
    const NAME: &'static str = "sort";
    const VARIANTS: &'static [&'static str] = &["unstable", "stable"];
    type Answer = ();

    fn accepts(input: &str) -> bool {
        !input.is_empty() && Kind::from(input).is_some()
    }
    fn new(args: &Arguments) -> Self {
        let kind = Kind::from(&args.input).unwrap_or_default();
        if kind.n.is_some() && args.size > 0 {
            eprintln!("sort: --size={}: the input names n; accepted: one of them", args.size);
            std::process::exit(77); // not_applicable of common/arguments.hpp
        }
        let (full, small) =
            if kind.elements.is_some() { (1_000_000, 100_000) } else { (10_000_000, 1_000_000) };
        let n = kind.n.unwrap_or(args.size_or(full, small));
        Sort::of(kind, args.variant == "stable", n, small / n)
    }
    fn rehearsal(&self) -> Self {
        let n = self.n.min(100_000);
        Sort::of(self.kind, self.stable, n, 100_000 / n)
    }
    fn prepare(&mut self) {
        with_batch!(&mut self.all, batch => batch.data.clone_from(&batch.input));
    }
    fn solve(&mut self) {
        with_batch!(&mut self.all, batch => batch.sort(self.stable));
    }
    fn wrong(&self, _: &()) -> String {
        with_batch!(&self.all, batch => batch.wrong(self.stable)).into()
    }
    fn metrics(&self, seconds: f64, _: &()) -> Vec<Metric> {
        vec![metric("time", "s", seconds / self.pieces as f64)]
    }
}
