// SPDX-License-Identifier: Apache-2.0
//! sort/elements.hpp again: keys, strings, records, and the order in which they lie before.

use std::cmp::Ordering;

/// The generator of sort/keys.hpp.
pub struct Draws(u64);

impl Draws {
    pub fn new() -> Self {
        Draws(42)
    }
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 32) as u32
    }
    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }
}

pub trait Element: Ord + Clone + Default + Send + Sync {
    fn draw(random: &mut Draws) -> Self;
    fn fingerprint(&self) -> u64;
    fn set_place(&mut self, _place: u32) {}
    /// Whether this one lay behind its equal `other`, as far as one can tell.
    fn is_behind(&self, _other: &Self) -> bool {
        false
    }
}

impl Element for u32 {
    fn draw(random: &mut Draws) -> Self {
        random.next()
    }
    fn fingerprint(&self) -> u64 {
        u64::from(*self).wrapping_mul(u64::from(*self)).wrapping_add(u64::from(*self))
    }
}

impl Element for String {
    fn draw(random: &mut Draws) -> Self {
        let length = 8 + random.below(33);
        (0..length).map(|_| char::from(b'a' + random.below(26) as u8)).collect()
    }
    fn fingerprint(&self) -> u64 {
        self.bytes().fold(0, |mixed: u64, c| mixed.wrapping_mul(31).wrapping_add(u64::from(c)))
    }
}

/// 64 bytes, compared by the key.
#[derive(Clone, Default)]
pub struct Record {
    key: u32,
    place: u32,
    load: [u64; 7],
}

impl Ord for Record {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}
impl PartialOrd for Record {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl Eq for Record {}

impl Element for Record {
    fn draw(random: &mut Draws) -> Self {
        let key = random.next() >> 12;
        Record { key, place: 0, load: [u64::from(key); 7] }
    }
    fn fingerprint(&self) -> u64 {
        let start =
            self.key.fingerprint().wrapping_mul(31).wrapping_add(u64::from(self.place));
        self.load.iter().fold(start, |mixed, word| mixed.wrapping_mul(31).wrapping_add(*word))
    }
    fn set_place(&mut self, place: u32) {
        self.place = place;
    }
    fn is_behind(&self, other: &Self) -> bool {
        self.key == other.key && self.place > other.place
    }
}

#[derive(Clone, Copy, PartialEq)]
pub enum Arrangement {
    Random,
    Sorted,
    Almost,
    Few,
}

pub fn arrange<T: Element>(how: Arrangement, random: &mut Draws, piece: &mut [T]) {
    let n = piece.len();
    if how == Arrangement::Few {
        let all: Vec<T> = (0..16).map(|_| T::draw(random)).collect();
        piece.iter_mut().for_each(|element| *element = all[random.below(16)].clone());
    } else {
        piece.iter_mut().for_each(|element| *element = T::draw(random));
    }
    if matches!(how, Arrangement::Sorted | Arrangement::Almost) {
        piece.sort();
    }
    if how == Arrangement::Almost {
        for _ in 0..n / 100 {
            let (one, other) = (random.below(n), random.below(n));
            piece.swap(one, other);
        }
    }
    piece.iter_mut().enumerate().for_each(|(place, element)| element.set_place(place as u32));
}
