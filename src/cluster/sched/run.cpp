// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/run.hpp"

#include <array>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "cluster/sched/wire/exception_text.hpp"
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
  if (at_.rank == 0)
    lead(root);
  else
    serve();
  serves_.store(false, std::memory_order_relaxed);
  wait_for_parts();
  if (at_.rank == 0)
    hand_out(root.error, kind, result);
  else
    get_outcome(kind, result);
}

/// Rank 0 runs the root as a task.
void whole_run::lead(root_call& root) {
  at_.pool.enter([](void* r) { static_cast<root_call*>(r)->run(); }, &root);
  tell_end();
}

/// All reports have come, but a worker that has made one may be on its way out still.
void whole_run::wait_for_parts() {
  // acquire: pairs with the release of a part
  for (unsigned n = 0; running_.load(std::memory_order_acquire) != 0; ++n)
    kasuri::detail::real_atomics::backoff(n);
}

bool whole_run::is_over() const {
  const std::uint64_t over = at_.own(layout::over);
  KASURI_EXPECT(cheap, over <= number(), "run %llu is over, and run %llu has not begun here",
                static_cast<unsigned long long>(over),
                static_cast<unsigned long long>(number() + 1));
  return over == number();
}

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

void whole_run::tell_end() {
  for (int i = 1; i < at_.size; ++i) {
    at_.net.store(i, at_.words, layout::over, number());
    at_.net.ring(i);
  }
}

/// All ranks begin the same run. All writes from before it can be read by all from here on.
void whole_run::begin_together(const global::detail::closure_kind& kind) {
  if (!at_.options.memory) return;
  const token mine = at_.memory.release();
  static_assert(sizeof mine <= most_announced);
  std::vector<token> all(static_cast<std::size_t>(at_.size));
  meet(at_.net, {.what = collective_call::kind::run, .sizes = {kind.result_bytes, 0}},
       std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  for (int i = 0; i != at_.size; ++i)
    if (i != at_.rank) at_.memory.acquire(all[static_cast<std::size_t>(i)]);
}

/// Rank 0: all others get the result or what was thrown, and the sight of all that was written.
void whole_run::hand_out(const std::exception_ptr& error, const global::detail::closure_kind& kind,
                         const void* result) {
  alignas(64) std::array<std::byte, layout::record_bytes> record{};
  layout::report head{};
  head.how = error ? layout::outcome::exception : layout::outcome::value;
  if (error) {
    try {
      std::rethrow_exception(error);
    } catch (...) {
      head.bytes = write_exception(std::span(record).subspan(layout::result_at));
      head.rank = thrown_on(at_.rank);
    }
  } else {
    std::memcpy(record.data() + layout::result_at, result, kind.result_bytes);
  }
  head.seen = at_.memory.release();
  std::memcpy(record.data(), &head, sizeof head);
  at_.net.broadcast(0, record);
  if (error) std::rethrow_exception(error);
}

/// The other ranks: what rank 0 hands out.
void whole_run::get_outcome(const global::detail::closure_kind& kind, void* result) {
  alignas(64) std::array<std::byte, layout::record_bytes> record{};
  at_.net.broadcast(0, record);
  layout::report head;
  std::memcpy(&head, record.data(), sizeof head);
  KASURI_EXPECT(
      cheap,
      head.rank >= 0 && head.rank < at_.size && head.bytes <= record.size() - layout::result_at,
      "the outcome of run %llu: %u bytes by rank %d", static_cast<unsigned long long>(number()),
      head.bytes, head.rank);
  at_.memory.acquire(head.seen);
  if (head.how == layout::outcome::value) {
    std::memcpy(result, record.data() + layout::result_at, kind.result_bytes);
    return;
  }
  std::string type, text;
  read_exception(record.data() + layout::result_at, head.bytes, type, text);
  throw global::remote_exception(head.rank, type, text);
}

}  // namespace kasuri::cluster
