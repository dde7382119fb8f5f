// SPDX-License-Identifier: Apache-2.0
#include "cluster/memory/programs/script.hpp"

#include <algorithm>
#include <random>

namespace kasuri::test::global_programs {
namespace {

using cells = std::vector<int>;

class maker {
 public:
  explicit maker(std::uint64_t seed) : random_(seed) {
    made_.seed = seed;
    made_.ranks = 2 + below(7);
    const int arrays = 1 + below(3);
    for (int a = 0; a != arrays; ++a) make_array(a);
  }

  script make() {
    cells all;
    for (int i = 0; i != static_cast<int>(made_.cells.size()); ++i) all.push_back(i);
    made_.root = make_task(all, {}, 0, below(made_.ranks));
    check_all(*made_.root, all);
    return std::move(made_);
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool chance(int percent) { return below(100) < percent; }

  void make_array(int a) {
    array_shape shape;
    shape.distribution = below(3);
    shape.bytes = 1000 + static_cast<std::uint64_t>(below(60000));
    shape.chunk = static_cast<std::uint64_t>(1 + below(3)) * 4096;
    std::uint64_t at = 0;
    while (at < shape.bytes) {
      const int kind = below(10);
      const int bytes = kind < 5 ? 1 + below(64) : kind < 9 ? 1 + below(2000) : 1 + below(9000);
      const auto n = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(static_cast<std::uint64_t>(bytes), shape.bytes - at));
      if (!chance(20)) add_cell({a, at, n});
      at += n;
    }
    made_.arrays.push_back(shape);
  }

  int add_cell(cell c) {
    made_.cells.push_back(c);
    value_.push_back(0);
    return static_cast<int>(made_.cells.size()) - 1;
  }

  int any(const cells& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }

  touch reading(int c) {
    return {c, value_[static_cast<std::size_t>(c)], value_[static_cast<std::size_t>(c)]};
  }
  touch writing(int c) {
    touch t = reading(c);
    t.becomes = value_[static_cast<std::size_t>(c)] = ++last_value_;
    return t;
  }

  /// `has` gets the objects that the task allocates and leaves, and loses what it frees.
  std::unique_ptr<task> make_task(cells& has, const cells& may_read, int depth, int rank) {
    auto made = std::make_unique<task>();
    made->rank = rank;
    made->delay_ns = static_cast<std::uint32_t>(chance(50) ? 0 : below(20000));
    ++made_.tasks;
    const int steps = 1 + below(5);
    for (int i = 0; i != steps; ++i) {
      if (depth < 5 && made_.tasks < 60 && chance(45))
        made->steps.push_back(make_fork(has, may_read, depth, rank));
      else
        add_work(*made, has, may_read);
    }
    return made;
  }

  step make_fork(cells& has, const cells& may_read, int depth, int rank) {
    cells parts[2];
    cells kept;
    cells readable = may_read;
    const bool by_halves = chance(50);
    const std::size_t middle = has.size() / 2;
    for (std::size_t i = 0; i != has.size(); ++i) {
      const int share = below(10);
      if (share < 2) {
        kept.push_back(has[i]);
        readable.push_back(has[i]);
      } else {
        parts[by_halves ? (i < middle ? 0 : 1) : share % 2].push_back(has[i]);
      }
    }
    step made;
    made.what = step::kind::fork;
    for (int i = 0; i != 2; ++i) {
      const int where = chance(30) ? rank : below(made_.ranks);
      made.children[i] = make_task(parts[i], readable, depth + 1, where);
      kept.insert(kept.end(), parts[i].begin(), parts[i].end());
    }
    has = std::move(kept);
    return made;
  }

  void add_work(task& t, cells& has, const cells& may_read) {
    const int kind = below(100);
    step made;
    if (kind < 5) {
      made.what = step::kind::count;
      ++made_.counted;
    } else if (kind < 12) {
      const int c = add_cell({-1, 0, static_cast<std::uint32_t>(1 + below(600))});
      made.what = step::kind::allocate;
      made.touches.push_back(writing(c));
      has.push_back(c);
    } else if (kind < 18) {
      add_free(made, has);
    } else if (kind < 45) {
      made.what = step::kind::read;
      const cells& from = !may_read.empty() && chance(50) ? may_read : has;
      for (int i = below(4); i >= 0 && !from.empty(); --i)
        made.touches.push_back(reading(any(from)));
    } else if (kind < 75) {
      made.what = chance(50) ? step::kind::write : step::kind::update;
      for (int i = below(6); i >= 0 && !has.empty(); --i) made.touches.push_back(writing(any(has)));
    } else {
      add_together(made, has, may_read);
    }
    if (!made.touches.empty() || made.what == step::kind::count) t.steps.push_back(std::move(made));
  }

  void add_free(step& made, cells& has) {
    made.what = step::kind::free;
    for (std::size_t i = 0; i != has.size(); ++i) {
      if (made_.cells[static_cast<std::size_t>(has[i])].array >= 0) continue;
      made.touches.push_back(reading(has[i]));
      has.erase(has.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }

  /// Up to three different cells at once.
  void add_together(step& made, const cells& has, const cells& may_read) {
    made.what = step::kind::together;
    cells taken;
    for (int i = 0; i != 3; ++i) {
      const bool write = chance(50);
      const cells& from = !write && !may_read.empty() ? may_read : has;
      if (from.empty()) continue;
      const int c = any(from);
      if (std::ranges::find(taken, c) != taken.end()) continue;
      taken.push_back(c);
      made.touches.push_back(write ? writing(c) : reading(c));
    }
  }

  void check_all(task& root, const cells& all) {
    for (int c : all) {
      root.steps.emplace_back();
      root.steps.back().touches.push_back(reading(c));
    }
  }

  std::mt19937_64 random_;
  script made_;
  std::vector<std::uint32_t> value_;  // of each cell, at this point of the serial execution
  std::uint32_t last_value_ = 0;
};

/// A race for a script that has none.
class planter {
 public:
  explicit planter(script& s) : script_(s), random_(s.seed ^ 0xd1b54a32d192ed03U) {}

  bool plant() {
    std::vector<step*> forks;
    collect_forks(*script_.root, forks);
    if (forks.empty()) return false;
    using kind = step::kind;
    constexpr kind pairs[][2] = {
        {kind::raced_write, kind::raced_write}, {kind::raced_write, kind::raced_read},
        {kind::raced_read, kind::raced_write},  {kind::raced_count, kind::raced_read},
        {kind::raced_write, kind::raced_count}, {kind::raced_free, kind::raced_read},
        {kind::raced_write, kind::raced_free}};
    const kind(&pair)[2] = pairs[below(std::size(pairs))];
    const bool object = pair[0] == kind::raced_free || pair[1] == kind::raced_free;
    const bool word = pair[0] == kind::raced_count || pair[1] == kind::raced_count;
    const int first = add_cells(object, word);
    task& root = *script_.root;
    step& fork = *forks[below(forks.size())];
    for (std::size_t side = 0; side != 2; ++side) {
      std::vector<task*> tasks;
      collect_tasks(*fork.children[side], tasks);
      // What the objects are freed with is the whole of them.
      const int c = object || side == 0 ? first : first + 1;
      insert(*tasks[below(tasks.size())], below(100), pair[side], c);
    }
    // Last, since it moves the steps that were looked at.
    if (object || below(2) == 0)
      insert(root, 0, object ? kind::raced_allocate : kind::raced_write, first);
    return true;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  static void collect_forks(task& t, std::vector<step*>& to) {
    for (step& s : t.steps) {
      if (s.what != step::kind::fork) continue;
      to.push_back(&s);
      for (auto& child : s.children) collect_forks(*child, to);
    }
  }
  static void collect_tasks(task& t, std::vector<task*>& to) {
    to.push_back(&t);
    for (step& s : t.steps)
      if (s.what == step::kind::fork)
        for (auto& child : s.children) collect_tasks(*child, to);
  }

  /// Two cells that overlap by a byte at least; the first one's number.
  int add_cells(bool object, bool word) {
    const auto first = static_cast<int>(script_.cells.size());
    if (object) {
      script_.cells.push_back({-1, 0, static_cast<std::uint32_t>(1 + below(300))});
      return first;
    }
    const auto array = static_cast<int>(script_.arrays.size());
    script_.arrays.push_back({static_cast<int>(below(3)), 20000, 4096 * (1 + below(2))});
    const cell a{array, 8 * below(1000), word ? 8 : static_cast<std::uint32_t>(1 + below(9000))};
    const std::uint64_t at = word ? a.offset : a.offset + below(a.bytes);
    script_.cells.push_back(a);
    script_.cells.push_back({array, at, word ? 8 : static_cast<std::uint32_t>(1 + below(2000))});
    return first;
  }

  static void insert(task& t, std::size_t at, step::kind what, int c) {
    step made;
    made.what = what;
    made.touches.push_back({c, 0, 0});
    const std::size_t place = std::min(at, t.steps.size());
    t.steps.insert(t.steps.begin() + static_cast<std::ptrdiff_t>(place), std::move(made));
  }

  script& script_;
  std::mt19937_64 random_;
};

}  // namespace

script make_script(std::uint64_t seed) { return maker(seed).make(); }

bool plant_race(script& s) { return planter(s).plant(); }

}  // namespace kasuri::test::global_programs
