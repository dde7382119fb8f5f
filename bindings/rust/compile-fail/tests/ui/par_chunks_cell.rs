// SPDX-License-Identifier: Apache-2.0
use std::cell::Cell;

fn main() {
    let v = vec![Cell::new(0); 2];
    kasuri::par_chunks(&v, 1, |k, chunk| chunk[0].set(k));
}
