// SPDX-License-Identifier: Apache-2.0
fn main() {
    let mut n = 0;
    kasuri::join(|| n += 1, || n += 1);
}
