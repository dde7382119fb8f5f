// SPDX-License-Identifier: Apache-2.0
#include "omp/env/environment.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "omp/env/environment_show.hpp"
#include "platform/base/expect.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/settings/settings.hpp"
#include "platform/settings/settings_load.hpp"

namespace kasuri::omp {
namespace {

/// In the form of libomp's, which scripts look for.
void print_warnings(const loaded_environment& loaded) {
  if (!loaded.values.warnings) return;
  for (const std::string& warning : loaded.warnings) {
    const std::string line = "OMP: Warning #42: " + warning + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
  }
}

void print_settings(const device_icvs& values) {
  std::string text;
  if (values.settings_shown) text += settings_text(values, platform::process_environment());
  if (values.display != display_kind::off)
    text += display_env_text(values, values.display == display_kind::verbose);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

device_icvs& read_environment() {
  const machine_defaults machine{.threads = platform::current_settings().num_workers,
                                 .cpus = platform::affinity_cpus(),
                                 .procs = platform::usable_cpus()};
  loaded_environment loaded = load_environment(platform::process_environment(), machine);
  print_warnings(loaded);
  loaded.values.initial.default_allocator = make_allocator(loaded.values.allocator);
  print_settings(loaded.values);
  return *new device_icvs(std::move(loaded.values));
}

device_icvs& in_force() noexcept {
  static device_icvs& values = read_environment();
  return values;
}

}  // namespace

const device_icvs& environment() noexcept { return in_force(); }

void next_level(icvs& values) noexcept {
  const device_icvs& device = in_force();
  KASURI_EXPECT(cheap, values.nthreads_level >= 0 && values.bind_level >= 0,
                "levels %d of threads, %d of bindings", values.nthreads_level, values.bind_level);
  const auto threads_level = static_cast<std::size_t>(values.nthreads_level);
  const std::vector<int>& threads =
      values.nthreads_list != nullptr ? *values.nthreads_list : device.nthreads;
  if (threads_level < threads.size()) {
    values.nthreads = threads[threads_level];
    ++values.nthreads_level;
    KASURI_EXPECT(cheap, values.nthreads > 0, "%d threads at level %d", values.nthreads,
                  values.nthreads_level);
  }
  const auto bind_level = static_cast<std::size_t>(values.bind_level);
  if (bind_level < device.bind.size()) {
    values.bind = device.bind[bind_level];
    ++values.bind_level;
  }
}

// Members that wait read it while another thread changes it.
std::uint64_t spin_ns() noexcept {
  return std::atomic_ref(in_force().spin_ns).load(std::memory_order_relaxed);
}

void set_spin_ns(std::uint64_t ns) noexcept {
  std::atomic_ref(in_force().spin_ns).store(ns, std::memory_order_relaxed);
}

void set_stack_size(std::uint64_t bytes) noexcept { in_force().stack_size = bytes; }

void set_warnings(bool on) noexcept { in_force().warnings = on; }

void set_library(library_kind kind) noexcept {
  device_icvs& device = in_force();
  device.library = kind;
  if (kind == library_kind::turnaround) set_spin_ns(endless);
}

void set_defaults(std::string_view settings) {
  std::vector<std::string_view> entries;
  while (!settings.empty()) {
    const std::size_t end = std::min(settings.find('|'), settings.size());
    entries.push_back(settings.substr(0, end));
    settings.remove_prefix(std::min(end + 1, settings.size()));
  }
  const std::vector<std::string_view> before = platform::process_environment();
  entries.insert(entries.end(), before.begin(), before.end());
  device_icvs& device = in_force();
  loaded_environment loaded =
      load_environment(entries, {.threads = platform::current_settings().num_workers,
                                 .cpus = device.cpus,
                                 .procs = device.procs});
  loaded.values.initial.default_allocator = device.initial.default_allocator;
  loaded.values.allocator = device.allocator;
  print_warnings(loaded);
  device = std::move(loaded.values);
}

}  // namespace kasuri::omp
