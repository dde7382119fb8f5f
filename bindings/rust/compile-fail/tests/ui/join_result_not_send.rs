// SPDX-License-Identifier: Apache-2.0
use std::rc::Rc;

fn main() {
    let (_a, _b) = kasuri::join(|| Rc::new(1), || 2);
}
