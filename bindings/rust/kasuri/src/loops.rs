// SPDX-License-Identifier: Apache-2.0
use crate::call::{expect_success, keep_os_thread, FirstPanic, Job};
use crate::join;
use kasuri_sys as sys;
use std::ffi::c_void;
use std::ops::Range;

struct Loop<'a, F> {
    start: usize,
    body: &'a F,
    panic: FirstPanic,
}

impl<F: Fn(usize) + Sync> Loop<'_, F> {
    /// # Safety
    /// `this` is the address of a `Loop<F>` that lives until this returns.
    unsafe extern "C" fn piece(begin: i64, end: i64, this: *mut c_void) {
        let this = unsafe { &*this.cast::<Self>() };
        let mut job = Job::new(|| {
            this.panic.guard(|| {
                for i in begin..end {
                    (this.body)(this.start + i as usize);
                }
            })
        });
        call_here(&mut job);
    }
}

fn call_here<G: FnOnce() -> R, R>(job: &mut Job<G, R>) {
    // SAFETY: the job lives longer than the call.
    unsafe { Job::<G, R>::call_here(job.address()) };
}

/// Calls `body` for each index of the range once, in parallel.
///
/// Iterations must not wait for each other: several of them run one behind the other. If one
/// panics, the loop ends early, and the call panics with the same payload.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// let sum = AtomicUsize::new(0);
/// kasuri::par_for(0..1000, |i| {
///     sum.fetch_add(i, Ordering::Relaxed);
/// });
/// assert_eq!(sum.into_inner(), 499_500);
/// ```
pub fn par_for<F>(range: Range<usize>, body: F)
where
    F: Fn(usize) + Sync,
{
    run_loop(range, 0, &body);
}

/// `grain`: so many iterations at most in one piece; 0: chosen by demand.
pub(crate) fn run_loop<F>(range: Range<usize>, grain: i64, body: &F)
where
    F: Fn(usize) + Sync,
{
    // A range of a slice or of anything in memory is far below this.
    let length = i64::try_from(range.len()).expect("a loop of more than 2^63 - 1 iterations");
    let all = Loop { start: range.start, body, panic: FirstPanic::new() };
    keep_os_thread(|| {
        // SAFETY: `all` outlives the call, is only shared, and F is Sync.
        expect_success(unsafe {
            sys::kasuri_parallel_for(
                0,
                length,
                grain,
                Some(Loop::<F>::piece),
                (&all as *const Loop<F>).cast_mut().cast(),
            )
        });
    });
    all.panic.resume();
}

/// Calls `body(k, chunk)` for the chunks of `size` elements of the slice, the last of which may be
/// shorter; k counts them.
///
/// # Panics
/// If `size` is 0, or `body` panics.
pub fn par_chunks<T, F>(slice: &[T], size: usize, body: F)
where
    T: Sync,
    F: Fn(usize, &[T]) + Sync,
{
    assert_ne!(size, 0, "par_chunks: size = 0; accepted: at least 1");
    par_for(0..slice.len().div_ceil(size), |k| {
        let begin = k * size;
        body(k, &slice[begin..slice.len().min(begin + size)]);
    });
}

struct Start<T>(*mut T);
// SAFETY: the pointer is used for chunks that do not overlap, each by one thread.
unsafe impl<T: Send> Sync for Start<T> {}
impl<T> Start<T> {
    fn get(&self) -> *mut T {
        self.0
    }
}

/// The same for chunks that are changed.
///
/// ```
/// let mut v = vec![0; 1000];
/// kasuri::par_chunks_mut(&mut v, 64, |k, chunk| {
///     for (i, x) in chunk.iter_mut().enumerate() {
///         *x = k * 64 + i;
///     }
/// });
/// assert!(v.iter().enumerate().all(|(i, x)| i == *x));
/// ```
///
/// # Panics
/// If `size` is 0, or `body` panics.
pub fn par_chunks_mut<T, F>(slice: &mut [T], size: usize, body: F)
where
    T: Send,
    F: Fn(usize, &mut [T]) + Sync,
{
    assert_ne!(size, 0, "par_chunks_mut: size = 0; accepted: at least 1");
    let length = slice.len();
    let start = Start(slice.as_mut_ptr());
    par_for(0..length.div_ceil(size), |k| {
        let begin = k * size;
        let count = size.min(length - begin);
        // SAFETY: each k comes once, and chunks of different k do not overlap; the slice is
        // borrowed until the loop has ended.
        body(k, unsafe { std::slice::from_raw_parts_mut(start.get().add(begin), count) });
    });
}

/// What `op` makes of `map(i)` for all i of the range; `identity()` where it is empty.
///
/// The terms are combined in a tree whose shape depends on the length of the range alone: sums of
/// floating-point numbers are the same at any number of workers.
///
/// ```
/// let sum = kasuri::par_reduce(0..1000, || 0, |i| i * i, |a, b| a + b);
/// assert_eq!(sum, 332_833_500);
/// ```
pub fn par_reduce<T, I, M, O>(range: Range<usize>, identity: I, map: M, op: O) -> T
where
    T: Send,
    I: Fn() -> T + Sync,
    M: Fn(usize) -> T + Sync,
    O: Fn(T, T) -> T + Sync,
{
    // Enough pieces for any number of workers; those of a short range have some work still.
    const PIECES: usize = 1024;
    const SHORTEST: usize = 32;
    let piece = range.len().div_ceil(PIECES).max(SHORTEST);
    reduce(range, piece, &identity, &map, &op)
}

fn reduce<T: Send>(
    range: Range<usize>,
    piece: usize,
    identity: &(impl Fn() -> T + Sync),
    map: &(impl Fn(usize) -> T + Sync),
    op: &(impl Fn(T, T) -> T + Sync),
) -> T {
    if range.len() <= piece {
        return range.fold(identity(), |sum, i| op(sum, map(i)));
    }
    let middle = range.start + range.len() / 2;
    let (left, right) = join(
        || reduce(range.start..middle, piece, identity, map, op),
        || reduce(middle..range.end, piece, identity, map, op),
    );
    op(left, right)
}
