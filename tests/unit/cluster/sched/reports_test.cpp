// SPDX-License-Identifier: Apache-2.0
#include "cluster/sched/joins/reports.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "cluster/sched/wire/exception_text.hpp"
#include "cluster/sched/wire/modules.hpp"
#include "sched_parts.hpp"

namespace kasuri::cluster {
namespace {

using test::on_parts;
using test::rank_parts;

/// Rank 1 reports as `report` says; what rank 0 finds in its record 3, use 5, when the word says
/// that it is there.
template <class G, class Report, class Look>
void reported(G, Report report, Look look) {
  on_parts(2, [&](rank_parts& p) {
    if (p.site.rank == 1) {
      travelled t;
      t.head.from = 0;
      t.head.record = 3;
      t.head.generation = 5;
      t.head.kind = portable_address(&global::detail::kind_of<G>::kind);
      reports r(p.site);
      report(r, t);
      return;
    }
    while (p.site.own(layout::word_of(layout::done, 3)) != 5) p.site.net.nap(100'000);
    layout::report head;
    std::memcpy(&head, p.site.at(layout::report_of(3)), sizeof head);
    look(head, p.site.at(layout::report_of(3)) + layout::result_at);
    EXPECT_EQ(p.site.own(layout::word_of(layout::done, 2)), 0U);
    EXPECT_EQ(p.site.own(layout::word_of(layout::done, 4)), 0U);
  });
}

TEST(Reports, AValueIsThereWhenItsWordIs) {
  reported([] { return std::uint64_t{0}; },
           [](reports& r, const travelled& t) {
             const std::uint64_t value = 0x1234567890;
             r.value(t, &value);
           },
           [](const layout::report& head, const std::byte* outcome) {
             EXPECT_EQ(head.how, layout::outcome::value);
             EXPECT_EQ(head.rank, 1);
             ASSERT_EQ(head.bytes, sizeof(std::uint64_t));
             std::uint64_t value = 0;
             std::memcpy(&value, outcome, sizeof value);
             EXPECT_EQ(value, 0x1234567890U);
           });
}

TEST(Reports, AnExceptionIsItsTypeAndText) {
  reported([] {},
           [](reports& r, const travelled& t) {
             try {
               throw std::string("not an exception type");
             } catch (...) {
               r.exception(t);
             }
           },
           [](const layout::report& head, const std::byte* outcome) {
             EXPECT_EQ(head.how, layout::outcome::exception);
             EXPECT_EQ(head.rank, 1);
             std::string type, text;
             read_exception(outcome, head.bytes, type, text);
             EXPECT_NE(type.find("string"), std::string::npos) << type;
             EXPECT_EQ(text, "");
           });
}

}  // namespace
}  // namespace kasuri::cluster
