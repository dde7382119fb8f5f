// SPDX-License-Identifier: Apache-2.0
#pragma once

// A thread that looks into MPI for a rank whose threads all compute. MPICH does what others ask of
// a rank only while that rank is in some call of MPI; between hosts the ranks would wait for one
// another's leaves otherwise. It looks every 200 us, sleeps in between, and does nothing where
// others have looked. Without it all is right, too, and slower.

#include <pthread.h>

#include <atomic>
#include <functional>

namespace kasuri::cluster {

class mpi_tender {
 public:
  /// The thread calls look() every so often, unless looked_ns() is a time shortly ago; where the
  /// system has no thread more, nobody does.
  mpi_tender(std::function<void()> look, std::function<std::uint64_t()> looked_ns)
      : look_(std::move(look)), looked_ns_(std::move(looked_ns)) {}
  mpi_tender(const mpi_tender&) = delete;
  mpi_tender& operator=(const mpi_tender&) = delete;
  ~mpi_tender() { stop(); }

  void start();
  /// Waits until the thread has ended.
  void stop();

 private:
  void tend();

  const std::function<void()> look_;
  const std::function<std::uint64_t()> looked_ns_;
  pthread_t thread_{};
  bool started_ = false;
  std::atomic<bool> goes_on_{true};
};

}  // namespace kasuri::cluster
