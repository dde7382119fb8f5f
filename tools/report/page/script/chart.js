// SPDX-License-Identifier: Apache-2.0
// What both charts need: axes, and a drawing as wide as its place.

const LEFT = 40, RIGHT = 20, TOP = 8, BOTTOM = 34, HEIGHT = 190;

/// About `wanted` round numbers from 0 or more up to `end`.
function ticks(end, wanted) {
  const rough = end / wanted;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(times => times * unit).find(size => size >= rough);
  const found = [];
  for (let i = 0; i * step <= end * 1.0001; ++i) found.push(Number((i * step).toPrecision(12)));
  return found;
}

const powers_of_two = end =>
  Array.from({ length: Math.floor(Math.log2(end)) + 1 }, (_, power) => 2 ** power);

/// Maps values to places of the drawing. `log`: logarithmic, from 1 on.
function scale(end, from, to, log) {
  const part = log ? value => Math.log(Math.max(value, 1)) / Math.log(end) : value => value / end;
  return value => from + (to - from) * part(value);
}

/// Numbers of workers are whole; all else has three digits.
const tick_text = value => Number.isInteger(value) ? count(value) : digits(value);

function axes(width, x, y, x_ticks, y_ticks, x_title, y_title) {
  const bottom = HEIGHT - BOTTOM;
  return svg("g", { class: "axes" },
    y_ticks.map(value => [
      svg("line", { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value), class: "grid" }),
      svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, tick_text(value))]),
    svg("line", { x1: LEFT, x2: width - RIGHT, y1: bottom, y2: bottom, class: "axis" }),
    x_ticks.map(value => [
      svg("line", { x1: x(value), x2: x(value), y1: bottom, y2: bottom + 4, class: "axis" }),
      svg("text", { x: x(value), y: bottom + 16, "text-anchor": "middle" }, tick_text(value))]),
    svg("text", { x: width - RIGHT, y: HEIGHT - 4, "text-anchor": "end", class: "muted" }, x_title),
    svg("text", { x: 2, y: HEIGHT - 4, class: "muted" }, `↑ ${y_title}`));
}

const path_of = points => "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");

/// A figure whose drawing is made anew when its width changes, or by redraw(). `draw(width)` returns
/// an svg element. After the first time it waits for the next frame: to draw while sizes are
/// observed would change what is observed.
const first_drawings = [];
function drawn(draw, ...below) {
  const holder = el("div", { class: "drawing" });
  let width = 0;
  const again = () => {
    const now = Math.max(300, Math.round(holder.clientWidth || 560));
    if (now === width) return;
    width = now;
    holder.replaceChildren(draw(width));
  };
  first_drawings.push(again);
  new ResizeObserver(() => requestAnimationFrame(again)).observe(holder);
  const figure = el("figure", {}, holder, below);
  figure.redraw = () => { width = 0; again(); };
  return figure;
}
