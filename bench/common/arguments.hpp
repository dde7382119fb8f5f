// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

/// What every benchmark program is asked for on its command line.
namespace bench {

/// Exit status of a program whose problem makes no sense with these arguments.
inline constexpr int not_applicable = 77;

struct arguments {
  int workers = 1;      ///< workers the system may use
  int reps = 5;         ///< timed repetitions in this process
  long size = 0;        ///< the problem's own measure; 0 = its default
  bool quick = false;   ///< the problem's small default size
  std::string variant;  ///< empty = every variant
  std::string input;    ///< a parameter set of the problem; empty = every one
  bool list = false;    ///< print the variants and leave

  /// The size asked for, or the problem's default.
  long size_or(long full, long small) const { return size > 0 ? size : quick ? small : full; }
};

/// Ends the program for a reason that lies with its user, in one line.
[[noreturn]] inline void fail(const std::string& line, int status = 2) {
  std::fprintf(stderr, "%s\n", line.c_str());
  std::exit(status);
}

namespace detail {

inline constexpr const char* usage =
    "options: --workers N --reps R --size S --variant NAME --input NAME --quick --list";

inline long positive_number(std::string_view name, std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0) {
    fail(std::string(name) + "=" + std::string(text) +
         ": not a number; accepted: a positive whole number");
  }
  return value;
}

inline void set(arguments& args, const std::string& name, const std::string& value) {
  if (name == "--workers") {
    args.workers = static_cast<int>(positive_number(name, value));
  } else if (name == "--reps") {
    args.reps = static_cast<int>(positive_number(name, value));
  } else if (name == "--size") {
    args.size = positive_number(name, value);
  } else if (name == "--variant") {
    args.variant = value;
  } else if (name == "--input") {
    args.input = value;
  } else {
    fail(name + ": unknown option; " + usage);
  }
}

}  // namespace detail

/// Reads the command line; leaves with status 2 and one line when it cannot be understood.
inline arguments parse(int argc, char** argv, arguments args = {}) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--quick") {
      args.quick = true;
    } else if (name == "--list") {
      args.list = true;
    } else if (name == "--help") {
      std::printf("%s\n", detail::usage);
      std::exit(0);
    } else if (i + 1 == argc) {
      fail(name + ": unknown option, or its value is missing; " + detail::usage);
    } else {
      detail::set(args, name, argv[++i]);
    }
  }
  return args;
}

}  // namespace bench
