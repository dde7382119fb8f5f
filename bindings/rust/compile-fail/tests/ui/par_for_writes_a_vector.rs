// SPDX-License-Identifier: Apache-2.0
fn main() {
    let mut v = vec![0; 10];
    kasuri::par_for(0..10, |i| v[i] = i);
}
