// SPDX-License-Identifier: Apache-2.0
// A running program's workers and suspended threads, in words.
//
// Nobody is stopped: what is read here may change, or its stack may be used for something else,
// while we look. All of it is memory that is never unmapped, so the look is safe; a line about a
// thread that has just gone on may be wrong. The sanitizers are told not to watch.

#include <cinttypes>
#include <cstdio>

#include "context/sanitizer.hpp"
#include "context/stack.hpp"
#include "kasuri/runtime.hpp"
#include "record/wait_reason.hpp"
#include "sched/lifetime.hpp"
#include "sched/pool.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace {

using sched::worker;

/// What the thread on `s` waits for; none when nobody waits there.
KASURI_UNINSTRUMENTED record::wait_reason look(const context::stack* s, const void** thread) {
  const auto* w = static_cast<const detail::suspended*>(s->waiting);
  *thread = w;
  return w == nullptr ? record::wait_reason::none : w->reason;
}

struct listing {
  int fd;
  int threads = 0;
};

void list_thread(listing& l, const context::stack* s) {
  const void* thread;
  const record::wait_reason reason = look(s, &thread);
  if (thread == nullptr) return;
  ++l.threads;
  const std::string_view words = record::name(reason);
  dprintf(l.fd, "kasuri: thread %p: %.*s\n", thread, static_cast<int>(words.size()), words.data());
}

const char* state_of(const worker& w) {
  if (!w.has_thread.load(std::memory_order_relaxed)) return "no thread";
  if (w.asleep.load(std::memory_order_relaxed) == sched::flag::dozing) return "asleep";
  return w.busy.load(std::memory_order_relaxed) ? "runs a task" : "looks for work, or is blocked";
}

void list_worker(listing& l, const worker& w) {
  dprintf(l.fd, "kasuri: worker %d (thread %d): %s; %s\n", w.index,
          w.tid.load(std::memory_order_relaxed), state_of(w),
          w.queue.empty() && w.ready.empty() ? "nothing queued" : "tasks queued");
  list_thread(l, &w.native_stack);
}

}  // namespace

void dump(int fd) {
  listing l{fd};
  if (!sched::pool_runs()) {
    dprintf(fd, "kasuri: the pool does not run\n");
    return;
  }
  const sched::pool& p = sched::pool::get();
  const sched::idle_counts c = p.counts();
  dprintf(fd,
          "kasuri: %" PRIu32 " of %" PRIu32 " workers active, %" PRIu32 " of them look for work; %" PRIu32
          " sleep, %" PRIu32 " guests wait to enter\n",
          c.active, c.limit, c.searching, c.sleeping, c.waiting);
  for (int i = 0, n = p.workers(); i != n; ++i) list_worker(l, *p.at(i));
  context::for_each_stack(
      [](context::stack* s, void* arg) { list_thread(*static_cast<listing*>(arg), s); }, &l);
  dprintf(fd, "kasuri: %d threads suspended\n", l.threads);
}

}  // namespace kasuri
