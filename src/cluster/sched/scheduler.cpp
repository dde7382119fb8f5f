// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/scheduler.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "cluster/base/process.hpp"
#include "cluster/sched/wire/modules.hpp"
#include "kasuri/global/error.hpp"

namespace kasuri::cluster {
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

}  // namespace

scheduler::scheduler(transport& net, coherence& memory, pool_side& pool,
                     const scheduler_options& options)
    : net_(net),
      memory_(memory),
      pool_(pool),
      options_(options),
      rank_(net.rank()),
      size_(net.size()),
      window_(net.allocate(layout::bytes)),
      tasks_(pool),
      random_(options.seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(net.rank())) {
  if (const int rank = other_build(net); rank >= 0)
    throw global::error(
        "rank " + std::to_string(rank) +
        " runs another build of the program than rank 0; accepted: the same on all");
  for (int i = 0; i != size_; ++i)
    if (i != rank_ && net.host_of(i) == net.host_of(rank_)) near_.push_back(i);
  while (lifelines_ < outbox_word::most_sleepers && (1 << lifelines_) < size_) ++lifelines_;
  face_.word = reinterpret_cast<const std::uint64_t*>(at(layout::outbox_state));
  want(fewest_offers);
  face_.scheduler = this;
  face_.checked = options_.checked;
  memory_.wait_by(&pool_);
  if (options_.checked) memory_.ask(&tasks_);
}

scheduler::~scheduler() {
  memory_.wait_by(nullptr);
  if (options_.checked) memory_.ask(nullptr);
  net_.free(window_);
}

std::uint64_t scheduler::portable(const global::detail::closure_kind* kind) {
  const std::size_t i = (reinterpret_cast<std::uintptr_t>(kind) >> 4) % known_kinds_.size();
  if (known_kinds_[i] != kind) {
    known_addresses_[i] = portable_address(kind);
    known_kinds_[i] = kind;
  }
  return known_addresses_[i];
}

travelled* scheduler::fresh_travelled() {
  const std::lock_guard hold(lock_);
  if (free_travelled_ == nullptr) {
    all_travelled_.push_back(std::make_unique<travelled>());
    free_travelled_ = all_travelled_.back().get();
    free_travelled_->here = this;
  }
  travelled* const t = free_travelled_;
  free_travelled_ = t->next;
  t->next = nullptr;
  return t;
}

void scheduler::forget(travelled* t) noexcept {
  const std::lock_guard hold(lock_);
  t->next = free_travelled_;
  free_travelled_ = t;
}

void scheduler::run(travelled* t) noexcept {
  running_.fetch_add(1, std::memory_order_relaxed);
  memory_.acquire(t->head.seen);
  const auto* const kind =
      static_cast<const global::detail::closure_kind*>(local_address(t->head.kind));
  const std::uint64_t took = net_.now_ns() - t->since;
  counted_.stealing_ns.add(took);
  counted_.slowest_steal_ns.at_least(took);
  alignas(global::detail::largest_alignment) std::byte result[global::detail::largest_result];
  {
    fork_chain& chain = pool_.chain();
    const global::detail::owns_for_now part(chain, t->head.low, t->head.high);
    const global::detail::runs_given its(chain, t->head.task);
    const borrows noted(net_, t->head);
    try {
      kind->run(t->closure(), result);
      report_value(*t, result);
    } catch (...) {
      report_exception(*t);
    }
  }
  counted_.ran.add();
  forget(t);
  // release: pairs with the acquire in run_root
  running_.fetch_sub(1, std::memory_order_release);
}

std::vector<global::rank_counters> scheduler::gather_counters() {
  const global::rank_counters mine = counted_.read(rank_);
  std::vector<global::rank_counters> all(static_cast<std::size_t>(size_));
  net_.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

}  // namespace kasuri::cluster
