// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/at_home.hpp"

#include <algorithm>
#include <cstring>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {
namespace {

struct place {
  const window* memory;
  home_place home;
};

place place_of(memory& m, std::uint64_t offset, std::uint64_t bytes) {
  const region& where = m.arrays().expect({offset, bytes, access::read_write});
  const home_place home = where.home_of(offset);
  KASURI_EXPECT(cheap, bytes <= home.run, "%llu bytes at %llu lie at several ranks",
                static_cast<unsigned long long>(bytes), static_cast<unsigned long long>(offset));
  return {&where.memory, home};
}

/// copy(place, request) for each, and a wait for what the network does of it.
template <class Request, class Copy>
void each(memory& m, std::initializer_list<Request> all, Copy copy) {
  int target = m.network().rank();
  for (const Request& r : all) {
    const place p = place_of(m, r.offset, r.bytes);
    copy(p, r);
    target = p.home.rank;
  }
  if (target != m.network().rank()) m.network().flush(target);
}

}  // namespace

void read_at_home(memory& m, std::initializer_list<read_from> wanted) {
  each(m, wanted, [&m](const place& p, const read_from& r) {
    if (p.home.rank == m.network().rank())
      std::memcpy(r.to, p.memory->local + p.home.offset, r.bytes);
    else
      m.network().get(p.home.rank, *p.memory, p.home.offset, r.to, r.bytes);
  });
}

void read_at_homes(memory& m, read_from wanted) {
  const region& where = m.arrays().expect({wanted.offset, wanted.bytes, access::read_write});
  auto* to = static_cast<std::byte*>(wanted.to);
  for (std::uint64_t done = 0; done != wanted.bytes;) {
    const std::uint64_t at = wanted.offset + done;
    const std::uint64_t bytes = std::min(where.home_of(at).run, wanted.bytes - done);
    read_at_home(m, {{at, to + done, bytes}});
    done += bytes;
  }
}

void write_at_home(memory& m, std::initializer_list<written_to> given) {
  each(m, given, [&m](const place& p, const written_to& r) {
    if (p.home.rank == m.network().rank())
      std::memcpy(p.memory->local + p.home.offset, r.from, r.bytes);
    else
      m.network().put(p.home.rank, *p.memory, p.home.offset, r.from, r.bytes);
  });
}

}  // namespace kasuri::cluster
