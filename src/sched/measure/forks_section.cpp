// SPDX-License-Identifier: Apache-2.0
#include "sched/measure/forks_section.hpp"

#include <vector>

#include "platform/base/clock.hpp"
#include "profile/base/active.hpp"
#include "profile/base/section.hpp"
#include "profile/base/sites.hpp"
#include "profile/thread/thread.hpp"
#include "sched/measure/fork_recorder.hpp"
#include "sched/measure/program_tree.hpp"
#include "sched/measure/scope_table.hpp"

namespace kasuri::sched {
namespace {

// While the program runs, of a tree with more nodes only the sums are written.
constexpr std::size_t most_nodes_in_between = 20'000;

double seconds(std::uint64_t ticks) {
  return static_cast<double>(ticks) / platform::ticks_per_second();
}

std::uint64_t nanoseconds(std::uint64_t ticks) {
  return static_cast<std::uint64_t>(1e9 * seconds(ticks));
}

/// What all workers have seen of a site.
struct site_total {
  std::uint64_t seen = 0, inner = 0, skipped = 0, unmeasured = 0, leaves = 0, leaf_ticks = 0;
  std::array<std::uint64_t, site_sums::sizes> log2_ns{};

  void add(const site_sums& s) {
    seen += s.seen.get();
    inner += s.inner.get();
    skipped += s.skipped.get();
    unmeasured += s.unmeasured.get();
    leaves += s.leaves.get();
    leaf_ticks += s.leaf_ticks.get();
    for (std::size_t i = 0; i != site_sums::sizes; ++i) log2_ns[i] += s.log2_ns[i].get();
  }
  bool empty() const { return seen + inner + skipped + unmeasured + leaves == 0; }

  void write(profile::json& to, profile::site_id site, std::uint64_t work) const {
    to.begin_object().pair("site", static_cast<int>(site)).pair("count", seen + inner + skipped);
    to.pair("work_s", seconds(work)).pair("leaf_s", seconds(leaf_ticks)).pair("leaves", leaves);
    to.pair("measured", seen).pair("skipped", skipped).pair("unmeasured", unmeasured);
    to.key("log2_ns").begin_array();
    std::size_t used = site_sums::sizes;
    while (used != 0 && log2_ns[used - 1] == 0) --used;
    for (std::size_t i = 0; i != used; ++i) to.value(log2_ns[i]);
    to.end_array().end_object();
  }
};

void write_sites(profile::json& to) {
  to.key("sites").begin_array();
  for (std::size_t i = 0; i != profile::most_sites; ++i) {
    const auto site = static_cast<profile::site_id>(i);
    site_total all;
    for (fork_recorder* r = newest_fork_recorder(); r != nullptr; r = r->next)
      if (const site_sums* const s = r->look(site)) all.add(*s);
    if (all.empty()) continue;
    std::uint64_t work = 0;
    profile::each_thread([&](const profile::thread& t) { work += t.work_at(site); });
    all.write(to, site, work);
  }
  to.end_array();
}

/// All of a list's nodes at the end. The place of the first; -1: there is none.
std::int64_t put_list(std::vector<const fork_tree_node*>& all, const fork_tree_node* list) {
  const auto first = static_cast<std::int64_t>(all.size());
  if (list == nullptr) return -1;
  for (; list != nullptr; list = list->next) all.push_back(list);
  return first;
}

void write_nodes(profile::json& to, const fork_chain& chain, std::size_t most) {
  std::vector<const fork_tree_node*> all;
  put_list(all, chain.head());
  profile::json nodes;
  nodes.begin_array();
  for (std::size_t i = 0; i != all.size(); ++i) {
    const fork_tree_node& n = *all[i];
    const std::int64_t first = put_list(all, n.first);
    const std::int64_t second = put_list(all, n.second);
    if (all.size() > most) break;
    nodes.begin_array().value(nanoseconds(n.before.work)).value(nanoseconds(n.before.span));
    nodes.value(n.before.forks).value(first).value(second);
    nodes.value(n.next == nullptr ? std::int64_t{-1} : static_cast<std::int64_t>(i + 1));
    nodes.value(static_cast<int>(n.site));
    if (n.loop.iterations != 0) {
      nodes.value(nanoseconds(n.fork.work)).value(nanoseconds(n.fork.span));
      nodes.value(n.loop.iterations).value(n.loop.longest_at);
    }
    nodes.end_array();
  }
  nodes.end_array();
  to.pair("complete", all.size() <= most).key("nodes");
  if (all.size() <= most)
    to.raw(nodes.text());
  else
    to.begin_array().end_array();
}

class forks_section final : public profile::section {
 public:
  constexpr forks_section() noexcept : section("forks") {}

  void write(profile::json& to) override {
    to.begin_object();
    write_sites(to);
    to.key("tree").begin_object().pair("grain_s", seconds(fork_grain()));
    program_tree::get().look([&](const fork_chain& chain) {
      to.pair("work_s", seconds(chain.all().work)).pair("span_s", seconds(chain.all().span));
      to.pair("forks", chain.all().forks);
      // Behind the end of the recording all of it is written.
      write_nodes(to, chain, profile::active() ? most_nodes_in_between : ~std::size_t{0});
    });
    to.end_object().end_object();
  }

  void begin_anew() noexcept override {
    forget_fork_recorders();
    scope_table::get().begin_anew();
    program_tree::get().begin_anew();
  }
};

constinit forks_section forks;

}  // namespace

void enter_forks() noexcept { profile::enter(forks); }

}  // namespace kasuri::sched
