// SPDX-License-Identifier: Apache-2.0
// The command through a shell, as a user starts it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace kasuri::test {

struct outcome {
  int status;  // as a shell shows it
  std::string output;
};

// Settings of whoever runs the tests would change what the command says.
inline void forget_settings() {
  for (char** entry = ::environ; *entry != nullptr;) {
    const std::string name(*entry, std::strcspn(*entry, "="));
    if (name.starts_with("KASURI_") || name.starts_with("OMP_")) {
      ::unsetenv(name.c_str());  // closes the gap: the next entry now stands here
    } else {
      ++entry;
    }
  }
}

// `before` may set variables; standard error joins the output.
inline outcome kasuri_command(const std::string& arguments, const std::string& before = "") {
  forget_settings();
  const std::string line = before + " '" KASURI_COMMAND "' " + arguments + " 2>&1";
  std::FILE* pipe = ::popen(line.c_str(), "r");
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    output.push_back(static_cast<char>(c));
  }
  const int raw = ::pclose(pipe);
  return {WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw), output};
}

inline void expect(const outcome& seen, int status, const std::string& output) {
  EXPECT_EQ(seen.status, status);
  EXPECT_EQ(seen.output, output);
}

}  // namespace kasuri::test
