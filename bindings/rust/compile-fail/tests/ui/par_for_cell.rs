// SPDX-License-Identifier: Apache-2.0
use std::cell::Cell;

fn main() {
    let n = Cell::new(0);
    kasuri::par_for(0..10, |i| n.set(i));
}
