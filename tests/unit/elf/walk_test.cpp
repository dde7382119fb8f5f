// SPDX-License-Identifier: Apache-2.0
// The search, against the loader itself.
#include "elf/walk.hpp"

#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace kasuri::elf {
namespace {

const std::string fixtures = KASURI_ELF_FIXTURES;

std::set<std::string> files(const load_list& list) {
  std::set<std::string> found;
  for (const object& each : list.objects) {
    found.insert(std::filesystem::canonical(each.path).string());
  }
  return found;
}

bool has(const load_list& list, const std::string& file) {
  return files(list).contains(std::filesystem::canonical(file).string());
}

TEST(Walk, FindsWhatTheLoaderLoadedForThisTest) {
  std::set<std::string> loaded;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        std::error_code error;  // the vdso is no file
        const auto file = std::filesystem::canonical(info->dlpi_name, error);
        if (!error) {
          static_cast<std::set<std::string>*>(data)->insert(file.string());
        }
        return 0;
      },
      &loaded);
  std::set<std::string> found = files(walk("/proc/self/exe", current_search_environment()));
  found.erase(std::filesystem::canonical("/proc/self/exe").string());  // "" to the loader
  // The loader itself is there even where nothing names it.
  std::erase_if(loaded, [&](const std::string& file) {
    return file.find("/ld-linux") != std::string::npos && !found.contains(file);
  });
  EXPECT_EQ(found, loaded);
}

TEST(Walk, AModuleIsServedByWhatItsProgramLoadedAndByItsRpath) {
  const search_environment nothing;
  const std::string middle = fixtures + "/near/libmiddle.so";  // names no folder
  EXPECT_FALSE(has(walk(middle, nothing), fixtures + "/far/libshape.so.1"));
  const load_list by_rpath = walk(fixtures + "/elf_by_rpath", nothing);
  EXPECT_TRUE(has(walk_module(middle, by_rpath, nothing), fixtures + "/far/libshape.so.1"));
  load_list bare = by_rpath;  // the same program, that has loaded nothing
  bare.objects.resize(1);
  bare.requests.clear();
  EXPECT_TRUE(has(walk_module(middle, bare, nothing), fixtures + "/far/libshape.so.1"));
  const load_list by_runpath = walk(fixtures + "/elf_by_runpath", nothing);
  EXPECT_FALSE(has(walk_module(middle, by_runpath, nothing), fixtures + "/far/libshape.so.1"));
}

TEST(Walk, RpathServesWhatLibrariesNeedAndRunpathDoesNot) {
  const search_environment nothing;
  const load_list by_rpath = walk(fixtures + "/elf_by_rpath", nothing);
  EXPECT_TRUE(has(by_rpath, fixtures + "/near/libmiddle.so"));
  EXPECT_TRUE(has(by_rpath, fixtures + "/far/libshape.so.1"));
  const load_list by_runpath = walk(fixtures + "/elf_by_runpath", nothing);
  EXPECT_TRUE(has(by_runpath, fixtures + "/near/libmiddle.so"));
  EXPECT_FALSE(has(by_runpath, fixtures + "/far/libshape.so.1"));
  const auto missing = std::ranges::find_if(
      by_runpath.requests, [](const request& each) { return each.name == "libshape.so.1"; });
  ASSERT_NE(missing, by_runpath.requests.end());
  EXPECT_EQ(missing->what, load_list::none);
  EXPECT_EQ(by_runpath.objects[missing->by].path, fixtures + "/near/libmiddle.so");
}

TEST(Walk, LibraryPathAndPreloadComeFirst) {
  search_environment environment;
  environment.library_path = {fixtures + "/far"};
  EXPECT_TRUE(
      has(walk(fixtures + "/elf_by_runpath", environment), fixtures + "/far/libshape.so.1"));
  environment.library_path.clear();
  environment.preload = {fixtures + "/far/libshape.so.1"};
  const load_list preloaded = walk(fixtures + "/elf_by_runpath", environment);
  ASSERT_GE(preloaded.objects.size(), 2u);
  EXPECT_EQ(preloaded.objects[1].soname, "libshape.so.1");
  // Known by its name, so that the library that needs it gets it.
  EXPECT_TRUE(std::ranges::any_of(preloaded.requests, [](const request& each) {
    return each.name == "libshape.so.1" && each.by != 0 && each.what == 1;
  }));
}

TEST(Walk, TokensOfSearchPaths) {
  EXPECT_EQ(folders("$ORIGIN/a:${ORIGIN}/b::/c", "/o"),
            (std::vector<std::string>{"/o/a", "/o/b", ".", "/c"}));
  EXPECT_TRUE(folders("", "/o").empty());
}

TEST(Walk, ACacheThatIsNoneIsNoObstacle) {
  const std::string file = testing::TempDir() + "/kasuri.no.cache";
  std::ofstream(file) << "glibc-ld.so.cache1.1" << std::string(40, '\xff');
  EXPECT_TRUE(read_loader_cache(file).empty());
  EXPECT_TRUE(read_loader_cache("/nonexistent").empty());
}

}  // namespace
}  // namespace kasuri::elf
