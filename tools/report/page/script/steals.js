// SPDX-License-Identifier: Apache-2.0
// Which worker took tasks of which: a field for each pair, darker for more.

const group_label = (at, size, workers) =>
  size === 1 ? `${at}` : `${at * size} to ${Math.min((at + 1) * size, workers) - 1}`;

function steals_field(data, thief, victim, most, side) {
  const value = data.matrix[thief][victim];
  const said = `${group_label(thief, data.size, data.workers)} took ` +
    `${plural(value, "task")} of ${group_label(victim, data.size, data.workers)}`;
  return svg("rect", { x: LEFT + victim * side, y: 22 + thief * side, width: side - 1,
    height: side - 1, class: "heat", "fill-opacity": 0.08 + 0.92 * Math.sqrt(value / most) },
    svg("title", {}, said));
}

function steals_labels(data, side) {
  const step = Math.ceil(data.matrix.length / 8);
  const marked = data.matrix.map((_, at) => at).filter(at => at % step === 0);
  return marked.map(at => [
    svg("text", { x: LEFT + (at + 0.5) * side, y: 17, "text-anchor": "middle" },
      `${at * data.size}`),
    svg("text", { x: LEFT - 5, y: 22 + (at + 0.5) * side + 4, "text-anchor": "end" },
      `${at * data.size}`)]);
}

function steals_part(report) {
  const given = record(report.steals);
  const data = { matrix: list(given.matrix).map(numbers), size: num(given.size) ?? 1,
    workers: num(given.workers) ?? list(given.matrix).length };
  const most = Math.max(0, ...data.matrix.flat());
  if (data.matrix.length < 2 || most === 0) return null;
  const groups = data.matrix.length;
  const side = Math.max(7, Math.min(26, Math.floor(440 / groups)));
  const fields = data.matrix.flatMap((row, thief) => row.map((value, victim) =>
    value > 0 ? steals_field(data, thief, victim, most, side) : null));
  const lead = [`In all ${count(sum(data.matrix.flat()))} tasks were taken. Rows: ` +
    "the workers that took; columns: those that had the task. The darkest field is ",
    count(most), data.size > 1 ? `. Each row and column stands for ${data.size} workers.` : "."];
  return section("steals", ["Who took tasks of whom (", term("steal", "steals"), ")"], lead,
    el("figure", {}, svg("svg", { class: "steals", width: LEFT + groups * side + 4,
      height: 26 + groups * side, role: "img", "aria-label": "Steals by thief and victim" },
      svg("rect", { x: LEFT, y: 22, width: groups * side, height: groups * side,
        class: "heat-ground" }), fields, steals_labels(data, side))));
}
