// SPDX-License-Identifier: Apache-2.0
// Almost deterministic work stealing over ranks (Shiina and Taura, SC '19, section 3): a fork
// divides the ranks of its task between its two halves in proportion to their work; the second half
// is sent to where its part begins.

#include <cmath>
#include <cstring>
#include <mutex>

#include "cluster/sched/scheduler.hpp"

namespace kasuri::cluster {

using global::detail::offer_state;

namespace {

struct part {
  double low;
  double high;

  int owner() const noexcept { return static_cast<int>(low); }
  /// What lies within one rank is that rank's own business.
  part whole_or_none() const noexcept { return high <= std::floor(low) + 1 ? part{0, 0} : *this; }
  bool is_none() const noexcept { return low == high; }
};

/// Where the second half's part begins.
double middle_of(const global::detail::fork_chain& chain, double first_work, double second_work) {
  const double all = first_work + second_work;
  const double share = all > 0 ? first_work / all : 0.5;
  const double middle = chain.low + (chain.high - chain.low) * share;
  // Ends that should meet at a rank's border do.
  const double border = std::round(middle);
  return std::abs(middle - border) < 1e-6 ? border : middle;
}

}  // namespace

bool scheduler::second_first(fork_chain& chain, double first_work, double second_work) const {
  const double middle = middle_of(chain, first_work, second_work);
  const part first = part{chain.low, middle}.whole_or_none();
  const part second = part{middle, chain.high}.whole_or_none();
  if (!first.is_none() || second.is_none() || second.owner() != rank_) return false;
  chain.low = second.low;
  chain.high = second.high;
  return true;
}

/// For the newest fork of the chain.
void scheduler::divide(fork_chain& chain, double first_work, double second_work) {
  const double middle = middle_of(chain, first_work, second_work);
  const part first = part{chain.low, middle}.whole_or_none();
  const part second{middle, chain.high};
  offer& o = *chain.newest;
  chain.low = first.low;
  chain.high = first.high;
  if (second.low >= second.high || second.owner() == rank_ || second.owner() >= size_) {
    const part mine = second.whole_or_none();
    o.low = mine.low;
    o.high = mine.high;
    return;
  }
  const part theirs = second.whole_or_none();
  o.low = theirs.low;
  o.high = theirs.high;
  if (send(o, second.owner()))
    counted_.sent.add();
  else
    counted_.kept.add();
}

/// The inbox's word counts what was put in (high half) and taken out (low half).
bool scheduler::send(offer& o, int to) {
  std::uint64_t word = net_.load(to, window_, layout::inbox_state);
  std::uint64_t ticket;
  for (;;) {
    ticket = word >> 32;
    if (static_cast<std::uint32_t>(ticket) - static_cast<std::uint32_t>(word) >=
        layout::inbox_slots)
      return false;
    const std::uint64_t next = ((ticket + 1) & UINT32_MAX) << 32 | static_cast<std::uint32_t>(word);
    const std::uint64_t seen = net_.compare_swap(to, window_, layout::inbox_state, word, next);
    if (seen == word) break;
    word = seen;
  }
  alignas(64) std::byte slot[outbox_word::largest];
  {
    const std::lock_guard hold(lock_);
    auto local = offer_state::local;
    // A slot that was reserved must be filled: with nothing to run, where the fork cannot be given
    // away.
    const bool given = !joins_.empty() && o.state.compare_exchange_strong(
                                              local, offer_state::gone, std::memory_order_relaxed);
    layout::parcel head{};
    if (given) {
      o.record = joins_.take();
      head = {portable(o.kind),
              o.kind->closure_bytes,
              static_cast<std::uint32_t>(o.record),
              joins_.generation(o.record),
              0,
              o.low,
              o.high,
              rank_,
              0,
              {},
              task_of(o)};
    }
    std::memcpy(slot, &head, sizeof head);
  }
  layout::parcel head;
  std::memcpy(&head, slot, sizeof head);
  head.seen = memory_.release();
  std::memcpy(slot, &head, sizeof head);
  std::memcpy(slot + layout::closure_at, o.closure, head.bytes);
  net_.put(to, window_, layout::inbox_slot(ticket), slot, layout::closure_at + head.bytes);
  net_.flush(to);
  net_.store(to, window_, layout::word_of(layout::filled, ticket % layout::inbox_slots),
             ticket + 1);
  net_.ring(to);
  return head.bytes != 0;
}

travelled* scheduler::take_from_inbox() {
  for (;;) {
    std::uint64_t word = own(layout::inbox_state);
    const std::uint64_t ticket = word & UINT32_MAX;
    if (word >> 32 == ticket) return nullptr;
    const auto i = ticket % layout::inbox_slots;
    if (own(layout::word_of(layout::filled, i)) != ticket + 1) return nullptr;
    travelled* const t = fresh_travelled();
    std::memcpy(t->slot.data(), at(layout::inbox_slot(ticket)), outbox_word::largest);
    std::memcpy(&t->head, t->slot.data(), sizeof t->head);
    for (;;) {  // the low half is ours alone; the high half is not
      const std::uint64_t next = (word >> 32 << 32) | ((ticket + 1) & UINT32_MAX);
      const std::uint64_t seen = net_.compare_swap(rank_, window_, layout::inbox_state, word, next);
      if (seen == word) break;
      word = seen;
    }
    if (t->head.bytes == 0) {
      forget(t);
      continue;
    }
    t->since = net_.now_ns();
    counted_.received.add();
    return t;
  }
}

}  // namespace kasuri::cluster
