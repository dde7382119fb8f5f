// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// What the programs that run alone, on threads and on the ranks of a cluster share.
namespace apps {

/// Options that all of them have.
struct ranks_request {
  int workers = 0;
  int repeat = 1;
};

void add_ranks_options(CLI::App& app, ranks_request& r);

/// Starts the pool of this process and the cluster layer. Before any other use of Kasuri.
void start_ranks(const ranks_request& r);

/// Whether this process prints: rank 0.
bool speaks();

/// Prints one line of the report, at rank 0 alone.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);

/// Seconds that each of the rounds took.
std::vector<double> seconds_of(int rounds, const std::function<void()>& prepare,
                               const std::function<void()>& work);

/// The same with a progress bar that counts the rounds.
/// @param prepare  called before each round, not timed
/// @param work     called by all ranks
std::vector<double> timed_rounds(int rounds, const std::function<void()>& prepare,
                                 const std::function<void()>& work);

/// Prints ranks, workers and the times of the rounds: the first, and the median of the others.
void report_times(const std::vector<double>& seconds);

/// The sum of what all ranks pass, at all ranks. Collective.
std::uint64_t sum_over_ranks(std::uint64_t mine);

/// Runs the program; an exception ends it with one line and status 1.
int guarded(const char* program, const std::function<int()>& work);

}  // namespace apps
