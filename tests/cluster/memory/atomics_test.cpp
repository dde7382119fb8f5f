// SPDX-License-Identifier: Apache-2.0
// Atomic operations on elements of every type, by the public functions: random programs against a
// serial oracle on the simulated network, and all ranks at once on threads.

#include "kasuri/global/atomic.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <type_traits>
#include <vector>

#include "cluster/jittery_network.hpp"
#include "cluster/memory/memory.hpp"
#include "cluster/simulated_memory.hpp"
#include "cluster/transport/simulated/simulated.hpp"
#include "kasuri/global/checkout.hpp"
#include "kasuri/global/error.hpp"
#include "kasuri/global/memory.hpp"
#include "kasuri/global/vector.hpp"
#include "loopback.hpp"
#include "support/scale.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;

template <class T>
class Atomics : public testing::Test {};

using numbers = testing::Types<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, long long,
                               float, double>;
TYPED_TEST_SUITE(Atomics, numbers);

template <class T>
T some(std::mt19937_64& random) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T odd[] = {T(0), T(-0.0), std::numeric_limits<T>::infinity(),
                         std::numeric_limits<T>::quiet_NaN()};
    if (random() % 8 == 0) return odd[random() % 4];
    return static_cast<T>(static_cast<std::int64_t>(random() % 2001) - 1000) / 8;
  } else {
    constexpr T odd[] = {0, 1, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
    if (random() % 4 == 0) return odd[random() % 4];
    return static_cast<T>(random());
  }
}

template <class T>
bool same(T a, T b) {
  using word = global::detail::word_of<T>;
  return std::bit_cast<word>(a) == std::bit_cast<word>(b);
}

/// What the machine does serially.
template <class T>
T plus(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a + b;
  else
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                          static_cast<std::make_unsigned_t<T>>(b));
}
template <class T>
T minus(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a - b;
  else
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) -
                          static_cast<std::make_unsigned_t<T>>(b));
}

/// One operation on the element, and on `expected` what it should have done.
template <class T>
void step(std::mt19937_64& random, global::ptr<T> p, T& expected) {
  const T value = some<T>(random);
  T before = expected;
  T got{};
  switch (random() % (std::is_integral_v<T> ? 11 : 8)) {
    case 0:
      got = global::atomic_load(p);
      break;
    case 1:
      global::atomic_store(p, value);
      got = before;
      expected = value;
      break;
    case 2:
      got = global::exchange(p, value);
      expected = value;
      break;
    case 3: {
      T seen = random() % 2 == 0 ? expected : value;
      const bool should = same(seen, expected);
      const bool was = global::compare_exchange(p, seen, value);
      EXPECT_EQ(was, should);
      got = should ? before : seen;
      if (should) expected = value;
      break;
    }
    case 4:
      got = global::fetch_add(p, value);
      expected = plus(expected, value);
      break;
    case 5:
      got = global::fetch_sub(p, value);
      expected = minus(expected, value);
      break;
    case 6:
      got = global::fetch_min(p, value);
      if (value < expected) expected = value;
      break;
    case 7:
      got = global::fetch_max(p, value);
      if (expected < value) expected = value;
      break;
    default:
      if constexpr (std::is_integral_v<T>) {
        const auto which = random() % 3;
        got = which == 0   ? global::fetch_and(p, value)
              : which == 1 ? global::fetch_or(p, value)
                           : global::fetch_xor(p, value);
        expected = static_cast<T>(which == 0   ? expected & value
                                  : which == 1 ? expected | value
                                               : expected ^ value);
      }
  }
  EXPECT_TRUE(same(got, before)) << got << ", before " << before;
}

// The ranks take turns; each element has an oracle of its own beside it.
TYPED_TEST(Atomics, RandomProgramsDoWhatTheSerialOnesDo) {
  using T = TypeParam;
  const int programs = scaled(40);
  for (int seed = 1; seed <= programs; ++seed) {
    const int ranks = 1 + seed % 5;
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    constexpr std::size_t count = 6000;  // several blocks at each rank
    std::map<std::size_t, T> expected;
    on_simulated_ranks(
        jittery_network(ranks, static_cast<std::uint64_t>(seed)), small_memory(),
        [&](int rank, transport& net, memory&) {
          const global::vector<T> array(count);
          for (int turn = 0; turn != 4 * ranks; ++turn) {
            if (turn % ranks == rank) {
              for (int i = 0; i != 20; ++i) {
                const std::size_t at =
                    random() % 64 * 93;  // often the same, and neighbours of none
                step(random, array.begin() + static_cast<std::ptrdiff_t>(at), expected[at]);
              }
            }
            net.barrier();
          }
          for (const auto& [at, value] : expected)
            EXPECT_TRUE(
                same(global::atomic_load(array.begin() + static_cast<std::ptrdiff_t>(at)), value));
          net.barrier();
        });
    ASSERT_FALSE(this->HasFailure()) << "seed " << seed;
  }
}

/// All ranks at once; what they may do in any order has one result.
template <class T>
void all_at_once(int ranks, int rank, global::vector<T>& array, transport& net) {
  constexpr int rounds = 60;
  const auto at = [&](std::ptrdiff_t i) { return array.begin() + i; };
  const auto last = static_cast<std::ptrdiff_t>(array.size()) - 1;
  const T own = static_cast<T>(rank + 1);
  std::vector<T> got;  // in exchange for own tokens
  for (int i = 0; i != rounds; ++i) {
    global::fetch_add(at(0), T(2));
    global::fetch_sub(at(last), T(1));
    global::fetch_max(at(1), static_cast<T>(i * ranks + rank));
    global::fetch_min(at(last - 1), static_cast<T>(-1 - i * ranks - rank));
    got.push_back(global::exchange(at(2), static_cast<T>(own * rounds + static_cast<T>(i))));
    T seen = global::atomic_load(at(3));
    while (!global::compare_exchange(at(3), seen, static_cast<T>(seen + 1))) {
    }
  }
  // Each token comes out once, or is there still.
  static std::vector<std::vector<T>> tokens;
  if (rank == 0) tokens.assign(static_cast<std::size_t>(ranks), {});
  net.barrier();
  tokens[static_cast<std::size_t>(rank)] = got;
  net.barrier();
  if (rank != 0) return;
  const int all = ranks * rounds;
  EXPECT_EQ(global::atomic_load(at(0)), static_cast<T>(2 * all));
  EXPECT_EQ(global::atomic_load(at(last)), static_cast<T>(-all));
  EXPECT_EQ(global::atomic_load(at(1)), static_cast<T>(all - 1));
  EXPECT_EQ(global::atomic_load(at(3)), static_cast<T>(all));
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(global::atomic_load(at(last - 1)), static_cast<T>(-all));
  }
  std::map<T, int> seen;
  for (const auto& each : tokens)
    for (const T token : each) ++seen[token];
  ++seen[global::atomic_load(at(2))];
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(all) + 1);
}

TYPED_TEST(Atomics, OfAllRanksAtOnceLoseNothing) {
  for (int ranks = 1; ranks <= 5; ++ranks) {
    on_simulated_ranks(jittery_network(ranks, static_cast<std::uint64_t>(ranks)), small_memory(),
                       [&](int rank, transport& net, memory&) {
                         global::vector<TypeParam> array(5000);
                         all_at_once(ranks, rank, array, net);
                         net.barrier();
                       });
  }
}

// Ranks write elements beside those that others change: both halves of one word.
TEST(AtomicNeighbours, OfTheSameWordAreFree) {
  for (int ranks = 2; ranks <= 5; ++ranks) {
    on_simulated_ranks(jittery_network(ranks, static_cast<std::uint64_t>(ranks)), small_memory(),
                       [&](int rank, transport& net, memory&) {
                         const global::vector<std::uint32_t> array(2000, global::cyclic(1024));
                         for (std::uint32_t i = 0; i != 50; ++i) {
                           for (const std::ptrdiff_t word : {0, 1500}) {
                             global::fetch_add(array.begin() + word, 1);
                             if (static_cast<int>(i) % ranks == rank)
                               global::put(array.begin() + word + 1, i);
                           }
                         }
                         net.barrier();
                         const auto expected = static_cast<std::uint32_t>(50 * ranks);
                         for (const std::ptrdiff_t word : {0, 1500}) {
                           EXPECT_EQ(global::atomic_load(array.begin() + word), expected);
                           EXPECT_LT(global::atomic_load(array.begin() + word + 1), 50u);
                         }
                         net.barrier();
                       });
  }
}

struct node {
  global::ptr<node> next;
  std::uint64_t value;
};

// A list that all ranks push to: elements that are no numbers.
TEST(AtomicPointers, AreExchangedAndCompared) {
  for (int ranks = 1; ranks <= 4; ++ranks) {
    on_simulated_ranks(
        jittery_network(ranks, 7), small_memory(), [&](int rank, transport& net, memory&) {
          const global::vector<global::ptr<node>> head(1);
          for (std::uint64_t i = 0; i != 20; ++i) {
            const auto mine = global::allocate<node>(1);
            global::ptr<node> first = global::atomic_load(head.begin());
            do {
              global::put(mine, node{first, 20 * static_cast<std::uint64_t>(rank) + i});
            } while (!global::compare_exchange(head.begin(), first, mine));
          }
          net.barrier();
          if (rank == 0) {
            std::vector<int> seen(static_cast<std::size_t>(20 * ranks));
            std::size_t length = 0;
            auto p = global::exchange(head.begin(), nullptr);
            EXPECT_FALSE(global::atomic_load(head.begin()));
            for (; p; ++length) {
              const node n = global::get(p);
              ++seen[n.value];
              p = n.next;
            }
            EXPECT_EQ(length, seen.size());
            for (const int times : seen) EXPECT_EQ(times, 1);
          }
          net.barrier();
        });
  }
}

TEST(AtomicErrors, NameThePlace) {
  struct two {
    std::uint32_t a, b;
  };
  on_simulated_ranks(jittery_network(2, 2), small_memory(), [](int, transport& net, memory&) {
    const global::vector<two> pairs(100);
    const global::vector<float> array(100);
    const auto refused = [](auto f) {
      try {
        f();
      } catch (const global::error& e) {
        return std::string(e.what());
      }
      return std::string();
    };
    const auto odd = global::ptr<std::uint64_t>::at(array.begin().offset() + 4);
    EXPECT_NE(refused([&] { global::fetch_add(odd, 1); }).find("accepted: a multiple of 8"),
              std::string::npos);
    EXPECT_NE(refused([&] { global::atomic_load(array.end()); }), "");
    EXPECT_EQ(refused([&] { global::exchange(pairs.begin() + 3, two{1, 2}); }), "");
    EXPECT_EQ(global::atomic_load(pairs.begin() + 3).b, 2u);
    net.barrier();
  });
}

// A transport that has no operation of its own for this: made of the others, on threads at once.
TYPED_TEST(Atomics, MadeOfOtherOperationsLoseNothing) {
  for (const int ranks : {1, 3}) {
    on_ranks(ranks, [&](transport& net) {
      const window w = net.allocate(4096);
      constexpr std::uint64_t rounds = 500;
      constexpr std::uint32_t bytes = sizeof(TypeParam);
      using kind = atomic_operation::kind;
      for (std::uint64_t i = 0; i != rounds; ++i) {
        net.apply(0, w, 16, {kind::add, bytes, 1, 0});
        net.apply(ranks - 1, w, 24 + bytes, {kind::add, bytes, 3, 0});
        net.apply(0, w, 64, {kind::exchange, bytes, i + 1, 0});
      }
      net.barrier();
      const auto all = static_cast<std::uint64_t>(ranks) * rounds;
      EXPECT_EQ(net.apply(0, w, 16, {kind::load, bytes, 0, 0}), all);
      EXPECT_EQ(net.apply(ranks - 1, w, 24 + bytes, {kind::load, bytes, 0, 0}), 3 * all);
      EXPECT_EQ(net.apply(0, w, 64, {kind::load, bytes, 0, 0}), rounds);
      EXPECT_EQ(net.apply(0, w, 64, {kind::compare_swap, bytes, 7, 1}), rounds);
      net.barrier();
      window gone = w;
      net.free(gone);
    });
  }
}

}  // namespace
}  // namespace kasuri::test
