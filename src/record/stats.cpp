// SPDX-License-Identifier: Apache-2.0
#include "record/stats.hpp"

#include "platform/base/clock.hpp"
#include "platform/process/output_file.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace kasuri::record {
namespace {

constexpr stats_column columns[] = {
    {"tasks", &worker_stats::tasks},          {"tried", &worker_stats::steals_tried},
    {"steals", &worker_stats::steals},        {"near", &worker_stats::steals_near},
    {"far", &worker_stats::steals_far},       {"refused", &worker_stats::refused},
    {"rescues", &worker_stats::rescues},      {"suspends", &worker_stats::suspends},
    {"resumes", &worker_stats::resumes},      {"parks", &worker_stats::parks},
    {"wakes", &worker_stats::wakes},          {"spares", &worker_stats::spares},
    {"posted", &worker_stats::posted},        {"kept", &worker_stats::where_kept},
    {"same-node", &worker_stats::where_near}, {"elsewhere", &worker_stats::where_missed},
    {"routed", &worker_stats::routed},        {"widened", &worker_stats::widened},
    {"declined", &worker_stats::declined},    {"overruled", &worker_stats::overruled},
};

using row = std::vector<std::string>;

std::string milliseconds(std::uint64_t ticks) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f",
                static_cast<double>(ticks) * 1e3 / platform::ticks_per_second());
  return text;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "-";
  char text[16];
  std::snprintf(text, sizeof text, "%.1f",
                100.0 * static_cast<double>(part) / static_cast<double>(whole));
  return text;
}

std::string label(const worker_stats& worker) {
  return std::string(name(worker.role)) + " " + std::to_string(worker.worker);
}

row counts_header() {
  row header{"count"};
  for (const stats_column& column : columns) header.emplace_back(column.name);
  return header;
}

row counts_row(const worker_stats& worker) {
  row cells{label(worker)};
  for (const stats_column& column : columns) {
    cells.push_back(std::to_string((worker.*column.value).get()));
  }
  return cells;
}

row counts_total(std::span<const worker_stats* const> workers) {
  row cells{"total"};
  for (const stats_column& column : columns) {
    std::uint64_t sum = 0;
    for (const worker_stats* worker : workers) sum += (worker->*column.value).get();
    cells.push_back(std::to_string(sum));
  }
  return cells;
}

row times_row(std::string title, const time_split& time) {
  return {std::move(title),
          milliseconds(time.total()),
          milliseconds(time.processor),
          milliseconds(time.work),
          milliseconds(time.waiting),
          milliseconds(time.overhead),
          milliseconds(time.idle_ready),
          milliseconds(time.idle_empty),
          milliseconds(time.blocked),
          milliseconds(time.off_core),
          percent(time.work, time.total())};
}

// Columns as wide as their widest cell, the first to the left and numbers to the right.
std::string align(const std::vector<row>& table) {
  std::vector<std::size_t> width(table.front().size());
  for (const row& cells : table) {
    for (std::size_t i = 0; i < cells.size(); ++i) width[i] = std::max(width[i], cells[i].size());
  }
  std::string text;
  for (const row& cells : table) {
    text += cells[0] + std::string(width[0] - cells[0].size(), ' ');
    for (std::size_t i = 1; i < cells.size(); ++i) {
      text += std::string(2 + width[i] - cells[i].size(), ' ') + cells[i];
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::span<const stats_column> stats_columns() noexcept { return columns; }

std::string format_stats(std::span<const worker_stats* const> workers) {
  std::vector<row> counts{counts_header()};
  std::vector<row> times{{"time, ms", "wall", "processor", "work", "waiting", "overhead",
                          "idle, tasks ready", "idle, no task", "blocked", "off core", "work %"}};
  time_split total;
  for (const worker_stats* worker : workers) {
    const time_split time = worker->time.read();
    total += time;
    counts.push_back(counts_row(*worker));
    times.push_back(times_row(label(*worker), time));
  }
  counts.push_back(counts_total(workers));
  times.push_back(times_row("total", total));
  return align(counts) + align(times);
}

void print_stats(int fd, std::span<const worker_stats* const> workers) {
  const std::string text = format_stats(workers);
  platform::write_fully(fd, text.data(), text.size());
}

}  // namespace kasuri::record
