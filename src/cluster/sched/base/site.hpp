// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "cluster/base/coherence.hpp"
#include "cluster/sched/base/counters.hpp"
#include "cluster/sched/host/pool_side.hpp"
#include "cluster/sched/base/options.hpp"
#include "cluster/sched/wire/layout.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

/// The parts of a rank's scheduler work with these. They outlive it.
struct sched_site {
  transport& net;
  coherence& memory;
  pool_side& pool;
  const scheduler_options options;
  const int rank;
  const int size;
  window words;  // at each rank what wire/layout.hpp says
  sched_counters counted;

  /// A word of this rank.
  [[nodiscard]] std::uint64_t own(std::size_t offset) const {
    return net.load(rank, words, offset);
  }
  /// Memory of this rank's part of the window.
  [[nodiscard]] std::byte* at(std::size_t offset) const noexcept {
    KASURI_EXPECT(cheap, offset < layout::bytes, "offset %zu in a window of %zu bytes", offset,
                  layout::bytes);
    return words.local + offset;
  }
};

}  // namespace kasuri::cluster
