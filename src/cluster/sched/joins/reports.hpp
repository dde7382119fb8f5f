// SPDX-License-Identifier: Apache-2.0
#pragma once

// The reports that this rank makes: of the ends of closures that it runs for others. The report is
// put into the record of the join at the waiting rank; a word behind it, stored when the report has
// landed, says that it is there; then that rank is rung. A closure is reported once.

#include <span>

#include "cluster/sched/base/site.hpp"
#include "cluster/sched/base/travelled.hpp"
#include "cluster/sched/wire/layout.hpp"

namespace kasuri::cluster {

class reports {
 public:
  explicit reports(const sched_site& at) noexcept : at_(at) {}

  /// The closure has ended with this result.
  void value(const travelled& t, const void* result);
  /// The closure has ended with the exception that is being handled.
  void exception(const travelled& t);

 private:
  void put(const travelled& t, layout::report& head, std::span<std::byte> record);

  const sched_site& at_;
};

}  // namespace kasuri::cluster
