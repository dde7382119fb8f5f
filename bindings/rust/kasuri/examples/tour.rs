// SPDX-License-Identifier: Apache-2.0
//! The programs of the tutorial's first page in Rust.
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::Mutex;

fn loops() {
    // Loop:
    let mut x = vec![0.0; 1_000_000];
    kasuri::par_chunks_mut(&mut x, 4096, |k, chunk| {
        for (i, x) in chunk.iter_mut().enumerate() {
            *x = ((k * 4096 + i) as f64).sqrt();
        }
    });
    // end
    // Sum:
    let sum = kasuri::par_reduce(0..x.len(), || 0.0, |i| x[i], |a, b| a + b);
    // end
    println!("sum of square roots: {sum:.3}");
    assert!((sum - 666_666_166.459).abs() < 0.01);
}

// Sort:
fn sort<T: Ord + Send>(v: &mut [T]) {
    if v.len() <= 1000 {
        return v.sort_unstable();
    }
    let middle = v.len() / 2;
    let (low, _, high) = v.select_nth_unstable(middle);
    kasuri::join(|| sort(low), || sort(high));
}
// end

fn divisor(n: u64) -> u64 {
    // Scope:
    let found = AtomicU64::new(0);
    kasuri::scope(|s| {
        for start in (2..1000).step_by(100) {
            let found = &found;
            s.spawn(move |_| {
                for d in start..start + 100 {
                    if found.load(Relaxed) != 0 {
                        return; // another task was faster
                    }
                    if n % d == 0 {
                        found.store(d, Relaxed);
                    }
                }
            });
        }
    });
    // end
    found.into_inner()
}

fn panics() -> bool {
    // Panic:
    let result = std::panic::catch_unwind(|| {
        kasuri::scope(|s| s.spawn(|_| panic!("no such file")));
    });
    // end
    result.is_err()
}

fn turns() -> u32 {
    // Mutex:
    let turns = Mutex::new(0);
    kasuri::par_for(0..100, |_| *turns.lock().unwrap() += 1);
    // end
    turns.into_inner().unwrap()
}

fn main() {
    loops();
    let mut v: Vec<u32> = (0..1_000_000u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    sort(&mut v);
    assert!(v.is_sorted());
    let d = divisor(907 * 911);
    println!("a divisor of {}: {d}", 907 * 911);
    assert!(d == 907 || d == 911);
    assert!(panics());
    assert_eq!(turns(), 100);
}
