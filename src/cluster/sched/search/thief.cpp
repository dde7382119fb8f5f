// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/search/thief.hpp"

#include <cstring>

namespace kasuri::cluster {

thief::thief(sched_site& at, travelled_store& store)
    : at_(at),
      store_(store),
      random_(at.options.seed * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(at.rank)) {
  for (int i = 0; i != at_.size; ++i)
    if (i != at_.rank && at_.net.host_of(i) == at_.net.host_of(at_.rank)) near_.push_back(i);
  while (lifelines_ < outbox_word::most_sleepers && (1 << lifelines_) < at_.size) ++lifelines_;
}

int thief::random_victim() {
  const auto below = [this](std::size_t n) { return static_cast<std::size_t>(random_() % n); };
  if (!near_.empty() && below(2) == 0) return near_[below(near_.size())];
  const auto other = static_cast<int>(below(static_cast<std::size_t>(at_.size) - 1));
  return other < at_.rank ? other : other + 1;
}

travelled* thief::probe_any(std::uint64_t since) {
  KASURI_EXPECT(cheap, at_.size > 1,
                "rank %d looks for work at other ranks, of which there are none", at_.rank);
  return probe(random_victim(), since);
}

/// The call is taken by a compare-and-swap: a second one that lands behind the look is found by the
/// swap and answered in place of the first, where a store of zero would wipe it out. A call that
/// another has replaced is not lost either. A caller has cut the lifeline that this rank had at its
/// outbox, and only the lifelines can wait for this rank in vain: so a rank that was called and
/// found nothing asks all of them again before it naps, among them the lifelines at callers whose
/// numbers it has not seen. A call that lands behind the swap is found by the next look; until then
/// its ring forbids a nap.
int thief::take_call() {
  std::uint64_t caller = at_.own(layout::caller);
  if (caller == 0) return -1;
  for (;;) {
    const std::uint64_t seen = at_.net.compare_swap(at_.rank, at_.words, layout::caller, caller, 0);
    if (seen == caller) break;
    KASURI_EXPECT(cheap, seen != 0, "the call of rank %llu was taken by another thread",
                  static_cast<unsigned long long>(caller - 1));
    caller = seen;
  }
  KASURI_EXPECT(cheap, caller <= static_cast<std::uint64_t>(at_.size),
                "a call of rank %llu, and there are %d ranks",
                static_cast<unsigned long long>(caller - 1), at_.size);
  return static_cast<int>(caller) - 1;
}

travelled* thief::ask_caller(int caller) {
  KASURI_EXPECT(cheap, caller >= 0 && caller < at_.size && caller != at_.rank,
                "rank %d of %d is called by rank %d", at_.rank, at_.size, caller);
  const int distance = (caller - at_.rank + at_.size) % at_.size;
  for (int i = 0; i != lifelines_; ++i)
    if ((1 << i) == distance) return ask_lifeline(i, at_.net.now_ns());
  return probe(caller, at_.net.now_ns());
}

travelled* thief::ask_lifelines() {
  for (int i = 0; i != lifelines_; ++i)
    if (travelled* t = ask_lifeline(i, at_.net.now_ns())) return t;
  return nullptr;
}

outbox_word thief::swap(int victim, outbox_word word, outbox_word next) {
  return outbox_word(
      at_.net.compare_swap(victim, at_.words, layout::outbox_state, word.bits(), next.bits()));
}

void thief::count_failure(bool lost_race) {
  if (lost_race) at_.counted.lost_races.add();
  at_.counted.failed_probes.add();
  at_.counted.failed_trips.add();
}

/// Takes something from the rank at that distance, or has it ring when it has something.
travelled* thief::ask_lifeline(int i, std::uint64_t since) {
  KASURI_EXPECT(cheap, i >= 0 && i < lifelines_, "lifeline %d of %d", i, lifelines_);
  const auto victim =
      static_cast<int>((std::int64_t{at_.rank} + (std::int64_t{1} << i)) % at_.size);
  std::uint64_t trips = 1;
  outbox_word word(at_.net.load(victim, at_.words, layout::outbox_state));
  for (;;) {
    if (word.empty() && word.sleeps(i)) break;
    const int slot = word.oldest();
    const outbox_word next = word.empty() ? word.with_sleeper(i) : word.without(slot);
    const outbox_word seen = swap(victim, word, next);
    ++trips;
    if (seen == word) {
      if (!word.empty()) return take(victim, slot, word.bytes(slot), trips, since);
      break;
    }
    // The swap has read the word anew: a look of its own.
    if (!word.empty()) count_failure(true);
    trips = 1;
    word = seen;
  }
  count_failure(false);
  return nullptr;
}

travelled* thief::probe(int victim, std::uint64_t since) {
  KASURI_EXPECT(cheap, victim >= 0 && victim < at_.size && victim != at_.rank,
                "rank %d of %d probes rank %d", at_.rank, at_.size, victim);
  outbox_word word(at_.net.load(victim, at_.words, layout::outbox_state));
  while (!word.empty()) {
    const int slot = word.oldest();
    const outbox_word seen = swap(victim, word, word.without(slot));
    if (seen == word) return take(victim, slot, word.bytes(slot), 2, since);
    // The first read has failed; the swap has read the word anew: a look of its own.
    count_failure(true);
    word = seen;
  }
  count_failure(false);
  return nullptr;
}

/// The slot is this rank's, by the swap: reads it, and lets it go.
travelled* thief::take(int victim, int slot, std::size_t bytes, std::uint64_t trips,
                       std::uint64_t since) {
  KASURI_EXPECT(cheap, bytes > layout::closure_at && bytes <= outbox_word::largest,
                "slot %d of rank %d has %zu bytes", slot, victim, bytes);
  travelled* const t = store_.take();
  at_.net.get(victim, at_.words, layout::outbox_slot(slot), t->slot.data(), bytes);
  at_.net.flush(victim);
  ++trips;
  std::memcpy(&t->head, t->slot.data(), sizeof t->head);
  KASURI_EXPECT(cheap, t->head.from == victim && layout::closure_at + t->head.bytes <= bytes,
                "slot %d of rank %d, of %zu bytes, has a closure of %u bytes of rank %d", slot,
                victim, bytes, t->head.bytes, t->head.from);
  at_.net.store(victim, at_.words,
                layout::word_of(layout::copied, static_cast<std::uint64_t>(slot)), t->head.copy);
  t->since = since;
  at_.counted.steals.add();
  if (at_.net.host_of(victim) == at_.net.host_of(at_.rank)) at_.counted.steals_near.add();
  at_.counted.steal_trips.add(trips);
  at_.counted.most_steal_trips.at_least(trips);
  return t;
}

}  // namespace kasuri::cluster
