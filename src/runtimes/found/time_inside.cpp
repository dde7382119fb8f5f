// SPDX-License-Identifier: Apache-2.0
#include "runtimes/found/time_inside.hpp"

#include <memory>

#include "profile/base/section.hpp"

namespace kasuri::runtimes {

class sums_of_runtimes final : public profile::section {
 public:
  constexpr sums_of_runtimes() noexcept : section("runtimes") {}

  void add(time_inside& one) noexcept {
    one.next_ = first_;
    first_ = &one;
    profile::enter(*this);
  }

  void write(profile::json& to) override {
    to.begin_array();
    for (const time_inside* each = first_; each != nullptr; each = each->next_) {
      if (each->times_.get() == 0) continue;
      to.begin_object().pair("name", each->name_).pair("stays", each->times_.get());
      to.pair("s", profile::seconds(each->ticks_.get())).end_object();
    }
    to.end_array();
  }

  void begin_anew() noexcept override {
    for (time_inside* each = first_; each != nullptr; each = each->next_) {
      std::construct_at(&each->times_);
      std::construct_at(&each->ticks_);
    }
  }

 private:
  time_inside* first_ = nullptr;
};

namespace {

constinit sums_of_runtimes all;

}  // namespace

void time_inside::enter() noexcept { all.add(*this); }

}  // namespace kasuri::runtimes
