// SPDX-License-Identifier: Apache-2.0
#include "omp/profile/regions.hpp"

#include "platform/base/expect.hpp"

namespace kasuri::omp::sums {
namespace {

constinit profile::row_table<region_row, 64> regions;
constinit profile::row_table<phase_row, 64> phases;

const char* name(phase_kind kind) noexcept {
  switch (kind) {
    case phase_kind::region:
      return "region";
    case phase_kind::barrier:
      return "barrier";
    case phase_kind::loop:
      return "loop";
  }
  return "region";
}

}  // namespace

void instance_sums::add(const instance& i) noexcept {
  KASURI_EXPECT(cheap, i.members > 0 && i.worst >= 0 && i.worst < i.members,
                "member %d of %d was the longest", i.worst, i.members);
  KASURI_EXPECT(cheap, i.longest <= i.busy, "one member was busy for %lu, all for %lu", i.longest,
                i.busy);
  count.add(1);
  busy.add(i.busy);
  longest.add(i.longest);
  mean.add(i.busy / static_cast<std::uint64_t>(i.members));
  members.raise(static_cast<std::uint64_t>(i.members));
  if (i.worst < members_named) worst[static_cast<std::size_t>(i.worst)].add(1);
}

void instance_sums::write(profile::json& to) const {
  to.pair("count", count.get()).pair("members", members.get());
  to.pair("busy_s", profile::seconds(busy.get())).pair("max_s", profile::seconds(longest.get()));
  to.pair("mean_s", profile::seconds(mean.get())).key("worst").begin_array();
  const std::uint64_t named = std::min<std::uint64_t>(members.get(), members_named);
  for (std::size_t i = 0; i != named; ++i) to.value(worst[i].get());
  to.end_array();
}

void add_region(profile::site_id site, const void* code, const instance& i, std::uint64_t wall,
                std::uint64_t serial) noexcept {
  region_row* const r = regions.find_or_make(site);
  if (r == nullptr) return;
  r->code.store(code, std::memory_order_relaxed);
  r->all.add(i);
  r->wall.add(wall);
  r->serial.add(serial);
}

void add_phase(profile::site_id site, profile::site_id region, phase_kind kind, const instance& i,
               std::uint64_t wait, std::uint64_t locks) noexcept {
  const std::uint64_t key = (static_cast<std::uint64_t>(kind) << profile::site_bits | site)
                                << profile::site_bits |
                            region;
  phase_row* const r = phases.find_or_make(key);
  if (r == nullptr) return;
  r->all.add(i);
  r->wait.add(wait);
  r->locks.add(locks);
}

void write_regions(profile::json& to) {
  to.begin_array();
  regions.each([&to](const region_row& r) {
    to.begin_object().pair("site", r.key);
    to.key("code").address(r.code.load(std::memory_order_relaxed));
    r.all.write(to);
    to.pair("wall_s", profile::seconds(r.wall.get()))
        .pair("serial_s", profile::seconds(r.serial.get()));
    to.end_object();
  });
  to.end_array();
}

void write_phases(profile::json& to) {
  constexpr std::uint64_t site_mask = (std::uint64_t{1} << profile::site_bits) - 1;
  to.begin_array();
  phases.each([&to](const phase_row& r) {
    to.begin_object().pair("site", r.key >> profile::site_bits & site_mask);
    to.pair("region", r.key & site_mask);
    to.pair("kind", name(static_cast<phase_kind>(r.key >> 2 * profile::site_bits)));
    r.all.write(to);
    to.pair("wait_s", profile::seconds(r.wait.get()))
        .pair("lock_s", profile::seconds(r.locks.get()));
    to.end_object();
  });
  to.end_array();
}

void begin_regions_anew() noexcept {
  regions.forget();
  phases.forget();
}

}  // namespace kasuri::omp::sums
