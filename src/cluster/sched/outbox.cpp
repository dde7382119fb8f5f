// SPDX-License-Identifier: Apache-2.0
// What a rank offers to others.

#include <cstring>
#include <mutex>
#include <span>
#include <string>

#include "cluster/check/addresses.hpp"
#include "cluster/sched/scheduler.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::cluster {

using global::detail::offer_state;

void scheduler::spread(fork_chain& chain, double first_work, double second_work) {
  if (options_.checked) show_fork(chain, false);
  if (chain.low != chain.high) divide(chain, first_work, second_work);
  if (face_.wants()) post(chain);
}

/// Under checks: whether the fork is offered is up to the schedule, what its closure holds is not.
void scheduler::expect_no_address(const offer& o) const {
  if (pool_.shares_process()) return;
  alignas(global::detail::largest_alignment) std::byte values[global::detail::largest_closure];
  if (!o.kind->values(o.closure, values)) return;
  const std::span bytes(values, o.kind->closure_bytes);
  const auto found =
      find_address(bytes, [this](std::uintptr_t at) { return memory_.is_global(at); });
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
  task_points::fork(chain, first_is_offered, memory_);
}

/// Posts the chain's oldest forks until no more are wanted. What spans several ranks is not for
/// thieves.
void scheduler::post(fork_chain& chain) {
  const auto may = [](const offer& o) {
    return o.state.load(std::memory_order_relaxed) == offer_state::local && o.low == o.high;
  };
  while (chain.waiting != nullptr && !may(*chain.waiting)) chain.waiting = chain.waiting->newer;
  if (chain.waiting == nullptr) return;
  const token t = memory_.release();
  for (offer* o = chain.waiting; o != nullptr && face_.wants(); o = chain.waiting) {
    if (may(*o) && !post_one(*o, t)) return;
    chain.waiting = o->newer;
  }
}

/// False: there is no room just now.
bool scheduler::post_one(offer& o, const token& t) {
  int sleeper = -1;
  {
    const std::lock_guard hold(lock_);
    outbox_word word(own(layout::outbox_state));
    note_demand(word);
    const int slot = word.next();
    if (slot < 0 || joins_.empty() || !slot_is_free(slot)) return false;
    auto local = offer_state::local;
    // acq_rel: pairs with the exchange in take_or_wait by a worker that took the frame
    if (!o.state.compare_exchange_strong(local, offer_state::posted, std::memory_order_acq_rel,
                                         std::memory_order_relaxed))
      return true;
    slot_use& use = slots_[static_cast<std::size_t>(slot)];
    use = {&o, ++copies_, false};
    o.slot = slot;
    o.record = joins_.take();
    const layout::parcel head{portable(o.kind),
                              o.kind->closure_bytes,
                              static_cast<std::uint32_t>(o.record),
                              joins_.generation(o.record),
                              use.copy,
                              o.low,
                              o.high,
                              rank_,
                              0,
                              t,
                              task_of(o)};
    std::byte* const to = at(layout::outbox_slot(slot));
    std::memcpy(to, &head, sizeof head);
    std::memcpy(to + layout::closure_at, o.closure, o.kind->closure_bytes);
    for (;;) {
      outbox_word next = word.with(layout::closure_at + o.kind->closure_bytes);
      sleeper = word.anybody_sleeps() ? word.sleeper() : -1;
      if (sleeper >= 0) next = next.without_sleeper(sleeper);
      const outbox_word seen(
          net_.compare_swap(rank_, window_, layout::outbox_state, word.bits(), next.bits()));
      if (seen == word) break;
      word = seen;  // what thieves do leaves next() as it was
    }
    ++in_outbox_;
  }
  counted_.posted.add();
  if (sleeper >= 0) ring_sleeper(sleeper);
  return true;
}

void scheduler::ring_sleeper(int which) {
  const auto to = static_cast<int>(
      (static_cast<std::int64_t>(rank_) - (std::int64_t{1} << which) + size_) % size_);
  net_.store(to, window_, layout::caller, static_cast<std::uint64_t>(rank_) + 1);
  net_.ring(to);
}

/// Finds out what thieves have taken, and offers more from then on.
void scheduler::note_demand(outbox_word now) {
  for (int i = 0; in_outbox_ != 0 && i != outbox_word::slots; ++i) {
    slot_use& use = slots_[static_cast<std::size_t>(i)];
    if (use.holder == nullptr || now.bytes(i) != 0) continue;
    // release: pairs with the acquire in take_or_wait, for nothing but the order of the states
    use.holder->state.store(offer_state::gone, std::memory_order_release);
    use.holder = nullptr;
    use.stolen = true;
    --in_outbox_;
    unwanted_ = 0;
    if (wanted_ < outbox_word::slots) want(wanted_ + 1);
  }
}

/// Whether nobody reads the slot any more.
bool scheduler::slot_is_free(int slot) {
  slot_use& use = slots_[static_cast<std::size_t>(slot)];
  if (use.holder != nullptr) return false;
  if (use.stolen) {
    if (own(layout::word_of(layout::copied, static_cast<std::uint64_t>(slot))) != use.copy)
      return false;
    use.stolen = false;
  }
  return true;
}

/// True: nobody has taken it, and nobody can any more.
bool scheduler::take_back(offer& o, offer_state as) {
  const std::lock_guard hold(lock_);
  if (o.state.load(std::memory_order_relaxed) == offer_state::gone) return false;
  for (outbox_word word(own(layout::outbox_state));;) {
    if (word.bytes(o.slot) == 0) {
      note_demand(word);
      return false;
    }
    const outbox_word seen(net_.compare_swap(rank_, window_, layout::outbox_state, word.bits(),
                                             word.without(o.slot).bits()));
    if (seen == word) break;
    word = seen;
  }
  slots_[static_cast<std::size_t>(o.slot)].holder = nullptr;
  --in_outbox_;
  joins_.give_back(o.record);
  o.state.store(as, std::memory_order_relaxed);
  counted_.taken_back.add();
  constexpr unsigned many_unwanted = 16;
  if (++unwanted_ >= many_unwanted) {
    unwanted_ = 0;
    if (wanted_ > fewest_offers) want(wanted_ - 1);
  }
  return true;
}

}  // namespace kasuri::cluster
