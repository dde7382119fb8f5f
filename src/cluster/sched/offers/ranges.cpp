// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/offers/ranges.hpp"

#include <cmath>

namespace kasuri::cluster {

using global::detail::offer_state;

namespace {

struct part {
  double low;
  double high;

  int owner() const noexcept { return static_cast<int>(low); }
  /// A part within one rank is a matter of that rank alone.
  part whole_or_none() const noexcept { return high <= std::floor(low) + 1 ? part{0, 0} : *this; }
  bool is_none() const noexcept { return low == high; }
};

}  // namespace

/// Where the second half's part begins.
double ranges::middle_of(const fork_chain& chain, double first_work, double second_work) const {
  KASURI_EXPECT(cheap, 0 <= chain.low && chain.low <= chain.high && chain.high <= at_.size,
                "a task owns ranks %g to %g of %d", chain.low, chain.high, at_.size);
  const double all = first_work + second_work;
  const double share = all > 0 ? first_work / all : 0.5;
  const double middle = chain.low + (chain.high - chain.low) * share;
  KASURI_EXPECT(cheap, chain.low <= middle && middle <= chain.high,
                "ranks %g to %g are divided at %g, for works of %g and %g", chain.low, chain.high,
                middle, first_work, second_work);
  // Ends that should meet at a rank's border do.
  const double border = std::round(middle);
  return std::abs(middle - border) < 1e-6 ? border : middle;
}

bool ranges::second_first(fork_chain& chain, double first_work, double second_work) const {
  const double middle = middle_of(chain, first_work, second_work);
  const part first = part{chain.low, middle}.whole_or_none();
  const part second = part{middle, chain.high}.whole_or_none();
  if (!first.is_none() || second.is_none() || second.owner() != at_.rank) return false;
  chain.low = second.low;
  chain.high = second.high;
  return true;
}

void ranges::divide(fork_chain& chain, double first_work, double second_work) {
  const double middle = middle_of(chain, first_work, second_work);
  const part first = part{chain.low, middle}.whole_or_none();
  const part second{middle, chain.high};
  offer& o = *chain.newest;
  chain.low = first.low;
  chain.high = first.high;
  const part given = second.whole_or_none();
  o.low = given.low;
  o.high = given.high;
  const bool stays =
      second.low >= second.high || second.owner() == at_.rank || second.owner() >= at_.size;
  if (!stays) send_and_count(o, second.owner());
}

void ranges::send_newest(fork_chain& chain, int to) { send_and_count(*chain.newest, to); }

void ranges::send_and_count(offer& o, int to) {
  if (send(o, to))
    at_.counted.sent.add();
  else
    at_.counted.kept.add();
}

bool ranges::send(offer& o, int to) {
  const auto ticket = inbox_.reserve(to);
  if (!ticket) return false;
  layout::parcel head{};
  const bool given = give_away(o, head);
  if (given) head.seen = at_.memory.release();
  inbox_.fill(to, *ticket, head, o.closure);
  return given;
}

/// Gives the fork to another rank: `head` is its parcel. False: it has to stay, as all records of
/// joins are in use or a worker of this process has it.
bool ranges::give_away(offer& o, layout::parcel& head) {
  const auto opened = joins_.open(o);
  if (!opened) return false;
  o.record = static_cast<int>(opened->record);  // before the state says that it is of use
  auto local = offer_state::local;
  if (!o.state.compare_exchange_strong(local, offer_state::gone, std::memory_order_relaxed)) {
    joins_.withdraw(opened->record);
    return false;
  }
  head = *opened;
  return true;
}

}  // namespace kasuri::cluster
