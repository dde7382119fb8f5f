// SPDX-License-Identifier: Apache-2.0
// `kasuri info --runtimes`: the runtimes of a program and of a process, and what is left to them.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "command/run_command.hpp"
#include "support/scale.hpp"

namespace kasuri {
namespace {

using test::expect;
using test::kasuri_command;
using test::outcome;

const std::string programs_with_runtimes = KASURI_PROGRAMS;
const std::string with_runtimes = programs_with_runtimes + "/with_runtimes";
const std::string own_openblas =
    programs_with_runtimes + "/module.libs/libscipy_openblas-0a1b2c3d.so";
const std::string old_openblas = programs_with_runtimes + "/module.libs/libopenblas.so.0";

/// Starts with_runtimes in the background: $n is a process that has loaded all that it needs.
const std::string started =
    "' & n=$!; trap 'kill $n' EXIT; while [ \"$(readlink /proc/$n/exe)\" != '" + with_runtimes +
    "' ] || ! grep -q ' r-xp .*/libscipy_openblas' /proc/$n/maps; do sleep 0.01; done; ";

void expect_part(const std::string& output, const std::string& part) {
  EXPECT_NE(output.find(part), std::string::npos) << part << "\nis not in\n" << output;
}

TEST(command_info_runtimes, what_a_program_needs_is_named_with_its_version_and_how_it_is_served) {
  const outcome seen = kasuri_command("info --runtimes '" + with_runtimes + "'");
  EXPECT_EQ(seen.status, 0);
  expect_part(seen.output, "Program   " + with_runtimes +
                               "\nKasuri    " KASURI_OPENMP_FOLDER
                               "/libgomp.so.1\nRuntimes that it would load\n");
  expect_part(seen.output, "  OpenBLAS 0.3.99  " + own_openblas +
                               "\n    on the pool   calls that it runs in parallel");
  expect_part(seen.output, "\n    left to it    LU factorisation");
  expect_part(seen.output, "  OpenBLAS 0.3.21  " + old_openblas +
                               "\n    left to it    all calls: before 0.3.27 it lets nobody "
                               "replace its threads\n");
}

TEST(command_info_runtimes, a_setting_leaves_a_runtime_to_itself) {
  const outcome seen =
      kasuri_command("info --runtimes '" + with_runtimes + "'", "export KASURI_OPENBLAS=off;");
  expect_part(seen.output, own_openblas + "\n    left to it    all: KASURI_OPENBLAS=off\n");
}

TEST(command_info_runtimes, json_holds_the_same) {
  const outcome seen =
      kasuri_command("info --json --runtimes '" + with_runtimes + "' its arguments");
  EXPECT_EQ(seen.status, 0) << seen.output;
  const auto object = nlohmann::json::parse(seen.output, nullptr, false);
  EXPECT_EQ(object["program"], with_runtimes);
  EXPECT_TRUE(object["process"].is_null());
  ASSERT_EQ(object["runtimes"].size(), 2u) << seen.output;
  EXPECT_EQ(object["runtimes"][0]["name"], "OpenBLAS");
  EXPECT_EQ(object["runtimes"][0]["version"], "0.3.21");
  EXPECT_TRUE(object["runtimes"][0]["on_the_pool"].is_null());
  EXPECT_EQ(object["runtimes"][1]["file"], own_openblas);
}

TEST(command_info_runtimes, a_process_shows_what_it_has_loaded) {
  if (test::sanitized) GTEST_SKIP() << "an instrumented library cannot be preloaded";
  const std::string start = "'" KASURI_COMMAND "' run '" + with_runtimes + started;
  const outcome seen = kasuri_command("info --runtimes --pid $n", start);
  EXPECT_EQ(seen.status, 0);
  expect_part(seen.output, "\nKasuri    " KASURI_OPENMP_FOLDER "/libgomp.so.1\n");
  expect_part(seen.output, "Runtimes that are loaded\n");
  expect_part(seen.output, "  OpenBLAS 0.3.99  " + own_openblas + "\n    on the pool   ");
}

TEST(command_info_runtimes, a_process_without_kasuri_keeps_its_threads) {
  const std::string start = "'" + with_runtimes + started;
  const outcome seen = kasuri_command("info --runtimes --pid $n", start);
  EXPECT_EQ(seen.status, 0);
  expect_part(seen.output, "\nKasuri    not loaded\n");
  expect_part(seen.output, own_openblas +
                               "\n    left to it    all: the process was started without kasuri "
                               "run\n");
}

TEST(command_info_runtimes, programs_without_any_have_none) {
  const outcome seen = kasuri_command("info --runtimes sh");
  EXPECT_EQ(seen.status, 0);
  expect_part(seen.output, "\nRuntimes  none that can be seen from outside\n");
}

TEST(command_info_runtimes, what_cannot_be_looked_at_gets_one_line) {
  expect(kasuri_command("info --runtimes"), 2,
         "kasuri: info: --runtimes needs a program or --pid N; see kasuri info --help\n");
  expect(kasuri_command("info --runtimes --pid 2147483647"), 2,
         "kasuri: info: --runtimes --pid 2147483647: is no process\n");
  expect(kasuri_command("info --runtimes /etc/passwd"), 2,
         "kasuri: info: --runtimes /etc/passwd: is no ELF file; accepted: programs and shared "
         "libraries\n");
}

}  // namespace
}  // namespace kasuri
