// SPDX-License-Identifier: Apache-2.0
// Runs one execution of a program: threads, the scheduler, and what each operation does.
//
// Protocol: a thread announces its next operation and then asks the search who goes on. When the
// answer is this thread it carries the operation out and returns to the program; otherwise it
// switches to the thread that was chosen, which stands at the same place. So at every choice each
// live thread has its next operation announced, which is what the search compares. Everything
// between two operations belongs to the first. Plain data is no operation: its accesses are checked
// for races, and without a race their order cannot matter.
//
// Waiting: a thread in futex_wait() is disabled until woken. A thread in pause() is disabled until
// some location it has looked at since its last pause has a newer message, by another thread and
// with another value than it saw, and then notices one such message; so a spinning loop ends, and
// spinning for what never comes is found. (It need not wait if it saw a location change meanwhile:
// its looks do not belong together then.) When no process is enabled and some thread has not
// finished, that is a deadlock.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fiber.hpp"
#include "memory.hpp"
#include "operation.hpp"
#include "search.hpp"
#include "trace.hpp"

namespace kasuri::model {

/// A program as the machine sees it; explore.hpp makes one of a class.
struct program {
  int threads = 0;
  std::function<void()> make;    // constructs the shared state, single-threaded
  std::function<void(int)> run;  // the body of thread i
  std::function<void()> check;   // looks at the final state, single-threaded
};

class machine {
 public:
  enum class ending { finished, redundant, failed };

  /// `steps`: operations an execution may have before it counts as endless. `weak`: loads and
  /// stores need not act on the newest message.
  machine(const program& what, int steps, bool weak);

  /// Runs the program once along the search's choices. `log`, if any, receives every operation.
  ending run(search& choices, trace* log);
  const std::string& failure() const { return failure_; }
  /// Of the last run: those of its threads, and the arrivals of barriers.
  int operations() const { return step_; }

  /// The machine that is running: there is one at a time.
  static machine& current();

  // What atomic.hpp calls on behalf of the program.
  int add_location(std::uint64_t initial) { return memory_.add_location(initial); }
  std::uint64_t load(int location, std::memory_order order);
  void store(int location, std::uint64_t value, std::memory_order order);
  std::uint64_t modify(int location, std::memory_order order,
                       const std::function<std::uint64_t(std::uint64_t)>& change);
  bool compare_exchange(int location, std::uint64_t& expected, std::uint64_t desired,
                        std::memory_order success, std::memory_order failure);
  void fence(std::memory_order order);
  void light_fence();
  void heavy_fence();
  bool futex_wait(int location, std::uint64_t expected);
  int futex_wake(int location, int count);
  void pause();
  int add_plain();
  void access_plain(int id, bool writes);
  int thread() const { return running_; }
  /// Ends the execution as failed; returns only where no thread runs.
  void fail(std::string what);

 private:
  enum class state : std::uint8_t { live, waiting, finished };

  struct modelled_thread {
    std::unique_ptr<fiber> stack;
    state is = state::finished;
    int waits_on = -1;
    process_set barriers_awaited = 0;  // by its fence_heavy(): processes still to run
    location_set looked_at = 0;        // since the last pause, and what was seen there:
    std::array<timestamp, max_locations> saw{};
    std::array<std::uint64_t, max_locations> saw_value{};
    bool saw_change = false;
  };
  struct plain_data {
    int writer = -1;
    tick written = 0;
    std::array<tick, max_threads> read{};
  };
  struct seat {  // what a fiber needs to know about itself
    machine* owner;
    int thread;
  };

  static void enter(void* argument);
  void begin(search& choices, trace* log);
  void run_thread(int thread);
  void start_threads();
  void announce(const operation& op);
  void schedule();
  void end(ending how);

  process_set enabled() const;
  bool is_enabled(int thread) const;
  bool is_news(int thread, int location, const message& it) const;
  bool something_new(int thread) const;
  bool all_finished() const;
  std::string deadlock() const;

  bool sequential(std::memory_order order) const {
    return weak_ && order == std::memory_order_seq_cst;
  }
  author commit(int process, const operation& op);
  bool may_come_behind(int location, int index, bool sequential) const;
  int choose_message(int location, const operation& op);
  int choose_compared(int location, std::uint64_t expected, std::memory_order success,
                      std::memory_order failure);
  void arrive(int thread);
  void look(int location, int index);
  void note(const operation& op, std::uint64_t value, const char* result = "");

  const program& program_;
  const int steps_;
  const bool weak_;
  memory memory_;
  search* search_ = nullptr;
  trace* log_ = nullptr;
  fiber main_;
  std::array<seat, max_threads> seats_;
  std::array<modelled_thread, max_threads> threads_;
  std::array<operation, max_processes> next_;
  std::vector<plain_data> plain_;
  int running_ = -1;       // the thread on whose stack we are, -1 on the main stack
  bool starting_ = false;  // threads run to their first operation one after the other
  int step_ = 0;
  std::vector<int> candidates_;
  ending ending_ = ending::finished;
  std::string failure_;
};

}  // namespace kasuri::model
