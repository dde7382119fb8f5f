// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kasuri/model.hpp"

namespace bench::fib {

/// The problem over the common model.
template <class Way>
long fork_join(long n) {
  if (n < 2) return n;
  const auto both = kasuri::model::fork_join<Way>([n] { return fork_join<Way>(n - 1); },
                                                  [n] { return fork_join<Way>(n - 2); });
  return both.first + both.second;
}

}  // namespace bench::fib
