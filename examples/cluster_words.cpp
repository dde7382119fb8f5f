// SPDX-License-Identifier: Apache-2.0
#include <kasuri/global.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <unordered_map>

namespace global = kasuri::global;

using word = std::array<char, 16>;

// A text on all ranks.
constexpr std::string_view verse =
    "the quick brown fox jumps over the lazy dog and the fox sleeps\n";
constexpr std::size_t verses = 20'000;

word as_key(std::string_view text) {
  word key{};
  text.copy(key.data(), key.size());
  return key;
}

// Counts the words of a part here, so that each is one operation on the map, and not each of its
// occurrences. False: the map had no room for one of them.
bool count(global::view<const char> part, global::hash_map_view<word, std::uint64_t> counts) {
  std::unordered_map<std::string_view, std::uint64_t> here;
  const auto chars = global::checkout(part, global::read);
  std::string_view text(chars.data(), chars.size());
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" \n");
    if (end != 0) ++here[text.substr(0, end)];
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  // Add:
  bool all = true;
  for (const auto& [text_of_word, n] : here)
    all = counts.add(as_key(text_of_word), n) != global::insertion::full && all;
  return all;
  // end
}

struct counted {
  global::ptr<std::uint64_t> words;  // how many words there are, and how many found the map full
  global::ptr<std::uint64_t> refused;
};

int main() {
  const global::vector<char> text(verses * verse.size());
  const global::hash_map<word, std::uint64_t> map(1000);
  const global::bag<word> often;

  const std::uint64_t words =
      global::run([text = text.view(), counts = map.view(), often = often.view()] {
        global::parallel_for(std::size_t{0}, verses, 500, [=](std::size_t lo, std::size_t hi) {
          const auto part = global::checkout(
              text.subview(lo * verse.size(), (hi - lo) * verse.size()), global::write);
          for (std::size_t i = 0; i != part.size(); ++i) part[i] = verse[i % verse.size()];
        });

        const counted sum{global::allocate<std::uint64_t>(1), global::allocate<std::uint64_t>(1)};
        global::atomic_store(sum.words, 0);
        global::atomic_store(sum.refused, 0);
        global::parallel_for(std::size_t{0}, verses, 500, [=](std::size_t lo, std::size_t hi) {
          if (!count(text.subview(lo * verse.size(), (hi - lo) * verse.size()), counts))
            global::fetch_add(sum.refused, 1);
        });
        counts.for_each([=](const word& key, std::uint64_t n) {
          global::fetch_add(sum.words, n);
          if (n > verses) often.add(key);
        });
        return global::atomic_load(sum.refused) != 0 ? 0 : global::atomic_load(sum.words);
      });

  const std::size_t different = map.view().size();
  const auto the = map.view().find(as_key("the"));
  if (global::rank() == 0)
    std::printf("%d ranks: %llu words, %zu different, %zu more often than verses\n",
                global::num_ranks(), static_cast<unsigned long long>(words), different,
                often.view().size());
  return words == 13 * verses && different == 10 && the == 3 * verses && often.view().size() == 2
             ? 0
             : 1;
}
