// SPDX-License-Identifier: Apache-2.0
#include "omp/profile/spans.hpp"

#include <mutex>

#include "omp/profile/sum.hpp"
#include "omp/profile/team_sums.hpp"
#include "omp/team/root.hpp"
#include "platform/base/clock.hpp"
#include "platform/thread/os_thread.hpp"
#include "profile/thread.hpp"

#include <unistd.h>

namespace kasuri::omp::sums {
namespace {

/// When the library was loaded, or the process forked.
std::uint64_t loaded = 0;

[[gnu::constructor]] void library_is_loaded() { loaded = platform::ticks(); }

bool is_initial_thread() noexcept { return platform::thread_id() == getpid(); }

constinit spin_lock lock;  // guards the rest
constinit profile::path initial;
std::uint64_t initial_since = 0;
bool initial_runs = false;
constinit profile::path others;  // the longest of other threads' paths

/// The program's path now, as far as it is known.
profile::path initial_until(std::uint64_t now) noexcept {
  profile::path p = initial;
  if (initial_runs && now > initial_since) p.add(0, now - initial_since);
  return p;
}

}  // namespace

void open_root(member& m) noexcept {
  const std::uint64_t now = platform::ticks();
  member_sums& s = m.in->tool.sums->members[0];
  profile::path before;
  s.begun = now;
  m.in->tool.sums->of_program = is_initial_thread();
  if (m.in->tool.sums->of_program) {
    s.begun = loaded;
  } else {
    const std::lock_guard hold(lock);
    before = initial_until(now);
  }
  if (m.implicit.tool == nullptr) m.implicit.tool = &tool::make_info();
  m.implicit.tool->time.strand.begin(0, before, s.begun);
  publish(m, s.begun, true);
}

void publish(member& m, std::uint64_t now, bool runs) noexcept {
  const profile::path& p = m.implicit.tool->time.strand.so_far();
  const std::lock_guard hold(lock);
  if (!m.in->tool.sums->of_program) return others.meet(p);
  initial = p;
  initial_since = now;
  initial_runs = runs;
}

void write_spans(profile::json& to) {
  const std::uint64_t now = platform::ticks();
  std::uint64_t work = 0;
  profile::each_thread([&work](profile::thread& t) {
    for (std::size_t i = 0; i != profile::most_sites; ++i)
      work += t.work_at(static_cast<profile::site_id>(i));
  });
  profile::path p;
  {
    const std::lock_guard hold(lock);
    p = initial_until(now);
    work += p.length() - initial.length();
    p.meet(others);
  }
  to.begin_object().pair("work_s", seconds(work)).pair("span_s", seconds(p.length()));
  to.pair("burdened_s", seconds(p.burdened())).key("path").begin_array();
  p.each_site([&to](profile::site_id at, std::uint64_t ticks) {
    to.begin_object().pair("site", static_cast<int>(at)).pair("s", seconds(ticks)).end_object();
  });
  to.end_array().end_object();
}

void begin_spans_anew() noexcept {
  loaded = platform::ticks();
  initial = others = {};
  initial_runs = false;
  // The forking thread goes on; what it was before is the parent's.
  if (root* const r = known_root(); r != nullptr && r->outside->tool.sums != nullptr)
    open_root(r->initial);
}

}  // namespace kasuri::omp::sums
