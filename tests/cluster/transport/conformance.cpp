// SPDX-License-Identifier: Apache-2.0
// Every promise of transport.hpp, as a rank of a job of whatever size and network. Says at rank 0
// what was checked; the first difference ends the rank, and so the job.
#include <kasuri/detail/atomics.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "cluster/transport/open/open.hpp"
#include "cluster/transport/transport.hpp"
#include "platform/cpu/cpus.hpp"
#include "platform/memory/memory.hpp"
#include "platform/settings/settings.hpp"

namespace {

using namespace kasuri;
using cluster::window;

std::unique_ptr<cluster::transport> network;
int me = 0;
int ranks = 1;
long checks = 0;

void check(bool good, const char* what, std::uint64_t a = 0, std::uint64_t b = 0) {
  ++checks;
  if (good) return;
  std::fprintf(stderr, "rank %d: %s (%llu, %llu)\n", me, what, static_cast<unsigned long long>(a),
               static_cast<unsigned long long>(b));
  ::_Exit(1);
}

void equal(std::uint64_t a, std::uint64_t b, const char* what) { check(a == b, what, a, b); }

std::byte pattern(int owner, std::size_t index) {
  return static_cast<std::byte>(static_cast<std::size_t>(owner) * 37 + index * 7 + index / 251);
}

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

constexpr std::size_t sizes[] = {1, 2, 3, 7, 8, 9, 63, 64, 65, 1000, 4096, 65536, 300'001};

void copies() {
  constexpr std::size_t bytes = 400'000;
  window w = network->allocate(bytes);
  for (std::size_t i = 0; i < bytes; ++i) check(w.local[i] == std::byte{0}, "a new window is zero");
  for (std::size_t i = 0; i < bytes; ++i) w.local[i] = pattern(me, i);
  network->barrier();
  for (int target = 0; target < ranks; ++target) {
    for (const std::size_t size : sizes) {
      for (const std::size_t offset : {std::size_t{0}, std::size_t{1}, std::size_t{4093}}) {
        std::vector<std::byte> to(size);
        network->get(target, w, offset, to.data(), size);
        network->flush(target);
        for (std::size_t i = 0; i < size; ++i) {
          check(to[i] == pattern(target, offset + i), "get", i, size);
        }
      }
    }
  }
  network->barrier();
  // Everybody writes a stripe of everybody's window, in pieces of all sizes at once.
  const std::size_t stripe = bytes / static_cast<std::size_t>(ranks);
  const std::size_t begin = stripe * static_cast<std::size_t>(me);
  std::vector<std::byte> from(stripe);
  for (std::size_t i = 0; i < stripe; ++i) from[i] = pattern(me + 100, begin + i);
  for (int target = 0; target < ranks; ++target) {
    std::size_t done = 0;
    for (std::size_t turn = 0; done < stripe; ++turn) {
      const std::size_t size = std::min(sizes[turn % std::size(sizes)], stripe - done);
      network->put(target, w, begin + done, from.data() + done, size);
      done += size;
    }
  }
  for (int target = ranks; target-- > 0;) network->flush(target);
  network->barrier();
  for (std::size_t i = 0; i < stripe * static_cast<std::size_t>(ranks); ++i) {
    const int writer = static_cast<int>(i / stripe);
    check(w.local[i] == pattern(writer + 100, i), "put", i);
  }
  network->free(w);
}

// Many gets under way to many targets; each is complete after its own target's flush.
void overlapping() {
  constexpr std::size_t piece = 32 * 1024;
  constexpr std::size_t pieces = 16;
  window w = network->allocate(piece * pieces);
  for (std::size_t i = 0; i < piece * pieces; ++i) w.local[i] = pattern(me, i);
  network->barrier();
  std::vector<std::byte> to(piece * pieces * static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < pieces; ++i) {
    for (int target = 0; target < ranks; ++target) {
      network->get(target, w, i * piece,
                   &to[(static_cast<std::size_t>(target) * pieces + i) * piece], piece);
    }
  }
  for (int target = 0; target < ranks; ++target) {
    network->flush(target);
    for (std::size_t i = 0; i < piece * pieces; ++i) {
      check(to[static_cast<std::size_t>(target) * pieces * piece + i] == pattern(target, i),
            "overlapping gets", i);
    }
  }
  network->barrier();
  network->free(w);
}

void atomics() {
  window w = network->allocate(64);
  const std::uint64_t count = 300;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t before = network->fetch_add(0, w, 0, 1);
    check(i == 0 || before > last, "fetch_add returns ever larger words", before, last);
    last = before;
    std::uint64_t seen = network->load(ranks - 1, w, 8);
    for (std::uint64_t found; true; seen = found) {
      found = network->compare_swap(ranks - 1, w, 8, seen, seen + 3);
      if (found == seen) break;
    }
  }
  equal(network->compare_swap(0, w, 16, 77, 78), 0, "a failed compare_swap returns the word");
  network->barrier();
  const auto all = static_cast<std::uint64_t>(ranks);
  equal(network->load(0, w, 0), count * all, "sum of fetch_add");
  equal(network->load(ranks - 1, w, 8), 3 * count * all, "sum of compare_swap");
  equal(network->load(0, w, 16), 0, "word of a failed compare_swap");
  network->barrier();
  network->fetch_add(me, w, 24, ~std::uint64_t{0});  // wraps
  equal(network->load(me, w, 24), ~std::uint64_t{0}, "fetch_add of -1");
  network->barrier();
  network->free(w);
}

/// Both halves of a word at once, and puts beside them.
template <class Word>
void atomics_of() {
  using op = cluster::atomic_operation;
  using kind = op::kind;
  constexpr std::uint32_t bytes = sizeof(Word);
  window w = network->allocate(4096);
  const std::uint64_t count = 200;
  const auto all = static_cast<std::uint64_t>(ranks);
  for (std::uint64_t i = 0; i < count; ++i) {
    network->apply(0, w, 8, op{kind::add, bytes, ~std::uint64_t{0}, 0});
    network->apply(0, w, 8 + bytes, op{kind::add, bytes, 2, 0});
    std::uint64_t seen = network->apply(ranks - 1, w, 64, op{kind::load, bytes, 0, 0});
    for (std::uint64_t found; true; seen = found) {
      found = network->apply(ranks - 1, w, 64, op{kind::compare_swap, bytes, seen + 3, seen});
      if (found == seen) break;
    }
    const auto mine = static_cast<Word>(1000 * (static_cast<std::uint64_t>(me) + 1) + i);
    const std::uint64_t before =
        network->apply(ranks - 1, w, 128, op{kind::exchange, bytes, mine, 0});
    check(before == 0 || before % 1000 < count, "what an exchange returns", before);
    if (bytes == 8) continue;
    const auto beside = static_cast<Word>(i);
    network->put(ranks - 1, w, 68, &beside, bytes);
    network->flush(ranks - 1);
  }
  network->barrier();
  const auto load = [&](int target, std::size_t at) {
    return network->apply(target, w, at, op{kind::load, bytes, 0, 0});
  };
  equal(load(0, 8), static_cast<Word>(~(count * all) + 1), "sum of apply");
  equal(load(0, 8 + bytes), 2 * count * all, "sum of apply beside another");
  equal(load(ranks - 1, 64), static_cast<Word>(3 * count * all), "compare_swap by apply");
  equal(load(ranks - 1, 128) % 1000, count - 1, "the last exchange");
  if (bytes == 4) equal(load(ranks - 1, 68), count - 1, "a put beside a word");
  equal(network->apply(0, w, 256, op{kind::compare_swap, bytes, 8, 7}), 0, "a failed swap");
  equal(load(0, 256), 0, "a word of a failed swap");
  network->barrier();
  network->free(w);
}

// Data, then a word: whoever sees the word sees the data, by plain loads of its own memory.
void publication() {
  constexpr std::size_t bytes = 5000;
  window w = network->allocate(2 * bytes + 16);
  const int next = (me + 1) % ranks;
  std::vector<std::byte> data(bytes);
  for (std::uint64_t round = 1; round <= 50; ++round) {
    for (std::size_t i = 0; i < bytes; ++i) data[i] = pattern(me, i + round);
    network->put(next, w, 16, data.data(), bytes);
    network->flush(next);
    if (round % 2 == 0) {
      network->store(next, w, 0, round);
    } else {
      network->compare_swap(next, w, 0, round - 1, round);
    }
    network->ring(next);
    while (network->load(me, w, 0) != round) network->nap(1'000'000);
    const int previous = (me + ranks - 1) % ranks;
    for (std::size_t i = 0; i < bytes; ++i) {
      check(w.local[16 + i] == pattern(previous, i + round), "data before its word", i, round);
    }
    // What a rank writes to its own part is seen by whoever sees a word that it stores afterwards.
    for (std::size_t i = 0; i < bytes; ++i) w.local[16 + bytes + i] = pattern(me, i + 3 * round);
    network->store(me, w, 8, round);
    while (network->load(next, w, 8) != round) network->nap(50'000);
    network->get(next, w, 16 + bytes, data.data(), bytes);
    network->flush(next);
    for (std::size_t i = 0; i < bytes; ++i) {
      check(data[i] == pattern(next, i + 3 * round), "own writes before a word", i, round);
    }
    network->barrier();
  }
  network->free(w);
}

// A token goes round; a wake-up that is lost would leave all asleep for a minute a time.
void naps() {
  window w = network->allocate(8);
  const int next = (me + 1) % ranks;
  const int rounds = 400 / ranks;
  for (int round = 0; round < rounds && ranks > 1; ++round) {
    const auto turn = static_cast<std::uint64_t>(round);
    if (me != 0 || round != 0) {
      const std::uint64_t expected = me == 0 ? turn : turn + 1;
      while (network->load(me, w, 0) != expected) network->nap(60'000'000'000);
    }
    network->store(next, w, 0, turn + 1);
    network->ring(next);
  }
  network->barrier();
  network->nap(0);  // takes what is left of the last round
  network->ring(me);
  network->nap(60'000'000'000);  // one's own ring counts, too
  const std::uint64_t before = network->now_ns();
  network->nap(2'000'000);
  check(network->now_ns() - before < 60'000'000'000, "a nap ends");
  network->barrier();
  network->free(w);
}

void collectives() {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{8}, std::size_t{70'000}, std::size_t{200'000}}) {
    for (int root = 0; root < ranks; ++root) {
      std::vector<std::byte> data(size);
      if (me == root) {
        for (std::size_t i = 0; i < size; ++i) data[i] = pattern(root, i);
      }
      network->broadcast(root, data);
      for (std::size_t i = 0; i < size; ++i) check(data[i] == pattern(root, i), "broadcast", i);
    }
    std::vector<std::byte> mine(size), all(size * static_cast<std::size_t>(ranks));
    for (std::size_t i = 0; i < size; ++i) mine[i] = pattern(me, i);
    network->all_gather(mine, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      check(all[i] == pattern(static_cast<int>(i / size), i % size), "all_gather", i);
    }
  }
  // Nobody passes a barrier before all have come.
  window w = network->allocate(8);
  for (std::uint64_t round = 1; round <= 40; ++round) {
    network->fetch_add(0, w, 0, 1);
    network->barrier();
    const std::uint64_t now = network->load(0, w, 0);
    equal(now, round * static_cast<std::uint64_t>(ranks), "barrier");
    network->barrier();
  }
  network->free(w);
}

void aliases() {
  const std::size_t page = platform::page_size();
  window w = network->allocate(8 * page);
  auto* room = static_cast<std::byte*>(platform::reserve(4 * page));
  network->alias(w, 2 * page, 3 * page, room + page);
  for (std::size_t i = 0; i < 3 * page; ++i) room[page + i] = pattern(me, i);
  for (std::size_t i = 0; i < 3 * page; ++i) {
    check(w.local[2 * page + i] == pattern(me, i), "a write through an alias", i);
  }
  network->barrier();
  const int next = (me + 1) % ranks;
  std::vector<std::byte> data(3 * page);
  network->get(next, w, 2 * page, data.data(), data.size());
  network->flush(next);
  for (std::size_t i = 0; i < data.size(); ++i) check(data[i] == pattern(next, i), "get of it", i);
  network->barrier();
  for (std::byte& each : data) each ^= std::byte{0x55};
  network->put(next, w, 2 * page, data.data(), data.size());
  network->flush(next);
  network->barrier();
  for (std::size_t i = 0; i < 3 * page; ++i) {
    check(room[page + i] == (pattern(me, i) ^ std::byte{0x55}), "a put seen through an alias", i);
  }
  network->free(w);
  platform::release(room, 4 * page);
}

void windows() {
  std::vector<window> held;
  for (std::size_t i = 0; i < 24; ++i) {
    held.push_back(network->allocate(1 + i * 5000));
    equal(reinterpret_cast<std::uintptr_t>(held.back().local) % platform::page_size(), 0,
          "a window begins at a page");
    held.back().local[i * 5000] = static_cast<std::byte>(i + 1);
    if (i % 3 == 2) {
      network->free(held[i - 1]);
      held[i - 1].local = nullptr;
    }
  }
  network->barrier();
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i].local == nullptr) continue;
    std::byte last{0};
    const int target = (me + 1) % ranks;
    network->get(target, held[i], i * 5000, &last, 1);
    network->flush(target);
    check(last == static_cast<std::byte>(i + 1), "one of many windows", i);
  }
  network->barrier();
  for (window& each : held) {
    if (each.local != nullptr) network->free(each);
  }
  bool refused = false;
  try {
    network->allocate(std::size_t{1} << 60);
  } catch (const std::bad_alloc&) {
    refused = true;
  }
  check(refused, "a window of 2^60 bytes is refused");
}

// Several threads of each rank at once, each with words and stripes of its own and one word for
// all.
void threads() {
  constexpr std::size_t stripe = 4096;
  constexpr int team = 3;
  window w = network->allocate(stripe * team * static_cast<std::size_t>(ranks) + 8);
  const std::size_t common = stripe * team * static_cast<std::size_t>(ranks);
  std::vector<std::thread> members;
  for (int member = 0; member < team; ++member) {
    members.emplace_back([&, member] {
      const auto seat = static_cast<std::size_t>(me * team + member);
      std::vector<std::byte> from(stripe), to(stripe);
      for (int round = 0; round < 30; ++round) {
        const int target = (me + member + round) % ranks;
        for (std::size_t i = 0; i < stripe; ++i) from[i] = pattern(member + round, i + seat);
        network->put(target, w, seat * stripe, from.data(), stripe);
        network->flush(target);
        network->get(target, w, seat * stripe, to.data(), stripe);
        network->flush(target);
        if (from != to) {
          std::fprintf(stderr, "rank %d: a thread's put and get differ\n", me);
          ::_Exit(1);
        }
        network->fetch_add(0, w, common, 1);
        network->ring(target);
        network->progress();
      }
    });
  }
  for (std::thread& each : members) each.join();
  network->barrier();
  equal(network->load(0, w, common), static_cast<std::uint64_t>(30 * team * ranks),
        "fetch_add by threads");
  network->barrier();
  network->free(w);
}

void hosts() {
  const int mine = network->host_of(me);
  std::vector<int> all(static_cast<std::size_t>(ranks));
  network->all_gather(bytes_of(mine), std::as_writable_bytes(std::span(all)));
  int most = 0;
  for (int r = 0; r < ranks; ++r) {
    equal(static_cast<std::uint64_t>(network->host_of(r)),
          static_cast<std::uint64_t>(all[static_cast<std::size_t>(r)]), "host_of");
    check(network->host_of(r) <= most, "hosts are counted from 0");
    most = std::max(most, network->host_of(r) + 1);
  }
  // Ranks that have the same CPUs share them out, unless the user has said how many workers there
  // are.
  const char* workers = std::getenv("EXPECTED_WORKERS");
  const int my_workers = platform::current_settings().num_workers;
  network->all_gather(bytes_of(my_workers), std::as_writable_bytes(std::span(all)));
  const int sum = std::accumulate(all.begin(), all.end(), 0);
  if (workers != nullptr) {
    const bool shared = std::strcmp(workers, "shared") == 0;
    check(sum == (shared ? std::max(ranks, platform::usable_cpus()) : ranks * std::atoi(workers)),
          "workers of all ranks", static_cast<std::uint64_t>(sum));
  }
  const char* expected = std::getenv("EXPECTED_HOSTS");
  if (expected != nullptr) {
    equal(static_cast<std::uint64_t>(most), std::strtoull(expected, nullptr, 10), "hosts");
  }
}

}  // namespace

int main(int argc, char** argv) {
  network = cluster::open_transport();
  me = network->rank();
  ranks = network->size();
  if (argc > 1) {
    equal(static_cast<std::uint64_t>(ranks), std::strtoull(argv[1], nullptr, 10), "ranks");
  }
  const bool quick = argc > 2;  // the network is there: a few rounds suffice
  struct part {
    const char* name;
    void (*run)();
    bool long_one = false;
  };
  for (const part& each :
       {part{"hosts", hosts}, part{"collectives", collectives}, part{"copies", copies, true},
        part{"overlapping", overlapping}, part{"atomics", atomics},
        part{"words of 8", atomics_of<std::uint64_t>},
        part{"words of 4", atomics_of<std::uint32_t>}, part{"publication", publication},
        part{"naps", naps}, part{"aliases", aliases}, part{"windows", windows},
        part{"threads", threads}}) {
    if (quick && each.long_one) continue;
    const std::uint64_t before = network->now_ns();
    each.run();
    network->barrier();
    if (std::getenv("CONFORMANCE_TIMES") != nullptr && me == 0) {
      std::printf("%s %.1f ms\n", each.name,
                  static_cast<double>(network->now_ns() - before) * 1e-6);
    }
  }
  if (me == 0) std::printf("%d ranks: %ld checks\n", ranks, checks);
  std::fflush(stdout);
  network.reset();
  return 0;
}
