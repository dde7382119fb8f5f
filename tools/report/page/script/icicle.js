// SPDX-License-Identifier: Apache-2.0
// Seconds by spawn ancestry as boxes below one another: the program on top, below each box what is
// in it, as wide as its time.

const BOX = 21;  // height

const BRANCH_KINDS = { program: "the program", outside: "outside of tasks and regions",
  function: "function" };

/// The branches of a list as a tree; null where there is nothing to draw.
function branch_tree(given) {
  const all = [];
  for (const row of list(given).map(record)) {
    const parent = all[num(row.parent) ?? -1] ?? null;
    if (all.length > 0 && !parent) break;
    const branch = { row, s: Math.max(0, num(row.s) ?? 0), parent, children: [],
      depth: parent ? parent.depth + 1 : 0 };
    parent?.children.push(branch);
    all.push(branch);
  }
  return all.length > 1 && all[0].s > 0 ? all : null;
}

function branch_label(branch) {
  const kind = text(branch.row.kind);
  if (kind === "program" || kind === "outside") return BRANCH_KINDS[kind];
  const place = record(branch.row.place);
  const line = place_text(place), name = text(place.function).replace(/\(.*/, "");
  if (!line) return BRANCH_KINDS[kind] ?? KINDS[kind] ?? kind.replaceAll("_", " ");
  return kind === "function" || !name || line.startsWith(name) ? name || line : `${name} ${line}`;
}

function branch_words(branch, root) {
  const kind = text(branch.row.kind);
  const own = branch.s - sum(branch.children.map(child => child.s));
  return [branch_label(branch), BRANCH_KINDS[kind] ?? KINDS[kind] ?? kind.replaceAll("_", " "),
    `${seconds(branch.s)}, ${percent(branch.s / root.s)}`,
    branch.children.length > 0 && own > 0.001 * root.s ? `its own code ${seconds(own)}` : null,
    whole_place(branch.row.place) || null].filter(Boolean).join("\n");
}

/// Calls visit(branch, left, right) for what is in `top`, from the left by time.
function each_box(top, left, width, visit) {
  visit(top, left, left + width);
  let at = left;
  for (const child of top.children) {
    const part = width * Math.min(1, child.s / top.s);
    each_box(child, at, part, visit);
    at += part;
  }
}

const depth_below = branch => 1 + Math.max(0, ...branch.children.map(depth_below));

function draw_box(branch, left, right, state, redraw) {
  const y = (branch.depth - state.top.depth) * BOX;
  const letters = Math.floor((right - left - 8) / 6.6);
  const label = branch_label(branch);
  const shown = letters < 3 ? "" : label.length <= letters ? label
    : `${label.slice(0, letters - 1)}…`;
  const onclick = () => {
    state.top = branch === state.top && branch.parent ? branch.parent : branch;
    redraw();
  };
  return svg("g", { onclick, class: `box box-${branch.depth % 2}` },
    svg("title", {}, branch_words(branch, state.root)),
    svg("rect", { x: left.toFixed(1), y, width: Math.max(0.5, right - left - 1).toFixed(1),
      height: BOX - 1 }),
    shown ? svg("text", { x: (left + 4).toFixed(1), y: y + 14 }, shown) : null);
}

function draw_icicle(state, width, redraw) {
  const boxes = [];
  each_box(state.top, 0, width, (branch, left, right) => {
    if (right - left >= 1) boxes.push(draw_box(branch, left, right, state, redraw));
  });
  const height = depth_below(state.top) * BOX;
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: `icicle ${state.name}`,
    role: "img", "aria-label": `${state.title}, as in the table below` }, boxes);
}

function icicle_table(all) {
  const rows = [];
  const add = branch => { rows.push(branch); branch.children.forEach(add); };
  add(all[0]);
  return table({ columns: [
    { label: "place", kind: "text", get: branch => "\u2003".repeat(branch.depth) +
      branch_label(branch), order: branch => rows.indexOf(branch), always: true },
    { label: "time", kind: "seconds", get: branch => branch.s },
    { label: "of it own code", kind: "seconds", get: branch =>
      Math.max(0, branch.s - sum(branch.children.map(child => child.s))) },
  ], rows, shown: 40 });
}

function icicle_figure(given, name, title) {
  const all = branch_tree(given);
  if (!all) return null;
  const state = { name, title: text(title) || WORDS[name][0], root: all[0], top: all[0] };
  const figure = drawn(width => draw_icicle(state, width, () => figure.redraw()));
  return el("div", { class: "flame" }, el("h3", {}, term(name, title), " ",
    el("span", { class: "muted" }, seconds(all[0].s))), figure,
  el("details", {}, el("summary", {}, "The same as a table"), icicle_table(all)));
}

function ancestry_part(report) {
  const given = record(report.ancestry);
  return section("ancestry", "By where tasks come from",
    "Below each box is what is in it, as wide as its time. A place within itself counts as the " +
    "outer one. A click makes a box as wide as all; another one goes back.",
    icicle_figure(given.critical, "span"), icicle_figure(given.blame, "blame"));
}
