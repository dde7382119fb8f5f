// SPDX-License-Identifier: Apache-2.0
// The prediction as a page: speed-up over workers, both by powers of two, with the bounds as a
// band.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "predict/outcome.hpp"
#include "report/words.hpp"

namespace kasuri::predict {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1d2733; --paper: #ffffff; --grid: #d5dbe2;
  --band: #bcd4f0; --curve: #1c5fad; --point: #b3471d; --ideal: #7d8894; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ee; --paper: #14191f; --grid: #37414c;
  --band: #234568; --curve: #7db4f0; --point: #f0a37d; --ideal: #8e99a5; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
svg { width: 100%; height: auto; }
svg text { fill: var(--ink); font-size: 13px; }
.grid { stroke: var(--grid); } .band { fill: var(--band); stroke: none; }
.curve { stroke: var(--curve); fill: none; stroke-width: 2.5; } .dot { fill: var(--curve); }
.ideal { stroke: var(--ideal); stroke-dasharray: 5 4; fill: none; }
.point { fill: var(--point); }
table { border-collapse: collapse; margin-top: 1rem; }
th, td { padding: .15rem .9rem; text-align: right; border-bottom: 1px solid var(--grid); }
td:last-child, th:last-child { text-align: left; }
@media print { body { max-width: none; margin: 0; } }
)";

template <class... Value>
std::string formatted(const char* format, Value... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else
      safe += c;
  }
  return safe;
}

/// The places of numbers of workers and of speed-ups.
class plane {
 public:
  explicit plane(const outcome& all) {
    for (const prediction& p : all.predictions) {
      most_workers_ = std::max(most_workers_, static_cast<double>(p.workers));
      highest_ = std::max(highest_, all.speedup(p.wall.least));
      lowest_ = std::min(lowest_, all.speedup(p.wall.most));
    }
    for (const measured_run& r : all.measured) {
      most_workers_ = std::max(most_workers_, static_cast<double>(r.workers));
      lowest_ = std::min(lowest_, all.speedup(r.seconds));
    }
    lowest_ = std::max(lowest_, 1.0 / 16);
  }
  [[nodiscard]] double x(double workers) const {
    return left + width * std::log2(workers) / std::log2(most_workers_);
  }
  [[nodiscard]] double y(double speedup) const {
    const double part =
        std::log2(std::clamp(speedup, lowest_, highest_) / lowest_) / std::log2(highest_ / lowest_);
    return top + height * (1 - part);
  }
  [[nodiscard]] double most_workers() const { return most_workers_; }
  [[nodiscard]] double highest() const { return highest_; }
  [[nodiscard]] double lowest() const { return lowest_; }

  static constexpr double left = 55, top = 20, width = 620, height = 380;

 private:
  double most_workers_ = 2;
  double highest_ = 2;
  double lowest_ = 1;
};

std::string grid(const plane& at) {
  std::string svg;
  const double bottom = plane::top + plane::height;
  for (double p = 1; p <= at.most_workers(); p *= 2) {
    svg += formatted("<line class='grid' x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f'/>", at.x(p),
                     at.x(p), plane::top, bottom);
    svg += formatted("<text x='%.1f' y='%.1f' text-anchor='middle'>%.0f</text>", at.x(p),
                     bottom + 18, p);
  }
  for (double s = std::exp2(std::ceil(std::log2(at.lowest()))); s <= at.highest(); s *= 2) {
    svg += formatted("<line class='grid' x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f'/>", plane::left,
                     plane::left + plane::width, at.y(s), at.y(s));
    svg += formatted("<text x='%.1f' y='%.1f' text-anchor='end'>%g</text>", plane::left - 8,
                     at.y(s) + 4, s);
  }
  return svg + formatted("<text x='%.1f' y='%.1f' text-anchor='middle'>workers</text>",
                         plane::left + plane::width / 2, bottom + 38);
}

std::string curves(const plane& at, const outcome& all) {
  std::string there;
  std::string back;
  std::string curve;
  std::string dots;
  for (const prediction& p : all.predictions) {
    const double x = at.x(p.workers);
    const double expected = at.y(all.speedup(p.wall.expected));
    there += formatted("%.1f,%.1f ", x, at.y(all.speedup(p.wall.least)));
    back = formatted("%.1f,%.1f ", x, at.y(all.speedup(p.wall.most))) + back;
    curve += formatted("%.1f,%.1f ", x, expected);
    dots += formatted(
        "<circle class='dot' cx='%.1f' cy='%.1f' r='3.5'><title>%s: %.3f s"
        "</title></circle>",
        x, expected, report::so_many_workers(p.workers).c_str(), p.wall.expected);
  }
  const double most = std::min(at.most_workers(), at.highest());
  std::string svg = "<polygon class='band' points='" + there + back + "'/>";
  svg += formatted("<polyline class='ideal' points='%.1f,%.1f %.1f,%.1f'/>", at.x(1), at.y(1),
                   at.x(most), at.y(most));
  svg += "<polyline class='curve' points='" + curve + "'/>" + dots;
  for (const measured_run& r : all.measured)
    svg += formatted(
        "<circle class='point' cx='%.1f' cy='%.1f' r='5'><title>measured on %d: %.3f s"
        "</title></circle>",
        at.x(r.workers), at.y(all.speedup(r.seconds)), r.workers, r.seconds);
  return svg;
}

std::string table(const outcome& all) {
  std::string html =
      "<table><tr><th>workers</th><th>seconds</th><th>speed-up</th><th>at least</th>"
      "<th>at most</th><th>most of it</th></tr>\n";
  for (const prediction& p : all.predictions) {
    html += formatted("<tr><td>%d</td><td>%.3f</td><td>%.2f</td><td>%.2f</td><td>%.2f</td><td>",
                      p.workers, p.wall.expected, all.speedup(p.wall.expected),
                      all.speedup(p.wall.most), all.speedup(p.wall.least));
    html += escaped(p.largest) + "</td></tr>\n";
  }
  return html + "</table>\n";
}

}  // namespace

std::string page_of(const outcome& all) {
  const plane at(all);
  const std::string name = escaped(all.program);
  std::string html =
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
      "<meta name='viewport' content='width=device-width'><title>" +
      name + ": prediction</title><style>" + style + "</style></head><body>\n";
  html += "<h1>" + name + ": how fast on more workers</h1>\n";
  html += formatted("<p>Recorded: %.3f s on %s, %.3f s of work.</p>\n", all.recorded,
                    report::so_many_workers(all.recorded_on).c_str(), all.work);
  html += "<svg viewBox='0 0 700 450' role='img' aria-label='speed-up over workers'>" + grid(at) +
          curves(at, all) + "</svg>\n";
  html +=
      "<p>Line: what is expected. Band: no scheduler is faster than its upper edge; by its lower "
      "edge a greedy one is done. Dashed: as many times as fast as there are workers. Large "
      "points: "
      "measured, recording and other programs included.</p>\n";
  html += table(all) + "<ul>\n";
  for (const std::string& note : all.notes) html += "<li>" + escaped(note) + "</li>\n";
  return html + "</ul></body></html>\n";
}

}  // namespace kasuri::predict
