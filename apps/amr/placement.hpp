// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <kasuri/kasuri.hpp>
#include <tuple>
#include <utility>

#include "amr/node.hpp"

/// All that the application tells the runtime about where its tasks should run.
namespace amr {

/// The calling worker's index, -1 outside.
inline int this_worker() noexcept { return kasuri::this_task::worker(); }

/// visit(i) for the four children in parallel; their results in order.
template <class Visit>
auto fork(const node*, Visit&& visit) {
  auto r = kasuri::parallel_invoke([&] { return visit(0); }, [&] { return visit(1); },
                                   [&] { return visit(2); }, [&] { return visit(3); });
  return std::apply([](auto... each) { return std::array{each...}; }, std::move(r));
}

}  // namespace amr
