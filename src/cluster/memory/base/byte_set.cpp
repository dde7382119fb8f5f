// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/base/byte_set.hpp"

#include <algorithm>
#include <utility>

#include "platform/base/expect.hpp"

namespace kasuri::cluster {

const char* byte_set::check() const noexcept {
  std::uint32_t end = 0;
  bool first = true;
  for (const byte_range p : parts()) {
    if (p.begin >= p.end) return "a part of a byte set has no bytes";
    if (!first && p.begin <= end) return "two parts of a byte set touch, or are out of order";
    first = false;
    end = p.end;
  }
  return many_ != nullptr && many_->size() < 2 ? "a byte set keeps one part as many" : nullptr;
}

byte_range byte_set::around(byte_range r) const noexcept {
  const auto all = parts();
  const auto next = std::ranges::upper_bound(all, r.begin, {}, &byte_range::begin);
  if (next == all.begin()) return {};
  const byte_range before = *(next - 1);
  return r.end <= before.end ? before : byte_range{};
}

std::uint32_t byte_set::bytes() const noexcept {
  std::uint32_t sum = 0;
  for (byte_range p : parts()) sum += p.end - p.begin;
  return sum;
}

bool byte_set::same_as(const byte_set& other) const noexcept {
  return std::ranges::equal(parts(), other.parts());
}

void byte_set::add(byte_range r) {
  KASURI_EXPECT(cheap, r.begin <= r.end, "bytes %u to %u are added", r.begin, r.end);
  if (r.begin >= r.end) return;
  if (many_ == nullptr) {
    if (one_.begin == one_.end) {
      one_ = r;
      return;
    }
    if (r.begin <= one_.end && one_.begin <= r.end) {
      one_ = {std::min(one_.begin, r.begin), std::max(one_.end, r.end)};
      return;
    }
  } else if (covers(r)) {
    return;
  }
  std::vector<byte_range> parts;
  parts.reserve(this->parts().size() + 1);
  for (byte_range p : this->parts()) {
    if (p.end < r.begin) {
      parts.push_back(p);
    } else if (p.begin <= r.end) {
      r = {std::min(p.begin, r.begin), std::max(p.end, r.end)};
    } else {
      if (parts.empty() || parts.back().end < r.begin) parts.push_back(r);
      r = p;
    }
  }
  parts.push_back(r);
  settle(std::move(parts));
  KASURI_EXPECT(all, covers(r), "bytes %u to %u have been added, and are not there", r.begin,
                r.end);
}

void byte_set::remove(byte_range r) {
  KASURI_EXPECT(cheap, r.begin <= r.end, "bytes %u to %u are removed", r.begin, r.end);
  if (r.begin >= r.end) return;
  // Without memory where one part is left, or none.
  if (many_ == nullptr && !(one_.begin < r.begin && r.end < one_.end)) {
    if (r.end <= one_.begin || one_.end <= r.begin) return;
    if (one_.begin < r.begin)
      one_.end = r.begin;
    else
      one_.begin = r.end;
    if (one_.begin >= one_.end) one_ = {};
    return;
  }
  std::vector<byte_range> parts;
  for (byte_range p : this->parts()) {
    if (p.begin < std::min(p.end, r.begin)) parts.push_back({p.begin, std::min(p.end, r.begin)});
    if (std::max(p.begin, r.end) < p.end) parts.push_back({std::max(p.begin, r.end), p.end});
  }
  settle(std::move(parts));
}

void byte_set::clear() noexcept {
  delete many_;
  many_ = nullptr;
  one_ = {};
}

void byte_set::assign(const byte_set& other) {
  settle({other.parts().begin(), other.parts().end()});
}

void byte_set::settle(std::vector<byte_range>&& parts) {
  if (parts.size() < 2) {
    clear();
    if (!parts.empty()) one_ = parts.front();
    return;
  }
  one_ = {};
  if (many_ == nullptr)
    many_ = new std::vector<byte_range>(std::move(parts));
  else
    *many_ = std::move(parts);
  KASURI_EXPECT(all, check() == nullptr, "%s; it has %zu parts", check(), this->parts().size());
}

}  // namespace kasuri::cluster
