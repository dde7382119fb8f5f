// SPDX-License-Identifier: Apache-2.0
// uts: counts the nodes of an unbalanced tree; docs/how-to/cluster-apps.md.
#include <optional>

#include <kasuri/global/invoke.hpp>
#include <kasuri/global/run.hpp>

#include "cluster/meter.hpp"
#include "cluster/ranks.hpp"
#include "common/command_line.hpp"
#include "uts/tree.hpp"

namespace uts {
namespace {

using namespace bench::uts;
namespace global = kasuri::global;

struct request {
  int depth = 10;
  bool check = false;
  apps::ranks_request ranks;
};

count search(const node& n, int max_depth, apps::part share);

/// The subtrees of the children [begin, end), each a task, and to each its share.
count search_children(const node& n, int begin, int end, int max_depth, apps::part each) {
  if (end - begin == 1) return search(child(n, begin), max_depth, each);
  const int middle = begin + (end - begin) / 2;
  const auto [a, b] =
      global::parallel_invoke([=] { return search_children(n, begin, middle, max_depth, each); },
                              [=] { return search_children(n, middle, end, max_depth, each); });
  return a + b;
}

count search(const node& n, int max_depth, apps::part share) {
  const int number = children(n, max_depth);
  apps::part each;
  count found = itself(n, number);
  if (number != 0) {
    each = share.pieces(1, static_cast<std::uint64_t>(number));
    found = found + search_children(n, 0, number, max_depth, each);
  }
  if (!each) share.done();
  return found;
}

/// T1's numbers as published; other depths are counted without tasks.
count expected(int depth) {
  return depth == 10 ? count{4130071, 3305118, 10} : walk(root(), depth);
}

int work(const request& r) {
  apps::start_ranks(r.ranks);
  count tree;
  const std::vector<double> seconds = apps::metered_rounds(
      r.ranks.repeat, [] {},
      [&](apps::part all) {
        tree = global::run([depth = r.depth, all] { return search(root(), depth, all); });
      });
  apps::say("tree       %ld nodes, %ld leaves, depth %d\n", tree.nodes, tree.leaves, tree.depth);
  apps::report_times(seconds);
  apps::say("speed      %.2f million nodes/s\n",
            static_cast<double>(tree.nodes) / seconds.front() / 1e6);
  if (!r.check) return 0;
  const bool right = tree == expected(r.depth);
  apps::say("check      %s\n", right ? "the serial count" : "WRONG: not the serial count");
  return right ? 0 : apps::status_differs;
}

}  // namespace
}  // namespace uts

int main(int argc, char** argv) {
  uts::request r;
  CLI::App app("Counts an unbalanced tree that only a hash knows: T1 of the UTS benchmark.", "uts");
  app.add_option("--depth", r.depth, "Where the tree is cut off (10, as published).")
      ->check(apps::whole_number(0, 16));
  app.add_flag("--check", r.check, "Compare with the published or the serial count.")
      ->disable_flag_override();
  apps::add_ranks_options(app, r.ranks);
  if (const std::optional<int> status = apps::parse(app, argc, argv)) return *status;
  return apps::guarded("uts", [&] { return uts::work(r); });
}
