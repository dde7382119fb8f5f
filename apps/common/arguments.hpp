// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// The command line of programs that are one source file each, which any compiler builds as it is.
namespace apps {

/// Ends the program for a reason that lies with its user, in one line.
[[noreturn]] inline void refuse(const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
  std::exit(2);
}

/// Options with a value, `--name value` or `--name=value`, and without.
class arguments {
 public:
  /// A whole number from `least` to `most`; `value` holds the default.
  void number(const std::string& name, int& value, int least, int most, const std::string& help) {
    const std::string accepted =
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    const auto take = [&value, least, most](const std::string& text) {
      int read = 0;
      const char* const end = text.data() + text.size();
      const auto [stop, error] = std::from_chars(text.data(), end, read);
      if (error != std::errc() || stop != end || read < least || read > most) return false;
      value = read;
      return true;
    };
    add({name, accepted, help + " (" + std::to_string(value) + ")", take});
  }

  /// One of these words; `value` holds the default.
  void word(const std::string& name, std::string& value, const std::vector<std::string>& words,
            const std::string& help) {
    std::string accepted;
    for (const std::string& each : words) accepted += (accepted.empty() ? "" : ", ") + each;
    const auto take = [&value, words](const std::string& text) {
      for (const std::string& each : words) {
        if (text == each) value = text;
      }
      return value == text;
    };
    add({name, accepted, help + ": " + accepted + " (" + value + ")", take});
  }

  /// A value that `take` reads; it returns whether it could.
  void value(const std::string& name, const std::string& accepted, const std::string& help,
             std::function<bool(const std::string&)> take) {
    add({name, accepted, help, std::move(take)});
  }

  /// An option without a value.
  void flag(const std::string& name, bool& set, const std::string& help) {
    const auto take = [&set](const std::string&) { return set = true; };
    add({name, "", help, take});
  }

  /// Leaves with status 2 and one line when the command line cannot be understood, and with status
  /// 0 after --help.
  void parse(int argc, char** argv) const {
    for (int i = 1; i < argc; ++i) {
      const std::string given = argv[i];
      if (given == "--help") help();
      const std::size_t equals = given.find('=');
      const std::string name = given.substr(0, equals);
      const option& found = find(name);
      if (found.accepted.empty()) {
        if (equals != std::string::npos) refuse(given + ": accepted: " + name + " without a value");
        found.take("");
        continue;
      }
      if (equals == std::string::npos && i + 1 == argc) {
        refuse(name + ": its value is missing; accepted: " + found.accepted);
      }
      const std::string text = equals == std::string::npos ? argv[++i] : given.substr(equals + 1);
      if (!found.take(text)) refuse(name + "=" + text + ": accepted: " + found.accepted);
    }
  }

 private:
  struct option {
    std::string name;
    std::string accepted;  ///< empty: it has no value
    std::string help;
    std::function<bool(const std::string&)> take;
  };

  void add(option made) { options_.push_back(std::move(made)); }

  const option& find(const std::string& name) const {
    std::string known;
    for (const option& each : options_) {
      if (each.name == name) return each;
      known += (known.empty() ? "" : ", ") + each.name;
    }
    refuse(name + ": unknown option; accepted: " + known + ", --help");
  }

  [[noreturn]] void help() const {
    for (const option& each : options_) {
      std::printf("%-16s%s\n", each.name.c_str(), each.help.c_str());
    }
    std::exit(0);
  }

  std::vector<option> options_;
};

}  // namespace apps
