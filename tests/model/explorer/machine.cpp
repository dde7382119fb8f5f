// SPDX-License-Identifier: Apache-2.0
// The scheduler of the machine; machine_operations.cpp holds what the operations do.
#include "machine.hpp"

#include "fatal.hpp"

namespace kasuri::model {

namespace {
machine* the_machine = nullptr;
}

machine& machine::current() {
  if (the_machine == nullptr) fatal("a model atomic was used outside explore()");
  return *the_machine;
}

machine::machine(const program& what, int steps, bool weak)
    : program_(what), steps_(steps), weak_(weak) {
  if (what.threads < 1 || what.threads > max_threads) fatal("a program has 1 to 4 threads");
  if (steps < 1 || steps > 500) fatal("an execution may have 1 to 500 operations");
  for (int t = 0; t < what.threads; ++t) {
    seats_[t] = {this, t};
    threads_[t].stack = std::make_unique<fiber>(&machine::enter, &seats_[t]);
    next_[barrier_for(t)] = {.what = action::barrier, .sequential = true};
  }
}

void machine::enter(void* argument) {
  const seat& here = *static_cast<seat*>(argument);
  here.owner->run_thread(here.thread);
}

void machine::run_thread(int thread) {
  program_.run(thread);
  threads_[thread].is = state::finished;
  if (starting_) {
    fiber::go(*threads_[thread].stack, main_);
  } else {
    schedule();
  }
}

machine::ending machine::run(search& choices, trace* log) {
  the_machine = this;
  begin(choices, log);
  start_threads();
  if (ending_ == ending::finished) schedule();
  if (ending_ == ending::finished) program_.check();
  the_machine = nullptr;
  return ending_;
}

void machine::begin(search& choices, trace* log) {
  search_ = &choices;
  log_ = log;
  running_ = -1;
  step_ = 0;
  ending_ = ending::finished;
  failure_.clear();
  memory_.reset();
  plain_.clear();
  choices.begin_execution();
  program_.make();
}

void machine::start_threads() {
  starting_ = true;
  for (int t = 0; t < program_.threads && ending_ == ending::finished; ++t) {
    modelled_thread& thread = threads_[t];
    thread.is = state::live;
    thread.barriers_awaited = 0;
    thread.looked_at = 0;
    thread.saw_change = false;
    thread.stack->begin();
    running_ = t;
    fiber::go(main_, *thread.stack);
  }
  running_ = -1;
  starting_ = false;
}

void machine::announce(const operation& op) {
  next_[running_] = op;
  if (starting_) {
    fiber::go(*threads_[running_].stack, main_);
  } else {
    schedule();
  }
}

/// Returns when the thread that called has been chosen, or on the main stack when all is over.
void machine::schedule() {
  const int previous = running_;
  for (;;) {
    const process_set ready = enabled();
    if (ready == 0 && all_finished()) return end(ending::finished);
    if (ready == 0) return fail(deadlock());
    if (++step_ > steps_) return fail("endless: " + std::to_string(steps_) + " operations");
    const int process = search_->choose_process(ready, previous);
    if (process == search::redundant) return end(ending::redundant);
    if (is_barrier(process)) {
      arrive(thread_of(process));
      continue;
    }
    if (process == previous) return;
    running_ = process;
    fiber::go(previous < 0 ? main_ : *threads_[previous].stack, *threads_[process].stack);
    return;
  }
}

void machine::end(ending how) {
  ending_ = how;
  const int previous = running_;
  running_ = -1;
  if (previous >= 0) fiber::go(*threads_[previous].stack, main_);
}

void machine::fail(std::string what) {
  if (ending_ != ending::failed) failure_ = std::move(what);
  end(ending::failed);
}

process_set machine::enabled() const {
  process_set result = 0;
  for (int t = 0; t < program_.threads; ++t) {
    if (is_enabled(t)) result |= bit(t);
    result |= threads_[t].barriers_awaited;
  }
  return result;
}

bool machine::is_enabled(int thread) const {
  const modelled_thread& it = threads_[thread];
  if (it.is != state::live) return false;
  switch (next_[thread].what) {
    case action::heavy_end:
      return it.barriers_awaited == 0;
    case action::change:
      return something_new(thread);
    default:
      return true;
  }
}

bool machine::is_news(int thread, int location, const message& it) const {
  const modelled_thread& self = threads_[thread];
  return (self.looked_at & bit(location)) != 0 && it.at > self.saw[location] &&
         it.value != self.saw_value[location] && it.by.process != thread;
}

bool machine::something_new(int thread) const {
  for (int location = 0; location < memory_.locations(); ++location) {
    const int oldest = memory_.oldest_visible(thread, location, false);
    const auto& all = memory_.messages(location);
    for (auto i = static_cast<std::size_t>(oldest); i < all.size(); ++i) {
      if (is_news(thread, location, all[i])) return true;
    }
  }
  return false;
}

bool machine::all_finished() const {
  for (int t = 0; t < program_.threads; ++t) {
    if (threads_[t].is != state::finished) return false;
  }
  return true;
}

std::string machine::deadlock() const {
  std::string result = "deadlock:";
  for (int t = 0; t < program_.threads; ++t) {
    const modelled_thread& it = threads_[t];
    const char* where = it.is == state::finished  ? "has finished"
                        : it.is == state::waiting ? "sleeps in futex_wait"
                                                  : "spins in pause and nothing changes";
    result += (t == 0 ? " thread " : ", thread ") + std::to_string(t) + " " + where;
  }
  return result;
}

}  // namespace kasuri::model
