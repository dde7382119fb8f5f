// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/run.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "cluster/sched/wire/ending.hpp"
#include "cluster/sched/wire/exception_text.hpp"
#include "cluster/transport/call_tree.hpp"
#include "cluster/transport/meet.hpp"
#include "kasuri/detail/atomics.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {

/// The call of the root's closure at rank 0, and its outcome.
struct whole_run::root_call {
  sched_site& at;
  const global::detail::closure_kind& kind;
  void* closure;
  void* result;
  std::exception_ptr error;

  void run() {
    global::detail::fork_chain& chain = at.pool.chain();
    const double high = at.options.adws && at.size > 1 ? at.size : 0;
    const global::detail::owns_for_now everything(chain, 0, high);
    const global::detail::runs_given it(chain, coherence::root_task);
    try {
      kind.run(closure, result);
    } catch (...) {
      error = std::current_exception();
    }
  }
};

void whole_run::run(const global::detail::closure_kind& kind, void* closure, void* result) {
  KASURI_EXPECT(cheap, !goes_on() && running_.load(std::memory_order_relaxed) == 0,
                "run %llu begins, and the one before has %d closures here",
                static_cast<unsigned long long>(number() + 1),
                running_.load(std::memory_order_relaxed));
  runs_.fetch_add(1, std::memory_order_relaxed);
  at_.memory.begin_run();  // no task of the last run goes on, none of this one before the next line
  begin_together(kind);
  serves_.store(true, std::memory_order_relaxed);
  root_call root{at_, kind, closure, result, nullptr};
  std::vector<std::byte> outcome;
  if (at_.rank == 0) {
    // Rank 0 runs the root as a task.
    at_.pool.enter([](void* r) { static_cast<root_call*>(r)->run(); }, &root);
  } else {
    serve();
    outcome = at_.net.calls().take_outcome();  // first of all, since others wait for it
  }
  serves_.store(false, std::memory_order_relaxed);
  wait_for_parts();
  if (at_.rank == 0)
    hand_out(root.error, kind, result);
  else
    take_out(outcome, kind, result);
}

/// All reports have come, but a worker that has made one may be on its way out still.
void whole_run::wait_for_parts() {
  // acquire: pairs with the release of a part
  for (unsigned n = 0; running_.load(std::memory_order_acquire) != 0; ++n)
    kasuri::detail::real_atomics::backoff(n);
}

bool whole_run::is_over() const { return at_.net.calls().has_outcome(); }

/// The caller waits, as a task, while others look for work.
void whole_run::serve() {
  at_.pool.enter(
      [](void* self) {
        static_cast<whole_run*>(self)->at_.pool.block(
            [](void* arg, void* task) noexcept {
              auto& r = *static_cast<whole_run*>(arg);
              // release: pairs with the exchange in wake_server
              r.server_.store(task, std::memory_order_release);
              if (!r.is_over()) return true;
              // acq_rel: pairs with the exchange in wake_server: one of the two wakes the task
              return r.server_.exchange(nullptr, std::memory_order_acq_rel) == nullptr;
            },
            self);
      },
      this);
  KASURI_EXPECT(cheap, is_over() && server_.load(std::memory_order_relaxed) == nullptr,
                "rank %d serves run %llu no more, which is not over", at_.rank,
                static_cast<unsigned long long>(number()));
}

bool whole_run::wake_server() {
  if (server_.load(std::memory_order_relaxed) == nullptr || !is_over()) return false;
  // acq_rel: pairs with the exchange in serve
  void* const task = server_.exchange(nullptr, std::memory_order_acq_rel);
  if (task == nullptr) return false;
  at_.pool.make_ready(task);
  return true;
}

/// All ranks begin the same run. All writes from before it can be read by all from here on.
void whole_run::begin_together(const global::detail::closure_kind& kind) {
  meet(at_.net, {.what = collective_call::kind::run, .sizes = {kind.result_bytes, 0}},
       at_.memory.at_begin());
}

/// Rank 0: all others get the result or what was thrown, and the sight of all that was written.
void whole_run::hand_out(const std::exception_ptr& error, const global::detail::closure_kind& kind,
                         const void* result) {
  if (at_.size == 1) {
    if (error) std::rethrow_exception(error);
    return;
  }
  ending e;
  if (error) {
    e.how = layout::outcome::exception;
    e.content.resize(layout::record_bytes - layout::result_at);
    try {
      std::rethrow_exception(error);
    } catch (...) {
      e.content.resize(write_exception(e.content));
      e.rank = thrown_on(at_.rank);
    }
  } else {
    const auto* const bytes = static_cast<const std::byte*>(result);
    e.content.assign(bytes, bytes + kind.result_bytes);
  }
  at_.memory.tell_at_end(e.told);
  at_.net.calls().hand_down(e.pack());
  if (error) std::rethrow_exception(error);
}

/// The other ranks: what rank 0 hands out.
void whole_run::take_out(std::span<const std::byte> outcome,
                         const global::detail::closure_kind& kind, void* result) {
  const ending e = ending::unpack(outcome);
  at_.memory.learn_at_end(e.told);
  if (e.how == layout::outcome::value) {
    KASURI_EXPECT(cheap, e.content.size() == kind.result_bytes,
                  "the result of run %llu has %zu bytes, the closure's has %u",
                  static_cast<unsigned long long>(number()), e.content.size(), kind.result_bytes);
    std::ranges::copy(e.content, static_cast<std::byte*>(result));
    return;
  }
  std::string type, text;
  read_exception(e.content.data(), static_cast<std::uint32_t>(e.content.size()), type, text);
  throw global::remote_exception(e.rank, type, text);
}

}  // namespace kasuri::cluster
