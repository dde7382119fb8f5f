// SPDX-License-Identifier: Apache-2.0
// Addresses of a library that is loaded here, by its files as they are and as they may be.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <fstream>

#include "symbols/symbols.hpp"

namespace kasuri::symbols {
namespace {

const std::string folder = KASURI_SYMBOLS_FIXTURES;

#if KASURI_SYMBOLS_LINES
#define NEEDS_LINES
#else
#define NEEDS_LINES GTEST_SKIP() << "built without libdw"
#endif

void* library() {
  static void* const loaded = ::dlopen((folder + "/places.so").c_str(), RTLD_NOW);
  if (loaded == nullptr) throw std::runtime_error(::dlerror());
  return loaded;
}

std::uint64_t call(const char* name) {
  const auto function = reinterpret_cast<const void* (*)()>(::dlsym(library(), name));
  if (function == nullptr) throw std::runtime_error(::dlerror());
  return reinterpret_cast<std::uintptr_t>(function());
}

/// The library as it is mapped here, as if it had come from another file.
module mapped(const std::string& file) {
  struct ::link_map* map = nullptr;
  ::dlinfo(library(), RTLD_DI_LINKMAP, static_cast<void*>(&map));
  const std::uint64_t base = map->l_addr;
  return {.path = folder + '/' + file,
          .base = base,
          .begin = base,
          .end = base + (1 << 20),
          .build_id = ""};
}

int line_of(const std::string& mark, const std::string& file) {
  std::ifstream source(KASURI_SYMBOLS_SOURCES "/" + file);
  int number = 0;
  for (std::string text; std::getline(source, text);) {
    ++number;
    if (text.ends_with("// line: " + mark)) return number;
  }
  ADD_FAILURE() << "no line is marked " << mark;
  return -1;
}

void expect_line(const place& p, const std::string& mark, const std::string& file = "places.cpp") {
  EXPECT_TRUE(p.file.ends_with(file)) << text(p);
  EXPECT_EQ(p.line, line_of(mark, file)) << text(p);
  EXPECT_TRUE(p.of_user);
}

TEST(Places, OfACall) {
  NEEDS_LINES;
  symboliser all({mapped("places.so")});
  const place p = all.before(call("place_of_call"));
  expect_line(p, "call");
  EXPECT_EQ(p.function, "place_of_call");
  EXPECT_EQ(p.module, "places.so");
  EXPECT_TRUE(p.inlined_into.empty());
  EXPECT_TRUE(all.problems().empty());
}

TEST(Places, OfAnInlinedCallWithThoseAroundIt) {
  NEEDS_LINES;
  symboliser all({mapped("places.so")});
  const place p = all.before(call("place_of_inlined_call"));
  expect_line(p, "inlined");
  EXPECT_EQ(p.function, "inlined_call");
  ASSERT_EQ(p.inlined_into.size(), 1U);
  EXPECT_EQ(p.inlined_into[0].function, "place_of_inlined_call");
  EXPECT_EQ(p.inlined_into[0].line, line_of("caller", "places.cpp"));
}

TEST(Places, OfTheFunctionAroundAnInstruction) {
  symboliser all({mapped("places.so")});
  const place p = all.function_around(call("place_of_inlined_call") - 1);
  EXPECT_EQ(p.function, "place_of_inlined_call");
  NEEDS_LINES;
  expect_line(p, "around");
}

TEST(Places, OfClosures) {
  NEEDS_LINES;
  symboliser all({mapped("places.so")});
  const place lambda = all.code(call("code_of_lambda"));
  expect_line(lambda, "lambda");
  EXPECT_EQ(lambda.function, "code_of_lambda::{lambda}");
  expect_line(all.code(call("code_of_lambda_in_library_type")), "held");
  const place functor = all.code(call("code_of_functor"));
  expect_line(functor, "functor");
  EXPECT_EQ(functor.function, "functor");
}

TEST(Places, OfAFunctionPointerThereIsNone) {
  symboliser all({mapped("places.so")});
  const place p = all.code(call("code_of_function_pointer"));
  EXPECT_FALSE(p.of_user);
  EXPECT_TRUE(p.function.starts_with("kasuri::detail::invoke_frame")) << p.function;
}

TEST(Places, BySeparateDebugInformation) {
  NEEDS_LINES;
  symboliser all({mapped("separate.so")});
  expect_line(all.before(call("place_of_call")), "call");
  expect_line(all.code(call("code_of_lambda")), "lambda");
  EXPECT_TRUE(all.problems().empty());
}

TEST(Places, WithoutDebugInformationHaveNames) {
  symboliser all({mapped("names.so")});
  const place p = all.before(call("place_of_call"));
  EXPECT_EQ(text(p), "place_of_call in names.so");
  EXPECT_EQ(all.code(call("code_of_lambda")).function, "code_of_lambda::{lambda}");
  EXPECT_EQ(all.problems().size(), 1U);
}

TEST(Places, OfAStrippedFileHaveExportedNames) {
  symboliser all({mapped("stripped.so")});
  EXPECT_EQ(all.before(call("place_of_call")).function, "place_of_call");
  const std::uint64_t lambda = call("code_of_lambda");
  const place p = all.code(lambda);
  char offset[32];
  std::snprintf(offset, sizeof offset, "stripped.so+0x%llx",
                static_cast<unsigned long long>(lambda - mapped("").base));
  EXPECT_EQ(text(p), offset);
}

void expect_problem(module m, const std::string& says) {
  symboliser all({m});
  const place p = all.before(call("place_of_call"));
  EXPECT_EQ(p.function, "");
  EXPECT_EQ(p.line, 0);
  EXPECT_EQ(p.offset, call("place_of_call") - 1 - m.base);
  ASSERT_EQ(all.problems().size(), 1U);
  EXPECT_NE(all.problems()[0].find(m.path + ": " + says), std::string::npos) << all.problems()[0];
}

TEST(Places, OfAFileThatChangedOrVanishedAreOffsets) {
  module changed = mapped("places.so");
  changed.build_id = "0123456789";
  expect_problem(changed, "has changed since the profile was written");
  expect_problem(mapped("vanished.so"), "No such file or directory");
}

TEST(Places, InNoFile) {
  module vdso{
      .path = "linux-vdso.so.1", .base = 0x1000, .begin = 0x1000, .end = 0x2000, .build_id = ""};
  symboliser all({vdso});
  EXPECT_EQ(text(all.at(0x1010)), "[vdso]+0x10");
  EXPECT_EQ(text(all.at(0x5000)), "0x5000");
  EXPECT_TRUE(all.problems().empty());
}

#ifdef KASURI_SYMBOLS_REGIONS
struct region {
  const void* place;
  const void* code;
};

TEST(Places, OfRegions) {
  NEEDS_LINES;
  symboliser all({mapped("places.so")});
  int numbers[2] = {};
  const auto function = reinterpret_cast<region (*)(int*)>(::dlsym(library(), "region"));
  ASSERT_NE(function, nullptr);
  const region r = function(numbers);
  expect_line(all.before(reinterpret_cast<std::uintptr_t>(r.place)), "region", "regions.c");
  const place code = all.code(reinterpret_cast<std::uintptr_t>(r.code));
  EXPECT_EQ(code.function, "region (parallel region)");
  EXPECT_TRUE(code.file.ends_with("regions.c")) << text(code);
}

// The compiler makes a jump of the call: it returns to the caller of the function.
TEST(Places, OfARegionAtTheEndOfAFunction) {
  NEEDS_LINES;
  symboliser all({mapped("places.so")});
  const auto function = reinterpret_cast<region (*)()>(::dlsym(library(), "region_at_the_end"));
  ASSERT_NE(function, nullptr);
  const place p = all.before(reinterpret_cast<std::uintptr_t>(function().place));
  EXPECT_EQ(p.function, "ends_with_region") << text(p);
  // GCC gives such a call the line of the function.
  EXPECT_TRUE(p.line == line_of("region at the end", "regions.c") ||
              p.line == line_of("end of function", "regions.c"))
      << text(p);
}
#endif

}  // namespace
}  // namespace kasuri::symbols
