// SPDX-License-Identifier: Apache-2.0
#include "report/ranks/ranks.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/document.hpp"
#include "report/measures.hpp"
#include "report/ranks/clocks.hpp"
#include "report/ranks/over_time.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

using nlohmann::json;

std::vector<rank_start> starts_of(const job& j) {
  std::vector<rank_clock> clocks;
  for (const profile& p : j.ranks)
    clocks.push_back({.host = p.host, .started = p.started_unix_ns, .meetings = p.rank.meetings});
  return starts_of(clocks);
}

json row_of(const profile& p, const measures& m, const rank_start& start) {
  const rank_facts& r = p.rank;
  json row{{"rank", r.rank},
           {"host", p.host},
           {"workers", p.workers},
           {"started_s", start.s},
           {"run_s", p.seconds},
           {"work_s", m.all_work()},
           {"no_work_s", m.no_work},
           {"data_wait_s", r.data_wait_s},
           {"join_wait_s", r.join_wait_s},
           {"steals", r.steals},
           {"ran", r.ran},
           {"fetched_bytes", r.fetched_bytes},
           {"refetched_bytes", r.refetched_bytes},
           {"written_back_bytes", r.written_back_bytes}};
  if (start.off_by_s > 0) row["clock_off_by_s"] = start.off_by_s;
  return row;
}

/// The bytes that each rank moved from and to each.
json bytes_between(const job& j) {
  const auto ranks = static_cast<std::size_t>(j.main.rank.ranks);
  std::vector<std::vector<double>> matrix(ranks, std::vector<double>(ranks));
  for (const profile& p : j.ranks)
    for (std::size_t to = 0; to < std::min(ranks, p.bytes_by_rank.size()); ++to)
      matrix[static_cast<std::size_t>(p.rank.rank)][to] = p.bytes_by_rank[to];
  return {{"matrix", matrix}};
}

void add_shares(json& sums, const measures& m) {
  for (const share& s : m.shares()) {
    const auto same =
        std::ranges::find_if(sums, [&](const json& known) { return known.at("name") == s.name; });
    if (same == sums.end())
      sums.push_back({{"name", s.name}, {"seconds", s.seconds}});
    else
      (*same)["seconds"] = same->at("seconds").get<double>() + s.seconds;
  }
}

/// A rank that starts later, or ends sooner, has no work meanwhile: so all add up to workers times
/// seconds.
void fill_up(json& sums, double capacity) {
  double all = 0;
  for (const json& s : sums) all += s.at("seconds").get<double>();
  for (json& s : sums)
    if (s.at("name") == "no work")
      s["seconds"] = s.at("seconds").get<double>() + std::max(0.0, capacity - all);
}

json accounts_of(const job& j, const std::vector<json>& of_rank) {
  json all = json::array();
  for (std::size_t i = 0; i != j.ranks.size(); ++i)
    for (json account : of_rank[i]) {
      account["worker"] =
          std::to_string(j.ranks[i].rank.rank) + ":" + std::to_string(account.value("worker", 0));
      all.push_back(std::move(account));
    }
  return all;
}

void say_what_is_of_one_rank(json& d, const job& j, const std::vector<rank_start>& starts) {
  json& notes = d["quality"]["notes"];
  notes.push_back(
      say("findings and places are those of rank %d, which waits most for data of others; shares, "
          "workers and time are those of all ranks",
          j.main.rank.rank));
  if (j.ranks.size() < static_cast<std::size_t>(j.main.rank.ranks))
    notes.push_back(say("%zu of %d ranks left a profile; accepted: a folder that all hosts share",
                        j.ranks.size(), j.main.rank.ranks));
  const auto most = std::ranges::max_element(starts, {}, &rank_start::off_by_s);
  if (std::ranges::any_of(starts, [](const rank_start& s) { return s.off_by_s < 0; }))
    notes.push_back("the clocks of some hosts could not be compared: their ranks may be shifted");
  else if (most->off_by_s > 0)
    notes.push_back(say("the clocks of the hosts are put beside one another to within %s",
                        duration(most->off_by_s).c_str()));
}

void say_headline(json& d, const job& j, double work) {
  const double seconds = d["seconds"];
  const int workers = d["workers"];
  const double faster = seconds > 0 ? work / seconds : 0;
  std::string headline =
      say("%s on %zu ranks with %d workers", duration(seconds).c_str(), j.ranks.size(), workers);
  if (d["answer"] != "too_short")
    headline +=
        say(": about %.2f times as fast as one worker (%.0f %%)", faster, 100 * faster / workers);
  d["headline"] = headline;
  // What is said of one worker is true of the rank alone.
  if (d["answer"] != "unsure") d.erase("answer_sentence");
  constexpr double good = 0.8;
  if (d["answer"] == "one_worker") d["answer"] = faster >= good * workers ? "nothing" : "unsure";
  // Work and span are known of each rank's own forks only.
  for (const char* key : {"work_s", "span_s", "burdened_s", "parallelism"}) d.erase(key);
  d["speedup"].erase("bounds");
  d["speedup"]["measured"] = {{{"workers", workers}, {"speedup", faster}}};
}

/// The document's part of that name, by rank.
std::vector<rank_over_time> by_rank(const job& j, const std::vector<rank_start>& starts,
                                    std::vector<json> given) {
  std::vector<rank_over_time> all;
  for (std::size_t i = 0; i != given.size(); ++i)
    all.push_back({j.ranks[i].rank.rank, starts[i].s, std::move(given[i])});
  return all;
}

}  // namespace

void add_ranks(json& d, const job& j) {
  if (j.ranks.empty()) return;
  const std::vector<rank_start> starts = starts_of(j);
  const places nowhere(j.main);
  json rows = json::array();
  json shares = json::array();
  std::vector<json> series, timelines, accounts;
  double work = 0;
  double end = 0;
  int workers = 0;
  for (std::size_t i = 0; i != j.ranks.size(); ++i) {
    const profile& p = j.ranks[i];
    const measures m(p, nullptr, nowhere);
    rows.push_back(row_of(p, m, starts[i]));
    add_shares(shares, m);
    series.push_back(series_of(p.series));
    timelines.push_back(p.timeline.empty() ? json::object() : json::parse(p.timeline));
    accounts.push_back(accounts_of(p));
    work += m.all_work();
    workers += m.workers();
    end = std::max(end, starts[i].s + p.seconds);
  }
  fill_up(shares, workers * end);
  d["seconds"] = end;
  d["workers"] = workers;
  d["ranks"] = rows;
  d["shares"] = shares;
  d["bytes_between"] = bytes_between(j);
  d["workers_accounts"] = accounts_of(j, accounts);
  d["series"] = sum_of_series(by_rank(j, starts, std::move(series)));
  d["timeline"] = joined_timelines(by_rank(j, starts, std::move(timelines)));
  say_headline(d, j, work);
  say_what_is_of_one_rank(d, j, starts);
}

}  // namespace kasuri::report
