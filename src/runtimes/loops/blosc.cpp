// SPDX-License-Identifier: Apache-2.0
// Blosc: a program may replace its threads by a callback, before any other call of Blosc's. So only
// a Blosc that is linked to the program is served, in our constructor; in one that is loaded later
// contexts may exist already, whose records the callback lacks. Jobs wait for each other (for a
// block that others are relative to), so all of a call are on threads at once.

#include <cstddef>

#include "platform/settings/settings.hpp"
#include "runtimes/found/found.hpp"
#include "runtimes/found/time_inside.hpp"
#include "runtimes/loops/turns.hpp"

namespace kasuri::runtimes::blosc {
namespace {

using work = void (*)(void*);
using callback = void (*)(void* data, work, int n, std::size_t size, void* jobs);
using set_callback = void (*)(callback, void* data);

constinit time_inside inside{"Blosc"};

struct call {
  work run;
  std::byte* jobs;
  std::size_t size;
};

void run_job(int i, void* arg) {
  const stay here(inside);
  const call& c = *static_cast<const call*>(arg);
  c.run(c.jobs + static_cast<std::size_t>(i) * c.size);
}

void on_call(void* /*data*/, work run, int n, std::size_t size, void* jobs) noexcept {
  call c{run, static_cast<std::byte*>(jobs), size};
  plain_turn t(n);
  t.begin();
  run_together(n, run_job, &c);
  t.end();
}

// Of Blosc2 as it is now, and of earlier versions.
constinit const char* const names[] = {"blosc2_set_threads_callback", "blosc_set_threads_callback",
                                       nullptr};

bool is_wanted() noexcept { return platform::current_settings().blosc; }

void serve(const platform::loaded_object& object) noexcept {
  for (const char* const* name = names; *name != nullptr; ++name)
    if (void* const f = object.function(*name)) reinterpret_cast<set_callback>(f)(on_call, nullptr);
}

constinit kind of_library{names, is_wanted, serve, true, false};

[[gnu::constructor]] void begin() {
  add(of_library);
  inside.enter();
}

}  // namespace
}  // namespace kasuri::runtimes::blosc
