// SPDX-License-Identifier: Apache-2.0
#pragma once

// Virtual time for many ranks in one OS thread. A rank is one processor: of its strands, each a
// context with a stack of its own, one runs at a time. It runs until it says that time passes or
// that it waits for an event; then whatever is due first goes on. Events that are due at the same
// time happen in the order in which they were asked for, so that a run depends on its inputs alone.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/base/process.hpp"
#include "context/context.hpp"
#include "context/sanitizer.hpp"

namespace kasuri::cluster {

/// A simulation that can't go on: everybody waits, or its time is over, or a rank has died, or the
/// system has no room for so many ranks.
class simulation_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The system has just refused `bytes` for `what`: names the limit that was met.
[[nodiscard]] simulation_error no_address_space(const std::string& what, std::size_t bytes);

/// A context of a rank.
struct strand {
  context::saved at = nullptr;  // where it goes on, while it does not run
  context::sanitizer_fiber fiber;
  void (*body)(void*) = nullptr;
  void* argument = nullptr;
  std::byte* low = nullptr;
  std::byte* high = nullptr;
  strand* next_free = nullptr;
  int rank = -1;
};

/// The stacks of strands: cut from large reservations, used again.
class strand_pool {
 public:
  explicit strand_pool(std::size_t stack_bytes);
  strand_pool(const strand_pool&) = delete;
  strand_pool& operator=(const strand_pool&) = delete;
  ~strand_pool();

  /// Throws simulation_error where the system has no room.
  strand* take();
  void put(strand* s) noexcept;

 private:
  static constexpr std::size_t per_slab = 64;

  void grow();

  std::size_t stride_;
  strand* free_ = nullptr;
  std::vector<std::byte*> slabs_;
  std::vector<std::unique_ptr<strand[]>> records_;
};

class virtual_time {
 public:
  virtual_time(int ranks, std::size_t stack_bytes, std::uint64_t until_ns);
  virtual_time(const virtual_time&) = delete;
  virtual_time& operator=(const virtual_time&) = delete;
  ~virtual_time() = default;

  [[nodiscard]] std::uint64_t now() const noexcept { return now_; }

  /// An event happens when its time has come, on the stack of run().
  struct event {
    virtual void happen() = 0;

   protected:
    ~event() = default;
  };

  void at(std::uint64_t time, event& e);

  // Called on a strand of a rank:

  /// Time passes for this rank.
  void spend(std::uint64_t ns);
  /// Waits until somebody resumes the rank. `reason`, in words, is for the report of a deadlock.
  void wait(const char* reason);
  /// The strand that runs.
  [[nodiscard]] strand* current() const noexcept { return running_; }
  /// A new strand of this rank, not begun. `body` must not return: it ends by finish_into().
  strand* create(void (*body)(void*), void* argument);
  /// The caller rests until it is switched to; `next`, of the same rank, goes on or begins at once.
  void switch_to(strand* next);
  /// The caller ends for good; `next` goes on or begins.
  [[noreturn]] void finish_into(strand* next);

  // Called by events:

  /// The rank, which waits, goes on now or at `time`.
  void resume(int rank) { resume_at(now_, rank); }
  void resume_at(std::uint64_t time, int rank);
  /// The rank never goes on.
  void kill(int rank) noexcept { ranks_[static_cast<std::size_t>(rank)].dead = true; }
  [[nodiscard]] bool is_dead(int rank) const noexcept {
    return ranks_[static_cast<std::size_t>(rank)].dead;
  }

  /// Runs body(rank, argument) on a first strand of each rank, until all have ended. Throws what
  /// the body threw, and simulation_error; contexts that had not ended are abandoned.
  void run(void (*body)(int rank, void* argument), void* argument, std::vector<process>& processes);

  /// A number that is equal for equal runs.
  [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }
  [[nodiscard]] std::uint64_t events() const noexcept { return sequence_; }

 private:
  struct one_rank {
    strand* running = nullptr;
    const char* waits_for = nullptr;
    bool ended = false;
    bool dead = false;
    int index = 0;
    virtual_time* all = nullptr;
  };
  struct due {
    std::uint64_t time;
    std::uint64_t sequence;
    event* what;  // or null:
    int rank;     // this rank goes on
    friend bool operator>(const due& a, const due& b) noexcept {
      return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
    }
  };

  void leave_to_engine(bool forever);
  void go_on(int rank);
  void begin_ranks();
  bool next_event();
  void happen(const due& next);
  void push(std::uint64_t time, event* what, int rank);
  static void first_strand(void* argument);
  static void begin_strand(void* argument, context::saved from);
  static void save_strand(void* argument, context::saved from);
  static void save_engine(void* argument, context::saved from);
  static void forget(void* argument);
  std::string who_waits() const;

  std::vector<one_rank> ranks_;
  strand_pool strands_;
  std::priority_queue<due, std::vector<due>, std::greater<>> queue_;
  strand* running_ = nullptr;
  strand* ended_ = nullptr;  // its stack can be used again as soon as nobody stands on it
  strand engine_;
  std::vector<process>* processes_ = nullptr;
  void (*body_)(int, void*) = nullptr;
  void* body_argument_ = nullptr;
  std::exception_ptr error_;
  std::uint64_t now_ = 0;
  std::uint64_t until_;
  std::uint64_t sequence_ = 0;
  std::uint64_t digest_ = 0x9e3779b97f4a7c15;
  int left_ = 0;
};

}  // namespace kasuri::cluster
