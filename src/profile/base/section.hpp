// SPDX-License-Identifier: Apache-2.0
// A part of the profile that another module keeps: it enters itself once and is asked for its
// figures at each snapshot, on the watcher's thread, while the program runs.
#pragma once

#include "profile/base/json.hpp"

namespace kasuri::profile {

class section {
 public:
  constexpr explicit section(const char* key) noexcept : key_(key) {}
  section(const section&) = delete;
  section& operator=(const section&) = delete;

  /// One value: an object or an array. Only what any thread may read: nobody stands still for it.
  virtual void write(json& to) = 0;
  /// In the child of a fork, by its one thread: what the parent counted is not the child's.
  virtual void begin_anew() noexcept = 0;

  const char* key() const noexcept { return key_; }
  section* next() const noexcept { return next_; }

 protected:
  ~section() = default;  // sections live as long as the process

 private:
  friend void enter(section& s) noexcept;
  const char* const key_;
  section* next_ = nullptr;
  bool entered_ = false;
};

/// Enters it; a second time does nothing. Not by two threads at once for the same section.
void enter(section& s) noexcept;

/// The one entered last, or null.
section* newest_section() noexcept;

}  // namespace kasuri::profile
