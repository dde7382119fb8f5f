// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/offers/outbox.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace kasuri::cluster {

namespace {

constexpr std::uint32_t fewest_offers = 2;
constexpr unsigned many_unwanted = 16;

}  // namespace

outbox::outbox(sched_site& at, joins& open, global::detail::spread_face& face)
    : at_(at), joins_(open), face_(face) {
  face_.word = reinterpret_cast<const std::uint64_t*>(at_.at(layout::outbox_state));
  want(fewest_offers);
}

void outbox::post(fork_chain& chain) {
  const auto may = [](const offer& o) {
    return o.state.load(std::memory_order_relaxed) == offer_state::local && o.low == o.high;
  };
  while (chain.waiting != nullptr && !may(*chain.waiting)) chain.waiting = chain.waiting->newer;
  if (chain.waiting == nullptr) return;
  const token t = at_.memory.release();
  for (offer* o = chain.waiting; o != nullptr && face_.wants(); o = chain.waiting) {
    if (may(*o) && !post_one(*o, t)) return;
    chain.waiting = o->newer;
  }
}

/// False: there is no room just now.
bool outbox::post_one(offer& o, const token& t) {
  int sleeper = -1;
  {
    const std::lock_guard hold(lock_);
    const outbox_word word(at_.own(layout::outbox_state));
    note_demand(word);
    const int slot = word.next();
    if (slot < 0 || !slot_is_free(slot)) return false;
    auto head = joins_.open(o);
    if (!head) return false;
    auto local = offer_state::local;
    // acq_rel: pairs with the exchange in take_or_wait by a worker that took the frame
    if (!o.state.compare_exchange_strong(local, offer_state::posted, std::memory_order_acq_rel,
                                         std::memory_order_relaxed)) {
      joins_.withdraw(head->record);
      return true;
    }
    slot_use& use = use_of(slot);
    use = {&o, ++copies_, false};
    o.slot = slot;
    o.record = static_cast<int>(head->record);
    head->copy = use.copy;
    head->seen = t;
    fill(slot, *head, o.closure);
    sleeper = publish(word, layout::closure_at + head->bytes);
    ++in_outbox_;
    KASURI_EXPECT(cheap, in_outbox_ == holders(), "%d offers, and %d slots have a holder",
                  in_outbox_, holders());
  }
  at_.counted.posted.add();
  if (sleeper >= 0) ring_sleeper(sleeper);
  return true;
}

void outbox::fill(int slot, const layout::parcel& head, const void* closure) {
  KASURI_EXPECT(cheap, layout::closure_at + head.bytes <= outbox_word::largest,
                "a closure of %u bytes for slot %d", head.bytes, slot);
  KASURI_EXPECT(cheap, head.low == head.high, "slot %d gets a fork that owns ranks %g to %g", slot,
                head.low, head.high);
  std::byte* const to = at_.at(layout::outbox_slot(slot));
  std::memcpy(to, &head, sizeof head);
  std::memcpy(to + layout::closure_at, closure, head.bytes);
}

/// Makes the slot that is full by now part of the word, which was `word` a moment ago. The sleeper
/// whose bit went with that, and who is to be rung; -1: there was none.
int outbox::publish(outbox_word word, std::size_t bytes) {
  const int slot = word.next();
  for (;;) {
    outbox_word next = word.with(bytes);
    const int sleeper = word.anybody_sleeps() ? word.sleeper() : -1;
    if (sleeper >= 0) next = next.without_sleeper(sleeper);
    const outbox_word seen(
        at_.net.compare_swap(at_.rank, at_.words, layout::outbox_state, word.bits(), next.bits()));
    if (seen == word) return sleeper;
    word = seen;  // thieves alone change it meanwhile, and leave next() as it was
    KASURI_EXPECT(cheap, word.next() == slot && word.bytes(slot) == 0,
                  "slot %d was next, and %d is by now: the word is %#llx", slot, word.next(),
                  static_cast<unsigned long long>(word.bits()));
  }
}

void outbox::ring_sleeper(int which) {
  const auto to = static_cast<int>(
      (static_cast<std::int64_t>(at_.rank) - (std::int64_t{1} << which) + at_.size) % at_.size);
  KASURI_EXPECT(cheap, to >= 0 && to < at_.size && to != at_.rank,
                "sleeper %d of rank %d would be rank %d of %d", which, at_.rank, to, at_.size);
  at_.net.store(to, at_.words, layout::caller, static_cast<std::uint64_t>(at_.rank) + 1);
  at_.net.ring(to);
}

/// Finds out what thieves have taken, and offers more from then on.
void outbox::note_demand(outbox_word now) {
  for (int i = 0; in_outbox_ != 0 && i != outbox_word::slots; ++i) {
    slot_use& use = use_of(i);
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
bool outbox::slot_is_free(int slot) {
  slot_use& use = use_of(slot);
  if (use.holder != nullptr) return false;
  if (use.stolen) {
    const std::uint64_t copied =
        at_.own(layout::word_of(layout::copied, static_cast<std::uint64_t>(slot)));
    KASURI_EXPECT(cheap, copied <= use.copy, "copy %llu of slot %d was read, and %llu is the last",
                  static_cast<unsigned long long>(copied), slot,
                  static_cast<unsigned long long>(use.copy));
    if (copied != use.copy) return false;
    use.stolen = false;
  }
  return true;
}

bool outbox::take_back(offer& o, offer_state as) {
  const std::lock_guard hold(lock_);
  if (o.state.load(std::memory_order_relaxed) == offer_state::gone) return false;
  slot_use& use = use_of(o.slot);
  KASURI_EXPECT(cheap, use.holder == &o, "the offer taken back is not the one that slot %d holds",
                o.slot);
  if (!swap_out(o)) return false;
  use.holder = nullptr;
  --in_outbox_;
  KASURI_EXPECT(cheap, in_outbox_ == holders(), "%d offers, and %d slots have a holder", in_outbox_,
                holders());
  joins_.withdraw(static_cast<std::uint32_t>(o.record));
  o.state.store(as, std::memory_order_relaxed);
  at_.counted.taken_back.add();
  note_unwanted();
  return true;
}

/// Empties the offer's slot. False: a thief was faster.
bool outbox::swap_out(const offer& o) {
  for (outbox_word word(at_.own(layout::outbox_state));;) {
    if (word.bytes(o.slot) == 0) {
      note_demand(word);
      KASURI_EXPECT(cheap, o.state.load(std::memory_order_relaxed) == offer_state::gone,
                    "slot %d is empty, and its offer is in state %u", o.slot,
                    static_cast<unsigned>(o.state.load(std::memory_order_relaxed)));
      return false;
    }
    const outbox_word seen(at_.net.compare_swap(at_.rank, at_.words, layout::outbox_state,
                                                word.bits(), word.without(o.slot).bits()));
    if (seen == word) return true;
    word = seen;
  }
}

void outbox::note_unwanted() {
  if (++unwanted_ < many_unwanted) return;
  unwanted_ = 0;
  if (wanted_ > fewest_offers) want(wanted_ - 1);
}

/// So many offers are wanted from now on.
void outbox::want(std::uint32_t offers) noexcept {
  KASURI_EXPECT(cheap, offers >= fewest_offers && offers <= outbox_word::slots,
                "%u offers wanted, of %u to %d", offers, fewest_offers, outbox_word::slots);
  wanted_ = offers;
  // Under checks all forks take the slow way.
  face_.target.store(at_.options.checked ? outbox_word::slots + 1 : offers,
                     std::memory_order_relaxed);
}

outbox::slot_use& outbox::use_of(int slot) {
  KASURI_EXPECT(cheap, slot >= 0 && slot < outbox_word::slots, "slot %d of %d", slot,
                outbox_word::slots);
  return slots_[static_cast<std::size_t>(slot)];
}

int outbox::holders() const noexcept {
  return static_cast<int>(
      std::ranges::count_if(slots_, [](const slot_use& use) { return use.holder != nullptr; }));
}

const char* outbox::check() {
  const std::lock_guard hold(lock_);
  if (in_outbox_ != 0) return "an offer counts as posted between two runs";
  if (holders() != 0) return "a slot of the outbox has an offer between two runs";
  return outbox_word(at_.own(layout::outbox_state)).empty()
             ? nullptr
             : "a slot of the outbox can be taken between two runs";
}

}  // namespace kasuri::cluster
