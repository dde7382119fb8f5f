// SPDX-License-Identifier: Apache-2.0
// The cluster layer started with a program's own choices. Ends with 1 and a line where something is
// wrong.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "cluster/real_check.hpp"
#include "kasuri/global.hpp"
#include "kasuri/kasuri.hpp"

namespace {

namespace global = kasuri::global;

using kasuri::test::check;

template <class Error>
std::string said_by(const global::options& o) {
  try {
    global::start(o);
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing";
}

/// Before anything has started: there is no rank yet.
void expect_refused(const global::options& o, const std::string& part) {
  const std::string said = said_by<std::invalid_argument>(o);
  if (said.find(part) != std::string::npos) return;
  std::fprintf(stderr, "wrong: %s is not in: %s\n", part.c_str(), said.c_str());
  std::_Exit(1);
}

}  // namespace

int main() {
  constexpr std::size_t mib = std::size_t{1} << 20;
  expect_refused({.cache_size = 1000}, "KASURI_CACHE_SIZE=1000: too small; accepted: ");
  expect_refused({.heap_size = mib, .check = "all"}, "KASURI_CHECK=all: unknown name; accepted: ");
  expect_refused({.transport = "pigeons"}, "KASURI_TRANSPORT=pigeons: unknown name; accepted: ");
  expect_refused({.scheduling = "fair"}, "KASURI_SCHED=fair: unknown name; accepted: ");
  expect_refused({.workers = -3}, "KASURI_NUM_WORKERS=-3: ");

  global::start({.cache = true,
                 .cache_size = 8 * mib,
                 .heap_size = 2 * mib,
                 .range_size = 256 * mib,
                 .block_size = 8192,
                 .transport = "auto",
                 .check = "off",
                 .summary = false,
                 .scheduling = "adws",
                 .workers = 2});
  check(kasuri::num_workers() == 2, "the workers");
  check(said_by<std::logic_error>({}).find("runs already") != std::string::npos, "a second start");
  global::start();  // changes nothing
  const int right = global::run([] {
    const auto fits = global::allocate<char>(mib);
    int good = 1;
    try {
      global::allocate<char>(4 * mib);
    } catch (const global::error&) {
      ++good;
    }
    global::deallocate(fits, mib);
    return good;
  });
  check(right == 2, "a heap of two MiB");
  try {
    const global::vector<char> large(512 * mib);
    check(false, "an array of more than the range");
  } catch (const global::error&) {
  }
  if (global::rank() == 0) std::printf("all right on %d ranks\n", global::num_ranks());
}
