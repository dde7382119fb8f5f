// SPDX-License-Identifier: Apache-2.0
#include "runtimes/blas/callback.hpp"

#include <algorithm>

#include "platform/base/expect.hpp"
#include "platform/settings/idle_openblas.hpp"
#include "platform/settings/settings.hpp"
#include "runtimes/blas/copies.hpp"
#include "runtimes/found/found.hpp"
#include "runtimes/found/time_inside.hpp"

namespace kasuri::runtimes::blas {
namespace {

constinit time_inside inside{"OpenBLAS"};

struct call {
  run_job run;
  std::byte* jobs;
  std::size_t size;
  int data;
  numbered_turn turn;

  static void run_one(int i, void* arg) {
    const call& c = *static_cast<const call*>(arg);
    const stay here(inside);
    c.run(c.turn.number_of(i), c.jobs + static_cast<std::size_t>(i) * c.size, c.data);
  }
};

int workers() noexcept { return platform::current_settings().num_workers; }

/// How many threads the copy is to use at most, now that it has used so many.
int most_threads(const copy& c) noexcept { return std::min(workers(), (c.numbers + 1) / 2); }

void on_call(int /*sync*/, run_job run, int n, std::size_t size, void* jobs, int data) noexcept {
  copy& c = copy_of(run);
  call all{run, static_cast<std::byte*>(jobs), size, data, {c, n}};
  all.turn.begin();
  run_together(n, call::run_one, &all);
  all.turn.end();
  // The program has asked for more since the copy was served.
  if (n > most_threads(c) && c.f.threads() > most_threads(c)) [[unlikely]]
    c.f.set_threads(most_threads(c));
}

void serve_found(const platform::loaded_object& object) noexcept {
  static_cast<void>(serve(object));
}

constinit kind openblas{names_of_parallel, wanted, serve_found, false, true};

[[gnu::constructor]] void begin() {
  add(openblas);
  inside.enter();
  // For those that are loaded later. One that is linked to the program has read the environment
  // before: `kasuri run` sets it for that one.
  platform::let_idle_openblas_sleep();
}

}  // namespace

bool wanted() noexcept { return platform::current_settings().openblas; }

bool serve(const platform::loaded_object& object) noexcept {
  const functions f = functions_of(object);
  if (f.set_callback == nullptr || f.parallel == nullptr || f.threads == nullptr ||
      f.set_threads == nullptr || f.config == nullptr || f.parallel() != with_own_threads)
    return false;
  const copy& c = add_copy(object, f);
  const int threads = std::min(c.own_threads, workers());
  if (c.above(c.own_threads) < threads) return false;
  if (f.threads() > threads) f.set_threads(threads);
  f.set_callback(on_call);
  return true;
}

}  // namespace kasuri::runtimes::blas
