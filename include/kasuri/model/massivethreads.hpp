// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over MassiveThreads: needs its headers and library.

#include "kasuri/detail/needs_cxx20.hpp"

#include <myth/myth.h>

#include <cstddef>
#include <string>

#include "kasuri/model.hpp"
#include "kasuri/model/threads.hpp"

namespace kasuri::model {

/// myth_create and myth_join.
struct massivethreads_threads {
  using thread = myth_thread_t;  ///< a handle

  /// A thread that calls entry(argument) at once; thieves take its parent.
  static void create(thread& made, void* (*entry)(void*), void* argument) {
    made = myth_create(entry, argument);
  }
  static void join(thread& t) { myth_join(t, nullptr); }  ///< waits for it
  static void yield() { myth_yield(); }                   ///< lets others go first
};

/// Threads created child first.
struct massivethreads_child_first : thread_way<massivethreads_threads> {
  static constexpr const char* name = "child_first";  ///< of this way
};

/// The caller becomes one of the threads.
class massivethreads_system {
 public:
  using ways = model::ways<massivethreads_child_first>;  ///< the one way
  static std::string version() { return ""; }            ///< its headers have none

  /// Starts the workers.
  explicit massivethreads_system(int workers) {
    myth_globalattr_t attributes;
    myth_globalattr_init(&attributes);
    myth_globalattr_set_n_workers(&attributes, static_cast<std::size_t>(workers));
    myth_init_ex(&attributes);
  }
  ~massivethreads_system() { myth_fini(); }
  massivethreads_system(const massivethreads_system&) = delete;
  massivethreads_system& operator=(const massivethreads_system&) = delete;

  /// Calls f.
  template <class F>
  void run(F&& f) {
    f();
  }
};

}  // namespace kasuri::model
