// SPDX-License-Identifier: Apache-2.0
// `kasuri run` puts Kasuri's library before the runtime that a program would find by itself.
#include <filesystem>

#include "command/run_command.hpp"

namespace kasuri {
namespace {

using test::expect;
using test::kasuri_command;
using test::outcome;
namespace fs = std::filesystem;

const std::string folder = KASURI_OPENMP_FOLDER;
const std::string library = folder + "/libgomp.so.1";
const std::string region = KASURI_PROGRAMS "/region";

constexpr const char* show = " sh -c 'echo \"$LD_LIBRARY_PATH $LD_PRELOAD\"'";

// What a shell gives for `command`, which may be another copy of ours.
outcome shell(const std::string& command) {
  test::forget_settings();
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  std::string output;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    output.push_back(static_cast<char>(c));
  }
  const int raw = ::pclose(pipe);
  return {WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw), output};
}

// A copy of the command at another place, with its library if asked for.
std::string installed(const fs::path& prefix, bool with_library) {
  fs::remove_all(prefix);
  fs::create_directories(prefix / "bin");
  fs::copy_file(KASURI_COMMAND, prefix / "bin/kasuri");
  if (with_library) {
    fs::create_directories(prefix / "lib/kasuri/omp");
    fs::copy_file(library, prefix / "lib/kasuri/omp/libgomp.so.1");
  }
  return "'" + (prefix / "bin/kasuri").string() + "'";
}

TEST(command_run_openmp, the_library_stands_in_front_of_what_the_user_had) {
  expect(kasuri_command(std::string("run") + show, "unset LD_LIBRARY_PATH LD_PRELOAD;"), 0,
         folder + " " + library + "\n");
  expect(kasuri_command(std::string("run") + show, "LD_LIBRARY_PATH=/a:/b LD_PRELOAD=libm.so.6"), 0,
         folder + ":/a:/b " + library + ":libm.so.6\n");
  expect(kasuri_command(std::string("run '" KASURI_COMMAND "' run --openmp") + show,
                        "unset LD_PRELOAD; LD_LIBRARY_PATH=/a"),
         0, folder + ":/a " + library + "\n");
}

TEST(command_run_openmp, no_openmp_leaves_both_alone) {
  expect(kasuri_command(std::string("run --no-openmp") + show,
                        "LD_LIBRARY_PATH=/a LD_PRELOAD=libm.so.6"),
         0, "/a libm.so.6\n");
  expect(kasuri_command("run --openmp --no-openmp true"), 2,
         "kasuri: run: --openmp excludes --no-openmp; see kasuri run --help\n");
}

// OpenBLAS reads it when it is loaded: one that is linked to the program before the library's
// constructor, one that comes later behind it.
TEST(command_run_openmp, threads_of_openblas_are_told_to_sleep_soon_unless_the_user_says_more) {
  const std::string timeout = " sh -c 'echo \"$OPENBLAS_THREAD_TIMEOUT\"'";
  const std::string unset = "unset OPENBLAS_THREAD_TIMEOUT;";
  expect(kasuri_command("run" + timeout, unset), 0, "16\n");
  expect(kasuri_command("run" + timeout, "OPENBLAS_THREAD_TIMEOUT=20"), 0, "20\n");
  expect(kasuri_command("run" + timeout, unset + "KASURI_OPENBLAS=off"), 0, "\n");
  expect(kasuri_command("run --set KASURI_OPENBLAS=0" + timeout, unset), 0, "\n");
  expect(kasuri_command("run --no-openmp" + timeout, unset), 0, "\n");
  expect(shell("unset OPENBLAS_THREAD_TIMEOUT; LD_PRELOAD='" + library + "'" + timeout), 0, "16\n");
}

TEST(command_run_openmp, a_private_copy_under_another_name_is_replaced) {
  expect(shell("'" + region + "'"), 0, "its own runtime\n1 threads\n");
  expect(kasuri_command("run '" + region + "'"), 0, "2 threads\n");
  expect(kasuri_command("run --no-openmp '" + region + "'"), 0, "its own runtime\n1 threads\n");
}

TEST(command_run_openmp, a_call_that_is_left_out_ends_the_program_with_its_name) {
  const outcome seen = kasuri_command("run '" KASURI_PROGRAMS "/unserved'");
  EXPECT_NE(seen.status, 0);
  EXPECT_NE(seen.output.find("GOACC_wait is not provided"), std::string::npos) << seen.output;
}

TEST(command_run_openmp, without_the_library_only_those_who_ask_for_it_are_told) {
  const std::string command = installed(testing::TempDir() + "/kasuri.bare", false);
  expect(shell(command + " run echo started"), 0, "started\n");
  expect(shell(command + " run --openmp echo started"), 2,
         "kasuri: run: --openmp: this Kasuri was built or installed without its OpenMP library; "
         "accepted: --no-openmp\n");
  expect(shell(command + " info --openmp true"), 2,
         "kasuri: info: --openmp: this Kasuri was built or installed without its OpenMP library\n");
}

TEST(command_run_openmp, a_folder_with_a_blank_works_and_one_with_a_colon_is_refused) {
  const std::string blank = installed(testing::TempDir() + "/kasuri with blank", true);
  expect(shell(blank + " run '" + region + "'"), 0, "2 threads\n");
  const std::string colon = installed(testing::TempDir() + "/kasuri:colon", true);
  const std::string place =
      fs::weakly_canonical(testing::TempDir() + "/kasuri:colon/lib/kasuri/omp").string();
  const std::string line = place + ": the loader takes no folder with ':' or ';' in its name";
  expect(shell(colon + " run '" + region + "'"), 0,
         "kasuri: run: " + line +
             ": OpenMP programs keep their own runtime\nits own runtime\n1 threads\n");
  expect(shell(colon + " run --no-openmp '" + region + "'"), 0, "its own runtime\n1 threads\n");
  const outcome refused = shell(colon + " run --openmp '" + region + "'");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("/kasuri:colon/lib/kasuri/omp: the loader takes no folder"),
            std::string::npos)
      << refused.output;
}

}  // namespace
}  // namespace kasuri
