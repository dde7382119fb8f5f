// SPDX-License-Identifier: Apache-2.0
// Random fork-join programs against their serial evaluation, with 1 to 16 workers.
//
//   random_dags                     some thousand programs, as a test
//   random_dags --count N           the first N seeds
//   random_dags --seeds A..B        these
//   random_dags --seed S            one, and its tree
//   random_dags ... --workers W     with W workers only
// The long run is described in docs/how-to/soak.md.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kasuri/kasuri.hpp>
#include <string>

#include "stress/dag/program.hpp"
#include "support/scale.hpp"

namespace kasuri::test::dag {
namespace {

constexpr int worker_counts[] = {1, 2, 3, 4, 8, 16};
constexpr unsigned longest_s = 120;  // for one program; a hundred thousand times the usual

volatile sig_atomic_t workers_now = 0;
volatile unsigned long seed_now = 0;

void on_alarm(int) {
  char line[160];
  const int n = std::snprintf(line, sizeof line,
                              "the program of seed %lu does not end: --seed %lu --workers %d\n",
                              seed_now, seed_now, static_cast<int>(workers_now));
  if (write(STDERR_FILENO, line, static_cast<std::size_t>(n)) < 0) _exit(3);
  abort();
}

std::string text_of(const outcome& o) {
  return (o.threw ? "threw " : "value ") + std::to_string(o.value);
}

/// Empty, or what was wrong.
std::string check(std::uint64_t seed) {
  seed_now = seed;
  alarm(longest_s);
  const node program = make_program(seed);
  const outcome expected = run_serially(program);
  std::string complaint;
  const outcome found = seed % 3 == 0 ? run_in_parallel(program, complaint)
                                      : run([&] { return run_in_parallel(program, complaint); });
  alarm(0);
  if (found != expected)
    complaint += "expected " + text_of(expected) + ", found " + text_of(found) + "\n";
  if (complaint.empty()) return {};
  return "seed " + std::to_string(seed) + ", " + std::to_string(num_workers()) + " workers:\n" +
         complaint;
}

/// Runs the seeds of [first, last); the number of those that failed.
int check_all(std::uint64_t first, std::uint64_t last, int workers) {
  int failed = 0;
  workers_now = workers;
  initialize({.workers = workers});
  for (std::uint64_t seed = first; seed != last; ++seed) {
    const std::string wrong = check(seed);
    if (!wrong.empty()) {
      ++failed;
      std::fprintf(stderr, "%s", wrong.c_str());
    }
  }
  finalize();
  return failed;
}

class random_dags : public testing::TestWithParam<int> {};

TEST_P(random_dags, agree_with_the_serial_evaluation) {
  const auto count = static_cast<std::uint64_t>(scaled(1700));
  const std::uint64_t first = 100'000u * static_cast<std::uint64_t>(GetParam());
  EXPECT_EQ(check_all(first, first + count, GetParam()), 0);
}

INSTANTIATE_TEST_SUITE_P(workers, random_dags, testing::ValuesIn(worker_counts),
                         testing::PrintToStringParamName());

struct request {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  int workers = 0;  // 0: all counts in turn
};

[[noreturn]] void usage() {
  std::fputs("usage: random_dags [--seed S | --seeds A..B | --count N] [--workers W]\n", stderr);
  std::exit(2);
}

std::uint64_t number(const char* text, const char** end = nullptr) {
  char* stop = nullptr;
  const std::uint64_t n = std::strtoull(text, &stop, 10);
  if (stop == text || (end == nullptr && *stop != '\0')) usage();
  if (end != nullptr) *end = stop;
  return n;
}

request parse(int argc, char** argv) {
  request r;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) usage();
    const std::string option = argv[i];
    const char* rest = nullptr;
    if (option == "--count") {
      r.last = number(argv[i + 1]);
    } else if (option == "--seed") {
      r.first = number(argv[i + 1]);
      r.last = r.first + 1;
    } else if (option == "--seeds") {
      r.first = number(argv[i + 1], &rest);
      if (std::strncmp(rest, "..", 2) != 0) usage();
      r.last = number(rest + 2) + 1;
    } else if (option == "--workers") {
      r.workers = static_cast<int>(number(argv[i + 1]));
    } else {
      usage();
    }
  }
  if (r.last <= r.first) usage();
  return r;
}

/// Changes the number of workers every so many programs.
int soak(const request& r) {
  constexpr std::uint64_t stretch = 1000;
  if (r.last - r.first == 1) std::fputs(describe(make_program(r.first)).c_str(), stderr);
  int failed = 0;
  std::size_t turn = 0;
  for (std::uint64_t at = r.first; at < r.last; at += stretch, ++turn) {
    const std::uint64_t end = at + stretch < r.last ? at + stretch : r.last;
    const int workers = r.workers != 0 ? r.workers : worker_counts[turn % std::size(worker_counts)];
    failed += check_all(at, end, workers);
    std::fprintf(stderr, "%llu programs, %d failed\n",
                 static_cast<unsigned long long>(end - r.first), failed);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace kasuri::test::dag

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  signal(SIGALRM, kasuri::test::dag::on_alarm);
  if (argc == 1) return RUN_ALL_TESTS();
  return kasuri::test::dag::soak(kasuri::test::dag::parse(argc, argv));
}
