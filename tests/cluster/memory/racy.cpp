// SPDX-License-Identifier: Apache-2.0
// Programs with a data race, and some that come close to one: racy KIND. What they compute does not
// matter. races_test.py runs them.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <kasuri/global.hpp>
#include <kasuri/global/atomic.hpp>
#include <kasuri/global/memory.hpp>

namespace {

namespace global = kasuri::global;
using bytes = global::view<char>;

template <class Mode>
void use(bytes v, std::size_t first, std::size_t n, Mode mode) {
  const auto x = global::checkout(v.subview(first, n), mode);
  if constexpr (Mode::mode != global::access::read) std::memset(x.data(), 1, n);
}

template <class F, class G>
void fork(F f, G g) {
  global::parallel_invoke(f, g);
}

// Not a function: its address is not the same on all ranks.
constexpr auto nothing = [] {};

void write_write(bytes v) {
  fork([=] { use(v, 100, 50, global::write); }, [=] { use(v, 149, 10, global::write); });
}

void write_read(bytes v) {
  fork([=] { use(v, 0, 9000, global::read_write); }, [=] { use(v, 8999, 1, global::read); });
}

void read_write(bytes v) {
  fork([=] { use(v, 10, 20, global::read); }, [=] { use(v, 0, 11, global::write); });
}

/// The left of two readers, deep in one side; a reader behind it in the same task; the writer in
/// the other side.
void nested(bytes v) {
  fork(
      [=] {
        fork(nothing, [=] { fork([=] { use(v, 7, 1, global::read); }, nothing); });
        use(v, 7, 1, global::read);
      },
      [=] { fork(nothing, [=] { fork(nothing, [=] { use(v, 0, 100, global::write); }); }); });
}

/// Pieces of a loop that reach a byte into their neighbours.
void neighbours(bytes v) {
  global::parallel_for(std::size_t{0}, std::size_t{64}, 1, [=](std::size_t i, std::size_t) {
    use(v, i * 100, i == 63 ? 100 : 101, global::write);
  });
}

void put_get(bytes v) {
  fork([=] { global::put(v.begin() + 5, 'x'); },
       [=] { static_cast<void>(global::get(v.begin() + 5)); });
}

void atomic_read(bytes v) {
  const auto word = global::ptr<std::uint64_t>::at(v.begin().offset() + 64);
  fork([=] { global::fetch_add(word, 1); }, [=] { use(v, 60, 5, global::read); });
}

int plus_one(int x) { return x + 1; }

constexpr int table[] = {1, 2, 3};

/// What is at one rank only, in closures that may go to another.
void by_reference(bytes v) {
  int x = 1;
  fork(nothing, [&x, v] { x = static_cast<int>(v.size()); });
}

void pointer_to_heap(bytes) {
  auto* const p = new int(1);
  fork(nothing, [p] { *p = 2; });
  delete p;
}

void function_pointer(bytes) {
  int (*f)(int) = plus_one;
  fork(nothing, [f] { static_cast<void>(f(1)); });
}

void literal(bytes) {
  const char* text = "text";
  fork(nothing, [text] { static_cast<void>(std::strlen(text)); });
}

/// The same by what travels; numbers that look like much, and pointers into global memory.
void portable(bytes v) {
  const global::function_ref<int(int)> f = plus_one;
  const global::constant_ptr<const char> text = "text";
  const global::constant_ptr<const int> numbers = table;
  const std::uint64_t large = 0x1234'5678'9abc;
  const auto x = v.begin();
  fork(nothing, [=] {
    if (f(1) != 2 || std::strcmp(text.get(), "text") != 0 || numbers[2] != 3 || large % 2 != 0)
      std::abort();
    global::put(x, 'x');
  });
}

/// By the same task, and by one behind the join; what is allocated again is no more free.
void after_free(bytes) {
  const auto p = global::allocate<char>(40);
  global::deallocate(p, 40);
  use(bytes(p, 40), 8, 4, global::read);
}

void after_a_join(bytes) {
  const auto p = global::allocate<char>(40);
  fork(nothing, [=] { global::deallocate(p, 40); });
  global::put(p + 39, 'x');
}

void deallocated(bytes) {
  const auto p = global::allocate<char>(40);
  fork([=] { global::deallocate(p, 40); }, [=] { static_cast<void>(global::get(p + 39)); });
}

/// Behind the end of an inner fork, beside the other side of the outer one.
void behind_a_join(bytes v) {
  fork(
      [=] {
        fork(nothing, nothing);
        use(v, 0, 10, global::write);
      },
      [=] {
        fork(nothing, nothing);
        use(v, 9, 10, global::write);
      });
}

/// The two are on different ranks, where there are two.
void apart(bytes v) {
  const auto word = global::ptr<std::uint64_t>::at(v.begin().offset() + 4096);
  fork(
      [=] {
        use(v, 20, 4, global::write);
        while (global::num_ranks() > 1 && global::atomic_load(word) == 0) {
        }
      },
      [=] {
        use(v, 20, 4, global::read);
        global::atomic_store(word, 1);
      });
}

// ---- none of these has a race

void joined(bytes v) {
  for (int i = 0; i != 20; ++i) {
    use(v, 0, 9000, global::read_write);
    fork([=] { use(v, 0, 4501, global::write); }, [=] { use(v, 4501, 4499, global::write); });
    fork([=] { use(v, 0, 9000, global::read); }, [=] { use(v, 0, 9000, global::read); });
  }
}

void atomics(bytes v) {
  const auto word = global::ptr<std::uint64_t>::at(v.begin().offset() + 64);
  fork([=] { global::fetch_add(word, 1); }, [=] { global::fetch_add(word, 1); });
  use(v, 64, 8, global::read);
}

/// What one task frees another may get.
void handed_on(bytes) {
  global::parallel_for(0, 200, 1, [=](int, int) {
    const auto p = global::allocate<char>(40);
    use(bytes(p, 40), 0, 40, global::write);
    fork([=] { use(bytes(p, 40), 0, 20, global::read); },
         [=] { use(bytes(p, 40), 20, 20, global::write); });
    global::deallocate(p, 40);
  });
}

// ---- uses of other bytes than those checked out, or otherwise than said

void write_a_reading(bytes v) {
  const auto x = global::checkout(v.subview(100, 50), global::read);
  const_cast<char&>(x[7]) = 1;
}

/// Across the end of a block, and where the array goes on.
void write_past_end(bytes v) {
  const auto x = global::checkout(v.subview(4000, 200), global::write);
  x.data()[200] = 1;
}

void read_past_end(bytes v) {
  const auto x = global::checkout(v.subview(9000, 1000), global::read);
  const volatile char* behind = x.data() + 1000;
  static_cast<void>(*behind);
}

void write_before(bytes v) {
  const auto x = global::checkout(v.subview(100, 50), global::read_write);
  x.data()[-3] = 1;
}

/// A task that holds some of what it writes sees what it wrote: inside an earlier checkout,
/// whatever that one is for.
void inside_another(bytes v) {
  const auto all = global::checkout(v.subview(10, 5000), global::read);
  {
    const auto part = global::checkout(v.subview(4090, 20), global::write);
    std::memset(part.data(), 'y', part.size());
    if (all[4080] != 'y' || all[4099] != 'y') std::abort();
    const auto again = global::checkout(v.subview(4095, 2), global::read);
    if (again[0] != 'y' || again[1] != 'y') std::abort();
  }
  const auto beside = global::checkout(v.subview(4000, 2000), global::read);
  if (beside[90] != 'y' || beside[109] != 'y' || beside[110] == 'y') std::abort();
}

void across_another(bytes v) {
  const auto first = global::checkout(v.subview(10, 50), global::write);
  const auto second = global::checkout(v.subview(50, 50), global::read);
  first[45] = second[0];
}

struct kind {
  const char* name;
  void (*run)(bytes);
};
constexpr kind kinds[] = {
    {"write-write", write_write},
    {"write-read", write_read},
    {"read-write", read_write},
    {"nested", nested},
    {"neighbours", neighbours},
    {"put-get", put_get},
    {"atomic-read", atomic_read},
    {"deallocated", deallocated},
    {"behind-a-join", behind_a_join},
    {"apart", apart},
    {"joined", joined},
    {"atomics", atomics},
    {"after-free", after_free},
    {"after-a-join", after_a_join},
    {"handed-on", handed_on},
    {"by-reference", by_reference},
    {"pointer-to-heap", pointer_to_heap},
    {"function-pointer", function_pointer},
    {"literal", literal},
    {"portable", portable},
    {"write-a-reading", write_a_reading},
    {"write-past-end", write_past_end},
    {"read-past-end", read_past_end},
    {"write-before", write_before},
    {"inside-another", inside_another},
    {"across-another", across_another},
};

}  // namespace

int main(int argc, char** argv) {
  for (std::size_t i = 0; i != std::size(kinds); ++i) {
    if (argc != 2 || std::strcmp(argv[1], kinds[i].name) != 0) continue;
    const global::vector<char> v(10000);
    const bytes all = v.view();
    global::run([=] { kinds[i].run(all); });
    // Another run is ordered behind the first.
    global::run([=] { use(all, 0, 10000, global::write); });
    std::puts("done");
    return 0;
  }
  std::fprintf(stderr, "racy KIND: accepted:");
  for (const kind& k : kinds) std::fprintf(stderr, " %s", k.name);
  std::fputc('\n', stderr);
  return 2;
}
