// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/wire/portable_kinds.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "cluster/sched/wire/modules.hpp"

namespace kasuri::cluster {
namespace {

template <int N>
struct numbered {
  int operator()() const { return N; }
};

template <int... N>
void check_all(portable_kinds& kinds, std::integer_sequence<int, N...>) {
  // More kinds than are remembered, so that they take one another's places.
  for (int round = 0; round != 2; ++round) {
    for (const auto* kind : {&global::detail::kind_of<numbered<N>>::kind...}) {
      EXPECT_EQ(kinds.of(kind), portable_address(kind));
      EXPECT_EQ(local_address(kinds.of(kind)), kind);
    }
  }
}

TEST(PortableKinds, TellTheSameAsTheModules) {
  portable_kinds kinds;
  check_all(kinds, std::make_integer_sequence<int, 150>());
}

}  // namespace
}  // namespace kasuri::cluster
