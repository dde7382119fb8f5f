// SPDX-License-Identifier: Apache-2.0
#pragma once

// Atomic operations on aligned words of 4 or 8 bytes of global memory, at their home. They order
// nothing else. The copy of their block that may be here is not looked at; what this process wrote
// to the word before by a checkout goes home first.

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

  /// The word as it was before. Throws global::error where it is in no allocation, or not aligned.
  std::uint64_t apply(std::uint64_t offset, const atomic_operation& op);

  // On words of 8 bytes.
  std::uint64_t fetch_add(std::uint64_t offset, std::uint64_t value) {
    return apply(offset, {atomic_operation::kind::add, 8, value, 0});
  }
  std::uint64_t compare_swap(std::uint64_t offset, std::uint64_t expected, std::uint64_t desired) {
    return apply(offset, {atomic_operation::kind::compare_swap, 8, desired, expected});
  }
  std::uint64_t load(std::uint64_t offset) {
    return apply(offset, {atomic_operation::kind::load, 8, 0, 0});
  }
  void store(std::uint64_t offset, std::uint64_t value) {
    // Not posted: a task behind the next token must see it.
    apply(offset, {atomic_operation::kind::exchange, 8, value, 0});
  }

 private:
  transport& network_;
  const memory_options& options_;
  const directory& places_;
  cache& copies_;
  memory_checks& checks_;
};

}  // namespace kasuri::cluster
