// SPDX-License-Identifier: Apache-2.0
#include "fmm/tree.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <kasuri/global/checkout.hpp>
#include <kasuri/global/invoke.hpp>
#include <kasuri/global/share.hpp>

// The tree is made twice from the keys: first only counted, so that every subtree then knows where
// its cells go. Large cells divide into tasks by binary search among the keys; a subtree of few
// bodies is made by one worker from a checkout of them, and written out at once.

namespace fmm {
namespace {

/// The bodies of a cell, and where it is.
struct region {
  std::size_t first;
  std::size_t n;
  int level;
  point centre;
  double half;  // of its side
};

/// Where the octants of a region begin, and where the last one ends.
using octants = std::array<std::size_t, 9>;

/// key_at(i): the key of body i.
template <class KeyAt>
octants divide(std::size_t first, std::size_t n, int level, KeyAt key_at) {
  octants begin;
  begin[0] = first;
  for (unsigned o = 1; o < 8; ++o) {
    std::size_t lo = begin[o - 1];
    std::size_t hi = first + n;
    while (lo < hi) {
      const std::size_t mid = lo + (hi - lo) / 2;
      if (octant_of(key_at(mid), level) < o)
        lo = mid + 1;
      else
        hi = mid;
    }
    begin[o] = lo;
  }
  begin[8] = first + n;
  return begin;
}

octants divide_global(global::view<body> sorted, std::size_t first, std::size_t n, int level) {
  return divide(first, n, level,
                [=](std::size_t i) { return global::get(sorted.begin() + i).key; });
}

region octant(const region& r, const octants& begin, unsigned o) {
  region part{begin[o], begin[o + 1] - begin[o], r.level + 1, r.centre, r.half / 2};
  for (unsigned i = 0; i < 3; ++i)
    part.centre[i] += (o >> (2 - i) & 1) != 0 ? part.half : -part.half;
  return part;
}

bool is_leaf(std::size_t n, int level, const parameters& p) {
  return n <= p.leaf || level == deepest_level;
}

/// Calls body(o) for the octants [lo, hi), in tasks.
template <class Body>
void each_octant(const octants& begin, unsigned lo, unsigned hi, Body body) {
  if (begin[lo] == begin[hi]) return;
  if (hi - lo == 1) return body(lo);
  const unsigned mid = lo + (hi - lo) / 2;
  global::parallel_invoke(global::share(static_cast<double>(begin[mid] - begin[lo]),
                                        [=] { each_octant(begin, lo, mid, body); }),
                          global::share(static_cast<double>(begin[hi] - begin[mid]),
                                        [=] { each_octant(begin, mid, hi, body); }));
}

std::uint32_t count_serial(const body* sorted, std::size_t n, int level, const parameters& p) {
  if (is_leaf(n, level, p)) return 1;
  const octants begin = divide(0, n, level, [=](std::size_t i) { return sorted[i].key; });
  std::uint32_t sum = 1;
  for (std::size_t o = 0; o < 8; ++o)
    if (begin[o] != begin[o + 1])
      sum += count_serial(sorted + begin[o], begin[o + 1] - begin[o], level + 1, p);
  return sum;
}

/// Cells of each octant.
using counts = std::array<std::uint32_t, 8>;

std::uint32_t count_region(global::view<body> sorted, std::size_t first, std::size_t n, int level,
                           parameters p);

counts count_octants(global::view<body> sorted, const octants& begin, unsigned lo, unsigned hi,
                     int level, parameters p) {
  counts found{};
  if (begin[lo] == begin[hi]) return found;
  if (hi - lo == 1) {
    found[lo] = count_region(sorted, begin[lo], begin[hi] - begin[lo], level + 1, p);
    return found;
  }
  const unsigned mid = lo + (hi - lo) / 2;
  const auto [a, b] =
      global::parallel_invoke([=] { return count_octants(sorted, begin, lo, mid, level, p); },
                              [=] { return count_octants(sorted, begin, mid, hi, level, p); });
  for (std::size_t o = 0; o < 8; ++o) found[o] = a[o] + b[o];
  return found;
}

bool treated_alone(std::size_t n, int level, const parameters& p) {
  return n <= p.task || is_leaf(n, level, p);
}

std::uint32_t count_region(global::view<body> sorted, std::size_t first, std::size_t n, int level,
                           parameters p) {
  if (treated_alone(n, level, p))
    return count_serial(global::checkout(sorted.subview(first, n), global::read).data(), n, level,
                        p);
  const octants begin = divide_global(sorted, first, n, level);
  std::uint32_t sum = 1;
  for (const std::uint32_t c : count_octants(sorted, begin, 0, 8, level, p)) sum += c;
  return sum;
}

double distance(const point& a, const point& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

point difference(const point& a, const point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

cell without_children(const region& r) {
  return {r.centre, 0, r.first, static_cast<std::uint32_t>(r.n), 0, {}};
}

/// Takes a finished child into the cell's radius and full multipoles.
void take_child(cell& c, double* full, const cell& child, const double* childs,
                const expansion& e) {
  c.radius = std::max(c.radius, distance(c.centre, child.centre) + child.radius);
  e.shift_multipoles(childs, difference(child.centre, c.centre), full);
}

/// A subtree that one worker makes.
class local_subtree {
 public:
  /// @param first  index of its first cell
  local_subtree(const tree& t, std::uint32_t first)
      : t_(t), e_(expansion::of(t.p.order)), first_(first) {}

  void make(const region& r) {
    {
      const auto bodies = global::checkout(t_.bodies.subview(r.first, r.n), global::read);
      add(r, bodies.data());
    }
    write(cells_, t_.cells.subview(first_, cells_.size()));
    write(multipoles_, t_.multipoles.subview(first_ * e_.kept(), multipoles_.size()));
  }

 private:
  /// bodies[0] is the first of the region. Returns the place in cells_.
  std::size_t add(const region& r, const body* bodies) {
    const std::size_t place = cells_.size();
    cells_.push_back(without_children(r));
    multipoles_.resize(multipoles_.size() + e_.kept());
    std::vector<double> full(e_.full());
    if (is_leaf(r.n, r.level, t_.p))
      add_bodies(cells_[place], bodies, full.data());
    else
      add_octants(r, bodies, place, full.data());
    e_.fold(full.data(), multipoles_of(place));
    return place;
  }

  void add_bodies(cell& c, const body* bodies, double* full) {
    for (std::size_t i = 0; i < c.bodies; ++i) {
      c.radius = std::max(c.radius, distance(bodies[i].at, c.centre));
      e_.add_mass(bodies[i].mass, difference(bodies[i].at, c.centre), full);
    }
  }

  void add_octants(const region& r, const body* bodies, std::size_t place, double* full) {
    octants begin = divide(0, r.n, r.level, [=](std::size_t i) { return bodies[i].key; });
    for (std::size_t& b : begin) b += r.first;
    for (unsigned o = 0; o < 8; ++o) {
      if (begin[o] == begin[o + 1]) continue;
      const std::size_t child = add(octant(r, begin, o), bodies + (begin[o] - r.first));
      cell& c = cells_[place];
      c.child[c.children++] = first_ + static_cast<std::uint32_t>(child);
      take_child(c, full, cells_[child], multipoles_of(child), e_);
    }
  }

  double* multipoles_of(std::size_t place) { return multipoles_.data() + place * e_.kept(); }

  template <class T>
  static void write(const std::vector<T>& from, global::view<T> to) {
    const std::size_t piece = 65536 / sizeof(T);
    for (std::size_t at = 0; at < from.size(); at += piece) {
      const std::size_t n = std::min(piece, from.size() - at);
      const auto x = global::checkout(to.subview(at, n), global::write);
      std::copy_n(from.data() + at, n, x.begin());
    }
  }

  const tree& t_;
  const expansion& e_;
  const std::uint32_t first_;
  std::vector<cell> cells_;
  std::vector<double> multipoles_;
};

void build_region(const tree& t, const region& r, std::uint32_t index) {
  if (treated_alone(r.n, r.level, t.p)) return local_subtree(t, index).make(r);
  const octants begin = divide_global(t.bodies, r.first, r.n, r.level);
  const counts sizes = count_octants(t.bodies, begin, 0, 8, r.level, t.p);
  std::array<std::uint32_t, 8> places;
  std::uint32_t next = index + 1;
  for (std::size_t o = 0; o < 8; ++o) {
    places[o] = next;
    next += sizes[o];
  }
  each_octant(begin, 0, 8, [=](unsigned o) { build_region(t, octant(r, begin, o), places[o]); });

  const expansion& e = expansion::of(t.p.order);
  cell c = without_children(r);
  std::vector<double> full(e.full());
  for (std::size_t o = 0; o < 8; ++o) {
    if (sizes[o] == 0) continue;
    c.child[c.children++] = places[o];
    const auto childs =
        global::checkout(t.multipoles.subview(places[o] * e.kept(), e.kept()), global::read);
    take_child(c, full.data(), global::get(t.cells.begin() + places[o]), childs.data(), e);
  }
  global::put(t.cells.begin() + index, c);
  const auto to = global::checkout(t.multipoles.subview(index * e.kept(), e.kept()), global::write);
  e.fold(full.data(), to.data());
}

}  // namespace

std::uint32_t count_cells(global::view<body> sorted, const parameters& p) {
  return count_region(sorted, 0, sorted.size(), 0, p);
}

void build(const tree& t) {
  const double half = t.around.side / 2;
  point centre = t.around.corner;
  for (double& x : centre) x += half;
  build_region(t, {0, t.bodies.size(), 0, centre, half}, 0);
}

}  // namespace fmm
