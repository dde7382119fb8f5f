// SPDX-License-Identifier: Apache-2.0
// The parts of a recorded run, each with its own way to take less time on more workers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "predict/lock_queue.hpp"
#include "report/measures.hpp"

namespace kasuri::predict {

/// Wall seconds on a number of workers: bounds that hold for any scheduler, and what is expected.
struct times {
  double least = 0;
  double expected = 0;
  double most = 0;
  times& operator+=(const times& o) {
    least += o.least;
    expected += o.expected;
    most += o.most;
    return *this;
  }
};

class part {
 public:
  virtual ~part() = default;
  [[nodiscard]] virtual times on(int workers) const = 0;
  /// Its name in the table of parts.
  [[nodiscard]] virtual std::string name() const = 0;
};

/// One thread runs alone, whatever the workers.
class serial_part : public part {
 public:
  explicit serial_part(double seconds) : seconds_(seconds) {}
  [[nodiscard]] times on(int workers) const override;
  [[nodiscard]] std::string name() const override { return "serial"; }

 private:
  double seconds_;
};

/// The figures of a phase.
struct phase_facts {
  report::phase phase;
  std::string where;
  double work = 0;       // of all members and instances, tasks and waiting apart
  lock_use lock;         // the one that they hold for longest
  bool dynamic = false;  // they take chunks as they come
  double chunks = 0;     // ... so many, of all instances; 0: not known
  int limit = 0;         // the program asks for so many members; 0: for as many as workers
};

/// A phase of a region: its work is dealt to the members anew.
class phase_part : public part {
 public:
  explicit phase_part(const phase_facts& f);
  [[nodiscard]] times on(int workers) const override;
  [[nodiscard]] std::string name() const override { return where_; }

 private:
  [[nodiscard]] bool is_single() const;

  std::string where_;
  double work_ = 0;     // of all members and instances, without waiting for locks
  double longest_ = 1;  // of the longest member to the mean, at `members_`
  double members_ = 1;
  lock_use lock_;
  bool dynamic_ = false;
  double chunk_ = 0;  // seconds; of all instances, one each
  int limit_ = 0;
};

/// Tasks of which work and longest chain are known.
class tasks_part : public part {
 public:
  tasks_part(std::string where, double work, double span)
      : where_(std::move(where)), work_(work), span_(span) {}
  [[nodiscard]] times on(int workers) const override;
  [[nodiscard]] std::string name() const override { return where_; }

 private:
  std::string where_;
  double work_;
  double span_;
};

}  // namespace kasuri::predict
