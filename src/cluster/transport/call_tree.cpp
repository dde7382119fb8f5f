// SPDX-License-Identifier: Apache-2.0
#include "cluster/transport/call_tree.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "kasuri/detail/atomics.hpp"
#include "platform/base/expect.hpp"
#include "platform/base/fatal.hpp"

namespace kasuri::cluster {
namespace {

// The window, at each rank: a word for each child, one each for `begin` and `end`, the call that
// the rank is in, one below it that is in another, and the buffers.
constexpr std::size_t line = 64;
constexpr std::size_t told_words = 0;
constexpr std::size_t begin_word = told_words + 8 * tree_place::fan_out;
constexpr std::size_t end_word = begin_word + line;
constexpr std::size_t own_call = end_word + line;
constexpr std::size_t odd_call = own_call + line;
constexpr std::size_t buffers = odd_call + line;
static_assert(begin_word % line == 0 && sizeof(collective_call) <= line);

constexpr std::size_t up = 0;
constexpr std::size_t begin = 1;
constexpr std::size_t end = 2;

constexpr std::uint64_t shortest_nap_ns = 20'000;
constexpr std::uint64_t longest_nap_ns = 1'000'000;

// A word: the call's number, a mark of what it is, or no_mark, and the size of the buffer.
constexpr unsigned number_bits = 20;
constexpr unsigned mark_bits = 26;
constexpr unsigned size_bits = 18;
static_assert(number_bits + mark_bits + size_bits == 64);
constexpr std::uint64_t no_mark = 0;  // below is a rank in another call

constexpr std::uint64_t low_bits(unsigned n) { return (std::uint64_t{1} << n) - 1; }

/// Of a call, never no_mark: other calls have another one, but for one in 2^26.
std::uint64_t mark_of(const collective_call& call) {
  std::uint64_t h = 0x9e3779b97f4a7c15;
  for (const std::uint64_t part : {static_cast<std::uint64_t>(call.what),
                                   std::uint64_t{call.number}, call.sizes[0], call.sizes[1]}) {
    h = (h ^ part) * 0xff51afd7ed558ccd;
    h ^= h >> 32;
  }
  return std::max<std::uint64_t>(h & low_bits(mark_bits), 1);
}

std::uint64_t make_word(std::uint32_t number, std::uint64_t mark, std::size_t bytes) {
  KASURI_EXPECT(cheap, bytes % 8 == 0 && bytes / 8 <= low_bits(size_bits),
                "%zu bytes are told of in a word", bytes);
  return (std::uint64_t{number} & low_bits(number_bits)) << (mark_bits + size_bits) |
         mark << size_bits | bytes / 8;
}
bool is_of(std::uint64_t word, std::uint32_t number) {
  return word >> (mark_bits + size_bits) == (std::uint64_t{number} & low_bits(number_bits));
}
std::uint64_t mark_in(std::uint64_t word) { return word >> size_bits & low_bits(mark_bits); }
std::size_t bytes_in(std::uint64_t word) { return (word & low_bits(size_bits)) * 8; }

// Calls of other kinds lie between two runs, any number of them: a run's word has all of it.
std::uint64_t make_end_word(std::uint32_t number, std::size_t bytes) {
  return std::uint64_t{number} << 32 | bytes / 8;
}

}  // namespace

/// A rank below that is in another call.
struct call_tree::other_call {
  int rank = -1;  // none
  collective_call call;
};

std::size_t call_tree::most_bytes(int ranks) noexcept {
  constexpr std::size_t of_all = std::size_t{6} << 20;
  return std::clamp(of_all / static_cast<std::size_t>(ranks), std::size_t{24} << 10,
                    std::size_t{768} << 10);
}

call_tree::call_tree(transport& network)
    : network_(network),
      place_(tree_place::of(network.rank(), network.size())),
      most_(most_bytes(network.size()) + own_bytes),
      words_(network.allocate(buffers + 3 * most_)) {}

std::size_t call_tree::buffer(std::size_t i) const noexcept { return buffers + i * most_; }

/// Where others get it, when they have been told to.
void call_tree::write(std::size_t at, std::span<const std::byte> bytes) {
  KASURI_EXPECT(cheap, at + bytes.size() <= words_.bytes && bytes.size() <= most_,
                "%zu bytes at %zu of a window of %zu", bytes.size(), at, words_.bytes);
  std::ranges::copy(bytes, words_.local + at);
}

std::vector<std::byte> call_tree::get(int rank, std::size_t at, std::size_t bytes) {
  std::vector<std::byte> found(bytes);
  if (bytes == 0) return found;
  network_.get(rank, words_, at, found.data(), bytes);
  network_.flush(rank);
  return found;
}

/// Waits for a word of this call, which another rank stores here.
std::uint64_t call_tree::await(std::size_t word) {
  const std::uint32_t number = number_.load(std::memory_order_relaxed);
  for (std::uint64_t ns = shortest_nap_ns;; ns = std::min(2 * ns, longest_nap_ns)) {
    for (unsigned looks = network_.looks_before_nap(); looks != 0; --looks) {
      const std::uint64_t value = network_.load(network_.rank(), words_, word);
      if (is_of(value, number)) return value;
      if (looks != 1) detail::real_atomics::pause();
    }
    network_.nap(ns);
  }
}

void call_tree::tell_children(std::size_t word, std::uint64_t value, std::size_t at,
                              std::span<const std::byte> bytes) {
  if (place_.children.empty()) return;
  write(at, bytes);
  for (const int child : place_.children) {
    network_.store(child, words_, word, value);
    network_.ring(child);
  }
}

/// The child's own call where that is not this rank's, else one below it.
call_tree::other_call call_tree::look_at(int child, bool has_odd) {
  other_call found{child, {}};
  std::memcpy(&found.call, get(child, own_call, sizeof found.call).data(), sizeof found.call);
  if (has_odd && found.call == network_.entered())
    std::memcpy(&found, get(child, odd_call, sizeof found).data(), sizeof found);
  return found;
}

void call_tree::gather(carried* load, other_call& odd) {
  const std::uint64_t mark = mark_of(network_.entered());
  std::array<std::uint64_t, tree_place::fan_out> words;
  std::array<std::vector<std::byte>, tree_place::fan_out> told;
  const std::size_t count = place_.children.size();
  for (std::size_t i = 0; i != count; ++i) words[i] = await(told_words + 8 * i);
  for (std::size_t i = 0; i != count; ++i) {
    told[i].resize(bytes_in(words[i]));
    if (told[i].empty()) continue;
    network_.get(place_.children[i], words_, buffer(up), told[i].data(), told[i].size());
  }
  for (std::size_t i = 0; i != count; ++i) {
    if (!told[i].empty()) network_.flush(place_.children[i]);
    if (mark_in(words[i]) != mark && odd.rank < 0)
      odd = look_at(place_.children[i], mark_in(words[i]) == no_mark);
  }
  if (load == nullptr || odd.rank >= 0) return;
  for (std::size_t i = 0; i != count; ++i)
    if (!told[i].empty()) load->add(told[i]);
}

void call_tree::meet(carried* load) {
  const collective_call& call = network_.entered();
  number_.store(call.number, std::memory_order_relaxed);
  write(own_call, std::as_bytes(std::span(&call, 1)));
  other_call odd;
  gather(load, odd);
  std::span<const std::byte> all;
  if (load != nullptr && odd.rank < 0) all = load->told();
  std::vector<std::byte> got;
  if (place_.parent < 0) {
    if (odd.rank >= 0)
      platform::fatal(
          "collective calls that do not match: rank 0 is in %s, rank %d in %s; accepted: "
          "the same calls by all ranks, in the same order",
          in_words(call).c_str(), odd.rank, in_words(odd.call).c_str());
  } else {
    std::uint64_t mark = mark_of(call);
    if (odd.rank >= 0) {
      write(odd_call, std::as_bytes(std::span(&odd, 1)));
      mark = no_mark;
    }
    write(buffer(up), all);
    network_.store(place_.parent, words_, told_words + 8 * static_cast<std::size_t>(place_.seat),
                   make_word(call.number, mark, all.size()));
    network_.ring(place_.parent);
    got = get(place_.parent, buffer(begin), bytes_in(await(begin_word)));
    all = got;
  }
  tell_children(begin_word, make_word(call.number, mark_of(call), all.size()), buffer(begin), all);
  if (load != nullptr && !all.empty()) load->learn(all);
}

void call_tree::hand_down(std::span<const std::byte> outcome) {
  KASURI_EXPECT(cheap, place_.parent < 0 && outcome.size() % 8 == 0,
                "rank %d hands down an outcome of %zu bytes", network_.rank(), outcome.size());
  tell_children(end_word, make_end_word(number_.load(std::memory_order_relaxed), outcome.size()),
                buffer(end), outcome);
}

bool call_tree::has_outcome() const {
  const std::uint64_t word = network_.load(network_.rank(), words_, end_word);
  return word >> 32 == number_.load(std::memory_order_relaxed);
}

std::vector<std::byte> call_tree::take_outcome() {
  KASURI_EXPECT(cheap, has_outcome(), "rank %d takes the outcome of call %u, which goes on",
                network_.rank(), number_.load(std::memory_order_relaxed));
  const std::uint64_t word = network_.load(network_.rank(), words_, end_word);
  std::vector<std::byte> outcome =
      get(place_.parent, buffer(end), (word & low_bits(size_bits)) * 8);
  tell_children(end_word, word, buffer(end), outcome);
  return outcome;
}

}  // namespace kasuri::cluster
