// SPDX-License-Identifier: Apache-2.0
#pragma once

// While a profile is recorded: where the program waits for global memory, for how long it brings
// home what it has written, and which ranks the data come from and go to.

#include <cstdint>

#include "platform/base/clock.hpp"
#include "profile/base/active.hpp"

namespace kasuri::cluster {

void note_checkout(const void* site, std::uint64_t ticks) noexcept;
void note_write_back(std::uint64_t ticks) noexcept;
void note_transfer(int rank, std::uint64_t bytes) noexcept;

/// A checkout by the call that returns to `site`, from here to the end of the object.
class measured_checkout {
 public:
  explicit measured_checkout(const void* site) noexcept {
    if (!profile::active()) [[likely]]
      return;
    site_ = site;
    since_ = platform::ticks();
  }
  ~measured_checkout() {
    if (since_ != 0) [[unlikely]]
      note_checkout(site_, platform::ticks() - since_);
  }
  measured_checkout(const measured_checkout&) = delete;
  measured_checkout& operator=(const measured_checkout&) = delete;

 private:
  const void* site_ = nullptr;
  std::uint64_t since_ = 0;
};

/// Bringing home what was written here, from here to the end of the object.
class measured_write_back {
 public:
  measured_write_back() noexcept : since_(profile::active() ? platform::ticks() : 0) {}
  ~measured_write_back() {
    if (since_ != 0) [[unlikely]]
      note_write_back(platform::ticks() - since_);
  }
  measured_write_back(const measured_write_back&) = delete;
  measured_write_back& operator=(const measured_write_back&) = delete;

 private:
  const std::uint64_t since_;
};

}  // namespace kasuri::cluster
