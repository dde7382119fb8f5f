// SPDX-License-Identifier: Apache-2.0
#pragma once

// Calls of runtimes whose jobs must all be on threads at once, because they wait for each other in
// loops: they come in turns, so that no more threads run than there are cores.
//
//             room, and nobody before it                 its jobs have ended
//    a call ----------------------------> it has its turn -----------------> gone
//       |                                     ^
//       | no                                  |  some call has ended: the first in the line, and
//       v                                     |  those behind it that fit as well
//    it sleeps in the line  ------------------+
//
// Room: the jobs of all calls that have their turn are at most as many as workers are configured;
// or no other call has its turn, however many jobs this one has. So at least one call goes on, and
// as it waits for no other call while it has its turn, each one ends.
//
// The line is first come, first served: a call of many jobs is not passed by smaller ones for ever.
// A call from within a job of another one, as by a filter of Blosc's, goes first and needs no room:
// the call around it waits for it.
//
// A caller that waits is suspended: a worker runs something else, an OS thread of the program
// sleeps in the kernel. In the child of a fork there are no other calls: the line is empty, nobody
// has a turn.

#include <atomic>

namespace kasuri::runtimes {

class turn {
 public:
  explicit turn(int jobs) noexcept : jobs_(jobs) {}
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;

  /// Waits until the call may begin; possibly goes on on another OS thread.
  void begin() noexcept;
  /// Its jobs have ended.
  void end() noexcept;

  int jobs() const noexcept { return jobs_; }

 protected:
  ~turn() = default;

 private:
  friend class turn_line;

  // Takes what else the call needs while it has its turn. Called with the line locked: to wait for
  // nothing. `alone`: nobody else has a turn, so it must be there.
  virtual bool take(bool /*alone*/) noexcept { return true; }
  virtual void give() noexcept {}

  int jobs_;
  bool within_ = false;            // a job of another call
  turn* next_ = nullptr;           // in the line
  std::atomic<bool> come_{false};  // written by the call that lets this one begin
};

/// A turn that needs nothing else.
class plain_turn final : public turn {
 public:
  using turn::turn;
};

/// Calls run(i, arg) for all i of [0, n), all at once, each on a thread. The caller has its turn.
void run_together(int n, void (*run)(int i, void* arg), void* arg) noexcept;

/// Whether the caller is a job of run_together.
bool runs_together() noexcept;

/// The same for jobs that wait for nobody: on the caller, and on workers that have nothing else to
/// do. `code`: what tells such calls from others.
void run_anywhere(int n, void (*run)(int i, void* arg), void* arg, void (*code)()) noexcept;

}  // namespace kasuri::runtimes
