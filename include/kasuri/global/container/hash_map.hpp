// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// A hash map over all ranks, in which all tasks insert, find and add at the same time.

#include "kasuri/detail/needs_cxx20.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasuri/global/algorithm/policy.hpp"
#include "kasuri/global/atomic.hpp"
#include "kasuri/global/container/insertion.hpp"
#include "kasuri/global/detail/each_part.hpp"
#include "kasuri/global/detail/hash_table.hpp"
#include "kasuri/global/detail/memory_face.hpp"
#include "kasuri/global/ptr.hpp"

namespace kasuri::global {

namespace detail {

template <class T>
concept atomic_element =
    std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) &&
    (std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>);

constexpr std::uint32_t rounded_up(std::size_t n, std::size_t to) noexcept {
  return static_cast<std::uint32_t>((n + to - 1) / to * to);
}

template <class K, class V>
constexpr hash_shape shape_of() noexcept {
  const std::uint32_t value_at = rounded_up(8, alignof(V));
  const std::uint32_t key_at = rounded_up(value_at + sizeof(V), alignof(K));
  const std::size_t alignment = std::max({std::size_t{8}, alignof(V), alignof(K)});
  return {rounded_up(key_at + sizeof(K), alignment), value_at, sizeof(V), key_at, sizeof(K)};
}

/// The value whose bytes lie at `from`.
template <class T>
T value_from(const std::byte* from) noexcept {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  return std::bit_cast<T>(bytes);
}

}  // namespace detail

/// A hash_map as closures capture it: a plain value of 32 bytes.
///
/// insert, find, contains, add and update of any tasks may run at the same time, on the same keys
/// too. Each takes effect at one moment between its call and its return; nobody waits for anybody,
/// and no key is lost or there twice. They do not run at the same time as for_each. What a task did
/// is seen by those that forks and joins order behind it, and by parallel ones as they come to it.
/// They order nothing else: what a task wrote to other global memory before it inserted a key is
/// not seen by who finds the key.
///
/// The cost is counted in trips to the home of an entry or slot and back, of which there are none
/// where that is here. Nothing of a map is kept in the cache, so a key that is looked for again
/// costs the same again. A step is the look at one slot, 1 trip: 1.5 of them for a key that is
/// there, 2.5 for one that is not, in a full map, on the average; 1 in an empty one.
///
/// - find: the steps; for a key that is there 2 more, or 1 more where V has not 4 or 8 bytes.
/// - contains: the steps, and for a key that is there 1 more.
/// - insert: the steps and 1.
/// - add of integers: the steps, and for a key that is there 2 more, for a new one 1.
/// - add of floating point, update: the steps, and for a key that is there 3 more and 1 for each
///   change by others that comes between, for a new one 1.
/// - size: a trip to each rank.
///
/// A new entry lies at the rank whose task inserts it; once that rank's share of the capacity is
/// used up it is made at another, for 5 trips more and 2 for each rank that has no room.
///
/// Capacity is counted in entries, of which a task that makes a key takes one before it knows that
/// it is the only one. So while several make the last keys one of them may be told that the map is
/// full, though another gives its entry back a moment later: on one rank as many entries too early
/// at most as tasks are making keys at that moment. Several ranks are asked for room one after the
/// other, and each may count one such entry for each of these tasks.
///
/// All throw error where nothing lies at the map's addresses any more; where another array has got
/// them, an ended map is not found out. Without a map (a view of a map that was moved from) all
/// throw error, but for for_each, which does nothing.
/// @par Thread-safety: any task of a run; but for for_each any thread outside of tasks, too.
template <class K, class V>
class hash_map_view {
 public:
  /// The type of the keys.
  using key_type = K;
  /// The type of the values.
  using mapped_type = V;

  /// No map.
  constexpr hash_map_view() noexcept = default;
  /// For hash_map.
  explicit constexpr hash_map_view(const detail::hash_table& t) noexcept : table_(t) {}

  /// Puts `value` in at `key`, unless the key is there: its value stays as it is then.
  /// @return made, present, or full: see insertion
  insertion insert(const K& key, const V& value) const {
    return detail::insert_into(table_, shape, &key, &value).what;
  }

  /// The value at `key`, or nothing.
  std::optional<V> find(const K& key) const {
    if constexpr (detail::atomic_element<V>) {
      const std::uint64_t at = detail::find_in(table_, shape, &key, nullptr);
      if (at == 0) return std::nullopt;
      return atomic_load(ptr<V>::at(at));
    } else {
      std::array<std::byte, sizeof(V)> value;
      if (detail::find_in(table_, shape, &key, value.data()) == 0) return std::nullopt;
      return std::bit_cast<V>(value);
    }
  }

  /// Whether the key is there.
  bool contains(const K& key) const { return detail::find_in(table_, shape, &key, nullptr) != 0; }

  /// Adds `amount` to the value at `key`; a key that is not there gets `amount`. For integers,
  /// which wrap around, float and double, of 4 or 8 bytes.
  /// @return made, present, or full: then nothing was added
  insertion add(const K& key, std::type_identity_t<V> amount) const {
    detail::check_atomic_number<V>();
    const detail::hash_place place = detail::insert_into(table_, shape, &key, &amount);
    if (place.what == insertion::present) fetch_add(ptr<V>::at(place.value), amount);
    return place.what;
  }

  /// The value v at `key` becomes next(v); a key that is not there gets `first`. For values that
  /// atomic operations take: of 4 or 8 bytes, without padding.
  /// @param key    the key
  /// @param first  the value of a key that is not there
  /// @param next   callable with a V, returns a V. Is called again where another task has changed
  ///               the value meanwhile; must not have effects of its own
  /// @return made, present, or full: then nothing has changed
  template <class Next>
  insertion update(const K& key, std::type_identity_t<V> first, Next next) const {
    detail::check_atomic<V>();
    const detail::hash_place place = detail::insert_into(table_, shape, &key, &first);
    if (place.what == insertion::present) detail::update_atomic(ptr<V>::at(place.value), next);
    return place.what;
  }

  /// Calls f(key, value) for each key, in no order, by tasks on all ranks: at the home of the
  /// entries as long as nobody steals them. While no task inserts, adds or updates. 3 trips to
  /// each rank; where entries are stolen, one for each piece of 64 KiB. Inside global::run.
  /// @param f  callable with a const K& and a const V&; as the closures of algorithms. What it
  ///           returns is dropped. It may fork
  /// @param p  see policy; its numbers count entries
  /// @throw what f throws; std::bad_alloc; error outside of a run of several ranks
  template <class F>
  void for_each(F f, policy p = {}) const {
    detail::check_closures<F>();
    const std::size_t chosen = std::max<std::size_t>(detail::piece_bytes / shape.entry_bytes, 1);
    const std::size_t piece = p.checkout != 0 ? p.checkout : chosen;
    const std::size_t leaf = p.cutoff != 0 ? p.cutoff : piece;
    detail::each_part(
        table_.begin, table_.part_bytes, table_.ranks,
        [t = table_, leaf, piece = std::min(leaf, piece), f](std::size_t part) {
          detail::each_leaf(
              0, detail::entries_of(t, part), leaf, [=](std::size_t lo, std::size_t hi) {
                detail::each_piece(lo, hi, piece, [=](std::size_t first, std::size_t n) {
                  each(t, part, first, n, f);
                });
              });
        });
  }

  /// The keys that are there; while others insert, some number between. One that is being inserted
  /// counts a little later than it is found.
  std::size_t size() const { return detail::count_in(table_); }
  /// Keys that there is room for. No message.
  constexpr std::size_t capacity() const noexcept { return table_.part_entries * table_.ranks; }

 private:
  static constexpr detail::hash_shape shape = detail::shape_of<K, V>();

  template <class F>
  static void each(const detail::hash_table& t, std::size_t part, std::size_t first, std::size_t n,
                   F& f) {
    std::vector<std::byte> entries(n * shape.entry_bytes);
    detail::read_entries(t, shape, part, first, n, entries.data());
    for (const std::byte* e = entries.data(); n != 0; --n, e += shape.entry_bytes) {
      if (!detail::is_entry(e)) continue;
      const K key = detail::value_from<K>(e + shape.key_at);
      const V value = detail::value_from<V>(e + shape.value_at);
      f(key, value);
    }
  }

  detail::hash_table table_;
};

/// A map from keys to values over all ranks, of fixed capacity. Constructed and destroyed by all
/// ranks, in the same order, outside of tasks; closures capture its view. It can be moved, and not
/// copied. A map begins empty; keys are never taken out.
///
/// Keys are trivially copyable, of 256 bytes at most, and compared byte by byte: they have no
/// padding and are no floating point numbers, else they do not compile. std::array of numbers, and
/// structs of these, are good keys. Values are trivially copyable. Those of 4 or 8 bytes (without
/// padding) can be changed by add and update; others keep what was inserted. Both are aligned to at
/// most 16.
///
/// Memory, at each rank: for each key of its share of the capacity 16 bytes, and 8 more with the
/// key and the value; from KASURI_GLOBAL_RANGE at once, of the machine as far as it is used. A map
/// does not grow: a key for which there is no room is refused, by insertion::full. So choose the
/// capacity for the most different keys that may come, or that are bearable, and as many more as
/// there are workers on all ranks, whose tasks may take an entry in vain; and look at what insert
/// and add return. Room for keys that never come costs addresses and 16 bytes each. Where the
/// number is not known, count first (a bag of the keys, sorted), or make a larger map outside of
/// the run that found it full, and insert for_each of the old one.
/// @par Thread-safety: one thread of each rank at a time in collective calls (constructor,
/// destructor, assignment); the other members any.
template <class K, class V>
class hash_map {
  static_assert(std::is_trivially_copyable_v<K> && std::is_trivially_copyable_v<V>,
                "keys and values of a global::hash_map move between processes as bytes: make them "
                "trivially copyable");
  static_assert(std::has_unique_object_representations_v<K>,
                "keys of a global::hash_map are compared byte by byte: make the key one without "
                "padding and floating point numbers");
  static_assert(sizeof(K) <= detail::largest_key,
                "keys of a global::hash_map have 256 bytes at most");
  static_assert(alignof(K) <= 16 && alignof(V) <= 16,
                "keys and values of a global::hash_map are aligned to 16 bytes at most");

 public:
  /// Room for `capacity` keys, or up to a number less than the ranks more: the same at each rank.
  /// @param capacity  keys; at least 1, at most 2^32 - 3 for each rank and 2^40 in all
  /// @throw error, on all ranks, where the capacity is none of these; as the constructor of a
  ///              vector where there is no memory; inside a task
  explicit hash_map(std::size_t capacity)
      : table_(detail::make_hash_table(capacity, detail::shape_of<K, V>())) {}
  /// Takes the entries over; `other` is no map then.
  hash_map(hash_map&& other) noexcept : table_(std::exchange(other.table_, {})) {}
  /// Frees its own entries, as the destructor does, and takes those of `other` over.
  hash_map& operator=(hash_map&& other) noexcept {
    if (this != &other) {
      if (table_.begin != 0) detail::end_array(table_.begin);
      table_ = std::exchange(other.table_, {});
    }
    return *this;
  }
  /// Collective: frees the entries. No task uses them any more.
  ~hash_map() {
    if (table_.begin != 0) detail::end_array(table_.begin);
  }

  /// The map as closures capture it.
  hash_map_view<K, V> view() const noexcept { return hash_map_view<K, V>(table_); }
  /// Keys that there is room for.
  std::size_t capacity() const noexcept { return view().capacity(); }

 private:
  detail::hash_table table_;
};

}  // namespace kasuri::global
