// SPDX-License-Identifier: Apache-2.0
// Random programs of a hash map: phases, in each of which tasks on all ranks insert, find, add and
// update a few keys at the same time. The ranks share this process, so that each operation is
// entered in an oracle of plain C++ when it begins and when it ends, and what it said is held
// against it: of a key there is one that made it; what had been made before a search began is
// found, with a value that somebody put in; and behind each phase all is there once.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>

#include "cluster/containers/programs.hpp"
#include "cluster/containers/working_ranks.hpp"
#include "kasuri/global/container/hash_map.hpp"
#include "kasuri/global/parallel_for.hpp"
#include "kasuri/global/run.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;
using global::insertion;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 ^ b;
  x = (x ^ (x >> 29)) * 0x94d049bb133111eb;
  return x ^ (x >> 32);
}

struct wide {
  std::array<std::uint32_t, 9> words;
  friend auto operator<=>(const wide&, const wide&) = default;
};

// Keys and values of a number.
template <class T>
T made_of(std::uint64_t n) {
  return static_cast<T>(n);
}
template <>
wide made_of<wide>(std::uint64_t n) {
  wide w;
  for (std::uint32_t i = 0; i != 9; ++i) w.words[i] = static_cast<std::uint32_t>(n) * (i + 1);
  return w;
}

template <class K, class V>
class map_program {
 public:
  static constexpr bool adds = std::is_arithmetic_v<V> && sizeof(V) >= 4;

  explicit map_program(std::uint64_t seed) : seed_(seed), random_(seed) {
    ranks_ = 1 + static_cast<int>(random_() % 5);
    keys_ = 1 + random_() % 40;
    // Often too little.
    capacity_ = 1 + random_() % (random_() % 3 == 0 ? keys_ : keys_ + 20);
    phases_ = 1 + static_cast<int>(random_() % 3);
  }

  outcome play() {
    the_program = this;
    try {
      on_working_ranks(
          ranks_, seed_, container_memory(seed_, false), [this](int rank, transport& net) {
            const global::hash_map<K, V> map(capacity_);
            if (rank == 0) capacity_ = map.capacity();
            net.barrier();
            for (int phase = 0; phase != phases_; ++phase) {
              if (rank == 0) begin_phase(phase);
              net.barrier();
              global::run([v = map.view(), phase] { the_program->all_operations(v, phase); });
              if (rank == 0) end_phase();
              walk(map, rank, net);
            }
            fill(map, rank, net);
          });
    } catch (const std::exception& e) {
      complain(std::string("threw: ") + e.what());
    }
    the_program = nullptr;
    return result_;
  }

 private:
  using view = global::hash_map_view<K, V>;
  static inline map_program* the_program = nullptr;

  struct known {
    bool begun = false;  // somebody wants to make it
    int made = 0;        // by so many
    bool found = false;
    std::set<V> values;  // that it may have been made with
    V first{};           // with which it was
    V added{};           // beside that, in the phases that are over and in this one
    V adding{};
  };

  void complain(const std::string& what) {
    if (result_.complaint.empty()) result_.complaint = what + "\n";
  }

  void begin_phase(int phase) {
    operations_ = 1 + mix(seed_, static_cast<std::uint64_t>(phase)) % 120;
    full_ = false;
  }

  void all_operations(const view& v, int phase) {
    const std::size_t grain = 1 + mix(seed_, 77) % 5;
    global::parallel_for(std::uint64_t{0}, operations_, grain,
                         [v, phase](std::uint64_t lo, std::uint64_t hi) {
                           for (; lo != hi; ++lo) the_program->operate(v, phase, lo);
                         });
  }

  void operate(const view& v, int phase, std::uint64_t number) {
    const std::uint64_t plan = mix(seed_ * 10 + static_cast<std::uint64_t>(phase), number);
    current_process->network->spend(plan % 3 * 1000);
    const std::uint64_t which = plan / 7 % keys_;
    const K key = made_of<K>(which);
    known& k = keys_known_[which];
    const V value = made_of<V>(1 + plan % 5);
    const int made_before = k.made;
    switch (plan / 1000 % 4) {
      case 0: {
        const auto found = v.find(key);
        if (v.contains(key) < found.has_value()) complain("a key was found, and is gone");
        if (found && !k.begun) complain("a key is found that nobody has put in");
        if (!found && made_before != 0) complain("a key is not found that was there");
        if (found && !may_be(k, *found)) complain("the value of a key is nobody's");
        return;
      }
      case 1:
      case 2:
        if constexpr (adds) {
          k.begun = true;
          k.values.insert(value);
          const bool by_update = plan / 9000 % 2 == 0;
          k.adding = static_cast<V>(k.adding + value);
          const auto add = [value](V old) { return static_cast<V>(old + value); };
          const insertion what = by_update ? v.update(key, value, add) : v.add(key, value);
          if (what != insertion::present) k.adding = static_cast<V>(k.adding - value);
          if (what == insertion::present) k.added = static_cast<V>(k.added + value);
          return note(k, what, value, made_before);
        }
        [[fallthrough]];
      default:
        k.begun = true;
        k.values.insert(value);
        note(k, v.insert(key, value), value, made_before);
    }
  }

  void note(known& k, insertion what, const V& value, int made_before) {
    switch (what) {
      case insertion::made:
        ++keys_made_;
        ++k.made;
        k.first = value;
        if (k.made != 1) complain("a key is made twice");
        if (made_before != 0) complain("a key is made that was there");
        break;
      case insertion::present:
        k.found = true;
        if (made_before == 0) ++result_.vain;
        break;
      case insertion::full:
        full_ = true;
        ++result_.refused;
        if (made_before != 0) complain("a key that was there is refused");
    }
  }

  /// Of keys whose value others may be changing: what is there is not known.
  static bool may_be(const known& k, const V& v) {
    if constexpr (adds)
      return static_cast<bool>(v >= *k.values.begin());
    else
      return k.values.contains(v);
  }

  void end_phase() {
    for (const auto& [which, k] : keys_known_) {
      if (k.found && k.made == 0) complain("a key was present, and nobody has made it");
      if (k.adding != k.added && adds) complain("what was added is not known");
    }
    // Each rank may hold one entry that it gives back.
    if (full_ && keys_made_ + static_cast<std::uint64_t>(ranks_) < capacity_)
      complain("a map is full with " + std::to_string(keys_made_) + " keys of " +
               std::to_string(capacity_));
    if (keys_made_ > capacity_) complain("there is more than the capacity");
  }

  static V sum_of(const known& k) {
    if constexpr (adds)
      return static_cast<V>(k.first + k.added);
    else
      return k.first;
  }

  /// All is there, once, whichever way one looks.
  void walk(const global::hash_map<K, V>& map, int rank, transport& net) {
    static std::map<K, V> seen;
    if (rank == 0) seen.clear();
    net.barrier();
    global::run([v = map.view()] {
      const std::size_t leaf = mix(the_program->seed_, 5) % 4;
      v.for_each(
          [](const K& key, const V& value) {
            if (!seen.emplace(key, value).second) the_program->complain("a key comes twice");
          },
          {.cutoff = leaf, .checkout = leaf / 2});
    });
    if (map.view().size() != keys_made_) complain("the size is another");
    for (const auto& [which, k] : keys_known_) {
      const K key = made_of<K>(which);
      const auto found = map.view().find(key);
      if (found.has_value() != (k.made == 1)) complain("a key is, or is not, there behind a run");
      if (found && *found != sum_of(k)) complain("the value of a key is another behind a run");
      if (found && (!seen.contains(key) || seen.at(key) != *found))
        complain("a key does not come, or with another value");
    }
    if (seen.size() != keys_made_) complain("not all keys come");
    net.barrier();
  }

  /// By one rank alone: there is room for as many keys as was said.
  void fill(const global::hash_map<K, V>& map, int rank, transport& net) {
    if (rank == ranks_ - 1) {
      for (std::uint64_t which = 100; keys_made_ != capacity_; ++which, ++keys_made_)
        if (map.view().insert(made_of<K>(which), V{}) != insertion::made) {
          complain("a map is full with " + std::to_string(keys_made_) + " keys of " +
                   std::to_string(capacity_) + " when it is filled");
          break;
        }
      if (map.view().insert(made_of<K>(99), V{}) != insertion::full)
        complain("there is more room than was said");
      if (map.view().size() != map.capacity()) complain("the size of a full map is another");
    }
    net.barrier();
  }

  const std::uint64_t seed_;
  std::mt19937_64 random_;
  int ranks_;
  int phases_;
  std::uint64_t keys_;
  std::size_t capacity_;
  std::uint64_t operations_ = 0;
  std::map<std::uint64_t, known> keys_known_;
  std::uint64_t keys_made_ = 0;
  bool full_ = false;
  outcome result_;
};

}  // namespace

outcome run_map_program(std::uint64_t seed) {
  switch (mix(seed, 3) % 6) {
    case 0:
      return map_program<std::uint64_t, std::uint64_t>(seed).play();
    case 1:
      return map_program<std::uint32_t, std::int32_t>(seed).play();
    case 2:
      return map_program<wide, double>(seed).play();
    case 3:
      return map_program<std::uint16_t, float>(seed).play();
    case 4:
      return map_program<wide, wide>(seed).play();
    default:
      return map_program<std::uint8_t, std::uint8_t>(seed).play();
  }
}

}  // namespace kasuri::test
