// SPDX-License-Identifier: Apache-2.0
#include "report/document.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/ancestry/ancestry.hpp"
#include "report/words.hpp"

namespace kasuri::report {
namespace {

using nlohmann::json;

constexpr double shortest_run_s = 0.05;
constexpr std::size_t most_places = 200;

json to_json(const place& p) {
  return {{"file", p.file},
          {"line", p.line},
          {"function", p.function},
          {"module", p.module},
          {"text", p.known() ? p.text() : ""}};
}

json to_json(const finding& f, double seconds) {
  return {{"rule", f.rule},
          {"sentence", f.sentence},
          {"advice", f.advice},
          {"gain_s", f.gain_s},
          {"gain", seconds / std::max(seconds - f.gain_s, seconds / 1000)},
          {"place", to_json(f.where)},
          {"confidence", f.sure ? "high" : "low"}};
}

bool has_parallel_part(const profile& p) {
  return p.workers != 0 || !p.regions.empty() || !p.tasks.empty();
}

/// Whether one worker ran all of it. OpenMP's teams of one thread need no pool.
bool is_of_one(const profile& p) {
  return p.workers <= 1 && has_parallel_part(p) &&
         std::ranges::all_of(p.regions, [](const phase& r) { return r.members <= 1; });
}

std::string answer_of(const measures& m, const std::vector<finding>& findings) {
  if (!has_parallel_part(m.of) && m.of.last) return "no_pool";
  if (m.of.seconds < shortest_run_s || (!has_parallel_part(m.of) && findings.empty()))
    return "too_short";
  if (!findings.empty()) return "findings";
  if (is_of_one(m.of)) return "one_worker";
  constexpr double good = 0.8;
  return m.workers() == 1 || m.speedup() >= good * m.workers() ? "nothing" : "unsure";
}

/// What a run on one worker says of others: of OpenMP's loops on one thread it is not seen how
/// they divide, of tasks the longest chain is.
std::string one_worker_sentence(const measures& m) {
  const spans& c = m.of.critical;
  std::string known = "One worker ran it alone.";
  if (!m.of.regions.empty()) {
    const auto outside = std::ranges::find(c.path, 0, &path_part::site);
    const double stays = outside == c.path.end() ? 0 : std::min(outside->s, c.work_s);
    known = say(
        "One worker ran it alone: %s of its work lie in parallel regions, which more workers can "
        "share; the other %s stay.",
        duration(c.work_s - stays).c_str(), duration(stays).c_str());
  } else if (c.span_s > 0) {
    known = say(
        "One worker ran it alone: the longest chain of its %s of work takes %s, so that more can "
        "be at most %.3g times as fast.",
        duration(c.work_s).c_str(), duration(c.span_s).c_str(), std::max(1.0, c.work_s / c.span_s));
  }
  return known + " Only a run with more says what limits it there: --workers N" +
         (m.of.regions.empty() ? "." : ", or OMP_NUM_THREADS, which comes first.");
}

/// A sentence for a run that no rule explains though its workers idle.
std::string unsure_sentence(const measures& m) {
  const double stretch =
      m.on_one == nullptr ? 1 : m.all_work() / measures(*m.on_one, nullptr, m.where).all_work();
  if (constexpr double worth_saying = 1.2; stretch > worth_saying)
    return say(
        "No single place limits it: all in all the same work takes %.1f times as long on %d "
        "workers as on one.",
        stretch, m.workers());
  const auto all = m.shares();
  const auto most = std::ranges::max_element(
      all, {}, [](const share& s) { return s.name == "work" ? 0 : s.seconds; });
  return say(
      "No single place limits it; most of the workers' time beside work, %.0f %%, is \"%s\".",
      100 * m.part(most->seconds), most->name.c_str());
}

/// What other programs took is no small part of this run, or of the one on one worker.
bool is_disturbed(const measures& m) {
  constexpr double worth_saying = 0.05;
  return m.part_of_others() > worth_saying ||
         (m.on_one != nullptr &&
          measures(*m.on_one, nullptr, m.where).part_of_others() > worth_saying);
}

/// ... is most of the processors' time: what the workers' clocks say is about those programs then.
bool is_too_disturbed(const measures& m) {
  constexpr double most = 0.5;
  return m.part_of_others() > most ||
         (m.on_one != nullptr && measures(*m.on_one, nullptr, m.where).part_of_others() > most);
}

std::string headline_of(const measures& m, const std::string& answer) {
  const std::string run = duration(m.of.seconds);
  if (!has_parallel_part(m.of)) return run + ", without a parallel region or task";
  if (is_of_one(m.of)) {
    double regions = 0;
    for (const phase& r : m.of.regions) regions += r.count;
    return run + " on 1 worker" +
           (regions > 0
                ? say(", which ran %.0f parallel region%s alone", regions, regions == 1 ? "" : "s")
                : "");
  }
  std::string times = run + " on " + so_many_workers(m.workers());
  if (answer == "too_short") return times;
  if (m.on_one != nullptr && m.workers() != 1)
    times += ", " + duration(m.on_one->seconds) + " on one";
  if (is_too_disturbed(m))
    return times + "; other programs had most of the processors, so how it scales cannot be told";
  const double s = m.speedup();
  const bool disturbed = is_disturbed(m);
  const bool about = disturbed || m.on_one == nullptr || !m.doubts().empty();
  // The times are as they were, the ratio is not theirs then.
  return say("%s%s %s%.2f times as fast as one worker (%.0f %%)", times.c_str(),
             disturbed ? "; without what other programs took," : ":", about ? "about " : "", s,
             100 * s / m.workers());
}

/// Things that were looked for and are no problem.
std::vector<std::string> fine_of(const measures& m, const std::vector<finding>& findings) {
  if (is_too_disturbed(m)) return {};
  const auto none = [&](const char* rule) {
    return std::ranges::none_of(findings, [rule](const finding& f) { return f.rule == rule; });
  };
  std::vector<std::string> fine;
  if (m.workers() < 2) return fine;
  if (none("short_tasks") && m.part(m.runtime) < 0.02)
    fine.push_back(say("the runtime itself takes %.1f %%", 100 * m.part(m.runtime)));
  if (none("lock") && m.part(m.lock_wait) < 0.02)
    fine.emplace_back("hardly anything waits for locks");
  if (none("imbalance") && !m.of.phases.empty()) fine.emplace_back("loops are balanced");
  if (none("delay") && none("wake") && none("late_steal") && m.part(m.delay) < 0.02)
    fine.emplace_back("ready tasks find their workers in time");
  return fine;
}

json bounds_of(const measures& m) {
  json all = json::array();
  const double w = m.of.critical.work_s;
  const double s = m.span();
  if (w <= 0 || s <= 0) return all;
  const double burdened = std::max(m.of.critical.burdened_s, s);
  // How much longer a greedy scheduler with real steals may take: Cilkview's factor.
  constexpr double steals = 1.7;
  for (int p = 1; p <= std::max(64, 2 * m.workers()); p *= 2) {
    const double low = w / p + steals * burdened * (1 - 1.0 / p);
    all.push_back({{"workers", p}, {"low", w / low}, {"high", w / std::max(w / p, s)}});
  }
  return all;
}

json sites_of(const measures& m) {
  json all = json::array();
  for (const auto& [id, s] : m.of.sites) {
    const auto on_path = std::ranges::find(m.of.critical.path, id, &path_part::site);
    const auto kind = std::ranges::find(m.of.tasks, id, &task_kind::site);
    json one{{"kind", s.kind},
             {"place", to_json(m.where.of_site(id))},
             {"work_s", s.work_s},
             {"critical_s", on_path == m.of.critical.path.end() ? 0.0 : on_path->s}};
    if (kind != m.of.tasks.end()) {
      one["count"] = kind->count;
      one["work_s"] = std::max(s.work_s, kind->work_s);
      one["log2_ns"] = kind->log2_ns;
    }
    double blamed = 0;
    for (const sample& each : m.of.samples)
      if (each.site == id) blamed += each.blamed_s;
    one["blamed_s"] = blamed;
    all.push_back(std::move(one));
  }
  return all;
}

json hot_of(const measures& m) {
  json all = json::array();
  for (const bool in : {false, true})
    for (const hot_place& h : m.hot(in))
      if (all.size() < most_places)
        all.push_back({{"place", to_json(h.where)},
                       {"in_constructs", in},
                       {"processor_s", h.processor_s},
                       {"alone_s", h.alone_s},
                       {"blamed_s", h.blamed_s}});
  return all;
}

json constructs_of(const measures& m, const std::vector<phase>& phases) {
  json all = json::array();
  for (const phase& p : phases)
    all.push_back({{"place", to_json(m.where.of_site(p.site))},
                   {"kind", p.kind},
                   {"count", p.count},
                   {"members", p.members},
                   {"wall_s", p.wall_s},
                   {"busy_s", p.busy_s},
                   {"wait_s", p.wait_s},
                   {"lock_s", p.lock_s},
                   {"imbalance_s", p.max_s - p.mean_s},
                   {"worst", p.worst}});
  return all;
}

json locks_of(const measures& m) {
  json all = json::array();
  for (const lock& l : m.of.locks)
    all.push_back({{"place", to_json(m.where.of_site(l.site))},
                   {"kind", l.kind},
                   {"holder", to_json(m.where.of_site(l.holder))},
                   {"count", l.count},
                   {"contended", l.contended},
                   {"wait_s", l.wait_s},
                   {"held_s", l.held_s}});
  return all;
}

json runtimes_of(const profile& p) {
  json all = json::array();
  for (const runtime_on_pool& r : p.runtimes)
    all.push_back({{"name", r.name}, {"stays", r.stays}, {"inside_s", r.s}});
  return all;
}

json branches_of(const std::vector<branch>& branches) {
  json all = json::array();
  for (const branch& b : branches)
    all.push_back(
        {{"parent", b.parent}, {"kind", b.kind}, {"place", to_json(b.where)}, {"s", b.s}});
  return all;
}

}  // namespace

json accounts_of(const profile& p) {
  json all = json::array();
  for (const account& a : p.accounts)
    all.push_back({{"worker", a.worker},
                   {"role", a.role},
                   {"work_s", a.work_s},
                   {"overhead_s", a.overhead_s},
                   {"waiting_s", a.waiting_s},
                   {"idle_ready_s", a.idle_ready_s},
                   {"idle_empty_s", a.idle_empty_s},
                   {"blocked_s", a.blocked_s},
                   {"off_core_s", a.off_core_s},
                   {"processor_s", a.processor_s},
                   {"steals", a.steals},
                   {"tasks", a.tasks}});
  return all;
}

json series_of(const over_time& s) {
  return {{"bin_s", s.bin_s},     {"seconds", s.seconds}, {"running", s.running},
          {"waiting", s.waiting}, {"blocked", s.blocked}, {"ready", s.ready},
          {"serial", s.serial},   {"asleep", s.asleep}};
}

json document(const measures& m, const std::vector<finding>& findings) {
  const profile& p = m.of;
  json d{{"kasuri_report", 1},
         {"program", p.program},
         {"arguments", p.arguments},
         {"seconds", p.seconds},
         {"workers", p.workers}};
  const std::string answer = answer_of(m, findings);
  d["answer"] = answer;
  if (answer == "unsure") d["answer_sentence"] = unsure_sentence(m);
  if (answer != "too_short" && is_of_one(p)) d["answer_sentence"] = one_worker_sentence(m);
  d["headline"] = headline_of(m, answer);
  d["machine"] = {{"usable_cpus", p.machine.usable_cpus},
                  {"online_cpus", p.machine.online_cpus},
                  {"load", p.machine.load},
                  {"peak_kib", p.machine.peak_kib}};
  if (p.machine.quota_cpus > 0) d["machine"]["quota_cpus"] = p.machine.quota_cpus;
  auto notes = m.doubts();
  const bool unsure = !notes.empty();
  if (!p.regions.empty())
    notes.emplace_back(
        "the program ran on Kasuri's OpenMP; on a runtime of its own it may take "
        "another time");
  d["quality"] = {{"unsure", unsure}, {"notes", notes}};
  d["shares"] = json::array();
  for (const share& s : m.shares())
    d["shares"].push_back({{"name", s.name}, {"seconds", s.seconds}});
  d["shares_too_much_s"] = m.too_much;
  d["work_s"] = p.critical.work_s > 0 ? p.critical.work_s : m.all_work();
  d["span_s"] = m.span();
  d["burdened_s"] = p.critical.burdened_s;
  if (m.span() > 0) d["parallelism"] = p.critical.work_s / m.span();
  d["speedup"] = {{"measured", {{{"workers", m.workers()}, {"speedup", m.speedup()}}}},
                  {"bounds", bounds_of(m)}};
  d["findings"] = json::array();
  for (const finding& f : findings)
    d["findings"].push_back(to_json(f, f.rule == "others" ? p.seconds : m.seconds()));
  d["fine"] = fine_of(m, findings);
  d["sites"] = sites_of(m);
  d["hot"] = hot_of(m);
  d["regions"] = constructs_of(m, p.regions);
  d["phases"] = constructs_of(m, p.phases);
  d["locks"] = locks_of(m);
  d["runtimes"] = runtimes_of(p);
  d["ancestry"] = {{"critical", branches_of(critical_branches(m))},
                   {"blame", branches_of(blame_branches(m))}};
  d["series"] = series_of(p.series);
  if (!p.timeline.empty()) d["timeline"] = json::parse(p.timeline);
  if (!p.trace.empty()) d["trace"] = p.trace;
  d["workers_accounts"] = accounts_of(p);
  return d;
}

namespace {

/// The program's name; of an interpreter, with its first argument's.
std::string title_of(const json& d) {
  std::string title = d["program"];
  if (title.starts_with("python") && d["arguments"].size() > 1) {
    const std::string script = d["arguments"][1];
    title += " " + script.substr(script.rfind('/') + 1);
  }
  return title;
}

/// "(unsure)" belongs to the figure, which stands at the sentence's end.
std::string sentence_of(const json& f) {
  std::string sentence = f["sentence"];
  if (f["confidence"] != "low") return sentence;
  const bool has_end = sentence.ends_with('.');
  if (has_end) sentence.pop_back();
  return sentence + " (unsure)" + (has_end ? "." : "");
}

/// Empty where no other library's work ran on the pool.
std::string runtimes_in_words(const json& d) {
  std::string out;
  for (const json& each : d.value("runtimes", json::array()))
    out += (out.empty() ? "" : ", ") + each["name"].get<std::string>() + " " +
           duration(each["inside_s"].get<double>());
  return out.empty() ? "" : "Workers were in other runtimes: " + out + ".\n";
}

std::string answer_in_words(const json& d) {
  const std::string answer = d["answer"];
  if (answer == "no_pool")
    return "It never started Kasuri's workers: there is nothing to say about its parallel parts. "
           "Tasks (kasuri.hpp) or OpenMP regions start them.\n";
  if (answer == "too_short")
    return "That is too short to say more: give it more work, 1 s or so.\n";
  std::string out;
  if (answer == "nothing")
    out += say("Nothing limits it; efficiency %.2f.\n",
               d["speedup"]["measured"][0]["speedup"].get<double>() /
                   std::max(1.0, d["workers"].get<double>()));
  if (d.contains("answer_sentence")) out += d["answer_sentence"].get<std::string>() + "\n";
  int number = 0;
  for (const json& f : d["findings"])
    out += say("%d. ", ++number) + sentence_of(f) + "\n   " + f["advice"].get<std::string>() + "\n";
  std::string fine;
  for (const json& each : d["fine"]) fine += (fine.empty() ? "" : ", ") + each.get<std::string>();
  if (!fine.empty()) out += "Fine: " + fine + ".\n";
  return out;
}

}  // namespace

std::string text(const json& d) {
  std::string out = title_of(d) + ": " + d["headline"].get<std::string>() + ".\n";
  out += answer_in_words(d) + runtimes_in_words(d);
  for (const json& each : d["quality"]["notes"]) out += "Note: " + each.get<std::string>() + ".\n";
  return out;
}

}  // namespace kasuri::report
