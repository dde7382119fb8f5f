// SPDX-License-Identifier: Apache-2.0
// Checkpoints that ranks of the simulated network write and others read.

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cluster/memory/memory.hpp"
#include "cluster/simulated_memory.hpp"
#include "kasuri/global/atomic.hpp"
#include "kasuri/global/file.hpp"
#include "kasuri/global/files/checkpoint.hpp"
#include "kasuri/parallel.hpp"
#include "saved.hpp"

namespace kasuri::test {
namespace {

using namespace cluster;
using global::load_checkpoint;
using global::save_checkpoint;

constexpr std::size_t sizes[] = {0, 1, 1023, 1024, 1025, 5000, 40'001};
constexpr std::size_t size_count = std::size(sizes);

struct large_value {
  std::array<std::uint32_t, 3000> all;
};

memory_options some_memory(bool cached, bool checked) {
  memory_options o = small_memory();
  o.cached = cached;
  o.checked = checked;
  return o;
}

using arrays = std::vector<global::vector<std::uint32_t>>;

arrays all_sizes(int layout, int ranks) {
  arrays made;
  for (const std::size_t n : sizes) made.push_back(array_of(n, layout, ranks));
  return made;
}

/// Their names are "a", "b", ...
std::vector<global::checkpoint_part> parts_of(const arrays& all,
                                              const std::vector<std::string>& names) {
  std::vector<global::checkpoint_part> parts;
  for (std::size_t i = 0; i != all.size(); ++i) parts.emplace_back(names[i], all[i]);
  return parts;
}

std::vector<std::string> names() {
  std::vector<std::string> made;
  for (std::size_t i = 0; i != size_count; ++i)
    made.push_back(std::string(1, static_cast<char>('a' + i)));
  return made;
}

void save(const std::string& path, int ranks, int layout, const memory_options& how) {
  on_simulated_ranks(ranks, how, [&](int rank, transport&, memory&) {
    const arrays all = all_sizes(layout, ranks);
    for (std::size_t i = 0; i != size_count; ++i)
      fill(all[i].view(), static_cast<std::uint32_t>(i), rank, ranks);
    const auto n = names();
    auto parts = parts_of(all, n);
    const int step = rank == 0 ? 41 : 0;  // that of rank 0 counts
    large_value large{};
    for (std::size_t i = 0; i != large.all.size(); ++i) large.all[i] = element(i, 99);
    parts.emplace_back("step", step);
    parts.emplace_back("large", large);
    save_checkpoint(path, parts);
  });
}

void load(const std::string& path, int ranks, int layout, const memory_options& how) {
  on_simulated_ranks(ranks, how, [&](int rank, transport& net, memory&) {
    const arrays all = all_sizes(layout, ranks);
    const auto n = names();
    auto parts = parts_of(all, n);
    int step = 0;
    large_value large{};
    parts.emplace_back("large", large);  // in another order than they were saved
    parts.emplace_back("step", step);
    // What others have of it in their caches, also written, is no more.
    for (std::size_t i = 0; i != size_count; ++i) {
      EXPECT_EQ(wrong_in(all[i].view(), 5), sizes[i]);
      fill(all[i].view(), 1234, rank, ranks);
    }
    ASSERT_TRUE(load_checkpoint(path, parts));
    for (std::size_t i = 0; i != size_count; ++i)
      EXPECT_EQ(wrong_in(all[i].view(), static_cast<std::uint32_t>(i)), 0U)
          << sizes[i] << " elements in layout " << layout << " on " << ranks << " ranks";
    EXPECT_EQ(step, 41);
    for (std::size_t i = 0; i != large.all.size(); ++i) EXPECT_EQ(large.all[i], element(i, 99));
    net.barrier();
  });
}

TEST(Checkpoint, WrittenOn3RanksIsReadOn5And1And8InAnyDistribution) {
  const file_name file("3to5");
  for (int layout = 0; layout != layouts; ++layout) {
    save(file.path(), 3, layout, some_memory(true, false));
    EXPECT_TRUE(file.unfinished().empty());
    for (const int ranks : {5, 1, 8})
      for (int other = 0; other != layouts; ++other)
        load(file.path(), ranks, other, some_memory(true, false));
  }
}

TEST(Checkpoint, IsTheSameWithoutACacheAndUnderChecks) {
  const file_name file("how");
  save(file.path(), 3, 1, some_memory(false, false));
  load(file.path(), 4, 2, some_memory(true, true));
  save(file.path(), 2, 3, some_memory(true, true));
  load(file.path(), 3, 0, some_memory(false, false));
  save(file.path(), 1, 0, some_memory(true, false));
  load(file.path(), 1, 0, some_memory(true, true));
}

TEST(Checkpoint, HasPartsOfArraysThatBeginAnywhere) {
  const file_name file("views");
  const auto run = [&](int ranks, std::size_t from, bool saves) {
    on_simulated_ranks(ranks, small_memory(), [&](int rank, transport&, memory&) {
      const global::vector<std::uint32_t> a(30'000, global::cyclic(1));
      const global::grid<std::uint32_t> g(41, 77);
      const auto part = a.view().subview(from, 12'345);
      if (saves) {
        fill(part, 8, rank, ranks);
        fill(g.view().all(), 9, rank, ranks);
        const global::view<const std::uint32_t> to_read = part;
        save_checkpoint(file.path(), {{"part", to_read}, {"grid", g.view()}, {"n", 3.5}});
        return;
      }
      fill(a.view(), 77, rank, ranks);
      double n = 0;
      ASSERT_TRUE(load_checkpoint(file.path(), {{"part", part}, {"grid", g}, {"n", n}}));
      EXPECT_EQ(wrong_in(part, 8), 0U);
      EXPECT_EQ(wrong_in(g.view().all(), 9), 0U);
      EXPECT_EQ(n, 3.5);
      for (std::size_t i = 0; i != from; ++i)  // what is around it stays
        EXPECT_EQ(global::get(a.begin() + static_cast<std::ptrdiff_t>(i)), element(i, 77));
    });
  };
  run(3, 1111, true);
  run(5, 17, false);
  run(1, 0, false);
}

/// Of the piece that lies at two ranks each has a copy of what is the other's.
TEST(Checkpoint, HasWhatAtomicOperationsHaveChangedAtOtherHomes) {
  const file_name file("atomics");
  for (const std::size_t from : {0, 1, 500, 1023}) {
    on_simulated_ranks(2, small_memory(), [&](int rank, transport& net, memory&) {
      const global::vector<std::uint64_t> a(2048);
      (void)global::get(a.begin() + (rank == 0 ? 1024 : 1023));
      net.barrier();
      for (int i = rank; i < 2048; i += 2) global::fetch_add(a.begin() + i, 7U + i);
      const auto part = a.view().subview(from, 2048 - from);
      save_checkpoint(file.path(), {{"part", part}});
      const global::vector<std::uint64_t> back(part.size());
      ASSERT_TRUE(load_checkpoint(file.path(), {{"part", back}}));
      for (std::size_t i = 0; i != part.size(); ++i)
        EXPECT_EQ(global::get(back.begin() + static_cast<std::ptrdiff_t>(i)), 7 + i + from);
      net.barrier();
    });
  }
}

TEST(Checkpoint, SomePartsAreReadAloneAndOneOfNoneIsAFile) {
  const file_name file("some");
  on_simulated_ranks(2, small_memory(), [&](int rank, transport&, memory&) {
    const global::vector<std::uint32_t> a(3000);
    fill(a.view(), 1, rank, 2);
    int step = 12;
    save_checkpoint(file.path(), {{"a", a}, {"step", step}});
    step = 0;
    EXPECT_TRUE(load_checkpoint(file.path(), {{"step", step}}));
    EXPECT_EQ(step, 12);
    EXPECT_TRUE(load_checkpoint(file.path(), std::initializer_list<global::checkpoint_part>{}));
    save_checkpoint(file.path(), std::vector<global::checkpoint_part>{});
    EXPECT_TRUE(load_checkpoint(file.path(), std::vector<global::checkpoint_part>{}));
  });
}

TEST(Checkpoint, ThatIsNotThereChangesNothing) {
  const file_name file("absent");
  on_simulated_ranks(3, small_memory(), [&](int rank, transport&, memory&) {
    const global::vector<std::uint32_t> a(3000);
    fill(a.view(), 1, rank, 3);
    EXPECT_FALSE(load_checkpoint(file.path(), {{"a", a}}));
    EXPECT_FALSE(load_checkpoint(file.path() + "/no/folder", {{"a", a}}));
  });
}

TEST(Checkpoint, OfAnotherTypeOrSizeIsRefused) {
  const file_name file("type");
  on_simulated_ranks(3, small_memory(), [&](int, transport&, memory&) {
    enum class state : std::uint32_t { on };
    struct point {
      float x;
    };
    const global::vector<std::uint32_t> a(3000);
    const global::grid<float> g(3, 4);
    const global::grid<float> turned(4, 3);
    const global::vector<float> flat(12);
    const global::vector<std::int32_t> with_sign(3000);
    const global::vector<float> floats(3000);
    const global::vector<point> points(3000);
    const global::vector<state> states(3000);
    const global::vector<std::uint32_t> shorter(2999);
    const global::vector<std::uint64_t> wide(1500);
    const global::vector<char> text(12'000);
    const global::vector<signed char> small(12'000);
    int step = 1;
    double real = 0;
    save_checkpoint(file.path(), {{"a", a}, {"g", g}, {"step", step}});
    const auto said = [&](global::checkpoint_part part) {
      return said_by([&] { (void)load_checkpoint(file.path(), {part}); });
    };
    const std::string begin = "global::load_checkpoint '" + file.path() + "': rank 0 finds ";
    const std::string is = begin +
                           "that 'a' is an array of 3000 elements (unsigned integers of 4 "
                           "bytes); accepted: an array of ";
    EXPECT_EQ(said({"a", with_sign}), is + "3000 elements (signed integers of 4 bytes)");
    EXPECT_EQ(said({"a", floats}), is + "3000 elements (floating point numbers of 4 bytes)");
    EXPECT_EQ(said({"a", points}), is + "3000 elements (elements of 4 bytes)");
    EXPECT_EQ(said({"a", shorter}), is + "2999 elements (unsigned integers of 4 bytes)");
    EXPECT_EQ(said({"a", wide}), is + "1500 elements (unsigned integers of 8 bytes)");
    EXPECT_EQ(said({"a", states}), "nothing");  // as the integers that they are
    // Without a sign, whether the machine's has one or not.
    EXPECT_EQ(said({"a", text}), is + "12000 elements (elements of 1 bytes)");
    EXPECT_EQ(said({"a", small}), is + "12000 elements (signed integers of 1 bytes)");
    EXPECT_EQ(said({"b", a}), begin + "no part 'b'; accepted: 'a', 'g', 'step'");
    EXPECT_EQ(said({"g", turned}),
              begin +
                  "that 'g' is a grid of 3 rows of 4 columns (floating point numbers of 4 "
                  "bytes); accepted: a grid of 4 rows of 3 columns (floating point numbers of "
                  "4 bytes)");
    EXPECT_TRUE(has(said({"g", flat}), "accepted: an array of 12 elements"));
    EXPECT_EQ(said({"step", real}),
              begin +
                  "that 'step' is a value of 4 bytes (signed integers of 4 bytes); accepted: a "
                  "value of 8 bytes (floating point numbers of 8 bytes)");
    EXPECT_TRUE(has(said({"a", step}), "accepted: a value of 4 bytes"));
  });
}

TEST(Checkpoint, CallsThatMakeNoSenseAreRefused) {
  const file_name file("sense");
  on_simulated_ranks(2, small_memory(), [&](int, transport&, memory&) {
    const global::vector<int> a(10);
    const int fixed = 1;
    const std::string long_name(256, 'x');
    const auto saved = [&](std::initializer_list<global::checkpoint_part> parts) {
      return said_by([&] { save_checkpoint(file.path(), parts); });
    };
    EXPECT_TRUE(has(saved({{"", a}}), "has a name of 0 bytes; accepted: 1 to 255"));
    EXPECT_TRUE(has(saved({{long_name, a}}), "has a name of 256 bytes"));
    EXPECT_TRUE(has(saved({{"a", a}, {"a", fixed}}), "'a' is there twice"));
    EXPECT_TRUE(has(saved({{"a", a.view().subview(5, 7)}}), "not inside one allocation"));
    EXPECT_FALSE(is_there(file.path()));
    save_checkpoint(file.path(), {{"a", a}, {"fixed", fixed}});
    const auto loaded = [&](std::initializer_list<global::checkpoint_part> parts) {
      return said_by([&] { (void)load_checkpoint(file.path(), parts); });
    };
    EXPECT_TRUE(has(loaded({{"fixed", fixed}}), "'fixed' is const; accepted: variables"));
    EXPECT_TRUE(has(loaded({{"fixed", 1}}), "'fixed' is const"));
    EXPECT_TRUE(has(loaded({{"a", global::view<const int>(a.view())}}), "'a' is const"));
    const global::file_view<int> f(file.path());
    EXPECT_TRUE(has(loaded({{"a", global::view<int>(global::ptr<int>::at(f.begin().offset()), 1)}}),
                    "file_view"));
  });
}

TEST(Checkpoint, InsideATaskIsRefused) {
  const file_name file("task");
  on_simulated_ranks(1, small_memory(), [&](int, transport&, memory&) {
    const global::vector<int> a(10);
    std::string saved;
    std::string loaded;
    kasuri::parallel_invoke(
        [&] {
          saved = said_by([&] { save_checkpoint(file.path(), {{"a", a}}); });
          loaded = said_by([&] { (void)load_checkpoint(file.path(), {{"a", a}}); });
        },
        [] {});
    EXPECT_TRUE(has(saved, "global::save_checkpoint: used inside a task")) << saved;
    EXPECT_TRUE(has(loaded, "global::load_checkpoint: used inside a task")) << loaded;
  });
}

TEST(Checkpoint, ThatCannotBeWrittenLeavesTheOldOne) {
  const file_name file("old");
  on_simulated_ranks(3, small_memory(), [&](int rank, transport& net, memory&) {
    const global::vector<std::uint32_t> a(20'000);
    fill(a.view(), 1, rank, 3);
    save_checkpoint(file.path(), {{"a", a}});
    fill(a.view(), 2, rank, 3);
    rlimit before;
    ::getrlimit(RLIMIT_FSIZE, &before);
    net.barrier();
    rlimit small = before;
    small.rlim_cur = 50'000;
    ::setrlimit(RLIMIT_FSIZE, &small);
    const std::string said = said_by([&] { save_checkpoint(file.path(), {{"a", a}}); });
    net.barrier();
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_TRUE(has(said, "global::save_checkpoint '" + file.path() + "': rank 0 cannot create '"))
        << said;
    EXPECT_TRUE(has(said, "(a file of this name is as it was)")) << said;
    EXPECT_TRUE(file.unfinished().empty());
    net.barrier();
    EXPECT_TRUE(load_checkpoint(file.path(), {{"a", a}}));
    EXPECT_EQ(wrong_in(a.view(), 1), 0U);
  });
}

}  // namespace
}  // namespace kasuri::test
