// SPDX-License-Identifier: Apache-2.0
#include "stress/dag/program.hpp"

#include <random>

namespace kasuri::test::dag {
namespace {

constexpr const char* names[kinds] = {
    "leaf",   "yields",  "sleeps",  "fails",   "invoke",  "group",   "loop",    "reduce",
    "future", "catches", "unwinds", "counter", "channel", "meeting", "foreign", "threads"};

// Chances in a thousand, in the order of `kind`. Those that cost an OS thread or sleep are rare.
constexpr int inner_chances[kinds] = {60, 60, 4,  30, 330, 150, 60, 30,
                                      80, 70, 40, 25, 25,  20,  4,  12};

class generator {
 public:
  explicit generator(std::uint64_t seed) : random_(seed) {
    budget_ = 8 + static_cast<int>(below(seed % 16 == 0 ? 400 : 60));
  }

  node make(int depth, bool may_fail) {
    node n;
    n.salt = random_();
    n.what = depth == 0 || budget_ <= 0 ? outer_kind(may_fail) : inner_kind(may_fail);
    n.may_fail = may_fail;
    --budget_;
    add_children(n, depth - 1, may_fail);
    return n;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

  kind outer_kind(bool may_fail) {
    const std::uint64_t r = below(20);
    if (r == 0) return kind::yields;
    return r == 1 && may_fail ? kind::fails : kind::leaf;
  }

  kind inner_kind(bool may_fail) {
    auto r = static_cast<int>(below(1000));
    int i = 0;
    while (r >= inner_chances[i]) r -= inner_chances[i++];
    const auto k = static_cast<kind>(i);
    return k == kind::fails && !may_fail ? kind::leaf : k;
  }

  void add(node& n, std::uint64_t count, int depth, bool may_fail) {
    for (std::uint64_t i = 0; i != count; ++i) n.children.push_back(make(depth, may_fail));
  }

  /// At most one of the children may fail.
  void add_one_failing(node& n, std::uint64_t count, int depth, bool may_fail) {
    const std::uint64_t failing = may_fail ? below(count + 1) : count;
    for (std::uint64_t i = 0; i != count; ++i)
      n.children.push_back(make(depth, may_fail && i == failing));
  }

  void add_children(node& n, int depth, bool may_fail) {
    switch (n.what) {
      case kind::invoke:
        return add(n, 2 + below(3), depth, may_fail);
      case kind::group:
        return add_one_failing(n, 1 + below(6), depth, may_fail);
      case kind::loop:
        return add_one_failing(n, 1 + below(5), depth, may_fail);
      case kind::future:
        return add(n, 2, depth, may_fail);
      case kind::catches:
        return add(n, 1, depth, true);
      case kind::unwinds:
        add(n, 1, depth, may_fail);
        return add(n, 1, depth, false);
      case kind::foreign:
        return add(n, 1, depth, may_fail);
      case kind::threads:
        return add(n, 1 + below(3), depth, false);
      default:
        return;
    }
  }

  std::mt19937_64 random_;
  int budget_;
};

std::uint64_t run_node(const node& n);

std::uint64_t fold_children(const node& n) {
  std::uint64_t v = n.salt;
  for (const node& c : n.children) v = mix(v, run_node(c));
  return v;
}

struct in_destructor {
  const node& n;
  std::uint64_t& value;
  ~in_destructor() { value = run_node(n); }
};

std::uint64_t run_unwinding(const node& n) {
  std::uint64_t second = 0;
  std::uint64_t first;
  {
    const in_destructor later{n.children[1], second};
    first = run_node(n.children[0]);
  }
  return mix(mix(n.salt, first), second);
}

std::uint64_t run_node(const node& n) {
  switch (n.what) {
    case kind::fails:
      throw failure{n.salt};
    case kind::catches:
      try {
        return mix(n.salt, run_node(n.children[0]));
      } catch (const failure& f) {
        return mix(n.salt, f.salt);
      }
    case kind::unwinds:
      return run_unwinding(n);
    case kind::reduce: {
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i != 1 + pick(n, 300); ++i) sum += mix(n.salt, i);
      return sum;
    }
    case kind::leaf:
    case kind::yields:
    case kind::sleeps:
      return leaf_value(n.salt);
    case kind::counter:
    case kind::channel:
    case kind::meeting:
      return mix(n.salt, 1 + pick(n, 5));
    default:
      return fold_children(n);
  }
}

void describe_into(const node& n, int indent, std::string& out) {
  out.append(static_cast<std::size_t>(indent) * 2, ' ');
  out += names[static_cast<int>(n.what)];
  out += n.may_fail ? " (may fail)\n" : "\n";
  for (const node& c : n.children) describe_into(c, indent + 1, out);
}

}  // namespace

std::uint64_t leaf_value(std::uint64_t salt) noexcept {
  std::uint64_t v = salt;
  for (std::uint64_t i = 0, n = salt % 200; i != n; ++i) v = mix(v, i);
  return v;
}

node make_program(std::uint64_t seed) { return generator(seed).make(7, true); }

outcome run_serially(const node& program) {
  try {
    return {run_node(program), false};
  } catch (const failure& f) {
    return {f.salt, true};
  }
}

std::string describe(const node& program) {
  std::string out;
  describe_into(program, 0, out);
  return out;
}

}  // namespace kasuri::test::dag
