// SPDX-License-Identifier: Apache-2.0
// queens: counts the ways to place n queens; docs/how-to/cluster-apps.md.
#include <cstddef>
#include <optional>

#include <kasuri/global/invoke.hpp>
#include <kasuri/global/run.hpp>

#include "cluster/ranks.hpp"
#include "common/command_line.hpp"
#include "queens/board.hpp"

namespace queens {
namespace {

using namespace bench::queens;
namespace global = kasuri::global;

struct request {
  int size = 11;
  bool check = false;
  apps::ranks_request ranks;
};

long search(const board& b);

/// The boards with the next queen in one of the columns [begin, end) of `next`, each a task.
long search_columns(const board& b, const columns& next, int begin, int end) {
  if (end - begin == 1) return search(b.with(next[begin]));
  const int middle = begin + (end - begin) / 2;
  const auto [x, y] =
      global::parallel_invoke([=] { return search_columns(b, next, begin, middle); },
                              [=] { return search_columns(b, next, middle, end); });
  return x + y;
}

long search(const board& b) {
  if (b.complete()) return 1;
  const columns next = b.safe_columns();
  return next.count == 0 ? 0 : search_columns(b, next, 0, next.count);
}

int work(const request& r) {
  apps::start_ranks(r.ranks);
  long solutions = 0;
  const std::vector<double> seconds = apps::timed_rounds(
      r.ranks.repeat, [] {},
      [&] { solutions = global::run([n = r.size] { return search(board{n}); }); });
  apps::say("solutions  %ld of %d queens\n", solutions, r.size);
  apps::report_times(seconds);
  if (!r.check) return 0;
  const bool right = solutions == known_solutions[static_cast<std::size_t>(r.size)];
  apps::say("check      %s\n", right ? "the known number" : "WRONG: not the known number");
  return right ? 0 : apps::status_differs;
}

}  // namespace
}  // namespace queens

int main(int argc, char** argv) {
  queens::request r;
  CLI::App app("Counts the ways to place n queens that do not attack each other.", "queens");
  app.add_option("--size", r.size, "Rows of the board (11).")
      ->check(apps::whole_number(1, bench::queens::max_n));
  app.add_flag("--check", r.check, "Compare with the known number.")->disable_flag_override();
  apps::add_ranks_options(app, r.ranks);
  if (const std::optional<int> status = apps::parse(app, argc, argv)) return *status;
  return apps::guarded("queens", [&] { return queens::work(r); });
}
