// SPDX-License-Identifier: Apache-2.0
fn main() {
    let mut kept = None;
    kasuri::scope(|s| kept = Some(s));
}
