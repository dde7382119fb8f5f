// SPDX-License-Identifier: Apache-2.0
#include "platform/settings/settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "platform/cpu/cpus.hpp"
#include "platform/settings/settings_load.hpp"
#include "platform/settings/settings_table.hpp"
#include "platform/settings/settings_text.hpp"

namespace kasuri::platform {
namespace {

using testing::ExitedWithCode;

loaded_settings load(std::vector<std::string_view> environment) {
  return load_settings(environment);
}

setting_origin origin(const settings& values, const char* name) {
  return origin_of(values, *find_setting(name));
}

TEST(settings_table, names_are_unique_and_rows_complete) {
  std::set<std::string_view> names;
  for (const setting& row : settings_table()) {
    EXPECT_TRUE(row.name.starts_with("KASURI_")) << row.name;
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.category.empty()) << row.name;
    EXPECT_TRUE(row.sentence.ends_with('.')) << row.name;
    EXPECT_EQ(find_setting(row.name), &row);
  }
  EXPECT_EQ(find_setting("KASURI_NONE"), nullptr);
}

TEST(settings_table, defaults_are_accepted_and_print_as_written) {
  for (const setting& row : settings_table()) {
    if (row.compute_default == nullptr) {
      settings values{};
      EXPECT_EQ(parse_value(row, row.default_text, values), std::nullopt) << row.name;
      EXPECT_EQ(value_text(row, values), row.default_text) << row.name;
    }
  }
}

TEST(settings, defaults_without_an_environment) {
  const auto [values, errors, warnings] = load({"PATH=/bin", "HOME=/"});
  EXPECT_TRUE(errors.empty());
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(values.num_workers, usable_cpus());
  EXPECT_EQ(values.stack_size, 1u << 20);
  EXPECT_TRUE(values.guard_pages);
  EXPECT_EQ(values.sched, "near");
  EXPECT_EQ(values.spin_us, 30);
  EXPECT_FALSE(values.bind);
  EXPECT_EQ(values.monitor_ms, 4);
  EXPECT_EQ(values.max_spares, 64);
  EXPECT_EQ(values.max_blocking, 16384);
  EXPECT_EQ(values.deadlock_s, 5);
  EXPECT_EQ(values.dump_signal, "off");
  EXPECT_EQ(values.trace, "");
  EXPECT_EQ(values.trace_buffer, 4u << 20);
  EXPECT_FALSE(values.stats);
  EXPECT_EQ(values.profile, "");
  EXPECT_TRUE(values.onetbb && values.openblas && values.fftw && values.blosc);
  EXPECT_EQ(values.seed, 1u);
  EXPECT_EQ(values.queue_limit, 4096);
  EXPECT_EQ(origin(values, "KASURI_SPIN"), setting_origin::default_value);
}

TEST(settings, environment_wins_over_defaults) {
  const auto [values, errors, warnings] =
      load({"KASURI_NUM_WORKERS=2048", "KASURI_STACK_SIZE=64k", "KASURI_GUARD_PAGES=No",
            "KASURI_SCHED=random", "KASURI_TRACE=/tmp/a=b", "KASURI_STATS=1", "KASURI_MONITOR=0",
            "KASURI_SEED=9223372036854775807", "KASURI_TRACE_BUFFER=1G"});
  EXPECT_TRUE(errors.empty());
  EXPECT_EQ(values.num_workers, 2048);
  EXPECT_EQ(values.stack_size, 64u * 1024);
  EXPECT_FALSE(values.guard_pages);
  EXPECT_EQ(values.sched, "random");
  EXPECT_EQ(values.trace, "/tmp/a=b");
  EXPECT_TRUE(values.stats);
  EXPECT_EQ(values.monitor_ms, 0);
  EXPECT_EQ(values.seed, 9223372036854775807u);
  EXPECT_EQ(values.trace_buffer, 1u << 30);
  EXPECT_EQ(origin(values, "KASURI_SCHED"), setting_origin::environment);
  EXPECT_EQ(origin(values, "KASURI_BIND"), setting_origin::default_value);
}

TEST(settings, the_first_of_two_equal_names_counts) {
  EXPECT_EQ(load({"KASURI_SPIN=1", "KASURI_SPIN=2"}).values.spin_us, 1);
}

TEST(settings, every_spelling_of_on_and_off) {
  for (const char* text : {"on", "1", "true", "yes", "ON", "True"}) {
    settings values{};
    EXPECT_FALSE(parse_value(*find_setting("KASURI_BIND"), text, values));
    EXPECT_TRUE(values.bind) << text;
  }
  for (const char* text : {"off", "0", "false", "no", "OFF"}) {
    settings values{};
    values.bind = true;
    EXPECT_FALSE(parse_value(*find_setting("KASURI_BIND"), text, values));
    EXPECT_FALSE(values.bind) << text;
  }
}

TEST(settings, a_bad_value_is_named_with_what_is_accepted) {
  const struct {
    const char* entry;
    const char* line;
  } cases[] = {
      {"KASURI_NUM_WORKERS=abc", "not a whole number; accepted: 1 to 2048"},
      {"KASURI_NUM_WORKERS=0", "too small; accepted: 1 to 2048"},
      {"KASURI_NUM_WORKERS=-1", "too small; accepted: 1 to 2048"},
      {"KASURI_NUM_WORKERS=2049", "too large; accepted: 1 to 2048"},
      {"KASURI_NUM_WORKERS=99999999999999999999999", "too large; accepted: 1 to 2048"},
      {"KASURI_NUM_WORKERS=", "the value is empty; accepted: 1 to 2048"},
      {"KASURI_NUM_WORKERS= 4", "not a whole number; accepted: 1 to 2048"},
      {"KASURI_NUM_WORKERS=4.0", "not a whole number; accepted: 1 to 2048"},
      {"KASURI_SEED=9223372036854775808", "too large; accepted: 0 to 9223372036854775807"},
      {"KASURI_STACK_SIZE=1", "too small; accepted: 16K to 1G (bytes, or a number with K, M or G)"},
      {"KASURI_STACK_SIZE=2G",
       "too large; accepted: 16K to 1G (bytes, or a number with K, M or G)"},
      {"KASURI_STACK_SIZE=18014398509481985K",
       "too large; accepted: 16K to 1G (bytes, or a number with K, M or G)"},
      {"KASURI_STACK_SIZE=1MB",
       "not a size; accepted: 16K to 1G (bytes, or a number with K, M or G)"},
      {"KASURI_STACK_SIZE=K",
       "not a size; accepted: 16K to 1G (bytes, or a number with K, M or G)"},
      {"KASURI_SCHED=neer", "unknown name (did you mean near?); accepted: near or random or adws"},
      {"KASURI_SCHED=fifo", "unknown name; accepted: near or random or adws"},
      {"KASURI_BIND=maybe",
       "neither on nor off; accepted: on or off (also 1/0, true/false, yes/no)"},
      {"KASURI_RUN_OPTIONS=a,,b", "an item is empty; accepted: names separated by commas"},
  };
  for (const auto& [entry, line] : cases) {
    const auto loaded = load({entry});
    ASSERT_EQ(loaded.errors.size(), 1u) << entry;
    EXPECT_EQ(loaded.errors[0], std::string(entry) + ": " + line);
  }
}

TEST(settings, the_message_stays_one_line) {
  const std::string entry = "KASURI_SCHED=a\nb" + std::string(500, 'x');
  const auto loaded = load({entry});
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_EQ(loaded.errors[0].find('\n'), std::string::npos);
  EXPECT_LT(loaded.errors[0].size(), 250u);
}

TEST(settings, an_unknown_name_is_answered_with_the_nearest) {
  const auto loaded =
      load({"KASURI_NUM_WORKER=3", "KASURI_XYZZY=1", "KASURI_ROOT=/opt/kasuri", "KASURIOUS=1"});
  ASSERT_EQ(loaded.warnings.size(), 2u);
  EXPECT_EQ(loaded.warnings[0],
            "KASURI_NUM_WORKER is no setting of Kasuri (did you mean KASURI_NUM_WORKERS?)");
  EXPECT_EQ(loaded.warnings[1], "KASURI_XYZZY is no setting of Kasuri");
  EXPECT_TRUE(loaded.errors.empty());
}

TEST(settings, options_of_kasuri_run_are_told_from_the_environment) {
  const auto values =
      load({"KASURI_RUN_OPTIONS=KASURI_SPIN,KASURI_BIND,UNKNOWN", "KASURI_SPIN=5", "KASURI_SEED=2"})
          .values;
  EXPECT_EQ(origin(values, "KASURI_SPIN"), setting_origin::run_option);
  EXPECT_EQ(origin(values, "KASURI_SEED"), setting_origin::environment);
  EXPECT_EQ(origin(values, "KASURI_BIND"), setting_origin::default_value);
}

// These change the settings of the process, so each runs in a process of its own.
TEST(settings_death_test, a_bad_environment_ends_the_process) {
  EXPECT_EXIT(
      {
        ::setenv("KASURI_SPIN", "fast", 1);
        current_settings();
      },
      ExitedWithCode(2),
      "^kasuri: KASURI_SPIN=fast: not a whole number; accepted: 0 to 1000000\n$");
}

TEST(settings_death_test, a_misspelt_name_is_warned_about_once) {
  EXPECT_EXIT(
      {
        ::setenv("KASURI_SPINN", "1", 1);
        current_settings();
        current_settings();
        std::exit(0);
      },
      ExitedWithCode(0),
      "^kasuri: warning: KASURI_SPINN is no setting of Kasuri .did you mean KASURI_SPIN[?].\n$");
}

TEST(settings_death_test, an_override_wins_until_it_is_taken_back) {
  EXPECT_EXIT(
      {
        ::setenv("KASURI_NUM_WORKERS", "7", 1);
        override_workers(3);
        override_stack_size(1 << 16);
        const settings& values = current_settings();
        const bool set = values.num_workers == 3 && values.stack_size == 1 << 16 &&
                         origin(values, "KASURI_NUM_WORKERS") == setting_origin::api;
        override_workers(0);
        const bool back = values.num_workers == 7 &&
                          origin(values, "KASURI_NUM_WORKERS") == setting_origin::environment;
        std::exit(set && back ? 0 : 1);
      },
      ExitedWithCode(0), "");
}

TEST(settings_death_test, an_override_out_of_range_ends_the_process) {
  EXPECT_EXIT(override_workers(-3), ExitedWithCode(2),
              "^kasuri: KASURI_NUM_WORKERS=-3: too small; accepted: 1 to 2048\n$");
  EXPECT_EXIT(override_stack_size(5), ExitedWithCode(2), "^kasuri: KASURI_STACK_SIZE=5: too small");
}

}  // namespace
}  // namespace kasuri::platform
