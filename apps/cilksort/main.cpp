// SPDX-License-Identifier: Apache-2.0
// cilksort: a sort of random numbers in global memory; docs/how-to/cluster-apps.md.
#include <cstdio>
#include <optional>
#include <string>

#include <kasuri/global/algorithm/fill.hpp>
#include <kasuri/global/parallel_for.hpp>
#include <kasuri/global/run.hpp>
#include <kasuri/global/vector.hpp>

#include "cilksort/sort.hpp"
#include "common/command_line.hpp"
#include "cluster/ranks.hpp"

namespace cilksort {
namespace {

struct request {
  std::size_t keys = 10'000'000;
  std::size_t cutoff = 16384;
  std::uint32_t seed = 1;
  std::string leaf = "standard";
  bool check = false;
  apps::ranks_request ranks;
};

void add_options(CLI::App& app, request& r) {
  app.add_option("--keys", r.keys, "32-bit numbers to sort (10000000).")
      ->check(apps::whole_number(1, 1'000'000'000'000));
  app.add_option("--cutoff", r.cutoff, "Keys that one worker sorts or merges (16384).")
      ->check(apps::whole_number(16, longest_leaf));
  app.add_option("--seed", r.seed, "Of the random numbers (1).")
      ->check(apps::whole_number(0, 4294967295));
  app.add_option("--leaf", r.leaf, "standard: std::sort; digits: radix sort (standard).")
      ->check(apps::one_of({"standard", "digits"}));
  app.add_flag("--check", r.check, "See that the keys are in order, and the same ones.")
      ->disable_flag_override();
  apps::add_ranks_options(app, r.ranks);
}

void make_input(keys v, std::uint64_t seed, std::size_t cutoff) {
  global::parallel_for(std::size_t{0}, v.size(), cutoff, [=](std::size_t lo, std::size_t hi) {
    const auto x = global::checkout(v.subview(lo, hi - lo), global::write);
    for (std::size_t i = lo; i < hi; ++i) x[i - lo] = input_key(seed, i);
  });
}

/// Keys [first, last) of a sorted array, and how many stand before a smaller one.
struct summary {
  fingerprint all;
  std::uint64_t misplaced = 0;
  key first = 0;
  key last = 0;
};

summary operator+(const summary& a, const summary& b) {
  return {a.all + b.all, a.misplaced + b.misplaced + (b.first < a.last ? 1 : 0), a.first, b.last};
}

template <class Leaf>
summary fold(std::size_t lo, std::size_t hi, std::size_t cutoff, Leaf leaf) {
  if (hi - lo <= cutoff) return leaf(lo, hi);
  const std::size_t mid = lo + (hi - lo) / 2;
  const auto [a, b] = global::parallel_invoke([=] { return fold(lo, mid, cutoff, leaf); },
                                              [=] { return fold(mid, hi, cutoff, leaf); });
  return a + b;
}

summary summary_of_result(keys v, std::size_t cutoff) {
  return fold(0, v.size(), cutoff, [=](std::size_t lo, std::size_t hi) {
    const auto x = global::checkout(v.subview(lo, hi - lo), global::read);
    summary s;
    s.first = x[0];
    s.last = x[x.size() - 1];
    for (std::size_t i = 0; i < x.size(); ++i) {
      s.all.add(x[i]);
      if (i != 0) s.misplaced += x[i] < x[i - 1] ? 1 : 0;
    }
    return s;
  });
}

fingerprint fingerprint_of_input(std::size_t n, std::uint64_t seed, std::size_t cutoff) {
  return fold(0, n, cutoff,
              [=](std::size_t lo, std::size_t hi) {
                summary s;
                for (std::size_t i = lo; i < hi; ++i) s.all.add(input_key(seed, i));
                return s;
              })
      .all;
}

/// Whether the array holds the keys of the input, in order.
bool in_order(keys v, const request& r) {
  const summary got = global::run([v, c = r.cutoff] { return summary_of_result(v, c); });
  const fingerprint expected = global::run(
      [n = v.size(), s = r.seed, c = r.cutoff] { return fingerprint_of_input(n, s, c); });
  return got.misplaced == 0 && got.all == expected;
}

int work(const request& r) {
  apps::start_ranks(r.ranks);
  const global::vector<key> data(r.keys, global::blocked);
  const global::vector<key> room(r.keys, global::blocked);
  const keys v = data.view();
  const keys spare = room.view();
  const grain g{r.cutoff, r.leaf == "digits" ? leaf_sort::digits : leaf_sort::standard};
  // Its memory is there before the clock runs, as that of the program over oneTBB is.
  global::run([spare] { global::fill(spare, key{0}); });
  int wrong = 0;
  int rounds = 0;
  const auto check_last = [&] {
    if (r.check && rounds != 0) wrong += in_order(v, r) ? 0 : 1;
    ++rounds;
  };
  const auto prepare = [&] {
    check_last();
    global::run([v, s = r.seed, c = r.cutoff] { make_input(v, s, c); });
  };
  const std::vector<double> seconds =
      apps::metered_rounds(r.ranks.repeat, prepare,
                           [&](apps::part all) { global::run([=] { sort(v, spare, g, all); }); });
  check_last();
  apps::say("keys       %zu, leaves of %zu\n", r.keys, r.cutoff);
  apps::report_times(seconds);
  apps::say("speed      %.2f million keys/s\n",
            static_cast<double>(r.keys) / seconds.front() / 1e6);
  if (!r.check) return 0;
  apps::say("check      %s in %d of %d rounds\n",
            wrong == 0 ? "in order, and the keys of the input" : "WRONG",
            wrong == 0 ? r.ranks.repeat : wrong, r.ranks.repeat);
  return wrong == 0 ? 0 : apps::status_differs;
}

}  // namespace
}  // namespace cilksort

int main(int argc, char** argv) {
  cilksort::request r;
  CLI::App app("Merge sort of random numbers in global memory, alone or on the ranks of a cluster.",
               "cilksort");
  cilksort::add_options(app, r);
  if (const std::optional<int> status = apps::parse(app, argc, argv)) return *status;
  return apps::guarded("cilksort", [&] { return cilksort::work(r); });
}
