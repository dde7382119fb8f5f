// SPDX-License-Identifier: Apache-2.0
// Runs the command through a shell and looks at status and output.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "command/run_command.hpp"

namespace kasuri {
namespace {

using test::expect;
using test::kasuri_command;
using test::outcome;

TEST(command, tells_its_version) {
  expect(kasuri_command("version"), 0, "kasuri " KASURI_VERSION "\n");
  expect(kasuri_command("--version"), 0, "kasuri " KASURI_VERSION "\n");
}

TEST(command, help_names_every_subcommand) {
  const outcome help = kasuri_command("--help");
  EXPECT_EQ(help.status, 0);
  for (const char* name : {"doctor", "info", "run", "version"}) {
    EXPECT_NE(help.output.find(name), std::string::npos) << name;
  }
  EXPECT_NE(help.output.find("kasuri report ./prog args"), std::string::npos) << help.output;
}

TEST(command, bad_options_get_one_line_and_status_2) {
  expect(kasuri_command(""), 2, "kasuri: no command given; see kasuri --help\n");
  expect(kasuri_command("inof"), 2,
         "kasuri: unknown command inof (did you mean info?); see kasuri --help\n");
  expect(kasuri_command("info --jsn"), 2,
         "kasuri: info: unknown option --jsn (did you mean --json?); see kasuri info --help\n");
  expect(kasuri_command("version extra"), 2,
         "kasuri: version: unexpected argument extra; see kasuri version --help\n");
  expect(kasuri_command("run --workers"), 2,
         "kasuri: run: --workers needs a value; see kasuri run --help\n");
  expect(kasuri_command("run --workers --stats true"), 2,
         "kasuri: run: --workers needs a value; see kasuri run --help\n");
  expect(kasuri_command("trace --output --summary x"), 2,
         "kasuri: trace: --output needs a value; see kasuri trace --help\n");
  expect(kasuri_command("run --stats=7 true"), 2,
         "kasuri: run: --stats takes no value; see kasuri run --help\n");
  expect(kasuri_command("run --bogus true"), 2,
         "kasuri: run: unknown option --bogus; see kasuri run --help\n");
  expect(kasuri_command("run"), 2, "kasuri: run: no program given; see kasuri run --help\n");
}

TEST(command_info, shows_every_setting_and_its_origin) {
  const outcome info = kasuri_command("info", "KASURI_SPIN=5 KASURI_SEED=3");
  EXPECT_EQ(info.status, 0);
  EXPECT_NE(info.output.find("KASURI_SPIN           5         environment\n"), std::string::npos);
  EXPECT_NE(info.output.find("KASURI_SCHED          near      default\n"), std::string::npos);
  EXPECT_NE(info.output.find(" usable of "), std::string::npos);
  EXPECT_TRUE(info.output.starts_with("kasuri " KASURI_VERSION "\nBuild     compiler "))
      << info.output;
}

TEST(command_info, draws_the_machine_it_is_told_of) {
  const outcome info = kasuri_command("info", "HWLOC_SYNTHETIC='pack:2 numa:1 l3:1 core:2 pu:2'");
  EXPECT_NE(info.output.find("  package 0, node 0, L3 0, 2 cores, CPUs 0-3\n"
                             "  package 1, node 1, L3 1, 2 cores, CPUs 4-7\n"),
            std::string::npos)
      << info.output;
}

TEST(command_info, json_holds_the_same) {
  const outcome info = kasuri_command("info --json", "KASURI_SPIN=5");
  ASSERT_EQ(info.status, 0);
  const auto object = nlohmann::json::parse(info.output);
  EXPECT_EQ(object["version"], KASURI_VERSION);
  EXPECT_NE(object["build"]["compiler"], "");
  EXPECT_GE(object["cpus"]["usable"], 1);
  EXPECT_EQ(object["cpus"]["affinity"], object["topology"]["pus"].size());
  EXPECT_TRUE(object["features"]["membarrier"].is_boolean());
  bool found = false;
  for (const auto& row : object["settings"]) {
    if (row["name"] == "KASURI_SPIN") {
      found = row["value"] == "5" && row["origin"] == "environment";
    }
  }
  EXPECT_TRUE(found);
}

TEST(command_info, a_bad_setting_gets_one_line_and_status_2) {
  expect(kasuri_command("info", "KASURI_NUM_WORKERS=abc"), 2,
         "kasuri: KASURI_NUM_WORKERS=abc: not a whole number; accepted: 1 to 2048\n");
}

TEST(command_info, fails_when_its_output_is_lost) {
  EXPECT_EQ(kasuri_command("info > /dev/full").status, 1);
}

TEST(command_info, the_reference_page_is_up_to_date) {
  std::ostringstream page;
  page << std::ifstream(KASURI_SETTINGS_PAGE).rdbuf();
  expect(kasuri_command("info --settings-markdown"), 0, page.str());
}

TEST(command_doctor, has_a_line_for_each_finding_and_the_same_as_json) {
  const outcome text = kasuri_command("doctor");
  EXPECT_EQ(text.status, 0) << text.output;
  for (const char* topic : {" CPUs ", " quota ", " load ", " memory ", " profile ", " settings "})
    EXPECT_NE(text.output.find(topic), std::string::npos) << topic << text.output;
  const outcome json = kasuri_command("doctor --json", "KASURI_SPIN=5");
  EXPECT_EQ(json.status, 0);
  const auto object = nlohmann::json::parse(json.output);
  bool found = false;
  for (const auto& each : object["findings"])
    found = found || (each["topic"] == "setting" && each["grade"] == "note");
  EXPECT_TRUE(found);
}

TEST(command_doctor, a_setting_that_cannot_be_used_is_a_warning_and_status_2) {
  const outcome seen = kasuri_command("doctor", "KASURI_NUM_WORKERS=abc");
  EXPECT_EQ(seen.status, 2);
  EXPECT_NE(seen.output.find("warning  setting        KASURI_NUM_WORKERS=abc: not a whole number"),
            std::string::npos)
      << seen.output;
}

TEST(command_symbol, names_functions_of_a_program) {
  const outcome none = kasuri_command("symbol '" KASURI_COMMAND "' xyz");
  expect(none, 2, "kasuri: symbol: xyz: no address; accepted: hexadecimal digits\n");
  const outcome missing = kasuri_command("symbol /no/such/file 10");
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.output.find("/no/such/file: No such file"), std::string::npos)
      << missing.output;
  expect(kasuri_command("symbol --cod '" KASURI_COMMAND "' 10"), 2,
         "kasuri: symbol: unknown option --cod (did you mean --code?); see kasuri symbol --help\n");
  const outcome place = kasuri_command("symbol --code '" KASURI_COMMAND "' $(nm '" KASURI_COMMAND
                                       "' | sed -n 's/ T main$//p')");
  EXPECT_EQ(place.status, 0) << place.output;
  EXPECT_NE(place.output.find("main in "), std::string::npos) << place.output;
  EXPECT_NE(place.output.find("main.cpp:"), std::string::npos) << place.output;
}

TEST(command_run, sets_the_environment) {
  expect(kasuri_command("run --workers 3 --sched=random --stack-size 64K --spin 0 --trace /tmp/t"
                        " --stats --set KASURI_SEED=9 --set KASURI_BIND=on -- sh -c 'env | grep "
                        "^KASURI_ | sort'"),
         0,
         "KASURI_BIND=on\n"
         "KASURI_NUM_WORKERS=3\n"
         "KASURI_RUN_OPTIONS=KASURI_NUM_WORKERS,KASURI_SCHED,KASURI_STACK_SIZE,KASURI_SPIN,"
         "KASURI_TRACE,KASURI_STATS,KASURI_SEED,KASURI_BIND\n"
         "KASURI_SCHED=random\nKASURI_SEED=9\nKASURI_SPIN=0\nKASURI_STACK_SIZE=64K\n"
         "KASURI_STATS=on\nKASURI_TRACE=/tmp/t\n");
}

TEST(command_run, without_options_leaves_the_environment_alone) {
  expect(kasuri_command("run sh -c 'env | grep -c ^KASURI_'"), 1, "0\n");
}

TEST(command_run, its_options_are_named_as_the_origin) {
  const outcome info = kasuri_command("run --spin 6 '" KASURI_COMMAND "' info", "KASURI_SPIN=5");
  EXPECT_NE(info.output.find("KASURI_SPIN           6         kasuri run\n"), std::string::npos);
}

TEST(command_run, the_program_keeps_its_own_options) {
  expect(kasuri_command("run echo --workers x --help -- y"), 0, "--workers x --help -- y\n");
  expect(kasuri_command("run -- echo -- z"), 0, "-- z\n");
}

TEST(command_run, status_signals_and_streams_are_the_program_s) {
  EXPECT_EQ(kasuri_command("run sh -c 'exit 37'").status, 37);
  expect(kasuri_command("run cat", "echo in |"), 0, "in\n");
  // The shell of popen() becomes the command, so its death is seen from here.
  EXPECT_EQ(kasuri_command("run sh -c 'kill -TERM $$'", "exec").status, 128 + 15);
}

TEST(command_run, a_program_that_cannot_start) {
  expect(kasuri_command("run /nonexistent/program"), 127,
         "kasuri: run: /nonexistent/program: No such file or directory\n");
  expect(kasuri_command("run /etc/passwd"), 126, "kasuri: run: /etc/passwd: Permission denied\n");
}

TEST(command_run, bad_values_stop_it_before_the_program_starts) {
  expect(kasuri_command("run --workers abc echo started"), 2,
         "kasuri: run: --workers abc: not a whole number; accepted: 1 to 2048\n");
  expect(kasuri_command("run --sched=neer echo started"), 2,
         "kasuri: run: --sched neer: unknown name (did you mean near?); accepted: near or "
         "random or adws\n");
  expect(kasuri_command("run --set KASURI_SPIN=x echo started"), 2,
         "kasuri: run: --set KASURI_SPIN=x: not a whole number; accepted: 0 to 1000000\n");
  expect(kasuri_command("run --set KASURI_SPIN echo started"), 2,
         "kasuri: run: --set KASURI_SPIN: no value; accepted: NAME=VALUE\n");
  expect(kasuri_command("run --set =1 echo started"), 2,
         "kasuri: run: --set =1: no name; accepted: NAME=VALUE\n");
  expect(kasuri_command("run --set KASURI_SPINN=1 echo started"), 2,
         "kasuri: run: --set KASURI_SPINN=1: KASURI_SPINN is no setting of Kasuri (did you mean "
         "KASURI_SPIN?)\n");
  expect(kasuri_command("run --set KASURI_RUN_OPTIONS=a echo started"), 2,
         "kasuri: run: --set KASURI_RUN_OPTIONS=a: kasuri run sets this one itself\n");
}

TEST(command_simulate, prints_a_line_for_each_policy_and_writes_the_figures) {
  const outcome seen =
      kasuri_command("simulate --machine 8x2 --size 64 --sweeps 2 --policy random,adws");
  EXPECT_EQ(seen.status, 0);
  EXPECT_TRUE(seen.output.starts_with("jacobi on 8x2, 8 workers: 64 tasks")) << seen.output;
  EXPECT_NE(seen.output.find("\nrandom "), std::string::npos) << seen.output;
  EXPECT_NE(seen.output.find("\nadws "), std::string::npos) << seen.output;
  EXPECT_EQ(seen.output.find("\nnear "), std::string::npos) << seen.output;
  const auto figures = [](const char* seed) {
    const outcome all = kasuri_command("simulate --graph uts --size 5 --sweeps 1 --json - --seed " +
                                       std::string(seed) + " --policy near | sed -n '/^{/,$p'");
    auto said = nlohmann::json::parse(all.output);
    EXPECT_EQ(said["seed"].dump(), seed);
    said.erase("seed");
    return said;
  };
  EXPECT_EQ(figures("7"), figures("7"));
  EXPECT_NE(figures("7"), figures("8"));
}

TEST(command_simulate, bad_values_get_one_line_and_status_2) {
  expect(kasuri_command("simulate --workers 0"), 2,
         "kasuri: simulate: --workers 0: accepted: 1 to 65536\n");
  expect(kasuri_command("simulate --size 0"), 2,
         "kasuri: simulate: --size 0: not possible for jacobi; accepted: 1 to 4194304\n");
  expect(kasuri_command("simulate --work 0"), 2,
         "kasuri: simulate: --work 0: accepted: more than 0, at most 1e9\n");
  expect(kasuri_command("simulate --imbalance -1"), 2,
         "kasuri: simulate: --imbalance -1: accepted: more than 0, at most 1e6\n");
  expect(kasuri_command("simulate --graph fib --imbalance 2"), 2,
         "kasuri: simulate: --imbalance 2: accepted: with jacobi only\n");
  expect(
      kasuri_command("simulate --policy best"), 2,
      "kasuri: simulate: --policy best: not known; accepted: random, near, numa, custom, adws\n");
  expect(kasuri_command("simulate --graph amr:/no/such/file"), 2,
         "kasuri: simulate: --graph amr:/no/such/file: cannot be read; accepted: a fork trace\n");
}

TEST(command_trace, a_file_that_is_no_recording_gets_one_line_and_status_2) {
  const outcome foreign = kasuri_command("trace '" KASURI_COMMAND "'");
  EXPECT_EQ(foreign.status, 2);
  EXPECT_NE(foreign.output.find("is not a Kasuri recording"), std::string::npos) << foreign.output;
  EXPECT_EQ(foreign.output.find('\n'), foreign.output.size() - 1) << foreign.output;
  EXPECT_EQ(kasuri_command("trace /no/such/file").status, 2);
  EXPECT_EQ(kasuri_command("trace").status, 2);
}

}  // namespace
}  // namespace kasuri
