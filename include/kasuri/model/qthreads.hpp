// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over Qthreads: needs its headers and library.

#include "kasuri/detail/needs_cxx20.hpp"

#include <qthread/qthread.h>

#include <cstdlib>
#include <string>

#include "kasuri/model.hpp"
#include "kasuri/model/threads.hpp"

namespace kasuri::model {

/// qthread_fork; the thread's result word fills when it ends.
struct qthreads_threads {
  using thread = aligned_t;  ///< the word

  /// A thread that calls entry(argument), queued.
  static void create(thread& made, void* (*entry)(void*), void* argument) {
    // Qthreads wants an integer as wide as the pointer: the call is the same in every ABI.
    const auto untyped = reinterpret_cast<void (*)()>(entry);
    qthread_fork(reinterpret_cast<qthread_f>(untyped), argument, &made);
  }
  static void join(thread& t) { qthread_readFF(nullptr, &t); }  ///< waits until it is full
  static void yield() { qthread_yield(); }                      ///< lets others go first
};

/// Threads that are queued.
struct qthreads_parent_first : thread_way<qthreads_threads> {
  static constexpr const char* name = "parent_first";  ///< of this way
};

/// One shepherd with one worker for each worker asked for.
class qthreads_system {
 public:
  using ways = model::ways<qthreads_parent_first>;          ///< the one way
  static std::string version() { return QTHREAD_VERSION; }  ///< of the headers

  /// Starts the shepherds.
  explicit qthreads_system(int workers) {
    ::setenv("QTHREAD_NUM_SHEPHERDS", std::to_string(workers).c_str(), 1);
    ::setenv("QTHREAD_NUM_WORKERS_PER_SHEPHERD", "1", 1);
    qthread_initialize();
  }
  ~qthreads_system() { qthread_finalize(); }
  qthreads_system(const qthreads_system&) = delete;
  qthreads_system& operator=(const qthreads_system&) = delete;

  /// Calls f.
  template <class F>
  void run(F&& f) {
    f();
  }
};

}  // namespace kasuri::model
