// SPDX-License-Identifier: Apache-2.0
#include "platform/process/loaded_objects.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace kasuri::platform {
namespace {

struct found_object {
  loaded_object object;
  std::string file;
};

found_object holder_of(const void* address) {
  found_object found;
  for_each_loaded([&](const loaded_object& object, const char* file) {
    if (!object.range().holds(address)) return false;
    found = {object, file};
    return true;
  });
  return found;
}

/// The C library among the loaded objects. A program that is linked statically, as in the AArch64
/// tree, is the one object that there is, without a table of functions: the result is then empty.
found_object c_library_of_process() {
  static int mine = 0;
  const found_object holder = holder_of(reinterpret_cast<const void*>(&::qsort));
  return holder.object.range().holds(&mine) ? found_object() : holder;
}

constexpr const char* nothing_shared = "this program is linked statically";

TEST(LoadedObjects, AnObjectHasTheFunctionsThatItDefines) {
  const found_object c_library = c_library_of_process();
  if (c_library.object.range().empty()) GTEST_SKIP() << nothing_shared;
  EXPECT_EQ(c_library.object.function("qsort"), reinterpret_cast<const void*>(&::qsort));
  EXPECT_EQ(c_library.object.function("no_function_of_any_library"), nullptr);
  EXPECT_EQ(c_library.object.function("environ"), nullptr) << "it is no function";
}

TEST(LoadedObjects, NotThoseThatItOnlyUses) {
  static int mine = 0;
  const found_object program = holder_of(&mine);
  ASSERT_FALSE(program.object.range().empty());
  EXPECT_EQ(program.object.function("dl_iterate_phdr"), nullptr);
}

TEST(LoadedObjects, AnEmptyOneHasNone) {
  EXPECT_TRUE(loaded_object().range().empty());
  EXPECT_EQ(loaded_object().function("qsort"), nullptr);
}

// A library that this program does not need.
TEST(LoadedObjects, TheCountsTellWhatIsLoadedAndUnloaded) {
  const loader_counts before = count_loaded();
  EXPECT_GE(before.added, 1u);
  void* const handle = dlopen("libanl.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) GTEST_SKIP() << "there is no libanl.so.1 to load";
  if (count_loaded() == before) GTEST_SKIP() << "libanl.so.1 was loaded before";
  EXPECT_GT(count_loaded().added, before.added);
  dlclose(handle);
  EXPECT_GT(count_loaded().removed, before.removed);
}

TEST(LoadedObjects, AHoldKeepsWhatIsLoadedAndRefusesWhatIsNot) {
  const found_object c_library = c_library_of_process();
  if (c_library.object.range().empty()) GTEST_SKIP() << nothing_shared;
  EXPECT_TRUE(object_hold(c_library.file, c_library.object, false).holds());
  EXPECT_FALSE(object_hold("/no/such/library.so", c_library.object, false).holds());
  static int mine = 0;
  EXPECT_FALSE(object_hold(c_library.file, holder_of(&mine).object, false).holds());
}

TEST(LoadedObjects, ALookIsCalledFromWhereLibrariesMayBeNoticed) {
  static int looks;
  looks = 0;
  notice_libraries();
  notice_libraries_by([]() noexcept { ++looks; });
  notice_libraries();
  notice_libraries_by(nullptr);
  EXPECT_EQ(looks, 1);
}

}  // namespace
}  // namespace kasuri::platform
