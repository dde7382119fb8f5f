// SPDX-License-Identifier: Apache-2.0
#pragma once

// The portable addresses (modules.hpp) of the kinds of closures that went to other ranks lately.
// The owner of the lock around it calls it.

#include <array>
#include <cstddef>
#include <cstdint>

#include "cluster/sched/wire/modules.hpp"
#include "kasuri/global/detail/fork.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

class portable_kinds {
 public:
  std::uint64_t of(const global::detail::closure_kind* kind) {
    KASURI_EXPECT(cheap, kind != nullptr && kind->closure_bytes <= global::detail::largest_closure,
                  "the kind at %p has closures of %u bytes", static_cast<const void*>(kind),
                  kind == nullptr ? 0 : kind->closure_bytes);
    const std::size_t i = (reinterpret_cast<std::uintptr_t>(kind) >> 4) % kinds_.size();
    if (kinds_[i] != kind) {
      addresses_[i] = portable_address(kind);
      kinds_[i] = kind;
    }
    KASURI_EXPECT(all, local_address(addresses_[i]) == kind,
                  "the kind at %p travels as %#llx, which is another place here",
                  static_cast<const void*>(kind), static_cast<unsigned long long>(addresses_[i]));
    return addresses_[i];
  }

 private:
  std::array<const global::detail::closure_kind*, 64> kinds_{};
  std::array<std::uint64_t, 64> addresses_{};
};

}  // namespace kasuri::cluster
