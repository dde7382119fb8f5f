// SPDX-License-Identifier: Apache-2.0
use std::rc::Rc;

fn main() {
    kasuri::par_reduce(0..10, || Rc::new(0), Rc::new, |a, _| a);
}
