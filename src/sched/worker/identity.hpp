// SPDX-License-Identifier: Apache-2.0
#pragma once

// The thread-locals of the task that runs on a worker: context/identity.hpp says what an identity
// is, identity.cpp how tasks come to go on away from home.

#include "context/identity.hpp"

namespace kasuri::sched {

struct worker;

/// The task that runs on `w`, the calling thread's worker, has the thread-locals of `i` from here
/// on.
void put_on(worker& w, context::identity& i) noexcept;
/// ... and those of the OS thread again.
void take_off(worker& w) noexcept;
/// ... and those that the code below it on this stack had: `worn`, or null for an OS thread's.
void wear_again(worker& w, context::identity* worn) noexcept;
/// ... and those of the OS thread of `home`, which may be another worker's.
void put_on_native(worker& w, worker& home) noexcept;
/// The address of the calling OS thread's kasuri_current_face: for try_take_identity.
void* face_of_this_thread() noexcept;

}  // namespace kasuri::sched
