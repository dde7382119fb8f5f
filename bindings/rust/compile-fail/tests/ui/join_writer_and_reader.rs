// SPDX-License-Identifier: Apache-2.0
fn main() {
    let mut v = vec![1, 2, 3];
    kasuri::join(|| v.push(4), || println!("{}", v.len()));
}
