// SPDX-License-Identifier: Apache-2.0
//! Locals of a closure need not be Send: it stays on its OS thread.
use std::cell::RefCell;
use std::rc::Rc;

thread_local! {
    static HERE: RefCell<Vec<Rc<u32>>> = const { RefCell::new(Vec::new()) };
}

fn main() {
    kasuri::par_for(0..4, |_| {
        let mine = Rc::new(7);
        HERE.with(|here| here.borrow_mut().push(mine.clone()));
        kasuri::join(|| (), || ());
        HERE.with(|here| assert!(here.borrow_mut().pop().is_some()));
    });
}
