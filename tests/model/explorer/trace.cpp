// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include <cstddef>
#include <cstdio>  // for snprintf

namespace kasuri::model {

namespace {

const char* text(action what) {
  switch (what) {
    case action::load:
      return "load";
    case action::store:
      return "store";
    case action::read_modify_write:
      return "modify";
    case action::compare_exchange:
      return "compare_exchange";
    case action::fence:
      return "fence";
    case action::light_fence:
      return "fence_light";
    case action::heavy_begin:
      return "fence_heavy begins";
    case action::heavy_end:
      return "fence_heavy ends";
    case action::barrier:
      return "(barrier arrives)";
    case action::futex_wait:
      return "futex_wait";
    case action::futex_woken:
      return "futex_wait returns: woken";
    case action::futex_wake:
      return "futex_wake";
    case action::change:
      return "pause returns: noticed";
  }
  return "?";
}

const char* text(std::memory_order order) {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
      return "consume";
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

bool has_order(action what) { return what <= action::fence; }

// Small numbers as such, addresses and packed words in hexadecimal.
std::string number(std::uint64_t value) {
  const auto as_signed = static_cast<std::int64_t>(value);
  if (as_signed > -1'000'000 && as_signed < 1'000'000) return std::to_string(as_signed);
  char digits[2 + 16 + 1];
  std::snprintf(digits, sizeof digits, "%#llx", static_cast<unsigned long long>(value));
  return digits;
}

}  // namespace

std::string trace::name(int location) const {
  const auto index = static_cast<std::size_t>(location);
  return index < names_.size() ? names_[index] : "location " + std::to_string(location);
}

void trace::add(int thread, const operation& op, std::uint64_t value, const char* result) {
  std::string line = "thread " + std::to_string(thread) + ": " + text(op.what);
  if (op.location >= 0) {
    line += " " + name(op.location) + " = " + number(value);
  }
  if (has_order(op.what)) line += std::string(" ") + text(op.order);
  lines_.push_back(line + result);
}

}  // namespace kasuri::model
