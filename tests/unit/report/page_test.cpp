// SPDX-License-Identifier: Apache-2.0
#include "report/page/page.hpp"

#include <gtest/gtest.h>

TEST(page, begins) { EXPECT_TRUE(kasuri::report::page({}).starts_with("<!DOCTYPE html>")); }
