// SPDX-License-Identifier: Apache-2.0
#include "report/page/page.hpp"

#include <cstdio>
#include <string_view>

#include "report/page/embedded.hpp"
#include "report/page/reduce.hpp"

namespace kasuri::report {
namespace {

using nlohmann::json;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

/// For a script element: nothing in it can end the element.
std::string data_text(const json& report) {
  std::string result;
  for (const char c : report.dump(-1, ' ', true)) {
    switch (c) {
      case '<':
        result += "\\u003c";
        break;
      case '>':
        result += "\\u003e";
        break;
      case '&':
        result += "\\u0026";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string()
             ? found->get<std::string>()
             : "";
}

std::string headline(const json& report) {
  const json seconds = report.value("seconds", json());
  const json workers = report.value("workers", json());
  char text[100] = "What limits this run";
  if (seconds.is_number() && workers.is_number()) {
    std::snprintf(text, sizeof text, "%.3g s on %.0f worker%s", seconds.get<double>(),
                  workers.get<double>(), workers.get<double>() == 1 ? "" : "s");
  }
  return text;
}

/// The answer without figures, for viewers that run no script.
std::string first_words(const json& report) {
  std::string result = "<h1>" + escaped(text_of(report, "headline")) + "</h1>\n";
  const std::string program = text_of(report, "program");
  if (!program.empty()) result += "<p><code>" + escaped(program) + "</code></p>\n";
  const json findings = report.value("findings", json());
  if (!findings.is_array() || findings.empty()) return result;
  result += "<ol>\n";
  for (const json& one : findings) {
    result += "<li>" + escaped(text_of(one, "sentence")) + " <em>" +
              escaped(text_of(one, "advice")) + "</em></li>\n";
  }
  return result + "</ol>\n";
}

std::string title(const json& report) {
  const std::string program = text_of(report, "program");
  const std::string name = program.substr(program.rfind('/') + 1);
  return name.empty() ? "kasuri report" : name + ": kasuri report";
}

std::string part(std::string_view name, const json& report) {
  if (name == "title") return escaped(title(report));
  if (name == "style") return page_style;
  if (name == "script") return page_script;
  if (name == "words") return first_words(report);
  return data_text(report);
}

/// Fills the template in one pass: nothing that is put in is looked at again.
std::string filled(const json& report) {
  const std::string_view form = page_template;
  std::string result;
  std::size_t at = 0;
  for (;;) {
    const std::size_t begin = form.find("{{", at);
    if (begin == std::string_view::npos) return result.append(form.substr(at));
    const std::size_t end = form.find("}}", begin);
    result.append(form.substr(at, begin - at));
    result += part(form.substr(begin + 2, end - begin - 2), report);
    at = end + 2;
  }
}

}  // namespace

std::string page(const json& report) {
  limits most;
  for (;;) {
    json kept = reduce(report, most);
    if (text_of(kept, "headline").empty()) kept["headline"] = headline(kept);
    std::string result = filled(kept);
    if (result.size() < page_limit || most.rows == 0) return result;
    most = {.rows = most.rows / 2,
            .text = most.text / 2,
            .bins = (most.bins + 1) / 2,
            .letters = most.letters / 2};
  }
}

}  // namespace kasuri::report
