// SPDX-License-Identifier: Apache-2.0
// FFTW, from 3.3.9 on: a program may replace the threads of libfftw3_threads, or the regions of
// libfftw3_omp, by a callback for each precision. Its jobs wait for nobody: they may run in any
// order, on fewer threads than jobs, one within the other. The function that sets the callback only
// stores, and each transform reads it: it may come at any time, also before FFTW's own
// constructors, and plans that were made before go by it as well.

#include <cstddef>

#include "platform/settings/settings.hpp"
#include "runtimes/found/found.hpp"
#include "runtimes/found/time_inside.hpp"
#include "runtimes/loops/turns.hpp"

namespace kasuri::runtimes::fftw {
namespace {

using work = void* (*)(char*);
using loop = void (*)(work, char* jobs, std::size_t size, int n, void* data);
using set_callback = void (*)(loop, void* data);

constinit time_inside inside{"FFTW"};

struct transform {
  work run;
  char* jobs;
  std::size_t size;
};

void run_job(int i, void* arg) {
  const stay here(inside);
  const transform& t = *static_cast<const transform*>(arg);
  t.run(t.jobs + static_cast<std::size_t>(i) * t.size);
}

void on_loop(work run, char* jobs, std::size_t size, int n, void* /*data*/) noexcept {
  transform t{run, jobs, size};
  run_anywhere(n, run_job, &t, reinterpret_cast<void (*)()>(run));
}

constinit const char* const names[] = {"fftw_threads_set_callback", "fftwf_threads_set_callback",
                                       "fftwl_threads_set_callback", "fftwq_threads_set_callback",
                                       nullptr};

bool is_wanted() noexcept { return platform::current_settings().fftw; }

void serve(const platform::loaded_object& object) noexcept {
  for (const char* const* name = names; *name != nullptr; ++name)
    if (void* const f = object.function(*name)) reinterpret_cast<set_callback>(f)(on_loop, nullptr);
}

constinit kind of_library{names, is_wanted, serve, true, true};

[[gnu::constructor]] void begin() {
  add(of_library);
  inside.enter();
}

}  // namespace
}  // namespace kasuri::runtimes::fftw
