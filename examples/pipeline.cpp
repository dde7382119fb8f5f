// SPDX-License-Identifier: Apache-2.0
#include <kasuri/kasuri.hpp>
#include <kasuri/pipeline.hpp>

#include <cctype>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>

namespace {

std::string shout(std::string line) {
  for (char& c : line) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return line;
}

}  // namespace

int main() {
  std::istringstream in("one\ntwo\nthree\nfour\nfive\n");
  std::ostringstream out;

  // Pipeline:
  const auto next_line = [&in]() -> std::optional<std::string> {
    std::string line;
    if (!std::getline(in, line)) return std::nullopt;  // the end
    return line;
  };
  kasuri::pipeline(16,  // lines on their way at a time, at most
                   next_line,
                   kasuri::parallel([](std::string line) { return shout(std::move(line)); }),
                   kasuri::in_order([&out](const std::string& line) { out << line << '\n'; }));
  // end

  std::printf("%s", out.str().c_str());
  return out.str() == "ONE\nTWO\nTHREE\nFOUR\nFIVE\n" ? 0 : 1;
}
