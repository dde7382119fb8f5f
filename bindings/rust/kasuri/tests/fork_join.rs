// SPDX-License-Identifier: Apache-2.0
//! What the crate promises: results, panics, and that each closure stays on its OS thread.
use std::cell::{Cell, RefCell};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

extern "C" {
    fn gettid() -> std::ffi::c_int;
}

/// The kernel's number of the OS thread. The compiler may take what a thread-local says before a call for
/// what it says behind it.
fn os_thread() -> i32 {
    unsafe { gettid() }
}

thread_local! {
    static HELD: RefCell<Vec<Rc<u32>>> = const { RefCell::new(Vec::new()) };
    static OPEN: Cell<usize> = const { Cell::new(0) };
}

fn add(to: &AtomicUsize, n: usize) {
    to.fetch_add(n, Relaxed);
}

/// Computes fib(n), and finds out after every wait whether it is still on the thread that it began on:
/// by the thread's number, and by an Rc that lies both here and in a thread-local.
fn fib(n: u32, moved: &AtomicUsize) -> u64 {
    if n < 2 {
        // Long enough for others to take something meanwhile, so that who forked has to wait.
        thread::sleep(std::time::Duration::from_micros(20));
        return n.into();
    }
    let here = os_thread();
    let mine = Rc::new(n);
    HELD.with(|held| held.borrow_mut().push(mine.clone()));
    OPEN.with(|open| open.set(open.get() + 1));
    let (a, b) = kasuri::join(|| fib(n - 1, moved), || fib(n - 2, moved));
    let found = HELD.with(|held| {
        let mut held = held.borrow_mut();
        let at = held.iter().position(|other| Rc::ptr_eq(other, &mine));
        at.map(|at| held.swap_remove(at)).is_some()
    });
    OPEN.with(|open| open.set(open.get() - 1));
    if os_thread() != here || !found || Rc::strong_count(&mine) != 1 {
        moved.fetch_add(1, Relaxed);
    }
    a + b
}

#[test]
fn join_stays_on_its_thread() {
    let moved = AtomicUsize::new(0);
    for _ in 0..20 {
        assert_eq!(fib(10, &moved), 55);
    }
    assert_eq!(moved.into_inner(), 0);
}

#[test]
fn join_from_many_threads() {
    let moved = AtomicUsize::new(0);
    thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| assert_eq!(fib(9, &moved), 34));
        }
    });
    assert_eq!(moved.into_inner(), 0);
}

#[test]
fn loops_inside_of_loops_stay_too() {
    let (moved, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
    kasuri::par_for(0..64, |_| {
        let here = os_thread();
        kasuri::par_for(0..64, |_| {
            let inner = os_thread();
            kasuri::join(|| thread::yield_now(), || thread::yield_now());
            moved.fetch_add((os_thread() != inner) as usize, Relaxed);
            calls.fetch_add(1, Relaxed);
        });
        moved.fetch_add((os_thread() != here) as usize, Relaxed);
    });
    assert_eq!((calls.into_inner(), moved.into_inner()), (64 * 64, 0));
}

#[test]
fn results_and_borrows() {
    let words = ["one".to_string(), "two".to_string()];
    let (a, b) = kasuri::join(|| words[0].len(), || words[1].clone());
    assert_eq!((a, b.as_str()), (3, "two"));
    let mut v: Vec<u32> = (0..10_000).rev().collect();
    fn sort(v: &mut [u32]) {
        if v.len() <= 32 {
            return v.sort_unstable();
        }
        let middle = v.len() / 2;
        v.select_nth_unstable(middle);
        let (low, high) = v.split_at_mut(middle);
        kasuri::join(|| sort(low), || sort(high));
    }
    sort(&mut v);
    assert!(v.iter().enumerate().all(|(i, x)| i == *x as usize));
}

fn payload<R>(f: impl FnOnce() -> R) -> String {
    let error = catch_unwind(AssertUnwindSafe(f)).err().expect("a panic");
    match error.downcast::<&str>() {
        Ok(text) => text.to_string(),
        Err(error) => *error.downcast::<String>().expect("a text"),
    }
}

#[test]
fn panics_come_out_of_the_call() {
    let ran = AtomicUsize::new(0);
    let ran_one = || add(&ran, 1);
    assert_eq!(payload(|| kasuri::join(|| panic!("first"), ran_one)), "first");
    assert_eq!(payload(|| kasuri::join(ran_one, || panic!("second"))), "second");
    assert_eq!(ran.load(Relaxed), 2);
    let both = || kasuri::join(|| panic!("first"), || panic!("second"));
    assert_eq!(payload(both), "first");
    assert_eq!(payload(|| kasuri::par_for(0..100, |i| assert!(i != 50, "fifty"))), "fifty");
    let deep = || kasuri::join(|| (), || kasuri::join(|| (), || kasuri::par_for(0..1, |_| panic!("deep"))));
    assert_eq!(payload(deep), "deep");
    assert_eq!(kasuri::join(|| 1, || 2), (1, 2));
}

#[test]
fn drops_each_value_once() {
    static ALIVE: AtomicUsize = AtomicUsize::new(0);
    struct Counted;
    impl Counted {
        fn new() -> Self {
            ALIVE.fetch_add(1, Relaxed);
            Counted
        }
    }
    impl Drop for Counted {
        fn drop(&mut self) {
            ALIVE.fetch_sub(1, Relaxed);
        }
    }
    for _ in 0..100 {
        let (in_a, in_b) = (Counted::new(), Counted::new());
        let results = kasuri::join(
            move || {
                let _moved = in_a;
                Counted::new()
            },
            move || {
                let _moved = in_b;
                Counted::new()
            },
        );
        assert_eq!(ALIVE.load(Relaxed), 2);
        drop(results);
        let thrown = Counted::new();
        let held = Counted::new();
        let failed = catch_unwind(AssertUnwindSafe(|| {
            kasuri::join(move || std::panic::panic_any(thrown), move || held)
        }));
        assert_eq!(ALIVE.load(Relaxed), 1);
        drop(failed);
        assert_eq!(ALIVE.load(Relaxed), 0);
    }
}

#[test]
fn scopes_run_all_tasks_and_theirs() {
    let count = AtomicUsize::new(0);
    let result = kasuri::scope(|s| {
        for _ in 0..50 {
            s.spawn(|s| {
                for _ in 0..10 {
                    s.spawn(|_| add(&count, 1));
                }
                count.fetch_add(1, Relaxed);
            });
        }
        "result"
    });
    assert_eq!((result, count.load(Relaxed)), ("result", 550));
    assert_eq!(payload(|| kasuri::scope(|s| s.spawn(|_| panic!("task")))), "task");
    let not_run = || {
        kasuri::scope(|s| {
            s.spawn(|_| add(&count, 1));
            panic!("closure")
        })
    };
    assert_eq!(payload(not_run), "closure");
    assert_eq!(count.load(Relaxed), 550);
    assert_eq!(kasuri::scope(|_| 1), 1);
}

#[test]
fn chunks_cover_the_slice() {
    for length in [0, 1, 63, 64, 65, 1000] {
        let mut v = vec![0usize; length];
        kasuri::par_chunks_mut(&mut v, 64, |k, chunk| {
            for (i, x) in chunk.iter_mut().enumerate() {
                *x += k * 64 + i + 1;
            }
        });
        assert!(v.iter().enumerate().all(|(i, x)| i + 1 == *x));
        let sum = AtomicUsize::new(0);
        kasuri::par_chunks(&v, 7, |_, chunk| add(&sum, chunk.iter().sum()));
        assert_eq!(sum.into_inner(), length * (length + 1) / 2);
    }
    assert!(payload(|| kasuri::par_chunks(&[1], 0, |_, _| ())).contains("size = 0"));
}

#[test]
fn reductions_are_the_same_each_time() {
    let sum = || kasuri::par_reduce(0..100_000, || 0.0, |i| 1.0 / (i + 1) as f64, |a, b| a + b);
    let first = sum();
    assert!((0..20).all(|_| sum().to_bits() == first.to_bits()));
    assert_eq!(kasuri::par_reduce(5..5, || 7, |_| 1, |a, b| a + b), 7);
    let text = kasuri::par_reduce(0..100, String::new, |i| i.to_string(), |a, b| a + &b);
    assert_eq!(text, (0..100).map(|i| i.to_string()).collect::<String>());
}

#[test]
fn refusals_are_errors() {
    assert!(kasuri::num_workers() >= 1);
    assert_eq!(kasuri::worker(), None);
    assert!(kasuri::join(kasuri::worker, || ()).0.is_some());
    let error = kasuri::init(1).unwrap_err(); // it runs
    assert!(error.to_string().starts_with("kasuri::init: "), "{error}");
    assert_eq!(kasuri::init(0).unwrap_err().code(), kasuri_sys::KASURI_ERROR_INVALID);
    let inside = kasuri::join(kasuri::finalize, || ()).0;
    assert_eq!(inside.unwrap_err().code(), kasuri_sys::KASURI_ERROR_STATE);
}
