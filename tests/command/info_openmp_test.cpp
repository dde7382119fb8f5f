// SPDX-License-Identifier: Apache-2.0
// `kasuri info --openmp`: what a program or a Python environment would load, and what Kasuri has.
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
namespace fs = std::filesystem;

const std::string programs = KASURI_PROGRAMS;
const std::string own_runtime = programs + "/module.libs/libgomp-0a1b2c3d.so.1.0.0";
const std::string provider = KASURI_OPENMP_FOLDER "/libgomp.so.1";

void expect_line(const outcome& seen, const std::string& line) {
  EXPECT_NE(("\n" + seen.output).find("\n" + line + "\n"), std::string::npos)
      << line << "\nis not in\n"
      << seen.output;
}

nlohmann::json json_of(const std::string& subject, int status) {
  const outcome seen = kasuri_command("info --json --openmp '" + subject + "'");
  EXPECT_EQ(seen.status, status) << seen.output;
  return nlohmann::json::parse(seen.output, nullptr, false);
}

TEST(command_info_openmp, names_the_runtime_and_what_is_imported) {
  const outcome seen = kasuri_command("info --openmp '" + programs + "/region'");
  EXPECT_EQ(seen.status, 0);
  expect_line(seen, "Program   " + programs + "/region");
  expect_line(seen, "  libgomp-0a1b2c3d.so.1.0.0  GCC  " + own_runtime);
  expect_line(seen, "    for " + programs + "/region");
  expect_line(seen, "Symbols of OpenMP that it imports, provided by " + provider);
  expect_line(seen, "  GOMP_4.0      GOMP_parallel");
  expect_line(seen, "  OMP_1.0       omp_get_num_threads");
  expect_line(seen, "Verdict   kasuri run gives it Kasuri: all 2 symbols are provided");
}

TEST(command_info_openmp, what_is_missing_is_named_and_gives_status_1) {
  const outcome seen = kasuri_command("info --openmp '" + programs + "/unserved'");
  EXPECT_EQ(seen.status, 1);
  expect_line(seen, "Not provided");
  expect_line(seen, "  GOACC_2.0     GOACC_wait (ends the program)");
  expect_line(seen, "  GOMP_9.9      GOMP_of_tomorrow (not provided)");
  expect_line(seen, "Versions not provided");
  expect_line(seen, "Verdict   kasuri run cannot serve it: Kasuri has no version GOMP_9.9");
}

TEST(command_info_openmp, json_holds_the_same) {
  const auto object = json_of(programs + "/unserved", 1);
  EXPECT_EQ(object["program"], programs + "/unserved");
  EXPECT_EQ(object["provider"], provider);
  EXPECT_EQ(object["runtimes"][0]["file"], own_runtime);
  EXPECT_EQ(object["runtimes"][0]["kind"], "GCC");
  EXPECT_EQ(object["symbols"][0]["name"], "GOACC_wait");
  EXPECT_EQ(object["symbols"][0]["version"], "GOACC_2.0");
  EXPECT_EQ(object["symbols"][0]["state"], "ends the program");
  EXPECT_EQ(object["symbols"][1]["state"], "not provided");
  EXPECT_EQ(object["missing_versions"], nlohmann::json::array({"GOMP_9.9"}));
  EXPECT_EQ(object["all_provided"], false);
}

TEST(command_info_openmp, programs_without_openmp_have_nothing_to_replace) {
  const outcome seen = kasuri_command("info --openmp sh");
  EXPECT_EQ(seen.status, 0);
  expect_line(seen, "Verdict   no OpenMP that can be seen from outside: nothing to replace");
}

TEST(command_info_openmp, a_preloaded_runtime_is_seen) {
  if (test::sanitized) {
    GTEST_SKIP() << "an instrumented library cannot be preloaded";
  }
  const outcome seen =
      kasuri_command("info --openmp sh", "LD_LIBRARY_PATH= LD_PRELOAD='" + own_runtime + "'");
  expect_line(seen, "  libgomp-0a1b2c3d.so.1.0.0  GCC  " + own_runtime);
}

TEST(command_info_openmp, a_script_leads_to_its_interpreter) {
  const std::string script = testing::TempDir() + "/kasuri.script";
  std::ofstream(script) << "#!/usr/bin/env -S A=1 " << programs << "/region x\n";
  const outcome seen = kasuri_command("info --openmp '" + script + "'");
  EXPECT_EQ(seen.status, 0);
  expect_line(seen, "Script    " + script);
  expect_line(seen, "Program   " + programs + "/region");
}

// A virtual environment with one module that has its runtime beside it.
std::string make_environment() {
  const fs::path folder = fs::path(testing::TempDir()) / "kasuri.environment";
  const fs::path modules = folder / "lib/python3.11/site-packages";
  fs::remove_all(folder);
  fs::create_directories(folder / "bin");
  fs::create_directories(modules / "module");
  fs::create_directories(modules / "module.libs");
  fs::create_symlink(KASURI_COMMAND, folder / "bin/python3");
  std::ofstream(folder / "pyvenv.cfg") << "home = /usr/bin\ninclude-system-site-packages = false\n";
  fs::copy_file(programs + "/module/module.so", modules / "module/module.so");
  fs::copy_file(own_runtime, modules / "module.libs" / fs::path(own_runtime).filename());
  std::ofstream(modules / "module/damaged.so") << "\177ELF\2\1\1 and no more";
  return fs::canonical(folder).string();
}

TEST(command_info_openmp, a_python_environment_is_searched_for_modules) {
  const std::string folder = make_environment();
  const std::string modules = folder + "/lib/python3.11/site-packages";
  const auto by_folder = json_of(folder, 0);
  EXPECT_EQ(by_folder["python_folders"], nlohmann::json::array({modules}));
  ASSERT_EQ(by_folder["runtimes"].size(), 1u);
  EXPECT_EQ(by_folder["runtimes"][0]["file"], modules + "/module.libs/libgomp-0a1b2c3d.so.1.0.0");
  EXPECT_EQ(by_folder["runtimes"][0]["users"],
            nlohmann::json::array({modules + "/module/module.so"}));
  EXPECT_EQ(by_folder["symbols"][0]["name"], "omp_get_num_threads");
  EXPECT_EQ(by_folder["unreadable"].size(), 1u);
  const auto by_interpreter = json_of(folder + "/bin/python3", 0);
  EXPECT_EQ(by_interpreter["runtimes"], by_folder["runtimes"]);
}

// The module alone, and what it needs only where another one has loaded it.
TEST(command_info_openmp, a_library_that_another_module_loads_is_not_missing) {
  const fs::path folder = fs::path(testing::TempDir()) / "kasuri.folder";
  fs::remove_all(folder);
  fs::create_directories(folder / "a/inner");
  fs::create_directories(folder / "module.libs");
  fs::copy_file(programs + "/module/module.so", folder / "a/module.so");  // looks in ../module.libs
  fs::copy_file(programs + "/module/module.so",
                folder / "a/inner/module.so");  // looks in a/module.libs
  fs::copy_file(own_runtime, folder / "module.libs" / fs::path(own_runtime).filename());
  const std::string root = fs::canonical(folder).string();
  const outcome seen = kasuri_command("info --json --openmp sh --folder '" + root + "'");
  EXPECT_EQ(seen.status, 0) << seen.output;
  const auto object = nlohmann::json::parse(seen.output, nullptr, false);
  EXPECT_EQ(object["module_folders"], nlohmann::json::array({root}));
  ASSERT_EQ(object["runtimes"].size(), 1u) << seen.output;
  EXPECT_EQ(object["runtimes"][0]["file"], root + "/module.libs/libgomp-0a1b2c3d.so.1.0.0");
  EXPECT_EQ(object["runtimes"][0]["users"],
            nlohmann::json::array({root + "/a/inner/module.so", root + "/a/module.so"}));
}

// An R of our own: its script, its program, and a package.
TEST(command_info_openmp, packages_of_r_are_searched) {
  const fs::path home = fs::path(testing::TempDir()) / "kasuri.r";
  fs::remove_all(home);
  fs::create_directories(home / "bin/exec");
  fs::create_directories(home / "library/pack/libs");
  fs::create_directories(home / "library/pack/module.libs");
  std::ofstream(home / "bin/R") << "#!/bin/sh\nR_HOME_DIR=" << home.string() << "\nexec nothing\n";
  fs::copy_file(KASURI_COMMAND, home / "bin/exec/R");
  fs::copy_file("/bin/true", home / "bin/Rscript");
  fs::copy_file(programs + "/module/module.so", home / "library/pack/libs/pack.so");
  fs::copy_file(own_runtime, home / "library/pack/module.libs" / fs::path(own_runtime).filename());
  fs::permissions(home / "bin/R", fs::perms::owner_all);
  for (const char* name : {"/bin/R", "/bin/Rscript"}) {
    const auto seen = json_of(home.string() + name, 0);
    EXPECT_EQ(seen["program"], home.string() + "/bin/exec/R");
    ASSERT_EQ(seen["runtimes"].size(), 1u);
    EXPECT_EQ(seen["runtimes"][0]["users"][0], home.string() + "/library/pack/libs/pack.so");
  }
}

TEST(command_info_openmp, a_program_that_loads_by_path_is_said_to) {
  const outcome seen = kasuri_command("info --openmp '" KASURI_COMMAND "'");
  EXPECT_EQ(seen.status, 0);
  expect_line(seen,
              "Note      what it loads by path while it runs (dlopen) is not seen here; name the "
              "folder of such modules: --folder DIR");
  expect(kasuri_command("info --openmp sh --folder /nonexistent"), 2,
         "kasuri: info: --openmp sh: cannot be looked at with --folder /nonexistent, which is no "
         "folder\n");
}

TEST(command_info_openmp, bad_subjects_get_one_line_and_status_2) {
  const auto refusal = [](const std::string& subject, const std::string& why) {
    expect(kasuri_command("info --openmp '" + subject + "'"), 2,
           "kasuri: info: --openmp " + subject + ": " + why + "\n");
  };
  refusal("/nonexistent/program", "does not exist");
  refusal("no-such-program", "is neither in PATH nor in this folder");
  refusal("/etc/passwd", "is no ELF file; accepted: programs and shared libraries");
  refusal("/etc",
          "is a folder without bin/python; accepted: a program, or the folder of a Python "
          "environment");
  const std::string cut = testing::TempDir() + "/kasuri.cut";
  fs::copy_file(programs + "/region", cut, fs::copy_options::overwrite_existing);
  fs::resize_file(cut, 200);
  refusal(cut, "is damaged: its table of segments lies outside the file");
  expect(kasuri_command("info --openmp"), 2,
         "kasuri: info: --openmp needs a value; see kasuri info --help\n");
}

}  // namespace
}  // namespace kasuri
