// SPDX-License-Identifier: Apache-2.0
fn main() {
    let mut n = 0;
    kasuri::scope(|s| {
        s.spawn(|_| n += 1);
        s.spawn(|_| n += 1);
    });
}
