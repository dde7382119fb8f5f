// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/programs/play.hpp"

#include <array>
#include <cstring>
#include <deque>
#include <random>

#include "cluster/memory/memory.hpp"
#include "cluster/transport/simulated/simulated.hpp"

namespace kasuri::test::global_programs {
namespace {

using namespace cluster;

/// A task under way: it stops at a fork, and goes on when both children have ended.
struct running {
  const task* what = nullptr;
  running* parent = nullptr;
  std::size_t next = 0;
  int missing = 0;
  std::vector<token> to_acquire;
  bool arrived = false;
  program_point point;
};

/// The task that a rank plays.
struct played final : known_tasks {
  program_point point;
  program_point here() override { return point; }
};

class player {
 public:
  player(const script& s, planted_fault fault, checks look)
      : script_(s), random_(s.seed ^ 0x9e3779b97f4a7c15U) {
    simulation_options net;
    net.ranks = s.ranks;
    net.seed = s.seed;
    net.jitter_ns = below(2) ? 0 : below(20000);
    net.ranks_per_host = 1 + static_cast<int>(below(3));
    net.latency_ns = 100 + below(3000);
    // Far beyond what any script takes.
    net.until_ns = 20'000'000'000;
    network_ = net;
    options_.range_bytes = std::size_t{4} << 20;
    options_.heap_bytes = std::size_t{32} << 10;
    // At least what three cells at once may take.
    options_.cache_bytes = pick({15 * 4096, 20 * 4096, 64 * 4096, 1024 * 4096});
    options_.moved_bytes = pick({4096, 2 * 4096, 4 * 4096, 64 * 4096});
    options_.log_entries = pick({4, 16, 64, 4096});
    options_.most_notices = pick({1, 4, 4096, 4096});
    options_.stamps_at_once = below(2) == 0;
    options_.checked = below(4) == 0 || look == checks::on;
    options_.check_bytes = std::size_t{16} << 20;
    options_.races_end = false;
    options_.same_address = false;
    options_.cached = fault != planted_fault::none || s.seed % 5 != 0;
    options_.fault = fault;
    if (fault != planted_fault::none) bias(fault);
    inboxes_.resize(static_cast<std::size_t>(s.ranks));
    addresses_.resize(s.cells.size());
    played_.resize(inboxes_.size());
  }

  outcome run() {
    try {
      simulation all(network_);
      all.run([&](int rank, transport& net) { rank_main(rank, net); });
    } catch (const std::exception& e) {
      result_.complaint += std::string("threw: ") + e.what() + "\n";
    }
    return std::move(result_);
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::uint64_t pick(std::array<std::uint64_t, 4> from) { return from[below(4)]; }

  /// Where the step that is left out matters.
  void bias(planted_fault fault) {
    if (fault == planted_fault::eviction_forgotten) options_.cache_bytes = 15 * 4096;
    if (fault == planted_fault::stamp_not_raised) {
      options_.log_entries = 4;
      options_.stamps_at_once = true;
    }
  }

  void rank_main(int rank, transport& net) {
    memory m(net, options_);
    m.ask(&played_[static_cast<std::size_t>(rank)]);
    m.begin_run();
    std::vector<std::uint64_t> arrays;
    for (const array_shape& a : script_.arrays) {
      if (a.distribution == 0) arrays.push_back(m.arrays().add_blocked(a.bytes));
      if (a.distribution == 1) arrays.push_back(m.arrays().add_cyclic(a.bytes, a.chunk));
      if (a.distribution == 2)
        arrays.push_back(m.arrays().add_listed(a.bytes, a.chunk, [&](std::uint64_t byte) {
          return static_cast<int>((byte / 4096 * 7 + 3) % static_cast<unsigned>(script_.ranks));
        }));
    }
    const std::uint64_t counter = m.arrays().add_blocked(64);
    if (rank == 0) {
      for (std::size_t i = 0; i != script_.cells.size(); ++i)
        if (script_.cells[i].array >= 0)
          addresses_[i] =
              arrays[static_cast<std::size_t>(script_.cells[i].array)] + script_.cells[i].offset;
    }
    net.barrier();
    if (rank == script_.root->rank) begin(*script_.root, nullptr, nullptr, coherence::root_task);
    while (!over_) {
      auto& inbox = inboxes_[static_cast<std::size_t>(rank)];
      if (inbox.empty()) {
        net.spend(300);
        continue;
      }
      // Any of those that wait: the order of arrival says nothing.
      const auto at = static_cast<std::ptrdiff_t>(below(inbox.size()));
      running* r = inbox[static_cast<std::size_t>(at)];
      inbox.erase(inbox.begin() + at);
      try {
        proceed(*r, m, net, counter);
      } catch (const std::exception& e) {
        result_.complaint += "rank " + std::to_string(rank) + " threw: " + e.what() + "\n";
        over_ = true;
      }
      played_[static_cast<std::size_t>(rank)].point = {};
    }
    net.barrier();
    if (rank == 0) {
      result_.counts = m.counts();
      if (m.words().load(counter) != script_.counted && result_.complaint.empty())
        result_.complaint = "the counter shows " + std::to_string(m.words().load(counter)) +
                            ", not " + std::to_string(script_.counted) + "\n";
    }
    if (m.resident_bytes() > options_.cache_bytes)
      result_.complaint += "the cache holds " + std::to_string(m.resident_bytes()) + " bytes\n";
    if (m.checked_out() != 0) result_.complaint += "something is still checked out\n";
    if (const char* wrong = m.check()) result_.complaint += std::string(wrong) + "\n";
    net.barrier();
  }

  void begin(const task& t, running* parent, const token* travelled, std::uint64_t number) {
    tasks_.emplace_back();
    running& r = tasks_.back();
    r.point.task = number;
    r.what = &t;
    r.parent = parent;
    if (travelled != nullptr) r.to_acquire.push_back(*travelled);
    inboxes_[static_cast<std::size_t>(t.rank)].push_back(&r);
  }

  void proceed(running& r, memory& m, transport& net, std::uint64_t counter) {
    if (!r.arrived) net.spend(r.what->delay_ns);
    r.arrived = true;
    for (const token& t : r.to_acquire) m.acquire(t);
    r.to_acquire.clear();
    played_[static_cast<std::size_t>(r.what->rank)].point = r.point;
    while (r.next != r.what->steps.size()) {
      const step& s = r.what->steps[r.next++];
      if (s.what == step::kind::fork) return fork(r, s, m);
      perform(s, m, counter);
    }
    end(r, m);
  }

  void fork(running& r, const step& s, memory& m) {
    r.missing = 2;
    const std::uint64_t number = m.at_fork(r.point);
    ++r.point.forks;
    std::array<token, 2> tokens;
    for (std::size_t i = 0; i != 2; ++i)
      if (s.children[i]->rank != r.what->rank) tokens[i] = m.release();
    for (std::size_t i = 0; i != 2; ++i)
      begin(*s.children[i], &r, s.children[i]->rank != r.what->rank ? &tokens[i] : nullptr,
            number == 0 ? 0 : number + i);
  }

  void end(running& r, memory& m) {
    if (r.parent == nullptr) {
      over_ = true;
      return;
    }
    running& parent = *r.parent;
    if (parent.what->rank != r.what->rank) parent.to_acquire.push_back(m.release());
    if (--parent.missing == 0)
      inboxes_[static_cast<std::size_t>(parent.what->rank)].push_back(&parent);
  }

  void perform(const step& s, memory& m, std::uint64_t counter) {
    switch (s.what) {
      case step::kind::count:
        m.words().fetch_add(counter, 1);
        return;
      case step::kind::allocate:
        addresses_[static_cast<std::size_t>(s.touches[0].cell)] =
            m.allocate(bytes_of(s.touches[0]));
        one(s.touches[0], access::write, m);
        return;
      case step::kind::free:
        one(s.touches[0], access::read, m);
        m.deallocate(addresses_[static_cast<std::size_t>(s.touches[0].cell)],
                     bytes_of(s.touches[0]));
        return;
      case step::kind::together:
        return together(s, m);
      case step::kind::read:
        return each(s, access::read, m);
      case step::kind::write:
        for (const touch& t : s.touches) one(t, access::write, m);
        return;
      case step::kind::raced_read:
        return raced(s, access::read, m);
      case step::kind::raced_write:
        return raced(s, access::write, m);
      case step::kind::raced_count:
        m.words().fetch_add(addresses_[static_cast<std::size_t>(s.touches[0].cell)], 1);
        return;
      case step::kind::raced_allocate:
        addresses_[static_cast<std::size_t>(s.touches[0].cell)] =
            m.allocate(bytes_of(s.touches[0]));
        return;
      case step::kind::raced_free:
        m.deallocate(addresses_[static_cast<std::size_t>(s.touches[0].cell)],
                     bytes_of(s.touches[0]));
        return;
      default:
        return each(s, access::read_write, m);
    }
  }

  /// One behind the other; in half of the steps all have begun before, some to be given up.
  void each(const step& s, access mode, memory& m) {
    std::vector<memory::begun> ahead;
    if (below(2) == 0)
      for (const touch& t : s.touches) ahead.push_back(m.begin(request_of(t, mode)));
    for (std::size_t i = 0; i != s.touches.size(); ++i) {
      const touch& t = s.touches[i];
      if (i >= ahead.size() || below(4) == 0) {
        one(t, mode, m);
        if (i < ahead.size()) m.abandon(ahead[i]);
      } else {
        use(t, mode, m, m.finish(request_of(t, mode), ahead[i]));
      }
    }
  }

  void raced(const step& s, access mode, memory& m) {
    const touch& t = s.touches[0];
    const held h = m.checkout(addresses_[static_cast<std::size_t>(t.cell)], bytes_of(t), mode);
    if (h.kept != nullptr) m.check_in(*h.kept);
  }

  std::uint32_t bytes_of(const touch& t) const {
    return script_.cells[static_cast<std::size_t>(t.cell)].bytes;
  }

  checkout_request request_of(const touch& t, access mode) const {
    return {addresses_[static_cast<std::size_t>(t.cell)], bytes_of(t), mode};
  }

  void one(const touch& t, access mode, memory& m) {
    const checkout_request r = request_of(t, mode);
    use(t, mode, m, m.checkout(r.offset, r.bytes, r.mode));
  }

  void use(const touch& t, access mode, memory& m, const held& h) {
    if (mode != access::write) verify(t, h.data, m);
    if (mode != access::read) fill(t, h.data);
    if (h.kept != nullptr) m.check_in(*h.kept);
  }

  void together(const step& s, memory& m) {
    std::vector<checkout_request> requests;
    for (const touch& t : s.touches)
      requests.push_back({addresses_[static_cast<std::size_t>(t.cell)], bytes_of(t),
                          t.becomes == t.value ? access::read : access::read_write});
    std::vector<held> got(requests.size());
    m.checkout_all(requests, got);
    for (std::size_t i = 0; i != got.size(); ++i) {
      verify(s.touches[i], got[i].data, m);
      if (requests[i].mode != access::read) fill(s.touches[i], got[i].data);
    }
    for (const held& h : got)
      if (h.kept != nullptr) m.check_in(*h.kept);
  }

  void verify(const touch& t, const std::byte* data, memory& m) {
    for (std::uint32_t i = 0; i != bytes_of(t); ++i) {
      if (data[i] == byte_of(t.value, i)) continue;
      if (result_.complaint.empty())
        result_.complaint =
            "cell " + std::to_string(t.cell) + " of " + std::to_string(bytes_of(t)) + " bytes at " +
            std::to_string(addresses_[static_cast<std::size_t>(t.cell)]) + ", byte " +
            std::to_string(i) + ", read on rank " + std::to_string(m.network().rank()) +
            ": not of value " + std::to_string(t.value) + "\n";
      return;
    }
  }

  void fill(const touch& t, std::byte* data) {
    for (std::uint32_t i = 0; i != bytes_of(t); ++i) data[i] = byte_of(t.becomes, i);
  }

  const script& script_;
  std::mt19937_64 random_;
  simulation_options network_;
  memory_options options_;
  outcome result_;
  std::vector<std::deque<running*>> inboxes_;  // by rank
  std::deque<running> tasks_;
  std::vector<std::uint64_t> addresses_;  // of cells
  std::deque<played> played_;             // by rank
  bool over_ = false;
};

}  // namespace

outcome play(const script& s, cluster::planted_fault fault, checks look) {
  return player(s, fault, look).run();
}

}  // namespace kasuri::test::global_programs
