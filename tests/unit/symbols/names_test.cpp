// SPDX-License-Identifier: Apache-2.0
// Names of functions and files as they are shown.
#include <gtest/gtest.h>

#include "symbols/file_names.hpp"
#include "symbols/function_names.hpp"

namespace kasuri::symbols {
namespace {

TEST(FunctionNames, PlainOnesStay) {
  EXPECT_EQ(readable("main"), "main");
  EXPECT_EQ(readable("my_operator"), "my_operator");
  EXPECT_EQ(readable(""), "");
}

TEST(FunctionNames, ArgumentsAndResultsAreLeftOut) {
  EXPECT_EQ(readable("_Z5mergePiS_i"), "merge");
  EXPECT_EQ(shortened_function("double sum<double>(std::vector<double> const&, unsigned long)"),
            "sum<double>");
  EXPECT_EQ(shortened_function("unsigned long a::size(int) const"), "a::size");
  EXPECT_EQ(shortened_function("(anonymous namespace)::f(int)"), "f");
  EXPECT_EQ(shortened_function("void std::sort<__gnu_cxx::__normal_iterator<int*, v<int> > >(int)"),
            "std::sort");
}

TEST(FunctionNames, Operators) {
  EXPECT_EQ(shortened_function("adder::operator()() const"), "adder::operator()");
  EXPECT_EQ(shortened_function("a::operator<(a const&)"), "a::operator<");
  EXPECT_EQ(shortened_function("a::operator bool() const"), "a::operator bool");
  EXPECT_EQ(shortened_function("my_operator(int)"), "my_operator");
  EXPECT_EQ(shortened_function("operator new(unsigned long)"), "operator new");
}

TEST(FunctionNames, LambdasOfBothCompilers) {
  EXPECT_EQ(shortened_function("main::{lambda()#1}::operator()() const::{lambda(int)#2}"),
            "main::{lambda}::{lambda}");
  EXPECT_EQ(shortened_function("fib(int)::$_0::operator()() const"), "fib::{lambda}");
  EXPECT_EQ(shortened_function("fib(int)::'lambda0'(int)::operator()(int) const"), "fib::{lambda}");
}

TEST(FunctionNames, ConstructsOfOpenMP) {
  EXPECT_EQ(readable("main._omp_fn.3"), "main (parallel region)");
  EXPECT_EQ(readable("main.omp_outlined"), "main (parallel region)");
  EXPECT_EQ(readable("_Z3fooi._omp_fn.0"), "foo (parallel region)");
  EXPECT_EQ(readable(".omp_outlined."), "(parallel region)");
  EXPECT_EQ(readable(".omp_task_entry."), "(task)");
  EXPECT_EQ(readable("foo.constprop.0"), "foo");
}

TEST(FunctionNames, ClosuresOfFrames) {
  EXPECT_EQ(closure_name("_ZN6kasuri6detail12invoke_frameIZ3fibiEUlvE0_E3runEPNS0_5frameE"),
            "fib::{lambda}");
  EXPECT_EQ(closure_name("_ZN6kasuri6detail12invoke_frameI5adderE3runEPNS0_5frameE"), "adder");
  EXPECT_EQ(closure_name("_ZN6kasuri6detail12invoke_frameIPFivEE3runEPNS0_5frameE"), "");
  EXPECT_EQ(closure_name("_ZN6kasuri6detail11future_taskIPFivEiE3runEPNS0_5frameE"), "");
  EXPECT_EQ(closure_name("main"), "");
}

TEST(FileNames, WhichAreTheUser) {
  EXPECT_TRUE(is_library_file("/usr/include/c++/12/bits/stl_algo.h"));
  EXPECT_TRUE(is_library_file("/here/kasuri/include/kasuri/invoke.hpp"));
  EXPECT_FALSE(is_library_file("/here/sort/sort.cpp"));
  EXPECT_TRUE(is_runtime_code("kasuri::sched::pool::run", "/x/src/sched/pool/pool.cpp"));
  EXPECT_FALSE(is_runtime_code("run", "/x/src/sched/pool/pool.cpp"));
}

TEST(FileNames, AsShortAsTheyAreNotMistaken) {
  file_names names("/here/sort");
  EXPECT_EQ(names.shortened("/here/sort/src/a.cpp"), "src/a.cpp");
  EXPECT_EQ(names.shortened("/opt/lib/a.cpp"), "a.cpp");
  EXPECT_EQ(names.shortened("/opt/other/a.cpp"), "other/a.cpp");
  EXPECT_EQ(names.shortened("/opt/lib/a.cpp"), "a.cpp");
  EXPECT_EQ(names.shortened("/third/other/a.cpp"), "third/other/a.cpp");
  EXPECT_EQ(names.shortened("plain.cpp"), "plain.cpp");
}

}  // namespace
}  // namespace kasuri::symbols
