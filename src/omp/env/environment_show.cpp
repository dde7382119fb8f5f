// SPDX-License-Identifier: Apache-2.0
#include "omp/env/environment_show.hpp"

#include "omp/env/environment_table.hpp"

namespace kasuri::omp {
namespace {

std::string switch_text(bool on) { return on ? "TRUE" : "FALSE"; }

std::string bytes_text(std::uint64_t bytes) {
  constexpr std::string_view units[] = {"B", "K", "M", "G"};
  std::size_t unit = 0;
  while (unit + 1 != std::size(units) && bytes != 0 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + std::string(units[unit]);
}

/// The values with commas between them.
template <class Values, class Text>
std::string joined(const Values& values, char separator, Text text_of) {
  std::string text;
  for (const auto& value : values) {
    if (!text.empty()) text += separator;
    text += text_of(value);
  }
  return text;
}

std::string bind_text(proc_bind bind) {
  switch (bind) {
    case proc_bind::on:
      return "TRUE";
    case proc_bind::primary:
      return "PRIMARY";
    case proc_bind::close:
      return "CLOSE";
    case proc_bind::spread:
      return "SPREAD";
    default:
      return "FALSE";
  }
}

}  // namespace

std::string schedule_text(const schedule& s) {
  constexpr std::string_view kinds[] = {"STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  std::string text = s.monotonic ? "MONOTONIC:" : "";
  text += kinds[static_cast<std::size_t>(s.kind) - 1];
  if (s.chunk > (s.kind == schedule_kind::static_ ? 0 : 1)) text += ',' + std::to_string(s.chunk);
  return text;
}

namespace show {

std::string dynamic(const device_icvs& v) { return switch_text(v.initial.dynamic); }
std::string nested(const device_icvs& v) { return switch_text(v.initial.max_active_levels > 1); }
std::string num_threads(const device_icvs& v) {
  return joined(v.nthreads, ',', [](int n) { return std::to_string(n); });
}
std::string run_schedule(const device_icvs& v) { return schedule_text(v.initial.run_schedule); }
std::string bind(const device_icvs& v) {
  return v.bind.empty() ? bind_text(v.initial.bind) : joined(v.bind, ',', bind_text);
}
std::string places(const device_icvs& v) {
  constexpr std::string_view names[] = {"",          "threads",      "cores",
                                        "ll_caches", "numa_domains", "sockets"};
  static_assert(std::size(names) == static_cast<std::size_t>(place_kind::listed));
  if (v.affinity.places.kind == place_kind::listed)
    return place_text(resolve(v.affinity.places, usable_machine(v.cpus)));
  std::string text(names[static_cast<std::size_t>(v.affinity.places.kind)]);
  if (v.affinity.places.most != 0) text += '(' + std::to_string(v.affinity.places.most) + ')';
  return text;
}
std::string stack_size(const device_icvs& v) {
  // 0: the pool's, which depends on what starts it first.
  return v.stack_size == 0 ? "0" : bytes_text(v.stack_size);
}
std::string wait_policy(const device_icvs& v) { return v.wait_active ? "ACTIVE" : "PASSIVE"; }
std::string thread_limit(const device_icvs& v) { return std::to_string(v.initial.thread_limit); }
std::string max_active_levels(const device_icvs& v) {
  return std::to_string(v.initial.max_active_levels);
}
std::string nteams(const device_icvs& v) { return std::to_string(v.initial.nteams); }
std::string teams_thread_limit(const device_icvs& v) {
  return std::to_string(v.initial.teams_thread_limit);
}
std::string cancellation(const device_icvs& v) { return switch_text(v.cancellation); }
std::string default_device(const device_icvs& v) {
  return std::to_string(v.initial.default_device);
}
std::string max_task_priority(const device_icvs& v) { return std::to_string(v.max_task_priority); }
std::string display_affinity(const device_icvs& v) { return switch_text(v.affinity.displayed); }
std::string affinity_format(const device_icvs& v) { return v.affinity.format; }
std::string allocator(const device_icvs& v) { return allocator_text(v.allocator); }
std::string offload(const device_icvs& v) {
  constexpr std::string_view names[] = {"MANDATORY", "DISABLED", "DEFAULT"};
  static_assert(std::size(names) == static_cast<std::size_t>(offload_policy::default_) + 1);
  return std::string(names[static_cast<std::size_t>(v.offload)]);
}
std::string tool(const device_icvs& v) { return v.tool ? "ENABLED" : "DISABLED"; }
std::string tool_libraries(const device_icvs& v) {
  return joined(v.tool_libraries, ':', [](const std::string& name) { return name; });
}
std::string tool_verbose(const device_icvs& v) {
  return v.tool_verbose.empty() ? "DISABLED" : v.tool_verbose;
}
std::string block_time(const device_icvs& v) {
  return v.spin_ns == endless ? "infinite" : std::to_string(v.spin_ns / 1000) + "us";
}
std::string library(const device_icvs& v) {
  constexpr std::string_view names[] = {"serial", "turnaround", "throughput"};
  return std::string(names[static_cast<std::size_t>(v.library) - 1]);
}

}  // namespace show

std::string display_env_text(const device_icvs& values, bool verbose) {
  std::string text = "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202011'\n";
  for (const variable& row : variables())
    if (row.show != nullptr && (verbose || !row.verbose_only))
      text += "  [host] " + std::string(row.name) + " = '" + row.show(values) + "'\n";
  return text + "OPENMP DISPLAY ENVIRONMENT END\n";
}

std::string settings_text(const device_icvs& values, std::span<const std::string_view> entries) {
  std::string text = "\nUser settings:\n\n";
  for (const std::string_view entry : entries)
    for (const variable& row : variables())
      if (entry.starts_with(row.name) && entry.substr(row.name.size()).starts_with('='))
        text += "   " + std::string(entry) + '\n';
  text += "\nEffective settings:\n\n";
  for (const variable& row : variables())
    if (row.show != nullptr)
      text += "   " + std::string(row.name) + "='" + row.show(values) + "'\n";
  return text + '\n';
}

}  // namespace kasuri::omp
