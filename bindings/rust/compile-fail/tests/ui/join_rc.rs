// SPDX-License-Identifier: Apache-2.0
use std::rc::Rc;

fn main() {
    let one = Rc::new(1);
    let other = one.clone();
    kasuri::join(move || drop(one), move || drop(other));
}
