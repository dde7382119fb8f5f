// SPDX-License-Identifier: Apache-2.0
// The OpenMP sections of the profile.

#include "omp/profile/consumer.hpp"
#include "omp/profile/locks.hpp"
#include "omp/profile/own_code.hpp"
#include "omp/profile/loops.hpp"
#include "omp/profile/regions.hpp"
#include "omp/profile/task_rows.hpp"
#include "profile/base/section.hpp"

namespace kasuri::omp::sums {
namespace {

class part final : public profile::section {
 public:
  part(const char* key, void (*writer)(profile::json&), void (*forget)() noexcept) noexcept
      : section(key), write_(writer), anew_(forget) {}

  void write(profile::json& to) override { write_(to); }
  void begin_anew() noexcept override {
    if (anew_ != nullptr) anew_();
  }

 private:
  void (*write_)(profile::json&);
  void (*anew_)() noexcept;
};

}  // namespace

void enter_sections() noexcept {
  find_own_code();
  static part regions("regions", write_regions, begin_regions_anew);
  static part phases("phases", write_phases, nullptr);  // anew with the regions
  static part loops("loops", write_loops, begin_loops_anew);
  static part locks("locks", write_locks, begin_locks_anew);
  static part tasks("tasks", write_tasks, begin_tasks_anew);
  for (part* p : {&regions, &phases, &loops, &locks, &tasks}) profile::enter(*p);
}

}  // namespace kasuri::omp::sums
