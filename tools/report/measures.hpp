// SPDX-License-Identifier: Apache-2.0
// Figures of a whole run, from its profile and, where there is one, that of a run on one worker.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "report/places.hpp"
#include "report/profile.hpp"

namespace kasuri::report {

/// A part of workers times seconds.
struct share {
  std::string name;
  double seconds = 0;
};

/// A place with the processor time of the samples in it.
struct hot_place {
  place where;
  double processor_s = 0;
  double alone_s = 0;
  double blamed_s = 0;
};

/// Where tasks slept in the system.
struct slept_place {
  std::string call;
  place where;
  double seconds = 0;
};

class measures {
 public:
  /// A thread that is woken takes so long to come, on a quiet machine too.
  static constexpr double way_of_a_sleeper_s = 30e-6;

  /// `one`: the same program on one worker, or null. All three outlive this.
  measures(const profile& p, const profile* one, const places& where);

  const profile& of;
  const profile* const on_one;
  const places& where;

  // ---- seconds, summed over the workers --------------------------------------------------------
  double capacity = 0;      // workers times wall time: what the following add up to
  double work = 0;          // tasks ran
  double serial = 0;        // a thread outside the pool ran, and no worker did
  double lock_wait = 0;     // members and tasks waited for locks
  double barrier_wait = 0;  // members waited at the ends of phases
  double delay = 0;         // tasks were ready and workers idle, as many as there were of both
  double no_work = 0;       // idle, and no task was ready
  double asleep = 0;        // nothing of the program ran, outside of the pool either
  double runtime = 0;       // the runtime acted for tasks
  double blocked = 0;       // tasks slept in the system
  double unannounced = 0;   // ... outside of blocking(f), so that their workers slept with them
  double crowded = 0;       // threads of the program waited for a processor behind each other
  double others = 0;        // other programs, or a quota, had the processor
  double too_much = 0;      // of work, runtime and serial: beyond the capacity, and in none of them
  // Of the wall time in which tasks ran: the part for which their threads had a processor.
  double on_core = 1;

  /// Of the time that other programs left.
  [[nodiscard]] double part(double seconds) const { return own() > 0 ? seconds / own() : 0; }
  [[nodiscard]] double part_of_others() const { return capacity > 0 ? others / capacity : 0; }
  [[nodiscard]] std::vector<share> shares() const;

  /// Wall seconds that the run would have taken without other programs, workers; work and span of
  /// the program, the serial parts included.
  [[nodiscard]] double seconds() const { return own() / workers_; }
  [[nodiscard]] int workers() const { return workers_; }
  [[nodiscard]] double all_work() const { return work + serial; }
  [[nodiscard]] double span() const { return of.critical.span_s; }

  /// What a run without `wasted` seconds of wall time is shorter by: its work stays, apart from
  /// `needless` seconds of it.
  [[nodiscard]] double gain_of(double wasted, double needless = 0) const {
    const double stays = std::max(0.0, all_work() - needless);
    return std::clamp(wasted, 0.0, std::max(0.0, seconds() - stays / workers_));
  }

  /// How many times as fast as on one worker: by the run on one, else by the work.
  [[nodiscard]] double speedup() const;

  /// How often threads of the pool slept in the system. Parking does not count.
  [[nodiscard]] double times_slept() const;
  /// Sleep of tasks in the system by call and line, the longest first. One line may be compiled
  /// into several places of the code; where no lines are known all of a module's code is one.
  [[nodiscard]] std::vector<slept_place> sleeps() const;

  /// Places of the samples, those with most processor time first. `in_constructs`: only samples in
  /// a task or region, or only those outside of all.
  [[nodiscard]] std::vector<hot_place> hot(bool in_constructs) const;
  /// Times of the samples by function; of several places of one the one with most time stands for
  /// it.
  [[nodiscard]] std::vector<hot_place> hot_functions(bool in_constructs) const;

  /// Whether the figures cannot be relied on, with the reasons.
  [[nodiscard]] std::vector<std::string> doubts() const;

 private:
  void add_accounts();
  /// For how long threads were ready and did not run: while they ran tasks; the one outside of the
  /// pool for which that was longest; workers that looked for tasks.
  struct run_delays {
    double in_tasks = 0;
    double outside = 0;
    double idle = 0;
  };
  run_delays find_run_delays() const;
  /// `behind_others`: what of it idle workers did not run for other programs, at most.
  void divide_idle_time(double idle_and_waiting, double behind_others);
  double own() const { return capacity - others; }

  int workers_ = 0;
};

}  // namespace kasuri::report
