// SPDX-License-Identifier: Apache-2.0
#include "fmm/forces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <kasuri/global/begin_checkout.hpp>
#include <kasuri/global/checkout.hpp>
#include <kasuri/global/invoke.hpp>
#include <kasuri/global/memory.hpp>
#include <kasuri/global/share.hpp>

// Every cell gets the list of cells that its parent could neither treat as far nor open. It opens
// those that are larger than itself; what is far then acts on its field; what is not is left to its
// children, or acts body by body on a leaf. Nobody writes to another one's cell, so targets are
// independent tasks. From a task's lists and field to its children's: by way of global memory, for
// a child may run in another process.

namespace fmm {
namespace {

using indices = std::vector<std::uint32_t>;

using begun_bodies = global::begun_checkout<body, global::read_t>;

/// What a cell has to do with the cells of its list.
struct interactions {
  indices far;    ///< acts as an expansion
  indices near;   ///< both are leaves
  indices later;  ///< for the children
};

double distance(const point& a, const point& b) {
  const point d = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

interactions classify(const tree& t, const cell& target, indices open) {
  interactions found;
  while (!open.empty()) {
    const std::uint32_t index = open.back();
    open.pop_back();
    const auto seen = global::checkout(t.cells.subview(index, 1), global::read);
    const cell& source = seen[0];
    if (target.radius + source.radius < t.p.theta * distance(target.centre, source.centre))
      found.far.push_back(index);
    else if (!source.leaf() && (target.leaf() || source.radius >= target.radius))
      open.insert(open.end(), source.child.begin(), source.child.begin() + source.children);
    else if (!target.leaf())
      found.later.push_back(index);
    else
      found.near.push_back(index);
  }
  return found;
}

/// Reads of the tree and the buffers for them; one for each task.
class evaluation {
 public:
  evaluation(const tree& t, global::view<point> out)
      : t_(t),
        out_(out),
        e_(expansion::of(t.p.order)),
        sources_(e_.make_sources()),
        full_(e_.full()) {}

  /// A subtree that one worker treats.
  void subtree(std::uint32_t index, indices list, const double* parents, const point& from) {
    const cell target = global::get(t_.cells.begin() + index);
    const interactions with = classify(t_, target, std::move(list));
    const std::vector<double> field = field_of(target, with.far, parents, from);
    if (target.leaf()) return finish_leaf(target, with.near, field);
    for (std::uint32_t i = 0; i < target.children; ++i)
      subtree(target.child[i], with.later, field.data(), target.centre);
  }

  /// The field about the target: what its parent's field and far cells give. No parent: null.
  std::vector<double> field_of(const cell& target, const indices& far, const double* parents,
                               const point& from) {
    std::vector<double> field(e_.kept());
    if (parents != nullptr) {
      const point d = {target.centre[0] - from[0], target.centre[1] - from[1],
                       target.centre[2] - from[2]};
      e_.shift_field(parents, d, field.data());
    }
    for (std::size_t at = 0; at < far.size(); at += lanes)
      add_far(target, far.data() + at, std::min(lanes, far.size() - at), field.data());
    return field;
  }

 private:
  void add_far(const cell& target, const std::uint32_t* far, std::size_t n, double* field) {
    begin_far(far, n);
    for (std::size_t w = 0; w < lanes; ++w) {
      if (w >= n) {  // nothing, far away
        for (line& each : sources_.distance) each.lane[w] = 1;
        for (line& each : sources_.multipoles) each.lane[w] = 0;
        continue;
      }
      const point centre = global::get(t_.cells.begin() + far[w]).centre;
      const auto multipoles = far_coming_[w].wait();
      for (std::size_t i = 0; i < 3; ++i)
        sources_.distance[i].lane[w] = target.centre[i] - centre[i];
      for (std::size_t k = 0; k < multipoles.size(); ++k)
        sources_.multipoles[k].lane[w] = multipoles[k];
    }
    e_.add_fields(sources_, field);
  }

  /// What far cells give is fetched in one trip.
  void begin_far(const std::uint32_t* far, std::size_t n) {
    far_coming_.clear();
    const std::size_t terms = e_.kept();
    for (std::size_t w = 0; w < n; ++w)
      far_coming_.push_back(
          global::begin_checkout(t_.multipoles.begin() + far[w] * terms, terms, global::read));
  }

  void finish_leaf(const cell& target, const indices& near, const std::vector<double>& field) {
    for (const std::uint32_t index : near) {
      const cell source = global::get(t_.cells.begin() + index);
      near_coming_.push_back(global::begin_checkout(
          t_.bodies.subview(source.first_body, source.bodies), global::read));
    }
    near_.clear();
    for (begun_bodies& each : near_coming_)
      for (const body& b : each.wait()) near_.add(b.at, b.mass);
    near_coming_.clear();
    e_.unfold(field.data(), full_.data());
    const auto [bodies, out] = global::checkout_all(
        global::request(t_.bodies.begin() + target.first_body, target.bodies, global::read),
        global::request(out_.begin() + target.first_body, target.bodies, global::write));
    for (std::size_t i = 0; i < target.bodies; ++i) {
      const point& at = bodies[i].at;
      const point u = {at[0] - target.centre[0], at[1] - target.centre[1],
                       at[2] - target.centre[2]};
      const point a = attraction(near_, at);
      const point b = e_.gradient(full_.data(), u);
      out[i] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    }
  }

  const tree& t_;
  const global::view<point> out_;
  const expansion& e_;
  sources sources_;
  std::vector<double> full_;
  body_arrays near_;
  std::vector<global::begun_checkout<double, global::read_t>> far_coming_;
  std::vector<begun_bodies> near_coming_;
};

/// A copy of a vector in global memory, for tasks that end before this does.
template <class T>
class shared_copy {
 public:
  explicit shared_copy(const std::vector<T>& from)
      : size_(from.size()), first_(global::allocate<T>(std::max<std::size_t>(size_, 1))) {
    const auto to = global::checkout(first_, size_, global::write);
    std::copy(from.begin(), from.end(), to.begin());
  }
  ~shared_copy() { global::deallocate(first_, std::max<std::size_t>(size_, 1)); }
  shared_copy(const shared_copy&) = delete;
  shared_copy& operator=(const shared_copy&) = delete;

  global::view<T> view() const { return {first_, size_}; }

 private:
  std::size_t size_;
  global::ptr<T> first_;
};

template <class T>
std::vector<T> local_copy(global::view<T> from) {
  std::vector<T> to(from.size());
  if (to.empty()) return to;
  const auto x = global::checkout(from, global::read);
  std::copy(x.begin(), x.end(), to.begin());
  return to;
}

/// What a cell's task knows of the cells above.
struct inherited {
  global::view<std::uint32_t> list;
  global::view<double> field;  // empty: it is the root
  point centre;
};

void find(tree t, global::view<point> out, std::uint32_t index, inherited above, apps::part share);

/// The children [lo, hi) of the cell, in tasks, and to each its share.
void find_children(tree t, global::view<point> out, cell of, std::uint32_t lo, std::uint32_t hi,
                   inherited above, apps::part each) {
  if (hi - lo == 1) return find(t, out, of.child[lo], above, each);
  const std::uint32_t mid = lo + (hi - lo) / 2;
  global::parallel_invoke([=] { find_children(t, out, of, lo, mid, above, each); },
                          [=] { find_children(t, out, of, mid, hi, above, each); });
}

void find(tree t, global::view<point> out, std::uint32_t index, inherited above, apps::part share) {
  const cell target = global::get(t.cells.begin() + index);
  indices list = local_copy(above.list);
  const std::vector<double> parents = local_copy(above.field);
  const double* const field_above = parents.empty() ? nullptr : parents.data();
  evaluation here(t, out);
  if (target.bodies <= t.p.task || target.leaf()) {
    here.subtree(index, std::move(list), field_above, above.centre);
    return share.done();
  }
  const interactions with = classify(t, target, std::move(list));
  const shared_copy<double> field(here.field_of(target, with.far, field_above, above.centre));
  const shared_copy<std::uint32_t> later(with.later);
  const apps::part each = share.pieces(1, target.children);
  find_children(t, out, target, 0, target.children, {later.view(), field.view(), target.centre},
                each);
  if (!each) share.done();
}

point direct_sum(const tree& t, const point& at) {
  constexpr std::size_t piece = 1024;
  body_arrays some;
  point sum{};
  for (std::size_t lo = 0; lo < t.bodies.size(); lo += piece) {
    const std::size_t n = std::min(piece, t.bodies.size() - lo);
    some.clear();
    for (const body& b : global::checkout(t.bodies.subview(lo, n), global::read))
      some.add(b.at, b.mass);
    const point a = attraction(some, at);
    for (std::size_t i = 0; i < 3; ++i) sum[i] += a[i];
  }
  return sum;
}

accuracy compare_samples(tree t, global::view<point> accelerations, std::size_t samples,
                         std::size_t lo, std::size_t hi) {
  if (hi - lo > 1) {
    const std::size_t mid = lo + (hi - lo) / 2;
    const auto [a, b] = global::parallel_invoke(
        [=] { return compare_samples(t, accelerations, samples, lo, mid); },
        [=] { return compare_samples(t, accelerations, samples, mid, hi); });
    return {a.error + b.error, a.square + b.square};
  }
  const std::size_t i = t.bodies.size() * lo / samples;
  const point expected = direct_sum(t, global::get(t.bodies.begin() + i).at);
  const point got = global::get(accelerations.begin() + i);
  const double error = distance(expected, got);
  const double size = distance(expected, {});
  return {error * error, size * size};
}

}  // namespace

void find_forces(const tree& t, global::view<point> accelerations, apps::part all) {
  const shared_copy<std::uint32_t> root(indices{0});
  find(t, accelerations, 0, {root.view(), {}, {}}, all);
}

accuracy compare_with_direct(const tree& t, global::view<point> accelerations,
                             std::size_t samples) {
  return compare_samples(t, accelerations, samples, 0, samples);
}

}  // namespace fmm
