// SPDX-License-Identifier: Apache-2.0
// GCC's teams constructs, on the host, and messages of the error directive.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "omp/abi/gomp/gomp_index.hpp"
#include "omp/region/league.hpp"
#include "omp/tool/hooks.hpp"
#include "platform/base/expect.hpp"

using namespace kasuri::omp;

namespace {

/// The league of a teams construct in a target region, which the region's end takes back.
void begin_league(unsigned teams, unsigned limit) {
  member& m = self();
  enter_league(m, 0, teams_of_league(m, static_cast<int>(teams)), m.in->parent->places);
  if (limit != 0 && static_cast<int>(limit) < values(m).thread_limit)
    own_values(m).thread_limit = static_cast<int>(limit);
}

void print_message(const char* kind, const char* message, std::size_t length) {
  if (message == nullptr)
    std::fprintf(stderr, "kasuri: openmp: %s directive encountered\n", kind);
  else
    std::fprintf(stderr, "kasuri: openmp: %s directive encountered: %.*s\n", kind,
                 static_cast<int>(length == SIZE_MAX ? std::strlen(message) : length), message);
}

}  // namespace

extern "C" {

void kasuri_GOMP_teams_reg(void (*f)(void*), void* data, unsigned teams, unsigned limit, unsigned) {
  tool::called();
  run_league(static_cast<int>(teams), static_cast<int>(limit), [f, data] { f(data); });
}

void kasuri_GOMP_teams(unsigned teams, unsigned limit) {
  tool::called();
  begin_league(teams, limit);
}

/// Once before each team: first, then again until it says that there is none.
bool kasuri_GOMP_teams4(unsigned, unsigned most, unsigned limit, bool first) {
  if (first) {
    begin_league(most, limit);
    return true;
  }
  member& m = self();
  const int next = m.in->league.number + 1;
  KASURI_EXPECT(cheap, next <= m.in->league.size, "team %d of %d", next, m.in->league.size);
  if (next == m.in->league.size) return false;
  enter_league(m, next, m.in->league.size, m.in->parent->places);
  return true;
}

void kasuri_GOMP_warning(const char* message, std::size_t length) {
  tool::called();
  if (tool::active()) [[unlikely]]
    tool::error(tool::severity::warning, message, length);
  print_message("warning", message, length);
}

[[noreturn]] void kasuri_GOMP_error(const char* message, std::size_t length) {
  tool::called();
  if (tool::active()) [[unlikely]]
    tool::error(tool::severity::fatal, message, length);
  print_message("fatal error", message, length);
  std::exit(EXIT_FAILURE);
}

}  // extern "C"
