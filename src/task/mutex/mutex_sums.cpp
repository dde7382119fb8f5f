// SPDX-License-Identifier: Apache-2.0
#include "task/mutex/mutex_sums.hpp"

#include <utility>

#include "platform/base/clock.hpp"
#include "profile/base/row_table.hpp"
#include "profile/base/section.hpp"
#include "profile/base/sites.hpp"
#include "profile/base/sum.hpp"
#include "profile/base/top_places.hpp"
#include "record/counter.hpp"

namespace kasuri::task {
namespace {

/// Its holder writes it.
struct mutex_row {
  explicit mutex_row(std::uint64_t k) noexcept : key(k) {}
  const std::uint64_t key;  // the mutex's address
  mutex_row* next = nullptr;
  record::counter contended, wait, held;
  profile::top_places waits, holders;
  // Of the holder, if it has waited: where it took the mutex, and when, in ticks; else 0.
  const void* taken_at = nullptr;
  std::uint64_t since = 0;
};

// A program may have a mutex for each of its objects; the later ones have no rows.
constexpr std::size_t most_mutexes = 512;
constinit profile::row_table<mutex_row, 256> rows;

class mutexes_section final : public profile::section {
 public:
  mutexes_section() noexcept : section("mutexes") {}

  void write(profile::json& to) override {
    to.begin_array();
    rows.each([&to](const mutex_row& r) {
      const auto site = [](const profile::top_places& p) {
        const void* const at = p.most();
        return static_cast<int>(at == nullptr ? 0 : profile::site_of(profile::site_kind::lock, at));
      };
      to.begin_object().key("address").address(reinterpret_cast<const void*>(r.key));
      to.pair("kind", "mutex").pair("site", site(r.waits)).pair("holder", site(r.holders));
      to.pair("contended", r.contended.get()).pair("wait_s", profile::seconds(r.wait.get()));
      to.pair("held_s", profile::seconds(r.held.get())).end_object();
    });
    to.end_array();
  }
  void begin_anew() noexcept override { rows.forget(); }
};

mutexes_section mutexes;

mutex_row* row_of(const void* mutex) noexcept {
  return rows.find_or_make(reinterpret_cast<std::uintptr_t>(mutex), most_mutexes);
}

}  // namespace

void mutex_was_waited_for(const void* mutex, const void* site, std::uint64_t since) noexcept {
  profile::enter(mutexes);
  mutex_row* const r = row_of(mutex);
  if (r == nullptr) return;
  const std::uint64_t now = platform::ticks();
  const std::uint64_t waited = now > since ? now - since : 0;
  r->contended.add();
  r->wait.add(waited);
  r->waits.add(site, waited);
  r->taken_at = site;
  r->since = now;
}

void awaited_mutex_is_given(const void* mutex, const void* site) noexcept {
  mutex_row* const r = row_of(mutex);
  if (r == nullptr) return;
  const std::uint64_t since = std::exchange(r->since, 0);
  const std::uint64_t now = platform::ticks();
  const std::uint64_t held = since != 0 && now > since ? now - since : 1;
  r->held.add(held);
  r->holders.add(since != 0 ? r->taken_at : site, held);
}

}  // namespace kasuri::task
