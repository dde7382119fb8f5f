// SPDX-License-Identifier: Apache-2.0
#include "omp/env/environment_table.hpp"

#include <limits>
#include <utility>

#include "omp/base/text_cursor.hpp"
#include "omp/env/environment_show.hpp"

namespace kasuri::omp {
namespace {

using std::optional;
using std::string_view;

template <class T>
struct named {
  string_view name;
  T value;
};

template <class T, std::size_t N>
optional<T> look_up(string_view word, const named<T> (&table)[N]) {
  for (const named<T>& row : table)
    if (same_word(word, row.name)) return row.value;
  return std::nullopt;
}

/// Keeps what was understood.
template <class T>
bool store(optional<T>& field, optional<T> value) {
  if (!value) return false;
  field = std::move(value);
  return true;
}

// ---- kinds of values ----------------------------------------------------------------------------

constexpr named<bool> switches[] = {
    {"true", true}, {"false", false}, {"yes", true}, {"no", false},     {"on", true},
    {"off", false}, {"1", true},      {"0", false},  {"enabled", true}, {"disabled", false}};

template <auto Field>
bool parse_switch(string_view text, given_values& into) {
  return store(into.*Field, look_up(trimmed(text), switches));
}

template <auto Field, int Least>
bool parse_integer(string_view text, given_values& into) {
  text_cursor cursor(text);
  const auto value = cursor.integer(Least);
  return value && cursor.at_end() && store(into.*Field, value);
}

template <auto Field>
bool parse_text(string_view text, given_values& into) {
  into.*Field = std::string(text);
  return true;
}

/// A number with the unit B, K, M, G or T, in bytes.
template <auto Field, std::int64_t DefaultUnit>
bool parse_size(string_view text, given_values& into) {
  constexpr named<std::int64_t> units[] = {{"b", 1},         {"k", 1L << 10}, {"m", 1L << 20},
                                           {"g", 1L << 30},  {"t", 1L << 40}, {"kb", 1L << 10},
                                           {"mb", 1L << 20}, {"gb", 1L << 30}};
  text_cursor cursor(text);
  const auto count = cursor.integer();
  if (!count || *count < 0) return false;
  std::int64_t unit = DefaultUnit;
  if (!cursor.at_end()) {
    const auto named_unit = look_up(cursor.word(), units);
    if (!named_unit || !cursor.at_end()) return false;
    unit = *named_unit;
  }
  if (*count > std::numeric_limits<std::int64_t>::max() / unit) return false;
  into.*Field = static_cast<std::uint64_t>(*count * unit);
  return true;
}

/// Values with commas between them.
template <class T, class ParseOne>
bool parse_list(string_view text, optional<std::vector<T>>& field, ParseOne parse_one) {
  text_cursor cursor(text);
  std::vector<T> list;
  do {
    const optional<T> value = parse_one(cursor);
    if (!value) return false;
    list.push_back(*value);
  } while (cursor.take(','));
  if (!cursor.at_end()) return false;
  field = std::move(list);
  return true;
}

// ---- single variables ---------------------------------------------------------------------------

bool parse_num_threads(string_view text, given_values& into) {
  return parse_list(text, into.nthreads, [](text_cursor& c) { return c.integer(1); });
}

constexpr named<proc_bind> bind_kinds[] = {{"primary", proc_bind::primary},
                                           {"master", proc_bind::primary},
                                           {"close", proc_bind::close},
                                           {"spread", proc_bind::spread}};

bool parse_proc_bind(string_view text, given_values& into) {
  if (same_word(trimmed(text), "true"))
    return store(into.bind, optional(std::vector{proc_bind::on}));
  if (same_word(trimmed(text), "false"))
    return store(into.bind, optional(std::vector{proc_bind::off}));
  return parse_list(text, into.bind, [](text_cursor& c) { return look_up(c.word(), bind_kinds); });
}

bool parse_teams_bind(string_view text, given_values& into) {
  return store(into.teams_bind, look_up(trimmed(text), bind_kinds));
}

/// "dynamic", "dynamic,4", "nonmonotonic:dynamic,4"; libomp's own kinds stand for what is next to
/// them.
bool parse_schedule(string_view text, given_values& into) {
  constexpr named<schedule_kind> kinds[] = {
      {"static", schedule_kind::static_},     {"dynamic", schedule_kind::dynamic},
      {"guided", schedule_kind::guided},      {"auto", schedule_kind::auto_},
      {"trapezoidal", schedule_kind::guided}, {"static_steal", schedule_kind::dynamic}};
  constexpr named<bool> modifiers[] = {{"monotonic", true}, {"nonmonotonic", false}};
  text_cursor cursor(text);
  schedule s;
  string_view word = cursor.word();
  if (const auto modifier = look_up(word, modifiers)) {
    if (!cursor.take(':')) return false;
    s.monotonic = *modifier;
    word = cursor.word();
  }
  const auto kind = look_up(word, kinds);
  if (!kind) return false;
  s.kind = *kind;
  s.trapezoidal = same_word(word, "trapezoidal");
  s.chunk = default_chunk(s.kind);
  if (cursor.take(',')) {
    const auto chunk = cursor.integer(1);
    if (!chunk) return false;
    s.chunk = *chunk;
  }
  if (!cursor.at_end()) return false;
  into.run_schedule = s;
  return true;
}

bool parse_wait_policy(string_view text, given_values& into) {
  constexpr named<bool> kinds[] = {{"active", true}, {"passive", false}};
  return store(into.wait_active, look_up(trimmed(text), kinds));
}

bool parse_places_row(string_view text, given_values& into) {
  return store(into.places, parse_places(text));
}

/// A user that asks for places, but ill-formed ones, gets those of the kind named, or else cores.
string_view places_instead(string_view text, given_values& into) {
  text_cursor cursor(text);
  string_view kind = cursor.word();
  into.places = parse_places(kind);
  if (!into.places) into.places = parse_places(kind = "cores");
  return kind;
}

bool parse_hw_subset_row(string_view text, given_values& into) {
  return store(into.subset, parse_hw_subset(text));
}

constexpr int most_buffers = 4096;

bool parse_dispatch_buffers(string_view text, given_values& into) {
  text_cursor cursor(text);
  const auto value = cursor.integer(1, most_buffers);
  return value && cursor.at_end() && store(into.dispatch_buffers, value);
}

string_view range_problem(string_view text) {
  text_cursor cursor(text);
  const auto value = cursor.integer();
  if (!value || !cursor.at_end()) return "not understood";
  return *value < 1 ? "too small" : "too large";
}

bool parse_gomp_affinity(string_view text, given_values& into) {
  return store(into.gomp_places, parse_cpu_affinity(text));
}

bool parse_kmp_affinity_row(string_view text, given_values& into) {
  return store(into.affinity, parse_kmp_affinity(text));
}

bool parse_display_env(string_view text, given_values& into) {
  constexpr named<display_kind> kinds[] = {
      {"true", display_kind::on}, {"1", display_kind::on},      {"yes", display_kind::on},
      {"on", display_kind::on},   {"false", display_kind::off}, {"0", display_kind::off},
      {"no", display_kind::off},  {"off", display_kind::off},   {"verbose", display_kind::verbose}};
  return store(into.display, look_up(trimmed(text), kinds));
}

bool parse_offload(string_view text, given_values& into) {
  constexpr named<offload_policy> kinds[] = {{"mandatory", offload_policy::mandatory},
                                             {"disabled", offload_policy::disabled},
                                             {"default", offload_policy::default_}};
  return store(into.offload, look_up(trimmed(text), kinds));
}

bool parse_allocator_row(string_view text, given_values& into) {
  return store(into.allocator, parse_allocator(text));
}

bool parse_tool_libraries(string_view text, given_values& into) {
  std::vector<std::string> list;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(':'), text.size());
    if (end != 0) list.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  into.tool_libraries = std::move(list);
  return true;
}

bool parse_tool_verbose(string_view text, given_values& into) {
  const string_view word = trimmed(text);
  into.tool_verbose = same_word(word, "disabled") ? std::string() : std::string(word);
  return !word.empty();
}

bool parse_spin_count(string_view text, given_values& into) {
  const string_view word = trimmed(text);
  if (same_word(word, "infinite") || same_word(word, "infinity"))
    return store(into.spin_count, optional(endless));
  return parse_size<&given_values::spin_count, 1>(text, into);
}

/// Milliseconds, or with a unit.
bool parse_block_time(string_view text, given_values& into) {
  constexpr named<std::int64_t> units[] = {{"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}};
  text_cursor cursor(text);
  if (cursor.take_word("infinite")) {
    into.block_ns = endless;
    return cursor.at_end();
  }
  const auto count = cursor.integer(0);
  if (!count) return false;
  std::int64_t unit = 1'000'000;
  if (!cursor.at_end()) {
    const auto named_unit = look_up(cursor.word(), units);
    if (!named_unit || !cursor.at_end()) return false;
    unit = *named_unit;
  }
  // libomp's way to say always.
  into.block_ns = *count == std::numeric_limits<int>::max()
                      ? endless
                      : static_cast<std::uint64_t>(*count) * static_cast<std::uint64_t>(unit);
  return true;
}

bool parse_library(string_view text, given_values& into) {
  constexpr named<library_kind> kinds[] = {{"serial", library_kind::serial},
                                           {"turnaround", library_kind::turnaround},
                                           {"throughput", library_kind::throughput}};
  return store(into.library, look_up(trimmed(text), kinds));
}

// ---- the table ----------------------------------------------------------------------------------

using g = given_values;

constexpr string_view switch_values = "true or false";
constexpr string_view positive = "a whole number from 1";
constexpr string_view natural = "a whole number from 0";
constexpr string_view size_values = "a number with a unit B, K, M or G, such as 8M";

constexpr variable table[] = {
    {"OMP_DYNAMIC", switch_values, parse_switch<&g::dynamic>, show::dynamic},
    {"OMP_NESTED", switch_values, parse_switch<&g::nested>, show::nested},
    {"OMP_NUM_THREADS", "whole numbers from 1, such as 4 or 4,2", parse_num_threads,
     show::num_threads},
    {"OMP_SCHEDULE",
     "static, dynamic, guided or auto, with a chunk or a modifier, such as monotonic:dynamic,4",
     parse_schedule, show::run_schedule},
    {"OMP_PROC_BIND", "true, false, or a list of primary, close and spread", parse_proc_bind,
     show::bind},
    {"OMP_PLACES",
     "threads, cores, ll_caches, numa_domains, sockets, one of them with a number such as "
     "cores(4), "
     "or a list such as {0,1},{2,3} or {0:2}:4",
     parse_places_row, show::places, false, nullptr, places_instead},
    {"OMP_STACKSIZE", size_values, parse_size<&g::omp_stack, 1024>, show::stack_size},
    {"OMP_WAIT_POLICY", "active or passive", parse_wait_policy, show::wait_policy},
    {"OMP_THREAD_LIMIT", positive, parse_integer<&g::thread_limit, 1>, show::thread_limit},
    {"OMP_MAX_ACTIVE_LEVELS", natural, parse_integer<&g::max_active_levels, 0>,
     show::max_active_levels},
    {"OMP_NUM_TEAMS", positive, parse_integer<&g::nteams, 1>, show::nteams},
    {"OMP_TEAMS_THREAD_LIMIT", positive, parse_integer<&g::teams_thread_limit, 1>,
     show::teams_thread_limit},
    {"OMP_CANCELLATION", switch_values, parse_switch<&g::cancellation>, show::cancellation},
    {"OMP_DEFAULT_DEVICE", natural, parse_integer<&g::default_device, 0>, show::default_device},
    {"OMP_MAX_TASK_PRIORITY", natural, parse_integer<&g::max_task_priority, 0>,
     show::max_task_priority},
    {"OMP_DISPLAY_AFFINITY", switch_values, parse_switch<&g::display_affinity>,
     show::display_affinity},
    {"OMP_AFFINITY_FORMAT", "a text", parse_text<&g::affinity_format>, show::affinity_format},
    {"OMP_ALLOCATOR",
     "an allocator such as omp_default_mem_alloc, or a memory space with traits such as "
     "omp_default_mem_space:alignment=64,pinned=true",
     parse_allocator_row, show::allocator},
    {"OMP_TARGET_OFFLOAD", "mandatory, disabled or default", parse_offload, show::offload},
    {"OMP_DISPLAY_ENV", "true, false or verbose", parse_display_env, nullptr},
    {"OMP_TOOL", "enabled or disabled", parse_switch<&g::tool>, show::tool},
    {"OMP_TOOL_LIBRARIES", "names of libraries with colons between them", parse_tool_libraries,
     show::tool_libraries},
    {"OMP_TOOL_VERBOSE_INIT", "disabled, stdout, stderr or the name of a file", parse_tool_verbose,
     show::tool_verbose},
    {"GOMP_CPU_AFFINITY", "CPU numbers and ranges, such as 0 3 4-7:2", parse_gomp_affinity,
     nullptr},
    {"GOMP_STACKSIZE", size_values, parse_size<&g::gomp_stack, 1024>, nullptr},
    {"GOMP_SPINCOUNT", "a number, or infinite", parse_spin_count, nullptr},
    {"KMP_AFFINITY",
     "none, compact, scatter, balanced or explicit, with modifiers such as "
     "granularity=core,compact",
     parse_kmp_affinity_row, nullptr},
    {"KMP_BLOCKTIME", "a number of milliseconds, one with the unit us, ms or s, or infinite",
     parse_block_time, show::block_time, true},
    {"KMP_STACKSIZE", size_values, parse_size<&g::kmp_stack, 1>, nullptr},
    {"KMP_LIBRARY", "serial, turnaround or throughput", parse_library, show::library, true},
    {"KMP_ALL_THREADS", positive, parse_integer<&g::kmp_threads, 1>, nullptr},
    {"KMP_MAX_THREADS", positive, parse_integer<&g::kmp_threads, 1>, nullptr},
    {"KMP_DEVICE_THREAD_LIMIT", positive, parse_integer<&g::kmp_thread_limit, 1>, nullptr},
    {"KMP_TEAMS_THREAD_LIMIT", positive, parse_integer<&g::kmp_teams_thread_limit, 1>, nullptr},
    {"KMP_TEAMS_PROC_BIND", "primary, close or spread", parse_teams_bind, nullptr},
    {"KMP_HW_SUBSET",
     "numbers of sockets (s), numa domains (n), last-level caches (l), cores (c) and threads (t), "
     "each "
     "with an offset or without, such as 1s,4c@2,1t",
     parse_hw_subset_row, nullptr},
    {"KMP_DISP_NUM_BUFFERS", "a whole number from 1 to 4096", parse_dispatch_buffers, nullptr,
     false, range_problem},
    {"KMP_ENABLE_TASK_THROTTLING", switch_values, parse_switch<&g::task_throttling>, nullptr},
    {"KMP_SETTINGS", switch_values, parse_switch<&g::kmp_settings>, nullptr},
    {"KMP_WARNINGS", switch_values, parse_switch<&g::kmp_warnings>, nullptr},
};

}  // namespace

std::span<const variable> variables() noexcept { return table; }

}  // namespace kasuri::omp
