// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/bench.hpp"
#include "sort/elements.hpp"

/// Sorting by the systems' own sorts. The variant "unstable" may reorder equal keys, "stable" pays
/// for not doing so. Without an input: random 32-bit integers.
namespace bench::sort {

/// What an input says, in words with commas between: at most one of random, almost, sorted, few;
/// one of strings, records; and n=1000.
struct kind {
  enum class element { integers, strings, records };

  std::optional<arrangement> order;
  std::optional<element> elements;
  std::optional<std::size_t> n;

  /// False where the word is unknown, or its place is taken.
  bool add(std::string_view word) {
    constexpr std::string_view length = "n=";
    if (word == "random") return set(order, arrangement::random);
    if (word == "almost") return set(order, arrangement::almost);
    if (word == "sorted") return set(order, arrangement::sorted);
    if (word == "few") return set(order, arrangement::few);
    if (word == "strings") return set(elements, element::strings);
    if (word == "records") return set(elements, element::records);
    if (word.substr(0, length.size()) != length) return false;
    std::size_t value = 0;
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data() + length.size(), last, value);
    return error == std::errc() && end == last && value > 0 && value <= most && set(n, value);
  }

  /// Empty where the text is something else.
  static std::optional<kind> from(std::string_view text) {
    kind read;
    if (text.ends_with(',')) return std::nullopt;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(','), text.size());
      if (!read.add(text.substr(0, end))) return std::nullopt;
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return read;
  }

  static constexpr std::size_t most = 1'000'000'000;  ///< elements

 private:
  template <class T>
  static bool set(std::optional<T>& place, T value) {
    if (place) return false;
    place = value;
    return true;
  }
};

struct problem {
  static constexpr const char* name = "sort";
  static bool accepts(const std::string& input) {
    return !input.empty() && kind::from(input).has_value();
  }
  struct answer {};  ///< the sorted elements stay in the problem

  explicit problem(const arguments& args)
      : problem(*kind::from(args.input), args.variant == "stable", args) {}

  problem rehearsal() const {
    const std::size_t small = std::min<std::size_t>(n, 100'000);
    return problem(what, stable, small, 100'000 / small);
  }
  void prepare() {
    std::visit([](auto& elements) { elements.prepare(); }, all);
  }
  std::string wrong(const answer&) const {
    return std::visit([this](const auto& elements) { return elements.wrong(stable); }, all);
  }
  std::vector<metric> metrics(double seconds, const answer&) const {
    return {{"time", "s", seconds / static_cast<double>(pieces)}};
  }

  kind what;
  bool stable;
  std::size_t n;       ///< elements of a piece
  std::size_t pieces;  ///< sorted in one solution
  std::variant<batch<std::uint32_t>, batch<std::string>, batch<record>> all;

 private:
  /// Strings and records are larger: there are ten times fewer of them by default.
  static std::size_t size_of(const kind& what, const arguments& args) {
    const bool large = what.elements.has_value();
    if (what.n && args.size > 0) {
      fail("sort: --size=" + std::to_string(args.size) +
               ": the input names n; accepted: one of them",
           not_applicable);
    }
    if (what.n) return *what.n;
    return static_cast<std::size_t>(large ? args.size_or(1'000'000, 100'000)
                                          : args.size_or(10'000'000, 1'000'000));
  }

  problem(const kind& read, bool is_stable, const arguments& args)
      : problem(read, is_stable, size_of(read, args),
                (read.elements ? 100'000 : 1'000'000) / size_of(read, args)) {}
  problem(const kind& read, bool is_stable, std::size_t size, std::size_t wanted)
      : what(read),
        stable(is_stable),
        n(size),
        pieces(std::max<std::size_t>(wanted, 1)),
        all(made(what, n, pieces)) {}

  static decltype(all) made(const kind& what, std::size_t n, std::size_t pieces) {
    const arrangement order = what.order.value_or(arrangement::random);
    switch (what.elements.value_or(kind::element::integers)) {
      case kind::element::strings:
        return batch<std::string>(order, n, pieces);
      case kind::element::records:
        return batch<record>(order, n, pieces);
      default:
        return batch<std::uint32_t>(order, n, pieces);
    }
  }
};

/// A variant from a function that sorts a range.
template <class Sort>
variant<problem> sorted_by(const char* name, Sort sort) {
  return {name, [sort](problem& p) {
            std::visit([&sort](auto& elements) { elements.sort_with(sort); }, p.all);
            return problem::answer{};
          }};
}

}  // namespace bench::sort
