// SPDX-License-Identifier: Apache-2.0
// The programs and libraries that the loader has put into the process, and the functions that each
// of them defines, whether or not other code can see them (RTLD_LOCAL).
#pragma once

#include <cstdint>  // for uint64_t
#include <string>   // for string

#include "platform/process/module_range.hpp"

namespace kasuri::platform {

/// How many objects the loader has added, and taken out again, since the process began.
struct loader_counts {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  bool operator==(const loader_counts&) const = default;
};

/// Takes the loader's lock for some 100 ns; never waits for a dlopen that is under way.
loader_counts count_loaded() noexcept;

/// An object of the process. Valid as long as the object is loaded.
class loaded_object {
 public:
  loaded_object() = default;
  /// `info`: a dl_phdr_info.
  explicit loaded_object(const void* info) noexcept;

  const module_range& range() const noexcept { return range_; }
  std::uintptr_t base() const noexcept { return base_; }

  /// The function of that name that this object itself defines; null: none, or it has no GNU hash
  /// table, which linkers write since 2006. Reads the object's own tables and takes no lock. The
  /// object may be one that the loader has not relocated yet: not to be called then.
  void* function(const char* name) const noexcept;

 private:
  template <class T>
  const T* table(std::uintptr_t address) const noexcept;

  module_range range_;
  std::uintptr_t base_ = 0;
  std::uintptr_t symbols_ = 0;
  std::uintptr_t names_ = 0;
  std::uintptr_t hash_ = 0;  // DT_GNU_HASH; 0: none
};

/// Calls visit(object, file, arg) for each object, until it returns true. `file`: as the loader
/// names it, empty for the program. The loader's lock is held: visit must not wait for anything and
/// not call the object. Returns the counts at that time.
loader_counts for_each_loaded(bool (*visit)(const loaded_object& object, const char* file,
                                            void* arg),
                              void* arg);

template <class Visit>
loader_counts for_each_loaded(Visit visit) {
  return for_each_loaded(
      [](const loaded_object& object, const char* file, void* arg) -> bool {
        return (*static_cast<Visit*>(arg))(object, file);
      },
      &visit);
}

/// Keeps an object from being unloaded while this exists.
class object_hold {
 public:
  /// Waits for a dlopen or dlclose that is under way in another thread, so that behind it the
  /// object is relocated and its constructors have run. To be called where nobody waits for the
  /// caller. `for_ever`: it is not unloaded any more at all.
  object_hold(const std::string& file, const loaded_object& object, bool for_ever) noexcept;
  object_hold(const object_hold&) = delete;
  object_hold& operator=(const object_hold&) = delete;
  ~object_hold();

  /// False: it was unloaded before.
  bool holds() const noexcept { return handle_ != nullptr; }

 private:
  void* handle_ = nullptr;
};

/// For places that are slow anyway: where libraries that were loaded since may be noticed. Does
/// nothing until somebody wants to know (runtimes/found/found.hpp).
void notice_libraries() noexcept;
void notice_libraries_by(void (*look)() noexcept) noexcept;

}  // namespace kasuri::platform
