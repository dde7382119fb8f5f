// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "common/bench.hpp"
#include "loops/kernel.hpp"

/// Loops over an array of n elements: what it costs a system to share n trivial iterations.
///   for            cells[i] += f(i), 32-bit integers
///   reduce-int32   the sum of an array, reduce-double the same of doubles
///   scan-int64     inclusive prefix sums into a second array, scan-double the same of doubles
/// A solution repeats the call until the repetitions have taken least_time. Every call counts in
/// what is checked: a cell holds f(i) times the calls, and the totals of all calls are summed. The
/// doubles are small whole numbers, so that their sums are exact in any order.
namespace bench::loops {

inline constexpr double least_time = 2e-3;          ///< seconds
inline constexpr std::size_t most = 1'000'000'000;  ///< elements: their sum has 32 bits

/// The n of "n=1000"; 0 where the text is something else.
inline std::size_t length_of(std::string_view text) {
  constexpr std::string_view name = "n=";
  std::size_t n = 0;
  if (text.substr(0, name.size()) != name) return 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + name.size(), last, n);
  return error == std::errc() && end == last && n <= most ? n : 0;
}

/// An array to read and one to write, with what the whole of it should give.
template <class T>
struct numbers {
  void resize(std::size_t n, bool with_output) {
    in.resize(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<T>(1 + i % 7);
    for (const T value : in) total += static_cast<std::int64_t>(value);
    if (with_output) out.resize(n);
  }

  bool holds_prefixes() const {
    T sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      sum += in[i];
      if (out[i] != sum) return false;
    }
    return true;
  }

  std::vector<T> in;
  std::vector<T> out;
  std::int64_t total = 0;
};

struct problem {
  static constexpr const char* name = "loops";
  static constexpr std::array<const char*, 9> inputs = {"n=1",       "n=10",       "n=100",
                                                        "n=1000",    "n=10000",    "n=100000",
                                                        "n=1000000", "n=10000000", "n=100000000"};
  static bool accepts(const std::string& input) { return length_of(input) > 0; }
  static bool of_quick(const std::string& input) { return length_of(input) <= 1'000'000; }

  struct answer {
    long calls = 0;
    std::int64_t total = 0;  ///< of all calls
  };

  explicit problem(const arguments& args) : problem(args.variant, length_of(args.input)) {
    if (args.size > 0) {
      fail("loops: --size=" + std::to_string(args.size) +
               ": n is an input; accepted: --input n=" + std::to_string(args.size),
           not_applicable);
    }
  }
  problem(const std::string& way, std::size_t length) : variant(way), n(length) {
    if (way == "for") cells.resize(n);
    if (way == "reduce-int32") of<std::uint32_t>().resize(n, false);
    if (way == "scan-int64") of<std::int64_t>().resize(n, true);
    if (way == "reduce-double") of<double>().resize(n, false);
    if (way == "scan-double") of<double>().resize(n, true);
  }

  problem rehearsal() const { return problem(variant, std::min<std::size_t>(n, 100'000)); }
  void prepare() {
    std::fill(cells.begin(), cells.end(), 0);
    std::fill(integers.out.begin(), integers.out.end(), -1);
    std::fill(doubles.out.begin(), doubles.out.end(), -1);
  }

  std::string wrong(const answer& found) const {
    const auto times = static_cast<std::uint32_t>(found.calls);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] != times * kernel::increment(i)) {
        return "cell " + std::to_string(i) + " was not set once by each call";
      }
    }
    const std::int64_t expected =
        found.calls * (small_integers.total + integers.total + doubles.total);
    if (found.total != expected) {
      return "the totals of " + std::to_string(found.calls) + " calls add up to " +
             std::to_string(found.total) + ", expected " + std::to_string(expected);
    }
    return integers.holds_prefixes() && doubles.holds_prefixes() ? "" : "a prefix sum is wrong";
  }
  std::vector<metric> metrics(double seconds, const answer& found) const {
    return {{"time-per-call", "ns", seconds * 1e9 / static_cast<double>(found.calls)}};
  }

  /// The arrays of one type; only those of the variant have elements.
  template <class T>
  numbers<T>& of() {
    if constexpr (std::is_same_v<T, double>) {
      return doubles;
    } else if constexpr (std::is_same_v<T, std::int64_t>) {
      return integers;
    } else {
      return small_integers;
    }
  }

  std::string variant;
  std::size_t n;
  std::vector<std::uint32_t> cells;
  numbers<std::uint32_t> small_integers;
  numbers<std::int64_t> integers;
  numbers<double> doubles;
};

/// Repeats call(), which returns its total, in batches of 1, 2, 4 ... until they have taken long
/// enough: reading the clock after each call would be in the figure of a short loop.
template <class Call>
problem::answer repeated(const Call& call) {
  problem::answer all;
  const double end = now() + least_time;
  for (long batch = 1; all.calls == 0 || now() < end; batch *= 2) {
    for (long i = 0; i < batch; ++i) all.total += static_cast<std::int64_t>(call());
    all.calls += batch;
  }
  return all;
}

/// The variants of a system from its functions over arrays:
///   for_each(cells, n)      every cell once
///   sum(in, n)              returns the sum
template <class ForEach, class Sum>
std::vector<variant<problem>> loops_and_sums(const ForEach& for_each, const Sum& sum) {
  std::vector<variant<problem>> all;
  const auto sums = [sum]<class T>(problem& p, T) {
    return repeated([&] { return sum(p.of<T>().in.data(), p.n); });
  };
  for (const std::string input : problem::inputs) {
    all.push_back({"for",
                   [for_each](problem& p) {
                     return repeated([&] {
                       for_each(p.cells.data(), p.n);
                       return 0;
                     });
                   },
                   input});
    all.push_back({"reduce-int32", [sums](problem& p) { return sums(p, std::uint32_t{}); }, input});
    all.push_back({"reduce-double", [sums](problem& p) { return sums(p, double{}); }, input});
  }
  return all;
}

/// The same with scan(in, out, n), which writes the prefix sums and returns the last one.
template <class ForEach, class Sum, class Scan>
std::vector<variant<problem>> every_loop(const ForEach& for_each, const Sum& sum,
                                         const Scan& scan) {
  std::vector<variant<problem>> all = loops_and_sums(for_each, sum);
  const auto scans = [scan]<class T>(problem& p, T) {
    numbers<T>& arrays = p.of<T>();
    return repeated([&] { return scan(arrays.in.data(), arrays.out.data(), p.n); });
  };
  for (const std::string input : problem::inputs) {
    all.push_back({"scan-int64", [scans](problem& p) { return scans(p, std::int64_t{}); }, input});
    all.push_back({"scan-double", [scans](problem& p) { return scans(p, double{}); }, input});
  }
  return all;
}

}  // namespace bench::loops
