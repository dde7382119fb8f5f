// SPDX-License-Identifier: Apache-2.0
#include "report/ranks/job.hpp"

#include <map>
#include <numeric>
#include <utility>

namespace kasuri::report {
namespace {

namespace fs = std::filesystem;

struct read_file {
  fs::path file;
  profile p;
};

std::vector<read_file> read_all(const std::vector<fs::path>& files) {
  std::vector<read_file> all;
  for (const fs::path& file : files) {
    try {
      all.push_back({file, read_profile(file)});
    } catch (const bad_profile&) {
      // a process that ended before its first snapshot
    }
  }
  return all;
}

double work_of(const profile& p) {
  return std::accumulate(p.accounts.begin(), p.accounts.end(), p.workers > 0 ? 1e-9 : 0,
                         [](double sum, const account& a) { return sum + a.work_s; });
}

/// Of ranks, which all work: waiting counts before work.
double wait_of(const profile& p) {
  constexpr double before_work = 1e6;
  return std::accumulate(
      p.checkouts.begin(), p.checkouts.end(), work_of(p),
      [](double sum, const checkout_site& c) { return sum + before_work * c.wait_s; });
}

/// The place of the largest; the first of several. -1: there is none.
template <class F>
std::ptrdiff_t most(const std::vector<read_file>& all, F value) {
  std::ptrdiff_t best = -1;
  for (std::size_t i = 0; i != all.size(); ++i)
    if (best < 0 || value(all[i].p) > value(all[static_cast<std::size_t>(best)].p))
      best = static_cast<std::ptrdiff_t>(i);
  return best;
}

/// The ranks of the job that `one` is of. A file of a job before may lie there still: of two for
/// one rank the later one counts.
std::vector<read_file> ranks_with(const profile& one, const std::vector<read_file>& all) {
  std::map<int, const read_file*> by_rank;
  for (const read_file& each : all) {
    const rank_facts& r = each.p.rank;
    if (r.rank < 0 || r.rank >= r.ranks || r.ranks != one.rank.ranks ||
        each.p.program != one.program)
      continue;
    const read_file*& known = by_rank[r.rank];
    if (known == nullptr || known->p.started_unix_ns < each.p.started_unix_ns) known = &each;
  }
  std::vector<read_file> ranks;
  for (const auto& [rank, file] : by_rank) ranks.push_back(*file);
  return ranks;
}

}  // namespace

std::optional<job> read_job(const std::vector<fs::path>& files) {
  std::vector<read_file> all = read_all(files);
  const std::ptrdiff_t best = most(all, work_of);
  if (best < 0) return {};
  read_file& chosen = all[static_cast<std::size_t>(best)];
  std::vector<read_file> ranks =
      chosen.p.rank.ranks > 1 ? ranks_with(chosen.p, all) : std::vector<read_file>{};
  if (ranks.size() < 2) return job{.main = std::move(chosen.p), .file = std::move(chosen.file)};
  const auto waits_most = static_cast<std::size_t>(most(ranks, wait_of));
  job result{.main = ranks[waits_most].p, .file = ranks[waits_most].file};
  result.main_rank = waits_most;
  for (read_file& r : ranks) {
    result.ranks.push_back(std::move(r.p));
    result.files.push_back(std::move(r.file));
  }
  return result;
}

}  // namespace kasuri::report
