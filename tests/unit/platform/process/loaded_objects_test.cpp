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

TEST(LoadedObjects, AnObjectHasTheFunctionsThatItDefines) {
  const auto* const qsort_of_c = reinterpret_cast<const void*>(&::qsort);
  const found_object c_library = holder_of(qsort_of_c);
  ASSERT_FALSE(c_library.object.range().empty());
  EXPECT_EQ(c_library.object.function("qsort"), qsort_of_c);
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
  EXPECT_GT(before.added, 1u);
  void* const handle = dlopen("libanl.so.1", RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) GTEST_SKIP() << "there is no libanl.so.1 to load";
  if (count_loaded() == before) GTEST_SKIP() << "libanl.so.1 was loaded before";
  EXPECT_GT(count_loaded().added, before.added);
  dlclose(handle);
  EXPECT_GT(count_loaded().removed, before.removed);
}

TEST(LoadedObjects, AHoldKeepsWhatIsLoadedAndRefusesWhatIsNot) {
  const found_object c_library = holder_of(reinterpret_cast<const void*>(&::qsort));
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
