// SPDX-License-Identifier: Apache-2.0
#include "profile/base/json.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace kasuri::profile {
namespace {

TEST(json, puts_commas_where_they_belong) {
  json to;
  to.begin_object().pair("a", 1).key("b").begin_array().value(2).value(true).begin_object();
  to.end_object().end_array().pair("c", "x").end_object();
  EXPECT_EQ(to.text(), R"({"a":1,"b":[2,true,{}],"c":"x"})");
}

TEST(json, escapes_what_a_string_cannot_hold) {
  json to;
  to.value(std::string_view("a\"b\\c\n\xc3\xa9"));
  EXPECT_EQ(to.text(), "\"a\\\"b\\\\c\\u000a\\u00c3\\u00a9\"");
}

TEST(json, numbers_are_numbers_whatever_they_are) {
  json to;
  to.begin_array().value(std::numeric_limits<double>::infinity()).value(0.25);
  to.value(std::numeric_limits<std::uint64_t>::max()).end_array();
  EXPECT_EQ(to.text(), "[0,0.25,18446744073709551615]");
}

TEST(json, addresses_are_strings) {
  json to;
  to.address(reinterpret_cast<const void*>(0x1234));
  EXPECT_EQ(to.text(), "\"0x1234\"");
}

}  // namespace
}  // namespace kasuri::profile
