// SPDX-License-Identifier: Apache-2.0
#pragma once

// Slots: small numbers, each held by one thread that runs tasks.
//
// A worker's index is no such number: every thread that ever called in has an index of its own,
// also while it waits for a token. So a worker takes a slot, the lowest that is free, when the task
// that it runs asks for one, and gives it back before it gives its token back: when it sleeps,
// steps aside, or leaves. A worker whose tasks ask for none pays one look at a field of its own.
//
// There are so many as there are workers and spares. More threads may hold tokens when guests block
// in the system, as each of them lends one. If so many ask for slots at once, the next waits until
// one is free.
//
// Order. Giving back is a release and taking an acquire of the same word: what one holder of a slot
// wrote, the next one sees.

namespace kasuri::sched {

struct worker;

/// How many there are by the present settings.
int most_slots_of_tasks() noexcept;

/// The slot of the calling thread's worker.
int slot_of(worker& w) noexcept;

/// Gives it back, if it has one.
void give_slot_back(worker& w) noexcept;

/// In the child of a fork: all are free but that of `left`, which may be null.
void forget_slots(const worker* left) noexcept;

}  // namespace kasuri::sched
