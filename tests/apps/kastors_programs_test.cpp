// SPDX-License-Identifier: Apache-2.0
// The KASTORS programs from outside: right results whatever runs them, every task noted once, and
// one line for a bad command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "command/run_command.hpp"

namespace {

using kasuri::test::outcome;

std::string program(const std::string& name, const std::string& model) {
  return "'" KASURI_APPS_FOLDER "/" + name + (model == "fork_join" ? "'" : "_" + model + "'");
}

/// OpenMP programs under Kasuri, whose own programs run as they are.
outcome run(const std::string& name, const std::string& model, const std::string& arguments) {
  return kasuri::test::kasuri_command("run " + program(name, model) + " " + arguments);
}

std::vector<std::string> models() {
  std::istringstream in(KASTORS_MODELS);
  std::vector<std::string> all;
  for (std::string one; in >> one;) all.push_back(one);
  return all;
}

std::vector<std::string> variants(const std::string& model) {
  if (model == "fork_join") return {"loop", "group", "invoke"};
  return {"for", "task", "depend"};
}

/// The number behind `name`, or -1.
long number_after(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(name);
  return at == std::string::npos ? -1 : std::stol(text.substr(at + name.size()));
}

/// Tasks that the CPUs of all nodes ran.
long run_by_nodes(const std::string& text) {
  const std::size_t at = text.find("  run by the CPUs of node");
  if (at == std::string::npos) return -1;
  const std::string line = text.substr(at, text.find('\n', at) - at);
  const std::regex node(" [0-9]+: ([0-9]+)");
  long sum = 0;
  for (std::sregex_iterator i(line.begin(), line.end(), node), end; i != end; ++i) {
    sum += std::stol((*i)[1]);
  }
  return sum;
}

void expect_right(const outcome& seen, long tasks, const std::string& what) {
  EXPECT_EQ(seen.status, 0) << what << '\n' << seen.output;
  EXPECT_NE(seen.output.find("result equal to the serial one"), std::string::npos) << what << '\n'
                                                                                   << seen.output;
  EXPECT_EQ(number_after(seen.output, "\ntasks "), tasks) << what << '\n' << seen.output;
  if (seen.output.find("does not tell") == std::string::npos) {
    EXPECT_EQ(run_by_nodes(seen.output), tasks) << what << '\n' << seen.output;
  }
}

/// In each variant under 1, 2, 4 and 8 threads.
template <class Tasks>
void expect_all_right(const std::string& name, const std::string& sizes, const Tasks& tasks) {
  for (const std::string& model : models()) {
    for (const std::string& variant : variants(model)) {
      for (const char* threads : {"1", "2", "4", "8"}) {
        const std::string arguments =
            sizes + " --report --variant " + variant + " --threads " + threads;
        expect_right(run(name, model, arguments), tasks(variant), name + ' ' + model + arguments);
      }
    }
  }
}

TEST(kastors_programs, jacobi) {
  expect_all_right("jacobi", " --size 256 --block 32 --iterations 3",
                   [](const std::string&) { return 2 * 8 * 8 * 3; });
}

/// Counts the tasks by filling a table in, without any numbers.
long sparselu_tasks(int n) {
  std::vector<std::vector<bool>> has(static_cast<std::size_t>(n),
                                     std::vector<bool>(static_cast<std::size_t>(n)));
  const auto at = [&has](int i, int j) {
    return has[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const bool even = i % 2 == 0 && j % 2 == 0;
      has[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          std::abs(i - j) <= 1 || (even && std::min(i, j) % 3 == 0);
    }
  }
  long tasks = 0;
  for (int k = 0; k < n; ++k) {
    ++tasks;
    for (int i = k + 1; i < n; ++i) {
      tasks += at(i, k) + at(k, i);
      for (int j = k + 1; j < n; ++j) {
        if (!at(i, k) || !at(k, j)) continue;
        has[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = true;
        ++tasks;
      }
    }
  }
  return tasks;
}

TEST(kastors_programs, sparselu) {
  EXPECT_EQ(sparselu_tasks(2), 5);
  expect_all_right("sparselu", " --blocks 12 --block 16",
                   [](const std::string&) { return sparselu_tasks(12); });
}

TEST(kastors_programs, strassen) {
  expect_all_right("strassen", " --size 256 --leaf 32 --depth 2", [](const std::string& variant) {
    if (variant == "for") return 7;
    return variant == "depend" ? 22 + 7 * 22 : 7 + 49;
  });
}

TEST(kastors_programs, every_distribution) {
  const std::vector<std::pair<std::string, std::string>> all = {
      {"jacobi", "blocked cyclic first-touch tasks serial"},
      {"sparselu", "cyclic blocked first-touch tasks serial"},
      {"strassen", "quadrants blocked first-touch tasks serial"}};
  for (const auto& [name, distributions] : all) {
    for (const std::string& model : models()) {
      const bool has_allocator = model != "fork_join" && name != "sparselu";
      std::istringstream in(distributions + (has_allocator ? " allocator" : ""));
      for (std::string each; in >> each;) {
        const std::string sizes = name == "sparselu" ? " --blocks 8" : " --size 256";
        const outcome seen = run(name, model, "--threads 3 --distribution " + each + sizes);
        EXPECT_EQ(seen.status, 0) << name << ' ' << model << ' ' << each << '\n' << seen.output;
      }
    }
  }
}

TEST(kastors_programs, the_affinity_clause_changes_no_result) {
  for (const std::string& model : models()) {
    if (model == "fork_join") continue;
    for (const char* variant : {"task", "depend"}) {
      for (const char* name :
           {"jacobi --size 256 --block 32", "sparselu --blocks 8", "strassen --size 256"}) {
        std::istringstream in(name);
        std::string program;
        std::string sizes;
        in >> program;
        std::getline(in, sizes);
        const outcome seen =
            run(program, model, sizes + " --threads 4 --affinity --variant " + variant);
        EXPECT_EQ(seen.status, 0) << name << ' ' << model << ' ' << variant << '\n' << seen.output;
      }
    }
  }
}

struct misuse {
  std::string program;
  std::string arguments;
  std::string line;  // how it begins
};

TEST(kastors_programs, bad_input_gives_one_line_and_status_2) {
  const std::vector<misuse> all = {
      {"jacobi", "--size 10 --block 3", "--block=3: accepted: a divisor of the size 10"},
      {"jacobi", "--size 16384 --block 1", "--block=1: accepted: a divisor of the size 16384, of "},
      {"jacobi", "--size 1", "--size=1: accepted: a whole number from 2 to 65536"},
      {"jacobi", "--size=12x", "--size=12x: accepted: a whole number"},
      {"jacobi", "--iterations -1", "--iterations=-1: accepted: a whole number from 0"},
      {"jacobi", "--threads", "--threads: its value is missing; accepted: a whole number from 0"},
      {"jacobi", "--distribution quadrants",
       "--distribution=quadrants: accepted: blocked, cyclic, first-touch, tasks, serial"},
      {"sparselu", "--distribution allocator",
       "--distribution=allocator: accepted: cyclic, blocked, first-touch, tasks, serial\n"},
      {"jacobi", "--nodes 1000", "--nodes=1000: accepted: nodes with memory"},
      {"jacobi", "--nodes 0-", "--nodes=0-: accepted: nodes with memory"},
      {"jacobi", "--report=yes", "--report=yes: accepted: --report without a value"},
      {"jacobi", "--rows 5", "--rows: unknown option; accepted: --size, "},
      {"sparselu", "--block 6", "--block=6: accepted: a multiple of 4"},
      {"sparselu", "--blocks 0", "--blocks=0: accepted: a whole number from 1"},
      {"strassen", "--size 48", "--size=48: accepted: a power of two"},
      {"strassen", "--depth 9", "--depth=9: accepted: a whole number from 1 to 8"}};
  for (const std::string& model : models()) {
    for (const misuse& each : all) {
      const outcome seen = run(each.program, model, each.arguments);
      EXPECT_EQ(seen.status, 2) << each.arguments << '\n' << seen.output;
      EXPECT_TRUE(seen.output.starts_with(each.line)) << seen.output;
      EXPECT_EQ(std::count(seen.output.begin(), seen.output.end(), '\n'), 1) << seen.output;
    }
    const bool is_openmp = model != "fork_join";
    const std::string known = is_openmp ? "for, task, depend" : "loop, group, invoke";
    const outcome seen = run("jacobi", model, "--variant tree");
    kasuri::test::expect(seen, 2, "--variant=tree: accepted: " + known + "\n");
    EXPECT_EQ(run("jacobi", model, "--affinity --size 64 --block 32").status, is_openmp ? 0 : 2);
  }
}

}  // namespace
