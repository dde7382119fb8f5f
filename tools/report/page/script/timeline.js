// SPDX-License-Identifier: Apache-2.0
// What each worker, or group of workers, did over time: a row each, whose colours are on top of one
// another as the shares of the bin are.

// [field of the timeline, label], from the bottom up. Colours are those of the shares.
const TIMELINE_STATES = [["work", "work"], ["runtime", "runtime"], ["lock", "waiting for locks"],
  ["barrier", "waiting at barriers"], ["waiting", "waiting for others"], ["late", "late"],
  ["no_work", "no work"], ["blocked", "asleep in the system"]];
const LEVELS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxy";
const ROW_LEFT = 84, ROWS_TOP = 4, TIME_AXIS = 34;

/// "A3Y" is 0, 0, 0 and the whole.
function unpacked(packed, bins) {
  const values = new Float32Array(bins);
  let at = 0;
  for (const [, letter, run] of text(packed).matchAll(/([A-Za-y])(\d*)/g)) {
    const end = Math.min(bins, at + Number(run || 1));
    values.fill(LEVELS.indexOf(letter) / (LEVELS.length - 1), at, end);
    at = end;
  }
  return values;
}

function timeline_group(given, bins) {
  const first = num(given.first) ?? 0;
  const last = Math.max(first, num(given.last) ?? first);
  const shares = {};
  for (const [key] of TIMELINE_STATES) {
    if (text(given[key])) shares[key] = unpacked(given[key], bins);
  }
  const rank = num(given.rank);
  return { rank, last_rank: num(given.last_rank) ?? rank, first, last, shares,
    count: num(given.count) ?? last - first + 1 };
}

function timeline_data(report) {
  const given = record(report.timeline);
  const bin = num(given.bin_s), bins = num(given.bins);
  if (!(bin > 0) || !(bins >= 1) || bins > 100000) return null;
  const groups = records(given.groups).map(one => timeline_group(one, bins))
    .filter(group => Object.keys(group.shares).length > 0);
  if (groups.length === 0) return null;
  const run = num(report.seconds) ?? bins * bin;
  return { bin, bins, groups, end: Math.min(bins * bin, Math.max(run, (bins - 1) * bin)) };
}

function row_name(group) {
  const workers = group.count > 1 ? `workers ${group.first} to ${group.last}`
    : `worker ${group.first}`;
  if (group.rank === null) return workers;
  return group.rank === group.last_rank ? `rank ${group.rank}, ${workers}`
    : `${workers_of_ranks(group)} of ranks ${group.rank} to ${group.last_rank}`;
}

const workers_of_ranks = group => plural(group.count, "worker");

function row_label(group) {
  const workers = group.count > 1 ? `${group.first} to ${group.last}` : `${group.first}`;
  if (group.rank === null) return workers;
  return group.rank === group.last_rank ? `${group.rank}: ${workers}`
    : `r. ${group.rank} to ${group.last_rank}`;
}

/// Means over at most `columns` pieces of the bins [from, to).
function means_of(values, { from, to }, columns) {
  const each = Math.max(1, Math.ceil((to - from) / columns));
  const means = new Float32Array(Math.ceil((to - from) / each));
  for (let bin = from; bin < to; ++bin) means[Math.floor((bin - from) / each)] += values[bin];
  for (let at = 0; at < means.length; ++at) {
    means[at] /= Math.min(each, to - from - at * each);
  }
  return means;
}

/// Steps along the upper edge of an area, for each run of columns that are not empty. Edges are at
/// halves of pixels, so that columns which look the same become one.
function area_path(tops, x, bottom, height) {
  let path = "";
  for (let at = 0, before = 0; at <= tops.length; ++at) {
    const level = at < tops.length ? Math.round(2 * height * Math.min(1, tops[at])) / 2 : 0;
    if (level === before) continue;
    if (before === 0) path += `M${x(at)} ${bottom}`;
    else path += `H${x(at)}`;
    path += `V${bottom - level}`;
    if (level === 0) path += "Z";
    before = level;
  }
  return path;
}

/// Adds a row's areas to the paths, by state. Each reaches from the bottom to its upper edge: those
/// above are drawn first.
function add_row(paths, group, view, columns, x, top, height) {
  let below = null;
  for (const [key] of TIMELINE_STATES) {
    if (!group.shares[key]) continue;
    const tops = means_of(group.shares[key], view, columns);
    if (below) below.forEach((value, at) => { tops[at] += value; });
    const each = Math.max(1, Math.ceil((view.to - view.from) / columns));
    const edge = at => Math.round(10 * x(Math.min(view.from + at * each, view.to))) / 10;
    paths[key] += area_path(tops, edge, top + height, height);
    below = tops;
  }
}

const row_height = rows => rows <= 4 ? 30 : rows <= 16 ? 18 : rows <= 32 ? 12 : 9;

function time_marks(data, view, x, bottom) {
  const length = (view.to - view.from) * data.bin;
  const begin = view.from * data.bin;
  const step = ticks(length, 8)[1];
  const marks = [];
  for (let i = Math.ceil(begin / step); i * step <= begin + length * 1.0001; ++i) {
    marks.push(i * step);
  }
  return marks.map(time => [
    svg("line", { x1: x(time / data.bin), x2: x(time / data.bin), y1: bottom, y2: bottom + 4,
      class: "axis" }),
    svg("text", { x: x(time / data.bin), y: bottom + 16, "text-anchor": "middle" },
      `${Number(time.toPrecision(6))}`)]);
}

function draw_timeline(state, width) {
  const { data, view } = state;
  const height = row_height(data.groups.length);
  const gap = height > 10 ? 2 : 1;
  const bottom = ROWS_TOP + data.groups.length * (height + gap);
  const inner = width - RIGHT - ROW_LEFT;
  const x = bin => ROW_LEFT + (bin - view.from) / (view.to - view.from) * inner;
  const paths = Object.fromEntries(TIMELINE_STATES.map(([key]) => [key, ""]));
  data.groups.forEach((group, at) =>
    add_row(paths, group, view, inner, x, ROWS_TOP + at * (height + gap), height));
  const every = Math.ceil(13 / (height + gap));
  const chosen = svg("rect", { class: "chosen", y: ROWS_TOP, height: bottom - ROWS_TOP,
    visibility: "hidden" });
  const cursor = svg("line", { y1: ROWS_TOP, y2: bottom, class: "cursor", visibility: "hidden" });
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${bottom + TIME_AXIS}`, class: "timeline",
    tabindex: 0, role: "img",
    "aria-label": "What each worker did over time. Arrow keys read the figures." },
    svg("rect", { x: ROW_LEFT, y: ROWS_TOP, width: inner, height: bottom - ROWS_TOP,
      class: "heat-ground" }),
    Object.entries(paths).reverse().filter(([, path]) => path).map(([key, path]) => [
      svg("path", { d: path, class: `area-${key}` }),
      ["late", "waiting"].includes(key)
        ? svg("path", { d: path, fill: `url(#hatch-${key})` }) : null]),
    data.groups.map((group, at) => at % every !== 0 ? null : svg("text", { x: ROW_LEFT - 6,
      y: ROWS_TOP + at * (height + gap) + height / 2 + 4, "text-anchor": "end" },
      row_label(group))),
    svg("line", { x1: ROW_LEFT, x2: width - RIGHT, y1: bottom, y2: bottom, class: "axis" }),
    time_marks(data, view, x, bottom),
    svg("text", { x: width - RIGHT, y: bottom + 30, "text-anchor": "end", class: "muted" },
      "seconds since the start"), chosen, cursor);
  state.place = { x, chosen, cursor, row: y => Math.floor((y - ROWS_TOP) / (height + gap)),
    bin: at => view.from + (at - ROW_LEFT) / inner * (view.to - view.from) };
  listen(drawing, state);
  show_window(state);
  return drawing;
}

/// The chosen window: a frame in the drawing and the two fields below it.
function show_window(state) {
  const { chosen, x } = state.place;
  const { from, to } = state.window;
  const [left, right] = [Math.max(from, state.view.from), Math.min(to, state.view.to)];
  const whole = from <= state.view.from && to >= state.view.to;
  chosen.setAttribute("visibility", whole || right <= left ? "hidden" : "visible");
  chosen.setAttribute("x", x(left));
  chosen.setAttribute("width", Math.max(1, x(right) - x(left)));
  state.fields.from.value = Number((from * state.data.bin).toPrecision(6));
  state.fields.to.value = Number(Math.min(to * state.data.bin, state.data.end).toPrecision(6));
}

function choose_window(state, from, to) {
  const limit = bin => Math.min(Math.max(bin, 0), state.data.bins);
  const begin = limit(Math.floor(Math.min(from, to)));
  state.window = { from: Math.min(begin, state.data.bins - 1),
    to: Math.max(limit(Math.ceil(Math.max(from, to))), begin + 1) };
  show_window(state);
}

function read_at(state, bin, row) {
  const { data, place, readout } = state;
  const at = Math.min(Math.max(bin, state.view.from), state.view.to - 1);
  const group = data.groups[Math.min(Math.max(row, 0), data.groups.length - 1)];
  state.at = { bin: at, row: data.groups.indexOf(group) };
  const middle = place.x(at + 0.5);
  for (const end of ["x1", "x2"]) place.cursor.setAttribute(end, middle);
  place.cursor.setAttribute("visibility", "visible");
  const said = Object.entries(shares_in_words(group, at))
    .map(([label, part]) => `${label} ${part}`);
  readout.textContent = `At ${seconds(at * data.bin)}, ${row_name(group)}: ` +
    `${said.join(", ") || "outside of tasks and regions"}.`;
}

/// The pointer reads figures, and chooses a window where it is drawn with its button down. Arrow
/// keys read figures.
function listen(drawing, state) {
  const where = event => {
    const box = drawing.getBoundingClientRect();
    const factor = drawing.viewBox.baseVal.width / box.width;
    return { bin: state.place.bin((event.clientX - box.left) * factor),
      row: state.place.row((event.clientY - box.top) * factor) };
  };
  let begin = null;
  drawing.addEventListener("pointerdown", event => {
    begin = where(event).bin;
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener("pointermove", event => {
    const { bin, row } = where(event);
    read_at(state, Math.floor(bin), row);
    const far = begin !== null &&
      Math.abs(state.place.x(bin) - state.place.x(begin)) > 4;
    if (far) choose_window(state, begin, bin);
  });
  drawing.addEventListener("pointerup", () => { begin = null; });
  drawing.addEventListener("keydown", event => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
      PageDown: [20, 0], PageUp: [-20, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    read_at(state, state.at.bin + step[0], state.at.row + step[1]);
  });
}

function time_field(label, state) {
  const bin = field => Number(state.fields[field].value) / state.data.bin;
  return el("input", { type: "number", min: 0, step: "any", "aria-label": `${label}, seconds`,
    onchange: () => choose_window(state, bin("from"), bin("to")) });
}

function timeline_controls(report, state, redraw) {
  const button = (label, onclick) => el("button", { type: "button", onclick }, label);
  const look_at = view => { state.view = view; redraw(); };
  const whole = { from: 0, to: state.data.bins };
  const program = text(report.program);
  return el("p", { class: "buttons" }, "Window from ", state.fields.from, " to ", state.fields.to,
    " s ", button("zoom to it", () => look_at({ ...state.window })),
    button("whole run", () => { state.window = { ...whole }; look_at(whole); }),
    button("save it for Perfetto", () => {
      const { from, to } = state.window;
      save(trace_file_name(program, from * state.data.bin, Math.min(to * state.data.bin,
        state.data.end)), JSON.stringify(window_trace(state.data, from, to, program)));
    }));
}

function timeline_part(report) {
  const data = timeline_data(report);
  if (!data) return null;
  const whole = { from: 0, to: data.bins };
  const state = { data, view: { ...whole }, window: { ...whole }, at: { bin: 0, row: 0 },
    readout: el("p", { class: "readout muted", "aria-live": "polite" },
      "Point at the drawing, or use its arrow keys, for the figures. Draw over it to choose a " +
      "window.") };
  state.fields = { from: time_field("from", state), to: time_field("to", state) };
  const used = TIMELINE_STATES.filter(([key]) => data.groups.some(group => group.shares[key]));
  const legend = el("ul", { class: "legend" },
    used.map(([key, label]) => el("li", {}, swatch(key === "waiting" ? "hatched" : key),
      term(key, label))));
  const figure = drawn(width => draw_timeline(state, width), legend, state.readout);
  const lead = data.groups.some(group => group.count > 1) ? `Each row has ` +
    `${count(data.groups[0].count)} workers; the height of a colour is their share.` : null;
  return section("timeline", [term("worker", "Workers"), " over time"], lead, figure,
    timeline_controls(report, state, figure.redraw), single_tasks(report));
}
