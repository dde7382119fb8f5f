// SPDX-License-Identifier: Apache-2.0
fn fib(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (a, b) = kasuri::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

fn main() {
    let result = fib(32);
    println!("fib(32) = {result} on {} workers", kasuri::num_workers());
    assert_eq!(result, 2_178_309);
}
