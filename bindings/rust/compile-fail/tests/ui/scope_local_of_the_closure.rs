// SPDX-License-Identifier: Apache-2.0
fn main() {
    kasuri::scope(|s| {
        let local = 1;
        s.spawn(|_| println!("{}", &local));
    });
}
