// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <libfork.hpp>

#include <cstddef>
#include <string>

namespace bench {

/// The lazy pool: libfork's default, its idle workers sleep.
class libfork_system {
 public:
  static constexpr const char* name = "libfork";
  static std::string version() {
    return std::to_string(LF_VERSION_MAJOR) + "." + std::to_string(LF_VERSION_MINOR) + "." +
           std::to_string(LF_VERSION_PATCH);
  }

  explicit libfork_system(int workers) {
    pool_ = new lf::lazy_pool(static_cast<std::size_t>(workers));
  }
  ~libfork_system() { delete pool_; }
  libfork_system(const libfork_system&) = delete;
  libfork_system& operator=(const libfork_system&) = delete;

  template <class F>
  void run(F&& f) {
    f();
  }

  /// The pool that the variants start their tasks on: they are plain functions.
  static lf::lazy_pool& pool() { return *pool_; }

 private:
  inline static lf::lazy_pool* pool_ = nullptr;
};

}  // namespace bench
