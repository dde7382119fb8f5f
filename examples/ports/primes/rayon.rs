// SPDX-License-Identifier: Apache-2.0
use rayon::prelude::*;

const LIMIT: i64 = 100_000;

fn is_prime(n: &i64) -> bool {
    let n = *n;
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| n % d != 0)
}

fn main() {
    // Filter:
    let primes: Vec<i64> = (0..LIMIT).into_par_iter().filter(is_prime).collect();
    let sum: i64 = primes.par_iter().sum();
    let found = (LIMIT / 2..LIMIT).into_par_iter().find_first(is_prime);
    // end
    println!(
        "{} primes, sum {}, first above half of the limit {}",
        primes.len(),
        sum,
        found.unwrap_or(-1)
    );
}
