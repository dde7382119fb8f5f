// SPDX-License-Identifier: Apache-2.0
#include "common/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>

#include "common/pool_start.hpp"

namespace apps {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    text += (i == 0 ? "" : last ? " or " : ", ") + words[i];
  }
  return text;
}

std::string refusal(const std::string& value, const std::string& accepted) {
  return (value.empty() ? "empty" : value) + ": not accepted; accepted: " + accepted;
}

// The parser says "--steps: 1 required INT missing" of an option without its value, and "check was
// given a disallowed flag override" of a flag with one.
std::string mismatch(const std::string& message) {
  if (message.starts_with("--"))
    return message.substr(0, message.find(':')) + ": a value is missing";
  return "--" + message.substr(0, message.find(' ')) + ": takes no value";
}

}  // namespace

CLI::Validator whole_number(long long least, long long most) {
  const std::string accepted = std::to_string(least) + " to " + std::to_string(most);
  return {[=](std::string& text) {
            long long value = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            const bool good = error == std::errc() && stop == end;
            if (good && value >= least && value <= most) return std::string();
            return refusal(text, accepted);
          },
          accepted};
}

CLI::Validator real_number(double least, double most) {
  const auto text_of = [](double x) {
    std::string text(32, '\0');
    text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%g", x)));
    return text;
  };
  const std::string accepted = text_of(least) + " to " + text_of(most);
  return {[=](std::string& text) {
            double value = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            const bool good = error == std::errc() && stop == end;
            if (good && value >= least && value <= most) return std::string();
            return refusal(text, accepted);
          },
          accepted};
}

CLI::Validator readable_file() {
  const std::string accepted = "a file that can be read";
  return {[=](std::string& text) {
            return std::ifstream(text).good() ? std::string() : refusal(text, accepted);
          },
          accepted};
}

CLI::Validator one_of(std::vector<std::string> words) {
  const std::string accepted = joined(words);
  return {[=](std::string& text) {
            return std::ranges::count(words, text) != 0 ? std::string() : refusal(text, accepted);
          },
          accepted};
}

CLI::Validator file_name(std::vector<std::string> endings) {
  const std::string accepted = "a name that ends in " + joined(endings);
  return {[=](std::string& text) {
            const auto ends = [&](const std::string& ending) { return text.ends_with(ending); };
            return std::ranges::any_of(endings, ends) ? std::string() : refusal(text, accepted);
          },
          accepted};
}

int usage_error(const CLI::App& program, const std::string& problem) {
  const std::string line = problem.substr(0, problem.find('\n'));
  std::fprintf(stderr, "%s: %s; see %s --help\n", program.get_name().c_str(), line.c_str(),
               program.get_name().c_str());
  return status_usage;
}

std::optional<int> parse(CLI::App& program, int argc, char** argv) {
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return program.exit(request);
  } catch (const CLI::ExtrasError&) {
    const std::string word = program.remaining().front();
    const char* const kind = word.starts_with('-') ? "unknown option " : "unexpected argument ";
    return usage_error(program, kind + word);
  } catch (const CLI::ArgumentMismatch& error) {
    return usage_error(program, mismatch(error.what()));
  } catch (const CLI::ParseError& error) {
    return usage_error(program, error.what());
  }
  return std::nullopt;
}

std::optional<int> refuse_with_serial(const CLI::App& program, const std::string& policy) {
  if (policy != serial_policy) return std::nullopt;
  if (program.count("--workers") != 0)
    return usage_error(program, "--workers: not with --policy serial, which uses none");
  if (program.count("--check") != 0)
    return usage_error(program, "--check: not with --policy serial: that is what it compares with");
  return std::nullopt;
}

}  // namespace apps
