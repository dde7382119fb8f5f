// SPDX-License-Identifier: Apache-2.0
// What the workers did over time: areas on top of one another, up to the number of workers.

// [column of the series, share whose colour it has, label]
const LAYERS = [
  ["serial", "serial", "one thread alone"], ["running", "work", "running tasks"],
  ["blocked", "blocked", "asleep in the system"], ["waiting", "waiting", "waiting for others"],
  ["ready", "late", "tasks ready, worker not there yet"],
];

function profile_data(report) {
  const series = record(report.series);
  const bin = num(series.bin_s);
  const layers = LAYERS.map(([name, key, label]) => ({ key, label, values: numbers(series[name]) }))
    .filter(layer => layer.values.some(value => value > 0));
  const bins = Math.max(0, ...layers.map(layer => layer.values.length));
  if (!(bin > 0) || bins < 2) return null;
  const seen = numbers(series.seconds);
  const most = Array.from({ length: bins }, (_, i) => sum(layers.map(l => l.values[i] ?? 0)));
  const workers = num(report.workers);
  // The last bin may be begun only: the axis ends with the run.
  const end = Math.min(bins * bin, Math.max(num(report.seconds) ?? bins * bin, (bins - 1) * bin));
  return { bin, bins, layers, workers, end,
    known: i => seen.length === 0 || (seen[i] ?? 0) > 0,
    top: Math.max(1, workers ?? 0, ...most) };
}

/// Steps along the top of a layer and back along its bottom, for each sequence of bins seen.
function layer_path(data, below, values, x, y) {
  let path = "";
  for (let from = 0; from < data.bins; ++from) {
    if (!data.known(from)) continue;
    let to = from;
    while (to < data.bins && data.known(to)) ++to;
    const edge = level => Array.from({ length: to - from }, (_, i) => from + i).flatMap(i =>
      [[x(Math.min(i * data.bin, data.end)), y(level(i))],
        [x(Math.min((i + 1) * data.bin, data.end)), y(level(i))]]);
    path += path_of([...edge(i => below[i] + (values[i] ?? 0)),
      ...edge(i => below[i]).reverse()]) + "Z";
    from = to;
  }
  return path;
}

function draw_layers(data, x, y) {
  const below = new Array(data.bins).fill(0);
  return data.layers.map(layer => {
    const path = layer_path(data, below, layer.values, x, y);
    for (let i = 0; i < data.bins; ++i) below[i] += layer.values[i] ?? 0;
    return [svg("path", { d: path, class: `area-${layer.key}` }),
      layer.key === "late" ? svg("path", { d: path, fill: "url(#hatch-late)" }) : null];
  });
}

function draw_profile(data, width, readout) {
  const x = scale(data.end, LEFT, width - RIGHT, false);
  const y = scale(1.05 * data.top, HEIGHT - BOTTOM, TOP, false);
  const cursor = svg("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor",
    visibility: "hidden" });
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, tabindex: 0, role: "img",
    "aria-label": "What the workers did over time. Left and right arrow keys read the figures." },
    axes(width, x, y, ticks(data.end, 7), ticks(1.05 * data.top, 5), "seconds since the start",
      "workers"),
    draw_layers(data, x, y),
    data.workers ? svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(data.workers),
      y2: y(data.workers), class: "limit" }) : null,
    cursor);
  follow(drawing, data, cursor, x, readout);
  return drawing;
}

function words_at(data, bin) {
  const time = seconds(bin * data.bin);
  if (!data.known(bin)) return `At ${time}: not seen.`;
  const parts = data.layers.filter(layer => layer.values[bin] > 0)
    .map(layer => `${layer.label} ${digits(layer.values[bin])}`);
  const idle = (data.workers ?? 0) - sum(data.layers.map(layer => layer.values[bin] ?? 0));
  if (idle > 0.005 * data.top) parts.push(`without work ${digits(idle)}`);
  return `At ${time}: ${parts.join(", ")}.`;
}

/// The pointer and the arrow keys choose a bin, whose figures are shown below the drawing.
function follow(drawing, data, cursor, x, readout) {
  let at = 0;
  const choose = bin => {
    at = Math.min(Math.max(bin, 0), data.bins - 1);
    const middle = x(Math.min((at + 0.5) * data.bin, data.end));
    cursor.setAttribute("x1", middle);
    cursor.setAttribute("x2", middle);
    cursor.setAttribute("visibility", "visible");
    readout.textContent = words_at(data, at);
  };
  drawing.addEventListener("pointermove", event => {
    const box = drawing.getBoundingClientRect();
    const place = (event.clientX - box.left) / box.width * drawing.viewBox.baseVal.width;
    choose(Math.floor((place - x(0)) / (x(data.end) - x(0)) * data.end / data.bin));
  });
  drawing.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageDown: 20, PageUp: -20 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(at + step);
  });
}

function profile_figure(report) {
  const data = profile_data(report);
  if (!data) return null;
  const readout = el("p", { class: "readout muted", "aria-live": "polite" },
    "Point at the drawing, or use its arrow keys, for the figures at a time.");
  return el("div", { class: "panel" }, el("h2", {}, "What the workers did over time"),
    drawn(width => draw_profile(data, width, readout),
      el("ul", { class: "legend" },
        data.layers.map(layer => el("li", {}, swatch(layer.key), term(layer.key, layer.label))),
        data.workers ? el("li", {}, line_mark("limit"), `all ${plural(data.workers, "worker")}`)
          : null),
      readout));
}
