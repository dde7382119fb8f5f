// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/notices/notice_log.hpp"

#include <algorithm>
#include <mutex>

#include "cluster/memory/notices/merge_notices.hpp"
#include "cluster/transport/call_tree.hpp"
#include "platform/base/expect.hpp"

namespace kasuri::cluster {

notice_log::notice_log(transport& network, const memory_options& options,
                       const control_window& where, live_counts& counts)
    : options_(options),
      rank_(network.rank()),
      most_told_(std::min(options.log_entries,
                          told_to_all::most_in(call_tree::most_bytes(network.size())))),
      counts_(counts),
      ring_(network, where.where(), control_window::log_word, control_window::ring_start,
            options.log_entries),
      learning_(network),
      entering_(network),
      known_(static_cast<std::size_t>(network.size())),
      read_to_(std::make_unique<std::atomic<std::uint64_t>[]>(
          static_cast<std::size_t>(network.size()))) {}

token notice_log::position() const noexcept {
  token t;
  const std::uint64_t position = ring_.position();
  if (position != 0) {
    t.words[0] = static_cast<std::uint64_t>(rank_) + 1;
    t.words[1] = position;
  }
  return t;
}

void notice_log::publish(std::span<const global_range> told) {
  std::vector<notice> notices;
  KASURI_EXPECT(all,
                std::ranges::is_sorted(told, {}, &global_range::begin) &&
                    std::ranges::adjacent_find(told,
                                               [](const global_range& a, const global_range& b) {
                                                 return a.end >= b.begin;
                                               }) == told.end(),
                "%zu ranges are told of, some of which touch", told.size());
  if (options_.fault == planted_fault::notice_skipped) told = told.subspan(1);
  const std::scoped_lock hold(entering_);
  // More than the log holds would push out one another, and leave to the readers to find that out.
  if (told.size() > std::min(options_.most_notices, options_.log_entries)) {
    notices.push_back(own_notice(0, notice::all_bytes));
  } else {
    notices.reserve(told.size());
    for (const global_range& r : told) notices.push_back(own_notice(r.begin, r.end));
  }
  ring_.append(notices);
  counts_.notices_sent.add(notices.size());
}

void notice_log::learn(const token& t, const std::function<void(const notice&)>& apply) {
  if (t.words[0] == 0) return;
  const auto from_rank = static_cast<int>(t.words[0] - 1);
  const std::uint64_t to = t.words[1];
  KASURI_EXPECT(cheap, t.words[0] <= known_.size() && to != 0,
                "a token of rank %d of %zu says %llu notices", from_rank, known_.size(),
                static_cast<unsigned long long>(to));
  std::atomic<std::uint64_t>& read_to = read_to_[static_cast<std::size_t>(from_rank)];
  if (from_rank == rank_ || known_to_all() >= to) return;
  // pairs with the end of this function in another thread
  if (read_to.load(std::memory_order_acquire) >= to) return;
  const std::scoped_lock one(learning_);
  const std::uint64_t from = std::max(read_to.load(std::memory_order_relaxed), known_to_all());
  if (from >= to) return;
  std::vector<notice> found;
  std::vector<notice> fresh;
  if (ring_.read(from_rank, from, to, found)) {
    for (const notice& n : found) {
      KASURI_EXPECT(cheap, static_cast<std::size_t>(n.rank()) < known_.size() && n.number() != 0,
                    "the log of rank %d has notice %llu of rank %d of %zu", from_rank,
                    static_cast<unsigned long long>(n.number()), n.rank(), known_.size());
      if (n.rank() == rank_ || n.number() <= known_of(n.rank())) continue;
      known_[static_cast<std::size_t>(n.rank())] = n.number();
      fresh.push_back(n);
      apply(n);
    }
    counts_.notices_applied.add(fresh.size());
  } else {
    const notice lost{0, 0, notice::all_bytes};
    fresh.push_back(lost);
    apply(lost);
  }
  enter_learned(fresh);
  KASURI_EXPECT(cheap, read_to.load(std::memory_order_relaxed) <= from,
                "two threads learn from rank %d: its log was read up to %llu, and is up to %llu",
                from_rank, static_cast<unsigned long long>(from),
                static_cast<unsigned long long>(read_to.load(std::memory_order_relaxed)));
  read_to.store(to, std::memory_order_release);  // pairs with the load above
}

/// Passes on what was learned. A notice without a source, for what was lost, becomes one of this
/// rank's own.
void notice_log::enter_learned(std::vector<notice>& fresh) {
  if (fresh.empty() || options_.fault == planted_fault::nothing_passed_on) return;
  const std::scoped_lock hold(entering_);
  KASURI_EXPECT(cheap,
                std::ranges::none_of(
                    fresh, [this](const notice& n) { return n.source != 0 && n.rank() == rank_; }),
                "%zu notices are passed on, some of which are this rank's own", fresh.size());
  if (fresh.back().source == 0) fresh.back() = own_notice(0, notice::all_bytes);
  ring_.append(fresh);
}

void notice_log::reported(const token& t) {
  if (t.words[0] == 0) return;
  KASURI_EXPECT(cheap, t.words[0] == static_cast<std::uint64_t>(rank_) + 1,
                "rank %d reports with a token of rank %llu", rank_,
                static_cast<unsigned long long>(t.words[0] - 1));
  const std::scoped_lock hold(entering_);
  reported_ = std::max(reported_, t.words[1]);
}

told_to_all notice_log::written_in_run() {
  const std::scoped_lock hold(entering_);
  told_to_all told{ring_.position(), own_number_, {}};
  reported_ = told.position;
  if (!ring_.read_own(known_to_all(), told.notices))
    told.notices.assign(1, {notice::of_many, 0, notice::all_bytes});
  if (options_.fault == planted_fault::end_untold) told.notices.clear();
  merge_notices(told.notices, most_told_);
  return told;
}

told_to_all notice_log::untold() {
  const std::scoped_lock hold(entering_);
  told_to_all told{ring_.position(), own_number_, {}};
  if (!ring_.read_own(std::max(reported_, known_to_all()), told.notices)) {
    if (own_number_ != 0)
      told.notices.assign(1, notice::make(rank_, own_number_, 0, notice::all_bytes));
  }
  std::erase_if(told.notices, [this](const notice& n) { return n.rank() != rank_; });
  if (options_.fault == planted_fault::begin_untold) told.notices.clear();
  merge_notices(told.notices, most_told_);
  return told;
}

/// What is known already says nothing new, but for what may be of several ranks.
void notice_log::learn_told(const std::vector<notice>& told,
                            const std::function<void(const notice&)>& apply) {
  std::uint64_t fresh = 0;
  for (const notice& n : told) {
    // Not raised before all have been looked at: they are not in the order of their numbers.
    if (n.source != notice::of_many && (n.rank() == rank_ || n.number() <= known_of(n.rank())))
      continue;
    ++fresh;
    apply(n);
  }
  for (const notice& n : told) {
    if (n.source == notice::of_many) continue;
    std::uint64_t& known = known_[static_cast<std::size_t>(n.rank())];
    known = std::max(known, n.number());
  }
  counts_.notices_applied.add(fresh);
}

void notice_log::learn_at_end(const told_to_all& told,
                              const std::function<void(const notice&)>& apply) {
  const std::scoped_lock one(learning_);
  learn_told(told.notices, apply);
}

void notice_log::learn_at_begin(const told_to_all& told,
                                const std::function<void(const notice&)>& apply) {
  const std::scoped_lock one(learning_);
  learn_told(told.notices, apply);
  const std::scoped_lock hold(entering_);
  KASURI_EXPECT(cheap, told.number >= own_number_ && told.number >= all_known_,
                "numbers go on from %llu at all ranks, and this one was at %llu",
                static_cast<unsigned long long>(told.number),
                static_cast<unsigned long long>(own_number_));
  own_number_ = all_known_ = told.number;
  ring_.skip_to(told.position);
  base_.store(told.position, std::memory_order_release);  // pairs with known_to_all()
}

}  // namespace kasuri::cluster
