// SPDX-License-Identifier: Apache-2.0
#include "trace/summary.hpp"

#include <cinttypes>
#include <cstdio>
#include <string>

namespace kasuri::trace {

using record::event_kind;

void summary::on_worker(std::uint16_t worker, record::worker_role role) {
  workers_[worker].role = role;
}

void summary::on_slice(const slice& it) {
  share& of = workers_[it.worker];
  of.time[static_cast<std::uint8_t>(it.kind)] += it.self;
  if (it.kind == slice_kind::task) ++(it.resumed ? of.resumed : of.tasks);
  if (it.kind == slice_kind::lost) of.lost += it.id;
}

void summary::on_moment(const moment& it) {
  share& of = workers_[it.worker];
  if (it.what.kind == event_kind::steal) {
    ++of.steals;
    ++levels_[it.what.detail];
  } else if (it.what.kind == event_kind::suspend) {
    ++of.suspended;
    ++reasons_[it.what.detail];
  }
}

void summary::print_workers(std::ostream& to) const {
  char line[256];
  std::snprintf(line, sizeof line, "%-12s%10s%10s%10s%10s%12s%12s%12s%12s%12s%10s\n", "", "tasks",
                "suspended", "resumed", "steals", "in tasks ms", "waiting ms", "blocked ms",
                "idle ms", "parked ms", "lost");
  to << line;
  for (const auto& [worker, of] : workers_) {
    const auto ms = [&](slice_kind kind) {
      return static_cast<double>(of.time[static_cast<std::uint8_t>(kind)]) / 1e6;
    };
    const std::string label = std::string(name(of.role)) + " " + std::to_string(worker);
    std::snprintf(line, sizeof line,
                  "%-12s%10" PRIu64 "%10" PRIu64 "%10" PRIu64 "%10" PRIu64
                  "%12.3f%12.3f%12.3f%12.3f%12.3f%10" PRIu64 "\n",
                  label.c_str(), of.tasks, of.suspended, of.resumed, of.steals,
                  ms(slice_kind::task), ms(slice_kind::waiting), ms(slice_kind::blocking),
                  ms(slice_kind::idle), ms(slice_kind::parked), of.lost);
    to << line;
  }
}

void summary::print_counts(std::ostream& to) const {
  const char* before = "suspended for: ";
  for (const auto& [reason, count] : reasons_) {
    to << before << name(static_cast<record::wait_reason>(reason)) << ' ' << count;
    before = ", ";
  }
  if (!reasons_.empty()) to << '\n';
  before = "steals by level of the machine, nearest 0: ";
  for (const auto& [level, count] : levels_) {
    to << before << "level " << int{level} << ' ' << count;
    before = ", ";
  }
  if (!levels_.empty()) to << '\n';
}

void summary::print(std::ostream& to, const record::file_header& header, const timeline& of) const {
  char length[32];
  std::snprintf(length, sizeof length, "%.6f", static_cast<double>(of.length()) / 1e9);
  to << header.program.data() << ", process " << header.process << ": " << length << " s recorded, "
     << of.events() << " events, " << of.lost() << " lost\n";
  print_workers(to);
  print_counts(to);
}

}  // namespace kasuri::trace
