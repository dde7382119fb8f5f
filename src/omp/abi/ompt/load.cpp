// SPDX-License-Identifier: Apache-2.0
// Finding the tool, starting and finishing it (OpenMP 5.1, section 4.2).
//
// The first hook of the process looks for ompt_start_tool: in the program and what it has loaded,
// then in the libraries of OMP_TOOL_LIBRARIES. Other threads that come meanwhile wait for the
// outcome. The runtime calls that the tool makes while it starts are not reported.

#include "omp/abi/ompt/load.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "kasuri/detail/atomics.hpp"
#include "omp/abi/ompt/callbacks.hpp"
#include "omp/abi/ompt/entries.hpp"
#include "omp/env/environment.hpp"
#include "omp/profile/consumer.hpp"
#include "omp/tool/active.hpp"
#include "omp/tool/thread.hpp"
#include "profile/base/active.hpp"

namespace kasuri::omp::tool {

constinit std::atomic<stage> present{stage::undecided};
constinit std::atomic<bool> tool_runs{false};
constinit std::atomic<function> registered[last_event + 1] = {};

namespace {

constexpr unsigned omp_version = 202011;
constexpr const char* runtime_version = "Kasuri " KASURI_VERSION;
constexpr const char* start_name = "ompt_start_tool";

start_result* started = nullptr;
[[gnu::tls_model("initial-exec")]] thread_local constinit bool starts_here = false;

/// The report that OMP_TOOL_VERBOSE_INIT asks for.
class search_log {
 public:
  search_log() {
    const std::string& where = environment().tool_verbose;
    if (where.empty()) return;
    if (where == "stdout")
      file_ = stdout;
    else if (where == "stderr")
      file_ = stderr;
    else
      own_ = file_ = std::fopen(where.c_str(), "w");
    if (file_ == nullptr)
      std::fprintf(stderr, "kasuri: warning: OMP_TOOL_VERBOSE_INIT: cannot write to '%s'\n",
                   where.c_str());
  }
  ~search_log() {
    if (own_ != nullptr) std::fclose(own_);
  }
  search_log(const search_log&) = delete;
  search_log& operator=(const search_log&) = delete;

  template <class... Values>
  void say(const char* format, Values... values) {
    if (file_ == nullptr) return;
    std::fputs("kasuri: tool: ", file_);
    if constexpr (sizeof...(values) == 0)
      std::fputs(format, file_);
    else
      std::fprintf(file_, format, values...);
    std::fputc('\n', file_);
    std::fflush(file_);
  }

 private:
  std::FILE* file_ = nullptr;
  std::FILE* own_ = nullptr;
};

start_result* start_in(void* library) {
  const auto start = reinterpret_cast<start_function>(dlsym(library, start_name));
  return start != nullptr ? start(omp_version, runtime_version) : nullptr;
}

start_result* start_library(const std::string& path, search_log& log) {
  void* const library = dlopen(path.c_str(), RTLD_LAZY);
  if (library == nullptr) {
    log.say("%s: %s", path.c_str(), dlerror());
    return nullptr;
  }
  if (dlsym(library, start_name) == nullptr) {
    log.say("%s: %s", path.c_str(), dlerror());
  } else if (start_result* const r = start_in(library)) {
    log.say("%s: the tool starts", path.c_str());
    return r;
  } else {
    log.say("%s: the tool does not want to start", path.c_str());
  }
  dlclose(library);
  return nullptr;
}

start_result* find_tool(search_log& log) {
  if (start_result* const r = start_in(RTLD_DEFAULT)) {
    log.say("the tool of the program starts");
    return r;
  }
  log.say("the program brings no tool");
  for (const std::string& path : environment().tool_libraries)
    if (start_result* const r = start_library(path, log)) return r;
  return nullptr;
}

void end_at_exit() { finish(); }

bool start_tool() {
  search_log log;
  if (!environment().tool) {
    log.say("OMP_TOOL is disabled");
    return false;
  }
  start_result* const r = find_tool(log);
  if (r == nullptr || r->initialize == nullptr) return false;
  constexpr int this_device = 0;
  if (r->initialize(find_entry, this_device, &r->tool_data) == 0) {
    log.say("the tool does not want to go on");
    return false;
  }
  log.say("the tool is active");
  started = r;
  std::atexit(end_at_exit);
  return true;
}

bool look_for_tool() {
  starts_here = true;
  const bool found = start_tool();
  if (profile::active()) sums::enter_sections();
  starts_here = false;
  tool_runs.store(found, std::memory_order_relaxed);
  const bool on = found || profile::active();
  // release: pairs with the acquire in active_slow
  present.store(on ? stage::on : stage::off, std::memory_order_release);
  return on;
}

}  // namespace

bool active_slow() noexcept {
  for (unsigned n = 0;; ++n) {
    // acquire: pairs with the release in look_for_tool
    stage now = present.load(std::memory_order_acquire);
    if (now == stage::on || now == stage::off) return now == stage::on;
    if (now == stage::undecided &&
        present.compare_exchange_strong(now, stage::starting, std::memory_order_relaxed))
      return look_for_tool();
    if (starts_here) return false;
    detail::real_atomics::backoff(n);
  }
}

void finish() noexcept {
  start_result* const r = started;
  if (r == nullptr || present.load(std::memory_order_relaxed) != stage::on) return;
  started = nullptr;
  end_all_threads();
  if (r->finalize != nullptr) r->finalize(&r->tool_data);
  tool_runs.store(false, std::memory_order_relaxed);
  for (std::atomic<function>& f : registered) f.store(nullptr, std::memory_order_relaxed);
  if (!profile::active()) present.store(stage::off, std::memory_order_relaxed);
}

}  // namespace kasuri::omp::tool

/// Where the program has no such function, but libraries behind this one may.
extern "C" kasuri::omp::tool::start_result* kasuri_ompt_start_tool(unsigned version,
                                                                   const char* name) {
  const auto next = reinterpret_cast<kasuri::omp::tool::start_function>(
      dlsym(RTLD_NEXT, kasuri::omp::tool::start_name));
  return next != nullptr ? next(version, name) : nullptr;
}
