// SPDX-License-Identifier: Apache-2.0
// The values of OMP_PLACES, GOMP_CPU_AFFINITY and KMP_AFFINITY, parsed.
#include <algorithm>
#include <functional>
#include <utility>

#include "omp/base/text_cursor.hpp"
#include "omp/env/place_list.hpp"

namespace kasuri::omp {
namespace {

using std::optional;

constexpr std::pair<std::string_view, place_kind> names[] = {
    {"threads", place_kind::threads},     {"cores", place_kind::cores},
    {"ll_caches", place_kind::ll_caches}, {"numa_domains", place_kind::numa_domains},
    {"sockets", place_kind::sockets},
};

optional<place_kind> kind_of(std::string_view word) {
  for (const auto& [name, kind] : names)
    if (same_word(word, name)) return kind;
  return std::nullopt;
}

/// A level of KMP_HW_SUBSET by its name or the first letter of it.
optional<place_kind> layer_of(std::string_view word) {
  constexpr std::pair<std::string_view, place_kind> layers[] = {{"s", place_kind::sockets},
                                                                {"socket", place_kind::sockets},
                                                                {"package", place_kind::sockets},
                                                                {"n", place_kind::numa_domains},
                                                                {"numa", place_kind::numa_domains},
                                                                {"node", place_kind::numa_domains},
                                                                {"l", place_kind::ll_caches},
                                                                {"l3", place_kind::ll_caches},
                                                                {"ll_cache", place_kind::ll_caches},
                                                                {"l3_cache", place_kind::ll_caches},
                                                                {"c", place_kind::cores},
                                                                {"core", place_kind::cores},
                                                                {"t", place_kind::threads},
                                                                {"thread", place_kind::threads}};
  std::string_view single = word;
  if (single.size() > 2 && (single.ends_with('s') || single.ends_with('S')))
    single.remove_suffix(1);
  for (const auto& [name, kind] : layers)
    if (same_word(word, name) || same_word(single, name)) return kind;
  return std::nullopt;
}

/// ":count" and ":count:stride" after a number or a place.
bool parse_repeat(text_cursor& text, std::int64_t& count, std::int64_t& stride) {
  if (!text.take(':')) return true;
  const auto given = text.integer(1);
  if (!given) return false;
  count = *given;
  if (!text.take(':')) return true;
  const auto step = text.integer();
  if (!step) return false;
  stride = *step;
  return true;
}

/// "0", "0:4", "0:4:2", "!3"
optional<cpu_interval> parse_cpu_interval(text_cursor& text) {
  cpu_interval interval;
  interval.excluded = text.take('!');
  const auto first = text.integer(0);
  if (!first) return std::nullopt;
  interval.first = *first;
  if (!interval.excluded && !parse_repeat(text, interval.count, interval.stride))
    return std::nullopt;
  return interval;
}

/// "{0,1}", "{0:2}:4:2", "!{2,3}", and a number alone for a place of one CPU
optional<place_interval> parse_place_interval(text_cursor& text) {
  place_interval interval;
  interval.excluded = text.take('!');
  if (text.take('{')) {
    do {
      const auto cpus = parse_cpu_interval(text);
      if (!cpus) return std::nullopt;
      interval.cpus.push_back(*cpus);
    } while (text.take(','));
    if (!text.take('}')) return std::nullopt;
  } else {
    const auto number = text.integer(0);
    if (!number) return std::nullopt;
    interval.cpus.push_back({.first = *number});
  }
  if (!interval.excluded && !parse_repeat(text, interval.count, interval.stride))
    return std::nullopt;
  return interval;
}

/// "3", "1-2", "4-15:2" of GOMP_CPU_AFFINITY and of proclist
optional<cpu_interval> parse_cpu_range(text_cursor& text) {
  const auto first = text.integer(0);
  if (!first) return std::nullopt;
  cpu_interval interval{.first = *first};
  if (!text.take('-')) return interval;
  const auto last = text.integer(*first);
  if (!last) return std::nullopt;
  if (text.take(':')) {
    const auto stride = text.integer(1);
    if (!stride) return std::nullopt;
    interval.stride = *stride;
  }
  interval.count = (*last - *first) / interval.stride + 1;
  return interval;
}

/// proclist=[0,2-4,{5,6}]: a set in braces is one place.
bool parse_proclist(text_cursor& text, place_request& places) {
  if (!text.take('=') || !text.take('[')) return false;
  do {
    if (text.next() == '{') {
      const auto place = parse_place_interval(text);
      if (!place) return false;
      places.listed.push_back(*place);
      continue;
    }
    const auto range = parse_cpu_range(text);
    if (!range) return false;
    for (std::int64_t n = 0; n != range->count && n != 65536; ++n)
      places.listed.push_back({.cpus = {{.first = range->first + n * range->stride}}});
  } while (text.take(','));
  return text.take(']');
}

optional<place_kind> parse_granularity(text_cursor& text) {
  if (!text.take('=')) return std::nullopt;
  const std::string_view word = text.word();
  if (same_word(word, "fine") || same_word(word, "thread")) return place_kind::threads;
  if (same_word(word, "core") || same_word(word, "tile")) return place_kind::cores;
  if (same_word(word, "socket") || same_word(word, "package")) return place_kind::sockets;
  if (same_word(word, "numa") || same_word(word, "node")) return place_kind::numa_domains;
  if (same_word(word, "ll_cache") || same_word(word, "l3_cache")) return place_kind::ll_caches;
  return std::nullopt;
}

/// KMP_AFFINITY while it is read.
struct affinity_words {
  kmp_affinity value;
  place_kind granularity = place_kind::cores;
  bool has_type = false;
};

/// Words that ask for nothing that differs here.
bool is_ignored(std::string_view word) {
  for (const std::string_view known :
       {"noverbose", "warnings", "nowarnings", "respect", "norespect", "noreset", "dups"})
    if (same_word(word, known)) return true;
  return false;
}

bool parse_type(std::string_view word, affinity_words& into) {
  place_request& places = into.value.places;
  into.has_type = true;
  if (same_word(word, "none") || same_word(word, "disabled")) {
    places.kind = place_kind::none;
  } else if (same_word(word, "explicit")) {
    places.kind = place_kind::listed;
  } else if (same_word(word, "compact") || same_word(word, "logical")) {
    places.kind = place_kind::cores;
  } else if (same_word(word, "scatter") || same_word(word, "physical")) {
    places.kind = place_kind::cores;
    places.order = place_order::scattered;
  } else if (same_word(word, "balanced")) {
    places.kind = place_kind::cores;
    into.value.balanced = true;
  } else {
    return false;
  }
  return true;
}

bool parse_affinity_word(text_cursor& text, affinity_words& into) {
  const std::string_view word = text.word();
  if (is_ignored(word)) return true;
  if (same_word(word, "verbose")) return into.value.verbose = true;
  if (same_word(word, "reset")) return into.value.reset = true;
  if (same_word(word, "proclist")) return parse_proclist(text, into.value.places);
  if (same_word(word, "granularity")) {
    const auto kind = parse_granularity(text);
    if (kind) into.granularity = *kind;
    return kind.has_value();
  }
  return !into.has_type && parse_type(word, into);
}

}  // namespace

optional<hw_subset> parse_hw_subset(std::string_view value) {
  text_cursor text(value);
  hw_subset subset;
  subset.whole = text.take(':');
  do {
    hw_subset::layer layer;
    if (!text.take('*')) {
      const auto count = text.integer(1);
      if (!count) return std::nullopt;
      layer.count = *count;
    }
    const auto kind = layer_of(text.word());
    if (!kind) return std::nullopt;
    layer.kind = *kind;
    if (text.take('@')) {
      const auto offset = text.integer(0);
      if (!offset) return std::nullopt;
      layer.offset = *offset;
    }
    subset.layers.push_back(layer);
  } while (text.take(','));
  if (!text.at_end()) return std::nullopt;
  std::ranges::sort(subset.layers, std::ranges::greater(), &hw_subset::layer::kind);
  return subset;
}

optional<place_request> parse_places(std::string_view value) {
  text_cursor text(value);
  place_request request;
  if (const std::string_view word = text.word(); !word.empty()) {
    const auto kind = kind_of(word);
    if (!kind) return std::nullopt;
    request.kind = *kind;
    if (text.take('(')) {
      const auto most = text.integer(1);
      if (!most || !text.take(')')) return std::nullopt;
      request.most = *most;
    }
  } else {
    request.kind = place_kind::listed;
    do {
      auto interval = parse_place_interval(text);
      if (!interval) return std::nullopt;
      request.listed.push_back(std::move(*interval));
    } while (text.take(','));
  }
  if (!text.at_end()) return std::nullopt;
  return request;
}

optional<place_request> parse_cpu_affinity(std::string_view value) {
  text_cursor text(value);
  place_request request;
  request.kind = place_kind::listed;
  request.one_cpu_each = true;
  while (!text.at_end()) {
    const auto range = parse_cpu_range(text);
    if (!range) return std::nullopt;
    request.listed.push_back({.cpus = {*range}});
    if (text.take(',') && text.at_end()) return std::nullopt;
  }
  if (request.listed.empty()) return std::nullopt;
  return request;
}

optional<kmp_affinity> parse_kmp_affinity(std::string_view value) {
  text_cursor text(value);
  affinity_words words;
  place_request& places = words.value.places;
  int numbers = 0;
  do {
    if (const auto number = text.integer(0)) {
      // compact and scatter: permute, offset; the others have an offset only.
      if (!words.has_type || ++numbers > 2) return std::nullopt;
      places.permute = numbers == 2 ? places.offset : 0;
      places.offset = *number;
    } else if (!parse_affinity_word(text, words)) {
      return std::nullopt;
    }
  } while (text.take(','));
  if (!text.at_end()) return std::nullopt;
  if (numbers == 1 && places.kind == place_kind::cores && !words.value.balanced)
    places.permute = std::exchange(places.offset, 0);
  if (places.kind == place_kind::cores) places.kind = words.granularity;
  if (places.kind == place_kind::listed && places.listed.empty()) return std::nullopt;
  return words.value;
}

}  // namespace kasuri::omp
