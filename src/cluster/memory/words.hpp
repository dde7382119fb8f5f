// SPDX-License-Identifier: Apache-2.0
#pragma once

// Atomic operations on aligned words of global memory, at their home. They order nothing else. The
// copy of their block that may be here is not looked at; what this process wrote to the word before
// by a checkout goes home first.

#include <cstdint>

#include "cluster/memory/base/options.hpp"
#include "cluster/memory/cache/cache.hpp"
#include "cluster/memory/checks.hpp"
#include "cluster/memory/space/directory.hpp"
#include "cluster/transport/transport.hpp"

namespace kasuri::cluster {

class atomic_words {
 public:
  atomic_words(transport& network, const memory_options& options, const directory& places,
               cache& copies, memory_checks& checks) noexcept
      : network_(network), options_(options), places_(places), copies_(copies), checks_(checks) {}

  std::uint64_t fetch_add(std::uint64_t offset, std::uint64_t value);
  std::uint64_t compare_swap(std::uint64_t offset, std::uint64_t expected, std::uint64_t desired);
  std::uint64_t load(std::uint64_t offset);
  void store(std::uint64_t offset, std::uint64_t value);

 private:
  const region& locate(std::uint64_t offset, home_place& home);

  transport& network_;
  const memory_options& options_;
  const directory& places_;
  cache& copies_;
  memory_checks& checks_;
};

}  // namespace kasuri::cluster
