// SPDX-License-Identifier: Apache-2.0
// A program by the compiler of this tree, as a user starts it.
#include "command/run_command.hpp"

namespace kasuri {
namespace {

using test::expect;
using test::kasuri_command;

const std::string program = "'" KASURI_PROGRAMS "/parallel_sum'";

TEST(command_run_openmp, workers_are_what_openmp_uses_by_default) {
  expect(kasuri_command("run --workers 5 " + program), 0, "sum 500500, 5 threads by default\n");
  expect(kasuri_command("run --workers 5 " + program, "OMP_NUM_THREADS=7"), 0,
         "sum 500500, 7 threads by default\n");
}

TEST(command_run_openmp, a_compiled_program_lacks_nothing) {
  const test::outcome seen = kasuri_command("info --openmp " + program);
  EXPECT_EQ(seen.status, 0) << seen.output;
  EXPECT_NE(seen.output.find("symbols are provided\n"), std::string::npos) << seen.output;
}

}  // namespace
}  // namespace kasuri
