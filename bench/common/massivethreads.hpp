// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <myth/myth.h>

#include <cstddef>
#include <string>

namespace bench {

/// MassiveThreads: threads created child first, the caller becomes one of them.
class massivethreads_system {
 public:
  static constexpr const char* name = "massivethreads";
  static std::string version() { return ""; }
  using thread = myth_thread_t;

  explicit massivethreads_system(int workers) {
    myth_globalattr_t attributes;
    myth_globalattr_init(&attributes);
    myth_globalattr_set_n_workers(&attributes, static_cast<std::size_t>(workers));
    myth_init_ex(&attributes);
  }
  ~massivethreads_system() { myth_fini(); }
  massivethreads_system(const massivethreads_system&) = delete;
  massivethreads_system& operator=(const massivethreads_system&) = delete;

  template <class F>
  void run(F&& f) {
    f();
  }

  static thread create(void* (*entry)(void*), void* argument) {
    return myth_create(entry, argument);
  }
  static void join(thread t) { myth_join(t, nullptr); }
  static void yield() { myth_yield(); }
};

}  // namespace bench
