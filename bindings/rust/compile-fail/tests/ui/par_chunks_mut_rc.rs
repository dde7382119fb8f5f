// SPDX-License-Identifier: Apache-2.0
use std::rc::Rc;

fn main() {
    let one = Rc::new(1);
    let mut v = vec![one.clone(), one];
    kasuri::par_chunks_mut(&mut v, 1, |_, chunk| chunk[0] = Rc::new(2));
}
