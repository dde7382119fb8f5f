// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <kasuri/global/atomic.hpp>

namespace apps {

/// A share of the work of a round, which closures carry along. A task splits its own between its
/// children where these are worth showing, and else reports all of it at its end.
class part {
 public:
  /// Nothing to report.
  part() = default;

  /// The work of a round, counted in `word`.
  static part all_of_round(kasuri::global::ptr<std::uint64_t> word) { return {word, whole}; }

  /// `n` of `of` equal pieces; nothing where that would not be seen.
  part pieces(std::uint64_t n, std::uint64_t of) const {
    const std::uint64_t size = size_ / of * n;
    return size < least ? part() : part(word_, size);
  }

  /// Whether it is worth reporting.
  explicit operator bool() const { return size_ != 0; }

  /// It is done. Inside a task, at any rank.
  void done() const {
    if (size_ != 0) kasuri::global::fetch_add(word_, size_);
  }

  /// Item `i` of `n` equal ones is done: some at a time are reported.
  void item(std::uint64_t i, std::uint64_t n) const {
    if (size_ == 0) return;
    const std::uint64_t at_a_time = n / (size_ / least + 1) + 1;
    if ((i + 1) % at_a_time == 0) part(word_, size_ / n * at_a_time).done();
  }

  static constexpr std::uint64_t whole = std::uint64_t{1} << 40;

 private:
  static constexpr std::uint64_t least = whole >> 10;

  part(kasuri::global::ptr<std::uint64_t> word, std::uint64_t size) : word_(word), size_(size) {}

  kasuri::global::ptr<std::uint64_t> word_{};
  std::uint64_t size_ = 0;
};

/// As timed_rounds; the bar grows within the rounds too, by what tasks report of the part that
/// `work` gets. Without a terminal there is nothing to report to, and the part is empty.
/// Collective.
std::vector<double> metered_rounds(int rounds, const std::function<void()>& prepare,
                                   const std::function<void(part)>& work);

}  // namespace apps
