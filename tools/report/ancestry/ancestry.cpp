// SPDX-License-Identifier: Apache-2.0
#include "report/ancestry/ancestry.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "report/ancestry/fork_ancestry.hpp"

namespace kasuri::report {
namespace {

std::string kind_of(const measures& m, int site) {
  if (site == 0) return "outside";
  const auto at = m.of.sites.find(site);
  return at == m.of.sites.end() ? "" : at->second.kind;
}

/// Adds what is in each branch to the one that it is in.
void add_up(std::vector<branch>& all) {
  for (std::size_t i = all.size(); i-- > 1;)
    all[static_cast<std::size_t>(all[i].parent)].s += all[i].s;
}

/// Those worth it, the ones with most seconds first: so each comes behind the one that it is in.
std::vector<branch> largest(const std::vector<branch>& all) {
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return all[i].s; });
  std::vector<int> place(all.size(), -1);
  std::vector<branch> kept;
  for (const std::size_t i : order) {
    if (kept.size() == most_branches || all[i].s < least_branch * all[order[0]].s) break;
    place[i] = static_cast<int>(kept.size());
    kept.push_back(all[i]);
    if (kept.back().parent >= 0)
      kept.back().parent = place[static_cast<std::size_t>(all[i].parent)];
  }
  return kept.size() > 1 && kept[0].s > 0 ? kept : std::vector<branch>{};
}

/// The root, and a branch for each place at which the program forks.
std::vector<branch> fork_branches(const measures& m, const std::vector<fork_ancestor>& forks) {
  std::vector<branch> all{{.kind = "program"}};
  for (std::size_t i = 1; i < forks.size(); ++i)
    all.push_back({.parent = forks[i].parent,
                   .site = forks[i].site,
                   .kind = kind_of(m, forks[i].site),
                   .where = m.where.of_site(forks[i].site)});
  return all;
}

void add_below_root(const measures& m, std::vector<branch>& all, int site, double s) {
  all.push_back({.parent = 0,
                 .site = site,
                 .kind = kind_of(m, site),
                 .where = m.where.of_site(site),
                 .s = s});
}

/// Blame of a site by the function that ran.
struct blamed_function {
  place where;
  double s = 0;
};
using blame_of_site = std::map<std::string, blamed_function>;

std::map<int, blame_of_site> blame_by_site(const measures& m) {
  std::map<int, blame_of_site> all;
  for (const sample& s : m.of.samples) {
    if (s.blamed_s <= 0) continue;
    const place& at = m.where.at(s.pc);
    blamed_function& f = all[s.site][at.function + '\n' + at.module];
    if (f.s == 0) f.where = at;
    f.s += s.blamed_s;
  }
  return all;
}

/// The functions as branches in `parent`, with that part of their blame.
void add_functions(std::vector<branch>& all, std::size_t parent, const blame_of_site& functions,
                   double part) {
  for (const auto& [name, f] : functions)
    all.push_back({.parent = static_cast<int>(parent),
                   .site = all[parent].site,
                   .kind = "function",
                   .where = f.where,
                   .s = part * f.s});
}

}  // namespace

std::vector<branch> critical_branches(const measures& m) {
  const std::vector<fork_ancestor> forks = fold_forks(m.of.forks);
  std::vector<branch> all = fork_branches(m, forks);
  if (forks.size() > 1) {
    for (std::size_t i = 0; i != forks.size(); ++i) all[i].s = forks[i].critical_s;
    const double of_forks =
        std::accumulate(forks.begin(), forks.end(), 0.0,
                        [](double sum, const fork_ancestor& f) { return sum + f.critical_s; });
    if (m.span() > of_forks) add_below_root(m, all, 0, m.span() - of_forks);
  } else {
    all.resize(1);
    for (const path_part& part : m.of.critical.path) add_below_root(m, all, part.site, part.s);
  }
  add_up(all);
  return largest(all);
}

std::vector<branch> blame_branches(const measures& m) {
  const std::vector<fork_ancestor> forks = fold_forks(m.of.forks);
  std::vector<branch> all = fork_branches(m, forks);
  std::map<int, double> work_of_site;
  for (std::size_t i = 1; i < forks.size(); ++i) work_of_site[forks[i].site] += forks[i].work_s;
  const std::map<int, blame_of_site> blame = blame_by_site(m);
  for (std::size_t i = 1; i < forks.size(); ++i) {
    const auto functions = blame.find(forks[i].site);
    const double work = work_of_site[forks[i].site];
    if (functions != blame.end() && work > 0)
      add_functions(all, i, functions->second, forks[i].work_s / work);
  }
  for (const auto& [site, functions] : blame) {
    if (const auto at = work_of_site.find(site); at != work_of_site.end() && at->second > 0)
      continue;
    add_below_root(m, all, site, 0);
    add_functions(all, all.size() - 1, functions, 1);
  }
  add_up(all);
  return largest(all);
}

}  // namespace kasuri::report
