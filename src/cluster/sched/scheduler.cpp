// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <string>

#include "cluster/base/process.hpp"
#include "cluster/check/addresses.hpp"
#include "cluster/sched/wire/modules.hpp"
#include "kasuri/global/error.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::cluster {

using global::detail::fork_chain;
using global::detail::offer_state;

namespace {

/// The rank whose program is another build than that of rank 0, or -1.
int other_build(transport& net) {
  const std::uint32_t mine = program_number();
  std::vector<std::uint32_t> all(static_cast<std::size_t>(net.size()));
  net.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  const auto found = std::ranges::find_if(all, [&](std::uint32_t n) { return n != all[0]; });
  return found == all.end() ? -1 : static_cast<int>(found - all.begin());
}

/// Notes where others can read it when this process has died that it runs a closure, and which.
class borrows {
 public:
  borrows(transport& net, const layout::parcel& head) noexcept {
    const std::uint32_t which = (head.record + 1) << 16 | static_cast<std::uint32_t>(head.from);
    for (std::atomic<std::uint32_t>& each : net.borrowed()) {
      std::uint32_t free = 0;
      if (!each.compare_exchange_strong(free, which, std::memory_order_relaxed)) continue;
      noted_ = &each;
      return;
    }
  }
  ~borrows() {
    if (noted_ != nullptr) noted_->store(0, std::memory_order_relaxed);
  }
  borrows(const borrows&) = delete;
  borrows& operator=(const borrows&) = delete;

 private:
  std::atomic<std::uint32_t>* noted_ = nullptr;  // null: there is no room
};
static_assert(layout::records < 1 << 16, "1 + a record has 16 bits");

/// Walks the owners at the end of a run, however that comes about.
class quiet_at_end {
 public:
  explicit quiet_at_end(scheduler& s) noexcept : s_(s) {}
  ~quiet_at_end() { KASURI_EXPECT(all, s_.check() == nullptr, "%s", s_.check()); }
  quiet_at_end(const quiet_at_end&) = delete;
  quiet_at_end& operator=(const quiet_at_end&) = delete;

 private:
  [[maybe_unused]] scheduler& s_;
};

}  // namespace

scheduler::scheduler(transport& net, coherence& memory, pool_side& pool,
                     const scheduler_options& options)
    : site_{net, memory, pool, options, net.rank(), net.size(), net.allocate(layout::bytes), {}},
      tasks_(pool),
      store_(this),
      joins_(site_),
      reports_(site_),
      outbox_(site_, joins_, face_),
      inbox_(site_, store_),
      ranges_(site_, joins_, inbox_),
      search_(site_, store_, inbox_),
      run_(site_) {
  if (const int rank = other_build(net); rank >= 0)
    throw global::error(
        "rank " + std::to_string(rank) +
        " runs another build of the program than rank 0; accepted: the same on all");
  face_.scheduler = this;
  face_.checked = options.checked;
  memory.wait_by(&pool);
  if (options.checked) memory.ask(&tasks_);
}

scheduler::~scheduler() {
  KASURI_EXPECT(cheap, !serves(), "the scheduler of rank %d ends during run %llu", site_.rank,
                static_cast<unsigned long long>(run_.number()));
  site_.memory.wait_by(nullptr);
  if (site_.options.checked) site_.memory.ask(nullptr);
  site_.net.free(site_.words);
}

void scheduler::spread(fork_chain& chain, double first_work, double second_work) {
  if (site_.options.checked) show_fork(chain, false);
  if (chain.low != chain.high) ranges_.divide(chain, first_work, second_work);
  offer_forks(chain);
}

/// Between two runs a task keeps what it forks: the ranks may be at different runs.
void scheduler::offer_forks(fork_chain& chain) {
  if (face_.wants() && serves()) outbox_.post(chain);
}

/// Under checks: whether the fork is offered is up to the schedule, but its closure is not.
void scheduler::expect_no_address(const offer& o) const {
  if (site_.pool.shares_process()) return;
  alignas(global::detail::largest_alignment) std::byte values[global::detail::largest_closure];
  if (!o.kind->values(o.closure, values)) return;
  const std::span bytes(values, o.kind->closure_bytes);
  const auto found =
      find_address(bytes, [this](std::uintptr_t at) { return site_.memory.is_global(at); });
  if (!found) return;
  const std::string type(type_in(o.kind->name()));
  platform::fatal(
      "KASURI_CHECK=checkout: the closure %s holds at byte %zu the address %#llx, in %s, which "
      "means something else on another rank; accepted: capture values, views and global::ptr, no "
      "references or pointers (for a function or a constant: global::function_ref and "
      "global::constant_ptr)",
      type.c_str(), found->byte, static_cast<unsigned long long>(found->value),
      found->place.c_str());
}

void scheduler::show_fork(fork_chain& chain, bool first_is_offered) {
  expect_no_address(*chain.newest);
  task_points::fork(chain, first_is_offered, site_.memory);
}

void scheduler::send_to(fork_chain& chain, int rank) {
  if (!serves()) global::detail::refuse_at_home(rank);  // nobody takes closures in there
  if (site_.options.checked) show_fork(chain, false);
  ranges_.send_newest(chain, rank);
}

bool scheduler::take_or_wait(offer& o, void* result) {
  const auto as = &site_.pool.chain() == o.chain ? offer_state::taken : offer_state::lent;
  auto seen = offer_state::local;
  // acq_rel: pairs with the exchange in outbox::post_one
  if (o.state.compare_exchange_strong(seen, as, std::memory_order_acq_rel,
                                      std::memory_order_acquire))
    return true;
  KASURI_EXPECT(cheap, seen == offer_state::posted || seen == offer_state::gone,
                "an offer is joined in state %u, twice", static_cast<unsigned>(seen));
  if (seen == offer_state::posted && outbox_.take_back(o, as)) return true;
  wait_for_report(o);
  joins_.close(o, result);
  return false;
}

void scheduler::abandon(offer& o) noexcept {
  auto seen = offer_state::local;
  // acq_rel: pairs with the exchange in outbox::post_one
  if (o.state.compare_exchange_strong(seen, offer_state::taken, std::memory_order_acq_rel,
                                      std::memory_order_acquire) ||
      seen == offer_state::taken || seen == offer_state::lent ||
      (seen == offer_state::posted && outbox_.take_back(o, offer_state::taken)))
    return;
  wait_for_report(o);
  joins_.drop(o);
}

void scheduler::wait_for_report(const offer& o) {
  if (joins_.is_done(o.record)) return;
  const std::uint64_t since = site_.net.now_ns();
  fork_chain& chain = site_.pool.chain();
  if (chain.waiting != nullptr) offer_forks(chain);  // before it lies idle
  joins_.wait(o.record);
  site_.counted.waiting_ns.add(site_.net.now_ns() - since);
}

bool scheduler::collect() {
  const bool joined = joins_.wake();
  return run_.wake_server() || joined;
}

void scheduler::run(travelled* t) noexcept {
  const whole_run::part lasts(run_);
  execute(*t);
  site_.counted.ran.add();
  store_.give_back(t);
}

void scheduler::execute(travelled& t) {
  site_.memory.acquire(t.head.seen);
  const auto* const kind =
      static_cast<const global::detail::closure_kind*>(local_address(t.head.kind));
  KASURI_EXPECT(cheap, kind->closure_bytes == t.head.bytes,
                "a closure of %u bytes from rank %d, its kind has %u", t.head.bytes, t.head.from,
                kind->closure_bytes);
  const std::uint64_t took = site_.net.now_ns() - t.since;
  site_.counted.stealing_ns.add(took);
  site_.counted.slowest_steal_ns.at_least(took);
  alignas(global::detail::largest_alignment) std::byte result[global::detail::largest_result];
  fork_chain& chain = site_.pool.chain();
  const global::detail::owns_for_now part(chain, t.head.low, t.head.high);
  const global::detail::runs_given its(chain, t.head.task);
  const borrows noted(site_.net, t.head);
  try {
    kind->run(t.closure(), result);
    reports_.value(t, result);
  } catch (...) {
    reports_.exception(t);
  }
}

void scheduler::run_root(const global::detail::closure_kind& kind, void* closure, void* result) {
  if (site_.pool.inside())
    throw global::error(
        "global::run: called from inside a task; accepted: outside of tasks, by all "
        "ranks (inside, use global::parallel_invoke)");
  const quiet_at_end walk(*this);
  run_.run(kind, closure, result);
}

std::vector<global::rank_counters> scheduler::gather_counters() {
  const global::rank_counters mine = site_.counted.read(site_.rank);
  std::vector<global::rank_counters> all(static_cast<std::size_t>(site_.size));
  site_.net.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

const char* scheduler::check() {
  if (const char* wrong = joins_.check()) return wrong;
  return outbox_.check();
}

}  // namespace kasuri::cluster
