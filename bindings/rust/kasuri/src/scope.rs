// SPDX-License-Identifier: Apache-2.0
use crate::loops::run_loop;
use std::marker::PhantomData;
use std::sync::Mutex;

type Task<'scope> = Box<dyn FnOnce(&Scope<'scope>) + Send + 'scope>;

/// What tasks are spawned into: see [`scope`].
pub struct Scope<'scope> {
    tasks: Mutex<Vec<Task<'scope>>>,
    // 'scope may be neither lengthened nor shortened: tasks refer to what lives exactly so long.
    _invariant: PhantomData<fn(&'scope ()) -> &'scope ()>,
}

/// Calls `f`, runs all tasks that it has spawned, and returns what it returned.
///
/// Tasks may refer to what lives outside of the scope, and may spawn more. They begin when the
/// closure that spawned them has returned, at the same time, in no promised order, and must not wait for
/// each other. To have something run beside the closure, [`join`](crate::join) the two.
///
/// If `f` panics, none of its tasks runs. If a task panics, those that have not begun do not run,
/// and the call panics with the same payload once the others have ended.
///
/// ```
/// let mut parts = vec![0; 4];
/// kasuri::scope(|s| {
///     for (i, part) in parts.iter_mut().enumerate() {
///         s.spawn(move |_| *part = i * i);
///     }
/// });
/// assert_eq!(parts, [0, 1, 4, 9]);
/// ```
pub fn scope<'scope, F, R>(f: F) -> R
where
    F: FnOnce(&Scope<'scope>) -> R,
{
    let scope = Scope::new();
    let result = f(&scope);
    scope.run();
    result
}

impl<'scope> Scope<'scope> {
    fn new() -> Self {
        Scope { tasks: Mutex::new(Vec::new()), _invariant: PhantomData }
    }

    /// Has `task` run before the call of [`scope`] returns. It is given a scope for tasks of its
    /// own.
    pub fn spawn<F>(&self, task: F)
    where
        F: FnOnce(&Scope<'scope>) + Send + 'scope,
    {
        let mut tasks = self.tasks.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        tasks.push(Box::new(task));
    }

    fn run(self) {
        let tasks = self.tasks.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        if tasks.is_empty() {
            return;
        }
        let slots: Vec<_> = tasks.into_iter().map(|task| Mutex::new(Some(task))).collect();
        run_loop(0..slots.len(), 1, &|i| {
            let task = slots[i].lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
            let inner = Scope::new();
            task.expect("each index comes once")(&inner);
            inner.run();
        });
    }
}
