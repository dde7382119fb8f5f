// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/base/checkout_sums.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "profile/base/row_table.hpp"
#include "profile/base/section.hpp"
#include "profile/base/sites.hpp"
#include "profile/base/sum.hpp"

namespace kasuri::cluster {
namespace {

struct checkout_row {
  explicit checkout_row(std::uint64_t k) noexcept : key(k) {}
  const std::uint64_t key;  // the site
  checkout_row* next = nullptr;
  profile::sum count, slow, ticks;
};

// Ranks from this on are counted as one.
constexpr std::size_t ranks_named = 1024;
// Less is a checkout that found all here.
constexpr double slow_us = 1;

constinit profile::row_table<checkout_row, 64> rows;
constinit std::array<profile::sum, ranks_named> bytes_by_rank{};
constinit profile::sum write_back_ticks;

class checkouts_section final : public profile::section {
 public:
  checkouts_section() noexcept : section("checkouts") {}

  void write(profile::json& to) override {
    to.begin_object().key("sites").begin_array();
    rows.each([&to](const checkout_row& r) {
      to.begin_object().pair("site", r.key).pair("count", r.count.get());
      to.pair("slow", r.slow.get()).pair("wait_s", profile::seconds(r.ticks.get())).end_object();
    });
    to.end_array().key("bytes_by_rank").begin_array();
    std::size_t ranks = ranks_named;
    while (ranks != 0 && bytes_by_rank[ranks - 1].get() == 0) --ranks;
    for (std::size_t i = 0; i != ranks; ++i) to.value(bytes_by_rank[i].get());
    to.end_array().pair("write_back_s", profile::seconds(write_back_ticks.get())).end_object();
  }
  void begin_anew() noexcept override { rows.forget(); }
};

checkouts_section sums_of_checkouts;

}  // namespace

void note_checkout(const void* site, std::uint64_t ticks) noexcept {
  profile::enter(sums_of_checkouts);
  checkout_row* const r = rows.find_or_make(profile::site_of(profile::site_kind::checkout, site));
  if (r == nullptr) return;
  r->count.add(1);
  if (ticks < platform::ticks_of_us(slow_us)) return;
  r->slow.add(1);
  r->ticks.add(ticks);
}

void note_write_back(std::uint64_t ticks) noexcept {
  profile::enter(sums_of_checkouts);
  write_back_ticks.add(ticks);
}

void note_transfer(int rank, std::uint64_t bytes) noexcept {
  const auto i = std::min(static_cast<std::size_t>(rank), ranks_named - 1);
  bytes_by_rank[i].add(bytes);
}

}  // namespace kasuri::cluster
