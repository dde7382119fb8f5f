// SPDX-License-Identifier: Apache-2.0
// Random programs of OpenMP tasks against their serial evaluation.
//
// A program is a tree of bodies. A body creates children, with random clauses and with dependences
// on the body's own cells, and waits in random ways. What a child does to a cell does not commute
// where the dependence says that it need not (out), and is not atomic where the tasks exclude each
// other (mutexinoutset), so any missing edge shows in a value that somebody reads. Run serially,
// each child runs where it is created.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "omp/region/region.hpp"
#include "omp/run/tasks.hpp"
#include "support/scale.hpp"

extern "C" {
void kasuri_GOMP_task(void (*)(void*), void*, void (*)(void*, void*), long, long, bool, unsigned,
                      void**, int, void*);
void kasuri_GOMP_taskwait();
void kasuri_GOMP_taskwait_depend(void**);
void kasuri_GOMP_taskyield();
void kasuri_GOMP_taskgroup_start();
void kasuri_GOMP_taskgroup_end();
void kasuri_GOMP_taskloop(void (*)(void*), void*, void (*)(void*, void*), long, long, unsigned,
                          unsigned long, int, long, long, long);
void kasuri_omp_fulfill_event(std::uintptr_t);
}

namespace kasuri::test {
namespace {

constexpr unsigned flag_final = 2, flag_depend = 8, flag_if = 1u << 10, flag_detach = 1u << 13;
constexpr int cells = 4;

enum class use { in, out, mutex, set };
enum class event { none, itself, another_thread };
enum class step_kind { create, wait, wait_for_cell, group, yield, loop, region };

struct body;

struct touch {
  int cell;
  use how;
};

struct step {
  step_kind kind;
  int cell = 0;                // of wait_for_cell
  int count = 0;               // of loop: iterations; of group: how many of the next steps
  std::vector<touch> touches;  // of create
  bool all_memory = false;
  bool deferred = true;
  bool final = false;
  event ends = event::none;
  int priority = 0;
  std::unique_ptr<body> child;
};

struct body {
  std::uint64_t id = 0;
  std::vector<step> steps;
};

/// splitmix64's mixing function, as a hash.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// ---- making a program ---------------------------------------------------------------------------

class maker {
 public:
  explicit maker(std::uint64_t seed) : random_(seed), left_(20 + random_() % 300) {}

  std::unique_ptr<body> make(int depth) {
    auto b = std::make_unique<body>();
    b->id = ++ids_;
    const unsigned steps = 1 + random_() % (depth == 0 ? 40 : 10);
    for (unsigned i = 0; i != steps; ++i) b->steps.push_back(make_step(depth));
    return b;
  }

 private:
  bool one_in(unsigned n) { return random_() % n == 0; }

  step make_step(int depth) {
    step s{};
    s.kind = step_kind::yield;
    const unsigned dice = static_cast<unsigned>(random_() % 20);
    if (dice < 13 && left_ > 0 && depth < 6) return make_child(depth);
    if (dice == 14) s.kind = step_kind::wait;
    if (dice == 15) s.kind = step_kind::wait_for_cell, s.cell = static_cast<int>(random_() % cells);
    if (dice == 16) s.kind = step_kind::group, s.count = 1 + static_cast<int>(random_() % 5);
    if (dice == 17) s.kind = step_kind::loop, s.count = static_cast<int>(random_() % 50);
    if (dice == 18 && depth < 3)
      s.kind = step_kind::region, s.count = 1 + static_cast<int>(random_() % 4);
    return s;
  }

  step make_child(int depth) {
    step s{};
    s.kind = step_kind::create;
    --left_;
    s.child = make(depth + 1);
    s.deferred = !one_in(6);
    s.final = one_in(12);
    s.priority = one_in(8) ? 1 + static_cast<int>(random_() % 3) : 0;
    if (one_in(8)) s.ends = one_in(2) ? event::itself : event::another_thread;
    if (one_in(30)) {
      s.all_memory = true;
      return s;
    }
    for (int c = 0; c != cells; ++c)
      if (one_in(3)) s.touches.push_back({c, static_cast<use>(random_() % 4)});
    std::shuffle(s.touches.begin(), s.touches.end(), random_);
    return s;
  }

  std::mt19937_64 random_;
  std::uint64_t ids_ = 0;
  std::uint64_t left_;
};

// ---- running it ---------------------------------------------------------------------------------

struct cell {
  std::uint64_t value = 0;
  std::atomic<std::uint64_t> added{0};  // by those of a set, who may run side by side
  std::uint64_t get() const { return value + added.load(std::memory_order_relaxed); }
};

struct frame {
  cell own[cells];
};

/// Fulfils events on a thread of its own.
class fulfiller {
 public:
  fulfiller() : thread_([this] { run(); }) {}
  ~fulfiller() {
    put(0);
    thread_.join();
  }
  void put(std::uintptr_t event) {
    const std::lock_guard hold(lock_);
    events_.push_back(event);
    change_.notify_one();
  }

 private:
  void run() {
    for (;;) {
      std::unique_lock hold(lock_);
      change_.wait(hold, [this] { return !events_.empty(); });
      const std::uintptr_t e = events_.front();
      events_.pop_front();
      hold.unlock();
      if (e == 0) return;
      kasuri_omp_fulfill_event(e);
    }
  }
  std::mutex lock_;
  std::condition_variable change_;
  std::deque<std::uintptr_t> events_;
  std::thread thread_;
};

class run {
 public:
  explicit run(bool serial) : serial_(serial) {}

  std::uint64_t operator()(const body& b, int threads);
  std::uint64_t tasks() const { return tasks_.load(std::memory_order_relaxed); }

 private:
  struct arguments {
    std::uintptr_t event;  // first: the runtime writes it
    run* of;
    const step* what;
    frame* outer;
  };
  struct loop_arguments {
    long first, end;
    run* of;
    std::uint64_t id;
  };

  void note(std::uint64_t id, std::uint64_t value) {
    sum_.fetch_add(mix(id ^ mix(value)), std::memory_order_relaxed);
  }
  frame& new_frame() {
    const std::lock_guard hold(lock_);
    frames_.push_back(std::make_unique<frame>());
    return *frames_.back();
  }
  void do_body(const body& b);
  void do_child(const step& s, frame& outer, std::uintptr_t event);
  void create(const step& s, frame& f);
  void loop(const step& s, std::uint64_t id);
  void region(const step& s, std::uint64_t id);
  void take_step(const step& s, frame& f, const body& b);

  const bool serial_;
  std::atomic<std::uint64_t> sum_{0};
  std::atomic<std::uint64_t> tasks_{0};
  std::mutex lock_;  // guards frames_
  std::vector<std::unique_ptr<frame>> frames_;
  fulfiller events_;
};

void run::do_child(const step& s, frame& outer, std::uintptr_t event) {
  const std::uint64_t id = s.child->id;
  tasks_.fetch_add(1, std::memory_order_relaxed);
  if (s.ends == event::itself && event != 0) kasuri_omp_fulfill_event(event);
  if (s.all_memory)
    for (cell& c : outer.own) c.value = mix(c.get() ^ id), c.added = 0;
  for (const touch& t : s.touches) {
    cell& c = outer.own[t.cell];
    switch (t.how) {
      case use::in:
        note(id, c.get());
        break;
      case use::out:
        c.value = mix(c.get() ^ id), c.added = 0;
        break;
      case use::mutex:
        c.value += mix(id);
        break;
      case use::set:
        c.added.fetch_add(mix(id), std::memory_order_relaxed);
        break;
    }
  }
  do_body(*s.child);
  if (s.ends == event::another_thread && event != 0) events_.put(event);
}

void run::create(const step& s, frame& f) {
  if (serial_) return do_child(s, f, 0);
  struct object {
    void* address;
    std::uintptr_t kind;
  };
  void* list[5 + cells + 1] = {};
  object sets[cells];
  std::size_t n = 5, objects = 0, counts[3] = {};
  const auto add = [&](use how, std::size_t& count) {
    for (const touch& t : s.touches)
      if (t.how == how) list[n++] = &f.own[t.cell], ++count;
  };
  if (s.all_memory) list[n++] = nullptr, counts[0] = 1;
  add(use::out, counts[0]);
  add(use::mutex, counts[1]);
  add(use::in, counts[2]);
  for (const touch& t : s.touches)
    if (t.how == use::set) sets[objects] = {&f.own[t.cell], 5}, list[n++] = &sets[objects++];
  list[1] = reinterpret_cast<void*>(n - 5);
  for (int i = 0; i != 3; ++i) list[2 + i] = reinterpret_cast<void*>(counts[i]);
  arguments a{0, this, &s, &f};
  std::uintptr_t event = 0;
  const unsigned flags = (n != 5 ? flag_depend : 0) | (s.final ? flag_final : 0) |
                         (s.ends != event::none ? flag_detach : 0) | (s.priority != 0 ? 16u : 0);
  kasuri_GOMP_task(
      [](void* data) {
        const auto& x = *static_cast<arguments*>(data);
        x.of->do_child(*x.what, *x.outer, x.event);
      },
      &a, nullptr, sizeof a, alignof(arguments), s.deferred, flags, list, s.priority, &event);
}

void run::loop(const step& s, std::uint64_t id) {
  if (serial_) {
    for (int i = 0; i != s.count; ++i) note(id, static_cast<std::uint64_t>(i));
    return;
  }
  loop_arguments a{0, 0, this, id};
  kasuri_GOMP_taskloop(
      [](void* data) {
        const loop_arguments x = *static_cast<loop_arguments*>(data);
        for (long i = x.first; i < x.end; ++i) x.of->note(x.id, static_cast<std::uint64_t>(i));
      },
      &a, nullptr, sizeof a, alignof(loop_arguments), flag_if, static_cast<unsigned long>(id % 9),
      0, 0, s.count, 1);
}

/// A region within a task, whose members create tasks in their turn.
void run::region(const step& s, std::uint64_t id) {
  if (serial_) {
    for (int i = 0; i != 12; ++i) note(id, static_cast<std::uint64_t>(i));
    return;
  }
  loop_arguments a{0, 0, this, id};
  omp::region_code code;
  code.data = &a;
  code.call = [](const omp::region_code& c, omp::member& m) {
    auto& all = *static_cast<loop_arguments*>(c.data);
    for (int i = m.number; i < 12; i += m.in->size) {
      loop_arguments mine{i, i + 1, all.of, all.id};
      kasuri_GOMP_task(
          [](void* data) {
            const auto& x = *static_cast<loop_arguments*>(data);
            x.of->note(x.id, static_cast<std::uint64_t>(x.first));
          },
          &mine, nullptr, sizeof mine, alignof(loop_arguments), true, 0, nullptr, 0, nullptr);
    }
  };
  omp::run_region(code, {.threads = s.count});
}

void run::take_step(const step& s, frame& f, const body& b) {
  switch (s.kind) {
    case step_kind::create:
      create(s, f);
      break;
    case step_kind::yield:
      if (!serial_) kasuri_GOMP_taskyield();
      break;
    case step_kind::wait:
      if (!serial_) kasuri_GOMP_taskwait();
      for (const cell& c : f.own) note(b.id, c.get());
      break;
    case step_kind::wait_for_cell: {
      void* list[] = {reinterpret_cast<void*>(1), nullptr, &f.own[s.cell]};
      if (!serial_) kasuri_GOMP_taskwait_depend(list);
      note(b.id, f.own[s.cell].get());
      break;
    }
    case step_kind::loop:
      loop(s, b.id);
      break;
    case step_kind::region:
      region(s, b.id);
      break;
    case step_kind::group:
      break;  // do_body
  }
}

void run::do_body(const body& b) {
  frame& f = new_frame();
  int left_in_group = 0;
  for (const step& s : b.steps) {
    if (s.kind == step_kind::group && left_in_group == 0) {
      if (!serial_) kasuri_GOMP_taskgroup_start();
      left_in_group = s.count + 1;
    }
    take_step(s, f, b);
    if (left_in_group != 0 && --left_in_group == 0 && !serial_) kasuri_GOMP_taskgroup_end();
  }
  if (left_in_group != 0 && !serial_) kasuri_GOMP_taskgroup_end();
}

std::uint64_t run::operator()(const body& b, int threads) {
  if (serial_) {
    do_body(b);
    return sum_;
  }
  struct whole {
    run* of;
    const body* what;
  } w{this, &b};
  omp::region_code code;
  code.data = &w;
  code.call = [](const omp::region_code& c, omp::member& m) {
    const auto& x = *static_cast<whole*>(c.data);
    if (m.number == m.in->size - 1) x.of->do_body(*x.what);
  };
  omp::run_region(code, {.threads = threads});
  return sum_;
}

TEST(omp_tasks, random_programs_give_the_serial_result) {
  const int seeds = scaled(600);
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto program = maker(static_cast<std::uint64_t>(seed)).make(0);
    run serial(true);
    const std::uint64_t expected = serial(*program, 1);
    for (const int threads : {1, 2, 3, 8}) {
      run parallel(false);
      ASSERT_EQ(parallel(*program, threads), expected)
          << "seed " << seed << ", threads " << threads;
      ASSERT_EQ(parallel.tasks(), serial.tasks()) << "seed " << seed << ", threads " << threads;
    }
  }
}

}  // namespace
}  // namespace kasuri::test
