// SPDX-License-Identifier: Apache-2.0
// queens: counts the ways to place n queens; docs/how-to/cluster-apps.md.
#include <cstddef>
#include <optional>

#include <kasuri/global/invoke.hpp>
#include <kasuri/global/run.hpp>

#include "cluster/meter.hpp"
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

long search(const board& b, apps::part share);

/// The boards with the next queen in one of the columns [begin, end) of `next`, each a task, and to
/// each its share.
long search_columns(const board& b, const columns& next, int begin, int end, apps::part each) {
  if (end - begin == 1) return search(b.with(next[begin]), each);
  const int middle = begin + (end - begin) / 2;
  const auto [x, y] =
      global::parallel_invoke([=] { return search_columns(b, next, begin, middle, each); },
                              [=] { return search_columns(b, next, middle, end, each); });
  return x + y;
}

long search(const board& b, apps::part share) {
  apps::part each;
  long solutions = b.complete() ? 1 : 0;
  if (!b.complete()) {
    const columns next = b.safe_columns();
    if (next.count != 0) {
      each = share.pieces(1, static_cast<std::uint64_t>(next.count));
      solutions = search_columns(b, next, 0, next.count, each);
    }
  }
  if (!each) share.done();
  return solutions;
}

int work(const request& r) {
  apps::start_ranks(r.ranks);
  long solutions = 0;
  const std::vector<double> seconds = apps::metered_rounds(
      r.ranks.repeat, [] {},
      [&](apps::part all) {
        solutions = global::run([n = r.size, all] { return search(board{n}, all); });
      });
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
