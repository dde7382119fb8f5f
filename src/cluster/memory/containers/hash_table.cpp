// SPDX-License-Identifier: Apache-2.0
// A hash table over all ranks. Nobody waits for anybody: each step that others see is one atomic
// operation on one word, and what it publishes is complete before.
//
// Each rank has a part:
//
//   words     taken: entries that have been in use; spare: the first of those that are not any
//             more; from: the part that this rank takes entries of; made: the keys this rank made
//   slots     two words for each entry. Zero, or once and for all the place of an entry (40 bits)
//             and some bits of its key's hash (24). All slots of all ranks are one ring
//   entries   a word, the value, the key. The word says that it is in use, or which spare entry
//             comes behind it
//
// Insert. From the slot that the hash gives on, slot by slot: is it empty, the task takes an entry
// of its own rank's part, of another where that has none, writes value and key at the entry's home,
// and then the slot by a compare-and-swap. Who sees the slot sees the entry, as its bytes had
// arrived before. Was another task first, the slot is one that has an entry. Is that entry's key
// the one that is looked for (asked at its home where the bits of the hash agree), the key is
// there, and an entry that was taken in vain becomes spare. As no slot becomes empty again, two
// tasks with one key come to the same slot, and one of them sees the other's entry.
//
// There are at most half as many entries in use as slots, so each search comes to an empty slot.
//
// Spare entries of a part are a stack. Who takes one compares the word `spare`, which has a number
// in its upper half that grows with each taking: an entry that was taken and given back meanwhile
// is not taken for what it was, unless 2^32 were taken between two operations of one task.
//
// Key and value of an entry do not change while it is in a slot, but for values of 4 or 8 bytes:
// these are words of atomic operations from then on.

#include "kasuri/global/detail/hash_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

#include "cluster/memory/at_home.hpp"
#include "cluster/memory/here.hpp"
#include "cluster/transport/meet.hpp"
#include "kasuri/global/error.hpp"

namespace [[gnu::visibility("default")]] kasuri {
namespace global::detail {
namespace {

constexpr std::uint64_t taken_word = 0;
constexpr std::uint64_t spare_word = 8;
constexpr std::uint64_t from_word = 16;
constexpr std::uint64_t made_word = 24;
constexpr std::uint64_t slots_start = 64;
constexpr std::uint64_t slots_of_entry = 2;

constexpr unsigned place_bits = 40;
constexpr std::uint64_t most_entries = (std::uint64_t{1} << place_bits) - 1;
constexpr std::uint64_t most_part_entries = UINT32_MAX - 1;
constexpr std::uint64_t in_use = ~std::uint64_t{0};

std::uint64_t mixed(std::uint64_t x) noexcept {
  x = (x ^ (x >> 31)) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
  return x ^ (x >> 32);
}

std::uint64_t hash_of(const void* key, std::uint32_t bytes) noexcept {
  const auto* at = static_cast<const std::byte*>(key);
  std::uint64_t h = bytes;
  for (std::uint32_t done = 0; done < bytes; done += 8) {
    std::uint64_t some = 0;
    std::memcpy(&some, at + done, std::min<std::uint32_t>(8, bytes - done));
    h = mixed(h + some) * 0x94d049bb133111eb;
  }
  return mixed(h);
}

void expect_map(const hash_table& t) {
  if (t.ranks == 0)
    throw error(
        "global::hash_map_view: used without a map; accepted: the view of a map that has "
        "not been moved from");
}

/// One operation of the caller's on a table.
class caller {
 public:
  caller(const hash_table& t, const hash_shape& shape)
      : memory_(cluster::memory_here()), table_(t), shape_(shape) {
    expect_map(t);
  }

  std::uint64_t find(const void* key, void* value) {
    const std::uint64_t hash = hash_of(key, shape_.key_bytes);
    for (std::uint64_t slot = first_slot(hash);; slot = next(slot)) {
      const std::uint64_t seen = memory_.words().load(slot_at(slot));
      if (seen == 0) return 0;
      if (has_key(seen, hash, key, value)) return value_at(entry_in(seen));
    }
  }

  hash_place insert(const void* key, const void* value) {
    const std::uint64_t hash = hash_of(key, shape_.key_bytes);
    std::optional<std::uint64_t> mine;
    for (std::uint64_t slot = first_slot(hash);; slot = next(slot)) {
      std::uint64_t seen = memory_.words().load(slot_at(slot));
      if (seen == 0) {
        if (!mine) mine = make(key, value);
        if (!mine) return {insertion::full, 0};
        const std::uint64_t word = word_for(hash, *mine);
        seen = memory_.words().compare_swap(slot_at(slot), 0, word);
        if (seen == 0) {
          memory_.words().fetch_add(word_at(here(), made_word), 1);
          return {insertion::made, value_at(*mine)};
        }
      }
      if (has_key(seen, hash, key, nullptr)) {
        if (mine) give_back(*mine);
        return {insertion::present, value_at(entry_in(seen))};
      }
    }
  }

 private:
  [[nodiscard]] std::uint64_t here() const noexcept {
    return static_cast<std::uint64_t>(memory_.network().rank());
  }

  // Places in global memory.
  [[nodiscard]] std::uint64_t part_at(std::uint64_t part) const noexcept {
    return table_.begin + part * table_.part_bytes;
  }
  [[nodiscard]] std::uint64_t word_at(std::uint64_t part, std::uint64_t word) const noexcept {
    return part_at(part) + word;
  }
  [[nodiscard]] std::uint64_t slot_at(std::uint64_t slot) const noexcept {
    const std::uint64_t of_part = slots_of_entry * table_.part_entries;
    return part_at(slot / of_part) + slots_start + slot % of_part * 8;
  }
  [[nodiscard]] std::uint64_t entry_at(std::uint64_t entry) const noexcept {
    return part_at(entry / table_.part_entries) + slots_start +
           slots_of_entry * 8 * table_.part_entries +
           entry % table_.part_entries * shape_.entry_bytes;
  }
  [[nodiscard]] std::uint64_t value_at(std::uint64_t entry) const noexcept {
    return entry_at(entry) + shape_.value_at;
  }

  // Slots, and what they hold.
  [[nodiscard]] std::uint64_t slots() const noexcept {
    return slots_of_entry * table_.part_entries * table_.ranks;
  }
  [[nodiscard]] std::uint64_t first_slot(std::uint64_t hash) const noexcept {
    return hash % slots();
  }
  [[nodiscard]] std::uint64_t next(std::uint64_t slot) const noexcept {
    return slot + 1 == slots() ? 0 : slot + 1;
  }
  static std::uint64_t word_for(std::uint64_t hash, std::uint64_t entry) noexcept {
    return hash >> place_bits << place_bits | (entry + 1);
  }
  static std::uint64_t entry_in(std::uint64_t word) noexcept { return (word & most_entries) - 1; }

  /// Whether the entry in a slot has that key; then its value goes to `value`, if anything.
  bool has_key(std::uint64_t word, std::uint64_t hash, const void* key, void* value) {
    if (word >> place_bits != hash >> place_bits) return false;
    std::array<std::byte, largest_key> its;
    const std::uint64_t entry = entry_at(entry_in(word));
    const cluster::read_from its_key{entry + shape_.key_at, its.data(), shape_.key_bytes};
    if (value == nullptr)
      cluster::read_at_home(memory_, {its_key});
    else
      cluster::read_at_home(memory_,
                            {its_key, {entry + shape_.value_at, value, shape_.value_bytes}});
    return std::memcmp(its.data(), key, shape_.key_bytes) == 0;
  }

  /// An entry that nobody sees yet; none where all are in use.
  std::optional<std::uint64_t> make(const void* key, const void* value) {
    const std::optional<std::uint64_t> entry = take();
    if (!entry) return std::nullopt;
    const std::uint64_t at = entry_at(*entry);
    cluster::write_at_home(memory_, {{at + shape_.value_at, value, shape_.value_bytes},
                                     {at + shape_.key_at, key, shape_.key_bytes}});
    memory_.words().store(at, in_use);
    return entry;
  }

  std::optional<std::uint64_t> take() {
    const std::uint64_t first = memory_.words().load(word_at(here(), from_word)) + here();
    for (std::uint64_t i = 0; i != table_.ranks; ++i) {
      const std::uint64_t part = (first + i) % table_.ranks;
      std::optional<std::uint64_t> entry = take_spare(part);
      if (!entry) entry = take_new(part);
      if (!entry) continue;
      // The next one is looked for where this one was.
      if (i != 0)
        memory_.words().store(word_at(here(), from_word),
                              (part + table_.ranks - here()) % table_.ranks);
      return part * table_.part_entries + *entry;
    }
    return std::nullopt;
  }

  std::optional<std::uint64_t> take_spare(std::uint64_t part) {
    const std::uint64_t head = word_at(part, spare_word);
    std::uint64_t seen = memory_.words().load(head);
    while (first_spare(seen) != 0) {
      const std::uint64_t entry = first_spare(seen) - 1;
      // Of an entry that is no more spare any number; the word has changed then.
      const std::uint64_t behind =
          memory_.words().load(entry_at(part * table_.part_entries + entry));
      const std::uint64_t before = std::exchange(
          seen, memory_.words().compare_swap(head, seen, spare_word_of(takings(seen) + 1, behind)));
      if (seen == before) return entry;
    }
    return std::nullopt;
  }

  std::optional<std::uint64_t> take_new(std::uint64_t part) {
    const std::uint64_t count = word_at(part, taken_word);
    std::uint64_t seen = memory_.words().load(count);
    while (seen != table_.part_entries) {
      const std::uint64_t before =
          std::exchange(seen, memory_.words().compare_swap(count, seen, seen + 1));
      if (seen == before) return before;
    }
    return std::nullopt;
  }

  void give_back(std::uint64_t entry) {
    const std::uint64_t head = word_at(entry / table_.part_entries, spare_word);
    std::uint64_t seen = memory_.words().load(head);
    while (true) {
      memory_.words().store(entry_at(entry), first_spare(seen));
      const std::uint64_t word = spare_word_of(takings(seen), entry % table_.part_entries + 1);
      const std::uint64_t before =
          std::exchange(seen, memory_.words().compare_swap(head, seen, word));
      if (seen == before) return;
    }
  }

  // The word `spare`: takings, and 1 + the number of the first spare entry; 0: none.
  static std::uint64_t takings(std::uint64_t word) noexcept { return word >> 32; }
  static std::uint64_t first_spare(std::uint64_t word) noexcept { return word & UINT32_MAX; }
  static std::uint64_t spare_word_of(std::uint64_t takings, std::uint64_t first) noexcept {
    return takings << 32 | first_spare(first);
  }

  cluster::memory& memory_;
  const hash_table& table_;
  const hash_shape& shape_;
};

}  // namespace

hash_table make_hash_table(std::uint64_t capacity, const hash_shape& shape) {
  cluster::expect_no_task("global::hash_map");
  cluster::memory& m = cluster::memory_here();
  cluster::meet(m.network(), {.what = cluster::collective_call::kind::hash_map,
                              .sizes = {capacity, shape.entry_bytes}});
  hash_table t;
  t.ranks = static_cast<std::uint64_t>(m.network().size());
  const std::uint64_t most = std::min(most_entries, most_part_entries * t.ranks) - t.ranks;
  if (capacity == 0 || capacity > most)
    throw error("global::hash_map of capacity " + std::to_string(capacity) + "; accepted: 1 to " +
                std::to_string(most) + " on " + std::to_string(t.ranks) + " ranks");
  t.part_entries = (capacity + t.ranks - 1) / t.ranks;
  const std::uint64_t of_entry = shape.entry_bytes + slots_of_entry * 8;
  t.part_bytes = slots_start + t.part_entries * of_entry;  // 2^32 times 2^32 at most
  t.begin = m.arrays().add_parts(t.part_bytes, "a global::hash_map of capacity " +
                                                   std::to_string(capacity) + " (entries of " +
                                                   std::to_string(of_entry) + " bytes)");
  return t;
}

std::uint64_t find_in(const hash_table& t, const hash_shape& shape, const void* key, void* value) {
  return caller(t, shape).find(key, value);
}

hash_place insert_into(const hash_table& t, const hash_shape& shape, const void* key,
                       const void* value) {
  return caller(t, shape).insert(key, value);
}

std::uint64_t count_in(const hash_table& t) {
  expect_map(t);
  std::uint64_t sum = 0;
  for (std::uint64_t part = 0; part != t.ranks; ++part)
    sum += cluster::memory_here().words().load(t.begin + part * t.part_bytes + made_word);
  return sum;
}

std::uint64_t entries_of(const hash_table& t, std::uint64_t part) {
  return cluster::memory_here().words().load(t.begin + part * t.part_bytes + taken_word);
}

void read_entries(const hash_table& t, const hash_shape& shape, std::uint64_t part,
                  std::uint64_t first, std::uint64_t n, void* to) {
  const std::uint64_t at = t.begin + part * t.part_bytes + slots_start +
                           slots_of_entry * 8 * t.part_entries + first * shape.entry_bytes;
  cluster::read_at_home(cluster::memory_here(), {{at, to, n * shape.entry_bytes}});
}

bool is_entry(const void* entry) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, entry, sizeof word);
  return word == in_use;
}

}  // namespace global::detail
}  // namespace kasuri
