// SPDX-License-Identifier: Apache-2.0
// Speed-up by number of workers: measured, replayed, the band of bounds, and the best possible.

const by_workers = rows => records(rows).filter(row => num(row.workers) >= 1)
  .sort((a, b) => a.workers - b.workers);

function speedup_data(report) {
  const given = record(report.speedup);
  const with_value = rows => by_workers(rows).filter(row => num(row.speedup) > 0);
  return {
    measured: with_value(given.measured),
    replay: with_value(given.replay),
    bounds: by_workers(given.bounds).filter(row => num(row.high) > 0),
  };
}

function speedup_axes(data) {
  const all = [...data.measured, ...data.replay, ...data.bounds];
  const most = Math.max(2, ...all.map(row => row.workers));
  const highest = Math.max(2, ...data.measured.map(row => Math.max(row.workers, row.speedup)),
    ...data.replay.map(row => row.speedup), ...data.bounds.map(row => row.high));
  const top = Math.min(highest, Math.max(most, ...data.measured.map(row => row.speedup)));
  return { most, top: 1.08 * top, log: most > 64 };
}

function draw_lines(data, x, y, top) {
  const inside = value => y(Math.min(value, top));
  const band = [...data.bounds.map(row => [x(row.workers), inside(row.high)]),
    ...data.bounds.toReversed().map(row => [x(row.workers), inside(num(row.low) ?? 0)])];
  return [
    band.length > 2 ? svg("path", { d: path_of(band) + "Z", class: "band" }) : null,
    data.replay.length > 1 ? svg("path", { class: "replay",
      d: path_of(data.replay.map(row => [x(row.workers), inside(row.speedup)])) }) : null,
    data.replay.map(row => svg("rect", { class: "replay-point", x: x(row.workers) - 3,
      y: inside(row.speedup) - 3, width: 6, height: 6 },
      svg("title", {}, `replay, ${plural(row.workers, "worker")}: ${digits(row.speedup)}`))),
  ];
}

function draw_measured(row, x, y, width) {
  const right = x(row.workers) > width - 90;
  const label = row.workers === 1 ? null : `${digits(row.speedup)} times`;
  return [
    svg("circle", { cx: x(row.workers), cy: y(row.speedup), r: 5.5, class: "measured" },
      svg("title", {}, `measured, ${plural(row.workers, "worker")}: ${digits(row.speedup)}`)),
    svg("text", { x: x(row.workers) + (right ? -10 : 10), y: y(row.speedup) + 4, class: "value",
      "text-anchor": right ? "end" : "start" }, label)];
}

function draw_speedup(data, width) {
  const { most, top, log } = speedup_axes(data);
  const x = scale(most, LEFT, width - RIGHT, log);
  const y = scale(top, HEIGHT - BOTTOM, TOP, log);
  const best = Math.min(most, top);
  const marks = end => log ? powers_of_two(end).filter((_, at) => at % 2 === 0) : ticks(end, 5);
  return svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
    "aria-label": speedup_words(data) },
    axes(width, x, y, log ? marks(most) : ticks(most, 8), marks(top), "workers",
      "times as fast as one worker" + (log ? " (both axes logarithmic)" : "")),
    svg("path", { d: path_of([[x(log ? 1 : 0), y(log ? 1 : 0)], [x(best), y(best)]]),
      class: "ideal" }),
    draw_lines(data, x, y, top), data.measured.map(row => draw_measured(row, x, y, width)));
}

function speedup_words(data) {
  const said = data.measured.map(row =>
    `${digits(row.speedup)} times as fast on ${plural(row.workers, "worker")}`);
  return `Speed-up: ${said.join(", ") || "not measured"}`;
}

const line_mark = name => svg("svg", { class: "mark", viewBox: "0 0 24 12", "aria-hidden": "true" },
  name === "measured" ? svg("circle", { cx: 12, cy: 6, r: 5, class: "measured" })
    : name === "band" ? svg("rect", { width: 24, height: 12, class: "band" })
      : svg("path", { d: "M0 6L24 6", class: name }));

/// Work, longest chain and what follows from them, in a line.
function totals(report) {
  const said = [["work_s", "work"], ["span_s", "span"], ["burdened_s", "burdened"]]
    .filter(([name]) => num(report[name]) > 0)
    .map(([name, key]) => [term(key), ` ${seconds(report[name])}`]);
  const parallelism = num(report.parallelism);
  if (parallelism > 0) said.push([term("parallelism"), ` ${digits(parallelism)} on average`]);
  return said.length === 0 ? null
    : el("p", { class: "facts small" }, said.map(part => el("span", {}, part)));
}

function speedup_figure(report) {
  const data = speedup_data(report);
  if (data.measured.length + data.replay.length + data.bounds.length === 0) {
    const figures = totals(report);
    return figures ? el("div", { class: "panel" }, el("h2", {}, "Work"), figures) : null;
  }
  const entries = [
    data.measured.length ? ["measured", "measured"] : null,
    ["ideal", "as many times as workers"],
    data.bounds.length > 1 ? ["band", term("bounds", "possible, by work and longest chain")] : null,
    data.replay.length > 1 ? ["replay", term("replay")] : null,
  ].filter(Boolean);
  return el("div", { class: "panel" }, el("h2", {}, term("speedup", "Speed-up")),
    drawn(width => draw_speedup(data, width), el("ul", { class: "legend" },
      entries.map(([name, label]) => el("li", {}, line_mark(name), label))), totals(report)));
}
