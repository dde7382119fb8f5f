// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/offers/inbox.hpp"

#include <cstring>

namespace kasuri::cluster {
namespace {

/// The word of an inbox.
struct inbox_word {
  std::uint64_t bits;

  [[nodiscard]] std::uint64_t put() const noexcept { return bits >> 32; }
  [[nodiscard]] std::uint64_t taken() const noexcept { return bits & UINT32_MAX; }
  [[nodiscard]] std::uint32_t length() const noexcept {
    return static_cast<std::uint32_t>(put()) - static_cast<std::uint32_t>(taken());
  }
  [[nodiscard]] inbox_word with_put() const noexcept {
    return {((put() + 1) & UINT32_MAX) << 32 | taken()};
  }
  [[nodiscard]] inbox_word with_taken() const noexcept {
    return {put() << 32 | ((taken() + 1) & UINT32_MAX)};
  }
};

// A ticket is modulo 2^32, so that its slot and its word go on where it begins anew.
static_assert((std::uint64_t{1} << 32) % layout::inbox_slots == 0);

std::size_t word_of_slot(std::uint64_t ticket) noexcept {
  return layout::word_of(layout::filled, ticket % layout::inbox_slots);
}

}  // namespace

std::optional<std::uint64_t> inbox::reserve(int to) {
  KASURI_EXPECT(cheap, to >= 0 && to < at_.size && to != at_.rank, "rank %d of %d sends to rank %d",
                at_.rank, at_.size, to);
  inbox_word word{at_.net.load(to, at_.words, layout::inbox_state)};
  for (;;) {
    KASURI_EXPECT(cheap, word.length() <= layout::inbox_slots,
                  "the inbox of rank %d: %llu put in, %llu taken out", to,
                  static_cast<unsigned long long>(word.put()),
                  static_cast<unsigned long long>(word.taken()));
    if (word.length() >= layout::inbox_slots) return std::nullopt;
    const inbox_word seen{
        at_.net.compare_swap(to, at_.words, layout::inbox_state, word.bits, word.with_put().bits)};
    if (seen.bits == word.bits) return word.put();
    word = seen;
  }
}

void inbox::fill(int to, std::uint64_t ticket, const layout::parcel& head, const void* closure) {
  KASURI_EXPECT(cheap, layout::closure_at + head.bytes <= outbox_word::largest,
                "a closure of %u bytes goes to rank %d", head.bytes, to);
  KASURI_EXPECT(cheap, head.bytes == 0 || head.from == at_.rank,
                "a closure of rank %d is sent by rank %d", head.from, at_.rank);
  alignas(64) std::byte slot[outbox_word::largest];
  std::memcpy(slot, &head, sizeof head);
  std::memcpy(slot + layout::closure_at, closure, head.bytes);
  at_.net.put(to, at_.words, layout::inbox_slot(ticket), slot, layout::closure_at + head.bytes);
  at_.net.flush(to);
  at_.net.store(to, at_.words, word_of_slot(ticket), ticket + 1);
  at_.net.ring(to);
}

bool inbox::has_mail() const {
  const inbox_word word{at_.own(layout::inbox_state)};
  return at_.own(word_of_slot(word.taken())) == word.taken() + 1;
}

/// The word was `word` a moment ago. The low half is this rank's alone; senders raise the high one.
void inbox::free_oldest(std::uint64_t bits) {
  for (inbox_word word{bits};;) {
    const inbox_word seen{at_.net.compare_swap(at_.rank, at_.words, layout::inbox_state, word.bits,
                                               word.with_taken().bits)};
    if (seen.bits == word.bits) return;
    KASURI_EXPECT(cheap, seen.taken() == word.taken(),
                  "two threads take from the inbox: %llu were taken out, and %llu by now",
                  static_cast<unsigned long long>(word.taken()),
                  static_cast<unsigned long long>(seen.taken()));
    word = seen;
  }
}

travelled* inbox::take() {
  for (;;) {
    const inbox_word word{at_.own(layout::inbox_state)};
    const std::uint64_t ticket = word.taken();
    if (word.put() == ticket || at_.own(word_of_slot(ticket)) != ticket + 1) return nullptr;
    travelled* const t = store_.take();
    std::memcpy(t->slot.data(), at_.at(layout::inbox_slot(ticket)), outbox_word::largest);
    std::memcpy(&t->head, t->slot.data(), sizeof t->head);
    free_oldest(word.bits);
    if (t->head.bytes == 0) {
      store_.give_back(t);
      continue;
    }
    KASURI_EXPECT(cheap,
                  t->head.bytes <= global::detail::largest_closure && t->head.from >= 0 &&
                      t->head.from < at_.size && t->head.from != at_.rank,
                  "slot %llu of the inbox: a closure of %u bytes from rank %d of %d",
                  static_cast<unsigned long long>(ticket % layout::inbox_slots), t->head.bytes,
                  t->head.from, at_.size);
    t->since = at_.net.now_ns();
    at_.counted.received.add();
    return t;
  }
}

}  // namespace kasuri::cluster
