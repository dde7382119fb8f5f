// SPDX-License-Identifier: Apache-2.0
use std::sync::Mutex;

fn main() {
    let mutex = Mutex::new(0);
    let guard = mutex.lock().unwrap();
    kasuri::join(move || drop(guard), || ());
}
