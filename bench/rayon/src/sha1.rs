// SPDX-License-Identifier: Apache-2.0
//! SHA-1 (FIPS 180-4, section 6.1) of one block of at most 55 bytes: uts/sha1.hpp again.

pub type Digest = [u8; 20];

const INITIAL: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];

/// Word t of the message schedule, kept in the last sixteen words.
#[inline(always)]
fn word(words: &mut [u32; 16], t: usize) -> u32 {
    if t >= 16 {
        let old = words[(t + 8) % 16] ^ words[(t + 2) % 16] ^ words[t % 16];
        words[t % 16] = (words[(t + 13) % 16] ^ old).rotate_left(1);
    }
    words[t % 16]
}

/// f_t and K_t.
#[inline(always)]
fn mix(t: usize, b: u32, c: u32, d: u32) -> u32 {
    let (f, k) = match t {
        0..=19 => ((b & c) | (!b & d), 0x5a827999),
        20..=39 => (b ^ c ^ d, 0x6ed9eba1),
        40..=59 => ((b & c) | (b & d) | (c & d), 0x8f1bbcdc),
        _ => (b ^ c ^ d, 0xca62c1d6u32),
    };
    f.wrapping_add(k)
}

pub fn sha1(message: &[u8]) -> Digest {
    let mut bytes = [0u8; 64];
    bytes[..message.len()].copy_from_slice(message);
    bytes[message.len()] = 0x80;
    bytes[56..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
    let mut words = [0u32; 16];
    for (word, four) in words.iter_mut().zip(bytes.chunks_exact(4)) {
        *word = u32::from_be_bytes([four[0], four[1], four[2], four[3]]);
    }

    let [mut a, mut b, mut c, mut d, mut e] = INITIAL;
    for t in 0..80 {
        let next = a
            .rotate_left(5)
            .wrapping_add(mix(t, b, c, d))
            .wrapping_add(e)
            .wrapping_add(word(&mut words, t));
        (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
    }

    let mut digest = [0u8; 20];
    for (i, (start, end)) in INITIAL.iter().zip([a, b, c, d, e]).enumerate() {
        digest[4 * i..4 * i + 4].copy_from_slice(&start.wrapping_add(end).to_be_bytes());
    }
    digest
}
