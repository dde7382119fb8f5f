// SPDX-License-Identifier: Apache-2.0
#include "omp/region/affinity_format.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <utility>

#include "omp/base/spin_lock.hpp"
#include "omp/env/environment.hpp"
#include "omp/team/levels.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/race_detector.hpp"
#include "platform/cpu/affinity.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/process/executable.hpp"
#include "platform/process/executable.hpp"
#include "platform/thread/os_thread.hpp"

namespace kasuri::omp {
namespace {

struct field_name {
  char letter;
  std::string_view name;
};

constexpr field_name names[] = {
    {'t', "team_num"},
    {'T', "num_teams"},
    {'L', "nesting_level"},
    {'n', "thread_num"},
    {'N', "num_threads"},
    {'a', "ancestor_tnum"},
    {'H', "host"},
    {'P', "process_id"},
    {'i', "native_thread_id"},
    {'A', "thread_affinity"},
};

struct field_value {
  std::string text;
  bool number = true;
};

field_value value_of(char letter, const affinity_facts& facts) {
  switch (letter) {
    case 't':
      return {std::to_string(facts.team_num)};
    case 'T':
      return {std::to_string(facts.num_teams)};
    case 'L':
      return {std::to_string(facts.nesting_level)};
    case 'n':
      return {std::to_string(facts.thread_num)};
    case 'N':
      return {std::to_string(facts.num_threads)};
    case 'a':
      return {std::to_string(facts.ancestor_tnum)};
    case 'H':
      return {facts.host, false};
    case 'P':
      return {std::to_string(facts.process_id)};
    case 'i':
      return {std::to_string(facts.native_thread_id)};
    case 'A':
      return {facts.thread_affinity, false};
    default:
      return {"undefined", false};
  }
}

/// %[[[0].]size]type
struct field {
  bool zeros = false;
  bool right = false;
  std::size_t width = 0;
  char letter = '\0';
};

std::string padded(const field_value& value, const field& f) {
  const std::string& text = value.text;
  if (text.size() >= f.width) return text;
  const std::size_t missing = f.width - text.size();
  if (!f.right) return text + std::string(missing, ' ');
  if (!f.zeros || !value.number) return std::string(missing, ' ') + text;
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  return text.substr(0, sign) + std::string(missing, '0') + text.substr(sign);
}

/// Reads a field after its '%' and takes it off the format.
field parse_field(std::string_view& rest) {
  const auto take = [&rest](char c) {
    const bool there = rest.starts_with(c);
    if (there) rest.remove_prefix(1);
    return there;
  };
  field f;
  f.zeros = rest.starts_with("0.") && take('0');
  f.right = take('.');
  while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
    if (f.width < 4096) f.width = f.width * 10 + static_cast<std::size_t>(rest.front() - '0');
    rest.remove_prefix(1);
  }
  if (take('{')) {
    const std::size_t end = std::min(rest.find('}'), rest.size());
    for (const field_name& known : names)
      if (known.name == rest.substr(0, end)) f.letter = known.letter;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  } else if (!rest.empty()) {
    f.letter = rest.front();
    rest.remove_prefix(1);
  }
  return f;
}

/// In one piece, so that lines of several threads never mix.
void print_line(std::string text) {
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
}

constinit spin_lock format_lock;

std::string& first_format() {
  auto& text = *new std::string(environment().affinity.format);
  platform::happens_before(&text);
  return text;
}

std::string& format_var() {
  static std::string& text = first_format();
  return text;
}

/// The lock for the text, which race detectors see: members copy it by memcpy.
class format_guard {
 public:
  explicit format_guard(const std::string& text) noexcept : hold_(format_lock), text_(text) {
    platform::happens_after(&text_);
  }
  ~format_guard() { platform::happens_before(&text_); }
  format_guard(const format_guard&) = delete;
  format_guard& operator=(const format_guard&) = delete;

 private:
  std::lock_guard<spin_lock> hold_;
  const std::string& text_;
};

}  // namespace

std::string format_affinity(std::string_view format, const affinity_facts& facts) {
  std::string text;
  while (!format.empty()) {
    const char c = format.front();
    format.remove_prefix(1);
    if (c != '%') {
      text += c;
    } else if (format.starts_with('%')) {
      format.remove_prefix(1);
      text += '%';
    } else {
      const field f = parse_field(format);
      text += padded(value_of(f.letter, facts), f);
    }
  }
  return text;
}

affinity_facts affinity_facts_of(const member& m) {
  const int level = level_of(m);
  KASURI_EXPECT(cheap, m.number >= 0 && m.number < m.in->size && level >= 0,
                "member %d of %d at level %d", m.number, m.in->size, level);
  return {.team_num = m.in->league.number,
          .num_teams = m.in->league.size,
          .nesting_level = level,
          .thread_num = m.number,
          .num_threads = m.in->size,
          .ancestor_tnum = ancestor_number(m, level - 1),
          .host = platform::host_name(),
          .process_id = static_cast<int>(platform::process_id()),
          .native_thread_id = platform::thread_id(),
          .thread_affinity = cpu_text(platform::affinity_cpus())};
}

std::string affinity_format() {
  std::string& text = format_var();
  const format_guard hold(text);
  return text;
}

void set_affinity_format(std::string_view format) {
  std::string fresh(format);
  std::string& text = format_var();
  const format_guard hold(text);
  text.swap(fresh);
}

std::string captured_affinity(std::string_view format) {
  return format_affinity(format.empty() ? affinity_format() : std::string(format),
                         affinity_facts_of(self()));
}

void display_affinity(std::string_view format) { print_line(captured_affinity(format)); }

bool affinity_display_due(member& m, const team& t) {
  std::string state;
  for (const int fact : {t.size, t.nest.level, static_cast<int>(t.affinity.bind), m.places.first,
                         m.places.count, m.places.bound, t.league.number, t.league.size})
    state += ' ' + std::to_string(fact);
  const bool due = state != m.shown_affinity;
  // Outer regions that the same thread meets next come after this one.
  member* at = &m;
  for (; at->number == 0 && at->in->parent != nullptr; at = at->in->parent)
    at->shown_affinity = state;
  at->shown_affinity = std::move(state);
  return due;
}

void display_affinity_of(const member& m) {
  print_line(format_affinity(affinity_format(), affinity_facts_of(m)));
}

}  // namespace kasuri::omp
