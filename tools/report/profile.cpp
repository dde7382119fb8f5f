// SPDX-License-Identifier: Apache-2.0
#include "report/profile.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kasuri::report {
namespace {

using nlohmann::json;

/// Fields of an object by name; what is missing or of another type leaves the value as it is.
class fields {
 public:
  explicit fields(const json& of) : of_(of) {}

  fields& get(const char* name, double& to) {
    if (const json* v = find(name); v != nullptr && v->is_number()) to = v->get<double>();
    return *this;
  }
  fields& get(const char* name, int& to) {
    if (const json* v = find(name); v != nullptr && v->is_number_integer()) to = v->get<int>();
    return *this;
  }
  fields& get(const char* name, long& to) {
    if (const json* v = find(name); v != nullptr && v->is_number_integer()) to = v->get<long>();
    return *this;
  }
  fields& get(const char* name, bool& to) {
    if (const json* v = find(name); v != nullptr && v->is_boolean()) to = v->get<bool>();
    return *this;
  }
  fields& get(const char* name, std::string& to) {
    if (const json* v = find(name); v != nullptr && v->is_string()) to = v->get<std::string>();
    return *this;
  }
  /// A number of 64 bits is a string of hexadecimal digits.
  fields& get(const char* name, std::uint64_t& to) {
    const json* const v = find(name);
    if (v == nullptr) return *this;
    if (v->is_string())
      to = std::strtoull(v->get<std::string>().c_str(), nullptr, 16);
    else if (v->is_number_unsigned())
      to = v->get<std::uint64_t>();
    return *this;
  }
  fields& get(const char* name, std::vector<double>& to) {
    const json* const v = find(name);
    if (v == nullptr || !v->is_array()) return *this;
    for (const json& each : *v) to.push_back(each.is_number() ? each.get<double>() : 0);
    return *this;
  }

  /// The elements of an array, or none.
  template <class F>
  void each(const char* name, F f) const {
    if (const json* v = find(name); v != nullptr && v->is_array())
      for (const json& one : *v)
        if (one.is_object()) f(fields(one));
  }
  template <class F>
  void inside(const char* name, F f) const {
    if (const json* v = find(name); v != nullptr && v->is_object()) f(fields(*v));
  }

 private:
  const json* find(const char* name) const {
    const auto at = of_.find(name);
    return at == of_.end() ? nullptr : &*at;
  }
  const json& of_;
};

void read_system(profile& p, fields& from) {
  from.inside("machine", [&](fields f) {
    f.get("usable_cpus", p.machine.usable_cpus).get("online_cpus", p.machine.online_cpus);
    f.get("quota_cpus", p.machine.quota_cpus).get("throttled_s", p.machine.throttled_s);
    f.get("others_s", p.machine.others_s).get("stolen_s", p.machine.stolen_s);
    f.get("load", p.machine.load).get("peak_kib", p.machine.peak_kib);
  });
  from.each("threads", [&](fields f) {
    os_thread& t = p.threads.emplace_back();
    f.get("tid", t.tid).get("name", t.name).get("processor_s", t.processor_s);
    f.get("run_delay_s", t.run_delay_s);
    f.get("switches", t.switches);
  });
  from.get("pages_kib", p.kib_by_node);
  from.each("system_waits", [&](fields f) {
    system_wait& w = p.waits.emplace_back();
    f.get("pc", w.pc).get("caller", w.caller).get("call", w.call).get("site", w.site);
    f.get("in_pool", w.in_pool).get("s", w.s);
  });
  from.each("modules", [&](fields f) {
    mapped_module& m = p.modules.emplace_back();
    f.get("path", m.path).get("base", m.base).get("begin", m.begin).get("end", m.end);
    f.get("build_id", m.build_id).get("of_program", m.of_program);
  });
}

void read_places(profile& p, const fields& from) {
  from.inside("series", [&](fields f) {
    f.get("bin_s", p.series.bin_s).get("seconds", p.series.seconds);
    f.get("running", p.series.running).get("waiting", p.series.waiting);
    f.get("blocked", p.series.blocked).get("ready", p.series.ready);
    f.get("serial", p.series.serial).get("asleep", p.series.asleep);
  });
  from.each("samples", [&](fields f) {
    sample& s = p.samples.emplace_back();
    f.get("pc", s.pc)
        .get("site", s.site)
        .get("in_pool", s.in_pool)
        .get("processor_s", s.processor_s);
    f.get("alone_s", s.alone_s).get("blamed_s", s.blamed_s).get("waited_s", s.waited_s);
  });
  from.each("sites", [&](fields f) {
    int id = 0;
    f.get("id", id);
    site& s = p.sites[id];
    f.get("kind", s.kind).get("address", s.address).get("work_s", s.work_s);
  });
}

void read_accounts(profile& p, const fields& from) {
  from.each("workers_accounts", [&](fields f) {
    account& a = p.accounts.emplace_back();
    f.get("worker", a.worker)
        .get("tid", a.tid)
        .get("node", a.node)
        .get("role", a.role)
        .get("work_s", a.work_s);
    f.get("overhead_s", a.overhead_s).get("idle_ready_s", a.idle_ready_s);
    f.get("idle_empty_s", a.idle_empty_s).get("blocked_s", a.blocked_s);
    f.get("waiting_s", a.waiting_s).get("off_core_s", a.off_core_s);
    f.get("processor_s", a.processor_s).get("tasks", a.tasks).get("steals", a.steals);
    f.get("tried", a.steals_tried).get("refused", a.refused).get("rescues", a.rescues);
    f.get("parks", a.parks).get("wakes", a.wakes).get("late_s", a.late_s);
    f.get("calling_s", a.calling_s);
  });
}

phase read_phase(fields f) {
  phase r;
  f.get("site", r.site).get("region", r.region).get("kind", r.kind).get("count", r.count);
  f.get("members", r.members).get("wall_s", r.wall_s).get("busy_s", r.busy_s);
  f.get("max_s", r.max_s).get("mean_s", r.mean_s).get("wait_s", r.wait_s);
  f.get("lock_s", r.lock_s).get("serial_s", r.serial_s).get("worst", r.worst);
  return r;
}

task_kind read_task_kind(const profile& p, fields f) {
  task_kind t;
  f.get("site", t.site).get("count", t.count).get("self_s", t.work_s).get("work_s", t.work_s);
  f.get("create_s", t.create_s).get("dependences", t.dependences).get("waits_s", t.late_s);
  f.get("log2_ns", t.log2_ns);
  if (const auto at = p.sites.find(t.site); at != p.sites.end()) t.kind = at->second.kind;
  return t;
}

void read_constructs(profile& p, const fields& from) {
  from.each("regions", [&](fields f) {
    p.regions.push_back(read_phase(f));
    f.get("code", p.sites[p.regions.back().site].code);
  });
  from.each("phases", [&](fields f) { p.phases.push_back(read_phase(f)); });
  from.each("loops", [&](fields f) {
    dealt_loop& l = p.loops.emplace_back();
    f.get("site", l.site).get("schedule", l.schedule).get("count", l.count);
    f.get("iterations", l.iterations).get("chunks", l.chunks).get("body_s", l.body_s);
  });
  const auto read_lock = [&p](fields f) {
    lock& l = p.locks.emplace_back();
    f.get("address", l.address).get("kind", l.kind).get("site", l.site).get("holder", l.holder);
    f.get("count", l.count).get("contended", l.contended).get("wait_s", l.wait_s);
    f.get("held_s", l.held_s);
  };
  from.each("locks", read_lock);
  from.each("mutexes", read_lock);
  from.each("tasks", [&](fields f) { p.tasks.push_back(read_task_kind(p, f)); });
  from.inside("forks", [&](const fields& f) {
    f.each("sites", [&](fields one) { p.tasks.push_back(read_task_kind(p, one)); });
  });
  from.inside("checkouts", [&](fields f) {
    f.get("bytes_by_rank", p.bytes_by_rank).get("write_back_s", p.write_back_s);
    f.each("sites", [&](fields one) {
      checkout_site& c = p.checkouts.emplace_back();
      one.get("site", c.site).get("count", c.count).get("wait_s", c.wait_s);
    });
  });
  from.each("runtimes", [&](fields f) {
    runtime_on_pool& r = p.runtimes.emplace_back();
    f.get("name", r.name).get("stays", r.stays).get("s", r.s);
  });
  from.each("python_lines", [&](fields f) {
    python_line& l = p.python.emplace_back();
    double looks = 0;
    double each = 0;
    f.get("file", l.file).get("line", l.line).get("function", l.function).get("site", l.site);
    f.get("looks", looks).get("look_s", each);
    l.s = looks * each;
  });
  from.inside("spans", [&](fields f) {
    f.get("work_s", p.critical.work_s).get("span_s", p.critical.span_s);
    f.get("burdened_s", p.critical.burdened_s);
    f.each("path", [&](fields one) {
      path_part& part = p.critical.path.emplace_back();
      one.get("site", part.site).get("s", part.s);
    });
  });
}

void read_rank(profile& p, const json& document) {
  const fields from(document);
  from.inside("rank", [&](fields f) {
    rank_facts& r = p.rank;
    f.get("rank", r.rank).get("ranks", r.ranks).get("steals", r.steals).get("ran", r.ran);
    f.get("join_wait_s", r.join_wait_s).get("data_wait_s", r.data_wait_s);
    f.get("fetched_bytes", r.fetched_bytes).get("refetched_bytes", r.refetched_bytes);
    f.get("written_back_bytes", r.written_back_bytes);
  });
  const json rank = document.value("rank", json());
  const json meetings = rank.is_object() ? rank.value("meetings", json()) : json();
  if (!meetings.is_array()) return;
  for (const json& m : meetings)
    if (m.is_array() && m.size() == 2 && m[0].is_number_integer() && m[1].is_number_integer())
      p.rank.meetings.push_back({m[0].get<std::int64_t>(), m[1].get<std::int64_t>()});
}

}  // namespace

profile parse_profile(const std::string& line) {
  const json document = json::parse(line, nullptr, false);
  if (!document.is_object() || !document.contains("kasuri_profile"))
    throw bad_profile("is no profile");
  constexpr int version = 1;
  if (document["kasuri_profile"] != version)
    throw bad_profile("has format version " + document["kasuri_profile"].dump() +
                      ", this command reads version " + std::to_string(version));
  profile p;
  fields all(document);
  all.get("program", p.program).get("process", p.process).get("seconds", p.seconds);
  all.get("host", p.host).get("started_unix_ns", p.started_unix_ns);
  all.get("last", p.last).get("workers", p.workers).get("watcher_s", p.watcher_s);
  all.get("samples_lost_s", p.samples_lost_s);
  if (const auto at = document.find("arguments"); at != document.end() && at->is_array())
    for (const json& word : *at)
      if (word.is_string()) p.arguments.push_back(word.get<std::string>());
  read_places(p, all);
  read_system(p, all);
  read_accounts(p, all);
  read_constructs(p, all);
  read_rank(p, document);
  all.get("trace", p.trace);
  if (const auto at = document.find("timeline"); at != document.end()) p.timeline = at->dump();
  if (const auto at = document.find("forks"); at != document.end()) p.forks = at->dump();
  return p;
}

profile read_profile(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw bad_profile("is a folder");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw bad_profile(std::string("cannot be opened (") + std::strerror(errno) + ")");
  std::string last, line;
  while (std::getline(in, line))
    if (!in.eof()) last = line;  // a line without its end was cut
  if (last.empty()) throw bad_profile("holds no whole snapshot");
  return parse_profile(last);
}

}  // namespace kasuri::report
