// SPDX-License-Identifier: Apache-2.0
#include "profile/base/top_places.hpp"

#include <gtest/gtest.h>

namespace kasuri::profile {
namespace {

TEST(TopPlaces, TheOneWithMostIsKept) {
  int places[8];
  top_places top;
  EXPECT_EQ(top.most(), nullptr);
  for (int& p : places) top.add(&p, 1);
  for (int i = 0; i != 5; ++i) top.add(&places[2], 10);
  top.add(&places[7], 30);
  EXPECT_EQ(top.most(), &places[2]);
}

}  // namespace
}  // namespace kasuri::profile
