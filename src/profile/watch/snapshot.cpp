// SPDX-License-Identifier: Apache-2.0
#include "profile/watch/snapshot.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "platform/base/clock.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/cpu/quota.hpp"
#include "platform/process/executable.hpp"
#include "platform/base/small_file.hpp"
#include "platform/settings/settings.hpp"
#include "profile/base/json.hpp"
#include "profile/thread/modules.hpp"
#include "profile/watch/os_threads.hpp"
#include "profile/thread/sampler.hpp"
#include "profile/base/section.hpp"
#include "profile/watch/series.hpp"
#include "profile/watch/system_waits.hpp"
#include "profile/watch/timeline.hpp"
#include "profile/thread/thread.hpp"

namespace kasuri::profile {
namespace {

// Of the timeline, while the program runs.
constexpr std::size_t bins_in_between = 250;

double seconds(std::uint64_t ticks) noexcept {
  return static_cast<double>(ticks) / platform::ticks_per_second();
}

void write_arguments(json& to) {
  to.key("arguments").begin_array();
  const std::string text = platform::text_of_small_file("/proc/self/cmdline");
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view word(text.c_str() + at);
    to.value(word);
    at += word.size() + 1;
  }
  to.end_array();
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

/// The processor's, as the quota's group counts it.
double throttled_seconds() {
  const std::string all = platform::text_of_small_file("/sys/fs/cgroup/cpu.stat");
  const std::size_t at = all.find("throttled_usec ");
  return at == std::string::npos ? 0 : 1e-6 * std::strtod(all.c_str() + at + 15, nullptr);
}

void write_machine(json& to, const system_time& before) {
  double load[3] = {};
  if (getloadavg(load, 3) < 1) load[0] = 0;
  to.key("machine").begin_object();
  to.pair("usable_cpus", platform::usable_cpus());
  to.pair("online_cpus", static_cast<std::int64_t>(sysconf(_SC_NPROCESSORS_ONLN)));
  if (const auto quota = platform::read_cpu_quota()) to.pair("quota_cpus", quota->cpus());
  to.pair("throttled_s", throttled_seconds()).pair("load", load[0]);
  const system_time now = system_time_now();
  const double own = now.own - before.own;
  to.pair("others_s", std::max(0.0, now.busy - before.busy - own));
  to.pair("stolen_s", now.stolen - before.stolen);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  to.pair("peak_kib", static_cast<std::int64_t>(usage.ru_maxrss));
  to.end_object();
}

void write_samples(json& to) {
  std::map<std::tuple<std::uintptr_t, site_id, bool>, sample> sums;
  std::uint64_t lost = 0;
  each_thread([&](thread& t) {
    lost += t.samples().lost();
    t.samples().each([&](const sample& s) {
      sample& sum = sums[{s.pc, s.site, s.in_pool}];
      sum.processor += s.processor;
      sum.alone += s.alone;
      sum.blamed += s.blamed;
      sum.waited += s.waited;
    });
  });
  to.key("samples").begin_array();
  for (const auto& [at, s] : sums) {
    to.begin_object().key("pc").address(reinterpret_cast<const void*>(std::get<0>(at)));
    to.pair("site", static_cast<int>(std::get<1>(at))).pair("in_pool", std::get<2>(at));
    to.pair("processor_s", 1e-9 * static_cast<double>(s.processor));
    to.pair("alone_s", 1e-9 * static_cast<double>(s.alone));
    to.pair("blamed_s", 1e-9 * static_cast<double>(s.blamed));
    to.pair("waited_s", 1e-9 * static_cast<double>(s.waited));
    to.end_object();
  }
  to.end_array().pair("samples_lost_s", 1e-9 * static_cast<double>(lost));
}

void write_sites(json& to) {
  to.key("sites").begin_array();
  for (std::size_t i = 1; i != most_sites; ++i) {
    const auto id = static_cast<site_id>(i);
    const site at = place_of(id);
    if (at.kind == site_kind::none) continue;
    std::uint64_t work = 0;
    each_thread([&](thread& t) { work += t.work_at(id); });
    to.begin_object().pair("id", static_cast<int>(id)).pair("kind", name(at.kind));
    to.key("address").address(at.address).pair("work_s", seconds(work)).end_object();
  }
  to.end_array().pair("sites_lost", static_cast<std::uint64_t>(sites_lost()));
}

}  // namespace

std::string snapshot(const gathered& g, std::uint64_t start_ticks, bool last, double cost) {
  json to;
  to.begin_object().pair("kasuri_profile", format_version);
  to.pair("program", platform::program_name());
  write_arguments(to);
  to.pair("process", platform::process_id()).pair("host", host_name());
  to.pair("started_unix_ns", g.started_unix_ns);
  to.pair("seconds", seconds(platform::ticks() - start_ticks)).pair("last", last);
  to.pair("workers", workers_of_pool.load(std::memory_order_relaxed));
  to.pair("watcher_s", cost);
  if (const std::string& trace = platform::current_settings().trace; !trace.empty())
    to.pair("trace", trace);
  write_machine(to, g.at_start);
  to.key("threads");
  g.threads.write(to);
  to.key("series");
  g.over_time.write(to);
  to.key("timeline");
  g.by_worker.write(to, last ? timeline::most_bins : bins_in_between);
  to.key("system_waits");
  g.waits.write(to);
  write_samples(to);
  write_sites(to);
  for (section* s = newest_section(); s != nullptr; s = s->next()) {
    to.key(s->key());
    s->write(to);
  }
  to.key("modules");
  write_modules(to);
  to.end_object();
  return to.text() + '\n';
}

}  // namespace kasuri::profile
