// SPDX-License-Identifier: Apache-2.0
// The parallel evaluation of a program: each node by the part of Kasuri that it names.

#include <unistd.h>

#include <cerrno>
#include <exception>
#include <kasuri/kasuri.h>
#include <kasuri/kasuri.hpp>
#include <mutex>
#include <thread>

#include "stress/dag/program.hpp"

namespace kasuri::test::dag {
namespace {

// Compilers keep the address of errno over calls, as that of any thread-local: a function that
// looks at it before and after a suspension must ask anew, by a call that is not inlined.
[[gnu::noinline]] void set_error(int e) noexcept {
  errno = e;
  asm volatile("");
}
[[gnu::noinline]] int error_now() noexcept {
  asm volatile("");
  return errno;
}

struct evaluation {
  std::mutex lock;
  std::string complaint;  // under lock

  void complain(const char* what) {
    const std::lock_guard hold(lock);
    complaint += std::string(what) + "\n";
  }
  void expect(bool holds, const char* what) {
    if (!holds) complain(what);
  }

  std::uint64_t run(const node& n);

 private:
  std::uint64_t yields(const node& n);
  std::uint64_t invoke(const node& n);
  std::uint64_t group(const node& n);
  std::uint64_t loop(const node& n);
  std::uint64_t reduce(const node& n);
  std::uint64_t future(const node& n);
  std::uint64_t catches(const node& n);
  std::uint64_t unwinds(const node& n);
  std::uint64_t counter(const node& n);
  std::uint64_t channel(const node& n);
  std::uint64_t meeting(const node& n);
  std::uint64_t foreign(const node& n);
  std::uint64_t threads(const node& n);
  static std::uint64_t fold(const node& n, const std::vector<std::uint64_t>& values);
};

std::uint64_t evaluation::fold(const node& n, const std::vector<std::uint64_t>& values) {
  std::uint64_t v = n.salt;
  for (const std::uint64_t x : values) v = mix(v, x);
  return v;
}

std::uint64_t evaluation::yields(const node& n) {
  const int mine = static_cast<int>(1 + pick(n, 100));
  set_error(mine);
  for (std::uint64_t i = 0; i != 1 + pick(n, 3); ++i) this_task::yield();
  expect(error_now() == mine, "errno changed over a yield");
  return leaf_value(n.salt);
}

std::uint64_t evaluation::invoke(const node& n) {
  const auto child = [this, &n](std::size_t i) {
    return [this, &n, i] { return run(n.children[i]); };
  };
  std::vector<std::uint64_t> v;
  const auto keep = [&v](auto... x) { v = {x...}; };
  switch (n.children.size()) {
    case 2:
      std::apply(keep, parallel_invoke(child(0), child(1)));
      break;
    case 3:
      std::apply(keep, parallel_invoke(child(0), child(1), child(2)));
      break;
    default:
      std::apply(keep, parallel_invoke(child(0), child(1), child(2), child(3)));
  }
  return fold(n, v);
}

std::uint64_t evaluation::group(const node& n) {
  std::vector<std::uint64_t> v(n.children.size());
  task_group g;
  for (std::size_t i = 0; i != v.size(); ++i) {
    const bool child_first = (n.salt >> i & 1) != 0;
    g.run([this, &n, &v, i] { v[i] = run(n.children[i]); },
          child_first ? spawn::child_first : spawn::parent_first);
  }
  g.wait();
  return fold(n, v);
}

std::uint64_t evaluation::loop(const node& n) {
  std::vector<std::uint64_t> v(n.children.size());
  parallel_for(std::size_t{0}, v.size(), [&](std::size_t i) { v[i] = run(n.children[i]); });
  return fold(n, v);
}

std::uint64_t evaluation::reduce(const node& n) {
  return parallel_reduce(
      std::uint64_t{0}, 1 + pick(n, 300), std::uint64_t{0},
      [&](std::uint64_t i) { return mix(n.salt, i); },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

std::uint64_t evaluation::future(const node& n) {
  auto first = async([this, &n] { return run(n.children[0]); });
  std::uint64_t second = 0;
  std::exception_ptr thrown;
  try {
    second = run(n.children[1]);
  } catch (const failure&) {
    thrown = std::current_exception();
  }
  const std::uint64_t value = first.get();  // the first in order wins
  if (thrown) std::rethrow_exception(thrown);
  return mix(mix(n.salt, value), second);
}

std::uint64_t evaluation::catches(const node& n) {
  const int in_flight = std::uncaught_exceptions();
  try {
    return mix(n.salt, run(n.children[0]));
  } catch (const failure& f) {
    const std::uint64_t salt = f.salt;
    const std::exception_ptr mine = std::current_exception();
    this_task::yield();
    parallel_invoke([] { this_task::yield(); }, [] { this_task::yield(); });
    expect(std::current_exception() == mine, "another exception is current in a handler");
    expect(f.salt == salt, "the caught exception has changed");
    expect(std::uncaught_exceptions() == in_flight, "uncaught_exceptions changed in a handler");
    try {
      throw;
    } catch (const failure& again) {
      expect(again.salt == salt, "rethrow threw another exception");
    }
    return mix(n.salt, salt);
  }
}

struct at_exit {
  evaluation& all;
  const node& n;
  std::uint64_t& value;
  ~at_exit() {
    const int in_flight = std::uncaught_exceptions();
    value = all.run(n);
    all.expect(std::uncaught_exceptions() == in_flight,
               "uncaught_exceptions changed while the stack unwound");
  }
};

std::uint64_t evaluation::unwinds(const node& n) {
  std::uint64_t second = 0;
  std::uint64_t first;
  {
    const at_exit later{*this, n.children[1], second};
    first = run(n.children[0]);
  }
  return mix(mix(n.salt, first), second);
}

std::uint64_t evaluation::counter(const node& n) {
  const std::uint64_t turns = 1 + pick(n, 5);
  std::uint64_t count = 0;
  kasuri::mutex guard;
  const auto work = [&] {
    for (std::uint64_t i = 0; i != turns; ++i) {
      const std::lock_guard hold(guard);
      const std::uint64_t seen = count;
      if (i % 2 == 0) this_task::yield();
      count = seen + 1;
    }
  };
  parallel_invoke(work, work, work, work);
  expect(count == 4 * turns, "a mutex let two in");
  return mix(n.salt, turns);
}

std::uint64_t evaluation::channel(const node& n) {
  const std::uint64_t items = 1 + pick(n, 5);
  std::uint64_t produced = 0;  // passed on through the semaphore
  semaphore full(0);
  semaphore empty(1);
  parallel_invoke(
      [&] {
        for (std::uint64_t i = 0; i != items; ++i) {
          full.acquire();
          expect(produced == i + 1, "a semaphore passed a unit too early");
          empty.release();
        }
      },
      [&] {
        for (std::uint64_t i = 0; i != items; ++i) {
          empty.acquire();
          produced = i + 1;
          full.release();
        }
      });
  return mix(n.salt, items);
}

std::uint64_t evaluation::meeting(const node& n) {
  const std::uint64_t phases = 1 + pick(n, 5);
  std::uint64_t arrived[3] = {};
  std::atomic<std::uint64_t> last{0};
  barrier all(3);
  const auto member = [&](int me) {
    return [&, me] {
      for (std::uint64_t p = 1; p <= phases; ++p) {
        arrived[me] = p;
        if (all.arrive_and_wait()) ++last;
        for (const std::uint64_t a : arrived) expect(a >= p, "a barrier opened too early");
        all.arrive_and_wait();
      }
    };
  };
  parallel_invoke(member(0), member(1), member(2));
  expect(last == phases, "a barrier had more or fewer than one last arrival in a phase");
  return mix(n.salt, phases);
}

std::uint64_t evaluation::foreign(const node& n) {
  std::uint64_t value = 0;
  std::exception_ptr thrown;
  std::thread other([&] {
    try {
      value =
          n.salt % 2 == 0 ? run(n.children[0]) : kasuri::run([&] { return run(n.children[0]); });
    } catch (const failure&) {
      thrown = std::current_exception();
    }
  });
  blocking([&] { other.join(); });
  if (thrown) std::rethrow_exception(thrown);
  return mix(n.salt, value);
}

struct c_thread {
  evaluation* all;
  const node* child;
  std::uint64_t value = 0;
  kasuri_thread_t id{};

  static void* main(void* self) {
    auto* t = static_cast<c_thread*>(self);
    t->value = t->all->run(*t->child);
    return self;
  }
};

// The members of a `threads` node do not fail: nothing may be thrown through C.
std::uint64_t evaluation::threads(const node& n) {
  std::vector<c_thread> members(n.children.size());
  for (std::size_t i = 0; i != members.size(); ++i) {
    c_thread& t = members[i];
    t.all = this;
    t.child = &n.children[i];
    const bool child_first = (n.salt >> i & 1) != 0;
    const int error = kasuri_thread_create(&t.id, c_thread::main, &t,
                                           child_first ? KASURI_CHILD_FIRST : KASURI_PARENT_FIRST);
    expect(error == KASURI_SUCCESS, "a thread was not created");
  }
  std::vector<std::uint64_t> v;
  for (c_thread& t : members) {
    void* result = nullptr;
    expect(kasuri_thread_join(t.id, &result) == KASURI_SUCCESS, "a thread was not joined");
    expect(result == &t, "a thread's result is another one's");
    v.push_back(t.value);
  }
  return fold(n, v);
}

std::uint64_t evaluation::run(const node& n) {
  switch (n.what) {
    case kind::leaf:
      // Programs run no children in handlers: whatever is current is some other task's.
      expect(!std::current_exception(), "a task began with an exception of another one current");
      return leaf_value(n.salt);
    case kind::yields:
      return yields(n);
    case kind::sleeps:
      blocking([&n] { usleep(static_cast<useconds_t>(1 + pick(n, 50))); });
      return leaf_value(n.salt);
    case kind::fails:
      throw failure{n.salt};
    case kind::invoke:
      return invoke(n);
    case kind::group:
      return group(n);
    case kind::loop:
      return loop(n);
    case kind::reduce:
      return reduce(n);
    case kind::future:
      return future(n);
    case kind::catches:
      return catches(n);
    case kind::unwinds:
      return unwinds(n);
    case kind::counter:
      return counter(n);
    case kind::channel:
      return channel(n);
    case kind::meeting:
      return meeting(n);
    case kind::foreign:
      return foreign(n);
    case kind::threads:
      return threads(n);
  }
  std::terminate();
}

}  // namespace

outcome run_in_parallel(const node& program, std::string& complaint) {
  evaluation e;
  outcome result;
  try {
    result = {e.run(program), false};
  } catch (const failure& f) {
    result = {f.salt, true};
  }
  complaint = std::move(e.complaint);
  return result;
}

}  // namespace kasuri::test::dag
