// SPDX-License-Identifier: Apache-2.0
#include "report/page/page.hpp"

#include <gtest/gtest.h>

#include <fstream>            // for ifstream
#include <limits>             // for numeric_limits
#include <nlohmann/json.hpp>  // for json
#include <string>             // for string

namespace kasuri::report {
namespace {

using nlohmann::json;

json sample() {
  std::ifstream file(KASURI_SOURCE_DIR "/tests/report/sample.json");
  return json::parse(file);
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  EXPECT_NE(from, std::string::npos) << begin;
  if (from == std::string::npos) return "";
  const std::size_t to = text.find(end, from + begin.size());
  EXPECT_NE(to, std::string::npos) << end;
  return text.substr(from + begin.size(), to - from - begin.size());
}

const std::string data_begin = R"(<script type="application/json" id="data">)";

/// What the page's script gets to see.
json data_of(const std::string& page) {
  return json::parse(between(page, data_begin, "</script>"));
}

std::string without_data(const std::string& page) {
  const std::size_t from = page.find(data_begin);
  return page.substr(0, from) + page.substr(page.find("</script>", from));
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// Each element that a reader's program would mistake when cut short ends where it should.
void expect_whole(const std::string& page) {
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  for (const char* element : {"html", "head", "body", "main", "style", "svg", "title"}) {
    EXPECT_EQ(count(page, std::string("</") + element + ">"), 1) << element;
  }
  EXPECT_EQ(count(page, "</script>"), 2);
  EXPECT_LT(page.size(), page_limit);
}

TEST(page, has_what_the_sample_has) {
  const std::string made = page(sample());
  expect_whole(made);
  const json data = data_of(made);
  const json given = sample();
  for (const char* key :
       {"program", "arguments", "seconds", "workers", "headline", "machine", "shares", "speedup",
        "findings", "fine", "regions", "locks", "hot", "sites"}) {
    EXPECT_EQ(data.at(key), given.at(key)) << key;
  }
  EXPECT_EQ(data.at("series").at("running"), given.at("series").at("running"));
  EXPECT_EQ(data.at("steals").at("matrix"), given.at("steals").at("matrix"));
  EXPECT_EQ(data.at("workers_accounts").size(), 16U);
}

TEST(page, says_the_answer_without_a_script_too) {
  const std::string main = between(page(sample()), "<main id=\"page\">", "</main>");
  EXPECT_NE(main.find("6.1 times as fast as one worker"), std::string::npos);
  EXPECT_NE(main.find("input.cpp:31"), std::string::npos);
}

TEST(page, refers_to_nothing_outside) {
  const std::string made = without_data(page(sample()));
  for (const char* sign :
       {"://", "//cdn", "src=", "@import", "url(http", "fetch(", "XMLHttp", "import("})
    EXPECT_EQ(made.find(sign), std::string::npos) << sign;
  EXPECT_EQ(count(made, "href=\""), 1);  // the empty icon, so that none is asked for
  EXPECT_NE(made.find("href=\"data:,\""), std::string::npos);
  EXPECT_NE(made.find("default-src 'none'"), std::string::npos);
}

TEST(page, escapes_texts) {
  const std::string harm = "</script></title><script>alert(1)</script><b a=\"'&{{script}}<!--";
  json report = sample();
  report["program"] = harm;
  report["headline"] = harm;
  report["arguments"] = {harm};
  report["findings"][0]["sentence"] = harm;
  report["sites"][0]["place"]["function"] = harm;
  report["machine"][harm] = harm;
  const std::string made = page(report);
  expect_whole(made);
  EXPECT_EQ(made.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(made.find("<b a="), std::string::npos);
  EXPECT_EQ(made.find("<!--"), std::string::npos);
  EXPECT_NE(made.find("&lt;b a=&quot;&#39;&amp;{{script}}"), std::string::npos);
  EXPECT_EQ(data_of(made).at("sites")[0].at("place").at("function"), harm);
  EXPECT_EQ(data_of(made).at("arguments")[0], harm);
}

TEST(page, replaces_bytes_that_are_no_text) {
  json report = sample();
  report["program"] = "/bin/\xff\xfe\xc3";
  report["headline"] = "\xe6\xbc\xa2 \xc3\xa9 \xed\xa0\x80 end";
  report["sites"][0]["place"]["file"] = "a\x80.cpp";
  const std::string made = page(report);
  expect_whole(made);
  EXPECT_EQ(data_of(made).at("sites")[0].at("place").at("file"), "a\xef\xbf\xbd.cpp");
  EXPECT_NE(made.find("<h1>\xe6\xbc\xa2 \xc3\xa9 "), std::string::npos);
  EXPECT_NO_THROW(static_cast<void>(json(made).dump()));  // throws where bytes are no UTF-8
}

TEST(page, takes_any_field_away) {
  const json whole = sample();
  for (const auto& field : whole.items()) {
    json report = whole;
    report.erase(field.key());
    const std::string made = page(report);
    expect_whole(made);
    EXPECT_EQ(data_of(made).contains(field.key()), field.key() == "headline") << field.key();
  }
  const std::string least = page({{"program", "a"}, {"seconds", 1.5}, {"workers", 2}});
  expect_whole(least);
  EXPECT_EQ(data_of(least).at("headline"), "1.5 s on 2 workers");
}

TEST(page, takes_any_type_for_any_field) {
  const json whole = sample();
  const json others = {nullptr,
                       true,
                       7,
                       -1.5e300,
                       "text",
                       json::array(),
                       json::object(),
                       {1, "a", nullptr, {1, 2}, {{"a", 1}}},
                       {{"matrix", {1, {2, "a"}}}, {"running", {nullptr, 1}}, {"bin_s", "x"}}};
  for (const auto& field : whole.items()) {
    for (const json& other : others) {
      json report = whole;
      report[field.key()] = other;
      expect_whole(page(report));
    }
  }
  for (const json& other : others) expect_whole(page(other));
  json report = whole;
  report["seconds"] = std::numeric_limits<double>::quiet_NaN();
  expect_whole(page(report));
}

TEST(page, stays_small) {
  json report = sample();
  const json accounts = report["workers_accounts"];
  for (int i = 16; i < 2432; ++i) {
    report["workers_accounts"].push_back(accounts[static_cast<std::size_t>(i) % 16]);
    report["workers_accounts"].back()["worker"] = i;
  }
  report["workers"] = 2432;
  const json site = report["sites"][0];
  report["sites"] = json::array();
  for (int i = 0; i < 4096; ++i) {
    report["sites"].push_back(site);
    report["sites"].back()["place"]["function"] = std::string(3000, 'f') + std::to_string(i);
    report["sites"].back()["work_s"] = i;
  }
  for (const char* key : {"regions", "locks", "hot"}) {
    for (int i = 0; i < 4096; ++i) report[key].push_back(report[key][0]);
  }
  const std::string made = page(report);
  expect_whole(made);
  const json data = data_of(made);
  const json& sites = data.at("sites");
  EXPECT_GE(sites.size(), 100U);
  EXPECT_EQ(data.at("left_out").at("sites"), 4096 - sites.size());
  EXPECT_EQ(sites.back().at("work_s"), 4095);  // what has most time stays
  EXPECT_EQ(data.at("workers_accounts").size(), 64U);
}

TEST(page, stays_small_whatever_is_in_it) {
  const std::string longest(3'000'000, '<');
  json report = {{"program", longest}, {"headline", longest}, {"workers", 2}, {"seconds", 1}};
  for (int i = 0; i < 3000; ++i) {
    report["machine"]["key " + std::to_string(i)] = std::string(1000, '&');
    report["fine"].push_back(std::string(1000, '"'));
    report["arguments"].push_back("\xc3\xa9\xc3\xa9");
    report["another " + std::to_string(i)] = std::string(1000, '&');
  }
  expect_whole(page(report));
}

}  // namespace
}  // namespace kasuri::report
