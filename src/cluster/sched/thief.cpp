// SPDX-License-Identifier: Apache-2.0
// Looking for work at other ranks.

#include <algorithm>
#include <cstring>

#include "cluster/sched/scheduler.hpp"

namespace kasuri::cluster {

travelled* scheduler::look(searcher& s) {
  const std::uint64_t now = net_.now_ns();
  if (const std::uint64_t run = runs_.load(std::memory_order_relaxed); s.run != run) {
    s.run = run;
    s.is_busy(now);
  }
  if (s.idle_since == 0) {
    s.idle_since = now;
    s.busy_ns = now - s.busy_since;
  }
  if (travelled* t = take_from_inbox()) return found(s, t);
  if (size_ == 1 || !options_.probes) return nullptr;
  // What is its own may be on its way.
  if (options_.adws && now - s.idle_since < patience(s)) return nullptr;
  if (travelled* t = answer_call(s)) return found(s, t);
  if (s.fruitless >= options_.eager_probes && !s.asked_lifelines) {
    s.asked_lifelines = true;
    return found(s, ask_lifelines(s));
  }
  return found(s, probe(random_victim(), now));
}

bool scheduler::is_called() {
  if (own(layout::caller) != 0) return true;
  const std::uint64_t ticket = own(layout::inbox_state) & UINT32_MAX;
  return own(layout::word_of(layout::filled, ticket % layout::inbox_slots)) == ticket + 1;
}

travelled* scheduler::found(searcher& s, travelled* t) {
  if (t == nullptr) {
    ++s.fruitless;
    return nullptr;
  }
  s.is_busy(net_.now_ns());
  return t;
}

/// Under adws a rank that is ready a little earlier than others leaves to them what is theirs, so
/// that the next sweep finds all data where it was: a tenth of the time for which it was busy
/// itself, or all of it where that is less than what a system sets a process aside for.
std::uint64_t scheduler::patience(const searcher& s) const noexcept {
  constexpr std::uint64_t part = 10;
  constexpr std::uint64_t time_slice_ns = 5'000'000;
  return std::max({options_.patience_ns, s.busy_ns / part, std::min(s.busy_ns, time_slice_ns)});
}

std::uint64_t scheduler::rest(searcher& s) {
  if (size_ == 1 || !options_.probes) return options_.longest_nap_ns;
  if (options_.adws) {
    const std::uint64_t idle = net_.now_ns() - s.idle_since;
    if (idle < patience(s)) return patience(s) - idle;
  }
  if (s.fruitless < options_.eager_probes || !s.asked_lifelines) return 0;
  counted_.naps.add();
  s.nap_ns =
      s.nap_ns == 0 ? options_.shortest_nap_ns : std::min(2 * s.nap_ns, options_.longest_nap_ns);
  return s.nap_ns;
}

/// A rank of this host as often as one of all.
int scheduler::random_victim() {
  const auto below = [this](std::size_t n) { return static_cast<std::size_t>(random_() % n); };
  if (!near_.empty() && below(2) == 0) return near_[below(near_.size())];
  const auto other = static_cast<int>(below(static_cast<std::size_t>(size_) - 1));
  return other < rank_ ? other : other + 1;
}

/// One who put something into its outbox has rung this rank.
///
/// The call is taken by a compare-and-swap: a second one that lands behind the look is found by the
/// swap and answered in place of the first, where a store of zero would wipe it out. A call that
/// another has replaced is not lost either. Who calls has cut the lifeline that this rank had at
/// its outbox, and in vain only the lifelines wait for this rank: so one that was called and found
/// nothing asks all of them again before it naps, among them those of callers whose names it has
/// not seen. Whoever calls behind the swap is found by the next look, before which its ring lets
/// nobody nap.
travelled* scheduler::answer_call(searcher& s) {
  std::uint64_t caller = own(layout::caller);
  if (caller == 0) return nullptr;
  for (;;) {
    const std::uint64_t seen = net_.compare_swap(rank_, window_, layout::caller, caller, 0);
    if (seen == caller) break;
    caller = seen;
  }
  const int victim = static_cast<int>(caller) - 1;
  s.nap_ns = 0;
  s.asked_lifelines = false;
  const int distance = (victim - rank_ + size_) % size_;
  for (int i = 0; i != lifelines_; ++i)
    if ((1 << i) == distance) return ask_lifeline(i, net_.now_ns());
  return probe(victim, net_.now_ns());
}

travelled* scheduler::ask_lifelines(searcher&) {
  for (int i = 0; i != lifelines_; ++i)
    if (travelled* t = ask_lifeline(i, net_.now_ns())) return t;
  return nullptr;
}

/// Takes something from the rank at that distance, or has it ring when it has something.
travelled* scheduler::ask_lifeline(int i, std::uint64_t since) {
  const auto victim = static_cast<int>((std::int64_t{rank_} + (std::int64_t{1} << i)) % size_);
  std::uint64_t trips = 1;
  outbox_word word(net_.load(victim, window_, layout::outbox_state));
  for (;;) {
    if (word.empty() && word.sleeps(i)) break;
    const int slot = word.oldest();
    const outbox_word next = word.empty() ? word.with_sleeper(i) : word.without(slot);
    const outbox_word seen(
        net_.compare_swap(victim, window_, layout::outbox_state, word.bits(), next.bits()));
    ++trips;
    if (seen == word) {
      if (!word.empty()) return take(victim, slot, word.bytes(slot), trips, since);
      break;
    }
    // What the swap has found is a look of its own.
    if (!word.empty()) {
      counted_.lost_races.add();
      counted_.failed_probes.add();
      counted_.failed_trips.add();
    }
    trips = 1;
    word = seen;
  }
  counted_.failed_probes.add();
  counted_.failed_trips.add();
  return nullptr;
}

travelled* scheduler::probe(int victim, std::uint64_t since) {
  outbox_word word(net_.load(victim, window_, layout::outbox_state));
  while (!word.empty()) {
    const int slot = word.oldest();
    const outbox_word seen(net_.compare_swap(victim, window_, layout::outbox_state, word.bits(),
                                             word.without(slot).bits()));
    if (seen == word) return take(victim, slot, word.bytes(slot), 2, since);
    // The first read has failed; what the swap has found is a look of its own.
    counted_.lost_races.add();
    counted_.failed_probes.add();
    counted_.failed_trips.add();
    word = seen;
  }
  counted_.failed_probes.add();
  counted_.failed_trips.add();
  return nullptr;
}

/// The slot is ours: reads it, and lets it go.
travelled* scheduler::take(int victim, int slot, std::size_t bytes, std::uint64_t trips,
                           std::uint64_t since) {
  travelled* const t = fresh_travelled();
  net_.get(victim, window_, layout::outbox_slot(slot), t->slot.data(), bytes);
  net_.flush(victim);
  ++trips;
  std::memcpy(&t->head, t->slot.data(), sizeof t->head);
  net_.store(victim, window_, layout::word_of(layout::copied, static_cast<std::uint64_t>(slot)),
             t->head.copy);
  t->since = since;
  counted_.steals.add();
  if (net_.host_of(victim) == net_.host_of(rank_)) counted_.steals_near.add();
  counted_.steal_trips.add(trips);
  counted_.most_steal_trips.at_least(trips);
  return t;
}

}  // namespace kasuri::cluster
