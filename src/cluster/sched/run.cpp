// SPDX-License-Identifier: Apache-2.0
// A fork-join computation over all ranks, from its beginning to its end.

#include <array>
#include <cstring>
#include <exception>

#include "cluster/sched/scheduler.hpp"
#include "cluster/sched/wire/exception_text.hpp"
#include "cluster/transport/meet.hpp"
#include "kasuri/detail/atomics.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {

/// What rank 0 runs, and what came of it.
struct scheduler::root_call {
  scheduler* s;
  const global::detail::closure_kind* kind;
  void* closure;
  void* result;
  std::exception_ptr error;

  void run() {
    fork_chain& chain = s->pool_.chain();
    const double high = s->options_.adws && s->size_ > 1 ? s->size_ : 0;
    const global::detail::owns_for_now everything(chain, 0, high);
    const global::detail::runs_given it(chain, coherence::root_task);
    try {
      kind->run(closure, result);
    } catch (...) {
      error = std::current_exception();
    }
  }
};

void scheduler::run_root(const global::detail::closure_kind& kind, void* closure, void* result) {
  if (pool_.inside())
    throw global::error(
        "global::run: called from inside a task; accepted: outside of tasks, by all "
        "ranks (inside, use global::parallel_invoke)");
  runs_.fetch_add(1, std::memory_order_relaxed);
  memory_.begin_run();  // no task of the last run goes on, none of this one before the next line
  begin_together(kind);
  serves_.store(true, std::memory_order_relaxed);
  root_call root{this, &kind, closure, result, nullptr};
  if (rank_ == 0) {
    root_ = &root;
    pool_.enter([](void* r) { static_cast<root_call*>(r)->run(); }, &root);
    tell_end();
  } else {
    serve();
  }
  serves_.store(false, std::memory_order_relaxed);
  // All reports have come, but a worker that has made one may be on its way out still.
  // acquire: pairs with the release in run
  for (unsigned n = 0; running_.load(std::memory_order_acquire) != 0; ++n)
    kasuri::detail::real_atomics::backoff(n);
  root_ = &root;
  share_outcome(kind, result);
}

/// The caller waits, as a task, while others look for work.
void scheduler::serve() {
  pool_.enter(
      [](void* self) {
        static_cast<scheduler*>(self)->pool_.block(
            [](void* arg, void* task) noexcept {
              auto& s = *static_cast<scheduler*>(arg);
              // release: pairs with the exchange in collect
              s.server_.store(task, std::memory_order_release);
              if (s.own(layout::over) != s.runs_.load(std::memory_order_relaxed)) return true;
              // acq_rel: pairs with the exchange in collect: one of the two wakes the task
              return s.server_.exchange(nullptr, std::memory_order_acq_rel) == nullptr;
            },
            self);
      },
      this);
}

void scheduler::tell_end() {
  for (int i = 1; i < size_; ++i) {
    net_.store(i, window_, layout::over, runs_.load(std::memory_order_relaxed));
    net_.ring(i);
  }
}

/// All ranks begin the same run. What any rank wrote before can be read by all from here on.
void scheduler::begin_together(const global::detail::closure_kind& kind) {
  if (!options_.memory) return;
  const token mine = memory_.release();
  static_assert(sizeof mine <= most_announced);
  std::vector<token> all(static_cast<std::size_t>(size_));
  meet(net_, {.what = collective_call::kind::run, .sizes = {kind.result_bytes, 0}},
       std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  for (int i = 0; i != size_; ++i)
    if (i != rank_) memory_.acquire(all[static_cast<std::size_t>(i)]);
}

/// Everybody gets what rank 0 has: the result, or what was thrown, and the sight of all that was
/// written.
void scheduler::share_outcome(const global::detail::closure_kind& kind, void* result) {
  alignas(64) std::array<std::byte, layout::record_bytes> record{};
  layout::report head{};
  if (rank_ == 0) {
    head.how = root_->error ? layout::outcome::exception : layout::outcome::value;
    if (root_->error) {
      try {
        std::rethrow_exception(root_->error);
      } catch (...) {
        head.bytes = write_exception(std::span(record).subspan(layout::result_at));
        head.rank = thrown_on(rank_);
      }
    } else {
      std::memcpy(record.data() + layout::result_at, result, kind.result_bytes);
    }
    head.seen = memory_.release();
    std::memcpy(record.data(), &head, sizeof head);
  }
  net_.broadcast(0, record);
  if (rank_ == 0) {
    const std::exception_ptr error = root_->error;
    root_ = nullptr;
    if (error) std::rethrow_exception(error);
    return;
  }
  root_ = nullptr;
  std::memcpy(&head, record.data(), sizeof head);
  memory_.acquire(head.seen);
  if (head.how == layout::outcome::value) {
    std::memcpy(result, record.data() + layout::result_at, kind.result_bytes);
    return;
  }
  std::string type, text;
  read_exception(record.data() + layout::result_at, head.bytes, type, text);
  throw global::remote_exception(head.rank, type, text);
}

}  // namespace kasuri::cluster
